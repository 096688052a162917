"""Slides from a chapter's own page: `make slides NAME=04-boosting`.

A slide shows one thing of the page: a slider that lives, a statement, a picture, a table, a piece of code,
with the sentence that leads to it. The words around it are the speaker's notes (key N); proofs, exercises and
the quiz stay in the book. What is more than fits into a lecture is left out, code and further tables of a
section first. The folder `_build/slides/NAME` needs neither network nor kernel, so it can be carried about.
"""

import argparse
import json
import re
import shutil
import sys
from pathlib import Path

from bs4 import BeautifulSoup

from _ext.paths import BUILD

MOST, LINES, WORDS = 25, 22, 40  # slides; lines of code on one; words that lead to what is shown
RANK = {"player": 0, "goals": 0, "picture": 1, "statement": 1, "mistake": 2, "list": 2, "table": 2}
RANK |= {"function": 2, "code": 3}
LEFT_OUT = ("exercises", "quiz")
ASSETS = "reveal/reveal.js reveal/reveal.css mathjax/tex-svg.js pygments.css"
ASSETS += " player.js player.css slides.js slides.css"
PAGE = """<!doctype html>
<html lang="en" data-theme="light"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
<link rel="stylesheet" href="reveal.css"><link rel="stylesheet" href="player.css">
<link rel="stylesheet" href="pygments.css"><link rel="stylesheet" href="slides.css">
{mathjax}<script defer src="tex-svg.js"></script><script defer src="reveal.js"></script>
<script defer src="player.js"></script><script defer src="slides.js"></script></head>
<body class="setting"><div class="reveal"><div class="slides">
{slides}
</div></div></body></html>
"""


def kind(block):
    """What a block of the page is to a slide, or None: words, a proof, code that only draws."""
    classes = block.get("class", [])
    if block.select_one(".lm-player"):
        return "player"
    if "proof" in classes and len(classes) > 2:
        return "statement"
    if "mistake" in classes:
        return "mistake"
    if block.select_one(".cell_output img"):
        return "picture"
    if block.name == "table" or block.select_one("table"):
        return "table"
    if block.name in ("ul", "ol"):
        return "list"
    if "cell" in classes and (code := block.select_one(".cell_input, .cell_output .highlight")):
        lines = code.get_text().strip().splitlines()
        if len(lines) <= LINES and "tag_hide-input" not in classes:
            return "function" if lines[0].startswith(("def ", "class ")) else "code"
    return None


def lead(paragraph):
    """The last sentence of the words before a thing, or all of them if they are few; "" if they are none."""
    if paragraph is None:
        return ""
    inside = paragraph.decode_contents().strip()
    if len(paragraph.get_text().split()) <= WORDS:
        return inside
    parts = re.split(r"(?<=[.?!:]) (?=[A-Z<])", inside)
    for number in range(len(parts) - 1, 0, -1):
        said = " ".join(parts[number:])
        if said.count("<") == 2 * said.count("</"):  # every mark that opens closes, too
            return said if len(BeautifulSoup(said, "html.parser").get_text().split()) <= WORDS else ""
    return ""


def things(article):
    """``(rank, heading, lead, thing, notes)`` for what the sections of a page show, in order."""
    for section in [article, *article.find_all("section", recursive=False)]:
        if section.get("id", "").startswith(LEFT_OUT):
            continue
        heading, before, notes, seen = section.find(["h1", "h2"]).decode_contents(), None, [], {}
        blocks = [b for b in section.find_all(True, recursive=False) if b.name not in ("section", "h1", "h2")]
        for number, block in enumerate(blocks):
            what = kind(block)
            if what is None:
                if block.name == "p" and "lm-reading" not in block.get("class", []):
                    notes.append(str(block))
                    before = block
                continue
            if what == "list" and (section is article or section.get("id") == "take-away"):
                what = "goals"
            said, thing = lead(before), shown(block, what)
            if why(blocks[number + 1 :]):
                thing += str(blocks[number + 1])
                blocks[number + 1] = BeautifulSoup("", "html.parser")
            yield RANK[what] + seen.get(what, 0), heading, said, thing, notes
            seen[what] = seen.get(what, 0) + 1
            before, notes = None, []


