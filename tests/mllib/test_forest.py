"""Forests: the trees are those they should be, their mean is exact, and nothing depends on who grows them."""

import pickle
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kstest
from sklearn import ensemble
from sklearn import tree as oracle_tree
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris

from mllib import (
    BaggingClassifier,
    BaggingRegressor,
    DecisionForestClassifier,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from mllib.datasets import make_friedman1, make_waveform
from mllib.forest._flat import flatten

IRIS = load_iris(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)
WAVES = make_waveform(300, random_state=0)
CLASSIFIERS = [DecisionForestClassifier, ExtraTreesClassifier, RandomForestClassifier]
REGRESSORS = [ExtraTreesRegressor, RandomForestRegressor]


# ----------------------------------------------------------------- against scikit-learn, where it is certain
# If all features are asked, only ties are left to chance. Numbers to predict leave no ties. Counts of classes
# do: there a tree is compared if scikit-learn agrees with itself over ten seeds. The replicates are the same.

CERTAIN = {
    "max_features": None,
    "min_samples_leaf": 10,
    "max_depth": 4,
    "n_estimators": 25,
    "random_state": 3,
}


@pytest.mark.parametrize("more", [{}, {"max_samples": 120}, {"max_samples": 0.5}])
@pytest.mark.parametrize("weighted", [False, True])
def test_random_forest_regressor_equals_the_oracle(more, weighted):
    X, y = make_friedman1(300, random_state=0)
    weights = np.random.default_rng(0).uniform(0.5, 1.5, size=300) if weighted else None
    ours = RandomForestRegressor(**CERTAIN, **more, oob_score=True).fit(X, y, weights)
    theirs = ensemble.RandomForestRegressor(**CERTAIN, **more, oob_score=True).fit(X, y, weights)
    for a, b in zip(ours.estimators_samples_, theirs.estimators_samples_, strict=True):
        np.testing.assert_array_equal(a, b)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-9)
    np.testing.assert_allclose(ours.oob_prediction_, theirs.oob_prediction_, rtol=1e-9)
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, rtol=1e-9)
    assert ours.oob_score_ == pytest.approx(theirs.oob_score_, rel=1e-9)
    # leaves may be numbered differently, but the same points share a leaf
    for a, b in zip(ours.apply(X).T, theirs.apply(X).T, strict=True):
        assert len(set(zip(a, b, strict=True))) == len(set(a)) == len(set(b))


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_random_forest_equals_the_oracle_tree_by_tree(criterion):
    X, y = WAVES
    settings = CERTAIN | {"max_depth": 3, "criterion": criterion}
    ours = RandomForestClassifier(**settings).fit(X, y)
    theirs = ensemble.RandomForestClassifier(**settings).fit(X, y)
    certain = 0
    for tree, rows, oracle, same_rows in zip(
        ours, ours.estimators_samples_, theirs.estimators_, theirs.estimators_samples_, strict=True
    ):
        np.testing.assert_array_equal(rows, same_rows)
        counts = np.bincount(rows, minlength=300)
        again = [
            clone(oracle).set_params(random_state=s).fit(X, y, counts).predict_proba(X) for s in range(10)
        ]
        if all(np.array_equal(again[0], P) for P in again):
            certain += 1
            np.testing.assert_allclose(tree.predict_proba(X), again[0], atol=1e-12)
    assert certain >= 10


def test_bagged_trees_equal_the_oracle():
    X, y = make_friedman1(300, random_state=0)
    tree = {"min_samples_leaf": 10, "max_depth": 4}
    ours = BaggingRegressor(DecisionTreeRegressor(**tree), 25, random_state=3).fit(X, y)
    theirs = ensemble.BaggingRegressor(oracle_tree.DecisionTreeRegressor(**tree), 25, random_state=3).fit(
        X, y
    )
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-9)


