r"""What the theory promises about a boosting run, as functions of its diary.

Training error (Freund and Schapire), for members with weighted errors :math:`\varepsilon_t` and edges
:math:`\gamma_t = 1/2 - \varepsilon_t`:

.. math::
    \hat R(g_T) \le \prod_{t=1}^T Z_t = \prod_{t=1}^T 2\sqrt{\varepsilon_t (1 - \varepsilon_t)}
                \le \exp\Big(-2 \sum_{t=1}^T \gamma_t^2\Big) .

Margins (Schapire, Freund, Bartlett, Lee): the share of examples whose margin is at most :math:`\theta` obeys

.. math::
    \hat P(m \le \theta) \le \prod_{t=1}^T 2 \sqrt{\varepsilon_t^{1-\theta} (1 - \varepsilon_t)^{1+\theta}} ,

of which the first bound is the case :math:`\theta = 0`. All of it needs two classes, ``learning_rate=1``
and members that answer -1 or +1.

References
----------
.. [1] Freund, Y. and Schapire, R. E. (1997). "A decision-theoretic generalization of on-line learning and an
   application to boosting". Journal of Computer and System Sciences 55(1), 119-139. (Theorem 6.)
.. [2] Schapire, R. E., Freund, Y., Bartlett, P. and Lee, W. S. (1998). "Boosting the margin: a new
   explanation for the effectiveness of voting methods". Annals of Statistics 26(5), 1651-1686.
"""

import numpy as np

from ..parameters import check_arguments, integer, real


def product_bound(epsilon):
    r"""The bound :math:`\prod_{s \le t} 2\sqrt{\varepsilon_s(1-\varepsilon_s)}` after each round t.

    Parameters
    ----------
    epsilon : array-like of shape (n_rounds,)
        Weighted errors; usually ``model.history_.epsilon``.

    Returns
    -------
    bound : ndarray of shape (n_rounds,)

    References
    ----------
    .. [1] Freund and Schapire (1997), Theorem 6.

    Examples
    --------
    >>> product_bound([0.5, 0.1]).round(3)
    array([1. , 0.6])
    """
    epsilon = np.asarray(epsilon, dtype=float)
    return np.cumprod(2 * np.sqrt(epsilon * (1 - epsilon)))


def exponential_bound(epsilon):
    r"""The weaker bound :math:`\exp(-2 \sum_{s \le t} (1/2 - \varepsilon_s)^2)` after each round t.

    References
    ----------
    .. [1] Freund and Schapire (1997), Theorem 6.

    Examples
    --------
    >>> exponential_bound([0.5, 0.1]).round(3)
    array([1.   , 0.726])
    """
    epsilon = np.asarray(epsilon, dtype=float)
    return np.exp(-2 * np.cumsum((0.5 - epsilon) ** 2))


def rounds_to_zero_error(n_samples, edge):
    r"""The first T for which the bound forces the training error of n equally weighted examples to zero.

    The error is a multiple of 1/n, so it is zero as soon as it is below 1/n:
    :math:`\exp(-2\gamma^2 T) < 1/n`, that is :math:`T > \ln n / (2 \gamma^2)`. The edge must be in (0, 1/2].

    References
    ----------
    .. [1] Freund and Schapire (1997), Theorem 6.

    Examples
    --------
    >>> rounds_to_zero_error(1000, edge=0.1)
    346
    """
    check_arguments(n_samples=(n_samples, integer(1)), edge=(edge, real(0, 0.5, open_low=True)))
    return int(np.floor(np.log(n_samples) / (2 * edge**2))) + 1


