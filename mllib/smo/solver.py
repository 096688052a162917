r"""Sequential minimal optimisation: train a support vector machine two variables at a time.

The problem
-----------
Given a symmetric positive semi-definite matrix K, targets t and limits :math:`A_k \le 0 \le B_k`,

.. math:: \max_\beta\; D(\beta) = \sum_k t_k \beta_k - \tfrac12 \sum_{k,l} \beta_k \beta_l K_{kl}
   \quad\text{subject to}\quad \sum_k \beta_k = 0, \quad A_k \le \beta_k \le B_k .

That is all this file knows: no labels, no points, no kernel. A machine that wants to be trained says what
:math:`\beta`, t, A and B are:

* classification: :math:`\beta_i = y_i \alpha_i` and :math:`t_i = y_i`, between 0 and :math:`y_i C`; the cases
  "equal labels" and "different labels" of the textbooks become one;
* regression: two variables for each point, :math:`\beta = (a, -\hat a)` with
  :math:`t = (y - \varepsilon, y + \varepsilon)`; both own the same row of K, and ``owner`` says which.

The step
--------
The constraint :math:`\sum \beta = 0` ties each variable to the others, so none can move alone. Two can: add
:math:`\lambda` to :math:`\beta_i` and take it from :math:`\beta_j`. Let :math:`g_k = \partial D / \partial
\beta_k = t_k - \sum_l \beta_l K_{kl}`, the *pull* on variable k. Along this line D is a parabola,

.. math:: D(\beta) + \lambda (g_i - g_j) - \tfrac12 \lambda^2 (K_{ii} + K_{jj} - 2 K_{ij}) ,

and the step goes to its top, :math:`\lambda = (g_i - g_j) / (K_{ii} + K_{jj} - 2 K_{ij})`, or as far as the
limits let it. Then every pull is corrected: :math:`g_k \leftarrow g_k - \lambda (K_{ik} - K_{jk})`.

Which pair?
-----------
Variable i must be able to rise, j to fall, and :math:`g_i > g_j`: a *violating pair*. With

.. math:: m = \max\{g_i : \beta_i < B_i\}, \qquad M = \min\{g_j : \beta_j > A_j\}

there is one exactly if m > M; if there is none, :math:`\beta` is optimal [2]_. "first-order" takes the
two that attain m and M. "second-order" takes the same i, and the j for which the top of the parabola is
highest, :math:`(g_i - g_j)^2 / (K_{ii} + K_{jj} - 2 K_{ij})` [3]_: far fewer steps, each hardly dearer.
"platt" follows the heuristics of the first paper [1]_ (see :mod:`mllib.smo.platt`).

Ties are decided by order: of pulls that differ by no more than rounding the first is taken, of parabolas
equally high the first, and a variable that rounding keeps from its limit is at it. (Points that mirror each
other tie in every step. Were the last digit to decide, each machine would walk another way.)

When to stop?
-------------
When the *violation* m - M is at most ``tol``. Any b in [M, m] may then serve as the bias; we take the
middle. As a certificate the result holds the primal value

.. math:: P = \tfrac12 \sum_{k,l} \beta_k \beta_l K_{kl} + \sum_k \max_{A_k \le v \le B_k} v\,(g_k - b) ,

which no D can exceed: the maximum lies between D and P.

While K fits into a few megabytes it is computed and kept, and the compiled loop at the end of this file,
the whole algorithm, does the rest. Beyond, :mod:`mllib.smo.blocks` hands it one part of the problem after
the other. A run that takes long, because C is large, is helped by :mod:`mllib.smo.leap` every now and then.

References
----------
.. [1] Platt (1999). "Fast training of support vector machines using sequential minimal optimization".
   Advances in Kernel Methods, MIT Press.
.. [2] Keerthi, Shevade, Bhattacharyya, Murthy (2001). "Improvements to Platt's SMO algorithm for SVM
   classifier design". Neural Computation 13.
.. [3] Fan, Chen, Lin (2005). "Working set selection using second order information for training support
   vector machines". Journal of Machine Learning Research 6.
.. [4] Bottou, Lin (2007). "Support vector machine solvers". Large-Scale Kernel Machines, MIT Press.
"""

import warnings
from typing import NamedTuple

import numpy as np
from numba import njit
from sklearn.exceptions import ConvergenceWarning

from ..history import History
from ..kernels.gram import WholeGram
from ..parameters import check_arguments, integer, one_of, real
from .leap import leap
from .problem import BAD_KERNEL, Problem, arrives, feasible

__all__ = ["SMOResult", "solve"]

