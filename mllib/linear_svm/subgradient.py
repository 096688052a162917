r"""Subgradient steps on the penalised hinge loss, one small batch at a time.

The problem of this file is the linear support vector machine in the primal,

.. math:: \min_{w, b}\; f(w, b) = \frac{\lambda}{2} \lVert w \rVert^2 +
   \frac1n \sum_i \max(0, 1 - y_i (w \cdot x_i + b)) .

Draw k examples; those with :math:`y_i (w \cdot x_i + b) \le 1` violate the margin. With a step size
:math:`\eta`,

.. math:: w \leftarrow (1 - \eta\lambda)\, w + \frac{\eta}{k} \sum_{\text{violators}} y_i x_i, \qquad
   b \leftarrow b + \frac{\eta}{k} \sum_{\text{violators}} y_i ,

and, if wanted, w is brought back into a ball that surely contains the optimum. Learners differ in the
step sizes, in k and in whether b is penalised like another weight.

A step must not cost more than the examples it looks at. Shrinking w by a factor would touch every weight,
so w is kept as a number times a vector, :math:`w = s v`, and only s shrinks. The mean of all w on the way
would touch every weight, too. It is kept as :math:`\sum_t w_t = S v + u`: a new term :math:`s v` goes into
the number S, and when v moves by :math:`c x`, u moves by :math:`-S c x`, so that the sum stays what it was.

References
----------
.. [1] Shalev-Shwartz, Singer, Srebro, Cotter (2011). "Pegasos: primal estimated sub-gradient solver for
   SVM". Mathematical Programming 127.
.. [2] Bottou (2010). "Large-scale machine learning with stochastic gradient descent". International
   Conference on Computational Statistics.
"""

import numpy as np
from numba import njit

from .._rows import add, dot, rows_of, squared_lengths
from ..ties import TIE

# Below this the factor s is multiplied into v: long before it could underflow, and before v is so much longer
# than w that rounding errors of S v + u, where the greater part of both cancels, could be seen.
SMALLEST_SCALE = 1e-3


class SubgradientDescent:
    r"""The state of a descent: weights, their mean, and the clock.

    Parameters
    ----------
    X : C-contiguous float64 ndarray or CSR matrix of shape (n, d)
    y, weights : ndarrays of shape (n,)
        Labels -1.0 and +1.0; factors on the loss of each example.
    lam : float
        :math:`\lambda`.
    bias_input : float, default=1.0
        The input that b is the weight of; 0 for a hyperplane through the origin.
    penalise_bias : bool, default=False
        Whether b shrinks and is projected with w.
    radius : float, default=inf
        After each step w is scaled down to this length if it is longer.
    average : bool, default=False
        Keep the mean of the weights before each step.

    References
    ----------
    .. [1] Shalev-Shwartz, Singer, Srebro, Cotter (2011). "Pegasos: primal estimated sub-gradient solver
       for SVM". Mathematical Programming 127.

    Examples
    --------
    >>> X, y = np.array([[2.0], [-1.0]]), np.array([1.0, -1.0])
    >>> descent = SubgradientDescent(X, y, np.ones(2), lam=0.5, bias_input=0.0)
    >>> loss, violations = descent.steps(np.array([[0], [1]]), np.array([1.0, 0.5]))
    >>> descent.w, loss
    (array([1.5, 0. ]), 0.5)
    """

    def __init__(
        self, X, y, weights, *, lam, bias_input=1.0, penalise_bias=False, radius=np.inf, average=False
    ):
        d = X.shape[1]
        self.rows = rows_of(X)
        price = (y, weights, float(lam), float(bias_input), bool(penalise_bias), float(radius))
        self.problem = (*price, squared_lengths(X) if radius < np.inf else weights)
        self.average = bool(average)
        self.v, self.u = np.zeros(d), np.zeros(d if average else 0)
        # s, squared length of v, b, S, sum of b over all steps
        self.state = np.array([1.0, 0.0, 0.0, 0.0, 0.0])
        self.clock = 0

    def steps(self, batches, etas):
        """One step for each row of ``batches`` (indices of examples) with the sizes ``etas``.

        Returns the mean hinge loss of the examples when they were looked at, and how many violated.
        """
        loss, violations = _steps(
            self.rows, self.problem, batches, etas, self.v, self.u, self.state, self.average
        )
        self.clock += len(batches)
        return loss / batches.size, violations

    @property
    def w(self):
        """Current weights (w, b)."""
        return np.append(self.state[0] * self.v, self.state[2])

    @property
    def mean(self):
        """Mean of the weights (w, b) before each step."""
        return np.append(self.state[3] * self.v + self.u, self.state[4]) / max(self.clock, 1)


@njit(cache=True, nogil=True)
def _steps(rows, problem, batches, etas, v, u, state, average):
    y, weights, lam, bias_input, penalise_bias, radius, squares = problem
    scale, norm2, b, total, total_b = state
    k = batches.shape[1]
    violators = np.empty(k, np.int64)
    loss, violations = 0.0, 0
    for t in range(batches.shape[0]):
        found = 0
        for q in range(k):
            i = batches[t, q]
            margin = y[i] * (scale * dot(rows, i, v) + b * bias_input)
            if margin <= 1.0 + TIE:
                loss += weights[i] * max(0.0, 1.0 - margin)
                violators[found] = i
                found += 1
        violations += found
        total += scale
        total_b += b

        shrink = max(0.0, 1.0 - etas[t] * lam)
        scale *= shrink
        if penalise_bias:
            b *= shrink
        if scale < SMALLEST_SCALE:
            if average:
                for j in range(len(v)):
                    u[j] += total * v[j]
            norm2 *= scale * scale
            for j in range(len(v)):
                v[j] *= scale
            scale, total = 1.0, 0.0
        for q in range(found):
            i = violators[q]
            pull = etas[t] / k * weights[i] * y[i]
            c = pull / scale
            if radius < np.inf:  # |v + c x|^2
                norm2 += c * (2.0 * dot(rows, i, v) + c * squares[i])
            add(rows, i, v, c)
            b += pull * bias_input
            if average:
                add(rows, i, u, -total * c)
        length2 = scale * scale * norm2 + (b * b if penalise_bias else 0.0)
        if length2 > radius * radius:
            back = radius / np.sqrt(length2)
            scale *= back
            if penalise_bias:
                b *= back
    state[:] = scale, norm2, b, total, total_b
    return loss, violations
