r"""How many mistakes can a perceptron make? The bounds of its theorems, as functions.

All are about augmented vectors: with an intercept, :math:`R^2 = \max_i \lVert x_i \rVert^2 + 1` and the
hyperplane is :math:`(w, b)`. All count the steps of a walk from zero weights with step size 1 (any other
step size takes the same steps if the threshold is 0).

References
----------
.. [1] Novikoff (1962). "On convergence proofs on perceptrons". Symposium on the Mathematical Theory of
   Automata 12.
.. [2] Freund, Schapire (1999). "Large margin classification using the perceptron algorithm". Machine
   Learning 37.
"""

import numpy as np
from sklearn.utils import check_X_y

from ..hyperplane import augment
from ..parameters import check_arguments, integer


def mistake_bound(X, y, coef, intercept=0.0, *, threshold=0.0, start=None, fit_intercept=True):
    r"""Largest number of updates of a perceptron on data that the hyperplane (coef, intercept) separates.

    With :math:`\gamma = \min_i y_i\, w \cdot x_i / \lVert w \rVert > 0` it is :math:`(R^2 + 2\tau)/\gamma^2`,
    for the perceptron itself (:math:`\tau = 0`) the classical :math:`(R/\gamma)^2`. From start weights
    :math:`w_1` it is :math:`\lVert w_1 - \alpha u \rVert^2 / (R^2 + 2\tau)`, where
    :math:`\alpha = (R^2 + 2\tau)/\gamma` and u is w with length 1.

    Parameters
    ----------
    X, y : array-likes
        Two classes; the greater label is the positive one.
    coef : array-like of shape (n_features,)
    intercept : float, default=0.0
        The better the hyperplane (the larger its margin), the smaller the bound.
    threshold : float, default=0.0
        :math:`\tau` of the margin perceptron.
    start : array-like of shape (n_features + 1,), optional
        Start weights (w, b).
    fit_intercept : bool, default=True
        Whether the perceptron has an intercept.

    Returns
    -------
    float
        Round it down to get a number of updates. ``inf`` if the hyperplane does not separate.

    References
    ----------
    .. [1] Novikoff (1962). "On convergence proofs on perceptrons". Symposium on the Mathematical Theory of
       Automata 12.

    Examples
    --------
    >>> X, y = [[0, 2], [1, 1], [3, 0], [4, 2]], [0, 0, 1, 1]
    >>> round(mistake_bound(X, y, [2, -1], -3), 1)
    73.5
    >>> from mllib import Perceptron
    >>> Perceptron().fit(X, y).n_updates_
    6
    """
    Z, u = _signed_rows(X, y, coef, intercept, fit_intercept)
    gamma = (Z @ u).min()
    if not gamma > 0:
        return np.inf
    reach = (Z**2).sum(axis=1).max() + 2 * threshold
    from_here = reach / gamma * u
    if start is not None:
        start = np.ravel(start)
        if start.shape != u.shape:
            raise ValueError(f"start must be the {len(u)} numbers (w, b), got {len(start)}")
        from_here = from_here - start
    return float(from_here @ from_here / reach)


def noisy_mistake_bound(X, y, coef, intercept=0.0, *, gamma, epochs=1, fit_intercept=True):
    r"""Largest number of mistakes in the first epochs, on any data and for any hyperplane.

    Let u be the hyperplane's w with length 1, :math:`\gamma > 0` any margin one wishes,
    :math:`d_i = \max(0, \gamma - y_i\, u \cdot x_i)` what example i lacks of it and
    :math:`D^2 = \sum_i d_i^2`. One epoch makes at most :math:`((R + D)/\gamma)^2` mistakes, K epochs
    :math:`((R + \sqrt K D)/\gamma)^2`.

    Examples
    --------
    >>> X, y = [[0], [1], [2], [3], [4]], [0, 0, 1, 0, 1]
    >>> round(noisy_mistake_bound(X, y, [1], -1.5, gamma=0.2), 1)
    664.4

    References
    ----------
    .. [1] Freund, Schapire (1999). "Large margin classification using the perceptron algorithm".
       Machine Learning 37.
    """
    if not gamma > 0:
        raise ValueError(f"gamma must be positive, got {gamma}")
    check_arguments(epochs=(epochs, integer(1)))
    Z, u = _signed_rows(X, y, coef, intercept, fit_intercept)
    radius = np.sqrt((Z**2).sum(axis=1).max())
    deficit = np.sqrt((np.maximum(0.0, gamma - Z @ u) ** 2).sum())
    return float(((radius + np.sqrt(epochs) * deficit) / gamma) ** 2)


def voted_error_bound(mistakes, m):
    r"""Bound on the expected error of the voted perceptron after one epoch over m random examples.

    :math:`2 M / (m + 1)`, where M bounds the expected number of mistakes in an epoch over m + 1 examples,
    for instance by the mean of :func:`noisy_mistake_bound` over such samples.

    Examples
    --------
    >>> voted_error_bound(25, m=999)
    0.05

    References
    ----------
    .. [1] Freund, Schapire (1999). "Large margin classification using the perceptron algorithm".
       Machine Learning 37.
    """
    return 2.0 * mistakes / (m + 1)


def _signed_rows(X, y, coef, intercept, fit_intercept):
    """The augmented y_i x_i and the hyperplane with length 1."""
    X, y = check_X_y(X, y, dtype=np.float64)
    classes = np.unique(y)
    if len(classes) != 2:
        raise ValueError(f"the bounds are for 2 classes, got {len(classes)}")
    Z = np.where(y == classes[1], 1.0, -1.0)[:, None] * augment(X, float(fit_intercept))
    w = np.append(np.ravel(coef), np.ravel(intercept))
    if len(w) != Z.shape[1] or not np.any(w):
        raise ValueError(f"coef must be {Z.shape[1] - 1} numbers, not all zero")
    return Z, w / np.linalg.norm(w)
