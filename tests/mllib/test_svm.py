"""SVC, SVR and the hard margin: LIBSVM as oracle, certificates, many classes, weights."""

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn import datasets, svm
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import linear_kernel, polynomial_kernel, rbf_kernel
from sklearn.preprocessing import scale

from mllib import SVC, SVR, HardMarginSVC, LinearSVC
from mllib.kernels import RBF

KERNELS = {
    "linear": dict(kernel="linear"),
    "rbf": dict(kernel="rbf", gamma=0.2),
    "poly": dict(kernel="poly", degree=3, gamma=0.1, coef0=1.0),
}
GRAMS = {
    "linear": linear_kernel,
    "rbf": lambda X: rbf_kernel(X, gamma=0.2),
    "poly": lambda X: polynomial_kernel(X, degree=3, gamma=0.1, coef0=1.0),
}


def two(loader, a, b, limit=300):
    X, y = loader(return_X_y=True)
    X, y = X[(y == a) | (y == b)][:limit], y[(y == a) | (y == b)][:limit]
    X = X[:, X.std(axis=0) > 0]
    return scale(X), y


CLASSIFICATION = {
    "iris": two(datasets.load_iris, 1, 2),
    "wine": two(datasets.load_wine, 0, 1),
    "cancer": two(datasets.load_breast_cancer, 0, 1),
    "digits": two(datasets.load_digits, 3, 8),
    "moons": datasets.make_moons(200, noise=0.3, random_state=0),
    "noise": datasets.make_classification(150, 5, flip_y=0.3, random_state=0),
    "uneven": datasets.make_classification(200, 6, weights=[0.9], class_sep=0.7, random_state=1),
}
rng = np.random.RandomState(0)
X_sine = rng.uniform(-3, 3, size=(150, 1))
REGRESSION = {
    "sine": (X_sine, np.sin(2 * X_sine[:, 0]) + 0.2 * rng.randn(150)),
    "diabetes": (
        scale(datasets.load_diabetes().data)[:150],
        scale(datasets.load_diabetes().target.astype(float))[:150],
    ),
    "friedman": datasets.make_friedman1(150, random_state=0),
}


def dual(K, y, beta):
    return y @ beta - 0.5 * beta @ K @ beta


def full(machine, n):
    beta = np.zeros(n)
    beta[machine.support_] = machine.dual_coef_[0]
    return beta


# Oracles


def patient(peer):
    """LIBSVM without limit takes up to a minute for some of these problems (80 million steps)."""
    return peer.set_params(max_iter=2_000_000, cache_size=500)


def agree_or_better(ours, theirs, gap, peer):
    """Equal to six digits; or else more than LIBSVM reached, and no more than the gap allows.

    LIBSVM keeps kernel values in float32, which costs it up to 5e-5 where C is large; or gives up.
    """
    assert ours >= theirs - 1e-6 * abs(theirs)
    if peer.fit_status_ != 0 or ours > theirs + 1e-6 * abs(theirs):
        assert gap <= 1e-6 * ours
    if peer.fit_status_ == 0:
        assert ours <= theirs + 1e-4 * abs(theirs)


