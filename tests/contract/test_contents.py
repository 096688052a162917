"""Which notebooks the book has: those of the contents, whatever JupyterLab leaves beside them."""

import re
import shutil
import subprocess
import sys

import pytest

from _ext import contents, theorems
from _ext.paths import ROOT

LEFT = [  # after a chapter was saved, and after "New notebook"
    "chapters/.ipynb_checkpoints/04-boosting-checkpoint.ipynb",
    "chapters/more/.ipynb_checkpoints/04-game-checkpoint.ipynb",
    "chapters/Untitled.ipynb",
    "labs/.ipynb_checkpoints/04-boosting-checkpoint.ipynb",
    "labs/Untitled1.ipynb",
    "labs/source/.ipynb_checkpoints/04-boosting-checkpoint.ipynb",
]
OWN = {"_ext/contents.py", "tests/contract/test_contents.py"}


def tracked():
    """What git has, or a reason to skip."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    asked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if asked.returncode:
        pytest.skip("this copy of the project is not in git")
    return [name for name in asked.stdout.splitlines() if (ROOT / name).is_file()]


@pytest.fixture(scope="module")
def used(tmp_path_factory):
    """A copy of the project in which somebody has worked with JupyterLab."""
    copy = tmp_path_factory.mktemp("used")
    for name in tracked():
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, copy / name)
    for name in LEFT:
        (copy / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / "chapters/04-boosting.ipynb", copy / name)
    return copy


def test_every_list_of_notebooks_is_that_of_the_contents(used):
    lists = [contents.chapters, contents.labs, contents.lab_sources, contents.notebooks, contents.written]
    for listed in lists:
        here = [path.relative_to(ROOT).as_posix() for path in listed()]
        there = [path.relative_to(used).as_posix() for path in listed(used) if path.stem[:8] != "Untitled"]
        assert there == here and here, listed.__name__
    assert theorems.in_book(used) == theorems.in_book(ROOT)


def collected(root):
    """The tests that pytest finds there, notebooks among them."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", "-n", "0"]
    command += ["--nbval", "chapters", "labs", "tests/contract", "tests/exams", "tests/theorems"]
    found = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout[-3000:] + found.stderr
    return [line for line in found.stdout.splitlines() if "::" in line]


def test_pytest_finds_the_same_tests_where_somebody_has_worked_with_jupyterlab(used):
    here = collected(used)
    assert len(here) > 1000
    assert not [name for name in here if "checkpoint" in name or "Untitled" in name]


def test_nobody_else_looks_for_notebooks():
    searches = re.compile(r"(?<!tmp_path\.)(?<!plain\.)\br?glob\([^)\n]*(?:ipynb|chapters|\blabs\b)")
    found = [
        f"{name}: {line.strip()}"
        for name in tracked()
        if name.endswith(".py") and name not in OWN and not name.startswith("grader/")  # reads any folder
        for line in (ROOT / name).read_text(encoding="utf-8").splitlines()
        if searches.search(line)
    ]
    assert not found, "ask _ext.contents: JupyterLab leaves copies in these folders"
