"""Run the steps of one notebook in a sandbox, wherever this process happens to be.

Steps go in as plain data and outcomes come back as plain data, so the same call serves a thread of this
machine and a worker of a Dask cluster.
"""

import json
import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from grader import nursery
from grader.sandbox import Limits, best_layer
from grader.watch import remove


class SandboxError(Exception):
    """The machine could not run the notebook: no fault of the notebook's."""


@dataclass(frozen=True)
class Settings:
    """How to run: the layer of isolation, the limits, what stays closed, which caches to start from."""

    layer: str = ""
    limits: Limits = field(default_factory=Limits)
    closed: tuple = ()
    warm: str = ""
    harvest: bool = False
    open: bool = False  # nothing secret is in it: keep what cells say


def run(steps, settings):
    """Execute the steps in order in one fresh sandbox; return one outcome a step, and the seconds it took.

    Parameters
    ----------
    steps : list of dict
        ``source``, ``check`` for the cells whose bundles are wanted, ``limit`` in seconds.
    settings : Settings
        An empty ``layer`` means the best one here.

    Returns
    -------
    outcomes : list of dict
        ``status`` (``ok``, ``error``, ``timeout``, ``died``, ...), ``error``, ``bundles``, ``seconds``,
        ``lost``, ``said`` (if ``open``).
    seconds : float
    """
    # A short path: sockets have names of at most about 100 letters.
    base = "/tmp" if os.path.isdir("/tmp") else None
    folder = Path(tempfile.mkdtemp(prefix=f"lm-{os.getpid()}-", dir=base))
    try:
        (folder / "lab.ipynb").write_text(json.dumps(_notebook(steps)), encoding="utf-8")
        plan = {"folder": str(folder), "limits": settings.limits.as_dict(), "closed": list(settings.closed)}
        plan |= {"layer": settings.layer or best_layer(), "warm": settings.warm, "harvest": settings.harvest}
        plan["open"] = settings.open
        nursery.mark(plan)
        try:
            result = json.loads((folder / "result.json").read_text())
        except (OSError, ValueError):
            raise SandboxError("the process that watches the sandbox ended before its time") from None
    finally:
        remove(folder)
    if result["broken"]:
        raise SandboxError(result["broken"])
    return result["cells"], result["seconds"]


def _notebook(steps):
    """A notebook of code cells without outputs: references never come near the sandbox."""
    cells = []
    for number, step in enumerate(steps):
        cell = {"cell_type": "code", "id": f"step-{number}", "source": step["source"], "outputs": []}
        cells.append(
            cell
            | {"execution_count": None, "metadata": {"lab": {k: step.get(k) for k in ("check", "limit")}}}
        )
    return {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
