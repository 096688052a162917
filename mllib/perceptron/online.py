r"""The perceptron and the perceptron with margin: learn from one example at a time.

The problem: find :math:`(w, b)` with :math:`y_i (w \cdot x_i + b) > 0` for all i. The rule: at a mistake,
:math:`w \leftarrow w + \eta y_i x_i` and :math:`b \leftarrow b + \eta y_i`. (The compiled loop that
follows it is the last function.) If the classes are separable by a hyperplane through the augmented space
with margin :math:`\gamma`, there are at most :math:`(R/\gamma)^2` mistakes, whatever the order of the
examples (``mistake_bound``). If they are not, the walk never ends: it oscillates. In a fixed order this shows
itself, because the weights stay in a bounded set and come back to a value they had; ``Perceptron`` watches
for that.

The perceptron stops at the first separating hyperplane, which may pass a hair's breadth from a point. The
*margin* perceptron goes on until every example scores more than a threshold :math:`\tau`; as
:math:`\tau` grows, its margin tends to at least half of the largest possible one.

**The walk.** Every perceptron of this room except the batch one takes the same walk and differs only in what
it makes of it. Looking at one example :math:`(x_i, y_i)` with the augmented weights :math:`w`,

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
.. [2] Novikoff (1962). "On convergence proofs on perceptrons". Symposium on the Mathematical Theory of
   Automata 12.
.. [3] Krauth, Mézard (1987). "Learning algorithms with optimal stability in neural networks". Journal of
   Physics A 20.
.. [4] Freund, Schapire (1999). "Large margin classification using the perceptron algorithm". Machine
   Learning 37.
.. [5] Khardon, Wachman (2007). "Noise tolerant variants of the perceptron algorithm". Journal of Machine
   Learning Research 8.
"""

import math
from itertools import repeat

import numpy as np

from .._compiled import njit
from .._rows import add_watched, dot, rows_of, tie_or_more
from ..history import History
from ..hyperplane import Hyperplane, HyperplaneClassifier, check_scores
from ..learner import knob, progress, warn_unfinished
from ..parameters import boolean, integer, one_of, real
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


class WalkingClassifier(HyperplaneClassifier):
    """Owns the loop over the epochs; what is made of the walk is up to the learner."""

    shuffle: bool = knob(True, boolean())
    eta0: float = knob(1.0, real(0, open_low=True))
    random_state: object = 0
    give_up_after: int | None = knob(None, integer(1) | one_of(None))

    @np.errstate(over="ignore")  # a length that overflows: check_scores says what is wrong
    def _walk(self, X, y, rng, start=None, threshold=0.0, watch=None, all_epochs=False):
        """Walk until an epoch without a step, a cycle, or ``max_iter``; return the walk and where it ended.

        ``watch(walk, before, examples, times)`` is called after each epoch with the weights before it.
        With ``all_epochs`` a cycle does not end the walk, and epochs after one without a step, in which
        nothing would happen, are put on the clock without being made.
        """
        walk = Walk(
            X,
            y,
            start=start,
            eta=self.eta0,
            threshold=threshold,
            fit_intercept=self.fit_intercept,
            give_up_after=self.give_up_after,
        )
        n = X.shape[0]
        orders = (rng.permutation(n) if self.shuffle else np.arange(n) for _ in repeat(None))
        # The same weights mean the same future only if nothing else changes from epoch to epoch.
        cyclic, cycles, length = not self.shuffle and self.give_up_after is None, CycleDetector(), 0
        history = History(updates="steps taken in the epoch", norm="length of (w, b) after the epoch")
        for _ in progress(range(self.max_iter), self.verbose, type(self).__name__):
            before = watch and walk.w.copy()
            examples, times = walk.epoch(next(orders))
            norm = math.sqrt(walk.w @ walk.w)
            if not len(examples) or not math.isfinite(norm):
                check_scores(walk.scores())
            history.record(updates=len(examples), norm=norm)
            if watch is not None:
                watch(walk, before, examples, times)
            converged = not len(examples)
            if cyclic and not length and not converged:
                length = cycles.length(walk.w)
            if converged or (length and not all_epochs):
                break
        if all_epochs:
            walk.clock += (self.max_iter - len(history)) * (n - len(walk.given_up()))
        w = walk.last()
        return walk, Hyperplane(
            w[:-1],
            w[-1],
            n_iter_=len(history),
            n_updates_=int(walk.alpha.sum()),
            dual_coef_=self.eta0 * walk.alpha,
            converged_=converged,
            cycle_length_=length,
            given_up_=walk.given_up(),
            history_=history,
        )

    def _warn_if_unfinished(self, found):
        """A learner whose answer is the *last* weight vector must say when the walk had no end."""
        if found.cycle_length_:
            message = (
                f"the weights came back to an earlier value after {found.cycle_length_} epochs: in this "
                "order the perceptron oscillates for ever, so the data are not linearly separable"
            )
        elif not found.converged_:
            message = (
                f"still {found.history_[-1].updates} updates in epoch {found.n_iter_} (max_iter); "
                "is_separable(X, y) tells whether more epochs can help"
            )
        else:
            return found
        warn_unfinished(f"{type(self).__name__}: {message}.")
        return found


