"""Bagging and forests against scikit-learn, one thread, interleaved, best of several.

Where all features are asked, numbers are predicted and leaves are not tiny, both packages grow the same
trees and their answers must be equal before anything is timed. Where features and thresholds are drawn at
random the trees differ; there the sizes of the trees and the errors on new data must agree. Prediction is
timed on the very same trees.
"""

import numpy as np
import pytest
from sklearn import ensemble
from sklearn import tree as oracle_tree
from sklearn.base import clone

from mllib import (
    BaggingClassifier,
    BaggingRegressor,
    DecisionTreeRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from mllib.datasets import load_dna, load_letters, make_friedman1, make_twonorm, make_waveform
from mllib.forest.base import flatten
from mllib.tree import Tree
from tests.timing.clock import interleaved

pytestmark = pytest.mark.timing


def ratio(what, ours, theirs, repeats=5):
    mine, peer = interleaved(repeats, ours, theirs)
    print(f"{what}: scikit-learn {1e3 * peer:.1f} ms, ratio {mine / peer:.2f}")
    return mine / peer


def problem(name, n):
    """Half to learn from, half to compare errors on; values that float32 holds exactly, as the peer wants."""
    if name == "dna":
        X, y = load_dna(return_X_y=True)
    elif name == "letters":
        X, y = load_letters(return_X_y=True)
        X, y = X[: 2 * n], y[: 2 * n]
    else:
        X, y = {"twonorm": make_twonorm, "waveform": make_waveform, "friedman1": make_friedman1}[name](
            2 * n, random_state=0
        )
    X = X.astype(np.float32).astype(float)
    return X[::2], y[::2], X[1::2], y[1::2]


LEAF = {"min_samples_leaf": 10}  # among fewer examples many questions are equally good
SAME = [
    (
        BaggingRegressor(DecisionTreeRegressor(**LEAF), 10, random_state=0),
        ensemble.BaggingRegressor(oracle_tree.DecisionTreeRegressor(**LEAF), 10, random_state=0),
    ),
    (
        RandomForestRegressor(30, **LEAF, random_state=0),
        ensemble.RandomForestRegressor(30, **LEAF, random_state=0),
    ),
]


@pytest.mark.parametrize("a, b", SAME, ids=["bagging", "random forest"])
def test_growing_the_same_trees(a, b):
    X, y, _, _ = problem("friedman1", 2000)
    np.testing.assert_allclose(a.fit(X, y).predict(X), b.fit(X, y).predict(X), rtol=1e-9)
    assert ratio(f"{type(a).__name__}, friedman1, n = 2000", lambda: a.fit(X, y), lambda: b.fit(X, y)) <= 0.3


LIKE = [
    ("twonorm", BaggingClassifier, ensemble.BaggingClassifier, 10, 0.3),
    ("waveform", BaggingClassifier, ensemble.BaggingClassifier, 10, 0.3),
    ("twonorm", RandomForestClassifier, ensemble.RandomForestClassifier, 50, 0.3),
    ("waveform", RandomForestClassifier, ensemble.RandomForestClassifier, 50, 0.3),
    ("twonorm", ExtraTreesClassifier, ensemble.ExtraTreesClassifier, 50, 1.0),
    ("letters", RandomForestClassifier, ensemble.RandomForestClassifier, 20, 1.0),
    ("letters", ExtraTreesClassifier, ensemble.ExtraTreesClassifier, 20, 1.0),
    ("dna", RandomForestClassifier, ensemble.RandomForestClassifier, 50, 1.0),
    ("dna", ExtraTreesClassifier, ensemble.ExtraTreesClassifier, 50, 1.0),
    ("friedman1", ExtraTreesRegressor, ensemble.ExtraTreesRegressor, 50, 1.0),
]


@pytest.mark.parametrize("name, ours, theirs, n_estimators, must", LIKE)
def test_growing_trees_of_the_same_law(name, ours, theirs, n_estimators, must):
    X, y, Z, z = problem(name, 2000)
    a, b = (make(n_estimators=n_estimators, random_state=0).fit(X, y) for make in (ours, theirs))
    nodes = [[tree.tree_.node_count for tree in forest.estimators_] for forest in (a, b)]
    assert np.mean(nodes[0]) == pytest.approx(np.mean(nodes[1]), rel=0.05)
    number = name == "friedman1"
    wrong = [(f.predict(Z) - z) ** 2 if number else 1.0 * (f.predict(Z) != z) for f in (a, b)]
    difference = wrong[0] - wrong[1]
    assert abs(difference.mean()) < 5 * difference.std() / np.sqrt(len(z)) + 0.01 * np.mean(wrong[1])
    a, b = a.set_params(n_jobs=None), b.set_params(n_jobs=1)
    what = f"{ours.__name__}, {name}, n = {len(X)}"
    assert ratio(what, lambda: a.fit(X, y), lambda: b.fit(X, y)) <= must


@pytest.mark.parametrize("name", ["twonorm", "letters", "dna", "friedman1"])
def test_predicting_with_the_same_trees(name):
    X, y, Z, _ = problem(name, 2000)
    Ours, theirs = (
        (RandomForestRegressor, ensemble.RandomForestRegressor)
        if name == "friedman1"
        else (RandomForestClassifier, ensemble.RandomForestClassifier)
    )
    peer = theirs(100, random_state=0).fit(X, y)
    mine = Ours(1, random_state=0).fit(X, y)
    mine.estimators_ = [with_tree(mine.estimators_[0], tree.tree_) for tree in peer.estimators_]
    mine._flat = flatten([tree.tree_ for tree in mine.estimators_])
    say = "predict" if name == "friedman1" else "predict_proba"
    np.testing.assert_allclose(getattr(mine, say)(Z), getattr(peer, say)(Z), rtol=1e-9, atol=1e-12)
    assert (
        ratio(f"predict, {name}, n = {len(Z)}", lambda: getattr(mine, say)(Z), lambda: getattr(peer, say)(Z))
        <= 1
    )


def with_tree(member, other):
    """A member of ours that holds scikit-learn's tree: the names and the order of the nodes are the same."""
    tree = Tree(
        other.feature.astype(np.int32),
        other.threshold,
        other.children_right.astype(np.int32),
        other.impurity,
        other.n_node_samples,
        other.weighted_n_node_samples,
        other.value[:, 0, :],
        other.n_features,
    )
    np.testing.assert_array_equal(tree.children_left, other.children_left)
    member = clone(member)
    member.tree_, member.n_features_in_ = tree, other.n_features
    return member
