r"""Lines as weak learners: the best weighted half-plane, and a cheaper one for many features.

**Problem.** Given points with labels :math:`y_i = \pm 1` and weights :math:`w_i`, find
:math:`h(x) = \mathrm{sign}(a \cdot x + b)` of small weighted error. In two dimensions we find the least one.

**Idea.** Turn a direction u through half a circle and look at the points in the order of :math:`u \cdot x`.
A line perpendicular to u splits that order into a left and a right part, and what it is worth follows from
one running sum :math:`s = \sum_{left} w_i y_i`: with S the sum over all points, the better of the line and
its opposite has error :math:`(W - |S - 2 s|)/2`, as for a stump. While u turns, the order changes only when u
becomes perpendicular to the segment between two points, and then (in general) these two neighbours change
places, so *one* running sum changes. All splits of n points by a line are thus seen in :math:`n(n-1)/2`
steps, each of which costs one addition. The angles at which the steps happen do not depend on the weights:
they are sorted once for a whole boosting run.

Beyond two features no such sweep is cheap. There a stump is cut along one slanted axis: the direction of
weighted least squares, which for two classes is Fisher's discriminant.

References
----------
.. [1] Edelsbrunner, H. (1987). Algorithms in Combinatorial Geometry. Springer. (Circular sequences.)
.. [2] Fisher, R. A. (1936). "The use of multiple measurements in taxonomic problems". Annals of Eugenics 7.
"""

import numpy as np

from .._members import check_weighted
from ..learner import Classifier, knob
from ..parameters import one_of
from ..ties import TIE, settled
from ..tree._sorted_features import SortedFeatures, _best_cut
from ..validation import check_X, signed_labels
from ._turn import Turn

_MOST_POINTS = 1000  # "auto" sweeps up to this many different points: half a million steps


class LinearStump(Classifier):
    r"""Weak learner: one straight line (in many dimensions, one hyperplane).

    .. math:: h(x) &= \mathrm{sign}(a \cdot x + b), \\
              \text{small } & \sum_i w_i [h(x_i) \ne y_i]

    Parameters
    ----------
    search : {"auto", "exact", "least_squares"}, default="auto"
        "exact" finds the line of least weighted error among all lines of the plane (two features only) in
        O(n^2 log n), and later rounds of boosting on the same points in O(n^2). It keeps every pair of
        points: 60 bytes a pair at first (3 GB for 10,000 points, the most it takes), 24 later.
        "least_squares" takes the direction of weighted least squares and the best threshold along it. "auto"
        is exact for two features and at most 1000 different points.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
    coef_ : ndarray of shape (n_features,)
        a, of length 1; all zero if one answer for all points is better than any line.
    intercept_ : float
        The bias b.
    error_ : float
        Weighted error on the training set, as a share of the total weight.
    n_features_in_ : int

    Notes
    -----
    Of the lines that make the same split we take the one in the middle: its direction bisects the angles at
    which the split is possible, and it lies halfway between the two nearest points. Among equally good splits
    the first of the turn wins, which starts with the vertical lines, u = (1, 0), and goes counter-clockwise.

    References
    ----------
    .. [1] Edelsbrunner, H. (1987). Algorithms in Combinatorial Geometry. Springer.

    Examples
    --------
    >>> X, y = [[0, 0], [1, 1], [0, 1], [1, 0]], [1, 1, 0, 0]  # exclusive or
    >>> line = LinearStump().fit(X, y)
    >>> line.error_, line.predict(X)
    (0.25, array([1, 0, 0, 0]))
    """

    search: str = knob("auto", one_of("auto", "exact", "least_squares"), first=True)

    def fit(self, X, y, sample_weight=None):
        """Find the line. Examples of weight zero count as absent."""
        X, codes, classes, weights = check_weighted(self, X, y, sample_weight, binary=True)
        return self._fit_prepared(self._prepare(X), codes, classes, weights)

    def _prepare(self, X):
        """All that depends on X alone: the turn of the direction, or the features in units of their own."""
        if self.search == "exact" and X.shape[1] != 2:
            raise ValueError(f"search='exact' needs exactly 2 features, but X has {X.shape[1]}")
        exact = self.search != "least_squares" and X.shape[1] == 2
        if exact and self.search == "auto":
            exact = len(np.unique(X, axis=0)) <= _MOST_POINTS
        return Turn(X) if exact else _LeastSquares(X)

    def _fit_prepared(self, lines, codes, classes, weights):
        """``fit`` without checks and without sorting."""
        X, wy = lines.X, weights * signed_labels(codes)
        direction, threshold = lines.best(weights, wy)
        right = X @ direction > threshold
        gain = wy[right].sum() - wy[~right].sum()  # S - 2 s
        constant = wy.sum()
        if abs(constant) > abs(gain) + TIE * weights.sum():
            direction, threshold, gain = np.zeros(X.shape[1]), -1.0, constant
        sign = 1.0 if gain > TIE * weights.sum() else -1.0
        self.coef_, self.intercept_ = sign * direction, -sign * threshold
        self.classes_ = classes
        self.n_features_in_ = X.shape[1]
        self.error_ = float((1 - abs(gain) / weights.sum()) / 2)
        return self

    def _predict_codes(self, X):
        return (X @ self.coef_ + self.intercept_ > 0).astype(np.int64)

    def decision_function(self, X):
        """The signed distance a x + b to the line (a has length 1)."""
        return check_X(self, X) @ self.coef_ + self.intercept_

    _binary = True
    _poor_score = True


class _LeastSquares:
    """Weighted least squares of y on X gives the direction, a stump along it the threshold.

    Every feature is measured in units of its own deviation: otherwise the numerical rank of the least squares
    would not count features in small units.
    """

    def __init__(self, X):
        self.X, self.size = X, np.abs(X).max(axis=0)
        self.size[self.size == 0] = 1.0
        self.scaled = X / self.size
        self.scaled -= self.scaled[0].copy()  # now a constant feature is 0, and no rounding makes more of it

    def best(self, weights, wy):
        """Direction and threshold for the weights and the signed weights of the rows of X."""
        root = np.sqrt(weights / weights.sum())
        columns = root[:, None] * (self.scaled - root**2 @ self.scaled)
        deviation = np.linalg.norm(columns, axis=0)
        deviation[deviation == 0] = 1.0
        solution = np.linalg.lstsq(columns / deviation, wy / (root * weights.sum()), rcond=None)[0]
        unit = self.size * deviation
        # Only the direction matters: nothing may overflow.
        direction = settled(solution, 1.0) * (unit.min() / unit)
        if np.any(direction):
            direction /= np.abs(direction).max()
            direction /= np.linalg.norm(direction)
        along = SortedFeatures(_merged(self.X @ direction)[:, None])
        cut = _best_cut(along.rows, along.ends, along.first, weights, wy, False)
        return direction, along.threshold(cut)[1] if cut >= 0 else -1.0


def _merged(values):
    """Values that differ by rounding only made equal: no line runs between them."""
    order = np.argsort(values, kind="stable")
    first = np.diff(values[order], prepend=-np.inf) > TIE * np.abs(values).max()
    values[order] = values[order][np.flatnonzero(first)[np.cumsum(first) - 1]]
    return values
