"""Bias, variance and noise from one training set: the recipe of the notes, done by hand beside it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.datasets import load_diabetes, load_iris

from mllib import (
    DecisionTreeClassifier,
    RegressionStump,
    bias_variance,
    estimate_noise,
)
from mllib.bagging.replicates import Draw, draw_replicate, left_out

IRIS = load_iris(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)


class Seen(RegressorMixin, BaseEstimator):
    """Takes no weights: is given repeated rows, and predicts their mean."""

    def fit(self, X, y):
        self.mean_ = y.mean()
        self.n_features_in_ = X.shape[1]
        return self

    def predict(self, X):
        return np.full(len(X), self.mean_)


class Loud(ClassifierMixin, BaseEstimator):
    """Predicts the commonest class of its replicate."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.common_ = np.bincount(y).argmax()
        return self

    def predict(self, X):
        return np.full(len(X), self.common_)


def by_hand(n, n_replicates, seed, learn):
    """The notes' recipe with lists in place of running sums."""
    seeds = np.random.RandomState(seed).randint(np.iinfo(np.int32).max, size=n_replicates)
    said = [[] for _ in range(n)]
    for s in seeds:
        _, rows = draw_replicate(int(s), Draw(n_rows=n, n_drawn=n))
        for i in np.flatnonzero(left_out(rows, n)):
            said[i].append(learn(rows))
    return said


def test_bias_variance_is_the_recipe_of_the_notes():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(12, 1)), 1e3 + rng.normal(size=12)
    result = bias_variance(Seen(), X, y, n_replicates=15, random_state=4)
    said = by_hand(12, 15, 4, lambda rows: y[rows].mean())
    for i, h in enumerate(said):
        assert result.n_predictions[i] == len(h) > 1
        assert result.prediction[i] == pytest.approx(np.mean(h))
        assert result.bias[i] == pytest.approx(y[i] - np.mean(h), abs=1e-9)
        assert result.variance[i] == pytest.approx(np.var(h, ddof=1), rel=1e-9)
        assert result.error[i] == pytest.approx(np.mean((y[i] - np.array(h)) ** 2), rel=1e-9)
    assert result.mean_variance == pytest.approx(result.variance.mean())


def test_bias_variance_of_a_classifier_splits_its_error_rate():
    y = np.array([0, 0, 0, 1, 1, 2, 2, 1, 0, 2])
    X = np.zeros((10, 1))
    names = np.array(["r", "g", "b"])[y]
    codes = np.unique(names, return_inverse=True)[1]
    result = bias_variance(Loud(), X, names, n_replicates=25, random_state=4)
    said = by_hand(10, 25, 4, lambda rows: np.bincount(codes[rows], minlength=3).argmax())
    assert result.classes.tolist() == ["b", "g", "r"]
    for i, h in enumerate(said):
        votes = np.eye(3)[h]
        assert result.error[i] == pytest.approx(np.mean(np.array(h) != codes[i]))
        np.testing.assert_allclose(result.prediction[i], votes.mean(axis=0))
        assert result.variance[i] == pytest.approx(votes.var(axis=0, ddof=1).sum() / 2)


@given(st.integers(0, 1000), st.integers(2, 8), st.sampled_from([None, 0.4, 5]))
def test_error_is_bias_and_variance(seed, n_replicates, max_samples):
    X, y = DIABETES[0][:40], DIABETES[1][:40]
    try:
        result = bias_variance(
            RegressionStump(), X, y, n_replicates=n_replicates, max_samples=max_samples, random_state=seed
        )
    except ValueError:
        return
    K = result.n_predictions
    twice = K > 1
    np.testing.assert_allclose(
        result.error[twice], (result.bias2 + result.variance * (K - 1) / np.maximum(K, 1))[twice], rtol=1e-9
    )
    assert np.isnan(result.variance[~twice]).all() and np.isnan(result.prediction[K == 0]).all()


def test_bias_variance_refuses():
    X, y = DIABETES
    with pytest.raises(ValueError, match=r"n_replicates must be an int in \[2, inf\). Got 1"):
        bias_variance(RegressionStump(), X, y, n_replicates=1)
    with pytest.raises(ValueError, match="max_samples must be"):
        bias_variance(RegressionStump(), X, y, max_samples=-1)
    with pytest.raises(ValueError, match="no variance to see"):
        bias_variance(RegressionStump(), [[0], [1]], [0, 1], n_replicates=2, max_samples=50, random_state=0)
    with pytest.raises(ValueError, match="NaN"):
        bias_variance(RegressionStump(), [[0], [np.nan]], [0, 1])


def test_noise_is_found():
    rng = np.random.default_rng(1)
    X = np.repeat(rng.uniform(size=(500, 2)), 4, axis=0)
    y = np.sin(5 * X[:, 0]) + X[:, 1] + 0.3 * rng.normal(size=2000)
    assert estimate_noise(X, y) == pytest.approx(0.09, abs=4 * 0.09 * np.sqrt(2 / 1500))
    X = rng.uniform(size=(4000, 1))
    y = np.sin(5 * X[:, 0]) + 0.3 * rng.normal(size=4000)
    assert estimate_noise(X, y, similar=True) == pytest.approx(0.09, rel=0.1)
    with pytest.raises(ValueError, match="no x occurs twice"):
        estimate_noise(X, y)
    # three equal points: whichever of them the search names first, none is compared with itself
    assert estimate_noise([[0], [0], [0], [9]], [1.0, 3.0, 5.0, 5.0], similar=True) > 0


def test_a_classifier_wants_classes():
    X = np.random.RandomState(0).normal(size=(30, 2))
    with pytest.raises(ValueError, match="Unknown label type: continuous"):
        bias_variance(DecisionTreeClassifier(), X, X[:, 0])