SMALL = 1000  # variables up to which nothing is cleverer than the plain loop
WHOLE = 2000  # rows of K up to which it is computed in one piece (32 MB)
HASTE = 10  # steps per variable after which leaps begin
PATIENCE = 4  # steps per variable after which a problem that is not small is cut into blocks
NOTICEABLE = 1e-3  # error of a pull, relative to the greatest target
STRETCH = 32  # entries that are compared at once
AS_HIGH = 1 + 1e-6  # a parabola must be higher than another by this factor
LEAST_LIMIT = 10_000_000  # steps after which a run without max_iter gives up


class SMOResult(NamedTuple):
    """What :func:`solve` found, with its certificate.

    Attributes
    ----------
    beta : ndarray
        The variables.
    output : ndarray
        :math:`\\sum_l \\beta_l K_{pl}` for each row p of the Gram matrix: the decision function at the
        training points, without bias.
    bias : float
        The middle of [M, m].
    dual, primal, gap : float
        D, P and P - D. For a matrix that is not positive semi-definite P is no bound.
    violation : float
        m - M. The pulls have gone through many corrections; they are computed afresh where rounding may have
        moved one of them by more than a hundredth of ``tol``.
    n_iter : int
        Steps taken.
    converged : bool
        Whether ``violation <= tol``.
    history : History
    """

    beta: np.ndarray
    output: np.ndarray
    bias: float
    dual: float
    primal: float
    gap: float
    violation: float
    n_iter: int
    converged: bool
    history: History


def solve(
    gram,
    target,
    lower,
    upper,
    *,
    owner=None,
    start=None,
    tol=1e-3,
    max_iter=-1,
    working_set="second-order",
    cache_size=200,
    every=None,
    verbose=False,
    warn=True,
):
    r"""Solve a quadratic program of support vector machines.

    Given a symmetric positive semi-definite matrix K, targets t and limits :math:`A_k \le 0 \le B_k`,

    .. math:: \max_\beta\; D(\beta) &= \sum_k t_k \beta_k - \tfrac12 \sum_{k,l} \beta_k \beta_l K_{kl} \\
              \text{subject to } & \sum_k \beta_k = 0, \quad A_k \le \beta_k \le B_k .

    The pull on a variable is :math:`g_k = t_k - \sum_l K_{kl} \beta_l`; m is the greatest pull on what can
    rise, M the least on what can fall.

    Parameters
    ----------
    gram : array of shape (n, n), or an object such as :class:`mllib.kernels.gram.LazyGram`
        The matrix K, or who computes blocks of it.
    target, lower, upper : arrays of shape (n_variables,)
        t, A and B; lower <= 0 <= upper, infinite limits allowed.
    owner : int array of shape (n_variables,), optional
        The row of K that each variable refers to; variable k to row k by default.
    start : array of shape (n_variables,), optional
        Feasible variables to start from; zeros by default.
    tol : float
        Greatest violation m - M of a solution.
    max_iter : int
        Greatest number of steps; -1 for no limit but that of sanity (ten million, or 100 per variable).
    working_set : {"second-order", "first-order", "platt"}
    cache_size : float
        Megabytes for parts of K when it does not fit into one piece.
    every : int, optional
        Record every so many steps, and the variables too; 1 for a film of the run. By default a few rows; 0
        for the last row only.
    verbose : bool
        Show a progress bar.
    warn : bool
        Give a ConvergenceWarning if the violation is above ``tol`` at the end.

    Returns
    -------
    SMOResult

    Examples
    --------
    Two points on a line, x = -1 and x = 1, labels -1 and +1. The solution is w = 1, both
    :math:`\alpha = 1/2`:

    >>> import numpy as np
    >>> x = np.array([-1.0, 1.0])
    >>> result = solve(np.outer(x, x), x, np.minimum(0, 10 * x), np.maximum(0, 10 * x))
    >>> result.beta, result.bias, result.dual, result.gap
    (array([-0.5,  0.5]), 0.0, 0.5, 0.0)
    """
    check_arguments(
        tol=(tol, real(0)),
        max_iter=(max_iter, integer(-1)),
        cache_size=(cache_size, real(0, open_low=True)),
        every=(every, integer(0) | one_of(None)),
        working_set=(working_set, one_of("second-order", "first-order", "platt")),
    )
    gram = gram if hasattr(gram, "block") else WholeGram(gram)
    target, lower, upper = (np.array(v, dtype=np.float64) for v in (target, lower, upper))
    n = len(target)
    if len(gram) != n and owner is None:
        raise ValueError(f"K has {len(gram)} rows and there are {n} targets")
    if not np.isfinite(target).all():
        raise ValueError("target must hold finite numbers, it holds NaN or infinity")
    if not np.isfinite(gram.diag).all():
        raise ValueError(BAD_KERNEL)
    beta = feasible(start, lower, upper)
    limit = max_iter if max_iter >= 0 else max(LEAST_LIMIT, 100 * n)
    problem = Problem(gram, target, lower, upper, owner, tol, limit, working_set, every, verbose)
    plain = n <= SMALL or every or working_set == "platt"
    if plain or (len(gram) <= WHOLE and 8 * len(gram) ** 2 <= 1e6 * cache_size):
        problem.gram = WholeGram(gram.whole())
    n_iter = 0
    if plain or (n <= WHOLE and owner is None and isinstance(problem.gram, WholeGram)):
        output, n_iter = _solve_whole(problem, beta, limit if plain else min(limit, PATIENCE * n))
    if not plain and not problem.solved():
        from .blocks import solve_in_blocks

        output, n_iter = solve_in_blocks(problem, beta, 1e6 * cache_size, n_iter)

    found = problem.certificate
    converged = problem.solved()
    result = SMOResult(beta, output, **found, n_iter=n_iter, converged=converged, history=problem.history)
    if warn and not converged:
        warn_of(result, tol, stacklevel=4)
    elif warn:
        warn_of_rounding(gram, target, beta, tol, stacklevel=4)
    return result


