"""The private reference of a lab: what the solution answers to the secret inputs.

It is made by running the solution, twice, in the sandbox that submissions will run in, and kept in the
git-ignored folder ``.grading``.  It is remade when the lab, the seed or the code around it has changed.
"""

import hashlib
import json
import math
import os
import secrets
from dataclasses import replace
from pathlib import Path

from grader import judge
from grader.check import MIME, PUBLIC_SEED
from grader.doors import GUARDED, guarded_modules, imported, locate
from grader.lab import OURS, Lab, LabError, first_line, refuse
from grader.run import run
from grader.sandbox import HERE, Settings
from grader.twins import digest

GRADING = Path(".grading")
LOOK_AT_MODULES = f"""
import sys
from IPython.display import publish_display_data
loaded = sorted(name for name in sys.modules if name.split(".")[0] in {GUARDED!r})
publish_display_data({{{MIME!r}: {{"check": "modules", "loaded": loaded}}}})
"""


def seed_of(folder=GRADING):
    """The secret seed of this machine: made once, kept readable by its owner only."""
    path = Path(folder, "seed")
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w") as file:
            file.write(str(secrets.randbits(63)))
    try:
        return int(path.read_text())
    except ValueError:
        raise LabError(f"{path} does not hold a number; delete it and grade again") from None


def reference(source, seed=None, folder=GRADING, settings=None, remake=False):
    """Read the reference of a lab, or make it if it is missing or stale.

    Parameters
    ----------
    source : Path
        ``labs/source/NN-name.ipynb``.
    seed : int, optional
        Of the hidden checks; without it the machine's own secret one.
    folder : Path
        Where references are kept.
    settings : grader.sandbox.Settings, optional
        Layer and limits for the runs of the solution.
    remake : bool
        Make it even if it is up to date.

    Returns
    -------
    dict
        ``name``, ``version``, ``key``, ``points``, ``imports``, ``questions``, ``prompts``,
        ``question_cells``, ``prose`` (the text cells that students get: id -> text without white space),
        ``checks``, ``bugs`` (what planted bugs answer, and how that is told), ``skeleton``, ``missed``
        (planted bugs that a check let through, in words), ``closed``, ``loaded``, ``mllib``, ``warm``,
        ``seconds`` (of the solution), ``ours`` (its answers by the last check of their question), ``twin``
        (the digest of them all), ``pace`` (seconds for each check, and under the empty name for a student's
        own cell: what the solution took, and much room).
    """
    lab = Lab(source)
    seed = seed_of(folder) if seed is None else seed
    settings = settings or Settings()
    path = Path(folder, lab.name, "reference.json")
    key = _key(lab, seed)
    if not remake:
        try:
            known = json.loads(path.read_text())
            fresh = known["mllib"] == _digests(known["mllib"])
            shut = known["closed"] == list(_closed(known["loaded"], lab.imports))  # no room is new
            if known["key"] == key and fresh and shut and Path(known["warm"]).is_dir():
                return known
        except (OSError, ValueError, KeyError):
            pass
    made = _make(lab, seed, path.parent, settings) | {"key": key}
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".new")
    draft.touch(mode=0o600)
    draft.write_text(json.dumps(made, indent=1))
    draft.replace(path)
    return made


def _key(lab, seed):
    """Changes whenever marks could: the lab, the seed, the code that runs and compares."""
    digest = hashlib.sha256(f"{lab.name} {lab.version} {seed}".encode())
    for name in ("check.py", "values.py", "judge.py", "compose.py", "lab.py", "reference.py", "twins.py"):
        digest.update((HERE / name).read_bytes())
    return digest.hexdigest()[:24]


def _digests(modules):
    """The course's own modules that a solution loads, each with its file's digest."""
    files = {name: locate(name) for name in modules if name.split(".")[0] == "mllib"}
    return {name: hashlib.sha256(file.read_bytes()).hexdigest() for name, file in files.items() if file}


