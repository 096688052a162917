"""A cohort of hostile, honest and broken submissions for the small lab, with the marks each must get.

As a script it makes one to look at or to time::

    python -m tests.grader.cohort FOLDER     # writes FOLDER/submissions, source, plan.json; then grade it
"""

import argparse
import copy
import json
import os
import sys
from pathlib import Path

from grader.check import MIME
from grader.kernel import LARGEST_MESSAGE
from grader.release import release
from tests.grader import attacks
from tests.grader.small_lab import NAME, cells, hand_in, write_source

WRONG = {"centre": "    return 1.0", "spread": "    return 1.0", "heads": "heads = 1"}


def cell(source):
    return {
        "cell_type": "code",
        "id": "mine",
        "metadata": {},
        "execution_count": None,
        "outputs": [],
        "source": source,
    }


def with_cell(source, after="def centre", **answers):
    """A hand-in with one more cell behind the first answer; everything else right unless given."""

    def make(released, _):
        notebook = hand_in(released, **answers)
        at = next(n for n, c in enumerate(notebook["cells"]) if after in "".join(c["source"]))
        notebook["cells"].insert(at + 1, cell(source))
        return notebook

    return make


def answered(**answers):
    return lambda released, _: hand_in(released, **answers)


# --- changes of the notebook itself ------------------------------------------------------------------------


def skipped(released, _):
    """Wrong answers, and every way to tell nbval to look away."""
    notebook = hand_in(released, **WRONG)
    for c in notebook["cells"]:
        if c["cell_type"] == "code":
            c["source"] = "# NBVAL_SKIP\n# NBVAL_IGNORE_OUTPUT\n" + "".join(c["source"])
            c["metadata"]["tags"] = ["nbval-skip", "nbval-ignore-output", "raises-exception"]
            c["execution_count"] = None
    return notebook


def forged_outputs(released, _):
    """Nothing written, but the stored outputs are those of a solved lab."""
    notebook = json.loads(released.read_text())
    for c in notebook["cells"]:
        if "id" in c["metadata"].get("lab", {}) and c["cell_type"] == "code":
            id = c["metadata"]["lab"]["id"]
            bundle = {"check": id, "state": "answered", "values": {id: 50}, "terms": {}}
            c["outputs"] = [{"output_type": "display_data", "metadata": {}, "data": {MIME: bundle}}]
    return notebook


def rearranged(change, **answers):
    def make(released, _):
        notebook = hand_in(released, **answers)
        notebook["cells"] = change(notebook["cells"])
        return notebook

    return make


def is_check(c):
    return c["cell_type"] == "code" and "id" in c["metadata"].get("lab", {})


def copied(cells):
    twice = []
    for number, c in enumerate(cells):
        twice += [c, {**copy.deepcopy(c), "id": f"copy-{number}"}] if c["cell_type"] == "code" else [c]
    return twice


def without_ids(cells):
    for c in cells:
        c.pop("id")
        c["metadata"] = {}
    return cells


def one_id(cells):
    for c in cells:
        c["id"] = "check-centre"
    return cells


def one_mark(cells):
    for c in without_ids(cells):
        c["metadata"]["lab"] = {"id": "centre"}
    return cells


def edited_checks(cells):
    for c in cells:
        if is_check(c):
            c["source"] = "".join(c["source"]).replace("expect(", "expect('extra', 1); expect(")
    return cells


def import_in_setup(cells):
    first = next(c for c in cells if c["cell_type"] == "code")
    first["source"] = "import math\n" + "".join(first["source"])
    return cells


def split_answer(cells):
    at = next(n for n, c in enumerate(cells) if "def centre" in "".join(c["source"]))
    cells[at] = cell("def total(x):\n    return np.sum(x)") | {"id": "half-1"}
    cells.insert(at + 1, cell("def centre(x):\n    return total(x) / len(x)") | {"id": "half-2"})
    return cells


def much_code(cells):
    return [*cells, *(cell(f"import sklearn\n{'#' * 90_000}") | {"id": f"much-{n}"} for n in range(4))]


def twenty_four_exits(released, _):
    """Behind all answers, so that it can cost no point."""
    notebook = hand_in(released)
    notebook["cells"] += [cell(f"import os\nos._exit({n})") | {"id": f"exit-{n}"} for n in range(24)]
    return notebook


