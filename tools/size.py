"""How large is the house? `python -m tools.size`: lines of code, without docstrings, comments, blank lines.

In ``mllib`` a file without an underscore is an *idea*: whoever has read the chapter recognises the algorithm.
A file with one is *engine*: speed, memory, rare cases. The frame is what all learners share.
"""

import ast
import io
import tokenize
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOMS = ("mllib", "grader", "_ext", "tools", "benchmarks", "tests")
FRAME = {"__init__.py", "history.py", "learner.py", "parameters.py", "ties.py", "validation.py"}
SILENT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE}
SILENT |= {tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def lines_of_code(text):
    """How many lines of a program say something to the machine.

    >>> lines_of_code('def f(x):\\n    "What."\\n\\n    return (x,  # why\\n        1)\\n')
    3
    """
    said = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in SILENT:
            said.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node) is not None:
            said.difference_update(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    return len(said)


def kind(path):
    """Which part of ``mllib`` a file belongs to."""
    room = path.relative_to(ROOT / "mllib").parts
    if room[0] in ("viz", "datasets"):
        return room[0]
    if room[-1] in FRAME:
        return "frame"
    return "engine" if any(part.startswith("_") for part in room) else "idea"


def sizes():
    """``{room: lines}`` for the rooms of the house, and of ``mllib`` for each kind and file."""
    house, kinds, files = Counter(), Counter(), {}
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            lines = lines_of_code(path.read_text())
            house[room] += lines
            if room == "mllib":
                kinds[kind(path)] += lines
                files[str(path.relative_to(ROOT))] = (kind(path), lines)
    return house, kinds, files


if __name__ == "__main__":
    house, kinds, files = sizes()
    for name, (what, lines) in files.items():
        print(f"{lines:6} {what:8} {name}")
    print("\n" + "\n".join(f"{lines:6} mllib: {what}" for what, lines in kinds.items()))
    print("\n" + "\n".join(f"{lines:6} {room}" for room, lines in house.items()))
