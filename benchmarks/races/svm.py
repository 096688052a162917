"""Support vector machines against LIBSVM, inside scikit-learn and as its authors publish it.

Both must have found the same optimum: no pair of variables of ours violates by more than tol in float64, and
the dual objectives agree. (LIBSVM keeps kernel values in float32, so its own violation may be a little
larger; ours may not.)
"""

from functools import partial

import numpy as np
from sklearn import datasets, svm
from sklearn.preprocessing import scale

from benchmarks.race import Race
from mllib import SVC, SVR, svm_path
from mllib.datasets import load_letters

PAIRS = {"SVC": (SVC, svm.SVC), "SVR": (SVR, svm.SVR)}
KERNELS = [("rbf", 1.0), ("rbf", 10.0), ("poly", 1.0), ("linear", 1.0)]
GROUND = [("rbf", 1.0), ("rbf", 3.0), ("poly", 1.0), ("linear", 1.0)]


def classes(n, d=20):
    """Two classes, scaled."""
    X, y = datasets.make_classification(
        n, d, n_informative=min(8, d), flip_y=0.05, n_redundant=0 if d < 10 else 2, random_state=0
    )
    return scale(X), y


def numbers(n, d=20):
    """The same points with a smooth function of two coordinates, and noise."""
    X, _ = classes(n, d)
    return X, X[:, 0] + np.sin(2 * X[:, 1]) + 0.1 * np.random.RandomState(0).randn(n)


def certify(ours, peer, X, y):
    """Our solution violates no condition by more than tol, and LIBSVM's objective is the same."""
    number = not isinstance(y[0], np.integer)
    target, price = (y, 0.1) if number else (2.0 * y - 1, 0.0)
    duals = []
    for model in (peer, ours):
        beta = np.zeros(len(y))
        beta[model.support_] = model.dual_coef_[0]
        output = (model.predict(X) if number else model.decision_function(X)) - model.intercept_[0]
        duals.append(target @ beta - price * np.abs(beta).sum() - 0.5 * beta @ output)
    pull = target - output
    if number:
        m = max(pull[(beta >= 0) & (beta < ours.C)].max() - price, pull[beta < 0].max() + price)
        M = min(pull[(beta <= 0) & (beta > -ours.C)].min() + price, pull[beta > 0].min() - price)
    else:
        m = pull[beta < np.maximum(0, ours.C * target)].max()
        M = pull[beta > np.minimum(0, ours.C * target)].min()
    assert m - M <= ours.tol * (1 + 1e-6), f"a pair violates by {m - M:.2e}, tol is {ours.tol:.0e}"
    np.testing.assert_allclose(duals[1], duals[0], rtol=1e-4, err_msg="the dual objectives differ")


def machine(name, kernel, C, n, d=20):
    """One machine each on the same points."""
    X, y = classes(n, d) if name == "SVC" else numbers(n, d)
    ours, peer = (make(kernel=kernel, C=C).fit(X, y) for make in PAIRS[name])
    certify(ours, peer, X, y)
    return lambda: ours.fit(X, y), lambda: peer.fit(X, y)


def official(n):
    """LIBSVM as its authors publish it; its own form of the data is made before the clock starts."""
    from benchmarks.peers import Libsvm

    X, y = classes(n)
    ours, peer = SVC().fit(X, y), Libsvm(X, y).fit()
    certify(ours, peer, X, y)
    return lambda: ours.fit(X, y), peer.fit


def many_classes(name, n):
    """One machine for each pair of classes: 45 for digits, 325 for letters."""
    X, y = datasets.load_digits(return_X_y=True) if name == "digits" else load_letters(return_X_y=True)
    X, y = scale(X[:n]), y[:n]
    ours, peer = (make(decision_function_shape="ovo").fit(X, y) for make in (SVC, svm.SVC))
    np.testing.assert_allclose(ours.decision_function(X), peer.decision_function(X), atol=5e-3)
    return lambda: ours.fit(X, y), lambda: peer.fit(X, y)


