"""The course's own labs: released from their sources, solved worth everything, unsolved nothing."""

import json
from pathlib import Path

import pytest

from _ext.contents import lab_sources
from grader.grade import grade
from grader.lab import Lab
from grader.reference import reference
from grader.release import disagreement, unsolved

LABS = Path("labs")
SOURCES = [LABS / "source" / path.name for path in lab_sources()]


def named(path):
    return path.stem


@pytest.mark.parametrize("source", SOURCES, ids=named)
def test_the_released_lab_is_what_its_source_gives(source):
    assert disagreement(source, LABS / source.name) is None


@pytest.fixture(scope="module")
def private(tmp_path_factory):
    """Where the references are kept: to make one, the solution and every bug run."""
    return tmp_path_factory.mktemp("grading")


@pytest.mark.parametrize("source", SOURCES, ids=named)
def test_solved_it_is_worth_everything_unsolved_nothing_and_each_bug_is_caught(
    bubblewrap, private, tmp_path, source
):
    made = reference(source, seed=3, folder=private)  # runs the solution twice, and every bug
    lab = Lab(source)
    solutions = {name: cell.source for cell, name, _ in lab.released() if cell.role == "answer"}
    for student in ("solved", "unsolved"):
        notebook = unsolved(lab)
        for cell in notebook["cells"] if student == "solved" else ():
            cell["source"] = solutions.get(cell["id"], cell["source"])
        path = tmp_path / "submissions" / student / source.name
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(notebook))
    rows = grade(made, tmp_path / "submissions", tmp_path / "grades", layer=bubblewrap, jobs=2)
    assert [(row["status"], row["reason"]) for row in rows] == [("marked", "")] * 2
    statuses = [{mark["status"] for mark in row["checks"].values()} for row in rows]
    assert statuses == [{"right"}, {"not attempted"}], [row["reason"] for row in rows]
    assert [row["total"] for row in rows] == [made["points"], 0]
    assert [row["notes"] for row in rows] == [[], []]


def test_the_lost_half_of_lab_4_costs_its_own_points_only(bubblewrap, private, tmp_path):
    source = LABS / "source" / "04-boosting.ipynb"
    made, lab = reference(source, seed=3, folder=private), Lab(source)
    answers = {name: cell.source for cell, name, _ in lab.released() if cell.role == "answer"}
    notebook = unsolved(lab)
    for cell in notebook["cells"]:
        cell["source"] = answers.get(cell["id"], cell["source"]).replace("0.5 * np.log", "np.log")
    path = tmp_path / "submissions" / "half" / source.name
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(notebook))
    (row,) = grade(made, tmp_path / "submissions", tmp_path / "grades", layer=bubblewrap, jobs=1)
    lost = {id: mark["of"] for id, mark in row["checks"].items() if mark["points"] < mark["of"]}
    assert lost == {"vote-weight-hidden": 2} and row["total"] == made["points"] - 2
    assert row["checks"]["boost-hidden"]["ours"] == ["vote-weight-hidden"]
