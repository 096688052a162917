"""Mark a cohort: every student's submission for one lab, in parallel, so that it can be broken off anywhere.

``results.jsonl`` is the truth.  A row is added the moment a submission is marked; a row counts as long as the
submission, the reference, the limits and the isolation are what they were.  So the same command, given again,
goes on where it stopped, marks again what was handed in anew, and marks everything again after a check was
corrected.  ``run.json`` says whether anything is left to mark.

Nothing here takes a student out of the results but ``forget``, which names how many: a second folder (late
work) adds to what is there, and a row stays until the new one of the same student stands behind it.
"""

import hashlib
import json
import os
import re
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from functools import cached_property
from pathlib import Path

from tqdm import tqdm

from grader.attempt import LAB, NOTHING, attempt
from grader.collect import few, submissions, writable
from grader.compose import questions
from grader.judge import judge, mistake
from grader.judge import one as verdict
from grader.run import close_nurseries
from grader.sandbox import LAYERS, Limits, Settings
from grader.watch import facts, megabytes, remove

with suppress(ImportError):  # Windows has none, and the command says what it needs
    import fcntl

SILENT = 10  # seconds between two lines of a progress that goes into a file
KEPT = ("version", "points", "questions", "prompts", "twin")  # of the reference, for the reports


class Refused(Exception):
    """The command cannot be carried out as given; the text says what to change."""


def grade(
    reference,
    folder,
    out,
    limits=None,
    layer="bubblewrap",
    jobs=-1,
    dask=None,
    fresh=False,
    labs=(),
    forget=0,
):
    """Mark all submissions for one lab and return their rows, sorted by student.

    Parameters
    ----------
    reference : dict
        From :func:`grader.reference.reference`.
    folder : Path
        ``SUBMISSIONS``: one folder a student.
    out : Path
        ``grades/<NN-name>``: ``results.jsonl`` is kept here.
    limits : Limits, optional
        For one submission.
    layer : str
        The isolation to use; it must start on every machine that takes part.
    jobs : int
        Submissions at once; -1 for one a core.
    dask : str, optional
        Address of a Dask scheduler whose workers do the work.
    fresh : bool
        Mark all of the folder's submissions again; earlier rows stay until the new ones are there.
    labs : iterable of str
        The names of all labs, so that another lab's file is not taken for this one's.
    forget : int
        How many students with results and without a submission in this folder are taken out.
    """
    return Cohort(reference, folder, out, limits, layer, labs).grade(jobs, dask, fresh, forget)