@pytest.mark.filterwarnings("ignore:Solver terminated early:sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0, 1e4])
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("name", CLASSIFICATION)
def test_classification_reaches_the_optimum_of_libsvm(name, kernel, C):
    X, y = CLASSIFICATION[name]
    ours = SVC(C=C, tol=1e-6, **KERNELS[kernel]).fit(X, y)
    peer = patient(svm.SVC(C=C, tol=1e-4, **KERNELS[kernel])).fit(X, y)
    K, sign = GRAMS[kernel](X), np.where(y == y.max(), 1.0, -1.0)
    beta = full(ours, len(y))
    agree_or_better(dual(K, sign, beta), dual(K, sign, full(peer, len(y))), ours.duality_gap_[0], peer)
    assert ours.dual_objective_[0] == pytest.approx(dual(K, sign, beta), rel=1e-9)
    # feasible, and no pair violates by more than tol: in float64, from the matrix itself
    assert abs(beta.sum()) <= 1e-12 * np.abs(beta).sum() and np.all(beta * sign >= 0)
    assert np.all(beta * sign <= C)
    pull = sign - K @ beta
    m = pull[beta < np.maximum(0, C * sign)].max()
    M = pull[beta > np.minimum(0, C * sign)].min()
    assert m - M <= 1e-6 * (1 + 1e-3)
    assert M - 1e-9 <= ours.intercept_[0] <= m + 1e-9 or M >= m
    # primal minus dual is what was promised, and small
    primal = 0.5 * beta @ K @ beta + C * np.maximum(0, 1 - sign * (K @ beta + ours.intercept_[0])).sum()
    assert ours.duality_gap_[0] == pytest.approx(primal - dual(K, sign, beta), rel=1e-5, abs=1e-9 * primal)
    assert -1e-9 * primal <= ours.duality_gap_[0] <= len(y) * C * 1e-6


@pytest.mark.filterwarnings("ignore:Solver terminated early:sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("epsilon", [0.0, 0.2])
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0, 1e4])
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("name", REGRESSION)
def test_regression_reaches_the_optimum_of_libsvm(name, kernel, C, epsilon):
    X, y = REGRESSION[name]
    ours = SVR(C=C, tol=1e-6, epsilon=epsilon, **KERNELS[kernel]).fit(X, y)
    peer = patient(svm.SVR(C=C, tol=1e-4, epsilon=epsilon, **KERNELS[kernel])).fit(X, y)
    K = GRAMS[kernel](X)

    def objective(beta):
        return dual(K, y, beta) - epsilon * np.abs(beta).sum()

    beta = full(ours, len(y))
    agree_or_better(objective(beta), objective(full(peer, len(y))), ours.duality_gap_, peer)
    assert ours.dual_objective_ == pytest.approx(objective(beta), rel=1e-9)
    assert abs(beta.sum()) <= 1e-12 * np.abs(beta).sum() and np.all(np.abs(beta) <= C)
    errors = np.maximum(0, np.abs(y - ours.predict(X)) - epsilon)
    primal = 0.5 * beta @ K @ beta + C * errors.sum()
    assert -1e-9 * primal <= primal - objective(beta) <= len(y) * C * 1e-6
    assert ours.duality_gap_ == pytest.approx(primal - objective(beta), rel=1e-4, abs=1e-8 * primal)


@pytest.mark.parametrize("tol", [1e-3, 1e-6])
def test_blocks_and_one_piece_find_the_same(tol):
    """3000 points do not fit into one piece; the oracle has no blocks."""
    X, y = datasets.make_classification(3000, 8, n_informative=5, flip_y=0.1, random_state=0)
    ours = SVC(C=2.0, tol=tol, cache_size=30).fit(X, y)
    peer = svm.SVC(C=2.0, tol=tol).fit(X, y)
    assert len(y) > 2000
    np.testing.assert_allclose(ours.decision_function(X), peer.decision_function(X), atol=5 * tol)
    assert ours.duality_gap_[0] <= 1e-2 * tol * ours.dual_objective_[0] * len(y)
    line = X[:, :1] + 0.1 * X[:, 1:2]
    regression = SVR(C=2.0, tol=tol, cache_size=30).fit(X, line[:, 0])
    peer = svm.SVR(C=2.0, tol=tol).fit(X, line[:, 0])
    np.testing.assert_allclose(regression.predict(X), peer.predict(X), atol=5 * tol)


