"""The sliders of the built pages: moved by keyboard, mouse and finger, each to both ends and the middle."""

import itertools
import json
import re
import time

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from tests.publish import browser
from tests.publish.site import HTML, WITH_SLIDERS

pytestmark = pytest.mark.book

NUMBER = re.compile(r"-?[\d,.]+(e[+-]\d+)?")
SHOWN = """
const [player, done] = arguments, image = player.querySelector("img");
const sliders = [...player.querySelectorAll("input, select")];
const spoken = (slider) => slider.getAttribute("aria-valuetext") ?? slider.selectedOptions[0].textContent;
image.decode().then(() => done({
  file: image.src.split("/").pop(), width: image.naturalWidth, alt: image.alt,
  words: player.querySelector("figcaption").textContent,
  spoken: sliders.map(spoken),
  positions: sliders.map((slider) => Number(slider.value)),
}));
"""


def open_players(driver, page, width=1280, motion="reduce"):
    """Open a page and return its players."""
    browser.view(driver, width, motion=motion)
    browser.open_page(driver, f"{HTML.as_uri()}/{page}")
    for button in driver.find_elements(By.CLASS_NAME, "lm-just"):  # without a bet
        button.click()
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
        sliders = player.find_elements(By.CSS_SELECTOR, "input, select")
        names = [slider.accessible_name for slider in sliders]
        assert all(names) and len(set(names)) == len(names), "each slider says its own name"
        for number, slider in enumerate(sliders):
            numbers = all(NUMBER.fullmatch(value) for value in data["values"][number])
            assert slider.aria_role == ("slider" if numbers else "combobox")
            assert bool(slider.find_elements(By.XPATH, "preceding-sibling::button")) == numbers
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

    def swipe(*way):
        kinds = "touchStart", *["touchMove"] * (len(way) - 1), "touchEnd"
        for kind, place in zip(kinds, (*way, None), strict=True):
            points = [] if place is None else [{"x": x + place[0] * width, "y": y + height / 2 + place[1]}]
            driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    swipe((0.8, 0), (0.4, 0), (0.1, 0))
    by_finger = positions_shown(driver, player, data)[-1]
    assert by_finger < by_mouse
    top = driver.execute_script("return scrollY")
    swipe(*((0.8, -10 * step) for step in range(16)))
    WebDriverWait(driver, 10).until(lambda _: driver.execute_script("return scrollY") > top + 50)
    driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
    assert positions_shown(driver, player, data)[-1] == by_finger, "a swipe that scrolls moves no slider"


WATCH = """
const [player] = arguments, slider = player.querySelector("button + input"), seen = (window.seen = []);
const words = player.querySelector("figcaption");
new MutationObserver(() => seen.push([Number(slider.value), performance.now(), words.ariaLive]))
  .observe(slider, {attributeFilter: ["aria-valuetext"]});
"""
LOADED = """
const [player, done] = arguments, root = player.querySelector("img").src.replace(/[^/]*$/, "");
const fetched = JSON.parse(player.querySelector("script").textContent).frames.map(([file]) => {
  const image = new Image();
  image.src = root + file;
  return image.decode();
});
Promise.all(fetched).then(() => done());
"""


class Played:
    """A player with a button on a page: what was pressed, and what it showed since."""

    def __init__(self, driver, width=1280, motion="no-preference"):
        self.driver = driver
        self.player = next(
            player
            for player in open_players(driver, "chapters/04-boosting.html", width, motion)
            if player.find_elements(By.CSS_SELECTOR, ".lm-slider button")
        )
        self.button = self.player.find_element(By.CSS_SELECTOR, ".lm-slider button")
        self.slider = self.player.find_element(By.CSS_SELECTOR, "button + input")
        self.last = int(self.slider.get_attribute("max"))
        centre = "arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})"
        driver.execute_script(centre, self.button)
        driver.execute_async_script(LOADED, self.player)
        driver.execute_script(WATCH, self.player)
        assert self.pressed != "true" and not self.seen(), "it plays by itself"

    @property
    def pressed(self):
        return self.button.get_attribute("aria-pressed")

    @property
    def at(self):
        return int(self.slider.get_property("value"))

    def seen(self):
        """The positions shown since it was asked last, when, and whether they were read aloud."""
        return self.driver.execute_script("return window.seen.splice(0)")

    def until(self, state):
        """Wait until the button is in this state."""
        WebDriverWait(self.driver, 60, 0.02).until(lambda _: self.pressed == state)


