"""Published results: the files that chapter 16 shows are those of the experiments as they stand."""

import json
import re
from dataclasses import asdict
from pathlib import Path

import pytest

from _ext.contents import chapters
from benchmarks import reproduce
from benchmarks.experiments import NAMES
from benchmarks.experiments.claims import COMPARED, MISSED, OURS, READ, REPRODUCED, UNVERIFIED, Claim, verdict

ROOT = Path(__file__).parents[2]
QUICK = 2  # seconds, by the results file: such an experiment is run again here
KEYS = set(re.findall(r"^@\w+\{([^,]+),", (ROOT / "references.bib").read_text(encoding="utf-8"), re.M))


def kept(name):
    """The results file of an experiment."""
    return json.loads((reproduce.RESULTS / f"{name}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", NAMES)
def test_results_file_is_of_the_experiment_as_it_stands(name):
    module, result = reproduce.experiment(name), kept(name)
    assert result["claims"] == [asdict(claim) for claim in module.CLAIMS], "run `make reproduce` again"
    assert result["title"] == reproduce.title(module)
    assert result["verdicts"] == reproduce.judged(module.CLAIMS, result["ours"])
    assert len(result["verdicts"]) == len(module.CLAIMS), "two claims have one name"
    assert set(result["ours"]) <= set(result["verdicts"])
    assert set(result["versions"]) == set(reproduce.PACKAGES) and result["machine"] and result["seconds"] >= 0
    assert reproduce.as_text(result) == (reproduce.RESULTS / f"{name}.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_every_source_is_in_the_references(name):
    for claim in reproduce.experiment(name).CLAIMS:
        assert claim.key in KEYS or (claim.key == "ours" and claim.published is None), claim.source


@pytest.mark.parametrize("name", [name for name in NAMES if kept(name)["seconds"] < QUICK])
def test_quick_experiment_gives_the_same_numbers_again(name):
    found = reproduce.compute(reproduce.experiment(name), lambda loop, what="": loop)
    result = kept(name)
    assert found["ours"] == result["ours"]
    assert found["data"] == result["data"]


def test_chapter_16_tells_every_experiment():
    pages = [path for path in chapters() if path.name.startswith("16-")]
    told = "".join(page.read_text(encoding="utf-8") for page in pages)
    reported = set(re.findall(r'report\(\\"(\w+)\\"', told)) | {"arcing"}  # in a picture
    assert reported == set(NAMES)


def claim(published=3.1, tolerance=0.6, rival=8.4, **other):
    return Claim("error", published, "schapire1998, figure 1", READ, tolerance, rival, **other)


@pytest.mark.parametrize(
    ("ours", "tolerance", "said"),
    [
        (3.7, 0.6, REPRODUCED),  # a difference equal to the tolerance, up to rounding
        (3.71, 0.6, MISSED),
        (2.49, 0.6, MISSED),  # better than published is a miss, too
        ([3.5, 9.0], 0.6, REPRODUCED),  # the mean counts, the deviation does not widen the tolerance
        (3.1, 0.0, REPRODUCED),
        (99.0, None, COMPARED),
        (None, None, COMPARED),
    ],
)
def test_verdict(ours, tolerance, said):
    assert verdict(claim(tolerance=tolerance), ours) == said


def test_a_claim_that_cannot_be_judged_is_refused():
    with pytest.raises(ValueError, match="no value of ours"):
        verdict(claim(), None)
    with pytest.raises(ValueError, match="no published value"):
        claim(published=None)
    with pytest.raises(ValueError, match="no published value"):
        Claim("error", None, "ours", OURS, tolerance=0.6)
    for powerless in ({"rival": None}, {"rival": 3.7}, {"tolerance": 5.3}):
        with pytest.raises(ValueError, match="does not reject the rival"):
            claim(**powerless)
    with pytest.raises(ValueError, match="status"):
        Claim("error", 3.1, "schapire1998", "remembered")


def test_table_shows_what_is_not_verified():
    result = {
        "title": "A run",
        "claims": [asdict(Claim("error, %", 3.1, "schapire1998, figure 1", UNVERIFIED, 0.6, 8.4))],
        "ours": {"error, %": [2.8, 0.25]},
        "seconds": 1.0,
    }
    line = reproduce.table(result).splitlines()[2]
    assert re.search(r"3\.1 +2\.8 ± 0\.25 +0\.6 +reproduced .*\(unverified\)", line)


def test_unknown_experiment_is_named(capsys):
    with pytest.raises(SystemExit):
        reproduce.main(["alchemy"])
    assert "no experiment alchemy" in capsys.readouterr().err


def test_list_runs_nothing(capsys):
    reproduce.main(["--list"])
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(NAMES)
