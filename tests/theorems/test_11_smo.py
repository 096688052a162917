"""Chapter 11: pairs of variables, ascent, and where SMO stops, on problems that hypothesis invents.

Points have whole coordinates, so some of them coincide (curvature 0) and ties of pulls are common.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import minimize

from mllib import smo

WHOLE = st.integers(-3, 3)
SEEDS = st.integers(0, 2**31 - 1)
PRICES = st.sampled_from([0.25, 1.0, 8.0])


@st.composite
def problems(draw, most=9):
    """K, labels with both signs, C, and a feasible alpha, often with variables at their limits."""
    n, d = draw(st.integers(3, most)), draw(st.integers(1, 3))
    X = np.array(draw(st.lists(st.lists(WHOLE, min_size=d, max_size=d), min_size=n, max_size=n)), dtype=float)
    y = np.array(draw(st.lists(st.sampled_from([-1.0, 1.0]), min_size=n, max_size=n)))
    assume(abs(y.sum()) < n)
    C = draw(PRICES)
    return X @ X.T, y, C, feasible_point(y, C, draw(SEEDS))


def feasible_point(y, C, seed):
    """Walk from zero by random pairs, in multiples of C/8: binary fractions, so that sums are exact."""
    rng, alpha = np.random.RandomState(seed), np.zeros(len(y))
    for _ in range(rng.randint(4 * len(y))):
        i, j = rng.choice(len(y), 2, replace=False)
        move = C * rng.randint(1, 9) / 8
        a, b = alpha[i] + y[i] * move, alpha[j] - y[j] * move
        if 0 <= min(a, b) and max(a, b) <= C:
            alpha[i], alpha[j] = a, b
    assert y @ alpha == 0
    return alpha


def dual(K, y, alpha):
    return alpha.sum() - 0.5 * (y * alpha) @ K @ (y * alpha)


def pulls(K, y, alpha):
    return y - K @ (y * alpha)


def limits(y, C):
    return np.minimum(0, C * y), np.maximum(0, C * y)


def extremes(K, y, C, alpha):
    A, B = limits(y, C)
    g, beta = pulls(K, y, alpha), y * alpha
    return g[beta < B].max(), g[beta > A].min()


def best_pair(K, y, C, alpha, i, j):
    """The formulas of prop-pair, (b) to (d)."""
    g = pulls(K, y, alpha)
    if y[i] != y[j]:
        L, H = max(0.0, alpha[j] - alpha[i]), min(C, C + alpha[j] - alpha[i])
    else:
        L, H = max(0.0, alpha[i] + alpha[j] - C), min(C, alpha[i] + alpha[j])
    kappa = K[i, i] + K[j, j] - 2 * K[i, j]
    if kappa > 0:
        new = min(H, max(L, alpha[j] - y[j] * (g[i] - g[j]) / kappa))
    else:
        new = H if y[i] != y[j] else alpha[j]
    return alpha[i] + y[i] * y[j] * (alpha[j] - new), new, L, H


def solve(K, y, C, **options):
    return smo.solve(K, y, *limits(y, C), **options)


@pytest.mark.theorem("prop-coordinate-box")
@given(problems())
def test_a_box_has_no_traps(problem):
    """Round robin until no coordinate moves: the gradient then certifies a maximum over the box."""
    K, y, C, alpha = problem
    Q = np.outer(y, y) * K + np.eye(len(y)) / 4  # curved in all directions, so the end is reached
    z = alpha.copy()
    for _ in range(4000):
        before = z.copy()
        for k in range(len(z)):
            z[k] = np.clip(z[k] + (1 - Q[k] @ z) / Q[k, k], 0, C)
        if np.abs(z - before).max() < 1e-14:
            break
    slope = 1 - Q @ z
    scale = 1e-9 * (1 + C * np.abs(Q).sum())
    assert np.all((slope <= scale) | (z == C)) and np.all((slope >= -scale) | (z == 0))
    value = z.sum() - 0.5 * z @ Q @ z
    rivals = np.random.RandomState(0).uniform(0, C, (200, len(z)))
    assert np.all(rivals.sum(axis=1) - 0.5 * np.einsum("ri,ij,rj->r", rivals, Q, rivals) <= value + scale)


@pytest.mark.theorem("prop-stuck")
@given(problems(), SEEDS)
def test_two_feasible_points_never_differ_in_one_coordinate_alone(problem, seed):
    """With fractions, so that 'differ' and 'equal' mean what they say."""
    _, y, C, alpha = problem
    exact, labels = [Fraction(a) for a in alpha], [int(label) for label in y]
    for i in range(len(y)):
        for value in (Fraction(k) * Fraction(C) / 16 for k in range(17)):
            changed = [*exact[:i], value, *exact[i + 1 :]]
            still = sum(a * label for a, label in zip(changed, labels, strict=True)) == 0
            assert still == (value == exact[i])
    rng = np.random.RandomState(seed)
    i, j = rng.choice(len(y), 2, replace=False)
    change = Fraction(int(rng.randint(-8, 9)), 16)
    moved = exact.copy()
    moved[i] += change
    # the only value of the other one that keeps the equality
    rest = sum(a * label for k, (a, label) in enumerate(zip(moved, labels, strict=True)) if k != j)
    moved[j] = -rest * labels[j]
    assert labels[i] * change == -labels[j] * (moved[j] - exact[j])


@pytest.mark.theorem("prop-pair")
@given(problems(), SEEDS)
def test_the_parabola_the_limits_and_the_best_point(problem, seed):
    """(a) exactly; (b) and (c), (d) against a search along the segment that uses no L and no H."""
    K, y, C, alpha = problem
    i, j = np.random.RandomState(seed).choice(len(y), 2, replace=False)
    g, kappa = pulls(K, y, alpha), K[i, i] + K[j, j] - 2 * K[i, j]
    scale = 1 + C * np.abs(K).sum() * (1 + C)
    inside = []
    for step in C * np.arange(-64, 65) / 64:
        moved = alpha.copy()
        moved[i] += y[i] * step
        moved[j] -= y[j] * step
        change = dual(K, y, moved) - dual(K, y, alpha)
        assert change == pytest.approx(step * (g[i] - g[j]) - 0.5 * step**2 * kappa, abs=1e-12 * scale)
        if moved.min() >= 0 and moved.max() <= C:
            inside.append((moved[j], change))
    a_i, a_j, L, H = best_pair(K, y, C, alpha, i, j)
    # alpha and the steps are multiples of C/64, so the ends of the segment are among the points searched
    assert min(v for v, _ in inside) == L and max(v for v, _ in inside) == H
    assert 0 <= a_i <= C and 0 <= a_j <= C
    best = alpha.copy()
    best[i], best[j] = a_i, a_j
    assert abs(y @ best) <= 1e-12 * (1 + C)
    gain = dual(K, y, best) - dual(K, y, alpha)
    searched = max(change for _, change in inside)
    assert searched - 1e-12 * scale <= gain <= searched + 0.5 * kappa * (C / 128) ** 2 + 1e-12 * scale


@pytest.mark.theorem("prop-pair")
@given(problems(), SEEDS)
def test_curvature_zero(problem, seed):
    """Two examples at one place: equal labels never pull at each other, different ones rise to the end."""
    K, y, C, _ = problem
    i, j = np.random.RandomState(seed).choice(len(y), 2, replace=False)
    K = K.copy()
    K[j], K[:, j] = K[i].copy(), K[i].copy()
    K[j, j] = K[i, j] = K[j, i] = K[i, i]
    alpha = feasible_point(y, C, seed)
    g = pulls(K, y, alpha)
    assert g[i] - g[j] == pytest.approx(y[i] - y[j], abs=1e-12 * (1 + C * np.abs(K).sum()))
    a_i, a_j, _, _ = best_pair(K, y, C, alpha, i, j)
    if y[i] == y[j]:
        assert (a_i, a_j) == (alpha[i], alpha[j])
    else:
        assert max(a_i, a_j) == C and a_i - alpha[i] == a_j - alpha[j]
        moved = alpha.copy()
        moved[i], moved[j] = a_i, a_j
        gain = dual(K, y, moved) - dual(K, y, alpha)
        assert gain == pytest.approx(2 * (a_i - alpha[i]), abs=1e-11 * (1 + C * np.abs(K).sum() * (1 + C)))


@pytest.mark.theorem("thm-ascent")
@given(problems())
def test_every_violating_pair_gains_at_least_half_length_times_slope(problem):
    """(a), for all violating pairs of a feasible point, not only those that a rule would take."""
    K, y, C, alpha = problem
    A, B = limits(y, C)
    g, beta = pulls(K, y, alpha), y * alpha
    scale = 1 + C * np.abs(K).sum() * (1 + C)
    for i in np.flatnonzero(beta < B):
        for j in np.flatnonzero((beta > A) & (g < g[i])):
            kappa = K[i, i] + K[j, j] - 2 * K[i, j]
            top = (g[i] - g[j]) / kappa if kappa > 0 else np.inf
            length = min(top, B[i] - beta[i], beta[j] - A[j])
            assert length > 0
            a_i, a_j, _, _ = best_pair(K, y, C, alpha, i, j)
            assert y[i] * (a_i - alpha[i]) == pytest.approx(length, rel=1e-9, abs=1e-12)
            moved = alpha.copy()
            moved[i], moved[j] = a_i, a_j
            gain = dual(K, y, moved) - dual(K, y, alpha)
            assert gain >= 0.5 * length * (g[i] - g[j]) - 1e-12 * scale


@pytest.mark.theorem("thm-ascent")
@given(problems(), st.sampled_from(["first-order", "second-order"]))
def test_no_violating_pair_is_optimal_and_a_violating_pair_is_not(problem, rule):
    """(b): the end of a run against a general solver; and the start, whenever m > M."""
    K, y, C, alpha = problem
    end = solve(K, y, C, tol=1e-10, working_set=rule, every=10)
    assert end.violation <= 1e-10
    scale = 1 + C * np.abs(K).sum()
    # P at m <= b <= M certifies the optimum; the general solver must not find anything above it
    assert end.primal - end.dual <= 1e-8 * scale
    rival = minimize(
        lambda a: -dual(K, y, a),
        alpha,
        jac=lambda a: -y * pulls(K, y, a),
        bounds=[(0, C)] * len(y),
        constraints={"type": "eq", "fun": lambda a: y @ a, "jac": lambda a: y},
        options={"ftol": 1e-13, "maxiter": 300},
    )
    if abs(y @ rival.x) <= 1e-9 * (1 + C):
        assert -rival.fun <= end.dual + 1e-6 * scale
    m, M = extremes(K, y, C, alpha)
    if m - M > 1e-9 * scale:
        assert dual(K, y, alpha) < end.dual + 1e-12 * scale
    else:
        assert dual(K, y, alpha) == pytest.approx(end.dual, abs=1e-6 * scale)


@pytest.mark.theorem("thm-ascent")
@given(problems(), st.sampled_from(["first-order", "second-order", "platt"]), SEEDS)
def test_the_dual_rises_in_every_step_of_the_solver(problem, rule, seed):
    K, y, C, alpha = problem
    start = y * feasible_point(y, C, seed)
    run = solve(K, y, C, start=start, every=1, working_set=rule, warn=False, max_iter=500).history
    scale = 1 + C * np.abs(K).sum() * (1 + C)
    for before, after in zip(run.beta[:-1], run.beta[1:], strict=True):
        change = after - before
        moved = np.flatnonzero(change)
        if len(moved) == 0:
            continue
        i, j = np.argmax(change), np.argmin(change)
        assert len(moved) <= 2 and change[i] == pytest.approx(-change[j], rel=1e-6, abs=1e-12)
        g = pulls(K, y, y * before)
        gain = dual(K, y, y * after) - dual(K, y, y * before)
        assert g[i] > g[j] - 1e-9 * scale
        assert gain >= 0.5 * change[i] * (g[i] - g[j]) - 1e-12 * scale


@pytest.mark.theorem("thm-smo-stops")
@given(problems(), SEEDS, st.sampled_from([0.3, 0.01]))
def test_any_rule_that_takes_pairs_above_the_tolerance_stops(problem, seed, tolerance):
    """The pair is drawn at random among all that violate by more than the tolerance."""
    K, y, C, alpha = problem
    A, B = limits(y, C)
    rng, beta = np.random.RandomState(seed), y * alpha
    for _ in range(200_000):
        g = y - K @ beta
        risers, fallers = np.flatnonzero(beta < B), np.flatnonzero(beta > A)
        slopes = g[risers][:, None] - g[fallers]
        pairs = np.argwhere(slopes > tolerance)
        if len(pairs) == 0:
            break
        a, b = pairs[rng.randint(len(pairs))]
        i, j = risers[a], fallers[b]
        kappa = K[i, i] + K[j, j] - 2 * K[i, j]
        top = slopes[a, b] / kappa if kappa > 0 else np.inf
        length = min(top, B[i] - beta[i], beta[j] - A[j])
        beta[i] = B[i] if length == B[i] - beta[i] else beta[i] + length
        beta[j] = A[j] if length == beta[j] - A[j] else beta[j] - length
    m, M = extremes(K, y, C, y * beta)
    assert m - M <= tolerance


@pytest.mark.theorem("thm-smo-stops")
@given(
    problems(most=20),
    st.sampled_from([0.1, 0.3, 0.7]),
    st.sampled_from(["first-order", "second-order", "platt"]),
)
def test_each_rule_of_the_package_stops(problem, C, rule):
    """With prices that are no binary fractions: sums of steps end within rounding of a limit."""
    K, y, _, _ = problem
    end = solve(K, y, C, tol=1e-3, working_set=rule, every=1000, max_iter=200_000)
    m, M = extremes(K, y, C, y * end.beta)
    assert max(end.violation, m - M) <= 1e-3 + 1e-12 * (1 + C * np.abs(K).sum())
    assert abs(end.beta.sum()) <= 1e-12 * len(y) * C


@pytest.mark.theorem("prop-gap-stop")
@given(problems(), st.floats(0, 1))
def test_the_gap_is_bounded_by_the_violation(problem, share):
    """At any feasible point; with b in the middle, and with any b between M and m (or m and M)."""
    K, y, C, alpha = problem
    m, M = extremes(K, y, C, alpha)
    output = K @ (y * alpha)
    square = (y * alpha) @ output
    rounding = 1e-12 * (1 + len(y) * C * (1 + np.abs(output).max()) + square)

    def gap(b):
        hinge = np.maximum(0, 1 - y * (output + b)).sum()
        return 0.5 * square + C * hinge - (alpha.sum() - 0.5 * square)

    middle, other = gap((m + M) / 2), gap(M + share * (m - M))
    assert min(middle, other) >= -rounding
    if m <= M:
        assert max(middle, other) <= rounding
        return
    bound = 0.5 * (m - M) * np.maximum(alpha, C - alpha).sum()
    assert middle <= bound + rounding and bound <= 0.5 * len(y) * C * (m - M) + rounding
    assert other <= len(y) * C * (m - M) + rounding


@pytest.mark.theorem("prop-gap-stop")
@given(problems())
def test_the_bound_is_attained_at_zero(problem):
    K, y, C, _ = problem
    m, M = extremes(K, y, C, np.zeros(len(y)))
    assert (m, M) == (1, -1)
    assert C * np.maximum(0, 1 - 0 * y).sum() == 0.5 * (m - M) * len(y) * C


@pytest.mark.theorem("prop-gap-stop")
@given(problems())
def test_the_certificate_of_the_solver_is_this_gap(problem):
    """P, D and b of the package along a run, recomputed from beta alone."""
    K, y, C, _ = problem
    run = solve(K, y, C, every=1, working_set="first-order", max_iter=200, warn=False).history
    for beta, primal, value, violation in zip(run.beta, run.primal, run.dual, run.violation, strict=True):
        alpha = y * beta
        m, M = extremes(K, y, C, alpha)
        square, hinge = beta @ K @ beta, np.maximum(0, 1 - y * (K @ beta + (m + M) / 2)).sum()
        scale = 1e-9 * (1 + square + C * hinge)
        assert violation == pytest.approx(m - M, abs=scale)
        assert value == pytest.approx(dual(K, y, alpha), abs=scale)
        assert primal == pytest.approx(0.5 * square + C * hinge, abs=scale * len(y))
        if m > M:
            assert primal - value <= 0.5 * (m - M) * np.maximum(alpha, C - alpha).sum() + scale * len(y)
