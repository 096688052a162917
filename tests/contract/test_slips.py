"""The errata page is gathered from the chapters: nothing may be lost on the way."""

import nbformat
import pytest

from _ext import slips
from _ext.contents import chapters

CHAPTERS = chapters()

FIRST = """# Votes

## Who *votes*

```{admonition} Where the lecture notes slip
:class: note

They say $a$, see [chapter 03](03-forests.ipynb).

- b
```"""
SECOND = """Text.

:::{admonition} A convention in the lecture notes
They count from 0.
:::

```{admonition} Something else
c
```"""


def test_remarks_are_found_with_chapter_and_section(tmp_path):
    cells = [nbformat.v4.new_markdown_cell(text) for text in (FIRST, SECOND)]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "02-votes.ipynb")
    assert slips.in_chapter(tmp_path / "02-votes.ipynb") == [
        slips.Slip(
            "02-votes",
            "Who *votes*",
            False,
            "They say $a$, see [chapter 03](../chapters/03-forests.ipynb).\n\n- b",
        ),
        slips.Slip("02-votes", "Who *votes*", True, "They count from 0."),
    ]


def test_links_of_a_second_reading_lead_from_the_errata_page_too(tmp_path):
    text = FIRST.replace("](03-", "](../03-").replace("- b", "See [there](02-more.ipynb).")
    (tmp_path / "more").mkdir()
    path = tmp_path / "more/02-votes.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(text)]), path)
    (slip,) = slips.in_chapter(path)
    assert slip.chapter == "more/02-votes"
    assert "](../chapters/03-forests.ipynb)" in slip.text and "](../chapters/more/02-more.ipynb)" in slip.text


def test_slips_that_stand_on_the_errata_page_alone_belong_to_chapters():
    page = (CHAPTERS[0].parents[1] / "pages/errata.md").read_text(encoding="utf-8")
    own = slips.on_page(page.partition("```{errata}\n")[2].rpartition("```")[0])
    assert own and set(own) <= {path.stem for path in CHAPTERS}
    assert all(text.startswith(("**Slip, in [", "**Convention, in [")) for text in own.values())


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_every_remark_of_a_chapter_is_found(path):
    written = path.read_text(encoding="utf-8")
    titles = [line for line in written.split("\\n") if "{admonition}" in line and "lecture notes" in line]
    found = slips.in_chapter(path)
    assert len(found) == len(titles)
    assert all(len(slip.text) > 40 and slip.section in written for slip in found)