def test_bagged_trees_are_trees_on_replicates():
    """The columns are ranked once for all members; each is the tree that its replicate alone would give."""
    X, y = IRIS
    bag = BaggingClassifier(DecisionTreeClassifier(max_features=2), 10, random_state=3).fit(X, y)
    for tree, rows in zip(bag, bag.estimators_samples_, strict=True):
        alone = clone(tree).fit(X[rows], y[rows])
        np.testing.assert_array_equal(alone.tree_.threshold, tree.tree_.threshold)
        np.testing.assert_allclose(alone.predict_proba(X), tree.predict_proba(X), atol=1e-12)
    with pytest.raises(ValueError, match="'max_depth' parameter of DecisionTreeClassifier"):
        BaggingClassifier(DecisionTreeClassifier(max_depth=0)).fit(X, y)


def test_errors_are_those_of_the_oracle_where_trees_are_random():
    """Fully grown, random trees differ from scikit-learn's, but the forests' errors do not."""
    X, y = make_waveform(1300, random_state=5)
    for name in ("RandomForestClassifier", "ExtraTreesClassifier"):
        ours, theirs = (
            [
                1 - getattr(where, name)(60, random_state=seed).fit(X[:300], y[:300]).score(X[300:], y[300:])
                for seed in range(6)
            ]
            for where in (sys.modules["mllib"], ensemble)
        )
        spread = np.sqrt(np.var(ours, ddof=1) / 6 + np.var(theirs, ddof=1) / 6)
        assert abs(np.mean(ours) - np.mean(theirs)) < 4.5 * spread


# ------------------------------------------------------------------------------------ which trees they are


def test_a_random_forest_is_trees_on_replicates():
    X, y = IRIS
    forest = RandomForestClassifier(12, random_state=1).fit(X, y)
    for tree, rows in zip(forest, forest.estimators_samples_, strict=True):
        again = clone(tree).fit(X, y, np.bincount(rows, minlength=len(y)))
        np.testing.assert_array_equal(again.tree_.threshold, tree.tree_.threshold)
        np.testing.assert_array_equal(again.tree_.feature, tree.tree_.feature)
        np.testing.assert_array_equal(again.predict_proba(X), tree.predict_proba(X))
        assert tree.max_features == "sqrt"
    assert len({tree.random_state for tree in forest}) == 12


@pytest.mark.parametrize("weighted", [False, True])
def test_a_decision_forest_divides_the_examples(weighted):
    X, y = IRIS
    weights = np.random.default_rng(0).integers(0, 3, size=len(y)) if weighted else None
    forest = DecisionForestClassifier(7, random_state=1).fit(X, y, weights)
    parts = forest.estimators_samples_
    there = np.arange(150) if weights is None else np.flatnonzero(weights)
    np.testing.assert_array_equal(np.sort(np.concatenate(parts)), there)
    sizes = [len(rows) for rows in parts]
    assert max(sizes) - min(sizes) <= 1
    for tree, rows in zip(forest, parts, strict=True):
        alone = DecisionTreeClassifier().fit(X[rows], y[rows], None if weights is None else weights[rows])
        shares = np.zeros((len(X), 3))
        shares[:, alone.classes_] = alone.predict_proba(X)
        np.testing.assert_allclose(tree.predict_proba(X), shares, atol=1e-12)


def test_extra_trees_see_all_rows_and_draw_one_threshold_for_each_feature():
    X = np.random.default_rng(0).uniform(2, 5, size=(40, 1))
    y = (X.ravel() > 3).astype(int)
    forest = ExtraTreesClassifier(1500, max_depth=1, max_features=1, random_state=0).fit(X, y)
    cuts = np.array([tree.tree_.threshold[0] for tree in forest])
    low, high = X.min(), X.max()
    assert kstest((cuts - low) / (high - low), "uniform").pvalue > 1e-4
    assert all(tree.tree_.n_node_samples[0] == 40 for tree in forest)
    assert all((rows == np.arange(40)).all() for rows in forest.estimators_samples_)


