"""Chapter 15: the tube, its dual, its bias, and what the solution does not see.

Targets and points have small whole coordinates, so equal points, examples on an edge and intervals of optimal
biases occur often. All machines are solved to a tolerance far below the bounds of the tests.
"""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog, minimize

from mllib import SVR, smo
from mllib.kernels import RBF, Linear, Polynomial
from mllib.losses import EpsilonInsensitive

SEEDS = st.integers(0, 2**31 - 1)
PRICES = st.sampled_from([0.01, 0.1, 0.5, 1.0, 5.0])
WIDTHS = st.sampled_from([0.0, 0.1, 0.5, 1.0, 2.5])
WIDE = st.sampled_from([0.1, 0.5, 1.0, 2.5])  # epsilon > 0
KERNELS = st.sampled_from([Linear(), RBF(0.3), Polynomial(degree=2, gamma=0.2, coef0=1.0)])


@st.composite
def tables(draw, max_points=10):
    """A Gram matrix and targets."""
    rng = np.random.RandomState(draw(SEEDS))
    n, d = draw(st.integers(1, max_points)), draw(st.integers(1, 2))
    X = rng.randint(-3, 4, size=(n, d)).astype(float)
    y = rng.randint(-4, 5, size=n) + draw(st.sampled_from([0.0, 0.3])) * rng.randn(n)
    return draw(KERNELS)(X), y


def program(y, C, epsilon):
    """The two variables of each example, as in the chapter."""
    zero, full, points = np.zeros(len(y)), np.full(len(y), C), np.arange(len(y))
    return dict(
        target=np.r_[y - epsilon, y + epsilon],
        lower=np.r_[zero, -full],
        upper=np.r_[full, zero],
        owner=np.r_[points, points],
    )


def solved(K, y, C, epsilon, **options):
    """a, a-hat and b."""
    run = smo.solve(K, **program(y, C, epsilon), tol=1e-10, **options)
    return run.beta[: len(y)], -run.beta[len(y) :], run.bias


def primal(K, y, C, epsilon, beta, b):
    return 0.5 * beta @ K @ beta + C * EpsilonInsensitive(epsilon).value(y - K @ beta - b).sum()


def dual(K, y, epsilon, a, a_hat):
    beta = a - a_hat
    return beta @ y - epsilon * (a + a_hat).sum() - 0.5 * beta @ K @ beta


def permitted(n, C, rng):
    """A random feasible point; some multipliers are 0 or C, and both of an example may be positive."""
    a = C * np.clip(rng.uniform(-0.5, 1.5, size=n), 0, 1)
    a_hat = C * np.clip(rng.uniform(-0.5, 1.5, size=n), 0, 1)
    total, total_hat = a.sum(), a_hat.sum()
    if min(total, total_hat) == 0:
        return np.zeros(n), np.zeros(n)
    return a * min(1, total_hat / total), a_hat * min(1, total / total_hat)


def ends(K, y, C, epsilon, a, a_hat):
    """m and M, from the proposition."""
    h = y - K @ (a - a_hat)
    m = np.r_[h[a < C] - epsilon, h[a_hat > 0] + epsilon].max()
    M = np.r_[h[a > 0] - epsilon, h[a_hat < C] + epsilon].min()
    return m, M


def scale(K, y, C):
    """The size of the objective, for rounding errors."""
    return 1 + C * len(y) * (np.abs(y).max() + C * len(y) * np.abs(K).max())


def plus(u):
    return np.maximum(0, u)


@pytest.mark.theorem("prop-svr-slack")
@given(st.integers(1, 6), WIDTHS, PRICES, SEEDS)
def test_the_best_slacks_cost_the_loss(n, epsilon, C, seed):
    r = np.random.RandomState(seed).randint(-4, 5, size=n) / 2
    both = np.r_[r, -r]
    slacks = linprog(np.full(2 * n, C), A_ub=-np.eye(2 * n), b_ub=epsilon - both, bounds=(0, None))
    assert slacks.fun == pytest.approx(C * EpsilonInsensitive(epsilon).value(r).sum(), abs=1e-9)
    np.testing.assert_allclose(slacks.x, plus(both - epsilon), atol=1e-9)
    assert np.all(slacks.x[:n] * slacks.x[n:] <= 1e-12)


