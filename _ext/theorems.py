"""Which theorems the chapters state, and which tests check them.

A theorem is a ``{prf:theorem}``, ``{prf:lemma}``, ``{prf:proposition}`` or ``{prf:corollary}`` block with a
label. Its test carries ``@pytest.mark.theorem("the same label")``. Both are found by reading text, so that
the status page and the test that compares the two lists need to run nothing.
"""

import ast
from pathlib import Path
from typing import NamedTuple

from _ext.contents import chapters
from _ext.prose import blocks, prose

KINDS = ("theorem", "lemma", "proposition", "corollary")


class Theorem(NamedTuple):
    """A statement of the book: the page it stands on, its kind, label (or None) and title."""

    page: str
    kind: str
    label: str | None
    title: str


def in_chapter(path):
    """The theorems of the notebook at ``path``, in order."""
    page = "chapters/" + Path(path).with_suffix("").as_posix().rpartition("chapters/")[2]
    return [
        Theorem(page, kind, block.options.get("label"), block.title)
        for block in blocks(prose(path))
        if (kind := block.directive.removeprefix("prf:")) in KINDS
    ]


def in_book(root):
    """All theorems of the chapters below ``root``."""
    return [t for path in sorted(chapters(root)) for t in in_chapter(path)]


def tests(root):
    """Label -> the tests that name it, as ``file::function``, read from ``tests/theorems``."""
    found = {}
    for path in sorted(Path(root, "tests/theorems").glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef):
                continue
            for mark in node.decorator_list:
                if isinstance(mark, ast.Call) and getattr(mark.func, "attr", "") == "theorem":
                    for label in mark.args:
                        found.setdefault(label.value, []).append(f"{path.name}::{node.name}")
    return found
