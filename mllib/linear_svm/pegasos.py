r"""Stochastic gradient descent on the hinge loss, and Pegasos.

Both minimise

.. math:: f(w, b) = \frac{\lambda}{2} \lVert w \rVert^2 + \frac1n \sum_i \max(0, 1 - y_i (w \cdot x_i + b))

by steps along the negative subgradient on a few examples drawn at random. Without the penalty, the hinge
loss could be made small by letting w grow; with :math:`\lambda = 1/(nC)` this is the support vector machine.

*SGD* takes one example at a time and in epoch e = 0, 1, ... steps of size :math:`\eta = m/(e + n)`, with m
and n found by trying. *Pegasos* needs no trying: its t-th step has size :math:`1/(\lambda t)`, because f is
:math:`\lambda`-strongly convex. It keeps w in the ball of radius :math:`1/\sqrt\lambda`, which contains the
optimum, and the mean of its first T weight vectors is worse than the optimum by at most
:math:`(\sqrt\lambda + R)^2 (1 + \ln T) / (2 \lambda T)` on average over its draws.

**The step.** Draw k examples; those with :math:`y_i (w \cdot x_i + b) \le 1` violate the margin. With a step
size :math:`\eta`,

.. math:: w \leftarrow (1 - \eta\lambda)\, w + \frac{\eta}{k} \sum_{\text{violators}} y_i x_i, \qquad
   b \leftarrow b + \frac{\eta}{k} \sum_{\text{violators}} y_i ,

and, if wanted, w is brought back into the ball: :func:`_pegasos_steps`. It must not cost more than the
examples it looks at. Shrinking w by a factor would touch every weight, so w is kept as a number times a
vector, :math:`w = s v`, and only s shrinks. The mean of all w on the way would touch every weight, too. It is
kept as :math:`\sum_t w_t = S v + u`: a new term :math:`s v` goes into the number S, and when v moves by
:math:`c x`, u moves by :math:`-S c x`, so that the sum stays what it was.

References
----------
.. [1] Shalev-Shwartz, Singer, Srebro, Cotter (2011). "Pegasos: primal estimated sub-gradient solver for
   SVM". Mathematical Programming 127.
.. [2] Robbins, Monro (1951). "A stochastic approximation method". Annals of Mathematical Statistics 22.
.. [3] Bottou (2010). "Large-scale machine learning with stochastic gradient descent". International
   Conference on Computational Statistics.
"""

import numpy as np

from .._compiled import njit
from .._rows import add, dot, rows_of, squared_lengths
from ..history import History
from ..hyperplane import Hyperplane, HyperplaneClassifier
from ..learner import knob, progress, warn_unfinished
from ..parameters import boolean, instance_of, integer, one_of, real
from ..ties import TIE

# From fewer looks at examples nobody can tell that the loss has settled (epochs of few examples are short).
FEWEST_LOOKS = 1000
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


@njit
def multiply_in(s, v, u, total, average):
    """Make s v the new v, and with S = 0 the sum what it was."""
    if average:
        for j in range(len(v)):
            u[j] += total * v[j]
    for j in range(len(v)):
        v[j] *= s


