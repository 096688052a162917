r"""What gradient boosting needs to know about a loss: where it starts, which way is down, how far to step.

The derivations stand in :mod:`mllib.boosting.gradient`. An objective joins a loss of :mod:`mllib.losses` with
the training labels; scores F are arrays with one row for each example and one column for each score. It tells

- ``start(w)``: the best constant scores, shape (K,);
- ``value(F, w)``: the weighted mean loss of the scores F, shape (n_samples, K);
- ``descent(F)``: the negative gradient, shape (n_samples, K);
- ``steps(F, g, k, w, leaf, n_nodes)``: the step in score k for each node of a tree; ``leaf`` says in which
  node each example ends.

References
----------
.. [1] Friedman, J. (2001). "Greedy function approximation: a gradient boosting machine". Annals of Statistics
   29(5), 1189-1232.
"""

import numpy as np
from scipy.special import softmax

from ..losses import MarginLoss, SquaredError, ZeroOne
from ..ties import TIE

_TINY = 1e-150  # a curvature below this is none
_EPS = np.finfo(float).eps


class ScalarObjective:
    """A loss of the margin (y = -1, +1) or of the residual."""

    n_scores = 1

    def __init__(self, loss, y):
        self.loss, self.y = loss, y
        self.of_margin = isinstance(loss, MarginLoss)

    def _argument(self, F):
        return self.y * F[:, 0] if self.of_margin else self.y - F[:, 0]

    def start(self, w):
        if self.of_margin:
            p = np.clip(np.average(self.y > 0, weights=w), _EPS, 1 - _EPS)
            return np.atleast_1d(self.loss.minimiser(p)).astype(float)
        if isinstance(self.loss, SquaredError):
            return np.array([np.average(self.y, weights=w)])
        return np.array([lowest_point(*self.loss.kinks(self.y, np.zeros(len(self.y)), w))])

    def value(self, F, w):
        return np.average(self.loss.value(self._argument(F)), weights=w)

    def descent(self, F):
        slope = self.loss.derivative(self._argument(F))
        return (-self.y * slope if self.of_margin else slope)[:, None]

    def steps(self, F, g, k, w, leaf, n_nodes):
        if self.loss.kinks(self.y[:1], F[:1, 0], w[:1]) is not None:
            return self._steps_to_the_lowest_point(F, w, leaf, n_nodes)
        # Squares of labels are 1 and so is the square of -1: the second derivative in F is phi''.
        return _newton(g[:, 0], self.loss.second(self._argument(F)), w, leaf, n_nodes)

    def _steps_to_the_lowest_point(self, F, w, leaf, n_nodes):
        step = np.zeros(n_nodes)
        rows = np.flatnonzero(w > 0)
        order = rows[np.argsort(leaf[rows], kind="stable")]
        ends = np.flatnonzero(np.diff(leaf[order])) + 1
        for part in np.split(order, ends):
            step[leaf[part[0]]] = lowest_point(*self.loss.kinks(self.y[part], F[part, 0], w[part]))
        return step


class MultinomialObjective:
    r"""Logistic loss for K classes: :math:`-\ln p_y`, with :math:`p_k = e^{F_k} / \sum_j e^{F_j}`.

    Its negative gradient is :math:`[y = k] - p_k`. The Newton step keeps the diagonal
    :math:`p_k (1 - p_k)` of the second derivatives and the factor (K-1)/K of the paper.
    """

    def __init__(self, codes, n_classes):
        self.n_scores = n_classes
        self.one_hot = (codes[:, None] == np.arange(n_classes)).astype(float)

    def start(self, w):
        log_p = np.log(np.clip(w @ self.one_hot / w.sum(), _EPS, 1 - _EPS))
        return log_p - log_p.mean()

    def value(self, F, w):
        top = F.max(axis=1)
        log_sum = top + np.log(np.exp(F - top[:, None]).sum(axis=1))
        return np.average(log_sum - (F * self.one_hot).sum(axis=1), weights=w)

    def descent(self, F):
        return self.one_hot - softmax(F, axis=1)

    def steps(self, F, g, k, w, leaf, n_nodes):
        p = self.one_hot[:, k] - g[:, k]
        return _newton(g[:, k] * (self.n_scores - 1) / self.n_scores, p * (1 - p), w, leaf, n_nodes)


def lowest_point(positions, rises, slope):
    r"""Where a convex, piecewise linear function of one variable is least.

    Parameters
    ----------
    positions, rises : ndarray
        Where its slope rises, and by how much.
    slope : float
        Its slope far to the left, not positive.

    Returns
    -------
    c : float
        The minimiser; of an interval of minimisers the left end, or if there is none the right end. For
        distances to points this is the (lower) median.

    References
    ----------
    .. [1] Boyd, S. and Vandenberghe, L. (2004). Convex Optimization. Cambridge. (Section 6.1: the median.)

    Examples
    --------
    The sum of distances to 1, 2 and 10 is least at the median; to 1, 2, 4, 10 everywhere from 2 to 4:

    >>> print(lowest_point(np.array([1.0, 2, 10]), np.full(3, 2.0), -3.0))
    2.0
    >>> print(lowest_point(np.array([1.0, 2, 4, 10]), np.full(4, 2.0), -4.0))
    2.0
    """
    order = np.argsort(positions, kind="stable")
    slopes = slope + np.cumsum(rises[order])  # to the right of each kink
    rounding = TIE * (abs(slope) + rises.sum())
    # The slope stops being negative at the first kink, if it was negative at all.
    first = int(np.searchsorted(slopes, -rounding)) if slope < -rounding else 0
    return positions[order[min(first, len(order) - 1)]]


def _newton(g, second, w, leaf, n_nodes):
    """Sum of w g over sum of w L'' in each node; where there is no curvature, the mean of g."""
    total = np.bincount(leaf, w * g, n_nodes)
    curvature = np.bincount(leaf, w * second, n_nodes)
    if np.any(second):
        flat = np.abs(curvature) < _TINY
        return np.where(flat, 0.0, total / np.where(flat, 1.0, curvature))
    weight = np.bincount(leaf, w, n_nodes)
    return total / np.where(weight > 0, weight, 1.0)


def objective_for(loss, y):
    """The objective of a loss; ZeroOne has none, because nothing tells which way is down."""
    if isinstance(loss, ZeroOne):
        raise ValueError("the zero-one loss has no slope to follow; use one of the other losses")
    return ScalarObjective(loss, y)
