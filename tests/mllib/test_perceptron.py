"""Perceptrons: against slow twins that read like the chapters, against scikit-learn, and at their limits."""

import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn import linear_model
from sklearn.base import clone
from sklearn.datasets import load_iris, make_blobs, make_classification
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV

import mllib
from mllib import (
    AveragedPerceptron,
    BatchPerceptron,
    KernelPerceptron,
    MarginPerceptron,
    OneVsRestClassifier,
    Perceptron,
    PocketPerceptron,
    VotedPerceptron,
    is_separable,
    mistake_bound,
    noisy_mistake_bound,
)
from mllib.kernels import RBF, Linear
from mllib.perceptron.online import CycleDetector
from tests.mllib.compiler import with_and_without

WALKERS = [Perceptron, MarginPerceptron, VotedPerceptron, AveragedPerceptron, PocketPerceptron]


@pytest.fixture
def noisy():
    """Whole-numbered points that no hyperplane separates: every sum is exact, in whatever order."""
    rng = np.random.RandomState(0)
    X = rng.randint(-9, 10, size=(64, 3)).astype(float)  # and 1/64 is exact, too
    y = np.where(X.sum(axis=1) + 6 * rng.randn(64) > 1, 1, -1)
    assert not is_separable(X, y)
    return X, y


def quietly(fit, *data):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return fit(*data)


def slow_walk(X, y, epochs, seed=0, shuffle=True, tau=0.0, eta=1.0, give_up_after=np.inf):
    """The algorithm of the chapter, with all weight vectors and survival counts written down."""
    rng, w = np.random.RandomState(seed), np.zeros(X.shape[1] + 1)
    Z, caused = np.column_stack([X, np.ones(len(X))]), np.zeros(len(X))
    weights, counts, mistakes = [w], [0], []
    for _ in range(epochs):
        for i in rng.permutation(len(X)) if shuffle else range(len(X)):
            if caused[i] >= give_up_after:
                continue
            if y[i] * (Z[i] @ w) <= tau:
                w = w + eta * y[i] * Z[i]
                caused[i] += 1
                mistakes.append(i)
                weights.append(w)
                counts.append(1)
            else:
                counts[-1] += 1
    return np.array(weights), np.array(counts), np.array(mistakes)


# ---------------------------------------------------------------------------------------------
# The published run


def test_the_run_on_iris():
    """100 rounds, 1595 updates, 5 errors with voting and 6 with averaging (Freund-Schapire voted perceptron).

    Virginica against the rest, petal length and width. In tenths of a centimetre with a bias input of 10 all
    numbers are whole, so the walk is the exact one; the same walk in centimetres depends on rounding.
    """
    iris = load_iris()
    X, y = np.rint(10 * iris.data[:, 2:]), iris.target == 2
    X = np.column_stack([X, np.full(150, 10.0)])
    voted = VotedPerceptron(max_iter=100, fit_intercept=False, random_state=5456).fit(X, y)
    averaged = AveragedPerceptron(max_iter=100, fit_intercept=False, random_state=5456).fit(X, y)
    assert voted.n_iter_ == 100 and voted.counts_.sum() == 15_000
    assert voted.n_updates_ == averaged.n_updates_ == 1595
    assert np.sum(voted.predict(X) != y) == 5
    assert np.sum(averaged.predict(X) != y) == 6


def test_where_the_run_on_iris_lies_among_others():
    iris = load_iris()
    X, y = np.rint(10 * iris.data[:, 2:]), iris.target == 2
    X = np.column_stack([X, np.full(150, 10.0)])
    runs = [
        VotedPerceptron(max_iter=100, fit_intercept=False, random_state=seed).fit(X, y) for seed in range(60)
    ]
    updates = np.array([run.n_updates_ for run in runs])
    assert abs(updates.mean() - 1621) < 12 and 20 < updates.std() < 40
    assert {int(np.sum(run.predict(X) != y)) for run in runs} == {5, 6}
    in_file_order = VotedPerceptron(max_iter=100, fit_intercept=False, shuffle=False).fit(X, y)
    assert in_file_order.n_updates_ <= 690


