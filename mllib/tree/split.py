r"""Split search: the best cut of one feature.

A node holds m examples with weights :math:`w_i`. A question "is feature j at most theta?" sends some to the
left; W, W_L, W_R are the weights of node, left and right side. What is gained:

- *squared error* (regression; :math:`s = \sum_{left} w_i y_i`, S over the node):

  .. math:: \Delta = \frac{s^2}{W_L} + \frac{(S - s)^2}{W_R} - \frac{S^2}{W}
                   = \frac{(s W - S W_L)^2}{W\, W_L W_R}

- *Gini* (:math:`L_k, R_k, N_k` are the weights of class k left, right and in all):

  .. math:: \Delta = \frac{\sum_k L_k^2}{W_L} + \frac{\sum_k R_k^2}{W_R} - \frac{\sum_k N_k^2}{W}

  This is the squared error of the 0/1 indicator of each class, summed over the classes. For two classes the
  two indicators mirror each other: twice the squared error of one of them. So two classes take the short
  way, with s and S the weights of the second class: :math:`\Delta = 2 (s W - S W_L)^2 / (W\, W_L W_R)`.
- *entropy*: :math:`\Delta = W H(N) - W_L H(L) - W_R H(R)` with :math:`H(N) = -\sum_k \frac{N_k}{W} \log_2
  \frac{N_k}{W}`; this is W times the information I about the class.
- *normalised gain*: :math:`2 I / (H(N) + H(\text{sides}))`, where H(sides) is the entropy of the two weights
  :math:`W_L, W_R`. It lies in [0, 1] and does not favour unequal sides (Wehenkel; Geurts et al.).

The squared error, and with it Gini of two classes, is :func:`_squared_gain`, all else :func:`_gain`.

**How the best threshold is found.** The examples of the node are sorted by the feature's rank and put on the
left one after another; each step changes one class weight, so every :math:`\Delta` costs a few operations,
however many classes there are. (Where ranks are few, :mod:`mllib.tree._tables` does without the sorting.)

**Ties.** Gains are equal if they differ by less than a share :data:`mllib.ties.TIE` of the node's impurity,
or by less than 1e-13 of the numbers whose difference they are: W, or W log W for entropies. The smallest
feature wins, then the smallest threshold.

References
----------
.. [1] Breiman, L., Friedman, J., Olshen, R. and Stone, C. (1984). Classification and Regression Trees.
   Wadsworth.
.. [2] Geurts, P., Ernst, D. and Wehenkel, L. (2006). "Extremely randomized trees". Machine Learning 63, 3-42.
.. [3] Quinlan, J. R. (1986). "Induction of decision trees". Machine Learning 1, 81-106.
"""

import numpy as np

from .._compiled import inlined, njit

SQUARED, GINI, ENTROPY, NORMALISED = range(4)
_RANK = 32  # a key is (rank << 32) + position in the node: sorting keys sorts ranks
_POSITION = (1 << _RANK) - 1


@njit
def _plog(x):
    """x log2 x, which is 0 at 0."""
    return x * np.log2(x) if x > 0.0 else 0.0


@njit
def _term(kind, weight):
    """What a class of this weight adds to a side's term."""
    return weight * weight if kind == GINI else _plog(weight)


@njit
def _squared_gain(s, S, W_left, W):
    """The gain in squared error, half of Gini's gain for classes 0 and 1.

    It is -inf, no split, where rounding leaves nothing of a light side.
    """
    tilt, sides = s * W - S * W_left, W * W_left * (W - W_left)
    return tilt * tilt / sides if sides > 0.0 else -np.inf


@njit
def _gain(kind, W, W_left, left_term, right_term, node_term):
    """The gain of a split, from the sums over classes of c^2 (Gini) or c log c (entropy) of each side.

    It is -inf, no split, where a side is so light that rounding leaves nothing of it.
    """
    W_right = W - W_left
    if W_left * W_right <= 0.0:
        return -np.inf
    if kind == GINI:
        # A sum of squares is no greater than the square of the sum: what rounding adds to a light side.
        left_term, right_term = min(left_term, W_left * W_left), min(right_term, W_right * W_right)
        # left / W_L + right / W_R - node / W
        return (left_term * W_right + right_term * W_left) / (W_left * W_right) - node_term / W
    # W H(N) - W_L H(L) - W_R H(R), for left - W_L log W_L is -W_L H(L), and never positive
    information = (
        min(left_term - _plog(W_left), 0.0) + min(right_term - _plog(W_right), 0.0) - node_term + _plog(W)
    )
    if kind == ENTROPY:
        return information
    class_entropy = _plog(W) - node_term  # times W, as the other two
    side_entropy = _plog(W) - _plog(W_left) - _plog(W_right)
    entropies = class_entropy + side_entropy
    return 2.0 * information / entropies if entropies > 0.0 else -np.inf


@inlined
def best_cut(node, scratch, keys):
    """The best cut along sorted keys: its gain, and the greatest rank on the left (-1 if there is no cut)."""
    m, min_leaf, tie = node.m, node.min_leaf, node.tie
    W, S, w, wy = node.W, node.S, scratch.w, scratch.wy
    best, where = -np.inf, -1
    W_left, s = 0.0, 0.0
    for k in range(m - min_leaf):
        i = keys[k] & _POSITION
        W_left += w[i]
        s += wy[i]
        if k + 1 >= min_leaf and keys[k + 1] >> _RANK != keys[k] >> _RANK:
            gain = _squared_gain(s, S, W_left, W)
            if gain > best + tie:
                best, where = gain, keys[k] >> _RANK
    return best, where


@inlined
def best_class_cut(node, scratch, keys):
    """The same for classes: with each example one class changes, and so do the terms of both sides."""
    m, kind, w, code = node.m, node.kind, scratch.w, scratch.code
    total, left, terms = scratch.total, scratch.left, scratch.terms
    best, where = -np.inf, -1
    W_left, left_term, right_term = 0.0, 0.0, node.term
    for c in range(len(total)):
        left[c] = terms[0, c] = 0.0
        terms[1, c] = _term(kind, total[c])
    for k in range(m - node.min_leaf):
        i = keys[k] & _POSITION
        c = code[i]
        W_left += w[i]
        left[c] += w[i]
        here, there = _term(kind, left[c]), _term(kind, total[c] - left[c])
        left_term += here - terms[0, c]
        right_term += there - terms[1, c]
        terms[0, c], terms[1, c] = here, there
        if k + 1 >= node.min_leaf and keys[k + 1] >> _RANK != keys[k] >> _RANK:
            gain = _gain(kind, node.W, W_left, left_term, right_term, node.term)
            if gain > best + node.tie:
                best, where = gain, keys[k] >> _RANK
    return best, where