def why(following):
    """Whether a sentence that says why comes before a folded proof."""
    names = [(block.name, "dropdown" in block.get("class", [])) for block in following[:2]]
    return names == [("p", False), ("div", True)]


def shown(block, what):
    """The HTML of a thing without the code that makes it."""
    copy = BeautifulSoup(str(block), "html.parser")
    for part in copy.select("details.hide" + ("" if what in ("code", "function") else ", .cell_input")):
        part.decompose()
    for part in copy.select("section"):
        part.name = "div"  # to Reveal a section is a slide
    for part in copy.select(".lm-bet, .lm-told, .lm-more"):
        part.decompose()  # a lecturer asks, and the address is Reveal's
    for data in copy.select(".lm-player script"):
        told = json.loads(data.string)
        data.string = json.dumps({key: told[key] for key in ("root", "values", "frames")}).replace(
            "<", "\\u003c"
        )
    return str(copy)


def slides(page):
    """The slides of a page, as HTML, and its title."""
    soup = BeautifulSoup(page, "html.parser")
    article = soup.select_one("article section")
    title = article.h1.get_text().removesuffix("#")
    for mark in article.select(".headerlink"):
        mark.decompose()
    for link in article.select("a"):
        link.unwrap()
    found = list(things(article))
    kept = sorted(sorted(range(len(found)), key=lambda n: (found[n][0], n))[: MOST - 1])
    opening = article.select_one("p:not(.lm-reading)")
    made = [f'<section class="first"><h1>{title}</h1><div class="fit">{opening}</div></section>']
    for number in kept:
        _, heading, said, thing, notes = found[number]
        made.append(
            f'<section><h2>{heading}</h2><div class="fit"><div class="lead">{said}</div>{thing}</div>'
            f'<aside class="notes">{"".join(notes)}</aside></section>'
        )
    mathjax = next(str(script) for script in soup.select("script") if "window.MathJax" in script.get_text())
    return PAGE.format(title=soup.title.get_text(), mathjax=mathjax, slides="\n".join(made))


def write(name, html=BUILD / "html", folder=None):
    """Write the slides of the chapter ``name``, with all that they need; return the file to open."""
    page, folder = Path(html, f"chapters/{name}.html"), Path(folder or BUILD / "slides" / name)
    if not page.is_file():
        there = ", ".join(sorted(path.stem for path in Path(html, "chapters").glob("*.html")))
        raise ValueError(f"there is no chapter {name!r}; there are: {there or 'none, say make book first'}")
    text = slides(page.read_text(encoding="utf-8"))
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "files").mkdir(parents=True)
    for file in ASSETS.split():
        shutil.copy(Path(html, "_static", file), folder)
    for file in set(re.findall(r"[0-9a-f]{20,}\.(?:webp|png)", text)):
        (found,) = [path for place in ("_frames", "_images") if (path := Path(html, place, file)).exists()]
        shutil.copy(found, folder / "files")
    text = re.sub(r"\.\./_(frames|images)", "files", text)
    (folder / "index.html").write_text(text, encoding="utf-8")
    return folder / "index.html"


def main(arguments=None):
    """Command line: ``python -m tools.slides 04-boosting``."""
    parser = argparse.ArgumentParser(prog="python -m tools.slides", description=__doc__.splitlines()[0])
    parser.add_argument("name", help="the chapter, for example 04-boosting")
    try:
        print(f"Open {write(parser.parse_args(arguments).name)}")
    except ValueError as problem:
        parser.error(str(problem))
    return 0


if __name__ == "__main__":
    sys.exit(main())
