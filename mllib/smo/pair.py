r"""Two variables at a time: the problem, the step, the choice of the pair, and the loop of SMO.

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
(Textbooks write the error of classification :math:`E_k = \hat y_k - y_k`; it is :math:`b - g_k`, so that
:math:`g_i - g_j = E_j - E_i`.)

Which pair?
-----------
Variable i must be able to rise, j to fall, and :math:`g_i > g_j`: a *violating pair*. With

.. math:: m = \max\{g_i : \beta_i < B_i\}, \qquad M = \min\{g_j : \beta_j > A_j\}

there is one exactly if m > M; if there is none, :math:`\beta` is optimal [2]_. "first-order" takes the
two that attain m and M. "second-order" takes the same i, and the j for which the top of the parabola is
highest, :math:`(g_i - g_j)^2 / (K_{ii} + K_{jj} - 2 K_{ij})` [3]_: far fewer steps, each hardly dearer.
"platt" follows the heuristics of the first paper [1]_ (see :mod:`mllib.smo.platt`).

:func:`simple_smo` is all this in twenty lines, as chapter 11 prints it; :func:`_smo` takes the same steps,
compiled.

Ties are decided by order: of pulls that differ by no more than rounding the first is taken, of parabolas
equally high the first, and a variable that rounding keeps from its limit is at it. (Points that mirror each
other tie in every step. Were the last digit to decide, each machine would walk another way.)

When to stop?
-------------
When the *violation* m - M is at most ``tol``. Any b in [M, m] may then serve as the bias.

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

import numpy as np

from .._compiled import njit

NEAR = 1e-13  # a variable is at its limit if it has come so near, as a share of the limit or of the way there
AS_HIGH = 1 - 1e-6  # a parabola of this share of the highest is as high
STRETCH = 32  # entries that are compared at once


# The idea, as chapter 11 prints it; a test holds the compiled loop against it.


def largest(values):
    """The place of the greatest value; of those equal up to rounding, the first."""
    top = values.max()
    return np.flatnonzero(values >= top - 1e-9 * abs(top))[0]


def choose_pair(K, beta, g, A, B, second_order):
    """The pair (i, j), its violation g_i - M, and the way to the top of its parabola."""
    above = np.where(beta < B, g - g[beta > A].min(), -np.inf)
    i = largest(above)
    slope = np.where(beta > A, np.maximum(g[i] - g, 0), 0)
    flat = 1e-12 * K.diagonal().max() or 1.0  # less curvature is rounding
    kappa = np.maximum(K[i, i] + K.diagonal() - 2 * K[i], flat)
    j = largest(slope**2 / kappa if second_order else slope)
    return i, j, above.max(), slope[j] / kappa[j]


def simple_smo(K, y, C, second_order=True, tol=1e-3, max_steps=100_000):
    """beta_k = y_k alpha_k and the bias of the soft-margin machine."""
    A, B = np.minimum(0, C * y), np.maximum(0, C * y)
    beta, g = np.zeros(len(y)), y.astype(float)
    for _ in range(max_steps):
        i, j, violation, top = choose_pair(K, beta, g, A, B, second_order)
        if violation <= tol:
            return beta, g[beta < B].max() - violation / 2
        room_i, room_j = B[i] - beta[i], beta[j] - A[j]
        step = min(top, room_i, room_j)
        beta[i] = B[i] if step == room_i else beta[i] + step
        beta[j] = A[j] if step == room_j else beta[j] - step
        g -= step * (K[i] - K[j])
    raise RuntimeError(f"m - M is still {violation:.2g} after {max_steps} steps")


# The same for any targets and limits, and made for a compiler.


@njit
def arrives(length, room, limit):
    """Whether a step of this length leads to the limit, which lies so far away."""
    return room < np.inf and room - length <= NEAR * max(abs(limit), room)


@njit
def _first_largest(score, share, less):
    """The first entry that is as large as this share of the largest, less so much.

    Most stretches hold nothing larger than what has been found; to see that takes no branch, and the
    compiler compares several entries at once.
    """
    top = score[0]
    for start in range(0, len(score), STRETCH):
        stretch = score[start : start + STRETCH]
        larger = False
        for k in range(len(stretch)):
            larger |= stretch[k] > top
        if larger:
            for k in range(len(stretch)):
                if stretch[k] > top:
                    top = stretch[k]
    enough = share * top - less
    for start in range(0, len(score), STRETCH):
        stretch = score[start : start + STRETCH]
        there = False
        for k in range(len(stretch)):
            there |= stretch[k] >= enough
        if there:
            for k in range(len(stretch)):
                if stretch[k] >= enough:
                    return start + k
    return 0


# error_model="numpy": division without a test for zero, which would keep the loop from being vectorised.
@njit(error_model="numpy")
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
        up = _first_largest(score, 1.0, tie)
        m = score[up]

        # Its partner: the one with the highest parabola, or (to the first order) with the least pull.
        for k in range(n):
            slope = max(m - g[k] + fall[k], 0.0)
            curvature = max(own[up] + own[k] - 2.0 * K[up, k], flat)
            score[k] = slope * slope / curvature if second_order else slope
        down = _first_largest(score, AS_HIGH, 0.0)

        # Only if this pair violates by little more than tol can it be that none does.
        if m - g[down] <= tol + tie or score[down] == 0.0:
            M = np.inf
            for k in range(n):
                M = min(M, g[k] - fall[k])
            if m - M <= tol and np.max(g + rise) - M <= tol:
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
