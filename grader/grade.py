"""Mark a cohort: every student's submission for one lab, in parallel, so that it can be broken off anywhere.

``results.jsonl`` is the truth.  A row is added the moment a submission is marked; a row counts as long as the
submission, the reference, the limits and the isolation are what they were.  So the same command, given again,
goes on where it stopped, marks again what was handed in anew, and marks everything again after a check was
corrected.  ``run.json`` is there when nothing is left to mark.
"""

import hashlib
import json
import os
import re
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path

from tqdm import tqdm

from grader.attempt import LAB, NOTHING, attempt
from grader.collect import submissions
from grader.compose import questions
from grader.judge import judge
from grader.judge import one as verdict
from grader.run import close_nurseries
from grader.sandbox import LAYERS, Limits, Settings
from grader.watch import remove

with suppress(ImportError):  # Windows has none, and the command says what it needs
    import fcntl

KEPT = ("version", "points", "questions", "prompts", "twin")  # of the reference, for the reports


class Refused(Exception):
    """The command cannot be carried out as given; the text says what to change."""


def grade(reference, folder, out, limits=None, layer="bubblewrap", jobs=-1, dask=None, fresh=False, labs=()):
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
        Forget earlier rows.
    labs : iterable of str
        The names of all labs, so that another lab's file is not taken for this one's.
    """
    cohort = Cohort(reference, folder, out, limits, layer, labs)
    with cohort.alone():
        rows = cohort.begin(fresh)
        todo, words = [each for each in cohort.found if each.student not in rows], reference["name"]
        with tqdm(total=len(cohort.found), initial=len(rows), unit=" labs", desc=words, disable=None) as bar:
            for row in _fairly(todo, reference, cohort.settings, jobs, dask):
                cohort.note(row)
                bar.update()
        return cohort.finish()


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
        self.found, self.missing = submissions(folder, reference["name"], labs)
        self.settings = Settings(layer, limits or Limits(), tuple(reference["closed"]), reference["warm"])
        self.keys = {each.student: _key(each, reference, self.settings) for each in self.found}
        self.seen, self.read = {}, 0  # rows of the results, and how far these were read

    def rows(self):
        """The rows of what is handed in as it is now, by student; only lines that are new are read."""
        with suppress(FileNotFoundError), open(self.results, "rb") as file:
            file.seek(self.read)
            whole = file.read().rpartition(b"\n")[0]
            self.read += len(whole) + 1 if whole else 0
            for row in _parsed(whole.decode("utf-8", "replace").splitlines()):
                if row["key"] == self.keys.get(row["student"]):
                    self.seen[row["student"]] = row
        return dict(self.seen)

    def known(self):
        """The rows that count."""
        return {student: row for student, row in self.rows().items() if row["status"] != "grader-error"}

    def complete(self):
        """Whether all were tried."""
        return len(self.rows()) == len(self.found)

    def begin(self, fresh=False):
        """The rows that count already; from here on there is nothing to report until all are there."""
        if fresh:
            with written(self.results):
                self.results.write_text("")
            self.seen, self.read = {}, 0
        rows = self.known()
        if len(rows) < len(self.found):  # old and new rows side by side are nothing to report
            (self.out / "run.json").unlink(missing_ok=True)
        return rows

    def note(self, row):
        """Add a row for good."""
        with written(self.results), open(self.results, "a+b", buffering=0) as file:
            if file.tell():
                file.seek(-1, os.SEEK_END)
            cut_off = file.read(1) not in (b"", b"\n")  # the last writer was killed in the middle of a line
            file.write(b"\n" * cut_off + json.dumps(row).encode() + b"\n")
            os.fsync(file.fileno())

    def row(self, submission):
        """The row of one submission, marked once, however many processes ask."""
        with open(self.out / ".marking", "a") as file:
            fcntl.lockf(file, fcntl.LOCK_EX, 1, self.found.index(submission))
            row = self.known().get(submission.student)
            if row is None:
                row = mark(submission, self.reference, self.settings)
                row = mark(submission, self.reference, self.settings) if row["busy"] else row
                self.note(_fair(row))
        return row

    def finish(self):
        """Write ``run.json`` and the rows in order, and return them."""
        reference, rows = self.reference, self.rows()
        run = {"lab": reference["name"], **{key: reference[key] for key in KEPT}}
        run |= {
            "checks": list(reference["checks"]),
            "titles": {q["checks"][-1]: q["checks"] for q in questions(reference["skeleton"])},
            "missing": self.missing,
            "layer": self.settings.layer,
            "layer_words": LAYERS[self.settings.layer],
            "limits": asdict(self.settings.limits),
        }
        _replace(self.out / "run.json", json.dumps(run, indent=1) + "\n")
        ordered = [rows[student] for student in sorted(rows)]
        _replace(self.results, "".join(json.dumps(row) + "\n" for row in ordered))
        self.seen, self.read = {}, 0  # another file now
        return ordered

    @contextmanager
    def alone(self):
        """Two graders in one folder would overwrite each other."""
        with open(self.out / ".lock", "w") as file:
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
                late.append(submission)
            else:
                yield _fair(row)
        end = time.monotonic() + settings.limits.wall_seconds
        for submission in late:
            in_time = time.monotonic() < end
            yield _fair(mark(submission, reference, settings, attempt if in_time else _too_late))


def _too_late(*_):
    return NOTHING | {"busy": "no time was left to try it alone"}


def _fair(row):
    """A row that may be the machine's fault is none of the student's: the next run tries again."""
    if row["busy"] and ("lab's own" in row["busy"] or "no time" in row["busy"]):
        row |= {"status": "grader-error", "reason": row["busy"], "total": 0}
    return row


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
            return NOTHING | {
                "status": "grader-error",
                "reason": f"{type(problem).__name__}: {problem}"[:200],
            }

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
    ran = attempt(submission, lab, settings)
    row = _row(submission, ran, reference, settings)
    mend = _mend(reference, ran["code"], row["checks"]) if ran["status"] == "marked" else None
    if mend:
        again = attempt(submission, lab | {"mend": mend}, settings)
        if again["status"] != "marked":  # nobody knows what these checks are worth
            return row | {key: again[key] for key in ("status", "reason", "busy")} | {"total": 0}
        better = judge(reference["checks"], again["steps"], again["outcomes"])
        for id in mend["checks"]:
            if better[id]["status"] == "right":
                row["checks"][id] = better[id] | {"ours": mend["checks"][id]}
        row["total"] = sum(mark["points"] for mark in row["checks"].values())
        row["seconds"] = round(row["seconds"] + again["seconds"], 3)
        row["busy"] = row["busy"] or again["busy"]
    return row


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


def _row(submission, ran, reference, settings):
    """The line with the marks of one run."""
    marks = judge(reference["checks"], ran["steps"], ran["outcomes"])
    if ran["status"] != "marked":
        for mark in marks.values():
            mark |= {"status": ran["status"]}
    kinds = [outcome["status"] for outcome in ran["outcomes"]]
    for one in ran["told"]:
        bundles = {"bundles": one.pop("bundles")}
        if one["check"]:
            bundle = reference["checks"][one["check"]]["bundle"]
            one["status"], one["error"] = verdict(one["check"], bundle, one | bundles)
    return {
        "student": submission.student,
        "lab": reference["name"],
        "status": ran["status"],
        "reason": ran["reason"],
        "incidents": dict(Counter(kind for kind in kinds if kind not in ("ok", "error"))),
        "notes": ran["notes"],
        "total": sum(mark["points"] for mark in marks.values()),
        "of": reference["points"],
        "checks": marks,
        **{key: ran[key] for key in ("answers", "added", "seconds", "twin", "code", "told", "busy")},
        "key": _key(submission, reference, settings),
    }


def _key(submission, reference, settings):
    """Names a submission together with what it is measured by."""
    measure = [reference[k] for k in ("key", "checks", "skeleton", "closed")]
    measure = json.dumps([*measure, settings.layer, asdict(settings.limits)], sort_keys=True)
    return hashlib.sha256(f"{submission.digest} {measure}".encode()).hexdigest()[:24]


# --- files that survive a crash ------------------------------------------------------------------------


def read_rows(path):
    """The rows of a ``results.jsonl``; a line that was never finished is left out."""
    try:
        return _parsed(Path(path).read_text(encoding="utf-8").splitlines())
    except OSError:
        return []


def _parsed(lines):
    rows = []
    for line in lines:
        with suppress(ValueError):
            rows.append(json.loads(line))
    return [row for row in rows if isinstance(row, dict) and {"student", "key", "status"} <= row.keys()]


def _replace(path, text):
    """Write a file so that it is there whole or not at all."""
    draft = path.with_name(path.name + ".new")
    with written(path):
        draft.write_text(text, encoding="utf-8")
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
        if found and not Path(f"/proc/{found[1]}").exists() and folder.is_dir() and not folder.is_symlink():
            if folder.stat().st_uid == os.getuid():
                remove(folder)
