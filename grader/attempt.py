"""One submission, from bytes to what it did: the part of grading that may run on another machine.

Bytes go in, plain data comes out.  The reference's answers are not needed and stay at home.  Whatever one
submission does to this code, the others are marked.
"""

import os
from dataclasses import replace

from grader.collect import BadNotebook, parse, writable
from grader.compose import bare, compose, defined_below, questions
from grader.doors import outside
from grader.lab import first_line
from grader.run import SandboxError, run
from grader.sandbox import SHORT, Limits
from grader.twins import digest

# What must be known of a reference here.
LAB = ("name", "version", "skeleton", "imports", "questions", "question_cells", "prose", "pace")
MOST_CODE = 300_000  # letters of all code together; the longest lab has a tenth of it
MOST_SAID = 60_000  # letters on a page that errors and checks have
FIRST, TOLD = 5 / 8, 1 / 8  # shares of a submission's time: the run that is marked, the one that is told
LONGEST_ANSWER = 20_000  # letters of an answer that is marked by hand, and of one that is shown
NOTHING = {"status": "marked", "reason": "", "notes": [], "ran": [], "seconds": 0.0}
NOTHING |= {
    "twin": "",
    "answers": {},
    "added": "",
    "code": {},
    "told": [],
    "busy": "",
    "left": Limits.wall_seconds,
}


def attempt(submission, lab, settings):
    """Run one submission.

    Parameters
    ----------
    submission : grader.collect.Submission
    lab : dict
        The fields ``LAB`` of a reference; and ``mend`` for a second run in which only the ``checks`` are of
        interest and the solution's cells (``ours``: check -> source) replace answers from that check on;
        ``was`` is what the steps did in the first run.
    settings : grader.run.Settings

    Returns
    -------
    dict
        ``status`` (``marked``, ``bad-notebook``, ``grader-error``), ``reason``, ``notes``, ``ran`` (the
        steps with their outcomes), ``seconds``, ``twin``, ``answers``, ``added`` (code cells of the
        student's own), ``code`` (a question's last check -> the answer as handed in), ``busy`` (why the
        machine may be at fault), and ``told``: what the cells said in a run that never saw the hidden
        checks or their seed; ``left``, what is left of the time for the submission.
    """
    try:
        return writable(_ran(submission, lab, settings))
    except BadNotebook as reason:
        found = {"status": "bad-notebook", "reason": str(reason)}
    except Exception as problem:
        words = f"{type(problem).__name__} on {os.uname().nodename}: {str(problem)[:200]}"
        found = {"status": "grader-error", "reason": words}
        if isinstance(problem, SandboxError | OSError):  # a machine that was short of something for a moment
            found["busy"] = words
    return writable(NOTHING | {"notes": [submission.note] if submission.note else []} | found)


def _ran(submission, lab, settings):
    if submission.problem:
        raise BadNotebook(submission.problem)
    cells, stamp = parse(submission.content)
    steps, notes = compose(lab, cells, stamp)
    own = [step["source"] for step in steps if not step.get("given")]
    given = {bare(cell[text]) for cell in lab["skeleton"] for text in ("source", "released")}
    own = [source for source in own if bare(source) not in given]
    if sum(map(len, own)) > MOST_CODE:  # to Python's parser one cell, and too long for it
        own = ["\n".join(own)]
        notes.append("too much code to tell what it imports")
    elif late := defined_below(lab["skeleton"], steps):
        words = f"{', '.join(late)[:200]}: written only below the check"
        notes.append(f"{words}; Restart and Run All shows that the check does not see it")
    closed = outside(own, lab["imports"])
    if closed:
        notes.append(f"imports what this lab does not open: {', '.join(closed)[:200]}")
    hidden, after = {cell["check"] for cell in lab["skeleton"] if cell["hidden"]}, {}
    for each in questions(lab["skeleton"]):
        after |= {id: [id for id in each["checks"] if id not in hidden] for id in hidden & {*each["checks"]}}
    for step in steps:
        name = step["check"] or (None if step.get("given") else "")  # set-up cells have the whole time
        step["limit"] = min(settings.limits.cell_seconds, lab["pace"].get(name, 1e9))
        step["after"] = after.get(name, [])
    steps = _mended(steps, **lab["mend"]) if "mend" in lab else steps
    whole = settings.limits.wall_seconds
    first = settings if "mend" in lab else _with(settings, FIRST * whole)
    ran, seconds = run(steps, first)
    told, left = [], (1 - FIRST - TOLD) * whole + (ran[-1]["left"] if ran else 0)
    if "mend" not in lab and any(map(_trouble, ran)):
        # What is known from the first run is used only for what stands above the first hidden check, and this
        # run has a time of its own: whatever a program saw of the hidden inputs, no page can show it.
        above = next((n for n, step in enumerate(steps) if step["check"] in hidden), len(steps))
        again = [_known(step, one) for step, one in zip(steps[:above], ran, strict=False)] + steps[above:]
        again = [step for step in again if step["check"] not in hidden]
        told, more = run(again, replace(_with(settings, TOLD * whole), open=True))
        told = [_told(one) for one in told if one["check"] or one["status"] != "ok"]
        if _too_much_said(told):
            notes.append("so much was said that not all of it is shown")
        seconds += more
    return NOTHING | {
        "notes": [submission.note, *notes] if submission.note else notes,
        "ran": ran,
        "seconds": round(seconds, 3),
        "twin": digest(own, [c["released"] for c in lab["skeleton"] if c["role"] == "answer"]),
        "answers": _answers(lab, cells),
        "added": _added(lab, cells, given),
        "code": _code(lab, steps, given),
        "told": told,
        "busy": _busy(ran),
        "left": left,
    }


