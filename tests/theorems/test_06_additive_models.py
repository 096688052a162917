"""Chapter 06: each variant of boosting is a step downhill on its loss."""

import warnings

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.optimize import minimize, minimize_scalar
from scipy.special import erf, erfcinv, expit
from sklearn.exceptions import ConvergenceWarning

from mllib import (
    AdaBoostClassifier,
    BrownBoostClassifier,
    DecisionStump,
    DecisionTreeRegressor,
    FloatBoostClassifier,
    GentleAdaBoostClassifier,
    LogitBoostClassifier,
    RealAdaBoostClassifier,
)
from mllib.boosting import brown_potential, brown_step, brown_weights
from mllib.losses import Exponential, Logistic, Squared


@st.composite
def problems(draw, max_points=20):
    """Points of a small grid with both labels, and integer weights."""
    n = draw(st.integers(4, max_points))
    X = np.array(draw(st.lists(st.tuples(*[st.integers(0, 8)] * 2), min_size=n, max_size=n)), dtype=float)
    y = np.array(draw(st.lists(st.sampled_from([-1.0, 1.0]), min_size=n, max_size=n)))
    y[:2] = -1, 1
    w = np.array(draw(st.lists(st.integers(1, 3), min_size=n, max_size=n)), dtype=float)
    return X, y, w


def fitted(model, problem):
    """The model, or nothing if no member has an edge."""
    try:
        return model.fit(*problem)
    except ValueError as error:
        assert "no better than guessing" in str(error)
        assume(False)


@pytest.mark.theorem("prop-exponential-minimiser")
@given(st.floats(0.001, 0.999))
def test_minimisers_are_log_odds(p):
    half = 0.5 * np.log(p / (1 - p))
    for loss, expected in ((Exponential(), half), (Logistic(slope=2), half), (Logistic(), 2 * half)):
        found = minimize_scalar(
            lambda F, loss=loss: p * loss(F) + (1 - p) * loss(-F), bracket=(expected - 1, expected + 1.5)
        )
        np.testing.assert_allclose(found.x, expected, atol=1e-5)
        np.testing.assert_allclose(loss.minimiser(p), expected, atol=1e-12)


@pytest.mark.theorem("thm-adaboost-stagewise")
@given(problems())
def test_adaboost_minimises_exponential_loss_stage_by_stage(problem):
    """h_t minimises the weighted error and alpha_t the loss along h_t; together: the best stump and step."""
    X, y, w = problem
    model = fitted(AdaBoostClassifier(n_estimators=6), problem)
    D = w / w.sum()
    before = np.zeros(len(y))
    for t, g in enumerate(model.staged_vote(X)):
        if model.history_.epsilon[t] == 0:
            break  # the best step is infinite

        def loss_after(alpha, h, before=before):
            return D @ Exponential()(y * (before + alpha * h))

        h = 2.0 * (model[t].predict(X) > 0) - 1
        best = minimize_scalar(lambda a, h=h, f=loss_after: f(a, h), bracket=(0, 1))
        np.testing.assert_allclose(model.history_.alpha[t], best.x, atol=1e-4)
        np.testing.assert_allclose(loss_after(model.history_.alpha[t], h), best.fun, rtol=1e-9)
        for column in X.T:  # no other stump with its own best step does better
            for cut in np.unique(column)[:-1]:
                other = np.where(column > cut, 1.0, -1.0)
                reach = minimize_scalar(lambda a, h=other, f=loss_after: f(a, h), bracket=(-1, 1)).fun
                assert reach >= best.fun - 1e-9
        before = g


def slope_and_bend(loss, y, F, w):
    """Derivatives of sum w loss(y (F + f)) in a constant f at 0, by differences."""
    h = 1e-4

    def total(f):
        return w @ loss(y * (F + f))

    return (total(h) - total(-h)) / (2 * h), (total(h) - 2 * total(0) + total(-h)) / h**2


def parts(member, X):
    """The groups of examples to which a tree or stump gives the same answer."""
    answer = member.predict(X)
    return [answer == value for value in np.unique(answer)]


@pytest.mark.theorem("prop-three-steps")
@given(problems(), st.sampled_from([None, DecisionTreeRegressor(max_depth=2)]))
def test_gentle_steps_are_newton_steps_on_the_exponential_loss(problem, learner):
    X, y, w = problem
    model = GentleAdaBoostClassifier(learner, n_estimators=4).fit(X, y, w)
    D, F = w / w.sum(), np.zeros(len(y))
    for t in range(len(model)):
        f = model[t].predict(X)
        for part in parts(model[t], X):
            slope, bend = slope_and_bend(Exponential(), y[part], F[part], D[part])
            np.testing.assert_allclose(f[part], -slope / bend, rtol=1e-5, atol=1e-6)
        assert np.all(np.abs(f) <= 1 + 1e-12)
        F += f
        np.testing.assert_allclose(model.history_.loss[t], D @ Exponential()(y * F), rtol=1e-9)
    np.testing.assert_allclose(model.decision_function(X), F, atol=1e-12)


