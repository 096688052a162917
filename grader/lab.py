"""The source of a lab: one notebook that holds prose, solutions, checks and planted bugs.

From it come the notebook that students get, the skeleton that a submission is laid over, and the runs that
make the private reference.  A cell's role follows from its marks::

    answer     code between "# BEGIN SOLUTION" and "# END SOLUTION": students write it
    solution   tagged "solution": left out of the released lab
    check      metadata.lab = {"id": ..., "points": ..., "hidden": ...}
    bug        metadata.lab = {"rejects": id, "says": [mistake, hint]}, all of them after the last check
    demo       metadata.lab = {"demo": true}: shown to students, not run when graded
    question   a Markdown cell with metadata.lab = {"id": ..., "by_hand": points}
    setup      any other code: students get it, and the grader runs its own copy
    prose      any other text
"""

import ast
import builtins
import hashlib
import itertools
import json
import re
from dataclasses import dataclass, field
from pathlib import Path

from grader.check import PUBLIC_SEED
from grader.doors import parsed

BEGIN = re.compile(r"^(?P<indent>[ \t]*)# BEGIN SOLUTION\b[ \t]*(?P<words>.*)$")
END = re.compile(r"^[ \t]*# END SOLUTION\b")
PROSE = re.compile(r"<!-- BEGIN SOLUTION\b(?P<words>.*?)-->(?P<model>.*?)<!-- END SOLUTION -->", re.DOTALL)
IDENTITY = re.compile(r"[a-z0-9][a-z0-9-]{0,40}")
CALL = re.compile(r"""\bcheck\((["'])[\w-]+\1(?=\))""")
OURS = ("answer", "solution")  # roles of cells that students do not get, or get as starters
SECRET_FROM_HERE = "from grader.check import check, start_from; start_from({seed})\n"
APART = "from grader import check as _grader_check\n_grader_check.apart({source!r})"
TAKEN = "{names} = 'of a student'"
STILL = "# check {check!r} changes what students may call {names}\nassert {{{names}}} == {{'of a student'}}"
KEEP = "\nfrom grader import check as _grader_check\n_grader_check.keep({names})"


class LabError(Exception):
    """The source of a lab cannot be used; the text lists every reason."""


def refuse(path, problems):
    """Raise all problems of a source, if there are any."""
    listed = "".join(f"\n  {problem}" for problem in problems)
    if listed:
        raise LabError(f"{path}:{listed}")


def first_line(source):
    """The first line of a cell that holds anything."""
    return next(filter(None, map(str.strip, source.splitlines())), "")


@dataclass
class Cell:
    """One cell of the source and what it is for."""

    id: str
    role: str
    source: str
    marks: dict
    raw: dict = field(repr=False)

    @property
    def check(self):
        return self.marks["id"] if self.role == "check" else None

    @property
    def hidden(self):
        return bool(self.check and self.marks.get("hidden"))

    @property
    def points(self):
        return self.marks.get("points", 0)


