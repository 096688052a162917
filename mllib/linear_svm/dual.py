r"""The linear support vector machine by dual coordinate descent, one example at a time.

The problem, with the offset hidden in the weights (every point has one more coordinate):

.. math:: \min_w\; P(w) = \tfrac12 \lVert w \rVert^2 + \sum_i C_i\, \ell(y_i\, w \cdot x_i), \qquad
   \ell(m) = \max(0, 1 - m) \text{ or its square.}

Its dual has one variable per example and, because the offset is penalised like every other weight, no
equality that ties them together:

.. math:: \max_\alpha\; D(\alpha) = \sum_i \alpha_i - \tfrac12 \Big\lVert \sum_i \alpha_i y_i x_i \Big\rVert^2
   - \tfrac12 \sum_i s_i \alpha_i^2 \quad \text{subject to} \quad 0 \le \alpha_i \le U_i ,

with :math:`U_i = C_i,\ s_i = 0` for the hinge loss and :math:`U_i = \infty,\ s_i = 1/(2 C_i)` for its square.
So a single coordinate may move alone, and its best value is known: with :math:`w = \sum_i \alpha_i y_i x_i`,

.. math:: \alpha_i \leftarrow \operatorname{clip}\Big(\alpha_i -
   \frac{y_i\, w \cdot x_i - 1 + s_i \alpha_i}{\lVert x_i \rVert^2 + s_i},\ 0,\ U_i\Big).

Keeping w beside :math:`\alpha` makes a step as cheap as a step of the perceptron, which it resembles: an
example that is wrong, or not right enough, pulls w towards itself; but here it can also let go.

*Shrinking.* A coordinate that presses against its bound, harder than any free one pulled in the epoch before,
needs no look until the others are solved (:func:`_free_part`).

References
----------
.. [1] Hsieh, Chang, Lin, Keerthi, Sundararajan (2008). "A dual coordinate descent method for large-scale
   linear SVM". International Conference on Machine Learning.
.. [2] Fan, Chang, Hsieh, Wang, Lin (2008). "LIBLINEAR: a library for large linear classification". Journal
   of Machine Learning Research 9.
"""

from typing import NamedTuple

import numpy as np

from .._compiled import njit
from .._rows import add, dot, rows_of, squared_lengths
from ..history import History
from ..learner import progress

EQUAL = 1e-10  # derivatives that differ by less are equal; the margin is 1
# The compiled loop hands over after about so many products; often enough for a progress bar.
STRETCH = 2e7


class DualSolution(NamedTuple):
    """What :func:`dual_coordinate_descent` returns; ``primal - dual`` bounds how far it is from the optimum.

    Examples
    --------
    >>> X, y = np.array([[1.0], [2.0], [-2.0]]), np.array([1.0, 1.0, -1.0])
    >>> solution = dual_coordinate_descent(X, y, 10.0)
    >>> abs(solution.primal - solution.dual) < 1e-3, solution.converged
    (True, True)
    """

    w: np.ndarray  # augmented weights, sum of alpha_i y_i x_i
    alpha: np.ndarray
    primal: float  # P(w)
    dual: float  # D(alpha), never above P(w)
    converged: bool
    history: History


