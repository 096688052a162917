"""The errata page is gathered from the chapters: nothing may be lost on the way."""

from pathlib import Path

import pytest

from book import slips

CHAPTERS = sorted((Path(__file__).resolve().parents[2] / "chapters").glob("*.ipynb"))

NOTEBOOK = r"""{"cells": [
 {"cell_type": "markdown", "id": "a", "metadata": {}, "source":
  "# Votes\n\n## Who *votes*\n\n```{admonition} Where the lecture notes slip\n:class: note\n\nThey say $a$.\n\n- b\n```"},
 {"cell_type": "markdown", "id": "b", "metadata": {}, "source":
  "Text.\n\n:::{admonition} A convention in the lecture notes\nThey count from 0.\n:::\n\n```{admonition} Else\nc\n```"}
], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}"""


def test_remarks_are_found_with_chapter_and_section(tmp_path):
    (tmp_path / "02-votes.ipynb").write_text(NOTEBOOK)
    assert slips.in_chapter(tmp_path / "02-votes.ipynb") == [
        slips.Slip("02-votes", "Votes", "Who *votes*", False, "They say $a$.\n\n- b"),
        slips.Slip("02-votes", "Votes", "Who *votes*", True, "They count from 0."),
    ]


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_every_remark_of_a_chapter_is_found(path):
    written = path.read_text(encoding="utf-8")
    titles = [line for line in written.split("\\n") if "{admonition}" in line and "lecture notes" in line]
    found = slips.in_chapter(path)
    assert len(found) == len(titles)
    assert all(len(slip.text) > 40 and slip.section in written for slip in found)
