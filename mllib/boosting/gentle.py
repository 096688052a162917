r"""Gentle AdaBoost: least-squares members, small steps.

**Repeat** for t = 1, ..., T, starting from :math:`D_1(i) = 1/n`:

1. fit :math:`f_t` to the labels :math:`y_i = \pm 1` by least squares weighted with :math:`D_t`;
2. :math:`D_{t+1}(i) = D_t(i) \exp(-y_i f_t(x_i)) / Z_t`.

**Output** :math:`F_T = \sum_t f_t` and its sign.

*Why.* It is Newton's method on the exponential loss. At a point x, with weights :math:`w = e^{-yF}`, the loss
:math:`E[e^{-y(F + f)} \mid x]` has in f = 0 the slope :math:`-E[w y \mid x]` and (because :math:`y^2 = 1`)
the curvature :math:`E[w \mid x]`; so the Newton step is :math:`E_w[y \mid x]`, the weighted mean of the
labels, which least squares estimates. It lies in [-1, 1], where Real AdaBoost's half log-odds can be
anything: hence gentle.

References
----------
.. [1] Friedman, J., Hastie, T. and Tibshirani, R. (2000). "Additive logistic regression: a statistical view
   of boosting". Annals of Statistics 28(2), 337-407. (Algorithm 4.)
"""

import numpy as np

from ..learner import knob
from ..parameters import real
from ..tree import RegressionStump
from .additive import AdditiveClassifier, Round

DESCENT = {
    "Z": "what D_t exp(-y f_t) sums to",
    "loss": "mean of exp(-y F_t) under D_1, which is Z_1 ... Z_t",
    "train_error": "error of F_t under D_1, ties are errors",
}


def exponential_descent(model, data):
    """The rounds of Gentle and of Real AdaBoost: the weights fall by exp(-y f)."""
    D, F, loss = data.D, np.zeros(len(data.y)), 1.0
    while True:
        member = data.learn(data.y, D) if model._regresses else data.learn(D)
        f = model.learning_rate * model._answer(member, data.X)
        D = D * np.exp(-data.y * f)
        Z = D.sum()
        D /= Z
        F += f
        loss *= Z
        yield Round(member, model.learning_rate, dict(Z=Z, loss=loss), data.y * F)


class GentleAdaBoostClassifier(AdditiveClassifier):
    r"""Gentle AdaBoost for two classes.

    .. math:: F(x) &= \sum_{t=1}^T f_t(x), \\
              f_t &= \arg\min_f \sum_i D_t(i) (y_i - f(x_i))^2

    Parameters
    ----------
    estimator : estimator, default=None
        The weak learner, a regressor: ``fit(X, y, sample_weight)`` and ``predict``. None means
        ``RegressionStump()``.
    n_estimators : int, default=50
        The number T of rounds.
    learning_rate : float, default=1.0
        Shrinks every :math:`f_t`.
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

    References
    ----------
    .. [1] Friedman, J., Hastie, T. and Tibshirani, R. (2000). "Additive logistic regression: a statistical
       view of boosting". Annals of Statistics 28(2), 337-407.

    Examples
    --------
    >>> X, y = [[0], [1], [2], [3], [4], [5]], [0, 0, 1, 1, 0, 0]
    >>> model = GentleAdaBoostClassifier(n_estimators=4).fit(X, y)
    >>> model.predict(X), model.estimators_[0].rule()
    (array([0, 0, 1, 1, 0, 0]), 'x1 <= 1.5: -1, else 0')
    """

    learning_rate: float = knob(1.0, real(0, open_low=True))

    _weak, _regresses, _binary = RegressionStump(), True, True
    _columns, _rounds = DESCENT, exponential_descent
