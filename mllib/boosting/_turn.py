"""A direction turns through half a circle, and every way in which a line splits the points is seen once.

What is judged, and why one addition a step is enough: :mod:`mllib.boosting.lines`. Here stands the sweep: its
steps, sorted once for all weights, and points on one line, which change places together.
"""

import numpy as np

from .._compiled import njit
from ..ties import TIE

_SAME_ANGLE = 1e-12  # radians; angles closer than this belong to points on one line
_MOST_EXACT = 10_000  # "exact" refuses more: the pairs would not fit into the memory of a laptop
_BYTES_OF_A_PAIR = 60  # while the steps are sorted


class Turn:
    """The steps of a direction's half turn over the points of the plane, sorted by angle."""

    def __init__(self, X):
        # Splits do not change when an axis is stretched; equal ranges keep the angles well apart.
        self.X, low, high = X, X.min(axis=0), X.max(axis=0)
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


@njit
def _turn(first, second, ends, s):
    """Turn the direction through half a circle; return the best cut and the steps that begin and end it.

    Before step 0 the points stand in the order 0, 1, ..., n-1. In each step the pairs (first, second) between
    two ``ends`` change places. Cut k has the points in places 0..k on its left. It is born in the step
    ``born`` (-1: it was there at the start) and dies in the step ``dies`` (-1: it lasts to the end). Half a
    turn later the order is reversed, so cut k of the start is cut n-2-k of the end, whose last change is
    returned too.
    """
    n, place = len(s), np.arange(len(s))
    left = np.cumsum(s)  # left[k]: the sum of s over the points in places 0..k
    S, scale = left[-1], np.abs(s).sum()
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
