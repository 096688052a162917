"""What each page of the built book weighs, how soon it is seen, and what is wrong with it: ``make pages``.

Tests put bounds on these numbers (tests/book/test_pages.py); this writes them down. A page is loaded from
this machine with nothing in the browser's cache and nothing compressed, as if by its first visitor.
"""

import sys
import tempfile
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


def rows(pages=None):
    """``{page: numbers}``, measured now; of all pages when ``pages`` is left out."""
    from tests.book import browser, site
    from tests.book.measure import load, measure

    found = {}
    server, address = site.publish()
    with tempfile.TemporaryDirectory() as profile:
        driver = browser.start(profile)
        try:
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
        finally:
            driver.quit()
            server.shutdown()
            server.server_close()
    return found


def main(pages=None):
    """Measure, print, keep (all pages only)."""
    results = rows(pages)
    output.show(tables(results))
    if not pages:
        output.keep(RESULTS, results)
        print(f"Written to {RESULTS}")


if __name__ == "__main__":
    main(sys.argv[1:])
