"""Directives that show the whole book: a card for each chapter, a tree of them, all sliders, a term's plan.

Both follow the table of contents and read the chapters' own words (:mod:`_ext.summary`).
"""

import re
from html import escape
from pathlib import Path

import yaml
from docutils import nodes
from docutils.parsers.rst import Directive
from PIL import Image

from _ext import summary
from _ext.contents import EXECUTED, executed
from _ext.contents import labs as labs_of
from _ext.directives import parsed, place
from _ext.prose import notebook_at, prose
from _ext.reading import reading

NEEDS = re.compile(r"\*You need .*?(?=\n\n|\Z)", re.S)
NEEDED = re.compile(r"\]\((\d\d-[\w-]+)\.ipynb")
LAB_TIME = re.compile(r"\*\*Time:\*\* \d+ to (\d+) minutes")


def chapters(env, more=False):
    """``(part, page, path of the notebook)`` for each chapter, or each second reading, too."""
    contents = Path(env.srcdir, "_toc.yml")
    env.note_dependency(str(contents))
    toc = yaml.safe_load(contents.read_text(encoding="utf-8"))
    for part in toc.get("parts", [toc]):
        for entry in part.get("chapters", []):
            for found in [entry, *entry.get("sections", [])] if more else [entry]:
                if (page := found["file"]).startswith("chapters/"):
                    path = Path(env.srcdir, f"{page}.ipynb")
                    env.note_dependency(str(path))
                    env.note_dependency(str(executed(page)))
                    yield part.get("caption", ""), page, path


def main_lines(env):
    """``(page, path)`` for each chapter, a chapter's second page among them, but no second reading."""
    return [(page, path) for _, page, path in chapters(env, more=True) if "/more/" not in page]


def card(part, page, path, up, picture):
    """HTML of one card: part, title and promise of a chapter, its first picture, reading time and lab."""
    about = summary.chapter(path)
    shown = lab = ""
    if picture.exists():
        width, height = Image.open(picture).size
        shown = (
            f'<img src="{up}_cards/{picture.name}" width="{width}" height="{height}" '
            f'alt="{escape(summary.words(executed(page)))}" loading="lazy">'
        )
    if about.lab:
        lab = f'<a href="{up}{about.lab}.html">Lab</a>'
    return (
        f'<li><p>{escape(part)}</p><p><a href="{up}{page}.html">{escape(about.title)}</a></p>'
        f"<p>{escape(about.promise)}</p>{shown}<p><span>Chapter {int(path.stem[:2])}</span>"
        f"<span>{about.minutes} minutes</span>{lab}</p></li>"
    )


class ChapterCards(Directive):
    """``{chapter-cards}``: every chapter in the order of the book."""

    def run(self):
        env, html = self.state.document.settings.env, ""
        up = "../" * env.docname.count("/")
        for part, page, path in chapters(env):
            picture = EXECUTED / f"_cards/{path.stem}.webp"
            html += card(part, page, path, up, picture)
        return [nodes.raw("", f'<ul class="lm-cards">{html}</ul>', format="html")]


class ChapterMap(Directive):
    """``{chapter-map}``: the chapters as a tree, each under the last one that its "You need" links to."""

    def run(self):
        env, under = self.state.document.settings.env, {}
        for page, path in main_lines(env):
            needs = NEEDED.findall((NEEDS.search(prose(path)) or [""])[0])
            last = max((name for name in needs if name < path.stem), default=None)
            under.setdefault(last, []).append((page, path))
        up = "../" * env.docname.count("/")

        def tree(root, depth):
            for page, path in under.get(root, []):
                title = summary.chapter(path).title
                yield f"{'  ' * depth}- {path.stem[:2]} [{title}]({up}{page}.ipynb)"
                yield from tree(path.stem, depth + 1)

        return parsed(self, ["{.lm-map}", *tree(None, 0)], "chapters")


class SliderGallery(Directive):
    """``{slider-gallery}``: every slider figure, with its question, the way there, and what it shows."""

    def run(self):
        env, lines = self.state.document.settings.env, []
        for _, page, path in chapters(env, more=True):
            before = None
            for number, (section, slider) in enumerate(summary.sliders(executed(page))):
                if number == 0:
                    lines += [f"## {summary.chapter(path).title}", ""]
                if section != before:
                    lines += [f"### [{section}]({place(env.docname, page, section)})", ""]
                before = section
                lines += [slider["question"], ""]
                lines += [f"```{{player}} {page} {slider['name']}", ":lazy:", ":bet:", "```", ""]
                lines += ["```{admonition} What is to be seen", ":class: dropdown", slider["alt"], "```", ""]
        return parsed(self, lines, "chapters")


class Plan(Directive):
    """``{plan}``: a line for each week, ``chapters | labs | needs``, by number; we count a student's hours.

    A chapter takes what the build counts for reading, proofs and exercises; a lab what it says at most.
    """

    has_content = True

    def run(self):
        env, total = self.state.document.settings.env, 0
        up = "../" * env.docname.count("/")
        pages = main_lines(env)
        labs = labs_of(env.srcdir)
        lines = [
            "| Week | Chapters | Lab | Needs | Chapters, hours | Lab, hours |",
            "|---|---|---|---|---|---|",
        ]
        for week, line in enumerate(filter(None, self.content), start=1):
            wanted, graded, needs = (part.strip() for part in line.split("|"))
            wanted, graded = wanted.split(), graded.split()
            mine = [(page, path) for page, path in pages if path.stem[:2] in wanted]
            tasks = [path for path in labs if path.stem[:2] in graded]
            if {path.stem[:2] for _, path in mine} != {*wanted} or len(tasks) != len(graded):
                raise self.error(f"no such chapter or lab: {line}")
            learn = sum(reading(notebook_at(path)).exercises for _, path in mine) / 60
            work = sum(int(LAB_TIME.search(prose(path))[1]) for path in tasks) / 60
            titles = ", ".join(f"[{summary.chapter(path).title}]({up}{page}.ipynb)" for page, path in mine)
            rooms = ", ".join(f"[{path.stem[:2]}]({up}labs/{path.name})" for path in tasks)
            lines.append(f"| {week} | {titles} | {rooms} | {needs} | {learn:.1f} | {work:.1f} |")
            total += learn + work
        lines += ["", f"*{total:.0f} hours in all, without lectures and second readings.*"]
        return parsed(self, lines, "chapters")


def setup(app):
    """Register the directives."""
    app.add_directive("chapter-map", ChapterMap)
    app.add_directive("plan", Plan)
    app.add_directive("chapter-cards", ChapterCards)
    app.add_directive("slider-gallery", SliderGallery)
