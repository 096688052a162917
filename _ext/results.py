"""What was measured: benchmarks write it into ``benchmarks/results``, and pages show it when they are built.

A benchmark ``benchmarks/NAME.py`` writes ``results/NAME.json`` and has a function ``tables(results)`` that
turns it into ``{table: (headings, rows)}``, rows of texts, which the command line prints, too. It may have
``page(results)`` with what else a page can ask for: functions that give Markdown, or a figure and its words,
and are called with the text of the directive, if there is one. Nobody types a number twice.
"""

import base64
import importlib
import io
import json

from docutils import nodes
from docutils.parsers.rst import Directive

from _ext.directives import parsed, table
from _ext.paths import ROOT


class Results(Directive):
    """``{results} cluster jobs`` shows the table ``jobs`` of ``benchmarks/results/cluster.json``."""

    required_arguments = 2
    has_content = True

    def run(self):
        name, wanted = self.arguments
        folder = ROOT / "benchmarks"
        measured = folder / "results" / f"{name}.json"
        for path in (measured, *folder.glob("*.py")):
            self.state.document.settings.env.note_dependency(str(path))
        if not measured.exists():
            raise self.error(f"{measured} is missing: python -m benchmarks.{name}")
        benchmark, results = importlib.import_module(f"benchmarks.{name}"), json.loads(measured.read_text())
        if wanted in (tables := benchmark.tables(results)):
            return [table(*tables[wanted])]
        if wanted not in (others := getattr(benchmark, "page", dict)(results)):
            raise self.error(f"benchmarks/{name}.py has {', '.join([*tables, *others])}, not {wanted}")
        shown = others[wanted](*["\n".join(self.content)] * bool(self.content))
        if isinstance(shown, str):
            return parsed(self, shown.splitlines(), measured.name)
        figure, words = shown
        picture = nodes.image(uri=as_uri(figure), alt=words, width="600px")
        return [nodes.container("", picture, classes=["cell_output", "lm-plot"])]


def as_uri(figure):
    """The picture itself as an address, so that no file must be kept beside the page."""
    out = io.BytesIO()
    figure.savefig(out, format="webp", dpi=200, pil_kwargs={"lossless": True})
    return "data:image/webp;base64," + base64.b64encode(out.getvalue()).decode()


def setup(app):
    """Register the directive."""
    app.add_directive("results", Results)