class Lab:
    """A lab's source, read and checked.

    Parameters
    ----------
    path : Path
        ``labs/source/NN-name.ipynb``.
    """

    def __init__(self, path):
        self.path = Path(path)
        self.name = self.path.stem
        try:
            notebook = json.loads(self.path.read_text(encoding="utf-8"))
            raw = notebook["cells"]
        except (OSError, ValueError, KeyError, TypeError) as problem:
            raise LabError(f"{path} is no notebook: {problem}") from None
        self.marks = notebook.get("metadata", {}).get("lab", {})
        self.imports = list(self.marks.get("imports", []))
        self.cells = [_cell(number, cell) for number, cell in enumerate(raw)]
        self.checks = {cell.check: cell for cell in self.of("check")}
        self.questions = {cell.marks["id"]: cell.marks["by_hand"] for cell in self.of("question")}
        refuse(path, self._problems())
        text = json.dumps([self.imports, *([c.role, c.source, c.marks] for c in self.cells)])
        self.version = hashlib.sha256(text.encode()).hexdigest()[:12]

    def of(self, *roles):
        """The cells with one of these roles."""
        return [cell for cell in self.cells if cell.role in roles]

    @property
    def points(self):
        return sum(cell.points for cell in self.checks.values())

    def prompts(self):
        """What graders by hand need beside the answers: id -> the question, its starter, a model answer."""
        found = {}
        for cell in self.of("question"):
            model = PROSE.search(cell.source)
            found[cell.marks["id"]] = {
                "question": cell.source[: model.start() if model else None].strip(),
                "starter": _prose_starter(model) if model else "",
                "model": model["model"].strip() if model else "",
            }
        return found

    def _starter(self, cell):
        """What students get for a cell."""
        if cell.role == "answer":
            return starter(cell.source)
        if cell.role in ("prose", "question"):
            return PROSE.sub(_prose_starter, cell.source)
        if cell.check:  # a kernel does not know the notebook: the cell says how many checks it has
            seen = sum(not other.hidden for other in self.checks.values())
            return CALL.sub(rf"\g<0>, of={seen}", cell.source, count=1)
        return cell.source

    def skeleton(self, seed):
        """What :func:`grader.compose.compose` lays a submission over: the cells that matter in a run."""
        released = {id(cell): (name, source) for cell, name, source in self.released()}
        parts = []
        for cell in self.of("setup", "check", "answer", "demo"):
            name, text = released.get(id(cell), ("", ""))
            source = self.checking(cell, seed) if cell.role in ("setup", "check") else ""
            parts.append({"id": name, "role": cell.role, "released": text, "check": cell.check})
            parts[-1] |= {"source": source, "hidden": cell.hidden}
        return parts

    def released(self, *roles):
        """The cells that students get (of some roles), as (cell, id, source), solutions replaced by starters.

        A check is known by its own id, whatever its text becomes.  Other ids that a program made up are made
        anew from the released text, as the normaliser of the course's notebooks does.
        """
        taken = set()
        for cell in self.cells:
            if cell.role in ("bug", "solution") or cell.hidden:
                continue
            source = self._starter(cell)
            name = f"check-{cell.check}" if cell.check else cell.id
            if len(name) >= 8 and set(name) <= set("0123456789abcdef-"):
                made = (f"{cell.raw['cell_type']}{twin}{source.rstrip()}" for twin in itertools.count())
                names = (hashlib.sha256(text.encode()).hexdigest()[:8] for text in made)
                name = next(name for name in names if name not in taken)
            taken.add(name)
            if not roles or cell.role in roles:
                yield cell, name, source

    def solved(self, seed, bugs=False, taken=False):
        """The run that makes the reference: a list of ``{"source", "check", "bug"}``.

        With ``bugs`` each check is followed by its planted bugs: the bug, the check again (it must fail now),
        then the answers up to there once more, so that what follows sees a right solution.  With ``taken``
        every name that a check binds, and the lab does not, is a student's own before, and must be after.
        """
        steps, answers = [], []
        lab = {name for cell in self.of(*OURS, "setup") for name in bound(cell.source)}
        for cell in self.of(*OURS, "setup", "check"):
            step = {"source": self.checking(cell, seed)} | ({"check": cell.check} if cell.check else {})
            own = {*bound(cell.source, True)} - lab - {*vars(builtins)} if taken and cell.check else ()
            steps += [{"source": TAKEN.format(names=" = ".join(sorted(own)))}] if own else []
            steps.append(step)
            steps += [{"source": STILL.format(check=cell.check, names=", ".join(sorted(own)))}] if own else []
            answers += [step] if cell.role in OURS else []
            for label, bug in self.planted(cell.check) if bugs and cell.check else ():
                own = bug.marks["rejects"] == cell.check
                again = step | {"bug": label, "says": bug.marks.get("says"), "probe": not own}
                steps += [{"source": bug.source}, again, *answers]
        return steps

    def planted(self, check):
        """The planted bugs of the question that a check belongs to, each with a name."""
        group = next(group for group in self.groups() if check in group)
        count = dict.fromkeys(group, 0)
        for bug in self.of("bug"):
            if (id := bug.marks["rejects"]) in group:
                count[id] += 1
                yield f"{id} bug {count[id]}", bug

    def groups(self):
        """The ids of the checks, question by question: those that stand between two answers."""
        found, new = [], True
        for cell in self.of("answer", "check"):
            if cell.check:
                found += [[]] if new or not found else []
                found[-1].append(cell.check)
            new = not cell.check
        return found

    def ours(self):
        """The solution's own answers, by the last check of the question that they belong to."""
        found, answers, last = {}, [], None
        for cell in self.cells:
            if cell.role in OURS:
                answers, last = ([], None) if last else (answers, last)
                answers.append(cell.source)
            elif cell.check and answers:
                found.pop(last, None)
                last = cell.check
                found[last] = "\n\n".join(answers)
        return found

    def checking(self, cell, seed):
        """A cell as it is run: a hidden check draws from a secret seed, any other from the public one.

        The student's process can read the seed in the cell.  So it is one that says nothing about the
        machine's, and that no other check and no other lab has.  Every check runs in names of its own.
        """
        if not cell.check:
            asked = {name for answer in self.of("answer") for name in bound(answer.source)}
            names = [n for n in bound(cell.source) if n not in asked] if cell.role == "setup" else ()
            return cell.source + (KEEP.format(names=", ".join(map(repr, names))) if names else "")
        own = PUBLIC_SEED
        if cell.hidden and seed != PUBLIC_SEED:
            digest = hashlib.sha256(f"{seed} {self.name} {cell.check}".encode()).digest()
            own = int.from_bytes(digest[:8], "big")
        return APART.format(source=SECRET_FROM_HERE.format(seed=own) + cell.source)

    def _problems(self):
        seen = set()
        if not self.checks:
            yield "no check cell: metadata.lab = {'id': ..., 'points': ...}"
        if not self.of("answer"):
            yield "nothing to write: no '# BEGIN SOLUTION'"
        rejected = {cell.marks["rejects"] for cell in self.of("bug")}
        last_check = max((n for n, cell in enumerate(self.cells) if cell.role == "check"), default=0)
        for number, cell in enumerate(self.cells):
            here = f"cell {number}"
            if cell.role == "bug" and number < last_check:
                yield f"{here}: planted bugs stand after the last check, so that they spoil none of them"
            if cell.role in ("check", "question"):
                id = cell.marks["id"]
                if not isinstance(id, str) or not IDENTITY.fullmatch(id):
                    yield f"{here}: the id {id!r} is not made of small letters, digits and dashes"
                if id in seen:
                    yield f"{here}: the id {id!r} is taken"
                seen.add(id)
            if cell.role == "check":
                points = cell.points
                if not isinstance(points, int | float) or isinstance(points, bool) or points < 0:
                    yield f"{here}: points are a number, not {points!r}"
                elif points and not cell.hidden:
                    yield f"{here}: points sit on hidden checks; {cell.check!r} is visible, its answer public"
                if f'check("{cell.check}")' not in cell.source.replace("'", '"'):
                    yield f'{here}: has no `with check("{cell.check}") as expect:`'
                if cell.check not in rejected:
                    yield f"{here}: no planted bug that {cell.check!r} rejects"
            if cell.role == "bug" and cell.marks["rejects"] not in self.checks:
                yield f"{here}: rejects {cell.marks['rejects']!r}, which is no check"
            if cell.role == "bug" and (says := cell.marks.get("says")) is not None:
                if not (isinstance(says, list) and len(says) == 2 and all(isinstance(s, str) for s in says)):
                    yield f"{here}: says holds two texts: what comes out if ..., and a hint"
            if cell.role == "question" and not isinstance(cell.marks["by_hand"], int | float):
                yield f"{here}: by_hand is a number of points, not {cell.marks['by_hand']!r}"
            if cell.role == "answer":
                try:
                    starter(cell.source)
                except (ValueError, SyntaxError) as problem:
                    yield f"{here}: {problem}"


