"""Make from a lab's source the notebook that students get, and refuse a lab that would grade badly.

Refused are: a check without stored output, a solution that answers differently the second time, a planted
bug that its check lets through, a hidden check whose answers do not depend on the seed, a lab that unsolved
does not run to its end or scores a point.
"""

import json
import secrets
from pathlib import Path

from grader import judge
from grader.check import MIME
from grader.collect import parse
from grader.compose import compose
from grader.lab import Lab, LabError, first_line, refuse
from grader.notebook import NotebookFailed, as_text, execute, normalise
from grader.reference import GRADING, answers_to, reference
from grader.run import run
from grader.sandbox import Settings


def release(source, out, folder=GRADING, seed=None):
    """Write the released notebook of one lab and its private reference.

    Parameters
    ----------
    source : Path
        ``labs/source/NN-name.ipynb``, executed (its check cells hold the solution's bundles).
    out : Path
        Where the students' notebook goes: ``labs/NN-name.ipynb``.
    folder, seed
        As in :func:`grader.reference.reference`.

    Returns
    -------
    dict
        The reference, with ``changed``: whether the released notebook is another than before.
    """
    lab = Lab(source)
    refuse(lab.path, _never_run(lab))
    made = reference(source, seed, folder, remake=True)
    closed = Settings(closed=tuple(made["closed"]), warm=made["warm"])
    answers = answers_to(lab, closed, taken=True)
    problems = [*made["missed"], *_stored(lab, answers)]
    others = [answers, answers_to(lab, closed, secrets.randbits(62))]
    problems += dict.fromkeys(problem for other in others for problem in _fixed(lab, made, other))
    refuse(lab.path, problems)
    out = Path(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    before = out.read_text(encoding="utf-8") if out.exists() else None
    draft = out.with_name(f"{out.stem}.draft.ipynb")
    try:
        draft.write_text(json.dumps(unsolved(lab), indent=1), encoding="utf-8")
        text = _executed(draft)
    finally:
        draft.unlink(missing_ok=True)
    _worthless(lab, made, text, closed)
    if text != before:
        out.write_text(text, encoding="utf-8")
    return made | {"changed": text != before}


def unsolved(lab):
    """The released notebook, not yet executed: starters for solutions, no hidden checks, no planted bugs."""
    cells = []
    for cell, name, source in lab.released():
        kept = cell.raw.get("metadata", {})
        metadata = {key: kept[key] for key in ("lab", "tags") if key in kept}
        if cell.check:  # folded: its text tells what is expected before anybody has tried
            metadata["tags"] = list(dict.fromkeys([*metadata.get("tags", []), "hide-input"]))
        new = {"cell_type": cell.raw["cell_type"], "id": name, "metadata": metadata, "source": source}
        if new["cell_type"] == "code":
            new |= {"execution_count": None, "outputs": []}
        cells.append(new)
    stamp = {**lab.marks, "name": lab.name, "version": lab.version, "points": lab.points}
    return {"cells": cells, "metadata": {"lab": stamp}, "nbformat": 4, "nbformat_minor": 5}


def disagreement(source, out):
    """Why a released lab is not what its source would give now, or None; nothing is executed."""
    lab, out = Lab(source), Path(out)
    if not out.exists():
        return f"{out} is not released: python -m grader release {lab.name}"
    cells, stamp = parse(out.read_bytes())
    expected = [(cell.raw["cell_type"], name, source.rstrip()) for cell, name, source in lab.released()]
    found = [(cell["kind"], cell["id"], cell["source"].rstrip()) for cell in cells]
    if stamp.get("version") != lab.version or expected != found:
        return f"{out} is not what {lab.path} gives: python -m grader release {lab.name}"
    return None


def _never_run(lab):
    """Cells whose source stores no sign that they were executed."""
    for number, cell in enumerate(lab.cells):
        if cell.raw["cell_type"] == "code" and cell.source.strip():
            if cell.raw.get("execution_count") is None:
                yield f"cell {number} was never executed: run `python -m tools.normalise {lab.path}`"
            elif cell.role == "check" and not _bundles(cell):
                yield f"cell {number}: check {cell.check!r} stores no result"


def _stored(lab, answers):
    """Checks whose stored result is not what the solution gives now."""
    for id, cell in lab.checks.items():
        shown = {"status": "ok", "error": "", "bundles": _bundles(cell)}
        if judge.one(id, answers[id], shown)[0] != "right":
            number = lab.cells.index(cell)
            yield f"cell {number}: check {id!r} stores another result than the solution gives now"


def _fixed(lab, made, answers):
    """Hidden checks that take the answers to another seed's inputs: who knows them need not compute them."""
    for id, bundle in answers.items():
        shown = {"status": "ok", "error": "", "bundles": [bundle]}
        if made["checks"][id]["hidden"] and judge.one(id, made["checks"][id]["bundle"], shown)[0] == "right":
            yield (
                f"check {id!r} is right with the answers to another seed's inputs: draw them all "
                "from expect.rng (and multiply a fixed answer by a draw)"
            )


def _bundles(cell):
    data = (output.get("data", {}) for output in cell.raw.get("outputs", []))
    return [found[MIME] for found in data if MIME in found]


def _executed(draft):
    """The text of the released notebook: run as a student's first "run all" would, then normalised."""
    try:
        notebook, _ = execute(draft)
    except NotebookFailed as problem:
        raise LabError(f"unsolved, the lab does not run to its end:\n{problem}") from None
    return as_text(normalise(notebook))


def _worthless(lab, made, text, settings):
    """Grade the released notebook as if it were handed in: it must run through and be worth nothing."""
    cells, stamp = parse(text.encode())
    steps, notes = compose(made, cells, stamp)
    ran, _ = run(steps, settings)
    marks = judge.judge(made["checks"], ran)
    problems = [f"unsolved, {note}" for note in notes]
    for id, mark in marks.items():
        if mark["status"] == "right":
            problems.append(f"unsolved, check {id!r} is right")
        elif mark["status"] != "not attempted":
            problems.append(f"unsolved, check {id!r} is {mark['status']!r} and not 'not attempted'")
    for one in ran:
        if one["status"] != "ok":
            head = first_line(one["source"])[:60]
            problems.append(f"unsolved, the cell that begins {head!r} ends with {one['error']}")
    refuse(lab.path, problems)
