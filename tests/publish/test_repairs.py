"""Each repair of the theme has still something to repair; one of which this is no longer true goes."""

import re
from importlib.metadata import files

import pytest
from bs4 import BeautifulSoup

from _ext.repairs import ICON, REPEATED, WORDS
from tests.publish.site import HTML

pytestmark = pytest.mark.book

KINDS = ["chapters/04-boosting.html", "pages/references.html", "search.html"]  # with proofs, entries, a field


@pytest.fixture(scope="module")
def pages():
    return [BeautifulSoup((HTML / page).read_text(encoding="utf-8"), "html.parser") for page in KINDS]


@pytest.mark.parametrize(("where", "issue"), [(where, issue) for where, _, issue in WORDS])
def test_the_theme_still_writes_what_a_repair_puts_right(pages, where, issue):
    assert any(page.select_one(where) for page in pages), f"mended? remove the repair ({issue})"


def test_the_extensions_still_repeat_their_ids(pages):
    ids = {element["id"] for page in pages for element in page.find_all(id=True)}
    assert [name for name in REPEATED if f"{name}-1" not in ids] == [], "mended? see UniqueIds"


def source(package, name):
    """The text of a file that a package has installed."""
    return next(path for path in files(package) if str(path).endswith(name)).read_text(encoding="utf-8")


def test_the_theme_still_has_two_buttons_for_one_menu():
    assert "primary-toggle" in source("pydata-sphinx-theme", "sections/header.html"), "issue 2451"
    assert "primary-toggle" in source("sphinx-book-theme", "toggle-primary-sidebar.html")


def test_the_theme_still_ships_all_icons():
    icons = ICON.findall(source("pydata-sphinx-theme", "static/scripts/fontawesome.js"))
    assert len(icons) > 1000, "issue 2379"


def test_the_theme_still_repeats_the_heading_for_print():
    assert re.search(r'class="onlyprint">\s*<h1>', source("sphinx-book-theme", "layout.html")), "pull 438"


def test_the_theme_still_complains_about_an_empty_mode():
    assert 'default_mode }}"' in source("pydata-sphinx-theme", "pydata_sphinx_theme/layout.html")


def test_a_link_to_an_exercise_still_begins_with_a_space():
    text = source("sphinx-exercise", "post_transforms.py")
    assert '" "' in text or "' '" in text


def test_pybtex_still_looks_for_a_style_at_each_citation():
    assert "cache" not in source("pybtex", "pybtex/plugin/__init__.py")


def test_theorems_can_still_not_be_read_side_by_side():
    assert "merge_domaindata" not in source("sphinx-proof", "sphinx_proof/domain.py"), "read so, too"
