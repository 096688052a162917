"""Chapter 10: the knob C, the path, examples left out and exchanged."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mllib import HardMarginSVC
from mllib.linear_svm import dual_coordinate_descent
from mllib.svm import svm_path

from .machines import FINES, SEEDS, dual, labelled, machine, on_path, permitted, primal, separable, size


@pytest.mark.theorem("prop-gap-distance")
@given(labelled(), FINES, SEEDS)
def test_the_gap_bounds_the_distance(problem, C, seed):
    (X, y), rng = problem, np.random.RandomState(seed)
    solution, best, bias = machine(X, y, C)
    for step in (0.0, 1e-3, 0.1, 3.0):
        w, b = best + step * rng.randn(len(best)), bias + step * rng.randn()
        for prices in (solution, permitted(y, C, rng)):  # the best ones make the bound tight
            gap = primal(X, y, w, b, C) - dual(X, y, prices)
            assert np.linalg.norm(w - best) <= np.sqrt(2 * max(gap, 0)) + 1e-5


@pytest.mark.theorem("prop-knob")
@given(labelled(balanced=True))
def test_small_fines_give_the_direction_of_the_means(problem):
    X, y = problem
    s = y @ X
    assume(np.any(s != 0))
    r = np.max((X @ s)[y > 0]) - np.min((X @ s)[y < 0])
    assert r > 0
    for share in (0.1, 0.99):
        C = share * 2 / r
        alpha, w, _ = machine(X, y, C)
        assert np.allclose(w, C * s, atol=1e-7 * C * size(X))
        assert np.linalg.norm(w) <= C * np.linalg.norm(X, axis=1).sum() * (1 + 1e-9)
    alpha, _, _ = machine(X, y, 1.05 * 2 / r)
    assert alpha.min() < 1.05 * 2 / r  # no longer all at C


@pytest.mark.theorem("prop-knob")
@given(labelled(), FINES)
def test_w_is_at_most_the_fine_times_all_lengths(problem, C):
    X, y = problem
    _, w, _ = machine(X, y, C)
    assert np.linalg.norm(w) <= C * np.linalg.norm(X, axis=1).sum() * (1 + 1e-9) + 1e-12


@pytest.mark.theorem("prop-knob")
@given(separable(), st.floats(1.0, 100.0))
def test_beyond_the_largest_price_nothing_changes(problem, factor):
    X, y = problem
    hard = HardMarginSVC(tol=1e-11).fit(X, y)
    C = factor * np.abs(hard.dual_coef_).max() * (1 + 1e-9)
    _, w, b = machine(X, y, C)
    scale = 1 + np.linalg.norm(w)
    assert np.allclose(w, hard.coef_[0], atol=1e-5 * scale)
    assert b == pytest.approx(hard.intercept_[0], abs=1e-4 * scale * (1 + np.abs(X).max()))


@pytest.mark.theorem("prop-path")
@settings(max_examples=40)
@given(labelled(max_points=15), SEEDS)
def test_the_path_is_made_of_straight_pieces_that_fit(problem, seed):
    """Against the solver at random C; continuous at breakpoints; affine between, with the equations."""
    (X, y), rng = problem, np.random.RandomState(seed)
    path = svm_path(X, y, kernel="linear", C_max=20.0)
    signed = y[:, None] * X
    Q, near = signed @ signed.T, 1e-7 * size(X)
    ends = np.r_[path.breakpoints, path.C_max]
    for k in range(len(path)):
        step = ends[k + 1] - ends[k]
        if k + 1 < len(path):
            arrived = path.beta[k] + step * path.beta_rate[k]
            assert np.allclose(arrived, path.beta[k + 1], atol=near)
        points = [path.at(ends[k] + t * step) for t in (0.25, 0.5, 0.75)]
        w = [point.alpha @ signed for point in points]
        assert np.allclose(w[1], (w[0] + w[2]) / 2, atol=near)
        C, alpha, b = points[1].C, points[1].alpha, points[1].bias
        inside, full = (alpha > 1e-9 * C) & (alpha < C * (1 - 1e-9)), alpha >= C * (1 - 1e-9)
        if inside.any():
            left = Q[np.ix_(inside, inside)] @ alpha[inside] + b * y[inside]
            assert np.allclose(left, 1 - C * Q[np.ix_(inside, full)].sum(axis=1), atol=near)
            assert points[0].bias + points[2].bias == pytest.approx(2 * b, abs=near)
        assert y[inside] @ alpha[inside] == pytest.approx(-C * y[full].sum(), abs=near)
    for C in np.exp(rng.uniform(np.log(1e-3), np.log(20), size=4)):
        _, w, _ = machine(X, y, C)
        assert np.allclose(path.at(C).alpha @ signed, w, atol=1e-6)


@pytest.mark.theorem("prop-path")
@settings(max_examples=60)
@given(labelled(max_points=8))
def test_the_ends_of_the_optimal_biases_do_not_leap(problem):
    """Before, at and after each breakpoint; intervals that open or close do so at length 0."""
    X, y = problem
    path = svm_path(X, y, kernel="linear", C_max=20.0)
    for C in path.breakpoints[1:]:
        if C * (1 + 1e-9) >= path.C_max:
            continue
        points = [path.at(C * (1 + shift)) for shift in (-1e-9, 0, 1e-9)]
        assert np.ptp([point.bias_low for point in points]) <= 1e-6 * size(X)
        assert np.ptp([point.bias_high for point in points]) <= 1e-6 * size(X)


@pytest.mark.theorem("prop-loo")
@settings(max_examples=60)
@given(labelled(max_points=10), FINES)
def test_without_price_right_when_left_out(problem, C):
    """Leave out every example with price 0: the middle bias is right, by as much as the proof says."""
    X, y = problem
    point, w = on_path(X, y, C)
    wrong = 0
    for i in range(len(y)):
        rest = np.arange(len(y)) != i
        if len(set(y[rest])) < 2:
            assert point.alpha[i] > 1e-9 * C  # the only one of its class has a price
            continue
        reduced, w_rest = on_path(X[rest], y[rest], C)
        length = reduced.bias_high - reduced.bias_low
        m = y[i] * (X[i] @ w_rest + reduced.bias)
        unique = length <= 1e-9
        wrong += m <= 0
        if point.alpha[i] < 1e-9 * C and (unique or np.linalg.norm(w_rest) > 1e-6):
            assert np.allclose(w_rest, w, atol=1e-7 * size(X))
            assert length < 2
            assert m >= 1 - length / 2 - 1e-7 * size(X)
            assert m > 0


@pytest.mark.theorem("prop-loo")
def test_at_an_end_of_the_biases_it_can_fail():
    X = np.array([[-1, -3], [2, 0], [-1, 3], [2, -2], [-3, 0], [3, -3], [-3, -3]], dtype=float)
    y = np.array([-1, 1, -1, -1, 1, -1, 1])
    rest = np.arange(7) != 5
    assert on_path(X, y, 0.02)[0].alpha[5] == 0
    reduced, w = on_path(X[rest], y[rest], 0.02)
    margins = [y[5] * (X[5] @ w + b) for b in (reduced.bias_low, reduced.bias, reduced.bias_high)]
    assert margins == pytest.approx([1.06, 0.27, -0.52], abs=1e-9)


@pytest.mark.theorem("thm-stability")
@given(labelled(max_points=15), st.sampled_from([1e-3, 0.01, 0.1, 1.0]), SEEDS)
def test_one_example_moves_w_by_at_most_its_bound(problem, lam, seed):
    (X, y), rng = problem, np.random.RandomState(seed)
    X = X / 4
    C = 1 / (lam * len(y))
    other, labels = X.copy(), y.copy()
    i = rng.randint(len(y))
    other[i], labels[i] = rng.randn(X.shape[1]), rng.choice([-1.0, 1.0])
    R = max(np.linalg.norm(X, axis=1).max(), np.linalg.norm(other, axis=1).max())
    settings = dict(squared=False, bias_input=0.0, tol=1e-10, max_iter=100_000)
    pair = [dual_coordinate_descent(*data, C, **settings) for data in ((X, y), (other, labels))]
    doubt = sum(np.sqrt(2 * max(s.primal - s.dual, 0)) for s in pair)  # distance from the exact solutions
    moved = np.linalg.norm(pair[0].w - pair[1].w)
    assert moved <= 2 * R / (lam * len(y)) + doubt + 1e-9
