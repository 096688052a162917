"""Release: what students get, and every lab that must be refused."""

import json
import subprocess
import sys

import pytest

from grader.lab import LabError
from grader.reference import reference
from grader.release import disagreement, release
from grader.sandbox import Limits, Settings
from tests.grader.small_lab import NAME, cells, write_source


def test_the_released_lab_is_normalised_and_says_what_is_not_attempted(small):
    notebook = json.loads(small.released.read_text())
    stamp = notebook["metadata"]["lab"]
    assert (stamp["name"], stamp["points"], stamp["version"]) == (NAME, 6, small.made["version"])
    ids = [cell["id"] for cell in notebook["cells"]]
    assert {"check-centre", "check-spread", "check-heads"} < set(ids) and len(set(ids)) == len(ids)
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    said = [out for cell in code for out in cell["outputs"]]
    shown = [out["data"] for out in said if "data" in out]
    assert len(shown) == 3
    for data in shown:
        for words in ("".join(data["text/plain"]), "".join(data["text/html"])):
            assert (
                "not attempted yet" in words
                and "0 of 3 visible checks" in words
                and "also tries other inputs" in words
                and "Expected" not in words
            )
    checks = [cell for cell in code if cell["id"].startswith("check-")]
    assert all(cell["metadata"]["jupyter"] == {"source_hidden": True} for cell in checks)
    assert all(", of=3) as expect:" in "".join(cell["source"]) for cell in checks)
    assert "Not attempted yet: write spread" in json.dumps(said)


def test_nbval_passes_on_the_released_lab(small):
    command = [sys.executable, "-m", "pytest", "--nbval", "-q", "-p", "no:cacheprovider", str(small.released)]
    run = subprocess.run(command, capture_output=True, text=True, cwd=small.released.parent)
    assert run.returncode == 0, run.stdout[-2000:]


def test_the_reference_is_private_and_knows_each_answer(small):
    path = small.grading / NAME / "reference.json"
    assert path.stat().st_mode & 0o077 == 0
    made = json.loads(path.read_text())
    assert made["checks"]["spread-hidden"]["bundle"]["values"]["spread"] > 0
    assert made["points"] == 6 and made["questions"] == {"why": 4}
    assert "mllib.boosting" in made["closed"] and "sklearn.svm" in made["closed"]


def test_it_is_reused_until_something_changes(small):
    path = small.grading / NAME / "reference.json"
    before = path.stat().st_mtime_ns
    assert reference(small.source, 11, small.grading)["key"] == small.made["key"]
    assert path.stat().st_mtime_ns == before


def test_a_released_lab_that_is_not_its_sources_is_noticed(small, tmp_path):
    assert disagreement(small.source, small.released) is None
    assert "not released" in disagreement(small.source, tmp_path / "none.ipynb")
    edited = tmp_path / small.released.name
    edited.write_text(small.released.read_text().replace("Now the spread.", "Now the width."))
    assert "is not what" in disagreement(small.source, edited)


def say(number, text):
    """A change of one cell's source."""

    def spoil(cells):
        cells[number]["source"] = text

    return spoil


def test_a_hidden_check_that_another_seeds_answers_pass_is_refused(small, tmp_path):
    notebook = json.loads(small.source.read_text())
    cell = notebook["cells"][13]
    cell["source"] = "".join(cell["source"]).replace(" * expect.rng.uniform(1, 2)", "")
    source = write_source(tmp_path / "source", notebook["cells"])
    with pytest.raises(LabError, match="'heads-hidden' is right with the answers to another seed's inputs"):
        release(source, tmp_path / f"{NAME}.ipynb", tmp_path / "grading", 11)
    assert not (tmp_path / f"{NAME}.ipynb").exists()


HIDDEN = "with check('heads-hidden') as expect:\n    expect('heads', {})"
VISIBLE = "with check('heads') as expect:\n    expect('heads', {})"


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (say(13, HIDDEN.format("np.random.random()")), "answered differently the second time"),
        (say(12, VISIBLE.format("heads, at_most=10")), "check 'heads' finds fault with the solution: heads"),
        (say(12, VISIBLE.format("np.zeros(30_000)")), "check 'heads' finds fault with the solution: heads"),
        (say(12, VISIBLE.format("...")), "the solution itself is not attempted"),
        (say(6, "x = np.array([1.0, 2.0, 6.0])\nimport sklearn.nothing"), "error ModuleNotFoundError"),
    ],
    ids=["random", "a harsh check", "too many numbers", "no solution", "a broken cell"],
)
def test_a_lab_that_would_grade_badly_gets_no_reference(tmp_path, spoil, complaint):
    changed = cells()
    spoil(changed)
    source = write_source(tmp_path, changed, executed=False)
    with pytest.raises(LabError, match=complaint):
        reference(source, 1, tmp_path / "grading")
    assert not (tmp_path / "grading" / NAME / "reference.json").exists()