def warn_of(result, tol, stacklevel=3):
    """Say that a run ended early, and how far from the optimum it may be."""
    warnings.warn(
        f"SMO stopped after {result.n_iter} steps with violation {result.violation:.3g} (tol is {tol:g}) and "
        f"duality gap {result.gap:.3g} at dual objective {result.dual:.6g}. Scaled data, a smaller "
        "C or a larger max_iter may help.",
        ConvergenceWarning,
        stacklevel=stacklevel,
    )


def warn_of_rounding(gram, target, beta, tol, stacklevel=3):
    """Say so if K is so large that what its own entries have lost in rounding may be seen in the pulls."""
    largest = np.abs(gram.diag).max()
    error = np.finfo(float).eps * largest * np.abs(beta).sum()
    if error > max(tol, NOTICEABLE * np.abs(target).max()):
        warnings.warn(
            f"Kernel values as large as {largest:.3g} are themselves rounded. This may have changed pulls by "
            f"{error:.3g} (tol is {tol:g}), and the duality gap accordingly. Centred and scaled data may "
            "help.",
            ConvergenceWarning,
            stacklevel=stacklevel,
        )


def _solve_whole(problem, beta, limit):
    """Let the compiled loop take up to ``limit`` steps on the whole matrix; it changes ``beta``."""
    K, owner = problem.gram.K, problem.owner
    if owner is not None:
        K = problem.gram.block(owner, owner)
    pull = problem.target - K @ beta if beta.any() else problem.target.copy()
    advance = _walk(problem, K, beta, pull)
    if problem.every != 0 or limit == 0:
        problem.record(0, (-1, -1), beta, pull)
    n_iter, refreshed, chunk = 0, 0, problem.every or _until_next_leap(len(beta), 0)
    while not problem.solved() and n_iter < limit and refreshed < 10:
        taken, pair = advance(min(chunk, limit - n_iter))
        n_iter += taken
        if (taken == 0 or taken == chunk and not problem.every) and not np.isfinite(K).all():
            raise ValueError(BAD_KERNEL)  # (a look at all of K takes time: only if something seems to be odd)
        if taken < chunk and n_iter * problem.rounding() > 0.01 * problem.tol:
            # It sees no violating pair, but so many corrections may have left rounding errors.
            pull[:] = problem.target - K @ beta
            refreshed += 1
        elif taken == chunk and not problem.every and problem.working_set != "platt":
            if leap(K, problem.lower, problem.upper, beta, pull, budget=chunk * len(beta)):
                pull[:] = problem.target - K @ beta
            chunk = _until_next_leap(len(beta), n_iter)
        problem.record(n_iter, pair, beta, pull)
        if taken == 0:
            break
    output = problem.target - pull
    if owner is not None:
        by_row = np.zeros(len(problem.gram))
        by_row[owner] = output
        output = by_row
    return output, n_iter


def _walk(problem, K, beta, pull):
    """A function that takes up to so many steps and returns their number and the last pair."""
    if problem.working_set == "platt":
        from .platt import PlattWalk

        return PlattWalk(K, problem.lower, problem.upper, beta, pull, problem.tol).advance
    second_order = problem.working_set == "second-order"
    lower, upper, tol, tie = problem.lower, problem.upper, problem.tol, problem.tie()

    def advance(max_steps):
        taken, i, j = _smo(K, lower, upper, beta, pull, tol, tie, max_steps, second_order)
        return taken, (i, j)

    return advance


