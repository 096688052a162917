"""What JupyterLab is given of a chapter: the site's numbers, citations in words; and no file loses a word."""

import asyncio
import json
import re
import shutil

import nbformat
import pytest

from publish import lab
from publish.prose import markdown_cells
from tests.publish.conftest import absent
from tests.publish.site import HTML, PAGES, ROOT

NUMBERED = re.compile(
    r'<div class="(?:proof|exercise)[^"]*" id="([\w-]+)">\s*<p class="admonition-title">'
    r'<span class="caption-number">([^<]+?) *</span>'
)
NUMBERS = lab.book().labels
CHAPTERS = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("chapters/**/*.ipynb"))


@pytest.fixture
def files(tmp_path):
    """A folder with all chapters, as the server of `make lab` sees it."""
    shutil.copytree(ROOT / "chapters", tmp_path / "chapters")
    return lab.Chapters(root_dir=str(tmp_path))


def opened(files, path):
    """What JupyterLab gets, and all its Markdown."""
    model = asyncio.run(files.get(path, content=True))
    return model, "\n".join(cell.source for cell in markdown_cells(model["content"]))


def test_the_numbers_are_those_of_the_pages():
    if not (HTML / "index.html").exists():
        absent("the book is not built: make book")
    found = {}
    for page in PAGES:
        text = (HTML / page).read_text(encoding="utf-8")
        found |= {label: (words, page.removesuffix(".html")) for label, words in NUMBERED.findall(text)}
    assert found == NUMBERS


@pytest.mark.parametrize("path", CHAPTERS)
def test_a_chapter_has_numbers_and_no_citation_left(path, files):
    before = (ROOT / path).read_text(encoding="utf-8")
    model, words = opened(files, path)
    page = path.removesuffix(".ipynb")
    assert "{cite" not in words and lab.readable(words, page) == words
    for label in re.findall(r"\{(?:prf:)?ref\}`(?:[^`<]* <)?([^`>]+)", words):
        assert NUMBERS[label][1] == page, "the extension knows no other page"
    for label, number in re.findall(r"^:label: (\S+)\n:enumerator: (\S+)", words, re.M):
        assert NUMBERS[label][0].endswith(f" {number}")
    mine = [label for label, (_, there) in NUMBERS.items() if there == page]
    assert len(mine) == words.count(":enumerator: ")
    for link in re.findall(r"\]\(((?!\w+:)[^)#\s]+\.ipynb)", words):
        assert (ROOT / path).parent.joinpath(link).is_file(), link

    markdown_cells(model["content"])[-1].source += " Mine."
    asyncio.run(files.save(json.loads(json.dumps(model, default=str)), path))
    saved = nbformat.read(f"{files.root_dir}/{path}", as_version=4)
    kept = nbformat.reads(before, as_version=4)
    assert [c.source for c in markdown_cells(saved)][:-1] == [c.source for c in markdown_cells(kept)][:-1]
    assert markdown_cells(saved)[-1].source.endswith(" Mine.")


def test_a_name_that_nobody_knows_stays():
    text = "{cite}`nobody` and {prf:ref}`thm-nothing`\n:label: thm-mine"
    assert lab.readable(text, "chapters/09-margins") == text


def test_other_notebooks_are_given_as_they_are(files):
    path = "labs/04-boosting.ipynb"
    shutil.copytree(ROOT / "labs", f"{files.root_dir}/labs", ignore=shutil.ignore_patterns("source"))
    _, words = opened(files, path)
    kept = nbformat.read(ROOT / path, as_version=4)
    assert words == "\n".join(cell.source for cell in markdown_cells(kept))
