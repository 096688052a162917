r"""Split search: the best question that a node can ask.

A node holds m examples with weights :math:`w_i`. A question "is feature j at most theta?" sends some to the
left; W, W_L, W_R are the weights of node, left and right side. What is gained:

- *squared error* (regression; :math:`s = \sum_{left} w_i y_i`, S over the node):

  .. math:: \Delta = \frac{s^2}{W_L} + \frac{(S - s)^2}{W_R} - \frac{S^2}{W}
                   = \frac{(s W - S W_L)^2}{W\, W_L W_R}

- *Gini* (:math:`L_k, R_k, N_k` are the weights of class k left, right and in all):

  .. math:: \Delta = \frac{\sum_k L_k^2}{W_L} + \frac{\sum_k R_k^2}{W_R} - \frac{\sum_k N_k^2}{W}

  This is the squared error of the 0/1 indicator of each class, summed over the classes. For two classes the
  two indicators mirror each other: twice the squared error of one of them. So two classes take the short way.
- *entropy*: :math:`\Delta = W H(N) - W_L H(L) - W_R H(R)` with :math:`H(N) = -\sum_k \frac{N_k}{W} \log_2
  \frac{N_k}{W}`; this is W times the information I about the class.
- *normalised gain*: :math:`2 I / (H(N) + H(\text{sides}))`, where H(sides) is the entropy of the two weights
  :math:`W_L, W_R`. It lies in [0, 1] and does not favour unequal sides (Wehenkel; Geurts et al.).

**How the best threshold is found.** The examples of the node are sorted by the feature's rank and put on the
left one after another; each step changes one class weight, so every :math:`\Delta` costs a few operations,
however many classes there are. Where ranks are few (one-hot columns, pixel values), a table with one row per
rank replaces the sorting.

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
from numba import njit

from ..ties import TIE

SQUARED, GINI, ENTROPY, NORMALISED = range(4)
_LOST = 1e-13  # of large numbers, in their difference
_RANK = 32  # a key is (rank << 32) + position in the node: sorting keys sorts ranks
_POSITION = (1 << _RANK) - 1
_FEW = 64  # so many keys are sorted by comparing all with all


@njit(cache=True, nogil=True)
def _plog(x):
    """x log2 x, which is 0 at 0."""
    return x * np.log2(x) if x > 0.0 else 0.0


@njit(cache=True, nogil=True)
def _tie(kind, K, W, spread):
    """Gains that differ by no more are equal; ``spread`` is what a question can gain at most."""
    if K == 0:  # numbers to predict are centred: nothing large is subtracted
        return TIE * spread
    terms = _LOST * W * (1.0 if kind == GINI else 1.0 + abs(np.log2(W)))
    return TIE + terms / spread if kind == NORMALISED else TIE * spread + terms


@njit(cache=True, nogil=True)
def _squared_gain(s, S, W_left, W):
    """The gain in squared error; -1, no split, where rounding leaves nothing of a light side."""
    tilt, sides = s * W - S * W_left, W * W_left * (W - W_left)
    return tilt * tilt / sides if sides > 0.0 else -np.inf


@njit(cache=True, nogil=True)
def _gain(kind, W, W_left, left_term, right_term, node_term):
    """The gain of a split, from the sums over classes of c^2 (Gini) or c log c (entropy) of each side.

    It is -1, no split, where a side is so light that rounding leaves nothing of it.
    """
    W_right = W - W_left
    if W_left * W_right <= 0.0:
        return -np.inf
    if kind == GINI:
        # A sum of squares is no greater than the square of the sum: what rounding adds to a light side.
        left_term, right_term = min(left_term, W_left * W_left), min(right_term, W_right * W_right)
        return (left_term * W_right + right_term * W_left) / (W_left * W_right) - node_term / W
    information = (
        min(left_term - _plog(W_left), 0.0) + min(right_term - _plog(W_right), 0.0) - node_term + _plog(W)
    )
    if kind == ENTROPY:
        return information
    class_entropy = _plog(W) - node_term  # times W, as the other two
    side_entropy = _plog(W) - _plog(W_left) - _plog(W_right)
    entropies = class_entropy + side_entropy
    return 2.0 * information / entropies if entropies > 0.0 else -np.inf


@njit(cache=True, nogil=True)
def _term(kind, weight):
    """What a class of this weight adds to a side's term."""
    return weight * weight if kind == GINI else _plog(weight)


@njit(cache=True, nogil=True)
def _best_number_split(keys, m, w, wy, W, S, min_leaf, tie):
    """Squared error: the best threshold along sorted keys: gain and greatest rank on the left, or -1, -1."""
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


