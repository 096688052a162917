"""Rows of a Gram matrix in bounded memory, for learners that ask for the same rows again and again."""

import numpy as np

from .._compiled import njit
from .gram import WholeGram

CHUNK_BYTES = 1 << 22  # rows computed in one go: enough for a quick matrix product, few enough for the cache


class RowCache:
    """Rows of a Gram matrix within a given number of bytes; the row not used for longest is forgotten first.

    Parameters
    ----------
    gram : WholeGram or LazyGram
    n_bytes : float
    dtype : type
        float32 rows take half the memory, and :meth:`error` says what that has cost.

    Attributes
    ----------
    misses : int
        How many rows ``combine`` had to compute.
    size : ndarray
        The sum of all absolute terms that came from rows kept here, for each entry of the sums.

    Examples
    --------
    >>> from mllib.kernels.gram import LazyGram
    >>> from mllib.kernels import Linear
    >>> cache = RowCache(LazyGram(Linear(), np.diag([1.0, 2.0, 3.0])), n_bytes=100)
    >>> cache.combine(np.array([0, 2]), np.array([10.0, 1.0]))
    array([10.,  0.,  9.])
    >>> cache.misses, cache.combine(np.array([2]), np.array([2.0])), cache.misses
    (2, array([ 0.,  0., 18.]), 2)
    """

    def __init__(self, gram, n_bytes, dtype=np.float64):
        n = len(gram)
        self.gram = gram
        self.clock = 0
        self.misses = 0
        self.size = np.zeros(n)
        if isinstance(gram, WholeGram):  # nothing to compute and nothing to forget
            self.rows, self.filled, self.scratch = gram.K, n, np.empty((0, n))
            self.chunk = max(1, CHUNK_BYTES // (8 * n))
            self.place = self.row = np.arange(n)
            self.used = np.zeros(n, dtype=np.int64)
            return
        bytes_of_row = n * np.dtype(dtype).itemsize
        self.rows = np.empty((min(n, int(n_bytes / bytes_of_row)), n), dtype)
        self.chunk = max(1, int(min(CHUNK_BYTES, n_bytes / 8) / (8 * n)))  # rows
        self.scratch = np.empty((self.chunk, n))
        self.filled = 0  # places in use; they are used from the front
        self.place = np.full(n, -1)  # of each row, -1 if it is not here
        self.row = np.full(len(self.rows), -1)  # at each place
        self.used = np.zeros(len(self.rows), dtype=np.int64)  # when last, by the clock

    def combine(self, points, weights, keep=None):
        """The sum of ``weights[p] * K[points[p]]``, a vector with one number for each row of K.

        Rows that are computed for it are kept if ``keep`` says so, by default all.
        """
        self.clock += 1
        place = self.place[points]
        here = place >= 0
        self.used[place[here]] = self.clock
        keep = np.ones(len(points), dtype=bool) if keep is None else keep
        total = self.compute(points[~here], weights[~here], keep[~here])
        _add_rows(total, self.size, self.rows, place[here], weights[here])
        self.misses += len(points) - int(here.sum())
        return total

    def compute(self, points, weights, keep=None):
        """The same sum from rows that are computed now, in float64."""
        total = np.zeros(len(self.gram))
        for first in range(0, len(points), self.chunk):
            chunk = slice(first, first + self.chunk)
            # (Fresh memory for each chunk would take a third of the time.)
            rows = self.gram.block(points[chunk], out=self.scratch[: len(points[chunk])])
            total += weights[chunk] @ rows
            if keep is not None:
                self._keep(points[chunk], rows, np.flatnonzero(keep[chunk]))
        return total

    def error(self):
        """Greatest possible rounding error, by being kept, of a sum of all the sums so far."""
        return float(np.finfo(self.rows.dtype).eps / 2 * self.size.max())

    def _keep(self, points, rows, which):
        """Store some rows at empty places or at the oldest; rows wanted in this very sum are not given up."""
        fresh = min(len(which), len(self.rows) - self.filled)
        place = np.arange(self.filled, self.filled + fresh)
        self.filled += fresh
        self.used[place] = self.clock
        if fresh < len(which):
            oldest = np.argsort(self.used, kind="stable")[: len(which) - fresh]
            place = np.append(place, oldest[self.used[oldest] < self.clock])
        forgotten = self.row[place]
        self.place[forgotten[forgotten >= 0]] = -1
        for k, p in zip(which, place, strict=False):  # one by one: no copy of them all in between
            self.rows[p] = rows[k]
        points = points[which[: len(place)]]
        self.row[place], self.place[points], self.used[place] = points, place, self.clock


@njit
def _add_rows(total, size, rows, which, weights):
    """Add weights @ rows[which] to total, and |weights| @ |rows[which]| to size; all sums in float64."""
    last = len(which) % 4
    for p in range(last):
        row, w = rows[which[p]], weights[p]
        for k in range(len(total)):
            total[k] += w * row[k]
            size[k] += abs(w * row[k])
    for p in range(last, len(which), 4):  # four at a time: the sums are read and written less often
        a, b, c, d = rows[which[p]], rows[which[p + 1]], rows[which[p + 2]], rows[which[p + 3]]
        u, v, w, x = weights[p], weights[p + 1], weights[p + 2], weights[p + 3]
        for k in range(len(total)):
            total[k] += u * a[k] + v * b[k] + w * c[k] + x * d[k]
            size[k] += abs(u * a[k]) + abs(v * b[k]) + abs(w * c[k]) + abs(x * d[k])
