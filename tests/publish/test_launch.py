"""Launch, download and edit: where the buttons of each page lead, there is a file."""

import json
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.publish.site import HTML, PAGES, Page

ROOT = HTML.parents[1]
CONFIG = (ROOT / "_config.yml").read_text(encoding="utf-8")
REPOSITORY, BRANCH = (re.search(rf"^ +{key}: (\S+)", CONFIG, re.M)[1] for key in ("url", "branch"))
NOTEBOOKS = [page for page in PAGES if (ROOT / page).with_suffix(".ipynb").exists()]


@pytest.mark.parametrize("page", PAGES)
def test_every_button_leads_to_a_file(page):
    links = Page(page).links
    edits = [link for link in links if "/edit/" in link]
    assert len(set(edits)) == 1
    assert edits[0].startswith(f"{REPOSITORY}/edit/{BRANCH}/")
    source = ROOT / edits[0].removeprefix(f"{REPOSITORY}/edit/{BRANCH}/")
    assert source.is_file() and source.stem == Path(page).stem
    launches = [urlsplit(link) for link in links if "mybinder.org/v2/" in link]
    assert bool(launches) == (page in NOTEBOOKS)
    for launch in launches:
        assert launch.path == f"/v2/gh/{REPOSITORY.split('.com/')[1]}/{BRANCH}"
        (shown,) = parse_qs(launch.query)["urlpath"]
        assert ROOT / shown.removeprefix("lab/tree/") == source
    downloads = {(HTML / page).parent / link for link in links if "_sources/" in link}
    assert len(downloads) == 1 and downloads.pop().resolve().is_file()


@pytest.mark.parametrize("page", NOTEBOOKS)
def test_the_download_is_the_notebook(page):
    name = Path(page).with_suffix(".ipynb")
    given, kept = (json.loads((at / name).read_text()) for at in (HTML / "_sources", ROOT))
    if name.parts[0] == "labs":
        assert given == kept
    assert [cell["source"] for cell in given["cells"]] == [cell["source"] for cell in kept["cells"]]
