"""What a chapter says in words, and its pieces, from which theorems, remarks and reading times are read."""

import os
import re
from difflib import get_close_matches
from functools import cache
from itertools import takewhile
from typing import NamedTuple

import nbformat

FENCE = re.compile(r"^(`{3,}|:{3,})(?:\{([\w:-]+)\}[ \t]*(.*)|\w*)$")
OPTION = re.compile(r"^:([\w-]+):[ \t]*(.*)$")
HEADING = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t]*$", re.M)


class Block(NamedTuple):
    """A directive with what stands in it ("code": a fence without one), or the prose between two ("")."""

    directive: str
    title: str
    options: dict
    text: str


def meant(name, names):
    """The question after a name that leads nowhere, "" if none is near: ``names`` says how each is written.

    >>> meant("02-baging", {"02-bagging": "02-bagging", "03-forests": "03-forests"})
    ', did you mean 02-bagging?'
    """
    return "".join(f", did you mean {names[near]}?" for near in get_close_matches(name, names, 1))


def code_cells(notebook):
    """The cells of a notebook that run."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def markdown_cells(notebook):
    """The cells of a notebook that speak."""
    return [cell for cell in notebook.cells if cell.cell_type == "markdown"]


def notebook_at(path):
    """The notebook at ``path``, to be looked at only: it is read once, and anew when its date changes."""
    return _dated(path, os.stat(path).st_mtime_ns)


@cache
def _dated(path, date):
    return nbformat.read(path, as_version=4)


def prose(path):
    """The Markdown of the notebook at ``path``, cell after cell."""
    return "\n\n".join(cell.source for cell in markdown_cells(notebook_at(path)))


def blocks(text):
    """The pieces of some Markdown, from the outside.

    >>> [tuple(block) for block in blocks("Words.\\n```{note} Mind\\n:class: tip\\nthe gap\\n```\\n")]
    [('', '', {}, 'Words.'), ('note', 'Mind', {'class': 'tip'}, 'the gap'), ('', '', {}, '')]
    """
    lines = iter(text.splitlines())
    plain = []
    for line in lines:
        if (fence := FENCE.match(line)) is None:
            plain.append(line)
            continue
        inside = list(takewhile(lambda line, end=fence[1]: line.strip() != end, lines))
        yield Block("", "", {}, "\n".join(plain))
        options = dict(found.groups() for line in inside if (found := OPTION.match(line)))
        text = "\n".join(line for line in inside if not OPTION.match(line))
        yield Block(fence[2] or "code", fence[3] or "", options, text)
        plain = []
    yield Block("", "", {}, "\n".join(plain))
