"""Bagging: the same draws and the same answers as scikit-learn's, and what that one does not have."""

import subprocess
import sys
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from sklearn import ensemble
from sklearn.datasets import load_diabetes, load_iris
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

from mllib import (
    BaggingClassifier,
    BaggingRegressor,
    DecisionStump,
    LinearStump,
    Perceptron,
    RandomForestClassifier,
    RealAdaBoostClassifier,
    RegressionStump,
    bias_variance,
)
from mllib.bagging.replicates import Draw, draw_replicate, left_out, replicate_size

IRIS = load_iris(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)

SETTINGS = [
    {},
    {"max_samples": 40},
    {"max_samples": 0.5, "bootstrap": False},
    {"max_features": 2, "max_samples": 1.0},
    {"max_features": 0.5, "bootstrap_features": True},
]


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("member", [MultinomialNB(), KNeighborsClassifier(3)])  # with weights, and without
@pytest.mark.parametrize("weighted", [False, True])
def test_classifier_equals_the_oracle(settings, member, weighted):
    X, y = IRIS
    weights = None
    if weighted:
        if not settings.get("bootstrap", True):
            return  # scikit-learn warns; the draws are the same
        weights = np.random.default_rng(0).uniform(size=len(y))
    settings = {**settings, "n_estimators": 20, "random_state": 5}
    ours = BaggingClassifier(member, **settings).fit(X, y, weights)
    theirs = ensemble.BaggingClassifier(member, **settings).fit(X, y, weights)
    for a, b in zip(ours.estimators_samples_, theirs.estimators_samples_, strict=True):
        np.testing.assert_array_equal(a, b)
    for a, b in zip(ours.estimators_features_, theirs.estimators_features_, strict=True):
        np.testing.assert_array_equal(a, b)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-12)


@pytest.mark.parametrize("settings", SETTINGS)
def test_regressor_equals_the_oracle(settings):
    X, y = DIABETES
    settings = {**settings, "n_estimators": 20, "random_state": 5}
    ours = BaggingRegressor(LinearRegression(), **settings).fit(X, y)
    theirs = ensemble.BaggingRegressor(LinearRegression(), **settings).fit(X, y)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-9)


def test_out_of_bag_equals_the_oracle():
    X, y = DIABETES
    settings = {"n_estimators": 30, "oob_score": True, "random_state": 5}
    ours = BaggingRegressor(Ridge(), **settings).fit(X, y)
    theirs = ensemble.BaggingRegressor(Ridge(), **settings).fit(X, y)
    np.testing.assert_allclose(ours.oob_prediction_, theirs.oob_prediction_, rtol=1e-9)
    assert ours.oob_score_ == pytest.approx(theirs.oob_score_, rel=1e-9)
    X, y = IRIS
    ours = BaggingClassifier(KNeighborsClassifier(2), **settings).fit(X, y)
    theirs = ensemble.BaggingClassifier(KNeighborsClassifier(2), **settings).fit(X, y)
    np.testing.assert_allclose(ours.oob_decision_function_, theirs.oob_decision_function_, atol=1e-12)
    assert ours.oob_score_ == theirs.oob_score_


def test_out_of_bag_history():
    X, y = IRIS
    model = BaggingClassifier(DecisionStump(), 30, oob_score=True, random_state=1).fit(X, y)
    history = model.history_
    assert len(history) == 30 and history.oob_score[-1] == model.oob_score_
    assert (np.diff(history.covered) >= 0).all() and history.covered[-1] == 1.0
    for b in (1, 7):  # the row of round b is the result of a shorter run
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # few members leave examples without a judge
            short = BaggingClassifier(DecisionStump(), b, oob_score=True, random_state=1).fit(X, y)
        heard = ~np.isnan(short.oob_decision_function_[:, 0])
        assert heard.mean() == history.covered[b - 1]
        assert short.oob_score_ == history.oob_score[b - 1]


def test_too_few_members_for_out_of_bag():
    with pytest.warns(UserWarning, match="Some inputs do not have OOB scores.*left out by no member"):
        model = BaggingClassifier(DecisionStump(), 2, oob_score=True, random_state=1).fit(*IRIS)
    assert np.isnan(model.oob_decision_function_).any()
    # one draw without a row left out: nothing can be said
    with pytest.warns(UserWarning, match="Some inputs"):
        model = BaggingRegressor(RegressionStump(), 1, max_samples=500, oob_score=True, random_state=0)
        model.fit([[0], [1], [2]], [0, 1, 2])
    assert np.isnan(model.oob_score_) and np.isnan(model.oob_prediction_).all()


