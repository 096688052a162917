"""What the book has computed on this machine is what git keeps: every printed word, every slider's sentence.

So nbval need not run the chapters as this machine once more: it may play another processor.
"""

import json

import nbformat
import pytest

from _ext.contents import chapters
from _ext.execute import CACHE, key
from _ext.paths import package_digest
from _ext.summary import sliders
from tests.publish.conftest import absent
from tools.portable import ROOT, SAID_HERE

CHAPTERS = chapters()
PACKAGE = package_digest()


def executed(path):
    """The notebook as the build has executed it."""
    page = path.relative_to(ROOT).with_suffix("")
    folder = CACHE / page / key(nbformat.read(path, as_version=4), PACKAGE)
    if not (folder / "done.json").exists():
        absent("the book is not built as it stands: make book")
    return folder / "notebook.ipynb"


def said(path):
    """What each code cell prints and shows, in words."""
    cells = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    return [
        (cell.source, [o.get("text") or o.get("data", {}).get("text/plain", "") for o in cell.outputs])
        for cell in cells
    ]


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_the_book_prints_what_git_keeps(path):
    for (source, here), (_, kept) in zip(said(executed(path)), said(path), strict=True):
        assert here == kept, source


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_sliders_say_under_nbval_what_they_say_in_the_book(path):
    records = [json.loads(record.read_text()) for record in SAID_HERE.glob("*.json")]
    if not records:
        absent("nbval has written no sentences: make test-notebooks")
    under_nbval = [(record["alt"], list(record["sentences"].values())) for record in records]
    for _, manifest in sliders(executed(path)):
        sentences = [sentence for _, sentence in manifest["frames"]]
        assert (manifest["alt"], sentences) in under_nbval
