"""Where each outcome of a chapter is taught, practised, asked and checked, from ``pages/outcomes.yml``."""

import re
from pathlib import Path

import yaml
from docutils.parsers.rst import Directive

from _ext import summary
from _ext.contents import second_readings
from _ext.directives import parsed, place
from _ext.paths import ROOT
from _ext.prose import HEADING, blocks, notebook_at, prose
from _ext.shelf import main_lines

PROMISED = re.compile(r"\*\*What you will be able to do\*\*\n\n((?:- .*\n)+)")
HEADINGS = ["Outcome", "Taught in", "Practised", "Asked", "Checked in the lab, points"]


def promised(text):
    """The outcomes that a chapter names in its prose, in order."""
    found = PROMISED.search(text)
    return [line[2:].rstrip(";.") for line in found[1].splitlines()] if found else []


def exercises(path):
    """``{label: title}`` for the exercises of a chapter and of its second readings."""
    more = [page for page in second_readings(path.parents[1]) if page.name[:2] == path.name[:2]]
    found = [
        block
        for page in [path, *more]
        for block in blocks(prose(page))
        if block.directive.startswith("exercise")
    ]
    return {block.options["label"]: block.title for block in found}


def checks(lab):
    """``{check: (points, section)}`` of a lab's source: a check has the points of its hidden twin."""
    points, section = {}, ""
    for cell in notebook_at(lab).cells:
        section = [section, *(HEADING.findall(cell.source) if cell.cell_type == "markdown" else [])][-1]
        if "id" in (about := cell.metadata.get("lab", {})):
            name = about["id"].removesuffix("-hidden")
            points[name] = (about.get("by_hand") or about["points"], points.get(name, (0, section))[1])
    return points


class Outcomes(Directive):
    """``{outcomes}``: a table for each chapter."""

    def run(self):
        env, lines = self.state.document.settings.env, []
        source = ROOT / "pages/outcomes.yml"
        env.note_dependency(str(source))
        placed = yaml.safe_load(source.read_text(encoding="utf-8"))

        def link(page, section, words=None):
            return f"[{words or section}]({place(env.docname, page, section)})"

        for page, path in main_lines(env):
            about, titles = summary.chapter(path), exercises(path)
            points = checks(ROOT / f"labs/source/{Path(about.lab).name}.ipynb") if about.lab else {}
            lines += ["", f"## {path.stem[:2]} [{about.title}](../{page}.ipynb)", ""]
            lines += [f"| {' | '.join(HEADINGS)} |", "|---|---|---|---|---|"]
            outcomes = promised(prose(path))
            rows = placed.get(path.stem, [{}] * len(outcomes))  # of a new chapter nobody has said yet
            if len(rows) != len(outcomes):
                raise self.error(
                    f"pages/outcomes.yml has {len(rows)} rows for {path.stem}, which promises "
                    f'{len(outcomes)} outcomes under "What you will be able to do"'
                )
            for outcome, row in zip(outcomes, rows, strict=True):
                taught = [link(page, name) for name in row.get("sections", [])]
                practised = [f"{{ref}}`{titles[label]} <{label}>`" for label in row.get("exercises", [])]
                practised += [link(page, name) for name in row.get("tasks", [])]
                asked = [link(page, "Quiz", f"question {number}") for number in row.get("quiz", [])]
                asked += [f"examination bank, *{name}*" for name in row.get("bank", [])]
                checked = [
                    f"{link(about.lab, points[name][1], name)} {points[name][0]}"
                    for name in row.get("lab", [])
                ]
                cells = [[outcome], taught, practised, asked, checked]
                lines.append(f"| {' | '.join('; '.join(cell) for cell in cells)} |")
        return parsed(self, lines, "pages/outcomes.yml")


def setup(app):
    """Register the directive."""
    app.add_directive("outcomes", Outcomes)
