"""`make pdf`: pages joined without a lost link, answers at the back, true page numbers."""

import os
import shutil
import subprocess
from urllib.parse import unquote

import pytest
from bs4 import BeautifulSoup

from tests.publish import browser
from tests.publish.conftest import absent
from tests.publish.site import HTML
from tools import pdf

PAGES = ["chapters/04-boosting", "pages/references"]


@pytest.fixture(scope="module")
def book():
    if not (HTML / "chapters/04-boosting.html").exists():
        absent("the book is not built: make book")
    return pdf.Book(PAGES)


@pytest.fixture(scope="module")
def joined(book):
    return BeautifulSoup(book.text(), "html.parser")


def test_every_link_has_its_place_in_the_file_and_no_id_stands_twice(joined):
    ids = [element["id"] for element in joined.find_all(id=True)]
    assert len(ids) == len(set(ids))
    links = [unquote(link["href"]) for link in joined.find_all("a", href=True)]
    inside = [link[1:] for link in links if link.startswith("#")]
    assert len(inside) > 30 and set(inside) <= set(ids)
    assert all("://" in link for link in links if not link.startswith("#"))


def test_every_picture_is_there(joined):
    pictures = joined.find_all("img")
    pages = [BeautifulSoup((HTML / f"{page}.html").read_text(), "html.parser") for page in PAGES]
    assert len(pictures) == sum(len(page.select("article img")) for page in pages) > 0
    for picture in pictures:
        assert (HTML / picture["src"].removeprefix("../html/")).is_file() and picture["alt"]


def test_nothing_stays_folded_and_answers_stand_at_the_back(joined):
    assert not joined.select("details, .dropdown, input, button")
    back = joined.find(id=pdf.BACK_TITLE).extract()
    assert len(back.select(".lm-solution")) >= 4 and len(back.select(".lm-quiz")) >= 4
    assert "Right." in back.get_text() and "Not so." in back.get_text()
    front = joined.main.get_text()
    assert "Right." not in front and "Not so." not in front and not joined.select(".lm-solution")
    for exercise in joined.select(".exercise"):
        assert exercise.select("a.lm-see")


@pytest.mark.book
@pytest.mark.browser
@pytest.mark.skipif(os.name == "nt", reason="needs the programs of a Debian system")
def test_the_file_has_pages_with_true_numbers_and_an_outline(tmp_path):
    if None in map(shutil.which, pdf.NEEDED) or browser.CHROMIUM is None:
        absent("Chromium, its driver or pdfinfo is not installed: make system")
    site = tmp_path / "html"
    (site / "_static/mathjax").mkdir(parents=True)
    shutil.copytree(HTML / "_static/mathjax", site / "_static/mathjax", dirs_exist_ok=True)
    page = '<html><head></head><body><article class="bd-article"><section id="{0}"><h1>{0}</h1>{1}</section>'
    long = '<p style="break-before: page">next sheet</p>' * 3
    away = '<p><a href="second.html#Second">to the other</a> <span class="math">\\(x^2\\)</span></p>'
    for name, words in [("index", ""), ("first", away + long), ("second", "<p>The end.</p>")]:
        (site / f"{name}.html").write_text(page.format(name.capitalize(), words))
    out = tmp_path / "pdf/book.pdf"
    assert pdf.make_pdf(["first", "second"], out, site) == 7, "title, contents, four sheets and one"
    assert pdf.page_numbers(out)[0]["second"] == 7

    def printed(number):
        command = ["pdftotext", "-layout", "-f", str(number), "-l", str(number), out, "-"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    lines = [line.split() for line in printed(2).splitlines() if line.strip()]
    assert ["First", "3"] in lines and ["Second", "7"] in lines, lines
    assert "The end." in printed(7)
    assert b"/Outlines" in out.read_bytes()
