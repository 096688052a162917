"""The search of a cut where sorting and comparing can be saved; :func:`mllib.tree.split.best_cut` would do.

Where ranks are few (one-hot columns, pixel values), a table with one row for each rank replaces the sorting;
where a single cut is to be judged, a sum does. Gains are the same but for rounding, which ties absorb.
"""

import numpy as np

from .._compiled import inlined
from .split import _RANK, _gain, _squared_gain, _term, best_class_cut, best_cut

_FEW = 64  # so many keys are sorted by comparing all with all
_RANKS = 256  # a table has so many rows


@inlined
def search(node, scratch, low, high):
    """The best cut of the ranks in ``scratch.rank``, which lie between ``low`` and ``high``."""
    if high - low == 1:
        return one_cut(node, scratch, low), np.int64(low)
    if high - low < _RANKS and (high - low) * max(len(scratch.total), 1) <= 2 * node.m:
        return best_cut_in_table(node, scratch, low, high)
    keys, rank = scratch.keys, scratch.rank
    for k in range(node.m):
        keys[k] = (np.int64(rank[k]) << _RANK) + k
    if sort(scratch, node.m, low, high):
        keys = scratch.spare
    return best_cut(node, scratch, keys) if node.number else best_class_cut(node, scratch, keys)


@inlined
def _gain_of_left(node, scratch):
    """The gain of a split from what is on the left: class weights, or the sums of w and wy."""
    left, total = scratch.left, scratch.total
    if node.number:
        return _squared_gain(left[1], node.S, left[0], node.W)
    W_left, left_term, right_term = 0.0, 0.0, 0.0
    for c in range(len(total)):
        W_left += left[c]
        left_term += _term(node.kind, left[c])
        right_term += _term(node.kind, total[c] - left[c])
    return _gain(node.kind, node.W, W_left, left_term, right_term, node.term)


@inlined
def one_cut(node, scratch, cut):
    """The gain of the question "rank <= cut?"; -inf if a side is too small."""
    m, ranks, w, wy, code, left = node.m, scratch.rank, scratch.w, scratch.wy, scratch.code, scratch.left
    n_left, W_left, s = 0, 0.0, 0.0
    left[:] = 0.0
    if node.number:
        for k in range(m):
            yes = ranks[k] <= cut  # multiplied, not branched on: half of such guesses would be wrong
            n_left += yes
            W_left += w[k] * yes
            s += wy[k] * yes
        left[0], left[1] = W_left, s
    else:
        for k in range(m):
            yes = ranks[k] <= cut
            n_left += yes
            left[code[k]] += w[k] * yes
    return -np.inf if n_left < node.min_leaf or m - n_left < node.min_leaf else _gain_of_left(node, scratch)


@inlined
def best_cut_in_table(node, scratch, low, high):
    """One row for each rank: the weight of each class, or the sums of w and wy, and the count."""
    m, ranks, w, wy, code, left = node.m, scratch.rank, scratch.w, scratch.wy, scratch.code, scratch.left
    sums = 2 if node.number else len(scratch.total)
    rows = scratch.table[: high - low + 1]
    rows[:, : sums + 1] = 0.0
    for k in range(m):
        r = ranks[k] - low
        if node.number:
            rows[r, 0] += w[k]
            rows[r, 1] += wy[k]
        else:
            rows[r, code[k]] += w[k]
        rows[r, sums] += 1.0
    best, where, n_left = -np.inf, -1, 0.0
    left[:] = 0.0
    for r in range(high - low):
        if rows[r, sums] == 0.0:
            continue
        n_left += rows[r, sums]
        for c in range(sums):
            left[c] += rows[r, c]
        if n_left >= node.min_leaf and m - n_left >= node.min_leaf:
            gain = _gain_of_left(node, scratch)
            if gain > best + node.tie:
                best, where = gain, r + low
    return best, where


@inlined
def sort(scratch, m, low, high):
    """Sort scratch.keys[:m], whose ranks lie between low and high; is the result in scratch.spare?"""
    keys, spare, count = scratch.keys, scratch.spare, scratch.count
    if m <= _FEW:
        # The place of a key is the number of smaller keys. That is m^2 comparisons, but of the kind that
        # a processor makes eight at a time and never guesses wrong.
        for k in range(m):
            place = 0
            for other in range(m):
                place += keys[other] < keys[k]
            spare[place] = keys[k]
        return True
    # Least significant digit first, eight bits at a time; every pass keeps the order of the one before.
    shift, swapped = 0, False
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
        keys, spare, swapped = spare, keys, not swapped
        shift += 8
    return swapped
