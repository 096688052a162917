r"""Losses: what a prediction costs, as a function of one number.

A classifier with score F(x) and labels :math:`y = \pm 1` is judged by its **margin** :math:`m = y F(x)`:
positive when right, large when clearly right. A regressor is judged by its **residual** :math:`r = y - f(x)`.
Each loss here is one function :math:`\phi` of that number, with its derivative beside it. Training means to
make :math:`\sum_i w_i \phi(m_i)` small; all algorithms of this course do that, and differ in :math:`\phi`, in
the functions F that they allow and in the way they walk downhill.

========================  ===============================  ============================================
loss                      :math:`\phi`                     who uses it
========================  ===============================  ============================================
:class:`ZeroOne`          1 if m <= 0, else 0              what we mean; no slope to follow
:class:`Perceptron`       max(0, -m)                       perceptron
:class:`Hinge`            max(0, 1 - m)                    support vector machine, Pegasos
:class:`Squared`          (1 - m)^2                        least squares on labels, Gentle AdaBoost's step
:class:`Exponential`      exp(-m)                          AdaBoost, Real AdaBoost
:class:`Logistic`         ln(1 + exp(-m))                  logistic regression, LogitBoost
:class:`SquaredError`     r^2                              regression, kernel ridge
:class:`EpsilonInsensitive`  max(0, abs(r) - epsilon)      support vector regression
========================  ===============================  ============================================

References
----------
.. [1] Friedman, J., Hastie, T. and Tibshirani, R. (2000). "Additive logistic regression: a statistical view
   of boosting". Annals of Statistics 28(2), 337-407.
.. [2] Bartlett, P., Jordan, M. and McAuliffe, J. (2006). "Convexity, classification, and risk bounds".
   Journal of the American Statistical Association 101, 138-156.
"""

import numpy as np
from scipy.special import expit, logit

__all__ = [
    "EpsilonInsensitive",
    "Exponential",
    "Hinge",
    "Logistic",
    "Loss",
    "MarginLoss",
    "Perceptron",
    "ResidualLoss",
    "Squared",
    "SquaredError",
    "ZeroOne",
]


class Loss:
    """A function of one number, its first and its second derivative.

    Where the function has a kink, ``derivative`` is one of its subgradients (each class says which), and
    ``second`` is 0.
    """

    def value(self, u):
        """The loss."""
        raise NotImplementedError

    def derivative(self, u):
        """Its slope."""
        raise NotImplementedError

    def second(self, u):
        """Its curvature."""
        return np.zeros_like(np.asarray(u, dtype=float))

    def kinks(self, y, F, w):
        r"""For piecewise linear losses: how :math:`\sum_i w_i \phi_i(F_i + c)` bends as c grows.

        Returns
        -------
        positions, rises : ndarray
            The values of c at which the slope rises, and by how much.
        slope : float
            The slope far to the left. None instead of all three if the loss is curved.
        """
        return None

    def __call__(self, u):
        return self.value(u)

    def __repr__(self):
        inside = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({inside})"

    def __eq__(self, other):
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self):
        return hash((type(self), *vars(self).values()))


class MarginLoss(Loss):
    """A loss of the margin m = y F."""

    def minimiser(self, p):
        r"""The score that is best where a share p of the labels is +1.

        .. math:: F^*(p) = \arg\min_F \big( & p\,\phi(F) \\
                  & + (1 - p)\,\phi(-F) \big)
        """
        raise NotImplementedError


class ResidualLoss(Loss):
    """A loss of the residual r = y - f."""


class ZeroOne(MarginLoss):
    r"""Zero-one loss :math:`[m \le 0]`: an error costs one, a tie is an error.

    References
    ----------
    .. [1] Bartlett, Jordan and McAuliffe (2006).

    Examples
    --------
    >>> ZeroOne()([-2.0, 0.0, 0.1])
    array([1., 1., 0.])
    """

    def value(self, m):
        return (np.asarray(m) <= 0).astype(float)

    def derivative(self, m):
        """0 wherever there is a derivative: nothing tells which way is down."""
        return np.zeros_like(np.asarray(m, dtype=float))

    def minimiser(self, p):
        """Any score of the right sign; 1 or -1 is given, 0 for a tie."""
        return np.sign(2 * np.asarray(p, dtype=float) - 1)


