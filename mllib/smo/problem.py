"""The quadratic program as an object: its data, and what every way of solving it asks for."""

import numpy as np

from ..history import History
from ..ties import settled

BAD_KERNEL = "The kernel gave NaN or infinite values; scaled data may help."
EQUAL = 1e-10  # of the greatest target (a tenth of tol at most): pulls that differ by less are equal


class Problem:
    """The data of one problem and the few quantities that every way of solving it needs."""

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
        longest = self.upper.max() - self.lower.min()
        return np.finfo(float).eps * longest * np.abs(self.gram.diag).max()

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