@pytest.mark.theorem("prop-three-steps")
@given(problems(), st.sampled_from([None, DecisionTreeRegressor(max_depth=2)]))
def test_logit_steps_are_newton_steps_on_the_logistic_loss(problem, learner):
    X, y, w = problem
    model = LogitBoostClassifier(learner, n_estimators=3, z_max=1e9).fit(X, y, w)
    D, F, loss = w / w.sum(), np.zeros(len(y)), Logistic(slope=2.0)
    for t in range(len(model)):
        step = 0.5 * model[t].predict(X)
        p = expit(2 * F)
        if np.min(p * (1 - p)) < 1e-3:
            break  # differences of a loss that is almost flat say nothing
        for part in parts(model[t], X):
            slope, bend = slope_and_bend(loss, y[part], F[part], D[part])
            np.testing.assert_allclose(step[part], -slope / bend, rtol=1e-4, atol=1e-5)
        F += step
        np.testing.assert_allclose(model.history_.loss[t], D @ loss(y * F), rtol=1e-9, atol=1e-12)


@pytest.mark.theorem("prop-three-steps")
@given(problems())
def test_real_steps_minimise_the_exponential_loss_on_each_part(problem):
    """Half the log-odds is best among all functions that are constant on the stump's two sides."""
    X, y, w = problem
    model = RealAdaBoostClassifier(n_estimators=4).fit(X, y, w)
    D, F = w / w.sum(), np.zeros(len(y))
    for t in range(len(model)):
        f = model._answer(model[t], X)
        for part in (model[t]._sides(X) == 0, model[t]._sides(X) == 1):
            v = D[part] * np.exp(-y[part] * F[part])
            plus, minus = v[y[part] > 0].sum(), v[y[part] < 0].sum()
            share = plus / (plus + minus) if part.any() else 0.5
            if part.any() and model.smoothing < share < 1 - model.smoothing:
                np.testing.assert_allclose(f[part], 0.5 * np.log(plus / minus), rtol=1e-9, atol=1e-12)
                np.testing.assert_allclose(
                    v @ np.exp(-y[part] * f[part]), 2 * np.sqrt(plus * minus), rtol=1e-9
                )
        F += f
        np.testing.assert_allclose(model.history_.loss[t], D @ Exponential()(y * F), rtol=1e-9)
    assert np.all(np.diff(model.history_.loss, prepend=1.0) <= 1e-12)  # the loss never rises


@pytest.mark.theorem("prop-brown-potential")
@settings(max_examples=40)
@given(problems(), st.sampled_from([0.02, 0.1, 0.3]))
def test_brownboost_keeps_its_potential_and_its_promise(problem, noise):
    X, y, w = problem
    D = w / w.sum()
    with warnings.catch_warnings():  # there may be time left after the last round: then less is promised
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = fitted(BrownBoostClassifier(noise=noise, n_estimators=60, min_edge=0.02), problem)
    c, history = model.total_time_, model.history_
    assert abs(c - erfcinv(noise) ** 2) < 1e-12
    np.testing.assert_allclose(history.potential, noise, rtol=1e-9)
    assert np.all(history.alpha > 0) and np.all(history.t > 0) and np.all(np.diff(history.s, prepend=c) < 0)
    np.testing.assert_allclose(c - np.cumsum(history.t), history.s, atol=1e-9)
    r = y * model.decision_function(X)
    assert D @ (r <= -model.time_left_) <= noise + 1e-9  # holds however early we stop
    if model.time_left_ == 0:
        np.testing.assert_allclose(D @ np.abs(y - erf(y * r / np.sqrt(c))), noise, rtol=1e-9)
        assert D @ (r <= 0) <= noise + 1e-9 and abs(history.train_error[-1] - D @ (r <= 0)) < 1e-12


