"""The built site: as files, with what its pages say about themselves, and as it is published."""

import re
import sys
import threading
from functools import partial
from html.parser import HTMLParser
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import yaml

from _ext.address import published
from _ext.execute import GENERATED

ROOT = Path(__file__).parents[2]
HTML = ROOT / "_build/html"
CONFIG = yaml.safe_load((ROOT / "_config.yml").read_text())
PUBLISHED, MOVED = published() or "", CONFIG["sphinx"]["config"]["redirects"]  # "": nobody has said where
BASE = urlsplit(PUBLISHED).path or "/"
EVERY = sorted(
    {p.relative_to(HTML).as_posix() for p in HTML.rglob("*.html") if "_static" not in p.parts}
    - {f"{page}.html" for page in MOVED}
)
PAGES = [page for page in EVERY if page.removesuffix(".html") not in GENERATED]
PLAYER = re.compile(r'class="lm-player" id="([\w-]+)"')
FIRST = {  # a slider of a chapter may be seen again on the front page and in the gallery: its first page
    player: page
    for page in sorted(PAGES, key=lambda page: page.startswith(("index", "pages/")), reverse=True)
    for player in PLAYER.findall((HTML / page).read_text(encoding="utf-8"))
}
WITH_SLIDERS = sorted(set(FIRST.values()))


class Page(HTMLParser):
    """What one page holds: ids, links, pictures without words, headings of the first level, meta data."""

    def __init__(self, name):
        super().__init__()
        self.ids, self.links, self.unnamed, self.first_headings, self.meta = [], [], [], 0, {}
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
        if tag == "meta" and (name := given.get("name") or given.get("property")):
            self.meta[name] = given["content"]
        self.first_headings += tag == "h1"


class Published(SimpleHTTPRequestHandler):
    """Answers as the publisher does: the site under its path, and ``404.html`` for what does not exist."""

    protocol_version = "HTTP/1.1"

    def translate_path(self, path):
        inside = path.startswith(BASE)
        return super().translate_path("/" + path[len(BASE) :] if inside else "/no-such-place")

    def send_error(self, code, message=None, explain=None):
        if code != HTTPStatus.NOT_FOUND:
            return super().send_error(code, message, explain)
        body = (HTML / "404.html").read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


class Server(ThreadingHTTPServer):
    """A browser that leaves a page hangs up in the middle of an answer: that is no error."""

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def publish():
    """Serve the site on this machine; return the server and the address of the front page's folder."""
    server = Server(("127.0.0.1", 0), partial(Published, directory=HTML))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_port}{BASE}"
