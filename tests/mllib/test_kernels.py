"""Kernels between vectors and what is built from them: values, algebra, parameters, Gram matrices."""

import hashlib
import pickle
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.metrics import pairwise
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KernelCenterer, StandardScaler

from mllib import SVC
from mllib.kernels import (
    RBF,
    Constant,
    FromFunction,
    Linear,
    Polynomial,
    Precomputed,
    QuadraticForm,
    Spectrum,
    Tanh,
    centred,
    is_psd,
    named,
    normalised,
    quadratic_features,
)
from mllib.kernels._exp import exp_in_place
from mllib.kernels.gram import LazyGram, WholeGram

RNG = np.random.RandomState(0)
X, Z = RNG.randn(300, 4), RNG.randn(37, 4)
A = RNG.randn(4, 4)
VECTORS = {
    "linear": Linear(),
    "poly": Polynomial(degree=3, gamma=0.3, coef0=1.0),
    "quartic": Polynomial(degree=4, gamma=0.3, coef0=0.5),
    "rbf": RBF(gamma=0.4),
    "tanh": Tanh(gamma=0.2, coef0=0.1),
    "form": QuadraticForm(A @ A.T),
    "sum": RBF(0.4) + Linear(),
    "product": RBF(0.4) * Polynomial(degree=2, coef0=1.0),
    "scaled": 2 * RBF(0.3) + 1.5,
    "power": (Linear() + 1) ** 3,
    "polynomial": RBF(0.2).polynomial([0.5, 0, 2]),
    "exp": (0.1 * Linear()).exp(),
    "columns": RBF(0.4).on([0, 2]) * Linear().on([1, 3]),
    "normalised": Polynomial(degree=2, coef0=1.0).normalised(),
    "function": FromFunction(lambda X, Z: 1 + X @ Z.T),
}


