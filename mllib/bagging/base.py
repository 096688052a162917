"""What bagging for classes and for numbers share: draw, learn, add up, judge out of bag.

What a member says is a row of numbers for each x (see the functions ``hear_...``), so that votes,
probabilities and numbers are all averaged by the same few lines.
"""

from numbers import Integral

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from ..parameters import boolean, check_parameters, integer, one_of, real
from ..tree import DecisionTreeClassifier, DecisionTreeRegressor
from ..validation import check_X
from .out_of_bag import judge_out_of_bag
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

__all__ = ["Bagging", "hear_class", "hear_decision", "hear_number"]

_AT_ONCE = 16  # members that one task asks: the same for any number of workers, and so are the sums


class Bagging(BaseEstimator):
    """Draw, learn, add up. A subclass says what a member answers and how answers are judged."""

    def _check_own_parameters(self):
        check_parameters(
            self,
            n_estimators=integer(1),
            max_samples=one_of(None) | integer(1) | real(0, 1, open_low=True),
            max_features=integer(1) | real(0, 1, open_low=True),
            bootstrap=boolean(),
            bootstrap_features=boolean(),
            oob_score=boolean(),
            n_jobs=one_of(None) | integer(),
            verbose=integer(0) | boolean(),
        )
        if self.oob_score and not self.bootstrap:
            raise ValueError("Out of bag estimation only available if bootstrap=True")

    @property
    def _template(self):
        return self._default_estimator() if self.estimator is None else self.estimator

    @property
    def _sparse(self):
        return "csr" if get_tags(self._template).input_tags.sparse else False

    def _fit_members(self, X, y, weights):
        """What classification and regression share. ``weights`` (or None) are the chances of being drawn."""
        n, d = X.shape
        k = self.max_features if isinstance(self.max_features, Integral) else int(self.max_features * d)
        self._draw = Draw(
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
        if not self.bootstrap and self._draw.n_drawn > n:
            raise ValueError(f"max_samples={self._draw.n_drawn} must be <= {n} rows without replacement")
        self.estimator_ = clone(self._template)
        self._seeds = new_seeds(self.random_state, self.n_estimators).tolist()
        columns = prepare(self.estimator_, X, self._draw)
        tasks = [(self.estimator_, X, y, seed, self._draw, columns) for seed in self._seeds]
        members = self._spread(fit_member, tasks, self.verbose)
        self.estimators_ = [member for member, _ in members]
        self.estimators_features_ = [features for _, features in members]
        return self

    def _spread(self, function, tasks, verbose=0):
        # The learners of this package are compiled and run beside each other in threads.
        threads = type(self.estimator_).__module__.startswith("mllib.")
        return spread(function, tasks, n_jobs=self.n_jobs, verbose=verbose, label="members", threads=threads)

    def _checked(self, X):
        check_is_fitted(self)
        return check_X(self, X, accept_sparse=self._sparse)

    def _members(self):
        """Pairs of a member and its features (None: all of them)."""
        features = [None] * len(self) if self._draw.all_features else self.estimators_features_
        return list(zip(self.estimators_, features, strict=True))

    def _mean_answer(self, X, hear, *extra):
        """The mean of what ``hear(member, X, *extra)`` says over all members."""
        X, members = self._checked(X), self._members()
        groups = [members[b : b + _AT_ONCE] for b in range(0, len(members), _AT_ONCE)]
        sums = self._spread(_sum_answers, [(group, X, hear, extra) for group in groups])
        return sum(sums) / len(members)

    def _staged_means(self, X, hear, *extra):
        """The same mean over the first 1, 2, ..., B members."""
        X, total = self._checked(X), 0.0
        for b, member in enumerate(self._members(), start=1):
            total = total + _sum_answers([member], X, hear, extra)
            yield total / b

    def _judge_out_of_bag(self, X, y, judge, hear, *extra):
        """Fill in the score and its history; return the mean answer for each example."""
        answers = [
            lambda rows, member=member: _sum_answers([member], X[rows], hear, extra)
            for member in self._members()
        ]
        replicates = (draw_replicate(seed, self._draw)[1] for seed in self._seeds)
        mean, self.history_ = judge_out_of_bag(answers, replicates, y, judge)
        self.oob_score_ = float(self.history_.oob_score[-1])
        return mean

    @property
    def estimators_samples_(self):
        """The rows of each member's replicate, drawn again from its seed (so they take no memory)."""
        check_is_fitted(self)
        return [draw_replicate(seed, self._draw)[1] for seed in self._seeds]

    def __len__(self):
        return len(self.estimators_)

    def __getitem__(self, b):
        return self.estimators_[b]

    def __iter__(self):
        return iter(self.estimators_)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = get_tags(self._template).input_tags.sparse
        return tags


def _sum_answers(members, X, hear, extra):
    return sum(hear(member, X if f is None else X[:, f], *extra) for member, f in members)


def hear_number(member, X):
    """A number for each x."""
    if isinstance(member, DecisionTreeRegressor):
        return member._predict_values(X)  # X was checked once, by the ensemble
    return np.asarray(member.predict(X), dtype=np.float64)


def hear_class(member, X, n_classes, hard):
    """A row for each x: the member's probabilities, or 1 for the class it votes for."""
    if isinstance(member, DecisionTreeClassifier) and not hard and len(member.classes_) == n_classes:
        return member._predict_shares(X)  # X was checked once, by the ensemble
    answer = np.zeros((X.shape[0], n_classes))
    if hard or not hasattr(member, "predict_proba"):
        answer[np.arange(X.shape[0]), member.predict(X)] = 1.0
    else:
        answer[:, member.classes_] = member.predict_proba(X)  # a replicate may lack a class
    return answer


def hear_decision(member, X, n_classes):
    """What the member's decision function says: one or several numbers for each x."""
    if len(member.classes_) != n_classes:
        raise ValueError("a replicate lacks a class, so the scores have no mean; predict_proba has one")
    return np.asarray(member.decision_function(X), dtype=np.float64)
