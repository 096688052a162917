"""What bagging and forests share: a committee whose answers are averaged, and judged out of bag.

What a member says is a row of numbers for each x (``hear_...`` in :mod:`mllib._members`), so that votes,
probabilities and numbers are all averaged by the same few lines.
"""

from sklearn.utils.validation import check_is_fitted

from ..learner import Classifier, Ensemble, Learner, Regressor, knob
from ..parameters import boolean, integer, one_of, real
from ..validation import check_classification, check_regression, check_X
from .out_of_bag import accuracy, judge_out_of_bag, r2


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
