"""Chapter 13: linear support vector machines at scale."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from mllib import SVC, LinearSVC, PegasosClassifier, is_separable
from mllib.linear_svm import dual_coordinate_descent
from mllib.linear_svm.pegasos import SubgradientDescent
from mllib.svm import HardMarginSVC


@st.composite
def problems(draw, max_points=30):
    """Rounded Gaussian points, noisy labels, both present."""
    rng = np.random.RandomState(draw(st.integers(0, 10**6)))
    n, d = draw(st.integers(4, max_points)), draw(st.integers(1, 4))
    X = rng.randn(n, d).round(2)
    y = np.where(X[:, 0] + draw(st.sampled_from([0.0, 0.3, 2.0])) * rng.randn(n) > 0, 1.0, -1.0)
    assume(len(set(y)) == 2)
    return X, y


def f(X, y, w, lam):
    """The objective of chapter 13 without intercept; one value for each row of w."""
    w = np.atleast_2d(w)
    return lam / 2 * (w**2).sum(axis=1) + np.maximum(0, 1 - y * (w @ X.T)).mean(axis=1)


def optimum(X, y, lam):
    """Weights, and bounds from below and above on the least value of f, by the dual."""
    C = 1 / (lam * len(y))
    s = dual_coordinate_descent(X, y, C, squared=False, bias_input=0.0, tol=1e-10, max_iter=2_000_000)
    return s.w[:-1], s.dual * lam, s.primal * lam


@pytest.mark.theorem("prop-lambda-c")
@given(problems(), st.floats(0.01, 1), st.integers(0, 99))
def test_lambda_and_C_are_one_knob(problem, lam, seed):
    """nC f = 1/2 |w|^2 + C sum of losses for every w; so the solvers of both forms find the same w."""
    X, y = problem
    n, C = len(y), 1 / (lam * len(y))
    w = np.random.RandomState(seed).randn(X.shape[1])
    P = 0.5 * w @ w + C * np.maximum(0, 1 - y * (X @ w)).sum()
    np.testing.assert_allclose(n * C * f(X, y, w, lam), P)

    svc = LinearSVC(C=C, loss="hinge", fit_intercept=False, tol=1e-10, max_iter=2_000_000, random_state=0)
    svc.fit(X, y)
    pegasos = PegasosClassifier(
        lam, batch_size=n, fit_intercept=False, tol=None, max_iter=300, epoch_length=10, average=True
    ).fit(X, y)
    gap = f(X, y, pegasos.coef_, lam)[0] - (svc.objective_ - svc.dual_gap_) * lam
    # f is lambda-strongly convex: |w - w*|^2 <= 2 gap / lambda; the other solver is (almost) at w*
    slack = np.sqrt(2 * max(svc.dual_gap_, 0))
    # (rounding: gap is a difference of numbers near 1)
    distance = np.linalg.norm(pegasos.coef_ - svc.coef_)
    assert distance <= np.sqrt(2 * (max(gap, 0) + 1e-14) / lam) + slack
    R = np.linalg.norm(X, axis=1).max()
    assert gap <= (np.sqrt(lam) + R) ** 2 * (1 + np.log(3000)) / (2 * lam * 3000)


@pytest.mark.theorem("lemma-ball")
@given(problems(), st.floats(0.001, 10))
def test_the_optimum_lies_in_the_ball(problem, lam):
    X, y = problem
    w, low, high = optimum(X, y, lam)
    R = np.linalg.norm(X, axis=1).max()
    slack = np.sqrt(2 * max(high - low, 0) / lam)  # how far w can be from the exact optimum
    assert np.linalg.norm(w) <= min(1 / np.sqrt(lam), R / lam) + slack + 1e-12
    # with a penalised intercept the same holds for (w, b) and the radius of the augmented points
    C = 1 / (lam * len(y))
    s = dual_coordinate_descent(X, y, C, squared=False, tol=1e-10, max_iter=2_000_000)
    slack = np.sqrt(2 * max(s.primal - s.dual, 0))
    assert np.linalg.norm(s.w) <= min(1 / np.sqrt(lam), np.sqrt(R**2 + 1) / lam) + slack + 1e-12


def rate(X, lam, T, projection):
    R = np.linalg.norm(X, axis=1).max()
    c = (np.sqrt(lam) + R) ** 2 if projection else 4 * R**2
    return c * (1 + np.log(T)) / (2 * lam * T)


@pytest.mark.theorem("thm-pegasos")
@settings(max_examples=30)
@given(problems(), st.floats(0.01, 1), st.booleans(), st.integers(1, 300))
def test_full_batches_keep_the_rate_surely(problem, lam, projection, T):
    X, y = problem
    model = PegasosClassifier(
        lam,
        batch_size=len(y),
        projection=projection,
        fit_intercept=False,
        tol=None,
        max_iter=T,
        epoch_length=1,
    ).fit(X, y)
    w = np.vstack([np.zeros(X.shape[1]), model.history_.coef[:-1]])  # w_1 .. w_T
    mean_of_f = f(X, y, w, lam).mean()
    _, low, _ = optimum(X, y, lam)
    assert mean_of_f - low <= rate(X, lam, T, projection) * (1 + 1e-9)
    # and so the mean of the weights, which average=True returns
    mean = PegasosClassifier(**model.get_params() | {"average": True}).fit(X, y).coef_
    np.testing.assert_allclose(mean[0], w.mean(axis=0), rtol=1e-8, atol=1e-10)
    assert f(X, y, mean, lam)[0] <= mean_of_f + 1e-12
    if projection:
        assert np.linalg.norm(w, axis=1).max() <= lam**-0.5 * (1 + 1e-12)


@pytest.mark.theorem("thm-pegasos")
@pytest.mark.parametrize("k", [1, 5])
@pytest.mark.parametrize("projection", [True, False])
def test_random_batches_keep_the_rate_on_average(k, projection):
    rng = np.random.RandomState(0)
    X = rng.randn(60, 3)
    y = np.where(X[:, 0] + 0.5 * rng.randn(60) > 0, 1.0, -1.0)
    lam, T = 0.05, 400
    _, low, _ = optimum(X, y, lam)
    excess = []
    for seed in range(30):
        model = PegasosClassifier(
            lam,
            batch_size=k,
            projection=projection,
            fit_intercept=False,
            tol=None,
            max_iter=T,
            epoch_length=1,
            random_state=seed,
        ).fit(X, y)
        w = np.vstack([np.zeros(3), model.history_.coef[:-1]])
        excess.append(f(X, y, w, lam).mean() - low)
    assert np.mean(excess) + 3 * np.std(excess) / np.sqrt(30) <= rate(X, lam, T, projection)


@pytest.mark.theorem("prop-dcd")
@given(problems(), st.floats(0.01, 10), st.booleans(), st.integers(0, 99))
def test_a_step_finds_the_best_value_of_its_coordinate(problem, C, squared, seed):
    X, y = problem
    rng = np.random.RandomState(seed)
    i, s = rng.randint(len(y)), 0.5 / C if squared else 0.0
    upper = np.inf if squared else C
    alpha = rng.uniform(0, C, size=len(y))

    def D(value):
        a = alpha.copy()
        a[i] = value
        w = (a * y) @ X
        return a.sum() - 0.5 * w @ w - 0.5 * s * a @ a

    w, q = (alpha * y) @ X, X[i] @ X[i] + s
    assume(q > 1e-3)
    step = np.clip(alpha[i] - (y[i] * (w @ X[i]) - 1 + s * alpha[i]) / q, 0, upper)
    top = max(2 * step, C) + 1
    numeric = minimize_scalar(
        lambda v: -D(v), bounds=(0, min(upper, top)), method="bounded", options={"xatol": 1e-10}
    ).x
    np.testing.assert_allclose(step, numeric, atol=1e-6 * (1 + step))
    assert D(step) >= D(numeric) - 1e-12 * abs(D(step))


@pytest.mark.theorem("prop-dcd")
@given(problems(), st.floats(0.01, 10), st.integers(0, 99))
def test_a_step_raises_the_dual_and_the_gap_is_a_sum_over_examples(problem, C, seed):
    """Also for coordinates at the ends of the box, and for an example at the origin."""
    X, y = problem
    X[1] = 0.0
    rng = np.random.RandomState(seed)
    alpha = np.where(rng.rand(len(y)) < 0.5, rng.uniform(0, C, len(y)), rng.choice([0.0, C], len(y)))
    w, square = (alpha * y) @ X, (X**2).sum(axis=1)
    dual = alpha.sum() - 0.5 * w @ w

    v = w + rng.randn(len(w)) * rng.choice([0.0, 1.0])
    mu = y * (X @ v)
    primal = 0.5 * v @ v + C * np.maximum(0, 1 - mu).sum()
    parts = (C - alpha) * np.maximum(0, 1 - mu) + alpha * np.maximum(0, mu - 1)
    scale = 1 + abs(primal) + abs(dual)
    np.testing.assert_allclose(primal - dual, 0.5 * (v - w) @ (v - w) + parts.sum(), atol=1e-10 * scale)

    m, moves = y * (X @ w), np.empty(len(y))
    for i in range(len(y)):
        z = alpha[i] - (m[i] - 1) / square[i] if square[i] else np.inf
        moves[i] = np.clip(z, 0, C) - alpha[i]
        after = alpha.copy()
        after[i] += moves[i]
        u = (after * y) @ X
        rise = after.sum() - 0.5 * u @ u - dual
        assert rise >= 0.5 * square[i] * moves[i] ** 2 - 1e-10 * scale
    assert moves[1] == C - alpha[1]
    # (b): a coordinate that stays adds nothing to the gap of its own w
    own = (C - alpha) * np.maximum(0, 1 - m) + alpha * np.maximum(0, m - 1)
    assert np.all(own[moves == 0] <= 1e-10 * scale)


@pytest.mark.theorem("prop-dcd")
@given(problems(), st.floats(0.01, 10))
def test_a_point_at_the_origin_costs_C_whatever_the_weights(problem, C):
    X, y = problem
    X[0] = 0.0
    s = dual_coordinate_descent(X, y, C, squared=False, bias_input=0.0, tol=1e-8, max_iter=2_000_000)
    assert s.alpha[0] == C and s.primal - s.dual <= 1e-5 * s.primal


@pytest.mark.theorem("prop-dcd")
@given(problems(), st.floats(0.01, 10), st.booleans())
def test_an_appended_bias_is_penalised(problem, C, squared):
    """The objective holds b^2 / 2, and the solution is that of augmented points without intercept."""
    X, y = problem
    loss = "squared_hinge" if squared else "hinge"
    ours = LinearSVC(C=C, loss=loss, tol=1e-9, max_iter=2_000_000, random_state=0).fit(X, y)
    w, b = ours.coef_[0], ours.intercept_[0]
    hinge = np.maximum(0, 1 - y * (X @ w + b))
    np.testing.assert_allclose(
        ours.objective_, 0.5 * (w @ w + b * b) + C * (hinge**2 if squared else hinge).sum()
    )
    plain = LinearSVC(C=C, loss=loss, fit_intercept=False, tol=1e-9, max_iter=2_000_000, random_state=0).fit(
        np.column_stack([X, np.ones(len(X))]), y
    )
    slack = np.sqrt(2 * max(ours.dual_gap_, 0)) + np.sqrt(2 * max(plain.dual_gap_, 0))
    assert np.linalg.norm(np.append(w, b) - plain.coef_[0]) <= slack + 1e-9


@pytest.mark.theorem("prop-hinge-alone")
@given(problems(), st.floats(0.1, 3))
def test_the_hinge_of_a_separator_vanishes_from_a_length_on(problem, gap):
    X, y = problem
    X = X + np.outer(y * (gap + 3), np.eye(X.shape[1])[0]) * (np.abs(X[:, 0]).max() + 1)  # pulled apart
    assume(bool(is_separable(X, y)))
    widest = HardMarginSVC(tol=1e-8).fit(X, y)
    w, b = widest.coef_[0], widest.intercept_[0]
    rng = np.random.RandomState(len(y))
    for _ in range(10):  # other separators near the widest one
        v = w + 0.3 * np.linalg.norm(w) * rng.randn(len(w)) / np.sqrt(len(w))
        m = y * (X @ v + b)
        if m.min() <= 1e-6:
            continue
        for factor, zero in [(0.999, False), (1.001, True), (1000.0, True)]:
            c = factor / m.min()
            assert (np.maximum(0, 1 - c * m).mean() == 0) == zero
        assert np.linalg.norm(v) / m.min() >= (1 - 1e-6) / widest.margin_


@pytest.mark.theorem("prop-lambda-monotone")
@given(problems(), st.floats(0.001, 1), st.floats(1.1, 30))
def test_a_larger_penalty_buys_length_for_hinge(problem, lam, factor):
    X, y = problem
    found = []
    for penalty in (lam, lam * factor):
        w, low, high = optimum(X, y, penalty)
        slack = np.sqrt(2 * max(high - low, 0) / penalty)  # distance to the exact weights
        found.append((np.linalg.norm(w), np.maximum(0, 1 - y * (X @ w)).mean(), slack))
    (length, hinge, slack), (other_length, other_hinge, other_slack) = found
    R = np.linalg.norm(X, axis=1).max()
    assert other_length <= length + slack + other_slack + 1e-12
    assert other_hinge >= hinge - R * (slack + other_slack) - 1e-12


@pytest.mark.theorem("prop-lambda-monotone")
@given(problems(), st.floats(0.01, 1), st.floats(1.1, 30))
def test_the_same_with_a_free_intercept(problem, lam, factor):
    X, y = problem
    lengths, hinges = [], []
    for penalty in (lam, lam * factor):
        model = SVC(kernel="linear", C=1 / (penalty * len(y)), tol=1e-9).fit(X, y)
        lengths.append(np.linalg.norm(model.coef_))
        hinges.append(np.maximum(0, 1 - y * model.decision_function(X)).mean())
    assert lengths[1] <= lengths[0] * (1 + 1e-5) + 1e-9
    assert hinges[1] >= hinges[0] - 1e-5 * (1 + hinges[0])


@pytest.mark.theorem("lemma-subgradient")
@given(problems(), st.floats(0.001, 10), st.integers(0, 10**6), st.floats(-3, 1))
def test_the_cost_lies_above_a_parabola(problem, lam, seed, size):
    """With some examples exactly at the corner, and any theta there."""
    X, y = problem
    rng = np.random.RandomState(seed)
    w, r = rng.randn(X.shape[1]), 10**size * rng.randn(X.shape[1])
    X[:3] += np.outer(y[:3] - X[:3] @ w, w) / (w @ w)
    m = y * (X @ w)
    corner = np.abs(m - 1) < 1e-9
    assert corner[:3].all()
    theta = np.where(corner, rng.rand(len(y)), m < 1)
    g = lam * w - (theta * y) @ X / len(y)
    before, after = f(X, y, w, lam)[0], f(X, y, w + r, lam)[0]
    scale = 1 + abs(before) + abs(after) + np.linalg.norm(g) * np.linalg.norm(r)
    assert after >= before + g @ r + lam / 2 * r @ r - 1e-8 * scale


@pytest.mark.theorem("lemma-ball")
@given(problems(), st.floats(0.01, 10))
def test_with_a_free_intercept_the_weights_are_as_short(problem, lam):
    X, y = problem
    w = SVC(kernel="linear", C=1 / (lam * len(y)), tol=1e-9).fit(X, y).coef_[0]
    R = np.linalg.norm(X, axis=1).max()
    assert np.linalg.norm(w) <= min(1 / np.sqrt(lam), R / lam) * (1 + 1e-5)


@pytest.mark.theorem("cor-pegasos-last")
@settings(max_examples=30)
@given(problems(), st.floats(0.01, 1), st.booleans(), st.integers(1, 300))
def test_the_last_weights_come_near(problem, lam, projection, T):
    X, y = problem
    last = PegasosClassifier(
        lam,
        batch_size=len(y),
        projection=projection,
        fit_intercept=False,
        tol=None,
        max_iter=1,
        epoch_length=T,
    ).fit(X, y)
    w, low, high = optimum(X, y, lam)
    slack = np.sqrt(2 * max(high - low, 0) / lam)
    distance = np.linalg.norm(last.coef_[0] - w)
    assert distance <= np.sqrt(2 / lam * rate(X, lam, T, projection)) * (1 + 1e-9) + slack


@pytest.mark.theorem("cor-pegasos-last")
@pytest.mark.parametrize("k", [1, 5])
def test_the_last_weights_come_near_on_average(k):
    rng = np.random.RandomState(1)
    X = rng.randn(60, 3)
    y = np.where(X[:, 0] + 0.5 * rng.randn(60) > 0, 1.0, -1.0)
    lam, T = 0.05, 400
    w, _, _ = optimum(X, y, lam)
    squares = []
    for seed in range(30):
        model = PegasosClassifier(
            lam, batch_size=k, fit_intercept=False, tol=None, max_iter=1, epoch_length=T, random_state=seed
        ).fit(X, y)
        squares.append(np.sum((model.coef_[0] - w) ** 2))
    assert np.mean(squares) + 3 * np.std(squares) / np.sqrt(30) <= 2 / lam * rate(X, lam, T, True)


@pytest.mark.theorem("thm-pegasos")
def test_batches_without_replacement_keep_the_rate_on_average():
    rng = np.random.RandomState(2)
    X = rng.randn(40, 3)
    y = np.where(X[:, 0] + 0.5 * rng.randn(40) > 0, 1.0, -1.0)
    lam, T, k = 0.05, 200, 7
    _, low, _ = optimum(X, y, lam)
    excess = []
    for _ in range(30):
        descent = SubgradientDescent(
            X, y, np.ones(40), lam=lam, bias_input=0.0, radius=lam**-0.5, average=True
        )
        costs = []
        for t in range(1, T + 1):
            costs.append(f(X, y, descent.w[:-1], lam)[0])
            descent.steps(rng.permutation(40)[None, :k], np.array([1 / (lam * t)]))
        excess.append(np.mean(costs) - low)
        assert f(X, y, descent.mean[:-1], lam)[0] <= np.mean(costs) + 1e-12
    assert np.mean(excess) + 3 * np.std(excess) / np.sqrt(30) <= rate(X, lam, T, True)


@pytest.mark.theorem("prop-pegasos-unrolled")
@given(problems(), st.floats(0.01, 10), st.integers(1, 4), st.integers(1, 200), st.integers(0, 99))
def test_pegasos_without_projection_counts(problem, lam, k, T, seed):
    """The weights, and the kernel form, which knows only the counts; the two never share a weight vector."""
    X, y = problem
    draws = np.random.RandomState(seed).randint(len(y), size=(T, k))
    K, counts, nearest = X @ X.T, np.zeros(len(y)), np.inf
    for t, batch in enumerate(draws, start=1):
        scores = (counts * y) @ K[:, batch] / (lam * k * max(1, t - 1))
        nearest = min(nearest, np.abs(y[batch] * scores - 1).min())
        np.add.at(counts, batch, y[batch] * scores <= 1)
    assume(nearest > 1e-9)  # rounding must not decide who is too close
    descent = SubgradientDescent(X, y, np.ones(len(y)), lam=lam, bias_input=0.0, penalise_bias=True)
    descent.steps(draws, 1 / (lam * np.arange(1, T + 1)))
    w = (counts * y) @ X / (lam * k * T)
    np.testing.assert_allclose(descent.w[:-1], w, rtol=1e-8, atol=1e-10 / lam)
