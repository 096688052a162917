"""Tables of measurements: what a benchmark wrote into ``benchmarks/results``, read when the site is built.

A benchmark ``benchmarks/NAME.py`` writes ``results/NAME.json`` and has a function ``tables(results)`` that
turns it into ``{table: (headings, rows)}``, rows of texts. The command line prints them, and a page shows one
with ``{results} NAME TABLE``: nobody types a number twice.
"""

import importlib
import json
import os
from pathlib import Path

from docutils.parsers.rst import Directive

from publish.extensions.directives import table


class Results(Directive):
    """``{results} cluster jobs`` shows the table ``jobs`` of ``benchmarks/results/cluster.json``."""

    required_arguments = 2

    def run(self):
        name, wanted = self.arguments
        folder = Path(os.environ["LARGE_MARGINS_ROOT"], "benchmarks")
        measured, benchmark = folder / "results" / f"{name}.json", folder / f"{name}.py"
        for path in (measured, benchmark):
            self.state.document.settings.env.note_dependency(str(path))
        if not measured.exists():
            raise self.error(f"{measured} is missing: python -m benchmarks.{name}")
        tables = importlib.import_module(f"benchmarks.{name}").tables(json.loads(measured.read_text()))
        if wanted not in tables:
            raise self.error(f"benchmarks/{name}.py has the tables {', '.join(tables)}, not {wanted}")
        return [table(*tables[wanted])]


def setup(app):
    """Register the directive."""
    app.add_directive("results", Results)