class Perceptron(WalkingClassifier):
    r"""The perceptron: at each mistake :math:`w \leftarrow w + \eta\, y_i x_i`.

    Parameters
    ----------
    fit_intercept : bool, default=True
        Learn an offset b, as the weight of an input that is always 1.
    max_iter : int, default=1000
        Largest number of epochs (passes over the examples). Fewer if one passes without a mistake.
    shuffle : bool, default=True
        Take the examples in a fresh random order each epoch; else in the order given, where a
        repetition of the weights is noticed and ends the walk.
    verbose : int, default=0
        Show a progress bar.
    eta0 : float, default=1.0
        Step size :math:`\eta`. From zero weights it scales them and changes nothing else.
    random_state : int, RandomState or None, default=0
        For the orders, ``RandomState.permutation(n_samples)`` for each epoch, and the random start.
    start : {"zero", "random"}, default="zero"
        Weights before the first step: zeros, or independent standard normal numbers.
    give_up_after : int or None, default=None
        Leave out an example once it has caused so many mistakes, as one does with points that are
        probably labelled wrongly; the walk then always ends.
    record_updates : bool, default=False
        Keep the weights after every single update in ``updates_``, for pictures of the walk.

    Attributes
    ----------
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
    intercept_ : ndarray of shape (1,) or (n_classes,)
    classes_ : ndarray
    n_iter_ : int
        Epochs made (with many classes: of the longest walk).
    n_updates_ : int
        Mistakes made, over all epochs.
    dual_coef_ : ndarray of shape (n_samples,)
        :math:`\alpha_i = \eta` times the mistakes on example i, so that from zero weights
        :math:`w = \sum_i \alpha_i y_i x_i` and :math:`b = \sum_i \alpha_i y_i`.
    converged_ : bool
        Whether the last epoch made no mistake.
    cycle_length_ : int
        Epochs after which the weights came back to an earlier value; 0 if this was not seen.
    given_up_ : ndarray
        Indices of the examples that were given up.
    history_ : History
        ``updates`` and ``norm`` for each epoch.
    updates_ : History
        Only with ``record_updates``: ``example``, ``time``, ``coef``, ``intercept`` after each update.

    Notes
    -----
    With ``shuffle=False`` the weights are those of scikit-learn's ``Perceptron(shuffle=False, tol=None)``,
    unless a cycle ends the walk.
    With more than two classes one perceptron is trained for each class against the rest; attributes from
    ``n_updates_`` on then hold one item per class.

    References
    ----------
    .. [1] Rosenblatt (1958). "The perceptron: a probabilistic model for information storage and
       organization in the brain". Psychological Review 65.

    Examples
    --------
    >>> X, y = [[0, 2], [1, 1], [3, 0], [4, 2]], ["a", "a", "b", "b"]
    >>> perceptron = Perceptron(shuffle=False).fit(X, y)
    >>> perceptron.coef_, perceptron.intercept_
    (array([[ 2., -3.]]), array([-1.]))
    >>> perceptron.dual_coef_, perceptron.n_updates_
    (array([1., 1., 1., 0.]), 3)
    >>> perceptron.predict([[5, 0]])
    array(['b'], dtype='<U1')
    """

    start: str = knob("zero", one_of("zero", "random"))
    record_updates: bool = knob(False, boolean())

    def fit(self, X, y, coef_init=None, intercept_init=None):
        """Walk over the examples until none is wrong.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        coef_init, intercept_init : array-like
            Weights to start from (in place of ``start``), in the shapes of ``coef_`` and ``intercept_``.

        Returns
        -------
        self
        """
        return self._fit(X, y, coef_init=coef_init, intercept_init=intercept_init)

    def _solve(self, X, y, weights, rng, start):
        if start is None and self.start == "random":
            start = rng.standard_normal(X.shape[1] + 1)
            start[-1] *= self.fit_intercept
        trail = []
        watch = (lambda *epoch: trail.append(epoch[2:])) if self.record_updates else None
        _, found = self._walk(X, y, rng, start, watch=watch)
        self._warn_if_unfinished(found)
        return found._replace(updates_=self._replay(X, y, start, trail)) if self.record_updates else found

    def _replay(self, X, y, start, trail):
        """All weight vectors of the walk: running sums of the steps."""
        example, time = (np.concatenate(part) for part in zip(*trail, strict=True))
        w = running_sums(X[example], self.eta0 * y[example], float(self.fit_intercept))
        w += 0.0 if start is None else start
        updates = History(
            example="example that caused the update",
            time="looks at examples before it",
            coef="w after the update",
            intercept="b after the update",
        )
        updates.extend(example=example, time=time, coef=w[:, :-1], intercept=w[:, -1])
        return updates


