"""What a lab costs: to grade it, and to work on it.

A cohort of right submissions for each lab is graded as ``make grade`` does it, two at a time: the whole
command, with its start and the pages of its report.  It is watched from outside while it runs, since a
sandbox that is killed takes its account of seconds with it: the seconds of the processors, and the memory
(shared pages counted in parts, PSS) of a sandbox and of the grader itself.  Then the same solved lab is run
once in a kernel of its own, every cell of it, as a student would who knows all the answers; and a class of
10,000 is reported.

    python -m benchmarks.labs [--students 20] [NN-name ...]
"""

import argparse
import contextlib
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import psutil

from _ext.contents import lab_sources
from benchmarks import output
from benchmarks.speed import machine, versions
from grader.watch import tree

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks/results/labs.json"
CLASS, SEED = 10_000, 3
# What nobody measured.  The page calls it so.
ASSUMED = {"cores": 16, "gigabytes": 64, "minutes": 2.5, "at_once": 0.1, "runs": 5, "hours": 1.5}


class Watch(threading.Thread):
    """What a process and its descendants use: seconds of processors, and megabytes, sandboxes apart."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.over = pid, threading.Event()
        self.seconds, self.sandbox, self.rest = {}, 0.0, 0.0

    def run(self):
        looks = 0
        while not self.over.wait(0.03):
            with contextlib.suppress(psutil.Error):  # a process ended while we looked
                family = [psutil.Process(pid) for pid in tree(self.pid)]
                for process in family:
                    used = process.cpu_times()
                    self.seconds[process] = used.user + used.system  # until its next look, or its last
                if looks % 5 == 0:
                    self.weigh(family)
            looks += 1

    def end(self):
        """Stop looking; the seconds of all processors."""
        self.over.set()
        self.join()
        return sum(self.seconds.values())

    def weigh(self, family):
        boxes = {process.pid: process.ppid() for process in family if process.name() == "bwrap"}
        outer = [pid for pid, parent in boxes.items() if parent not in boxes]
        weights = [sum(held(psutil.Process(one)) for one in tree(pid)) for pid in outer]
        self.sandbox = max([self.sandbox, *weights])
        self.rest = max(self.rest, sum(map(held, family)) - sum(weights))


def held(process):
    """Megabytes of one process; pages that it shares with others count in parts."""
    try:
        return process.memory_full_info().pss / 2**20
    except psutil.AccessDenied:
        return process.memory_info().rss / 2**20
    except psutil.NoSuchProcess:
        return 0.0


def solved(source):
    """The lab as the best student hands it in."""
    from grader.lab import Lab
    from grader.notebook import KERNEL
    from grader.release import unsolved

    lab = Lab(source)
    answers = {name: cell.source for cell, name, _ in lab.released() if cell.role == "answer"}
    notebook = unsolved(lab)
    for cell in notebook["cells"]:
        cell["source"] = answers.get(cell["id"], cell["source"])
    notebook["metadata"] |= KERNEL
    return json.dumps(notebook)


def graded(source, students, folder):
    """Grade a cohort of equal submissions; what one of them cost."""
    from grader.reference import reference

    made = reference(source, SEED)  # not part of the price: it is made once
    for number in range(students):
        path = folder / "submissions" / f"student{number:05}" / source.name
        path.parent.mkdir(parents=True)
        path.write_text(solved(source))
    command = [sys.executable, "-m", "grader", "grade", folder / "submissions", source.stem]
    options = {"out": folder / "grades", "jobs": 2, "seed": SEED}
    command += [f"--{name}={value}" for name, value in options.items()]
    begun = time.perf_counter()
    running = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    watch = Watch(running.pid)
    watch.start()
    if running.wait():
        raise AssertionError(f"{running.args} ended with {running.returncode}")
    clock, used = time.perf_counter() - begun, watch.end()
    out = folder / "grades" / source.stem
    rows = [json.loads(line) for line in (out / "results.jsonl").read_text().splitlines()]
    if [row["total"] for row in rows] != [made["points"]] * students:
        raise AssertionError(f"{source.stem}: a right submission did not get all points")
    return {
        "clock": clock / students,
        "processor": used / students,
        "sandbox": watch.sandbox,
        "grader": watch.rest,
        "kilobytes": len(solved(source)) / 1000,
    }


def worked_on(source, folder):
    """Run every cell of the solved lab in one kernel; processor seconds and megabytes of that kernel."""
    import nbformat
    from nbclient import NotebookClient
    from traitlets.config import Config

    notebook = nbformat.reads(solved(source), as_version=4)
    private = Config(KernelManager={"transport": "ipc", "ip": f"{folder}/k"})
    place = {"metadata": {"path": str(folder)}}
    client = NotebookClient(notebook, kernel_name="python3", resources=place, config=private)
    with client.setup_kernel():
        kernel = psutil.Process(client.km.provisioner.pid)
        most = 0.0
        for number, cell in enumerate(notebook.cells):
            client.execute_cell(cell, number)
            most = max(most, held(kernel))
        used = kernel.cpu_times()
        return {"work": used.user + used.system, "kernel": most}


@contextlib.contextmanager
def jupyterlab(home, *flags, root_too=True):
    """A JupyterLab on the notebooks in ``home``, with settings of its own: the process and its port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    options = {"port": port, "root_dir": home, "open_browser": False}
    options |= {"allow_root": True} if root_too else {}
    own = {"JUPYTER_CONFIG_DIR": "config", "JUPYTER_DATA_DIR": "data", "IPYTHONDIR": "ipython"}
    own |= {"JUPYTERLAB_SETTINGS_DIR": "settings", "JUPYTERLAB_WORKSPACES_DIR": "workspaces"}
    environment = os.environ | {name: str(home / folder) for name, folder in own.items()}
    command = [sys.executable, "-m", "jupyterlab", *flags]
    command += [f"--ServerApp.{name}={value}" for name, value in options.items()]
    log = home / "log"
    with open(log, "w") as file:
        running = subprocess.Popen(command, env=environment, stdout=file, stderr=file)
    try:
        for _ in range(600):
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                if running.poll() is not None:
                    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text()}") from None
                time.sleep(0.1)
        yield running, port
    finally:
        running.terminate()
        running.wait(30)