class _SubgradientClassifier(HyperplaneClassifier):
    """Owns the loop over the epochs."""

    alpha: float = knob(0.0001, real(0, open_low=True), first=True)
    tol: float | None = knob(1e-3, real() | one_of(None))
    n_iter_no_change: int = knob(5, integer(1))
    average: bool = knob(False, boolean())
    sampling: str = knob("uniform", one_of("uniform", "permutation", "cyclic"))
    epoch_length: int | None = knob(None, integer(1) | one_of(None))

    def _descend(self, X, y, weights, rng, k, eta_of_epoch, penalise_bias, radius):
        n = X.shape[0]
        k = min(k, n)
        length = self.epoch_length or -(-n // k)  # by default every example is looked at about once
        descent = SubgradientDescent(
            X,
            y,
            weights,
            lam=self.alpha,
            bias_input=float(self.fit_intercept),
            penalise_bias=penalise_bias,
            radius=radius,
            average=self.average,
        )
        history = History(
            loss="mean hinge loss of the examples of the epoch, when looked at",
            violations="how many of them violated the margin",
            coef="w after the epoch",
            intercept="b after the epoch",
        )
        draw = _batches(self.sampling, n, k, length, rng)
        best, no_better = np.inf, 0
        for epoch in progress(range(self.max_iter), self.verbose, type(self).__name__):
            loss, violations = descent.steps(next(draw), eta_of_epoch(epoch, length))
            w = descent.mean if self.average else descent.w
            history.record(loss=loss, violations=violations, coef=w[:-1], intercept=w[-1])
            if self.tol is not None:
                no_better = no_better + 1 if loss > best - self.tol else 0
                best = min(best, loss)
                if no_better >= max(self.n_iter_no_change, FEWEST_LOOKS / (length * k)):
                    break
        else:
            if self.tol is not None:
                warn_unfinished(
                    f"{type(self).__name__}: the loss has not settled (tol={self.tol:g}) after "
                    f"{self.max_iter} epochs (max_iter)."
                )
        return Hyperplane(w[:-1], w[-1], n_iter_=len(history), history_=history, t_=descent.clock)


def _batches(sampling, n, k, length, rng):
    """For each epoch, for ever: the indices of its examples, as an array of shape (length, k)."""
    if k == n:  # the batch is the whole set, whatever the sampling
        whole = np.tile(np.arange(n), (length, 1))
        while True:
            yield whole
    if sampling == "uniform":
        while True:
            # Three times as fast as randint, and unbiased as far as the 53 bits of a float go.
            yield (n * rng.random_sample((length, k))).astype(np.int64)
    left = np.empty(0, np.int64)
    while True:
        while len(left) < length * k:
            left = np.append(left, rng.permutation(n) if sampling == "permutation" else np.arange(n))
        yield left[: length * k].reshape(length, k)
        left = left[length * k :]


class SGDHingeClassifier(_SubgradientClassifier):
    r"""Linear classifier by stochastic gradient descent on the penalised hinge loss.

    Each step draws one example. If :math:`y (w \cdot x + b) > 1` only the penalty acts,
    :math:`w \leftarrow w - \eta\lambda w`; else :math:`w \leftarrow w - \eta(\lambda w - y x)` and
    :math:`b \leftarrow b + \eta y`.

    Parameters
    ----------
    alpha : float, default=0.0001
        Penalty :math:`\lambda` (under the name it has in scikit-learn's ``SGDClassifier``).
    m, n : float, defaults 1.0 and 10.0
        In epoch e = 0, 1, ... the steps have size :math:`\eta = m/(e + n)`.
    fit_intercept : bool, default=True
        Learn b, which is not penalised.
    max_iter : int, default=1000
        Largest number of epochs.
    tol : float or None, default=1e-3
        Stop when in ``n_iter_no_change`` epochs running (or more, if these are less than 1,000 looks at
        examples) the mean loss was not below the best one by more than this. None: make all ``max_iter``
        epochs.
    n_iter_no_change : int, default=5
    average : bool, default=False
        Take the mean of the weights before each step in place of the last ones.
    sampling : {"uniform", "permutation", "cyclic"}, default="uniform"
        Draw with replacement; or go through all examples, in a fresh random order each time, or in
        the order given.
    epoch_length : int or None, default=None
        Steps in an epoch; None for as many as there are examples.
    class_weight : dict, "balanced" or None, default=None
        Factors on the loss for each class.
    verbose : int, default=0
    random_state : int, RandomState or None, default=None

    Attributes
    ----------
    coef_, intercept_, classes_
    n_iter_ : int
        Epochs made.
    t_ : int
        Steps made.
    history_ : History
        ``loss``, ``violations``, ``coef``, ``intercept`` for each epoch.

    References
    ----------
    .. [1] Robbins, Monro (1951). "A stochastic approximation method". Annals of Mathematical Statistics 22.

    Examples
    --------
    >>> X, y = [[0, 2], [1, 1], [3, 0], [4, 2]], ["a", "a", "b", "b"]
    >>> sgd = SGDHingeClassifier(random_state=0).fit(X, y)
    >>> sgd.predict([[0, 0], [4, 0]])
    array(['a', 'b'], dtype='<U1')
    """

    m: float = knob(1.0, real(0, open_low=True))
    n: float = knob(10.0, real(0, open_low=True))
    class_weight: object = knob(None, one_of(None, "balanced") | instance_of(dict))

    def fit(self, X, y, sample_weight=None):
        """Descend until the loss settles.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional
            Factors on the loss of each example.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight, class_weight=self.class_weight)

    def _solve(self, X, y, weights, rng, start):
        def eta_of_epoch(epoch, length):
            return np.full(length, self.m / (epoch + self.n))

        return self._descend(X, y, weights, rng, 1, eta_of_epoch, penalise_bias=False, radius=np.inf)


class PegasosClassifier(_SubgradientClassifier):
    r"""Linear support vector machine by Pegasos.

    Step t = 1, 2, ... draws k examples, goes :math:`1/(\lambda t)` along the negative subgradient and
    projects onto the ball :math:`\lVert w \rVert \le 1/\sqrt\lambda`. The intercept is the weight of an
    additional input 1: penalised and projected with the others, so that the theory holds for (w, b).

    Parameters
    ----------
    alpha : float, default=0.0001
        Penalty :math:`\lambda` (under the name it has in scikit-learn's ``SGDClassifier``).
    batch_size : int, default=1
        k; all examples if it is at least their number.
    projection : bool, default=True
    fit_intercept : bool, default=True
    max_iter, tol, n_iter_no_change, average, sampling, verbose, random_state
        As for :class:`SGDHingeClassifier`. The theorem is about ``average=True`` and uniform draws.
    epoch_length : int or None, default=None
        Steps in an epoch; None for the number of examples divided by k, rounded up. With 1 the
        history holds every single step.

    Attributes
    ----------
    coef_, intercept_, classes_, n_iter_, t_, history_
        As for :class:`SGDHingeClassifier`.

    References
    ----------
    .. [1] Shalev-Shwartz, Singer, Srebro, Cotter (2011). "Pegasos: primal estimated sub-gradient solver
       for SVM". Mathematical Programming 127.

    Examples
    --------
    >>> X, y = [[0, 2], [1, 1], [3, 0], [4, 2]], ["a", "a", "b", "b"]
    >>> pegasos = PegasosClassifier(alpha=0.1, batch_size=2, random_state=0).fit(X, y)
    >>> pegasos.predict([[0, 0], [4, 0]])
    array(['a', 'b'], dtype='<U1')
    >>> bool(np.hypot(np.linalg.norm(pegasos.coef_), pegasos.intercept_[0]) <= 0.1**-0.5 + 1e-9)
    True
    """

    batch_size: int = knob(1, integer(1))
    projection: bool = knob(True, boolean())

    def fit(self, X, y, sample_weight=None):
        """Descend until the loss settles; parameters as for :meth:`SGDHingeClassifier.fit`."""
        return self._fit(X, y, sample_weight)

    def _solve(self, X, y, weights, rng, start):
        def eta_of_epoch(epoch, length):
            return 1.0 / (self.alpha * (epoch * length + np.arange(1, length + 1)))

        # 1 / sqrt(lambda) for unit weights: f(w) <= f(0), the mean weight, leaves no room for a longer
        # optimum ("The solution is short" in chapter 13).
        radius = np.sqrt(weights.mean() / self.alpha) if self.projection else np.inf
        return self._descend(X, y, weights, rng, self.batch_size, eta_of_epoch, True, radius)