@pytest.mark.theorem("prop-svr-one-knob")
@given(tables(), PRICES, WIDTHS, st.sampled_from([0.25, 3.0]), SEEDS)
def test_only_the_ratio_of_the_two_prices_matters(table, C, epsilon, lam, seed):
    """The machine of price C / lambda is best for C sum E + lambda/2 |w|^2, among many others."""
    K, y = table
    rng = np.random.RandomState(seed)
    a, a_hat, b = solved(K, y, C / lam, epsilon)

    def notes_goal(beta, b):
        loss = EpsilonInsensitive(epsilon).value(y - K @ beta - b).sum()
        return C * loss + lam / 2 * beta @ K @ beta

    best = notes_goal(a - a_hat, b)
    assert best == pytest.approx(lam * dual(K, y, epsilon, a, a_hat), abs=1e-8 * scale(K, y, C / lam) * lam)
    for _ in range(30):
        step = rng.choice([0.01, 1]) * rng.randn(len(y) + 1)
        assert notes_goal(a - a_hat + step[:-1], b + step[-1]) >= best - 1e-8 * scale(K, y, C / lam) * lam


@pytest.mark.theorem("lemma-svr-gap")
@given(tables(), PRICES, WIDTHS, SEEDS)
def test_the_gap_is_the_sum_of_shares_for_any_curve_and_any_multipliers(table, C, epsilon, seed):
    K, y = table
    rng = np.random.RandomState(seed)
    a, a_hat = permitted(len(y), C, rng)
    curve, b = rng.randn(len(y)), rng.randn()
    r, apart = y - K @ curve - b, curve - (a - a_hat)
    shares = (C - a) * plus(r - epsilon) + a * plus(epsilon - r)
    shares += (C - a_hat) * plus(-r - epsilon) + a_hat * plus(epsilon + r)
    gap = primal(K, y, C, epsilon, curve, b) - dual(K, y, epsilon, a, a_hat)
    assert np.all(shares >= 0)
    assert gap == pytest.approx(0.5 * apart @ K @ apart + shares.sum(), abs=1e-10 * scale(K, y, C))


@pytest.mark.theorem("prop-svr-dual")
@settings(max_examples=40)
@given(tables(max_points=7), PRICES, WIDTHS)
def test_a_general_solver_of_the_dual_finds_the_same_value_and_curve(table, C, epsilon):
    K, y = table
    n = len(y)

    def beta(z):
        return z[:n] - z[n:]

    general = minimize(
        lambda z: 0.5 * beta(z) @ K @ beta(z) - beta(z) @ y + epsilon * z.sum(),
        np.zeros(2 * n),
        jac=lambda z: np.r_[K @ beta(z) - y, y - K @ beta(z)] + epsilon,
        bounds=[(0, C)] * (2 * n),
        constraints={
            "type": "eq",
            "fun": lambda z: beta(z).sum(),
            "jac": lambda z: np.r_[np.ones(n), -np.ones(n)],
        },
        options={"ftol": 1e-15, "maxiter": 1000},
    )
    a, a_hat, b = solved(K, y, C, epsilon)
    P = primal(K, y, C, epsilon, a - a_hat, b)
    assert -general.fun == pytest.approx(P, abs=1e-6 * scale(K, y, C))
    assert dual(K, y, epsilon, a, a_hat) == pytest.approx(P, abs=1e-8 * scale(K, y, C))
    # one w: |w - w'|^2 is at most twice the gap of the general solver's point
    apart = beta(general.x) - (a - a_hat)
    assert 0.5 * apart @ K @ apart <= P + general.fun + 1e-7 * scale(K, y, C)


@pytest.mark.theorem("prop-svr-dual")
@given(tables(), PRICES, WIDTHS)
def test_who_is_zero_inside_and_at_C(table, C, epsilon):
    K, y = table
    a, a_hat, b = solved(K, y, C, epsilon)
    r, near = y - K @ (a - a_hat) - b, 1e-8 * (1 + np.abs(y).max() + C * len(y) * np.abs(K).max())
    assert np.all(r[a < C] <= epsilon + near)
    assert np.all(r[a > 0] >= epsilon - near)
    assert np.all(r[a_hat < C] >= -epsilon - near)
    assert np.all(r[a_hat > 0] <= -epsilon + near)
    assert (a - a_hat).sum() == pytest.approx(0, abs=1e-10 * C * len(y))