# ---------------------------------------------------------------------------------------------
# Slow twins and scikit-learn


@pytest.mark.parametrize("shuffle", [True, False])
@pytest.mark.parametrize("give_up_after", [None, 4])
@pytest.mark.parametrize("eta", [1.0, 0.5])
def test_walks_are_those_of_the_slow_twin(noisy, shuffle, give_up_after, eta):
    X, y = noisy
    limit = give_up_after or np.inf
    weights, counts, mistakes = slow_walk(X, y, 12, 3, shuffle, eta=eta, give_up_after=limit)
    same = dict(max_iter=12, random_state=3, shuffle=shuffle, eta0=eta, give_up_after=give_up_after)

    last = quietly(Perceptron(record_updates=True, **same).fit, X, y)
    np.testing.assert_array_equal(np.append(last.coef_, last.intercept_), weights[-1])
    np.testing.assert_array_equal(last.updates_.example, mistakes)
    np.testing.assert_array_equal(last.updates_.coef, weights[1:, :-1])
    np.testing.assert_array_equal(last.updates_.intercept, weights[1:, -1])
    np.testing.assert_array_equal(last.dual_coef_, eta * np.bincount(mistakes, minlength=64))

    voted = VotedPerceptron(**same).fit(X, y)
    np.testing.assert_array_equal(voted.counts_, counts)
    np.testing.assert_array_equal(voted.mistakes_, mistakes)
    np.testing.assert_array_equal(np.column_stack(voted.weights()), weights)
    fresh = np.random.RandomState(1).randint(-9, 10, size=(700, 3)).astype(float)
    scores = np.column_stack([fresh, np.ones(700)]) @ weights.T
    np.testing.assert_array_equal(voted.decision_function(fresh), np.sign(scores) @ counts / counts.sum())

    averaged = AveragedPerceptron(**same).fit(X, y)
    mean = counts @ weights / counts.sum()
    np.testing.assert_allclose(np.append(averaged.coef_, averaged.intercept_), mean, rtol=1e-12)
    assert voted.history_.updates.sum() == averaged.n_updates_ == len(mistakes)
    if give_up_after:
        np.testing.assert_array_equal(
            last.given_up_, np.flatnonzero(np.bincount(mistakes, minlength=64) == 4)
        )


def test_margin_perceptron_is_that_of_the_slow_twin(noisy):
    X, y = noisy
    weights, _, mistakes = slow_walk(X, y, 7, tau=30.0)
    model = quietly(MarginPerceptron(30.0, max_iter=7).fit, X, y)
    np.testing.assert_array_equal(np.append(model.coef_, model.intercept_), weights[-1])
    assert model.n_updates_ == len(mistakes)