COMPILED = """
import os, pathlib, time
compiled = pathlib.Path(os.environ["NUMBA_CACHE_DIR"], "compiled")
if not compiled.exists():
    time.sleep(3)
    compiled.touch()"""


def test_what_the_first_run_compiles_takes_no_time_from_the_solution(bubblewrap, tmp_path):
    changed = cells()
    changed[1]["source"] += COMPILED
    source = write_source(tmp_path, changed, executed=False)
    made = reference(source, 1, tmp_path / "grading", Settings(bubblewrap, Limits(cell_seconds=2)))
    assert made["points"] == 6 and max(made["pace"].values()) < 60


def test_a_bug_that_the_check_lets_through_stops_the_release_not_the_grading(small, tmp_path):
    notebook = json.loads(small.source.read_text())
    notebook["cells"][-1]["source"] = "heads = 50"
    source = tmp_path / small.source.name
    source.write_text(json.dumps(notebook))
    complaint = "heads-hidden bug 1 is not rejected"
    with pytest.raises(LabError, match=complaint):
        release(source, tmp_path / "out.ipynb", tmp_path / "grading", 11)
    (missed,) = reference(source, 11, tmp_path / "grading")["missed"]
    assert missed.startswith(complaint)


def test_a_source_that_was_never_executed_is_refused(tmp_path):
    source = write_source(tmp_path, cells(), executed=False)
    with pytest.raises(LabError, match="cell 3 was never executed"):
        release(source, tmp_path / "out.ipynb", tmp_path / "grading", 1)


def test_a_check_without_stored_result_is_refused(small, tmp_path):
    notebook = json.loads(small.source.read_text())
    notebook["cells"][3]["outputs"] = []
    (tmp_path / small.source.name).write_text(json.dumps(notebook))
    with pytest.raises(LabError, match="cell 3: check 'centre' stores no result"):
        release(tmp_path / small.source.name, tmp_path / "out.ipynb", tmp_path / "grading", 1)


def test_a_stored_result_that_is_not_the_solutions_is_refused(small, tmp_path):
    source = tmp_path / small.source.name
    source.write_text(small.source.read_text().replace('"of 1, 2, 6": 3.0', '"of 1, 2, 6": 4.0'))
    with pytest.raises(LabError, match="cell 3: check 'centre' stores another result"):
        release(source, tmp_path / "out.ipynb", tmp_path / "grading", 11)


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (say(6, "x = np.array([centre([1.0]), 2.0, 6.0])"), "does not run to its end"),
        (say(2, "def centre(x):\n    return np.mean(x)\n# BEGIN SOLUTION\n# END SOLUTION"),
         "'centre' is right"),
        (say(2, "def centre(x):\n    # BEGIN SOLUTION\n    #: return 0\n    return np.mean(x)\n"
                "    # END SOLUTION"), "'centre-hidden' is 'wrong' and not 'not attempted'"),
    ],
    ids=["stops", "gives points away", "a starter that answers"],
)  # fmt: skip
def test_a_lab_that_unsolved_stops_or_scores_is_refused(tmp_path, spoil, complaint):
    changed = cells()
    spoil(changed)
    source, out = write_source(tmp_path / "source", changed), tmp_path / f"{NAME}.ipynb"
    with pytest.raises(LabError, match=complaint):
        release(source, out, tmp_path / "grading", 1)
    assert list(tmp_path.glob("*.ipynb")) == []


def grader(*arguments, cwd):
    command = [sys.executable, "-m", "grader", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd)


def test_the_command_and_its_exit_codes(small):
    folder = small.source.parent.parent
    common = ("--source", "source", "--out", ".", "--grading", "grading")
    run = grader("release", "--check", *common, cwd=folder)
    assert (run.returncode, run.stdout) == (0, f"{NAME}.ipynb is up to date\n")
    run = grader("release", "91-none", *common, cwd=folder)
    assert run.returncode == 2 and f"no lab '91-none' in source; there are: {NAME}" in run.stderr
    assert grader("release", "--source", "nowhere", cwd=folder).returncode == 2
    assert grader("release", "--help", cwd=folder).returncode == 0
