"""What search engines and shared links show of a page, and the page for lost readers.

The tags and the cards are sphinxext-opengraph's, the lost page is sphinx-notfound-page's. By hand: the words
of a description, because sphinxext-opengraph takes LaTeX for words and cuts sentences; the site map, because
sphinx-sitemap names only the pages that this build has written, and a build writes what has changed.

While nobody has said where the course lives (``make address``) a head names no address: no canonical link, no
card, no site map.

The lost page is shown at any depth, so its addresses begin at the root of the site. Where that is not known
they are relative to the folder of the pages, and on a server to its root.
"""

import re
from html import escape
from urllib.parse import urlsplit

from docutils import nodes

from _ext.address import published

SHORTEST, LONGEST = 30, 200  # letters of a description; search engines show 150 to 200
GOALS = "What you will be able to do"  # the words above a chapter's list
NUMBER = re.compile(r'<span class="section-number">[^<]*</span>')
LOST = """<h1>There is no such page</h1>
<p>The address may be mistyped, or the page has moved. The contents are in the side bar, or begin at the
<a href="{0}index.html">front page</a>, or <a href="{0}search.html">search</a> the book.</p>"""
BASE = """<base href="/"><script>if (location.protocol === "file:") document.querySelector("base").remove();
</script>"""


def name_places(app, config):
    """All full addresses begin where the site is published; the workflow sets that to the fork's own."""
    base = config.html_baseurl = config.ogp_site_url = published() or ""
    if not base:
        config.ogp_social_cards = {"enable": False}
        return
    # A path: sphinx-notfound-page warns of a full address, and a copy elsewhere would ask the published site.
    config.notfound_urls_prefix = urlsplit(base).path
    config.notfound_context = lost(config.notfound_urls_prefix)


def lost(root):
    """What the page for lost readers says; its links begin with the root of the site."""
    return {"title": "There is no such page", "body": LOST.format(root)}


def without_address(app, pagename, templatename, context, doctree):
    """Take out what sphinxext-opengraph says of the place of a page that has none."""
    if pagename == "404":
        context["metatags"] = BASE
    if doctree:
        context["metatags"] = re.sub(r'<meta property="og:url"[^>]*>\n?', "", context["metatags"])


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
        within = isinstance(paragraph.parent, nodes.section | nodes.document)
        if within and "lm-reading" not in paragraph["classes"]:
            said = packed(re.split(r"(?<=[.?!:]) ", words(paragraph)))
            if len(said) >= SHORTEST:
                return said
    return packed((title.astext() for title in doctree.findall(nodes.title)), "; ")


def describe(app, pagename, templatename, context, doctree):
    """Let sphinxext-opengraph see the description alone: it asks for nothing else, the page is rendered."""
    if doctree:
        context["title"] = NUMBER.sub("", context["title"])
        doctree[:] = [nodes.paragraph(text=description(doctree))]


def write_for_robots(app, exception):
    """The site map and the robots' page."""
    base = app.config.html_baseurl
    if exception is not None or app.builder.format != "html":
        return
    if not base:
        for name in ("sitemap.xml", "robots.txt"):  # of an address that the course had
            (app.outdir / name).unlink(missing_ok=True)
        return
    pages = [app.builder.get_target_uri(name) for name in sorted(app.env.found_docs)]
    places = "\n".join(f"  <url><loc>{escape(base + page)}</loc></url>" for page in pages)
    site_map = '<?xml version="1.0" encoding="UTF-8"?>\n'
    site_map += f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{places}\n</urlset>\n'
    (app.outdir / "sitemap.xml").write_text(site_map, encoding="utf-8")
    robots = f"User-agent: *\nAllow: /\nSitemap: {base}sitemap.xml\n"
    (app.outdir / "robots.txt").write_text(robots, encoding="utf-8")


def setup(app):
    """Register everything."""
    app.setup_extension("sphinxext.opengraph")
    if published():
        app.setup_extension("notfound.extension")
    else:
        app.connect("html-collect-pages", lambda app: [("404", lost(""), "page.html")])
        app.connect("html-page-context", without_address, priority=600)
    app.connect("config-inited", name_places)
    app.connect("html-page-context", describe, priority=400)
    app.connect("build-finished", write_for_robots, priority=800)
