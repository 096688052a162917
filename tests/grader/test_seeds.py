"""Hidden checks draw their inputs from a machine's secret seed: with any seed they must see the planted bugs,
and the answers to one seed's inputs must be wrong for every other's.

The labs' own code is trusted, so it runs here, without a sandbox, and many seeds take a second.
"""

import itertools
import warnings
from pathlib import Path

import matplotlib
import pytest

from _ext.contents import lab_sources
from grader import check, judge
from grader.lab import Lab

LABS = Path(__file__).parents[2] / "labs"
SEEDS = range(8)


class Notebook:
    """The cells of one lab, run in one name space; what a check displays is kept."""

    def __init__(self):
        self.names, self.bundles = {"__name__": "__main__", "display": lambda *shown: None}, []

    def run(self, source):
        self.bundles, error = [], ""
        try:
            exec(compile(source, "cell", "exec"), self.names)
        except Exception as problem:  # a bug may stop
            error = type(problem).__name__
        return {"status": "error" if error else "ok", "error": error, "bundles": self.bundles}


SOURCES = pytest.mark.parametrize("source", lab_sources(), ids=lambda path: path.stem)


@SOURCES
def test_students_may_call_their_helpers_what_checks_call_theirs(source, monkeypatch):
    lab, notebook = Lab(source), Notebook()
    monkeypatch.setattr(check, "_display", lambda bundle, text, html: notebook.bundles.append(bundle))
    monkeypatch.setattr(check, "_given", {})
    monkeypatch.chdir(LABS)
    matplotlib.use("agg")
    steps = lab.solved(5, taken=True)
    assert sum("of a student" in step["source"] for step in steps) > len(lab.checks) / 2
    for step in steps:
        ended = notebook.run(step["source"])
        assert ended["status"] == "ok", (ended, step["source"])


@SOURCES
def test_every_seed_shows_every_bug(source, monkeypatch):
    lab, notebook = Lab(source), Notebook()
    monkeypatch.setattr(check, "_display", lambda bundle, text, html: notebook.bundles.append(bundle))
    monkeypatch.setattr(check, "_given", {})
    monkeypatch.chdir(LABS)
    matplotlib.use("agg")
    answers = [cell.source for cell in lab.cells if cell.role in ("answer", "solution")]
    hidden = [cell for cell in lab.cells if cell.role == "check" and cell.marks.get("hidden")]
    missed = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of bugs
        for step in lab.solved(SEEDS[0]):
            notebook.run(step["source"])
        for cell in hidden:
            bugs = [bug.source for bug in lab.cells if bug.marks.get("rejects") == cell.check]
            rights = []
            for seed in SEEDS:
                checking = lab.checking(cell, seed)
                (right,) = notebook.run(checking)["bundles"]
                assert right["state"] == "answered"
                rights.append(right)
                for number, bug in enumerate(bugs, start=1):
                    notebook.run(bug)
                    if judge.one(cell.check, right, notebook.run(checking))[0] == "right":
                        missed.append(f"{cell.check} with seed {seed} lets bug {number} pass")
                    for answer in answers:
                        notebook.run(answer)
            for one, other in itertools.permutations(rights, 2):
                shown = {"status": "ok", "error": "", "bundles": [other]}
                if judge.one(cell.check, one, shown)[0] == "right":
                    missed.append(f"{cell.check} is right with the answers to another seed's inputs")
    assert not missed