@pytest.mark.theorem("prop-svr-dual")
@given(tables(), PRICES, WIDTHS, SEEDS)
def test_whatever_satisfies_the_implications_is_optimal(table, C, epsilon, seed):
    """The "if": targets are built around given multipliers; no solver has chosen these."""
    K, y = table
    n, rng = len(y), np.random.RandomState(seed)
    a, a_hat = permitted(n, C, rng)
    if epsilon > 0:  # an example with both would ask for r >= epsilon and r <= -epsilon
        a, a_hat = permitted(2 * n, C, rng)
        part = rng.permutation(n) < rng.randint(n + 1)
        a, a_hat = a[:n] * part, a_hat[:n] * ~part
        total = min(a.sum(), a_hat.sum())
        a, a_hat = (v * (total / max(v.sum(), 1e-300)) for v in (a, a_hat))
    beyond = rng.exponential(size=n) * (rng.rand(n) < 0.7)
    r = epsilon * rng.choice([-1, 0, 0.5, 1], size=n)
    r[a > 0], r[a_hat > 0] = epsilon, -epsilon
    r[(a == C) & (a_hat == 0)] += beyond[(a == C) & (a_hat == 0)]
    r[(a_hat == C) & (a == 0)] -= beyond[(a_hat == C) & (a == 0)]
    b = rng.randint(-3, 4)
    y = K @ (a - a_hat) + b + r
    small = 1e-9 * scale(K, y, C)
    D = dual(K, y, epsilon, a, a_hat)
    assert primal(K, y, C, epsilon, a - a_hat, b) == pytest.approx(D, abs=small)
    ours, ours_hat, bias = solved(K, y, C, epsilon)
    assert D == pytest.approx(dual(K, y, epsilon, ours, ours_hat), abs=10 * small)
    m, M = ends(K, y, C, epsilon, a, a_hat)  # from these multipliers, with the solver's bias inside
    near = 1e-7 * (1 + np.abs(y).max() + C * n * np.abs(K).max())
    assert m - near <= b <= M + near
    assert m - near <= bias <= M + near


@pytest.mark.theorem("prop-svr-dual")
def test_without_a_fee_both_may_be_positive():
    """(c) needs epsilon > 0: for epsilon = 0 a solution with both multipliers positive exists."""
    K, y, C = np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([0.0, 2.0]), 2.0
    a, a_hat, b = solved(K, y, C, 0.0)
    assert np.all(a * a_hat == 0)
    both, both_hat = a + 0.25, a_hat + 0.25
    assert max(both.max(), both_hat.max()) < C
    P = primal(K, y, C, 0.0, a - a_hat, b)
    assert dual(K, y, 0.0, both, both_hat) == pytest.approx(P, abs=1e-9)


@pytest.mark.theorem("prop-svr-dual")
@given(tables(), PRICES, WIDE, SEEDS)
def test_never_both_and_what_the_fee_has_to_do_with_it(table, C, epsilon, seed):
    """At a solution a a-hat = 0; and anywhere, to take t from both multipliers earns 2 epsilon t."""
    K, y = table
    a, a_hat, _ = solved(K, y, C, epsilon)
    assert np.all(a * a_hat == 0)
    a, a_hat = permitted(len(y), C, np.random.RandomState(seed))
    t = np.minimum(a, a_hat)
    gained = dual(K, y, epsilon, a - t, a_hat - t) - dual(K, y, epsilon, a, a_hat)
    assert gained == pytest.approx(2 * epsilon * t.sum(), abs=1e-10 * scale(K, y, C))
    free = dual(K, y, 0.0, a - t, a_hat - t) - dual(K, y, 0.0, a, a_hat)  # no fee, no gain
    assert free == pytest.approx(0, abs=1e-10 * scale(K, y, C))


@pytest.mark.theorem("prop-svr-dual")
def test_on_an_edge_a_multiplier_may_be_zero():
    """The two points that refute the "if" of the lecture notes."""
    machine = SVR(kernel="linear", C=1, epsilon=0.5, tol=1e-12).fit([[-1.0], [1.0]], [0.0, 1.0])
    np.testing.assert_allclose(np.abs([0.0, 1.0] - machine.predict([[-1.0], [1.0]])), 0.5, atol=1e-12)
    assert len(machine.support_) == 0


@pytest.mark.theorem("prop-svr-b")
@given(tables(), PRICES, WIDTHS)
def test_the_optimal_biases_are_an_interval_with_these_ends(table, C, epsilon):
    """Within [m, M] the primal value is the dual one; outside it is greater."""
    K, y = table
    a, a_hat, b = solved(K, y, C, epsilon)
    m, M = ends(K, y, C, epsilon, a, a_hat)
    near = 1e-8 * (1 + np.abs(y).max() + C * len(y) * np.abs(K).max())
    assert m <= M + near
    best = dual(K, y, epsilon, a, a_hat)
    small = 1e-8 * scale(K, y, C)
    for inside in (m, 0.5 * (m + M), M, b):
        assert primal(K, y, C, epsilon, a - a_hat, inside) == pytest.approx(best, abs=small)
    # P is convex in b and linear between kinks, where its slopes are multiples of C
    kinks = (y - K @ (a - a_hat))[:, None] + [-epsilon, epsilon]
    for end, outwards in [(m, -1), (M, 1)]:
        ahead = outwards * (kinks - end)
        step = min(1.0, ahead[ahead > 100 * near].min(initial=np.inf)) / 2
        assert primal(K, y, C, epsilon, a - a_hat, end + outwards * step) >= best + 0.9 * C * step - small


