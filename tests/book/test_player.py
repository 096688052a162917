"""The sliders of the built pages: moved by keyboard, mouse and finger, each to both ends and the middle."""

import json

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.book import browser
from tests.book.site import HTML, PAGES

WITH_SLIDERS = [page for page in PAGES if 'class="lm-player"' in (HTML / page).read_text(encoding="utf-8")]


def open_players(driver, page, width=1280):
    """Open a page and return its players."""
    browser.view(driver, width)
    browser.open_page(driver, f"{HTML.as_uri()}/{page}")
    return driver.find_elements(By.CLASS_NAME, "lm-player")


def frame(driver, player):
    """What the player shows now: file name, words, values; waits for the picture."""
    return driver.execute_async_script(
        "const [player, done] = arguments; const image = player.querySelector('img');"
        "image.decode().then(() => done([image.src.split('/').pop(), image.naturalWidth, image.alt,"
        "player.querySelector('figcaption').textContent,"
        "[...player.querySelectorAll('input')].map(i => i.getAttribute('aria-valuetext'))]));",
        player,
    )


def expected(driver, player, positions):
    """The frame that belongs to slider positions, read from the player's own data."""
    data = json.loads(player.find_element(By.TAG_NAME, "script").get_attribute("textContent"))
    at = 0
    for values, position in zip(data["values"], positions, strict=True):
        at = at * len(values) + position
    return data["frames"][at], [values[p] for values, p in zip(data["values"], positions, strict=True)]


def assert_shows(driver, player, positions):
    (file, sentence), values = expected(driver, player, positions)
    shown, width, alt, words, spoken = frame(driver, player)
    assert (shown, words, spoken) == (file, sentence, values)
    assert width > 0 and alt.endswith(sentence)


def positions_of(sliders):
    return [int(slider.get_property("value")) for slider in sliders]


@pytest.mark.browser
@pytest.mark.parametrize("page", WITH_SLIDERS)
def test_every_slider_by_keyboard_to_both_ends_and_the_middle(driver, page):
    for player in open_players(driver, page):
        sliders = player.find_elements(By.TAG_NAME, "input")
        assert_shows(driver, player, positions_of(sliders))
        for number, slider in enumerate(sliders):
            last = int(slider.get_attribute("max"))
            steps = last // 2
            moves = [(Keys.HOME, 0), (Keys.END, last), (Keys.HOME + Keys.ARROW_RIGHT * steps, steps)]
            for keys, goal in moves:
                slider.send_keys(keys)
                positions = positions_of(sliders)
                assert positions[number] == goal
                assert_shows(driver, player, positions)


@pytest.mark.browser
@pytest.mark.parametrize("page", WITH_SLIDERS[:1])
def test_mouse_and_finger_move_a_slider(driver, page):
    (player, *_) = open_players(driver, page)
    slider = player.find_elements(By.TAG_NAME, "input")[-1]
    driver.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", slider)
    ActionChains(driver).move_to_element_with_offset(slider, slider.size["width"] // 4, 0).click().perform()
    by_mouse = int(slider.get_property("value"))
    assert by_mouse > int(slider.get_attribute("max")) // 2
    assert_shows(driver, player, positions_of(player.find_elements(By.TAG_NAME, "input")))

    box = driver.execute_script(
        "const b = arguments[0].getBoundingClientRect(); return [b.x, b.y, b.width, b.height]", slider
    )
    x, y, width, height = box
    driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    for kind, across in [("touchStart", 0.8), ("touchMove", 0.4), ("touchMove", 0.1), ("touchEnd", None)]:
        points = [] if across is None else [{"x": x + across * width, "y": y + height / 2}]
        driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
    assert int(slider.get_property("value")) < by_mouse
    assert_shows(driver, player, positions_of(player.find_elements(By.TAG_NAME, "input")))


@pytest.mark.browser
@pytest.mark.parametrize("page", WITH_SLIDERS[:1])
def test_printing_shows_the_picture_and_no_slider(driver, page):
    (player, *_) = open_players(driver, page)
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        assert player.find_element(By.TAG_NAME, "img").is_displayed()
        assert not player.find_element(By.TAG_NAME, "input").is_displayed()
    finally:
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