class Cohort:
    """The submissions for one lab and what is known of them: ``results.jsonl`` and ``run.json`` in a folder.

    The parameters are those of :func:`grade`.
    """

    def __init__(self, reference, folder, out, limits=None, layer="bubblewrap", labs=()):
        self.reference, self.out = reference, Path(out)
        self.results = self.out / "results.jsonl"
        try:
            self.out.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise Refused(f"no folder {out} for the results: {problem.strerror}") from None
        self.folder = str(Path(folder).resolve())
        self.found, self.missing = submissions(folder, reference["name"], labs)
        self.settings = Settings(layer, limits or Limits(), tuple(reference["closed"]), reference["warm"])
        self.measure = _measure(reference, self.settings)
        self.keys = {each.student: _key(each, self.measure) for each in self.found}

    def grade(self, jobs=-1, dask=None, fresh=False, forget=0):
        """Mark what is not marked yet and return all rows, sorted by student."""
        with self.alone():
            rows = self.begin(fresh, forget)
            todo, words = [each for each in self.found if each.student not in rows], self.reference["name"]
            with tqdm(
                total=len(self.found), initial=len(rows), unit=" labs", desc=words, disable=None
            ) as bar:
                said = time.monotonic()
                for done, row in enumerate(_fairly(todo, self.reference, self.settings, jobs, dask), start=1):
                    self.note(row)
                    bar.update()
                    if bar.disable and (time.monotonic() > said + SILENT or done == len(todo)):  # into a file
                        said = time.monotonic()
                        marked = f"{words}: {len(rows) + done} of {len(self.found)} marked"
                        print(marked, file=sys.stderr, flush=True)
            return self.finish()

    def rows(self):
        """The rows of what is handed in as it is now, by student."""
        return {name: row for name, row in self.all().items() if row["key"] == self.keys.get(name)}

    def all(self):
        """The last row of every student, also of those whose submission is in another folder."""
        return latest(read_rows(self.results))

    def elsewhere(self):
        """The students who have results and no submission in this folder, sorted."""
        return sorted(self.all().keys() - self.keys.keys())

    def replaced(self):
        """Rows from another folder that count until now, of students who handed in something else here."""
        rows = ((name, row) for name, row in self.all().items() if name in self.keys)
        return [row for name, row in rows if row["key"] != self.keys[name] and row["folder"] != self.folder]

    def known(self):
        """The rows that count."""
        return {student: row for student, row in self.rows().items() if row["status"] != "grader-error"}

    @cached_property
    def earlier(self):
        """The rows that counted when they were first asked for."""
        return self.known()

    def complete(self):
        """Whether all were tried."""
        return len(self.rows()) == len(self.found)

    def begin(self, fresh=False, forget=0):
        """The rows that count already; from here on there is nothing to report until all are there."""
        gone = self.elsewhere()
        if forget and forget != len(gone):
            names = f": {few(gone)}" if gone else ""
            words = f"{len(gone)} have results in {self.out} and are not in {self.folder}{names}"
            raise Refused(f"--forget {forget}: {words}")
        if fresh or forget:  # whole or not at all; what is to be marked again counts for nothing until then
            rows = [row for name, row in self.all().items() if not (forget and name in gone)]
            again = self.keys if fresh else ()
            self._write(row | {"key": ""} if row["student"] in again else row for row in rows)
        rows, earlier = self.known(), self._earlier_run()
        if len(rows) < len(self.found) and earlier:  # old and new rows side by side are nothing to report
            write_whole(self.out / "run.json", json.dumps(earlier | {"complete": False}, indent=1) + "\n")
        return rows

    def _earlier_run(self):
        """What ``run.json`` says, if this grader wrote it."""
        with suppress(OSError, ValueError):
            run = json.loads((self.out / "run.json").read_text())
            return run if "measure" in run else {}
        return {}

    def _write(self, rows):
        write_whole(self.results, "".join(json.dumps(row) + "\n" for row in rows))

    def note(self, row):
        """Add a row for good."""
        row = row | {"folder": self.folder}
        with written(self.results), open(self.results, "a+b", buffering=0) as file:
            if file.tell():
                file.seek(-1, os.SEEK_END)
            cut_off = file.read(1) not in (b"", b"\n")  # the last writer was killed in the middle of a line
            file.write(b"\n" * cut_off + json.dumps(row).encode() + b"\n")
            os.fsync(file.fileno())

    def row(self, submission):
        """The row of one submission, which no other process asks for."""
        row = self.earlier.get(submission.student)
        if row is None:
            row = mark(submission, self.reference, self.settings)
            row = mark(submission, self.reference, self.settings) if row["busy"] else row
            self.note(_fair(row))
        return row

    def finish(self):
        """Write the rows in order and ``run.json``, and return the rows.

        In this order: killed between the two, there is nothing to report, and the next run finds all rows.
        """
        reference, rows = self.reference, self.all()
        ordered = [rows[student] for student in sorted(rows)]
        self._write(ordered)
        run = {"lab": reference["name"], **{key: reference[key] for key in KEPT}}
        run |= {
            "complete": True,
            "checks": list(reference["checks"]),
            "titles": {q["checks"][-1]: q["checks"] for q in questions(reference["skeleton"])},
            "missing": self._missing(rows),
            "measure": self.measure,
            "layer": self.settings.layer,
            "layer_words": LAYERS[self.settings.layer],
            "limits": asdict(self.settings.limits),
        }
        write_whole(self.out / "run.json", json.dumps(run, indent=1) + "\n")
        return ordered

    def _missing(self, rows):
        """Who handed in nothing, here and in the folders before: student -> files of no lab, and where."""
        earlier = self._earlier_run().get("missing", {})
        found = {name: each for name, each in earlier.items() if each["folder"] != self.folder}
        found |= {name: {"files": files, "folder": self.folder} for name, files in self.missing.items()}
        return {name: found[name] for name in sorted(found) if name not in rows}

    @contextmanager
    def alone(self):
        """Two graders in one folder would overwrite each other."""
        with written(self.out):
            file = open(self.out / ".lock", "w")
        with file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise Refused(f"another grader is at work in {self.out}") from None
            yield


