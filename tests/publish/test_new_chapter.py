"""A new chapter, begun as CONTRIBUTING.md says: the book builds with it, and its own checks pass."""

import os
import re
import shutil
import subprocess
import sys

import pytest

from _ext.contents import main_chapters
from _ext.paths import ROOT
from tests.contract.test_contents import tracked
from tests.publish.conftest import absent
from tools.normalise import problems

SAYS = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
NAME = "17-my-topic"


def run(copy, *command):
    """Run a command in the copy; return what it said."""
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
    environment = {**os.environ, "PYTHONPATH": str(copy), "PATH": path}
    environment.pop("NUMBA_CACHE_DIR", None)
    done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """A copy of the project with a new chapter; what the other chapters give is there already."""
    if not (ROOT / "_build/html/index.html").exists():
        absent("the book is not built: make book")
    copy = tmp_path_factory.mktemp("book")
    for name in tracked():
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, copy / name)
    shutil.copytree(ROOT / "_build/cache", copy / "_build/cache")
    for command in re.findall(r"^ *(cp .+)$", SAYS, re.M):
        run(copy, *command.split())
    (entry,) = re.findall(r"^ *(- file: chapters/\S+)$", SAYS, re.M)
    toc, last = copy / "_toc.yml", main_chapters()[-1].stem
    old, found = re.subn(
        rf"(( *)- file: chapters/{last}\n(?:\2 +.+\n)*)", rf"\1\2{entry}\n", toc.read_text(encoding="utf-8")
    )
    assert found == 1
    toc.write_text(old, encoding="utf-8")
    return copy


def test_its_own_checks_pass(book):
    notebook = book / f"chapters/{NAME}.ipynb"
    assert problems(notebook) is None
    quiet = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider"]
    run(
        book,
        *quiet,
        "tests/theorems/test_17_my_topic.py",
        "tests/contract/test_notebooks.py",
        "-k",
        "17 or theorem",
    )
    assert "passed" in run(book, *quiet, "--nbval", str(notebook))
    run(book, sys.executable, "-m", "ruff", "check", ".")
    run(book, sys.executable, "-m", "ruff", "format", "--check", ".")


def test_the_book_builds_with_it_at_once(book):
    jupyter_book = os.path.join(os.path.dirname(sys.executable), "jupyter-book")
    said = run(book, jupyter_book, "build", ".", "-W", "-n", "--keep-going", "--quiet")
    executed = re.findall(r"(\S+)\.ipynb executed", said)
    assert executed == [f"chapters/{NAME}"], "only the new chapter had to run"
    html = book / "_build/html"
    assert "The mean costs least" in (html / f"chapters/{NAME}.html").read_text(encoding="utf-8")
    for page in ("index", "pages/status", "pages/outcomes", "pages/gallery"):
        assert f"{NAME}.html" in (html / f"{page}.html").read_text(encoding="utf-8"), page