@pytest.mark.theorem("prop-svr-b")
@given(tables(), PRICES, WIDTHS)
def test_an_example_on_either_edge_gives_the_bias(table, C, epsilon):
    K, y = table
    a, a_hat, b = solved(K, y, C, epsilon)
    h, near = y - K @ (a - a_hat), 1e-8 * (1 + np.abs(y).max() + C * len(y) * np.abs(K).max())
    np.testing.assert_allclose(h[(a > 0) & (a < C)] - epsilon, b, atol=near)
    np.testing.assert_allclose(h[(a_hat > 0) & (a_hat < C)] + epsilon, b, atol=near)


@pytest.mark.theorem("prop-svr-smo")
@given(tables(), PRICES, WIDTHS, SEEDS)
def test_two_variables_for_each_example_give_the_same_goal_and_bound_the_gap(table, C, epsilon, seed):
    K, y = table
    a, a_hat = permitted(len(y), C, np.random.RandomState(seed))
    data, beta = program(y, C, epsilon), np.r_[a, -a_hat]
    owned = K[np.ix_(data["owner"], data["owner"])]
    small = 1e-10 * scale(K, y, C)
    goal = data["target"] @ beta - 0.5 * beta @ owned @ beta
    assert goal == pytest.approx(dual(K, y, epsilon, a, a_hat), abs=small)
    m, M = ends(K, y, C, epsilon, a, a_hat)
    pull = data["target"] - owned @ beta
    assert m == pytest.approx(pull[beta < data["upper"]].max(), abs=small)
    assert M == pytest.approx(pull[beta > data["lower"]].min(), abs=small)
    P = primal(K, y, C, epsilon, a - a_hat, (m + M) / 2)
    assert P - goal <= len(y) * C * max(0, m - M) + small
    best = dual(K, y, epsilon, *solved(K, y, C, epsilon)[:2])
    if m <= M:
        assert goal == pytest.approx(best, abs=1e-8 * scale(K, y, C))
    elif m - M > 1e-6:  # the exchange of the extreme pair raises D
        up = np.argmax(np.where(beta < data["upper"], pull, -np.inf))
        down = np.argmin(np.where(beta > data["lower"], pull, np.inf))
        room = min(data["upper"][up] - beta[up], beta[down] - data["lower"][down])
        curvature = owned[up, up] + owned[down, down] - 2 * owned[up, down]
        step = min(room, (m - M) / max(curvature, 1e-12))
        assume(step > 1e-6)
        beta[up] += step
        beta[down] -= step
        assert data["target"] @ beta - 0.5 * beta @ owned @ beta > goal


@pytest.mark.theorem("prop-svr-smo")
@pytest.mark.parametrize("working_set", ["first-order", "second-order"])
@given(table=tables(), C=PRICES, epsilon=WIDE)
def test_no_step_makes_both_multipliers_positive(working_set, table, C, epsilon):
    K, y = table
    run = smo.solve(K, **program(y, C, epsilon), tol=1e-6, every=1, working_set=working_set)
    film = run.history.beta
    assert np.all(film[:, : len(y)] * film[:, len(y) :] == 0)


@pytest.mark.theorem("prop-svr-units")
@given(tables(), PRICES, WIDTHS, st.sampled_from([0.01, 0.3, 20.0]), st.sampled_from([-7.0, 0.0, 2.0]))
def test_the_curve_follows_the_unit_if_price_and_width_do(table, C, epsilon, unit, zero):
    """The multipliers of one problem, times the unit, solve the other: their gap is zero there too."""
    K, y = table
    a, a_hat, b = solved(K, y, C, epsilon)
    small = 1e-8 * unit**2 * scale(K, y, C) + 1e-10
    new_y, new_a, new_a_hat = unit * y + zero, unit * a, unit * a_hat
    new = primal(K, new_y, unit * C, unit * epsilon, new_a - new_a_hat, unit * b + zero)
    assert new == pytest.approx(unit**2 * primal(K, y, C, epsilon, a - a_hat, b), abs=small)
    other = solved(K, new_y, unit * C, unit * epsilon)
    assert new == pytest.approx(dual(K, new_y, unit * epsilon, *other[:2]), abs=10 * small)