def _fairly(todo, reference, settings, jobs, dask):
    """The rows of all; who may have lost by the machine's fault runs once more at last, alone, for a time."""
    with _workers(jobs, dask) as (attempt, count):
        crowd = count > 1 and len(todo) > 1
        late = []
        for submission, row in _all(todo, reference, settings, attempt, count):
            if row["busy"] and (crowd or row["status"] == "grader-error"):
                late.append((submission, row))
            else:
                yield _fair(row)
        end = time.monotonic() + settings.limits.wall_seconds
        for submission, row in late:
            if time.monotonic() < end:
                yield _fair(mark(submission, reference, settings, attempt))
            else:
                yield _fair(row | {"busy": f"{row['busy']}; no time was left to try it alone"})


def _fair(row):
    """A row that is the machine's fault is none of the student's: the next run tries again."""
    fault = "lab's own" in row["busy"] or "no time" in row["busy"]
    return _lost(row, row["busy"]) if fault else row


def _lost(row, reason):
    """The row as one that this machine could not make."""
    for one in row["checks"].values():
        one |= {"status": "grader-error", "points": 0}
    return row | {"status": "grader-error", "reason": reason, "total": 0}


def _all(todo, reference, settings, attempt, count):
    """Pairs of submission and row, in the order in which they are ready."""
    with ThreadPoolExecutor(count) as pool:
        tasks = {pool.submit(mark, each, reference, settings, attempt): each for each in todo}
        try:
            for task in as_completed(tasks):
                yield tasks[task], task.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            close_nurseries()  # what still runs must not outlive us
            raise


@contextmanager
def _workers(jobs, address):
    """How to attempt a submission, and how many at once: here, or on the workers of a Dask cluster."""
    if address is None:
        yield attempt, jobs if jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + jobs)
        return
    try:
        from distributed import Client
    except ImportError:
        raise Refused("--dask needs the package distributed: pip install large-margins[dask]") from None
    try:
        client = Client(address, timeout="5s")
    except (OSError, ValueError) as problem:
        raise Refused(f"no Dask scheduler at {address}: {problem}") from None

    def attempt_there(submission, lab, settings):
        task = client.submit(_as_text, submission, lab, settings, pure=False)
        try:
            return json.loads(task.result(timeout=5 * settings.limits.wall_seconds + 120))
        except Exception as problem:  # of a cluster, of any kind; the next run tries again
            words = f"{type(problem).__name__}: {problem}"[:200]
            return NOTHING | {"status": "grader-error", "reason": words}

    with client:
        yield attempt_there, max(1, sum(client.ncores().values()))


def _as_text(*arguments):
    """What travels back from another machine: text."""
    return json.dumps(attempt(*arguments))


def mark(submission, reference, settings, attempt=attempt):
    """One submission's line of ``results.jsonl``: what it did, and what that is worth.

    One mistake costs once: if an answer is wrong and later checks fail too, these run again with the
    solution's answer in place of the wrong one, and what is right then has its points.
    """
    lab = {key: reference[key] for key in LAB}
    did = attempt(submission, lab, settings)
    row = _row(submission, did, reference, settings)
    mend = _mend(reference, row["code"], row["checks"]) if row["status"] == "marked" else None
    if mend and did["left"] > 0:  # of the time that all runs have together
        was = [{key: one[key] for key in ("status", "lost")} for one in did["ran"]]
        fewer = replace(settings, limits=replace(settings.limits, wall_seconds=did["left"]))
        again = attempt(submission, lab | {"mend": mend | {"was": was}}, fewer)
        if again["status"] != "marked":  # nobody knows what these checks are worth
            return _lost(row, again["reason"]) | {"busy": again["busy"]}
        better = judge(reference["checks"], again["ran"])
        _name_mistakes(better, row["checks"], reference, again["ran"])
        for id in mend["checks"]:
            if better[id]["status"] == "right":
                row["checks"][id] = better[id] | {"ours": mend["checks"][id]}
        row["total"] = sum(mark["points"] for mark in row["checks"].values())
        row["seconds"] = round(row["seconds"] + again["seconds"], 3)
    return row