def raw(content):
    return lambda released, _: content


# name: (how it is made, its total, the incident that must be seen or None)
HOSTILE = {
    "loop-in-a-cell": (with_cell("while True:\n    pass"), 6, "timeout"),
    "loop-deaf-to-interrupts": (with_cell(attacks.DEAF), 6, "timeout"),
    "loop-in-an-answer": (answered(spread="    while True:\n        pass"), 3, "timeout"),
    "stopped-process": (with_cell("import os\nos.kill(os.getpid(), 19)"), 6, "timeout"),
    "exit-of-python": (with_cell("import os\nos._exit(0)"), 6, "died"),
    "exit-in-an-answer": (answered(spread="    import os\n    os._exit(0)"), 3, "died"),
    "quit-the-kernel": (with_cell("quit()\nexit()"), 6, "died"),
    "segfault": (with_cell("import ctypes\nctypes.string_at(0)"), 6, "died"),
    "memory-bomb": (with_cell("held = [bytearray(50 << 20) for _ in range(200)]"), 6, "memory-limit"),
    "memory-at-once": (answered(spread="    return np.ones(10**10)"), 3, None),
    "memory-forked": (with_cell(attacks.FORKED_MEMORY), 6, "memory-limit"),
    "fork-bomb": (with_cell(attacks.FORK_BOMB), 6, "process-limit"),
    "endless-output": (with_cell("while True:\n    print('x' * 100)"), 6, "output-limit"),
    "huge-output": (with_cell(f"print('x' * {3 * LARGEST_MESSAGE // 2})"), 6, "output-limit"),
    "disk-filler": (with_cell("open('/lab/big', 'wb').write(bytes(400 << 20))"), 6, None),
    "socket-folder-filler": (
        with_cell("import time\nopen('/sockets/big', 'wb').write(bytes(1 << 20))\ntime.sleep(9)"), 6, "died",
    ),
    "socket-as-a-folder": (with_cell(attacks.SOCKET_AS_FOLDER), 6, "died"),
    "file-without-a-name": (with_cell(attacks.UNLINKED), 6, "died"),
    "no-folder-of-ours-to-write": (with_cell(attacks.NESTED.format(place="/sockets/work")), 6, None),
    "deep-folders": (with_cell(attacks.NESTED.format(place="/sockets")), 6, "died"),
    "shared-memory": (with_cell(attacks.SHARED_MEMORY), 6, "memory-limit"),
    "memory-without-a-first-thread": (
        with_cell(attacks.HEADLESS_MEMORY.format(exit=60 if os.uname().machine == "x86_64" else 93)),
        6, "memory-limit",
    ),
    "many-sockets": (with_cell(attacks.MANY_SOCKETS), 6, "memory-limit"),
    "headers-full-of-dates": (with_cell(attacks.MANY_DATES), 6, "output-limit"),
    "message-without-an-end": (with_cell(attacks.NO_LAST_PART), 6, "output-limit"),
    "many-files": (with_cell(attacks.MANY_FILES), 6, "memory-limit"),
    "huge-bundle": (answered(spread=attacks.HUGE_BUNDLE), 6, None),
    "no-publisher": (with_cell(attacks.NO_PUBLISHER), 6, "timeout"),
    "hanging-imports": (with_cell(attacks.HANGING_IMPORTS), 0, "timeout"),
    "closed-folder-in-sockets": (with_cell(attacks.SOCKETS_CLOSED), 6, "died"),
    "twenty-four-exits": (twenty_four_exits, 6, "died"),
    "half-a-character": (with_cell("raise ValueError('\\udc80')"), 6, None),
    "daemon": (with_cell(attacks.DAEMON), 6, None),
    "kill-everyone": (with_cell(attacks.KILL_ALL), 6, None),
    "closed-streams": (with_cell("import os, sys\nsys.stdout.close()\nos.close(1); os.close(2)"), 6, None),
    "patched-libraries": (with_cell(attacks.PATCHED, **WRONG), 0, None),
    "new-check-function": (with_cell(attacks.NEW_CHECK, **WRONG), 0, None),
    "always-equal-object": (answered(spread=attacks.EVERYTHING), 3, None),
    "forged-bundles": (with_cell(attacks.FORGED, **WRONG), 0, None),
    "forged-inside-a-check": (answered(spread=attacks.FORGED_INSIDE), 3, None),
    "nonsense-bundles": (answered(spread=attacks.NONSENSE), 3, None),
    "nested-bundle": (answered(spread=attacks.NESTED_BUNDLE.format(depth=900)), 6, None),
    "callers-names": (answered(spread=attacks.CALLERS_NAMES), 3, None),
    "false-idle": (with_cell(attacks.FALSE_IDLE), 6, None),
    "rights-are-refused": (with_cell(attacks.REFUSED_RIGHTS, spread=attacks.IF_REFUSED), 6, None),
    "deletes-everything": (with_cell(attacks.DELETE), 6, None),
    "traps-in-its-folder": (with_cell(attacks.CWD_TRAPS), 6, None),
    "leaks-by-error-name": (answered(spread=attacks.LEAK), 3, None),
    "reads-the-reference": (
        lambda r, w: hand_in(r, spread=attacks.SNOOP.format(places=w["places"])), 3, None,
    ),
    "writes-everywhere": (lambda r, w: with_cell(attacks.VANDAL.format(places=w["places"]))(r, w), 6, None),
    "calls-home": (lambda r, w: with_cell(attacks.CALL_HOME.format(port=w["port"]))(r, w), 6, None),
    "imports-a-closed-room": (
        answered(spread="    from mllib import AdaBoostClassifier\n    return np.var(x)"), 3, None,
    ),
    "imports-scikit-learn": (
        answered(spread="    from sklearn.ensemble import AdaBoostClassifier\n    return np.var(x)"), 3, None,
    ),
    "tells-nbval-to-skip": (skipped, 0, None),
    "forged-outputs": (forged_outputs, 0, None),
    "edited-checks-wrong": (rearranged(edited_checks, **WRONG), 0, None),
}  # fmt: skip
HONEST = {
    "many-honest-lines": (with_cell("for i in range(20_000):\n    print('line', i, 'of an honest loop')"), 6),
    "checks-copied": (rearranged(copied), 6),
    "checks-deleted": (rearranged(lambda cells: [c for c in cells if not is_check(c)]), 6),
    "checks-first": (rearranged(lambda cells: sorted(cells, key=lambda c: not is_check(c))), 6),
    "checks-edited": (rearranged(edited_checks), 6),
    "ids-lost": (rearranged(without_ids), 6),
    "all-with-one-id": (rearranged(one_id), 6),
    "all-with-one-mark": (rearranged(one_mark), 6),
    "children-not-waited-for": (with_cell(attacks.ZOMBIES), 6),
    "pool-without-join": (with_cell(attacks.POOL), 6),
    "answer-split": (rearranged(split_answer), 6),
    "a-number-of-5000-digits": (with_cell("big = 0x" + "f" * 5000), 6),
    "more-code-than-is-read": (rearranged(much_code), 6),
    "import-in-setup": (rearranged(import_in_setup, centre="    return math.fsum(x) / len(x)"), 6),
    "writes-to-stderr": (with_cell("import sys\nprint('a remark', file=sys.stderr)"), 6),
    "shell-and-magics": (with_cell("%time sum(range(9))\n!true"), 6),
    "helpers-with-names-of-checks": (
        with_cell(
            "def drawn():\n    return 1.0\n\nlist = [drawn]", centre="    return np.sum(x) / len(x) * drawn()"
        ),
        6,
    ),
    "answer-needs-input": (answered(heads="heads = input()"), 5),
    "unsolved": (answered(centre=None, spread=None, heads=None), 0),
    "only-the-guess": (answered(centre=None, spread=None), 1),
    "only-the-centre": (answered(spread=None, heads=None), 2),
    "centre-missing": (answered(centre=None, spread="    return np.var(x)"), 4),
    "centre-wrong": (answered(centre="    return np.median(x)", spread="    return np.var(x)"), 4),
    "spread-off-by-one": (answered(spread="    return np.var(x, ddof=1)"), 3),
    "all-wrong": (answered(**WRONG), 0),
    "a-syntax-error": (answered(spread="    return (x"), 3),
    "stops-with-an-error": (answered(spread="    return x[99]"), 3),
    "a-late-mistake": (with_cell("del centre", after="heads = 50"), 6),
    "=HYPERLINK(1)": (answered(), 6),
    "<script>alert(1)</script>".replace("/", "_"): (answered(), 6),
    "Ünïcode Ñame 学生": (answered(), 6),
    "copy-of-ada": (answered(centre="    # mine\n    return np.sum(x)/len(x)"), 6),
    "ada": (answered(), 6),
}
BROKEN = {
    "bad-json": (raw(b'{"cells": ['), "not JSON"),
    "empty-file": (raw(b""), "an empty file"),
    "not-utf8": (raw(b"\xff\xfe{}"), "not a text in UTF-8"),
    "not-a-notebook": (raw(b"[1, 2, 3]"), "no list of cells"),
    "deep-json": (raw(b"[" * 500_000), "nested too deeply"),
    "format-three": (raw(b'{"worksheets": [], "nbformat": 3}'), "format 3"),
    "cells-that-are-none": (raw(b'{"cells": [1, 2]}'), "is not a cell"),
    "another-notebook": (raw(json.dumps({"cells": [cell("x = 1")]}).encode()), "none of the cells"),
}


