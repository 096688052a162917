"""How long a page takes to read, from what is visible on it; nobody types it.

150 words a minute, 5 seconds a line of code, 20 seconds a displayed formula. Folded code and the outputs of
cells do not count; proofs and other folds, and exercises with their solutions, are counted apart.
"""

import re
from typing import NamedTuple

WORD, FORMULA, CODE_LINE = 60 / 150, 20, 5  # seconds
LETTERS = re.compile(r"[A-Za-z][A-Za-z'’-]*")
DISPLAYED = re.compile(r"\$\$.*?\$\$", re.S)
FENCE = re.compile(r"^(`{3,}|:{3,})(?:\{([\w:-]+)\}.*)?$")
HEADING = re.compile(r"^#+ (.+)$")
TRAINING = re.compile(r"exercise|solution|quiz", re.I)


class Reading(NamedTuple):
    """Minutes for the main line, with the proofs, and with the exercises, too."""

    main: int
    proofs: int
    exercises: int

    def __str__(self):
        longer = [(self.proofs, "the proofs that open with a click"), (self.exercises, "the exercises")]
        more = [f"{minutes} with {what}" for minutes, what in longer if minutes > self.main]
        return f"About {self.main} minutes to read" + "".join(f", {words}" for words in more) + "."


def time(text):
    """Seconds for visible Markdown.

    >>> time("Five words in a line, $x + y$, and $$x^2$$")
    22.8
    """
    words = DISPLAYED.sub(" ", text)
    words = re.sub(r"\]\([^)]*\)|\{[^}]*\}`[^`]*`", " ", re.sub(r"\$[^$]+\$", " x ", words))
    return FORMULA * len(DISPLAYED.findall(text)) + WORD * len(LETTERS.findall(words))


def blocks(lines):
    """``(directive or "", folded, its lines)`` for the pieces of some Markdown, from the outside."""
    plain, at = [], 0
    while at < len(lines):
        fence = FENCE.match(lines[at])
        if fence is None:
            plain.append(lines[at])
            at += 1
            continue
        ends = (i for i in range(at + 1, len(lines)) if lines[i].strip() == fence[1])
        end = next(ends, len(lines))
        inside = lines[at + 1 : end]
        yield "", False, plain
        folded = "dropdown" in (fence[2] or "") or any("dropdown" in line for line in inside[:4])
        yield fence[2] or "code", folded, [line for line in inside if not re.match(r":[\w-]+:", line)]
        plain, at = [], end + 1
    yield "", False, plain


def reading(notebook):
    """The :class:`Reading` of a notebook."""
    seconds, solution, section = {"main": 0.0, "proofs": 0.0, "exercises": 0.0}, False, ""
    for cell in notebook.cells:
        training = "exercises" if solution or TRAINING.search(section) else "main"
        if cell.cell_type == "code":
            if not any(tag.startswith(("hide", "remove")) for tag in cell.metadata.get("tags", [])):
                lines = [line for line in cell.source.splitlines() if line.strip()]
                seconds[training] += CODE_LINE * len(lines)
            continue
        for directive, folded, lines in blocks(cell.source.splitlines()):
            headings = [heading[1] for line in lines if not directive and (heading := HEADING.match(line))]
            section = [section, *headings][-1]
            solution = (solution or directive == "solution-start") and directive != "solution-end"
            kind = "exercises" if solution or TRAINING.search(section + directive) else "main"
            if kind == "main" and (folded or directive == "prf:proof"):
                kind = "proofs"
            seconds[kind] += FORMULA if directive == "math" else time("\n".join(lines))
    main = seconds["main"]
    proofs = main + seconds["proofs"]
    return Reading(*(max(1, round(s / 60)) for s in (main, proofs, proofs + seconds["exercises"])))
