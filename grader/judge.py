"""Compare what the check cells emitted with the reference: the only place where marks are made.

It runs outside of every sandbox, on plain JSON.  Tolerances, names and points come from the reference, never
from the submission.
"""

import builtins

from grader.values import kind_faults, same

# What a check can come to, and what that means to a student.
STATUS = {
    "right": "right",
    "wrong": "ran, but the answer is not right",
    "not attempted": "not attempted",
    "stopped": "your code stopped with an error",
    "timeout": "took longer than allowed",
    "died": "ended Python itself",
    "process-limit": "started more processes than allowed, as a fork bomb does",
    "memory-limit": "needed more memory than allowed",
    "output-limit": "printed more than allowed",
    "silent": "the check did not report a result",
    "not reached": "not reached: an earlier cell used up the time",
    "not marked yet": "a check that is newer than this result",
    "too many restarts": "not reached: too many earlier cells ended or blocked Python",
}
# Names of errors that a student may be told: a made-up class name could carry the hidden inputs out.
SAFE_ERRORS = {n for n, v in vars(builtins).items() if isinstance(v, type) and issubclass(v, BaseException)}
SAFE_ERRORS |= {"LinAlgError", "NotFittedError"}


def judge(checks, ran):
    """The marks of one submission.

    Parameters
    ----------
    checks : dict
        Of the reference: id -> ``points``, ``hidden`` and the solution's ``bundle``.
    ran : list of dict
        What was run and what it did (:func:`grader.run.run`).

    Returns
    -------
    dict
        id -> ``status``, ``error``, ``points``, ``of``.  A hidden check tells the name of an error only if
        the visible check above it ended with the same one.
    """
    outcomes = {step["check"]: step for step in ran}
    marks, seen = {}, ""
    for id, check in checks.items():
        status, error = one(id, check["bundle"], outcomes.get(id))
        if not check["hidden"]:
            seen = error
        elif error != seen:  # chosen among many, a name could tell what the hidden inputs are
            error = "Exception" if error else ""
        of = check["points"]
        marks[id] = {"status": status, "error": error, "points": of if status == "right" else 0, "of": of}
    return marks


def one(id, reference, outcome):
    """Status and error name of one check, from what its cell did."""
    if outcome is None:
        return "not reached", ""
    if outcome["status"] not in ("ok", "error"):
        return outcome["status"], ""
    bundles = [b for b in outcome["bundles"] if isinstance(b, dict) and b.get("check") == id]
    if not bundles:
        return ("stopped", safe(outcome["error"])) if outcome["error"] else ("silent", "")
    if len(bundles) > 1:
        return "wrong", ""  # an honest check cell displays one
    bundle = bundles[0]
    if bundle.get("state") == "not attempted":
        return "not attempted", ""
    if bundle.get("state") != "answered":
        return "stopped", safe(bundle.get("error"))
    try:
        return ("right" if agree(bundle.get("values"), reference) else "wrong"), ""
    except (RecursionError, ValueError, TypeError, OverflowError, MemoryError):
        return "wrong", ""  # values that no check of ours can have emitted


def mistake(id, reference, bugs, outcome):
    """How a student is told what a wrong answer is like: it has all the values of a planted bug.

    No match, no guess; nor if two bugs give these values and say different things.  An answer of which many
    are right has no values to know it by.
    """
    if not all(terms.get("unique", True) for terms in reference["terms"].values()):
        return None
    found = {}
    for bug in bugs:
        expected = reference | {"values": bug["values"]}
        if one(id, expected, outcome)[0] == "right":
            found[bug["says"][0]] = bug["says"]
    return next(iter(found.values())) if len(found) == 1 else None


def agree(values, reference):
    """Whether every value agrees with the reference's, each under the reference's terms."""
    expected = reference["values"]
    if not isinstance(values, dict) or values.keys() != expected.keys():
        return False
    for name, value in values.items():
        terms = reference["terms"].get(name, {})
        if terms.get("unique", True):
            if not same(value, expected[name], terms):
                return False
        elif kind_faults(value, terms):
            return False
    return True


def safe(name):
    """The error's name if every Python has it, else just "Exception"."""
    return name if isinstance(name, str) and name in SAFE_ERRORS else "Exception"
