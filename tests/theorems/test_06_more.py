"""Chapter 06: what the chapter proves beyond the steps themselves."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import brentq, minimize

from mllib import FloatBoostClassifier
from mllib.losses import Exponential, Hinge, Logistic, Squared

margins = st.lists(st.floats(-4, 4), min_size=2, max_size=30).map(np.array)


@pytest.mark.theorem("prop-weights-are-slopes")
@given(
    margins, st.integers(0, 10**6), st.sampled_from([Exponential(), Logistic(), Logistic(slope=2, base=2)])
)
def test_the_loss_falls_fastest_along_the_rule_of_least_weighted_error(m, seed, loss):
    right = np.random.RandomState(seed).choice([-1.0, 1.0], (len(m), 8))  # y_i h_j(x_i) of eight rules
    w = -loss.derivative(m)
    errors = w @ (right < 0) / w.sum()
    h = 1e-5
    slopes = (loss(m[:, None] + h * right).sum(axis=0) - loss(m[:, None] - h * right).sum(axis=0)) / (2 * h)
    np.testing.assert_allclose(slopes, -(1 - 2 * errors) * w.sum(), rtol=1e-5, atol=1e-6 * w.sum())
    np.testing.assert_allclose(
        ((1 - 2 * errors) * w.sum()).max(), (1 - 2 * errors[np.argmin(errors)]) * w.sum(), rtol=1e-12
    )


@pytest.mark.theorem("prop-three-steps")
@given(st.floats(1e-3, 10), st.floats(1e-3, 10))
def test_after_the_real_step_both_classes_weigh_the_same(plus, minus):
    f = 0.5 * np.log(plus / minus)
    np.testing.assert_allclose([plus * np.exp(-f), minus * np.exp(f)], np.sqrt(plus * minus), rtol=1e-12)


@pytest.mark.theorem("prop-three-steps")
@given(st.just(0.0) | st.floats(1e-3, 10), st.floats(1e-3, 10))
def test_gentle_is_the_tanh_of_real_and_never_raises_the_loss(plus, minus):
    gentle = (plus - minus) / (plus + minus)
    if plus > 0:
        real = 0.5 * np.log(plus / minus)
        np.testing.assert_allclose(gentle, np.tanh(real), rtol=1e-9, atol=1e-12)
        assert abs(gentle) <= abs(real) + 1e-12
    assert plus * np.exp(-gentle) + minus * np.exp(gentle) <= (plus + minus) * (1 + 1e-12)


@pytest.mark.theorem("prop-three-steps")
@given(margins, st.integers(0, 10**6))
def test_the_second_order_expansion_is_a_least_squares_problem(m, seed):
    """For any f, not only for constants: 1 - yf + f^2/2 = ((y - f)^2 + 1) / 2."""
    rng = np.random.RandomState(seed)
    y, f, w = rng.choice([-1.0, 1.0], len(m)), rng.randn(len(m)), np.exp(-m)
    np.testing.assert_allclose(
        w @ (1 - y * f + f**2 / 2), w @ ((y - f) ** 2) / 2 + w.sum() / 2, rtol=1e-10, atol=1e-10
    )


@pytest.mark.theorem("prop-float-monotone")
@given(st.integers(0, 10**6))
def test_floatboost_has_at_most_as_many_rounds_as_promised(seed):
    rng = np.random.RandomState(seed)
    N, most = 12, 5
    X, y = rng.randint(0, 6, (N, 2)), np.r_[-1, 1, rng.choice([-1, 1], N - 2)]
    try:
        model = FloatBoostClassifier(n_estimators=most).fit(X, y)
    except ValueError as error:
        assert "no better than guessing" in str(error)
        assume(False)
    removals = model.history_.n_dropped.sum()
    assert removals <= N * (most - 1) and len(model.history_) <= most + removals


@pytest.mark.theorem("prop-float-monotone")
def test_a_tie_missed_by_rounding_is_no_reason_to_remove():
    """Here margin - term is 1e-17 where the sum of the others is 0: a tie, which is an error."""
    X = np.array([[0, 0], [0, 0], [0, 0], [0, 0], [0, 1], [1, 0], [1, 1], [1, 1], [0, 0]])
    y, w = np.array([-1, 1, -1, 1, -1, -1, -1, -1, 1]), np.array([1, 1, 1, 2, 1, 1, 1, 3, 1])
    history = FloatBoostClassifier(n_estimators=6).fit(X, y, w).history_
    records = {}
    for now in history:
        grown, left = now.n_members + now.n_dropped, now.n_members
        records[grown] = min(records.get(grown, np.inf), now.forward_error)
        if now.n_dropped:
            assert now.train_error <= records[left] - 1 / w.sum() + 1e-12
            records[left] = now.train_error


def expected_loss(loss, eta, gamma):
    """R(w) and its gradient on Long and Servedio's points, each label flipped with probability eta."""
    points = np.array([(1, 0), (gamma, -gamma), (gamma, -gamma), (gamma, 5 * gamma)])

    def R(w):
        m = points @ w
        return ((1 - eta) * loss(m) + eta * loss(-m)).sum()

    def gradient(w):
        m = points @ w
        return ((1 - eta) * loss.derivative(m) - eta * loss.derivative(-m)) @ points

    return points, R, gradient


