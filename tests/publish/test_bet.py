"""The player's address and the bet before it, on a page made here, by mouse and keyboard."""

from pathlib import Path

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from mllib.viz import axes, curve, explore, playground
from mllib.viz.explore import player as code
from tests.publish import browser

BET = {"about 2": "At 2 it is lower.", "about 3": "Yes, at 3 it is highest."}
PAGE = """<!doctype html><html lang="en" data-theme="{theme}"><head><meta charset="utf-8"><title>Bets</title>
<link rel="icon" href="data:,"><style>{css}</style></head><body><main><h1>Bets</h1>{players}</main>
<script>{js}</script></body></html>"""


def draw(fig, T, kind):
    curve(axes(fig), [0, 1], [0, T if kind == "up" else -T], key="line")
    return f"At {T} it goes {kind}."


def some(**given):
    words = dict(alt="A line from the origin.", name="slope", question="Which T is highest?")
    return explore(draw, T=[1, 2, 3], kind=["up", "down"], **words | given)


@pytest.fixture
def page(tmp_path):
    """The file of a page with one player, and of a folder with its frames."""

    def make(explorer, theme="light"):
        css, js = (Path(code.__file__).with_suffix(end).read_text() for end in (".css", ".js"))
        html = code.player(explorer.render(tmp_path / "frames"), "frames")
        (tmp_path / "page.html").write_text(PAGE.format(theme=theme, css=css, js=js, players=html))
        return (tmp_path / "page.html").as_uri()

    return make


def words(driver, where):
    return driver.find_element(By.CSS_SELECTOR, where).get_attribute("textContent")


@pytest.mark.browser
@pytest.mark.parametrize("answer", BET)
def test_a_bet_opens_the_slider_and_is_answered_where_it_shows(driver, page, answer):
    browser.view(driver, 1280)
    browser.open_page(driver, page(some(bet=BET, bet_at={"T": 3})))
    slider = driver.find_element(By.CSS_SELECTOR, ".lm-sliders input")
    assert not slider.is_displayed()
    driver.find_element(By.XPATH, f"//button[text()='{answer}']").send_keys(Keys.ENTER)
    assert slider.is_displayed() and driver.switch_to.active_element == slider
    assert words(driver, ".lm-told") == f"Your bet is “{answer}”. Move the slider and see."
    slider.send_keys(Keys.ARROW_RIGHT)
    assert words(driver, ".lm-told").startswith("Your bet is")
    slider.send_keys(Keys.ARROW_RIGHT)
    assert words(driver, ".lm-told") == f"Your bet was “{answer}”. {BET[answer]}"
    slider.send_keys(Keys.ARROW_LEFT)
    assert words(driver, ".lm-told") == f"Your bet was “{answer}”. {BET[answer]}"
    assert not browser.console(driver)


@pytest.mark.browser
def test_who_only_wants_to_play_is_told_nothing(driver, page):
    browser.view(driver, 1280)
    browser.open_page(driver, page(some(bet=BET, bet_at={"T": 3})))
    driver.find_element(By.CLASS_NAME, "lm-just").click()
    driver.find_element(By.CSS_SELECTOR, ".lm-sliders input").send_keys(Keys.END)
    assert not driver.find_element(By.CLASS_NAME, "lm-told").is_displayed()


@pytest.mark.browser
def test_without_a_bet_nothing_stands_before_the_slider(driver, page):
    browser.open_page(driver, page(some()))
    assert driver.find_element(By.CSS_SELECTOR, ".lm-sliders input").is_displayed()
    assert not driver.find_elements(By.CLASS_NAME, "lm-bet")


@pytest.mark.browser
def test_the_position_stands_in_the_address_and_is_found_there(driver, page):
    address = page(some(bet=BET, bet_at={"T": 3}))
    browser.open_page(driver, address)
    assert "#" not in driver.current_url
    browser.open_page(driver, "about:blank")
    browser.open_page(driver, f"{address}#slope.T=2&slope.kind=down")
    slider = driver.find_element(By.CSS_SELECTOR, ".lm-sliders input")
    assert slider.is_displayed(), "who comes by a link wants to see"
    assert words(driver, "figcaption") == "At 2 it goes down."
    slider.send_keys(Keys.ARROW_RIGHT)
    driver.execute_async_script("setTimeout(arguments[0], 350)")  # written when the hand rests
    assert driver.current_url.endswith("#slope.T=3&slope.kind=down")
    driver.execute_script("location.hash = '#slope.T=1'")
    driver.execute_async_script("setTimeout(arguments[0], 50)")
    assert words(driver, "figcaption") == "At 1 it goes down."


@pytest.mark.browser
@pytest.mark.parametrize("fragment", ["#other.T=2", "#slope.T=9", "#slope.x=1", "#a-heading", "#%E0%A4%A"])
def test_an_address_of_something_else_moves_nothing(driver, page, fragment):
    browser.open_page(driver, "about:blank")
    browser.open_page(driver, page(some()) + fragment)
    assert words(driver, "figcaption") == "At 1 it goes up."
    assert not browser.console(driver)


def test_points_of_a_figure_open_in_the_playground(tmp_path):
    there = playground([[0.5, 0.25], [-1, 0]], [1, 0], "perceptron", updates=3)
    manifest = some(playground=there).render(tmp_path)
    for frames, page in [
        ("_frames", "pages/playground.html"),
        ("../../_frames", "../../pages/playground.html"),
    ]:
        link = f'<a href="{page}#method=perceptron&amp;updates=3&amp;points=pa090n4080">'
        assert link in code.player(manifest, frames)
    assert "lm-more" not in code.player(some().render(tmp_path), "_frames")
    with pytest.raises(ValueError, match="what viz.playground"):
        some(playground="pages/playground.html")


@pytest.mark.browser
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_nothing(driver, page, width, theme):
    browser.view(driver, width, theme=theme)
    browser.open_page(driver, page(some(bet=BET, bet_at={"T": 3}), theme))
    assert browser.axe(driver) == [] and browser.overflow(driver)[0] <= 0


@pytest.mark.parametrize(
    "given, reason",
    [
        (dict(bet=BET), "bet_at says which position"),
        (dict(bet=BET, bet_at={"T": 7}), "no position"),
        (dict(bet=BET, bet_at={"S": 1}), "no position"),
        (dict(bet={"one": "Yes."}, bet_at={"T": 3}), "two or more answers"),
        (dict(bet={"one": "Yes.", "two": None}, bet_at={"T": 3}), "two or more answers"),
        (dict(bet=BET, bet_at={"T": 3}, question=None), "answers a question"),
        (dict(bet=BET, bet_at={"T": 1}), "from the start"),
    ],
)
def test_a_bet_that_cannot_be_answered_is_refused(given, reason):
    with pytest.raises(ValueError, match=reason):
        some(**given)
