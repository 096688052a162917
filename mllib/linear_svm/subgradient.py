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

That is the step of Pegasos, and of stochastic gradient descent: :func:`_pegasos_steps`. It must not cost more
than the examples it looks at, so w is kept as a number times a vector, :math:`w = s v`, and only s shrinks
(:mod:`mllib.linear_svm._scaled`, which also says how the mean of all w on the way is kept).

References
----------
.. [1] Shalev-Shwartz, Singer, Srebro, Cotter (2011). "Pegasos: primal estimated sub-gradient solver for
   SVM". Mathematical Programming 127.
.. [2] Bottou (2010). "Large-scale machine learning with stochastic gradient descent". International
   Conference on Computational Statistics.
"""

import numpy as np

from .._compiled import njit
from .._rows import add, dot, rows_of, squared_lengths
from ..ties import TIE
from ._scaled import SMALLEST_SCALE, multiply_in


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
        loss, violations = _pegasos_steps(
            self.rows, self.problem, batches, etas, self.v, self.u, self.state, self.average
        )
        self.clock += len(batches)
        return float(loss) / batches.size, violations

    @property
    def w(self):
        """Current weights (w, b)."""
        return np.append(self.state[0] * self.v, self.state[2])

    @property
    def mean(self):
        """Mean of the weights (w, b) before each step."""
        return np.append(self.state[3] * self.v + self.u, self.state[4]) / max(self.clock, 1)


@njit
def _pegasos_steps(rows, problem, batches, etas, v, u, state, average):
    """For each batch: w <- (1 - eta lambda) w + eta/k sum of violators' y x; then into the ball. w is s v."""
    y, weights, lam, bias_input, penalise_bias, radius, squares = problem
    s, norm2, b, total, total_b = state
    k = batches.shape[1]
    violators = np.empty(k, np.int64)
    loss, violations = 0.0, 0
    for t in range(batches.shape[0]):
        found = 0
        for q in range(k):
            i = batches[t, q]
            margin = y[i] * (s * dot(rows, i, v) + b * bias_input)
            if margin <= 1.0 + TIE:
                loss += weights[i] * max(0.0, 1.0 - margin)
                violators[found] = i
                found += 1
        violations += found
        total += s  # for the mean
        total_b += b

        shrink = max(0.0, 1.0 - etas[t] * lam)  # w <- (1 - eta lambda) w
        s *= shrink
        if penalise_bias:
            b *= shrink
        if s < SMALLEST_SCALE:
            multiply_in(s, v, u, total, average)
            norm2 *= s * s
            s, total = 1.0, 0.0
        for q in range(found):
            i = violators[q]
            pull = etas[t] / k * weights[i] * y[i]  # w <- w + eta/k y x
            c = pull / s
            if radius < np.inf:  # |v + c x|^2
                norm2 += c * (2.0 * dot(rows, i, v) + c * squares[i])
            add(rows, i, v, c)
            b += pull * bias_input
            if average:
                add(rows, i, u, -total * c)
        length2 = s * s * norm2 + (b * b if penalise_bias else 0.0)
        if length2 > radius * radius:
            back = radius / np.sqrt(length2)  # into the ball
            s *= back
            if penalise_bias:
                b *= back
    state[:] = s, norm2, b, total, total_b
    return loss, violations
