"""One page in the browser: what it weighs, how soon it can be seen, what is wrong with it.

The page is loaded once, with nothing in the browser's cache. Then its size and its theme are changed as a
reader does who turns a phone or the lamp off, and it is looked at again in each of the four views. Tests put
bounds on what :func:`measure` finds, and ``make pages`` prints it.
"""

from tests.publish import browser

SCREENS = [
    (1280, "light"),
    (1280, "dark"),
    (390, "dark"),
    (390, "light"),
]  # each differs in one from the last

LOADED = """
const all = performance.getEntriesByType("resource");
const [page] = performance.getEntriesByType("navigation");
const image = document.querySelector("article img");
const first = image && all.find((e) => e.name === image.src);
const painted = performance.getEntriesByName("first-contentful-paint")[0].startTime;
const near = (f) => f.getBoundingClientRect().top < innerHeight + 600;
const players = [...document.querySelectorAll(".lm-player")];
const starts = new Set(players.map((player) => player.querySelector("img").src.split("/").pop()));
const due = new Set(players.filter(near).flatMap((player) =>
  JSON.parse(player.querySelector("script").textContent).frames.map(([file]) => file)).concat(...starts));
const frame = (e) => e.name.split("/_frames/")[1];
const asked = all.filter((e) => !frame(e) || starts.has(frame(e)));
const weigh = (entries) => entries.reduce((sum, e) => sum + e.encodedBodySize, 0);
return {
  requests: asked.length + 1,
  weight: weigh([page, ...asked]),
  shared: weigh(asked.filter((e) => /_static/.test(e.name))),
  seen: Math.round(Math.max(painted, first ? first.responseEnd : 0)),
  strays: all.map(frame).filter((file) => file && !due.has(file)),
};
"""

UNFOLD = """
document.querySelectorAll("article details").forEach((fold) => (fold.open = true));
document.querySelectorAll(".toggle-hidden").forEach((fold) => fold.classList.remove("toggle-hidden"));
document.querySelectorAll("article img").forEach((image) => (image.loading = "eager"));
"""

SCROLLS = """
const boxes = [...document.querySelectorAll("article :is(pre, div.math, table, .output, .lm-table)")];
return boxes.filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.outerHTML.slice(0, 160));
"""

STOPS = """
const stops = [...document.querySelectorAll("mjx-container[tabindex='0'], span.math[tabindex='0']")];
return stops.filter((one) => !(one.closest("div.math") && one.scrollWidth > one.clientWidth)).length;
"""

FIGURES = """
const asked = (image) => parseFloat(image.getAttribute("width") || image.style.width);
return [...document.querySelectorAll("article .lm-player img, article .cell_output img")].map(
  (image) => image.getBoundingClientRect().width / asked(image));
"""

# axe-core looks at every element, and half of a chapter's elements are strokes of formulas and words of code.
# The strokes hold no text (their words stand beside them, for screen readers, and stay). Of the words of code
# one of each colour and place stays, the others become text of their line: same font, same background.
THIN = """
document.querySelectorAll("mjx-container > svg").forEach((svg) => {
  if (!svg.querySelector("text, a, title")) svg.replaceChildren();
});
document.querySelectorAll("mjx-assistive-mml math").forEach((math) => {
  if (!math.querySelector("[id], [role], [tabindex], [href]")) math.replaceChildren(math.textContent);
});
const seen = new Set();
[...document.querySelectorAll(".highlight pre span[class]")].filter((word) => {
  const look = `${word.closest(".highlight").parentElement.className} ${word.className}`;
  const known = seen.has(look);
  if (!word.id && word.checkVisibility()) seen.add(look);
  return known && !word.id && !word.children.length;
}).forEach((word) => word.replaceWith(...word.childNodes));
document.querySelectorAll(".highlight pre").forEach((code) => code.normalize());
"""


def look(driver, screen):
    """Turn to one of the views."""
    width, theme = screen
    browser.view(driver, width, theme=theme)


def load(driver, address):
    """Load the page with nothing in the browser's cache, and say what that took."""
    look(driver, SCREENS[0])
    driver.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": True})
    browser.open_page(driver, address)
    return driver.execute_script(LOADED)


def measure(driver, address):
    """Look at the page at ``address`` in all four views, everything unfolded.

    Returns
    -------
    dict
        ``weight`` and ``shared``: bytes of the page with all that it asks for at first (of a slider the start
        frame), and of those what every page asks for; ``requests``: how many these are;
        ``seen``: milliseconds until the page and its first picture are there;
        ``strays``: frames fetched though no slider that shows them is near the first screen;
        ``scrolls``: what scrolls sideways though the screen is wide;
        ``stops``: inline formulas at which Tab stops;
        ``overflow``: what sticks out of the screen, by view; ``axe``: findings, by view; ``scale``: the
        least part of its width at which a figure is shown on a phone.
    """
    found = load(driver, address)
    driver.execute_script(UNFOLD)
    found["scrolls"] = driver.execute_script(SCROLLS)
    found["overflow"], found["axe"] = {}, {}
    for screen in SCREENS:
        look(driver, screen)
        found["overflow"][screen] = browser.overflow(driver)
        found["stops"] = max(found.get("stops", 0), driver.execute_script(STOPS))
        if screen == SCREENS[-1]:
            found["scale"] = min(driver.execute_script(FIGURES), default=1.0)
    driver.execute_script(THIN)
    for screen in reversed(SCREENS):
        look(driver, screen)
        found["axe"][screen] = browser.axe(driver)
    return found