def _cell(number, raw):
    source = "".join(raw.get("source", ""))
    marks = raw.get("metadata", {}).get("lab", {})
    tags = raw.get("metadata", {}).get("tags", [])
    code = raw.get("cell_type") == "code"
    if not code:
        role = "question" if "by_hand" in marks else "solution" if "solution" in tags else "prose"
    elif "rejects" in marks:
        role = "bug"
    elif "id" in marks:
        role = "check"
    elif marks.get("demo"):
        role = "demo"
    elif "solution" in tags:
        role = "solution"
    elif any(map(BEGIN.match, source.splitlines())):
        role = "answer"
    else:
        role = "setup"
    return Cell(raw.get("id", f"cell-{number}"), role, source, marks, raw)


def starter(source):
    """What students get for a cell with solutions.

    >>> print(starter('''def area(r):
    ...     # BEGIN SOLUTION return the area
    ...     return 3 * r**2
    ...     # END SOLUTION'''))
    def area(r):
        # YOUR CODE: return the area
        raise NotImplementedError
    >>> print(starter('''# BEGIN SOLUTION
    ... best, worst = 3, 9
    ... # END SOLUTION'''))
    # YOUR CODE
    best = ...
    worst = ...
    """
    lines, out = source.splitlines(), []
    while lines:
        line = lines.pop(0)
        begin = BEGIN.match(line)
        if not begin:
            if END.match(line):
                raise ValueError("an END SOLUTION without a BEGIN SOLUTION")
            out.append(line)
            continue
        block = []
        while lines and not END.match(lines[0]):
            block.append(lines.pop(0))
            if BEGIN.match(block[-1]):
                raise ValueError("a BEGIN SOLUTION inside a solution")
        if not lines:
            raise ValueError("a BEGIN SOLUTION without an END SOLUTION")
        lines.pop(0)
        out += _starter_lines(begin["indent"], begin["words"].strip(), block)
    return "\n".join(out)


