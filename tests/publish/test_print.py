"""A page on paper: no side bars, start frames, solutions only when they are asked for."""

import base64
import re
import shutil
import subprocess

import pytest

from tests.publish import browser
from tests.publish.conftest import absent

PAGE = "chapters/04-boosting.html"


def printed(driver, path):
    """Print the open page to ``path``; return how many sheets it has, and its words."""
    paper = driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})["data"]
    path.write_bytes(base64.b64decode(paper))
    command = ["pdftotext", "-layout", path, "-"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return text.count("\f"), " ".join(text.split())


@pytest.fixture(scope="module")
def sheets(driver, published, tmp_path_factory):
    """The chapter printed as it opens, and with solutions; afterwards the screen is as it was."""
    if shutil.which("pdftotext") is None:
        absent("pdftotext is not installed: make system")
    folder = tmp_path_factory.mktemp("print")
    browser.view(driver, 1280, theme="dark")
    browser.open_page(driver, published + PAGE)
    folded = "return document.querySelectorAll('.toggle-hidden, details.lm-answer:not([open])').length"
    before = driver.execute_script(folded)
    plain = printed(driver, folder / "plain.pdf")
    driver.execute_script("print = () => {}; document.querySelector('.lm-print-solutions').click()")
    full = printed(driver, folder / "full.pdf")
    assert before == driver.execute_script(folded) > 5, "as it was before"
    assert driver.execute_script("return document.documentElement.dataset.theme") == "dark"
    return plain, full


@pytest.mark.browser
def test_solutions_and_answers_are_printed_only_when_asked_for(sheets):
    (few, plain), (many, full) = sheets
    assert 5 < few < many
    assert "Solution to Exercise 4.1" in plain and "Solution to Exercise 4.1" in full
    assert "listens to the opposite" in full and "listens to the opposite" not in plain, "a solution"
    assert "Not so." in full and "Not so." not in plain and "Right." not in plain
    assert len(full) - len(plain) > 2000, "the text of five solutions"


@pytest.mark.browser
def test_proofs_are_printed(driver, sheets):
    (_, plain), _ = sheets
    proofs = driver.execute_script(
        "return [...document.querySelectorAll('.admonition.toggle > .proof')].map((e) => e.textContent)"
    )
    assert len(proofs) == 4, "folded, one under each statement"
    for proof in proofs:
        for word in re.findall(r"[a-z]{4,}", proof.partition("\\(")[0])[:6]:
            assert word in plain


@pytest.mark.browser
def test_nothing_of_the_screen_is_printed(driver, sheets):
    (_, plain), _ = sheets
    assert "Skip to main content" not in plain and "Back to top" not in plain
    assert "Voted perceptron" not in plain, "the contents of the book"
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    shown = driver.execute_script(
        "return ['.bd-sidebar-primary', '.bd-sidebar-secondary', '.bd-header-article', '.lm-sliders',"
        "'.copybtn', '.prev-next-footer', '.lm-player img'].map((name) =>"
        "[name, [...document.querySelectorAll(name)].some((e) => e.checkVisibility())])"
    )
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert [name for name, visible in shown if visible] == [".lm-player img"]
