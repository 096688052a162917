"""Dual coordinate descent against LIBLINEAR, subgradient descent against SGDClassifier."""

import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn import linear_model, svm
from sklearn.datasets import make_classification
from sklearn.exceptions import ConvergenceWarning

from mllib import LinearSVC, PegasosClassifier, SGDHingeClassifier
from tests.timing.clock import interleaved

pytestmark = pytest.mark.timing


def dense(n, d):
    rng = np.random.RandomState(0)
    X = rng.randn(n, d)
    return X, np.where(X @ rng.randn(d) + 0.5 * np.sqrt(d) * rng.randn(n) > 0, 1, -1)


def text(n, d, density):
    """Like words: many columns, few of them in a row, lengths about 1."""
    rng = np.random.RandomState(0)
    X = sparse.random(n, d, density, format="csr", random_state=0)
    X.data = rng.rand(X.nnz) / np.sqrt(density * d)
    return X, np.where(X @ rng.randn(d) + 0.2 * rng.randn(n) > 0, 1, -1)


def race(X, y, loss, C, bound, name):
    """Both must be near the certified optimum; then the sums of the best times over several random orders.

    (How many epochs a descent needs depends on its order, and the two programs draw different ones.)
    """
    mine, theirs, tol = 0.0, 0.0, 1e-3
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        for seed in range(5):
            ours = LinearSVC(loss=loss, C=C, tol=tol, max_iter=10**5, random_state=seed)
            peer = svm.LinearSVC(loss=loss, C=C, tol=tol, max_iter=10**6, dual=True, random_state=seed)
            objectives = []
            for model in (peer.fit(X, y), ours.fit(X, y)):
                hinge = np.maximum(0, 1 - y * model.decision_function(X))
                hinge = (hinge**2 if loss == "squared_hinge" else hinge).sum()
                objectives.append(0.5 * (np.sum(model.coef_**2) + model.intercept_[0] ** 2) + C * hinge)
            assert max(objectives) <= (ours.objective_ - ours.dual_gap_) * (1 + 2e-3)
            best = interleaved(7, lambda m=ours: m.fit(X, y), lambda m=peer: m.fit(X, y))
            mine, theirs = mine + best[0], theirs + best[1]
    print(f"{name} {loss} C = {C}: ratio {mine / theirs:.2f} ({1e3 * theirs / 5:.1f} ms)")
    assert mine / theirs <= bound


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize(
    ("n", "d", "C"),
    [
        (1000, 20, 0.01),
        (1000, 20, 0.1),
        (1000, 20, 1.0),
        (10_000, 20, 0.01),
        (10_000, 100, 0.01),
        (2000, 500, 0.001),
    ],
)
def test_dual_coordinate_descent_dense(n, d, C, loss):
    race(*dense(n, d), loss, C, 0.8, f"n = {n}, d = {d}")


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize(
    ("n", "d", "density", "C"),
    [
        (5000, 8000, 0.002, 0.1),
        (5000, 8000, 0.002, 1.0),
        (10_000, 20_000, 0.003, 0.1),
        (5000, 1000, 0.05, 0.1),
    ],
)
def test_dual_coordinate_descent_sparse(n, d, density, C, loss):
    race(*text(n, d, density), loss, C, 1.2, f"n = {n}, d = {d}, density {density}")


@pytest.mark.parametrize(("n", "d"), [(1000, 20), (10_000, 20), (10_000, 100), (100_000, 54)])
def test_subgradient_descent(n, d):
    X, y = dense(n, d)
    lam, epochs = 1e-4, 10
    schedule = dict(
        alpha=lam, learning_rate="invscaling", eta0=1 / lam, power_t=1.0, tol=None, max_iter=epochs
    )
    same = PegasosClassifier(
        lam, projection=False, fit_intercept=False, sampling="cyclic", tol=None, max_iter=epochs
    ).fit(X, y)
    peer = linear_model.SGDClassifier(shuffle=False, fit_intercept=False, **schedule).fit(X, y)
    np.testing.assert_allclose(same.coef_, peer.coef_, rtol=1e-6)  # the same steps give the same weights

    limits = dict(max_iter=epochs, tol=None, random_state=0)
    runs = {
        "peer": linear_model.SGDClassifier(random_state=0, **schedule),
        "peer, average": linear_model.SGDClassifier(random_state=0, average=True, **schedule),
        "pegasos": PegasosClassifier(lam, **limits),
        "pegasos, average": PegasosClassifier(lam, average=True, **limits),
        "pegasos, k = 10": PegasosClassifier(lam, batch_size=10, **limits),
        "sgd": SGDHingeClassifier(lam, **limits),
    }
    seconds = interleaved(5, *[lambda m=model: m.fit(X, y) for model in runs.values()])
    seconds = dict(zip(runs, seconds, strict=True))
    for name in ("pegasos", "pegasos, average", "pegasos, k = 10", "sgd"):
        ratio = seconds[name] / seconds["peer, average" if "average" in name else "peer"]
        print(f"n = {n}, d = {d}, {name}: ratio {ratio:.2f}")
        assert ratio <= 0.6


def test_a_million_examples():
    """One epoch of Pegasos over a million examples takes seconds, not minutes."""
    X, y = make_classification(1_000_000, 20, n_informative=10, random_state=0)
    model = PegasosClassifier(1e-4, max_iter=1, tol=None, average=True, random_state=0)
    (seconds,) = interleaved(1, lambda: model.fit(X, y))
    print(f"{seconds:.2f} s")
    assert seconds < 5
