"""The search: what is in its index and what must never be; and the page, used as a reader does."""

import doctest
import json

import pytest
from bs4 import BeautifulSoup

from _ext import search
from tests.publish import browser
from tests.publish.site import HTML, PAGES, ROOT

pytestmark = pytest.mark.book

SAID = "return document.getElementById('search-said').textContent"
LINKS = "return [...document.querySelectorAll('#search-results a')].map((a) => a.getAttribute('href'))"
TYPE = """const field = document.querySelector("article input");
field.value = arguments[0];
field.dispatchEvent(new Event("input"));"""
KINDS = ["chapters/04-boosting.html", "pages/prerequisites.html", "labs/04-boosting.html"]


ASKED = (ROOT / "tests/publish/questions.txt").read_text(encoding="utf-8").split("\n\n")[1:]
QUESTIONS = {lines[0]: {line.strip() for line in lines[1:]} for lines in map(str.splitlines, ASKED)}


@pytest.fixture(scope="module")
def site():
    script = (HTML / "sections.js").read_text(encoding="utf-8")
    return {page: parts for page, _, parts in json.loads(script.removeprefix("const SITE = ").rstrip(";\n"))}


def test_examples_of_the_docstrings():
    assert doctest.testmod(search).failed == 0 < doctest.testmod(search).attempted


def test_every_page_is_in_it_with_places_that_exist(site):
    assert sorted(site) == PAGES
    for page, parts in site.items():
        html = (HTML / page).read_text(encoding="utf-8")
        assert parts and all(f'id="{anchor}"' in html for anchor, *_ in parts), page


@pytest.mark.parametrize("page", KINDS)
def test_answers_are_not_in_it(site, page):
    text = " ".join(words for part in site[page] for words in part[1:])
    soup = BeautifulSoup((HTML / page).read_text(encoding="utf-8"), "html.parser").select_one("article")
    hidden = ".lm-answer, .solution p:not(.admonition-title), .cell_output" + ", .cell pre" * ("labs" in page)
    found = [" ".join(part.get_text().split()) for part in soup.select(hidden)]
    assert len(found) > 5 and not [words for words in found if len(words) > 20 and words in text]


@pytest.mark.browser
@pytest.mark.parametrize("home", [HTML.as_uri() + "/", "published"])
def test_search_page(driver, home, request):
    home = request.getfixturevalue(home) if home == "published" else home
    browser.view(driver, 390)

    def find(words):
        driver.execute_script(TYPE, words)
        return driver.execute_script(LINKS)

    browser.open_page(driver, home + "search.html?q=training+error+falls")
    place = "chapters/04-boosting.html#the-training-error-falls-exponentially"
    assert driver.execute_script(LINKS)[0] == place, "a title comes first"
    assert place in find("adaboost exponent falls"), "words may stand in page, title and text"
    assert place in find("FALLS expon"), "the beginning of a word is enough"
    assert find("scholkopf") == find("Schölkopf") != []
    assert driver.current_url.endswith("search.html?q=Sch%C3%B6lkopf"), "a way back"
    found, shown = find("margin"), "return document.querySelector('#search-results p').innerHTML"
    assert driver.execute_script(SAID).endswith("these 50 fit best.") and len(found) == 50
    assert "<mark>margin" in driver.execute_script(shown)
    assert find("constructor") is not None and not find("xyzzyqq")
    assert driver.execute_script(SAID).startswith("No section has a word like “xyzzyqq”.")
    for words in ["margin", "xyzzyqq", ""]:
        find(words)
        for theme in ["light", "dark"]:
            browser.view(driver, 390, theme=theme)
            assert not browser.axe(driver) and browser.overflow(driver) == [0, []]
    assert not browser.complaints(driver, home)


@pytest.mark.browser
def test_what_a_reader_wants_is_among_the_first_three(driver):
    browser.view(driver, 1280)
    browser.open_page(driver, HTML.as_uri() + "/search.html")
    missed = {}
    for words, wanted in QUESTIONS.items():
        driver.execute_script(TYPE, words)
        first = [link.replace(".html", "") for link in driver.execute_script(LINKS)[:3]]
        if not wanted & {*first}:
            missed[words] = first
    assert len(QUESTIONS) >= 46 and not missed


def test_every_wanted_section_exists(site):
    there = {f"{page.removesuffix('.html')}#{part[0]}" for page, parts in site.items() for part in parts}
    assert set().union(*QUESTIONS.values()) <= there
