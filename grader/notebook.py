"""A notebook as it stands in git: run strictly, written so that the same cells give the same text twice.

The grader needs this to release a lab, the book to build its pages.  It stands here, since the grader can be
installed and the tools that make the site cannot.
"""

import asyncio
import hashlib
import os
import re
import tempfile
import time
from itertools import count
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from traitlets.config import Config

SECONDS = 600  # a notebook that takes longer is broken; a chapter has 40
# Notebooks run side by side, on small matrices: more threads would only wait for each other (beside another
# one chapter 02 took four times as long), and the last digit of a sum depends on how many there are.
ALWAYS = {"PYTHONHASHSEED": "0", "PYDEVD_DISABLE_FILE_VALIDATION": "1"}
ALWAYS |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
DROPPED = ("image/", "application/vnd.jupyter.widget", "application/vnd.large-margins.explore")
SOLUTION = re.compile(r"^`{3,}\{solution-(start|end)\}", re.M)
KERNEL = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


class NotebookFailed(Exception):
    """A notebook that did not run to its end; the text says which cell, and what happened there."""


def execute(path, name=None, start=""):
    """Run the notebook at ``path`` in a kernel of its own; return it with fresh outputs, and the seconds.

    A warning is an error here: a cell that writes to stderr fails just as one that raises does, unless it is
    tagged ``raises-exception``.  So a page never shows a warning that a reader could not explain.

    Parameters
    ----------
    path : Path
        It runs in its own folder, as it does in JupyterLab and in nbval.
    name : object, optional
        What the notebook is called in the words about a failure.
    start : str
        Python to be run before the first cell.
    """
    path, at = Path(path), [0]
    name = name or path
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory() as profile:
        # The author's own start-up files must not change a page.
        environment = os.environ | ALWAYS | {"IPYTHONDIR": profile}
        if start:
            first = Path(profile, "profile_default/startup/first.py")
            first.parent.mkdir(parents=True)
            first.write_text(start)
        client = NotebookClient(
            notebook,
            timeout=SECONDS,
            kernel_name="python3",
            store_widget_state=False,
            record_timing=False,
            on_cell_start=lambda cell, cell_index: at.append(cell_index),
            resources={"metadata": {"path": str(path.parent)}},
            config=Config()
            if os.name == "nt"
            else Config(KernelManager={"transport": "ipc", "ip": f"{profile}/k"}),
        )
        try:
            asyncio.run(client.async_execute(env=environment))
        except (CellExecutionError, CellTimeoutError, DeadKernelError) as problem:
            raise NotebookFailed(f"{name}, cell {at[-1] + 1}:\n{problem}") from None
    for number, cell in enumerate(notebook.cells, start=1):
        if cell.cell_type != "code":
            continue
        cell.outputs = joined(cell.outputs)
        if "raises-exception" in cell.metadata.get("tags", []):
            continue
        complaints = "".join(o.text for o in cell.outputs if o.output_type == "stream" and o.name == "stderr")
        if complaints:
            raise NotebookFailed(f"{name}, cell {number} wrote to stderr:\n{cell.source}\n\n{complaints}")
    return notebook, time.perf_counter() - begun


def joined(outputs):
    """Pieces of one stream in one: where a kernel cuts what is printed depends on how busy the machine is.

    MyST-NB joins pieces, too, but as if each ended a line: a cut inside a line would break it on the page.
    """
    whole = []
    for output in outputs:
        last = whole[-1] if whole else None
        if last and output.output_type == last.output_type == "stream" and output.name == last.name:
            last.text += output.text
        else:
            whole.append(output)
    return whole


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


def as_text(notebook):
    """The file's text: nbformat's own layout with a closing newline."""
    return nbformat.writes(notebook, version=4).rstrip() + "\n"
