"""Dual coordinate descent against LIBLINEAR, steps of SGD and of the perceptron against scikit-learn's.

How many epochs a descent needs depends on the order of its steps, and two programs draw different orders; so
each race over the dual runs five seeds, and both programs must come near the certified optimum each time.
Races of single steps walk the same walk first, with equal weights at its end.
"""

import warnings
from functools import partial

import numpy as np
from scipy import sparse
from sklearn import linear_model, svm
from sklearn.exceptions import ConvergenceWarning

from benchmarks.race import Race
from mllib import (
    AveragedPerceptron,
    LinearSVC,
    PegasosClassifier,
    Perceptron,
    SGDHingeClassifier,
    VotedPerceptron,
)

SEEDS = range(5)
TOL = 1e-3


def dense(n, d):
    """A noisy half space."""
    rng = np.random.RandomState(0)
    X = rng.randn(n, d)
    return X, np.where(X @ rng.randn(d) + 0.5 * np.sqrt(d) * rng.randn(n) > 0, 1, -1)


def text(n, d, density):
    """Like words: many columns, few of them in a row, lengths about 1."""
    rng = np.random.RandomState(0)
    X = sparse.random(n, d, density, format="csr", random_state=0)
    X.data = rng.rand(X.nnz) / np.sqrt(density * d)
    return X, np.where(X @ rng.randn(d) + 0.2 * rng.randn(n) > 0, 1, -1)


def near_optimum(models, X, y, loss, C):
    """The primal objectives are within .2 per cent of the bound that our duality gap certifies."""
    ours = models[0]
    for model in models:
        hinge = np.maximum(0, 1 - y * model.decision_function(X))
        hinge = (hinge**2 if loss == "squared_hinge" else hinge).sum()
        objective = 0.5 * (np.sum(model.coef_**2) + model.intercept_[0] ** 2) + C * hinge
        least = ours.objective_ - ours.dual_gap_
        assert objective <= least * (1 + 2e-3), (
            f"objective {objective:.6g}, the optimum is {least:.6g} or more"
        )


def descent(data, loss, C, n):
    """The dual of the linear machine, five orders."""
    X, y = data(n)
    pairs = []
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        for seed in SEEDS:
            ours = LinearSVC(loss=loss, C=C, tol=TOL, max_iter=10**5, random_state=seed).fit(X, y)
            peer = svm.LinearSVC(loss=loss, C=C, tol=TOL, max_iter=10**6, dual=True, random_state=seed)
            peer.fit(X, y)
            near_optimum((ours, peer), X, y, loss, C)
            pairs.append((ours, peer))
    return (
        lambda: [ours.fit(X, y) for ours, _ in pairs],
        lambda: [peer.fit(X, y) for _, peer in pairs],
    )


LAM, EPOCHS = 1e-4, 10
STEPS = dict(alpha=LAM, learning_rate="invscaling", eta0=1 / LAM, power_t=1.0, tol=None, max_iter=EPOCHS)
LIMITS = dict(max_iter=EPOCHS, tol=None, random_state=0)
SUBGRADIENT = {
    "Pegasos": PegasosClassifier(LAM, **LIMITS),
    "Pegasos, averaged": PegasosClassifier(LAM, average=True, **LIMITS),
    "Pegasos, ten a step": PegasosClassifier(LAM, batch_size=10, **LIMITS),
    "SGD, hinge": SGDHingeClassifier(LAM, **LIMITS),
}


def subgradient(name, d, n):
    """Ten epochs of scikit-learn's SGD with the steps of Pegasos."""
    X, y = dense(n, d)
    same = PegasosClassifier(
        LAM, projection=False, fit_intercept=False, sampling="cyclic", tol=None, max_iter=EPOCHS
    ).fit(X, y)
    oracle = linear_model.SGDClassifier(shuffle=False, fit_intercept=False, **STEPS).fit(X, y)
    np.testing.assert_allclose(same.coef_, oracle.coef_, rtol=1e-6)  # the same steps give the same weights
    ours = SUBGRADIENT[name]
    peer = linear_model.SGDClassifier(random_state=0, average="averaged" in name, **STEPS)
    ours.fit(X, y), peer.fit(X, y)
    return lambda: ours.fit(X, y), lambda: peer.fit(X, y)