def climb(K, lower, upper, beta, pull, tol, tie, max_steps, second_order):
    """The compiled loop, interrupted by leaps if it takes long; returns the number of steps."""
    n, steps = len(beta), 0
    chunk = _until_next_leap(n, 0)
    while steps < max_steps:
        chunk = min(chunk, max_steps - steps)
        taken, _, _ = _smo(K, lower, upper, beta, pull, tol, tie, chunk, second_order)
        steps += taken
        if taken < chunk:
            break
        leap(K, lower, upper, beta, pull, budget=chunk * n)
        chunk = _until_next_leap(n, steps)
    return steps


def _until_next_leap(n, steps):
    """How many steps to take; in a long run leaps are rarer, and have time to get to the top."""
    return max(1000, (HASTE if steps == 0 else 3) * n, steps // 4)


# error_model="numpy": division without a test for zero, which would keep the loop from being vectorised.
@njit(cache=True, nogil=True, error_model="numpy")
def _smo(K, A, B, beta, g, tol, tie, max_steps, second_order):
    """Take steps until no pair violates by more than tol; change beta and g in place.

    K holds the kernel values, A and B the limits, beta the variables and g the pull on each of them; pulls
    that differ by at most tie are equal. Returned are the number of steps and the last pair. Each loop over k
    is free of branches or a plain search for the largest number: the compiler can treat several k at once.
    """
    n = len(beta)
    own = np.empty(n)  # K_kk
    rise = np.empty(n)  # 0 if beta_k can rise, else minus infinity
    fall = np.empty(n)  # 0 if beta_k can fall, else minus infinity
    score = np.empty(n)
    for k in range(n):
        own[k] = K[k, k]
        rise[k] = 0.0 if beta[k] < B[k] else -np.inf
        fall[k] = 0.0 if beta[k] > A[k] else -np.inf
    flat = 1e-14 * max(np.max(np.abs(own)), 1e-280)  # less curvature than this is rounding

    i, j = -1, -1
    for step in range(max_steps):
        # The variable with the greatest pull upwards, among those that can rise.
        for k in range(n):
            score[k] = g[k] + rise[k]
        up = _largest(score, 1.0, tie)
        m = score[up]

        # Its partner: the one with the highest parabola, or (to the first order) with the least pull.
        for k in range(n):
            slope = max(m - g[k] + fall[k], 0.0)
            curvature = max(own[up] + own[k] - 2.0 * K[up, k], flat)
            score[k] = slope * slope / curvature if second_order else slope
        down = _largest(score, AS_HIGH, 0.0)

        # Only if this pair violates by little more than tol can it be that none does.
        if m - g[down] <= tol + tie or score[down] == 0.0:
            m, M = -np.inf, np.inf
            for k in range(n):
                m = max(m, g[k] + rise[k])
                M = min(M, g[k] - fall[k])
            if m - M <= tol:
                return step, i, j

        # The step: to the top of the parabola, or to the nearer limit.
        i, j = up, down
        top = (g[i] - g[j]) / max(own[i] + own[j] - 2.0 * K[i, j], flat)
        room_i, room_j = B[i] - beta[i], beta[j] - A[j]
        length = min(top, room_i, room_j)
        if beta[i] + length == beta[i] and beta[j] - length == beta[j]:
            return step, i, j  # so short a step is lost in rounding: this is as good as it gets
        beta[i] = B[i] if arrives(length, room_i, B[i]) else beta[i] + length
        beta[j] = A[j] if arrives(length, room_j, A[j]) else beta[j] - length
        rise[i] = 0.0 if beta[i] < B[i] else -np.inf
        fall[j] = 0.0 if beta[j] > A[j] else -np.inf
        fall[i] = 0.0
        rise[j] = 0.0
        for k in range(n):
            g[k] -= length * (K[i, k] - K[j, k])
    return max_steps, i, j


@njit(cache=True, nogil=True)
def _largest(score, factor, more):
    """Index of the largest entry; a later one must exceed an earlier one by the factor and by more.

    Most stretches hold nothing larger than what has been found; to see that takes no branch, and the
    compiler compares several entries at once.
    """
    best, bar = 0, factor * score[0] + more
    for start in range(0, len(score), STRETCH):
        stretch = score[start : start + STRETCH]
        larger = False
        for k in range(len(stretch)):
            larger |= stretch[k] > bar
        if larger:
            for k in range(len(stretch)):
                if stretch[k] > bar:
                    best, bar = start + k, factor * stretch[k] + more
    return best
