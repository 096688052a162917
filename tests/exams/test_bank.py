"""The examination bank: complete, ten points each, and each number of a solution found twice."""

import doctest
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import yaml

from _ext.contents import main_chapters, pages_in_toc
from tests.exams import oracles
from tools import exam

ROOT = Path(__file__).parents[2]
BANK = exam.bank()
PROBLEMS = [problem for problems in BANK.values() for problem in problems]
KINDS = {"computation", "proof", "true or false", "output", "design"}
SEEDS = (1, 2, 3)


def named(problem):
    """Test ids."""
    return f"{problem.chapter[:2]}-{problem.name}"


def oracle(problem):
    """The function that finds the numbers of a problem in another way, or None."""
    return getattr(oracles, f"o{problem.chapter[:2]}_{problem.name}", None)


def test_the_bank_has_every_chapter():
    assert set(BANK) == {path.name[:2] for path in main_chapters()}


@pytest.mark.parametrize("chapter", BANK)
def test_every_chapter_has_all_kinds(chapter):
    kinds = [problem.kind for problem in BANK[chapter]]
    assert set(kinds) <= KINDS
    assert (len(kinds) >= 5 and set(kinds) == KINDS) if chapter < "16" else len(kinds) >= 2


@pytest.mark.parametrize("problem", PROBLEMS, ids=named)
def test_a_problem_is_whole(problem):
    assert problem.points == 10
    for seed in SEEDS:
        for part in ("question", "solution", "rubric"):
            text = problem.write(part, seed)
            assert "[[" not in text and text.replace(r"\$", "").count("$") % 2 == 0
    assert problem.write("question", 1) == problem.write("question", 1)
    assert bool(problem.draw(1)) == (oracle(problem) is not None), "numbers need an oracle, words have none"


@pytest.mark.parametrize("problem", [p for p in PROBLEMS if p.draw(1)], ids=named)
def test_numbers_agree_with_those_found_in_another_way(problem):
    for seed in SEEDS:
        given = problem.draw(seed)
        ours, theirs = problem.solve(**given), oracle(problem)(**given)
        assert ours.keys() == theirs.keys()
        for name, value in ours.items():
            if isinstance(value, str):
                assert value == theirs[name], (given, name)
            else:
                value = np.array(value, dtype=float)
                assert np.allclose(value, theirs[name], rtol=1e-4, atol=1e-5), (given, name)


def test_every_oracle_has_its_problem():
    known = {f"o{problem.chapter[:2]}_{problem.name}" for problem in PROBLEMS}
    assert {name for name in vars(oracles) if name[:3].startswith("o") and name[1:3].isdigit()} <= known


def test_outcomes_name_problems_that_exist():
    placed = yaml.safe_load((ROOT / "pages/outcomes.yml").read_text(encoding="utf-8"))
    for chapter, rows in placed.items():
        own = {problem.name for problem in BANK[chapter[:2]]}
        assert {name for row in rows for name in row.get("bank", [])} <= own


def test_the_command_writes_both_files(tmp_path):
    def made(seed):
        assert exam.main(["04", "01", "--seed", str(seed), "--per", "3", "--out", str(tmp_path)]) == 0
        return [(tmp_path / name).read_text(encoding="utf-8") for name in ("exam.md", "solutions.md")]

    questions, solutions = made(7)
    assert made(7) == [questions, solutions] and made(8)[0] != questions
    assert questions.startswith("# Examination, 60 points") and questions.count("\n## ") == 6
    assert "Rubric" not in questions and "eed" not in questions.split("\n")[0]
    assert solutions.count("**Rubric.**") == 6 and "Seed 7" in solutions


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], 'which chapters? make exam CHAPTERS="04 10"'),
        (["04", "99"], "no problems for chapter 99; the bank"),
        (["04", "--per", "50"], "--per 50: chapter 04 has"),
        (["04", "--bank", "nowhere"], "no problems for chapter 04; the bank nowhere has none"),
    ],
)
def test_what_cannot_be_is_said(arguments, said, capsys):
    with pytest.raises(SystemExit) as stop:
        exam.main(arguments)
    assert stop.value.code == 2 and said in capsys.readouterr().err


def test_help_names_every_option():
    command = [sys.executable, "-m", "tools.exam", "--help"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert all(option in said for option in ("chapters", "--seed", "--per", "--bank", "--out"))


def test_a_broken_problem_is_named(tmp_path):
    (tmp_path / "01_broken.py").write_text('def half(n=(1, 2)):\n    """computation: Half\n\n    No."""\n')
    with pytest.raises(ValueError, match="half: not 'kind: title'"):
        exam.bank(tmp_path)


def test_the_book_does_not_read_the_bank():
    pages = pages_in_toc(yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8")))
    assert not [page for page in pages if page.startswith(("labs/source", "exams"))]


def test_the_numbers_of_a_seed_stay():
    assert random.Random("7 04_boosting two_rounds").choice(range(100)) == 14
    assert doctest.testmod(exam).failed == 0


@pytest.mark.parametrize("value", [0.5, (1, 2)])
def test_numbers_are_shown(value):
    assert exam.shown(value, ".2f") in {"0.50", "1.00, 2.00"}
