"""Repairs to what the theme and stock extensions write, each until its upstream mends it.

``tests/publish/test_repairs.py`` looks at the built pages and fails for each repair that has nothing to do
any longer: then it goes. What a page carries (``WORDS``) is put right by a short script before the theme's
own scripts run; nothing edits finished pages.
"""

import functools
import json
import re

from docutils import nodes
from pybtex import plugin
from sphinx.transforms.post_transforms import SphinxPostTransform

PST = "https://github.com/pydata/pydata-sphinx-theme"
TOOLTIP = f"{PST}/pull/924"  # where they came from
DIALOG = f"{PST}/pull/1942"  # where side bars became dialogs
LANDMARK = f"{PST}/pull/1454"
NAME = f"{PST}/pull/1582"
BOOK, HERE = "Contents of the book", "On this page"
# (elements with the slip, {attribute: what it must be, or None: it must go}, where upstream speaks of it)
WORDS = [
    # A button is called by what stands on it; a label that says something else confuses voice control.
    ('.search-button-field[aria-label="Search"]', {"title": None, "aria-label": None}, f"{PST}/issues/920"),
    (".theme-switch[title]", {"title": None}, f"{PST}/issues/920"),
    ('summary[aria-label="Toggle hidden content"]', {"aria-label": None}, "not reported yet: myst-nb 1.4.0"),
    # The theme's tooltips stand on the icons beside them. The browser has its own.
    ("[data-bs-title]", {"title": "data-bs-title", "data-bs-title": None}, TOOLTIP),
    ('[data-bs-toggle="tooltip"]', {"data-bs-toggle": None, "data-bs-placement": None}, TOOLTIP),
    # A button says what it shows, not what the theme calls it.
    ('[title="Toggle primary sidebar"]', {"title": BOOK, "aria-controls": "pst-primary-sidebar"}, NAME),
    ('[title="Toggle secondary sidebar"]', {"title": HERE, "aria-controls": "pst-secondary-sidebar"}, NAME),
    # On narrow screens the side bars open as dialogs, which have no name.
    ("#pst-primary-sidebar-modal:not([aria-label])", {"aria-label": BOOK}, DIALOG),
    ("#pst-secondary-sidebar-modal:not([aria-label])", {"aria-label": HERE}, DIALOG),
    ("#pst-search-dialog:not([aria-label])", {"aria-label": "Search"}, DIALOG),
    # The side bar stands outside every landmark.
    ("#pst-primary-sidebar:not([role])", {"role": "complementary", "aria-label": BOOK}, LANDMARK),
    # An entry of a list must say that it is one.
    ('[role="doc-biblioentry"]', {"role": "listitem"}, "https://github.com/w3c/dpub-aria/issues/70"),
]
# The arrow that opens a part of the contents has no name (NAME), and every fold has the same one
# (sphinx-togglebutton 0.4.5, not reported yet): each is called by what it opens.
SCRIPT = """
for (const arrow of document.querySelectorAll("summary:has(> .toctree-toggle)")) {
  const page = arrow.closest("li").querySelector("a").textContent.trim();
  arrow.setAttribute("aria-label", `Pages under ${page}`);
}
document.addEventListener("DOMContentLoaded", () => {
  for (const button of document.querySelectorAll(".toggle-button")) {
    const words = [...button.parentElement.childNodes].filter((part) => part !== button);
    button.setAttribute("aria-label", words.map((part) => part.textContent.trim()).join(" ").trim());
  }
});
for (const [where, wanted] of %s)
  for (const element of document.querySelectorAll(where))
    for (const [name, value] of Object.entries(wanted))
      if (value === null) element.removeAttribute(name);
      else element.setAttribute(name, element.getAttribute(value) ?? value);
/* Its icons are drawn by another script, sometimes before this one, with the same words as a title. */
const bare = () => document.querySelectorAll(".theme-switch").forEach((icon) => {
  icon.querySelector("title")?.remove();
  icon.removeAttribute("aria-labelledby");
  icon.setAttribute("aria-hidden", "true");
});
for (const button of document.querySelectorAll(".theme-switch-button"))
  new MutationObserver(bare).observe(button, {childList: true, subtree: true});
bare();
for (const bar of document.querySelectorAll("#pst-primary-sidebar, #pst-secondary-sidebar"))
  bar.insertAdjacentHTML("afterbegin", '<form method="dialog" class="lm-close">'
    + '<button class="btn" aria-label="Close">×</button></form>');
"""
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


