"""Every page of the built book in Chromium, without a network: as on a plane, and on a phone."""

from urllib.parse import unquote, urldefrag

import pytest

from tests.book import browser
from tests.book.site import HTML, PAGES, Page

SCREENS = [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")]
ROOT = HTML.as_uri()


def test_there_are_pages():
    assert "index.html" in PAGES, "the book is not built: make book"


@pytest.mark.browser
@pytest.mark.parametrize("page", PAGES)
def test_page_is_quiet_accessible_and_fits(driver, page):
    for width, theme in SCREENS:
        browser.view(driver, width, theme=theme)
        browser.open_page(driver, f"{ROOT}/{page}")
        where = f"{page} at {width} px, {theme}"
        assert not browser.console(driver), where
        for address, status in browser.requests(driver):
            assert address.startswith((ROOT, "data:", "blob:")), f"{where} asks {address}"
            assert status in (0, 200, None), f"{where}: {address} gave {status}"
        assert browser.overflow(driver) == [0, []], f"{where} is wider than the screen"
        assert not browser.axe(driver), where


@pytest.mark.parametrize("page", PAGES)
def test_ids_links_and_headings(page):
    content = Page(page)
    assert content.first_headings == 1
    assert len(content.ids) == len(set(content.ids)), sorted(
        {i for i in content.ids if content.ids.count(i) > 1}
    )
    assert not content.unnamed, "pictures without an alternative text"
    for link in content.links:
        if "://" in link or link.startswith(("mailto:", "data:")):
            continue
        path, place = urldefrag(unquote(link.split("?")[0]) if "#" not in link else unquote(link))
        target = (HTML / page).parent / path.split("?")[0] if path else HTML / page
        assert target.exists(), f"{page} links to {link}"
        if place and target.suffix == ".html":
            assert place in Page(target.relative_to(HTML)).ids, (
                f"{page} links to {link}, which has no such place"
            )
