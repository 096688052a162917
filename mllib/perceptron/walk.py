r"""The walk of a perceptron: pass after pass over the examples, a step at each mistake.

Every perceptron of this room except the batch one takes the same walk and differs only in what it makes
of it. Looking at one example :math:`(x_i, y_i)` with the augmented weights :math:`w`,

.. math:: \text{if } y_i\, w \cdot x_i \le \tau: \quad w \leftarrow w + \eta\, y_i x_i ,

where the threshold :math:`\tau` is 0 for the perceptron and positive for the margin perceptron. Seen as
a subgradient step this descends the perceptron criterion :math:`\sum_i \max(0, \tau - y_i w \cdot x_i)`.

What must be remembered of a walk? Not the weight vectors. Number the looks at examples t = 0, 1, 2, ...
and let :math:`i_1, i_2, \ldots` be the examples that caused a step, at the times :math:`t_1 < t_2 < \ldots`
Then after k steps

.. math:: w_k = w_0 + \eta \sum_{l \le k} y_{i_l} x_{i_l},
   \qquad c_k = t_{k+1} - t_k \text{ (how long } w_k \text{ survived)},

so two whole numbers per mistake hold all weight vectors and all survival counts. Two numbers per
*example* are enough for the last and for the average weight vector: :math:`\alpha_i`, the number of
mistakes on example i, and :math:`\ell_i`, the sum of the times at which they happened. Of T looks the step
taken at time t is contained in the weights of T - t, hence

.. math:: w = w_0 + \eta \sum_i \alpha_i y_i x_i, \qquad
   \bar w = \frac1T \sum_k c_k w_k = w - \frac{\eta}{T} \sum_i \ell_i\, y_i x_i .

A score that differs from the threshold by rounding only is a tie, and a tie is a mistake.

References
----------
.. [1] Rosenblatt (1958). "The perceptron: a probabilistic model for information storage and organization
   in the brain". Psychological Review 65.
.. [2] Freund, Schapire (1999). "Large margin classification using the perceptron algorithm". Machine
   Learning 37.
"""

import numpy as np

from .._compiled import njit
from .._rows import add_watched, dot, rows_of, tie_or_more
from ..ties import TIE, settled


class Walk:
    r"""The state of a walk: weights, counts and the clock.

    Parameters
    ----------
    X : C-contiguous float64 ndarray or CSR matrix of shape (n, d)
    y : ndarray of shape (n,)
        Labels -1.0 and +1.0.
    start : ndarray of shape (d + 1,) or None
        Augmented weights (w, b) before the first step; zeros if None.
    eta : float
        Step size.
    threshold : float
        :math:`\tau`: an example with :math:`y\, w \cdot x \le \tau` causes a step.
    fit_intercept : bool
        Whether the input that b is the weight of is 1 (or 0, so that b never moves).
    give_up_after : int or None
        An example that has caused so many steps is not looked at any more.

    Attributes
    ----------
    w : ndarray of shape (d + 1,)
        Current augmented weights.
    alpha, late : int64 ndarrays of shape (n,)
        Steps caused by each example and the sum of their times.
    clock : int
        Number of looks so far.

    References
    ----------
    .. [1] Freund, Schapire (1999). "Large margin classification using the perceptron algorithm". Machine
       Learning 37.

    Examples
    --------
    >>> walk = Walk(np.array([[2.0], [-1.0]]), np.array([1.0, -1.0]))
    >>> walk.epoch(np.array([0, 1]))
    (array([0]), array([0]))
    >>> walk.w
    array([2., 1.])
    >>> len(walk.epoch(np.array([0, 1]))[0])
    0
    """

    def __init__(self, X, y, *, start=None, eta=1.0, threshold=0.0, fit_intercept=True, give_up_after=None):
        n, d = X.shape
        self.X, self.y, self.rows = X, y, rows_of(X)
        self.w = np.zeros(d + 1) if start is None else np.array(start, dtype=float)
        self.eta, self.bias_input = float(eta), float(fit_intercept)
        self.limit = np.iinfo(np.int64).max if give_up_after is None else give_up_after
        values = X.data if hasattr(X, "indptr") else X
        largest = max(values.max(initial=0.0), -values.min(initial=0.0), self.bias_input)
        self._rule = (self.eta, float(threshold), self.limit, self.bias_input, largest)
        self.peak = np.abs(self.w)  # the greatest that each weight has ever been: so large are its errors
        self.alpha, self.late = np.zeros(n, np.int64), np.zeros(n, np.int64)
        self.clock = 0
        self._example, self._time = np.empty(n, np.int64), np.empty(n, np.int64)

    def epoch(self, order):
        """Look at the examples in this order; return who caused a step, and when."""
        memory = (self.peak, self.alpha, self.late, self._example, self._time)
        steps, self.clock = _epoch(self.rows, self.y, order, self.w, self._rule, memory, self.clock)
        return self._example[:steps].copy(), self._time[:steps].copy()

    def average(self):
        """The mean over all looks of the weights after the look."""
        pull = -self.eta / self.clock * self.late * self.y
        return settled(self.w + np.append(self.X.T @ pull, self.bias_input * pull.sum()), self.peak)

    def last(self):
        """The weights after the last step; 0 where only rounding keeps them from it."""
        return settled(self.w, self.peak)

    def scores(self):
        """The scores of all examples under the present weights."""
        with np.errstate(over="ignore", invalid="ignore"):
            return self.X @ self.w[:-1] + self.bias_input * self.w[-1]

    def given_up(self):
        """The examples that are not looked at any more."""
        return np.flatnonzero(self.alpha >= self.limit)


