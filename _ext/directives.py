"""Directives of this book: a figure of another page, and the tables of the status page."""

import json
import re
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import Directive, directives
from docutils.statemachine import StringList
from myst_parser.mdit_to_docutils.base import default_slugify
from sphinx.util.nodes import nested_parse_with_titles

from _ext import slips, summary, theorems
from _ext.contents import EXECUTED, chapters, executed
from _ext.paths import ROOT
from _ext.prose import prose
from mllib.viz.explore.player import player


class Player(Directive):
    """``{player} chapters/04-boosting rounds`` shows here the figure that the chapter calls ``rounds``.

    With ``:lazy:`` even its first picture is fetched only near the viewport: for pages with many figures.
    With ``:start: rounds T = 1`` that slider stands there at first; with ``:bet:`` its bet comes before it.
    """

    required_arguments = 2
    option_spec = {"lazy": directives.flag, "bet": directives.flag, "start": directives.unchanged_required}

    def run(self):
        env = self.state.document.settings.env
        page, name = self.arguments
        path = executed(page)
        if page not in env.found_docs or not path.is_file():
            raise self.error(f"{page} is no page of the book")
        env.note_dependency(str(path))
        found = {manifest["name"]: manifest for _, manifest in summary.sliders(path)}
        if name not in found:
            raise self.error(f"{page} has no explore(..., name={name!r})")
        if "bet" not in self.options:
            found[name].pop("bet", None)
        if start := self.options.get("start"):
            label, _, value = start.rpartition(" = ")
            here = [s for s in found[name]["sliders"] if s["label"] == label and value in s["values"]]
            if not here:
                raise self.error(f"{name} has no place {start!r}")
            here[0]["start"] = here[0]["values"].index(value)
        html = player(found[name], f"{'../' * env.docname.count('/')}_frames")
        if "lazy" in self.options:
            html = html.replace("<img ", '<img loading="lazy" ', 1)
        return [nodes.raw("", html, format="html")]


def table(headings, rows):
    """A docutils table; an entry is a text or a list of nodes."""
    group = nodes.tgroup(cols=len(headings))
    group += [nodes.colspec(colwidth=1) for _ in headings]

    def line(entries):
        row = nodes.row()
        for entry in entries:
            content = [nodes.Text(entry)] if isinstance(entry, str) else entry
            row += nodes.entry("", nodes.paragraph("", "", *content))
        return row

    group += nodes.thead("", line(headings))
    group += nodes.tbody("", *[line(row) for row in rows])
    return nodes.table("", group, classes=["lm-table"])


def parsed(directive, lines, source):
    """The nodes for lines of text that a directive has written, in the language of its page."""
    holder = nodes.section()
    holder.document = directive.state.document
    nested_parse_with_titles(directive.state, StringList(lines, source=source), holder)
    return holder.children


def to(docname, address, words):
    """A link from the page ``docname`` to an address in the site."""
    return nodes.reference("", words, refuri="../" * docname.count("/") + address)


def number(page):
    """The chapter that a page belongs to, ``10`` of ``chapters/more/10-path``."""
    return str(int(page.rpartition("/")[2][:2]))


def place(docname, page, section):
    """How the page ``docname`` links to a section of another one, in MyST."""
    words = re.sub(r"\$[^$]*\$|[*_`]", "", section)  # MyST leaves out formulas too
    return f"{'../' * docname.count('/')}{page}.ipynb#{default_slugify(words)}"


class ChapterStatus(Directive):
    """A row for each executed chapter: the seconds it took when the site was built."""

    def run(self):
        env = self.state.document.settings.env
        path = EXECUTED / "seconds.json"
        env.note_dependency(str(path))
        rows = []
        for page, taken in sorted(json.loads(path.read_text()).items()):
            link = to(env.docname, f"{page}.html", summary.chapter(Path(env.srcdir, f"{page}.ipynb")).title)
            rows.append([number(page), [link], f"{taken:.1f} s"])
        return [table(["Chapter", "Title", "Executed in"], rows)]


class TheoremStatus(Directive):
    """A row for each theorem of the book: its chapter, and what the tests that name it are called."""

    def run(self):
        env = self.state.document.settings.env
        for path in [*ROOT.glob("tests/theorems/test_*.py"), *chapters()]:
            env.note_dependency(str(path))
        tests = theorems.tests(ROOT)
        rows = []
        for theorem in theorems.in_book(ROOT):
            target = f"{theorem.page}.html#{theorem.label}"
            link = to(env.docname, target, theorem.title or theorem.label)
            names = [test.partition("::test_")[2].replace("_", " ") for test in tests.get(theorem.label, [])]
            rows.append([number(theorem.page), [link], "; ".join(names)])
        return [table(["Chapter", "Statement", "Tests"], rows)]


class Errata(Directive):
    """What the chapters say about slips of the lecture notes, with links to the places.

    Slips that no chapter speaks of stand in the content, below ``## 04-boosting`` for the chapter's own page.
    """

    has_content = True

    def run(self):
        env = self.state.document.settings.env
        lines, here = [], slips.on_page("\n".join(self.content))
        for path in sorted(chapters(env.srcdir)):
            env.note_dependency(str(path))
            found, more = slips.in_chapter(path), here.pop(path.stem, "")
            if found or more:
                page = path.relative_to(env.srcdir).as_posix()
                title = summary.TITLE.search(prose(path))[1]
                lines += [f"## [{title}](../{page})", "", *more.splitlines(), ""]
            for slip in found:
                there = place(env.docname, f"chapters/{slip.chapter}", slip.section)
                kind = "Convention" if slip.convention else "Slip"
                stop = "" if slip.section.endswith("?") else "."
                lines += [f"**{kind}, in [{slip.section}]({there}){stop}**", *slip.text.splitlines(), ""]
        if here:
            raise self.error(f"slips of chapters that are not there: {sorted(here)}")
        return parsed(self, lines, "chapters")


def setup(app):
    """Register the directives."""
    app.add_directive("errata", Errata)
    app.add_directive("player", Player)
    app.add_directive("chapter-status", ChapterStatus)
    app.add_directive("theorem-status", TheoremStatus)
