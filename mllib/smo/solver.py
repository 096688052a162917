r"""Sequential minimal optimisation: train a support vector machine two variables at a time.

The problem, the step, the choice of the pair and the loop over steps stand in :mod:`mllib.smo.pair`. Here
that loop is given a problem, and the answer gets its certificate: with the violation m - M at most ``tol``,
any b in [M, m] may serve as the bias, of which we take the middle; and the primal value

.. math:: P = \tfrac12 \sum_{k,l} \beta_k \beta_l K_{kl} + \sum_k \max_{A_k \le v \le B_k} v\,(g_k - b)

cannot be exceeded by any D: the maximum lies between D and P.

While K fits into a few megabytes it is computed and kept, and the loop does the rest. Two engines help it:
:mod:`mllib.smo._blocks` hands it one part of a large problem after the other, and in a run that takes long,
because C is large, :mod:`mllib.smo._leap` moves all free variables at once every now and then.

References
----------
.. [1] Platt (1999). "Fast training of support vector machines using sequential minimal optimization".
   Advances in Kernel Methods, MIT Press.
"""

from typing import NamedTuple

import numpy as np

from ..history import History
from ..kernels.gram import WholeGram
from ..learner import warn_unfinished
from ..parameters import check_arguments, integer, one_of, real
from ..ties import settled
from ._blocks import solve_in_blocks
from ._leap import leap
from .pair import _smo
from .platt import PlattWalk

BAD_KERNEL = "The kernel gave NaN or infinite values; scaled data may help."
EQUAL = 1e-10  # of the greatest target (a tenth of tol at most): pulls that differ by less are equal
HASTE = 10  # steps per variable after which leaps begin
SMALL = 1000  # variables up to which nothing is cleverer than the plain loop
WHOLE = 2000  # rows of K up to which it is computed in one piece (32 MB)
PATIENCE = 4  # steps per variable after which a problem that is not small is cut into blocks
NOTICEABLE = 1e-3  # error of a pull, relative to the greatest target
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


