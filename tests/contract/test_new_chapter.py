"""`make new-chapter`: what it writes passes the checks that every chapter must pass."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from publish.build import pages_in_toc
from publish.new_chapter import new_chapter
from publish.normalise import problems

ROOT = Path(__file__).parents[2]


@pytest.fixture
def house(tmp_path):
    """A copy of what a chapter needs."""
    shutil.copy(ROOT / "_toc.yml", tmp_path)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for folder in ["chapters", "tests/theorems", "tests/contract"]:
        (tmp_path / folder).mkdir(parents=True)
    for name in [
        "chapters/ruff.toml",
        "tests/__init__.py",
        "tests/contract/test_notebooks.py",
        "conftest.py",
    ]:
        shutil.copy(ROOT / name, tmp_path / name)
    for package in ["publish", "mllib"]:
        shutil.copytree(
            ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__", "vendor")
        )
    return tmp_path


def test_the_new_chapter_passes_the_checks(house):
    notebook, test = new_chapter("77-wide-streets", house)
    text = notebook.read_text(encoding="utf-8")
    assert "# Wide streets: " in text and "thm-wide-streets" in text
    assert "opic" not in (text + test.read_text(encoding="utf-8")).replace("as a topic", "")
    assert problems(notebook) is None
    assert "chapters/77-wide-streets" in pages_in_toc(yaml.safe_load((house / "_toc.yml").read_text()))
    checks = [
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/theorems", "tests/contract"],
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--nbval", "chapters"],
        ["ruff", "check", "."],
        ["ruff", "format", "--check", "."],
    ]
    environment = dict(os.environ, PATH=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    for check in checks:
        run = subprocess.run(check, cwd=house, env=environment, capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize("name", ["", "my-topic", "7-topic", "17 my topic", "../17-x", "17-Topic"])
def test_a_wrong_name_is_refused(name, tmp_path):
    with pytest.raises(ValueError, match="NN-some-words"):
        new_chapter(name, tmp_path)


def test_a_taken_number_is_refused():
    with pytest.raises(ValueError, match="a chapter 04 already"):
        new_chapter("04-again", ROOT)
