"""Real, Gentle, Logit, Brown and FloatBoost: slow twins, stages, seams, noise, bad input."""

from functools import partial

import numpy as np
import pytest
from scipy.special import erf
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from mllib import (
    AdaBoostClassifier,
    BrownBoostClassifier,
    DecisionStump,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    FloatBoostClassifier,
    GentleAdaBoostClassifier,
    LinearStump,
    LogitBoostClassifier,
    RealAdaBoostClassifier,
    RegressionStump,
)
from mllib.datasets import flip_labels

FAMILY = [
    RealAdaBoostClassifier,
    GentleAdaBoostClassifier,
    LogitBoostClassifier,
    BrownBoostClassifier,
    FloatBoostClassifier,
]
CANCER = load_breast_cancer(return_X_y=True)


def small(kind, **parameters):
    return kind(**({"n_estimators": 12} | parameters))


pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@pytest.mark.parametrize("kind", FAMILY)
def test_stages_add_up(kind):
    X, y = CANCER
    model = small(kind).fit(X, y)
    *_, last = model.staged_decision_function(X)
    np.testing.assert_allclose(last, model.decision_function(X), atol=1e-12)
    *_, labels = model.staged_predict(X)
    np.testing.assert_array_equal(labels, model.predict(X))
    *_, proba = model.staged_predict_proba(X)
    np.testing.assert_allclose(proba, model.predict_proba(X))
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    np.testing.assert_array_equal(proba.argmax(axis=1), labels)
    scores = list(model.staged_score(X, y))
    assert scores[-1] == model.score(X, y)
    errors = model.history_.train_error
    if kind is not FloatBoostClassifier:  # whose members may have gone again
        np.testing.assert_allclose(1 - np.array(scores), errors, atol=1e-12)
        assert len(model) == len(errors) <= 12
    assert model.feature_importances_.sum() == pytest.approx(1)


@pytest.mark.parametrize("kind", FAMILY)
def test_labels_may_be_anything(kind):
    X, y = CANCER
    plain = small(kind).fit(X, y)
    named = small(kind).fit(X, np.array(["malignant", "benign"])[1 - y])
    np.testing.assert_array_equal(named.predict(X) == "malignant", plain.predict(X) == 1)


def plain_real(X, y, T):
    """The formula with nothing around it, on Gini stumps."""
    D, F = np.full(len(y), 1 / len(y)), np.zeros(len(y))
    for _ in range(T):
        p = DecisionStump("gini").fit(X, y, D).predict_proba(X)[:, 1].clip(1e-3, 1 - 1e-3)
        f = 0.5 * np.log(p / (1 - p))
        D = D * np.exp(-y * f)
        D /= D.sum()
        F += f
    return F


def plain_gentle(X, y, T):
    D, F = np.full(len(y), 1 / len(y)), np.zeros(len(y))
    for _ in range(T):
        f = RegressionStump().fit(X, y, D).predict(X)
        D = D * np.exp(-y * f)
        D /= D.sum()
        F += f
    return F


def plain_logit(X, y, T):
    F = np.zeros(len(y))
    for _ in range(T):
        p = 1 / (1 + np.exp(-2 * F))
        z = np.clip(((y > 0) - p) / (p * (1 - p)), -4, 4)
        F += 0.5 * RegressionStump().fit(X, z, p * (1 - p)).predict(X)
    return F


@pytest.mark.parametrize(
    ("kind", "plain"),
    [
        (RealAdaBoostClassifier, plain_real),
        (GentleAdaBoostClassifier, plain_gentle),
        (LogitBoostClassifier, plain_logit),
    ],
)
def test_the_class_is_the_formula(kind, plain):
    X, y = make_classification(200, 5, flip_y=0.1, random_state=0)
    y = 2.0 * y - 1
    np.testing.assert_allclose(
        small(kind).fit(X, y).decision_function(X), plain(X, y, 12), rtol=1e-7, atol=1e-7
    )


