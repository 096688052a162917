"""Mark a cohort: every student's submission for one lab, in parallel, so that it can be broken off anywhere.

``results.jsonl`` is the truth.  A row is added the moment a submission is marked; a row counts as long as the
submission, the reference, the limits and the isolation are what they were.  So the same command, given again,
goes on where it stopped, marks again what was handed in anew, and marks everything again after a check was
corrected.  ``run.json`` is there when nothing is left to mark.
"""

import fcntl
import hashlib
import json
import os
import re
import tempfile
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

import joblib
from tqdm import tqdm

from grader import nursery
from grader.attempt import LAB, attempt
from grader.collect import submissions
from grader.judge import judge
from grader.run import Settings
from grader.sandbox import LAYERS, Limits
from grader.watch import remove


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
    out = Path(out)
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise Refused(f"no folder {out} for the results: {problem.strerror}") from None
    limits = limits or Limits()
    found, missing = submissions(folder, reference["name"], labs)
    settings = Settings(layer, limits, tuple(reference["closed"]), reference["warm"])
    with _alone(out), _journal(out / "results.jsonl", fresh) as (known, note):
        rows, todo = {}, []
        for submission in found:
            row = known.get(submission.student)
            key = _key(submission, reference, settings)
            if row and row["key"] == key and row["status"] != "grader-error":
                rows[submission.student] = row
            else:
                todo.append(submission)
        lab = {key: reference[key] for key in LAB}
        if todo:  # old and new rows side by side are nothing to report
            (out / "run.json").unlink(missing_ok=True)
        with tqdm(total=len(found), initial=len(rows), unit=" labs", desc=lab["name"], disable=None) as bar:
            for submission, ran in _fairly(todo, lab, settings, jobs, dask):
                row = _row(submission, ran, reference, settings)
                note(row)
                rows[row["student"]] = row
                bar.update()
        run = {"lab": reference["name"], "version": reference["version"], "points": reference["points"]}
        run |= {"checks": list(reference["checks"]), "questions": reference["questions"], "layer": layer}
        run |= {
            "prompts": reference["prompts"],
            "missing": list(missing),
            "unread": {student: files for student, files in missing.items() if files},
            "layer_words": LAYERS[layer],
            "limits": limits.as_dict(),
        }
        _replace(out / "run.json", json.dumps(run, indent=1) + "\n")
        ordered = [rows[student] for student in sorted(rows)]
        _replace(out / "results.jsonl", "".join(json.dumps(row) + "\n" for row in ordered))
    return ordered


def _fairly(todo, lab, settings, jobs, dask):
    """As ``_all``, but who ran out of time while others held the processors runs once more at last, alone."""
    late = []
    for submission, ran in _all(todo, lab, settings, jobs, dask):
        crowd = jobs != 1 and len(todo) > 1 and dask is None
        if crowd and any(outcome["starved"] for outcome in ran["outcomes"]):
            late.append(submission)
        else:
            yield submission, ran
    yield from _all(late, lab, settings, 1, None)


def _all(todo, lab, settings, jobs, dask):
    """Pairs of submission and what it did, in the order in which they are ready."""
    by_student = {submission.student: submission for submission in todo}
    tasks = (joblib.delayed(attempt)(submission, lab, settings) for submission in todo)
    with _cluster(dask):
        parallel = joblib.Parallel(
            n_jobs=jobs, prefer="threads", return_as="generator_unordered", pre_dispatch="n_jobs"
        )
        try:
            for student, ran in parallel(tasks):
                yield by_student[student], ran
        except BaseException:
            nursery.close()  # what still runs must not outlive us
            raise


@contextmanager
def _cluster(address):
    """joblib's own threads, or the workers of a Dask cluster: the tasks are the same."""
    if address is None:
        with nullcontext():
            yield
        return
    try:
        from distributed import Client
    except ImportError:
        raise Refused("--dask needs the package distributed: pip install large-margins[dask]") from None
    try:
        client = Client(address, timeout="5s")
    except (OSError, ValueError) as problem:
        raise Refused(f"no Dask scheduler at {address}: {problem}") from None
    with client, joblib.parallel_config("dask"):
        yield


def _row(submission, ran, reference, settings):
    """One line of ``results.jsonl``."""
    marks = judge(reference["checks"], ran["steps"], ran["outcomes"])
    if ran["status"] != "marked":
        for mark in marks.values():
            mark |= {"status": ran["status"]}
    incidents, cells = {}, []
    for step, outcome in zip(ran["steps"], ran["outcomes"], strict=False):
        if outcome["status"] not in ("ok", "error"):
            incidents[outcome["status"]] = incidents.get(outcome["status"], 0) + 1
            if not step["check"] and step.get("begins"):
                cells.append({"status": outcome["status"], "begins": step["begins"]})
    return {
        "student": submission.student,
        "lab": reference["name"],
        "status": ran["status"],
        "reason": ran["reason"],
        "incidents": incidents,
        "cells": cells,
        "notes": ran["notes"],
        "total": sum(mark["points"] for mark in marks.values()),
        "of": reference["points"],
        "checks": marks,
        "answers": ran["answers"],
        "added": ran["added"],
        "seconds": ran["seconds"],
        "twin": ran["twin"],
        "key": _key(submission, reference, settings),
    }


def _key(submission, reference, settings):
    """Names a submission together with what it is measured by."""
    measure = [reference[k] for k in ("key", "checks", "skeleton", "closed")]
    measure = json.dumps([*measure, settings.layer, settings.limits.as_dict()], sort_keys=True)
    return hashlib.sha256(f"{submission.digest} {measure}".encode()).hexdigest()[:24]


# --- files that survive a crash ------------------------------------------------------------------------


@contextmanager
def _journal(path, fresh):
    """The rows of earlier runs by student, and a function that adds one for good."""
    known = {} if fresh else {row["student"]: row for row in read_rows(path)}
    with written(path):
        file = open(path, "w" if fresh else "a", encoding="utf-8")

    def note(row):
        with written(path):
            file.write(json.dumps(row) + "\n")
            file.flush()
            os.fsync(file.fileno())

    try:
        if file.tell() and not path.read_bytes().endswith(b"\n"):
            file.write("\n")  # the last writer was killed in the middle of a line
        yield known, note
    finally:
        with suppress(OSError):  # a row that could not be written was told already
            file.close()


def read_rows(path):
    """The rows of a ``results.jsonl``; a line that was never finished is left out."""
    rows = []
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
    for line in lines:
        try:
            rows.append(json.loads(line))
        except ValueError:
            continue
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


@contextmanager
def _alone(out):
    """Two graders in one folder would overwrite each other."""
    with open(out / ".lock", "w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Refused(f"another grader is at work in {out}") from None
        yield


def sweep():
    """Remove the folders of graders that were killed."""
    if not Path("/proc/self").exists():  # nothing tells which graders are alive
        return
    for folder in Path("/tmp" if os.path.isdir("/tmp") else tempfile.gettempdir()).glob("lm-*"):
        found = re.fullmatch(r"lm-(\d+)-\w+", folder.name)
        if found and not Path(f"/proc/{found[1]}").exists() and folder.is_dir() and not folder.is_symlink():
            if folder.stat().st_uid == os.getuid():
                remove(folder)