def predicting(n):
    """The same machine in both: the support vectors, coefficients and bias of LIBSVM."""
    X, y = classes(2 * n)
    peer, close = (svm.SVC(tol=tol).fit(X[:n], y[:n]) for tol in (1e-3, 1e-6))
    ours = SVC(tol=1e-6).fit(X[:n], y[:n])
    np.testing.assert_allclose(ours.decision_function(X), close.decision_function(X), atol=1e-4)
    np.testing.assert_allclose(len(ours.support_), len(peer.support_), rtol=0.01)
    return lambda: ours.predict(X[n:]), lambda: peer.predict(X[n:])


def predicting_classes(n):
    """Ten classes."""
    X, y = (part[:n] for part in datasets.load_digits(return_X_y=True))
    X = scale(X)
    ours, peer = SVC().fit(X, y), svm.SVC().fit(X, y)
    same = (ours.predict(X) == peer.predict(X)).mean()
    assert same > 0.999, f"only {same:.2%} of the answers agree"
    return lambda: ours.predict(X), lambda: peer.predict(X)


def whole_path(n):
    """Every C at once, and one LIBSVM for each piece of the path."""
    X, y = datasets.make_moons(n, noise=0.3, random_state=0)
    path = svm_path(X, y, gamma=1.0, C_max=100.0)
    for C in (0.01, 0.1, 1.0, 10.0, 99.0):
        peer = svm.SVC(gamma=1.0, C=C, tol=1e-6).fit(X, y)
        np.testing.assert_allclose(path.decision_function(X, C), peer.decision_function(X), atol=1e-4)
    return (
        lambda: svm_path(X, y, gamma=1.0, C_max=100.0),
        lambda: [svm.SVC(gamma=1.0, C=C).fit(X, y) for C in path.breakpoints[1:]],
    )


def series(name, kernel, C):
    """What a line of a plot is called."""
    return f"{name}, {kernel}, C = {C:g}"


RACES = [
    *(
        Race(series(name, kernel, C), n, partial(machine, name, kernel, C), "svm-small", quick=True)
        for name in PAIRS
        for kernel, C in KERNELS
        for n in (300, 1000)
    ),
    *(Race(series(name, "rbf", 1), 500, partial(machine, name, "rbf", 1.0), "svm-small") for name in PAIRS),
    *(
        Race(
            series(name, kernel, C),
            n,
            partial(machine, name, kernel, C),
            "svm-large",
            together=f"{name}, n = {n:,}",
            must=0.5 if (name, kernel, C) == ("SVC", "rbf", 1) else np.inf,
            quick=True,
        )
        for name in PAIRS
        for n in (2000, 5000)
        for kernel, C in GROUND
    ),
    *(
        Race(series("SVC", "rbf", 1), n, partial(machine, "SVC", "rbf", 1.0), "svm-large", quick=True)
        for n in (10_000, 20_000)
    ),
    *(
        Race(series("SVR", "rbf", 1), n, partial(machine, "SVR", "rbf", 1.0), "svm-large")
        for n in (10_000, 20_000)
    ),
    Race("SVC, digits", 1797, partial(many_classes, "digits"), "svm-classes", quick=True),
    Race("SVC, letters", 3000, partial(many_classes, "letters"), "svm-classes", quick=True),
    *(Race("SVC predicts", n, predicting, "svm-predict", quick=True) for n in (1000, 5000)),
    Race("SVC predicts digits", 1797, predicting_classes, "svm-predict", quick=True),
    *(Race("svm_path", n, whole_path, "svm-path", quick=True) for n in (100, 300)),
    *(
        Race("SVC, rbf, 1,000 points", d, lambda d: machine("SVC", "rbf", 1.0, 1000, d), axis="d")
        for d in (5, 20, 80, 320)
    ),
    *(
        Race(
            "SVC, rbf, 5,000 points", k, lambda _: machine("SVC", "rbf", 1.0, 5000), axis="threads", threads=k
        )
        for k in (1, 2)
    ),
    *(Race("SVC, rbf, C = 1", n, official, peer="libsvm-official") for n in (500, 1000, 2000, 5000)),
]