@pytest.mark.theorem("prop-svr-influence")
@given(tables(), PRICES, WIDTHS, SEEDS)
def test_what_is_inside_may_go_and_what_is_outside_may_move_outwards(table, C, epsilon, seed):
    K, y = table
    rng = np.random.RandomState(seed)
    a, a_hat, b = solved(K, y, C, epsilon)
    beta, small = a - a_hat, 1e-8 * scale(K, y, C)
    f = K @ beta + b
    r, near = y - f, 1e-6
    moved = y.copy()
    above, below, inside = r > epsilon + near, r < -epsilon - near, np.abs(r) < epsilon - near
    moved[above] = f[above] + epsilon + rng.exponential(size=above.sum()) * rng.choice([0, 1, 100])
    moved[below] = f[below] - epsilon - rng.exponential(size=below.sum()) * rng.choice([0, 1, 100])
    moved[inside] = f[inside] + epsilon * rng.uniform(-1, 1, size=inside.sum())
    rounding = small + 1e-9 * C * np.abs(moved).sum()
    P = primal(K, moved, C, epsilon, beta, b)
    assert P == pytest.approx(dual(K, moved, epsilon, a, a_hat), abs=rounding)
    kept = (a > 0) | (a_hat > 0) | (rng.rand(len(y)) < 0.5)
    assume(kept.any())
    part = K[np.ix_(kept, kept)]
    P = primal(part, y[kept], C, epsilon, beta[kept], b)
    assert P == pytest.approx(dual(part, y[kept], epsilon, a[kept], a_hat[kept]), abs=small)


@pytest.mark.theorem("prop-svr-influence")
def test_the_estimator_does_not_see_them_either():
    rng = np.random.RandomState(3)
    X = rng.rand(60, 1) * 6
    y = np.sin(X.ravel()) + 0.3 * rng.randn(60)
    make = lambda: SVR(gamma=1.0, C=2.0, epsilon=0.2, tol=1e-10)  # noqa: E731
    machine, grid = make().fit(X, y), np.linspace(0, 6, 50)[:, None]
    f, rows = machine.predict(grid), machine.support_
    assert 0 < len(rows) < 60
    np.testing.assert_allclose(make().fit(X[rows], y[rows]).predict(grid), f, atol=1e-7)
    raised = np.where(y > machine.predict(X) + 0.2 + 1e-6, y + 50, y)
    assert np.sum(raised != y) > 3
    np.testing.assert_allclose(make().fit(X, raised).predict(grid), f, atol=1e-7)


@pytest.mark.theorem("prop-svr-balance")
@given(tables(), PRICES, WIDTHS)
def test_as_many_above_as_below_up_to_the_edges(table, C, epsilon):
    """For every optimal bias: both ends of the interval and its middle."""
    K, y = table
    a, a_hat, _ = solved(K, y, C, epsilon)
    m, M = ends(K, y, C, epsilon, a, a_hat)
    near = 1e-7 * (1 + np.abs(y).max() + C * len(y) * np.abs(K).max())
    for b in (m, 0.5 * (m + M), M):
        r = y - K @ (a - a_hat) - b
        assert np.sum(r > epsilon + near) <= np.sum(r <= -epsilon + near)
        assert np.sum(r < -epsilon - near) <= np.sum(r >= epsilon - near)


def test_a_wider_tube_may_have_more_support_vectors():
    """The counterexample of the quiz; the points are distinct, so the multipliers are unique."""
    X, y = np.arange(5.0)[:, None], np.array([3.0, 3, 2, -2, 4])
    sizes = [len(SVR(gamma=1.0, C=10, epsilon=e, tol=1e-12).fit(X, y).support_) for e in (0.5, 1.0)]
    assert sizes == [4, 5]


@given(tables(), PRICES, st.sampled_from([0.1, 0.25, 0.5, 0.9]))
def test_one_variable_with_unequal_limits_gives_a_quantile(table, C, tau):
    """The exercise on the pinball loss."""
    K, y = table
    n = len(y)
    run = smo.solve(K, y, np.full(n, -C * (1 - tau)), np.full(n, C * tau), tol=1e-10)
    r, near = y - K @ run.beta - run.bias, 1e-7 * (1 + np.abs(y).max() + C * n * np.abs(K).max())
    goal = 0.5 * run.beta @ K @ run.beta + C * (tau * plus(r) + (1 - tau) * plus(-r)).sum()
    assert goal == pytest.approx(run.dual, abs=1e-8 * scale(K, y, C))
    assert np.sum(r > near) <= (1 - tau) * n + 1e-9
    assert np.sum(r < -near) <= tau * n + 1e-9
