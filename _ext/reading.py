"""How long a page takes to read, from what is visible on it; nobody types it.

150 words a minute, 5 seconds a line of code, 20 seconds a displayed formula. Folded code and the outputs of
cells do not count; proofs and other folds, and exercises with their solutions, are counted apart.
"""

import re
from typing import NamedTuple

from _ext.prose import HEADING, blocks

WORD, FORMULA, CODE_LINE = 60 / 150, 20, 5  # seconds
LETTERS = re.compile(r"[A-Za-z][A-Za-z'’-]*")
DISPLAYED = re.compile(r"\$\$.*?\$\$", re.S)
TRAINING = re.compile(r"exercise|solution|quiz", re.I)


class Reading(NamedTuple):
    """Minutes for the main line, with the proofs, and with the exercises, too."""

    main: int
    proofs: int
    exercises: int

    def __str__(self):
        longer = [(self.proofs, "the proofs that open with a click"), (self.exercises, "the exercises")]
        more = [f"{minutes} with {what}" for minutes, what in longer if minutes > self.main]
        return (
            f"About {self.main} minute{'s' * (self.main > 1)} to read"
            + "".join(f", {words}" for words in more)
            + "."
        )


def time(text):
    """Seconds for visible Markdown.

    >>> time("Five words in a line, $x + y$, and $$x^2$$")
    22.8
    """
    words = DISPLAYED.sub(" ", text)
    words = re.sub(r"\]\([^)]*\)|\{[^}]*\}`[^`]*`", " ", re.sub(r"\$[^$]+\$", " x ", words))
    return FORMULA * len(DISPLAYED.findall(text)) + WORD * len(LETTERS.findall(words))


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
        for block in blocks(cell.source):
            headings = [] if block.directive else HEADING.findall(block.text)
            section = [section, *headings][-1]
            solution = (solution or block.directive == "solution-start") and block.directive != "solution-end"
            kind = "exercises" if solution or TRAINING.search(section + block.directive) else "main"
            if kind == "main" and (
                block.directive in ("prf:proof", "dropdown") or "dropdown" in block.options.get("class", "")
            ):
                kind = "proofs"
            seconds[kind] += FORMULA if block.directive == "math" else time(block.text)
    main = seconds["main"]
    proofs = main + seconds["proofs"]
    return Reading(*(max(1, round(s / 60)) for s in (main, proofs, proofs + seconds["exercises"])))
