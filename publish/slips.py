"""Where the chapters say that the lecture notes slip, or follow a convention: the errata page collects these.

A slip stands in its chapter, beside the cell that shows what is true, as an ``{admonition}`` whose title
speaks of the lecture notes. It is written there once; the errata page repeats it with a link. Links from
chapter to chapter are turned so that they lead there from that page, too.
"""

import re
from pathlib import Path
from typing import NamedTuple

from publish.prose import prose

BLOCK = re.compile(
    r"^(?P<fence>`{3,}|:{3,})\{admonition\}[ \t]*(?P<title>[^\n]*lecture notes[^\n]*)\n"
    r"(?P<options>(?::[^\n]*\n)*)(?P<text>.*?)\n(?P=fence)[ \t]*$",
    re.M | re.S | re.I,
)
NEIGHBOUR = re.compile(r"\]\((?=\d\d-[a-z-]+\.ipynb)")
HEADING = re.compile(r"^(#+)[ \t]+(.+?)[ \t]*$", re.M)


class Slip(NamedTuple):
    """One remark on the notes: the chapter's file name and title, the section it stands in, and the text."""

    chapter: str
    chapter_title: str
    section: str
    convention: bool
    text: str


def in_chapter(path):
    """The remarks of the notebook at ``path``, in order."""
    text = prose(path)
    headings = [(m.start(), m[2]) for m in HEADING.finditer(text)]
    return [
        Slip(
            f"{'more/' * (Path(path).parent.name == 'more')}{Path(path).stem}",
            headings[0][1],
            [title for at, title in headings if at < block.start()][-1],
            "slip" not in block["title"].lower(),
            NEIGHBOUR.sub("](../chapters/", block["text"].strip()),
        )
        for block in BLOCK.finditer(text)
    ]