@pytest.mark.theorem("prop-brown-potential")
@settings(max_examples=25)
@given(st.integers(0, 10**6), st.sampled_from([0.05, 0.2]))
def test_root_finding_solves_the_differential_equation(seed, noise):
    """The slow way: integrate dt/dalpha numerically until the edge is used up or the time is over."""
    rng = np.random.RandomState(seed)
    n, nu = 12, 0.02
    c = erfcinv(noise) ** 2
    r, s = 0.5 * rng.randn(n), c * rng.uniform(0.3, 1)
    u = np.where(rng.rand(n) < 0.75, 1.0, -1.0)
    assume(brown_weights(r, s, c) @ u > nu + 0.02)

    def edge(alpha, t):
        return brown_weights(r + alpha * u, s - t[0], c) @ u

    def used_up(alpha, t):
        return edge(alpha, t) - nu

    def time_over(alpha, t):
        return s - t[0]

    used_up.terminal = time_over.terminal = True
    slow = solve_ivp(
        lambda a, t: [edge(a, t)], (0, 50), [0.0], events=(used_up, time_over), rtol=1e-11, atol=1e-13
    )
    alpha, t = brown_step(u, r, s, c, nu)
    np.testing.assert_allclose([alpha, t], [slow.t[-1], slow.y[0, -1]], rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(brown_potential(r + alpha * u, s - t, c), brown_potential(r, s, c), rtol=1e-10)


@pytest.mark.theorem("prop-float-monotone")
@settings(max_examples=40)
@given(problems())
def test_floatboost_ends_and_every_removal_pays(problem):
    X, y, w = problem
    D = w / w.sum()
    T = 6
    model = fitted(FloatBoostClassifier(n_estimators=T), problem)
    history, J = model.history_, model.least_errors_
    # The errors that were recorded were really seen, and each size's least error is one of them.
    seen = np.concatenate(([1.0], history.forward_error, history.train_error))
    assert all(np.abs(seen - j).min() < 1e-9 for j in (history.forward_error.min(), J[-1]))
    # Each removal lowers some J_min by at least one unit of weight (1/N if all weigh the same): there are
    # few.
    assert history.n_dropped.sum() <= w.sum() * T
    assert history.n_members[-1] == len(model) <= T
    assert np.all(np.diff(history.n_members, prepend=0) == 1 - history.n_dropped)
    np.testing.assert_allclose(D @ (y * model.decision_function(X) <= 0), history.train_error[-1], atol=1e-12)
    # Forward: J_min(M) = min(J_min(M), J(H_M)); looking back only ever lowers the error of that size.
    least = {0: 1.0}
    for M, forward, after, dropped in zip(
        history.n_members, history.forward_error, history.train_error, history.n_dropped, strict=True
    ):
        grown = M + dropped
        least[grown] = min(least.get(grown, np.inf), forward)
        if dropped:
            assert after < least.get(M, np.inf) - 0.5 / w.sum()
            least[M] = after
    for M, error in least.items():
        assert J[M] <= error + 1e-12


def long_servedio():
    """Ten copies of the four points, of which one in ten has its label turned (all clean labels are +)."""
    g = 0.05
    X = np.array([(1, 0), (g, -g), (g, -g), (g, 5 * g)])
    return np.tile(X, (10, 1)), np.repeat([1.0] * 9 + [-1.0], 4)


@pytest.mark.theorem("thm-convex-noise")
@pytest.mark.parametrize("name", ["exponential", "logistic", "hinge"])
def test_minimisers_of_convex_losses_fail_under_label_noise(name):
    """Without noise some weights are right on every point; with 10 % noise the best ones err on half."""
    X, y = long_servedio()
    clean = X[:4]
    assert np.all(clean @ [1.0, 0.5] > 0)  # separable with a margin
    if name == "hinge":
        # min sum max(0, 1 - y w.x): a linear program in (w, slack)
        from scipy.optimize import linprog

        n = len(y)
        answer = linprog(
            np.concatenate((np.zeros(2), np.ones(n))),
            A_ub=np.column_stack((-y[:, None] * X, -np.eye(n))),
            b_ub=-np.ones(n),
            bounds=[(None, None)] * 2 + [(0, None)] * n,
        )
        w = answer.x[:2]
    else:
        loss = {"exponential": Exponential(), "logistic": Logistic()}[name]
        answer = minimize(
            lambda w: loss(y * (X @ w)).sum(),
            np.zeros(2),
            jac=lambda w: (loss.derivative(y * (X @ w)) * y) @ X,
            method="BFGS",
            options={"gtol": 1e-10},
        )
        w = answer.x
    assert np.mean(clean @ w <= 0) == 0.5


@pytest.mark.theorem("thm-convex-noise")
@pytest.mark.parametrize(
    ("noise", "time_runs_out", "right"), [(0.12, False, 0.5), (0.15, False, 0.5), (0.3, True, 1.0)]
)
def test_what_brownboost_does_there(noise, time_runs_out, right):
    """Steps along the two coordinates, as for the convex losses.

    With a target close to the noise both edges vanish while time is left: it stalls, promises little, and
    errs on half of the clean points as well. With a generous target the time runs out and all clean points
    are right.
    """
    X, y = long_servedio()
    c, nu = erfcinv(noise) ** 2, 1e-3
    r, s, w = np.zeros(len(y)), c, np.zeros(2)
    while s > 0:
        edges = (brown_weights(r, s, c) * y) @ X
        j = int(np.argmax(np.abs(edges)))
        if abs(edges[j]) <= nu + 1e-9:
            break
        sign = np.sign(edges[j])
        alpha, t = brown_step(sign * y * X[:, j], r, s, c, nu)
        w[j] += sign * alpha
        r, s = y * (X @ w), s - t
    np.testing.assert_allclose(brown_potential(r, s, c), noise, rtol=1e-9)
    assert np.mean(r <= -s) <= noise
    assert (s == 0) == time_runs_out
    assert np.mean(X[:4] @ w > 0) == right


def test_squared_loss_of_labels_is_least_squares():
    """Gentle AdaBoost's members minimise the squared loss of the margin under the weights."""
    rng = np.random.RandomState(0)
    y, F = rng.choice([-1.0, 1.0], 50), rng.randn(50)
    np.testing.assert_allclose(Squared()(y * F), (y - F) ** 2)
    stump = DecisionStump()
    assert stump.get_params() == {"criterion": "error"}