@pytest.mark.parametrize(
    ("kind", "learner"),
    [
        (RealAdaBoostClassifier, DecisionTreeClassifier(max_depth=2)),
        # (So sure of itself that whole steps cancel in pairs: half of the votes are then ties.)
        (partial(RealAdaBoostClassifier, learning_rate=0.5), GaussianNB()),
        (GentleAdaBoostClassifier, DecisionTreeRegressor(max_depth=2)),
        (GentleAdaBoostClassifier, LinearRegression()),
        (LogitBoostClassifier, DecisionTreeRegressor(max_depth=2)),
        (LogitBoostClassifier, LinearRegression()),
        (BrownBoostClassifier, DecisionTreeClassifier(max_depth=2)),
        (BrownBoostClassifier, LogisticRegression(C=0.1)),
        (FloatBoostClassifier, DecisionTreeClassifier(max_depth=2)),
        (FloatBoostClassifier, LinearStump()),
    ],
)
def test_any_weak_learner(kind, learner):
    X, y = make_classification(200, 5, flip_y=0.05, random_state=1)
    model = small(kind, estimator=learner).fit(X, y)
    assert all(type(member) is type(learner) for member in model)
    assert model.history_.train_error[-1] < min(np.mean(y == 0), np.mean(y == 1))


def test_logitboost_with_linear_members_is_logistic_regression():
    """Newton steps on the logistic loss in linear functions end at its minimiser."""
    X, y = make_classification(300, 4, flip_y=0.2, n_redundant=0, random_state=2)
    model = LogitBoostClassifier(LinearRegression(), n_estimators=30, z_max=1e6).fit(X, y)
    peer = LogisticRegression(C=np.inf, tol=1e-12, solver="newton-cholesky").fit(X, y)
    np.testing.assert_allclose(2 * model.decision_function(X), peer.decision_function(X), atol=1e-6)
    np.testing.assert_allclose(model.predict_proba(X), peer.predict_proba(X), atol=1e-7)


# ---- BrownBoost -------------------------------------------------------------------------------------


def test_brownboost_without_noise_becomes_adaboost():
    """As noise tends to 0 the time tends to infinity, and the steps to those of AdaBoost."""
    X, y = make_classification(150, 4, flip_y=0.1, random_state=0)
    ada = AdaBoostClassifier(n_estimators=4).fit(X, y)
    gaps = []
    for noise in (1e-2, 1e-8, 1e-30, 1e-200):
        brown = BrownBoostClassifier(noise=noise, min_edge=1e-7, n_estimators=4).fit(X, y)
        assert [h.rule() for h in brown][:2] == [h.rule() for h in ada][:2]
        # Far from the end (s = c) exp(-(r + s)^2 / c) is like exp(-2 r), where AdaBoost has exp(-r).
        gaps.append(abs(2 * brown.history_.alpha[0] / ada.history_.alpha[0] - 1))
    assert gaps[0] > gaps[1] > gaps[2] > gaps[3] and gaps[3] < 0.01


def test_brownboost_gives_up_on_flipped_labels():
    """With a noise target it leaves as many training examples wrong as it may, and knows more true labels."""
    X, y = make_classification(600, 6, n_informative=4, flip_y=0, class_sep=1.5, random_state=5)
    noisy = flip_labels(y, 0.2, random_state=0)
    learner = DecisionTreeClassifier(max_depth=3)
    brown = BrownBoostClassifier(learner, noise=0.25, n_estimators=300).fit(X, noisy)
    assert brown.time_left_ == 0 and np.mean(brown.predict(X) != noisy) <= 0.25
    ada = AdaBoostClassifier(learner, n_estimators=300).fit(X, noisy)
    assert brown.score(X, y) > ada.score(X, y)
    p = brown.predict_proba(X)[:, 1]
    np.testing.assert_allclose(2 * p - 1, erf(brown.decision_function(X) / np.sqrt(brown.total_time_)))


