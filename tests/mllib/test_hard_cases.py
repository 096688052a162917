"""What is hard for learners without kernels: no learner hangs, lies, or hides behind a strange error.

Duplicates, contradictory labels, constant features, two examples, extreme prices and units; and input that no
learner can use. (Kernel machines have such tests of their own.)
"""

import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning

from mllib import (
    AveragedPerceptron,
    BatchPerceptron,
    ChainMarkovNetwork,
    KernelPerceptron,
    LinearSVC,
    MarginPerceptron,
    OneVsOneClassifier,
    OneVsRestClassifier,
    PegasosClassifier,
    Perceptron,
    PocketPerceptron,
    SGDHingeClassifier,
    VotedPerceptron,
    is_separable,
)
from mllib.hyperplane import augment

PERCEPTRONS = [
    Perceptron(max_iter=50),
    MarginPerceptron(max_iter=50),
    PocketPerceptron(max_iter=50),
    VotedPerceptron(max_iter=50),
    AveragedPerceptron(max_iter=50),
    KernelPerceptron("linear", max_iter=50),
    BatchPerceptron(max_iter=200),
]
LINEAR = [
    *PERCEPTRONS,
    LinearSVC(random_state=0),
    LinearSVC(loss="hinge", random_state=0),
    # (an epoch of two examples is two steps: too few to tell whether the loss has settled)
    PegasosClassifier(0.01, tol=None, average=True, random_state=0),
    SGDHingeClassifier(0.01, tol=None, average=True, random_state=0),
    ChainMarkovNetwork(random_state=0),
]
OTHERS = [
    OneVsOneClassifier(Perceptron(max_iter=50)),
    OneVsRestClassifier(LinearSVC(random_state=0)),
]
names = [f"{type(m).__name__}{'-' + m.loss if hasattr(m, 'loss') else ''}" for m in LINEAR]


def quietly(fit, *data):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return fit(*data)


def flowers():
    """Two kinds that a line separates."""
    X, y = load_iris(return_X_y=True)
    return X[:100], y[:100]


HARD = {
    "two examples": ([[1.0, 2.0], [3.0, 1.0]], [0, 1], 1.0),
    "one of each, and far apart": ([[-1e3, 0.0], [1e3, 1.0]], [0, 1], 1.0),
    "duplicates": ([[0.0, 1.0]] * 5 + [[2.0, 0.0]] * 5, [0] * 5 + [1] * 5, 1.0),
    "constant features": (
        [[7.0, 0.0, 0.0], [7.0, 1.0, 0.0], [7.0, 3.0, 0.0], [7.0, 4.0, 0.0]],
        [0, 0, 1, 1],
        1.0,
    ),
    "contradictory": ([[0.0, 1.0]] * 3 + [[2.0, 0.0]] * 3, [0, 0, 1, 1, 1, 0], 4 / 6),
    "nothing to see": ([[0.0, 0.0]] * 4, [0, 1, 1, 1], 1 / 4),
}


@pytest.mark.parametrize("case", HARD)
@pytest.mark.parametrize("model", LINEAR, ids=names)
def test_hard_cases(model, case):
    """Finite weights; all answers right where a line separates, and where none does the best that a line can
    do (the last weights of a walk that cannot end may be any of those it passes)."""
    X, y, reachable = HARD[case]
    if model in PERCEPTRONS and not isinstance(model, PocketPerceptron):
        reachable = 1.0 if reachable == 1.0 else 0.0
    fitted = quietly(clone(model).fit, X, y)
    if hasattr(fitted, "decision_function"):
        assert np.all(np.isfinite(fitted.decision_function(X)))
    assert np.mean(fitted.predict(X) == y) >= reachable


@pytest.mark.parametrize("model", OTHERS, ids=lambda m: type(m).__name__)
@pytest.mark.parametrize("case", ["two examples", "duplicates", "constant features", "contradictory"])
def test_hard_cases_of_the_others(model, case):
    X, y, _ = HARD[case]
    fitted = quietly(clone(model).fit, X, y)
    answers = fitted.predict(X)
    assert set(answers) <= {0, 1}
    if hasattr(fitted, "predict_proba"):
        P = fitted.predict_proba(X)
        np.testing.assert_allclose(P.sum(axis=1), 1.0)
        assert np.all((P >= 0) & (P <= 1))


@pytest.mark.parametrize("model", LINEAR, ids=names)
@pytest.mark.parametrize("unit", [1e-6, 1e6])
def test_units_only_scale_the_weights(model, unit):
    """Data in another unit, with what has a unit scaled along, give the same answers."""
    X, y = flowers()
    squared = {"C": -2, "alpha": 2, "threshold": 2, "m": -2}  # the power of the unit in each parameter
    plain = clone(model)
    if hasattr(model, "fit_intercept"):
        plain.set_params(fit_intercept=False)
    if isinstance(model, BatchPerceptron):
        plain.set_params(tol=0.0)
    scaled = clone(plain).set_params(
        **{
            name: getattr(plain, name) * unit**power
            for name, power in squared.items()
            if hasattr(plain, name)
        }
    )
    near, far = quietly(plain.fit, X, y), quietly(scaled.fit, X * unit, y)
    np.testing.assert_array_equal(near.predict(X), far.predict(X * unit))


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("price", [1e-8, 1e8])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_extreme_prices_of_the_linear_machine(loss, price, form):
    """The gap certifies each answer; a huge price on separable data is the hard margin."""
    X, y = flowers()
    model = LinearSVC(C=price, loss=loss, tol=1e-6, max_iter=10**5, random_state=0).fit(form(X), y)
    signs = 2 * y - 1
    w = np.append(model.coef_, model.intercept_)
    if price < 1:  # every example keeps its whole loss: w is C (or 2C) times the sum of all y x
        factor = price * (2 if loss == "squared_hinge" else 1)
        np.testing.assert_allclose(w, factor * (signs @ augment(X)), rtol=1e-3, atol=1e-9)
        assert abs(model.dual_gap_) <= 1e-6 * model.objective_  # (0 but for rounding)
    else:  # no loss is worth its price; what is left of it, times the price, is in the gap that is told
        assert np.min(signs * model.decision_function(X)) > 1 - 1e-5
        np.testing.assert_allclose(model.objective_ - model.dual_gap_, 0.5 * w @ w, rtol=1e-4)