def running_sums(rows, steps, bias_input):
    """The augmented weights after each step from zero: sums of so many times these rows.

    Examples
    --------
    >>> running_sums(np.array([[2.0], [3.0]]), np.array([1.0, -1.0]), 1.0)
    array([[ 2.,  1.],
           [-1.,  0.]])
    """
    rows = rows.toarray() if hasattr(rows, "toarray") else rows
    return np.cumsum(steps[:, None] * np.column_stack([rows, np.full(len(rows), bias_input)]), axis=0)


class CycleDetector:
    r"""Tell when a sequence of states that depend only on their predecessor comes back to one it had.

    If :math:`s_{t+1} = f(s_t)` and :math:`s_{t+c} = s_t` (but for rounding), the sequence has period c from t
    on for ever.

    Brent's method keeps one old state, replaced whenever the count of states doubles. Once the sequence
    is in its cycle and the count has grown beyond the length of the cycle, the old state is met again.

    References
    ----------
    .. [1] Brent (1980). "An improved Monte Carlo factorization algorithm". BIT 20.

    Examples
    --------
    >>> detector = CycleDetector()
    >>> [detector.length(np.array([state])) for state in [9, 0, 1, 2, 0, 1, 2]]
    [0, 0, 0, 0, 0, 0, 3]
    """

    def __init__(self):
        self.old, self.age, self.double = None, 0, 1

    def length(self, state):
        """Length of the cycle if ``state`` is the old state, else 0."""
        self.age += 1
        if self.old is not None and np.all(np.abs(state - self.old) <= TIE * np.abs(state).max()):
            return self.age
        if self.old is None or self.age == self.double:
            self.double = 2 * self.double if self.old is not None else 1
            self.old, self.age = state.copy(), 0
        return 0


@njit
def _epoch(rows, y, order, w, rule, memory, clock):
    """One pass: if y w.x <= tau, then w += eta y x; and to see ties, the greatest that w has been."""
    eta, tau, limit, bias_input, largest = rule
    peak, alpha, late, example, time = memory
    steps, size = 0, largest * peak.sum()  # the terms of no score add up to more
    for k in range(len(order)):
        i = order[k]
        if alpha[i] >= limit:
            continue
        margin = y[i] * (dot(rows, i, w) + w[-1] * bias_input)
        if abs(margin - tau) <= 2 * TIE * size:  # so near that rounding may decide
            margin = tie_or_more(tau, rows, i, y[i], w, bias_input, peak)
        if margin <= tau:
            grown = add_watched(rows, i, w, eta * y[i], bias_input, peak)  # w += eta y x
            size += largest**2 * grown
            alpha[i] += 1
            late[i] += clock
            example[steps], time[steps] = i, clock
            steps += 1
        clock += 1
    return steps, clock
