"""The examples of the playground, from the data sets of the course: `python -m tests.playground.presets`.

Points are whole 64ths between -127 and 127, in the order in which the page takes them.
"""

from pathlib import Path

import numpy as np
from sklearn.datasets import load_iris

from mllib.datasets import load_spambase, make_crescents, make_rings
from mllib.viz.playground import UNIT, playground

HEAD = """/* The examples, from the data sets of the course: `python -m tests.playground.presets`. */
(function (playground) {
  playground.PRESETS = {
"""
TAIL = """
  };
})((globalThis.playground ??= {}));
"""
FILE = Path(__file__).parents[2] / "_ext/assets/playground/presets.js"


def fitted(X, y, n=None):
    """A box of points as whole 64ths, shuffled by a fixed seed; at most n of them."""
    order = np.random.RandomState(0).permutation(len(X))[:n]
    low, high = X[order].min(axis=0), X[order].max(axis=0)
    return np.rint((X[order] - (low + high) / 2) / (high - low) * 230).astype(int), y[order]


def apart():
    """Two clouds that a line separates, with some room."""
    rng = np.random.RandomState(4)
    y = np.repeat([-1, 1], 20)
    X = 0.7 * rng.standard_normal((40, 2)) + 0.5 * y[:, None]
    heights = X @ [0.8, 0.6]
    return fitted(X + (np.maximum(0, 0.15 - y * heights) * y)[:, None] * [0.8, 0.6], y)


def petals():
    """Length and width of petals: versicolor and virginica."""
    iris = load_iris()
    kept = iris.target > 0
    X, where = np.unique(iris.data[kept][:, 2:], axis=0, return_index=True)
    return fitted(X, np.where(iris.target[kept][where] == 2, 1, -1))


def rings():
    """A ring around a disc."""
    X, y = make_rings(100, random_state=0)
    return fitted(X, np.where(y > 0, 1, -1))


def moons():
    """Two crescents."""
    X, y = make_crescents(100, random_state=0)
    return fitted(X, np.where(y > 0, 1, -1))


def clouds():
    """Two normal clouds that overlap."""
    rng = np.random.RandomState(1)
    y = np.repeat([-1, 1], 50)
    return fitted(rng.standard_normal((100, 2)) + 0.9 * y[:, None], y)


def exclusive():
    """Four clouds: a point is positive if exactly one of its coordinates is."""
    rng = np.random.RandomState(2)
    corners = np.repeat([[1, 1], [1, -1], [-1, 1], [-1, -1]], 15, axis=0)
    return fitted(corners + 0.35 * rng.standard_normal((60, 2)), -corners.prod(axis=1))


def line():
    """Three points on a line, the middle one of the other class."""
    return np.array([[-64, 0], [0, 0], [64, 0]]), np.array([1, -1, 1])


def mail():
    """Messages by the frequencies of "your" and of "!": logarithms of 1 + 100 x, no two at one place."""
    spam = load_spambase()
    names = list(spam.feature_names)
    columns = [names.index("word_freq_your"), names.index("char_freq_!")]
    X, where = np.unique(np.log1p(100 * spam.data[:, columns]), axis=0, return_index=True)
    inside = (X > 0).all(axis=1)
    return fitted(X[inside], np.where(spam.target[where][inside] == 1, 1, -1), 120)


PRESETS = {
    "apart": ("two clouds that a line separates", apart),
    "petals": ("petals of two irises", petals),
    "rings": ("a ring around a disc", rings),
    "moons": ("two moons", moons),
    "clouds": ("overlapping clouds", clouds),
    "xor": ("exclusive or", exclusive),
    "line": ("three on a line", line),
    "mail": ("mail by two frequencies", mail),
}


def script():
    """The file that the page loads."""
    rows = []
    for key, (name, make) in PRESETS.items():
        X, y = make()
        words = playground(X / UNIT, y).rpartition("=")[2]
        rows.append(f'    {key}: {{ name: "{name}", words: "{words}" }},')
    return HEAD + "\n".join(rows) + TAIL


if __name__ == "__main__":
    FILE.write_text(script())