class MarginPerceptron(WalkingClassifier):
    r"""The perceptron with margin: a step whenever :math:`y_i (w \cdot x_i + b) \le \tau`.

    On data that some unit vector u separates with margin :math:`\gamma` (both augmented), with step 1 from
    zero weights there are at most :math:`(R^2 + 2\tau)/\gamma^2` updates, and the final margin is larger
    than :math:`\tau\gamma/(R^2 + 2\tau)`, which tends to :math:`\gamma/2` as :math:`\tau` grows.

    Parameters
    ----------
    threshold : float, default=1.0
        :math:`\tau`; 0 is the perceptron.
    fit_intercept, max_iter, shuffle, verbose, eta0, random_state, give_up_after
        As for :class:`Perceptron`. A step size other than 1 is the same as another threshold,
        :math:`\tau/\eta`.

    Attributes
    ----------
    coef_, intercept_, classes_, n_iter_, n_updates_, dual_coef_
        As for :class:`Perceptron`.
    converged_, cycle_length_, given_up_, history_
        As for :class:`Perceptron`.

    References
    ----------
    .. [1] Krauth, Mézard (1987). "Learning algorithms with optimal stability in neural networks".
       Journal of Physics A 20.

    Examples
    --------
    >>> X, y = [[0, 2], [1, 1], [3, 0], [4, 2]], [-1, -1, 1, 1]
    >>> def margin(model):
    ...     w = np.append(model.coef_, model.intercept_)
    ...     return min(y * model.decision_function(X)) / np.linalg.norm(w)
    >>> for threshold in [0, 1, 10, 100]:
    ...     model = MarginPerceptron(threshold).fit(X, y)
    ...     print(threshold, model.n_updates_, f"{margin(model):.3f}")
    0 6 0.186
    1 10 0.397
    10 25 0.577
    100 245 0.593
    """

    threshold: float = knob(1.0, real(0), first=True)

    def _solve(self, X, y, weights, rng, start):
        return self._warn_if_unfinished(self._walk(X, y, rng, start, threshold=self.threshold)[1])


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
