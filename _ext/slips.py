"""Where the chapters say that the lecture notes slip, or follow a convention: the errata page collects these.

A slip stands in its chapter, beside the cell that shows what is true, as an ``{admonition}`` whose title
speaks of the lecture notes. It is written there once; the errata page repeats it with a link. Links from
chapter to chapter are turned so that they lead there from that page, too.
"""

import re
from pathlib import Path
from typing import NamedTuple

from _ext.prose import HEADING, blocks, prose

NEIGHBOUR = re.compile(r"\]\((\.\./|more/)?(?=\d\d-[a-z-]+\.ipynb)")
PLACE = {"../": "", "more/": "more/"}  # what a link between chapters begins with: the folder it leads to


def on_page(text):
    """``{chapter: its slips}`` of a text with a heading for each chapter's file."""
    _, *parts = re.split(r"^## (\S+)\n", text, flags=re.M)
    return dict(zip(parts[::2], parts[1::2], strict=True))


class Slip(NamedTuple):
    """One remark on the notes: the chapter's file name, the section it stands in, and the text."""

    chapter: str
    section: str
    convention: bool
    text: str


def in_chapter(path):
    """The remarks of the notebook at ``path``, in order."""
    more = "more/" * (Path(path).parent.name == "more")
    section, found = "", []
    for block in blocks(prose(path)):
        if not block.directive:
            section = [section, *HEADING.findall(block.text)][-1]
        elif block.directive == "admonition" and "lecture notes" in (title := block.title.lower()):
            text = NEIGHBOUR.sub(lambda m: f"](../chapters/{PLACE.get(m[1], more)}", block.text.strip())
            found.append(Slip(more + Path(path).stem, section, "slip" not in title, text))
    return found
