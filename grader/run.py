"""Run the steps of one notebook in a sandbox: steps go in as plain data, outcomes come back as plain data.

The path of a submission: :func:`run` writes its cells into a folder and hands a plan to an idle *nursery*, a
process that has imported nbval already, which takes longer than starting a sandbox.  The nursery forks a
child for each plan; there :func:`grader.marking.mark` runs the cells, each by
:class:`grader.kernel.SandboxKernel`, whose process :mod:`grader.launch` has shut into the box of
:mod:`grader.sandbox`.  The child writes ``result.json`` and ends, so that nothing of one submission is there
when the next one comes.  A nursery dies with its reader, and with it the child and the child's sandbox.
"""

import atexit
import ctypes
import json
import os
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

from grader.sandbox import ROOT, best_layer
from grader.watch import remove


class SandboxError(Exception):
    """The machine could not run the notebook: no fault of the notebook's."""


def run(steps, settings):
    """Execute the steps in order in one fresh sandbox; return what each did, and the seconds it took.

    Parameters
    ----------
    steps : list of dict
        ``source``, ``check`` for the cells whose bundles are wanted, ``limit`` in seconds, ``after`` (checks:
        if one of them blocked or ended Python, this one is not tried), ``known`` (a status: it is not run).
    settings : grader.sandbox.Settings
        An empty ``layer`` means the best one here.

    Returns
    -------
    ran : list of dict
        The steps, each with its outcome: ``status`` (``ok``, ``error``, ``timeout``, ``died``, ...),
        ``error``, ``bundles``, ``seconds``, ``lost``, ``said`` (if ``open``), and ``left``: how much of the
        time for all of the submission.
    seconds : float
    """
    # A short path: sockets have names of at most about 100 letters.
    base = "/tmp" if os.path.isdir("/tmp") else None
    folder = Path(tempfile.mkdtemp(prefix=f"lm-{os.getpid()}-", dir=base))
    try:
        (folder / "lab.ipynb").write_text(json.dumps(_notebook(steps)), encoding="utf-8")
        _raise({"folder": str(folder), **asdict(settings), "layer": settings.layer or best_layer()})
        try:
            result = json.loads((folder / "result.json").read_text())
        except (OSError, ValueError):
            raise SandboxError("the process that watches the sandbox ended before its time") from None
    finally:
        remove(folder)
    if result["broken"]:
        raise SandboxError(result["broken"])
    return [step | outcome for step, outcome in zip(steps, result["cells"], strict=False)], result["seconds"]


def _notebook(steps):
    """A notebook of code cells without outputs: references never come near the sandbox."""
    cells = []
    for number, step in enumerate(steps):
        marks = {key: step.get(key) for key in ("check", "limit", "known")} | {"after": step.get("after", [])}
        cell = {"cell_type": "code", "id": f"step-{number}", "source": step["source"], "outputs": []}
        cells.append(cell | {"execution_count": None, "metadata": {"lab": marks}})
    return {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


# --- nurseries --------------------------------------------------------------------------------------

_idle, _all = [], set()  # changed by single calls only, of which each is whole to other threads
# A nursery dies with the thread that started it; the threads of a pool end long before we do.
_starter = ThreadPoolExecutor(1)


def _raise(plan):
    """Run one plan in a child of an idle nursery; a new nursery is started if none is idle."""
    try:
        nursery = _idle.pop()
    except IndexError:
        nursery = _start()
    if nursery.poll() is not None:  # somebody killed it
        _end(nursery)
        return _raise(plan)
    try:
        nursery.stdin.write(json.dumps(plan) + "\n")
        nursery.stdin.flush()
        answer = nursery.stdout.readline()
    except BaseException:
        _end(nursery)
        raise
    if answer:
        _idle.append(nursery)
    else:
        _end(nursery)


@atexit.register
def close_nurseries():
    """End all nurseries, and with them whatever they run."""
    for nursery in _all.copy():
        _end(nursery)


def _start():
    environment = {k: value for k, value in os.environ.items() if not k.startswith(("PYTEST", "PYTHON"))}
    environment |= {"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "0", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    nursery = _starter.submit(
        subprocess.Popen,
        # -P: no folder of a submission is ever on the path. Its own group: an interrupt at the keyboard
        # is for the grader, which then ends its nurseries.
        [sys.executable, "-P", "-m", "grader.run"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment,
        start_new_session=True,
    ).result()
    _all.add(nursery)
    return nursery


def _end(nursery):
    _all.discard(nursery)
    nursery.kill()
    nursery.wait()
    nursery.stdin.close()
    nursery.stdout.close()


def die_with_parent():
    """Ask the kernel (Linux) to kill this process when its parent ends, however it ends."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def serve():
    """Fork a child for each line of input; wait for it; answer with its exit code."""
    parent = os.getppid()
    die_with_parent()
    if os.getppid() != parent:
        return
    from grader import marking  # the slow imports, once

    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            code = 1
            try:
                die_with_parent()
                silent = os.open(os.devnull, os.O_RDWR)
                for stream in (0, 1, 2):
                    os.dup2(silent, stream)
                marking.mark(json.loads(line))
                code = 0
            finally:
                os._exit(code)
        _, status = os.waitpid(child, 0)
        print(status, flush=True)


if __name__ == "__main__":
    serve()
