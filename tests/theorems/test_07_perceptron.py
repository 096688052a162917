"""Chapter 07: what the perceptron promises, checked on data that hypothesis invents.

Points and separators have small whole coordinates, so every walk is computed without rounding.
"""

import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

from mllib import BatchPerceptron, Perceptron, is_separable, mistake_bound
from mllib.hyperplane import augment

WHOLE = st.integers(-6, 6)


def quietly(fit, *data):
    """A fit that may reach its limit of epochs."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return fit(*data)


@st.composite
def point_sets(draw, max_points=12):
    """Whole-numbered points and labels -1 and +1, both present."""
    n, d = draw(st.integers(2, max_points)), draw(st.integers(1, 3))
    X = draw(st.lists(st.lists(WHOLE, min_size=d, max_size=d), min_size=n, max_size=n))
    y = draw(st.lists(st.sampled_from([-1, 1]), min_size=n, max_size=n))
    assume(len(set(y)) == 2)
    return np.array(X, dtype=float), np.array(y)


@st.composite
def separable_sets(draw):
    """The same, labelled by a whole-numbered hyperplane, which comes along as (w, b)."""
    X, _ = draw(point_sets())
    w = np.array(draw(st.lists(WHOLE, min_size=X.shape[1] + 1, max_size=X.shape[1] + 1)), dtype=float)
    scores = X @ w[:-1] + w[-1]
    y = np.sign(scores).astype(int)
    assume(np.all(y != 0) and len(set(y)) == 2)
    return X, y, w


@pytest.mark.theorem("prop-criterion")
@given(point_sets(), st.randoms(use_true_random=False))
def test_the_rule_is_a_subgradient_step_on_the_criterion(problem, random):
    """g = -y x at a mistake, else 0, supports max(0, -y w.x) from below; and w = 0 is a trivial minimum."""
    X, y = problem
    Z = y[:, None] * augment(X)

    def J(i, w):
        return max(0.0, -(Z[i] @ w))

    model = quietly(Perceptron(max_iter=3, record_updates=True).fit, X, y)
    w = np.zeros(Z.shape[1])
    for update in model.updates_:
        after, i = np.append(update.coef, update.intercept), update.example
        g = w - after  # the step with eta = 1, backwards
        np.testing.assert_array_equal(g, -Z[i])
        for _ in range(5):
            v = np.array([random.randint(-9, 9) for _ in w], dtype=float)
            assert J(i, v) >= J(i, w) + g @ (v - w)
        w = after
    assert J(0, 0 * w) == 0 and min(J(i, w) for i in range(len(X))) >= 0

    batch = BatchPerceptron(start="random", max_iter=2, tol=0.0)
    h = quietly(batch.fit, X, y).history_
    w = np.append(h.coef[0], h.intercept[0])
    slope = [
        sum(J(i, w + e) - J(i, w - e) for i in range(len(X))) / (2e-6 * len(X)) for e in 1e-6 * np.eye(len(w))
    ]
    if np.abs(Z @ w).min() > 1e-4 and len(h) > 1:  # differentiable here
        np.testing.assert_allclose(w - np.append(h.coef[1], h.intercept[1]), slope, atol=1e-6)


@pytest.mark.theorem("thm-convergence")
@given(separable_sets(), st.integers(0, 3))
def test_mistakes_stay_below_the_bound_and_both_proofs_hold_at_each_step(problem, seed):
    X, y, w_star = problem
    model = Perceptron(random_state=seed, max_iter=100_000, record_updates=True).fit(X, y)
    bound = mistake_bound(X, y, w_star[:-1], w_star[-1])
    assert model.converged_ and np.all(y * model.decision_function(X) > 0)
    assert model.n_updates_ <= bound * (1 + 1e-12)

    Z = y[:, None] * augment(X)
    u = w_star / np.linalg.norm(w_star)
    R2, gamma = (Z**2).sum(axis=1).max(), (Z @ u).min()
    w = np.column_stack([model.updates_.coef, model.updates_.intercept])
    t = np.arange(1, len(w) + 1)
    # cosine form: w.u grows at least by gamma, the square of the length at most by R^2
    assert np.all(w @ u >= t * gamma * (1 - 1e-9))
    assert np.all((w**2).sum(axis=1) <= t * R2)
    # distance form: the square of the distance from alpha u falls by at least R^2 each time
    distance2 = ((np.vstack([0 * u, w]) - R2 / gamma * u) ** 2).sum(axis=1)
    assert np.all(np.diff(distance2) <= -R2 + 1e-9 * distance2[0])
    # both give the same bound
    np.testing.assert_allclose(distance2[0] / R2, bound, rtol=1e-9)


@pytest.mark.theorem("thm-convergence")
@given(separable_sets(), st.integers(0, 3))
def test_from_a_random_start_the_bound_counts_from_there(problem, seed):
    X, y, w_star = problem
    start = np.random.RandomState(seed).randint(-20, 20, size=X.shape[1] + 1).astype(float)
    model = Perceptron(max_iter=100_000).fit(X, y, coef_init=start[None, :-1], intercept_init=start[-1:])
    bound = mistake_bound(X, y, w_star[:-1], w_star[-1], start=start)
    assert model.n_updates_ <= bound * (1 + 1e-12)


@pytest.mark.theorem("prop-perceptron-tight")
@given(st.integers(2, 40), st.randoms(use_true_random=False))
def test_orthonormal_points_cost_exactly_the_bound(n, random):
    y = np.array([1, -1] + [random.choice([-1, 1]) for _ in range(n - 2)])
    model = Perceptron(fit_intercept=False).fit(np.eye(n), y)
    assert model.n_updates_ == n
    np.testing.assert_allclose(mistake_bound(np.eye(n), y, y, fit_intercept=False), n)


@pytest.mark.theorem("prop-step-size")
@given(point_sets(), st.sampled_from([0.25, 0.5, 3.0, 1000.0]), st.integers(0, 3))
def test_from_zero_a_step_size_changes_no_mistake(problem, eta, seed):
    X, y = problem
    runs = [
        Perceptron(eta0=e, random_state=seed, give_up_after=20, record_updates=True).fit(X, y)
        for e in (1.0, eta)
    ]
    np.testing.assert_array_equal(runs[0].updates_.example, runs[1].updates_.example)
    np.testing.assert_array_equal(eta * runs[0].updates_.coef, runs[1].updates_.coef)


@pytest.mark.theorem("prop-step-size")
def test_from_elsewhere_it_does():
    """x = 1 from w = -50: 51 mistakes with step 1 (the 51st leaves 0 behind), one with step 100."""
    X, y = [[1.0], [-1.0]], [1, 0]
    counts = [
        Perceptron(eta0=eta, fit_intercept=False, shuffle=False).fit(X, y, coef_init=[[-50.0]]).n_updates_
        for eta in (1.0, 100.0)
    ]
    assert counts == [51, 1]


@pytest.mark.theorem("prop-dual-perceptron")
@given(point_sets(), st.sampled_from([1.0, 0.5, 2.0]))
def test_weights_are_sums_of_mistaken_examples_at_every_step(problem, eta):
    X, y = problem
    model = Perceptron(eta0=eta, give_up_after=10, record_updates=True).fit(X, y)
    alpha = np.zeros(len(X))
    for update in model.updates_:
        alpha[update.example] += eta
        np.testing.assert_array_equal(update.coef, (alpha * y) @ X)
        assert update.intercept == alpha @ y
    np.testing.assert_array_equal(model.dual_coef_, alpha)
    np.testing.assert_array_equal(model.coef_[0], (alpha * y) @ X)


@pytest.mark.theorem("thm-separability")
@given(point_sets())
def test_separator_or_certificate_and_never_both(problem):
    """Both checked in rational arithmetic; the certificate after rounding it to fractions."""
    X, y = problem
    Z = [[Fraction(int(v)) for v in row] for row in y[:, None] * augment(X)]
    answer = is_separable(X, y)
    assert bool(answer) == answer.separable == (answer.coef is not None) == (answer.certificate is None)
    if answer:
        w = [Fraction(float(v)) for v in [*answer.coef, answer.intercept]]
        assert all(sum(a * b for a, b in zip(w, z, strict=True)) > 0 for z in Z)
    else:
        share = [Fraction(float(v)).limit_denominator(10**6) for v in answer.certificate]
        assert min(share) >= 0 and sum(share) == 1
        assert all(sum(s * z[j] for s, z in zip(share, Z, strict=True)) == 0 for j in range(len(Z[0])))


@pytest.mark.theorem("thm-cycling")
@given(point_sets(max_points=8))
def test_in_fixed_order_whole_numbered_data_converge_or_cycle(problem):
    X, y = problem
    model = quietly(Perceptron(shuffle=False, max_iter=100_000).fit, X, y)
    assert model.converged_ == bool(is_separable(X, y))
    assert model.converged_ == (model.cycle_length_ == 0)
    # a cycle is what it says: from its weights, so many epochs lead back to them, and not fewer
    if model.cycle_length_:
        w = (model.coef_.copy(), model.intercept_.copy())
        for epochs in range(1, model.cycle_length_ + 1):
            again = quietly(Perceptron(shuffle=False, max_iter=epochs).fit, X, y, *w)
            back = np.array_equal(again.coef_, w[0]) and np.array_equal(again.intercept_, w[1])
            assert back == (epochs == model.cycle_length_)


@pytest.mark.theorem("thm-cycling")
def test_xor_cycles_at_once_and_weights_stay_bounded():
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    with pytest.warns(ConvergenceWarning, match="oscillates for ever"):
        model = Perceptron(shuffle=False).fit(X, y)
    assert model.cycle_length_ == 1
    with pytest.warns(ConvergenceWarning, match="still"):
        model = Perceptron(max_iter=2000).fit(X, y)  # a random order shows no cycle, but the bound stays
    assert model.cycle_length_ == 0 and model.history_.norm.max() <= 6
