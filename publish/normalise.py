"""Notebooks as they stand in git: formatted, executed, their outputs text that comes out the same twice.

``make notebooks`` runs every notebook and writes it back: streams, text, tables and check results stay,
pictures and widgets go (each build draws them anew), cells keep stable ids, nothing tells the time or the
machine. So a diff shows what a reader would see change, and strict nbval compares every printed number.
"""

import argparse
import hashlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import nbformat

from publish.compiled import ROOT, numba_cache
from publish.execute import NotebookFailed, execute, joined

DROPPED = ("image/", "application/vnd.jupyter.widget", "application/vnd.large-margins.explore")
SOLUTION = re.compile(r"^`{3,}\{solution-(start|end)\}", re.M)
KERNEL = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def normalise(notebook):
    """Bring a notebook into the form in which it is kept; the same notebook twice stays as it is."""
    kept = {key: value for key, value in notebook.metadata.items() if key == "lab"}
    notebook.metadata = nbformat.from_dict({**KERNEL, **kept})
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    taken, executed, solution = set(), 0, False
    for cell in notebook.cells:
        cell.source = cell.source.rstrip()
        for key in ("execution", "ExecuteTime", "collapsed", "scrolled", "trusted", "editable", "slideshow"):
            cell.metadata.pop(key, None)
        cell.id = _identity(cell, taken)
        if cell.cell_type != "code":
            for what in SOLUTION.findall(cell.source):
                solution = what == "start"
            continue
        _fold(cell, solution)
        executed += bool(cell.source)
        cell.execution_count = executed if cell.source else None
        cell.outputs = joined([_output(output, executed) for output in cell.outputs])
    return notebook


def _fold(cell, solution):
    """Have Jupyter fold what the page folds: hidden code, and all of a solution."""
    tags = cell.metadata.get("tags", [])
    source = solution or "hide-input" in tags or "remove-input" in tags
    folds = {"source_hidden": source, "outputs_hidden": solution or "hide-output" in tags}
    cell.metadata.pop("jupyter", None)
    if any(folds.values()):
        cell.metadata.jupyter = {name: True for name, folded in folds.items() if folded}


def _identity(cell, taken):
    """An id made from the cell's own text: it stays the same when cells are added before it.

    An id that says something (a check cell's) was written by hand and is left alone.
    """
    if not _made_up(cell.id):
        taken.add(cell.id)
        return cell.id
    for twin in count():
        digest = hashlib.sha256(f"{cell.cell_type}{twin}{cell.source}".encode()).hexdigest()[:8]
        if digest not in taken:
            taken.add(digest)
            return digest


def _made_up(identity):
    """Whether an id looks like one that a program made: hexadecimal, perhaps with dashes."""
    return len(identity) >= 8 and set(identity) <= set("0123456789abcdef-")


def _output(output, count):
    if output.output_type in ("display_data", "execute_result"):
        output.data = {mime: data for mime, data in output.data.items() if not mime.startswith(DROPPED)}
        output.metadata = {}
    if output.output_type == "execute_result":
        output.execution_count = count
    return output


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


def as_text(notebook):
    """The file's text: nbformat's own layout with a closing newline."""
    return nbformat.writes(notebook, version=4).rstrip() + "\n"


def refresh(path):
    """Format, execute and write back the notebook at ``path``, normalised; say whether its text changed."""
    before = path.read_text(encoding="utf-8")
    subprocess.run([sys.executable, "-m", "ruff", "format", "--quiet", path], check=True)
    notebook, seconds = execute(path, numba_cache=numba_cache())
    after = as_text(normalise(notebook))
    if after != before:
        path.write_text(after, encoding="utf-8")
    return after != before, seconds


def every_notebook():
    """The notebooks of the project: chapters, lab sources and released labs."""
    rooms = ("chapters", "chapters/more", "labs/source", "labs")
    return sorted(path for room in rooms for path in (ROOT / room).glob("*.ipynb"))


def main(arguments=None):
    """Execute and normalise notebooks; with ``--check`` only look, without executing."""
    parser = argparse.ArgumentParser(prog="python -m publish.normalise", description=__doc__.splitlines()[0])
    parser.add_argument("notebooks", nargs="*", type=Path, help="all of the project when none is named")
    parser.add_argument(
        "--check", action="store_true", help="look whether they are normalised; execute nothing"
    )
    parser.add_argument("--jobs", type=int, default=2, help="notebooks at once (default 2)")
    chosen = parser.parse_args(arguments)
    paths = [path.resolve() for path in chosen.notebooks] or every_notebook()
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
