"""Where numba cannot be had the same loops run as Python: same answers, and one sentence says so."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SENTENCE = "mllib has no numba here: the same loops run as Python, much slower."
PROGRAM = """
import numpy as np, sklearn.datasets, sys
from mllib import *
X, y = sklearn.datasets.make_classification(60, 4, random_state=1)
T = sklearn.datasets.make_regression(40, 3, random_state=1)
models = [SVC(), SVC(kernel="linear", C=30.0), Perceptron(max_iter=5), VotedPerceptron(max_iter=2)]
to_the_end = dict(tol=1e-10, max_iter=10**5)  # on the way the last digit decides what is looked at next
models += [LinearSVC(**to_the_end), LinearSVC(loss="hinge", **to_the_end)]
models += [PegasosClassifier(max_iter=5, random_state=0), DecisionTreeClassifier()]
models += [RandomForestClassifier(3, random_state=0), AdaBoostClassifier(n_estimators=5), LinearStump()]
models += [GradientBoostingClassifier(n_estimators=3), KernelPerceptron(max_iter=3)]
for model in models:
    model.fit(X, y)
    said = model.decision_function(X) if hasattr(model, "decision_function") else model.predict(X)
    print(type(model).__name__, np.abs(said).sum().round(7), model.predict(X).sum())
print(SVR().fit(*T).predict(T[0]).sum().round(6), "numba" in sys.modules)
"""


def said(numba):
    """What a program prints, and what it complains of."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONWARNINGS"}
    path = str(ROOT / "tests/without_numba") if not numba else ""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=ROOT,
        env=environment | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    *lines, last = done.stdout.splitlines()
    return [*lines, last.split()[0]], last.split()[1], done.stderr


def test_the_answers_are_the_same_and_one_sentence_says_why_they_are_slow():
    quick, compiled, nothing = said(numba=True)
    slow, interpreted, warned = said(numba=False)
    assert slow == quick and len(quick) == 14
    assert (compiled, interpreted) == ("True", "False")
    assert "mllib has no numba" not in nothing and warned.count(SENTENCE) == 1


@pytest.mark.parametrize("path", sorted((ROOT / "mllib").rglob("*.py")), ids=lambda path: path.stem)
def test_one_file_knows_numba(path):
    text = path.read_text(encoding="utf-8")
    assert path.name == "_compiled.py" or ("import numba" not in text and "from numba" not in text)
