"""What bagging and forests share: a committee whose answers are averaged, and judged out of bag.

What a member says is a row of numbers for each x (see the functions ``hear_...``), so that votes,
probabilities and numbers are all averaged by the same few lines.
"""

from numbers import Integral

import numpy as np
from sklearn.base import clone
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from .._members import shares_of, values_of
from ..learner import Classifier, Ensemble, Learner, Regressor, knob
from ..parameters import boolean, integer, one_of, real
from ..validation import check_classification, check_regression, check_X
from .out_of_bag import accuracy, judge_out_of_bag, r2
from .replicates import (
    Draw,
    chances_of,
    draw_replicate,
    fit_member,
    new_seeds,
    prepare,
    replicate_size,
    spread,
)

_AT_ONCE = 16  # members that one task asks: the same for any number of workers, and so are the sums


class Committee(Ensemble):
    """Members, each with a seed of its own, and the mean of their answers.

    A committee supplies ``_fit_members(X, y, weights, weighted)``, ``_mean(X)``, ``_say(t, X)``, what member
    t says about checked X, and ``_rows_of(t)``, the rows that it has seen.
    """

    oob_score = False  # for committees without the parameter

    n_jobs: int | None = knob(None, one_of(None) | integer())
    random_state: object = knob(None)
    verbose: int = knob(0, integer(0) | boolean())

    def _checked(self, X):
        check_is_fitted(self)
        return check_X(self, X, accept_sparse=self._sparse)

    def _staged_means(self, X):
        """The mean answer of the first 1, 2, ..., T members."""
        X, total = self._checked(X), 0.0
        for t in range(len(self)):
            total = total + self._say(t, X)
            yield total / (t + 1)

    def _judge_out_of_bag(self, X, y, judge):
        """Fill in the score and its history; return the mean answer for each example."""
        answers = [lambda rows, t=t: self._say(t, X[rows]) for t in range(len(self))]
        mean, self.history_ = judge_out_of_bag(answers, map(self._rows_of, range(len(self))), y, judge)
        self.oob_score_ = float(self.history_.oob_score[-1])
        return mean

    @property
    def estimators_samples_(self):
        """The rows that each member has seen; drawn again from its seed, so that they take no memory."""
        check_is_fitted(self)
        return [self._rows_of(t) for t in range(len(self))]


class Resampled(Learner):
    """Committees whose members may see a bootstrap replicate each, and be judged by what it left out."""

    bootstrap: bool = knob(True, boolean())
    oob_score: bool = knob(False, boolean())
    max_samples: float | None = knob(None, one_of(None) | integer(1) | real(0, 1, open_low=True))

    def _check_parameters(self):
        super()._check_parameters()
        if self.oob_score and not self.bootstrap:
            raise ValueError("Out of bag estimation only available if bootstrap=True")


class MeanClassifier(Classifier):
    """The class with the greatest mean share."""

    def fit(self, X, y, sample_weight=None):
        """Learn the members. Where rows are drawn, ``sample_weight`` are their relative chances."""
        self._check_parameters()
        X, codes, self.classes_, weights = check_classification(
            self, X, y, sample_weight, accept_sparse=self._sparse
        )
        self._fit_members(X, codes, weights, sample_weight is not None)
        if self.oob_score:
            self.oob_decision_function_ = self._judge_out_of_bag(X, codes, accuracy)
        return self

    def predict_proba(self, X):
        """The mean of the members' probabilities or votes, a column for each class."""
        return self._mean(X)

    def predict(self, X):
        """The class with the largest mean; the first of equal ones."""
        return self._labels_of(self._mean(X))

    def staged_predict_proba(self, X):
        """:meth:`predict_proba` of the first 1, 2, ... members, one after another."""
        yield from self._staged_means(X)

    def staged_predict(self, X):
        """:meth:`predict` of the first 1, 2, ... members, one after another."""
        yield from map(self._labels_of, self._staged_means(X))


