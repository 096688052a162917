"""The notation page speaks of the chapters as they are: each symbol stands in the chapters it names."""

import re
from pathlib import Path

import pytest

from _ext.contents import chapters
from _ext.prose import prose

ROOT = Path(__file__).resolve().parents[2]
ROW = re.compile(r"^\| (\$.+?) \| (.+?) \| ([][\d ]*)\|$", re.M)


def formulas(text):
    """All formulas of a text, without white space, joined by spaces."""
    text = re.sub(r"(?<!`)`[^`\n]+`|\\\$", "", text)  # code and dollars
    found = re.findall(r"\$\$(.+?)\$\$|\$(.+?)\$", text, flags=re.S)
    found += [(block, "") for block in re.findall(r"```\{math\}(.+?)```", text, flags=re.S)]
    return " ".join(re.sub(r"\s", "", a or b) for a, b in found)


def rows():
    for symbols, _, listed in ROW.findall((ROOT / "pages/notation.md").read_text()):
        for symbol in re.findall(r"\$(.+?)\$", symbols):
            for chapter in re.findall(r"\d\d", listed):
                yield symbol, chapter


@pytest.fixture(scope="module")
def mathematics():
    found = {}
    for path in chapters():  # a chapter and its second readings
        found[path.name[:2]] = f"{found.get(path.name[:2], '')} {formulas(prose(path))}"
    return found


def test_the_tables_are_read():
    assert len(set(rows())) > 100


@pytest.mark.parametrize(("symbol", "chapter"), sorted(set(rows())))
def test_the_symbol_stands_in_the_chapter(symbol, chapter, mathematics):
    letter = re.escape(re.sub(r"\s", "", symbol))
    alone = rf"(?<![A-Za-z\\]){letter}(?![A-Za-z])"
    assert re.search(alone, mathematics[chapter])


def test_a_chapter_that_the_meaning_names_is_listed():
    for symbols, meaning, listed in ROW.findall((ROOT / "pages/notation.md").read_text()):
        assert set(re.findall(r"\b[01]\d\b", meaning)) <= set(re.findall(r"\d\d", listed)), symbols
