r"""Bagging: learn the same thing from many bootstrap replicates, and let the hypotheses vote.

**Given** n examples, a learner and a number B. **For** b = 1, ..., B draw a replicate :math:`D_b` and learn
:math:`h_b` from it. **Output** for numbers the mean, for classes the class with most votes (or largest mean
probability):

.. math:: \bar h(x) = \frac1B \sum_{b=1}^B h_b(x), \qquad
          H(x) = \arg\max_c \frac1B \sum_{b=1}^B P_b(c \mid x).

**What it can and cannot do.** If the members have variance :math:`s^2` and correlation :math:`\rho`, their
mean has variance :math:`\rho s^2 + (1 - \rho) s^2 / B`. Many members remove the second term; the first, the
part that all replicates of one training set share, stays. So bagging helps learners that change much from
one replicate to the next (deep trees), and does nothing for those that hardly change (linear rules, nearest
neighbours).

**Out of bag.** Each example was left out by about 37 % of the members. Their votes alone judge it as a test
set would, without one being set aside.

References
----------
.. [1] Breiman, L. (1996). "Bagging predictors". Machine Learning 24(2), 123-140.
.. [2] Breiman, L. (1996). "Out-of-bag estimation". Technical report, University of California, Berkeley.
.. [3] Ho, T. K. (1998). "The random subspace method for constructing decision forests". IEEE Transactions on
   Pattern Analysis and Machine Intelligence 20(8), 832-844. (``max_features``.)
"""

from functools import partial
from numbers import Integral

from sklearn.base import clone, is_classifier, is_regressor
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from .._members import decision_of, numbers_of, votes_of
from ..learner import Classifier, Learner, Regressor, knob
from ..parameters import boolean, integer, one_of, real
from ..tree import DecisionTreeClassifier, DecisionTreeRegressor
from ..validation import check_classification, check_regression, check_X
from .out_of_bag import accuracy, judge_out_of_bag, r2
from .replicates import (
    Draw,
    chances_of,
    draw_replicate,
    fit_member,
    from_each,
    is_ours,
    new_seeds,
    replicate_size,
    run_parallel,
)

SIZE = one_of(None) | integer(1) | real(0, 1, open_low=True)  # what max_samples may be
_AT_ONCE = 16  # members that one task asks: the same for any number of workers, and so are the sums


class Committee(Learner):
    """Members, each with a seed of its own, whose answers are averaged and may be judged out of bag.

    What a member says is a row of numbers for each x, so that votes, probabilities and numbers are averaged
    by the same few lines. A committee supplies ``fit``, ``_mean(X)``, ``_answer_of(t, X)``, what member t
    says about checked X, and ``_rows_of(t)``, the rows that it has seen.
    """

    bootstrap, oob_score, max_samples = False, False, None  # for committees without these parameters
    _sparse = False

    n_jobs: int | None = knob(None, one_of(None) | integer())
    random_state: object = knob(None)
    verbose: int = knob(0, integer(0) | boolean())

    def __len__(self):
        return len(self.estimators_)

    def __getitem__(self, t):
        return self.estimators_[t]

    def __iter__(self):
        return iter(self.estimators_)

    def _check_parameters(self):
        super()._check_parameters()
        if self.oob_score and not self.bootstrap:
            raise ValueError("Out of bag estimation only available if bootstrap=True")

    def _checked(self, X):
        check_is_fitted(self)
        return check_X(self, X, accept_sparse=self._sparse)

    def _check_examples(self, X, y, sample_weight):
        """X, the targets (of a classifier the numbers of the classes), and the weights."""
        if is_regressor(self):
            return check_regression(self, X, y, sample_weight, accept_sparse=self._sparse)
        X, codes, self.classes_, weights = check_classification(
            self, X, y, sample_weight, accept_sparse=self._sparse
        )
        return X, codes, weights

    def _judge_out_of_bag(self, X, y):
        """If asked for: the score, its history, and the mean answer for each example."""
        if self.oob_score:
            judge, name = (r2, "prediction") if is_regressor(self) else (accuracy, "decision_function")
            answers = [lambda rows, t=t: self._answer_of(t, X[rows]) for t in range(len(self))]
            mean, self.history_ = judge_out_of_bag(answers, map(self._rows_of, range(len(self))), y, judge)
            self.oob_score_ = float(self.history_.oob_score[-1])
            setattr(self, f"oob_{name}_", mean)
        return self

    def _decided(self, mean):
        """The class with the largest mean, the first of equal ones; of a regressor the mean itself."""
        return mean if is_regressor(self) else self._labels_of(mean)

    def predict(self, X):
        """The class with the largest mean, the first of equal ones; of a regressor the mean."""
        return self._decided(self._mean(X))

    def staged_predict(self, X):
        """:meth:`predict` of the first 1, 2, ... members, one after another."""
        yield from map(self._decided, self._staged_means(X))

    @available_if(is_classifier)
    def predict_proba(self, X):
        """The mean of the members' probabilities or votes, a column for each class."""
        return self._mean(X)

    @available_if(is_classifier)
    def staged_predict_proba(self, X):
        """:meth:`predict_proba` of the first 1, 2, ... members, one after another."""
        yield from self._staged_means(X)

    def _staged_means(self, X):
        X, total = self._checked(X), 0.0
        for t in range(len(self)):
            total = total + self._answer_of(t, X)
            yield total / (t + 1)

    @property
    def estimators_samples_(self):
        """The rows that each member has seen; drawn again from its seed, so that they take no memory."""
        check_is_fitted(self)
        return [self._rows_of(t) for t in range(len(self))]


