r"""Features sorted once, and the search for the best cut of one of them under given weights.

The search is what a stump needs (:mod:`mllib.tree.stump` derives the two scores) and what a boosting run
repeats in every round with other weights. A cut is judged from running sums along a sorted feature, so a
search costs one addition for each entry of X; the sorting is done once.

Most columns of a bag of words are mostly zero. The rows that hold a column's commonest value are never
visited: we walk towards that value from both ends, and what a walk has not seen is the total minus what it
has seen.
"""

import numpy as np

from .._compiled import njit
from ..ties import TIE


class SortedFeatures:
    """The columns of X, sorted once, in the form in which the stump search reads them.

    Every column is cut at its commonest value into two *walks*: the rows below it in ascending order, and
    the rows above it in descending order. Walk ``2 j`` and walk ``2 j + 1`` belong to column ``j``.

    Attributes
    ----------
    columns : ndarray of shape (n_features, n_samples)
        The transposed X.
    common : ndarray of shape (n_features,)
        The commonest value of each column.
    rows : int32 ndarray
        The rows of all walks, one after another.
    ends : int64 ndarray of shape (n_cuts,)
        Cut ``c`` separates the rows of its walk before position ``ends[c]`` from all others.
    first : int64 ndarray of shape (2 n_features + 1,)
        The cuts of walk ``p`` are ``first[p]`` to ``first[p + 1] - 1``.

    Examples
    --------
    >>> f = SortedFeatures(np.array([[3.0], [0.0], [0.0], [2.0]]))
    >>> f.rows, f.ends, f.first
    (array([0, 3], dtype=int32), array([1, 2]), array([0, 0, 2]))
    >>> f.threshold(0), f.threshold(1)
    ((0, 2.5), (0, 1.0))
    """

    def __init__(self, X):
        self.columns = np.ascontiguousarray(X.T)
        n = X.shape[0]
        self.common = np.empty(len(self.columns))
        rows, ends, cuts_of, position = [], [], [0], 0
        for j, column in enumerate(self.columns):
            order = np.argsort(column, kind="stable")
            value = column[order]
            borders = np.concatenate(([0], np.flatnonzero(value[1:] != value[:-1]) + 1, [n]))
            common = np.argmax(np.diff(borders))
            below, above = borders[common], borders[common + 1]  # the commonest value is value[below:above]
            self.common[j] = value[below]
            rows += [order[:below], order[above:][::-1]]
            upwards = position + borders[1 : common + 1]
            downwards = position + below + n - borders[common + 1 : -1][::-1]
            ends += [upwards, downwards]
            cuts_of += [len(upwards), len(downwards)]
            position += below + n - above
        self.rows = np.concatenate(rows).astype(np.int32)
        self.ends = np.concatenate(ends).astype(np.int64)
        self.first = np.cumsum(cuts_of)

    def threshold(self, cut):
        """The feature of a cut and the midpoint between the two values it separates."""
        walk = np.searchsorted(self.first, cut, side="right") - 1
        feature, column = walk // 2, self.columns[walk // 2]
        here = column[self.rows[self.ends[cut] - 1]]
        at_the_end = cut + 1 == self.first[walk + 1]  # of the walk: behind it lies the commonest value
        beyond = self.common[feature] if at_the_end else column[self.rows[self.ends[cut]]]
        low, high = min(here, beyond), max(here, beyond)
        middle = low / 2 + high / 2  # not (low + high) / 2, which may overflow
        # Between two neighbouring floats there is no midpoint; "x <= low" still separates them.
        return int(feature), float(middle if low <= middle < high else low)


@njit
def _best_cut(rows, ends, first, w, wy, squared):
    """The cut of greatest score: s^2/W_L + (S-s)^2/W_R if squared, else |S - 2s|; -1 if no cut is best.

    Both scores stay the same when the sides change places, so a walk from the right needs no other formula.
    """
    W, S = w.sum(), wy.sum()
    tie = TIE * (wy * wy / np.maximum(w, 1e-300) if squared else np.abs(wy)).sum()
    best, where, position = -np.inf, -1, 0
    for walk in range(len(first) - 1):
        w_side, s = 0.0, 0.0
        falling = False  # is the best cut in this walk, and do thresholds fall along it?
        for cut in range(first[walk], first[walk + 1]):
            for k in range(position, ends[cut]):
                w_side += w[rows[k]]
                s += wy[rows[k]]
            position = ends[cut]
            if squared:
                w_rest = W - w_side
                if w_side <= 0.0 or w_rest <= 0.0:
                    continue
                score = s * s / w_side + (S - s) * (S - s) / w_rest
            else:
                score = abs(S - 2 * s)
            if score > best + tie or (falling and score >= best - tie):
                best, where, falling = max(best, score), cut, walk % 2 == 1
    if not squared and abs(S) > best + tie:
        return -1  # one answer for all is better than any cut
    return where


@njit
def _best_cut_many(rows, ends, first, w, codes, n_classes, squared):
    """The same for K classes: of each side the sum of squares by its weight, or its heaviest class."""
    side, total = np.zeros(n_classes), np.bincount(codes, w, n_classes)
    tie = TIE * total.sum()
    best, where, position = (-np.inf if squared else total.max()), -1, 0
    for walk in range(len(first) - 1):
        side[:] = 0.0
        falling = False
        for cut in range(first[walk], first[walk + 1]):
            for k in range(position, ends[cut]):
                side[codes[rows[k]]] += w[rows[k]]
            position = ends[cut]
            here, there = 0.0, 0.0
            if squared:
                w_side, w_rest = 0.0, 0.0
                for c in range(n_classes):
                    rest = total[c] - side[c]
                    here += side[c] * side[c]
                    there += rest * rest
                    w_side += side[c]
                    w_rest += rest
                if w_side <= 0.0 or w_rest <= 0.0:
                    continue
                score = here / w_side + there / w_rest
            else:
                for c in range(n_classes):
                    here = max(here, side[c])
                    there = max(there, total[c] - side[c])
                score = here + there
            if score > best + tie or (falling and score >= best - tie):
                best, where, falling = max(best, score), cut, walk % 2 == 1
    return where
