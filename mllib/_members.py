r"""The seam between an ensemble and its members.

Bagging and boosting learn from any estimator that ``clone`` can copy. Boosting asks for a *weak learner*, one
with ``fit(X, y, sample_weight)``, again and again: "here are the same examples with other weights, learn". It
need only be a little better than chance each time.

A learner of this package may also offer two private methods, which make the repetition cheap:

- ``_prepare(X)`` does once what depends on X alone (a stump sorts the features);
- ``_fit_prepared(prepared, codes, classes, weights)`` then learns without checks and without sorting
  (for regression: ``_fit_prepared(prepared, y, weights)``),

and ``_predict_codes(X)``, ``_predict_shares(X)`` or ``_predict_values(X)``: ``predict`` and ``predict_proba``
for input that was checked already. Stumps and trees have them and inherit ``fit`` and ``predict`` from here.

References
----------
.. [1] Schapire, R. E. and Freund, Y. (2012). Boosting: Foundations and Algorithms. MIT Press. (Section 1.2.2,
   weak learners that accept weights.)
"""

from copy import copy

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from .learner import Classifier, Regressor
from .validation import check_classification, check_regression, check_X, drop_weightless, seed_members


class MemberClassifier(Classifier):
    """A classifier that prepares X once and learns under many weights."""

    _drops_weightless = False  # whether rows of weight zero must be gone before X is prepared

    def fit(self, X, y, sample_weight=None):
        """Learn. Examples of weight zero count as absent."""
        X, codes, classes, weights = check_classification(self, X, y, sample_weight, moderate_weights=True)
        there = weights > 0 if self._drops_weightless else slice(None)
        return self._fit_prepared(self._prepare(X[there]), codes[there], classes, weights[there])

    def predict(self, X):
        """The heaviest class where each point lies; of equally heavy ones the first."""
        X = check_X(self, X)  # before classes_, which only a fitted estimator has
        return self.classes_[self._predict_codes(X)]

    def predict_proba(self, X):
        """The weighted shares of the classes where each point lies."""
        return self._predict_shares(check_X(self, X))


class MemberRegressor(Regressor):
    """A regressor that prepares X once and learns under many weights."""

    _drops_weightless = False

    def fit(self, X, y, sample_weight=None):
        """Learn. Examples of weight zero count as absent."""
        X, y, weights = check_regression(self, X, y, sample_weight, moderate_weights=True)
        there = weights > 0 if self._drops_weightless else slice(None)
        return self._fit_prepared(self._prepare(X[there]), y[there], weights[there])

    def predict(self, X):
        """The weighted mean of y where each point lies."""
        return self._predict_values(check_X(self, X))


def check_weighted(estimator, X, y, sample_weight, binary, min_classes=2):
    """Check a training set whose weights boosting may change: examples of weight zero are left out.

    Returns X, codes, classes and weights, as :func:`mllib.validation.check_classification` does.
    """
    options = dict(binary=binary, min_classes=min_classes, weigh_each_class=True, moderate_weights=True)
    return drop_weightless(*check_classification(estimator, X, y, sample_weight, **options))


def classifier_from(estimator, X, codes, classes, rng):
    """Return ``learn(weights)``, which gives a newly fitted copy of the classifier.

    Examples
    --------
    >>> from mllib import DecisionStump
    >>> X, codes = np.array([[1.0], [2.0], [3.0]]), np.array([0, 1, 0])
    >>> learn = classifier_from(DecisionStump(), X, codes, np.array(["a", "b"]), np.random.RandomState(0))
    >>> learn(np.array([1.0, 5.0, 1.0])).rule()
    'x1 <= 1.5: a, else b'
    """
    new, prepared = _copier(estimator, X, rng)
    if prepared is not None:
        return lambda weights: new()._fit_prepared(prepared, codes, classes, weights)
    y = classes[codes]
    return lambda weights: new().fit(X, y, sample_weight=weights)


def regressor_from(estimator, X, rng):
    """Return ``learn(y, weights)``, which gives a newly fitted copy of the regressor.

    Examples
    --------
    >>> from mllib import RegressionStump
    >>> learn = regressor_from(RegressionStump(), np.array([[1.0], [2.0]]), np.random.RandomState(0))
    >>> learn(np.array([3.0, 4.0]), np.ones(2)).rule()
    'x1 <= 1.5: 3, else 4'
    """
    new, prepared = _copier(estimator, X, rng)
    if prepared is not None:
        return lambda y, weights: new()._fit_prepared(prepared, y, weights)
    return lambda y, weights: new().fit(X, y, sample_weight=weights)


def codes_of(member, X, classes):
    """The member's answers for checked X, as positions in ``classes``."""
    if hasattr(member, "_predict_codes"):
        return member._predict_codes(X)
    return np.searchsorted(classes, member.predict(X))


def shares_of(member, X, classes):
    """The member's class probabilities for checked X, one column for each of ``classes``."""
    shares = (member._predict_shares if hasattr(member, "_predict_shares") else member.predict_proba)(X)
    if shares.shape[1] == len(classes):
        return shares
    full = np.zeros((X.shape[0], len(classes)))
    full[:, np.searchsorted(classes, member.classes_)] = shares
    return full


def values_of(member, X):
    """The member's numbers for checked X."""
    return member._predict_values(X) if hasattr(member, "_predict_values") else member.predict(X)


def numbers_of(member, X):
    """A number for each x."""
    return np.asarray(values_of(member, X), dtype=np.float64)


def votes_of(member, X, n_classes, hard):
    """A row for each x: the member's probabilities, or 1 for the class it votes for."""
    if hard or not hasattr(member, "predict_proba"):
        return np.eye(n_classes)[member.predict(X)]
    return np.asarray(shares_of(member, X, np.arange(n_classes)), dtype=np.float64)


def decision_of(member, X, n_classes):
    """What the member's decision function says: one or several numbers for each x."""
    if len(member.classes_) != n_classes:
        raise ValueError("a replicate lacks a class, so the scores have no mean; predict_proba has one")
    return np.asarray(member.decision_function(X), dtype=np.float64)


def _copier(estimator, X, rng):
    """Return ``new()``, which gives an unfitted copy with a seed of its own, and what it prepares of X."""
    if not has_fit_parameter(estimator, "sample_weight"):
        raise ValueError(f"{type(estimator).__name__} doesn't support sample_weight.")
    if not hasattr(estimator, "_fit_prepared"):
        return (lambda: seed_members(clone(estimator), rng)), None
    # clone() checks a copy's parameters one by one, which takes as long as a small stump. Learners of this
    # package have plain parameters, for which a shallow copy is the same.
    estimator._check_parameters()
    return (lambda: seed_members(copy(estimator), rng)), estimator._prepare(X)
