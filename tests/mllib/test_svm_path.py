"""The regularisation path: optimal at every C, equal to the solver's answers, and not confused by ties."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sklearn import datasets
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import scale

from mllib import SVC, svm_path
from mllib.kernels import RBF, Linear, Polynomial, Spectrum

KERNELS = [Linear(), RBF(0.5), Polynomial(degree=2, coef0=1.0)]


def violation(path, K, C, all_biases=False):
    """How far the machine for C is from optimal, by definition: with any bias of the promised interval.

    With ``all_biases`` also how much of the interval of optimal biases is not promised.
    """
    point, y = path.at(C), path.y
    beta = y * point.alpha
    assert np.all(point.alpha >= 0) and np.all(point.alpha <= C)
    pull = y - K @ beta
    full = point.alpha >= C * (1 - 1e-12)
    can_rise = np.where(y > 0, ~full, point.alpha > 0)
    can_fall = np.where(y > 0, point.alpha > 0, ~full)
    m, M = pull[can_rise].max(initial=-np.inf), pull[can_fall].min(initial=np.inf)
    unbalanced = abs(beta.sum()) / max(1e-12, np.abs(beta).sum())
    low, high = point.bias_low, point.bias_high
    missing = max(low - m, M - high) if all_biases else 0.0
    return max(m - low, high - M, low - high, missing, unbalanced)


def cancer(n=150):
    X, y = datasets.load_breast_cancer(return_X_y=True)
    return scale(X)[:n, :10], y[:n]


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
@pytest.mark.parametrize(
    "data",
    [
        lambda: datasets.make_moons(100, noise=0.3, random_state=0),
        lambda: datasets.make_classification(120, 5, flip_y=0.2, weights=[0.7], random_state=0),
        lambda: datasets.make_blobs(60, centers=[[0, 0], [4, 4]], random_state=0),
        cancer,
    ],
    ids=["moons", "noise", "separable", "cancer"],
)
def test_path_and_solver_at_two_hundred_values_of_C(data, kernel):
    X, y = data()
    path, K = svm_path(X, y, kernel=kernel, C_max=1e3), kernel(X)
    assert path.C_max == 1e3 and path.breakpoints[0] == 0 and np.all(np.diff(path.breakpoints) > 0)
    for C in np.geomspace(1e-4, 1e3, 200):
        assert violation(path, K, C, all_biases=True) <= 1e-8
        machine = SVC(kernel=kernel, C=C, tol=1e-8).fit(X, y)
        point = path.at(C)
        beta = path.y * point.alpha
        dual = point.alpha.sum() - 0.5 * beta @ K @ beta
        assert dual == pytest.approx(machine.dual_objective_[0], rel=1e-9)
        b = machine.intercept_[0]
        assert point.bias_low - 1e-6 <= b <= point.bias_high + 1e-6
        scores = path.decision_function(X, C) - point.bias
        np.testing.assert_allclose(scores, machine.decision_function(X) - b, atol=1e-5)


def test_breakpoints_and_beyond():
    """Both sides of each breakpoint agree, and between two of them nothing but the straight line happens."""
    X, y = datasets.make_classification(80, 4, random_state=1)
    path = svm_path(X, y, kernel=RBF(0.3), C_max=100.0)
    assert len(path) == len(path.breakpoints) == len(path.beta) > 40
    for before, C in zip(range(len(path) - 1), path.breakpoints[1:], strict=True):
        end = path.beta[before] + (C - path.breakpoints[before]) * path.beta_rate[before]
        np.testing.assert_allclose(end, path.beta[before + 1], atol=1e-9 * C)
    with pytest.raises(ValueError, match=r"C must be in \[0, 100\]"):
        path.at(101)
    with pytest.raises(ValueError, match="C must be"):
        path.at(-1)
    with pytest.raises(ValueError, match="C must be"):
        path.at(float("nan"))


def test_separable_path_ends_with_the_hard_margin():
    X, y = datasets.make_blobs(60, centers=[[0, 0], [5, 5]], random_state=0)
    path = svm_path(X, y, kernel="linear")
    assert path.C_max == np.inf
    hard = SVC(kernel="linear", C=1e6, tol=1e-10).fit(X, y)
    alpha = path.at(1e9).alpha
    np.testing.assert_allclose((path.y * alpha) @ X, hard.coef_[0], rtol=1e-7)
    assert np.all(path.beta_rate[-1] == 0) or np.abs(path.beta_rate[-1]).max() < 1e-12


# Ties


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
@pytest.mark.parametrize("copies", [2, 3, 5])
def test_points_that_occur_several_times_are_one_with_a_larger_limit(kernel, copies):
    X, y = datasets.make_classification(60, 4, flip_y=0.2, random_state=1)
    X, y = np.vstack([X] * copies)[copies:], np.tile(y, copies)[copies:]
    path, K = svm_path(X, y, kernel=kernel, C_max=1e3), kernel(X)
    assert path.C_max == 1e3
    for C in np.geomspace(1e-5, 1e3, 50):
        assert violation(path, K, C) <= 1e-8
    alpha = path.at(1.0).alpha
    np.testing.assert_array_equal(alpha[60:], alpha[:-60])


@settings(max_examples=150)
@given(
    st.integers(2, 30),
    st.integers(1, 3),
    st.integers(2, 4),
    st.sampled_from(KERNELS),
    st.integers(0, 10**6),
)
@example(n=12, d=1, values=3, kernel=KERNELS[2], seed=287)  # the first rates must be exact, not good
def test_points_of_a_grid(n, d, values, kernel, seed):
    """Duplicates, contradictory labels, many points on the margin at once, empty elbows, equal classes."""
    rng = np.random.RandomState(seed)
    X, y = rng.randint(0, values, size=(n, d)).astype(float), rng.randint(0, 2, size=n)
    y[:2] = [0, 1]
    path, K = svm_path(X, y, kernel=kernel, C_max=100.0), kernel(X)
    assert path.C_max == 100.0
    Cs = np.concatenate([np.geomspace(1e-4, 100, 20), path.breakpoints, 0.5 * path.breakpoints[1:]])
    assert max(violation(path, K, C) for C in Cs[Cs > 1e-9]) <= 1e-7


def test_contradictory_labels_only():
    X, y = [[0.0], [0.0], [1.0], [1.0]], [0, 1, 0, 1]
    path = svm_path(X, y, kernel="linear")
    assert path.at(7.0).alpha.tolist() == [7.0] * 4 and len(path) == 1
    assert path.at(7.0).bias_low == -1.0 and path.at(7.0).bias_high == 1.0


def test_an_empty_elbow_leaves_an_interval_of_biases():
    path = svm_path([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1], kernel="linear")
    point = path.at(0.05)
    assert point.bias_low < point.bias_high and point.bias == (point.bias_low + point.bias_high) / 2
    assert path.at(1000.0).bias_low == path.at(1000.0).bias_high


def test_where_float64_ends_the_path_says_so():
    X, y = datasets.make_classification(60, 4, flip_y=0.2, random_state=0)
    with pytest.warns(ConvergenceWarning, match="The path ends at C = "):
        path = svm_path(X * [1e-6, 1, 1e3, 1e6], y, kernel="linear", C_max=1e3)
    assert 0 < path.C_max < 1e3


# Input


def test_path_takes_what_the_classifier_takes():
    words, y = ["abab", "aabb", "cdcd", "ccdd", "abcd"], ["x", "x", "z", "z", "x"]
    path = svm_path(words, y, kernel=Spectrum(2), C_max=10.0)
    machine = SVC(kernel=Spectrum(2), C=2.0, tol=1e-9).fit(words, y)
    assert path.predict(words, C=2.0).tolist() == machine.predict(words).tolist()
    X, y = datasets.make_moons(40, noise=0.2, random_state=0)
    K = RBF(0.7)(X)
    one, two = svm_path(X, y, kernel=RBF(0.7)), svm_path(K, y, kernel="precomputed")
    np.testing.assert_allclose(one.at(3.0).alpha, two.at(3.0).alpha, atol=1e-9)
    np.testing.assert_allclose(one.decision_function(X, 3.0), two.decision_function(K, 3.0), atol=1e-9)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (dict(X=[[0.0], [np.nan]], y=[0, 1]), "NaN"),
        (dict(X=[[0.0], [1.0]], y=[1, 1]), "one class"),
        (dict(X=[[0.0], [1.0], [2.0]], y=[0, 1, 2]), "binary"),
        (dict(X=[[0.0], [1.0]], y=[0, 1], C_max=0), "'C'.*must be a number in"),
        (dict(X=[[0.0], [1.0]], y=[0, 1], kernel="gauss"), "'kernel'"),
        (dict(X=[0.0, 1.0], y=[0, 1]), "2D array"),
        (dict(X=[[0.0], [1.0]], y=[0, 1, 1]), "inconsistent"),
    ],
)
def test_bad_input(arguments, says):
    with pytest.raises(ValueError, match=says):
        svm_path(**arguments)


# Far from the origin, and kernels that are none


@pytest.mark.parametrize("offset", [0, 10, 2000, 1e6, 1e8])
def test_the_path_does_not_depend_on_the_origin(offset):
    """Inner products are up to 1e16 times as large as what matters."""
    two = svm_path([[offset + 0.0], [offset + 1.0]], [0, 1], kernel="linear")
    np.testing.assert_allclose(two.breakpoints, [0, 2])
    np.testing.assert_allclose(two.at(10.0).alpha, [2, 2])
    np.testing.assert_allclose(two.decision_function([[offset], [offset + 1]], 10.0), [-1, 1], atol=1e-6)
    rng = np.random.RandomState(0)
    X, y = np.vstack([rng.randn(10, 2) - 2, rng.randn(10, 2) + 2]), np.repeat([0, 1], 10)
    near, far = svm_path(X, y, kernel="linear"), svm_path(X + offset, y, kernel="linear")
    assert len(near) == len(far) == 37 and near.C_max == far.C_max == np.inf
    np.testing.assert_allclose(far.breakpoints, near.breakpoints, rtol=1e-6)
    scores = near.decision_function(X, 0.3)
    np.testing.assert_allclose(far.decision_function(X + offset, 0.3), scores, atol=1e-6)


def test_images_far_from_the_origin():
    """Whatever the kernel: the same number added to all its values changes nothing but the bias."""
    X, y = datasets.make_moons(40, noise=0.3, random_state=0)
    near, far = svm_path(X, y, kernel=RBF(0.7)), svm_path(X, y, kernel=RBF(0.7) + 1e4)
    assert len(near) == len(far)
    np.testing.assert_allclose(far.beta, near.beta, rtol=1e-4, atol=1e-4)
    for C in (0.01, 1.0, 30.0):
        assert violation(far, RBF(0.7)(X) + 1e4, C) <= 1e-7
    with pytest.warns(ConvergenceWarning, match="The path ends at C = "):
        svm_path(X, y, kernel=RBF(0.7) + 1e8)


def test_nan_kernels_are_refused():
    def torn(X, Z):
        distance = np.abs(X - Z.T)
        return np.where(distance > 3, np.nan, np.exp(-distance))

    class Torn(Linear):
        def _gram(self, X, Z):
            return torn(X, Z)

    with pytest.raises(ValueError, match="The kernel gave NaN"):
        svm_path([[0.0], [5.0]], [0, 1], kernel=Torn())
    with pytest.raises(ValueError, match="The kernel gave NaN"):
        SVC(kernel=Torn()).fit([[0.0], [5.0]], [0, 1])
