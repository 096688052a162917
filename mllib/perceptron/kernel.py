r"""The kernel perceptron: the same walk, in a space that nobody has to visit.

From zero weights :math:`w = \eta \sum_j \alpha_j y_j \phi(x_j)`, where :math:`\alpha_j` counts the mistakes
on example j. So the score of example i needs kernel values only,

.. math:: w \cdot \phi(x_i) = \eta \sum_j \alpha_j y_j\, k(x_j, x_i),

and a mistake on j adds :math:`\eta\, y_j k(x_j, \cdot)` to the scores of all examples. That is how it is done
here: the scores of all examples are kept, a mistake adds one row of the Gram matrix to them, and the next
mistake is found by looking along the scores. Rows of examples that are never mistaken are never computed.

The walk can answer with its last weights, with the mean of all weights, or with a vote of all of them, each
counted as long as it survived (see :mod:`mllib.perceptron.voted`). An offset is one more coordinate of
:math:`\phi` that is always 1: add 1 to the kernel, as in ``KernelPerceptron(RBF(0.5) + 1)``.

References
----------
.. [1] Aizerman, Braverman, Rozonoer (1964). "Theoretical foundations of the potential function method in
   pattern recognition learning". Automation and Remote Control 25.
.. [2] Freund, Schapire (1999). "Large margin classification using the perceptron algorithm". Machine
   Learning 37.
"""

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from ..history import History
from ..hyperplane import check_scores
from ..kernels._cache import RowCache
from ..kernels.machine import KernelMachine
from ..learner import Classifier, knob, progress, warn_unfinished
from ..parameters import boolean, integer, one_of, real
from ..ties import TIE, scores_of
from ..validation import check_two_classes
from .voted import running_votes


