"""One tree against scikit-learn's: near the root the trees must be the same, and the training score equal."""

from functools import partial

import numpy as np
from sklearn import tree
from sklearn.datasets import make_classification

from benchmarks.race import Race
from mllib import DecisionTreeClassifier, DecisionTreeRegressor


def made(classes, kind, n=5000, d=20):
    """Points, labels, and a number to predict."""
    X, y = make_classification(
        n, d, n_informative=min(8, d - 2), n_classes=classes, flip_y=0.1, random_state=0
    )
    if kind == "one-hot":
        X = X > 0.8
    X = X.astype(np.float32).astype(float)
    number = X[:, 0] + np.sin(3 * X[:, 1]) + np.random.RandomState(0).randn(len(y))
    return X, y, number


def growing(kind, what, n):
    """A full tree."""
    X, y, number = made(5 if what == "five classes" else 2, kind, n)
    if what == "numbers":
        ours, peer, y = DecisionTreeRegressor(), tree.DecisionTreeRegressor(random_state=0), number
    else:
        ours, peer = DecisionTreeClassifier(), tree.DecisionTreeClassifier(random_state=0)
    ours.fit(X, y), peer.fit(X, y)
    top = n / (15 if kind == "continuous" else 3)  # below, the peer breaks ties by chance
    for part in ("feature", "n_node_samples"):
        first, second = (getattr(model.tree_, part) for model in (ours, peer))
        if part == "feature":
            np.testing.assert_array_equal(first[:3], second[:3])
        else:
            np.testing.assert_equal(np.count_nonzero(first > top), np.count_nonzero(second > top))
    np.testing.assert_allclose(ours.score(X, y), peer.score(X, y), atol=1e-9)
    return lambda: ours.fit(X, y), lambda: peer.fit(X, y)


def same_tree(n, d=20):
    """Numbers to predict, ten points or more in a leaf: no tie is left to chance, and the trees are equal."""
    X, _, number = made(2, "continuous", n, d)
    limits = dict(min_samples_leaf=10)
    ours, peer = DecisionTreeRegressor(**limits), tree.DecisionTreeRegressor(**limits, random_state=0)
    ours.fit(X, number), peer.fit(X, number)
    np.testing.assert_allclose(ours.predict(X), peer.predict(X), rtol=1e-9)
    return lambda: ours.fit(X, number), lambda: peer.fit(X, number)


def predicting(n):
    """A small tree, many points."""
    X, y, _ = made(2, "continuous")
    limits = dict(max_depth=8, min_samples_leaf=10)
    ours = DecisionTreeClassifier(**limits).fit(X, y)
    peer = tree.DecisionTreeClassifier(**limits, random_state=0).fit(X, y)
    Z = np.random.RandomState(1).permutation(np.tile(X, (n // len(X), 1)))
    np.testing.assert_array_equal(ours.predict(Z), peer.predict(Z))
    return lambda: ours.predict(Z), lambda: peer.predict(Z)


RACES = [
    *(
        Race(f"tree, {what}", 5000, partial(growing, "continuous", what), "trees", quick=True)
        for what in ("two classes", "five classes", "numbers")
    ),
    *(Race("tree, numbers, d = 20", n, same_tree) for n in (500, 1000, 2000, 5000, 10_000, 20_000)),
    Race("tree, yes or no features", 5000, partial(growing, "one-hot", "two classes"), "one-hot", quick=True),
    *(
        Race("tree, numbers, 2,000 points", d, lambda d: same_tree(2000, d), axis="d")
        for d in (5, 20, 80, 320)
    ),
    Race("tree predicts", 20_000, predicting, "forest-predict", quick=True),
]
