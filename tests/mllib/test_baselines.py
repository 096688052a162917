"""Baselines: equal to scikit-learn's to the last digits, dense and sparse, weighted and not."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from sklearn import naive_bayes, neighbors
from sklearn.datasets import load_iris
from sklearn.utils.estimator_checks import parametrize_with_checks

from mllib import BernoulliNB, GaussianNB, KNeighborsClassifier, MultinomialNB, bayes_threshold

ALL = [BernoulliNB(), GaussianNB(), KNeighborsClassifier(), MultinomialNB()]


@parametrize_with_checks(ALL)
def test_contract(estimator, check):
    check(estimator)


def counts(seed, n=60, d=12, k=3):
    rng = np.random.default_rng(seed)
    y = rng.integers(k, size=n)
    return rng.poisson(rng.exponential(size=(k, d))[y]).astype(float), y, rng.integers(1, 4, size=n)


BAYES = [
    (MultinomialNB, naive_bayes.MultinomialNB, {}),
    (MultinomialNB, naive_bayes.MultinomialNB, {"alpha": 0.1, "fit_prior": False}),
    (MultinomialNB, naive_bayes.MultinomialNB, {"class_prior": [0.2, 0.3, 0.5]}),
    (BernoulliNB, naive_bayes.BernoulliNB, {}),
    (BernoulliNB, naive_bayes.BernoulliNB, {"alpha": 2.0, "binarize": 1.5, "fit_prior": False}),
    (GaussianNB, naive_bayes.GaussianNB, {}),
    (GaussianNB, naive_bayes.GaussianNB, {"priors": [0.2, 0.3, 0.5], "var_smoothing": 0.01}),
]


@pytest.mark.parametrize("ours, theirs, parameters", BAYES)
@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_naive_bayes_equals_the_oracle(ours, theirs, parameters, sparse, weighted):
    X, y, w = counts(0)
    Z, _, _ = counts(1)
    if sparse:
        if ours is GaussianNB:
            return
        X, Z = csr_matrix(X), csr_matrix(Z)
    a = ours(**parameters).fit(X, y, w if weighted else None)
    if weighted and ours is GaussianNB:  # scikit-learn smooths by the variance of the data without weights
        b = theirs(**parameters).fit(np.repeat(X, w, axis=0), np.repeat(y, w))
    else:
        b = theirs(**parameters).fit(X, y, w if weighted else None)
    np.testing.assert_allclose(a.predict_log_proba(Z), b.predict_log_proba(Z), rtol=1e-9, atol=1e-10)
    np.testing.assert_array_equal(a.predict(Z), b.predict(Z))
    for name in ("class_count_", "feature_count_", "feature_log_prob_", "theta_", "var_", "class_prior_"):
        if hasattr(a, name):
            np.testing.assert_allclose(getattr(a, name), getattr(b, name), rtol=1e-11)


@pytest.mark.parametrize("model", [MultinomialNB(), BernoulliNB(), GaussianNB()])
@given(seed=st.integers(0, 10**6))
def test_weight_is_repetition(model, seed):
    X, y, w = counts(seed, n=20, d=4)
    w = w - 1  # some examples are absent
    w[:2] = 1
    # (Before they are normalised: of two scores of 10^8, the difference keeps few digits.)
    once = model.fit(X, y, w)._log_joint(X)
    twice = model.fit(np.repeat(X, w, axis=0), np.repeat(y, w))._log_joint(X)
    np.testing.assert_allclose(once, twice, rtol=1e-9, atol=1e-9)


def test_the_rule_is_linear():
    X, y, _ = counts(3)
    model = MultinomialNB().fit(X, y)
    joint = model.predict_log_proba(X) - (X @ model.feature_log_prob_.T + model.class_log_prior_)
    np.testing.assert_allclose(np.ptp(joint, axis=1), 0, atol=1e-11)


def test_certain_answers_stay_finite():
    X = np.eye(2) * 1e5
    P = MultinomialNB().fit(X, [0, 1]).predict_proba(X)
    np.testing.assert_allclose(P, np.eye(2), atol=1e-12)


@pytest.mark.parametrize(
    "model, X, message",
    [
        (MultinomialNB(), [[1, -1], [0, 1]], "Negative values in data passed to MultinomialNB"),
        (MultinomialNB(alpha=0), [[1, 1], [0, 1]], "'alpha' parameter .* Got 0"),
        (MultinomialNB(class_prior=[1.0]), [[1, 1], [0, 1]], "Number of priors must match"),
        (GaussianNB(priors=[0.5, 0.6]), [[1, 1], [0, 1]], "sum should be 1"),
        (GaussianNB(var_smoothing=-1), [[1, 1], [0, 1]], "'var_smoothing' parameter"),
        (BernoulliNB(binarize=-1), csr_matrix([[1, 1], [0, 1]]), "zeros of a sparse matrix"),
        (KNeighborsClassifier(0), [[1, 1], [0, 1]], "'n_neighbors' parameter .* Got 0"),
        (KNeighborsClassifier(weights="near"), [[1, 1], [0, 1]], "'weights' parameter .* Got 'near'"),
        (KNeighborsClassifier(p=0.5), [[1, 1], [0, 1]], "'p' parameter .* Got 0.5"),
        (KNeighborsClassifier(p=1), csr_matrix([[1, 1], [0, 1]]), "p=2 only"),
    ],
)
def test_refusals(model, X, message):
    with pytest.raises(ValueError, match=message):
        model.fit(X, [0, 1])


# ------------------------------------------------------------------------------ nearest neighbours


@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("k", [1, 5])
@pytest.mark.parametrize("p", [1, 2, 3.5])
def test_neighbours_equal_the_oracle(weights, k, p):
    rng = np.random.default_rng(0)
    X, Z, y = rng.normal(size=(200, 4)), rng.normal(size=(50, 4)), rng.integers(3, size=200)
    Z[:5] = X[:5]  # at distance zero
    a = KNeighborsClassifier(k, weights=weights, p=p).fit(X, y)
    b = neighbors.KNeighborsClassifier(k, weights=weights, p=p, algorithm="brute").fit(X, y)
    for found, expected in zip(a.kneighbors(Z), b.kneighbors(Z), strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-7)
    np.testing.assert_allclose(a.predict_proba(Z), b.predict_proba(Z), atol=1e-7)


def test_neighbours_sparse_equals_dense():
    X, y, _ = counts(5)
    Z, _, _ = counts(6)
    dense = KNeighborsClassifier(3).fit(X, y)
    sparse = KNeighborsClassifier(3).fit(csr_matrix(X), y)
    np.testing.assert_allclose(dense.kneighbors(Z)[0], sparse.kneighbors(csr_matrix(Z))[0], atol=1e-6)
    np.testing.assert_allclose(dense.kneighbors(Z)[0], dense.kneighbors(csr_matrix(Z))[0], atol=1e-6)


def test_ties_go_to_the_earlier_example():
    X = [[0], [2], [1], [1], [3], [0]]
    distance, index = KNeighborsClassifier(4).fit(X, range(6)).kneighbors([[1]])
    assert index.tolist() == [[2, 3, 0, 1]] and distance.tolist() == [[0, 0, 1, 1]]


def test_blocks_change_nothing(monkeypatch):
    X, y = load_iris(return_X_y=True)
    whole = KNeighborsClassifier().fit(X, y).kneighbors(X)
    monkeypatch.setattr("mllib.baselines.neighbors._BLOCK", 1000)
    pieces = KNeighborsClassifier().fit(X, y).kneighbors(X)
    np.testing.assert_array_equal(whole[1], pieces[1])
    np.testing.assert_array_equal(whole[0], pieces[0])


def test_more_neighbours_than_examples():
    model = KNeighborsClassifier(3).fit([[0], [1]], [0, 1])
    with pytest.raises(ValueError, match="Expected n_neighbors <= n_samples_fit, but n_neighbors = 3"):
        model.predict([[0]])


# ----------------------------------------------------------------------------------------- costs


@pytest.mark.parametrize("costs", [(-1, 1), (0, 0), (np.inf, 1), (np.nan, 1)])
def test_costs_that_make_no_sense(costs):
    with pytest.raises(ValueError, match="costs must be"):
        bayes_threshold(*costs)


def test_features_that_are_all_constant_leave_the_shares_of_the_classes():
    machine = GaussianNB().fit([[0.0, 0.0]] * 4, [0, 1, 1, 1])
    np.testing.assert_allclose(machine.predict_proba([[0.0, 0.0]]), [[0.25, 0.75]])


@pytest.mark.parametrize("p", [1, 2, 3, 15.5, 17, 50, np.inf])
@pytest.mark.parametrize("unit", [1e-320, 1e-160, 1e-8, 1e160, 1e307])
def test_neighbours_in_any_unit(p, unit):
    X = np.array([[0.0, 0], [1, 0], [2, 0], [2, 1e-3]]) * unit
    model = KNeighborsClassifier(1, p=p).fit(X, [0, 1, 2, 3])
    assert model.predict(X).tolist() == [0, 1, 2, 3]
    assert model.predict(np.array([[1.4, 0.3], [1.6, 0.5]]) * unit).tolist() == [1, 3]


def test_a_large_p_is_almost_the_largest_difference():
    rng = np.random.default_rng(0)
    X, Z = rng.normal(size=(30, 4)), rng.normal(size=(9, 4))
    y = np.arange(30) % 2
    for p, other in [(400, np.inf), (16, 15.999999999)]:
        near, far = (KNeighborsClassifier(5, p=p).fit(X, y).kneighbors(Z)[0] for p in (p, other))
        np.testing.assert_allclose(near, far, rtol=0.01 if p == 400 else 1e-8)


@pytest.mark.parametrize("p", [1, 2, 3.5])
@pytest.mark.parametrize("kind", ["continuous", "rounded", "copies", "tiny"])
def test_the_tree_finds_the_same_neighbours(p, kind):
    rng = np.random.default_rng(0)
    X, Z = rng.normal(size=(1500, 3)), rng.normal(size=(60, 3))
    if kind == "rounded":
        X, Z = X.round(1), Z.round(1)
    elif kind == "copies":
        X[300:] = X[:1200]
    elif kind == "tiny":
        X[::2] *= 1e-170
    Z[:20] = X[:20]
    model = KNeighborsClassifier(4, p=p).fit(X, np.arange(1500) % 3)
    assert model._tree is not None
    found = model.kneighbors(Z)
    model._tree = None
    for ours, brute in zip(found, model.kneighbors(Z), strict=True):
        np.testing.assert_array_equal(ours, brute)


def test_a_vote_too_large_for_a_float_decides_alone():
    model = KNeighborsClassifier(2, weights="distance", p=1).fit([[0.0], [1.0]], [0, 1])
    assert model.predict_proba([[1e-310]]).tolist() == [[1.0, 0.0]]


def test_costs_whose_sum_is_too_large_for_a_float():
    assert bayes_threshold(1e308, 1e308) == 0.5 and bayes_threshold(1.5e308, 0.5e308) == 0.75


def test_gaussian_classes_of_few_examples_each():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), rng.permutation(np.arange(200) % 40)
    model = GaussianNB(var_smoothing=0).fit(X, y)
    np.testing.assert_allclose(model.var_, [X[y == c].var(axis=0) for c in range(40)])
