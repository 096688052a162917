"""Headless Chromium for tests of the built book: it listens to everything and reaches nothing outside."""

import json
import shutil
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
AXE = Path(__file__).parent / "vendor/axe.min.js"


def start(profile, touch=False):
    """A browser with an empty profile; its console and its requests are logged."""
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    quiet = "disable-gpu disable-quic no-first-run disable-sync disable-component-update"
    for flag in [
        "headless=new",
        "no-sandbox",
        *quiet.split(),
        "disable-background-networking",
        "hide-scrollbars",
        f"user-data-dir={profile}",
    ]:
        options.add_argument(f"--{flag}")
    options.add_argument("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost")
    if touch:
        options.add_argument("--touch-events=enabled")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    driver.set_page_load_timeout(60)
    return driver


def view(driver, width, height=900, theme="light", motion="reduce"):
    """Set the size of the page (not of the window, which has a least width), its theme, and what may move."""
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    wishes = {"prefers-color-scheme": theme, "prefers-reduced-motion": motion}
    prefers = [{"name": name, "value": value} for name, value in wishes.items()]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": prefers})


def open_page(driver, address):
    """Open a page, wait until its formulas are set, and forget what was logged before."""
    driver.get_log("performance"), driver.get_log("browser")
    driver.get(address)
    driver.set_script_timeout(60)
    driver.execute_async_script(
        "const done = arguments[0]; const set = window.MathJax && MathJax.startup && MathJax.startup.promise;"
        "Promise.resolve(set).then(() => requestAnimationFrame(() => setTimeout(done, 50)));"
    )


def requests(driver):
    """Every request since the page was opened, as (address, status or the failure's name)."""
    sent, seen = {}, []
    for entry in driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        kind, data = message["method"], message["params"]
        if kind == "Network.requestWillBeSent":
            sent[data["requestId"]] = data["request"]["url"]
        elif kind == "Network.responseReceived":
            seen.append((data["response"]["url"], data["response"]["status"]))
        elif kind == "Network.loadingFailed" and not data.get("canceled"):
            seen.append((sent.get(data["requestId"], "?"), data["errorText"]))
    return seen + [(url, None) for url in sent.values() if url not in dict(seen)]


def console(driver):
    """Errors and warnings of the page's console."""
    return [
        entry["message"] for entry in driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")
    ]


def complaints(driver, home):
    """What the console says since the page was opened, and requests that leave ``home`` or find nothing."""
    fine = {200, 304, None}  # 304: as the browser has it already
    if home.startswith("file:"):
        fine.add(0)  # a file has no status
    wrong = [
        f"asks {url} and gets {status}"
        for url, status in requests(driver)
        if not url.startswith((home, "data:", "blob:")) or status not in fine
    ]
    return console(driver) + wrong


def axe(driver):
    """What axe-core finds with its default rules, one line each."""
    if not driver.execute_script("return !!window.axe"):  # once a page, which is asked in several views
        driver.execute_script(AXE.read_text(encoding="utf-8"))
    found = driver.execute_async_script(
        "const done = arguments[0]; axe.run({preload: false, resultTypes: ['violations']})"
        ".then(done, (e) => done(String(e)));"
    )
    if isinstance(found, str):
        raise RuntimeError(f"axe-core did not run: {found}")
    return [
        f"{v['id']} ({v['impact']}): {node['html'][:160]} [{' '.join(map(str, node['target']))}]"
        for v in found["violations"]
        for node in v["nodes"]
    ]


def overflow(driver):
    """Pixels by which the page is wider than the screen, and what sticks out."""
    return driver.execute_script(
        "const wide = document.documentElement.scrollWidth - innerWidth; if (wide <= 0) return [0, []];"
        "const out = (e) => e.getBoundingClientRect().right > innerWidth + 1;"
        "return [wide, [...document.querySelectorAll('main *')].filter(out).slice(0, 5)"
        ".map(e => e.tagName + '.' + e.className)];"
    )


def screenshot(driver, path, full=True):
    """Write what is seen, or the whole page, as PNG."""
    import base64

    options = {"captureBeyondViewport": full}
    if full:
        size = driver.execute_cdp_cmd("Page.getLayoutMetrics", {})["cssContentSize"]
        options["clip"] = {
            "x": 0,
            "y": 0,
            "width": size["width"],
            "height": min(size["height"], 15000),
            "scale": 1,
        }
    data = driver.execute_cdp_cmd("Page.captureScreenshot", options)["data"]
    Path(path).write_bytes(base64.b64decode(data))
