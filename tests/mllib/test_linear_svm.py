"""Linear support vector machines: certificates, LIBLINEAR and SGDClassifier as oracles, and their limits."""

import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn import linear_model, svm
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, make_classification
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import scale

from mllib import LinearSVC, PegasosClassifier, SGDHingeClassifier
from mllib.linear_svm import dual_coordinate_descent
from mllib.linear_svm.pegasos import SubgradientDescent
from tests.mllib.compiler import with_and_without

LOSSES = ["hinge", "squared_hinge"]


def data_sets():
    rng = np.random.RandomState(0)
    iris, cancer, digits = load_iris(), load_breast_cancer(), load_digits()
    text = sparse.random(300, 2000, density=0.01, format="csr", random_state=0)
    return {
        "iris": (iris.data, iris.target == 2),
        "cancer": (scale(cancer.data), cancer.target),
        "digits": (digits.data[:600] / 16, digits.target[:600] % 2),
        "wide": make_classification(60, 200, n_informative=20, random_state=1),
        "overlapping": (rng.randn(400, 5), rng.randint(0, 2, 400)),
        "text": (text, np.asarray(text[:, :50].sum(axis=1)).ravel() > 0.25),
        "one feature": (rng.randn(100, 1), rng.randn(100) > 0),
    }


DATA = data_sets()


def objective(model, X, y, C, weights=1.0):
    """The primal of the top of mllib.linear_svm.svc, from the fitted weights alone."""
    signs = np.where(y == model.classes_[1], 1.0, -1.0)
    loss = np.maximum(0, 1 - signs * model.decision_function(X))
    loss = loss**2 if model.loss == "squared_hinge" else loss
    return 0.5 * (model.coef_[0] @ model.coef_[0] + model.intercept_[0] ** 2) + C * np.sum(weights * loss)


