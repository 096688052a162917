"""Slides: few, of the page's own cells, alive and inside the screen, without network."""

import hashlib
import re

import pytest
from bs4 import BeautifulSoup
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from tests.publish import browser
from tests.publish.site import HTML, PAGES, ROOT
from tools import slides

pytestmark = pytest.mark.book

CHAPTERS = [page[9:-5] for page in PAGES if re.fullmatch(r"chapters/[\w-]+\.html", page)]
OUTSIDE = """
const parts = Reveal.getCurrentSlide().querySelectorAll("h1, h2, .fit, .fit *:not(mjx-assistive-mml *)");
return [...parts].filter((part) => {
  const {left, top, right, bottom, width} = part.getBoundingClientRect();
  return part.checkVisibility() && width && (left < -1 || top < -1 || right > 1281 || bottom > 721);
}).map((part) => part.outerHTML.slice(0, 120));
"""
DRAWN = "return arguments[0].complete && arguments[0].naturalWidth > 0"


def test_files_of_others_are_what_their_packages_hold():
    rows = (ROOT / "_ext/vendor/README.md").read_text().splitlines()[4:]
    noted = {row.split("|")[1].strip(): row.split("|")[4].strip() for row in rows}
    vendor = ROOT / "_ext/vendor"
    kept = {p.relative_to(vendor).as_posix(): p for p in vendor.rglob("*") if p.suffix in (".js", ".css")}
    assert noted == {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in kept.items()}
    assert all((path.parent / "LICENSE").exists() for path in kept.values())


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_fits_into_a_lecture(name):
    page = (HTML / f"chapters/{name}.html").read_text(encoding="utf-8")
    made, page = (BeautifulSoup(text, "html.parser") for text in (slides.slides(page), page))
    found = made.select("section")
    assert 10 <= len(found) <= 25 and not made.select("section section")
    assert all(len(one.get_text().split()) > 5 or one.img for one in found), "an empty slide"
    assert len(made.select(".lm-player")) == len(page.select(".lm-player")), "a slider is left out"
    assert not made.select(".dropdown, .exercise, .solution, .lm-quiz, details"), "that stays in the book"
    assert "take-away" in [one.h2.get_text().lower() for one in found[1:]] or not page.select("#take-away")


def test_a_chapter_that_is_not_there_is_refused_in_words(tmp_path):
    with pytest.raises(ValueError, match="no chapter '4'; there are: 01-classification, "):
        slides.write("4", HTML, tmp_path)


@pytest.mark.browser
def test_every_slide_opens_and_the_slider_moves(driver, tmp_path):
    file = slides.write("04-boosting", HTML, tmp_path / "04")
    browser.view(driver, 1280, 720)
    browser.open_page(driver, file.as_uri())
    ready = "return document.body.classList.contains('ready')"
    WebDriverWait(driver, 60, 0.05).until(lambda _: driver.execute_script(ready))
    moved = 0
    for number in range(driver.execute_script("return Reveal.getTotalSlides()")):
        driver.execute_script("Reveal.slide(arguments[0])", number)
        assert not driver.execute_script(OUTSIDE), f"slide {number + 1} leaves the screen"
        for player in driver.find_elements("css selector", "section.present .lm-player"):
            parts = ["figcaption", "button + input", "img"]
            words, slider, picture = (player.find_element("css selector", part) for part in parts)
            before = words.text
            slider.send_keys(Keys.HOME)
            WebDriverWait(driver, 10, 0.05).until(lambda _, it=picture: driver.execute_script(DRAWN, it))
            assert words.text != before and driver.execute_script("return Reveal.getState().indexh") == number
            assert not driver.execute_script(OUTSIDE)
            moved += 1
    assert moved and not browser.complaints(driver, file.parent.as_uri())
