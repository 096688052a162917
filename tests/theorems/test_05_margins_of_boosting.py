"""Chapter 05: what boosting does to the margins, what it promises, and what it does not."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer

from mllib import AdaBoostClassifier, DecisionStump, LinearStump
from mllib.boosting import (
    generalisation_bound,
    hardest_weights,
    largest_margin,
    margin_bound,
    margins,
    product_bound,
    stump_matrix,
    vanishing_margin,
)


@st.composite
def problems(draw, max_points=24):
    n = draw(st.integers(4, max_points))
    X = np.array(draw(st.lists(st.tuples(*[st.integers(0, 9)] * 2), min_size=n, max_size=n)), dtype=float)
    y = np.array(draw(st.lists(st.sampled_from([-1, 1]), min_size=n, max_size=n)))
    y[:2] = -1, 1
    return X, y


@pytest.mark.theorem("thm-margin-distribution")
@given(problems(), st.sampled_from([DecisionStump(), DecisionStump("gini"), LinearStump("exact")]))
def test_share_of_small_margins_is_bounded(problem, learner):
    """Every theta (also those that are margins of examples), every round."""
    X, y = problem
    try:
        model = AdaBoostClassifier(learner, n_estimators=15).fit(X, y)
    except ValueError:
        assume(False)
    assume(model.history_.epsilon[-1] > 0)
    for t, m in enumerate(model.staged_margins(X, y)):
        theta = np.concatenate((np.linspace(-1.5, 1.5, 61), m))
        share = (m[:, None] <= theta + 1e-12).mean(axis=0)
        assert np.all(share <= margin_bound(model.history_.epsilon, theta)[t] * (1 + 1e-9))


@pytest.mark.theorem("thm-margin-distribution")
@given(st.integers(0, 2**32 - 1), st.integers(2, 12), st.floats(0.1, 0.9))
def test_bound_holds_for_errors_above_one_half_too(seed, n, skill):
    """Any members with 0 < eps_t < 1 and sum alpha_t > 0: single alpha_t may be negative."""
    rng = np.random.default_rng(seed)
    D, g, alpha, epsilon = np.full(n, 1 / n), np.zeros(n), [], []
    for _ in range(8):
        yh = np.where(rng.uniform(size=n) < skill, 1.0, -1.0)
        e = D @ (yh < 0)
        if not 1e-9 < e < 1 - 1e-9:
            continue
        alpha.append(0.5 * np.log((1 - e) / e))
        epsilon.append(e)
        g += alpha[-1] * yh
        D = D * np.exp(-alpha[-1] * yh)
        D /= D.sum()
        if sum(alpha) > 1e-6:
            m = g / sum(alpha)
            theta = np.concatenate((np.linspace(-2, 2, 41), m))
            share = (m[:, None] <= theta + 1e-12 * (1 + np.abs(theta))).mean(axis=0)
            assert np.all(share <= margin_bound(epsilon, theta)[-1] * (1 + 1e-9))


@pytest.mark.theorem("thm-margin-distribution")
@given(st.floats(0.001, 0.499))
def test_where_the_bound_vanishes(gamma):
    """With every edge gamma the factor is below 1 if and only if theta is below the threshold."""
    threshold = vanishing_margin(gamma)
    assert gamma < threshold < 2 * gamma
    for theta, below in ((threshold - 1e-3, True), (threshold + 1e-3, False)):
        factor = margin_bound([0.5 - gamma], theta)[0]
        assert (factor < 1) == below
    np.testing.assert_allclose(
        margin_bound([0.5 - gamma] * 3, 0.0), product_bound([0.5 - gamma] * 3), rtol=1e-12
    )


@pytest.mark.theorem("thm-margin-distribution")
@settings(max_examples=25)
@given(problems(max_points=10))
def test_margins_grow_beyond_the_edge(problem):
    """If every edge is at least gamma, the least margin ends above every theta < vanishing_margin(gamma)."""
    X, y = problem
    gamma = hardest_weights(stump_matrix(X, y)).value / 2
    assume(0.06 < gamma < 0.45)
    threshold = vanishing_margin(gamma)
    theta = 0.9 * threshold
    T = int(np.ceil(-np.log(len(X)) / np.log(margin_bound([0.5 - gamma], theta)[0]))) + 1
    assume(T < 4000)
    model = AdaBoostClassifier(n_estimators=T).fit(X, y)
    assert model.history_.edge.min() >= gamma - 1e-9 and model.history_.epsilon.min() > 0
    assert margins(model, X, y).min() > theta - 1e-12


class BestColumn(ClassifierMixin, BaseEstimator):
    """A weak learner over the columns of X itself: answers with the one of least weighted error."""

    def fit(self, X, y, sample_weight):
        self.classes_ = np.unique(y)
        edges = sample_weight @ (y[:, None] * X)
        self.column_ = int(np.argmax(edges >= edges.max() - 1e-12))
        return self

    def predict(self, X):
        return X[:, self.column_]


EIGHT = "-++++--+ -++--+++ +-+++-++ +-++-+++ +-+-+++- ++-++++- ++-+++-+ ++++--+-".split()


@pytest.mark.theorem("prop-not-max-margin")
def test_adaboost_need_not_reach_the_largest_margin():
    """Rudin, Daubechies and Schapire (2004): the margin tends to 1/3, the largest is 3/8."""
    M = np.array([[1.0 if sign == "+" else -1.0 for sign in column] for column in EIGHT]).T
    y = np.array([1.0, -1.0] * 4)
    assert largest_margin(M).value == pytest.approx(3 / 8, abs=1e-9)
    assert hardest_weights(M).value == pytest.approx(3 / 8, abs=1e-9)
    model = AdaBoostClassifier(BestColumn(), n_estimators=3000).fit(y[:, None] * M, y)
    m = margins(model, y[:, None] * M, y)
    assert 1 / 3 - 1e-3 < m.min() < 1 / 3
    # It runs in a cycle in which every edge is the same, well above the 3/8 of the hardest weights.
    late = 2 * model.history_.edge[-300:]
    np.testing.assert_allclose(late, (np.sqrt(5) - 1) / 2, atol=1e-9)


@pytest.mark.theorem("thm-margin-generalisation")
def test_the_generalisation_bound_is_what_it_says():
    """Its terms by hand; vacuous on a small run, and not with many examples."""
    X, y = load_breast_cancer(return_X_y=True)
    N, d = X.shape
    model = AdaBoostClassifier(n_estimators=50).fit(X, y)
    m = margins(model, X, y)
    stumps = 2 * d * (N - 1) + 2
    assert stump_matrix(X, 2.0 * y - 1).shape[1] <= stumps
    for theta in (0.05, 0.1, 0.5):
        share, delta = np.mean(m <= theta), 0.05
        bound = generalisation_bound(share, theta, stumps, N, delta)
        by_hand = share + 2 / theta * np.sqrt(2 * np.log(stumps) / N) + np.sqrt(np.log(1 / delta) / (2 * N))
        np.testing.assert_allclose(bound, by_hand, rtol=1e-12)
        assert bound >= share
    assert generalisation_bound(np.mean(m <= 0.1), 0.1, stumps, N) > 1  # vacuous here
    assert generalisation_bound(0.0, 0.5, stumps, 10**6) < 0.05  # not with a million examples