def test_pocket_is_gallants_with_ratchet(noisy):
    X, y = noisy
    weights, counts, _ = slow_walk(X, y, 40, 5)
    Z = np.column_stack([X, np.ones(64)])
    pocket, run, errors = weights[0], 0, 64
    for w, c in zip(weights, counts, strict=True):
        wrong = np.sum(y * (Z @ w) <= 0)
        if c > run and wrong < errors:
            pocket, run, errors = w, c, wrong
    model = PocketPerceptron(max_iter=40, random_state=5).fit(X, y)
    np.testing.assert_array_equal(np.append(model.coef_, model.intercept_), pocket)
    assert model.errors_ == errors and model.pocket_.run[-1] == run
    assert np.all(np.diff(model.pocket_.errors) < 0)
    assert model.errors_ == np.sum(y * model.decision_function(X) <= 0)
    least = min(np.sum(y * (Z @ w) <= 0) for w in weights)
    assert least <= model.errors_ < np.sum(y * (Z @ weights[-1]) <= 0)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_equal_to_scikit_learn_without_shuffling(n_classes, fit_intercept):
    X, y = make_classification(200, 8, n_informative=5, n_classes=n_classes, random_state=1)
    peer = linear_model.Perceptron(
        tol=None, max_iter=20, shuffle=False, fit_intercept=fit_intercept, eta0=0.3
    )
    ours = Perceptron(max_iter=20, shuffle=False, fit_intercept=fit_intercept, eta0=0.3)
    peer.fit(X, y), quietly(ours.fit, X, y)
    np.testing.assert_allclose(ours.coef_, peer.coef_, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(ours.intercept_, peer.intercept_, rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(ours.predict(X), peer.predict(X))
    if n_classes == 2:
        again = quietly(ours.fit, X, y, peer.coef_, peer.intercept_)
        peer.fit(X, y, coef_init=peer.coef_.copy(), intercept_init=peer.intercept_.copy())
        np.testing.assert_allclose(again.coef_, peer.coef_, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("Learner", [*WALKERS, BatchPerceptron])
def test_sparse_is_dense(noisy, Learner):
    X, y = noisy
    X = np.where(np.abs(X) < 4, 0.0, X)
    twice = sparse.coo_array(
        (np.append(X.ravel(), X.ravel()) / 2, np.tile(np.indices(X.shape).reshape(2, -1), 2))
    )
    dense = quietly(Learner(max_iter=9).fit, X, y)
    for form in (sparse.csr_array(X), sparse.csc_matrix(X), twice):
        other = quietly(Learner(max_iter=9).fit, form, y)
        np.testing.assert_allclose(other.decision_function(form), dense.decision_function(X), rtol=1e-12)
    if hasattr(dense, "n_updates_"):
        assert other.n_updates_ == dense.n_updates_


def test_batch_is_descent_on_the_criterion():
    X, y = make_blobs(50, centers=2, cluster_std=2.5, random_state=3)
    y = 2 * y - 1
    model = quietly(BatchPerceptron(eta0=2.0, schedule="sqrt", start="random", max_iter=30).fit, X, y)
    h = model.history_
    w, b = h.coef[0], h.intercept[0]
    for t in range(len(h)):
        wrong = y * (X @ w + b) <= 0
        np.testing.assert_allclose(h.coef[t], w)
        np.testing.assert_allclose(h.criterion[t], np.maximum(0, -y * (X @ w + b)).mean())
        assert h.mistakes[t] == wrong.sum() and h.eta[t] == 2.0 / np.sqrt(t + 1)
        delta = -(y[wrong] @ X[wrong]) / 50, -y[wrong].sum() / 50
        np.testing.assert_allclose(h.slope[t], np.hypot(np.linalg.norm(delta[0]), delta[1]))
        w, b = w - h.eta[t] * delta[0], b - h.eta[t] * delta[1]
    small = quietly(BatchPerceptron(eta0=1e-3, start="random", max_iter=500).fit, X, y).history_.criterion
    assert np.all(np.diff(small) < 1e-4)  # a small step hardly ever goes up


@pytest.mark.parametrize("eta", [2.0**-20, 0.5, 8.0])
def test_from_zero_the_step_of_the_batch_perceptron_scales_the_weights_and_nothing_else(noisy, eta):
    X, y = noisy
    one, other = (quietly(BatchPerceptron(eta0=step, max_iter=50, tol=0.02).fit, X, y) for step in (1.0, eta))
    assert one.n_iter_ == other.n_iter_
    np.testing.assert_array_equal(one.history_.mistakes, other.history_.mistakes)
    np.testing.assert_allclose(other.history_.slope, one.history_.slope, rtol=1e-9)
    np.testing.assert_allclose(other.history_.coef, eta * one.history_.coef, rtol=1e-9)


@pytest.mark.parametrize(
    ("X", "tol", "steps"),
    [
        ([[0, 0], [1, 1], [0, 1], [1, 0]], 0.0, 1),  # exclusive or: the pushes cancel at w = 0
        ([[1e-6], [2e-6], [-1e-6], [-2e-6]], 1e-4, 1),  # separable, but in small units
    ],
)
def test_the_batch_perceptron_says_that_it_stopped_with_mistakes(X, tol, steps):
    with pytest.warns(ConvergenceWarning, match=r"4 mistakes and slope .* after 1 rounds \(tol reached\)"):
        model = BatchPerceptron(tol=tol).fit(X, [1, 1, -1, -1])
    assert not model.converged_ and model.n_iter_ == steps and model.history_.mistakes[-1] == 4
    if tol:
        again = BatchPerceptron(tol=0.0).fit(X, [1, 1, -1, -1])
        assert again.converged_ and again.score(X, [1, 1, -1, -1]) == 1.0
    with pytest.warns(ConvergenceWarning, match=r"after 3 rounds \(max_iter reached\)"):
        BatchPerceptron(max_iter=3).fit([[0.0], [1.0], [3.0]], [-1, 1, -1])


# ---------------------------------------------------------------------------------------------
# Kernel perceptron


def test_kernel_perceptron_walks_like_the_perceptron(noisy):
    X, y = noisy
    voted = VotedPerceptron(max_iter=15, random_state=2).fit(X, y)
    averaged = AveragedPerceptron(max_iter=15, random_state=2).fit(X, y)
    last = quietly(Perceptron(max_iter=15, random_state=2).fit, X, y)
    fresh = X[::-1] + 1.0
    for answer, peer in [("last", last), ("averaged", averaged), ("voted", voted)]:
        for cache_size in (200, 1e-3):  # the whole matrix; two rows of it
            model = KernelPerceptron(
                Linear() + 1, answer=answer, max_iter=15, random_state=2, cache_size=cache_size
            )
            quietly(model.fit, X, y)
            np.testing.assert_array_equal(model.mistakes_, voted.mistakes_)
            np.testing.assert_array_equal(model.counts_, voted.counts_)
            np.testing.assert_allclose(
                model.decision_function(fresh), peer.decision_function(fresh), rtol=1e-9, atol=1e-9
            )
        matrix = KernelPerceptron("precomputed", answer=answer, max_iter=15, random_state=2)
        quietly(matrix.fit, X @ X.T + 1, y)
        np.testing.assert_allclose(
            matrix.decision_function(fresh @ X.T + 1), peer.decision_function(fresh), rtol=1e-9, atol=1e-9
        )
    np.testing.assert_allclose(model.history_.norm, last.history_.norm)


def test_kernel_perceptron_separates_what_lines_cannot():
    rng = np.random.RandomState(0)
    X = rng.uniform(-1, 1, size=(200, 2))
    y = np.where(np.hypot(*X.T) > 0.7, "out", "in")
    assert not is_separable(X, y)
    model = KernelPerceptron(gamma=5.0).fit(X, y)
    assert model.converged_ and model.score(X, y) == 1 and len(model.support_) < 100
    limited = KernelPerceptron(RBF(0.01), give_up_after=2, answer="averaged").fit(X, y)
    assert limited.converged_ and limited.n_updates_ <= 400 and len(limited.given_up_) > 0
    search = GridSearchCV(KernelPerceptron(RBF(), answer="voted"), {"kernel__gamma": [0.01, 5.0]}, cv=3)
    assert search.fit(X, y).best_params_ == {"kernel__gamma": 5.0}


def test_kernel_perceptron_reads_strings():
    class SharedLetters(mllib.kernels.Kernel):
        takes_vectors = False

        def _gram(self, X, Z):
            return np.array([[float(len(set(x) & set(z))) for z in Z] for x in X])

    words, y = ["abc", "bca", "xyz", "zyy"], [0, 0, 1, 1]
    model = KernelPerceptron(SharedLetters()).fit(words, y)
    assert model.predict(["a", "x"]).tolist() == [0, 1]


# ---------------------------------------------------------------------------------------------
# Separability and bounds


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("shift", [0.0, 100.0])
def test_separability_does_not_depend_on_units(scale, shift):
    rng = np.random.RandomState(0)
    for n in (10, 40):
        X = scale * (rng.randn(n, 3) * [1, 1e-3, 1e3] + shift)
        y = rng.randint(0, 2, size=n)
        for labels in (y, X[:, 0] > np.median(X[:, 0])):
            answer, sign = is_separable(X, labels), 2.0 * labels - 1
            if answer:
                assert np.all(sign * (X @ answer.coef + answer.intercept) > 0)
            else:
                assert answer.certificate.min() >= 0 and abs(answer.certificate.sum() - 1) < 1e-12
                residual = answer.certificate @ (
                    sign[:, None] * np.column_stack([X - X.mean(axis=0), np.ones(n)])
                )
                assert np.all(np.abs(residual) < 1e-7 * np.append(X.std(axis=0), 1))
        assert answer  # split at the median of a coordinate


def test_contradictory_labels_are_a_certificate():
    answer = is_separable([[1, 2], [5, 5], [1, 2]], ["a", "b", "b"])
    np.testing.assert_allclose(answer.certificate, [0.5, 0, 0.5], atol=1e-12)
    assert is_separable([[1.0], [-1.0]], [1, 0], fit_intercept=False)
    assert is_separable([[1.0], [2.0]], [1, 0]) and not is_separable(
        [[1.0], [2.0]], [1, 0], fit_intercept=False
    )


def test_bounds_reject_what_they_are_not_about():
    X, y = [[0.0], [1.0]], [0, 1]
    assert mistake_bound(X, y, [1.0], 0.0) == np.inf  # does not separate
    assert mistake_bound(X, y, [1.0], -0.5) == mistake_bound(X, y, [2.0], -1.0)
    with pytest.raises(ValueError, match="gamma must be positive"):
        noisy_mistake_bound(X, y, [1.0], gamma=0)
    with pytest.raises(ValueError, match="not all zero"):
        mistake_bound(X, y, [0.0])
    with pytest.raises(ValueError, match="2 classes"):
        mistake_bound([[0.0]] * 3, [0, 1, 2], [1.0])


# ---------------------------------------------------------------------------------------------
# Behaviour at the limits


def test_a_walk_that_cannot_end_says_so(noisy):
    X, y = noisy
    with pytest.warns(ConvergenceWarning, match=r"still \d+ updates in epoch 5 \(max_iter\)"):
        Perceptron(max_iter=5).fit(X, y)
    with pytest.warns(ConvergenceWarning, match="came back to an earlier value after"):
        model = Perceptron(shuffle=False, max_iter=10**6).fit(X, y)
    assert model.cycle_length_ > 0 and not model.converged_ and model.n_iter_ < 10**6
    # those that use the whole walk see the cycle and go on
    voted = VotedPerceptron(shuffle=False, max_iter=model.n_iter_ + 3).fit(X, y)
    assert voted.cycle_length_ == model.cycle_length_ and voted.n_iter_ == model.n_iter_ + 3
    ends = Perceptron(give_up_after=5).fit(X, y)
    assert ends.converged_ and len(ends.given_up_) > 0 and ends.n_updates_ <= 5 * len(X)


def test_votes_count_epochs_that_need_not_be_made():
    X, y = make_blobs(60, centers=2, random_state=0, cluster_std=0.5)
    few, many = (VotedPerceptron(max_iter=k).fit(X, y) for k in (50, 5000))
    assert few.n_iter_ == many.n_iter_ < 50
    assert few.counts_.sum() == 50 * 60 and many.counts_.sum() == 5000 * 60
    np.testing.assert_array_equal(few.counts_[:-1], many.counts_[:-1])


def test_votes_and_representatives(noisy):
    X, y = noisy
    voted = VotedPerceptron(max_iter=30).fit(X, y)
    margin = y * voted.decision_function(X)
    assert -1 <= margin.min() and margin.max() <= 1
    assert np.mean(margin > 0) == voted.score(X, y)
    all_of_them = voted.representatives(len(voted.counts_))
    np.testing.assert_array_equal(all_of_them.decision_function(X), voted.decision_function(X))
    alone = voted.representatives(1)
    coef, intercept = voted.weights()
    longest = voted.counts_.argmax()
    np.testing.assert_array_equal(alone.decision_function(X), np.sign(X @ coef[longest] + intercept[longest]))


def test_many_classes():
    X, y = load_iris(return_X_y=True)
    model = quietly(Perceptron(max_iter=50).fit, X, y)
    assert model.coef_.shape == (3, 4) and model.dual_coef_.shape == (3, 150)
    assert len(model.history_) == len(model.n_updates_) == 3 and model.n_iter_ == 50
    np.testing.assert_allclose(model.coef_[1], (model.dual_coef_[1] * np.where(y == 1, 1, -1)) @ X)
    with pytest.raises(ValueError, match="Only binary classification"):
        VotedPerceptron().fit(X, y)
    assert OneVsRestClassifier(VotedPerceptron(max_iter=50)).fit(X, y).score(X, y) > model.score(X, y)


def test_randomness_is_the_given_one(noisy):
    X, y = noisy
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    for Learner in (*WALKERS, KernelPerceptron):
        one, two, other = (
            quietly(Learner(max_iter=4, random_state=seed).fit, X, y).decision_function(X)
            for seed in (7, 7, 8)
        )
        np.testing.assert_array_equal(one, two)
        assert not np.array_equal(one, other)
    np.testing.assert_array_equal(before, np.random.get_state()[1])  # noqa: NPY002
    start = quietly(Perceptron(start="random", max_iter=1, give_up_after=1).fit, X, y)
    assert start.coef_[0, 0] != round(start.coef_[0, 0])


def test_a_generator_that_is_handed_over_goes_on_after_the_fit(noisy):
    rng, same = np.random.RandomState(1), np.random.RandomState(1)
    model = VotedPerceptron(max_iter=7, random_state=rng).fit(*noisy)
    for _ in range(model.n_iter_):
        same.permutation(64)
    assert rng.randint(2**31) == same.randint(2**31)


def test_cycle_detector_finds_the_length_of_any_cycle():
    for tail in (0, 1, 5, 20):
        for cycle in (1, 2, 3, 17):
            detector, state, found = CycleDetector(), 0, 0
            while not found:
                found = detector.length(np.array([state]))
                state = state + 1 if state + 1 < tail + cycle else tail
                assert detector.age < 200
            assert found == cycle


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (Perceptron(eta0=0), "'eta0' parameter of Perceptron must be a number in (0, inf). Got 0"),
        (Perceptron(max_iter=0), "'max_iter' parameter of Perceptron must be an int in [1, inf)"),
        (Perceptron(start="one"), "'start' parameter of Perceptron must be 'zero' or 'random'"),
        (Perceptron(give_up_after=0), "'give_up_after' parameter"),
        (MarginPerceptron(-1.0), "'threshold' parameter"),
        (BatchPerceptron(schedule="linear"), "'schedule' parameter"),
        (VotedPerceptron(shuffle="yes"), "'shuffle' parameter"),
        (KernelPerceptron(answer="first"), "'answer' parameter"),
        (KernelPerceptron("cubic"), "'kernel' parameter of KernelPerceptron must be"),
        (KernelPerceptron("precomputed"), "must be a square matrix"),
    ],
)
def test_bad_parameters(noisy, model, message):
    with pytest.raises(ValueError) as error:
        clone(model).fit(*noisy)
    assert message in str(error.value)


def test_bad_data(noisy):
    X, y = noisy
    with pytest.raises(ValueError, match="contains only one class"):
        Perceptron().fit(X, np.ones(64))
    with pytest.raises(ValueError, match="coef_init must have shape"):
        Perceptron().fit(X, y, coef_init=[[1.0]])
    with pytest.raises(ValueError, match="intercept_init must have 1 numbers"):
        Perceptron().fit(X, y, intercept_init=[1.0, 2.0])
    with pytest.raises(ValueError, match="exactly 2 classes"):
        is_separable(X, np.zeros(64))
    with pytest.raises(ValueError, match="NaN"):
        is_separable(np.full((4, 1), np.nan), [0, 0, 1, 1])


RUN = """
import warnings
import numpy as np
from scipy import sparse
import mllib
warnings.simplefilter("ignore")
rng = np.random.RandomState(0)
X = rng.randint(-9, 10, size=(40, 3)).astype(float)
y = np.where(X.sum(axis=1) + 5 * rng.randn(40) > 1, 1, -1)
for name in ["Perceptron", "MarginPerceptron", "VotedPerceptron", "AveragedPerceptron", "PocketPerceptron",
             "BatchPerceptron", "KernelPerceptron"]:
    for form in (X, sparse.csr_array(X)):
        if name != "KernelPerceptron" or form is X:
            model = getattr(mllib, name)(max_iter=5).fit(form, y)
            print(name, [float(v).hex() for v in model.decision_function(form)])
"""


def test_the_compiler_changes_nothing():
    said = with_and_without(RUN)
    assert said[0] == said[1] and len(said[0].splitlines()) == 13


def test_what_the_batch_perceptron_says_is_about_its_last_weights():
    X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]
    for rounds in range(1, 30):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            machine = BatchPerceptron(max_iter=rounds).fit(X, y)
        scores = machine.decision_function(X)
        assert machine.converged_ == bool(np.all(np.where(y, 1, -1) * scores > 0))


