"""An edit of a compiled function takes effect, also in the functions of other files that call it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = """
from mllib import Perceptron
from mllib._compiled import FOLDER
model = Perceptron(max_iter=1, fit_intercept=False).fit([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], [0, 1, 1])
print(FOLDER, *model.coef_.ravel())
"""


@pytest.fixture
def copy(tmp_path):
    """A checkout of its own."""
    shutil.copytree(ROOT / "mllib", tmp_path / "mllib", ignore=shutil.ignore_patterns("__pycache__", "data"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def said(folder, program=PROGRAM, **more):
    """Where a plain ``python`` process keeps machine code, and what it learns."""
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    environment |= {"PYTHONPATH": str(folder)} | more
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    where, *learned = done.stdout.split()
    return Path(where) if where else None, learned


def test_an_edited_helper_changes_the_answer(copy):
    where, before = said(copy)
    assert where.parent == copy / "_build/numba" and list(where.rglob("*.nbi"))
    helper = copy / "mllib/_rows.py"
    text = helper.read_text()
    assert text.count("total = 0.0\n") == 1
    helper.write_text(text.replace("total = 0.0\n", "total = 5.0\n"))
    elsewhere, after = said(copy)
    assert after != before and elsewhere != where
    helper.write_text(text)
    assert said(copy) == (where, before)


def test_only_what_machine_code_may_depend_on_names_its_folder(copy):
    """A constant of another file may stand in it, and nothing of a file that no compiled loop imports."""
    folder = "from mllib._compiled import FOLDER; print(FOLDER)"
    where, _ = said(copy, folder)
    for name, matters in [("svm/svc.py", False), ("boosting/adaboost.py", False), ("ties.py", True)]:
        file = copy / "mllib" / name
        file.write_text(file.read_text() + "\n# something else\n")
        assert (said(copy, folder)[0] != where) == matters, name


def test_machine_code_that_nobody_has_used_for_a_day_goes(copy):
    old, new = copy / "_build/numba/old", copy / "_build/numba/new"
    for folder in (old, new):
        folder.mkdir(parents=True)
    os.utime(old, (0, 0))
    said(copy)
    assert not old.exists() and new.exists()


def test_a_folder_that_is_named_is_taken(copy):
    assert said(copy, NUMBA_CACHE_DIR=str(copy / "mine"))[0] == copy / "mine"
    assert not (copy / "_build").exists()


def test_the_folder_is_chosen_in_one_place():
    """The grader's sandbox, which has a folder for each lab, chooses its own."""
    named = {
        path.relative_to(ROOT).as_posix()
        for room in ("mllib", "grader", "_ext", "tools", "benchmarks", "Makefile")
        for path in ([ROOT / room] if room == "Makefile" else (ROOT / room).rglob("*.py"))
        if "CACHE_DIR" in path.read_text(encoding="utf-8")
    }
    assert named == {"mllib/_compiled.py", "grader/sandbox.py"}
