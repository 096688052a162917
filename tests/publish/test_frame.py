"""The frame of a page: each control is pressed as a reader does it, and what it promises is seen."""

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from _ext.address import repository
from tests.publish import browser
from tests.publish.site import HTML

PAGE = "labs/04-boosting.html"
WIDTHS = [390, 900, 1280]  # a phone; both side bars are drawers; both stand beside the page
HANDS = ["mouse", "finger", "keys"]
BUTTONS = ".bd-header-article :is(button, a.logo)"
MENU, CONTENTS = ".bd-header-article .primary-toggle", ".bd-header-article .secondary-toggle"
PAGES, NEIGHBOUR = ".bd-docs-nav a", '.bd-docs-nav a[href="03-forests.html"]'
BEFORE = "/labs/03-forests.html"
SECTION, HEADING = '.page-toc a[href="#the-loop"]', "#the-loop > h2"
CLOSE = "dialog[open] .lm-close button"
SEARCH, FIELD = ".bd-header-article .search-button", "#pst-search-dialog input"
GAME = "#a-game-between-the-rules-and-the-weights"  # a section of chapter 04 that speaks of an adversary
DOWNLOADS = ".dropdown-download-buttons"

SEEN = """
return [...document.querySelectorAll(arguments[0])].find((e) => {
  const {x, y, width, height} = e.getBoundingClientRect();
  const top = document.elementFromPoint(x + width / 2, y + height / 2);
  return width && top && (e === top || e.contains(top)) && e.checkVisibility({opacityProperty: true});
});
"""


class Reader:
    """Somebody with a mouse, a finger or only keys, before one page."""

    def __init__(self, driver, hand):
        self.driver, self.hand = driver, hand

    def ask(self, expression, *arguments):
        """What the page answers."""
        return self.driver.execute_script(f"return {expression}", *arguments)

    def seen(self, selector):
        """Such an element whose middle is on the screen and covered by nothing, or None."""
        return self.driver.execute_script(SEEN, selector)

    def until(self, happens, words):
        """Wait for it; return what came."""
        return WebDriverWait(self.driver, 5, 0.02).until(lambda _: happens(), words)

    def sees(self, selector):
        """Wait until it is seen."""
        return self.until(lambda: self.seen(selector), f"{selector} is not seen")

    def loses(self, selector):
        """Wait until it is seen no more."""
        self.until(lambda: not self.seen(selector), f"{selector} is still seen")

    def arrives(self, end):
        """Wait for the page with this address."""
        self.until(lambda: self.driver.current_url.endswith(end), f"does not lead to {end}")

    def type(self, *keys):
        """Type into what has the focus."""
        ActionChains(self.driver, duration=0).send_keys(*keys).perform()

    def scroll(self, to):
        """Have the page stand there."""
        self.driver.execute_script("scrollTo(0, arguments[0])", to)

    def has_focus(self, selector):
        """Whether it has the focus."""
        return self.ask("document.activeElement.matches(arguments[0])", selector)

    def point(self, x, y):
        """Click or tap there."""
        pointer = PointerInput("mouse" if self.hand == "mouse" else "touch", self.hand)
        actions = ActionBuilder(self.driver, mouse=pointer, duration=0)
        actions.pointer_action.move_to_location(int(x), int(y)).pointer_down().pointer_up()
        actions.perform()

    def press(self, selector, back=False):
        """Press what is seen; with keys, what Tab reaches, forwards or back."""
        if self.hand != "keys":
            box = self.sees(selector).rect
            top = self.ask("scrollY")
            return self.point(box["x"] + box["width"] / 2, box["y"] - top + box["height"] / 2)
        for _ in range(150):
            if self.has_focus(selector) and self.seen(selector):
                return self.type(Keys.ENTER)
            self.type(Keys.SHIFT + Keys.TAB if back else Keys.TAB)
        raise AssertionError(f"Tab does not reach {selector}")

    def leave(self):
        """Turn away from what has opened: press beside it, or Escape."""
        if self.hand == "keys":
            self.type(Keys.ESCAPE)
        else:
            right = self.ask("!!document.querySelector('dialog[open].bd-sidebar-secondary')")
            self.point(5 if right else self.ask("innerWidth") - 5, 600)

    def expanded(self, selector):
        """What the button says about what it opens."""
        return self.ask("document.querySelector(arguments[0]).ariaExpanded", selector) == "true"