def test_hard_votes_are_counted():
    X, y = IRIS
    model = BaggingClassifier(DecisionStump(), 25, voting="hard", random_state=0).fit(
        X, np.array(list("abc"))[y]
    )
    votes = np.stack([member.predict(X) for member in model])
    counts = np.stack([(votes == c).sum(axis=0) for c in range(3)], axis=1)
    np.testing.assert_allclose(model.predict_proba(X) * 25, counts, atol=1e-12)
    assert (model.predict(X) == np.array(list("abc"))[counts.argmax(axis=1)]).all()


def test_stages():
    X, y = IRIS
    model = BaggingClassifier(DecisionStump(), 40, random_state=0).fit(X, y)
    stages = list(model.staged_predict_proba(X))
    assert len(stages) == 40
    np.testing.assert_allclose(stages[-1], model.predict_proba(X), atol=1e-12)
    np.testing.assert_allclose(stages[0], model[0].predict_proba(X), atol=1e-12)
    np.testing.assert_array_equal(list(model.staged_predict(X))[-1], model.predict(X))
    X, y = DIABETES
    model = BaggingRegressor(RegressionStump(), 20, random_state=0).fit(X, y)
    np.testing.assert_allclose(
        list(model.staged_predict(X))[9], np.mean([h.predict(X) for h in model[:10]], axis=0)
    )


def test_a_replicate_may_lack_a_class():
    X, y = [[0], [1], [2], [3]], ["a", "a", "a", "b"]
    model = BaggingClassifier(KNeighborsClassifier(1), 30, max_samples=2, random_state=0).fit(X, y)
    assert {len(member.classes_) for member in model} == {1, 2}
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)


def test_decision_function_only_where_members_have_one():
    X, y = IRIS
    assert not hasattr(BaggingClassifier(DecisionStump()), "decision_function")
    model = BaggingClassifier(LinearSVC(random_state=0), 5, random_state=0).fit(X, y)
    mean = np.mean([member.decision_function(X) for member in model], axis=0)
    np.testing.assert_allclose(model.decision_function(X), mean, atol=1e-12)


def test_sparse_data_go_where_the_learner_takes_them():
    X, y = IRIS
    dense = BaggingClassifier(MultinomialNB(), 5, random_state=0).fit(X, y)
    sparse = BaggingClassifier(MultinomialNB(), 5, random_state=0).fit(csr_matrix(X), y)
    np.testing.assert_allclose(dense.predict_proba(X), sparse.predict_proba(csr_matrix(X)), atol=1e-12)
    with pytest.raises(TypeError, match="[Ss]parse"):
        BaggingClassifier(DecisionStump(), 5).fit(csr_matrix(X), y)


def test_any_number_of_workers_gives_the_same():
    X, y = IRIS
    for member in (DecisionStump(), MultinomialNB()):  # threads, then processes
        models = [
            BaggingClassifier(member, 40, oob_score=True, random_state=3, n_jobs=n_jobs).fit(X, y)
            for n_jobs in (None, 2)
        ]
        one, two = (model.predict_proba(X) for model in models)
        np.testing.assert_array_equal(one, two)
        assert models[0].oob_score_ == models[1].oob_score_


def test_grid_search_reaches_the_learner():
    X, y = IRIS
    search = GridSearchCV(
        BaggingClassifier(KNeighborsClassifier(), 5, random_state=0),
        {"estimator__n_neighbors": [1, 15], "max_samples": [0.2, 1.0]},
        cv=3,
    ).fit(X, y)
    assert search.best_score_ > 0.9


@pytest.mark.parametrize(
    "settings, message",
    [
        (
            {"n_estimators": 0},
            r"'n_estimators' parameter of BaggingClassifier must be an int in \[1, inf\). Got 0",
        ),
        ({"max_samples": 1.5}, "'max_samples' parameter .* Got 1.5"),
        ({"max_samples": 0}, "'max_samples' parameter .* Got 0"),
        ({"max_features": 9}, "max_features must be <= n_features, but 9 > 4"),
        ({"max_features": 0.0}, "'max_features' parameter"),
        ({"bootstrap": False, "max_samples": 200}, "without replacement"),
        ({"bootstrap": False, "oob_score": True}, "Out of bag estimation only available if bootstrap=True"),
        ({"voting": "loud"}, "'voting' parameter .* Got 'loud'"),
    ],
)
def test_refusals(settings, message):
    with pytest.raises(ValueError, match=message):
        BaggingClassifier(DecisionStump(), **settings).fit(*IRIS)


def test_progress_bar(capsys):
    BaggingClassifier(DecisionStump(), 3, random_state=0, verbose=1).fit(*IRIS).predict(IRIS[0])
    shown = capsys.readouterr().err
    assert "members: 100%" in shown and shown.count("3/3") == 1
    BaggingClassifier(DecisionStump(), 3, random_state=0).fit(*IRIS)
    assert capsys.readouterr().err == ""


# ------------------------------------------------------------------------------------ replicates


