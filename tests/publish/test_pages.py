"""Every page of the built book in Chromium, without a network: as on a plane, on a phone, at night."""

import pytest
from selenium.webdriver.support.ui import WebDriverWait

from mllib.viz.figures import DPI, SMALLEST
from tests.publish import browser
from tests.publish.measure import SCREENS, UNFOLD, measure
from tests.publish.site import EVERY, HTML, PAGES, WITH_SLIDERS

pytestmark = pytest.mark.book

HEAVIEST = 5e6  # bytes: a page with all that it asks for at first, nothing in the cache, nothing compressed
HEAVIEST_OWN = 1.5e6  # of these, what the other pages do not share with it
MOST_REQUESTS = 60
LEGIBLE = 9  # pixels


def test_there_are_pages():
    assert "index.html" in PAGES, "the book is not built: make book"


@pytest.mark.browser
@pytest.mark.parametrize("page", EVERY)
def test_page_is_light_quiet_accessible_and_fits(driver, published, page):
    found = measure(driver, published + page)
    assert found["weight"] <= HEAVIEST
    assert found["weight"] - found["shared"] <= HEAVIEST_OWN
    assert found["requests"] <= MOST_REQUESTS
    assert not found["strays"], "frames are fetched only near the viewport"
    assert not browser.complaints(driver, published)
    assert not found["scrolls"], "on a wide screen nothing scrolls sideways"
    assert not found["stops"], "Tab stops at formulas that do not scroll"
    assert found["overflow"] == dict.fromkeys(SCREENS, [0, []]), "wider than the screen"
    assert found["axe"] == dict.fromkeys(SCREENS, [])
    assert SMALLEST * DPI / 72 * found["scale"] >= LEGIBLE, "words in figures are too small on a phone"


@pytest.mark.browser
@pytest.mark.parametrize("page", sorted({*EVERY} - {"404.html", *WITH_SLIDERS}))  # sliders move in a folder
def test_page_works_from_a_folder(driver, page):
    browser.view(driver, 1280)
    browser.open_page(driver, f"{HTML.as_uri()}/{page}")
    assert not browser.complaints(driver, HTML.as_uri())


@pytest.mark.browser
@pytest.mark.parametrize("page", ["chapters/10-duality.html", "labs/04-boosting.html", "pages/errata.html"])
def test_what_opens_is_named_by_what_it_opens(driver, published, page):
    browser.view(driver, 1280)
    browser.open_page(driver, published + page)
    folds = driver.find_elements("css selector", "article .toggle-button")
    for fold in folds:
        title = fold.find_element("xpath", "..").get_property("textContent").split()
        assert fold.accessible_name.split()[:2] == title[:2], "named by the words above it"
    assert folds or not page.startswith("chapters/")
    parts = driver.find_elements("css selector", "#pst-primary-sidebar summary")
    names = [part.accessible_name for part in parts]
    assert len(names) > 10 and len(set(names)) == len(names)
    for part, name in zip(parts, names, strict=True):
        entry = part.find_element("xpath", "ancestor::li[1]/a").get_property("textContent").strip()
        assert name == f"Pages under {entry}"


@pytest.mark.browser
@pytest.mark.parametrize("place", ["lost", "chapters/lost.html", "a/deep/place/"])
def test_a_lost_reader_finds_the_way_from_any_depth(driver, published, place):
    browser.view(driver, 1280)
    browser.open_page(driver, published + place)
    asked = browser.requests(driver)
    assert (published + place, 404) in asked and len(asked) > 20
    assert {status for address, status in asked if address != published + place} <= {200, None}
    driver.find_element("link text", "front page").click()
    assert driver.current_url == published + "index.html"


@pytest.mark.browser
def test_equations_are_broken_for_phones_on_phones_only(driver, published):
    def lines(width, wanted=0):
        rows = "return document.querySelectorAll('article div.math [data-mml-node=mtr]').length"
        browser.view(driver, width)
        WebDriverWait(driver, 5).until(lambda _: driver.execute_script(rows) == wanted or not wanted)
        return driver.execute_script(rows)

    counts = []
    for width in [390, 1280]:
        browser.view(driver, width)
        browser.open_page(driver, published + "chapters/07-perceptron.html")
        counts.append(lines(width))
    phone, wide = counts
    assert wide < 0.8 * phone
    assert lines(390, phone) == phone and lines(1280, wide) == wide, "a screen that is turned"


@pytest.mark.browser
def test_a_number_has_room_below_an_equation_on_a_phone(driver, published):
    browser.view(driver, 390)
    browser.open_page(driver, published + "chapters/13-pegasos.html")
    driver.execute_script(UNFOLD)
    wide = "return [...document.querySelectorAll('div.math')].filter((e) => e.scrollWidth > e.clientWidth)"
    assert len(driver.find_elements("css selector", "div.math")) > 7 and not driver.execute_script(wide)


@pytest.mark.browser
def test_speed_is_told_on_three_screens_with_the_rest_folded(driver, published):
    browser.view(driver, 1280)
    browser.open_page(driver, published + "pages/speed.html")
    end = "return document.querySelector('article table').getBoundingClientRect().bottom"
    assert driver.execute_script(end) < 900, "the first screen says what matters"
    assert driver.execute_script("return document.documentElement.scrollHeight") <= 3 * 900


@pytest.mark.browser
def test_nothing_moves_for_those_who_do_not_want_it(driver, published):
    browser.view(driver, 1280)  # wishes for no motion
    browser.open_page(driver, published + "chapters/04-boosting.html")
    moving = driver.execute_script(
        "return [...document.querySelectorAll('*')].filter((e) => { const s = getComputedStyle(e);"
        "return s.animationName !== 'none' || s.scrollBehavior === 'smooth'"
        "|| parseFloat(s.transitionDuration) > 0; }).map((e) => e.outerHTML.slice(0, 80));"
    )
    assert not moving