@pytest.fixture(params=["folder", "site"])
def home(request, published):
    """Where the pages are."""
    return HTML.as_uri() + "/" if request.param == "folder" else published


@pytest.fixture(params=HANDS)
def reader(request, driver, home, width):
    """A reader who has just opened the page, and must not have caused an error in the end."""
    browser.view(driver, width)
    driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": request.param == "finger"})
    browser.open_page(driver, home + PAGE)
    yield Reader(driver, request.param)
    wrong = browser.complaints(driver, home)
    driver.execute_script("localStorage.clear(); sessionStorage.clear()")
    driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
    driver.get("about:blank")  # or what this page still asks for would be laid at the next test's door
    assert not wrong


pytestmark = [pytest.mark.book, pytest.mark.browser]
each_width = pytest.mark.parametrize("width", WIDTHS)


@each_width
def test_menu(reader, width):
    beside = width == 1280
    assert bool(reader.seen(PAGES)) == reader.expanded(MENU) == beside
    if beside:
        reader.press(MENU)
        reader.loses(PAGES)
        assert not reader.expanded(MENU)
        reader.press(MENU)
    else:
        for closes in [reader.leave, lambda: reader.press(CLOSE)]:
            reader.press(MENU)
            reader.sees(PAGES)
            assert reader.expanded(MENU) and reader.ask("!!document.activeElement.closest('dialog')")
            reader.scroll(1000)
            closes()
            reader.loses(PAGES)
            reader.until(lambda: reader.has_focus(MENU), "the focus is lost")
            assert not reader.expanded(MENU) and reader.ask("scrollY") == 1000
        reader.press(MENU)
    reader.sees(PAGES)
    assert reader.expanded(MENU)
    reader.press(NEIGHBOUR, back=beside)
    reader.arrives(BEFORE)


@each_width
def test_contents(reader, width):
    if width < 1200:
        assert not reader.seen(SECTION)
        for closes in [reader.leave, lambda: reader.press(CLOSE)]:
            reader.press(CONTENTS)
            reader.sees(SECTION)
            assert reader.expanded(CONTENTS)
            closes()
            reader.loses(SECTION)
            reader.until(lambda: reader.has_focus(CONTENTS), "the focus is lost")
            assert not reader.expanded(CONTENTS)
        reader.press(CONTENTS)
    reader.press(SECTION)
    heading = reader.sees(HEADING)
    assert 0 < heading.rect["y"] - reader.ask("scrollY") < 200
    if width < 1200:
        assert not reader.seen(SECTION), "the drawer covers what was asked for"
        reader.until(lambda: reader.has_focus(HEADING), "the focus stays behind")


@each_width
def test_search(reader, width):
    reader.press(SEARCH)
    reader.until(lambda: reader.has_focus(FIELD), "no field to type in")
    reader.leave()
    reader.loses(FIELD)
    if reader.hand == "keys":
        ActionChains(reader.driver).key_down(Keys.CONTROL).send_keys("k").key_up(Keys.CONTROL).perform()
    else:
        reader.press(SEARCH)
    reader.sees(FIELD)
    reader.type("perceptron", Keys.ENTER)
    found = '#search-results a[href*="07-perceptron.html"]'
    reader.until(lambda: reader.driver.find_elements("css selector", found), "finds nothing")
    reader.until(lambda: reader.has_focus(".bd-article input"), "one cannot go on typing")
    ActionChains(reader.driver).key_down(Keys.CONTROL).send_keys("a").key_up(Keys.CONTROL).perform()
    reader.type("game adversary")  # the section whose title has one of them comes first
    reader.press(f'#search-results a[href$="{GAME}"]')
    reader.arrives(GAME)
    heading = reader.sees(f"{GAME} > h2")
    reader.until(lambda: 0 < heading.rect["y"] - reader.ask("scrollY") < 200, "it does not stand on top")
    assert "adversary" in reader.ask(f"document.querySelector('{GAME}').innerText")


