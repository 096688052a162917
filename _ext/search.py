r"""Search: a script with every section of the site, which the search page alone loads.

Sphinx's own search ends at the top of a page, and in a folder, where a page may not fetch others, it shows no
words. Ours is given what stands open, and proofs, and which terms the index of terms explains there.
Solutions, answers, what code prints, and the cells of labs (their checks know answers) stay out.
``_ext/assets/search.js`` gives it to MiniSearch.
"""

import json
import re
import unicodedata

from bs4 import BeautifulSoup

ARTICLE = re.compile(r'<article class="bd-article".*?</article>', re.S)
CODE, TAG = re.compile(r"<pre>.*?</pre>", re.S), re.compile(r"<[^>]*>")
UNSEEN = (
    ".headerlink, .solution, .lm-answer, .lm-player, .lm-reading, .cell_output, .toctree-wrapper, "
    "details.hide, button, script, style"
)
HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6", "dt"]
SIGNS = dict(zip("le ge ne cdot times in sum infty to".split(), "≤≥≠·×∈Σ∞→", strict=True))


def sign(command):
    """The Greek letter or the sign that a command of LaTeX is; other commands stay."""
    kind = "CAPITAL" if command[1][0].isupper() else "SMALL"
    name = command[1].removeprefix("var").replace("mbd", "md")  # so Unicode spells lambda
    try:
        return unicodedata.lookup(f"GREEK {kind} LETTER {name}")
    except KeyError:
        return SIGNS.get(command[1], command[0])


def plain(formula):
    r"""A simple formula as a line of text, others as an ellipsis.

    >>> plain(r"\(\alpha_t \le 1\)"), plain(r"\(\frac12 \ln 2\)")
    ('α_t ≤ 1', '…')
    """
    text = re.sub(r"\\([A-Za-z]+)", sign, re.sub(r"\\[,;()]", "", formula))
    return "…" if re.search(r"[\\{}&]", text) else " ".join(text.split())


def sections(html, lab=False):
    """``[title, [[anchor, title, text], ...]]`` of a page; the first of its sections is its beginning."""
    article = ARTICLE.search(html)[0]
    article = CODE.sub(lambda code: TAG.sub("", code[0]), article)  # most of its elements are colours of code
    page = BeautifulSoup(article, "html.parser")
    for unseen in page.select(UNSEEN + ", .cell" * lab):
        unseen.decompose()
    for formula in page.select(".math"):
        formula.string = plain(formula.text) if formula.name == "span" else "…"
    for after in page.select("dt .classifier, dd"):
        after.insert_before(" ")
    found = []
    for part in reversed(page.select("section[id], dl.py:not(dl.py dl.py)")):  # the inner ones first
        heading = part.find(HEADINGS, recursive=False)
        if heading is None or not (anchor := heading.get("id") or part.get("id")):
            continue  # what a theorem or an exercise says is a section of its own in HTML only
        title = heading.text if part.name == "section" else anchor
        heading.extract()
        found.insert(0, [anchor, *(" ".join(text.split()) for text in (title, part.extract().text))])
    return [found[0][1], found]


def terms(html):
    """``{address#anchor: terms}``: what the index of terms says is explained there.

    >>> terms('<ul class="lm-terms"><li><a href="../chapters/02.html#what">bag</a> of trees</li></ul>')
    {'chapters/02.html#what': 'bag of trees'}
    """
    found = {}
    for entry in BeautifulSoup(html, "html.parser").select(".lm-terms li"):
        for place in entry.select("a"):
            said = found.setdefault(place["href"].removeprefix("../"), [])
            said.append(" ".join(entry.text.split()))
    return {place: "; ".join(said) for place, said in found.items()}


def write(app, exception):
    """Called when all pages are there; of those that this build has not written, the sections are known."""
    if exception is not None or app.builder.name != "html":
        return
    memory, site = app.doctreedir / "sections.json", {}
    known = json.loads(memory.read_text(encoding="utf-8")) if memory.exists() else {}
    for page in sorted(app.env.found_docs):
        address = app.builder.get_target_uri(page)
        path = app.outdir / address
        site[address] = known.get(address)
        if site[address] is None or site[address][0] != path.stat().st_mtime_ns:
            found = sections(path.read_text(encoding="utf-8"), page.startswith("labs/"))
            site[address] = [path.stat().st_mtime_ns, *found]
    memory.write_text(json.dumps(site), encoding="utf-8")
    index = app.outdir / app.builder.get_target_uri("pages/terms")
    explained = terms(index.read_text(encoding="utf-8")) if index.exists() else {}
    pages = []
    for address, (_, title, parts) in site.items():
        parts = [[*part, explained.get(f"{address}#{part[0]}", "")] for part in parts]
        pages.append([address, title, parts])
    shown = json.dumps(pages, ensure_ascii=False)
    (app.outdir / "sections.js").write_text(f"const SITE = {shown};\n", encoding="utf-8")


def no_other(app):
    """Sphinx writes no index of its own."""
    app.builder.search = False


def setup(app):
    """Called by Sphinx through this package."""
    app.connect("builder-inited", no_other)
    app.connect("html-collect-pages", lambda app: [("search", {"title": "Search"}, "search.html")])
    app.connect("build-finished", write)
