"""The store of experiments: resumed after a kill, up to date by the digest of code, differences by hand."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from _ext.contents import chapters
from benchmarks import evidence
from mllib import viz

ROOT = Path(__file__).parents[2]
SLOW = '''"""Two rules."""
import sys, time
from pathlib import Path
WHAT = "rule"
DRAWS = {draws}
MEASURES = {{"error": "lower"}}
def draw(number):
    with Path({log!r}).open("a") as file:
        print(number, file=file)
    time.sleep({seconds})
    return {{"old": {{"error": 1.0 + number}}, "new": {{"error": 1.0 + number / 2}}}}
'''


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A project of its own, with one experiment that says which draws it makes."""
    for name in ("benchmarks/experiments", "_build"):
        (tmp_path / name).mkdir(parents=True)
    write(tmp_path)
    monkeypatch.setattr(evidence, "ROOT", tmp_path)
    monkeypatch.setattr(evidence, "EXPERIMENTS", tmp_path / "benchmarks/experiments")
    monkeypatch.setattr(evidence, "RESULTS", tmp_path / "benchmarks/results")
    monkeypatch.setattr(evidence, "UNFINISHED", tmp_path / "_build/evidence")

    def module(name):
        text, found = (tmp_path / f"benchmarks/experiments/{name}.py").read_text(), type(sys)(name)
        exec(compile(text, name, "exec"), found.__dict__)
        return found

    monkeypatch.setattr(evidence, "experiment", module)
    return tmp_path


def write(folder, draws=5, seconds=0.0):
    text = SLOW.format(draws=draws, seconds=seconds, log=str(folder / "log"))
    (folder / "benchmarks/experiments/17_rules.py").write_text(text)


def made(folder):
    """The draws that were made, in order, since the last look."""
    log = folder / "log"
    found = [int(line) for line in log.read_text().split()] if log.exists() else []
    log.unlink(missing_ok=True)
    return found


def test_every_draw_is_kept_and_what_is_up_to_date_is_not_run_again(folder, capsys):
    assert evidence.names() == ["17_rules"] and not evidence.up_to_date("17_rules")
    evidence.main([])
    assert sorted(made(folder)) == [0, 1, 2, 3, 4] and evidence.up_to_date("17_rules")
    kept = evidence.results("17_rules")
    assert kept["rows"]["new"]["error"] == [1, 1.5, 2, 2.5, 3] and kept["title"] == "Two rules"
    assert not list((folder / "_build/evidence").iterdir())
    evidence.main([])
    assert made(folder) == [] and "0 of 1 experiments were out of date" in capsys.readouterr().out
    evidence.main(["17_rules", "--again"])
    assert len(made(folder)) == 5


def test_words_change_nothing_and_code_does(folder):
    evidence.main([])
    path = folder / "benchmarks/experiments/17_rules.py"
    path.write_text(path.read_text().replace("Two rules.", "Two rules, described at length."))
    assert evidence.up_to_date("17_rules")
    path.write_text(path.read_text().replace("number / 2", "number / 3"))
    assert not evidence.up_to_date("17_rules")


def test_a_run_that_was_killed_goes_on_where_it_was(folder):
    """A process of its own, killed by force after some draws; half a line at the end is no draw."""
    write(folder, draws=12, seconds=0.15)
    program = (
        "import importlib.util as u, sys; from pathlib import Path; from benchmarks import evidence as e\n"
        f"root = Path({str(folder)!r})\n"
        "e.EXPERIMENTS, e.RESULTS = root / 'benchmarks/experiments', root / 'benchmarks/results'\n"
        "e.UNFINISHED = root / '_build/evidence'\n"
        "def module(name):\n"
        "    spec = u.spec_from_file_location(name, e.EXPERIMENTS / f'{name}.py')\n"
        "    found = u.module_from_spec(spec); spec.loader.exec_module(found); return found\n"
        "e.experiment = module\n"
        "e.main([])\n"
    )
    begun = subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, stderr=subprocess.DEVNULL)
    path = evidence.unfinished("17_rules")
    until = time.monotonic() + 60
    while time.monotonic() < until and not (path.exists() and path.read_text().count("\n") >= 3):
        time.sleep(0.02)
    os.kill(begun.pid, signal.SIGKILL)
    begun.wait()
    before = len(evidence.finished_draws("17_rules"))
    assert 3 <= before < 12 and evidence.results("17_rules") is None
    with path.open("a") as file:
        file.write('[11, {"old": {"err')
    made(folder)
    evidence.main([])
    assert len(made(folder)) == 12 - before
    assert evidence.results("17_rules")["rows"]["old"]["error"] == [1.0 + k for k in range(12)]


