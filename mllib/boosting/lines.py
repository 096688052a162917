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

from types import SimpleNamespace

import numpy as np
from numba import njit
from sklearn.base import BaseEstimator, ClassifierMixin

from ..parameters import check_parameters, one_of
from ..ties import TIE, settled
from ..tree.sorted_features import SortedFeatures, _best_cut
from ..validation import check_classification, check_X, drop_weightless, signed_labels

_SAME_ANGLE = 1e-12  # radians; angles closer than this belong to points on one line
_MOST_POINTS = 1000  # "auto" sweeps up to this many different points: half a million steps
_MOST_EXACT = 10_000  # "exact" refuses more: the pairs would not fit into the memory of a laptop
_BYTES_OF_A_PAIR = 60  # while the steps are sorted


class LinearStump(ClassifierMixin, BaseEstimator):
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

    def __init__(self, search="auto"):
        self.search = search

    def _check_own_parameters(self):
        check_parameters(self, search=one_of("auto", "exact", "least_squares"))

    def fit(self, X, y, sample_weight=None):
        """Find the line. Examples of weight zero count as absent."""
        self._check_own_parameters()
        checked = check_classification(
            self,
            X,
            y,
            sample_weight,
            binary=True,
            min_classes=2,
            weigh_each_class=True,
            moderate_weights=True,
        )
        X, codes, classes, weights = drop_weightless(*checked)
        return self._fit_prepared(self._prepare(X), codes, classes, weights)

    def _prepare(self, X):
        """All that depends on X alone: the turn of the direction, or the features in units of their own."""
        if self.search == "exact" and X.shape[1] != 2:
            raise ValueError(f"search='exact' needs exactly 2 features, but X has {X.shape[1]}")
        if self.search == "least_squares" or X.shape[1] != 2:
            return SimpleNamespace(X=X, lines=_LeastSquares(X))
        if self.search == "auto" and len(np.unique(X, axis=0)) > _MOST_POINTS:
            return SimpleNamespace(X=X, lines=_LeastSquares(X))
        return SimpleNamespace(X=X, lines=_Turn(X))

    def _fit_prepared(self, prepared, codes, classes, weights):
        """``fit`` without checks and without sorting."""
        X, wy = prepared.X, weights * signed_labels(codes)
        direction, threshold = prepared.lines.best(weights, wy)
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

    def predict(self, X):
        """The class of the side on which each point lies."""
        X = check_X(self, X)
        return self.classes_[self._predict_codes(X)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.classifier_tags.poor_score = True
        return tags


class _Turn:
    """The steps of a direction's half turn over the points of the plane, sorted by angle."""

    def __init__(self, X):
        # Splits do not change when an axis is stretched; equal ranges keep the angles well apart.
        low, high = X.min(axis=0), X.max(axis=0)
        self.centre, self.scale = low / 2 + high / 2, high - low
        self.scale[self.scale == 0] = 1.0
        # Different points, in the order of u = (1, 0), and of u = (0, 1) where that is equal.
        self.points, place = np.unique((X - self.centre) / self.scale, axis=0, return_inverse=True)
        self.place = place.ravel()
        i, j, angle = _pairs(self.points)
        order = np.argsort(angle, kind="stable")
        angle, i, j = angle[order], i[order], j[order]
        del order  # there are many pairs: what is not needed any more makes room
        group = np.cumsum(np.diff(angle, prepend=0.0) > _SAME_ANGLE, dtype=np.int32)
        # Points on one line change places in one step. Taking their pairs in lexicographic order reverses
        # them by swaps of neighbours.
        inside = np.lexsort((j, i, group))
        self.first, self.second = i[inside], j[inside]
        self.ends = np.flatnonzero(np.diff(group, append=len(group) + 1)) + 1
        self.angle = angle[self.ends - 1]

    def best(self, weights, wy):
        """Direction and threshold of the line of least error for the signed weights of the rows of X."""
        if len(self.points) == 1:
            return np.zeros(2), -1.0
        s = np.bincount(self.place, wy, len(self.points))
        k, born, dies, before = _turn(self.first, self.second, self.ends, s)
        # What is there at the start came into being in the half turn before this one, half a turn ago.
        since = self.angle[born] if born >= 0 else self.angle[before] - np.pi
        until = self.angle[dies] if dies >= 0 else np.pi
        middle = (since + until) / 2
        u = np.array([np.cos(middle), np.sin(middle)])
        along = np.partition(self.points @ u, (k, k + 1))
        threshold = (along[k] + along[k + 1]) / 2
        # Back from the stretched plane: u . (x - centre) / scale > threshold.
        direction = u / self.scale
        length = np.hypot(*direction)  # neither overflows nor vanishes
        return direction / length, (threshold + direction @ self.centre) / length


def _pairs(points):
    """All pairs i < j of points, and the angle of the u = (cos, sin) perpendicular to the segment i to j."""
    n = len(points)
    if n > _MOST_EXACT:
        raise ValueError(
            f"search='exact' keeps all pairs of {n} points, for which it would need about "
            f"{n**2 / 2 * _BYTES_OF_A_PAIR / 1e9:.0f} GB; up to {_MOST_EXACT} different points are allowed. "
            "search='least_squares' needs no pairs."
        )
    i, j = (side.astype(np.int32) for side in np.triu_indices(n, k=1))
    dx, dy = (column[j] - column[i] for column in points.T)  # dx >= 0
    return i, j, np.arctan2(dx, -dy)


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


@njit(cache=True, nogil=True)
def _turn(first, second, ends, s):
    """Turn the direction through half a circle; return the best cut and the steps that begin and end it.

    Before step 0 the points stand in the order 0, 1, ..., n-1. In each step the pairs (first, second) between
    two ``ends`` change places. Cut k has the points in places 0..k on its left. It is born in the step
    ``born`` (-1: it was there at the start) and dies in the step ``dies`` (-1: it lasts to the end). Half a
    turn later the order is reversed, so cut k of the start is cut n-2-k of the end, whose last change is
    returned too.
    """
    n, S, scale = len(s), 0.0, 0.0
    place = np.arange(n)
    left = np.empty(n)  # left[k]: the sum of s over the points in places 0..k
    for i in range(n):
        S += s[i]
        scale += abs(s[i])
        left[i] = S
    best, k, born, dies = -1.0, 0, -1, -1
    for q in range(n - 1):
        if abs(S - 2 * left[q]) > best + TIE * scale:
            best, k = abs(S - 2 * left[q]), q
    moved, last_move = np.empty(n, dtype=np.int64), np.full(n, -1)
    start = 0
    for step in range(len(ends)):
        n_moved = 0
        for e in range(start, ends[step]):
            i, j = first[e], second[e]
            a, b = place[i], place[j]
            place[i], place[j] = b, a
            gain = s[j] - s[i] if a < b else s[i] - s[j]
            for q in range(min(a, b), max(a, b)):  # a single place: the two are neighbours
                left[q] += gain
                if last_move[q] != step:
                    last_move[q] = step
                    moved[n_moved] = q
                    n_moved += 1
        start = ends[step]
        # Points on one line change places several times in a step, and the orders in between belong to no
        # direction at all. So the cuts are judged only now.
        for m in range(n_moved):
            q = moved[m]
            if q == k and dies < 0:
                dies = step
            if abs(S - 2 * left[q]) > best + TIE * scale:
                best, k, born, dies = abs(S - 2 * left[q]), q, step, -1
    return k, born, dies, last_move[n - 2 - k]