def test_extreme_prices_of_the_chain_network():
    X, y = flowers()
    small = ChainMarkovNetwork(1e-8, random_state=0).fit(X, y)
    np.testing.assert_allclose(small.objective_, 1e-8 * len(y), rtol=1e-4)  # all losses are about 1
    assert 0 <= small.dual_gap_ <= 0.01 * small.objective_
    with pytest.warns(ConvergenceWarning, match=r"may be .* above the minimum after 50 passes \(max_iter\)"):
        large = ChainMarkovNetwork(1e8, max_iter=50, random_state=0).fit(X, y)
    # What the gap leaves possible is not above the objective of weights without any loss.
    near = quietly(ChainMarkovNetwork(100.0, max_iter=500, random_state=0).fit, X, y)
    scores = X @ near.coef_.T + near.intercept_
    margin = np.min((scores[:, 1] - scores[:, 0]) * (2 * y - 1))
    assert margin > 0
    length2 = np.sum(near.coef_**2) + near.intercept_ @ near.intercept_
    assert large.objective_ - large.dual_gap_ <= 0.5 * length2 / margin**2


@pytest.mark.parametrize("alpha", [1e-8, 1e8])
@pytest.mark.parametrize("average", [False, True])
def test_extreme_penalties_of_subgradient_descent(alpha, average):
    X, y = flowers()
    sgd = quietly(SGDHingeClassifier(alpha, max_iter=100, average=average, random_state=0).fit, X, y)
    assert np.all(np.isfinite(sgd.coef_)) and np.all(np.isfinite(sgd.intercept_))
    T = 100 * 2000
    pegasos = PegasosClassifier(
        alpha, max_iter=2000, tol=None, average=True, fit_intercept=False, random_state=0
    ).fit(X, y)
    w, R = pegasos.coef_[0], np.linalg.norm(X, axis=1).max()
    assert np.linalg.norm(w) <= min(1 / np.sqrt(alpha), R / alpha) * (1 + 1e-9)
    low = LinearSVC(C=1 / (100 * alpha), loss="hinge", fit_intercept=False, tol=1e-7, max_iter=10**5).fit(
        X, y
    )
    least = (low.objective_ - low.dual_gap_) * alpha
    f = alpha / 2 * w @ w + np.maximum(0, 1 - (2 * y - 1) * (X @ w)).mean()
    assert f - least <= (np.sqrt(alpha) + R) ** 2 * (1 + np.log(T)) / (2 * alpha * T)


@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
def test_the_perceptron_separates_in_any_unit_what_can_be_separated(unit):
    X, y = flowers()
    found = is_separable(X * unit, y)
    assert found
    for model in (Perceptron(fit_intercept=False), BatchPerceptron(fit_intercept=False, tol=0.0)):
        fitted = model.fit(X * unit, y)
        assert fitted.converged_ and fitted.score(X * unit, y) == 1.0


BAD = {
    "NaN": ([[np.nan, 1.0], [0.0, 1.0]], [0, 1], "NaN"),
    "infinity": ([[np.inf, 1.0], [0.0, 1.0]], [0, 1], "infinity"),
    "one class": ([[1.0, 1.0], [0.0, 1.0]], [1, 1], "only one class"),
    "empty": (np.empty((0, 2)), [], "0 sample"),
    "no features": (np.empty((2, 0)), [0, 1], "0 feature"),
    "a row": ([1.0, 2.0], [0, 1], "Expected 2D array"),
    "words": ([["a", "b"], ["c", "d"]], [0, 1], "could not convert string|dtype='numeric'"),
    "too few labels": ([[1.0, 1.0], [0.0, 1.0]], [0], "inconsistent numbers of samples|same lengths"),
    "numbers for labels": ([[1.0, 1.0], [0.0, 1.0]], [0.5, 1.7], "Unknown label type"),
    "labels missing": ([[1.0, 1.0], [0.0, 1.0]], None, "y to be passed|y cannot be None"),
}


@pytest.mark.parametrize("case", BAD)
@pytest.mark.parametrize("model", [*LINEAR, *OTHERS], ids=[*names, *[type(m).__name__ for m in OTHERS]])
def test_bad_input_is_named(model, case):
    X, y, message = BAD[case]
    with pytest.raises((ValueError, TypeError), match=message):
        clone(model).fit(X, y)


@pytest.mark.parametrize("model", LINEAR, ids=names)
def test_another_width_is_refused(model):
    X, y = flowers()
    fitted = quietly(clone(model).fit, X, y)
    with pytest.raises(ValueError, match="has 3 features, but .* is expecting 4 features"):
        fitted.predict(X[:, :3])
