"""Chapter 09: distances, margins and hulls, on separable data that hypothesis invents.

Points have small whole coordinates, and a whole-numbered hyperplane labels them, so a margin is never tiny.
"""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import nnls

from mllib.svm import HardMarginSVC

WHOLE = st.integers(-6, 6)
SEEDS = st.integers(0, 2**31 - 1)
LOW = st.integers(1, 3)


@st.composite
def separable_sets(draw, dimensions=LOW):
    """Points, labels -1 and +1 with both present, and a hyperplane (w, b) that separates them."""
    d = draw(dimensions)
    n = draw(st.integers(2, 12))
    X = np.array(draw(st.lists(st.lists(WHOLE, min_size=d, max_size=d), min_size=n, max_size=n)), dtype=float)
    w = np.array(draw(st.lists(WHOLE, min_size=d, max_size=d)), dtype=float)
    b = float(draw(WHOLE))
    scores = X @ w + b
    assume(np.all(scores != 0) and scores.min() < 0 < scores.max())
    return X, np.sign(scores), w, b


def margin(X, y, w, b):
    return np.min(y * (X @ w + b)) / np.linalg.norm(w)


def widest(X, y):
    return HardMarginSVC(tol=1e-10).fit(X, y)


@pytest.mark.theorem("prop-distance")
@given(st.integers(1, 5), SEEDS)
def test_the_foot_of_the_perpendicular_is_nearest(d, seed):
    """p is on the hyperplane at the distance of the formula, and a move within the hyperplane only adds."""
    rng = np.random.RandomState(seed)
    x, w, b = rng.randn(d), rng.randn(d), rng.randn()
    assume(np.linalg.norm(w) > 1e-3)
    r = (w @ x + b) / np.linalg.norm(w)
    p = x - r * w / np.linalg.norm(w)
    scale = 1 + abs(b) + np.linalg.norm(w) * (np.linalg.norm(x) + abs(r))
    assert abs(w @ p + b) <= 1e-12 * scale
    assert np.linalg.norm(x - p) == pytest.approx(abs(r), rel=1e-10, abs=1e-12)
    others = rng.randn(50, d) * (1 + abs(r))
    others -= np.outer((others @ w + b) / (w @ w), w)  # onto the hyperplane
    distances = np.linalg.norm(others - x, axis=1)
    assert np.allclose(distances**2, r**2 + np.sum((others - p) ** 2, axis=1), rtol=1e-8)


@pytest.mark.theorem("prop-robust")
@given(separable_sets(), SEEDS)
def test_shorter_pushes_change_no_answer_and_the_margin_is_exact(problem, seed):
    X, y, w, b = problem
    rng, gamma = np.random.RandomState(seed), margin(*problem)
    push = rng.randn(*X.shape)
    push *= (1 - 1e-6) * gamma / np.linalg.norm(push, axis=1, keepdims=True)
    assert margin(X + push, y, w, b) > 0
    worst = -(1 - 1e-6) * gamma * y[:, None] * w / np.linalg.norm(w)  # all of them, in the worst direction
    assert margin(X + worst, y, w, b) > 0
    i = np.argmin(y * (X @ w + b))
    on_plane = X[i] - gamma * y[i] * w / np.linalg.norm(w)
    assert abs(w @ on_plane + b) <= 1e-10


@pytest.mark.theorem("prop-middle")
@given(st.integers(1, 3), SEEDS)
def test_the_best_shift_is_the_middle(d, seed):
    """Also when the classes overlap in this direction: the margin is then negative."""
    rng = np.random.RandomState(seed)
    X, y = rng.randn(10, d), rng.permutation([-1] * 5 + [1] * 5)
    w = rng.randn(d)
    assume(np.linalg.norm(w) > 1e-3)
    w /= np.linalg.norm(w)
    p, q = (X @ w)[y > 0].min(), (X @ w)[y < 0].max()
    best = margin(X, y, w, -(p + q) / 2)
    assert best == pytest.approx((p - q) / 2, abs=1e-12)
    for shift in rng.uniform(-3, 3, size=50):
        assert margin(X, y, w, -shift) == pytest.approx(best - abs(shift - (p + q) / 2), abs=1e-12)