class LinksBeginWithWords(SphinxPostTransform):
    """The space before a link belongs to the words before it, or it is underlined with the link.

    sphinx-exercise 1.2.1 writes it so, behind "Solution to".
    """

    default_priority = 999

    def run(self, **kwargs):
        for link in list(self.document.findall(nodes.reference)):
            first = next(link.findall(nodes.Text), None)
            if first is not None and first.startswith(" "):
                first.parent.replace(first, nodes.Text(first.lstrip()))
                link.parent.insert(link.parent.index(link), nodes.Text(" "))


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
    """No line begins with a per cent sign, or with the full stop behind a formula (a box to the browser)."""

    default_priority = 198
    formats = ("html",)
    code = (nodes.literal, nodes.literal_block, nodes.raw)

    def run(self, **kwargs):
        for text in list(self.document.findall(nodes.Text)):
            kept = re.sub(r"(?<=\d) (?=%)", "\u00a0", text)
            if kept != text and not isinstance(text.parent, self.code):
                text.parent.replace(text, nodes.Text(kept))
        for formula in list(self.document.findall(nodes.math)):
            self.glue(formula)

    def glue(self, formula):
        """Put a formula, and the bracket and the stop that touch it, into one span that is not broken."""
        around, place = formula.parent, formula.parent.index(formula)
        before, after = "", ""
        if place + 1 < len(around) and isinstance(text := around[place + 1], nodes.Text):
            after = re.match(r"[.,:;!?)\]”’]*", text)[0]
            around[place + 1] = nodes.Text(text[len(after) :])
        if place and isinstance(text := around[place - 1], nodes.Text) and text[-1:] in tuple("([“‘"):
            before = text[-1]
            around[place - 1] = nodes.Text(text[:-1])
        if before or after:
            whole = nodes.inline("", before, classes=["lm-glued"])
            around[place] = whole
            whole += [formula, nodes.Text(after)]


def one_frame(app, config):
    """Have one menu button a page, and beside it the way home.

    pydata-sphinx-theme would put a search field into its own header, which sphinx-book-theme does not show.
    That header brings a second, hidden menu button and contents button, which come first in the page, and
    each script binds the first that it finds: those that are seen would do nothing. No such header until
    https://github.com/pydata/pydata-sphinx-theme/issues/2451 is mended.
    """
    config.html_theme_options["navbar_persistent"] = []
    config.html_theme_options["article_header_start"] = ["toggle-primary-sidebar", "navbar-logo"]


def write_side_by_side(app, env):
    """Pages are written by two processes; sphinx-proof 0.4.0 cannot have them read so."""
    app.parallel = 2


ICON = re.compile(r'"?([\w-]+)"?:\[\d+,\d+,(\[[^\]]*\]),"[0-9a-f]+",(?:"[^"]*"|\[[^\]]*\])\],?')


def keep_used_icons(app, exception):
    """The theme's script holds two thousand icons, 1.4 MB on every page; leave those that the site shows.

    Until https://github.com/pydata/pydata-sphinx-theme/issues/2379 is mended.
    """
    if exception is not None or app.builder.format != "html":
        return
    site = app.outdir
    script = site / "_static/scripts/fontawesome.js"
    readers = [*site.glob("**/*.html"), *(f for f in site.glob("_static/**/*.js") if f.name != script.name)]
    used = {n for f in readers for n in re.findall(r"\bfa-([a-z0-9-]+)", f.read_text(encoding="utf-8"))}

    def keep(icon):
        return icon[0] if used & {icon[1], *re.findall(r'"([\w-]+)"', icon[2])} else ""

    text = script.read_text(encoding="utf-8")
    script.write_text(ICON.sub(keep, text), encoding="utf-8")


def setup(app):
    """Register the repairs."""
    # For each citation pybtex would look through the lists of all installed packages.
    plugin._load_entry_point = functools.cache(plugin._load_entry_point)
    for transform in (UniqueIds, LinksBeginWithWords, OneFold, KeptTogether):
        app.add_post_transform(transform)
    app.connect("config-inited", one_frame)
    app.connect("env-updated", write_side_by_side)
    words = [(where, wanted) for where, wanted, _ in WORDS]
    app.add_js_file(None, body=SCRIPT % json.dumps(words), type="module")  # a module waits for the page
    app.connect("build-finished", keep_used_icons, priority=900)
