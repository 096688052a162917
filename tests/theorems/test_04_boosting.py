"""Chapter 04: what AdaBoost promises, checked on data that hypothesis invents."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mllib import AdaBoostClassifier, DecisionStump, LinearStump
from mllib.boosting import (
    exponential_bound,
    hardest_weights,
    largest_margin,
    margins,
    product_bound,
    rounds_to_zero_error,
    stump_matrix,
)

LEARNERS = [DecisionStump(), DecisionStump(criterion="gini"), LinearStump("exact")]


@st.composite
def problems(draw, max_points=24):
    """Points of a small grid (so that values repeat), both classes, integer weights."""
    n = draw(st.integers(4, max_points))
    grid = draw(st.integers(2, 12))
    X = np.array(draw(st.lists(st.tuples(*[st.integers(0, grid)] * 2), min_size=n, max_size=n)), dtype=float)
    y = np.array(draw(st.lists(st.sampled_from([-1, 1]), min_size=n, max_size=n)))
    assume(len(set(y)) == 2)
    weights = np.array(draw(st.lists(st.integers(1, 3), min_size=n, max_size=n)), dtype=float)
    return X, y, weights


def boosted(problem, learner, T=15):
    """A run, or nothing if the very first member has no edge."""
    X, y, weights = problem
    try:
        return AdaBoostClassifier(learner, n_estimators=T, store_weights=True).fit(X, y, weights)
    except ValueError as error:
        assert "no better than guessing" in str(error)
        assume(False)


@pytest.mark.theorem("prop-weights-unrolled")
@given(problems(), st.sampled_from(LEARNERS))
def test_weights_unroll_into_the_vote(problem, learner):
    """D_{T+1}(i) = D_1(i) exp(-y_i g_T(x_i)) / prod Z_t; with equal weights D_1 = 1/N."""
    X, y, weights = problem
    model = boosted(problem, learner)
    D_1 = weights / weights.sum()
    Z = np.cumprod(model.history_.Z)
    for t, g in enumerate(model.staged_vote(X)):
        unrolled = D_1 * np.exp(-y * g) / Z[t]
        np.testing.assert_allclose(unrolled.sum(), 1, rtol=1e-9)
        if t + 1 < len(model):
            np.testing.assert_allclose(model.history_.D[t + 1], unrolled, rtol=1e-9)


@pytest.mark.theorem("prop-alpha")
@given(st.floats(1e-6, 1 - 1e-6))
def test_alpha_minimises_z(epsilon):
    """g(a) = (1-eps) exp(-a) + eps exp(a) is least at a = alpha_t, and is 2 sqrt(eps (1-eps)) there."""

    def g(alpha):
        return (1 - epsilon) * np.exp(-alpha) + epsilon * np.exp(alpha)

    alpha = 0.5 * np.log((1 - epsilon) / epsilon)
    least = 2 * np.sqrt(epsilon * (1 - epsilon))
    np.testing.assert_allclose(g(alpha), least, rtol=1e-12)
    assert np.all(g(alpha + np.linspace(-5, 5, 1001)) >= least * (1 - 1e-12))


@pytest.mark.theorem("prop-alpha")
@given(problems(), st.sampled_from(LEARNERS))
def test_z_is_least_in_every_round(problem, learner):
    model = boosted(problem, learner)
    imperfect = model.history_.epsilon > 0
    epsilon, alpha, Z = (model.history_[name][imperfect] for name in ("epsilon", "alpha", "Z"))
    np.testing.assert_allclose(Z, 2 * np.sqrt(epsilon * (1 - epsilon)), rtol=1e-12)
    # Without an edge alpha is zero, and of a difference that small the logarithm knows no digit.
    np.testing.assert_allclose(np.exp(2 * alpha), (1 - epsilon) / epsilon, rtol=1e-12)


@pytest.mark.theorem("prop-half")
@given(problems(), st.sampled_from(LEARNERS))
def test_a_member_is_used_up(problem, learner):
    """Under D_{t+1} the member of round t errs on exactly half of the weight."""
    model = boosted(problem, learner)
    imperfect = model.history_.epsilon > 0
    np.testing.assert_allclose(model.history_.reused[imperfect], 0.5, rtol=1e-12)


@pytest.mark.theorem("thm-training-error")
@given(problems(), st.sampled_from(LEARNERS))
def test_training_error_is_bounded(problem, learner):
    """error <= prod Z_t <= exp(-2 sum gamma_t^2), after every round, ties counted as errors."""
    X, y, weights = problem
    model = boosted(problem, learner)
    D_1 = weights / weights.sum()
    error = np.array([D_1 @ (y * g <= 0) for g in model.staged_vote(X)])
    np.testing.assert_allclose(error, model.history_.train_error, atol=1e-12)
    slack = 1 + 1e-9
    assert np.all(error <= model.history_.bound * slack)
    assert np.all(model.history_.bound <= exponential_bound(model.history_.epsilon) * slack)
    imperfect = model.history_.epsilon > 0
    assert np.all((error <= product_bound(model.history_.epsilon) * slack)[imperfect])


@pytest.mark.theorem("thm-training-error")
@settings(max_examples=40)
@given(problems(max_points=12))
def test_training_error_reaches_zero_in_time(problem):
    """If every edge is at least gamma > 0, the error is zero once T > ln N / (2 gamma^2).

    The best edge under the worst weights is such a gamma: it is found by a linear program.
    """
    X, y, _ = problem
    gamma = hardest_weights(stump_matrix(X, y)).value / 2
    assume(gamma > 0.04)
    T = rounds_to_zero_error(len(X), gamma)
    assert np.log(len(X)) / (2 * gamma**2) < T <= np.log(len(X)) / (2 * gamma**2) + 1
    model = AdaBoostClassifier(n_estimators=T).fit(X, y)
    assert model.history_.edge.min() >= gamma - 1e-9
    assert model.history_.train_error[-1] == 0
    assert model.score(X, y) == 1


@pytest.mark.theorem("thm-boosting-minimax")
@settings(max_examples=60)
@given(problems(max_points=14))
def test_largest_margin_is_least_best_edge(problem):
    """Two linear programs, one value; and both optimal strategies are really worth it."""
    X, y, _ = problem
    M = stump_matrix(X, y)
    vote, rho = largest_margin(M)
    D, edge = hardest_weights(M)
    assert abs(rho - edge) <= 1e-9
    for weights in (vote, D):
        assert weights.min() >= -1e-12 and abs(weights.sum() - 1) <= 1e-9
    assert (M @ vote).min() >= rho - 1e-9  # every example has this margin under the vote
    assert (D @ M).max() <= edge + 1e-9  # no member has a better edge under D
    # The weak learner meets the bound: under D its edge is this one, under any other weights no less.
    stump = DecisionStump().fit(X, y, D.clip(min=0))
    assert abs((1 - 2 * stump.error_) - edge) <= 1e-9
    run = boosted((X, y, np.ones(len(X))), DecisionStump(), T=20)
    assert np.all(2 * run.history_.edge >= edge - 1e-9)
    # And no vote, AdaBoost's included, can have a larger margin.
    assert margins(run, X, y).min() <= rho + 1e-9
