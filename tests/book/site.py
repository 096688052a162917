"""The built site as files: its pages, and what they say about themselves."""

from html.parser import HTMLParser
from pathlib import Path

HTML = Path(__file__).parents[2] / "_build/html"
GENERATED = {"genindex.html", "search.html", "prf-prf.html"}  # by Sphinx, not written by us
PAGES = sorted(
    page.relative_to(HTML).as_posix()
    for page in HTML.rglob("*.html")
    if "_static" not in page.parts and page.name not in GENERATED
)


class Page(HTMLParser):
    """What one page holds: ids, links, pictures without words, headings of the first level."""

    def __init__(self, name):
        super().__init__()
        self.ids, self.links, self.unnamed, self.first_headings = [], [], [], 0
        self.feed((HTML / name).read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if "id" in given:
            self.ids.append(given["id"])
        if tag in ("a", "link") and given.get("href"):
            self.links.append(given["href"])
        if tag in ("img", "script") and given.get("src"):
            self.links.append(given["src"])
        if tag == "img" and not given.get("alt"):
            self.unnamed.append(given.get("src"))
        self.first_headings += tag == "h1"
