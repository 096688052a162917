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

import warnings
from itertools import islice
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import accuracy_score
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted
from tqdm import tqdm

from ..history import History
from ..parameters import boolean, check_parameters, integer, real
from ..ties import TIE, first_greatest, settled
from ..validation import check_classification, check_X, drop_weightless


class Round(NamedTuple):
    """What a variant reports after each round."""

    member: Any  # a fitted weak learner
    weight: float  # its factor in the sum
    numbers: dict  # a row of the history
    drop: tuple = ()  # positions of members to remove again (FloatBoost)
    unfinished: str = ""  # what is left to do, should this be the last round (BrownBoost)


def training_error(D, margin, size):
    """The weight D of the examples that are wrong or tied; ``size`` is the sum of the members' weights."""
    return D[margin <= TIE * size].sum()


class AdditiveModel(BaseEstimator):
    """A sum of members: the loop that builds it, its stages, and what a variant must supply."""

    # ---- hooks --------------------------------------------------------------------------------

    def _check_own_parameters(self):
        """Raise a ValueError for a parameter out of range."""
        raise NotImplementedError

    def _columns(self):
        """The columns of the history: name and meaning."""
        raise NotImplementedError

    def _rounds(self, data):
        """Yield a :class:`Round` again and again; return to stop early.

        ``data`` has X, D (weights that sum to one), rng, and what the learning task adds.
        """
        raise NotImplementedError

    def _answer(self, member, X):
        """h_t(x) for checked X: shape (n_samples,), or (n_samples, n_classes) when there are many classes."""
        raise NotImplementedError

    def _coefficients(self):
        """The weights c_t of the sum."""
        return self.estimator_weights_

    def _offset(self):
        """What the sum begins with."""
        return 0.0

    def _most_rounds(self):
        """The loop ends after so many rounds; None if the variant ends it."""
        return self.n_estimators

    # ---- learning -----------------------------------------------------------------------------

    def _run(self, rounds):
        """The one loop: take a round, keep the member, write the diary."""
        self.estimators_, weights, self.history_ = [], [], History(**self._columns())
        limit, last = self._most_rounds(), None
        for last in tqdm(islice(rounds, limit), total=limit, disable=not self.verbose):
            self.estimators_.append(last.member)
            weights.append(last.weight)
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
            warnings.warn(
                f"{type(self).__name__} stopped after {rounds} rounds{why}: {last.unfinished}",
                ConvergenceWarning,
                stacklevel=3,
            )
        self.estimator_weights_ = np.array(weights)

    # ---- the sum, and its stages ----------------------------------------------------------------

    def _staged_sum(self, X):
        """Yield F_1(X), F_2(X), ...; every stage is an array of its own."""
        F = self._offset()
        for member, c in zip(self.estimators_, self._coefficients(), strict=True):
            F = F + c * self._answer(member, X)
            yield F

    def _sum(self, X):
        F = np.array(self._offset())
        for member, c in zip(self.estimators_, self._coefficients(), strict=True):
            F = F + c * self._answer(member, X)
        return F

    # ---- the members ----------------------------------------------------------------------------

    def __len__(self):
        return len(self.estimators_)

    def __getitem__(self, index):
        return self.estimators_[index]

    def __iter__(self):
        return iter(self.estimators_)

    @property
    def feature_importances_(self):
        """The members' importances, averaged with their weights."""
        check_is_fitted(self)
        c = np.abs(self._coefficients())
        return np.average([member.feature_importances_ for member in self.estimators_], axis=0, weights=c)


class StagedClassifier(ClassifierMixin):
    """From the sum, and from each of its stages, to scores, labels and probabilities.

    Answers are made from labels and of size 1; what rounding leaves of a sum that is 0 in mathematics is
    therefore measured by the weights.
    """

    def _staged_sum(self, X):
        sizes = np.cumsum(np.abs(self._coefficients()))
        for F, size in zip(super()._staged_sum(X), sizes, strict=True):
            yield settled(F, size)

    def _sum(self, X):
        return settled(super()._sum(X), np.abs(self._coefficients()).sum())

    def _score_from(self, F, t):
        """The decision function that belongs to the sum of the first t members (t = None: all)."""
        return F

    def decision_function(self, X):
        """The score behind ``predict``: positive for ``classes_[1]``, or one column for each class."""
        return self._score_from(self._sum(check_X(self, X)), None)

    def staged_decision_function(self, X):
        """Yield the score after 1, 2, ..., T members."""
        for t, F in enumerate(self._staged_sum(check_X(self, X)), start=1):
            yield self._score_from(F, t)

    def _labels_from(self, score):
        if score.ndim == 1:
            return self.classes_[(score > 0).astype(np.int64)]
        return self.classes_[first_greatest(score)]

    def predict(self, X):
        """The class with the greatest score; a score of exactly 0 counts for ``classes_[0]``."""
        return self._labels_from(self.decision_function(X))

    def staged_predict(self, X):
        """Yield the predictions of the first 1, 2, ..., T members."""
        for score in self.staged_decision_function(X):
            yield self._labels_from(score)

    def staged_score(self, X, y, sample_weight=None):
        """Yield the accuracy of the first 1, 2, ..., T members."""
        for labels in self.staged_predict(X):
            yield accuracy_score(y, labels, sample_weight=sample_weight)

    def _proba_from(self, score):
        """The probabilities of the classes that belong to a score."""
        raise NotImplementedError

    def predict_proba(self, X):
        """Class probabilities under the variant's link between score and probability."""
        return self._proba_from(self.decision_function(X))

    def staged_predict_proba(self, X):
        """Yield the probabilities of the first 1, 2, ..., T members."""
        for score in self.staged_decision_function(X):
            yield self._proba_from(score)


class AdditiveClassifier(StagedClassifier, AdditiveModel):
    """An additive model whose sum is a score: classes, votes, probabilities."""

    def __init__(self, estimator=None, *, n_estimators=50, learning_rate=1.0, random_state=None, verbose=0):
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.random_state = random_state
        self.verbose = verbose

    def _check_own_parameters(self):
        check_parameters(
            self,
            n_estimators=integer(1),
            learning_rate=real(0, open_low=True),
            verbose=integer(0) | boolean(),
        )

    def _default_estimator(self):
        """The weak learner when ``estimator`` is None."""
        raise NotImplementedError

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
        self._check_own_parameters()
        binary = not self.__sklearn_tags__().classifier_tags.multi_class
        checked = check_classification(
            self,
            X,
            y,
            sample_weight,
            binary=binary,
            min_classes=2 if binary else 1,
            weigh_each_class=True,
            moderate_weights=True,
        )
        X, codes, self.classes_, weights = drop_weightless(*checked)
        self.n_classes_ = len(self.classes_)
        self.estimator_ = self._default_estimator() if self.estimator is None else clone(self.estimator)
        data = SimpleNamespace(
            X=X,
            codes=codes,
            y=2.0 * codes - 1.0,
            D=weights / weights.sum(),
            classes=self.classes_,
            estimator=self.estimator_,
            rng=check_random_state(self.random_state),
        )
        self._run(self._rounds(data))
        return self

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
