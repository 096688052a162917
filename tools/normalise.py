"""Notebooks as they stand in git: formatted, executed, their outputs text that comes out the same twice.

``make notebooks`` runs every notebook and writes it back: streams, text, tables and check results stay,
pictures and widgets go (each build draws them anew), cells keep stable ids, nothing tells the time or the
machine. So a diff shows what a reader would see change, and strict nbval compares every printed number.
"""

import argparse
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat

from _ext.contents import notebooks
from _ext.execute import NotebookFailed, execute
from _ext.paths import ROOT
from grader.notebook import as_text, normalise


def problems(path):
    """What keeps the notebook at ``path`` from being normalised, in words; nothing is executed."""
    notebook = nbformat.read(path, as_version=4)
    for number, cell in enumerate(notebook.cells):
        if cell.cell_type == "code" and cell.source and cell.execution_count is None:
            return f"{path}: cell {number} was never executed, so nothing compares what it prints"
    text = Path(path).read_text(encoding="utf-8")
    if text != as_text(normalise(notebook)):
        return f"{path} is not normalised: run `make notebooks`"
    return None


def refresh(path):
    """Format, execute and write back the notebook at ``path``, normalised; say whether its text changed."""
    before = path.read_text(encoding="utf-8")
    subprocess.run([sys.executable, "-m", "ruff", "format", "--quiet", path], check=True)
    notebook, seconds = execute(path)
    after = as_text(normalise(notebook))
    if after != before:
        path.write_text(after, encoding="utf-8")
    return after != before, seconds


def main(arguments=None):
    """Execute and normalise notebooks; with ``--check`` only look, without executing."""
    parser = argparse.ArgumentParser(prog="python -m tools.normalise", description=__doc__.splitlines()[0])
    parser.add_argument("notebooks", nargs="*", type=Path, help="all of the project when none is named")
    parser.add_argument(
        "--check", action="store_true", help="look whether they are normalised; execute nothing"
    )
    parser.add_argument("--jobs", type=int, default=2, help="notebooks at once (default 2)")
    chosen = parser.parse_args(arguments)
    paths = [path.resolve() for path in chosen.notebooks] or notebooks()
    for path in paths:
        if not path.is_file():
            parser.error(f"{path} is no file")
    if chosen.check:
        complaints = [complaint for complaint in map(problems, paths) if complaint]
        print("\n".join(complaints) or f"{len(paths)} notebooks are normalised")
        return bool(complaints)

    def one(path):
        try:
            changed, seconds = refresh(path)
            name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path  # labs may live elsewhere
            print(f"{name}: {'rewritten' if changed else 'unchanged'}, {seconds:.1f} s", flush=True)
            return 0
        except NotebookFailed as problem:
            print(problem, file=sys.stderr, flush=True)
            return 1

    with ThreadPoolExecutor(chosen.jobs) as pool:
        return bool(sum(pool.map(one, paths)))


if __name__ == "__main__":
    sys.exit(main())