class Perceptron(MarginLoss):
    r"""Perceptron loss :math:`\max(0, -m)`: only errors cost, by how far they are wrong.

    Its slope at the kink m = 0 is taken as -1, so that w = 0 is not a place to stay.

    References
    ----------
    .. [1] Rosenblatt, F. (1958). "The perceptron". Psychological Review 65(6), 386-408.

    Examples
    --------
    >>> Perceptron()([-2.0, 0.0, 3.0]), Perceptron().derivative([-2.0, 0.0, 3.0])
    (array([2., 0., 0.]), array([-1., -1.,  0.]))
    """

    def value(self, m):
        return np.maximum(-np.asarray(m, dtype=float), 0.0) + 0.0  # + 0.0 turns -0.0 into 0.0

    def derivative(self, m):
        return np.where(np.asarray(m) <= 0, -1.0, 0.0)

    def minimiser(self, p):
        """0 for every p (for p = 0 or 1 not the only one): this loss forgets the labels."""
        return np.zeros_like(np.asarray(p, dtype=float))


class Hinge(MarginLoss):
    r"""Hinge loss :math:`\max(0, 1 - m)`: being right is free only with a margin of one.

    Its slope at the kink m = 1 is taken as 0.

    References
    ----------
    .. [1] Cortes, C. and Vapnik, V. (1995). "Support-vector networks". Machine Learning 20, 273-297.

    Examples
    --------
    >>> Hinge()([-1.0, 0.0, 1.0, 2.0]), Hinge().derivative([-1.0, 0.0, 1.0, 2.0])
    (array([2., 1., 0., 0.]), array([-1., -1.,  0.,  0.]))
    """

    def value(self, m):
        return np.maximum(0.0, 1 - np.asarray(m, dtype=float))

    def derivative(self, m):
        return np.where(np.asarray(m) < 1, -1.0, 0.0)

    def kinks(self, y, F, w):
        """Each example bends once, where its margin is 1: at c = y - F."""
        return y - F, w, -w[y > 0].sum()

    def minimiser(self, p):
        """The sign of 2p - 1: the hinge loss estimates the better label, not its probability."""
        return np.sign(2 * np.asarray(p, dtype=float) - 1)


class Squared(MarginLoss):
    r"""Squared loss :math:`(1 - m)^2`, which is :math:`(y - F)^2` because :math:`y^2 = 1`.

    It also punishes being right by more than one.

    References
    ----------
    .. [1] Friedman, Hastie and Tibshirani (2000).

    Examples
    --------
    >>> Squared()([-1.0, 0.0, 1.0, 3.0]), Squared().minimiser(0.75)
    (array([4., 1., 0., 4.]), np.float64(0.5))
    """

    def value(self, m):
        return (1 - np.asarray(m, dtype=float)) ** 2

    def derivative(self, m):
        return 2 * (np.asarray(m, dtype=float) - 1)

    def second(self, m):
        return np.full_like(np.asarray(m, dtype=float), 2.0)

    def minimiser(self, p):
        """2p - 1, the mean of the labels."""
        return 2 * np.asarray(p, dtype=float) - 1


class Exponential(MarginLoss):
    r"""Exponential loss :math:`e^{-m}`.

    References
    ----------
    .. [1] Friedman, Hastie and Tibshirani (2000), Lemma 1.

    Examples
    --------
    >>> Exponential()([0.0, 1.0]).round(3), Exponential().minimiser(0.9).round(3)
    (array([1.   , 0.368]), np.float64(1.099))
    """

    def value(self, m):
        return np.exp(-np.asarray(m, dtype=float))

    def derivative(self, m):
        return -self.value(m)

    def second(self, m):
        return self.value(m)

    def minimiser(self, p):
        """Half the log-odds."""
        return logit(p) / 2