class MeanRegressor(Regressor):
    """The mean number."""

    def fit(self, X, y, sample_weight=None):
        """Learn the members. Where rows are drawn, ``sample_weight`` are their relative chances."""
        self._check_parameters()
        X, y, weights = check_regression(self, X, y, sample_weight, accept_sparse=self._sparse)
        self._fit_members(X, y, weights, sample_weight is not None)
        if self.oob_score:
            self.oob_prediction_ = self._judge_out_of_bag(X, y, r2)
        return self

    def predict(self, X):
        """The mean of the members' answers."""
        return self._mean(X)

    def staged_predict(self, X):
        """:meth:`predict` of the first 1, 2, ... members, one after another."""
        yield from self._staged_means(X)


class Bagging(Resampled, Committee):
    """Draw, learn, add up. A subclass says what a member answers (``_hear``) and how answers are judged."""

    estimator: object = knob(None, first=True)
    n_estimators: int = knob(10, integer(1), first=True)
    max_features: float = knob(1.0, integer(1) | real(0, 1, open_low=True))
    bootstrap_features: bool = knob(False, boolean())

    @property
    def _template(self):
        return self._default() if self.estimator is None else self.estimator

    @property
    def _sparse(self):
        return "csr" if get_tags(self._template).input_tags.sparse else False

    def _fit_members(self, X, y, weights, weighted):
        n, d = X.shape
        weights = weights if weighted else None  # chances of being drawn
        k = self.max_features if isinstance(self.max_features, Integral) else int(self.max_features * d)
        self._draw = draw = Draw(
            n_rows=n,
            n_drawn=replicate_size(n, self.max_samples, weights),
            replace=bool(self.bootstrap),
            chances=None if weights is None else chances_of(weights),
            n_features=d,
            n_features_drawn=max(1, int(k)),
            replace_features=bool(self.bootstrap_features),
        )
        if k > d:
            raise ValueError(f"max_features must be <= n_features, but {k} > {d}")
        if not self.bootstrap and draw.n_drawn > n:
            raise ValueError(f"max_samples={draw.n_drawn} must be <= {n} rows without replacement")
        self.estimator_ = clone(self._template)
        self._seeds = new_seeds(self.random_state, self.n_estimators).tolist()
        columns = prepare(self.estimator_, X, draw)
        tasks = [(self.estimator_, X, y, seed, draw, columns) for seed in self._seeds]
        members = self._spread(fit_member, tasks, self.verbose)
        self.estimators_ = [member for member, _ in members]
        self.estimators_features_ = [features for _, features in members]
        return self

    def _spread(self, function, tasks, verbose=0):
        # The learners of this package are compiled and run beside each other in threads.
        threads = type(self.estimator_).__module__.startswith("mllib.")
        return spread(function, tasks, n_jobs=self.n_jobs, verbose=verbose, label="members", threads=threads)

    def _rows_of(self, t):
        return draw_replicate(self._seeds[t], self._draw)[1]

    def _members(self):
        """Pairs of a member and its features (None: all of them)."""
        features = [None] * len(self) if self._draw.all_features else self.estimators_features_
        return list(zip(self.estimators_, features, strict=True))

    def _mean(self, X, hear=None, *extra):
        """The mean of what ``hear(member, X, *extra)`` says over all members; else of what they say."""
        X, members = self._checked(X), self._members()
        hear, extra = (hear, extra) if hear else self._hear()
        groups = [members[b : b + _AT_ONCE] for b in range(0, len(members), _AT_ONCE)]
        sums = self._spread(_sum_answers, [(group, X, hear, extra) for group in groups])
        return sum(sums) / len(members)

    def _say(self, t, X):
        hear, extra = self._hear()
        return _sum_answers([self._members()[t]], X, hear, extra)


def _sum_answers(members, X, hear, extra):
    return sum(hear(member, X if f is None else X[:, f], *extra) for member, f in members)


def hear_number(member, X):
    """A number for each x."""
    return np.asarray(values_of(member, X), dtype=np.float64)


def hear_class(member, X, n_classes, hard):
    """A row for each x: the member's probabilities, or 1 for the class it votes for."""
    if hard or not hasattr(member, "predict_proba"):
        return np.eye(n_classes)[member.predict(X)]
    return np.asarray(shares_of(member, X, np.arange(n_classes)), dtype=np.float64)


def hear_decision(member, X, n_classes):
    """What the member's decision function says: one or several numbers for each x."""
    if len(member.classes_) != n_classes:
        raise ValueError("a replicate lacks a class, so the scores have no mean; predict_proba has one")
    return np.asarray(member.decision_function(X), dtype=np.float64)
