"""What the files of the site tell: links, ids, headings, and what robots and previews read."""

import json
import posixpath
import re
import struct
import xml.etree.ElementTree as ET
from functools import cache
from urllib.parse import unquote, urldefrag, urlsplit

import pytest
import yaml
from bs4 import BeautifulSoup

from _ext.address import repository
from _ext.contents import main_chapters, pages_in_toc
from _ext.head import LONGEST, SHORTEST
from tests.publish.site import BASE, EVERY, HTML, MOVED, PAGES, PUBLISHED, ROOT, Page

pytestmark = pytest.mark.book

page_of = cache(Page)


def outside(link):
    return bool(urlsplit(link).scheme)


@pytest.mark.parametrize("page", [*PAGES, "404.html"])
def test_ids_and_headings(page):
    content = page_of(page)
    assert content.first_headings == 1
    assert len(content.ids) == len(set(content.ids)), sorted(
        {i for i in content.ids if content.ids.count(i) > 1}
    )
    assert not content.unnamed, "pictures without an alternative text"


@pytest.mark.parametrize("page", EVERY)
def test_links_inside_lead_somewhere(page):
    for link in filter(lambda link: not outside(link), page_of(page).links):
        path, place = urldefrag(unquote(link))
        path = path.split("?")[0]
        if page == "404.html" and path and PUBLISHED:
            assert path.startswith(BASE), f"{link} would be looked for where the lost reader is"
            target = HTML / path.removeprefix(BASE)
        else:
            target = (HTML / page).parent / path if path else HTML / page
        assert target.exists(), f"{page} links to {link}"
        if place and target.suffix == ".html":
            name = target.resolve().relative_to(HTML).as_posix()
            if name == "pages/playground.html" and place.startswith("method="):  # and the points follow
                assert re.fullmatch(r"method=\w+(&\w+=[\w.-]+)*", place)
                continue
            assert place in page_of(name).ids, f"{page} links to {link}, which has no such place"


@pytest.mark.parametrize("page", EVERY)
def test_links_outside_are_safe(page):
    for link in filter(outside, page_of(page).links):
        assert link.startswith(("https://", "mailto:", "data:")), link


@pytest.mark.parametrize("page", PAGES)
def test_the_head_describes_the_page(page):
    meta = page_of(page).meta
    assert SHORTEST <= len(meta["description"]) <= LONGEST + 20
    assert "\\" not in meta["description"] and meta["og:description"] == meta["description"]
    assert meta["og:title"] and meta["og:site_name"] == "Large Margins"
    if not PUBLISHED:
        assert not {"og:url", "og:image", "twitter:card"} & {*meta}
        return
    assert meta["og:url"] == PUBLISHED + page
    assert meta["og:image"].startswith(PUBLISHED) and meta["og:image:alt"]
    picture = (HTML / meta["og:image"].removeprefix(PUBLISHED)).read_bytes()
    size = struct.unpack(">II", picture[16:24])
    assert size == (int(meta["og:image:width"]), int(meta["og:image:height"])) and len(picture) < 300_000


def test_chapters_and_what_they_state_are_numbered_by_the_contents():
    parts = yaml.safe_load((ROOT / "_toc.yml").read_text())["parts"]
    entries = [entry for part in parts if "numbered" in part for entry in part["chapters"]]
    chapters = [f"{entry['file']}.html" for entry in entries]
    number_of = {f"{p}.html": n for n, entry in enumerate(entries, 1) for p in pages_in_toc(entry)}
    for number, page in enumerate(chapters, 1):
        soup = BeautifulSoup((HTML / page).read_text(encoding="utf-8"), "html.parser")
        title = soup.h1.get_text()
        assert title.startswith(f"{number}. ")
        assert soup.title.get_text() == f"{title.partition('. ')[2].removesuffix('#')} | Large Margins"
        assert f"{number}. " in soup.select_one(".bd-docs-nav .current.active > a").get_text()
        stated = [words.get_text().strip() for words in soup.select(".proof.theorem .caption-number")]
        assert stated == [f"Theorem {number}.{at}" for at in range(1, len(stated) + 1)]
        for link in soup.select("article a.internal"):
            called = re.match(r"[Cc]hapter (\d+)$", link.get_text())
            if called and (target := link["href"].partition("#")[0]):
                assert number_of[posixpath.normpath(f"chapters/{target}")] == int(called[1]), link
                assert not called[1].startswith("0")
        assert re.match(r"About \d+ minutes to read", soup.select_one(".lm-reading").get_text())