class Logistic(MarginLoss):
    r"""Logistic loss :math:`\log_b(1 + e^{-k m})`.

    Parameters
    ----------
    slope : float, default=1.0
        The number k. With 1 the best score is the log-odds; with 2 it is half the log-odds, as for AdaBoost.
    base : float, default=e
        Of the logarithm. With 2 the loss is 1 at m = 0 and bounds the zero-one loss; with e it does not.

    References
    ----------
    .. [1] Friedman, Hastie and Tibshirani (2000).

    Examples
    --------
    >>> Logistic(base=2)([0.0, 1.0]).round(3), Logistic().minimiser(0.9).round(3)
    (array([1.   , 0.452]), np.float64(2.197))
    >>> Logistic(slope=2).minimiser(0.9).round(3)
    np.float64(1.099)
    """

    def __init__(self, slope=1.0, base=np.e):
        if not (0 < slope < np.inf and 1 < base < np.inf):
            raise ValueError(f"slope must be positive and base above 1, got {slope!r} and {base!r}")
        self.slope, self.base = slope, base

    def value(self, m):
        # logaddexp(0, -km) = ln(1 + exp(-km)) without overflow.
        return np.logaddexp(0.0, -self.slope * np.asarray(m, dtype=float)) / np.log(self.base)

    def derivative(self, m):
        return -self.slope * expit(-self.slope * np.asarray(m, dtype=float)) / np.log(self.base)

    def second(self, m):
        p = expit(self.slope * np.asarray(m, dtype=float))
        return self.slope**2 * p * (1 - p) / np.log(self.base)

    def minimiser(self, p):
        """The log-odds, divided by the slope."""
        return logit(p) / self.slope


class SquaredError(ResidualLoss):
    r"""Squared error :math:`r^2`: the best constant is the mean.

    References
    ----------
    .. [1] Gauss, C. F. (1809). Theoria motus corporum coelestium.

    Examples
    --------
    >>> SquaredError()([-2.0, 0.5]), SquaredError().derivative([-2.0, 0.5])
    (array([4.  , 0.25]), array([-4.,  1.]))
    """

    def value(self, r):
        return np.asarray(r, dtype=float) ** 2

    def derivative(self, r):
        return 2 * np.asarray(r, dtype=float)

    def second(self, r):
        return np.full_like(np.asarray(r, dtype=float), 2.0)


class EpsilonInsensitive(ResidualLoss):
    r"""Epsilon-insensitive loss :math:`\max(0, |r| - \varepsilon)`: small errors are free.

    With epsilon = 0 this is the absolute error, whose best constant is the median. At a kink the slope
    to its right is taken.

    Parameters
    ----------
    epsilon : float, default=0.1

    References
    ----------
    .. [1] Vapnik, V. (1995). The Nature of Statistical Learning Theory. Springer.

    Examples
    --------
    >>> loss = EpsilonInsensitive(0.5)
    >>> loss([-2.0, 0.3, 1.0]), loss.derivative([-2.0, 0.3, 1.0])
    (array([1.5, 0. , 0.5]), array([-1.,  0.,  1.]))
    """

    def __init__(self, epsilon=0.1):
        if not 0 <= epsilon < np.inf:
            raise ValueError(f"epsilon must be finite and not negative, got {epsilon!r}")
        self.epsilon = epsilon

    def value(self, r):
        return np.maximum(0.0, np.abs(np.asarray(r, dtype=float)) - self.epsilon)

    def derivative(self, r):
        r = np.asarray(r, dtype=float)
        return np.where(r >= self.epsilon, 1.0, np.where(r < -self.epsilon, -1.0, 0.0))

    def kinks(self, y, F, w):
        """Each example bends twice, at both ends of its tube."""
        r = y - F
        return np.concatenate((r - self.epsilon, r + self.epsilon)), np.concatenate((w, w)), -w.sum()
