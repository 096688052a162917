"""Chapters lead to each other: who names a chapter links to it, and the next one follows at the end."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

from _ext import theorems
from _ext.contents import chapters, main_chapters, written
from _ext.prose import prose

CONTENTS, CHAPTERS = chapters(), main_chapters()
MORE = {}  # second reading: its chapter, the last before it
for place, page in enumerate(CONTENTS):
    if page not in CHAPTERS:
        MORE[page] = next(path for path in CONTENTS[place::-1] if path in CHAPTERS)
LINK = re.compile(r"\[(?:[Cc]hapter\s+)?(\d\d)\]\(((?:\.\./)?\d\d-[a-z-]+\.ipynb)\)")
NAMED = re.compile(r"[Cc]hapters?\s+(\d\d(?:(?:,\s+|\s+and\s+|\s+to\s+)\d\d)*)")
FIRST_LINE = re.compile(
    r"\*A second reading to \[chapter (\d\d)\]\(\.\./([\w-]+\.ipynb)\)\.\* It .+\. You need "
)


def named(path):
    """Test ids."""
    return path.stem


def test_the_contents_have_every_notebook():
    numbered = [path for path in written() if "chapters" in path.parts and path.name[0].isdigit()]
    assert sorted([*CHAPTERS, *MORE]) == sorted(numbered)


@pytest.mark.parametrize("path", [*CHAPTERS, *MORE], ids=named)
def test_a_chapter_that_is_named_is_linked(path):
    text = prose(path)
    for said, target in LINK.findall(text):
        assert (path.parent / target).resolve() in CHAPTERS and Path(target).name[:2] == said
    bare = {name for names in NAMED.findall(LINK.sub("", text)) for name in re.findall(r"\d\d", names)}
    assert not bare & {chapter.name[:2] for chapter in CHAPTERS}


@pytest.mark.parametrize(("path", "following"), list(pairwise(CHAPTERS)), ids=lambda path: path.stem)
def test_the_end_of_a_chapter_leads_to_the_next(path, following):
    last = prose(path).rsplit("**Next.**", 1)[-1]
    assert f"({following.name})" in last


@pytest.mark.parametrize("path", MORE, ids=named)
def test_a_second_reading_says_what_it_adds_and_its_chapter_leads_there(path):
    chapter = MORE[path]
    title, first_line, *_ = prose(path).split("\n\n")
    told = FIRST_LINE.match(" ".join(first_line.split()))
    assert title.startswith("# ") and told and told.groups() == (chapter.name[:2], chapter.name)
    assert f"(more/{path.name}" in prose(chapter)
    code = path.read_text(encoding="utf-8")
    assert "explore(" in code or theorems.in_chapter(path), "a slider or a checked statement"
