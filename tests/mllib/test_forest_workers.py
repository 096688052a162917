"""Forests are the same whoever grows them: threads or the interpreter. And they refuse nonsense."""

import pickle

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris

from mllib import (
    DecisionForestClassifier,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    strength_and_correlation,
)
from mllib.datasets import make_waveform
from mllib.forest import _flat
from tests.mllib.compiler import with_and_without

IRIS = load_iris(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)
WAVES = make_waveform(300, random_state=0)
CLASSIFIERS = [DecisionForestClassifier, ExtraTreesClassifier, RandomForestClassifier]
REGRESSORS = [ExtraTreesRegressor, RandomForestRegressor]


def data_for(Forest):
    return DIABETES if Forest in REGRESSORS else IRIS


def answer(forest, X):
    return forest.predict_proba(X) if hasattr(forest, "predict_proba") else forest.predict(X)


# ----------------------------------------------------------------------------------------- who grows them


@pytest.mark.parametrize("Forest", CLASSIFIERS + REGRESSORS)
def test_any_number_of_threads_gives_the_same(Forest):
    X, y = data_for(Forest)
    X_many = np.concatenate([X] * 12)
    one = Forest(20, random_state=4).fit(X, y)
    two = Forest(20, random_state=4, n_jobs=2).fit(X, y)
    np.testing.assert_array_equal(answer(one, X_many), answer(two, X_many))
    np.testing.assert_array_equal(answer(one, X_many), answer(one.set_params(n_jobs=2), X_many))
    between = (X[1:] + X[:-1]) / 2
    assert not np.array_equal(answer(one, between), answer(Forest(20, random_state=5).fit(X, y), between))


def test_pickling_and_refitting_leave_no_old_answers():
    X, y = IRIS
    forest = RandomForestClassifier(10, random_state=0).fit(X, y)
    before = forest.predict_proba(X)
    assert "_flat" not in forest.__getstate__()  # the trees are stored once
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(forest)).predict_proba(X), before)
    forest.set_params(random_state=1).fit(X, y)
    assert not np.array_equal(forest.predict_proba(X), before)


def test_without_the_compiler():
    code = (
        "from sklearn.datasets import load_iris; import mllib, numpy as np;"
        "X, y = load_iris(return_X_y=True); out = [];"
        "out += [mllib.RandomForestClassifier(4, random_state=0).fit(X[::3], y[::3]).predict_proba(X)];"
        "out += [mllib.ExtraTreesClassifier(4, random_state=0).fit(X[::3], y[::3]).predict_proba(X)];"
        "out += [mllib.RandomForestRegressor(4, random_state=0).fit(X[::3], y[::3]).predict(X)[:, None]];"
        "print(np.hstack(out).tobytes().hex())"
    )
    a, b = (np.frombuffer(bytes.fromhex(text.strip())) for text in with_and_without(code))
    np.testing.assert_allclose(a, b, rtol=1e-12)


def test_votes_give_strength_and_correlation():
    X, y = make_waveform(600, random_state=0)
    forest = RandomForestClassifier(30, random_state=0).fit(X[:300], y[:300])
    result = strength_and_correlation([tree.predict(X[300:]) for tree in forest], y[300:])
    assert 0 < result.strength < 1 and result.error <= result.bound
    with pytest.raises(ValueError, match="a row for each member"):
        strength_and_correlation([0, 1], [0, 1])


# ------------------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize("Forest", CLASSIFIERS + REGRESSORS)
@pytest.mark.parametrize(
    "settings, message",
    [
        ({"n_estimators": 0}, r"'n_estimators' parameter of \w+ must be an int in \[1, inf\). Got 0"),
        ({"criterion": "luck"}, "'criterion' parameter .* Got 'luck'"),
        ({"max_depth": 0}, "'max_depth' parameter .* Got 0"),
        ({"max_features": 0}, "'max_features' parameter .* Got 0"),
        ({"max_features": 99}, "'max_features' parameter .* Got 99"),
        ({"min_samples_leaf": 0}, "'min_samples_leaf' parameter"),
        ({"ccp_alpha": -1}, "'ccp_alpha' parameter"),
        ({"n_jobs": "all"}, "'n_jobs' parameter"),
    ],
)
def test_bad_parameters(Forest, settings, message):
    with pytest.raises(ValueError, match=message):
        Forest(**settings).fit(*data_for(Forest))


@pytest.mark.parametrize(
    "settings, message",
    [
        ({"oob_score": True, "bootstrap": False}, "only available if bootstrap=True"),
        ({"max_samples": 0.5, "bootstrap": False}, "max_samples cannot be set"),
        ({"max_samples": 0}, "'max_samples' parameter"),
        ({"bootstrap": "yes"}, "'bootstrap' parameter"),
    ],
)
def test_bad_replicates(settings, message):
    for Forest in (RandomForestClassifier, ExtraTreesClassifier):
        with pytest.raises(ValueError, match=message):
            Forest(**settings).fit(*IRIS)


def test_more_trees_than_examples():
    with pytest.raises(ValueError, match=r"at most the number of examples, 3: .* Got 4"):
        DecisionForestClassifier(4).fit([[0], [1], [2]], [0, 1, 0])


@pytest.mark.parametrize("Forest", CLASSIFIERS + REGRESSORS)
def test_bad_data(Forest):
    good, y = [[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]], [0, 1, 0]
    forest = Forest(2)
    for X, weights, message in (
        ([[0.0, np.nan], [1, 0], [2, 2]], None, "NaN"),
        ([0.0, 1.0, 2.0], None, "Expected 2D array, got 1D array"),
        ([["a", "b"]] * 3, None, "could not convert string to float"),
        ([[0.0], [1.0]], None, "inconsistent numbers of samples"),
        (good, [1, -1, 1], "Negative values in data passed to `sample_weight`"),
        (good, [0, 0, 0], "zero"),
    ):
        with pytest.raises(ValueError, match=message):
            forest.fit(X, y, weights)
    forest.fit(good, y)
    with pytest.raises(ValueError, match="X has 1 features, but .* is expecting 2"):
        forest.predict([[1.0]])


def test_progress_bar(capsys):
    RandomForestClassifier(3, random_state=0, verbose=1).fit(*IRIS).predict(IRIS[0])
    assert "trees: 100%" in capsys.readouterr().err
    RandomForestClassifier(3, random_state=0).fit(*IRIS).predict(IRIS[0])
    assert capsys.readouterr().err == ""


def test_block_size_changes_nothing(monkeypatch):
    X, y = WAVES
    forest = RandomForestClassifier(5, random_state=0).fit(X, y)
    whole = forest.predict_proba(X)
    monkeypatch.setattr(_flat, "_BLOCK", 17)
    np.testing.assert_array_equal(forest.predict_proba(X), whole)
