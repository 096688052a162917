r"""Leaps: all free variables at once, when pairs get on too slowly.

SMO moves two variables at a time. If the free ones, those strictly between their limits, pull at each
other (C is large, the kernel nearly of low rank) it creeps along a narrow ridge in millions of tiny
steps. But as long as no limit is met there is nothing to search: with the other variables held still,
the best values of the free ones F are the top of a parabola in many dimensions. The step :math:`\delta`
to it satisfies

.. math:: K_{FF}\, \delta + b\, 1 = g_F, \qquad 1^\top \delta = 0 ,

one linear equation for each free variable (the same as in :mod:`mllib.svm.path`), which a Cholesky
decomposition solves. We go there, or as far as the limits let us; the variable that met its limit is not
free any more, and the next leap is possible. Along :math:`\delta` the objective rises all the way, so
leaps and steps of SMO can alternate as one likes: SMO finds out *which* variables are free, the leap
*where* they go [1]_ [2]_.

A leap costs about :math:`|F|^3 / 3` operations, so a few of them are made for every some thousand steps.

References
----------
.. [1] Bertsekas (1982). "Projected Newton methods for optimization problems with simple constraints".
   SIAM Journal on Control and Optimization 20.
.. [2] Scheinberg (2006). "An efficient implementation of an active set method for SVMs". Journal of
   Machine Learning Research 7.
"""

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotrs

from .pair import NEAR

CALLS = 30_000  # operations in the time that a leap takes even if there is next to nothing to compute
RIDGE = 1e-10  # added to the diagonal, relative to its mean: K may be singular


def leap(K, lower, upper, beta, pull, budget):
    """Leap to the top over the free variables, several times if limits are in the way.

    Parameters
    ----------
    K : ndarray of shape (m, m), m >= n
        Kernel values; those of the n variables come first.
    lower, upper, beta, pull : ndarrays of shape (n,)
        Limits, variables and pulls; ``beta`` and ``pull`` are changed in place.
    budget : float
        Stop when about so many elementary operations are spent (a loop of SMO over n variables is n).

    Returns
    -------
    leaps : int

    Examples
    --------
    >>> beta, pull = np.array([1.0, -1.0]), np.array([3.0, -3.0])
    >>> leap(np.eye(2), np.full(2, -9.0), np.full(2, 9.0), beta, pull, budget=1e5), beta.round(6)
    (1, array([ 4., -4.]))
    """
    leaps, n = 0, len(beta)
    while True:
        F = np.flatnonzero((beta > lower) & (beta < upper))
        budget -= CALLS + len(F) ** 3 / 60 + 3 * len(F) ** 2 + len(F) * n / 3
        if len(F) < 2 or budget < 0:
            return leaps
        step = _to_the_top(K[np.ix_(F, F)], pull[F])
        if step is None:
            return leaps
        goal = np.where(step > 0, upper[F], lower[F])
        with np.errstate(divide="ignore", invalid="ignore"):
            room = np.where(step != 0, (goal - beta[F]) / step, np.inf)
        first = room.argmin()
        part = min(1.0, room[first])
        pull -= part * (step @ K[F, :n])
        moved = np.clip(beta[F] + part * step, lower[F], upper[F])
        # (Several may arrive at once, but for rounding.)
        near = np.abs(goal - moved) <= NEAR * np.maximum(np.abs(goal), np.abs(part * step))
        beta[F] = np.where(near & np.isfinite(goal), goal, moved)
        leaps += 1
        if part == 1.0:
            return leaps
        beta[F[first]] = goal[first]


def _to_the_top(K, pull):
    """The step delta, or None if K (which is overwritten) is not positive semi-definite."""
    K[np.diag_indices(len(K))] += RIDGE * np.trace(K) / len(K)
    factor, failed = dpotrf(K.T, lower=True, overwrite_a=True)
    if failed:
        return None
    by_pull, by_one = dpotrs(factor, np.array([pull, np.ones(len(pull))]).T, lower=True)[0].T
    step = by_pull - by_pull.sum() / by_one.sum() * by_one
    for _ in range(2):  # if K is singular the terms are huge, and their difference no longer sums to 0
        step -= step.mean()
    return step if np.isfinite(step).all() else None
