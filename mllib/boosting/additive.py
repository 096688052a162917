r"""Additive models: many weak answers, one weighted sum. Here is the loop that every variant shares.

Boosting builds

.. math:: F_T(x) = \sum_{t=1}^T c_t \, h_t(x)

one term at a time and never touches a term again. The variants differ in what :math:`h_t` answers (a class or
a number), how its weight :math:`c_t` is found, and how the examples are weighted for the next round. So each
variant is one generator, ``_rounds``, that reads like its formula: it yields a fitted member, its weight and
the numbers of the round. What surrounds the formula is written once, in this file: input checks, the loop,
the diary, the stages of prediction.

References
----------
.. [1] Friedman, J., Hastie, T. and Tibshirani, R. (2000). "Additive logistic regression: a statistical view
   of boosting". Annals of Statistics 28(2), 337-407.
"""

from collections.abc import Callable
from itertools import accumulate, islice
from typing import Any, NamedTuple

import numpy as np
from scipy.special import expit
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.metrics import accuracy_score
from sklearn.utils import check_random_state
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from .._members import check_weighted, classifier_from, codes_of, regressor_from, values_of
from ..history import History
from ..learner import Classifier, Learner, knob, progress, warn_unfinished
from ..parameters import boolean, integer
from ..ties import TIE, settled
from ..tree import DecisionStump
from ..validation import check_X, signed_labels


class Sample(NamedTuple):
    """What a variant learns from."""

    X: np.ndarray
    codes: np.ndarray
    classes: np.ndarray
    y: np.ndarray  # the labels of two classes as -1 and +1
    D: np.ndarray  # weights that sum to one
    learn: Callable  # of weights: a new member (of targets and weights, if members are regressors)


class Round(NamedTuple):
    """What a variant reports after each round."""

    member: Any  # a fitted weak learner
    weight: float  # its factor in the sum
    numbers: dict  # a row of the history
    margin: np.ndarray | None = None  # y F of the examples, from which the training error follows
    drop: tuple = ()  # positions of members to remove again (FloatBoost)
    unfinished: str = ""  # what is left to do, should this be the last round (BrownBoost)


def training_error(D, margin, size):
    """The weight D of the examples that are wrong or tied; ``size`` is the sum of the members' weights."""
    return D[margin <= TIE * size].sum()


