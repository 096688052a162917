r"""Platt's heuristics: which two variables to optimise, as in the first paper on SMO.

Platt's method looks at the variables one by one and asks each whether it violates the optimality
conditions *for the present bias b* by more than tol. With the pulls :math:`g_k` of
:mod:`mllib.smo.pair`, that is

.. math:: g_k - b > tol \text{ and } \beta_k < B_k,
   \qquad\text{or}\qquad g_k - b < -tol \text{ and } \beta_k > A_k .

- *First choice.* Sweep over all variables; then over the free ones only (those strictly between their
  limits, which are the likeliest to violate) until none of them does; then over all again. Stop after a
  sweep over all without a step.
- *Second choice.* The partner with the greatest difference of pulls, among the free variables. If that
  makes no progress: the other free variables, one after the other, from a varying starting point; then
  all variables.
- *Bias.* After each step b is set so that the variable that moved and is now free has :math:`g = b`.

The conditions speak of one b that is usually not the right one, so a pair may look optimal though it is
not and the method may take detours; this is what the pair (m, M) of the later methods repairs [2]_.

Our version differs from the paper in two things. The starting points move on in a fixed order and not by
chance, so that a run can be repeated. And a step is made if the two pulls differ by more than tol, however
short it is; the paper asks for a least change of the variables. But a variable that rounding has left just
short of its limit violates its condition as much as any other, and only that short step can finish it.
With our rule a run cannot end too early: if nothing violates, then :math:`m \le b + tol` and
:math:`M \ge b - tol`; and if something violates though no pair is left, then what pulls with m violates (or
what pulls with M), and all its partners are within tol. In both cases :math:`m - M \le 2\,tol`. Nor can the
run go on for ever, since every pair violates by more than tol [3]_.

References
----------
.. [1] Platt (1999). "Fast training of support vector machines using sequential minimal optimization".
   Advances in Kernel Methods, MIT Press.
.. [2] Keerthi, Shevade, Bhattacharyya, Murthy (2001). "Improvements to Platt's SMO algorithm for SVM
   classifier design". Neural Computation 13.
.. [3] Keerthi, Gilbert (2002). "Convergence of a generalized SMO algorithm for SVM classifier design".
   Machine Learning 46.
"""

import numpy as np

from ..ties import first_greatest
from .pair import arrives


class PlattWalk:
    """A run that can be interrupted: :meth:`advance` takes up to so many steps more.

    Parameters
    ----------
    K, lower, upper, beta, pull : ndarrays
        As in :mod:`mllib.smo.pair`; ``beta`` and ``pull`` are changed in place.
    tol : float
        Half of it is Platt's tolerance, so that the violation m - M is at most ``tol`` at the end.

    Examples
    --------
    >>> x = np.array([-1.0, 1.0])
    >>> beta, pull = np.zeros(2), x.copy()
    >>> walk = PlattWalk(np.outer(x, x), np.minimum(0, 10 * x), np.maximum(0, 10 * x), beta, pull, 1e-3)
    >>> walk.advance(100), beta
    ((1, (1, 0)), array([-0.5,  0.5]))
    """

    def __init__(self, K, lower, upper, beta, pull, tol):
        self.K, self.lower, self.upper, self.beta, self.pull = K, lower, upper, beta, pull
        self.tol = tol / 2
        self.bias = 0.0
        self.turn = 0  # where the next search for a partner starts
        self.pair = (-1, -1)
        self.steps = self._run()

    def advance(self, max_steps):
        """Take up to ``max_steps`` steps; return how many there were, and the last pair (riser, faller)."""
        taken = 0
        while taken < max_steps and next(self.steps, None):
            taken += 1
        if taken < max_steps:
            self.steps = self._run()  # whoever calls again wants another sweep, with fresh pulls
        return taken, self.pair

    def _run(self):
        """The outer loop; yields True after each step."""
        all_of_them = True
        while True:
            sweep = np.arange(len(self.beta)) if all_of_them else np.flatnonzero(self._free())
            moved = False
            for k in sweep:
                if self._violates(k) and self._find_partner(k):
                    moved = True
                    yield True
            if all_of_them and not moved:
                return
            all_of_them = not all_of_them and not moved

    def _free(self):
        return (self.beta > self.lower) & (self.beta < self.upper)

    def _violates(self, k):
        excess = self.pull[k] - self.bias
        return (excess > self.tol and self.beta[k] < self.upper[k]) or (
            excess < -self.tol and self.beta[k] > self.lower[k]
        )

    def _find_partner(self, k):
        """The second choice; True if a step was made."""
        free = np.flatnonzero(self._free())
        if len(free):
            farthest = free[first_greatest(np.abs(self.pull[free] - self.pull[k])[None])[0]]
            if self._step(k, farthest):
                return True
        self.turn += 1
        for others in (free, np.arange(len(self.beta))):
            start = self.turn % max(1, len(others))
            for partner in np.concatenate([others[start:], others[:start]]):
                if self._step(k, partner):
                    return True
        return False

    def _step(self, k, partner):
        """Optimise two variables; True if at least one of them moved."""
        i, j = (k, partner) if self.pull[k] > self.pull[partner] else (partner, k)
        slope = self.pull[i] - self.pull[j]
        if slope <= self.tol:
            return False
        curvature = self.K[i, i] + self.K[j, j] - 2 * self.K[i, j]
        room_i, room_j = self.upper[i] - self.beta[i], self.beta[j] - self.lower[j]
        top = slope / curvature if curvature > 0 else np.inf
        length = min(top, room_i, room_j)
        before = self.beta[i], self.beta[j]
        self.beta[i] = self.upper[i] if arrives(length, room_i, self.upper[i]) else self.beta[i] + length
        self.beta[j] = self.lower[j] if arrives(length, room_j, self.lower[j]) else self.beta[j] - length
        if before == (self.beta[i], self.beta[j]):
            return False  # no room, or a step so short that it is lost in rounding
        self.pull -= length * (self.K[i] - self.K[j])
        self.pair = (int(i), int(j))
        middle = [self.pull[v] for v in (i, j) if self.lower[v] < self.beta[v] < self.upper[v]]
        self.bias = float(np.mean(middle or [self.pull[i], self.pull[j]]))
        return True
