"""The reference pages: every room with public names stands on one of them, and every name has a sentence."""

import ast
import inspect
import re
from collections import Counter
from pathlib import Path

import pytest

from _ext import api

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "pages/api").glob("*.rst"))
ON_PAGES = [room for p in PAGES for room in re.search(r"package-reference:: (.*)", p.read_text())[1].split()]


def test_every_room_is_on_exactly_one_page():
    assert Counter(ON_PAGES) == Counter(list(api.rooms()))


@pytest.mark.parametrize("name", [name for names in api.rooms().values() for name in names])
def test_every_public_name_says_what_it_is(name):
    thing = api.lookup(name)
    told = inspect.isclass(thing) or inspect.isroutine(thing)
    assert not told or len(inspect.getdoc(thing).splitlines()[0]) > 15


def test_docstrings_hold_no_control_characters():
    r"""In a docstring that is not raw, ``\a`` of ``\arg`` is a bell and ``\f`` of ``\frac`` a new page."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    spoilt = [
        f"{path}: {docstring[:60]!r}"
        for path in ROOT.glob("mllib/**/*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, documented) and (docstring := ast.get_docstring(node, clean=False))
        if re.search(r"[\a\b\f\v\r\t]", docstring)
    ]
    assert not spoilt
