r"""SMO for many variables: one block of them after the other.

With n variables K has n^2 entries: 3.2 GB for n = 20,000. But most variables end at a limit and are
seldom looked at again. So we keep a *working set* W, solve the problem in the variables of W by the loop
of :mod:`mllib.smo.solver` with the others held still, and then correct the pulls on all variables,

.. math:: g \leftarrow g - K_{\cdot W} (\beta_W^{new} - \beta_W^{old}) .

When no pair of all n variables violates, the whole problem is solved [1]_.

*What belongs in W?* All *free* variables, those strictly between their limits, because they keep
changing until the very end; and the worst violators, half of them from above and half from below. (With
the violators alone W falls apart into small disputes: the free variables that are left out of one block
undo the work of another.) A variable that has reached its limit and does not violate leaves W, and this
takes the place of what other solvers call shrinking.

*What is kept?* The entries of K between members of W in one square array, where only the rows and
columns of newcomers are filled in; and rows of K for the correction of the pulls, in a cache that
forgets the row not used for longest. Both together stay within ``cache_size``. Missing rows are computed
many at a time, because one large matrix product is far cheaper than many small ones; kept are those of
free variables, for a variable at its limit seldom moves again.

*How exactly?* Rows are computed in float64 and kept in float32: twice as many fit, and memory that is
never touched costs no time. What this rounding may have done to a pull is bounded entry by entry, half a
unit in the last place of each term that was added. Where the bound exceeds the violation, the loop would
chase its own rounding, so the pulls are computed afresh in float64; and so they are at the end, whatever the
bound: the certificate is exact.

References
----------
.. [1] Osuna, Freund, Girosi (1997). "An improved training algorithm for support vector machines". IEEE
   Workshop on Neural Networks for Signal Processing.
.. [2] Joachims (1999). "Making large-scale support vector machine learning practical". Advances in Kernel
   Methods, MIT Press.
"""

import numpy as np
from numba import njit

from ..kernels.gram import WholeGram
from .solver import climb

__all__ = ["RowCache", "solve_in_blocks"]

VIOLATORS = 256  # newcomers to the working set in each round
BLOCK_SHARE = 0.45  # of the memory goes to the square of the working set
LARGEST = 1e30  # entry of K for float32; the smallest is one over it
CHUNK_BYTES = 1 << 22  # rows computed in one go: enough for a quick matrix product, few enough for the cache


def solve_in_blocks(problem, beta, n_bytes, n_iter=0):
    """Solve a large problem; ``beta`` is changed in place.

    Parameters
    ----------
    problem : mllib.smo.problem.Problem
    beta : ndarray
        Feasible variables to start from.
    n_bytes : float
        Memory for entries of K.
    n_iter : int
        Steps that led to the start.

    Returns
    -------
    output : ndarray
        Row sums of K with the variables.
    n_iter : int
    """
    gram, lower, upper = problem.gram, problem.lower, problem.upper
    owner = np.arange(len(beta)) if problem.owner is None else problem.owner
    scale = float(np.max(np.abs(gram.diag)))  # no entry of K is greater
    precision = np.float32 if 1 / LARGEST < scale < LARGEST else np.float64
    rows = RowCache(gram, (1 - BLOCK_SHARE) * n_bytes, precision)
    block = _Block(gram, owner, min(len(beta), max(64, int((BLOCK_SHARE * n_bytes / 8) ** 0.5))))
    output = rows.compute(*_by_row(owner, beta, np.flatnonzero(beta)))
    drift = 0.0  # bound on the rounding errors of the pulls, but for those of the rows that are kept
    bar, tie = _progress(problem.verbose), problem.tie()
    while True:
        pull = problem.pull(output)
        violation = problem.record(n_iter, (-1, -1), beta, pull)["violation"]
        bar.show(n_iter, violation)
        error = drift + rows.error()
        ends = violation <= problem.tol or n_iter >= problem.limit
        if error > 0 if ends else rows.error() > violation:
            output, drift = rows.compute(*_by_row(owner, beta, np.flatnonzero(beta))), 0.0
            rows.size[:] = 0.0
            continue
        if ends:
            break
        block.exchange(_working_set(problem, beta, pull, block.capacity))
        W = block.members
        inside, pull_inside = beta[W], pull[W]
        steps = climb(
            block.K,
            lower[W],
            upper[W],
            inside,
            pull_inside,
            tol=max(0.1 * violation, 0.5 * problem.tol),
            tie=tie,
            max_steps=problem.limit - n_iter,
            second_order=problem.working_set == "second-order",
        )
        change = inside - beta[W]
        beta[W] = inside
        moved = np.flatnonzero(change)
        free = np.zeros(len(gram), dtype=bool)
        free[owner[W[(lower[W] < inside) & (inside < upper[W])]]] = True
        points, change_by_row = _by_row(owner[W], change, moved)
        output += rows.combine(points, change_by_row, keep=free[points])
        drift += np.finfo(float).eps * np.abs(change).sum() * scale
        n_iter += steps
        if len(moved) == 0:  # the violating pair cannot be moved within the accuracy of float64
            break
    bar.close()
    return output, n_iter