@pytest.mark.filterwarnings("error::sklearn.exceptions.ConvergenceWarning")
def test_brownboost_says_when_time_is_left():
    X, y = CANCER
    with pytest.warns(ConvergenceWarning, match="stopped after 2 rounds: .* of the time .* is left"):
        model = BrownBoostClassifier(n_estimators=2, noise=0.01).fit(X, y)
    assert 0 < model.time_left_ < model.total_time_
    BrownBoostClassifier(n_estimators=200, noise=0.2).fit(X, y)
    # Two places with mixed labels: one rule, whose edge is soon used up. More rounds would not help.
    X, y = np.repeat([[0.0], [1.0]], 10, axis=0), np.r_[np.arange(10) > 6, np.arange(10) > 2]
    with pytest.warns(ConvergenceWarning, match="because no member had an edge any more") as seen:
        model = BrownBoostClassifier(n_estimators=50, noise=0.1).fit(X, y)
    assert len(model) < 50 and f"stopped after {len(model)} rounds" in str(seen[0].message)


# ---- FloatBoost -----------------------------------------------------------------------------------------


def test_floatboost_drops_a_member_and_ends_with_fewer_errors_than_adaboost():
    dropped = better = 0
    for seed in range(12):
        X, y = make_classification(80, 4, flip_y=0.1, class_sep=0.6, random_state=seed)
        ada = AdaBoostClassifier(n_estimators=8).fit(X, y)
        model = FloatBoostClassifier(n_estimators=8).fit(X, y)
        dropped += model.history_.n_dropped.sum()
        assert len(model) == 8 == model.history_.n_members[-1]
        # Up to the first removal the two are the same algorithm.
        first = int(np.argmax(model.history_.n_dropped > 0)) if model.history_.n_dropped.any() else 8
        np.testing.assert_allclose(model.history_.alpha[: first + 1][:8], ada.history_.alpha[: first + 1][:8])
        assert model.least_errors_[-1] <= model.history_.forward_error[-1] + 1e-12
        better += model.least_errors_[1:].min() < ada.history_.train_error.min()
    assert dropped > 0 and better > 0


def test_floatboost_stops_at_a_perfect_member():
    model = FloatBoostClassifier().fit([[1], [2], [3]], [0, 0, 1])
    assert len(model) == 1 and model.history_.train_error[0] == 0


# ---- bad input ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "parameters", "says"),
    [
        *[(kind, {"n_estimators": 0}, "'n_estimators' parameter of .* must be an int in") for kind in FAMILY],
        (RealAdaBoostClassifier, {"learning_rate": -1}, "'learning_rate'"),
        (RealAdaBoostClassifier, {"smoothing": 0.5}, "'smoothing'"),
        (LogitBoostClassifier, {"z_max": 0.5}, "'z_max'"),
        (BrownBoostClassifier, {"noise": 0}, "'noise'"),
        (BrownBoostClassifier, {"noise": 1.0}, "'noise'"),
        (BrownBoostClassifier, {"min_edge": 0.0}, "'min_edge'"),
        *[(kind, {"estimator": KNeighborsClassifier()}, "doesn't support sample_weight") for kind in FAMILY],
    ],
)
def test_bad_parameters(kind, parameters, says):
    with pytest.raises(ValueError, match=says):
        kind(**parameters).fit(*CANCER)


@pytest.mark.parametrize("kind", FAMILY)
def test_bad_data(kind):
    X, y = CANCER
    for data, says in [
        ((X, np.zeros(len(y))), "only one class"),
        ((X, np.arange(len(y)) % 3), "Only binary classification is supported"),
        ((np.full_like(X, np.nan), y), "contains NaN"),
        ((X, y, -np.ones(len(y))), "Negative values"),
        ((X, y, y.astype(float)), "only one class"),
    ]:
        with pytest.raises(ValueError, match=says):
            small(kind).fit(*data)


@pytest.mark.parametrize("kind", FAMILY)
def test_a_common_factor_of_the_weights_and_a_weightless_class_change_nothing(kind):
    rng = np.random.RandomState(0)
    X = rng.normal(size=(60, 3))
    y = (X[:, 0] + 0.5 * rng.normal(size=60) > 0).astype(int)
    plain = small(kind).fit(X, y).vote(X)
    y_more, weights = np.append(y, 2), np.append(np.full(60, 1e307), 0.0)
    other = small(kind).fit(np.vstack([X, X[:1]]), y_more, weights)
    assert other.classes_.tolist() == [0, 1]
    np.testing.assert_allclose(other.vote(X), plain, rtol=1e-6, atol=1e-9)