def _known(step, one):
    """A step for another run: what ended Python is not run again, and what blocked it has a second."""
    if one["lost"] or one["status"] in ("not reached", "too many restarts"):
        return step | {"known": one["status"]}
    return step | {"limit": SHORT, "allowed": step["limit"]} if one["status"] == "timeout" else step


def _with(settings, seconds):
    """The settings of one of several runs: its share of the time."""
    return replace(settings, limits=replace(settings.limits, wall_seconds=seconds))


def _mended(steps, ours, checks, was):
    """The steps with the solution's answers behind those that were wrong, and only some of the checks."""
    made = []
    for number, step in enumerate(steps):
        if not step["check"]:
            made.append(_known(step, was[number]) if number < len(was) else step)
        elif step["check"] in checks:  # with another answer before it, it may end another way
            made.append(step | {"after": []})
        if step["check"] in ours:
            made.append({"source": ours[step["check"]], "check": None, "given": True})
    return made


def _trouble(one):
    """Whether a student needs to be told more of a step than "right" or "not attempted"."""
    bundle = next((each for each in one["bundles"] if isinstance(each, dict)), {})
    return one["status"] != "ok" or one["check"] and (bundle.get("error") or bundle.get("faults"))


def _told(one):
    """What a student is told of a step: its first line, if it is the student's own, and what it said."""
    told = {key: one[key] for key in ("check", "status", "error", "bundles", "said")}
    told["limit"] = one.get("allowed", one["limit"])
    return told | {"begins": "" if one.get("given") else first_line(one["source"])[:80]}


def _too_much_said(told):
    """Shorten what was said, if it is more than a page can bear, and say whether it was."""
    room, long = MOST_SAID, False
    for one in told:
        long = long or len(one["said"]) > room
        one["said"] = one["said"][:room]
        room -= len(one["said"])
    return long


def _busy(ran):
    """Why the marks may be this machine's fault and not the student's, or nothing."""
    for one in ran:
        if one.get("given") and not one["check"] and one["starved"]:
            return f"a cell of the lab's own took longer than {one['limit']:g} s: is this machine too busy?"
    return "had to wait for a processor" if any(one["starved"] for one in ran) else ""


def _code(lab, steps, given):
    """What the student wrote for each question: the cells since the checks before, none that the lab gave."""
    found, waiting = {}, []
    last = {check: each["checks"][-1] for each in questions(lab["skeleton"]) for check in each["checks"]}
    for step in steps:
        if not step["check"] and bare(step["source"]) not in given:
            waiting.append(step["source"])
        elif step["check"] in last and waiting:
            found[last[step["check"]]], waiting = "\n\n".join(waiting)[:LONGEST_ANSWER], []
    return found


def _answers(lab, cells):
    """What the student wrote for the questions that are marked by hand, known by mark or by cell id.

    It may stand in several cells: one that was split or copied, or new ones right below the question.
    """
    answers, above = {}, None
    for cell in cells:
        id = cell["marks"].get("id")
        if not isinstance(id, str) or id not in lab["questions"]:
            id = lab["question_cells"].get(cell["id"])
        given = cell["id"] in lab["prose"] or bare(cell["source"]) in lab["prose"].values()
        above = None if cell["kind"] == "code" else id or (None if given else above)
        if above:
            answers.setdefault(above, []).append(cell["source"])
    return {id: "\n\n".join(parts)[:LONGEST_ANSWER] for id, parts in answers.items()}


def _added(lab, cells, given):
    """The code cells that the lab does not have: what an open question asks to be shown."""
    known = {cell["id"] for cell in lab["skeleton"]}
    own = [cell["source"] for cell in cells if cell["kind"] == "code" and cell["id"] not in known]
    return "\n\n".join(text for text in own if bare(text) not in given | {""})[:LONGEST_ANSWER]