def _working_set(problem, beta, pull, capacity):
    """Free variables and worst violators, at most ``capacity`` of them."""
    tie = problem.tie()
    can_rise, can_fall = beta < problem.upper, beta > problem.lower
    m, M = problem.extremes(beta, pull)
    free = can_rise & can_fall
    # Half of the room is left for free variables: so W holds the pair that violates most.
    half = max(1, min(VIOLATORS, capacity // 2) // 2)
    # The greatest pulls on what can rise, but not enough to violate with anybody: no. The same for falling.
    risers = _greatest(np.where(can_rise & ~free & (pull > M + tie), pull, -np.inf), half, tie)
    fallers = _greatest(np.where(can_fall & ~free & (pull < m - tie), -pull, -np.inf), half, tie)
    free = np.flatnonzero(free)
    room = capacity - len(risers) - len(fallers)
    if len(free) > room:
        free = free[_greatest(np.abs(pull[free] - (m + M) / 2), room, tie)]
    return np.concatenate([free, risers, fallers])


def _greatest(score, count, tie):
    """Indices of the ``count`` greatest finite scores, in no order; of equals at the edge the first."""
    there = np.flatnonzero(score > -np.inf)
    if len(there) <= count:
        return there
    score = score[there]
    edge = np.partition(score, len(score) - count)[len(score) - count]
    above = np.flatnonzero(score > edge + tie)
    equal = np.flatnonzero(np.abs(score - edge) <= tie)[: count - len(above)]
    return there[np.concatenate([above, equal])]


def _by_row(owner, values, where):
    """Rows of K and the sum of the values of the variables that own each; only the variables in ``where``."""
    points, position = np.unique(owner[where], return_inverse=True)
    return points, np.bincount(position, weights=values[where], minlength=len(points))


class _Block:
    """The square of K that belongs to the working set.

    A member keeps its place as long as it stays; newcomers take the places of those who left.
    """

    def __init__(self, gram, owner, capacity):
        self.gram, self.owner, self.capacity = gram, owner, capacity
        self.memory = np.empty(capacity * capacity)  # taken from the machine when first written to
        self.K = self.memory[:0].reshape(0, 0)
        self.members = np.empty(0, dtype=np.intp)

    def exchange(self, wanted):
        """Make ``wanted`` the working set (in an order of our own) and complete the square."""
        size = len(wanted)
        self._grow(size)
        K = self.K
        place = np.full(len(self.owner), -1)
        place[wanted] = 0
        stays = place[self.members] == 0
        holes = np.flatnonzero(~stays[:size])
        late = size + np.flatnonzero(stays[size:])  # members to keep whose place is cut off
        holes, fill = holes[len(late) :], holes[: len(late)]
        old = len(self.members)
        K[fill, :old] = K[late, :old]
        K[:old, fill] = K[:old, late]
        members = np.full(size, -1)
        kept = np.flatnonzero(stays[:size])
        members[kept] = self.members[kept]
        members[fill] = self.members[late]
        place[members[members >= 0]] = -1
        new = wanted[place[wanted] == 0]
        free = np.concatenate([holes, np.arange(old, size)])
        members[free] = new
        self.members = members
        if len(new):
            values = self.gram.block(self.owner[new], self.owner[members])
            K[free, :size] = values
            K[:size, free] = values.T

    def _grow(self, size):
        """Make room for so many members, and for a third more while there is memory."""
        if size <= len(self.K):
            return
        room = min(self.capacity, size + size // 3)
        larger, old = self.memory[: room * room].reshape(room, room), len(self.members)
        for i in reversed(range(old)):  # both lie in the same memory: the last row first
            larger[i, :old] = self.K[i, :old]
        self.K = larger


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


@njit(cache=True, nogil=True)
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


class _progress:
    """A bar that fills as the violation falls, on a logarithmic scale; nothing at all if not verbose."""

    def __init__(self, verbose):
        self.bar = None
        if verbose:
            from tqdm import tqdm

            self.bar = tqdm(desc="SMO", unit=" steps")

    def show(self, n_iter, violation):
        if self.bar is not None:
            self.bar.update(n_iter - self.bar.n)
            self.bar.set_postfix(violation=f"{violation:.3g}")

    def close(self):
        if self.bar is not None:
            self.bar.close()
