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

from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from ..learner import knob
from ..parameters import one_of
from ..tree import DecisionTreeClassifier, DecisionTreeRegressor
from .base import Bagging, MeanClassifier, MeanRegressor, hear_class, hear_decision, hear_number


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
        return hear_class, (len(self.classes_), self.voting == "hard")

    @available_if(lambda self: hasattr(self._template, "decision_function"))
    def decision_function(self, X):
        """The mean of the members' decision functions."""
        check_is_fitted(self)
        return self._mean(X, hear_decision, len(self.classes_))


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
        return hear_number, ()
