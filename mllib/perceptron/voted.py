r"""Voted and averaged perceptron: let every weight vector of the walk speak, for as long as it lived.

On data that no hyperplane separates, the last weight vector of a walk may be the worst: the step before
the end may have been for an outlier. So keep them all, :math:`w_0, w_1, \ldots`, with the number
:math:`c_k` of looks that each survived, and let them vote:

.. math:: \operatorname{sgn} \sum_k c_k \operatorname{sgn}(w_k \cdot x)
   \qquad\text{or, averaged,}\qquad \operatorname{sgn} \sum_k c_k\, (w_k \cdot x) .

The average is one weight vector and costs nothing to store. The vote is not linear in x and seems to need
all weight vectors; but :math:`w_k = \sum_{l \le k} \eta\, y_{i_l} x_{i_l}`, so the scores of a point under
all of them are *running sums* of its products with the mistaken examples, and of those there are no more
than examples, however long the walk was. (In this file :math:`w_0 = 0`, whose sign is 0: it abstains.
The look at which :math:`w_k` is born counts for it, so the counts add up to the number of looks. The loop
over the votes is the last function.)

References
----------
.. [1] Freund, Schapire (1999). "Large margin classification using the perceptron algorithm". Machine
   Learning 37.
"""

import copy

import numpy as np
from sklearn.utils import check_random_state

from .._compiled import njit
from .._rows import canonical
from ..parameters import check_arguments, integer
from ..ties import TIE
from ..validation import check_two_classes, check_X
from .online import WalkingClassifier, running_sums

BLOCK = 256  # points voted on at once: their running sums and the products stay in the second-level cache


class VotedPerceptron(WalkingClassifier):
    r"""Weighted vote of all the weight vectors of a walk from zero.

    For two classes. See :class:`mllib.OneVsRestClassifier` for more.

    Parameters
    ----------
    max_iter : int, default=10
        Number of epochs. (After one without a mistake the others are counted and not made.)
    fit_intercept, shuffle, verbose, eta0, random_state, give_up_after
        As for :class:`Perceptron`. The order of each epoch is ``RandomState.permutation(n)``.

    Attributes
    ----------
    counts_ : int64 ndarray of shape (number of updates + 1,)
        Survival counts :math:`c_0, c_1, \ldots`
    mistakes_ : int64 ndarray of shape (number of updates,)
        The example that caused each update.
    support_, support_vectors_
        Indices and rows of the examples that ever caused an update.
    classes_, n_iter_, n_updates_, dual_coef_, converged_, cycle_length_, given_up_, history_
        As for :class:`Perceptron`.

    References
    ----------
    .. [1] Freund, Schapire (1999). "Large margin classification using the perceptron algorithm".
       Machine Learning 37.

    Examples
    --------
    >>> X, y = [[0], [1], [2], [3], [4]], [0, 0, 1, 0, 1]
    >>> voted = VotedPerceptron(shuffle=False, max_iter=3).fit(X, y)
    >>> voted.mistakes_, voted.counts_
    (array([0, 2, 3, 4, 0, 1, 3, 4, 1, 3, 4]), array([0, 2, 1, 1, 1, 1, 2, 1, 2, 2, 1, 1]))
    >>> voted.weights()[0].ravel().astype(int)
    array([ 0,  0,  2, -1,  3,  3,  2, -1,  3,  2, -1,  3])
    >>> voted.decision_function([[4]])
    array([0.33333333])
    """

    max_iter: int = 10
    _binary = True

    def fit(self, X, y):
        """Walk over the examples and keep the whole walk."""
        X, y, self.classes_ = check_two_classes(self, X, y, order="C", accept_sparse="csr")
        X = canonical(X)
        trail, rng = [], check_random_state(self.random_state)
        walk, found = self._walk(X, y, rng, watch=lambda *epoch: trail.append(epoch[2:]), all_epochs=True)
        examples, times = zip(*trail, strict=True)
        self._publish(found._replace(coef_=None, intercept_=None))
        self.mistakes_ = np.concatenate(examples)
        self.counts_ = np.diff(np.concatenate([[0], *times, [walk.clock]]))
        # The walk in terms of the distinct mistaken examples: which of them, and the step it causes.
        self.support_, self._row = np.unique(self.mistakes_, return_inverse=True)
        self.support_vectors_ = X[self.support_]
        self._step = self.eta0 * y[self.mistakes_]
        return self

    def decision_function(self, X):
        r"""The vote :math:`\sum_k c_k \operatorname{sgn}(w_k \cdot x + b_k) / \sum_k c_k`, from -1 to 1.

        Times the label it is the voting margin: 1 if all agree on the right answer, below 0 if the
        vote is wrong.
        """
        X = check_X(self, X, order="C", accept_sparse="csr")
        votes = np.zeros(X.shape[0])
        counts = self.counts_[1:].astype(float)
        for first in range(0, X.shape[0], BLOCK):
            products = self.support_vectors_ @ X[first : first + BLOCK].T
            products = products.toarray() if hasattr(products, "toarray") else products
            products = np.ascontiguousarray(products) + float(self.fit_intercept)
            running_votes(products, self._row, self._step, counts, votes[first : first + BLOCK])
        return votes / self.counts_.sum()

    def weights(self):
        r"""All weight vectors, and the intercepts, one row for each weight vector.

        Voting needs none of them; this is for looking at the walk.
        """
        w = running_sums(self.support_vectors_[self._row], self._step, float(self.fit_intercept))
        w = np.vstack([np.zeros(w.shape[1]), w])
        return w[:, :-1], w[:, -1]

    def representatives(self, k):
        """A copy of this classifier in which only the ``k`` longest-lived weight vectors vote.

        Examples
        --------
        >>> X, y = [[0], [1], [2], [3], [4]], [0, 0, 1, 0, 1]
        >>> voted = VotedPerceptron(shuffle=False, max_iter=3).fit(X, y)
        >>> voted.representatives(2).counts_
        array([0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0])
        """
        check_arguments(k=(k, integer(1)))
        few = copy.copy(self)
        few.counts_ = np.zeros_like(self.counts_)
        longest = np.argsort(-self.counts_, kind="stable")[:k]
        few.counts_[longest] = self.counts_[longest]
        return few


