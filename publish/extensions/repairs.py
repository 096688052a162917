"""Repairs to what stock extensions and the theme emit: valid pages that ask no other site for anything."""

import re

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

REPEATED = ("proof", "proof-content", "exercise-content", "solution-content")


class UniqueIds(SphinxPostTransform):
    """Proofs, theorems and exercises all give their content the same id; number them, the first one too.

    Where the first kept its id, sphinx-proof's style for ``#proof`` held for one proof of a page only.
    """

    default_priority = 999

    def run(self, **kwargs):
        seen = {}
        for node in self.document.findall(nodes.Element):
            for index, identity in enumerate(node.get("ids", [])):
                if identity in REPEATED:
                    seen[identity] = seen.get(identity, 0) + 1
                    node["ids"][index] = f"{identity}-{seen[identity]}"


class OneFold(SphinxPostTransform):
    """Hidden cells that follow each other, and print nothing before the last, are opened by one click.

    A cell has at most 25 lines, so what prepares a figure is often cut into several; to a reader it is one.
    """

    default_priority = 198  # before myst-nb puts its fold around each cell
    formats = ("html",)

    def run(self, **kwargs):
        for below in list(self.document.findall(_folded)):
            place = below.parent.index(below)
            above = below.parent[place - 1] if place else None
            if _folded(above) and len(above) == 1:  # the source alone
                code = above[0].children
                above.parent.remove(above)
                below[0].insert(0, code)


def _folded(cell):
    """Whether this is a code cell of which only the source is hidden."""
    return (
        isinstance(cell, nodes.container)
        and cell.get("nb_element") == "cell_code"
        and cell.get("hide_mode") == "input"
        and bool(cell.children)
        and cell.children[0].get("nb_element") == "cell_code_source"
    )


class KeptTogether(SphinxPostTransform):
    """No line begins with a per cent sign."""

    default_priority = 198
    code = (nodes.literal, nodes.literal_block, nodes.raw)

    def run(self, **kwargs):
        for text in list(self.document.findall(nodes.Text)):
            kept = re.sub(r"(?<=\d) (?=%)", "\u00a0", text)
            if kept != text and not isinstance(text.parent, self.code):
                text.parent.replace(text, nodes.Text(kept))


def one_frame(app, config):
    """Have one menu button a page, and beside it the way home.

    pydata-sphinx-theme would put a search field into its own header, which sphinx-book-theme does not show.
    That header brings a second, hidden menu button and contents button, which come first in the page, and
    each script binds the first that it finds: those that are seen would do nothing. No such header until
    https://github.com/pydata/pydata-sphinx-theme/issues/2451 is mended.
    """
    config.html_theme_options["navbar_persistent"] = []
    config.html_theme_options["article_header_start"] = ["toggle-primary-sidebar", "navbar-logo"]


def drop_outside_scripts(app, pagename, templatename, context, doctree):
    """Leave out scripts that would be fetched from another site (thebe, require.js, widgets)."""
    if "script_files" in context:
        context["script_files"] = [
            s for s in context["script_files"] if "://" not in str(getattr(s, "filename", s))
        ]


def finish_page(app, exception):
    """Last touches to the written HTML that no template of the theme lets us make."""
    if exception is not None or app.builder.format != "html":
        return
    for page in app.outdir.glob("**/*.html"):
        text = page.read_text(encoding="utf-8")
        mended = mend(text)
        if mended != text:
            page.write_text(mended, encoding="utf-8")
    keep_used_icons(app.outdir)


ICON = re.compile(r'"?([\w-]+)"?:\[\d+,\d+,(\[[^\]]*\]),"[0-9a-f]+",(?:"[^"]*"|\[[^\]]*\])\],?')


def keep_used_icons(site):
    """The theme's script holds two thousand icons, 1.4 MB on every page; leave those that the site shows."""
    script = site / "_static/scripts/fontawesome.js"
    readers = [*site.glob("**/*.html"), *(f for f in site.glob("_static/**/*.js") if f.name != script.name)]
    used = {n for f in readers for n in re.findall(r"\bfa-([a-z0-9-]+)", f.read_text(encoding="utf-8"))}

    def keep(icon):
        return icon[0] if used & {icon[1], *re.findall(r'"([\w-]+)"', icon[2])} else ""

    text = script.read_text(encoding="utf-8")
    script.write_text(ICON.sub(keep, text), encoding="utf-8")