def margin_bound(epsilon, theta):
    r"""The bound :math:`\prod_{s \le t} 2\sqrt{\varepsilon_s^{1-\theta}(1-\varepsilon_s)^{1+\theta}}`.

    It limits the share of training examples whose margin after round t is at most theta, for any real theta.

    Parameters
    ----------
    epsilon : array-like of shape (n_rounds,)
        Weighted errors, all strictly between 0 and 1.
    theta : float or ndarray
        One margin or many.

    Returns
    -------
    bound : ndarray of shape (n_rounds,) + theta.shape

    References
    ----------
    .. [1] Schapire, Freund, Bartlett and Lee (1998), Theorem 5.

    Examples
    --------
    >>> margin_bound([0.3, 0.3], [0.0, 0.2, 0.5]).round(3)
    array([[0.917, 0.998, 1.133],
           [0.84 , 0.995, 1.283]])
    """
    epsilon, theta = np.asarray(epsilon, dtype=float), np.asarray(theta, dtype=float)
    e = epsilon.reshape((-1,) + (1,) * theta.ndim)
    # As a sum of logarithms: the product of a thousand small factors would underflow.
    log_factor = np.log(2) + 0.5 * ((1 - theta) * np.log(e) + (1 + theta) * np.log1p(-e))
    return np.exp(np.cumsum(log_factor, axis=0))


def vanishing_margin(edge):
    r"""The margin below which :func:`margin_bound` tends to zero when every edge is at least ``edge``.

    .. math:: \theta^*(\gamma) = \frac{-\ln(1 - 4\gamma^2)}{\ln\frac{1 + 2\gamma}{1 - 2\gamma}}, \qquad
              \gamma < \theta^*(\gamma) < 2 \gamma \quad (0 < \gamma < 1/2).

    References
    ----------
    .. [1] Schapire, R. E. and Freund, Y. (2012). Boosting: Foundations and Algorithms. MIT Press.

    Examples
    --------
    >>> round(vanishing_margin(0.2), 4)
    0.2058
    """
    g = np.asarray(edge, dtype=float)
    if not np.all((g >= 0) & (g <= 0.5)):
        raise ValueError(f"an edge must be in [0, 1/2], got {edge!r}")
    with np.errstate(divide="ignore", invalid="ignore"):
        theta = -np.log1p(-4 * g**2) / (np.log1p(2 * g) - np.log1p(-2 * g))
    theta = np.where((g > 0) & (g < 0.5), theta, 2 * g)  # at the ends 0 / 0, whose limits are 0 and 1
    return theta[()] if theta.ndim else float(theta)


def generalisation_bound(share, theta, n_hypotheses, n_samples, delta=0.05):
    r"""An upper bound on the true error of a vote that holds with probability at least :math:`1 - \delta`.

    .. math::
        P(y f(x) \le 0) \le \hat P(y f(x) \le \theta) + \frac2\theta \sqrt{\frac{2 \ln \Pi}{n}}
                        + \sqrt{\frac{\ln(1/\delta)}{2n}}

    where f is any convex combination of hypotheses with values -1 and +1, which can label the n examples in
    at most :math:`\Pi` ways, and :math:`\theta \in (0, 1]` was chosen before the data were seen. Stumps
    on d features have :math:`\Pi \le 2 d (n - 1) + 2`. A value above 1 says nothing, and says so.

    Parameters
    ----------
    share : float or ndarray
        The share of training examples with margin at most theta.
    theta : float or ndarray
    n_hypotheses : float
        The number :math:`\Pi` of different labellings.
    n_samples : int
    delta : float, default=0.05

    References
    ----------
    .. [1] Koltchinskii, V. and Panchenko, D. (2002). "Empirical margin distributions and bounding the
       generalization error of combined classifiers". Annals of Statistics 30(1), 1-50.
    .. [2] Schapire, R. E. and Freund, Y. (2012). Boosting: Foundations and Algorithms. MIT Press.

    Examples
    --------
    >>> stumps = 2 * 10 * (50_000 - 1) + 2
    >>> print(generalisation_bound(0.01, 0.5, stumps, 50_000).round(3))
    0.11
    """
    complexity = 2 / np.asarray(theta, dtype=float) * np.sqrt(2 * np.log(n_hypotheses) / n_samples)
    return np.asarray(share, dtype=float) + complexity + np.sqrt(np.log(1 / delta) / (2 * n_samples))
