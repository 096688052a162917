"""A lab's source: roles, starters, and what is wrong with it, said before anything runs."""

import json
import re

import pytest

from grader.check import PUBLIC_SEED
from grader.lab import Lab, LabError, starter
from tests.grader.small_lab import CENTRE, NAME, cells, code, text


def write(path, cells):
    notebook = {
        "cells": cells,
        "metadata": {"lab": {"imports": ["numpy"]}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    path.write_text(json.dumps(notebook))
    return path


@pytest.fixture
def source(tmp_path):
    return lambda cells: write(tmp_path / f"{NAME}.ipynb", cells)


def test_roles_points_and_questions(source):
    lab = Lab(source(cells()))
    assert lab.name == NAME and lab.points == 6 and lab.questions == {"why": 4}
    assert [c.role for c in lab.cells] == (
        "prose setup answer check check prose setup answer check check demo answer check check".split()
        + ["question"]
        + ["bug"] * 6
    )


def test_students_get_starters_and_neither_hidden_checks_nor_bugs(source):
    lab = Lab(source(cells()))
    released = "\n".join(text for _, _, text in lab.released())
    for kept in ("YOUR CODE: return the sum", "raise NotImplementedError", "distance = ...", "heads = ...",
                 "check('centre', of=3)", "*two sentences*"):  # fmt: skip
        assert kept in released
    for gone in ("SOLUTION", "np.sum(x)", "heads = 50", "-hidden", "median", "They add up", "#:"):
        assert gone not in released


def test_a_cell_tagged_solution_is_left_out(source):
    extra = [*cells()[:3], code("secret = 1", tags=["solution"]), *cells()[3:]]
    lab = Lab(source(extra))
    assert "secret" not in "\n".join(text for _, _, text in lab.released())
    assert {"source": "secret = 1"} in lab.solved(1)


def seeds(path, seed):
    """The seed that stands in each check cell as it is run."""
    steps = {s["check"]: s["source"] for s in Lab(path).solved(seed) if s.get("check")}
    return {id: int(re.search(r"start_from\((\d+)\)", source)[1]) for id, source in steps.items()}


def test_hidden_checks_draw_from_the_secret_seed_and_only_they(source, tmp_path):
    found = seeds(source(cells()), 977)
    hidden = {id: seed for id, seed in found.items() if seed != PUBLIC_SEED}
    assert hidden.keys() == {"centre-hidden", "spread-hidden", "heads-hidden"}
    assert seeds(source(cells()), 977) == found
    # What stands in a cell can leave the sandbox: it tells nothing about the seed, other checks, other labs.
    others = [
        *seeds(source(cells()), 978).values(),
        *seeds(write(tmp_path / "91.ipynb", cells()), 977).values(),
    ]
    assert len({977, *hidden.values(), *others}) == 1 + 3 * 3 + 1
    assert set(seeds(source(cells()), PUBLIC_SEED).values()) == {PUBLIC_SEED}


def test_each_bug_runs_before_its_check_and_the_answers_come_back(source):
    steps = Lab(source(cells())).solved(1, bugs=True)
    for number, step in enumerate(steps):
        if step.get("bug"):
            assert "check" not in steps[number - 1]
            assert steps[number + 1]["source"] == CENTRE
    assert sum(bool(step.get("bug")) and not step["probe"] for step in steps) == 6
    # Each is asked the other check of its question, too: what it answers there names it in a submission.
    assert sum(bool(step.get("bug")) and step["probe"] for step in steps) == 6


def test_the_version_follows_the_text_and_not_the_outputs(source):
    first = Lab(source(cells())).version
    executed = cells()
    executed[1] |= {
        "execution_count": 9,
        "outputs": [{"output_type": "stream", "name": "stdout", "text": "x"}],
    }
    assert Lab(source(executed)).version == first
    assert Lab(source([*cells(), text("More.")])).version != first


def change(number, **changes):
    def changed(cells):
        cells[number] |= changes
        return cells

    return changed


def lab_marks(number, **marks):
    return change(number, metadata={"lab": marks})


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (lab_marks(4, id="centre-hidden", points=2), "points sit on hidden checks"),
        (lab_marks(4, id="Centre!", points=2, hidden=True), "not made of small letters"),
        (lab_marks(4, id="centre", points=2, hidden=True), "is taken"),
        (lab_marks(4, id="centre-hidden", points="2", hidden=True), "points are a number"),
        (lab_marks(4, id="centre-hidden", points=-1, hidden=True), "points are a number"),
        (change(4, source="centre([1])"), 'has no `with check("centre-hidden") as expect:`'),
        (lambda cells: cells[:-1], "no planted bug that 'heads-hidden' rejects"),
        (lab_marks(-1, rejects="tails"), "rejects 'tails', which is no check"),
        (lambda cells: [cells[-1], *cells[:-1]], "planted bugs stand after the last check"),
        (lab_marks(14, id="why", by_hand="four"), "by_hand is a number"),
        (change(2, source="# BEGIN SOLUTION\nx = 1"), "BEGIN SOLUTION without an END"),
        (lambda cells: cells[:2], "no check cell"),
    ],
)
def test_every_mistake_of_an_author_has_words(source, spoil, complaint):
    with pytest.raises(LabError, match="90-small") as caught:
        Lab(source(spoil(cells())))
    assert complaint in str(caught.value)


@pytest.mark.parametrize("content", ["", "{}", "[1]", "no json"])
def test_a_source_that_is_no_notebook(tmp_path, content):
    path = tmp_path / "x.ipynb"
    path.write_text(content)
    with pytest.raises(LabError, match="is no notebook"):
        Lab(path)


def test_starters_of_top_level_code():
    block = "# BEGIN SOLUTION\nimport os\na, (b, c) = 1, (2, 3)\nd: int = [i for i in range(3)]\n"
    block += "for k in d:\n    e = k\ndef f():\n    g = 1\n# END SOLUTION\nprint(a)"
    assert starter(block).splitlines() == [
        "# YOUR CODE", "a = ...", "b = ...", "c = ...", "d = ...", "e = ...", "f = ...", "print(a)"
    ]  # fmt: skip


@pytest.mark.parametrize("bad", ["# END SOLUTION", "# BEGIN SOLUTION\n# BEGIN SOLUTION\n# END SOLUTION"])
def test_markers_that_do_not_pair(bad):
    with pytest.raises(ValueError, match="SOLUTION"):
        starter(bad)
