"""JupyterLab, as `make lab` and Binder open it: theorems and exercises are set, and sliders recompute."""

import json
import re
from pathlib import Path
from urllib.request import urlopen

import nbformat.v4 as nb
import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from _ext.prose import prose
from benchmarks.labs import jupyterlab
from tests.publish import browser
from tests.publish.conftest import absent
from tests.publish.test_lab import flags
from tools.normalise import as_text, normalise

CHAPTER = Path(__file__).parents[2] / "chapters/04-boosting.ipynb"
SLIDER = """
DRAWN = []
from mllib import viz

def draw(fig, T):
    ax = viz.axes(fig)
    viz.bars(ax, [T, 5])
    DRAWN.append(T)
    return f"a bar of height {T} in drawing {len(DRAWN)}"

viz.explore(draw, T=range(1, 16), start={"T": 2}, alt="Two bars: the left one grows with T.")
"""
WATCH = """
window.seen = [];
new MutationObserver(() => seen.push(arguments[0].textContent))
  .observe(arguments[0], {childList: true, characterData: true, subtree: true});
"""

END_KERNELS = """
const done = arguments[0], headers = {"X-XSRFToken": document.cookie.match(/_xsrf=([^;]+)/)[1]};
const end = session => fetch(`/api/sessions/${session.id}`, {method: "DELETE", headers});
fetch("/api/sessions").then(answer => answer.json()).then(all => Promise.all(all.map(end)))
  .then(ended => done(ended.filter(answer => answer.ok).length));
"""


def block(kind):
    """The first directive of this kind in a chapter, as it stands there."""
    return re.search(rf"^(`{{3,}}|:{{3,}})\{{{kind}\}}.*?^\1\s*$", prose(CHAPTER), re.M | re.S)[0]


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """A JupyterLab with one notebook (a theorem, an exercise and a slider): its address, and the file."""
    home = tmp_path_factory.mktemp("lab")
    cells = [nb.new_markdown_cell(block(kind)) for kind in ("prf:theorem", "exercise")]
    cells += [nb.new_code_cell(SLIDER), nb.new_markdown_cell(block("solution-start") + "\n\nSo it is.")]
    cells += [nb.new_code_cell("print(1)", outputs=[nb.new_output("stream", text="1")])]
    (home / "page.ipynb").write_text(as_text(normalise(nb.new_notebook(cells=cells))))
    with jupyterlab(home, "--IdentityProvider.token=") as (_, port):
        yield f"http://127.0.0.1:{port}/lab/tree/page.ipynb", home / "page.ipynb"


@pytest.mark.browser
def test_theorems_exercises_and_sliders_live(lab, tmp_path):
    if browser.CHROMIUM is None or browser.DRIVER is None:
        absent("Chromium and its driver are not installed: make system")
    address, page = lab
    driver = browser.start(tmp_path)
    try:
        browser.view(driver, 1280)
        driver.get(address)
        wait = WebDriverWait(driver, 60, 0.1, ignored_exceptions=[IndexError])

        def within(selector):
            return driver.find_elements(By.CSS_SELECTOR, f".jp-Notebook {selector}")

        for heading in ("Theorem 1 (Training error of AdaBoost)", "Exercise 1"):
            wait.until(lambda _, h=heading: any(h in e.text for e in within(".jp-MarkdownCell")))
        shown = " ".join(e.text for e in within(".jp-MarkdownCell"))
        assert "{prf" not in shown and "```" not in shown and ":label:" not in shown
        assert within(".jp-MarkdownCell .katex")

        for part in ("Input", "Output"):
            wait.until(lambda _, p=part: within(f".jp-Cell-{p.lower()}Wrapper .jp-{p}Placeholder"))
        assert "So it is" not in " ".join(e.text for e in within(".jp-MarkdownCell")), (
            "a solution stands open"
        )

        wait.until(lambda _: "Idle" in driver.find_element(By.ID, "jp-main-statusbar").text)
        within(".jp-CodeCell .cm-content")[0].send_keys(Keys.CONTROL, Keys.ENTER)
        handle = wait.until(lambda _: within(".noUi-handle")[0])

        def picture():
            return within(".jupyter-widgets img")[0].get_attribute("src")

        def words():
            return within(".jupyter-widgets .widget-html-content")[-1].text

        def said(height, drawing):
            wait.until(lambda _: words() == f"a bar of height {height} in drawing {drawing}")

        def button(name):
            found = [b for b in within(".jupyter-widgets button") if b.is_displayed()]
            return found[0] if [b.accessible_name for b in found] == [name] else None

        said(2, 1)
        before = picture()
        handle.send_keys(Keys.ARROW_RIGHT)
        said(3, 2)
        wait.until(lambda _: picture() != before)

        # Who wants no motion steps; who does not mind has the positions played, each drawn once at most.
        step = wait.until(lambda _: button("Step T"))
        step.send_keys(Keys.SPACE)
        said(4, 3)
        browser.view(driver, 1280, motion="no-preference")
        play = wait.until(lambda _: button("Play T"))
        assert play.rect["width"] >= 44 and play.rect["height"] >= 44
        driver.execute_script(WATCH, within(".jupyter-widgets .widget-html-content")[-1])
        play.send_keys(Keys.SPACE)
        wait.until(lambda _: button("Pause T"))
        wait.until(lambda _: button("Play T") and "height 15 " in words())
        shown = [tuple(map(int, re.findall(r"\d+", text))) for text in driver.execute_script("return seen")]
        heights, drawings = zip(*dict.fromkeys(shown), strict=True)
        assert list(heights) == sorted(set(heights)) and heights[-1] == 15
        assert drawings == tuple(range(4, 4 + len(heights))), "a position was drawn that nobody saw"
        driver.execute_script("seen.length = 0")
        play.send_keys(Keys.SPACE)
        wait.until(lambda _: button("Pause T"))
        play.send_keys(Keys.SPACE)
        wait.until(lambda _: button("Play T"))
        (first, *_) = driver.execute_script("return seen")
        assert "height 1 " in first and "height 15 " not in words()
        asked = driver.find_elements(By.CSS_SELECTOR, ".jp-Dialog, .Toastify__toast")
        assert not asked, "a student is asked something before the first line is read"

        # What is saved is seen again, though its kernel is gone.
        driver.switch_to.active_element.send_keys(Keys.CONTROL, "s")
        wait.until(lambda _: "widget-state+json" in page.read_text())
        assert driver.execute_async_script(END_KERNELS) == 1
        driver.get(address + "?reset")
        pixels = "return document.querySelector('.jp-Notebook .jupyter-widgets img')?.naturalWidth"
        assert wait.until(lambda _: driver.execute_script(pixels)) > 100
    finally:
        driver.quit()


@pytest.mark.parametrize(("asked", "listed"), [("", ["04.ipynb"]), ("SOLUTIONS=1", ["04.ipynb", "source"])])
def test_make_lab_shows_solutions_to_those_who_ask(tmp_path, asked, listed):
    (tmp_path / "labs/source").mkdir(parents=True)
    (tmp_path / "labs/04.ipynb").write_text(as_text(nb.new_notebook()))
    with jupyterlab(tmp_path, *flags(*asked.split()), "--IdentityProvider.token=") as (_, port):
        with urlopen(f"http://127.0.0.1:{port}/api/contents/labs") as answer:
            assert sorted(entry["name"] for entry in json.load(answer)["content"]) == listed
