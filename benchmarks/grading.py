"""Time for one honest submission: this grader beside nbgrader and otter-grader, in one run.

Each marks the same small lab (three answers, a visible and a hidden check each, NumPy), handed in by the
same number of students, all of it right; the marks are compared before a time is printed.  The peers live in
environments of their own, made by this script::

    python -m benchmarks.grading FOLDER [--students 20] [--rounds 3]

Rounds are interleaved; the best of each is reported, and its ratio to ours.  Ours is timed twice: one
submission at a time, as the peers work, and with as many at once as there are cores.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import nbformat.v4 as nb
import numpy as np

from benchmarks.labs import Watch
from grader.release import release
from tests.grader.small_lab import CENTRE, GUESS, NAME, SPREAD, cells, hand_in, write_source

TESTS = {
    "centre": "assert centre([1, 2, 6]) == 3\nx = np.random.default_rng(5).normal(size=7)\n"
    "assert np.isclose(centre(x), x.mean())",
    "spread": "x = np.random.default_rng(6).normal(size=9)\nassert np.isclose(spread(x), np.var(x))",
    "heads": "assert heads == 50",
}
POINTS = {"centre": 2, "spread": 3, "heads": 1}


def solved(source):
    """The solution without its markers."""
    return "\n".join(line for line in source.splitlines() if "SOLUTION" not in line and "#:" not in line)


def timed(command, cwd, environment=None):
    """Seconds by the clock and of all processors, and the result of a command."""
    path = f"{Path(command[0]).parent}{os.pathsep}{os.environ['PATH']}"
    variables = {**os.environ, "PATH": path, **(environment or {})}
    begun = time.perf_counter()
    running = subprocess.Popen(
        command, cwd=cwd, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    watch = Watch(running.pid)
    watch.start()
    said = running.communicate()
    took = watch.end(), time.perf_counter() - begun
    return np.array(took[::-1]), subprocess.CompletedProcess(command, running.returncode, *said)


class Ours:
    def __init__(self, folder, students):
        self.folder, self.students = folder, students
        source = write_source(folder / "source", cells())
        release(source, folder / f"{NAME}.ipynb", folder / ".grading", seed=1)
        for number in range(students):
            path = folder / "submissions" / f"student{number}" / f"{NAME}.ipynb"
            path.parent.mkdir(parents=True)
            path.write_text(json.dumps(hand_in(folder / f"{NAME}.ipynb")))

    def run(self, jobs):
        command = [sys.executable, "-m", "grader", "grade", "submissions", "--source", "source", "--fresh"]
        seconds, done = timed(
            [*command, "--seed", "1", "--jobs", str(jobs)], self.folder, {"PYTHONPATH": str(Path.cwd())}
        )
        rows = (self.folder / "grades" / NAME / "results.jsonl").read_text().splitlines()
        assert [json.loads(row)["total"] for row in rows] == [6] * self.students, done.stderr
        return seconds / self.students


class Nbgrader:
    def __init__(self, folder, students):
        self.folder, self.students = folder, students
        self.bin = environment(folder, "nbgrader")
        source = [nb.new_code_cell("import numpy as np")]
        for text, name in ((CENTRE, "centre"), (SPREAD, "spread"), (GUESS, "heads")):
            answer = text.replace("# BEGIN SOLUTION", "### BEGIN SOLUTION")
            answer = answer.replace("# END SOLUTION", "### END SOLUTION").replace("#:", "#")
            source.append(self.cell(answer, f"{name}-answer", solution=True))
            source.append(self.cell(TESTS[name], name, grade=True, points=POINTS[name], locked=True))
        path = folder / "source" / "ps1" / "lab.ipynb"
        path.parent.mkdir(parents=True)
        kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
        path.write_text(json.dumps(nb.new_notebook(cells=source, metadata=kernel)))
        (folder / "nbgrader_config.py").write_text(
            'c = get_config()\nc.CourseDirectory.course_id = "course"\n'
        )
        _, done = timed([self.bin / "nbgrader", "generate_assignment", "ps1"], folder)
        assert done.returncode == 0, done.stderr
        for number in range(students):
            target = folder / "submitted" / f"student{number}" / "ps1"
            target.mkdir(parents=True)
            notebook = json.loads((folder / "release" / "ps1" / "lab.ipynb").read_text())
            for cell in notebook["cells"]:
                for text, name in ((CENTRE, "centre"), (SPREAD, "spread"), (GUESS, "heads")):
                    if cell["metadata"].get("nbgrader", {}).get("grade_id") == f"{name}-answer":
                        cell["source"] = solved(text)
            (target / "lab.ipynb").write_text(json.dumps(notebook))

    @staticmethod
    def cell(source, name, grade=False, solution=False, locked=False, points=None):
        marks = {"grade": grade, "solution": solution, "locked": locked, "task": False, "schema_version": 3}
        marks |= {"grade_id": name, "points": points} if grade else {"grade_id": name}
        return nb.new_code_cell(source, metadata={"nbgrader": marks})

    def run(self):
        seconds, done = timed([self.bin / "nbgrader", "autograde", "ps1", "--force"], self.folder)
        assert done.returncode == 0, done.stderr
        timed([self.bin / "nbgrader", "export"], self.folder)
        table = (self.folder / "grades.csv").read_text().splitlines()[1:]
        scores = [float(line.split(",")[-2]) for line in table if line.startswith("ps1")]
        assert scores == [6.0] * self.students, table
        return seconds / self.students


class Otter:
    def __init__(self, folder, students):
        self.folder, self.students = folder, students
        self.bin = environment(folder, "otter-grader")
        tests = folder / "tests"
        tests.mkdir()
        for name, code in TESTS.items():
            lines = "\n".join(f">>> {line}" for line in code.splitlines())
            case = {"code": lines, "hidden": False, "locked": False}
            suite = {"cases": [case], "scored": True, "setup": "", "teardown": "", "type": "doctest"}
            test = {"name": name, "points": POINTS[name], "suites": [suite]}
            (tests / f"{name}.py").write_text(f"OK_FORMAT = True\ntest = {test!r}\n")
        _, done = timed([self.bin / "otter", "generate", "-t", "tests", "--no-environment"], folder)
        assert done.returncode == 0, done.stderr
        body = [nb.new_code_cell("import numpy as np\nimport otter\ngrader = otter.Notebook()")]
        for text, name in ((CENTRE, "centre"), (SPREAD, "spread"), (GUESS, "heads")):
            body += [nb.new_code_cell(solved(text)), nb.new_code_cell(f"grader.check({name!r})")]
        kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
        (folder / "lab.ipynb").write_text(json.dumps(nb.new_notebook(cells=body, metadata=kernel)))

    def run(self):
        seconds = 0
        for number in range(self.students):
            out = self.folder / f"out{number}"
            shutil.rmtree(out, ignore_errors=True)
            out.mkdir()
            command = [self.bin / "otter", "run", "lab.ipynb", "-a", "autograder.zip", "-o", str(out)]
            took, done = timed(command, self.folder)
            seconds += took
            results = next(out.glob("*.json"), None)
            assert results, done.stdout + done.stderr
            score = sum(test.get("score") or 0 for test in json.loads(results.read_text())["tests"])
            assert score == 6, results.read_text()
        return seconds / self.students


def environment(folder, package):
    """A scratch environment with one peer in it; its folder of commands."""
    home = folder.parent / f"env-{package}"
    if not (home / "bin").is_dir():
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
        subprocess.run([home / "bin" / "pip", "install", "-q", package, "ipykernel", "numpy"], check=True)
    return home / "bin"


def version(folder, package):
    _, listed = timed([folder / f"env-{package}" / "bin" / "pip", "show", package], folder)
    return re.search(r"^Version: (.*)$", listed.stdout, re.MULTILINE)[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="a scratch folder; environments in it are used again")
    parser.add_argument("--students", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    folder = chosen.folder.resolve()
    made = {}
    for name, kind in (("ours", Ours), ("nbgrader", Nbgrader), ("otter", Otter)):
        shutil.rmtree(folder / name, ignore_errors=True)
        (folder / name).mkdir()
        made[name] = kind(folder / name, chosen.students)
    cores = os.cpu_count()
    runs = {
        "ours, one at a time": lambda: made["ours"].run(1),
        f"ours, {cores} at once": lambda: made["ours"].run(cores),
        f"nbgrader {version(folder, 'nbgrader')}, autograde": made["nbgrader"].run,
        f"otter-grader {version(folder, 'otter-grader')}, run": made["otter"].run,
    }
    best = dict.fromkeys(runs, (np.inf, np.inf))
    for _ in range(chosen.rounds):
        for name, run in runs.items():
            best[name] = np.minimum(best[name], run())
    print(f"{'seconds a submission':32s}   clock  processors   ours (all cores) / this")
    ours = list(best.values())[1]
    for name, seconds in best.items():
        clock, cpu = ours / seconds
        ratios = f"{clock:.2f} by the clock, {cpu:.2f} of processors"
        print(f"{name:32s} {seconds[0]:7.2f} {seconds[1]:11.2f}   {ratios}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
