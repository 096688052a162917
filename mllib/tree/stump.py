r"""Decision stumps: one question about one feature, and an answer for each side.

**Problem.** Given examples :math:`x_i` with weights :math:`w_i \ge 0`, find a feature :math:`j`, a threshold
:math:`\theta` and an answer for each side of :math:`x_j \le \theta`, such that the two sides are as pure as
possible. Two measures of purity:

- ``criterion="error"``, the book's: each side answers with its heaviest class, and the weighted error

  .. math:: \sum_i w_i \, [h(x_i) \ne y_i]

  is made as small as possible. This is what the theory of boosting asks of a weak learner.
- ``criterion="gini"``: the weighted Gini impurity (for regression: the weighted squared error) of the two
  sides is made as small as possible. This is a decision tree of depth one.

**Two classes need one number.** With :math:`y_i = \pm 1`, let :math:`s` be the sum of :math:`w_i y_i` over
the left side, :math:`S` over all points, :math:`W_L, W_R` the weights of the sides and :math:`W` their sum.
The stump that says + on the right and - on the left has error :math:`(W - (S - 2s))/2`, its opposite
:math:`(W + (S - 2s))/2`; so the better of the two has error :math:`(W - |S - 2s|)/2`. The Gini impurity of
the cut is, up to constants, :math:`-s^2/W_L - (S-s)^2/W_R`, which is the squared error too, if :math:`y` is
any number. Both need nothing but running sums along the sorted feature
(:mod:`mllib.tree._sorted_features`).

**Ties.** Scores that differ by less than ``1e-12`` of the total weight are equal. Among equal cuts the first
feature wins, then the smallest threshold. Thresholds are midpoints between neighbouring values. With
``criterion="error"`` a stump may also say the same everywhere ("always +"), if that is better than every cut.

References
----------
.. [1] Iba, W. and Langley, P. (1992). "Induction of one-level decision trees". ICML.
.. [2] Freund, Y. and Schapire, R. E. (1997). "A decision-theoretic generalization of on-line learning and an
   application to boosting". Journal of Computer and System Sciences 55(1), 119-139.
"""

import numpy as np

from .._members import MemberClassifier, MemberRegressor
from ..learner import Learner, knob
from ..parameters import one_of
from ..ties import TIE, first_greatest
from ..validation import signed_labels
from ._sorted_features import SortedFeatures, _best_cut, _best_cut_many


class _Stump(Learner):
    """What both stumps share: the question."""

    _drops_weightless = True  # no threshold lies between values that only they have
    _poor_score = True  # one question cannot tell three classes apart

    def _ask(self, features, cut):
        """Keep the question (cut -1: none) and return the side of every training point."""
        self.n_features_in_ = len(features.columns)
        self.feature_, self.threshold_ = features.threshold(cut) if cut >= 0 else (-1, np.nan)
        return self._sides(features.columns.T)

    def _sides(self, X):
        """0 for the left side, 1 for the right."""
        return (X[:, self.feature_] > self.threshold_).astype(np.int64)  # nothing is greater than NaN

    def _prepare(self, X):
        """What can be done once for a given X, before any weights are known (see mllib.boosting)."""
        return SortedFeatures(X)

    @property
    def feature_importances_(self):
        """All the importance is the one feature's."""
        return (np.arange(self.n_features_in_) == self.feature_).astype(np.float64)

    def rule(self):
        """The stump in words; features are counted from 1, as in the formulas."""
        left, right = self._say()
        if self.feature_ < 0:
            return f"always: {left}"
        names = getattr(self, "feature_names_in_", [f"x{j + 1}" for j in range(self.n_features_in_)])
        return f"{names[self.feature_]} <= {self.threshold_:.6g}: {left}, else {right}"


