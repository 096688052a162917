"""Chapter 12: what a kernel is, the rules that build kernels, and the theorems of kernel machines.

Points have small whole coordinates, so some of them coincide and Gram matrices are often singular: there the
difference between semi-definite and definite shows.
"""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import minimize

from mllib import SVC, KernelRidge
from mllib.kernels import (
    RBF,
    Constant,
    FisherKernel,
    GaussianMixture,
    Linear,
    MarkovChain,
    Polynomial,
    QuadraticForm,
    Tanh,
    is_psd,
    quadratic_features,
)

WHOLE = st.integers(-3, 3)
SEEDS = st.integers(0, 2**31 - 1)


@st.composite
def clouds(draw, most=8, columns=None):
    """A few points with whole coordinates."""
    d = draw(st.integers(1, 3)) if columns is None else columns
    rows = draw(st.lists(st.lists(WHOLE, min_size=d, max_size=d), min_size=1, max_size=most))
    return np.array(rows, dtype=float)


@st.composite
def kernels(draw):
    """Kernels known from a feature map, with values that stay small on whole coordinates."""
    return draw(
        st.sampled_from(
            [
                Linear(),
                Polynomial(degree=2, gamma=0.1, coef0=0.5),
                RBF(0.2),
                Constant(0.7),
                RBF(2.0),
            ]
        )
    )


def least(K):
    """The least eigenvalue in units of the greatest absolute one."""
    values = np.linalg.eigvalsh(K)
    scale = np.abs(values).max()
    return values[0] / scale if scale > 0 else 0.0


ROUNDING = -1e-10