def test_hard_margin_is_the_limit_of_the_soft_one():
    X, y = datasets.make_blobs(100, centers=[[0, 0], [4, 4]], cluster_std=0.8, random_state=3)
    hard = HardMarginSVC(tol=1e-9).fit(X, y)
    soft = svm.SVC(kernel="linear", C=1e8, tol=1e-9).fit(X, y)
    np.testing.assert_allclose(hard.coef_, soft.coef_, rtol=1e-6)
    np.testing.assert_allclose(hard.intercept_, soft.intercept_, rtol=1e-6)
    assert hard.margin_ == pytest.approx(1 / np.linalg.norm(soft.coef_), rel=1e-6)
    assert 0 <= hard.duality_gap_ <= 1e-6 * hard.dual_objective_
    w = minimize(
        lambda w: 0.5 * w[:2] @ w[:2],
        np.r_[hard.coef_[0] * 2, hard.intercept_ * 2],
        constraints={"type": "ineq", "fun": lambda w: (2 * y - 1) * (X @ w[:2] + w[2]) - 1},
        method="SLSQP",
        options={"ftol": 1e-12},
    ).x
    np.testing.assert_allclose(w, np.r_[hard.coef_[0], hard.intercept_], rtol=1e-4)


@pytest.mark.parametrize("kernel", ["linear", "poly", RBF(10.0)], ids=str)
def test_hard_margin_says_that_there_is_none(kernel):
    """The same point with both labels: no kernel separates it."""
    X = np.array([[0.0, 1.0], [2.0, 0.0], [0.0, 1.0], [3.0, 3.0]])
    with pytest.raises(ValueError, match="not separable"):
        HardMarginSVC(kernel=kernel).fit(X, [0, 1, 1, 0])
    if kernel != "linear":
        X[2] = [0.0, 1.5]
        machine = HardMarginSVC(kernel=kernel).fit(X, [0, 1, 1, 0])
        assert machine.score(X, [0, 1, 1, 0]) == 1.0 and machine.margin_ > 0


# Many classes


