"""Friedman's three regression functions: the customary test of regression trees and of bagging them.

References
----------
Friedman, J. H. (1991). Multivariate adaptive regression splines. Annals of Statistics 19(1), 1-67.
Breiman, L. (1996). Bagging predictors. Machine Learning 24(2), 123-140.
"""

import numpy as np
from sklearn.utils import check_random_state


def make_friedman1(n_samples=200, *, noise=1.0, random_state=None):
    """Friedman's first function: five features matter, five do not.

    .. math:: y = {} & 10 \\sin(\\pi x_1 x_2) + 20 (x_3 - \\tfrac12)^2 \\\\
              & + 10 x_4 + 5 x_5 + N(0, \\text{noise}^2),

    ten features, independent and uniform on [0, 1].

    Parameters
    ----------
    n_samples : int, default=200
    noise : float, default=1.0
        Standard deviation, 1 as published.
    random_state : int, RandomState or None, default=None

    Returns
    -------
    X : ndarray of shape (n_samples, 10)
    y : ndarray of shape (n_samples,)

    References
    ----------
    Friedman, J. H. (1991). Multivariate adaptive regression splines. Annals of Statistics 19(1), 1-67.

    Examples
    --------
    >>> from mllib.datasets import make_friedman1
    >>> X, y = make_friedman1(random_state=0)
    >>> X.shape
    (200, 10)
    """
    rng = check_random_state(random_state)
    X = rng.uniform(size=(n_samples, 10))
    y = 10 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 20 * (X[:, 2] - 0.5) ** 2 + 10 * X[:, 3] + 5 * X[:, 4]
    return X, y + noise * rng.normal(size=n_samples)


def make_friedman2(n_samples=200, *, noise=125.0, random_state=None):
    """Friedman's second function: the impedance of an alternating-current circuit.

    .. math:: y = {} & \\sqrt{x_1^2 + \\left(x_2 x_3 - \\tfrac{1}{x_2 x_4}\\right)^2} \\\\
              & + N(0, \\text{noise}^2),

    a resistance :math:`x_1` in [0, 100], an angular frequency :math:`x_2` in :math:`[40\\pi, 560\\pi]`, an
    inductance :math:`x_3` in [0, 1] and a capacity :math:`x_4` in [1, 11], independent and uniform.

    Parameters
    ----------
    n_samples : int, default=200
    noise : float, default=125.0
        Standard deviation; 125 makes that of the signal three times as large, as published.
    random_state : int, RandomState or None, default=None

    Returns
    -------
    X : ndarray of shape (n_samples, 4)
    y : ndarray of shape (n_samples,)

    References
    ----------
    Friedman, J. H. (1991). Multivariate adaptive regression splines. Annals of Statistics 19(1), 1-67.

    Examples
    --------
    >>> from mllib.datasets import make_friedman2
    >>> X, y = make_friedman2(100_000, noise=0, random_state=0)
    >>> round(float(y.std()) / 125, 1)
    3.0
    """
    rng = check_random_state(random_state)
    X = _circuit(rng, n_samples)
    reactance = X[:, 1] * X[:, 2] - 1 / (X[:, 1] * X[:, 3])
    return X, np.hypot(X[:, 0], reactance) + noise * rng.normal(size=n_samples)


def make_friedman3(n_samples=200, *, noise=0.1, random_state=None):
    """Friedman's third function: the phase of the same circuit.

    .. math:: y = {} & \\arctan\\left(\\frac{x_2 x_3 - 1/(x_2 x_4)}{x_1}\\right) \\\\
              & + N(0, \\text{noise}^2),

    with the features of :func:`make_friedman2`.

    Parameters
    ----------
    n_samples : int, default=200
    noise : float, default=0.1
        Standard deviation; 0.1 makes that of the signal three times as large, as published.
    random_state : int, RandomState or None, default=None

    Returns
    -------
    X : ndarray of shape (n_samples, 4)
    y : ndarray of shape (n_samples,)

    References
    ----------
    Friedman, J. H. (1991). Multivariate adaptive regression splines. Annals of Statistics 19(1), 1-67.

    Examples
    --------
    >>> from mllib.datasets import make_friedman3
    >>> X, y = make_friedman3(100_000, noise=0, random_state=0)
    >>> round(float(y.std()) / 0.1)
    3
    """
    rng = check_random_state(random_state)
    X = _circuit(rng, n_samples)
    reactance = X[:, 1] * X[:, 2] - 1 / (X[:, 1] * X[:, 3])
    return X, np.arctan2(reactance, X[:, 0]) + noise * rng.normal(size=n_samples)


def _circuit(rng, n_samples):
    low = np.array([0.0, 40 * np.pi, 0.0, 1.0])
    high = np.array([100.0, 560 * np.pi, 1.0, 11.0])
    return low + (high - low) * rng.uniform(size=(n_samples, 4))
