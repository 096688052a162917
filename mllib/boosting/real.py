r"""Real AdaBoost: members that answer with a probability.

**Repeat** for t = 1, ..., T, starting from :math:`D_1(i) = 1/n`:

1. estimate :math:`p_t(x) = P_{D_t}(y = 1 \mid x)` with the weak learner, from the examples weighted by
   :math:`D_t`;
2. :math:`f_t(x) = \frac12 \ln \frac{p_t(x)}{1 - p_t(x)}`;
3. :math:`D_{t+1}(i) = D_t(i) \exp(-y_i f_t(x_i)) / Z_t`.

**Output** :math:`F_T = \sum_t f_t` and its sign.

*Why.* Among all functions f that are constant on the parts in which the weak learner cuts the space, this one
makes :math:`\sum_i D_t(i) e^{-y_i f(x_i)}` least: in a part with weights :math:`W_+` and :math:`W_-` of the
classes, the minimum of :math:`W_+ e^{-f} + W_- e^{f}` is at half the log-odds and equals :math:`2 \sqrt{W_+
W_-}`.

References
----------
.. [1] Schapire, R. E. and Singer, Y. (1999). "Improved boosting algorithms using confidence-rated
   predictions". Machine Learning 37, 297-336.
.. [2] Friedman, J., Hastie, T. and Tibshirani, R. (2000). "Additive logistic regression: a statistical view
   of boosting". Annals of Statistics 28(2), 337-407. (Algorithm 2.)
"""

import numpy as np

from .._members import shares_of
from ..learner import knob
from ..parameters import real
from ..tree import DecisionStump
from .additive import AdditiveClassifier
from .gentle import DESCENT, exponential_descent


class RealAdaBoostClassifier(AdditiveClassifier):
    r"""Real AdaBoost for two classes.

    .. math:: F(x) &= \sum_{t=1}^T f_t(x), \\
              f_t(x) &= \tfrac12 \ln \frac{p_t(x)}{1 - p_t(x)}

    Parameters
    ----------
    estimator : estimator, default=None
        The weak learner: ``fit(X, y, sample_weight)`` and ``predict_proba``. None means
        ``DecisionStump(criterion="gini")``.
    n_estimators : int, default=50
        The number T of rounds.
    learning_rate : float, default=1.0
        Shrinks every :math:`f_t`.
    smoothing : float, default=1e-3
        The least probability that a member may give to a class; so no :math:`f_t` is greater than 3.45.
    random_state : int, RandomState or None, default=None
        Seeds weak learners that have a ``random_state``.
    verbose : int, default=0
        1 shows a progress bar.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
    estimators_ : list
        The members.
    estimator_weights_ : ndarray
        ``learning_rate`` for each member.
    history_ : History
        ``Z``, ``loss`` (the mean exponential loss so far, the product of the Z), ``train_error``.
    n_features_in_ : int

    Notes
    -----
    A part that holds one class only would answer with an infinity, and that member would decide alone.
    Therefore the probability is moved inside :math:`[s, 1 - s]` with s = ``smoothing``.

    References
    ----------
    .. [1] Friedman, J., Hastie, T. and Tibshirani, R. (2000). "Additive logistic regression: a statistical
       view of boosting". Annals of Statistics 28(2), 337-407.

    Examples
    --------
    >>> X, y = [[0], [1], [2], [3], [4], [5]], [0, 0, 1, 1, 0, 0]
    >>> model = RealAdaBoostClassifier(n_estimators=3).fit(X, y)
    >>> model.predict(X), model.history_.loss.round(3)
    (array([0, 0, 1, 1, 0, 0]), array([0.677, 0.129, 0.052]))
    """

    smoothing: float = knob(1e-3, real(0, 0.5, open_low=True, open_high=True))
    learning_rate: float = knob(1.0, real(0, open_low=True))

    _weak, _binary = DecisionStump("gini"), True
    _columns, _rounds = DESCENT, exponential_descent

    def _answer(self, member, X):
        p = shares_of(member, X, self.classes_)[:, 1].clip(self.smoothing, 1 - self.smoothing)
        return 0.5 * np.log(p / (1 - p))