class AdditiveModel(Learner):
    """A sum of members: the loop that builds it, and its stages.

    A variant supplies ``_columns`` (of the history: name and meaning), ``_rounds(data)``, which yields a
    :class:`Round` again and again and returns to stop early, and ``_answer(member, X)``, which is h_t(x) for
    checked X: shape (n_samples,), or (n_samples, n_classes) when there are many classes; a classifier also
    ``_proba_from(score)``, the probabilities of the classes that belong to a score.
    """

    _offset = 0.0  # what the sum begins with
    _ends_itself = False  # whether the variant, and not the number of rounds, ends the loop

    def __len__(self):
        return len(self.estimators_)

    def __getitem__(self, t):
        return self.estimators_[t]

    def __iter__(self):
        return iter(self.estimators_)

    # ---- learning -----------------------------------------------------------------------------

    def _run(self, rounds, D=None):
        """The one loop: take a round, keep the member, write the diary."""
        self.estimators_, weights, self.history_ = [], [], History(**self._columns)
        limit, last, size = None if self._ends_itself else self.n_estimators, None, 0.0
        for last in progress(islice(rounds, limit), self.verbose, type(self).__name__, limit, "round"):
            self.estimators_.append(last.member)
            weights.append(last.weight)
            size += last.weight
            if last.margin is not None:
                last.numbers["train_error"] = training_error(D, last.margin, size)
            self.history_.record(**last.numbers)
            for position in last.drop:
                del self.estimators_[position], weights[position]
        if not self.estimators_:
            raise ValueError(
                f"{type(self.estimator_).__name__} is no better than guessing on these data, so that "
                f"{type(self).__name__} cannot begin."
            )
        if last.unfinished:
            rounds = len(self.history_)
            why = "" if rounds == limit else ", because no member had an edge any more"
            warn_unfinished(f"{type(self).__name__} stopped after {rounds} rounds{why}: {last.unfinished}")
        self._c = self.estimator_weights_ = np.array(weights)

    # ---- the sum, and its stages ----------------------------------------------------------------

    def _staged_sum(self, X):
        """Yield F_1(X), F_2(X), ...; every stage is an array of its own."""
        sums = islice(accumulate(self._terms(X), initial=self._offset), 1, None)
        yield from map(self._settled, sums, np.cumsum(np.abs(self._c)))

    def _sum(self, X):
        return self._settled(sum(self._terms(X), start=self._offset), np.abs(self._c).sum())

    def _settled(self, F, size):
        """Labels are of size 1: what rounding leaves of a sum of 0 is measured by the members' weights."""
        return F if is_regressor(self) else settled(F, size)

    def _terms(self, X):
        return (c * self._answer(member, X) for member, c in zip(self.estimators_, self._c, strict=True))

    # ---- the members ----------------------------------------------------------------------------

    @property
    def feature_importances_(self):
        """The members' importances, averaged with their weights."""
        check_is_fitted(self)
        return np.average([h.feature_importances_ for h in self.estimators_], axis=0, weights=np.abs(self._c))

    # ---- of classes: from the sum, and from each of its stages, to scores, labels and probabilities ------

    def _score_from(self, F, t):
        """The decision function that belongs to the sum of the first t members (t = None: all)."""
        return F

    @available_if(is_classifier)
    def decision_function(self, X):
        """The score behind ``predict``: positive for ``classes_[1]``, or one column for each class."""
        return self._score_from(self._sum(check_X(self, X)), None)

    @available_if(is_classifier)
    def staged_decision_function(self, X):
        """Yield the score after 1, 2, ..., T members."""
        for t, F in enumerate(self._staged_sum(check_X(self, X)), start=1):
            yield self._score_from(F, t)

    @available_if(is_classifier)
    def staged_predict(self, X):
        """Yield the predictions of the first 1, 2, ..., T members."""
        yield from map(self._labels_of, self.staged_decision_function(X))

    @available_if(is_classifier)
    def staged_score(self, X, y, sample_weight=None):
        """Yield the accuracy of the first 1, 2, ..., T members."""
        for labels in self.staged_predict(X):
            yield accuracy_score(y, labels, sample_weight=sample_weight)

    @available_if(is_classifier)
    def predict_proba(self, X):
        """Class probabilities under the variant's link between score and probability."""
        return self._proba_from(self.decision_function(X))

    @available_if(is_classifier)
    def staged_predict_proba(self, X):
        """Yield the probabilities of the first 1, 2, ..., T members."""
        yield from map(self._proba_from, self.staged_decision_function(X))


class AdditiveClassifier(AdditiveModel, Classifier):
    """An additive model whose sum is a score: classes, votes, probabilities."""

    estimator: object = knob(None, first=True)
    n_estimators: int = knob(50, integer(1))
    random_state: object = knob(None)
    verbose: int = knob(0, integer(0) | boolean())

    _weak = DecisionStump()  # the weak learner when ``estimator`` is None
    _regresses = False  # whether members are regressors

    def fit(self, X, y, sample_weight=None):
        """Boost.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional
            Where the weights start. An example of weight 2 counts as two, one of weight 0 as absent.

        Returns
        -------
        self
        """
        least = 2 if self._binary else 1
        X, codes, self.classes_, weights = check_weighted(self, X, y, sample_weight, self._binary, least)
        self.n_classes_ = len(self.classes_)
        self.estimator_ = clone(self._weak if self.estimator is None else self.estimator)
        rng = check_random_state(self.random_state)
        if self._regresses:
            learn = regressor_from(self.estimator_, X, rng)
        else:
            learn = classifier_from(self.estimator_, X, codes, self.classes_, rng)
        data = Sample(X, codes, self.classes_, signed_labels(codes), weights / weights.sum(), learn)
        self._run(self._rounds(data), data.D)
        return self

    def _answer(self, member, X):
        return values_of(member, X) if self._regresses else signed_labels(codes_of(member, X, self.classes_))

    def vote(self, X):
        r"""The sum itself, :math:`F_T(x) = \sum_t c_t h_t(x)`.

        Returns
        -------
        F : ndarray of shape (n_samples,), or (n_samples, n_classes) when there are more than two classes
        """
        return self._sum(check_X(self, X))

    def staged_vote(self, X):
        """Yield the sum after 1, 2, ..., T members."""
        yield from self._staged_sum(check_X(self, X))

    def _proba_from(self, score):
        """Half the log-odds of the second class is the score: p = 1 / (1 + exp(-2 F))."""
        p = expit(2 * score)
        return np.column_stack((1 - p, p))