# ---------------------------------------------------------------------------------------------
# Dual coordinate descent


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("name", DATA)
def test_objective_and_certificate(name, C, loss):
    """The gap is what it claims to be, the dual is feasible, and LIBLINEAR lies between the two values."""
    X, y = DATA[name]
    tol = 1e-5 if C < 100 else 1e-4
    ours = LinearSVC(C=C, loss=loss, tol=tol, max_iter=5000, random_state=0)
    peer = svm.LinearSVC(C=C, loss=loss, tol=tol, max_iter=20_000, dual=True, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        ours.fit(X, y), peer.fit(X, y)
    P = objective(ours, X, y, C)
    np.testing.assert_allclose(ours.objective_, P, rtol=1e-9)

    signs, alpha = np.where(y == ours.classes_[1], 1.0, -1.0), ours.dual_coef_
    assert alpha.min() >= 0 and (loss == "squared_hinge" or alpha.max() <= C)
    w, b = X.T @ (alpha * signs), alpha @ signs
    np.testing.assert_allclose(ours.coef_[0], w, rtol=1e-6, atol=1e-9 * (1 + np.abs(alpha).max()))
    s = 0.5 / C if loss == "squared_hinge" else 0.0
    D = alpha.sum() - 0.5 * (w @ w + b * b) - 0.5 * s * alpha @ alpha
    np.testing.assert_allclose(P - ours.dual_gap_, D, rtol=1e-6)
    np.testing.assert_allclose(ours.history_.dual[-1], D, rtol=1e-6, atol=1e-9)
    assert np.all(np.diff(ours.history_.dual) >= -1e-9 * abs(D))  # each step climbs

    theirs = objective(peer, X, y, C)
    assert theirs >= D * (1 - 1e-9)
    if ours.history_.violation[-1] <= tol:
        # Each example adds at most C (hinge) or alpha (square) times its violation to the gap. Violations
        # are those seen in the last epoch, hence the factor 2.
        limit = 2 * tol * (len(alpha) * C if loss == "hinge" else alpha.sum() + len(alpha) * C)
        assert ours.dual_gap_ <= limit
        if peer.n_iter_ < 20_000:
            np.testing.assert_allclose(P, theirs, atol=2 * limit)


@pytest.mark.parametrize("loss", LOSSES)
def test_tight_tolerance_reaches_liblinears_objective(loss):
    """Six digits of LIBLINEAR's objective on every set, C = 1."""
    for X, y in DATA.values():
        ours = LinearSVC(loss=loss, tol=1e-8, max_iter=10**5, random_state=0)
        peer = svm.LinearSVC(loss=loss, tol=1e-8, max_iter=10**6, dual=True, random_state=0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            ours.fit(X, y), peer.fit(X, y)
        np.testing.assert_allclose(objective(ours, X, y, 1), objective(peer, X, y, 1), rtol=1e-6)
        assert ours.dual_gap_ <= 1e-6 * ours.objective_


@pytest.mark.parametrize("loss", LOSSES)
def test_sparse_is_dense_and_stays_sparse(loss):
    X, y = DATA["text"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        one = LinearSVC(loss=loss, tol=1e-9, max_iter=10**5, random_state=0).fit(X, y)
        two = LinearSVC(loss=loss, tol=1e-9, max_iter=10**5, random_state=0).fit(X.toarray(), y)
    np.testing.assert_allclose(one.coef_, two.coef_, atol=1e-6)
    # ten million columns: a dense copy would need 24 GB
    wide = sparse.csr_array((X.data, X.indices.astype(np.int64) * 5000, X.indptr), shape=(300, 10**7))
    np.testing.assert_allclose(
        LinearSVC(loss=loss, random_state=0, tol=1e-9, max_iter=10**5).fit(wide, y).coef_[:, ::5000],
        one.coef_,
        atol=1e-6,
    )


def test_duplicate_entries_of_a_sparse_matrix_are_summed():
    X = np.array([[2.0, 0.0], [0.0, 3.0], [-2.0, 1.0]])
    halves = sparse.csr_array(([1.0, 1.0, 3.0, -2.0, 1.0], [0, 0, 1, 0, 1], [0, 2, 3, 5]), shape=(3, 2))
    stored = halves.copy()
    one, two = (LinearSVC(tol=1e-10, max_iter=10**5, random_state=0).fit(M, [0, 1, 1]) for M in (X, halves))
    np.testing.assert_allclose(one.coef_, two.coef_, rtol=1e-7)
    assert halves.nnz == stored.nnz == 5  # the caller's matrix is as it was


def test_weights_scale_the_price():
    X, y = DATA["overlapping"]
    rng = np.random.RandomState(0)
    weights = rng.randint(0, 4, size=len(y)).astype(float)
    same = dict(tol=1e-10, max_iter=10**5, random_state=0)
    weighted = LinearSVC(**same).fit(X, y, weights)
    repeated = LinearSVC(**same).fit(
        np.repeat(X, weights.astype(int), axis=0), np.repeat(y, weights.astype(int))
    )
    np.testing.assert_allclose(weighted.coef_, repeated.coef_, rtol=1e-6)
    np.testing.assert_allclose(weighted.objective_, objective(weighted, X, y, 1, weights), rtol=1e-10)
    assert np.all(weighted.dual_coef_[weights == 0] == 0)
    by_class = LinearSVC(class_weight={0: 1.0, 1: 3.0}, **same).fit(X, y)
    by_hand = LinearSVC(**same).fit(X, y, np.where(y == 1, 3.0, 1.0))
    np.testing.assert_array_equal(by_class.coef_, by_hand.coef_)
    for loss in LOSSES:
        X3, y3 = load_iris(return_X_y=True)
        ours = LinearSVC(loss=loss, class_weight="balanced", tol=1e-9, max_iter=10**5, random_state=0)
        peer = svm.LinearSVC(loss=loss, class_weight="balanced", tol=1e-9, max_iter=10**6, dual=True)
        np.testing.assert_allclose(ours.fit(X3, y3 == 1).coef_, peer.fit(X3, y3 == 1).coef_, atol=1e-5)


def test_many_classes_equal_liblinear():
    X, y = load_iris(return_X_y=True)
    for weight in (None, {0: 1.0, 1: 5.0, 2: 0.5}):
        ours = LinearSVC(tol=1e-8, max_iter=10**5, class_weight=weight, random_state=0).fit(X, y)
        peer = svm.LinearSVC(tol=1e-8, max_iter=10**6, class_weight=weight, dual=True).fit(X, y)
        np.testing.assert_allclose(ours.coef_, peer.coef_, atol=1e-5)
        np.testing.assert_allclose(ours.intercept_, peer.intercept_, atol=1e-5)
        assert len(ours.history_) == len(ours.dual_gap_) == 3 and max(ours.dual_gap_) < 1e-6


def test_intercept_scaling_is_the_input_of_the_intercept():
    X, y = DATA["overlapping"]
    same = dict(tol=1e-10, max_iter=10**5, random_state=0)
    ours = LinearSVC(intercept_scaling=10.0, **same).fit(X + 3, y)
    by_hand = LinearSVC(fit_intercept=False, **same).fit(np.column_stack([X + 3, np.full(len(X), 10.0)]), y)
    np.testing.assert_allclose(ours.intercept_[0], 10.0 * by_hand.coef_[0, -1], rtol=1e-6)
    peer = svm.LinearSVC(intercept_scaling=10.0, dual=True, tol=1e-9, max_iter=10**6).fit(X + 3, y)
    np.testing.assert_allclose(ours.coef_, peer.coef_, atol=1e-6)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize(
    ("X", "y"),
    [
        ([[1.0], [1.0], [1.0], [1.0]], [0, 1, 1, 0]),  # nothing to learn from
        ([[0.0, 0.0], [0.0, 0.0]], [0, 1]),
        ([[1.0, 2.0], [1.0, 2.0], [3.0, 1.0]], [0, 1, 1]),  # one point with both labels
        ([[5.0, 0.0], [5.0, 1.0]], [0, 1]),  # a constant feature, n = 2
    ],
)
def test_hard_cases_end_with_a_certificate(X, y, loss):
    for C in (1e-8, 1.0, 1e3):
        for bias in (True, False):
            model = LinearSVC(C=C, loss=loss, fit_intercept=bias, tol=1e-9, max_iter=10**6, random_state=0)
            model.fit(X, y)
            assert abs(model.dual_gap_) <= 1e-6 * max(model.objective_, 1e-12)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("unit", [1e-6, 1e6])
def test_units(loss, unit):
    """The certificate holds in any unit, and data in unit u with C / u^2 have the weights divided by u."""
    X, y = DATA["overlapping"]
    same = dict(loss=loss, fit_intercept=False, random_state=0, max_iter=10**5)
    near = LinearSVC(C=1.0, tol=1e-7, **same).fit(X, y)
    far = LinearSVC(C=1.0 / unit**2, tol=1e-7, **same).fit(X * unit, y)
    np.testing.assert_allclose(far.coef_ * unit, near.coef_, rtol=1e-4, atol=1e-6)
    assert abs(far.dual_gap_) <= 1e-5 * far.objective_


def test_limit_reached_says_how_far_it_may_be_off():
    X, y = DATA["cancer"]
    with pytest.warns(ConvergenceWarning, match=r"after 3 epochs \(max_iter\); the objective .* is at most"):
        model = LinearSVC(C=1e8, loss="hinge", max_iter=3, random_state=0).fit(X, y)
    assert model.n_iter_ == 3 and model.dual_gap_ > 0
    assert "n_features" not in str(model.history_) and len(model.history_) == 3


def test_shrinking_leaves_nothing_out():
    """What the solver calls solved is solved with all coordinates, not only with those still looked at."""
    X, y = DATA["digits"]
    signs = np.where(y == 1, 1.0, -1.0)
    s = dual_coordinate_descent(X, signs, 1.0, squared=False, tol=1e-9, max_iter=10**5)
    assert s.history.active.min() < len(y) == s.history.active[-1] and s.converged
    g = signs * (X @ s.w[:-1] + s.w[-1]) - 1
    assert np.all(g[s.alpha == 0] >= -1e-7) and np.all(g[s.alpha == 1] <= 1e-7)
    assert np.all(np.abs(g[(s.alpha > 0) & (s.alpha < 1)]) <= 1e-7)


# ---------------------------------------------------------------------------------------------
# Subgradient descent


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_pegasos_is_sgd_with_its_step_size(form):
    """Without projection and in fixed order the two programs take the same steps."""
    X, y = DATA["overlapping"]
    for lam in (1.0, 0.01, 1e-4):
        ours = PegasosClassifier(
            lam, projection=False, fit_intercept=False, sampling="cyclic", tol=None, max_iter=7
        )
        peer = linear_model.SGDClassifier(
            alpha=lam, fit_intercept=False, shuffle=False, tol=None, max_iter=7,
            learning_rate="invscaling", eta0=1 / lam, power_t=1.0,
        )  # fmt: skip
        ours.fit(form(X), y), peer.fit(form(X), y)
        np.testing.assert_allclose(ours.coef_, peer.coef_, rtol=1e-8)


def test_sgd_is_scikit_learns_with_the_same_steps():
    X, y = DATA["overlapping"]
    ours = SGDHingeClassifier(0.01, m=2, n=5, sampling="cyclic", tol=None, max_iter=6).fit(X, y)
    peer = linear_model.SGDClassifier(alpha=0.01, shuffle=False, learning_rate="constant", eta0=1)
    for epoch in range(6):
        peer.set_params(eta0=2 / (epoch + 5)).partial_fit(X, y, classes=[0, 1])
        np.testing.assert_allclose(ours.history_.coef[epoch], peer.coef_[0], rtol=1e-10)
        np.testing.assert_allclose(ours.history_.intercept[epoch], peer.intercept_[0], rtol=1e-10)


def slow_pegasos(X, y, lam, batches, projection, weights):
    """The algorithm as printed, w in the open; returns w_1, w_2, ..."""
    w, ws = np.zeros(X.shape[1]), []
    for t, batch in enumerate(batches, start=1):
        ws.append(w)
        violators = [i for i in batch if y[i] * (X[i] @ w) <= 1]
        gradient = lam * w - sum((weights[i] * y[i] * X[i] for i in violators), 0 * w) / len(batch)
        w = w - gradient / (lam * t)
        length = np.linalg.norm(w)
        if projection and length > np.sqrt(weights.mean() / lam):
            w = w * np.sqrt(weights.mean() / lam) / length
    return np.array([*ws, w])


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("projection", [True, False])
@pytest.mark.parametrize("k", [1, 3, 10**6])
def test_pegasos_is_its_slow_twin(form, projection, k):
    X, y = make_classification(40, 6, n_informative=4, flip_y=0.2, random_state=0)
    signs, weights = 2.0 * y - 1, np.random.RandomState(1).uniform(0.5, 2, size=40)
    Z = np.column_stack([X, np.ones(40)])
    same = dict(
        alpha=0.05,
        batch_size=k,
        projection=projection,
        sampling="cyclic",
        tol=None,
        max_iter=60,
        epoch_length=1,
    )
    k = min(k, 40)
    batches = np.resize(np.arange(40), 60 * k).reshape(60, k)
    slow = slow_pegasos(Z, signs, 0.05, batches, projection, weights)
    last = PegasosClassifier(**same).fit(form(X), y, weights)
    fast = np.column_stack([last.history_.coef, last.history_.intercept])
    np.testing.assert_allclose(fast, slow[1:], rtol=1e-8, atol=1e-10)
    mean = PegasosClassifier(average=True, **same).fit(form(X), y, weights)
    np.testing.assert_allclose(
        np.append(mean.coef_, mean.intercept_), slow[:-1].mean(axis=0), rtol=1e-8, atol=1e-10
    )
    assert last.t_ == 60
    violations = [np.sum(signs[b] * (Z[b] @ w) <= 1) for b, w in zip(batches, slow[:-1], strict=True)]
    np.testing.assert_array_equal(last.history_.violations, violations)


def test_tiny_factors_do_not_underflow():
    """Steps that shrink w to almost nothing: the factor is multiplied in and the mean survives it."""
    X, y = DATA["overlapping"]
    for form in (X, sparse.csr_array(X)):
        model = SGDHingeClassifier(1.0, m=9.9999, n=10, average=True, max_iter=3, tol=None, sampling="cyclic")
        model.fit(form, y)
        signs, w, b, total, total_b = 2.0 * y - 1, np.zeros(5), 0.0, np.zeros(5), 0.0
        for epoch in range(3):
            eta = 9.9999 / (epoch + 10)
            for x, sign in zip(X, signs, strict=True):
                total, total_b = total + w, total_b + b
                step = eta * sign if sign * (x @ w + b) <= 1 else 0.0
                w, b = (1 - eta) * w + step * x, b + step
        np.testing.assert_allclose(model.coef_[0], total / 1200, rtol=1e-7)
        np.testing.assert_allclose(model.intercept_[0], total_b / 1200, rtol=1e-7)


def test_all_solvers_agree():
    """One problem, four ways: the exact optimum, and three descents that come near to it."""
    X, y = DATA["cancer"]
    lam, n = 0.01, len(y)
    exact = LinearSVC(C=1 / (lam * n), loss="hinge", tol=1e-8, max_iter=10**5, random_state=0).fit(X, y)
    low = (exact.objective_ - exact.dual_gap_) * lam
    for model in (
        PegasosClassifier(lam, average=True, max_iter=100, tol=None, random_state=0),
        PegasosClassifier(lam, batch_size=20, average=True, max_iter=500, tol=None, random_state=0),
        PegasosClassifier(lam, sampling="permutation", max_iter=500, tol=None, random_state=0),
    ):
        model.fit(X, y)
        f = lam * objective_of(model, X, y, 1 / (lam * n))
        assert low * (1 - 1e-9) <= f <= 1.05 * low
        assert np.mean(model.predict(X) == exact.predict(X)) > 0.98


def objective_of(model, X, y, C):
    signs = np.where(y == model.classes_[1], 1.0, -1.0)
    hinge = np.maximum(0, 1 - signs * model.decision_function(X)).sum()
    return 0.5 * (model.coef_[0] @ model.coef_[0] + model.intercept_[0] ** 2) + C * hinge


def test_stops_when_the_loss_settles():
    X, y = DATA["cancer"]
    model = PegasosClassifier(0.01, random_state=0).fit(X, y)
    loss = model.history_.loss
    best = np.minimum.accumulate(loss)
    assert model.n_iter_ < 1000 and np.all(loss[-5:] > best[-6:-1] - 1e-3)
    with pytest.warns(ConvergenceWarning, match="the loss has not settled"):
        SGDHingeClassifier(max_iter=2).fit(X, y)


@pytest.mark.parametrize("Learner", [PegasosClassifier, SGDHingeClassifier])
@pytest.mark.parametrize("n", [2, 6, 20])
def test_a_handful_of_examples_is_looked_at_often_enough(Learner, n):
    """An epoch of two examples is two steps: five such without a better loss do not mean that it settled."""
    y = np.arange(n) % 2
    for seed in range(10):
        X = np.random.RandomState(seed).randn(n, 2) + 8 * y[:, None]
        model = Learner(random_state=seed).fit(X, y)
        assert model.t_ >= 1000 and model.score(X, y) == 1.0


def test_sampling():
    X, y = DATA["overlapping"]
    X = np.column_stack([X, np.eye(400)])  # the weights of the last 400 columns tell who was looked at
    for sampling, share in [("uniform", 1 - np.exp(-1)), ("permutation", 1.0), ("cyclic", 1.0)]:
        model = PegasosClassifier(
            1e-4, sampling=sampling, max_iter=1, tol=None, fit_intercept=False, random_state=0
        ).fit(1e-6 * X, y)
        assert model.t_ == model.history_.violations[0] == 400  # so small that all violate the margin
        assert abs(np.mean(model.coef_[0, 5:] != 0) - share) < 0.05
    one, two, other = (
        PegasosClassifier(random_state=seed, max_iter=3, tol=None).fit(X, y).coef_ for seed in (3, 3, 4)
    )
    assert np.array_equal(one, two) and not np.array_equal(one, other)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (LinearSVC(C=0), "The 'C' parameter of LinearSVC must be a number in (0, inf). Got 0 instead."),
        (LinearSVC(C=-1.0), "'C' parameter"),
        (LinearSVC(loss="logistic"), "must be 'squared_hinge' or 'hinge'"),
        (LinearSVC(tol=0), "'tol' parameter"),
        (LinearSVC(class_weight="even"), "'class_weight' parameter"),
        (LinearSVC(max_iter=0), "'max_iter' parameter"),
        (PegasosClassifier(0), "'alpha' parameter of PegasosClassifier"),
        (PegasosClassifier(batch_size=0), "'batch_size' parameter"),
        (PegasosClassifier(sampling="all"), "'sampling' parameter"),
        (SGDHingeClassifier(n=0), "'n' parameter"),
        (SGDHingeClassifier(epoch_length=0), "'epoch_length' parameter"),
    ],
)
def test_bad_parameters(model, message):
    with pytest.raises(ValueError) as error:
        model.fit(*DATA["overlapping"])
    assert message in str(error.value)


@pytest.mark.parametrize("Learner", [LinearSVC, PegasosClassifier, SGDHingeClassifier])
def test_bad_data(Learner):
    X, y = DATA["overlapping"]
    with pytest.raises(ValueError, match="contains only one class"):
        Learner().fit(X, np.ones(400))
    with pytest.raises(ValueError, match="Negative values"):
        Learner().fit(X, y, -np.ones(400))
    with pytest.raises(ValueError, match="NaN"):
        Learner().fit(np.full_like(X, np.nan), y)
    with pytest.raises(ValueError, match="contains only one class"):
        Learner().fit(X, y, (y == 1).astype(float))


RUN = """
import warnings
import numpy as np
from scipy import sparse
import mllib
warnings.simplefilter("ignore")
rng = np.random.RandomState(0)
X = rng.randn(40, 3)
y = X.sum(axis=1) + rng.randn(40) > 0
for model in [mllib.LinearSVC(tol=1e-9, max_iter=2000, random_state=0),
              mllib.LinearSVC(loss="hinge", tol=1e-9, max_iter=2000, random_state=0),
              mllib.PegasosClassifier(0.1, batch_size=3, average=True, max_iter=20, tol=None, random_state=0),
              mllib.PegasosClassifier(0.1, max_iter=20, tol=None, random_state=0),
              mllib.SGDHingeClassifier(0.1, max_iter=20, tol=None, random_state=0)]:
    for form in (X, sparse.csr_array(X)):
        model.fit(form, y)
        print(*model.coef_[0], *model.intercept_)
"""


def test_the_compiler_changes_nothing_but_the_last_digits():
    said = with_and_without(RUN)
    compiled, plain = (np.array([line.split() for line in text.splitlines()], dtype=float) for text in said)
    assert compiled.shape == (10, 4)
    np.testing.assert_allclose(compiled, plain, rtol=1e-9)


def test_a_sparse_matrix_without_entries():
    machine = LinearSVC().fit(sparse.csr_matrix((4, 2)), [0, 1, 0, 1])
    assert not machine.coef_.any()


# Numbers next to the limits of float64


def test_a_price_next_to_nothing_counts_as_nothing():
    rng = np.random.RandomState(0)
    X, weights = rng.randn(40, 3), np.ones(40)
    y = (X[:, 0] > 0).astype(int)
    weights[3] = 1e-310  # 0.5 / C overflows
    machine = LinearSVC(tol=1e-8, random_state=0).fit(X, y, sample_weight=weights)
    without = LinearSVC(tol=1e-8, random_state=0).fit(np.delete(X, 3, axis=0), np.delete(y, 3))
    np.testing.assert_allclose(machine.coef_, without.coef_, rtol=1e-6)
    for C in (1e-200, 1e-310):
        least = LinearSVC(C=C).fit(X, y)
        assert np.isfinite(least.coef_).all() and least.dual_gap_ >= -1e-12 * least.objective_


@pytest.mark.parametrize("factor", [1.0, 1e4, 1e7, 1e8])
@pytest.mark.parametrize("form", [np.ascontiguousarray, sparse.csr_array])
def test_the_mean_of_the_weights_survives_strong_projections(factor, form):
    rng = np.random.RandomState(0)
    X, lam, T = factor * rng.randn(50, 3), 1e-4, 300
    descent = SubgradientDescent(
        form(X), np.sign(X[:, 0]), np.ones(50), lam=lam, penalise_bias=True, radius=lam**-0.5, average=True
    )
    seen = []
    for t in range(T):
        seen.append(descent.w)
        descent.steps(rng.randint(50, size=(1, 1)), np.array([1 / (lam * (t + 1))]))
    mean = np.mean(seen, axis=0)
    np.testing.assert_allclose(descent.mean, mean, atol=1e-6 * np.abs(mean).max())