@njit(cache=True, nogil=True)
def _best_class_split(keys, m, w, codes, total, node_term, kind, W, min_leaf, tie, left, terms):
    """Classes: the same. ``left`` and ``terms`` are room for the class weights of the left side, and for the
    terms of both sides."""
    best, where = -np.inf, -1
    W_left, left_term, right_term = 0.0, 0.0, node_term
    for c in range(len(total)):
        left[c] = terms[0, c] = 0.0
        terms[1, c] = _term(kind, total[c])
    for k in range(m - min_leaf):
        i = keys[k] & _POSITION
        c = codes[i]
        W_left += w[i]
        left[c] += w[i]
        here, there = _term(kind, left[c]), _term(kind, total[c] - left[c])
        left_term += here - terms[0, c]
        right_term += there - terms[1, c]
        terms[0, c], terms[1, c] = here, there
        if k + 1 >= min_leaf and keys[k + 1] >> _RANK != keys[k] >> _RANK:
            gain = _gain(kind, W, W_left, left_term, right_term, node_term)
            if gain > best + tie:
                best, where = gain, keys[k] >> _RANK
    return best, where


@njit(cache=True, nogil=True)
def _sort(keys, spare, m, low, high):
    """Sort keys[:m], whose ranks lie between low and high; return the array that holds the result."""
    if m <= _FEW:
        # The place of a key is the number of smaller keys. That is m^2 comparisons, but of the kind that
        # a processor makes eight at a time and never guesses wrong.
        for k in range(m):
            place = 0
            for other in range(m):
                place += keys[other] < keys[k]
            spare[place] = keys[k]
        return spare
    # Least significant digit first, eight bits at a time; every pass keeps the order of the one before.
    count = np.empty(257, dtype=np.int64)
    shift = 0
    while (high - low) >> shift > 0:
        count[:] = 0
        for k in range(m):
            count[((((keys[k] >> _RANK) - low) >> shift) & 255) + 1] += 1
        for digit in range(1, 256):
            count[digit] += count[digit - 1]
        for k in range(m):
            digit = (((keys[k] >> _RANK) - low) >> shift) & 255
            spare[count[digit]] = keys[k]
            count[digit] += 1
        keys, spare = spare, keys
        shift += 8
    return keys


@njit(cache=True, nogil=True)
def _best_number_split_in_table(ranks, m, low, high, w, wy, W, S, min_leaf, tie, table):
    """Squared error when ranks are few: one row (weight, weighted y, count) for each rank."""
    rows = table[: high - low + 1]
    rows[:, :3] = 0.0
    for k in range(m):
        r = ranks[k] - low
        rows[r, 0] += w[k]
        rows[r, 1] += wy[k]
        rows[r, 2] += 1.0
    best, where = -np.inf, -1
    W_left, s, n_left = 0.0, 0.0, 0.0
    for r in range(high - low):
        if rows[r, 2] == 0.0:
            continue
        W_left += rows[r, 0]
        s += rows[r, 1]
        n_left += rows[r, 2]
        if n_left >= min_leaf and m - n_left >= min_leaf:
            gain = _squared_gain(s, S, W_left, W)
            if gain > best + tie:
                best, where = gain, r + low
    return best, where


@njit(cache=True, nogil=True)
def _best_class_split_in_table(
    ranks, m, low, high, w, codes, total, node_term, kind, W, min_leaf, tie, left, table
):
    """Classes when ranks are few: one row (weight of each class, count) for each rank."""
    K = len(total)
    rows = table[: high - low + 1]
    rows[:, : K + 1] = 0.0
    for k in range(m):
        r = ranks[k] - low
        rows[r, codes[k]] += w[k]
        rows[r, K] += 1.0
    best, where = -np.inf, -1
    n_left = 0.0
    left[:] = 0.0
    for r in range(high - low):
        if rows[r, K] == 0.0:
            continue
        n_left += rows[r, K]
        W_left, left_term, right_term = 0.0, 0.0, 0.0
        for c in range(K):
            left[c] += rows[r, c]
            W_left += left[c]
            left_term += _term(kind, left[c])
            right_term += _term(kind, total[c] - left[c])
        if n_left >= min_leaf and m - n_left >= min_leaf:
            gain = _gain(kind, W, W_left, left_term, right_term, node_term)
            if gain > best + tie:
                best, where = gain, r + low
    return best, where


@njit(cache=True, nogil=True)
def _one_number_split(ranks, m, cut, w, wy, W, S, min_leaf):
    """Squared error: the gain of the question "rank <= cut?", -1 if a side is too small."""
    n_left, W_left, s = 0, 0.0, 0.0
    for k in range(m):
        yes = ranks[k] <= cut  # multiplied, not branched on: half of such guesses would be wrong
        n_left += yes
        W_left += w[k] * yes
        s += wy[k] * yes
    if n_left < min_leaf or m - n_left < min_leaf:
        return -np.inf
    return _squared_gain(s, S, W_left, W)


@njit(cache=True, nogil=True)
def _one_class_split(ranks, m, cut, w, codes, total, node_term, kind, W, min_leaf, left):
    """Classes: the gain of the question "rank <= cut?", -1 if a side is too small."""
    n_left = 0
    left[:] = 0.0
    for k in range(m):
        yes = ranks[k] <= cut
        n_left += yes
        left[codes[k]] += w[k] * yes
    if n_left < min_leaf or m - n_left < min_leaf:
        return -np.inf
    W_left, left_term, right_term = 0.0, 0.0, 0.0
    for c in range(len(total)):
        W_left += left[c]
        left_term += _term(kind, left[c])
        right_term += _term(kind, total[c] - left[c])
    return _gain(kind, W, W_left, left_term, right_term, node_term)