class DecisionStump(_Stump, MemberClassifier):
    r"""Classifier that asks one question: is feature j at most :math:`\theta`?

    .. math:: h(x) &= a \text{ if } x_j \le \theta \text{ else } b, \\
              (j, \theta, a, b) &= \arg\min \sum_i w_i [h(x_i) \ne y_i]

    Parameters
    ----------
    criterion : {"error", "gini"}, default="error"
        What the cut makes as small as possible: the weighted error, or the weighted Gini impurity (then
        the stump is a decision tree of depth one).

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    feature_ : int
        The feature asked about; -1 if all are constant.
    threshold_ : float
        The question is ``x[feature_] <= threshold_``.
    values_ : ndarray of shape (2, n_classes)
        Weighted shares of the classes on the left and on the right.
    error_ : float
        Weighted error on the training set, as a share of the total weight.
    n_features_in_ : int

    References
    ----------
    .. [1] Iba, W. and Langley, P. (1992). "Induction of one-level decision trees". ICML.

    Examples
    --------
    >>> stump = DecisionStump().fit([[1], [2], [3], [4]], ["no", "no", "yes", "no"])
    >>> stump.threshold_, stump.error_, stump.rule()
    (2.5, 0.25, 'x1 <= 2.5: no, else yes')
    >>> stump.predict([[0], [9]])
    array(['no', 'yes'], dtype='<U3')
    """

    criterion: str = knob("error", one_of("error", "gini"), first=True)

    def _fit_prepared(self, features, codes, classes, weights):
        """``fit`` without checks and without sorting."""
        squared, K = self.criterion == "gini", len(classes)
        if K == 2:
            signed = weights * signed_labels(codes)
            cut = _best_cut(features.rows, features.ends, features.first, weights, signed, squared)
        else:
            cut = _best_cut_many(features.rows, features.ends, features.first, weights, codes, K, squared)
        sides = self._ask(features, cut)
        # Row 0: how much each class weighs on the left; row 1: on the right.
        heard = np.bincount(K * sides + codes, weights, 2 * K).reshape(2, -1)
        # Without a question nobody is on the right: say there what is said on the left.
        asked = heard if cut >= 0 else heard[[0, 0]]
        asked = np.where(asked.sum(axis=1, keepdims=True) > 0, asked, heard.sum(axis=0))
        self.values_ = asked / asked.sum(axis=1, keepdims=True)
        self._answers = first_greatest(asked)
        if K == 2 and cut >= 0 and not squared:
            rises = heard[1, 1] - heard[1, 0] > heard[0, 1] - heard[0, 0] + TIE * heard.sum()
            self._answers = np.array([0, 1]) if rises else np.array([1, 0])
        self.classes_ = classes
        self.error_ = float(1 - (heard[0, self._answers[0]] + heard[1, self._answers[1]]) / heard.sum())
        return self

    def _predict_codes(self, X):
        return self._answers[self._sides(X)]

    def _predict_shares(self, X):
        return self.values_[self._sides(X)]

    def _say(self):
        return self.classes_[self._answers]


class RegressionStump(_Stump, MemberRegressor):
    r"""Regressor that asks one question: the weighted mean of y on each side of the best cut.

    .. math:: f(x) &= a \text{ if } x_j \le \theta \text{ else } b, \\
              (j, \theta, a, b) &= \arg\min \sum_i w_i (y_i - f(x_i))^2

    Attributes
    ----------
    feature_, threshold_
        The question is ``x[feature_] <= threshold_``; feature -1 if all are constant.
    values_ : ndarray of shape (2,)
        The answers on the left and on the right.

    References
    ----------
    .. [1] Friedman, J., Hastie, T. and Tibshirani, R. (2000). "Additive logistic regression: a statistical
       view of boosting". Annals of Statistics 28(2), 337-407. (Stumps as members of Gentle AdaBoost.)

    Examples
    --------
    >>> RegressionStump().fit([[1], [2], [3]], [0.0, 1.0, 5.0]).rule()
    'x1 <= 2.5: 0.5, else 5'
    """

    def _fit_prepared(self, features, y, weights):
        """``fit`` without checks and without sorting."""
        # Only differences matter; without its mean y loses no digits in s^2 / W.
        mean = np.average(y, weights=weights)
        cut = _best_cut(features.rows, features.ends, features.first, weights, weights * (y - mean), True)
        sides = self._ask(features, cut)
        weight = np.bincount(sides, weights, 2)
        total = np.bincount(sides, weights * y, 2)
        self.values_ = np.where(weight > 0, total / np.maximum(weight, np.finfo(float).tiny), mean)
        return self

    def _predict_values(self, X):
        return self.values_[self._sides(X)]

    def _say(self):
        return [f"{value:.6g}" for value in self.values_]
