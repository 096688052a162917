"""Stumps and lines against a slow readable twin: try every cut."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from mllib import DecisionStump, LinearStump, RegressionStump
from mllib.tree import SortedFeatures


@st.composite
def weighted_points(draw, classes=2, features=2):
    """Integer points (so that values repeat), class codes, integer weights of which some are zero."""
    n = draw(st.integers(2, 16))
    top = draw(st.integers(1, 6))
    row = st.tuples(*[st.integers(0, top)] * features)
    X = np.array(draw(st.lists(row, min_size=n, max_size=n)), dtype=float)
    y = np.array(draw(st.lists(st.integers(0, classes - 1), min_size=n, max_size=n)))
    w = np.array(draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)), dtype=float)
    w[0] += 1.0
    return X, y, w


def cuts(X):
    """Every cut of every feature, in the order of the tie-break: feature, then threshold."""
    for feature, column in enumerate(X.T):
        values = np.unique(column)
        for low, high in zip(values[:-1], values[1:], strict=True):
            yield feature, (low + high) / 2, column <= (low + high) / 2


def weight_of(y, w, k):
    return np.bincount(y, w, k)


def least_error(X, y, w, k):
    """The least error of a cut, or of one answer for all, and the first cut that reaches it."""
    constant = w.sum() - weight_of(y, w, k).max()
    best, where = constant, None
    for feature, threshold, left in cuts(X):
        L, R = weight_of(y[left], w[left], k), weight_of(y[~left], w[~left], k)
        if k == 2:  # a stump says different things left and right
            error = min(L[0] + R[1], L[1] + R[0])
        else:
            error = w.sum() - L.max() - R.max()
        if error < best or (where is None and k == 2 and error == best):
            best, where = error, (feature, threshold)
    return best, where


@pytest.mark.parametrize("classes", [2, 3, 4])
@given(data=st.data())
def test_error_stump_is_the_first_best_cut(classes, data):
    X, y, w = data.draw(weighted_points(classes))
    y[: min(classes, len(y))] = np.arange(min(classes, len(y)))  # every class has a code
    k = y.max() + 1
    stump = DecisionStump().fit(X, y, w)
    there = w > 0
    error, where = least_error(X[there], y[there], w[there], k)
    assert w[stump.predict(X) != y].sum() == error
    assert abs(stump.error_ - error / w.sum()) < 1e-12
    found = None if stump.feature_ < 0 else (stump.feature_, stump.threshold_)
    assert found == where


@pytest.mark.parametrize("classes", [2, 3])
@given(data=st.data())
def test_gini_stump_is_the_first_purest_cut(classes, data):
    X, y, w = data.draw(weighted_points(classes))
    y[: min(classes, len(y))] = np.arange(min(classes, len(y)))
    k = y.max() + 1
    stump = DecisionStump(criterion="gini").fit(X, y, w)
    there = w > 0
    X, y, w = X[there], y[there], w[there]
    best, where = -1.0, (-1, np.nan)
    for feature, threshold, left in cuts(X):
        L, R = weight_of(y[left], w[left], k), weight_of(y[~left], w[~left], k)
        purity = (L**2).sum() / L.sum() + (R**2).sum() / R.sum()
        if purity > best + 1e-9:
            best, where = purity, (feature, threshold)
    np.testing.assert_equal((stump.feature_, stump.threshold_), where)
    left = stump._sides(X) == 0
    np.testing.assert_allclose(stump.values_[0], weight_of(y[left], w[left], k) / w[left].sum())


@given(weighted_points(classes=5, features=3))
def test_regression_stump_is_the_first_best_cut(problem):
    X, y, w = problem
    stump = RegressionStump().fit(X, y, w)
    there = w > 0
    X, y, w = X[there], y[there].astype(float), w[there]
    best, where = np.inf, (-1, np.nan)
    for feature, threshold, left in cuts(X):
        error = sum(w[s] @ (y[s] - np.average(y[s], weights=w[s])) ** 2 for s in (left, ~left))
        if error < best - 1e-9:
            best, where = error, (feature, threshold)
    np.testing.assert_equal((stump.feature_, stump.threshold_), where)
    if stump.feature_ >= 0:
        np.testing.assert_allclose(w @ (y - stump.predict(X)) ** 2, best, atol=1e-9)
    else:
        np.testing.assert_allclose(stump.predict(X), np.average(y, weights=w))


@given(weighted_points(classes=3))
def test_weight_is_repetition(problem):
    X, y, w = problem
    assume(set(y) == set(y[w > 0]))  # a class without weight is still a class
    times = w.astype(int)
    again = np.repeat(X, times, axis=0), np.repeat(y, times)
    for learner in (DecisionStump(), DecisionStump(criterion="gini"), RegressionStump()):
        heavy = type(learner)(**learner.get_params()).fit(X, y, w)
        often = type(learner)(**learner.get_params()).fit(*again)
        np.testing.assert_equal((heavy.feature_, heavy.threshold_), (often.feature_, often.threshold_))
        np.testing.assert_array_equal(heavy.predict(X), often.predict(X))


@pytest.mark.parametrize("seed", range(5))
def test_gini_stump_is_a_tree_of_depth_one(seed):
    rng = np.random.RandomState(seed)
    X = rng.randn(300, 6).astype(np.float32).astype(float)
    y = np.digitize(X[:, 0] + X[:, 1] + 0.3 * rng.randn(300), [-0.5, 0.8])
    w = rng.rand(300)
    for ours, peer in (
        (DecisionStump(criterion="gini"), DecisionTreeClassifier(max_depth=1)),
        (RegressionStump(), DecisionTreeRegressor(max_depth=1)),
    ):
        ours.fit(X, y, w), peer.fit(X, y, w)
        assert ours.feature_ == peer.tree_.feature[0] and ours.threshold_ == peer.tree_.threshold[0]
        np.testing.assert_allclose(ours.predict(X), peer.predict(X), rtol=1e-12)
    proba = DecisionStump(criterion="gini").fit(X, y, w).predict_proba(X)
    np.testing.assert_allclose(proba, DecisionTreeClassifier(max_depth=1).fit(X, y, w).predict_proba(X))


def test_thresholds_survive_extreme_values():
    big, tiny = np.finfo(float).max, np.finfo(float).tiny
    for values in ([-big, big], [big / 2, big], [1.0, np.nextafter(1.0, 2)], [0.0, 5e-324], [-tiny, 0.0]):
        stump = DecisionStump().fit(np.array([[v] for v in values]), [0, 1])
        assert stump.predict(np.array([[v] for v in values])).tolist() == [0, 1]


def test_a_walk_never_visits_the_commonest_value():
    X = np.zeros((1000, 1))
    X[[3, 5], 0] = -1, 2
    features = SortedFeatures(X)
    assert features.rows.tolist() == [3, 5]
    assert [features.threshold(c) for c in range(2)] == [(0, -0.5), (0, 1.0)]


def test_constant_features_leave_one_answer():
    stump = DecisionStump().fit(np.ones((5, 2)), ["a", "b", "b", "a", "b"])
    assert stump.feature_ == -1 and stump.rule() == "always: b" and stump.error_ == pytest.approx(0.4)
    np.testing.assert_allclose(stump.predict_proba(np.ones((2, 2))), [[0.4, 0.6]] * 2)
    assert stump.feature_importances_.tolist() == [0, 0]
    assert RegressionStump().fit(np.ones((2, 1)), [1.0, 3.0]).rule() == "always: 2"


def test_rules_speak_of_columns_by_name():
    stump = DecisionStump().fit([[1, 5], [1, 6]], ["a", "b"])
    assert stump.rule() == "x2 <= 5.5: a, else b"
    stump.feature_names_in_ = np.array(["length", "width"], dtype=object)
    assert stump.rule() == "width <= 5.5: a, else b"
    assert stump.feature_importances_.tolist() == [0, 1]


def test_bad_criterion():
    with pytest.raises(ValueError, match="'criterion' parameter of DecisionStump must be 'error' or 'gini'"):
        DecisionStump(criterion="entropy").fit([[1], [2]], [0, 1])


# ---- lines -----------------------------------------------------------------------------------


def best_line_by_trial(X, y, w):
    """Least weighted error of a line: every direction between two critical ones, every threshold."""
    best = min(w[y == 0].sum(), w[y == 1].sum())
    d = (X[:, None, :] - X[None, :, :]).reshape(-1, 2)
    d = d[np.any(d != 0, axis=1)]
    if len(d) == 0:
        return best
    angle = np.unique(np.round(np.arctan2(d[:, 0], -d[:, 1]) % np.pi, 9))
    for theta in np.append((angle[:-1] + angle[1:]) / 2, (angle[-1] + angle[0] + np.pi) / 2):
        along = X @ [np.cos(theta), np.sin(theta)]
        for threshold in np.unique(np.round(along, 9)) + 1e-7:
            error = w[(along > threshold) != (y == 1)].sum()
            best = min(best, error, w.sum() - error)
    return best


@given(weighted_points())
def test_exact_line_has_the_least_error_of_all_lines(problem):
    X, y, w = problem
    w = w + 1.0
    y[:2] = 0, 1
    line = LinearStump("exact").fit(X, y, w)
    error = w[line.predict(X) != y].sum()
    assert abs(error - best_line_by_trial(X, y, w)) < 1e-9
    assert abs(line.error_ - error / w.sum()) < 1e-12
    # A stump is a line too, a vertical or horizontal one.
    assert line.error_ <= DecisionStump().fit(X, y, w).error_ + 1e-12
    assert LinearStump("least_squares").fit(X, y, w).error_ >= line.error_ - 1e-12


def test_stretching_an_axis_changes_no_split():
    rng = np.random.RandomState(0)
    X = rng.randn(60, 2)
    y = (X[:, 0] + rng.randn(60) > 0).astype(int)
    plain = LinearStump("exact").fit(X, y)
    stretched = LinearStump("exact").fit(X * [1e6, 1e-6] + [1e7, 3], y)
    assert plain.error_ == stretched.error_
    np.testing.assert_array_equal(plain.predict(X), stretched.predict(X * [1e6, 1e-6] + [1e7, 3]))


def test_a_line_lies_in_the_middle_and_measures_distance():
    X = np.array([[0.0, 0], [0, 2], [2, 0], [2, 2]])
    line = LinearStump().fit(X, [0, 0, 1, 1])
    np.testing.assert_allclose(line.coef_, [1, 0], atol=1e-12)
    np.testing.assert_allclose(line.intercept_, -1)
    np.testing.assert_allclose(line.decision_function(X), [-1, -1, 1, 1], atol=1e-12)


def test_lines_in_many_dimensions_find_a_linear_rule():
    rng = np.random.RandomState(1)
    X = rng.randn(2000, 10)
    a = rng.randn(10)
    line = LinearStump().fit(X, X @ a > 0.3)
    assert abs(line.coef_ @ a) / np.linalg.norm(a) > 0.999
    assert line.error_ == pytest.approx(np.mean(line.predict(X) != (X @ a > 0.3)))


def test_lines_say_what_they_cannot_do():
    with pytest.raises(ValueError, match="needs exactly 2 features, but X has 3"):
        LinearStump("exact").fit(np.eye(3), [0, 1, 1])
    with pytest.raises(ValueError, match="'search' parameter of LinearStump"):
        LinearStump("best").fit(np.eye(2), [0, 1])
    same = LinearStump().fit(np.ones((4, 2)), [0, 1, 1, 1])
    assert same.predict(np.zeros((1, 2))).tolist() == [1] and same.error_ == 0.25
    assert LinearStump("least_squares").fit(np.ones((4, 2)), [0, 1, 1, 1]).error_ == 0.25


@pytest.mark.parametrize("tiny", [1e-14, 1e-16, 1e-30, 1e-300])
def test_a_weight_that_rounding_loses_makes_no_cut_best(tiny):
    X, y = [[1, 2], [3, 1], [0, 3], [2, 0]], [0, 1, 0, 1]
    weights = [0.3, 0.6, tiny, 0.1]
    stump = DecisionStump(criterion="gini").fit(X, y, sample_weight=weights)
    assert stump.predict(X).tolist() == y
    assert RegressionStump().fit(X, y, sample_weight=weights).predict(X).tolist() == y


@pytest.mark.parametrize("unit", [1e-300, 1e-155, 1e155, 1e300])
@pytest.mark.parametrize("d", [2, 3])
def test_lines_in_any_unit(unit, d):
    """Far from 1 the squares of numbers, and those of their inverses, leave the range of floats."""
    rng = np.random.RandomState(0)
    X = rng.normal(size=(60, d))
    y = (X.sum(axis=1) > 0).astype(int)
    plain, other = LinearStump().fit(X, y), LinearStump().fit(X * unit, y)
    np.testing.assert_allclose(other.coef_, plain.coef_, rtol=1e-6)
    assert other.error_ == pytest.approx(plain.error_) and other.score(X * unit, y) == plain.score(X, y)


def test_least_squares_sees_features_in_any_unit():
    rng = np.random.RandomState(0)
    X = np.column_stack([rng.normal(size=(60, 3)), np.full(60, 0.1)])  # (a constant, and its mean is rounded)
    y = (X[:, 0] > 0).astype(int)
    plain = LinearStump().fit(X, y)
    assert plain.score(X, y) > 0.95 and plain.coef_[3] == 0
    for Z in (X * [1e-8, 1e8, 1, 1], X * [1e-100, 1, 1e90, 1], X + [1e6, 0, -1e6, 0]):
        np.testing.assert_array_equal(LinearStump().fit(Z, y).predict(Z), plain.predict(X))


@pytest.mark.parametrize("unit", [1e-150, 1e-90, 1e77, 1e307])
def test_a_common_factor_of_the_weights_changes_no_stump(unit):
    rng = np.random.RandomState(0)
    X, w = rng.normal(size=(40, 3)), rng.randint(1, 4, size=40)
    y = (X[:, 0] + 0.3 * rng.normal(size=40) > 0).astype(int)
    for learner in (DecisionStump(), DecisionStump(criterion="gini"), RegressionStump(), LinearStump()):
        plain = clone(learner).fit(X, y, w).predict(X)
        np.testing.assert_allclose(clone(learner).fit(X, y, w * unit).predict(X), plain)


def test_the_exact_line_says_how_much_memory_it_would_need():
    X = np.random.RandomState(0).normal(size=(10_001, 2))
    with pytest.raises(ValueError, match="about 3 GB; up to 10000 .* search='least_squares'"):
        LinearStump("exact").fit(X, X[:, 0] > 0)


def test_a_class_that_weighs_nothing_is_no_class_of_a_line():
    assert LinearStump().fit([[0], [1], [5]], [0, 1, 2], [1, 1, 0]).classes_.tolist() == [0, 1]
