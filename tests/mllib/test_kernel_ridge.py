"""Kernel ridge regression: its closed forms, scikit-learn's, weights, and matrices that are singular."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import kernel_ridge
from sklearn.datasets import load_diabetes
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV
from sklearn.preprocessing import scale

from mllib import KernelRidge
from mllib.kernels import RBF, Linear, Polynomial, Spectrum, quadratic_features

X, y = load_diabetes(return_X_y=True)
X, y = scale(X)[:150], scale(y)[:150]


@given(st.integers(1, 12), st.integers(1, 6), st.floats(1e-3, 1e3), st.integers(0, 10**6))
def test_dual_and_primal_closed_forms(n, d, alpha, seed):
    """The same function from n equations and from as many as there are features; weighted too."""
    rng = np.random.RandomState(seed)
    points, targets, weights = rng.randn(n, d), rng.randn(n), rng.randint(0, 4, size=n).astype(float)
    weights[0] = 1.0
    phi, new = quadratic_features(points, 1.0), rng.randn(5, d)
    for v in (None, weights):
        W = np.diag(np.ones(n) if v is None else v)
        primal = np.linalg.solve(phi.T @ W @ phi + alpha * np.eye(phi.shape[1]), phi.T @ W @ targets)
        machine = KernelRidge(alpha, kernel="poly", degree=2, gamma=1.0, coef0=1.0)
        machine.fit(points, targets, sample_weight=v)
        values = quadratic_features(new, 1.0) @ primal
        np.testing.assert_allclose(machine.predict(new), values, atol=1e-7 * (1 + np.abs(values).max()))
        # each coefficient is the weighted residual divided by alpha
        residual = np.diag(W) * (targets - machine.predict(points))
        np.testing.assert_allclose(alpha * machine.dual_coef_, residual, atol=1e-8 * (1 + alpha))


@pytest.mark.filterwarnings("ignore:Singular matrix in solving dual problem")  # (tanh is indefinite)
@pytest.mark.parametrize("alpha", [1e-3, 1.0, 100.0])
@pytest.mark.parametrize(
    "kernel",
    [
        dict(kernel="linear"),
        dict(kernel="rbf"),
        dict(kernel="rbf", gamma=0.3),
        dict(kernel="poly", degree=2, gamma=0.1),
        dict(kernel="sigmoid", gamma=0.01),
        dict(kernel="precomputed"),
    ],
    ids=str,
)
def test_agrees_with_scikit_learn(kernel, alpha):
    points = rbf_kernel(X, gamma=0.1) if kernel["kernel"] == "precomputed" else X
    weights = np.random.RandomState(0).uniform(0.1, 3, size=len(y))
    for v in (None, weights):
        ours = KernelRidge(alpha, **kernel).fit(points, y, sample_weight=v)
        peer = kernel_ridge.KernelRidge(alpha=alpha, **kernel).fit(points, y, sample_weight=v)
        np.testing.assert_allclose(ours.dual_coef_, peer.dual_coef_, rtol=1e-6, atol=1e-9)
        np.testing.assert_allclose(ours.predict(points), peer.predict(points), rtol=1e-6, atol=1e-9)


def test_weights_are_repetitions():
    weights = np.random.RandomState(1).randint(0, 3, size=len(y))
    one = KernelRidge(0.5, kernel=RBF(0.1)).fit(X, y, sample_weight=weights)
    two = KernelRidge(0.5, kernel=RBF(0.1)).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    np.testing.assert_allclose(one.predict(X), two.predict(X), atol=1e-9)


def test_without_a_penalty_it_interpolates_even_if_points_occur_twice():
    points, targets = np.vstack([X[:20]] * 2), np.concatenate([y[:20]] * 2)
    machine = KernelRidge(0.0, kernel=RBF(0.5)).fit(points, targets)
    np.testing.assert_allclose(machine.predict(points), targets, atol=1e-6)
    flat = KernelRidge(0.0, kernel="linear").fit(np.ones((4, 2)), [1.0, 2.0, 3.0, 4.0])
    np.testing.assert_allclose(flat.predict(np.ones((1, 2))), 2.5)


@pytest.mark.parametrize("factor", [1e-6, 1e6])
def test_units(factor):
    plain = KernelRidge(1.0, kernel=Linear()).fit(X, y).predict(X)
    scaled = KernelRidge(factor**2, kernel=Linear()).fit(factor * X, y).predict(factor * X)
    np.testing.assert_allclose(scaled, plain, atol=1e-8)


def test_one_point_words_and_a_grid_search():
    assert KernelRidge(1.0).fit([[2.0]], [5.0]).predict([[2.0]])[0] == pytest.approx(4.0)  # 4 / (4 + 1) * 5
    words, numbers = ["abab", "aabb", "cdcd", "ccdd"], [1.0, 2.0, 3.0, 4.0]
    machine = KernelRidge(1e-6, kernel=Spectrum(2)).fit(words, numbers)
    np.testing.assert_allclose(machine.predict(words), numbers, atol=1e-4)
    grid = {"kernel__left__gamma": [1e-3, 1e-2], "kernel__right__degree": [1, 2], "alpha": [1.0, 10.0]}
    search = GridSearchCV(KernelRidge(kernel=RBF() + Polynomial(gamma=0.01)), grid, cv=3).fit(X, y)
    assert set(search.best_params_) == set(grid) and search.best_score_ > 0.3


def test_one_distant_example_does_not_silence_the_others():
    rng = np.random.RandomState(0)
    points, targets = rng.randn(30, 5), rng.randn(30)
    points[0] = 1e9 * np.eye(5)[0]
    w = np.linalg.solve(points.T @ points + np.eye(5), points.T @ targets)
    np.testing.assert_allclose(
        KernelRidge().fit(points, targets).predict(points)[1:], points[1:] @ w, rtol=1e-9
    )


def test_one_heavy_example_does_not_silence_the_others():
    """So far apart that each is alone: f(x_i) = y_i v_i / (v_i + 1)."""
    points, targets, weights = 10 * np.arange(5.0)[:, None], np.arange(1.0, 6), np.array([1e16, 1, 1, 1, 1])
    machine = KernelRidge(kernel="rbf", gamma=1.0).fit(points, targets, sample_weight=weights)
    np.testing.assert_allclose(machine.predict(points), targets * weights / (weights + 1))