def server(folder):
    """Megabytes of a JupyterLab that shows nothing yet."""
    with jupyterlab(folder) as (running, _):
        time.sleep(2)  # its extensions are loaded after the door is open
        return held(psutil.Process(running.pid))


def reported(out, folder):
    """Seconds and pages of the report for a class of 10,000, made from the rows of one lab."""
    from grader.report import report

    shutil.copytree(out, folder)
    rows = [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]
    (folder / "by-hand.csv").unlink(missing_ok=True)
    many = (rows[n % len(rows)] | {"student": f"student{n:05}", "twin": str(n)} for n in range(CLASS))
    (folder / "results.jsonl").write_text("".join(json.dumps(row) + "\n" for row in many))
    begun = time.perf_counter()
    report(folder)
    page = (folder / "index.html").stat().st_size / 1e6
    return {"seconds": time.perf_counter() - begun, "megabytes": page}


def measure(names, students):
    """Everything that the results file holds."""
    from tqdm import tqdm

    sources = [ROOT / f"labs/source/{name}.ipynb" for name in names]
    found = {"students": students, "machine": machine(), "versions": versions(), "labs": {}}
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        for source in tqdm(sources, unit=" labs", disable=None):
            lab = graded(source, students, scratch / source.stem)
            found["labs"][source.stem] = lab | worked_on(source, scratch)
        found["server"] = server(scratch)
        found["report"] = reported(scratch / names[0] / "grades" / names[0], scratch / "class")
    return found