def test_no_two_pages_are_described_alike():
    said = [page_of(page).meta["description"] for page in PAGES]
    assert len(set(said)) == len(PAGES)


def test_nothing_names_an_address_that_is_none():
    """As the course comes from its authors; in a fork the workflow has said where it lives."""
    if repository():
        return
    pretended = ("OWNER/NAME", "owner.github.io", 'rel="canonical"')
    asked = [p for p in HTML.rglob("*") if p.suffix in (".html", ".js", ".txt", ".xml", ".ipynb", ".md")]
    found = [p for p in asked if any(words in p.read_text(encoding="utf-8") for words in pretended)]
    assert len(asked) > 100 and not found


def test_the_page_for_lost_readers_finds_its_look_in_a_folder():
    if PUBLISHED:
        return  # it is shown at any depth, so its links begin at the root of the site
    looks = [link for link in page_of("404.html").links if ".css" in link]
    assert len(looks) > 3 and all((HTML / urldefrag(link)[0].split("?")[0]).exists() for link in looks)


@pytest.mark.skipif(not PUBLISHED, reason="nobody has said where the site is published: make address")
def test_the_site_map_and_robots_name_what_exists():
    places = [node.text for node in ET.parse(HTML / "sitemap.xml").iter() if node.tag.endswith("}loc")]
    assert sorted(places) == sorted(PUBLISHED + page for page in PAGES)
    assert f"Sitemap: {PUBLISHED}sitemap.xml" in (HTML / "robots.txt").read_text().splitlines()


def test_old_addresses_lead_to_pages():
    for old, new in MOVED.items():
        assert f"{old}.html" not in PAGES, "there is such a page"
        assert (HTML / f"{old}.html").exists()
        assert new.removeprefix("/") in PAGES, f"{old} is said to have gone to {new}, which is no page"


def test_every_card_of_the_front_page_has_a_sentence_and_a_picture():
    cards = BeautifulSoup((HTML / "index.html").read_text(encoding="utf-8"), "html.parser").select(
        ".lm-cards li"
    )
    assert len(cards) == len(main_chapters()) - 1  # one chapter has a second page
    for card in cards:
        _, title, promise, *_ = card.select("p")
        assert promise.get_text().strip(), f"{title.get_text()}: its title promises nothing behind a colon"
        assert (HTML / card.img["src"]).stat().st_size > 500 and len(card.img["alt"]) > 20


def test_folded_code_is_called_what_it_is():
    folds = [
        fold.get_text().split("\n")[0].strip()
        for page in PAGES
        for fold in BeautifulSoup((HTML / page).read_text(encoding="utf-8"), "html.parser").select(
            "details.hide > summary > .collapsed"
        )
    ]
    assert len(folds) > 100 and {*folds} == {"Code of this figure", "The function itself"}


def test_what_a_reader_must_know_comes_first():
    first, *_ = pages_in_toc(yaml.safe_load((ROOT / "_toc.yml").read_text())["parts"])
    assert first == "pages/prerequisites"


def test_there_is_an_icon():
    assert any(link.endswith("favicon.svg") for link in page_of("index.html").links)


def test_every_icon_that_a_page_shows_is_among_those_that_were_kept():
    script = (HTML / "_static/scripts/fontawesome.js").read_text(encoding="utf-8")
    assert len(script) < 150_000
    source = ["github", "pencil-alt"] if "github.com" in (repository() or "") else []
    for name in ["moon", "sun", "download", "magnifying-glass", "circle-half-stroke", *source]:
        assert f'"{name}"' in script or f"{name}:[" in script


def test_frames_of_every_slider_are_there():
    for page in PAGES:
        text = (HTML / page).read_text(encoding="utf-8")
        for part in text.split('<script type="application/json">')[1:]:
            data = json.loads(part.partition("</script>")[0])
            for file, _ in data["frames"]:
                assert ((HTML / page).parent / data["root"] / file).exists(), f"{page}: {file}"