def wrong_lab(released, _):
    notebook = hand_in(released)
    notebook["metadata"]["lab"]["name"] = "91-other"
    return notebook


BROKEN["wrong-lab"] = (wrong_lab, "this is lab '91-other'")


def build(folder, released, world, only=None):
    """Write ``SUBMISSIONS`` and return the plan: student -> total, status, incident, reason."""
    plan = {}
    for name, (make, total, incident) in HOSTILE.items():
        plan[name] = {"make": make, "total": total, "status": "marked", "incident": incident, "reason": ""}
    for name, (make, total) in HONEST.items():
        plan[name] = {"make": make, "total": total, "status": "marked", "incident": None, "reason": ""}
    for name, (make, reason) in BROKEN.items():
        plan[name] = {"make": make, "total": 0, "status": "bad-notebook", "incident": None, "reason": reason}
    plan = {name: plan[name] for name in (only or plan)}
    for student, expected in plan.items():
        made = expected.pop("make")(Path(released), world)
        path = Path(folder, student, f"{NAME}.ipynb")
        path.parent.mkdir(parents=True)
        path.write_bytes(made if isinstance(made, bytes) else json.dumps(made).encode())
    if only is None:
        plan |= _odd_files(Path(folder))
    return plan


def _odd_files(folder):
    """Things that are no files, a file too large to read, and traps beside an honest notebook."""
    plan, bad = {}, {"total": 0, "status": "bad-notebook", "incident": None}
    for name in ("a-link", "a-pipe", "a-folder", "a-huge-file"):
        (folder / name).mkdir()
    (folder / "a-link" / f"{NAME}.ipynb").symlink_to(folder / "ada" / f"{NAME}.ipynb")
    os.mkfifo(folder / "a-pipe" / f"{NAME}.ipynb")
    (folder / "a-folder" / f"{NAME}.ipynb").mkdir()
    with open(folder / "a-huge-file" / f"{NAME}.ipynb", "wb") as file:
        file.truncate(200 << 20)
    for name in ("a-link", "a-pipe", "a-folder"):
        plan[name] = {**bad, "reason": "not a file of its own"}
    plan["a-huge-file"] = {**bad, "reason": "200 MB"}
    for trap in ("conftest.py", "queue.py", "pytest.ini", "sitecustomize.py"):
        text = (
            "[pytest]\naddopts = --no-such-option\n"
            if trap.endswith("ini")
            else "raise SystemExit('trapped')\n"
        )
        (folder / "ada" / trap).write_text(text)
    return plan


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--honest", type=int, help="only this many right submissions, for timing")
    chosen = parser.parse_args()
    source = write_source(chosen.folder / "source", cells())
    released = chosen.folder / f"{NAME}.ipynb"
    release(source, released, chosen.folder / ".grading")
    submissions = chosen.folder / "submissions"
    if chosen.honest:
        for number in range(chosen.honest):
            path = submissions / f"student-{number:03d}" / f"{NAME}.ipynb"
            path.parent.mkdir(parents=True)
            path.write_text(json.dumps(hand_in(released)))
        return 0
    plan = build(submissions, released, {"places": [str(chosen.folder.resolve())], "port": 9})
    (chosen.folder / "plan.json").write_text(json.dumps(plan, indent=1))
    print(f"{len(plan)} submissions in {submissions}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
