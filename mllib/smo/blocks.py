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
many at a time, because one large matrix product is far cheaper than many small ones.

References
----------
.. [1] Osuna, Freund, Girosi (1997). "An improved training algorithm for support vector machines". IEEE
   Workshop on Neural Networks for Signal Processing.
.. [2] Joachims (1999). "Making large-scale support vector machine learning practical". Advances in Kernel
   Methods, MIT Press.
"""

import numpy as np

from ..kernels.gram import WholeGram
from .solver import climb

__all__ = ["RowCache", "solve_in_blocks"]

VIOLATORS = 256  # newcomers to the working set in each round; twice as many from 10,000 variables
BLOCK_SHARE = 0.45  # of the memory goes to the square of the working set
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
    rows = RowCache(gram, (1 - BLOCK_SHARE) * n_bytes)
    block = _Block(gram, owner, min(len(beta), max(64, int((BLOCK_SHARE * n_bytes / 8) ** 0.5))))
    output = rows.combine(*_by_row(owner, beta, np.flatnonzero(beta)))
    drift = 0.0
    bar = _progress(problem.verbose)
    while True:
        pull = problem.pull(output)
        violation = problem.record(n_iter, (-1, -1), beta, pull)["violation"]
        bar.show(n_iter, violation)
        if violation <= problem.tol and drift > 0.1 * problem.tol:
            # So many corrections may have added up to a rounding error of this size: compute afresh.
            output, drift = rows.combine(*_by_row(owner, beta, np.flatnonzero(beta))), 0.0
            continue
        if violation <= problem.tol or n_iter >= problem.limit:
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
            max_steps=problem.limit - n_iter,
            second_order=problem.working_set == "second-order",
        )
        change = inside - beta[W]
        beta[W] = inside
        moved = np.flatnonzero(change)
        output += rows.combine(*_by_row(owner[W], change, moved))
        drift += np.finfo(float).eps * np.abs(change).sum() * block.scale
        n_iter += steps
        if len(moved) == 0:  # the violating pair cannot be moved within the accuracy of float64
            break
    bar.close()
    return output, n_iter


def _working_set(problem, beta, pull, capacity):
    """Free variables and worst violators, at most ``capacity`` of them."""
    can_rise, can_fall = beta < problem.upper, beta > problem.lower
    m, M = problem.extremes(beta, pull)
    free = can_rise & can_fall
    newcomers = VIOLATORS if len(beta) < 10_000 else 2 * VIOLATORS
    half = max(1, min(newcomers, capacity) // 2)
    # The greatest pulls on what can rise, but not enough to violate with anybody: no. The same for falling.
    risers = _greatest(np.where(can_rise & ~free & (pull > M), pull, -np.inf), half)
    fallers = _greatest(np.where(can_fall & ~free & (pull < m), -pull, -np.inf), half)
    free = np.flatnonzero(free)
    room = capacity - len(risers) - len(fallers)
    if len(free) > room:
        free = free[_greatest(np.abs(pull[free] - (m + M) / 2), room)]
    return np.concatenate([free, risers, fallers])


def _greatest(score, count):
    """Indices of the ``count`` greatest finite scores, in no order."""
    if count < len(score):
        top = np.argpartition(score, len(score) - count)[len(score) - count :]
    else:
        top = np.arange(len(score))
    return top[score[top] > -np.inf]


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
        self.K = np.empty((capacity, capacity))  # memory is taken only when a row is first written
        self.members = np.empty(0, dtype=np.intp)
        self.scale = float(np.max(np.abs(gram.diag)))

    def exchange(self, wanted):
        """Make ``wanted`` the working set (in an order of our own) and complete the square."""
        K, size = self.K, len(wanted)
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


class RowCache:
    """Rows of a Gram matrix within a given number of bytes; the row not used for longest is forgotten first.

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

    def __init__(self, gram, n_bytes):
        n = len(gram)
        self.gram = gram
        self.clock = 0
        self.misses = 0
        if isinstance(gram, WholeGram):  # nothing to compute and nothing to forget
            self.rows, self.filled, self.chunk = gram.K, n, n
            self.place = self.row = np.arange(n)
            self.used = np.zeros(n, dtype=np.int64)
            return
        self.rows = np.empty((min(n, int(n_bytes / (8 * n))), n))
        self.chunk = max(1, int(min(CHUNK_BYTES, n_bytes / 8) / (8 * n)))  # rows
        self.filled = 0  # places in use; they are used from the front
        self.place = np.full(n, -1)  # of each row, -1 if it is not here
        self.row = np.full(len(self.rows), -1)  # at each place
        self.used = np.zeros(len(self.rows), dtype=np.int64)  # when last, by the clock

    def combine(self, points, weights):
        """The sum of ``weights[p] * K[points[p]]``, a vector with one number for each row of K."""
        self.clock += 1
        place = self.place[points]
        here = place >= 0
        self.used[place[here]] = self.clock
        total = self._cached(place[here], weights[here])
        missing, weights = points[~here], weights[~here]
        for first in range(0, len(missing), self.chunk):
            chunk = slice(first, first + self.chunk)
            rows = self.gram.block(missing[chunk])
            total += weights[chunk] @ rows
            self._keep(missing[chunk], rows)
        self.misses += len(missing)
        return total

    def _cached(self, place, weights):
        if len(place) < 0.25 * self.filled:
            return weights @ self.rows[place]
        # One product with all rows is faster than copying out those with a weight.
        everywhere = np.zeros(self.filled)
        everywhere[place] = weights
        return everywhere @ self.rows[: self.filled]

    def _keep(self, points, rows):
        """Store rows at empty places or at the oldest; rows wanted in this very sum are not given up."""
        fresh = min(len(points), len(self.rows) - self.filled)
        place = np.arange(self.filled, self.filled + fresh)
        self.filled += fresh
        self.used[place] = self.clock
        if fresh < len(points):
            oldest = np.argsort(self.used, kind="stable")[: len(points) - fresh]
            place = np.append(place, oldest[self.used[oldest] < self.clock])
        points, rows = points[: len(place)], rows[: len(place)]
        forgotten = self.row[place]
        self.place[forgotten[forgotten >= 0]] = -1
        self.rows[place] = rows
        self.row[place], self.place[points], self.used[place] = points, place, self.clock


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
