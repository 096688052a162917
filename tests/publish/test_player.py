"""The sliders of the built pages: moved by keyboard, mouse and finger, each to both ends and the middle."""

import json

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.publish import browser
from tests.publish.site import HTML, WITH_SLIDERS

SHOWN = """
const [player, done] = arguments, image = player.querySelector("img");
const sliders = [...player.querySelectorAll("input")];
image.decode().then(() => done({
  file: image.src.split("/").pop(), width: image.naturalWidth, alt: image.alt,
  words: player.querySelector("figcaption").textContent,
  spoken: sliders.map((slider) => slider.getAttribute("aria-valuetext")),
  positions: sliders.map((slider) => Number(slider.value)),
}));
"""


def open_players(driver, page, width=1280):
    """Open a page and return its players."""
    browser.view(driver, width)
    browser.open_page(driver, f"{HTML.as_uri()}/{page}")
    return driver.find_elements(By.CLASS_NAME, "lm-player")


def frames_of(player):
    """The values of each slider and all frames, as the player's own data say."""
    return json.loads(player.find_element(By.TAG_NAME, "script").get_attribute("textContent"))


def positions_shown(driver, player, data):
    """Where the sliders stand, after a look whether picture, words and spoken values belong to that."""
    shown, at = driver.execute_async_script(SHOWN, player), 0
    for values, position in zip(data["values"], shown["positions"], strict=True):
        at = at * len(values) + position
    file, sentence = data["frames"][at]
    assert (shown["file"], shown["words"]) == (file, sentence)
    assert shown["spoken"] == [v[p] for v, p in zip(data["values"], shown["positions"], strict=True)]
    assert shown["width"] > 0 and shown["alt"].endswith(sentence)
    return shown["positions"]


@pytest.mark.browser
@pytest.mark.parametrize("page", WITH_SLIDERS)
def test_every_slider_by_keyboard_to_both_ends_and_the_middle(driver, page):
    for player in open_players(driver, page):
        data = frames_of(player)
        positions_shown(driver, player, data)
        sliders = player.find_elements(By.TAG_NAME, "input")
        names = [slider.accessible_name for slider in sliders]
        assert all(names) and len(set(names)) == len(names), "each slider says its own name"
        for number, slider in enumerate(sliders):
            assert slider.aria_role == "slider"
            last = len(data["values"][number]) - 1
            steps = last // 2
            moves = [(Keys.HOME, 0), (Keys.END, last), (Keys.HOME + Keys.ARROW_RIGHT * steps, steps)]
            for keys, goal in moves:
                slider.send_keys(keys)
                assert positions_shown(driver, player, data)[number] == goal
    assert not browser.complaints(driver, HTML.as_uri())


@pytest.mark.browser
@pytest.mark.parametrize("page", WITH_SLIDERS[:1])
def test_mouse_and_finger_move_a_slider(driver, page):
    (player, *_) = open_players(driver, page)
    slider, data = player.find_elements(By.TAG_NAME, "input")[-1], frames_of(player)
    driver.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", slider)
    ActionChains(driver).move_to_element_with_offset(slider, slider.size["width"] // 4, 0).click().perform()
    by_mouse = int(slider.get_property("value"))
    assert by_mouse > int(slider.get_attribute("max")) // 2
    assert positions_shown(driver, player, data)[-1] == by_mouse

    box = driver.execute_script(
        "const b = arguments[0].getBoundingClientRect(); return [b.x, b.y, b.width, b.height]", slider
    )
    x, y, width, height = box
    driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    for kind, across in [("touchStart", 0.8), ("touchMove", 0.4), ("touchMove", 0.1), ("touchEnd", None)]:
        points = [] if across is None else [{"x": x + across * width, "y": y + height / 2}]
        driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
    assert positions_shown(driver, player, data)[-1] < by_mouse
