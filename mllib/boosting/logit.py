r"""LogitBoost: Newton steps on the logistic loss.

Let :math:`p_i = 1 / (1 + e^{-2 F(x_i)})` be the probability that the model gives to the label +1, so that F
is half the log-odds. **Repeat** for t = 1, ..., T, starting from F = 0:

1. weights :math:`w_i = p_i (1 - p_i)` and working responses
   :math:`z_i = \frac{y^*_i - p_i}{p_i (1 - p_i)}`, where :math:`y^*_i` is 1 or 0;
2. fit :math:`f_t` to z by least squares weighted with w;
3. :math:`F \leftarrow F + \frac12 f_t`.

**Output** F and its sign.

*Why.* The loss :math:`\ln(1 + e^{-2 y F})` has the derivative :math:`-2 (y^* - p)` and the second derivative
:math:`4 p (1 - p)` in F. So the Newton step at x is :math:`\frac12 \frac{E[y^* - p]}{E[p (1 - p)]}`, which is
half the weighted mean of z. Outliers weigh little: where the model is sure, :math:`p (1 - p)` is small, right
or wrong, while the weight :math:`e^{-yF}` of AdaBoost explodes when the model is surely wrong.

References
----------
.. [1] Friedman, J., Hastie, T. and Tibshirani, R. (2000). "Additive logistic regression: a statistical view
   of boosting". Annals of Statistics 28(2), 337-407. (Algorithm 3.)
"""

import numpy as np
from scipy.special import expit

from ..learner import knob
from ..losses import Logistic
from ..parameters import infinity, real
from ..tree import RegressionStump
from .additive import AdditiveClassifier, Round

_LEAST_WEIGHT = 2 * np.finfo(float).eps


class LogitBoostClassifier(AdditiveClassifier):
    r"""LogitBoost for two classes.

    .. math:: F &\leftarrow F + \tfrac12 f_t, \\
              f_t &= \arg\min_f \sum_i v_i (z_i - f(x_i))^2, \\
              v_i &= p_i (1 - p_i), \quad z_i = (y^*_i - p_i) / v_i

    Parameters
    ----------
    estimator : estimator, default=None
        The weak learner, a regressor: ``fit(X, y, sample_weight)`` and ``predict``. None means
        ``RegressionStump()``.
    n_estimators : int, default=50
        The number T of rounds.
    learning_rate : float, default=1.0
        Shrinks every step.
    z_max : float, default=4.0
        Working responses are cut off at plus and minus this value: near 0 they are :math:`1/p`, and one
        example would rule the fit. Friedman et al. recommend 2 to 4.
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
        Half the ``learning_rate`` for each member.
    history_ : History
        ``loss`` (mean of :math:`\ln(1 + e^{-2 y F})`), ``train_error``, ``weight`` (mean of the
        :math:`v_i`, which shrinks as the model becomes sure).
    n_features_in_ : int

    References
    ----------
    .. [1] Friedman, J., Hastie, T. and Tibshirani, R. (2000). "Additive logistic regression: a statistical
       view of boosting". Annals of Statistics 28(2), 337-407.

    Examples
    --------
    >>> X, y = [[0], [1], [2], [3], [4], [5]], [0, 0, 1, 1, 0, 0]
    >>> model = LogitBoostClassifier(n_estimators=4).fit(X, y)
    >>> model.predict(X), bool(model.history_.loss[-1] < np.log(2))
    (array([0, 0, 1, 1, 0, 0]), True)
    """

    learning_rate: float = knob(1.0, real(0, open_low=True))
    z_max: float = knob(4.0, real(1) | infinity())
    _binary = True
    _weak, _regresses = RegressionStump(), True
    _columns = {
        "loss": "mean of ln(1 + exp(-2 y F_t)) under D_1",
        "weight": "mean of p (1 - p) before round t",
        "train_error": "error of F_t under D_1, ties are errors",
    }

    def _rounds(self, data):
        F, loss, positive = np.zeros(len(data.y)), Logistic(slope=2.0), data.y > 0
        while True:
            p = expit(2 * F)
            w = np.maximum(p * (1 - p), _LEAST_WEIGHT)
            # (y* - p) / (p (1 - p)): the other factor cancels.
            z = np.where(positive, 1 / np.maximum(p, _LEAST_WEIGHT), -1 / np.maximum(1 - p, _LEAST_WEIGHT))
            member = data.learn(z.clip(-self.z_max, self.z_max), data.D * w)
            F += 0.5 * self.learning_rate * self._answer(member, data.X)
            margin = data.y * F
            numbers = dict(loss=data.D @ loss(margin), weight=data.D @ w)
            yield Round(member, 0.5 * self.learning_rate, numbers, margin)
