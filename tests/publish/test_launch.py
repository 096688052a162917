"""Launch, download and edit: where the buttons of each page lead, there is a file."""

import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.publish.site import HTML, PAGES, Page
from tools.address import repository

pytestmark = pytest.mark.book

ROOT = HTML.parents[1]
REPOSITORY = repository()
BRANCH = re.search(r"^ +branch: (\S+)", (ROOT / "_config.yml").read_text(encoding="utf-8"), re.M)[1]
NOTEBOOKS = [page for page in PAGES if (ROOT / page).with_suffix(".ipynb").exists()]


@pytest.mark.parametrize("page", PAGES)
def test_every_button_leads_to_a_file(page):
    links = Page(page).links
    edits = [link for link in links if "/edit/" in link]
    launches = [urlsplit(link) for link in links if "mybinder.org/v2/" in link]
    source = next(f for end in (".ipynb", ".md", ".rst") if (f := (ROOT / page).with_suffix(end)).is_file())
    if REPOSITORY is None:
        assert not edits and not launches and not [link for link in links if "/issues/new" in link]
    else:
        assert set(edits) == {f"{REPOSITORY}/edit/{BRANCH}/{source.relative_to(ROOT).as_posix()}"}
        assert bool(launches) == (page in NOTEBOOKS)
    for launch in launches:
        kind = "gh" if "github.com" in REPOSITORY else "gl"
        name = urlsplit(REPOSITORY).path[1:].replace("/", "/" if kind == "gh" else "%2F")
        assert launch.path == f"/v2/{kind}/{name}/{BRANCH}"
        (shown,) = parse_qs(launch.query)["urlpath"]
        assert ROOT / shown.removeprefix("lab/tree/") == source
    offered = "notebooks/" if page in NOTEBOOKS else "_sources/"
    downloads = {(HTML / page).parent / link for link in links if re.match(rf"(\.\./)*{offered}", link)}
    (download,) = {path.resolve() for path in downloads}
    assert download.is_file() and download.stem == Path(page).stem