@pytest.mark.theorem("thm-convex-noise")
@pytest.mark.parametrize("eta", [0.02, 0.1, 0.3, 0.45])
@pytest.mark.parametrize("loss", [Exponential(), Logistic(), Logistic(slope=2)], ids=repr)
def test_for_every_noise_rate_there_is_a_gamma(loss, eta):
    """Part (a), built as in the proof: s with a rising psi, then gamma small enough."""

    def slope(m):
        return (1 - eta) * loss.derivative(m) - eta * loss.derivative(-m)

    s = brentq(slope, 0, 60) + 0.5
    gamma = 0.16
    while not (6 * gamma * abs(slope(0.0)) <= slope(s) and slope(6 * gamma * s) < 0.4 * slope(0.0)):
        gamma /= 2
    points, R, gradient = expected_loss(loss, eta, gamma)
    border = brentq(lambda a: gradient(np.array([a, a])).sum(), 0, s)
    w0 = np.array([border, border])
    kappa = gradient(w0)
    assert kappa[0] > 0
    np.testing.assert_allclose(kappa[0], -kappa[1], rtol=1e-6)
    best = minimize(R, w0, jac=gradient, method="BFGS", options={"gtol": 1e-10})
    assert best.fun < R(w0) and np.mean(points @ best.x <= 0) == 0.5 and np.all(points @ [1.0, 0.0] > 0)
    rng = np.random.RandomState(0)
    for w in rng.normal(scale=3 * border, size=(200, 2)):
        w = np.sort(w)[::-1]  # w_1 >= w_2: right or tied on b
        assert R(w) >= R(w0) * (1 - 1e-12)


@pytest.mark.theorem("thm-convex-noise")
def test_the_hinge_loss_by_the_subgradient_of_the_proof():
    eta, gamma = 0.1, 0.05
    points, R, _ = expected_loss(Hinge(), eta, gamma)
    w0 = np.array([10 / 3, 10 / 3])
    beta = np.array([0.1, -0.8, -0.8, -1 / 3])  # slopes of psi at the four margins, the last one at its kink
    np.testing.assert_allclose(points @ w0, [10 / 3, 0, 0, 1], atol=1e-12)
    np.testing.assert_allclose(beta @ points, [1 / 300, -1 / 300], atol=1e-12)
    for w in np.random.RandomState(1).normal(scale=5, size=(500, 2)):
        assert R(w) >= R(w0) + beta @ points @ (w - w0) - 1e-9
    assert R(np.array([1.0, 3.8])) < R(w0)  # the minimiser of the chapter, wrong on b


def test_squared_loss_pulls_back_what_is_too_right():
    np.testing.assert_allclose(-Squared().derivative(np.array([3.0, -1.0])), [-4, 4])
    for loss in (Exponential(), Logistic(), Hinge()):
        assert np.all(loss.derivative(np.linspace(-5, 5, 101)) <= 0)