class KernelPerceptron(Classifier, KernelMachine):
    r"""Perceptron in the feature space of a kernel, for two classes.

    Parameters
    ----------
    kernel : {"linear", "poly", "rbf", "sigmoid", "precomputed"}, Kernel or function, default="rbf"
    degree, gamma, coef0
        Parameters of the kernels with a name, see :func:`mllib.kernels.named`.
    answer : {"last", "averaged", "voted"}, default="last"
        Which weights of the walk answer: the last ones, the mean of all, or all by vote.
    max_iter : int, default=100
        Number of epochs. (After one without a mistake the others are counted and not made.)
    shuffle : bool, default=True
    eta0 : float, default=1.0
        Step size :math:`\eta`.
    give_up_after : int or None, default=None
        Leave out an example once it has caused so many mistakes.
    cache_size : float, default=200
        Megabytes for rows of the Gram matrix.
    verbose : int, default=0
    random_state : int, RandomState or None, default=0

    Attributes
    ----------
    support_, support_vectors_
        Numbers of the examples that were ever mistaken, and the examples.
    dual_coef_ : ndarray of shape (1, n_support)
        :math:`\beta_j` in the score :math:`\sum_j \beta_j k(x_j, x)`: for "last"
        :math:`\eta\, \alpha_j y_j`; for "averaged" the mean of that over all looks. For "voted" as for
        "last", but not used.
    mistakes_, counts_ : ndarrays
        The example that caused each update, and the survival counts :math:`c_0, c_1, \ldots`
    classes_, n_iter_, n_updates_, converged_, given_up_, history_
        As for :class:`mllib.Perceptron`; ``history_`` holds ``updates`` and ``norm``.
    kernel_ : Kernel or None

    References
    ----------
    .. [1] Freund, Schapire (1999). "Large margin classification using the perceptron algorithm". Machine
       Learning 37.

    Examples
    --------
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], ["out", "in", "in", "out"]
    >>> xor = KernelPerceptron(gamma=2.0).fit(X, y)
    >>> xor.predict(X), xor.n_updates_
    (array(['out', 'in', 'in', 'out'], dtype='<U3'), 4)
    """

    kernel: object = knob("rbf", first=True)
    answer: str = knob("last", one_of("last", "averaged", "voted"))
    max_iter: int = knob(100, integer(1))
    shuffle: bool = knob(True, boolean())
    eta0: float = knob(1.0, real(0, open_low=True))
    give_up_after: int | None = knob(None, integer(1) | one_of(None))
    cache_size: float = knob(200, real(0, open_low=True))
    verbose: int = knob(0, boolean() | integer(0))
    random_state: object = knob(0)
    _binary, _coefficients_sum_to_0 = True, False

    def fit(self, X, y):
        """Walk over the examples until none is wrong.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a sequence of strings or graphs for such kernels
        y : array-like of shape (n_samples,)

        Returns
        -------
        self
        """
        X, y, self.classes_ = check_two_classes(self, X, y, vectors=self._takes_vectors())
        walk = _Walk(self._learn_gram(X), y, self.eta0, self.give_up_after, self.cache_size)
        rng = check_random_state(self.random_state)
        history = History(updates="mistakes in the epoch", norm="length of w after the epoch")
        for _ in progress(range(self.max_iter), self.verbose, "KernelPerceptron"):
            updates = walk.epoch(rng.permutation(len(y)) if self.shuffle else np.arange(len(y)))
            check_scores(walk.scores)
            history.record(updates=updates, norm=walk.length())
            self.converged_ = updates == 0
            if self.converged_:
                break
        if not self.converged_ and self.answer == "last":
            warn_unfinished(f"KernelPerceptron: still {updates} updates in epoch {self.max_iter} (max_iter).")
        # In epochs after one without a mistake nothing would happen: they are counted, not made.
        walk.clock += (self.max_iter - len(history)) * (len(y) - len(walk.given_up()))
        self.mistakes_ = np.array(walk.mistakes, dtype=np.int64)
        self.counts_ = np.diff(np.array([0, *walk.times, walk.clock]))
        support, self._row = np.unique(self.mistakes_, return_inverse=True)
        self._keep(X, support)
        self._step = self.eta0 * y[self.mistakes_]
        # The step at time t is in the weights of the clock - t looks that follow (all of them for "last").
        share = 1.0 if self.answer != "averaged" else 1.0 - np.array(walk.times) / walk.clock
        self.dual_coef_ = np.bincount(self._row, weights=share * self._step)[None, :]
        self.given_up_ = walk.given_up()
        self.n_iter_, self.n_updates_, self.history_ = len(history), len(self.mistakes_), history
        return self

    def decision_function(self, X):
        """Score :math:`w \\cdot \\phi(x)`, for "voted" the vote between -1 and 1, of shape (n_samples,)."""
        check_is_fitted(self)
        counts = self.counts_[1:].astype(float)

        def scores(K):
            if self.answer != "voted":
                return scores_of(K, self.dual_coef_[0], 0.0)
            votes = np.zeros(len(K))
            running_votes(np.ascontiguousarray(K.T), self._row, self._step, counts, votes)
            return votes / self.counts_.sum()

        return self._evaluate(X, self.support_vectors_, self.support_, scores)


class _Walk:
    """The walk: scores of all examples, and which of them caused a step when."""

    def __init__(self, gram, y, eta, give_up_after, cache_size):
        self.y, self.eta = y, eta
        self.limit = np.inf if give_up_after is None else give_up_after
        self.scores, self.alpha = np.zeros(len(y)), np.zeros(len(y), np.int64)
        self.mistakes, self.times, self.clock = [], [], 0
        self.rows = RowCache(gram, 1e6 * cache_size)
        self.largest = np.abs(gram.diag).max()  # value of K

    def epoch(self, order):
        """Look at the examples in this order; return the number of mistakes."""
        order = order[self.alpha[order] < self.limit]
        looked, before = 0, len(self.mistakes)
        while looked < len(order):
            rest = order[looked:]
            tie = TIE * self.eta * self.largest * np.sqrt(1 + len(self.mistakes))
            wrong = self.y[rest] * self.scores[rest] <= tie  # a tie is a mistake
            first = int(wrong.argmax())
            if not wrong[first]:
                break
            i = rest[first]
            self.scores += self.rows.combine(np.array([i]), np.array([self.eta * self.y[i]]))
            self.alpha[i] += 1
            self.mistakes.append(i)
            self.times.append(self.clock + looked + first)
            looked += first + 1
        self.clock += len(order)
        return len(self.mistakes) - before

    def length(self):
        """Length of w: the root of the sum of alpha_i y_i (w . phi(x_i))."""
        return float(np.sqrt(max(self.eta * (self.alpha * self.y) @ self.scores, 0.0)))

    def given_up(self):
        return np.flatnonzero(self.alpha >= self.limit)