def test_extra_trees_install_the_best_of_k_tests():
    """With K = all of the features the useful one wins almost always, with K = 1 a third of the time."""
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(300, 3))
    y = (X[:, 1] > 0.5).astype(int)
    share = {}
    for K in (1, 3):
        forest = ExtraTreesClassifier(
            900, max_features=K, max_depth=1, criterion="normalised_gain", random_state=0
        ).fit(X, y)
        share[K] = np.mean([tree.tree_.feature[0] == 1 for tree in forest])
    assert abs(share[1] - 1 / 3) < 4.5 * np.sqrt(2 / 9 / 900)
    assert share[3] > 0.9


def test_extra_trees_with_weights_are_extra_trees_with_repetitions():
    X, y = IRIS
    weights = np.random.default_rng(0).integers(0, 4, size=len(y))
    once = ExtraTreesClassifier(10, random_state=0).fit(X, y, weights)
    twice = ExtraTreesClassifier(10, random_state=0).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    np.testing.assert_allclose(once.predict_proba(X), twice.predict_proba(X), atol=1e-12)


# ---------------------------------------------------------------------------------------- the mean of them


@st.composite
def problems(draw):
    """Small sets with ties, constant columns and up to four classes."""
    n, d, K = draw(st.integers(2, 40)), draw(st.integers(1, 5)), draw(st.integers(1, 4))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    X = rng.integers(0, draw(st.integers(1, 30)), size=(n, d)).astype(float)
    return X, rng.integers(K, size=n), rng.uniform(-5, 35, size=(7, d))


@settings(max_examples=40)
@given(problems(), st.sampled_from(CLASSIFIERS), st.integers(1, 3))
def test_shares_are_the_mean_of_the_trees_and_sum_to_one(problem, Forest, leaf):
    X, y, Z = problem
    forest = Forest(min(5, len(y)), min_samples_leaf=leaf, random_state=0).fit(X, y)
    P = forest.predict_proba(Z)
    np.testing.assert_allclose(P, np.mean([tree.predict_proba(Z) for tree in forest], axis=0), atol=1e-12)
    np.testing.assert_allclose(P.sum(axis=1), 1)
    assert (P >= 0).all()
    np.testing.assert_array_equal(forest.predict(Z), forest.classes_[P.argmax(axis=1)])


@settings(max_examples=30)
@given(problems(), st.sampled_from(REGRESSORS), st.integers(0, 10**6))
def test_numbers_are_the_mean_of_the_trees(problem, Forest, seed):
    X, _, Z = problem
    y = np.random.default_rng(seed).normal(size=len(X))
    forest = Forest(5, random_state=0).fit(X, y)
    np.testing.assert_allclose(
        forest.predict(Z), np.mean([tree.predict(Z) for tree in forest], axis=0), atol=1e-12
    )
    assert y.min() - 1e-12 <= forest.predict(Z).min() and forest.predict(Z).max() <= y.max() + 1e-12


@pytest.mark.parametrize("n", [0, 1, 1023, 1024, 1025, 3000])
def test_blocks_of_rows(n):
    X, y = WAVES
    forest = RandomForestClassifier(7, random_state=0).fit(X, y)
    Z, _ = make_waveform(max(n, 1), random_state=9)
    if n == 0:
        with pytest.raises(ValueError, match="0 sample"):
            forest.predict(Z[:0])
        return
    np.testing.assert_allclose(
        forest.predict_proba(Z), np.mean([tree.predict_proba(Z) for tree in forest], axis=0), atol=1e-12
    )


def test_a_forest_of_one_leaf_each():
    forest = RandomForestClassifier(3, random_state=0).fit([[1.0], [1.0], [1.0]], [0, 1, 1])
    assert [tree.get_n_leaves() for tree in forest] == [1, 1, 1]
    np.testing.assert_allclose(forest.predict_proba([[0.0]]), forest.predict_proba([[9.0]]))
    forest = RandomForestRegressor(3, random_state=0).fit([[1.0], [1.0]], [2.0, 2.0])
    assert forest.predict([[5.0]]).tolist() == [2.0]