@given(st.integers(1, 40), st.integers(1, 60), st.integers(0, 10**6))
def test_replicates(n, m, seed):
    _, rows = draw_replicate(seed, Draw(n_rows=n, n_drawn=m))
    assert len(rows) == m and 0 <= rows.min() and rows.max() < n
    out = left_out(rows, n)
    assert out.sum() == n - len(set(rows.tolist()))
    if m <= n:
        _, rows = draw_replicate(seed, Draw(n_rows=n, n_drawn=m, replace=False))
        assert len(set(rows.tolist())) == m


def test_replicate_size():
    weights = np.array([1.0, 1, 2, 4])
    assert [replicate_size(4, s) for s in (None, 7, 0.5, 0.1)] == [4, 7, 2, 1]
    assert [replicate_size(4, s, weights) for s in (None, 7, 0.5)] == [4, 7, 4]


def test_weights_are_chances():
    X = np.arange(4.0)[:, None]
    model = BaggingRegressor(RegressionStump(), 2000, random_state=0).fit(X, X.ravel(), [0, 1, 2, 1])
    share = np.bincount(np.concatenate(model.estimators_samples_), minlength=4) / 8000
    assert share[0] == 0
    np.testing.assert_allclose(share[1:], [0.25, 0.5, 0.25], atol=4 * np.sqrt(0.25 / 8000))


def test_without_the_compiler():
    code = (
        "import numpy as np; from sklearn.datasets import load_iris; import mllib;"
        "X, y = load_iris(return_X_y=True);"
        "m = mllib.BaggingClassifier(mllib.DecisionStump(), 5, random_state=0).fit(X[::3], y[::3]);"
        "print(m.predict_proba(X).tobytes().hex())"
    )
    plain = subprocess.run(
        [sys.executable, "-c", code],
        env={"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    X, y = IRIS
    model = BaggingClassifier(DecisionStump(), 5, random_state=0).fit(X[::3], y[::3])
    assert model.predict_proba(X).tobytes().hex() == plain.stdout.strip()


def test_scores_of_members_that_lack_a_class_have_no_mean():
    X, y = np.arange(12.0)[:, None], np.repeat([0, 1, 2], [5, 5, 2])
    bag = BaggingClassifier(LogisticRegression(), n_estimators=10, random_state=0).fit(X, y)
    assert min(len(member.classes_) for member in bag) == 2
    with pytest.raises(ValueError, match="a replicate lacks a class"):
        bag.decision_function(X)
    assert bag.predict_proba(X).shape == (12, 3)


@pytest.mark.parametrize(
    "member", [LogisticRegression(), LinearStump(), RealAdaBoostClassifier(n_estimators=2), Perceptron()]
)
def test_a_replicate_of_one_class_gives_a_member_that_says_that_class(member):
    X = np.column_stack([np.arange(40.0), np.arange(40.0) % 7])
    y = np.r_[1, 1, np.zeros(38, int)]
    bag = BaggingClassifier(member, n_estimators=30, random_state=0).fit(X, y)
    alone = [m for m, rows in zip(bag, bag.estimators_samples_, strict=True) if not y[rows].any()]
    assert alone and all(isinstance(m, DummyClassifier) and not m.predict(X).any() for m in alone)
    assert bag.predict_proba(X).shape == (40, 2) and bag.score(X, y) > 0.9
    result = bias_variance(member, X, y, n_replicates=30, random_state=0)
    assert result.prediction.shape == (40, 2) and result.mean_error < 0.2


def test_other_errors_of_a_member_are_not_hidden():
    with pytest.raises(ValueError, match="criterion"):
        BaggingClassifier(DecisionStump("best"), 3, random_state=0).fit([[0.0], [1.0], [2.0]], [0, 1, 1])
    with pytest.raises(ValueError, match="exactly 2 features"):
        BaggingClassifier(LinearStump("exact"), 3, random_state=0).fit(IRIS[0][:100], IRIS[1][:100])


def test_a_share_of_huge_weights_is_refused():
    X, y = IRIS
    for unit in (1e6, 1e307):
        for model in (RandomForestClassifier(1, max_samples=0.5), BaggingClassifier(max_samples=0.5)):
            with pytest.raises(ValueError, match="share of the total weight, here .* too many rows"):
                model.fit(X, y, np.full(150, unit))
    assert len(BaggingClassifier(max_samples=40).fit(X, y, np.full(150, 1e307)).estimators_samples_[0]) == 40


@pytest.mark.parametrize("unit", [1e-320, 1e-150, 1e77, 1e307])
def test_a_common_factor_of_the_weights_changes_no_chance(unit):
    X, y = IRIS
    for model in (BaggingClassifier(random_state=0), RandomForestClassifier(5, random_state=0)):
        plain = model.fit(X, y, np.ones(150)).predict_proba(X)
        np.testing.assert_allclose(model.fit(X, y, np.full(150, unit)).predict_proba(X), plain)
