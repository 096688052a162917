"""mllib is small, and what is large in it is not what a reader must understand."""

import doctest

from tests import size
from tests.size import sizes

MOST = {"mllib without pictures and data": 6210, "ideas": 4283, "an idea file": 194}


def test_budget():
    """Lower these numbers when you have made something smaller; a larger one needs a reason in its commit."""
    house, kinds, files = sizes()
    ideas = {name: lines for name, (kind, lines) in files.items() if kind == "idea"}
    found = {
        "mllib without pictures and data": house["mllib"] - kinds["viz"] - kinds["datasets"],
        "ideas": kinds["idea"],
        "an idea file": max(ideas.values()),
    }
    over = {what: (lines, MOST[what]) for what, lines in found.items() if lines > MOST[what]}
    assert not over, f"too large: {over}; the largest idea file is {max(ideas, key=ideas.get)}"


def test_lines_are_counted_as_they_say():
    assert doctest.testmod(size).failed == 0 and doctest.testmod(size).attempted > 0