@each_width
def test_theme_and_full_screen(reader, width):
    for full in [True, False]:
        reader.press(".btn-fullscreen-button")
        reader.until(lambda full=full: reader.ask("!!document.fullscreenElement") == full, "the screen stays")
    reader.scroll(1000)
    modes, backgrounds = [], []
    for _ in range(3):
        reader.press(".theme-switch-button")
        modes.append(reader.ask("document.documentElement.dataset.mode"))
        backgrounds.append(reader.ask("getComputedStyle(document.body).backgroundColor"))
    assert modes == ["dark", "light", "auto"]
    assert backgrounds[0] != backgrounds[1] == backgrounds[2]
    assert reader.ask("scrollY") == 1000, "the page moves under the buttons"


@each_width
def test_launch_and_download(reader, width):
    launch = [(".dropdown-launch-buttons", 1)] if repository() else []  # nowhere to launch it from
    for menu, entries in [*launch, (DOWNLOADS, 2)]:
        button, entry = f"{menu} > button", f"{menu} .dropdown-item"
        for closes in [reader.leave, lambda button=button: reader.press(button)]:
            assert not reader.seen(entry)
            reader.press(button)
            reader.sees(entry)
            assert reader.expanded(button)
            boxes = [item.rect for item in reader.driver.find_elements("css selector", entry)]
            inside = [0 <= box["x"] and box["x"] + box["width"] <= width for box in boxes]
            assert inside == [True] * entries, "the menu leaves the screen"
            closes()
            reader.loses(entry)
            assert not reader.expanded(button)
    reader.driver.execute_script("window.print = () => (window.printed = true)")
    reader.press(button)
    reader.sees(entry)
    reader.press(".btn-download-pdf-button")
    assert reader.ask("window.printed")


@each_width
def test_home_next_and_previous(reader, width):
    logo = ("#pst-primary-sidebar" if width == 1280 else ".bd-header-article") + " a.logo"
    for link, end in [(logo, "/index.html"), ("a.left-prev", BEFORE), ("a.right-next", "/" + PAGE)]:
        element = reader.driver.find_element("css selector", link)
        reader.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        if reader.hand == "keys":  # the way with Tab is long
            reader.driver.execute_script("arguments[0].focus()", element)
        reader.press(link)
        reader.arrives(end)
        if link == logo:
            reader.driver.back()


@each_width
def test_no_tooltip_covers_the_icons(driver, published, width):
    browser.view(driver, width)
    browser.open_page(driver, published + PAGE)
    shown = [e for e in driver.find_elements("css selector", BUTTONS) if e.is_displayed()]
    assert len(shown) >= (7 if repository() else 5) and all(element.accessible_name for element in shown)
    ActionChains(driver).move_to_element(shown[-1]).pause(1).perform()  # the theme's came after half a second
    assert not driver.find_elements("css selector", ".tooltip")


@each_width
def test_what_opens_is_accessible(driver, published, width):
    browser.view(driver, width)
    browser.open_page(driver, published + PAGE)
    reader = Reader(driver, "mouse")
    for button in [MENU, CONTENTS, SEARCH, f"{DOWNLOADS} > button"]:
        if button != CONTENTS or width < 1200:
            reader.press(button)
            for theme in ["light", "dark"]:
                browser.view(driver, width, theme=theme)
                assert not browser.axe(driver), (button, theme)
            reader.type(Keys.ESCAPE)