@pytest.mark.theorem("thm-hard-margin")
@given(separable_sets(dimensions=st.just(2)))
def test_shortest_w_and_search_over_all_directions_agree(problem):
    """In the plane: a fine search finds nearly the same margin, none larger; w is as long as 1 / margin."""
    X, y, w, b = problem
    machine = widest(X, y)
    best, length = machine.coef_[0], np.linalg.norm(machine.coef_)
    assert np.min(y * (X @ best + machine.intercept_[0])) == pytest.approx(1, abs=1e-6)
    assert margin(X, y, best, machine.intercept_[0]) == pytest.approx(1 / length, rel=1e-6)
    assert margin(X, y, w, b) <= 1 / length * (1 + 1e-6)
    angles = np.linspace(0, 2 * np.pi, 20_001)
    heights = X @ [np.cos(angles), np.sin(angles)]
    searched = ((heights[y > 0].min(axis=0) - heights[y < 0].max(axis=0)) / 2).max()
    # between two angles of the search the margin changes by at most half the step times the diameter
    step = angles[1] * np.ptp(X, axis=0).sum()
    assert searched - 1e-6 <= 1 / length <= searched + step


@pytest.mark.theorem("thm-hard-margin")
@given(separable_sets(), SEEDS)
def test_the_solution_does_not_depend_on_the_order(problem, seed):
    """It is unique: another order of the points is another run of the solver, to the same (w, b)."""
    X, y, _, _ = problem
    order = np.random.RandomState(seed).permutation(len(y))
    one, other = widest(X, y), widest(X[order], y[order])
    scale = np.linalg.norm(one.coef_)
    assert np.allclose(one.coef_, other.coef_, atol=1e-5 * scale)
    assert np.allclose(one.intercept_, other.intercept_, atol=1e-5 * scale * (1 + np.abs(X).max()))


@pytest.mark.theorem("thm-hulls")
@settings(max_examples=40)
@given(separable_sets())
def test_the_margin_is_half_the_distance_of_the_hulls(problem):
    """A second program, in the weights of two means: least squares without negative weights, heavy sums."""
    X, y, _, _ = problem
    heavy = 1e4
    rows = np.vstack([(y[:, None] * X).T, heavy * (y > 0), heavy * (y < 0)])
    weights, _ = nnls(rows, np.r_[np.zeros(X.shape[1]), heavy, heavy])
    p = weights[y > 0] @ X[y > 0] / weights[y > 0].sum()
    q = weights[y < 0] @ X[y < 0] / weights[y < 0].sum()
    gamma = widest(X, y).margin_
    assert gamma == pytest.approx(np.linalg.norm(p - q) / 2, rel=1e-4)
    assert margin(X, y, p - q, -(p - q) @ (p + q) / 2) == pytest.approx(gamma, rel=1e-3)


@pytest.mark.theorem("prop-touching")
@given(separable_sets(), SEEDS)
def test_points_off_the_street_can_go(problem, seed):
    """Any set of them, and both classes are left."""
    X, y, _, _ = problem
    machine = widest(X, y)
    functional = y * (X @ machine.coef_[0] + machine.intercept_[0])
    off = functional > 1 + 1e-6
    gone = off & (np.random.RandomState(seed).rand(len(y)) < 0.7)
    assert len(set(y[~off])) == 2
    rest = widest(X[~gone], y[~gone])
    scale = np.linalg.norm(machine.coef_)
    assert np.allclose(rest.coef_, machine.coef_, atol=1e-5 * scale)
    assert np.allclose(rest.intercept_, machine.intercept_, atol=1e-5 * scale * (1 + np.abs(X).max()))
