"""Chapters lead to each other: who names a chapter links to it, and the next one follows at the end."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

from publish.prose import prose

CHAPTERS = {path.name[:2]: path for path in (Path(__file__).parents[2] / "chapters").glob("*.ipynb")}
LINK = re.compile(r"\[(?:[Cc]hapter\s+)?(\d\d)\]\((\d\d-[a-z-]+\.ipynb)\)")
NAMED = re.compile(r"[Cc]hapters?\s+(\d\d(?:(?:,\s+|\s+and\s+|\s+to\s+)\d\d)*)")


@pytest.mark.parametrize("number", sorted(CHAPTERS))
def test_a_chapter_that_is_named_is_linked(number):
    text = prose(CHAPTERS[number])
    for said, target in LINK.findall(text):
        assert target == CHAPTERS[said].name
    bare = {name for names in NAMED.findall(LINK.sub("", text)) for name in re.findall(r"\d\d", names)}
    assert not bare & set(CHAPTERS)


@pytest.mark.parametrize(("number", "following"), list(pairwise(sorted(CHAPTERS))))
def test_the_end_of_a_chapter_leads_to_the_next(number, following):
    last = prose(CHAPTERS[number]).rsplit("**Next.**", 1)[-1]
    assert f"({CHAPTERS[following].name})" in last
