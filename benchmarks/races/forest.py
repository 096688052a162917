"""Bagging and forests against scikit-learn, one thread.

Where all features are asked, numbers are predicted and leaves are not tiny, both packages grow the same
trees and their answers must be equal. Where features and thresholds are drawn at random the trees differ;
there the sizes of the trees and the errors on new data must agree. Prediction is timed on the very same
trees.
"""

from functools import partial

import numpy as np
from sklearn import ensemble, tree
from sklearn.base import clone

import mllib
from benchmarks.race import Race
from mllib.datasets import load_dna, load_letters, make_friedman1, make_twonorm, make_waveform
from mllib.forest._flat import flatten
from mllib.tree import Tree

MAKERS = {"twonorm": make_twonorm, "waveform": make_waveform, "friedman1": make_friedman1}
LOADERS = {"dna": load_dna, "letters": load_letters}
LEAF = {"min_samples_leaf": 10}  # among fewer examples many questions are equally good


def problem(name, n):
    """Half to learn from, half to compare errors on; values that float32 holds exactly, as the peer wants."""
    if name in MAKERS:
        X, y = MAKERS[name](2 * n, random_state=0)
    else:
        X, y = (part[: 2 * n] for part in LOADERS[name](return_X_y=True))
    X = X.astype(np.float32).astype(float)
    return X[::2], y[::2], X[1::2], y[1::2]


def same_trees(kind, n):
    """Equal predictions, because the trees are equal."""
    X, y, _, _ = problem("friedman1", n)
    if kind == "bagging":
        ours = mllib.BaggingRegressor(mllib.DecisionTreeRegressor(**LEAF), 10, random_state=0)
        peer = ensemble.BaggingRegressor(tree.DecisionTreeRegressor(**LEAF), 10, random_state=0)
    else:
        ours = mllib.RandomForestRegressor(30, **LEAF, random_state=0)
        peer = ensemble.RandomForestRegressor(30, **LEAF, random_state=0)
    np.testing.assert_allclose(ours.fit(X, y).predict(X), peer.fit(X, y).predict(X), rtol=1e-9)
    return lambda: ours.fit(X, y), lambda: peer.fit(X, y)


def equally_good(mine, theirs):
    """Losses on the same new points: their means differ by no more than chance explains."""
    difference = mine - theirs
    allowed = 5 * difference.std() / np.sqrt(len(mine)) + 0.01 * theirs.mean()
    assert abs(difference.mean()) < allowed, f"losses {mine.mean():.4f} and {theirs.mean():.4f} on new data"


def same_law(name, kind, n, trees=50, n_jobs=1):
    """Trees drawn from the same law: as large on average, and as good."""
    X, y, Z, z = problem(name, n)
    keywords = dict(n_estimators=trees, random_state=0)
    ours = getattr(mllib, kind)(**keywords, n_jobs=None if n_jobs == 1 else n_jobs).fit(X, y)
    peer = getattr(ensemble, kind)(**keywords, n_jobs=n_jobs).fit(X, y)
    nodes = [np.mean([h.tree_.node_count for h in forest.estimators_]) for forest in (ours, peer)]
    np.testing.assert_allclose(*nodes, rtol=0.05, err_msg="the trees differ in size")
    number = kind.endswith("Regressor")
    equally_good(*((f.predict(Z) - z) ** 2 if number else 1.0 * (f.predict(Z) != z) for f in (ours, peer)))
    return lambda: ours.fit(X, y), lambda: peer.fit(X, y)


def predicting(name, n):
    """A hundred trees, the same ones in both."""
    X, y, Z, _ = problem(name, n)
    kind = "RandomForestRegressor" if name == "friedman1" else "RandomForestClassifier"
    peer = getattr(ensemble, kind)(100, random_state=0).fit(X, y)
    ours = getattr(mllib, kind)(1, random_state=0).fit(X, y)
    ours.estimators_ = [with_tree(ours.estimators_[0], h.tree_) for h in peer.estimators_]
    ours._flat = flatten([h.tree_ for h in ours.estimators_])
    say = "predict" if name == "friedman1" else "predict_proba"
    mine, theirs = (partial(getattr(model, say), Z) for model in (ours, peer))
    np.testing.assert_allclose(mine(), theirs(), rtol=1e-9, atol=1e-12)
    return mine, theirs


def with_tree(member, other):
    """A member of ours that holds scikit-learn's tree: the names and the order of the nodes are the same."""
    grown = Tree(
        other.feature.astype(np.int32),
        other.threshold,
        other.children_right.astype(np.int32),
        other.impurity,
        other.n_node_samples,
        other.weighted_n_node_samples,
        other.value[:, 0, :],
        other.n_features,
    )
    np.testing.assert_array_equal(grown.children_left, other.children_left)
    member = clone(member)
    member.tree_, member.n_features_in_ = grown, other.n_features
    return member


LAWS = [
    ("twonorm", "BaggingClassifier", 10, "trees"),
    ("waveform", "BaggingClassifier", 10, "trees"),
    ("twonorm", "RandomForestClassifier", 50, "trees"),
    ("waveform", "RandomForestClassifier", 50, "trees"),
    ("twonorm", "ExtraTreesClassifier", 50, "extra-trees"),
    ("friedman1", "ExtraTreesRegressor", 50, "extra-trees"),
    ("letters", "RandomForestClassifier", 20, "one-hot"),
    ("letters", "ExtraTreesClassifier", 20, "one-hot"),
    ("dna", "RandomForestClassifier", 50, "one-hot"),
    ("dna", "ExtraTreesClassifier", 50, "one-hot"),
]
SIZE = {"dna": 1593}  # all of it; 2,000 points of the others


def grow(name, kind, trees, n):
    """As many trees as the table of laws says."""
    return same_law(name, kind, n, trees)


RACES = [
    *(
        Race(f"{kind}, numbers, friedman1", 2000, partial(same_trees, kind), "trees", quick=True)
        for kind in ("bagging", "random forest")
    ),
    *(
        Race(
            f"{kind}, {trees} trees, {name}",
            SIZE.get(name, 2000),
            partial(grow, name, kind, trees),
            promise,
            quick=True,
        )
        for name, kind, trees, promise in LAWS
    ),
    *(
        Race(
            "RandomForestClassifier, 50 trees, twonorm",
            n,
            partial(grow, "twonorm", "RandomForestClassifier", 50),
        )
        for n in (500, 1000, 5000, 10_000, 20_000)
    ),
    *(
        Race(
            f"forest predicts, {name}",
            SIZE.get(name, 2000),
            partial(predicting, name),
            "forest-predict",
            quick=True,
        )
        for name in ("twonorm", "letters", "dna", "friedman1")
    ),
    *(
        Race(
            "RandomForestClassifier, twonorm, 2,000 points",
            trees,
            lambda trees: same_law("twonorm", "RandomForestClassifier", 2000, trees),
            axis="trees",
        )
        for trees in (10, 20, 40, 80, 160)
    ),
    *(
        Race(
            "RandomForestClassifier, 100 trees, twonorm, 5,000 points",
            k,
            lambda k: same_law("twonorm", "RandomForestClassifier", 5000, 100, n_jobs=k),
            axis="threads",
            threads=k,
        )
        for k in (1, 2)
    ),
]
