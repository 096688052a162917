"""What each page of the built book weighs, how soon it is seen, and what is wrong with it: ``make pages``.

Tests put bounds on these numbers (tests/publish/test_pages.py), ``make bench`` on the seconds; this writes
them down. A page is loaded from this machine with nothing in the cache and nothing compressed, as if
by its first visitor.
"""

import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

from tqdm import tqdm

from benchmarks import output

RESULTS = Path(__file__).parent / "results/pages.json"
TIMES = 3  # loads; the best counts


def tables(results):
    """For the pages of the book: a row for each page."""
    headings = ["Page", "kB", "own kB", "Requests", "First picture (ms)", "axe", "Too wide (px)"]
    keys = ["weight", "own", "requests", "seen", "axe", "overflow"]
    return {"pages": (headings, [[name, *(f"{row[k]:,}" for k in keys)] for name, row in results.items()])}


@contextmanager
def visitor():
    """A browser, and the address at which it finds the book."""
    from tests.publish import browser, site

    server, address = site.publish()
    with tempfile.TemporaryDirectory() as profile:
        driver = browser.start(profile)
        try:
            yield driver, address
        finally:
            driver.quit()
            server.shutdown()
            server.server_close()


def rows(pages=None):
    """``{page: numbers}``, measured now; of all pages when ``pages`` is left out."""
    from tests.publish import site
    from tests.publish.measure import load, measure

    found = {}
    with visitor() as (driver, address):
        for page in tqdm(pages or site.EVERY, unit=" pages", disable=None):
            looked = measure(driver, address + page)
            seen = [looked["seen"], *(load(driver, address + page)["seen"] for _ in range(TIMES - 1))]
            found[page] = {
                "weight": round(looked["weight"] / 1000),
                "own": round((looked["weight"] - looked["shared"]) / 1000),
                "requests": looked["requests"],
                "seen": min(seen),
                "axe": sum(map(len, looked["axe"].values())),
                "overflow": max(wide for wide, _ in looked["overflow"].values()),
            }
    return found


def first_pictures():
    """Seconds until the front page and the three largest pages are seen with their first picture."""
    from tests.publish import site
    from tests.publish.measure import load

    largest = sorted(site.PAGES, key=lambda page: (site.HTML / page).stat().st_size)[-3:]
    with visitor() as (driver, address):
        return {
            page: min(load(driver, address + page)["seen"] for _ in range(TIMES)) / 1000
            for page in ["index.html", *largest]
        }


def main(pages=None):
    """Measure, print, keep (all pages only)."""
    results = rows(pages)
    output.show(tables(results))
    if not pages:
        output.keep(RESULTS, results)
        print(f"Written to {RESULTS}")


if __name__ == "__main__":
    main(sys.argv[1:])