def _name_mistakes(marks, row, reference, ran):
    """Add to the marks of a row what wrong answers are like, as far as that is known."""
    did = {one["check"]: one for one in ran if one["check"]}
    for id, mark in marks.items():
        if mark["status"] == "wrong" and id in did and "mistake" not in row[id]:
            bugs = reference["bugs"].get(id, [])
            if says := mistake(id, reference["checks"][id]["bundle"], bugs, did[id]):
                row[id]["mistake"] = says


def _mend(reference, code, marks):
    """Which of the solution's answers to put in place, and which checks may gain by it; None if none does."""
    ours, gain = {}, {}
    for question in questions(reference["skeleton"]):
        lost = [id for id in question["checks"] if marks[id]["of"] and marks[id]["status"] != "right"]
        last = question["checks"][-1]
        if lost and ours and last in code:
            gain |= dict.fromkeys(lost, list(ours))
        if lost and last in reference["ours"]:
            ours[last] = reference["ours"][last]
    return {"ours": ours, "checks": gain} if gain else None


def _row(submission, did, reference, settings):
    """The line with the marks of one run: what it did, but for the values."""
    row = {"student": submission.student, "lab": reference["name"]} | did
    ran = row.pop("ran")
    del row["left"]
    marks = judge(reference["checks"], ran)
    if row["status"] != "marked":
        for mark in marks.values():
            mark["status"] = row["status"]
    _name_mistakes(marks, marks, reference, ran)
    for one in row["told"]:
        if one["check"]:
            bundle = reference["checks"][one["check"]]["bundle"]
            one["status"], one["error"] = verdict(one["check"], bundle, one)
        del one["bundles"]
    return row | {
        "incidents": dict(Counter(one["status"] for one in ran if one["status"] not in ("ok", "error"))),
        "total": sum(mark["points"] for mark in marks.values()),
        "of": reference["points"],
        "checks": marks,
        "measure": (measure := _measure(reference, settings)),
        "key": _key(submission, measure),
    }


def _measure(reference, settings):
    """Names what submissions are measured by: the reference, the limits, the isolation."""
    measure = [reference[k] for k in ("key", "checks", "skeleton", "closed")]
    measure = json.dumps([*measure, settings.layer, asdict(settings.limits)], sort_keys=True)
    return hashlib.sha256(measure.encode()).hexdigest()[:24]


def _key(submission, measure):
    """Names a submission together with what it is measured by."""
    return hashlib.sha256(f"{submission.digest} {measure}".encode()).hexdigest()[:24]


# --- files that survive a crash ------------------------------------------------------------------------


def read_rows(path):
    """The rows of a ``results.jsonl``; a line that was never finished is left out."""
    rows = []
    with suppress(OSError):
        for line in Path(path).read_text(encoding="utf-8", errors="replace").splitlines():
            with suppress(ValueError):
                rows.append(writable(json.loads(line)))
    rows = [row for row in rows if isinstance(row, dict) and {"student", "key", "status"} <= row.keys()]
    return [row | {key: row.get(key, "") for key in ("folder", "measure")} for row in rows]


def latest(rows):
    """The last row of each student: one that was marked again has two until the run is finished."""
    return {row["student"]: row for row in rows}


def write_whole(path, text):
    """Write a file so that it is there whole or not at all, whatever ends us or the machine."""
    draft = path.with_name(path.name + ".new")
    with written(path):
        with open(draft, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)


@contextmanager
def written(path):
    """A full disk is told in a sentence; what was marked stays, and the next run goes on from there."""
    try:
        yield
    except OSError as problem:
        words = f"{path} cannot be written ({problem.strerror}); mend that, and the same command goes on"
        raise Refused(words) from None


def sweep():
    """Remove the folders of graders that were killed."""
    if not Path("/proc/self").exists():  # nothing tells which graders are alive
        return
    for folder in Path("/tmp" if os.path.isdir("/tmp") else tempfile.gettempdir()).glob("lm-*"):
        found = re.fullmatch(r"lm-(\d+)-\w+", folder.name)
        gone = found and not megabytes(facts(found[1]))  # one that is not buried yet holds nothing
        if gone and folder.is_dir() and not folder.is_symlink():
            if folder.stat().st_uid == os.getuid():
                remove(folder)