MENDS = [
    # thebe would load itself from a content network, and its starter expects it.
    (r"<script>const THEBE_JS_URL.*?</script>\s*", ""),
    (r'<script type="text/x-thebe-config">.*?</script>\s*<script>kernelName[^<]*</script>\s*', ""),
    (r"<link[^>]*sphinx-thebe\.css[^>]*>\s*", ""),
    # An empty theme mode makes the theme's own script complain on each first visit.
    (r'localStorage\.getItem\("mode"\) \|\| ""', 'localStorage.getItem("mode") || "auto"'),
    # A button is called by what stands on it; a label that says something else confuses voice control.
    (r'(<button class="[^"]*search-button-field[^"]*") title="Search" aria-label="Search"', r"\1"),
    (r'(<i class="theme-switch[^>]*?) title="[^"]*"', r"\1"),
    (r'<summary aria-label="Toggle hidden content">', "<summary>"),
    # The theme's tooltips stand on the icons beside them, and stay after a tap. The browser has its own.
    (r'data-bs-title="', 'title="'),
    (r'data-bs-placement="\w+"\s*data-bs-toggle="tooltip"', ""),
    # A button says what it shows, not what the theme calls it.
    (r'title="Toggle primary sidebar"', 'title="Contents of the book" aria-controls="pst-primary-sidebar"'),
    (r'title="Toggle secondary sidebar"', 'title="On this page" aria-controls="pst-secondary-sidebar"'),
    # On narrow screens the side bars open as dialogs, which have no name and no button that closes them.
    (r'(<dialog id="pst-primary-sidebar-modal")', r'\1 aria-label="Contents of the book"'),
    (r'(<dialog id="pst-secondary-sidebar-modal")', r'\1 aria-label="On this page"'),
    (r'(<dialog id="pst-search-dialog")', r'\1 aria-label="Search"'),
    (
        r'<div id="pst-(?:primary|secondary)-sidebar"[^>]*>',
        r'\g<0><form method="dialog" class="lm-close">'
        '<button class="btn" aria-label="Close">×</button></form>',
    ),
    # The side bar stands outside every landmark.
    (r'(<div id="pst-primary-sidebar")', r'\1 role="complementary" aria-label="Contents of the book"'),
    # The arrow that opens a part of the contents has no name.
    (r'<summary>(<span class="toctree-toggle")', r'<summary aria-label="Pages of this part">\1'),
    # The heading is repeated for print; a page has one first-level heading.
    (r'(<div id="jb-print-docs-body"[^>]*>\s*)<h1>(.*?)</h1>', r'\1<p class="lm-print-title">\2</p>'),
    # An entry of a list must say that it is one.
    (r'role="doc-biblioentry"', 'role="listitem"'),
    # A formula is a box to the browser, which would begin a line with the full stop behind it.
    (
        r'([(\[“‘]?)(<span class="math notranslate nohighlight">[^<]*</span>)([.,;:!?)\]”’]*)',
        lambda m: f'<span class="lm-glued">{m[0]}</span>' if m[1] or m[3] else m[0],
    ),
    # The space before a link belongs to the words before it, or it is underlined with the link.
    (r'(Solution to)(<a class="reference internal"[^>]*>) ', r"\1 \2"),
    # Twice the same line in the head.
    (r'(<meta name="viewport"[^>]*/>)\s*<meta name="viewport"[^>]*/>', r"\1"),
]


def mend(text):
    """The page with the theme's slips put right; a second time changes nothing."""
    if 'aria-label="Contents of the book"' in text:
        return text
    for slip, cure in MENDS:
        text = re.sub(slip, cure, text, flags=re.S)
    return text


def setup(app):
    """Register the repairs."""
    app.add_post_transform(UniqueIds)
    app.add_post_transform(OneFold)
    app.add_post_transform(KeptTogether)
    app.connect("config-inited", one_frame)
    app.connect("html-page-context", drop_outside_scripts, priority=900)
    app.connect("build-finished", finish_page, priority=900)
