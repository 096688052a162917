"""One submission, run by nbval: each cell a pytest item, one kernel in a sandbox, a new one when it is lost.

nbval runs a notebook as a pytest collector with one item a cell.  Its outcome here is no mark: a cell
"passes" when it ran.  What is kept are the check bundles of the check cells; the judge, who has the
reference, sits in another process.  A cell that kills or blocks its kernel is lost; a new kernel runs what
came before it, leaves it out, and goes on, so that the other questions keep their points.
"""

import ctypes
import json
import os
import resource
import sys
import tempfile
import time
from pathlib import Path

import nbformat
import pytest
from nbval.plugin import IPyNbCell, IPyNbFile, NbCellError

from grader.kernel import IDLE, PATIENT, Outcome, SandboxKernel
from grader.sandbox import SHORT, Box, Limits
from grader.watch import RESERVED, megabytes

PR_SET_CHILD_SUBREAPER = 36
RESTART = 1  # second that a new kernel counts for
SUPERVISOR_MB = 1500  # address space of the process that listens, beyond what its imports have reserved
# As little of pytest as runs a cell: no settings, no conftest.py, no other plugin, no cache.
OFF = "cacheprovider logging doctest unittest python junitxml faulthandler warnings".split()
OFF += "unraisableexception threadexception".split()  # which collect garbage, longer than a cell takes
OPTIONS = "-c /dev/null --confcutdir=. --noconftest -q -p nbval.plugin".split()
OPTIONS += [word for name in OFF for word in ("-p", f"no:{name}")]


class Notebook(IPyNbFile):
    """The composed notebook as a collector; owns the kernel and replaces it."""

    def setup(self):
        plan = dict(self.config.plan)
        self.folder, self.limits = plan.pop("folder"), Limits(**plan["limits"])
        self.settings = plan | {"limits": self.limits}
        self.left = self.limits.wall_seconds
        self.end = time.monotonic() + PATIENT * self.left
        self.lost, self.failed, self.restarts, self.kernel = set(), {}, 0, None
        self.idle = 0.0  # seconds in which cells did nothing until they were broken off
        self.start()

    def collect(self):
        self.nb = nbformat.v4.reads(self.path.read_text(encoding="utf-8"))  # our own: nothing to validate
        for number, cell in enumerate(self.nb.cells):
            # No options: a comment such as NBVAL_SKIP in a student's cell means nothing here.
            yield Cell.from_parent(self, name=f"cell {number}", cell_num=number, cell=cell, options={})

    def start(self):
        """A new kernel in a new sandbox."""
        sockets = Path(tempfile.mkdtemp(prefix="s", dir=self.folder))
        self.kernel = SandboxKernel(Box(**self.settings, sockets=sockets))

    def execute(self, number):
        """Run one cell; after a loss, first bring a new kernel to where the old one was."""
        marks = self.nb.cells[number].metadata.lab
        if known := marks["known"] or next(filter(None, map(self.failed.get, marks["after"])), ""):
            return Outcome(known)
        while self.kernel is None and self.left > 0:
            if self.restarts >= self.limits.restarts:
                return Outcome("too many restarts")
            self.restarts += 1
            self.left -= RESTART
            self.start()
            self.replay(number)
        if self.left <= 0 or time.monotonic() > self.end:
            return Outcome("not reached", starved=self.left > 0)
        outcome = self.run(number)
        if not marks["check"]:  # a student's own cell: whatever it displays is no result
            outcome["bundles"] = []
        elif outcome["status"] not in ("ok", "error"):
            self.failed[marks["check"]] = outcome["status"]
        return outcome

    def replay(self, number):
        """Run what stands before a cell; a cell that only now kills the kernel is left out next time."""
        for earlier in range(number):
            marks = self.nb.cells[earlier].metadata.lab
            if not marks["check"] and not marks["known"] and earlier not in self.lost:
                if self.run(earlier)["lost"]:
                    return

    def run(self, number):
        cell = self.nb.cells[number]
        limit = min(cell.metadata.lab["limit"] or self.limits.cell_seconds, self.left)
        # A hanging import hangs in every cell: the second to wait for it has half of the time, and so on.
        outcome = self.kernel.run(cell.source, limit, IDLE / (1 + self.idle / IDLE))
        self.idle += outcome["idle"] if outcome["status"] not in ("ok", "error") else 0
        self.left -= outcome["spent"]
        if outcome["lost"]:
            self.kernel = None
            self.lost.add(number)
        elif outcome["status"] == "timeout":
            cell.metadata.lab["limit"] = SHORT
        return outcome | {"left": self.left}

    def teardown(self):
        if self.kernel is not None:
            self.kernel.stop()


class Cell(IPyNbCell):
    """One cell; its outcome goes into the plan's results."""

    def setup(self):
        pass

    def runtest(self):
        outcome = self.parent.execute(self.cell_num)
        self.config.outcomes.append({"left": self.parent.left} | dict(outcome))
        if outcome["status"] != "ok":
            raise NbCellError(self.cell_num, outcome["status"], self.cell.source)


class Plugin:
    """Hands the plan to the collector and notes what broke in the machine itself."""

    def __init__(self, plan):
        self.plan, self.broken = plan, ""

    def pytest_configure(self, config):
        config.plan, config.outcomes = self.plan, []
        self.config = config

    def pytest_collect_file(self, file_path, parent):
        return Notebook.from_parent(parent, path=file_path)

    def pytest_collectreport(self, report):
        if report.failed:
            self.broken = self.broken or f"collection: {report.longreprtext[-300:]}"

    def pytest_runtest_makereport(self, item, call):
        if call.excinfo is not None and not call.excinfo.errisinstance(NbCellError):
            self.broken = self.broken or f"{call.excinfo.typename}: {call.excinfo.value}"


def mark(plan):
    """Run the plan's notebook; write ``result.json`` beside it.

    The plan holds ``folder`` (with the composed ``lab.ipynb``) and :class:`grader.sandbox.Settings`.
    """
    begun = time.monotonic()
    folder = Path(plan["folder"])
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    reserved = int(megabytes(column=RESERVED))
    if reserved:  # known on this system
        resource.setrlimit(resource.RLIMIT_AS, (reserved + SUPERVISOR_MB << 20, hard))
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    plugin = Plugin(plan)
    os.chdir(folder)
    pytest.main([*OPTIONS, "--rootdir", str(folder), "lab.ipynb"], plugins=[plugin])
    result = {"cells": plugin.config.outcomes, "broken": plugin.broken}
    result["seconds"] = round(time.monotonic() - begun, 3)
    (folder / "result.json").write_text(json.dumps(result))
