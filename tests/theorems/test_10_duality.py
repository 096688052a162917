"""Chapter 10: duality and soft margin, for arbitrary functions and machines that hypothesis invents."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from mllib import HardMarginSVC

from .machines import FINES, SEEDS, dual, labelled, machine, on_path, permitted, primal, separable, size


@pytest.mark.theorem("prop-primal-function")
@given(st.integers(1, 5), SEEDS)
def test_the_adversary_gets_f_or_without_end(k, seed):
    """With prices up to a limit, by a linear program: f if feasible, else as much as the limit allows."""
    rng = np.random.RandomState(seed)
    f, g = rng.randn(), rng.randint(-3, 3, size=k).astype(float)
    for limit in (10.0, 1e3, 1e5):
        adversary = f - linprog(-g, bounds=(0, limit)).fun
        if np.all(g <= 0):
            assert adversary == pytest.approx(f, abs=1e-9)
        else:
            assert adversary >= f + limit * (1 - 1e-9)  # a violation is at least 1 here


@pytest.mark.theorem("thm-weak-duality")
@given(st.integers(1, 4), st.integers(1, 40), SEEDS)
def test_no_price_is_above_a_feasible_value_whatever_the_functions(k, n, seed):
    """W is a finite set, f and g are arbitrary numbers: nothing is convex, and D can be computed exactly."""
    rng = np.random.RandomState(seed)
    f, g = rng.standard_cauchy(n), rng.randint(-3, 3, size=(n, k)).astype(float)
    prices = rng.exponential(size=(200, k)) * rng.choice([0, 1, 10], size=(200, k))
    D = np.min(f + prices @ g.T, axis=1)
    feasible = np.all(g <= 0, axis=1)
    best = f[feasible].min(initial=np.inf)
    assert np.all(D <= best + 1e-9 * np.abs(f).max())


@pytest.mark.theorem("thm-kkt")
@given(st.integers(1, 5), st.integers(1, 6), SEEDS)
def test_kkt_points_are_optimal_and_others_have_a_gap(d, k, seed):
    """Minimise 1/2 |w - c|^2 such that G w <= h, where c and h are made so that (w, alpha) satisfies KKT."""
    rng = np.random.RandomState(seed)
    G, w = rng.randn(k, d), rng.randn(d)
    alpha = np.maximum(0, rng.randn(k))
    room = np.where(alpha > 0, 0.0, rng.exponential(size=k))
    c, h = w + alpha @ G, G @ w + room

    def f(v):
        return 0.5 * np.sum((v - c) ** 2, axis=-1)

    def D(prices):
        return (prices * (G @ c - h)).sum(axis=-1) - 0.5 * np.sum((prices @ G) ** 2, axis=-1)

    scale = 1 + f(w) + np.abs(alpha @ G).max() ** 2
    assert D(alpha) == pytest.approx(f(w), abs=1e-10 * scale)
    others = w + rng.randn(500, d) * rng.choice([0.01, 1], size=(500, 1))
    others = others[np.all(others @ G.T <= h, axis=1)]
    prices = np.maximum(0, alpha + rng.randn(500, k))
    assert np.all(f(others) >= f(w) - 1e-10 * scale)
    assert np.all(D(prices) <= D(alpha) + 1e-10 * scale * (1 + prices.sum(axis=1)) ** 2)
    # any feasible pair: its gap is made of what (3) and (4) miss, so both zero or neither
    for v, a in zip(others, prices, strict=False):
        missed = 0.5 * np.sum((v - c + a @ G) ** 2) + a @ (h - G @ v)
        assert f(v) - D(a) == pytest.approx(missed, abs=1e-9 * scale * (1 + a.sum()) ** 2)


@pytest.mark.theorem("prop-svm-dual")
@given(labelled(), SEEDS)
def test_the_lagrangian_is_lowest_at_the_sum_and_unbounded_without_balance(problem, seed):
    (X, y), rng = problem, np.random.RandomState(seed)

    def L(w, b, alpha):
        return 0.5 * w @ w + alpha @ (1 - y * (X @ w + b))

    alpha = permitted(y, 3.0, rng)
    s, tolerance = (alpha * y) @ X, 1e-10 * size(X) ** 2
    for _ in range(20):
        w, b = rng.randn(X.shape[1]) * 10, rng.randn() * 10
        assert L(s, b, alpha) == pytest.approx(dual(X, y, alpha), abs=tolerance)
        excess = L(w, b, alpha) - dual(X, y, alpha)
        assert excess == pytest.approx(0.5 * np.sum((w - s) ** 2), abs=tolerance)
    alpha[0] += 1  # no balance
    steep = np.sign(alpha @ y)
    assert L(s, steep * 1e9, alpha) < -1e8


@pytest.mark.theorem("prop-soft-dual")
@given(labelled(), FINES, SEEDS)
def test_slack_puts_a_limit_on_the_prices(problem, C, seed):
    """With mu = C - alpha the slacks have no influence; any other mu makes the Lagrangian unbounded."""
    (X, y), rng = problem, np.random.RandomState(seed)

    def L(w, b, xi, alpha, mu):
        return 0.5 * w @ w + C * xi.sum() + alpha @ (1 - xi - y * (X @ w + b)) - mu @ xi

    alpha = permitted(y, C, rng)
    s, xi = (alpha * y) @ X, rng.randn(len(y)) * 10
    tolerance = 1e-10 * size(X) ** 2
    assert L(s, rng.randn(), xi, alpha, C - alpha) == pytest.approx(dual(X, y, alpha), abs=tolerance)
    mu = C - alpha
    mu[0] += 0.5
    assert L(s, 0.0, np.eye(len(y))[0] * 1e9, alpha, mu) < -1e8
    found, _, _ = machine(X, y, C)
    assert dual(X, y, found) >= dual(X, y, alpha) - 1e-7 * (1 + C * len(y))


@pytest.mark.theorem("prop-hull-dual")
@given(separable(), SEEDS)
def test_the_dual_is_the_distance_between_the_hulls(problem, seed):
    (X, y), rng = problem, np.random.RandomState(seed)

    def parts(alpha):
        sigma = alpha[y > 0].sum()
        p, q = (alpha * (y > 0)) @ X / sigma, (alpha * (y < 0)) @ X / sigma
        return sigma, np.linalg.norm(p - q)

    fitted = HardMarginSVC(tol=1e-10).fit(X, y)
    delta = 2 * fitted.margin_
    alpha = np.zeros(len(y))
    alpha[fitted.support_] = np.abs(fitted.dual_coef_[0])
    sigma, distance = parts(alpha)
    assert sigma == pytest.approx(2 / delta**2, rel=1e-5)
    assert distance == pytest.approx(delta, rel=1e-5)
    assert dual(X, y, alpha) == pytest.approx(2 / delta**2, rel=1e-6)
    for _ in range(20):
        other = permitted(y, rng.exponential() * 4 / delta**2, rng)
        if other.any():
            sigma, distance = parts(other)
            assert dual(X, y, other) == pytest.approx(2 * sigma - 0.5 * (sigma * distance) ** 2, rel=1e-8)
        assert dual(X, y, other) <= 2 / delta**2 * (1 + 1e-6)


@pytest.mark.theorem("prop-hinge")
@given(labelled(), FINES, SEEDS)
def test_the_best_slack_is_the_hinge(problem, C, seed):
    """Against a linear program in the slacks, for any (w, b)."""
    (X, y), rng = problem, np.random.RandomState(seed)
    w, b = rng.randn(X.shape[1]), rng.randn()
    m = y * (X @ w + b)
    best = linprog(np.full(len(y), C), A_ub=-np.eye(len(y)), b_ub=m - 1, bounds=(0, None))
    assert 0.5 * w @ w + best.fun == pytest.approx(primal(X, y, w, b, C), rel=1e-9)
    assert np.allclose(best.x, np.maximum(0, 1 - m), atol=1e-7)


@pytest.mark.theorem("lemma-gap")
@given(labelled(), FINES, SEEDS)
def test_the_gap_is_a_sum_of_shares(problem, C, seed):
    (X, y), rng = problem, np.random.RandomState(seed)
    for _ in range(10):
        alpha, w, b = permitted(y, C, rng), rng.randn(X.shape[1]), rng.randn() * 3
        m, s = y * (X @ w + b), (alpha * y) @ X
        shares = (C - alpha) * np.maximum(0, 1 - m) + alpha * np.maximum(0, m - 1)
        assert shares.min() >= -1e-12
        gap = primal(X, y, w, b, C) - dual(X, y, alpha)
        scale = 1 + C**2 * size(X) ** 2
        assert gap == pytest.approx(0.5 * np.sum((w - s) ** 2) + shares.sum(), abs=1e-10 * scale)


@pytest.mark.theorem("prop-box")
@given(labelled(max_points=20), FINES)
def test_every_solution_sorts_its_examples(problem, C):
    """Behind the edge, on it, or short of it; and both readings of the list, from alpha and from y f(x)."""
    X, y = problem
    alpha, w, b = machine(X, y, C)
    m, near = y * (X @ w + b), 1e-6
    assert np.all(m[alpha < C * (1 - 1e-9)] >= 1 - near)
    assert np.all(m[alpha > C * 1e-9] <= 1 + near)
    assert np.all(alpha[m > 1 + near] <= C * 1e-9)
    assert np.all(alpha[m < 1 - near] >= C * (1 - 1e-9))


@pytest.mark.theorem("prop-box")
@given(labelled(), FINES, SEEDS)
def test_who_breaks_the_list_is_not_optimal(problem, C, seed):
    """Random prices and biases: the gap is zero exactly if all three lines of the list hold."""
    (X, y), rng = problem, np.random.RandomState(seed)
    alpha = permitted(y, C, rng)
    w, b = (alpha * y) @ X, rng.choice([-1.0, 0.0, 1.0])
    m = y * (X @ w + b)
    short, beyond = np.maximum(0, 1 - m), np.maximum(0, m - 1)
    breaks = max(np.minimum(C - alpha, short).max(), np.minimum(alpha, beyond).max())
    gap = primal(X, y, w, b, C) - dual(X, y, alpha)
    if breaks > 1e-6:
        assert gap > 1e-13
    else:
        assert gap <= 1e-5 * (C + 1) * len(y) * size(X)


@pytest.mark.theorem("prop-bias")
@settings(max_examples=60)
@given(labelled(), FINES)
def test_the_optimal_biases_and_the_mean_of_the_notes(problem, C):
    X, y = problem
    point, w = on_path(X, y, C)
    alpha, g, near = point.alpha, y - X @ w, 1e-7 * size(X)
    full, zero = alpha > C * (1 - 1e-9), alpha < C * 1e-9
    low = g[np.where(y > 0, ~full, ~zero)].max()
    high = g[np.where(y > 0, ~zero, ~full)].min()
    assert point.bias_low == pytest.approx(low, abs=near)
    assert point.bias_high == pytest.approx(high, abs=near)
    inside = ~full & ~zero
    if inside.any():
        assert np.allclose(g[inside], point.bias, atol=near)
    best = primal(X, y, w, point.bias, C)
    for b in (point.bias_low, point.bias_high):
        assert primal(X, y, w, b, C) == pytest.approx(best, abs=C * len(y) * near)
    for b in (point.bias_low - 0.1, point.bias_high + 0.1):
        assert primal(X, y, w, b, C) > best + 1e-9 * C
    if not zero.all():
        slack = np.maximum(0, 1 - y * (X @ w + point.bias))
        assert g[~zero].mean() == pytest.approx(point.bias + np.sum(y * slack) / np.sum(~zero), abs=near)


@pytest.mark.theorem("thm-soft-strong-duality")
@given(labelled(max_points=20), FINES)
def test_soft_margin_has_no_gap(problem, C):
    X, y = problem
    alpha, w, b = machine(X, y, C)
    assert alpha.min() >= 0 and alpha.max() <= C
    assert abs(alpha @ y) <= 1e-9 * C * len(y)
    P, D = primal(X, y, w, b, C), dual(X, y, alpha)
    assert abs(P - D) <= 1e-8 * (1 + C * len(y))


@pytest.mark.theorem("thm-soft-strong-duality")
@given(labelled(max_points=20), FINES)
def test_the_demands_on_the_bias_can_be_met(problem, C):
    """No example demands more than another one allows, and whatever lies between closes the gap."""
    X, y = problem
    point, w = on_path(X, y, C)
    alpha, wanted, near = point.alpha, y - X @ w, 1e-7 * size(X)
    full, zero = alpha > C * (1 - 1e-9), alpha < C * 1e-9
    low = wanted[np.where(y > 0, ~full, ~zero)].max()
    high = wanted[np.where(y > 0, ~zero, ~full)].min()
    assert low <= high + near
    for b in (low, (low + high) / 2, high):
        assert primal(X, y, w, b, C) == pytest.approx(dual(X, y, alpha), abs=(1 + C * len(y)) * near)


@pytest.mark.theorem("thm-strong-duality")
@given(separable())
def test_hard_margin_has_no_gap(problem):
    X, y = problem
    fitted = HardMarginSVC(tol=1e-11).fit(X, y)
    w, b = fitted.coef_[0], fitted.intercept_[0]
    alpha = np.zeros(len(y))
    alpha[fitted.support_] = np.abs(fitted.dual_coef_[0])
    scale = np.min(y * (X @ w + b))
    assert scale == pytest.approx(1, abs=1e-6)
    assert 0.5 * w @ w / scale**2 == pytest.approx(dual(X, y, alpha), rel=1e-6)
    assert alpha.sum() == pytest.approx(w @ w, rel=1e-6)
    # the proof: a street across the shortest segment between the hulls
    sigma = alpha.sum() / 2
    p, q = (alpha * (y > 0)) @ X / sigma, (alpha * (y < 0)) @ X / sigma
    across = 2 * (p - q) / np.sum((p - q) ** 2)
    assert np.min(y * ((X - (p + q) / 2) @ across)) >= 1 - 1e-5