@pytest.mark.parametrize("kernel", ["linear", "rbf", "poly", "precomputed", RBF(0.05), lambda X, Z: X @ Z.T])
@pytest.mark.parametrize("loader", [datasets.load_iris, datasets.load_wine, datasets.load_digits])
def test_many_classes_one_against_one(loader, kernel):
    X, y = loader(return_X_y=True)
    X, y = (X / 16, y) if len(X) > 1000 else (scale(X), y)
    X, y = X[:700], y[:700]
    y = np.array(["z", "y", "x", "w", "v", "u", "t", "s", "r", "q"])[y]
    if isinstance(kernel, str) and kernel == "precomputed":
        X = rbf_kernel(X, gamma=0.1)
    peer_kernel = {RBF: lambda X, Z: rbf_kernel(X, Z, gamma=0.05)}.get(type(kernel), kernel)
    ours = SVC(kernel=kernel, tol=1e-6, decision_function_shape="ovo").fit(X, y)
    peer = svm.SVC(kernel=peer_kernel, tol=1e-6, decision_function_shape="ovo").fit(X, y)
    np.testing.assert_allclose(ours.decision_function(X), peer.decision_function(X), atol=2e-5)
    ours.set_params(decision_function_shape="ovr")
    peer.set_params(decision_function_shape="ovr")
    scores = ours.decision_function(X)
    np.testing.assert_array_equal(np.rint(scores), np.rint(peer.decision_function(X)))
    assert (ours.predict(X) == peer.predict(X)).mean() > 0.998  # scores of 0 to rounding may vote either way
    assert np.array_equal(ours.classes_, peer.classes_)
    ours.set_params(break_ties=True)
    np.testing.assert_array_equal(ours.predict(X), ours.classes_[scores.argmax(axis=1)])
    sizes = [(y[ours.support_] == c).sum() for c in ours.classes_]
    assert sizes == ours.n_support_.tolist() and ours.dual_coef_.shape == (len(sizes) - 1, sum(sizes))
    assert (
        ours.intercept_.shape
        == ours.n_iter_.shape
        == ours.duality_gap_.shape
        == (len(scores[0]) * (len(scores[0]) - 1) // 2,)
    )
    if isinstance(kernel, str) and kernel == "linear":
        np.testing.assert_allclose(ours.coef_, peer.coef_, atol=2e-5)
    else:
        assert not hasattr(ours, "coef_")


@pytest.mark.parametrize("n", [90, 900])
def test_few_and_many_points_take_different_ways_to_the_same(n):
    """Up to 500 points one kernel matrix serves all pairs, beyond each pair has its own."""
    X, y = datasets.make_blobs(n, centers=5, n_features=3, cluster_std=3.0, random_state=0)
    one = SVC(tol=1e-9, gamma=0.1).fit(X, y)
    little_memory = SVC(tol=1e-9, gamma=0.1, cache_size=0.01).fit(X, y)
    matrix = SVC(tol=1e-9, kernel="precomputed").fit(rbf_kernel(X, gamma=0.1), y)
    for other, points in ((little_memory, X), (matrix, rbf_kernel(X, gamma=0.1))):
        np.testing.assert_allclose(other.decision_function(points), one.decision_function(X), atol=1e-7)
        np.testing.assert_array_equal(other.support_, one.support_)


# Weights


def test_class_weights_are_factors_of_C():
    X, y = CLASSIFICATION["uneven"]
    for weight in ("balanced", {0: 0.3, 1: 4.0}):
        ours = SVC(class_weight=weight, tol=1e-6, gamma=0.2).fit(X, y)
        peer = svm.SVC(class_weight=weight, tol=1e-6, gamma=0.2).fit(X, y)
        np.testing.assert_allclose(ours.decision_function(X), peer.decision_function(X), atol=1e-5)
        np.testing.assert_allclose(ours.class_weight_, peer.class_weight_)


@pytest.mark.parametrize(("ours", "peer"), [(SVC, svm.SVC), (SVR, svm.SVR)])
def test_sample_weights_are_factors_of_C_and_repetition(ours, peer):
    X, y = CLASSIFICATION["noise"]
    y = y.astype(float)
    weights = np.random.RandomState(0).randint(0, 4, size=len(y))
    weighted = ours(tol=1e-8, gamma=0.3, C=0.7).fit(X, y, sample_weight=weights)
    repeated = ours(tol=1e-8, gamma=0.3, C=0.7).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    oracle = peer(tol=1e-8, gamma=0.3, C=0.7).fit(X, y, sample_weight=weights)

    def f(model):
        return model.decision_function(X) if hasattr(model, "decision_function") else model.predict(X)

    np.testing.assert_allclose(f(weighted), f(oracle), atol=1e-6)
    np.testing.assert_allclose(f(weighted), f(repeated), atol=1e-6)
    assert np.all(weights[weighted.support_] > 0)


def test_no_steps_and_three_classes():
    X, y = datasets.load_iris(return_X_y=True)
    with pytest.warns(ConvergenceWarning):
        machine = SVC(max_iter=0).fit(X, y)
    assert machine.n_iter_.max() == 0


@pytest.mark.parametrize("weight", [{0: -1, 1: 1}, {0: np.nan, 1: 1}, {0: np.inf, 1: 1}])
@pytest.mark.parametrize("learner", [SVC, LinearSVC])
def test_class_weights_must_be_weights(learner, weight):
    X, y = datasets.make_blobs(20, centers=2, random_state=0)
    with pytest.raises(ValueError, match="class_weight must be finite and not negative"):
        learner(class_weight=weight).fit(X, y)


@pytest.mark.parametrize("parameter", ["tol", "cache_size", "gamma", "coef0"])
def test_infinite_parameters_are_refused(parameter):
    X, y = datasets.make_blobs(20, centers=2, random_state=0)
    with pytest.raises(ValueError, match=f"{parameter!r} parameter"):
        SVC(**{parameter: np.inf}).fit(X, y)


def test_equal_points_of_both_classes_are_not_separable_by_rounding():
    kernel = dict(kernel="poly", gamma=0.5, coef0=1)
    with pytest.raises(ValueError, match="not separable"):
        HardMarginSVC(**kernel).fit([[2.0]] * 4, [1, -1, -1, -1])


@pytest.mark.parametrize("gamma", [-1.0, np.inf, np.nan])
def test_a_gaussian_has_a_finite_width(gamma):
    with pytest.raises(ValueError, match="gamma must be finite and not negative"):
        RBF(gamma)([[0.0]], [[1.0]])
