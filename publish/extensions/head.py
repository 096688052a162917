"""For search engines, shared links and lost readers: descriptions, a card, a site map, a 404 page.

A page is described by its own words; nobody writes them twice. Everything that must name the
published address in full, as these services demand, starts from ``html_baseurl``, which the publishing
workflow sets to the fork's own.
"""

import re
from html import escape
from urllib.parse import urlsplit

from docutils import nodes

from publish.card import HEIGHT, WIDTH, draw_card

SHORTEST, LONGEST = 30, 200  # letters of a description; search engines show 150 to 200
GOALS = "What you will be able to do"  # the words above a chapter's list
GENERATED = {
    "genindex": "Every name of the package and every term that the pages mark, in alphabetical order.",
    "search": "Search all chapters, labs and reference pages.",
    "404": "This page does not exist. The contents of the book are beside it.",
}
LOST = """<h1>There is no such page</h1>
<p>The address may be mistyped, or the page has moved. The contents are in the side bar, or begin at the
<a href="index.html">front page</a>, or <a href="search.html">search</a> the book.</p>"""


def published(app):
    """The address of the front page, with a slash at its end."""
    return app.config.html_baseurl.rstrip("/") + "/"


def words(node):
    """The text of a paragraph; a footnote mark and a citation are no words."""
    if isinstance(node, nodes.Text):
        return node.astext()
    if "bibtex" in node.get("classes", []) or isinstance(node, nodes.footnote_reference):
        return ""
    return "".join(words(child) for child in node.children)


def packed(parts, between=" "):
    """As many of these parts as fit, from the first; those with formulas do not read well and are left out.

    Examples
    --------
    >>> packed(["Take ten points.", r"Then \\alpha is chosen.", "They vote:"])
    'Take ten points. They vote.'
    """
    result = ""
    for part in parts:
        part = re.sub(r" (?=[.,:;?!])", "", re.sub(r"\s+", " ", part)).strip()
        if result and len(result + between + part) > LONGEST:
            break
        if part and "\\" not in part:
            result += between * bool(result) + part
    return result[:LONGEST].rstrip(":;, ") + "." * result.endswith((":", ";", ","))


def description(doctree):
    """What a chapter promises; of other pages the first sentences, or else the headings."""
    for goals in doctree.findall(nodes.bullet_list):
        before = goals.parent[goals.parent.index(goals) - 1]
        if before.astext() == GOALS:
            skills = (words(item).rstrip(";. \n") for item in goals)
            return f"Learn to {packed(skills, '; ')}."
    for paragraph in doctree.findall(nodes.paragraph):
        if isinstance(paragraph.parent, nodes.section | nodes.document):
            said = packed(re.split(r"(?<=[.?!:]) ", words(paragraph)))
            if len(said) >= SHORTEST:
                return said
    return packed((title.astext() for title in doctree.findall(nodes.title)), "; ")


def describe(app, pagename, templatename, context, doctree):
    """Put the description, and what a shared link shows, into the head of the page."""
    base = published(app)
    said = GENERATED.get(pagename) or (description(doctree) if doctree else "")
    title = re.sub(r"<[^>]*>", "", str(context.get("title", app.config.project)))
    tags = [
        ("name", "description", escape(said)),
        ("property", "og:type", "article" if pagename.startswith(("chapters/", "labs/")) else "website"),
        ("property", "og:site_name", escape(app.config.project)),
        ("property", "og:title", title),
        ("property", "og:description", escape(said)),
        ("property", "og:url", f"{base}{pagename}.html"),
        ("property", "og:image", f"{base}_static/card.png"),
        ("property", "og:image:width", WIDTH),
        ("property", "og:image:height", HEIGHT),
        ("property", "og:image:alt", "Large Margins: points of two kinds, and the widest road between them."),
        ("name", "twitter:card", "summary_large_image"),
    ]
    lines = "\n".join(f'    <meta {kind}="{key}" content="{value}" />' for kind, key, value in tags)
    context["metatags"] = f"{context.get('metatags', '')}\n{lines}"


def add_lost_page(app):
    """Called by Sphinx for pages without a source."""
    yield "404", {"title": "There is no such page", "body": LOST}, "page.html"


def from_anywhere(html, base):
    """The 404 page is shown at any depth, so what it names must not depend on where it stands."""

    def absolute(match):
        before, address = match.groups()
        return f"{before}{base}{'' if address in ('#', './') else address}"

    return re.sub(
        r'(\b(?:href|src|action|data-content_root)=")(?!#\w|/|data:|[a-z]+:)([^"]*)', absolute, html
    )


def write_for_robots(app, exception):
    """The site map, the robots' page, the card; and links of the 404 page from the root of the site."""
    if exception is not None or app.builder.format != "html":
        return
    base = published(app)
    pages = [app.builder.get_target_uri(name) for name in sorted(app.env.found_docs)]
    places = "\n".join(f"  <url><loc>{escape(base + page)}</loc></url>" for page in pages)
    files = {
        "sitemap.xml": '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{places}\n</urlset>\n',
        "robots.txt": f"User-agent: *\nAllow: /\nSitemap: {base}sitemap.xml\n",
    }
    for name, text in files.items():
        (app.outdir / name).write_text(text, encoding="utf-8")
    lost = app.outdir / "404.html"
    text = lost.read_text(encoding="utf-8")
    lost.write_text(from_anywhere(text, urlsplit(base).path or "/"), encoding="utf-8")
    draw_card(app.outdir / "_static/card.png")


def setup(app):
    """Register everything."""
    app.connect("html-page-context", describe, priority=900)
    app.connect("html-collect-pages", add_lost_page)
    app.connect("build-finished", write_for_robots, priority=800)
