"""One submission, from bytes to what it did: the part of grading that may run on another machine.

Bytes go in, plain data comes out.  The reference's answers are not needed and stay at home.  Whatever one
submission does to this code, the others are marked.
"""

import os

from grader.collect import BadNotebook, parse
from grader.compose import compose, defined_below
from grader.doors import outside
from grader.run import SandboxError, run
from grader.sandbox import starts
from grader.twins import digest

# What must be known of a reference here.
LAB = ("name", "version", "skeleton", "imports", "questions", "question_cells", "prose")
MOST_CODE = 300_000  # letters of all code together; the longest lab has a tenth of it
LONGEST_ANSWER = 20_000  # letters of an answer that is marked by hand
NOTHING = {"status": "marked", "reason": "", "notes": [], "steps": [], "outcomes": [], "seconds": 0.0}
NOTHING |= {"twin": "", "answers": {}, "added": ""}


def attempt(submission, lab, settings):
    """Run one submission.

    Parameters
    ----------
    submission : grader.collect.Submission
    lab : dict
        The fields ``LAB`` of a reference.
    settings : grader.run.Settings

    Returns
    -------
    student : str
    ran : dict
        ``status`` (``marked``, ``bad-notebook``, ``grader-error``), ``reason``, ``notes``, ``steps`` with
        their ``outcomes``, ``seconds``, ``twin``, ``answers``, ``added`` (code cells of the student's own).
    """
    try:
        return submission.student, _ran(submission, lab, settings)
    except BadNotebook as reason:
        found = {"status": "bad-notebook", "reason": str(reason)}
    except Exception as problem:
        found = {"status": "grader-error", "reason": f"{type(problem).__name__}: {str(problem)[:200]}"}
    return submission.student, NOTHING | {"notes": [submission.note] if submission.note else []} | found


def _ran(submission, lab, settings):
    if submission.problem:
        raise BadNotebook(submission.problem)
    cells, stamp = parse(submission.content)
    steps, notes = compose(lab, cells, stamp)
    given = {_bare(cell[text]) for cell in lab["skeleton"] for text in ("source", "released")}
    own = [s["source"] for s in steps if not s["check"] and _bare(s["source"]) not in given]
    if sum(map(len, own)) > MOST_CODE:  # to Python's parser one cell, and too long for it
        own = ["\n".join(own)]
        notes.append("too much code to tell what it imports")
    elif late := defined_below(lab["skeleton"], steps):
        words = f"{', '.join(late)[:200]}: written only below the check"
        notes.append(f"{words}; Restart and Run All shows that the check does not see it")
    closed = outside(own, lab["imports"])
    if closed:
        notes.append(f"imports what this lab does not open: {', '.join(closed)[:200]}")
    if not starts(settings.layer):
        raise SandboxError(f"{settings.layer} does not start on {os.uname().nodename}")
    try:
        outcomes, seconds = run(steps, settings)
    except SandboxError:  # a machine that was short of something for a moment
        outcomes, seconds = run(steps, settings)
    return {
        "status": "marked",
        "reason": "",
        "notes": [submission.note, *notes] if submission.note else notes,
        "steps": [{"check": s["check"], "begins": _begins(s["source"], given)} for s in steps],
        "outcomes": outcomes,
        "seconds": seconds,
        "twin": digest(own),
        "answers": _answers(lab, cells),
        "added": _added(lab, cells, given),
    }


def _begins(source, given):
    """The first line of a cell of the student's own; nothing of a cell that the lab gave."""
    lines = (line.strip() for line in source.splitlines())
    return "" if _bare(source) in given else next(filter(None, lines), "")[:80]


def _answers(lab, cells):
    """What the student wrote for the questions that are marked by hand, known by mark or by cell id.

    It may stand in several cells: one that was split or copied, or new ones right below the question.
    """
    answers, above = {}, None
    for cell in cells:
        id = cell["marks"].get("id")
        if not isinstance(id, str) or id not in lab["questions"]:
            id = lab["question_cells"].get(cell["id"])
        given = cell["id"] in lab["prose"] or _bare(cell["source"]) in lab["prose"].values()
        above = None if cell["kind"] == "code" else id or (None if given else above)
        if above:
            answers.setdefault(above, []).append(cell["source"])
    return {id: "\n\n".join(parts)[:LONGEST_ANSWER] for id, parts in answers.items()}


def _added(lab, cells, given):
    """The code cells that the lab does not have: what an open question asks to be shown."""
    known = {cell["id"] for cell in lab["skeleton"]}
    own = [
        cell["source"]
        for cell in cells
        if cell["kind"] == "code" and cell["id"] not in known and _bare(cell["source"]) not in given | {""}
    ]
    return "\n\n".join(own)[:LONGEST_ANSWER]


def _bare(source):
    return "".join(source.split())
