"""mllib is small, and what is large in it is not what a reader must understand."""

import doctest
import inspect
import re
import subprocess
import sys

import mllib
from tools import size
from tools.size import sizes

MOST = {"mllib without pictures and data": 6176, "files": 89, "ideas": 4547, "an idea file": 277}
CROSSED = {  # by fit
    "SVC": 13,
    "Perceptron": 8,
    "AdaBoostClassifier": 10,
    "RandomForestClassifier": 12,
    "GradientBoostingClassifier": 15,
}


def test_budget():
    """Lower these numbers when you have made something smaller; a larger one needs a reason in its commit."""
    house, kinds, files = sizes()
    ideas = {name: lines for name, (kind, lines) in files.items() if kind == "idea"}
    found = {
        "mllib without pictures and data": house["mllib"] - kinds["viz"] - kinds["datasets"],
        "files": sum(kind not in ("viz", "datasets") for kind, _ in files.values()),
        "ideas": kinds["idea"],
        "an idea file": max(ideas.values()),
    }
    over = {what: (lines, MOST[what]) for what, lines in found.items() if lines > MOST[what]}
    assert not over, f"too large: {over}; the largest idea file is {max(ideas, key=ideas.get)}"


def test_files_that_a_fit_crosses():
    """Who wants to follow a fit has to open so many, whether compiled or not."""
    run = [sys.executable, "-m", "tests.crossed"]
    said = subprocess.run(run, cwd=size.ROOT, capture_output=True, text=True, check=True).stdout
    found = {name: int(files) for name, files in re.findall(r"(\w+)\.fit crosses (\d+) files", said)}
    assert found.keys() == CROSSED.keys()
    over = {name: (files, CROSSED[name]) for name, files in found.items() if files > CROSSED[name]}
    assert not over, f"{over}\n{said}"


def test_no_class_is_the_child_of_many():
    """At most five classes of the package, itself among them."""
    classes = [thing for name in mllib.__all__ if inspect.isclass(thing := getattr(mllib, name))]
    depth = {one: sum(base.__module__.startswith("mllib.") for base in one.__mro__) for one in classes}
    assert len(depth) > 30 and max(depth.values()) <= 5, [one for one in depth if depth[one] > 5]


def test_lines_are_counted_as_they_say():
    assert doctest.testmod(size).failed == 0 and doctest.testmod(size).attempted > 0