class Bagging(Committee):
    """Draw, learn, add up. A subclass says what a member answers: ``_answer()`` is a function of it and X."""

    estimator: object = knob(None, first=True)
    n_estimators: int = knob(10, integer(1), first=True)
    max_features: float = knob(1.0, integer(1) | real(0, 1, open_low=True))
    bootstrap_features: bool = knob(False, boolean())
    bootstrap: bool = knob(True, boolean())
    oob_score: bool = knob(False, boolean())
    max_samples: float | None = knob(None, SIZE)

    @property
    def _template(self):
        return self._default() if self.estimator is None else self.estimator

    @property
    def _sparse(self):
        return "csr" if get_tags(self._template).input_tags.sparse else False

    def fit(self, X, y, sample_weight=None):
        """Draw a replicate for each member and learn from it; ``sample_weight`` are relative chances."""
        X, y, weights = self._check_examples(X, y, sample_weight)
        n, d = X.shape
        weights = None if sample_weight is None else weights  # chances of being drawn
        k = self.max_features if isinstance(self.max_features, Integral) else int(self.max_features * d)
        self._draw = draw = Draw(
            n_rows=n,
            n_drawn=replicate_size(n, self.max_samples, weights),
            replace=bool(self.bootstrap),
            chances=chances_of(weights),
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
        how = dict(n_jobs=self.n_jobs, verbose=self.verbose, label="members")
        members = from_each(fit_member, self.estimator_, X, y, draw, self._seeds, **how)
        self.estimators_, self.estimators_features_ = map(list, zip(*members, strict=True))
        return self._judge_out_of_bag(X, y)

    def _rows_of(self, t):
        return draw_replicate(self._seeds[t], self._draw)[1]

    def _members(self):
        """Pairs of a member and its features (None: all of them)."""
        features = [None] * len(self) if self._draw.all_features else self.estimators_features_
        return list(zip(self.estimators_, features, strict=True))

    def _mean(self, X, answer=None):
        """The mean of ``answer(member, X)`` over all members; of what they answer if none is given."""
        X, members, answer = self._checked(X), self._members(), answer or self._answer()
        tasks = [(members[b : b + _AT_ONCE], X, answer) for b in range(0, len(members), _AT_ONCE)]
        sums = run_parallel(_sum_answers, tasks, n_jobs=self.n_jobs, threads=is_ours(self.estimator_))
        return sum(sums) / len(members)

    def _answer_of(self, t, X):
        return _sum_answers([self._members()[t]], X, self._answer())


class BaggingClassifier(Bagging, Classifier):
    r"""Any classifier, learned from many bootstrap replicates; the answers are averaged.

    .. math:: H(x) = \arg\max_c \frac1B \sum_{b=1}^B P_b(c \mid x)

    Parameters
    ----------
    estimator : estimator, default=None
        The learner. None means a fully grown ``DecisionTreeClassifier()``.
    n_estimators : int, default=10
        The number B of members.
    max_samples : int, float or None, default=None
        Size of a replicate: None, as many rows as there are; an int, so many; a float, that share of them (of
        the total weight, if there are weights). Small replicates are cheap, and right for very large sets.
    max_features : int or float, default=1.0
        How many features, or which share of them, each member sees (drawn without replacement).
    bootstrap : bool, default=True
        Draw rows with replacement.
    bootstrap_features : bool, default=False
        Draw features with replacement.
    oob_score : bool, default=False
        Judge each example by the members that left it out.
    voting : {"soft", "hard"}, default="soft"
        "soft": members that have ``predict_proba`` give their probabilities, others a vote. "hard": every
        member gives one vote, as in the original algorithm. (scikit-learn's bagging is always "soft".)
    n_jobs : int, default=None
        Workers of joblib. The result does not depend on it.
    random_state : int, RandomState or None, default=None
    verbose : int, default=0
        1 shows a progress bar.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    estimator_ : estimator
        The learner that was copied.
    estimators_, estimators_features_, estimators_samples_
        The members, and the features and rows that each has seen. Members are trained on the numbers of
        the classes, 0 to K - 1.
    oob_score_, oob_decision_function_
        Accuracy out of bag, and the mean answer for each example (NaN if no member left it out).
    history_ : History
        Only if ``oob_score``: the out-of-bag score after each member.
    n_features_in_ : int

    References
    ----------
    .. [1] Breiman, L. (1996). "Bagging predictors". Machine Learning 24(2), 123-140.

    Examples
    --------
    >>> from mllib import DecisionStump
    >>> from mllib.datasets import make_checkerboard
    >>> X, y = make_checkerboard(cells=3)
    >>> model = BaggingClassifier(DecisionStump(), n_estimators=40, oob_score=True, random_state=0).fit(X, y)
    >>> len(model), model.history_.oob_score[-1] == model.oob_score_
    (40, np.True_)
    """

    voting: str = knob("soft", one_of("soft", "hard"))
    _default = DecisionTreeClassifier

    def _answer(self):
        return partial(votes_of, n_classes=len(self.classes_), hard=self.voting == "hard")

    @available_if(lambda self: hasattr(self._template, "decision_function"))
    def decision_function(self, X):
        """The mean of the members' decision functions."""
        check_is_fitted(self)
        return self._mean(X, partial(decision_of, n_classes=len(self.classes_)))


class BaggingRegressor(Bagging, Regressor):
    r"""Any regressor, learned from many bootstrap replicates; the answers are averaged.

    .. math:: \bar h(x) = \frac1B \sum_{b=1}^B h_b(x)

    Parameters
    ----------
    estimator : estimator, default=None
        The learner. None means a fully grown ``DecisionTreeRegressor()``.
    n_estimators : int, default=10
        The number B of members.
    max_samples, max_features, bootstrap, bootstrap_features, oob_score, n_jobs, random_state, verbose
        As in :class:`BaggingClassifier`.

    Attributes
    ----------
    estimator_, estimators_, estimators_features_, estimators_samples_
        As in :class:`BaggingClassifier`.
    oob_score_, oob_prediction_
        :math:`R^2` out of bag, and the mean answer for each example (NaN if no member left it out).
    history_ : History
        Only if ``oob_score``: the out-of-bag score after each member.
    n_features_in_ : int

    References
    ----------
    .. [1] Breiman, L. (1996). "Bagging predictors". Machine Learning 24(2), 123-140.

    Examples
    --------
    >>> from mllib import RegressionStump
    >>> model = BaggingRegressor(RegressionStump(), n_estimators=50, random_state=0)
    >>> model.fit([[0], [1], [2], [3]], [0.0, 0.0, 1.0, 1.0]).predict([[0], [3]]).round(1)
    array([0.1, 0.9])
    """

    _default = DecisionTreeRegressor

    def _answer(self):
        return numbers_of


def _sum_answers(members, X, answer):
    return sum(answer(member, X if f is None else X[:, f]) for member, f in members)