class Problem:
    """The quadratic program: its data, its violation, and the loop over steps that changes its variables."""

    def __init__(self, gram, target, lower, upper, owner, tol, limit, working_set, every, verbose):
        self.gram, self.target, self.lower, self.upper, self.owner = gram, target, lower, upper, owner
        self.tol, self.limit, self.working_set = tol, limit, working_set
        self.every, self.verbose = every, verbose
        self.certificate = None
        columns = {"beta": "the variables"} if every else {}
        self.history = History(
            step="steps taken so far",
            i="variable that rose last",
            j="variable that fell last",
            violation="m - M",
            dual="D",
            primal="P",
            **columns,
        )

    def pull(self, output):
        """g = t - K beta, from the output at each row of K."""
        return self.target - (output if self.owner is None else output[self.owner])

    def rounding(self):
        """Greatest rounding error of a pull by one step: the longest possible step times the largest K."""
        longest, largest = self.upper.max() - self.lower.min(), np.abs(self.gram.diag).max()
        return np.finfo(float).eps * longest * largest if largest > 0 else 0.0  # a step may have no limit

    def tie(self):
        """Pulls that differ by no more than this are equal."""
        return min(EQUAL * np.abs(self.target).max(), self.tol / 10)

    def solved(self):
        """Whether the violation was small enough when last recorded."""
        return self.certificate is not None and self.certificate["violation"] <= self.tol

    def extremes(self, beta, pull):
        """m and M: the greatest pull on what can rise, the least on what can fall."""
        m = np.where(beta < self.upper, pull, -np.inf).max()
        M = np.where(beta > self.lower, pull, np.inf).min()
        return float(m), float(M)

    def record(self, step, pair, beta, pull):
        """Write one row of the history; keep and return the certificate: bias, D, P, P - D and m - M."""
        if not (np.isfinite(beta).all() and np.isfinite(pull).all()):
            raise ValueError(BAD_KERNEL)
        m, M = self.extremes(beta, pull)
        ends = [end for end in (m, M) if np.isfinite(end)]
        middle = sum(ends) / len(ends) if ends else 0.0
        bias = float(settled(middle, np.abs(self.target).max()))
        quadratic = float(beta @ (self.target - pull))
        dual = float(beta @ self.target) - 0.5 * quadratic
        excess = pull - bias
        limit = np.where(excess > 0, self.upper, self.lower)
        limit[excess == 0] = 0.0  # so that an infinite limit does no harm
        primal = 0.5 * quadratic + float(limit @ excess)
        columns = {"beta": beta} if self.every else {}
        self.history.record(
            step=step, i=pair[0], j=pair[1], violation=m - M, dual=dual, primal=primal, **columns
        )
        self.certificate = dict(bias=bias, dual=dual, primal=primal, gap=primal - dual, violation=m - M)
        return self.certificate

    def run_in_chunks(self, K, lower, upper, beta, pull, tol, max_steps):
        """Change beta and pull in place by up to ``max_steps`` steps, with a leap after each full chunk.

        Yields
        ------
        steps, taken : int
            Steps so far, and those of the last chunk.
        pair : (int, int)
            What moved last.
        full : bool
            Whether the chunk has all its steps. If not, no pair violates, and to go on is of use only with
            pulls that were computed afresh.
        leaps : int
        """
        n, steps, second_order = len(beta), 0, self.working_set == "second-order"
        by_platt = self.working_set == "platt"
        walk = PlattWalk(K, lower, upper, beta, pull, tol) if by_platt else None
        # In a long run leaps are rarer, and have time to get to the top.
        chunk = self.every or max(1000, HASTE * n)
        while steps < max_steps:
            most, leaps = min(chunk, max_steps - steps), 0
            if by_platt:
                taken, pair = walk.advance(most)
            else:
                taken, *pair = _smo(K, lower, upper, beta, pull, tol, self.tie(), most, second_order)
            steps, full = steps + taken, taken == chunk
            if full and not self.every and not by_platt:
                leaps = leap(K, lower, upper, beta, pull, budget=chunk * n)
                chunk = max(1000, 3 * n, steps // 4)
            yield steps, taken, pair, full, leaps


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
    beta = feasible(start, lower, upper)
    limit = max_iter if max_iter >= 0 else max(LEAST_LIMIT, 100 * n)
    problem = Problem(gram, target, lower, upper, owner, tol, limit, working_set, every, verbose)
    plain = n <= SMALL or every or working_set == "platt"
    if plain or (len(gram) <= WHOLE and 8 * len(gram) ** 2 <= 1e6 * cache_size):
        problem.gram = WholeGram(gram.whole())
    if not np.isfinite(problem.gram.diag).all():
        raise ValueError(BAD_KERNEL)
    n_iter = 0
    if plain or (n <= WHOLE and owner is None and isinstance(problem.gram, WholeGram)):
        output, n_iter = solve_in_memory(problem, beta, limit if plain else min(limit, PATIENCE * n))
    if not plain and not problem.solved():
        output, n_iter = solve_in_blocks(problem, beta, 1e6 * cache_size, n_iter)

    found = problem.certificate
    converged = problem.solved()
    result = SMOResult(beta, output, **found, n_iter=n_iter, converged=converged, history=problem.history)
    if warn and not converged:
        warn_unfinished(
            f"SMO stopped after {n_iter} steps with violation {result.violation:.3g} (tol is {tol:g}) and "
            f"duality gap {result.gap:.3g} at dual objective {result.dual:.6g}. Scaled data, a smaller "
            "C or a larger max_iter may help."
        )
    elif warn:
        warn_of_rounding(problem.gram, target, beta, tol)
    return result


def solve_in_memory(problem, beta, limit):
    """Take up to ``limit`` steps on the whole matrix, with the diary; ``beta`` is changed in place.

    Returns
    -------
    output : ndarray
        Row sums of K with the variables.
    n_iter : int
    """
    K, owner = problem.gram.K, problem.owner
    if owner is not None:
        K = problem.gram.block(owner, owner)
    pull = problem.target - K @ beta if beta.any() else problem.target.copy()
    if problem.every != 0 or limit == 0:
        problem.record(0, (-1, -1), beta, pull)
    n_iter, refreshed, limit = 0, 0, 0 if problem.solved() else limit
    run = problem.run_in_chunks(K, problem.lower, problem.upper, beta, pull, problem.tol, limit)
    for n_iter, taken, pair, full, leaps in run:
        if (taken == 0 or full and not problem.every) and not np.isfinite(K).all():
            raise ValueError(BAD_KERNEL)  # (a look at all of K takes time: only if something seems to be odd)
        # It sees no violating pair, but so many corrections may have left rounding errors.
        worn = not full and n_iter * problem.rounding() > 0.01 * problem.tol
        if worn or leaps:
            pull[:] = problem.target - K @ beta
        refreshed += worn
        problem.record(n_iter, pair, beta, pull)
        if taken == 0 or problem.solved() or refreshed == 10:
            break
    output = problem.target - pull
    if owner is not None:
        by_row = np.zeros(len(problem.gram))
        by_row[owner] = output
        output = by_row
    return output, n_iter


def feasible(start, lower, upper):
    """A copy of the start, if it is feasible; zeros if there is none."""
    if not lower.max() <= 0 <= upper.min():  # written so that NaN is refused too
        raise ValueError("limits must satisfy lower <= 0 <= upper")
    if start is None:
        return np.zeros(len(lower))
    beta = np.array(start, dtype=np.float64)
    if beta.shape != lower.shape or np.any(beta < lower) or np.any(beta > upper):
        raise ValueError("start must hold one number per variable, within the limits")
    if abs(beta.sum()) > 1e-9 * max(np.abs(beta).sum(), np.finfo(float).tiny):
        raise ValueError(f"start must sum to 0, it sums to {beta.sum():g}")
    return beta


def warn_of_rounding(gram, target, beta, tol):
    """Say so if K is so large that what its own entries have lost in rounding may be seen in the pulls."""
    largest = np.abs(gram.diag).max()
    error = np.finfo(float).eps * largest * np.abs(beta).sum()
    if error > max(tol, NOTICEABLE * np.abs(target).max()):
        warn_unfinished(
            f"Kernel values as large as {largest:.3g} are themselves rounded. This may have changed pulls by "
            f"{error:.3g} (tol is {tol:g}), and the duality gap accordingly. Centred and scaled data may "
            "help."
        )