def _starter_lines(indent, words, block):
    yield f"{indent}# YOUR CODE: {words}" if words else f"{indent}# YOUR CODE"
    given = [line.strip()[2:].removeprefix(" ") for line in block if line.strip().startswith("#:")]
    if given:
        yield from (f"{indent}{line}" for line in given)
    elif indent:
        yield f"{indent}raise NotImplementedError"
    else:
        yield from (f"{name} = ..." for name in assigned(ast.parse("\n".join(block))))


def assigned(tree):
    """The names that a syntax tree binds at its top level, in order."""
    names = []
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            names.append(statement.name)
        else:
            for node in ast.walk(statement):
                if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
                    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                    names += [name.id for t in targets for name in ast.walk(t) if isinstance(name, ast.Name)]
    return list(dict.fromkeys(names))


def bound(source, deep=False):
    """The names that a cell binds at its top level, imports too; with ``deep`` anywhere in it.

    >>> bound("import numpy as np\\ndef f(x):\\n    y = x"), bound("with f() as x: y = 1", True)
    (['f', 'np'], ['x', 'y'])
    """
    tree = parsed(source)
    if tree is None:
        return []
    names = [] if deep else assigned(tree)
    for node in ast.walk(tree) if deep else tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            names += [alias.asname or alias.name.split(".")[0] for alias in node.names]
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.append(node.id)
        elif deep and isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.append(node.name)
    return list(dict.fromkeys(names))


def _prose_starter(found):
    words = found["words"].strip()
    return f"*{words or 'Write your answer here.'}*"