def test_a_chain_deeper_than_the_stack():
    """A tree that peels off one example at a time is as deep as the set is long."""
    n = 300
    X = np.arange(n, dtype=float)[:, None]
    y = 2.0 ** np.arange(n)  # the last example always outweighs the others
    forest = ExtraTreesRegressor(3, random_state=0).fit(X, y)
    forest_deep = RandomForestRegressor(1, bootstrap=False).fit(X, y)
    assert forest_deep[0].get_depth() > 100  # the walk keeps 64 places and must find more
    np.testing.assert_allclose(forest_deep.predict(X), y)
    np.testing.assert_allclose(forest_deep.predict(X[::-1]), y[::-1])
    np.testing.assert_allclose(forest.predict(X), y)


def test_flattened_trees():
    X, y = IRIS
    forest = RandomForestClassifier(4, min_samples_leaf=8, random_state=0).fit(X, y)
    asked, feature, threshold, right, root, mixed, K = flatten([tree.tree_ for tree in forest])
    assert K == 3 and root.tolist() == np.cumsum([0, *(t.tree_.node_count for t in forest)])[:-1].tolist()
    assert len(feature) == len(threshold) == len(right) == sum(t.tree_.node_count for t in forest)
    leaf = feature < 0
    own = np.concatenate([tree.tree_.feature for tree in forest])
    np.testing.assert_array_equal(asked[feature[~leaf]], own[~leaf])
    assert set(asked) == set(own[~leaf])
    assert right[leaf].max() == K + len(mixed) - 1 and (mixed.max(axis=1) < 1).all()


def test_stages():
    X, y = IRIS
    forest = RandomForestClassifier(9, random_state=0).fit(X, y)
    stages = list(forest.staged_predict_proba(X))
    np.testing.assert_allclose(stages[-1], forest.predict_proba(X), atol=1e-12)
    np.testing.assert_allclose(
        stages[3], np.mean([t.predict_proba(X) for t in forest[:4]], axis=0), atol=1e-12
    )
    np.testing.assert_array_equal(list(forest.staged_predict(X))[-1], forest.predict(X))
    X, y = DIABETES
    forest = RandomForestRegressor(5, random_state=0).fit(X, y)
    np.testing.assert_allclose(list(forest.staged_predict(X))[-1], forest.predict(X), rtol=1e-12)


def test_out_of_bag_by_hand():
    X, y = IRIS
    forest = RandomForestClassifier(40, oob_score=True, random_state=0).fit(X, y)
    total = np.zeros((150, 3))
    for tree, rows in zip(forest, forest.estimators_samples_, strict=True):
        out = np.setdiff1d(np.arange(150), rows)
        total[out] += tree.predict_proba(X[out])
    shares = total / total.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(forest.oob_decision_function_, shares, atol=1e-12)
    assert forest.oob_score_ == (shares.argmax(axis=1) == y).mean() == forest.history_.oob_score[-1]


def test_only_columns_that_are_asked_about_are_copied():
    X, y = IRIS
    wide = np.hstack([np.zeros((150, 30)), X, np.ones((150, 30))])
    forest = RandomForestClassifier(5, max_features=None, random_state=0).fit(wide, y)
    again = pickle.loads(pickle.dumps(forest))
    assert set(forest._flat[0]) <= set(range(30, 34))
    np.testing.assert_array_equal(again.predict_proba(wide), forest.predict_proba(wide))
    shares = np.mean([tree.predict_proba(wide) for tree in forest], axis=0)
    np.testing.assert_allclose(forest.predict_proba(wide), shares)


@pytest.mark.parametrize("unit", [1e-150, 1e77, 1e307])
def test_a_common_factor_of_the_weights_changes_no_tree(unit):
    X, y = IRIS
    for Kind in (ExtraTreesClassifier, DecisionForestClassifier):
        plain = Kind(5, random_state=0).fit(X, y, np.ones(150)).predict_proba(X)
        np.testing.assert_allclose(
            Kind(5, random_state=0).fit(X, y, np.full(150, unit)).predict_proba(X), plain
        )
