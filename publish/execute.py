"""Run one notebook in a kernel of its own, and be strict about it.

A warning is an error here: a cell that writes to stderr fails just as one that raises does, unless it is
tagged ``raises-exception``. So a page never shows a warning that a reader could not explain.
"""

import asyncio
import os
import tempfile
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from traitlets.config import Config

from publish.compiled import ROOT

KERNEL = str(Path(__file__).with_name("kernel.py"))
SECONDS = 600  # a notebook that takes longer is broken; a chapter has 40
# Notebooks run side by side, on small matrices: more threads would only wait for each other (beside another
# one chapter 02 took four times as long), and the last digit of a sum depends on how many there are.
ALWAYS = {"PYTHONHASHSEED": "0", "PYDEVD_DISABLE_FILE_VALIDATION": "1"}
ALWAYS |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


class NotebookFailed(Exception):
    """A notebook that did not run to its end; the text says which cell, and what happened there."""


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


def execute(path, pages=None, numba_cache=None, way="../_frames"):
    """Run the notebook at ``path``; return it with fresh outputs, and the seconds it took.

    Parameters
    ----------
    path : Path
        It runs in its own folder, as it does in JupyterLab and in nbval.
    pages : Path, optional
        The folder for what pages need besides outputs: the frames of sliders in ``frames``, and the first
        figure that the notebook shows, without words, as ``card.png``. Without it sliders are live widgets.
    numba_cache : Path, optional
        Where compiled functions are kept.
    way : str
        How the page finds the frames in the site.
    """
    path, at = Path(path), [0]
    name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    environment = os.environ | ALWAYS
    if numba_cache is not None:
        environment["NUMBA_CACHE_DIR"] = str(numba_cache)
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory() as profile:
        environment["IPYTHONDIR"] = profile  # the author's own start-up files must not change a page
        if pages is not None:
            first = Path(profile, "profile_default/startup/pages.py")
            first.parent.mkdir(parents=True)
            places = (str(pages / "frames"), str(pages / "card.png"), way)
            first.write_text(f"__import__('runpy').run_path({KERNEL!r})['install'](*{places!r})")
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
