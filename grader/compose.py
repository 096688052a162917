"""Lay a submission over the lab's skeleton: the student's own code, the instructor's checks.

Students copy cells, move them, delete them, split them, edit checks, null their counts.  None of that
matters here.  The student's code cells run in the student's order; every cell that is not the student's to
write (set-up and checks) is taken from the source.  It stands where the student's copy stands; a copy out
of order does not count, and a cell without a copy follows the answer before it.  A copy that was edited runs
too, as the student's code (an import added to the set-up must not be lost), but only what the instructor's
own check emits is judged.  No output, tag or comment of the submission survives.
"""

import re
from collections import Counter

from grader.collect import BadNotebook
from grader.doors import parsed
from grader.lab import assigned

CALL = re.compile(r"""^with check\(\s*["']([a-z0-9-]+)["']\s*\)""", re.MULTILINE)


def compose(lab, cells, stamp):
    """The cells to run for one submission.

    Parameters
    ----------
    lab : dict
        The reference's ``name``, ``version`` and ``skeleton``: its cells in order, each with ``id``,
        ``role``, ``source`` (as the grader runs it), ``released`` (as students got it) and ``check``.
    cells, stamp
        From :func:`grader.collect.parse`.

    Returns
    -------
    steps : list of dict
        ``source``, ``check`` (an id or None), and ``given`` unless it is the student's own.
    notes : list of str
        What an instructor may want to know; nothing here changes a mark.
    """
    skeleton = lab["skeleton"]
    places, notes = _places(skeleton, cells), []
    if stamp.get("name") not in (None, lab["name"]):
        raise BadNotebook(f"this is lab {str(stamp['name'])[:60]!r}, not {lab['name']!r}")
    if not places:
        raise BadNotebook(f"none of the cells of lab {lab['name']!r} is in it")
    if stamp.get("version") not in (None, lab["version"]):
        notes.append("made from another release of this lab")
    copies = {p: skeleton[n] for n, positions in places.items() for p in positions}
    anchors = _in_order([(n, positions[0]) for n, positions in sorted(places.items())])
    steps, waiting, next_, answered = [], [], 0, False
    for number, cell in enumerate(skeleton):
        own = [{"source": cell["source"], "check": cell["check"], "given": True}]
        if number in anchors:
            here = anchors[number]
            steps += _own(cells, next_, here, copies) + waiting
            edited = _own(cells, here, here + 1, copies)
            next_, waiting, answered = here + 1, [], True
            if cell["role"] == "setup":
                steps += own + edited
            else:
                steps += edited + (own if cell["role"] == "check" else [])
        elif cell["role"] == "answer":
            answered = False  # it may be any of the cells that follow
        elif cell["role"] == "setup" or cell["role"] == "check" and answered:
            steps += own
        elif cell["role"] == "check":
            waiting += own
    steps += _own(cells, next_, len(cells), copies) + waiting
    visible = {number: cell["check"] for number, cell in enumerate(skeleton) if not cell["hidden"]}
    missing = [check for number, check in visible.items() if check and number not in places]
    if missing:
        notes.append(f"check cells missing: {', '.join(missing)}")
    return steps, notes


def questions(skeleton):
    """The lab's questions: each the starters of some answers and the ids of the checks that follow them."""
    found = []
    for cell in skeleton:
        if cell["role"] == "answer" or cell["check"] and not found:
            if not found or found[-1]["checks"]:
                found.append({"starters": [], "checks": []})
        if cell["role"] == "answer":
            found[-1]["starters"].append(cell["released"])
        elif cell["check"]:
            found[-1]["checks"].append(cell["check"])
    return found


def defined_below(skeleton, steps):
    """Names that a check asks for and the student binds only after it, in a cell of their own further down.

    Such an answer is not seen, for "Restart and Run All" does not see it either.  The hidden check does not
    wait for the cells below its visible twin: both must see the same state, and what stands there may as well
    spoil a right answer, as an experiment does that uses its name again.
    """
    bound = [set() if step["check"] else _bound(step["source"]) for step in steps]
    texts = [bare(step["source"]) for step in steps]
    places = {step["check"]: number for number, step in enumerate(steps) if step["check"]}
    late = []
    for question in filter(lambda question: question["checks"], questions(skeleton)):
        here, kept = places[question["checks"][0]], set(map(bare, question["starters"]))
        above = [names for names, text in zip(bound[:here], texts, strict=False) if text not in kept]
        asked = set().union(*map(_bound, question["starters"]))
        late += sorted((asked & set().union(*bound[here:])) - set().union(*above))
    return late


def _bound(source):
    tree = parsed(source)
    return set(assigned(tree)) if tree else set()


def _own(cells, start, stop, copies):
    """The student's code cells in a stretch of the notebook: all but true copies of the instructor's."""
    steps = []
    for position in range(start, stop):
        source = cells[position]["source"]
        copy = copies.get(position)
        true_copy = copy and copy["role"] != "answer" and bare(source) == bare(copy["released"])
        if cells[position]["kind"] == "code" and source.strip() and not true_copy:
            steps.append({"source": source, "check": None})
    return steps


def _in_order(placed):
    """The most copies that stand in the skeleton's order, as number -> position: the others were moved.

    >>> _in_order([(0, 1), (1, 9), (2, 3), (3, 4)])
    {0: 1, 2: 3, 3: 4}
    """
    best = []  # best[i]: the longest increasing run that ends at placed[i]
    for pair in placed:
        runs = [run for run in best if run[-1][1] < pair[1]]
        best.append([*max(runs, key=len, default=[]), pair])
    return dict(max(best, key=len, default=[]))


def _places(skeleton, cells):
    """Where copies of the instructor's own cells stand: number in the skeleton -> positions, in order.

    A cell is known by its id, else by the check it calls, else by its text: so a copy with a new id is known.
    """
    by_id = {c["id"]: n for n, c in enumerate(skeleton) if c["id"]}
    by_check = {c["check"]: n for n, c in enumerate(skeleton) if c["check"]}
    by_text = {bare(c["released"]): n for n, c in enumerate(skeleton) if not c["hidden"]}
    code = {position: cell for position, cell in enumerate(cells) if cell["kind"] == "code"}
    marks = {position: cell["marks"].get("id") for position, cell in code.items()}
    marks = {position: mark if isinstance(mark, str) else None for position, mark in marks.items()}
    shared, marked = Counter(cell["id"] for cell in code.values()), Counter(marks.values())
    places = {}
    for position, cell in code.items():
        call, id, mark = CALL.search(cell["source"]), cell["id"], marks[position]
        for table, key in (
            (by_id, id if shared[id] == 1 else None),  # what several cells bear tells nothing
            (by_check, mark if marked[mark] == 1 else None),
            (by_check, call.group(1) if call else None),
            (by_text, bare(cell["source"])),
        ):
            if key is not None and key in table:
                places.setdefault(table[key], []).append(position)
                break
    return places


def bare(source):
    """A cell's text without white space."""
    return "".join(source.split())