def dual_coordinate_descent(
    X, y, C, *, squared=True, bias_input=1.0, tol=1e-4, max_iter=1000, seed=1, verbose=0
):
    r"""Maximise the linear SVM's dual :math:`D(\alpha)` (the top of this file states the problem).

    Parameters
    ----------
    X : C-contiguous float64 ndarray or CSR matrix of shape (n, d)
        Never made dense. An entry must not be stored twice.
    y : ndarray of shape (n,)
        Labels -1.0 and +1.0.
    C : float or ndarray of shape (n,)
        Price of each example's loss; 0 leaves it out.
    squared : bool, default=True
        Squared hinge loss or hinge loss.
    bias_input : float, default=1.0
        The additional coordinate of every point; 0 for a hyperplane through the origin.
    tol : float, default=1e-4
        Stop when the derivatives seen in one epoch, as far as their coordinates are free to follow them,
        lie in an interval around 0 no longer than this. (LIBLINEAR leaves out "around 0" and can stop
        while all derivatives are equally far from it.)
    max_iter : int, default=1000
        Largest number of epochs.
    seed : int, default=1
        For the random order of the coordinates.
    verbose : int, default=0

    Returns
    -------
    DualSolution

    References
    ----------
    .. [1] Hsieh, Chang, Lin, Keerthi, Sundararajan (2008). "A dual coordinate descent method for
       large-scale linear SVM". International Conference on Machine Learning.

    Examples
    --------
    >>> X, y = np.array([[1.0], [2.0], [-2.0]]), np.array([1.0, 1.0, -1.0])
    >>> solution = dual_coordinate_descent(X, y, 10.0, squared=False, bias_input=0.0)
    >>> solution.w, solution.alpha, solution.primal, solution.dual
    (array([1., 0.]), array([1., 0., 0.]), 0.5, 0.5)
    """
    n, d = X.shape
    C, s = np.broadcast_to(np.asarray(C, dtype=float), (n,)), np.zeros(n)
    if squared:
        with np.errstate(divide="ignore", over="ignore"):
            s = 0.5 / C
        C = np.where(s < np.inf, C, 0.0)  # so small a price that s overflows counts as 0
        s[C == 0] = 0.0
    upper = np.full(n, np.inf) if squared else C.copy()
    curvature = squared_lengths(X) + bias_input**2 + s
    with np.errstate(divide="ignore"):
        inverse = 1 / curvature  # infinity for a point at 0, where g = -1: it goes to its limit at once
    problem = (y, float(bias_input), curvature, inverse, s, upper)
    rows = rows_of(X)

    # (Unsigned numbers spare the loop the test for indices that count from the end.)
    w, alpha, coordinate = np.zeros(d + 1), np.zeros(n), np.flatnonzero(C > 0).astype(np.uint32)
    active, low, high, state = len(coordinate), -np.inf, np.inf, int(seed) % 2**32
    stretch = int(np.clip(STRETCH / max(1, X.size), 1, 100))
    rows_of_history, converged = [], False
    for begin in progress(range(0, max_iter, stretch), verbose, "dual coordinate descent"):
        epochs = np.empty((min(stretch, max_iter - begin), 3))
        made, converged, active, low, high, state = _descend(
            rows, problem, alpha, w, coordinate, active, low, high, tol, state, epochs
        )
        rows_of_history.append(epochs[:made])
        if converged:
            break
    rise, violation, looked = np.concatenate(rows_of_history).T
    history = History(
        dual="D(alpha)", violation="length of the interval of derivatives", active="coordinates looked at"
    )
    history.extend(dual=np.cumsum(rise), violation=violation, active=looked.astype(np.int64))
    loss = np.maximum(0.0, 1.0 - y * (X @ w[:-1] + w[-1] * bias_input))
    # (The BLAS behind ``w @ w`` wakes its threads for long vectors, which takes longer.)
    penalty = 0.5 * float(np.einsum("i,i->", w, w))
    primal = penalty + C @ (loss**2 if squared else loss)
    dual = alpha.sum() - penalty - 0.5 * (s * alpha) @ alpha  # (alpha**2 could underflow)
    return DualSolution(w, alpha, float(primal), float(dual), converged, history)


@njit
def _free_part(g, a, upper, low, high):
    """The derivative g of -D as far as its coordinate may follow it; and will this stay where it is?

    It stays if it presses against its bound harder than the largest and smallest free derivatives of the last
    epoch, ``high`` and ``low``, would have it.
    """
    if a <= 0.0:
        return min(g, 0.0), g > high + EQUAL
    if a >= upper:
        return max(g, 0.0), g < low - EQUAL
    return g, False


@njit
def _descend(rows, problem, alpha, w, coordinate, active, low, high, tol, state, epochs):
    """Epochs over the coordinates in random order: each goes to its best value, w with it."""
    y, bias_input, curvature, inverse, s, upper = problem
    n = coordinate.shape[0]
    for epoch in range(epochs.shape[0]):
        most, least, rise, looked, k = 0.0, 0.0, 0.0, active, 0
        while k < active:
            # Draw one of the coordinates k .. active-1 (a linear congruential generator, its high bits).
            state = (1664525 * state + 1013904223) & 0xFFFFFFFF
            drawn = k + ((state * (active - k)) >> 32)
            i = coordinate[drawn]
            coordinate[drawn] = coordinate[k]
            coordinate[k] = i

            g = y[i] * (dot(rows, i, w) + w[-1] * bias_input) - 1.0 + s[i] * alpha[i]
            free, stays = _free_part(g, alpha[i], upper[i], low, high)
            if stays:
                active -= 1
                coordinate[k] = coordinate[active]
                coordinate[active] = i
                continue
            most, least = max(most, free), min(least, free)
            if free != 0.0:
                new = min(max(alpha[i] - g * inverse[i], 0.0), upper[i])
                move = new - alpha[i]
                alpha[i] = new
                rise -= move * (g + 0.5 * curvature[i] * move)
                add(rows, i, w, move * y[i])
                w[-1] += move * y[i] * bias_input
            k += 1
        epochs[epoch, 0], epochs[epoch, 1], epochs[epoch, 2] = rise, most - least, looked
        if most - least <= tol:
            if active == n:
                return epoch + 1, True, active, low, high, state
            active, low, high = n, -np.inf, np.inf  # only the shrunk problem is solved: look at all again
        else:
            low = least if least < 0 else -np.inf
            high = most if most > 0 else np.inf
    return epochs.shape[0], False, active, low, high, state
