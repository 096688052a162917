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

from sklearn.base import clone
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from .._members import hear_class, hear_decision, hear_number
from ..learner import knob
from ..parameters import boolean, integer, one_of, real
from ..tree import DecisionTreeClassifier, DecisionTreeRegressor
from ._committee import Committee, MeanClassifier, MeanRegressor, Resampled
from ._workers import ours, spread
from .replicates import Draw, chances_of, draw_replicate, fit_member, from_each, new_seeds, replicate_size

_AT_ONCE = 16  # members that one task asks: the same for any number of workers, and so are the sums


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

    def _rows_of(self, t):
        return draw_replicate(self._seeds[t], self._draw)[1]

    def _members(self):
        """Pairs of a member and its features (None: all of them)."""
        features = [None] * len(self) if self._draw.all_features else self.estimators_features_
        return list(zip(self.estimators_, features, strict=True))

    def _mean(self, X, hear=None):
        """The mean of what ``hear(member, X)`` says over all members; else of what they say."""
        X, members, hear = self._checked(X), self._members(), hear or self._hear()
        tasks = [(members[b : b + _AT_ONCE], X, hear) for b in range(0, len(members), _AT_ONCE)]
        sums = spread(_sum_answers, tasks, n_jobs=self.n_jobs, threads=ours(self.estimator_))
        return sum(sums) / len(members)

    def _say(self, t, X):
        return _sum_answers([self._members()[t]], X, self._hear())


class BaggingClassifier(MeanClassifier, Bagging):
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

    def _hear(self):
        return partial(hear_class, n_classes=len(self.classes_), hard=self.voting == "hard")

    @available_if(lambda self: hasattr(self._template, "decision_function"))
    def decision_function(self, X):
        """The mean of the members' decision functions."""
        check_is_fitted(self)
        return self._mean(X, partial(hear_decision, n_classes=len(self.classes_)))


class BaggingRegressor(MeanRegressor, Bagging):
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

    def _hear(self):
        return hear_number


def _sum_answers(members, X, hear):
    return sum(hear(member, X if f is None else X[:, f]) for member, f in members)