def _make(lab, seed, folder, settings):
    """Run the solution twice: once open, to see what it loads; once closed, with every planted bug."""
    warm = folder.resolve() / "warm"
    look = "".join(f"import {name}\n" for name in lab.imports) + LOOK_AT_MODULES
    patient = replace(settings.limits, cell_seconds=5 * settings.limits.cell_seconds)  # numba compiles it all
    opened = replace(settings, limits=patient, warm=str(warm), harvest=True)
    *ran, seen = run([*lab.solved(seed), {"source": look, "check": "modules"}], opened)[0]
    first = _answers(lab, ran)
    if not seen["bundles"]:
        raise LabError(f"{lab.path}: an import of metadata.lab.imports fails: {', '.join(lab.imports)}")
    loaded = seen["bundles"][0]["loaded"]
    closed = _closed(loaded, lab.imports)
    shut = replace(settings, warm=str(warm), closed=closed)
    ran, seconds = run(lab.solved(seed, bugs=True), shut)
    second = _answers(lab, ran)
    differ = [id for id in first if first[id] != second[id]]
    problems = [f"{id}: the solution answered differently the second time" for id in differ]
    checks, missed, bugs = {}, [], {}
    for id, bundle in second.items():
        cell = lab.checks[id]
        checks[id] = {"points": cell.points, "hidden": cell.hidden, "bundle": bundle}
    for one in ran:
        if one.get("bug"):
            status, _ = judge.one(one["check"], second[one["check"]], one)
            if status == "wrong" and one["says"]:
                known = {"says": one["says"], "values": one["bundles"][0]["values"]}
                bugs.setdefault(one["check"], []).append(known)
            if one["probe"]:  # another check rejects it
                continue
            if status == "right":
                missed.append(f"{one['bug']} is not rejected: the check finds nothing wrong with it")
            elif status not in ("wrong", "stopped"):
                problems.append(f"{one['bug']}: {status}; a planted bug must run, and be wrong")
    refuse(lab.path, problems)
    return {
        "name": lab.name,
        "version": lab.version,
        "points": lab.points,
        "imports": sorted({*lab.imports, *imported(cell.source for cell in lab.of("setup"))}),
        "questions": lab.questions,
        "prompts": lab.prompts(),
        "question_cells": {name: cell.marks["id"] for cell, name, _ in lab.released("question")},
        "prose": {name: "".join(text.split()) for _, name, text in lab.released("prose")},
        "checks": checks,
        "bugs": bugs,
        "skeleton": lab.skeleton(seed),
        "missed": missed,
        "closed": list(closed),
        "loaded": loaded,
        "mllib": _digests(loaded),
        "warm": str(warm),
        "seconds": seconds,
        "ours": lab.ours(),
        "twin": digest([c.source for c in lab.of(*OURS)], [text for *_, text in lab.released("answer")]),
        "pace": _pace(ran),
    }


def _pace(ran):
    """What a cell may take of a processor: 5 s and 20 times what the solution's took, 10, 15, ... s."""
    seconds = {one["check"]: one["spent"] for one in ran if one.get("check") and not one.get("bug")}
    seconds[""] = max(seconds.values())  # and not what imports took
    return {name: 5 * max(2, math.ceil(1 + 4 * took)) for name, took in seconds.items()}


def _answers(lab, ran):
    """The solution's bundles: id -> bundle.  Any step that does not run through is the author's to mend."""
    bundles, problems = {}, []
    for one in ran:
        if one.get("bug"):
            continue
        id = one.get("check")
        if one["status"] != "ok":
            where = f"check {id!r}" if id else f"the cell that begins {first_line(one['source'])[:60]!r}"
            problems.append(f"{where}: {one['status']} {one['error']}".rstrip())
        elif id:
            found = [b for b in one["bundles"] if b.get("check") == id]
            if len(found) != 1:
                problems.append(f"check {id!r} displays {len(found)} bundles, not one")
            elif found[0]["state"] != "answered":
                problems.append(f"check {id!r}: the solution itself is {found[0]['state']}")
            elif faults := found[0].get("faults"):
                problems.append(f"check {id!r} finds fault with the solution: {', '.join(faults)}")
            else:
                bundles[id] = found[0]
    refuse(f"{lab.path}: the solution does not run through", problems)
    return bundles


def _closed(loaded, opened):
    """What stays closed: the rooms that the lab does not open and its solution did not load."""
    needed = {*loaded, *opened}
    above = {name for name in guarded_modules() if any(need.startswith(f"{name}.") for need in needed)}
    inside = {name for name in guarded_modules() if any(name.startswith(f"{need}.") for need in opened)}
    return tuple(name for name in guarded_modules() if name not in needed | above | inside)


def answers_to(lab, settings, seed=PUBLIC_SEED, taken=False):
    """The solution's bundles for a seed; for the public one: what the source's stored outputs must show."""
    return _answers(lab, run(lab.solved(seed, taken=taken), settings)[0])
