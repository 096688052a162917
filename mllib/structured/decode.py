r"""The best labelling of a chain, among exponentially many, in time linear in its length (Viterbi).

A chain of L places gets a label from 0..K-1 at each place. A labelling y = (y_1, ..., y_L) scores

.. math:: s(y) = \sum_{p=1}^{L} u_p(y_p) + \sum_{p=2}^{L} t(y_{p-1}, y_p),

with *unary* scores u (what the place itself suggests) and *transitions* t (what suits its neighbour). Of the
:math:`K^L` labellings the best is found by asking, for each place and label, how good the best labelling
*up to here that ends with this label* is:

.. math:: b_1 = u_1, \qquad b_p(k) = u_p(k) + \max_j \left( b_{p-1}(j) + t(j, k) \right) .

Remember the j that won, and walk back from the best end. Training asks another question: which labelling is
both *wrong* and *attractive*, :math:`\max_y s(y) + \Delta(y, \text{truth})`? If the loss :math:`\Delta`
counts wrong places, it is a sum over places as well, joins the unary scores, and the same algorithm answers.

References
----------
.. [1] Viterbi (1967). "Error bounds for convolutional codes and an asymptotically optimum decoding
   algorithm". IEEE Transactions on Information Theory 13.
.. [2] Taskar, Guestrin, Koller (2004). "Max-margin Markov networks". Advances in Neural Information
   Processing Systems 16.
"""

import numpy as np

from .._compiled import njit
from ..ties import TIE


def chain_score(unary, transitions, labels):
    r"""Score of one labelling: :math:`\sum_p u_p(y_p) + \sum_{p > 1} t(y_{p-1}, y_p)`.

    Parameters
    ----------
    unary : array-like of shape (L, K)
    transitions : array-like of shape (K, K)
    labels : array-like of L integers

    References
    ----------
    .. [1] Taskar, Guestrin, Koller (2004). "Max-margin Markov networks". Advances in Neural Information
       Processing Systems 16.

    Examples
    --------
    >>> chain_score([[1.0, 0.0], [0.0, 3.0]], [[0.0, -1.0], [0.0, 0.0]], [0, 1])
    np.float64(3.0)
    """
    unary, transitions, labels = np.asarray(unary), np.asarray(transitions), np.asarray(labels)
    return unary[np.arange(len(labels)), labels].sum() + transitions[labels[:-1], labels[1:]].sum()


def viterbi(unary, transitions):
    r"""The labelling of a chain with the highest score, :math:`\arg\max_y s(y)`, and that score.

    Parameters
    ----------
    unary : array-like of shape (L, K)
        Score of each label at each place.
    transitions : array-like of shape (K, K)
        Score of label j being followed by label k.

    Returns
    -------
    labels : int64 ndarray of shape (L,)
        Of several best ones (but for rounding), the one that is smallest when read from the end.
    score : float

    References
    ----------
    .. [1] Viterbi (1967). "Error bounds for convolutional codes and an asymptotically optimum decoding
       algorithm". IEEE Transactions on Information Theory 13.

    Examples
    --------
    >>> unary = [[2.0, 1.0], [0.0, 0.5], [2.0, 0.0]]
    >>> viterbi(unary, [[0.0, 0.0], [0.0, 0.0]])
    (array([0, 1, 0]), 4.5)
    >>> viterbi(unary, [[0.0, -1.0], [-1.0, 0.0]])  # now a change costs 1
    (array([0, 0, 0]), 4.0)
    """
    unary = np.ascontiguousarray(unary, dtype=np.float64)
    transitions = np.ascontiguousarray(transitions, dtype=np.float64)
    if unary.ndim != 2 or not len(unary) or transitions.shape != (unary.shape[1],) * 2:
        raise ValueError(
            "unary must have shape (L, K) with L >= 1 and transitions (K, K), got "
            f"{unary.shape} and {transitions.shape}"
        )
    return _viterbi(unary, transitions)


def loss_augmented(unary, truth):
    r"""Unary scores plus 1 for every label but the true one: so Viterbi adds the number of wrong places.

    With :math:`u'_p(k) = u_p(k) + [k \ne y^*_p]` the score is :math:`s'(y) = s(y) + \Delta(y^*, y)`.

    References
    ----------
    .. [1] Taskar, Guestrin, Koller (2004). "Max-margin Markov networks". Advances in Neural Information
       Processing Systems 16.

    Examples
    --------
    >>> loss_augmented([[2.0, 1.0], [0.0, 0.5]], [0, 1])
    array([[2. , 2. ],
           [1. , 0.5]])
    """
    augmented = np.asarray(unary, dtype=np.float64) + 1.0
    augmented[np.arange(len(truth)), truth] -= 1.0
    return augmented


@njit
def _viterbi(unary, transitions):
    length, K = unary.shape
    tie = TIE * (np.abs(unary).max() + np.abs(transitions).max()) * length
    came_from = np.zeros((length, K), np.int64)
    best = unary[0].copy()
    following = np.empty(K)
    for p in range(1, length):
        for k in range(K):
            following[k] = best[0] + transitions[0, k]
        for j in range(1, K):
            for k in range(K):  # the inner loop runs over neighbours in memory
                here = best[j] + transitions[j, k]
                if here > following[k] + tie:
                    following[k] = here
                    came_from[p, k] = j
        for k in range(K):
            best[k] = following[k] + unary[p, k]
    labels = np.empty(length, np.int64)
    labels[length - 1] = np.flatnonzero(best >= best.max() - tie)[0]
    for p in range(length - 1, 0, -1):
        labels[p - 1] = came_from[p, labels[p]]
    return labels, float(best.max())