def perceptron(name, d, epochs, n):
    """Epochs over data that no plane separates."""
    X, y = dense(n, d)
    limits = dict(max_iter=epochs, tol=None)
    ordered = Perceptron(max_iter=epochs, shuffle=False)
    oracle = linear_model.Perceptron(shuffle=False, **limits)
    average = linear_model.SGDClassifier(
        loss="perceptron", penalty=None, learning_rate="constant", eta0=1.0, average=True, **limits
    )
    ours, peer = {
        "in order": (ordered, oracle),
        "shuffled": (Perceptron(max_iter=epochs), linear_model.Perceptron(**limits)),
        "averaged": (AveragedPerceptron(max_iter=epochs), average),
    }[name]

    def quiet(model):  # the data cannot be separated, and ours says so
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            return model.fit(X, y)

    quiet(ordered)
    np.testing.assert_allclose(ordered.coef_, oracle.fit(X, y).coef_, rtol=1e-9)  # the same walk
    quiet(ours), peer.fit(X, y)
    return lambda: quiet(ours), lambda: peer.fit(X, y)


def voted(d, epochs, n):
    """Two thousand votes of all weights there ever were; and the product with all of them, stored."""
    X, y = dense(n, d)
    X = np.rint(4 * X)  # whole numbers: not even a vote on a tie may differ
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = VotedPerceptron(max_iter=epochs).fit(X, y)
    coef, intercept = model.weights()
    fresh = np.rint(4 * np.random.RandomState(1).randn(2000, d))

    def stored():
        return np.sign(fresh @ coef.T + intercept) @ model.counts_ / model.counts_.sum()

    np.testing.assert_array_equal(model.decision_function(fresh), stored())
    return lambda: model.decision_function(fresh), stored


DENSE = [
    (1000, 20, 0.01),
    (1000, 20, 0.1),
    (1000, 20, 1.0),
    (10_000, 20, 0.01),
    (10_000, 100, 0.01),
    (2000, 500, 0.001),
]
SPARSE = [
    (5000, 8000, 0.002, 0.1),
    (5000, 8000, 0.002, 1.0),
    (10_000, 20_000, 0.003, 0.1),
    (5000, 1000, 0.05, 0.1),
]
LOSSES = ("hinge", "squared_hinge")


def thin(d, n):
    """A dense problem of ``d`` columns."""
    return dense(n, d)


def words(d, density, n):
    """A sparse problem of ``d`` columns."""
    return text(n, d, density)


def on_dense(loss, n, d, C, **more):
    """A race over the dual of a dense problem."""
    start = partial(descent, partial(thin, d), loss, C)
    return Race(f"LinearSVC, {loss}, d = {d}, C = {C:g}", n, start, **more)


def on_sparse(loss, n, d, density, C, **more):
    """A race over the dual of a sparse problem."""
    start = partial(descent, partial(words, d, density), loss, C)
    return Race(f"LinearSVC, {loss}, d = {d:,}, {density:.1%} filled, C = {C:g}", n, start, **more)


RACES = [
    *(on_dense(loss, *row, promise="dual-dense", quick=True) for row in DENSE for loss in LOSSES),
    *(on_dense("hinge", n, 20, 0.01, promise="dual-dense") for n in (500, 2000, 5000, 20_000)),
    *(on_sparse(loss, *row, promise="dual-sparse", quick=True) for row in SPARSE for loss in LOSSES),
    *(
        Race(
            "LinearSVC, hinge, 2,000 points, C = .001",
            d,
            lambda d: descent(partial(thin, d), "hinge", 0.001, 2000),
            axis="d",
        )
        for d in (10, 40, 160, 640)
    ),
    *(
        Race(f"{name}, d = {d}", n, partial(subgradient, name, d), "online", quick=True)
        for n, d in ((1000, 20), (10_000, 20), (10_000, 100), (100_000, 54))
        for name in SUBGRADIENT
    ),
    *(
        Race(f"perceptron, {name}, d = {d}", n, partial(perceptron, name, d, epochs), "online", quick=True)
        for n, d, epochs in (
            (1000, 20, 20),
            (1000, 100, 20),
            (10_000, 20, 20),
            (10_000, 100, 20),
            (100_000, 54, 5),
        )
        for name in ("in order", "shuffled", "averaged")
    ),
    *(
        Race(f"voted perceptron, {epochs} epochs, d = {d}", n, partial(voted, d, epochs), "voted", quick=True)
        for n, d, epochs in ((1000, 20, 10), (5000, 50, 10), (5000, 100, 20))
    ),
]
