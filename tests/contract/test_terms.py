"""The index of terms: sorted, complete, and each term stands in the section that its link leads to."""

import re
from pathlib import Path

import pytest
from myst_parser.mdit_to_docutils.base import default_slugify

from _ext.contents import chapters
from _ext.prose import prose

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "pages/terms.md").read_text(encoding="utf-8")
LINK = re.compile(r"\[([^\]]+)\]\(\.\./chapters/((?:more/)?[\w-]+)\.ipynb#([\w-]*)\)")
ENTRIES = [LINK.findall(line) for line in PAGE.splitlines() if line.startswith("- ")]
PATHS = chapters()
CHAPTERS = {path.relative_to(ROOT / "chapters").as_posix()[:-6]: prose(path) for path in PATHS}
# Bold in a chapter because they are stressed, not because they are defined there.
STRESSED = """
all, any, both, eight, every, half, not, own, shared, smaller, better, zero, gains, losses, claims, cost, gap
cumulative, majority, training, validation, test, unverified, with replacement, fewest mistakes, first epoch
largest possible smallest margin, new weights, shared part falls, stops in round 1, a linear classifier
it is good, it is spam, out-of-bag, our own choices, astro-ph
"""


def plain(text):
    """Words without marks, white space or capitals."""
    return " ".join(re.sub(r"[*_`]", "", text).lower().split())


def letters(term):
    """What an entry is sorted by."""
    return re.sub(r"[^a-z0-9]", "", term.lower())


def sections(text):
    """The text of each section of a chapter, by the anchor that MyST gives its heading."""
    parts = re.split(r"^#+ +(.+)$", text, flags=re.M)
    anchors = [default_slugify(re.sub(r"\$[^$]*\$|[*_`]", "", title)) for title in parts[1::2]]
    return {
        anchor: plain(title + " " + body)
        for anchor, title, body in zip(anchors, parts[1::2], parts[2::2], strict=True)
    }


def stressed_or_defined(text):
    """What a chapter sets in bold and could be a term: a few words without a formula or a full stop."""
    text = re.sub(
        r"^(`{3,}|:{3,})\{(exercise|solution|prf:algorithm)\b.*?^\1\s*$", "", text, flags=re.M | re.S
    )
    found = re.findall(r"\*\*([a-z][^*$.?!:]*)\*\*", text)
    return {plain(words).removeprefix("the ") for words in found if len(words.split()) <= 4}


SECTIONS = {name: sections(text) for name, text in CHAPTERS.items()}


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry[0][0])
def test_the_term_stands_in_each_section_that_is_named(entry):
    for name, chapter, anchor in entry:
        term = entry[0][0] if name.startswith("chapter ") else name
        assert plain(term) in SECTIONS[chapter][anchor]
        assert not name.startswith("chapter ") or name == f"chapter {chapter.removeprefix('more/')[:2]}"


def test_sorted_under_their_letters_and_each_once():
    heads = [letters(entry[0][0]) for entry in ENTRIES]
    assert heads == sorted(set(heads))
    for part in re.split(r"^## ", PAGE, flags=re.M)[1:]:
        own = [letters(LINK.search(line)[1])[0] for line in part.splitlines() if line.startswith("- ")]
        assert own and all(
            first in "0123456789" if part[0] == "0" else first == part[0].lower() for first in own
        )


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_what_a_chapter_sets_in_bold_is_in_the_index(chapter):
    terms = {plain(name) for entry in ENTRIES for name, *_ in entry}
    both = terms | {term + "s" for term in terms} | set(re.split(r"[,\n] ?", STRESSED))
    missing = stressed_or_defined(CHAPTERS[chapter]) - both
    assert not missing, "into pages/terms.md if the chapter says what they mean, else into STRESSED"
    least = 0 if "/" in chapter else 2 if chapter[:2] == "16" else 5
    assert sum(name == chapter for entry in ENTRIES for _, name, _ in entry) >= least
