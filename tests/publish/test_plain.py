"""The plain notebooks: valid, readable without MyST, numbered as the pages are, and alive on their own."""

import re
from urllib.parse import urldefrag

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbclient import NotebookClient
from nbconvert import HTMLExporter

from tests.contract.test_wheel import build_wheel, unpack
from tests.publish.site import HTML, PAGES, ROOT, Page
from tools import plain

pytestmark = pytest.mark.book

RAW = re.compile(r"\{(prf|cite|ref|eq|doc|exercise|solution|admonition|math)\b[^}]*\}|:class:|:label:|:::")
BASE = "https://margins.example/"
NOTEBOOKS = [page.removesuffix(".html") for page in PAGES if (ROOT / page).with_suffix(".ipynb").exists()]
LABS = [page for page in NOTEBOOKS if page.startswith("labs/")]


def given(page):
    """The notebook that the site offers."""
    return nbformat.read(HTML / f"notebooks/{page}.ipynb", as_version=4)


def said(notebook):
    """All its Markdown."""
    return "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


def outputs(notebook):
    """All that its cells store."""
    return [output for cell in notebook.cells for output in cell.get("outputs", [])]


@pytest.fixture(scope="module")
def book():
    """What the site knows when it is published somewhere."""
    return plain.Book(ROOT, BASE)


@pytest.mark.parametrize("page", NOTEBOOKS)
def test_it_reads_well_without_myst(page):
    notebook = given(page)
    nbformat.validate(notebook)
    words = said(notebook)
    assert not re.search(r"\]\((?!https://)", words), "a link that leads nowhere"
    assert all(line.count("$$") != 1 for line in words.splitlines() if line.startswith(">"))
    for output in outputs(notebook):
        if "image/png" in output.get("data", {}):
            assert set(output.data) == {"image/png", "text/plain"} and output.metadata["image/png"]["alt"]
            output.data["image/png"] = ""  # to render it takes a second
    html = BeautifulSoup(HTMLExporter().from_notebook_node(notebook)[0], "html.parser")
    shown = "\n".join(block.get_text() for block in html.select(".jp-RenderedHTMLCommon"))
    assert not RAW.search(words + shown) and "```" not in shown


@pytest.mark.parametrize("page", [page for page in NOTEBOOKS if page not in LABS])
def test_it_has_the_numbers_tables_and_sliders_of_the_page(page):
    notebook, soup = given(page), BeautifulSoup((HTML / f"{page}.html").read_text(), "html.parser")
    stated = [place.get_text().strip() for place in soup.select("article .caption-number")]
    stated = [words for words in stated if "." in words]  # a proof has no number
    assert re.findall(r"^(?:> )?\*\*([A-Z]\w+ [\d.]*\d)(?= \(|\.\*)", said(notebook), re.M) == stated
    shown = [output.get("data", {}) for output in outputs(notebook)]
    sliders = [data for data in shown if "to move the sliders" in data.get("text/markdown", "")]
    assert len(sliders) == len(soup.select(".lm-player"))
    tables = [data for data in shown if "lm-table" in data.get("text/html", "")]
    assert len(tables) == len(soup.select("article .cell_output .lm-table"))


@pytest.mark.parametrize("page", LABS)
def test_a_lab_is_what_students_hand_in(page):
    kept, notebook = nbformat.read(ROOT / f"{page}.ipynb", as_version=4), given(page)
    code = [
        [(c.id, c.source, c.metadata) for c in nb.cells if c.cell_type == "code"] for nb in (kept, notebook)
    ]
    assert code[0] == code[1] and notebook.metadata.lab == kept.metadata.lab
    assert "SOLUTION" not in nbformat.writes(notebook)


@pytest.mark.parametrize("page", NOTEBOOKS)
def test_links_lead_to_the_published_page(page, book):
    links = re.findall(rf"\]\({BASE}([^)\s]*)\)", said(plain.plain(page, book)))
    assert links
    for path, place in map(urldefrag, links):
        assert path in PAGES and (not place or place in Page(path).ids), f"{path}#{place}"


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory):
    """A folder outside the project, and what a kernel needs to find the package as a wheel there."""
    folder = tmp_path_factory.mktemp("elsewhere")
    unpack(build_wheel(folder), folder / "installed")
    return folder


@pytest.mark.parametrize("page", ["chapters/16-reproductions", "labs/04-boosting"])
def test_it_runs_outside_the_project(page, elsewhere, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(elsewhere / "installed"))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(elsewhere / "numba"))
    notebook = given(page)
    stored = [output.text for output in outputs(notebook) if "text" in output]
    notebook.cells.append(nbformat.v4.new_code_cell("import mllib; print(mllib.__file__)"))
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(elsewhere)}}).execute()
    *printed, where = [output.text for output in outputs(notebook) if "text" in output]
    assert printed == stored and where.startswith(str(elsewhere))
    widgets = [
        o for o in outputs(notebook) if "application/vnd.jupyter.widget-view+json" in o.get("data", {})
    ]
    assert widgets or page in LABS