def tables(results):
    """``labs``: what each lab costs; ``grading`` and ``working``: a class of 10,000, on paper."""
    labs = results["labs"]
    headings = ["Lab", "Graded in, s", "on one core, s", "sandbox, MB", "Worked on, s", "kernel, MB"]
    headings = [heading.replace(", ", ",\u00a0") for heading in headings]  # the unit stays with its word
    rows = [
        [name[:2], f"{lab['clock']:.1f}", f"{lab['processor']:.1f}", f"{lab['sandbox']:.0f}"]
        + [f"{lab['work']:.1f}", f"{lab['kernel']:.0f}"]
        for name, lab in labs.items()
    ]
    top = ["For a class of 10,000", "Number", "How we know"]
    return {"labs": (headings, rows), "grading": (top, grading(results)), "working": (top, working(results))}


def grading(results):
    """One lab of everybody marked in one night?"""
    labs, assumed = results["labs"].values(), ASSUMED
    seconds = statistics.mean(lab["processor"] for lab in labs)
    sandbox = max(lab["sandbox"] for lab in labs)
    grader = max(lab["grader"] for lab in labs)
    hours = CLASS * seconds / assumed["cores"] / 3600
    together = (assumed["cores"] * sandbox + grader) / 1000
    sent = CLASS * statistics.mean(lab["kilobytes"] for lab in labs) / 1000
    reading = CLASS * assumed["minutes"] / 60
    report = results["report"]
    return [
        ["seconds of a processor for one submission, mean of the labs", f"{seconds:.1f}", "measured"],
        ["a machine for grading", f"{assumed['cores']} cores, {assumed['gigabytes']} GB", "assumed"],
        ["one lab of everybody, on one such machine", duration(hours), "computed"],
        ["the same on four", duration(hours / 4), "computed"],
        ["largest sandbox", f"{sandbox:.0f} MB", "measured"],
        [f"memory for {assumed['cores']} at once, and the grader", f"{together:.1f} GB", "computed"],
        ["notebooks sent to the workers", f"{sent:.0f} MB", "computed"],
        ["tables and pages for everybody", duration(report["seconds"] / 3600), "measured"],
        ["the cohort's page", f"{report['megabytes']:.1f} MB", "measured"],
        ["reading one open answer", f"{assumed['minutes']} minutes", "assumed"],
        ["reading all open answers of one lab", f"{reading:.0f} hours", "computed"],
    ]


def working(results):
    """Everybody at work on a server."""
    labs, assumed = results["labs"].values(), ASSUMED
    kernel = max(lab["kernel"] for lab in labs)
    work = statistics.mean(lab["work"] for lab in labs)
    present = CLASS * assumed["at_once"]
    memory = present * (results["server"] + kernel) / 1000
    cores = present * work * assumed["runs"] / (assumed["hours"] * 3600)
    by_memory = memory / (0.9 * assumed["gigabytes"])
    return [
        ["at work at the same time", f"{present:,.0f}", "assumed"],
        ["JupyterLab of one student", f"{results['server']:.0f} MB", "measured"],
        ["largest kernel of a lab", f"{kernel:.0f} MB", "measured"],
        ["memory for all of them", f"{memory:.0f} GB", "computed"],
        ["machines of that kind, a tenth kept free", f"{-(-by_memory // 1):.0f}", "computed"],
        ["seconds of a processor to run every cell once, mean", f"{work:.1f}", "measured"],
        [f"runs of each cell in {assumed['hours']} hours", f"{assumed['runs']}", "assumed"],
        ["cores kept busy", f"{cores:.1f}", "computed"],
    ]


def duration(hours):
    """A time in the unit that suits it."""
    for unit, size in (("hours", 1), ("minutes", 60)):
        if hours * size >= 2:
            return f"{hours * size:.1f} {unit}"
    return f"{hours * 3600:.0f} seconds"


def main():
    every = sorted(path.stem for path in lab_sources())
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("labs", nargs="*", default=every, metavar="NN-name")
    parser.add_argument("--students", type=int, default=20)
    chosen = parser.parse_args()
    results = measure(chosen.labs, chosen.students)
    if chosen.labs == every:
        output.keep(RESULTS, results)
    output.show(tables(results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