@pytest.mark.parametrize("eta", [1.0, 0.1, 0.3])
@pytest.mark.parametrize("seed", [0, 3, 13])
def test_ties_of_the_batch_perceptron_are_mistakes_however_long_it_runs(seed, eta):
    """On whole numbers from w = 0 the weights are whole numbers times eta / n, which know every tie."""
    rng = np.random.RandomState(seed)
    n = rng.randint(5, 30)
    X, y = rng.randint(-3, 4, (n, 2)), np.where(rng.rand(n) < 0.5, -1, 1)
    machine = quietly(BatchPerceptron(eta0=eta, tol=0.0, max_iter=1000).fit, X, y)
    Z, w, mistakes = y[:, None] * np.column_stack([X, np.ones(n, np.int64)]), np.zeros(3, np.int64), []
    for _ in range(1000):
        wrong = Z @ w <= 0
        mistakes.append(wrong.sum())
        w += Z[wrong].sum(axis=0)
    np.testing.assert_array_equal(machine.history_.mistakes, mistakes)


@pytest.mark.parametrize("k", [0, -1, 1.5])
def test_representatives_are_counted(k):
    with pytest.raises(ValueError, match="k must be an int"):
        VotedPerceptron().fit([[0.0], [1.0]], [0, 1]).representatives(k)