@pytest.mark.parametrize(
    ("kernel", "peer"),
    [
        (VECTORS["linear"], pairwise.linear_kernel),
        (VECTORS["poly"], lambda X, Z: pairwise.polynomial_kernel(X, Z, degree=3, gamma=0.3, coef0=1.0)),
        (VECTORS["quartic"], lambda X, Z: pairwise.polynomial_kernel(X, Z, degree=4, gamma=0.3, coef0=0.5)),
        (VECTORS["rbf"], lambda X, Z: pairwise.rbf_kernel(X, Z, gamma=0.4)),
        (VECTORS["tanh"], lambda X, Z: pairwise.sigmoid_kernel(X, Z, gamma=0.2, coef0=0.1)),
    ],
)
def test_values_agree_with_scikit_learn(kernel, peer):
    np.testing.assert_allclose(kernel(X, Z), peer(X, Z), rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(kernel(X), peer(X, X), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("kernel", VECTORS.values(), ids=VECTORS)
def test_all_ways_to_ask_give_the_same_numbers(kernel):
    """Square, rectangular, prepared, diagonal, block by block; also for sizes that do not fill a block."""
    K = kernel(X)
    for n in (1, 63, 64, 65, 257, 300):
        np.testing.assert_allclose(kernel(X[:n]), K[:n, :n], rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(kernel(X, X.copy()), K, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(kernel.against(X)(X[:10]), K[:10], rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(kernel.diag(X), np.diag(K), rtol=1e-12, atol=1e-13)
    gram = LazyGram(kernel, X)
    rows, columns = np.array([5, 0, 299]), np.array([7, 5])
    np.testing.assert_allclose(gram.block(rows, columns), K[np.ix_(rows, columns)], rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(gram.block(rows), K[rows], rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(WholeGram(K).block(rows, columns), K[np.ix_(rows, columns)])


@pytest.mark.parametrize("kernel", [k for name, k in VECTORS.items() if name != "function"], ids=str)
def test_kernels_are_cloned_pickled_and_shown(kernel):
    for copy in (clone(kernel), pickle.loads(pickle.dumps(kernel))):
        assert copy is not kernel
        np.testing.assert_array_equal(copy(X, Z), kernel(X, Z))
    assert repr(kernel)


def test_operators_are_the_arithmetic_of_values():
    k, m = RBF(0.4)(X, Z), Linear()(X, Z)
    a, b = RBF(0.4), Linear()
    np.testing.assert_allclose((a + b)(X, Z), k + m)
    np.testing.assert_allclose((a * b)(X, Z), k * m)
    np.testing.assert_allclose((2 * a)(X, Z), 2 * k)
    np.testing.assert_allclose((a * 2)(X, Z), 2 * k)
    np.testing.assert_allclose((1 + a)(X, Z), 1 + k)
    np.testing.assert_allclose((a**3)(X, Z), k**3)
    np.testing.assert_allclose(a.exp()(X, Z), np.exp(k))
    np.testing.assert_allclose(a.polynomial([1, 2, 3])(X, Z), 1 + 2 * k + 3 * k**2)
    np.testing.assert_allclose(b.on([2])(X, Z), np.outer(X[:, 2], Z[:, 2]))
    assert str(2 * (a + b) ** 2 + 1) == "2 * (RBF(gamma=0.4) + Linear()) ** 2 + 1"


def test_what_need_not_be_a_kernel_is_refused():
    for broken in (-1 * Linear(), Linear() * -0.5, Linear() + -2, Linear() + float("nan")):
        with pytest.raises(ValueError, match=">= 0"):
            broken(X)
    for exponent in (0.5, -1, 2.0):
        with pytest.raises(ValueError, match="whole number"):
            (Linear() ** exponent)(X)
    with pytest.raises(ValueError, match=">= 0"):
        Linear().polynomial([0, -1, 1])(X)
    with pytest.raises(ValueError, match="semi-definite"):
        QuadraticForm(np.diag([1.0, 1.0, 1.0, -1.0]))(X)
    with pytest.raises(ValueError, match="symmetric"):
        QuadraticForm(np.triu(np.ones((4, 4))))(X)
    with pytest.raises(TypeError):
        Linear() + "rbf"
    with pytest.raises(ValueError, match="not the same space"):
        Linear()(X, Z[:, :2])
    with pytest.raises(ValueError, match="one point per row"):
        RBF()(X[0])
    with pytest.raises(ValueError, match="shape"):
        FromFunction(lambda X, Z: np.ones(3))(X)


def test_far_away_clouds_lose_no_digits():
    """Shifting all points changes no distance; without centring the exponent would be off by 1e-4."""
    np.testing.assert_allclose(RBF(0.4)(X + 1e6), RBF(0.4)(X), rtol=0, atol=1e-8)
    assert RBF(0.4)(X + 1e6).max() == 1.0


@pytest.mark.parametrize("n", [1, 5, 256, 257, 400])
def test_gram_matrices_of_vectors_are_symmetric_to_the_last_digit(n):
    X = 3 * np.random.RandomState(n).randn(n, 3)
    A = np.array([[2.0, 0.3, 0.1], [0.3, 1.0, 0.2], [0.1, 0.2, 0.7]])
    plain = [Linear(), Polynomial(3, 0.3, 1.0), RBF(0.4), Tanh(0.1), QuadraticForm(A)]
    for kernel in (*plain, RBF(0.4).on([0, 2]), RBF(2.0) * Linear() + RBF(0.1).on([1])):
        np.testing.assert_array_equal(kernel(X), kernel(X).T)


def test_precomputed_kernel_joins_the_others():
    K = RBF(0.4)(X)
    numbered = np.column_stack([np.arange(len(X)), X])
    both = Precomputed(K).on([0]) + Linear().on([1, 2, 3, 4])
    np.testing.assert_allclose(both(numbered[:20], numbered), (K + Linear()(X))[:20])
    with pytest.raises(ValueError, match="row numbers"):
        Precomputed(K)(X[:, :1])


def test_names_mean_what_scikit_learn_means():
    d = X.shape[1]
    assert named("rbf", X).gamma == pytest.approx(1 / (d * X.var()))
    assert named("rbf", X, gamma="auto").gamma == named("rbf", X, gamma=None).gamma == 1 / d
    assert named("rbf", np.zeros((3, 2))).gamma == 1.0
    assert named("sigmoid", gamma=0.5, coef0=2.0).get_params() == {"gamma": 0.5, "coef0": 2.0}
    kernel = RBF()
    assert named(kernel) is kernel
    with pytest.raises(ValueError, match="kernel must be"):
        named("gauss", X)


def test_grid_search_reaches_nested_parameters():
    points, labels = load_iris(return_X_y=True)
    kernel = RBF(1.0).on([2, 3]) + Linear()
    machine = make_pipeline(StandardScaler(), SVC(kernel=kernel))
    grid = {"svc__kernel__left__kernel__gamma": [0.01, 1.0], "svc__C": [0.1, 1.0]}
    search = GridSearchCV(machine, grid, cv=3).fit(points, labels)
    assert set(search.best_params_) == set(grid)
    assert kernel.left.kernel.gamma == 1.0  # the one passed in was not touched


# Rules

SIMPLE = st.one_of(
    st.just(Linear()),
    st.builds(RBF, gamma=st.floats(0.01, 2)),
    st.builds(Polynomial, degree=st.integers(0, 3), gamma=st.floats(0.01, 1), coef0=st.floats(0, 2)),
    st.builds(Constant, value=st.floats(0, 3)),
)
BUILT = st.recursive(
    SIMPLE,
    lambda part: st.one_of(
        st.builds(lambda a, b: a + b, part, part),
        st.builds(lambda a, b: a * b, part, part),
        st.builds(lambda c, a: c * a, st.floats(0, 3), part),
        st.builds(lambda a, p: a**p, part, st.integers(1, 2)),
        st.builds(lambda a, c: a.polynomial(c), part, st.lists(st.floats(0, 2), min_size=1, max_size=3)),
        st.builds(lambda a: a.normalised(), part),
        st.builds(lambda a: (0.1 * a.normalised()).exp(), part),
        st.builds(lambda a, columns: a.on(columns), SIMPLE, st.just([0])),
    ),
    max_leaves=4,
)


@settings(max_examples=200)
@given(BUILT, st.integers(1, 12), st.integers(0, 10**6))
def test_whatever_the_rules_build_is_a_kernel(kernel, n, seed):
    """On random points, some of them equal; the square matrix, its diagonal and its parts agree."""
    rng = np.random.RandomState(seed)
    points = rng.randn(n, 2)[rng.randint(0, n, size=n)]
    K = kernel(points)
    assert is_psd(K)
    np.testing.assert_allclose(kernel.diag(points), np.diag(K), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(kernel(points[:1], points), K[:1], rtol=1e-9, atol=1e-12 * np.abs(K).max())


# Gram matrices


def test_centred_is_the_gram_matrix_of_centred_images():
    phi, psi = quadratic_features(X[:50], 1.0), quadratic_features(Z, 1.0)
    K, L = phi @ phi.T, psi @ phi.T
    moved, moved_too = phi - phi.mean(axis=0), psi - phi.mean(axis=0)
    np.testing.assert_allclose(centred(K), moved @ moved.T, atol=1e-10)
    np.testing.assert_allclose(centred(L, K), moved_too @ moved.T, atol=1e-10)
    np.testing.assert_allclose(centred(L, K), KernelCenterer().fit(K).transform(L), atol=1e-10)


def test_normalised_has_ones_on_the_diagonal():
    K = normalised(Linear()(X))
    np.testing.assert_allclose(np.diag(K), 1.0)
    np.testing.assert_allclose(K, Linear().normalised()(X), atol=1e-14)
    assert normalised(np.zeros((2, 2))).tolist() == [[0, 0], [0, 0]]


@given(st.integers(1, 6), st.integers(1, 4), st.floats(0, 5), st.integers(0, 10**6))
def test_quadratic_features_are_the_feature_map(n, d, c, seed):
    points = np.random.RandomState(seed).randn(n, d)
    phi = quadratic_features(points, c)
    np.testing.assert_allclose(phi @ phi.T, (points @ points.T + c) ** 2, atol=1e-10)


@given(st.integers(1, 8), st.integers(1, 8), st.integers(0, 10**6))
def test_is_psd_of_products_and_of_shifted_products(n, rank, seed):
    F = np.random.RandomState(seed).randn(n, rank)
    assert is_psd(F @ F.T)
    broken = is_psd(F @ F.T - (0.1 + np.linalg.eigvalsh(F @ F.T)[0]) * np.eye(n))
    assert not broken and broken.smallest == pytest.approx(-0.1)
    v = broken.witness
    assert v @ (F @ F.T) @ v - (0.1 + np.linalg.eigvalsh(F @ F.T)[0]) == pytest.approx(-0.1)


def test_is_psd_knows_what_is_no_gram_matrix():
    assert not is_psd([[1.0, 0.5], [0.0, 1.0]])
    assert is_psd(np.zeros((3, 3)))
    for bad in (np.ones((2, 3)), np.array([[np.nan]])):
        with pytest.raises(ValueError, match="square|NaN"):
            is_psd(bad)


def test_constant_kernel_takes_any_points():
    assert Constant(2.0)(["a", "bb"], ["c"]).tolist() == [[2.0], [2.0]]
    assert (Constant(2.0) + 1).diag([[0.0]]).tolist() == [3.0]


# Numbers of all sizes, constants anywhere, and what is no kernel


def test_exp_is_right_and_has_the_same_bits_on_every_processor():
    eps, t = np.finfo(float).eps, np.arange(-4000, 1) / 4000
    x = (t * t * t * 708)[None]
    e = exp_in_place(x.copy())
    for exponent, value in zip(x[0], e[0], strict=True):
        right = Decimal(exponent).exp()
        assert abs(Decimal(value) - right) <= Decimal(2 * (1 + abs(exponent)) * eps) * right
    assert np.all(np.diff(e) >= 0) and e[0, -1] == 1
    # Products and sums of float64 are the same everywhere, if no compiler makes one rounding out of two.
    assert hashlib.sha256(e.astype("<f8").tobytes()).hexdigest()[:16] == "d0dfdb756f190589"


def test_exp_at_the_edges():
    ends = exp_in_place(np.array([[1e-9, 0.0, -0.0, -1e-300, -708.0, -708.1, -np.inf, np.nan]]))
    np.testing.assert_equal(ends, [[1, 1, 1, 1, ends[0, 4], 0, 0, np.nan]])
    assert ends[0, 4] > 0
    table = -np.arange(24.0).reshape(4, 6)
    for part in table.copy().T, table[::2, 1::2]:  # entries that do not lie side by side
        expected = np.exp(part)
        assert exp_in_place(part) is part
        np.testing.assert_allclose(part, expected, rtol=1e-14)
    assert exp_in_place(np.empty((0, 3))).shape == (0, 3)


def test_one_distant_point_spoils_no_value_of_rbf():
    X = np.vstack([np.random.RandomState(0).randn(100, 2), [[1e9, 0.0]]])
    exact = np.exp(-((X[:, None] - X) ** 2).sum(axis=-1))
    np.testing.assert_allclose(RBF(1.0)(X), exact, atol=1e-14)
    np.testing.assert_allclose(RBF(1.0)(X[:7], X), exact[:7], atol=1e-14)
    np.testing.assert_allclose(RBF(1.0).against(X)(X[:7]), exact[:7], atol=1e-14)


def test_constants_take_whatever_the_others_take():
    X, y = np.random.RandomState(0).randn(20, 2), np.arange(20) % 2
    assert (2 * Constant(1.0) + Linear())([[1.0, 2.0]]).tolist() == [[7.0]]
    assert (Constant(1.0) + Constant(1.0))(["a", "b"]).tolist() == [[2.0, 2.0], [2.0, 2.0]]
    assert (2 * Constant(1.0) + Spectrum(1))(["a", "b"]).tolist() == [[3.0, 2.0], [2.0, 3.0]]
    assert Constant(2.0).on([0])([[1.0, 2.0]]).tolist() == [[2.0]]
    for kernel, same in [
        (2 * Constant(1.0) + RBF(), RBF() + 2),
        (Constant(2.0) ** 2 * RBF(), 4 * RBF()),
        ((Constant(1.0) + Constant(2.0)) * RBF(), 3 * RBF()),
    ]:
        one, two = SVC(kernel=kernel).fit(X, y), SVC(kernel=same).fit(X, y)
        np.testing.assert_allclose(one.decision_function(X), two.decision_function(X), atol=1e-6)


def test_what_is_printed_can_be_read_back():
    for kernel in [
        (2 * Linear()) ** 2,
        2 * Linear() ** 2,
        (RBF() ** 2) ** 3,
        (RBF() * Linear()) ** 2,
        (Linear() + 1.0) ** 2,
        RBF() ** 2 * (Linear() + 1.0),
    ]:
        names = {"RBF": RBF, "Linear": Linear}
        X = np.array([[1.0, 2.0], [0.5, 1.0]])
        np.testing.assert_allclose(eval(str(kernel), names)(X), kernel(X))


def test_polynomials_that_are_no_kernels_are_refused():
    X = [[1.0, 2.0]]
    assert Polynomial(degree=2.0)(X) == Polynomial(degree=2)(X) == 25
    assert Polynomial(degree=0)(X) == 1
    for kernel in [
        Polynomial(degree=2.5),
        Polynomial(degree=-1),
        Polynomial(degree=np.inf),
        Polynomial(coef0=-1),
        Polynomial(gamma=-1),
        Polynomial(gamma=np.nan),
    ]:
        with pytest.raises(ValueError, match=r"Polynomial\(.*\) need not be a kernel"):
            kernel(X)
    with pytest.raises(ValueError, match="need not be a kernel"):
        SVC(kernel="poly", coef0=-1.0).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize("number", [-1, 2, 0.5, np.inf, np.nan])
def test_row_numbers_of_a_given_matrix(number):
    with pytest.raises(ValueError, match="row numbers 0 to 1 in one column"):
        Precomputed([[2.0, 1.0], [1.0, 3.0]])([[number]])