@pytest.mark.browser
def test_play_shows_each_position_once_to_the_end_and_then_starts_over(driver):
    it = Played(driver)
    start = it.at
    driver.get_log("performance")
    assert it.button.accessible_name == "Play rounds T" and it.pressed == "false"
    it.button.click()
    assert it.pressed == "true"
    it.until("false")
    positions, moments, spoken = zip(*it.seen(), strict=True)
    assert positions == (*range(start + 1, it.last + 1), it.last)
    gaps = [after - before for before, after in itertools.pairwise(moments)]
    assert sum(gaps) >= 0.95 * 125 * len(gaps), "more than eight frames a second"
    assert set(spoken[1:-1]) == {"off"} and spoken[-1] == "polite"
    assert positions_shown(driver, it.player, frames_of(it.player))[-1] == it.last
    assert not [url for url, _ in browser.requests(driver) if url.endswith(".webp")], "fetched once more"
    time.sleep(0.3)
    assert not it.seen(), "it goes on after its end"
    it.button.click()
    it.until("false")
    assert [position for position, *_ in it.seen()] == [*range(it.last + 1), it.last]
    assert not browser.complaints(driver, HTML.as_uri())


@pytest.mark.browser
def test_the_space_bar_plays_and_pauses_and_a_hand_takes_over(driver):
    it = Played(driver)
    for element in (it.button, it.slider):
        it.slider.send_keys(Keys.HOME)
        scrolled = driver.execute_script("return scrollY")
        element.send_keys(Keys.SPACE)
        assert it.pressed == "true"
        WebDriverWait(driver, 60, 0.02).until(lambda _: it.at >= 2)
        element.send_keys(Keys.SPACE)
        assert it.pressed == "false"
        paused, _ = it.at, it.seen()
        time.sleep(0.4)
        assert it.at == paused and not it.seen()
        assert driver.execute_script("return scrollY") == scrolled
        it.slider.send_keys(Keys.HOME)
    it.button.send_keys(Keys.SPACE)
    it.slider.send_keys(Keys.HOME)
    assert it.pressed == "false" and it.at == 0
    rules, rounds = it.player.find_elements(By.CSS_SELECTOR, "input, select")
    assert it.slider == rounds
    it.button.send_keys(Keys.SPACE)
    assert rules.tag_name == "select", "a choice has nothing to play"
    rules.send_keys(Keys.ARROW_RIGHT)
    assert it.pressed == "false"


@pytest.mark.browser
def test_who_wants_no_motion_gets_one_frame_a_press(driver):
    it = Played(driver, motion="reduce")
    assert it.button.accessible_name == "Step rounds T" and it.pressed is None
    it.slider.send_keys(Keys.END, Keys.ARROW_LEFT)
    it.seen()
    for press, goal in [(it.button, it.last), (it.slider, 0), (it.button, 1)]:
        press.send_keys(Keys.SPACE)
        time.sleep(0.3)
        assert [position for position, *_ in it.seen()] == [goal] and it.pressed is None
    positions_shown(driver, it.player, frames_of(it.player))
    browser.view(driver, 1280, motion="no-preference")
    it.until("false")
    assert it.button.accessible_name == "Play rounds T"


@pytest.mark.browser
def test_a_finger_plays_on_a_phone(driver):
    it = Played(driver, width=390)
    box = it.button.rect
    assert box["width"] >= 44 and box["height"] >= 44 and it.slider.rect["width"] >= 280
    x, y = driver.execute_script(
        "const b = arguments[0].getBoundingClientRect(); return [b.x + 2, b.y + b.height / 2]", it.button
    )
    driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    try:
        for kind, points in [("touchStart", [{"x": x, "y": y}]), ("touchEnd", [])]:
            driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        it.until("true")
        it.until("false")
    finally:
        driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
    assert it.at == it.last and not browser.overflow(driver)[0]