def test_a_start_without_an_intercept_to_start_is_refused(noisy):
    with pytest.raises(ValueError, match="intercept_init must be 0 with fit_intercept=False"):
        Perceptron(fit_intercept=False).fit(*noisy, intercept_init=[100.0])
    for start in ({"coef_init": [[np.nan, 0.0]]}, {"intercept_init": [np.inf]}):
        with pytest.raises(ValueError, match="must be finite"):
            Perceptron().fit(noisy[0][:, :2], noisy[1], **start)


@pytest.mark.parametrize("Learner", [*WALKERS, BatchPerceptron])
@pytest.mark.parametrize("form", [np.array, sparse.csr_array])
def test_scores_that_overflow_are_no_success(Learner, form):
    X, y = np.array([[1e308, 1e308], [-1e308, 1e308], [1e308, -1e308]]), [0, 1, 1]
    with np.errstate(all="ignore"), pytest.raises(ValueError, match="The scores overflow"):
        Learner(max_iter=20).fit(form(X), y)


def test_scores_of_a_kernel_that_overflow_are_no_success():
    X, y = np.random.RandomState(1).normal(size=(50, 3)) * 1e3, np.arange(50) % 2
    with np.errstate(all="ignore"), pytest.raises(ValueError, match="The scores overflow"):
        KernelPerceptron("poly", degree=60, gamma=1.0, coef0=1.0).fit(X, y)


def test_bounds_and_separability_name_what_is_wrong():
    X, y = [[0.0], [1.0]], [0, 1]
    with pytest.raises(ValueError, match=r"start must be the 2 numbers \(w, b\), got 1"):
        mistake_bound(X, y, [1.0], -0.5, start=0.5)
    with pytest.raises(ValueError, match="epochs must be an int"):
        noisy_mistake_bound(X, y, [1.0], -0.5, gamma=0.1, epochs=-4)
    with pytest.raises(ValueError, match="Unknown label type: continuous"):
        is_separable(X, [0.5, 1.5])
