r"""SMO for many variables: one block of them after the other.

With n variables K has n^2 entries: 3.2 GB for n = 20,000. But most variables end at a limit and are
seldom looked at again. So we keep a *working set* W, solve the problem in the variables of W by the loop
of :mod:`mllib.smo.pair` with the others held still, and then correct the pulls on all variables,

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
free variables, for a variable at its limit seldom moves again. (All are kept, in float64, if they fit.)

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

from ..kernels._cache import RowCache
from ..kernels.gram import WholeGram
from ..learner import progress

VIOLATORS = 256  # newcomers to the working set in each round
BLOCK_SHARE = 0.45  # of the memory goes to the square of the working set
LARGEST = 1e30  # entry of K for float32; the smallest is one over it


def solve_in_blocks(problem, beta, n_bytes, n_iter=0):
    """Solve a large problem; ``beta`` is changed in place.

    Parameters
    ----------
    problem : mllib.smo.solver.Problem
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
    room = (1 - BLOCK_SHARE) * n_bytes
    # If there is room for all rows as they are, none is computed twice.
    all_fit = 8 * len(gram) ** 2 <= room and not isinstance(gram, WholeGram)
    rows = RowCache(gram, room, np.float64 if all_fit or not 1 / LARGEST < scale < LARGEST else np.float32)
    fresh = rows.combine if all_fit else rows.compute
    block = _Block(gram, owner, min(len(beta), max(64, int((BLOCK_SHARE * n_bytes / 8) ** 0.5))))
    output = fresh(*_by_row(owner, beta, np.flatnonzero(beta)))
    drift = 0.0  # bound on the rounding errors of the pulls, but for those of the rows that are kept
    bar = progress(None, problem.verbose, "SMO", unit="step")
    while True:
        pull = problem.pull(output)
        violation = problem.record(n_iter, (-1, -1), beta, pull)["violation"]
        if problem.verbose:
            bar.set_postfix(violation=f"{violation:.3g}")
            bar.update(n_iter - bar.n)
        error = drift + rows.error()
        ends = violation <= problem.tol or n_iter >= problem.limit
        if error > 0 if ends else rows.error() > violation:
            output, drift = fresh(*_by_row(owner, beta, np.flatnonzero(beta))), 0.0
            rows.size[:] = 0.0
            continue
        if ends:
            break
        block.exchange(_working_set(problem, beta, pull, block.capacity))
        W = block.members
        inside, pull_inside = beta[W], pull[W]
        tol, most = max(0.1 * violation, 0.5 * problem.tol), problem.limit - n_iter
        run = problem.run_in_chunks(block.K, lower[W], upper[W], inside, pull_inside, tol, most)
        steps = next(steps for steps, _, _, full, _ in run if not full or steps == most)
        change = inside - beta[W]
        beta[W] = inside
        moved = np.flatnonzero(change)
        free = np.zeros(len(gram), dtype=bool)
        free[owner[W[(lower[W] < inside) & (inside < upper[W])]]] = True
        points, change_by_row = _by_row(owner[W], change, moved)
        output += rows.combine(points, change_by_row, keep=free[points] | all_fit)
        drift += np.finfo(float).eps * np.abs(change).sum() * scale
        n_iter += steps
        if len(moved) == 0:  # the violating pair cannot be moved within the accuracy of float64
            break
    if problem.verbose:
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