@pytest.mark.theorem("prop-quadratic-map")
@given(clouds(), clouds(), st.sampled_from([0.0, 0.5, 3.0]))
def test_the_quadratic_kernel_is_the_product_of_its_features(X, Z, c):
    assume(X.shape[1] == Z.shape[1])
    d = X.shape[1]
    phi = quadratic_features(X, coef0=c)
    assert phi.shape[1] == ((d + 1) * (d + 2) // 2 if c > 0 else d * (d + 1) // 2)
    np.testing.assert_allclose(phi @ quadratic_features(Z, coef0=c).T, (X @ Z.T + c) ** 2, atol=1e-9)


@pytest.mark.theorem("thm-gram")
@given(st.integers(1, 7), SEEDS)
def test_a_symmetric_matrix_is_a_gram_matrix_iff_no_eigenvalue_is_negative(n, seed):
    rng = np.random.RandomState(seed)
    basis = np.linalg.qr(rng.randn(n, n))[0]
    values = rng.choice([-1.0, 0.0, 0.5, 2.0], size=n)
    K = (basis * values) @ basis.T
    answer = is_psd(K)
    assert answer.psd == bool(values.min() >= 0)
    if answer.psd:
        found, vectors = np.linalg.eigh(K)
        images = vectors * np.sqrt(np.maximum(found, 0))  # the feature map of the proof
        np.testing.assert_allclose(images @ images.T, K, atol=1e-10)
    else:  # a vector whose image would have a negative squared length
        assert answer.witness @ K @ answer.witness < 0


@pytest.mark.theorem("thm-gram")
@given(clouds(), kernels(), SEEDS)
def test_squared_lengths_of_sums_of_images_are_not_negative(X, kernel, seed):
    K = kernel(X)
    a = np.random.RandomState(seed).randn(len(X))
    np.testing.assert_array_equal(K, K.T)
    assert a @ K @ a >= -1e-10 * (np.abs(a) @ np.abs(K) @ np.abs(a))


@pytest.mark.theorem("thm-gram")
@given(clouds(), clouds(), SEEDS)
def test_the_product_of_functions_does_not_depend_on_how_they_are_written(X, Z, seed):
    """The space of the proof: a multiple of a null vector of K may be added to the coefficients."""
    assume(X.shape[1] == Z.shape[1])
    kernel = Polynomial(degree=2, gamma=0.5, coef0=1)
    K, rng = kernel(X), np.random.RandomState(seed)
    a, b = rng.randn(len(X)), rng.randn(len(Z))
    values, vectors = np.linalg.eigh(K)
    null = vectors[:, values < 1e-9 * values[-1]]
    other = a + null @ rng.randn(null.shape[1])
    np.testing.assert_allclose(other @ kernel(X, Z) @ b, a @ kernel(X, Z) @ b, atol=1e-5 * values[-1])


@pytest.mark.theorem("prop-closure-sum")
@given(clouds(), kernels(), kernels(), st.sampled_from([0.0, 0.3, 5.0]))
def test_sums_and_positive_multiples(X, k1, k2, c):
    np.testing.assert_allclose((k1 + c * k2 + c)(X), k1(X) + c * k2(X) + c)
    assert least((k1 + c * k2 + c)(X)) >= ROUNDING


@pytest.mark.theorem("prop-closure-product")
@given(clouds(), kernels(), kernels(), SEEDS)
def test_products_and_outer_factors(X, k1, k2, seed):
    np.testing.assert_allclose((k1 * k2)(X), k1(X) * k2(X))
    assert least((k1 * k2)(X)) >= ROUNDING
    h = np.random.RandomState(seed).randn(len(X))
    assert least(h[:, None] * k1(X) * h) >= ROUNDING
    K = k1.normalised()(X)
    assert least(K) >= ROUNDING
    assert np.all(np.abs(K) <= 1 + 1e-12)


@pytest.mark.theorem("prop-closure-subset")
@given(clouds(columns=3), kernels(), kernels())
def test_kernels_on_some_coordinates(X, k1, k2):
    for S, T in [([0], [1, 2]), ([0, 1], [1, 2]), ([2], [2])]:
        first, second = k1(X[:, S]), k2(X[:, T])
        np.testing.assert_allclose((k1.on(S) + k2.on(T))(X), first + second)
        np.testing.assert_allclose((k1.on(S) * k2.on(T))(X), first * second)
        assert least(first + second) >= ROUNDING
        assert least(first * second) >= ROUNDING


@pytest.mark.theorem("prop-closure-quadratic")
@given(st.integers(1, 4), SEEDS)
def test_quadratic_forms_are_kernels_iff_the_matrix_is_semidefinite(d, seed):
    rng = np.random.RandomState(seed)
    basis = np.linalg.qr(rng.randn(d, d))[0]
    values = rng.choice([-1.0, 0.0, 1.0, 3.0], size=d)
    A = (basis * values) @ basis.T
    A = (A + A.T) / 2
    X = rng.randn(6, d)
    if values.min() >= 0:
        np.testing.assert_allclose(QuadraticForm(A)(X), X @ A @ X.T)
        assert least(QuadraticForm(A)(X)) >= ROUNDING
    else:
        assert np.linalg.eigvalsh(np.eye(d) @ A @ np.eye(d))[0] < -0.5  # the unit vectors refute it
        with pytest.raises(ValueError, match="symmetric positive semi-definite"):
            QuadraticForm(A)(X)


@pytest.mark.theorem("prop-closure-polynomial")
@given(clouds(), kernels(), st.lists(st.sampled_from([0.0, 0.2, 1.0]), min_size=1, max_size=4))
def test_polynomials_with_nonnegative_coefficients(X, kernel, q):
    K = kernel(X)
    direct = sum(coefficient * K**power for power, coefficient in enumerate(q))
    np.testing.assert_allclose(kernel.polynomial(q)(X), direct, atol=1e-9)
    assert least(direct) >= ROUNDING


@pytest.mark.theorem("prop-closure-polynomial")
@given(st.lists(st.integers(1, 9), min_size=1, max_size=4, unique=True))
def test_a_negative_coefficient_breaks_the_rule(sizes):
    """k = xz, q = t^2 - t on points symmetric about 0: x itself is an eigenvector, with value -x.x."""
    half = 0.1 * np.array(sizes)
    x = np.r_[-half, 0, half]
    K = np.outer(x, x)
    np.testing.assert_allclose((K**2 - K) @ x, -(x @ x) * x, atol=1e-12)
    five = 0.6 * np.arange(-2, 3)
    K = np.outer(five, five)
    assert np.linalg.eigvalsh(K**2 - K)[0] == pytest.approx(-3.6, abs=1e-12)
    with pytest.raises(ValueError, match="need not be a kernel"):
        Linear().polynomial([0, -1, 1])(five[:, None])


@pytest.mark.theorem("prop-closure-exp")
@given(clouds(), kernels())
def test_exponentials_are_limits_of_polynomials(X, kernel):
    kernel = 0.2 * kernel
    K, factorials = kernel(X), np.cumprod(np.r_[1.0, np.arange(1, 60)])
    np.testing.assert_allclose(kernel.exp()(X), np.exp(K))
    np.testing.assert_allclose(kernel.polynomial(1 / factorials)(X), np.exp(K), rtol=1e-9)
    assert least(np.exp(K)) >= ROUNDING


@pytest.mark.theorem("prop-rbf")
@given(clouds(), st.sampled_from([0.1, 0.5, 2.0]))
def test_the_gaussian_kernel_is_a_normalised_exponential_and_definite(X, gamma):
    np.testing.assert_allclose((2 * gamma * Linear()).exp().normalised()(X), RBF(gamma)(X), atol=1e-12)
    different = np.unique(X, axis=0)
    assert np.linalg.eigvalsh(RBF(gamma)(different))[0] > 0
    if len(different) < len(X):
        assert abs(np.linalg.eigvalsh(RBF(gamma)(X))[0]) < 1e-12


@pytest.mark.theorem("prop-tanh")
def test_tanh_at_one_and_two():
    values = np.linalg.eigvalsh(Tanh()([[1.0], [2.0]]))
    assert values[0] == pytest.approx(-0.0909, abs=5e-5)
    assert np.prod(values) == pytest.approx(np.tanh(1) * np.tanh(4) - np.tanh(2) ** 2)
    assert not is_psd(Tanh()([[1.0], [2.0]]))


@pytest.mark.theorem("prop-tanh")
@given(
    st.sampled_from([-3.0, -0.3, 0.01, 0.5, 4.0]),
    st.sampled_from([-2.0, -0.1, 0.0, 0.1, 2.0]),
    st.integers(1, 3),
    SEEDS,
)
def test_tanh_is_refuted_by_differences_near_the_origin(gamma, c, d, seed):
    """Points t e, with the t and a that single out the first negative Taylor coefficient."""
    sign_of = {-1: "here", 0: "third", 1: "second"}[int(np.sign(c))]
    if sign_of == "third" and gamma < 0:
        sign_of = "first"
    t, a = {
        "here": ([0.0], [1.0]),
        "first": ([-1.0, 1.0], [-1.0, 1.0]),
        "second": ([-1.0, 0.0, 1.0], [1.0, -2.0, 1.0]),
        "third": ([-3.0, -1.0, 1.0, 3.0], [-1.0, 3.0, -3.0, 1.0]),
    }[sign_of]
    e = np.random.RandomState(seed).randn(d)
    e /= np.linalg.norm(e)
    reach = 0.2 / np.sqrt(abs(gamma))
    K = Tanh(gamma, c)(reach * np.outer(t, e))
    assert np.array(a) @ K @ np.array(a) < 0


@pytest.mark.theorem("thm-representer")
@given(SEEDS, st.sampled_from(["square", "absolute", "hinge"]), st.sampled_from([0.5, 1.0, 3.0]))
def test_leaving_the_span_costs_and_brings_nothing(seed, loss, power):
    """For any w the projection has the same scores; penalty |w|^power is strictly increasing."""
    rng = np.random.RandomState(seed)
    Phi, y, w = rng.randn(4, 9), rng.choice([-1.0, 1.0], size=4), rng.randn(9)

    def goal(w):
        scores = Phi @ w
        losses = {
            "square": (y - scores) ** 2,
            "absolute": np.abs(y - scores),
            "hinge": np.fmax(0, 1 - y * scores),
        }
        return losses[loss].sum() + np.linalg.norm(w) ** power

    projection = Phi.T @ np.linalg.solve(Phi @ Phi.T, Phi @ w)
    np.testing.assert_allclose(Phi @ projection, Phi @ w, atol=1e-10)
    assert goal(projection) < goal(w)


@pytest.mark.theorem("thm-representer")
@given(SEEDS)
def test_a_machine_trained_on_features_is_a_sum_of_its_examples(seed):
    rng = np.random.RandomState(seed)
    X = rng.randn(6, 4)
    y = np.r_[1, -1, rng.choice([-1, 1], size=4)]
    Phi = quadratic_features(X)
    w = SVC(kernel="linear", C=1.0, tol=1e-8).fit(Phi, y).coef_[0]
    beta = np.linalg.lstsq(Phi.T, w, rcond=None)[0]
    np.testing.assert_allclose(Phi.T @ beta, w, atol=1e-8)


@pytest.mark.theorem("thm-representer")
def test_a_penalty_that_is_no_length_need_not_have_a_representer():
    """One example (2, 1) and the penalty |w_1| + |w_2|: the score 1 is cheapest at (1/2, 0)."""
    first = np.linspace(-1, 1, 2001)
    second = 1 - 2 * first
    best = np.argmin(np.abs(first) + np.abs(second))
    np.testing.assert_allclose([first[best], second[best]], [0.5, 0.0], atol=1e-12)


@pytest.mark.theorem("prop-kernel-ridge")
@given(st.integers(1, 8), st.integers(1, 8), st.sampled_from([0.05, 1.0, 20.0]), SEEDS)
def test_ridge_regression_in_features_and_in_examples(n, D, lam, seed):
    rng = np.random.RandomState(seed)
    Phi, y = rng.randint(-2, 3, size=(n, D)).astype(float), rng.randn(n)
    w = np.linalg.solve(Phi.T @ Phi + lam * np.eye(D), Phi.T @ y)
    machine = KernelRidge(alpha=lam, kernel="linear").fit(Phi, y)
    np.testing.assert_allclose(Phi.T @ machine.dual_coef_, w, atol=1e-9)
    np.testing.assert_allclose(machine.dual_coef_, (y - Phi @ w) / lam, atol=1e-8)
    # w is the only minimiser: any step away costs lam |step|^2 at least
    step = rng.randn(D)

    def goal(w):
        return np.sum((y - Phi @ w) ** 2) + lam * w @ w

    assert goal(w + step) - goal(w) >= lam * step @ step * (1 - 1e-9) - 1e-9


@pytest.mark.theorem("prop-kernel-ridge")
@given(clouds(most=7), st.sampled_from([0.1, 2.0]), SEEDS)
def test_ridge_regression_by_numerical_minimisation_in_the_space_of_the_kernel(X, lam, seed):
    y, K = np.random.RandomState(seed).randn(len(X)), RBF(0.5)(X)

    def goal(a):
        return np.sum((y - K @ a) ** 2) + lam * a @ K @ a

    found = minimize(goal, np.zeros(len(X)), method="BFGS", options={"gtol": 1e-9})
    machine = KernelRidge(alpha=lam, kernel=RBF(0.5)).fit(X, y)
    np.testing.assert_allclose(K @ found.x, machine.predict(X), atol=1e-4)
    assert goal(machine.dual_coef_) <= found.fun + 1e-10


def solve_without_bias(Q, C, fixed=None):
    """max sum alpha - alpha'Q alpha / 2 in the box, by coordinate ascent; certified by its KKT conditions."""
    alpha, slope = np.zeros(len(Q)), np.ones(len(Q))
    free = [i for i in range(len(Q)) if i != fixed]
    for _ in range(100_000):
        largest = 0.0
        for i in free:
            best = C if Q[i, i] == 0 else np.clip(alpha[i] + slope[i] / Q[i, i], 0, C)
            move = best - alpha[i]
            alpha[i] += move
            slope -= move * Q[i]
            largest = max(largest, abs(move))
        if largest < 1e-11:
            break
    assert np.all(slope[free] <= 1e-6 + np.where(alpha[free] >= C, np.inf, 0))
    assert np.all(slope[free] >= -1e-6 - np.where(alpha[free] <= 0, np.inf, 0))
    return alpha


@pytest.mark.theorem("prop-loo-jh")
@given(SEEDS, st.integers(2, 7), st.sampled_from([0.2, 1.0, 10.0]), st.sampled_from(["linear", "gauss"]))
def test_an_example_loses_at_most_its_own_contribution(seed, n, C, kind):
    rng = np.random.RandomState(seed)
    X, y = rng.randint(-3, 4, size=(n, 2)).astype(float), rng.choice([-1.0, 1.0], size=n)
    K = X @ X.T + 1 if kind == "linear" else RBF(0.3)(X)
    Q = np.outer(y, y) * K
    alpha = solve_without_bias(Q, C)
    for i in range(n):
        without = (Q @ solve_without_bias(Q, C, fixed=i))[i]
        assert without >= (Q @ alpha)[i] - alpha[i] * Q[i, i] - 1e-5
        if alpha[i] == 0:
            assert without == pytest.approx((Q @ alpha)[i], abs=1e-5)


@pytest.mark.theorem("prop-fisher-invariant")
@given(SEEDS)
def test_the_fisher_kernel_does_not_see_the_parameters(seed):
    """A normal distribution with deviation s, with ln s, and with any linear change of parameters."""
    rng = np.random.RandomState(seed)
    X = rng.randn(30, 2) * [1, 4] + [0, 3]
    model = GaussianMixture.fit(X, components=1)
    kernel = FisherKernel(model)(X)
    U = model.scores(X)
    J = np.diag(np.r_[1, 1, model.deviations[0]]) @ (rng.randn(4, 4) + 3 * np.eye(4))
    changed = model._replace(training_scores=U @ J)
    assume(np.linalg.cond(J) < 1e3)
    other = (U @ J) @ np.linalg.solve(changed.training_scores.T @ changed.training_scores / 30, (U @ J).T)
    np.testing.assert_allclose(other, kernel, atol=1e-8)
    log_scale = U * np.r_[1, 1, model.deviations[0]]
    assert not np.allclose(log_scale @ log_scale.T, FisherKernel(model, information="identity")(X))


@pytest.mark.theorem("prop-fisher-invariant")
@given(st.lists(st.text("acgt", min_size=2, max_size=12), min_size=3, max_size=6))
def test_scores_of_a_chain_are_derivatives(strings):
    chain = MarkovChain.fit(strings)
    s = np.log(chain.transitions)

    def log_likelihood(x, s):
        theta = np.exp(s) / np.exp(s).sum(axis=1, keepdims=True)
        steps = zip(x, x[1:], strict=False)
        return sum(np.log(theta["acgt".index(a), "acgt".index(b)]) for a, b in steps)

    x, step = strings[0], 1e-5
    for place in range(16):
        move = step * np.eye(16)[place].reshape(4, 4)
        slope = (log_likelihood(x, s + move) - log_likelihood(x, s - move)) / (2 * step)
        assert slope == pytest.approx(chain.scores([x])[0, place], abs=1e-5)
