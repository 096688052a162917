"""A lab as small as a lab can be, with everything that a lab can have, and submissions made from it."""

import copy
import json
from pathlib import Path

from grader.notebook import as_text, execute, normalise

NAME = "90-small"


def code(source, tags=None, **marks):
    metadata = {"lab": marks} if marks else {}
    metadata |= {"tags": tags} if tags else {}
    return {
        "cell_type": "code",
        "metadata": metadata,
        "source": source,
        "execution_count": None,
        "outputs": [],
    }


def text(source, **marks):
    return {"cell_type": "markdown", "metadata": {"lab": marks} if marks else {}, "source": source}


SETUP = """import numpy as np

from grader.check import check, when_solved"""
CENTRE = '''def centre(x):
    """The mean of the numbers."""
    # BEGIN SOLUTION return the sum divided by the count
    return np.sum(x) / len(x)
    # END SOLUTION'''
SPREAD = '''def spread(x):
    """The mean squared distance from the centre."""
    # BEGIN SOLUTION subtract the centre, square, take the centre
    #: distance = ...
    #: return centre(distance)
    distance = (np.asarray(x) - centre(x)) ** 2
    return centre(distance)
    # END SOLUTION'''
GUESS = """# BEGIN SOLUTION how many of 100 fair tosses are heads, on average?
heads = 50
# END SOLUTION"""


def cells():
    """The cells of the source, fresh each time."""
    return [
        text("# A small lab"),
        code(SETUP),
        code(CENTRE),
        code("with check('centre') as expect:\n"
             "    expect('of 1, 2, 6', centre([1, 2, 6]), shape=(), equals=3)", id="centre", points=0),
        code("with check('centre-hidden') as expect:\n    drawn = expect.rng.normal(size=7)\n"
             "    expect('of seven', centre(drawn))\n    expect('of one', centre(list(drawn[:1])))",
             id="centre-hidden", points=2, hidden=True),
        text("Now the spread."),
        code("x = np.array([1.0, 2.0, 6.0])"),
        code(SPREAD),
        code("with check('spread') as expect:\n    expect('of x', spread(x), at_least=0, hint='Square.')",
             id="spread", points=0),
        code("with check('spread-hidden') as expect:\n"
             "    expect('spread', spread(expect.rng.normal(size=9)))",
             id="spread-hidden", points=3, hidden=True),
        code("with when_solved('spread'):\n    print(f'spread {spread(x):.2f}')", demo=True),
        code(GUESS),
        code("with check('heads') as expect:\n    expect('heads', heads, shape=(), at_least=0, at_most=100)",
             id="heads", points=0),
        code("with check('heads-hidden') as expect:\n    expect('heads', heads * expect.rng.uniform(1, 2))",
             id="heads-hidden", points=1, hidden=True),
        text("Why squares?\n\n<!-- BEGIN SOLUTION two sentences -->They add up.<!-- END SOLUTION -->",
             id="why", by_hand=4),
        code("def centre(x):\n    return sum(x) / (len(x) - 1)", rejects="centre"),
        code("def centre(x):\n    return np.median(x)", rejects="centre-hidden",
             says=["the median is taken", "One huge number moves the mean."]),
        code("def spread(x):\n    return -1.0", rejects="spread"),
        code("def spread(x):\n    return np.var(x, ddof=1)", rejects="spread-hidden",
             says=["it is divided by n - 1", "The mean has n below."]),
        code("heads = 200", rejects="heads"),
        code("heads = 49", rejects="heads-hidden"),
    ]  # fmt: skip


def write_source(folder, cells, name=NAME, imports=("numpy",), executed=True):
    """Write, execute and normalise a source, as an author does with ``make notebooks``."""
    path = Path(folder, f"{name}.ipynb")
    path.parent.mkdir(parents=True, exist_ok=True)
    cells = [cell | {"id": f"cell-{number}"} for number, cell in enumerate(copy.deepcopy(cells))]
    notebook = {
        "cells": cells,
        "metadata": {"lab": {"imports": list(imports)}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    path.write_text(json.dumps(notebook))
    if executed:
        path.write_text(as_text(normalise(execute(path)[0])))
    return path


ANSWERS = {
    "centre": "    return np.sum(x) / len(x)",
    "spread": "    return centre((np.asarray(x) - centre(x)) ** 2)",
}
HEADS = "heads = 50"


def hand_in(released, centre=ANSWERS["centre"], spread=ANSWERS["spread"], heads=HEADS):
    """A submission: the released notebook with the student's text in the three places; None leaves one."""
    notebook = json.loads(Path(released).read_text())
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if "YOUR CODE: return the sum" in source and centre is not None:
            cell["source"] = "def centre(x):\n" + centre
        elif "YOUR CODE: subtract" in source and spread is not None:
            cell["source"] = "def spread(x):\n" + spread
        elif "YOUR CODE: how many" in source and heads is not None:
            cell["source"] = heads
    return notebook


def answer_why(folder, student, words="They add up."):
    """Write an answer to the open question into what a student handed in."""
    path = Path(folder, "submissions", student, f"{NAME}.ipynb")
    notebook = json.loads(path.read_text())
    for cell in notebook["cells"]:
        if cell["metadata"].get("lab", {}).get("id") == "why":
            cell["source"] = words
    path.write_text(json.dumps(notebook))