def test_a_draw_without_its_rows_is_refused(folder):
    path = folder / "benchmarks/experiments/17_rules.py"
    path.write_text(path.read_text().replace('"error": 1.0 + number / 2', '"errors": 1.0'))
    with pytest.raises(ValueError, match="draw 0, row 'new' does not fit"):
        evidence.main([])
    assert evidence.results("17_rules") is None


def test_names_that_are_not_there(folder, capsys):
    with pytest.raises(SystemExit):
        evidence.main(["17_rule"])
    assert "no experiment 17_rule; there are 17_rules" in capsys.readouterr().err
    evidence.main(["--list"])
    assert re.search(r"17_rules +5 draws, never run", capsys.readouterr().out)


def test_the_table_shows_paired_differences():
    rng = np.random.RandomState(0)
    a, b = rng.rand(20), rng.rand(20)
    kept = json.dumps(
        {
            "title": "T",
            "what": "rule",
            "measures": {"e": "lower", "n": None},
            "rows": {"a": {"e": list(a), "n": [1] * 20}, "b": {"e": list(b), "n": [3] * 20}},
        }
    )
    (_, *rest), (name, mean, apart, wins) = viz.evidence(
        kept, "e", against="a", rows={"a": "A", "b": "B"}
    ).rows
    assert rest[1:] == ["", ""] and name == "B" and mean == f"{b.mean():.3f}"
    assert apart == f"{(b - a).mean():+.3f} ± {(b - a).std(ddof=1) / np.sqrt(20):.3f}"
    assert wins == f"{np.sum(b < a)} of 20"
    both = viz.evidence(kept, ["e", "n"], against="a", digits=1)
    assert viz.evidence(kept, "e", against={"b": "a"}).headings[2] == "difference"
    assert both.rows[1][2].endswith(f"({np.sum(b < a)} of 20)") and both.rows[1][4] == "+2.0 ± 0.0"
    assert "20 draws" in both.caption
    with pytest.raises(ValueError, match="no row 'c'; there are a, b"):
        viz.evidence(kept, "e", against="c")
    with pytest.raises(ValueError, match="no measure 'f'; there are e, n"):
        viz.evidence(kept, "f", against="a")
    with pytest.raises(FileNotFoundError, match="make evidence"):
        viz.evidence("99_nothing", "e", against="a")


# What is stored in the project

STORED = evidence.names()


def test_every_result_has_its_experiment():
    kept = {path.stem for path in (ROOT / "benchmarks/results").glob("[0-9][0-9]_*.json")}
    assert kept == set(STORED)


@pytest.mark.parametrize("name", STORED)
def test_results_are_those_of_the_code(name):
    kept, module = evidence.results(name), evidence.experiment(name)
    assert kept["digest"] == evidence.digest(name), f"out of date: make evidence EXPERIMENTS={name}"
    assert kept["measures"] == module.MEASURES and module.DRAWS >= 20
    assert all(len(v) == module.DRAWS for row in kept["rows"].values() for v in row.values())


@pytest.mark.parametrize("name", STORED)
def test_one_draw_is_computed_again(name):
    """Which one, the digest of the code decides."""
    number, kept = evidence.checked(name), evidence.results(name)
    found, _ = evidence.one_draw(name, number)
    for row, values in found.items():
        for measure, value in values.items():
            stored = kept["rows"][row][measure][number]
            assert value == pytest.approx(stored, rel=1e-4, abs=1e-9), f"draw {number}, {row}, {measure}"


@pytest.mark.parametrize("name", STORED)
def test_a_page_shows_it(name):
    assert any(f'\\"{name}\\"' in path.read_text(encoding="utf-8") for path in chapters()), "no page uses it"