class AveragedPerceptron(WalkingClassifier):
    r"""The mean of all the weight vectors of a walk: :math:`\bar w = \sum_k c_k w_k / \sum_k c_k`.

    It is computed without keeping any of them (:meth:`mllib.perceptron.online.Walk.average`).

    Parameters
    ----------
    max_iter : int, default=10
        Number of epochs. (After one without a mistake the others are counted and not made.)
    fit_intercept, shuffle, verbose, eta0, random_state, give_up_after
        As for :class:`Perceptron`.

    Attributes
    ----------
    coef_, intercept_ : ndarrays
        The averages.
    classes_, n_iter_, n_updates_, dual_coef_, converged_, cycle_length_, given_up_, history_
        As for :class:`Perceptron`; ``dual_coef_`` belongs to the last weights, not to the average.

    References
    ----------
    .. [1] Freund, Schapire (1999). "Large margin classification using the perceptron algorithm".
       Machine Learning 37.

    Examples
    --------
    >>> X, y = [[0], [1], [2], [3], [4]], [0, 0, 1, 0, 1]
    >>> averaged = AveragedPerceptron(shuffle=False, max_iter=3).fit(X, y)
    >>> voted = VotedPerceptron(shuffle=False, max_iter=3).fit(X, y)
    >>> averaged.coef_ * sum(voted.counts_), voted.counts_ @ voted.weights()[0]
    (array([[22.]]), array([22.]))
    """

    max_iter: int = 10

    def _solve(self, X, y, weights, rng, start):
        walk, found = self._walk(X, y, rng, all_epochs=True)
        w = walk.average()
        return found._replace(coef_=w[:-1], intercept_=w[-1])


def running_votes(products, row, step, counts, votes):
    """Add up the votes of all weight vectors on a block of points, from products with the mistaken examples.

    A score that is 0 but for rounding abstains. (What m terms lose grows like the root of m.)
    """
    if len(row):
        largest = max(products.max(), -products.min()) * np.abs(step).max()
        _running_votes(products, row, step, counts, votes, TIE * largest * np.sqrt(len(row)))


# The points of a block lie side by side, so one pass of the inner loop advances all their running sums.
@njit
def _running_votes(products, row, step, counts, votes, tie):
    """For each k: the score w_k . x has grown by a step, and its sign gets c_k votes."""
    score = np.zeros(products.shape[1])
    for k in range(row.shape[0]):
        product, pull, count = products[row[k]], step[k], counts[k]
        for j in range(len(score)):
            score[j] += pull * product[j]  # w_k . x
            votes[j] += count if score[j] > tie else (-count if score[j] < -tie else 0.0)
