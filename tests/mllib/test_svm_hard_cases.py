"""Support vector machines where it is difficult: they end, and what they say about the end is true."""

import warnings
from fractions import Fraction
from unittest import mock

import numpy as np
import pytest
from sklearn import datasets, svm
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from mllib import SVC, SVR, HardMarginSVC, KernelRidge
from mllib.kernels import RBF, FromFunction
from mllib.smo import _leap

RNG = np.random.RandomState(0)
X, Y = datasets.make_classification(60, 4, flip_y=0.2, random_state=0)
CASES = {
    "duplicates": (np.vstack([X[:20]] * 3), np.tile(Y[:20], 3)),
    "contradictory labels": (np.vstack([X[:30]] * 2), np.concatenate([Y[:30], 1 - Y[:30]])),
    "all points equal": (np.ones((40, 3)), np.arange(40) % 2),
    "constant features": (np.column_stack([X, np.full(60, 7.0), np.zeros(60)]), Y),
    "tiny": (1e-6 * X, Y),
    "huge": (1e6 * X, Y),
    "columns of all sizes": (X * [1e-6, 1.0, 1e3, 1e6], Y),
    "two points": (np.array([[0.0], [1.0]]), np.array([0, 1])),
    "one against many": (np.vstack([RNG.randn(30, 2) - 50, [[9.0, 9.0]]]), np.arange(31) // 30),
    "three points, one line": (np.array([[0.0, 0], [1, 1], [2, 2]]), np.array([0, 1, 0])),
}


@pytest.mark.parametrize("C", [1e-8, 1.0, 1e8])
@pytest.mark.parametrize("kernel", ["linear", "rbf", "poly", "sigmoid"])
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("machine", [SVC, SVR])
def test_it_ends_and_tells_the_truth(machine, case, kernel, C):
    """Either no pair violates by more than tol, or a warning names the gap; few leaps, whatever comes."""
    points, y = CASES[case]
    machine = machine(kernel=kernel, C=C, max_iter=1_000_000)
    leap = mock.patch("mllib.smo.solver.leap", wraps=_leap.leap)
    with warnings.catch_warnings(record=True) as caught, leap as leaps:
        warnings.simplefilter("always")
        machine.fit(points, y.astype(float))
    assert np.max(machine.n_iter_) <= 1_000_000 and leaps.call_count <= 40
    beta = np.zeros(len(y))
    beta[machine.support_] = machine.dual_coef_[0]
    K = machine.kernel_(points)
    gap = np.ravel(machine.duality_gap_)[0]
    assert np.isfinite(beta).all() and np.isfinite(machine.intercept_).all() and np.isfinite(gap)
    assert np.abs(beta).max(initial=0) <= C
    # Each step adds to two variables what it takes from the other, but for the rounding of both.
    steps = len(y) + np.max(machine.n_iter_)
    assert abs(beta.sum()) <= steps * np.finfo(float).eps * np.abs(beta).max(initial=0)
    if machine.fit_status_:
        assert [w.category for w in caught] == [ConvergenceWarning]
        assert f"duality gap {gap:.3g}" in str(caught[0].message)
        return
    assert not caught
    rounding = 1e-12 * np.abs(K).max() * np.abs(beta).sum()
    output = K @ beta
    if isinstance(machine, SVC):
        sign = np.where(y == 1, 1.0, -1.0)
        pull = sign - output
        m = pull[beta < np.maximum(0, C * sign)].max(initial=-np.inf)
        M = pull[beta > np.minimum(0, C * sign)].min(initial=np.inf)
    else:  # up with a, or down with its twin; the other way round for falling
        error = y - output
        m = max(
            error[(0 <= beta) & (beta < C)].max(initial=-np.inf) - 0.1,
            error[beta < 0].max(initial=-np.inf) + 0.1,
        )
        M = min(
            error[(0 >= beta) & (beta > -C)].min(initial=np.inf) + 0.1,
            error[beta > 0].min(initial=np.inf) - 0.1,
        )
    assert m - M <= 1e-3 + rounding


def test_without_a_limit_of_steps_there_is_one():
    """Kernel values of 1e12 and tol = 1e-3: more digits than float64 has."""
    points, y = CASES["huge"]
    with pytest.warns(ConvergenceWarning, match="after 10000000 steps .* duality gap"):
        SVC(kernel="linear", C=1e8).fit(points, y)


@pytest.mark.parametrize("factor", [1e-6, 1e6])
def test_the_unit_of_length_does_not_matter(factor):
    """gamma="scale" takes it out; for the linear kernel C must go with its square."""
    plain, scaled = SVC(tol=1e-8).fit(X, Y), SVC(tol=1e-8).fit(factor * X, Y)
    np.testing.assert_allclose(scaled.decision_function(factor * X), plain.decision_function(X), atol=1e-6)
    plain = SVC(kernel="linear", tol=1e-8).fit(X, Y)
    scaled = SVC(kernel="linear", tol=1e-8, C=factor**-2).fit(factor * X, Y)
    np.testing.assert_allclose(scaled.decision_function(factor * X), plain.decision_function(X), atol=1e-6)
    np.testing.assert_allclose(scaled.coef_ * factor, plain.coef_, rtol=1e-6)


def test_constant_features_change_nothing():
    more = np.column_stack([X, np.full(60, 7.0), np.zeros(60)])
    for kernel in ("linear", RBF(0.3)):
        one, two = SVC(kernel=kernel, tol=1e-9).fit(X, Y), SVC(kernel=kernel, tol=1e-9).fit(more, Y)
        np.testing.assert_allclose(two.decision_function(more), one.decision_function(X), atol=1e-7)


def test_the_least_and_the_greatest_C():
    least = SVC(C=1e-8, kernel="linear", tol=1e-13).fit(X, Y)
    peer = svm.SVC(C=1e-8, kernel="linear", tol=1e-13).fit(X, Y)
    np.testing.assert_allclose(least.coef_, peer.coef_, rtol=1e-6)
    far, labels = datasets.make_blobs(60, centers=[[0, 0], [5, 5]], random_state=0)
    greatest = SVC(C=1e8, kernel="linear", tol=1e-9).fit(far, labels)
    hard = HardMarginSVC(tol=1e-9).fit(far, labels)
    np.testing.assert_allclose(greatest.coef_, hard.coef_, rtol=1e-8)
    assert greatest.score(far, labels) == 1.0


def test_contradictory_labels_cancel():
    points, y = CASES["contradictory labels"]
    machine = SVC(kernel=RBF(0.5), tol=1e-8).fit(points, y)
    np.testing.assert_allclose(machine.decision_function(points), 0, atol=1e-7)
    assert len(machine.support_) == len(y)


def test_one_support_vector_of_a_class():
    points, y = CASES["one against many"]
    machine = SVC(kernel="linear", C=1e8, tol=1e-9).fit(points, y)
    assert machine.n_support_[1] == 1 and machine.decision_function(points[-1:])[0] == pytest.approx(1)
    assert machine.decision_function(points[:-1]).max() == pytest.approx(-1)


def test_no_support_vector_at_all():
    """All numbers fit into the tube: the answer is the middle between the least and the greatest."""
    machine = SVR(epsilon=1.0).fit(X, 3.0 + 0.5 * np.sin(X[:, 0]))
    assert len(machine.support_) == 0 and machine.dual_coef_.shape == (1, 0)
    values = 3.0 + 0.5 * np.sin(X[:, 0])
    np.testing.assert_allclose(machine.predict(X), (values.min() + values.max()) / 2)
    np.testing.assert_array_equal(machine.predict(X[:3] + 100), machine.intercept_[0])


def test_two_points():
    for kernel in ("linear", "rbf", "poly"):
        for machine in (SVC(kernel=kernel, C=1e3, tol=1e-9), HardMarginSVC(kernel=kernel)):
            machine.fit([[0.0], [1.0]], ["no", "yes"])
            np.testing.assert_allclose(machine.decision_function([[0.0], [1.0]]), [-1, 1], atol=1e-6)
            assert machine.predict([[-0.1], [1.1]]).tolist() == ["no", "yes"]


def test_next_to_no_margin_is_no_margin():
    points = np.array([[0.0, 0.0], [1.0, 1.0], [1.0, 1.0 + 1e-12], [0.0, 1.0]])
    with pytest.raises(ValueError, match="not separable"):
        HardMarginSVC(max_iter=1000).fit(points, [0, 0, 1, 1])
    points[2, 1] += 1e-3
    machine = HardMarginSVC(tol=1e-9).fit(points, [0, 0, 1, 1])
    assert machine.score(points, [0, 0, 1, 1]) == 1.0 and 1e-4 < machine.margin_ < 1e-3


def test_hard_margin_keeps_its_limit_of_steps():
    far, labels = datasets.make_blobs(60, centers=[[0, 0], [4, 4]], random_state=0)
    with pytest.warns(ConvergenceWarning, match="after 3 steps") as caught:
        machine = HardMarginSVC(max_iter=3).fit(far, labels)
    assert machine.n_iter_ == 3
    assert f"duality gap {machine.duality_gap_:.3g}" in str(caught[0].message)
    assert "smaller C" not in str(caught[0].message)


# Far from the origin

BLOBS = np.vstack([RNG.randn(10, 2) - 2, RNG.randn(10, 2) + 2]), np.repeat([0, 1], 10)


def true_gap(points, y, machine, C):
    """Primal minus dual value, from coefficients and points alone; exact until the scores are."""
    sign = np.where(y == 1, 1, -1)
    beta = [Fraction(0)] * len(y)
    for row, value in zip(machine.support_, machine.dual_coef_[0], strict=True):
        beta[row] = Fraction(float(value))
    points = [[Fraction(float(v)) for v in point] for point in points]
    middle = [sum(column) / len(points) for column in zip(*points, strict=True)]
    points = np.array([[v - m for v, m in zip(point, middle, strict=True)] for point in points])
    w = np.array(beta) @ points
    scores = (points @ w).astype(float)
    errors = [
        np.maximum(0, 1 - sign * (scores + b)).sum() for b in sign - scores
    ]  # an optimal b puts a point on the margin
    length2 = float(w @ w)
    return 0.5 * length2 + C * min(errors) - (float(np.abs(np.array(beta)).sum()) - 0.5 * length2)


@pytest.mark.parametrize("offset", [0, 1e3, 1e6, 1e8])
def test_linear_machines_do_not_depend_on_the_origin(offset):
    points, y = BLOBS
    far = points + offset
    points = far - offset  # what is left of them
    options = dict(kernel="linear", C=10.0, tol=1e-6)
    for machine in (SVC(**options), SVR(**options), HardMarginSVC(tol=1e-8)):
        near, moved = clone(machine).fit(points, y), machine.fit(far, y)
        np.testing.assert_allclose(moved.coef_, near.coef_, atol=1e-5)
        score = "predict" if isinstance(machine, SVR) else "decision_function"
        np.testing.assert_allclose(getattr(moved, score)(far), getattr(near, score)(points), atol=1e-4)
        expected = near.intercept_[0] - offset * moved.coef_.sum()
        assert moved.intercept_[0] == pytest.approx(expected, abs=1e-4)
    svc = SVC(**options).fit(far, y)
    assert svc.duality_gap_[0] < 1e-4 and true_gap(far, y, svc, 10.0) < 1e-4
    margins = np.where(y == 1, 1, -1) * (points @ moved.coef_[0] + near.intercept_)
    assert margins.min() / np.linalg.norm(moved.coef_) == pytest.approx(moved.margin_, rel=1e-5)


def test_many_classes_far_from_the_origin():
    points, y = datasets.make_blobs(60, centers=4, random_state=0)
    near = SVC(kernel="linear", tol=1e-6).fit(points, y)
    far = SVC(kernel="linear", tol=1e-6).fit(points + 1e6, y)
    np.testing.assert_allclose(far.coef_, near.coef_, atol=1e-4)
    assert far.predict(points + 1e6).tolist() == near.predict(points).tolist()


def test_other_kernels_far_from_the_origin_are_warned_of():
    points, y = BLOBS
    with pytest.warns(ConvergenceWarning, match="Kernel values as large as 2e.14 are themselves rounded"):
        SVC(kernel="poly", degree=1, gamma=1.0, C=10).fit(points + 1e7, y)
    with pytest.warns(ConvergenceWarning, match="themselves rounded"):
        HardMarginSVC(kernel="poly", degree=1, gamma=1.0, tol=5e-3).fit(points + 1e7, y)


# Bad input

MACHINES = [SVC(), SVR(), HardMarginSVC(kernel="rbf"), KernelRidge()]


@pytest.mark.parametrize("machine", MACHINES, ids=lambda m: type(m).__name__)
@pytest.mark.parametrize(
    ("points", "y", "says"),
    [
        ([[0.0], [np.nan]], [0, 1], "NaN"),
        ([[0.0], [np.inf]], [0, 1], "infinity"),
        ([0.0, 1.0], [0, 1], "2D array"),
        (np.empty((0, 2)), [], "0 sample"),
        (np.empty((2, 0)), [0, 1], "0 feature"),
        ([["a"], ["b"]], [0, 1], "could not convert"),
        ([[0.0], [1.0]], [0, 1, 1], "inconsistent"),
        ([[0.0], [1.0]], [0, np.nan], "NaN"),
        ([[0.0], [1.0]], None, "y"),
    ],
)
def test_bad_data(machine, points, y, says):
    with pytest.raises(ValueError, match=says):
        machine.fit(points, y)


@pytest.mark.parametrize("machine", [SVC(), HardMarginSVC()], ids=lambda m: type(m).__name__)
def test_bad_labels(machine):
    with pytest.raises(ValueError, match="only one class"):
        machine.fit([[0.0], [1.0]], [1, 1])
    with pytest.raises(ValueError, match="(?i)unknown label type"):
        machine.fit([[0.0], [1.0]], [0.1, 0.7])


def test_hard_margin_knows_two_classes():
    with pytest.raises(ValueError, match="Only binary classification"):
        HardMarginSVC().fit([[0.0], [1.0], [2.0]], [0, 1, 2])


@pytest.mark.parametrize("machine", [SVC(), SVR(), KernelRidge()], ids=lambda m: type(m).__name__)
def test_bad_weights(machine):
    for weights, says in (([1, -1, 1], "[Nn]egative"), ([1, 1], "shape"), ([1, np.nan, 1], "NaN")):
        with pytest.raises(ValueError, match=says):
            machine.fit([[0.0], [1.0], [2.0]], [0, 1, 1], sample_weight=weights)


def test_a_class_without_weight_is_missing():
    with pytest.raises(ValueError, match="one class"):
        SVC().fit([[0.0], [1.0], [2.0]], [0, 1, 1], sample_weight=[0, 1, 1])


@pytest.mark.parametrize(
    ("machine", "name"),
    [
        *[(SVC(C=C), "C") for C in (0, -1.0, np.nan, np.inf * 0, "1", True, None)],
        *[(m(tol=0.0), "tol") for m in (SVC, SVR, HardMarginSVC)],
        *[(m(max_iter=-2), "max_iter") for m in (SVC, SVR, HardMarginSVC)],
        *[(m(max_iter=2.5), "max_iter") for m in (SVC, SVR, HardMarginSVC)],
        *[(m(cache_size=0), "cache_size") for m in (SVC, SVR, HardMarginSVC)],
        *[(m(kernel="gauss"), "kernel") for m in (SVC, SVR, HardMarginSVC, KernelRidge)],
        *[(m(kernel=3), "kernel") for m in (SVC, SVR, HardMarginSVC, KernelRidge)],
        *[(m(degree=-1), "degree") for m in (SVC, SVR, HardMarginSVC, KernelRidge)],
        *[(m(gamma=-0.5), "gamma") for m in (SVC, SVR, HardMarginSVC, KernelRidge)],
        *[(m(gamma="wide"), "gamma") for m in (SVC, SVR, HardMarginSVC, KernelRidge)],
        *[(m(coef0=np.nan), "coef0") for m in (SVC, SVR, HardMarginSVC, KernelRidge)],
        (SVC(class_weight="heavy"), "class_weight"),
        (SVC(decision_function_shape="ova"), "decision_function_shape"),
        (SVC(break_ties="yes"), "break_ties"),
        (SVR(epsilon=-0.1), "epsilon"),
        (SVR(C=0), "C"),
        (KernelRidge(alpha=-1), "alpha"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_bad_parameters(machine, name):
    with pytest.raises(ValueError, match=f"'{name}' parameter of {type(machine).__name__} must be .* Got "):
        machine.fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize("machine", MACHINES, ids=lambda m: type(m).__name__)
def test_bad_requests(machine):
    with pytest.raises(NotFittedError):
        type(machine)().predict([[0.0]])
    machine.fit([[0.0, 1.0], [1.0, 2.0]], [0, 1])
    with pytest.raises(ValueError, match="3 features"):
        machine.predict([[0.0, 1.0, 2.0]])
    with pytest.raises(ValueError, match="NaN"):
        machine.predict([[0.0, np.nan]])
    precomputed = type(machine)(kernel="precomputed")
    with pytest.raises(ValueError, match="square"):
        precomputed.fit(np.ones((2, 3)), [0, 1])
    precomputed.fit(np.eye(2), [0, 1])
    with pytest.raises(ValueError, match="features"):
        precomputed.predict(np.ones((2, 3)))
    with pytest.raises(ValueError, match="shape"):
        type(machine)(kernel=lambda X, Z: np.ones(3)).fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(ValueError, match="NaN|infinity"):
        type(machine)(kernel=FromFunction(lambda X, Z: X @ Z.T * np.nan)).fit([[0.0], [1.0]], [0, 1])


def test_hard_margin_of_points_that_are_all_at_the_origin():
    """No limit times a kernel that is 0 everywhere is no number: the reason is told, and nothing warned."""
    with pytest.raises(ValueError, match="not separable"):
        HardMarginSVC().fit(np.zeros((2, 2)), [0, 1])
