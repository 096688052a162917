r"""Growing a tree: split the examples of a node in two, then do the same with each part.

**Algorithm.** Begin with a node that holds all examples. Take a node from the stack: if it is pure, too small
or too deep, it is a leaf. Otherwise look for the best question (:mod:`mllib.tree.split`), put its examples
that answer "yes" before those that answer "no", and push both halves. A node thus owns a stretch
``begin:end`` of one array of row numbers, and nothing is ever copied. Left halves are taken first, so nodes
are numbered as a reader visits them.

**Which features are asked.** ``max_features`` of them are drawn without replacement at every node. Features
that are constant in the node count as drawn, as in scikit-learn, but the drawing goes on until one can be
split. A feature found constant in a node stays so below it and is not looked at again. With
``random_cuts`` each drawn feature gets a single threshold, uniform between its least and greatest value in
the node (extra-trees), instead of the best of all.

**The seam for ensembles.** Prepare once, then grow as many trees as you like, from any thread::

    columns = RankedColumns(X)
    tree = grow(columns, codes, weights, n_classes=K, kind=GINI, max_features=3, seed=17)
    tree = grow(columns, y, weights)                         # regression: n_classes=0, kind=SQUARED

- ``weights`` say what each row counts: those of a bootstrap replicate are how often each row was drawn, rows
of
  weight zero are absent. No row is copied, no column is sorted again.
- ``seed`` is an integer; the same seed gives the same tree whatever the threads do.
- The work is one compiled call that releases the interpreter's lock.

References
----------
.. [1] Breiman, L., Friedman, J., Olshen, R. and Stone, C. (1984). Classification and Regression Trees.
   Wadsworth.
.. [2] Breiman, L. (2001). "Random forests". Machine Learning 45, 5-32.
.. [3] Geurts, P., Ernst, D. and Wehenkel, L. (2006). "Extremely randomized trees". Machine Learning 63, 3-42.
"""

import numpy as np
from numba import njit

from .split import (
    _RANK,
    GINI,
    SQUARED,
    _best_class_split,
    _best_class_split_in_table,
    _best_number_split,
    _best_number_split_in_table,
    _one_class_split,
    _one_number_split,
    _plog,
    _sort,
    _term,
    _tie,
)
from .structure import Tree

_DEEPEST = 2**31 - 1


def grow(
    columns,
    target,
    weights,
    *,
    n_classes=0,
    kind=SQUARED,
    max_depth=None,
    min_samples_split=2,
    min_samples_leaf=1,
    max_features=None,
    random_cuts=False,
    seed=0,
):
    """Grow one tree. Safe to call from many threads at once.

    Parameters
    ----------
    columns : RankedColumns
    target : ndarray of shape (n_samples,)
        int64 codes 0..n_classes-1, or float64 numbers if ``n_classes`` is 0.
    weights : float64 ndarray of shape (n_samples,)
        Rows of weight zero are absent.
    n_classes : int
        0 for regression.
    kind : int
        SQUARED, GINI, ENTROPY or NORMALISED of :mod:`mllib.tree.split`; regression knows SQUARED only.
    max_depth, min_samples_split, min_samples_leaf, max_features
        As in :class:`~mllib.tree.DecisionTreeClassifier`, as integers or None for no limit.
    random_cuts : bool
        One random threshold for each drawn feature instead of the best one.
    seed : int

    Returns
    -------
    Tree

    Examples
    --------
    >>> from mllib.tree import RankedColumns
    >>> columns = RankedColumns(np.array([[1.0], [2.0], [3.0], [4.0]]))
    >>> tree = grow(columns, np.array([5.0, 5.0, 7.0, 9.0]), np.ones(4), max_depth=1)
    >>> tree.threshold[0], tree.value.ravel()
    (np.float64(2.5), array([6.5, 5. , 8. ]))
    """
    n_samples, n_features = columns.shape
    rows = np.flatnonzero(weights > 0).astype(np.int32)
    codes, y = target, np.empty(0)
    if n_classes == 0:
        codes = np.empty(0, dtype=np.int64)
        y = target
    depth = _DEEPEST if max_depth is None else max_depth
    most_nodes = min(2 * len(rows) - 1, 2 ** min(depth + 1, 40) - 1)
    features = n_features if max_features is None else max_features
    limits = depth, min_samples_split, min_samples_leaf, features, most_nodes
    data = columns.ranks, columns.values, columns.start, rows, y, codes, weights
    parts = _grow(*data, n_classes, kind, *limits, random_cuts, seed)
    return Tree(*parts, n_features)


@njit(cache=True, nogil=True)
def _random(state):
    """The next of 2^32 - 1 numbers (Marsaglia's xorshift), in [0, 1)."""
    x = state[0]
    x ^= (x << 13) & 0xFFFFFFFF
    x ^= x >> 17
    x ^= (x << 5) & 0xFFFFFFFF
    state[0] = x
    return x / 4294967296.0


@njit(cache=True, nogil=True)
def _grow(
    ranks, values, start, rows, y, codes, weights,
    K, kind, max_depth, min_split, min_leaf, max_features, most_nodes, random_cuts, seed
):  # fmt: skip
    """Grow a tree over ``rows``; returns the flat arrays of :class:`Tree`."""
    n, d = len(rows), len(ranks)
    feature = np.empty(most_nodes, dtype=np.int32)
    threshold = np.empty(most_nodes)
    right = np.empty(most_nodes, dtype=np.int32)
    impurity = np.empty(most_nodes)
    n_samples = np.empty(most_nodes, dtype=np.int64)
    weight = np.empty(most_nodes)
    value = np.empty((most_nodes, max(K, 1)))

    # Two classes are one number: twice the squared error of the indicator is the Gini impurity.
    as_number = K == 0 or (K == 2 and kind == GINI)
    w, wy = np.empty(n), np.empty(n)  # of the rows of the node, in their order
    code = np.empty(n, dtype=np.int64)
    rank = np.empty(n, dtype=np.int32)
    keys, spare = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    aside = np.empty(n, dtype=np.int32)
    total, left, terms = np.zeros(K), np.zeros(K), np.zeros((2, K))
    table = np.empty((256, max(K + 1, 3)))

    # The features; the first n_constant of them are known to be constant in the node at hand. Below a node
    # only places behind those are touched, so they are still there when its other child is taken.
    features = np.arange(d)
    state = np.array([seed * 2654435761 % 4294967295 + 1], dtype=np.int64)
    for _ in range(10):
        _random(state)  # similar seeds begin alike: let them part

    stack = np.empty((64, 5), dtype=np.int64)  # begin, end, depth, parent if a right child else -1, constants
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3], stack[0, 4] = 0, n, 0, -1, 0
    height, node = 1, -1
    while height > 0:
        height -= 1
        begin, end, depth, parent, n_constant = stack[height]
        m = end - begin
        node += 1
        if parent >= 0:
            right[parent] = node

        # The node as it is: weight, value, impurity. ``spread`` is what a question can gain at most.
        W, S, node_term, alike = 0.0, 0.0, 0.0, 0
        if K == 0:
            first = y[rows[begin]]
            for k in range(m):
                i = rows[begin + k]
                w[k], wy[k] = weights[i], y[i] - first
                alike += wy[k] == 0.0
                W += w[k]
                S += w[k] * wy[k]
            mean, spread = S / W, 0.0
            for k in range(m):
                # Gains depend on differences only. Without the mean no digits are lost in them.
                off = wy[k] - mean
                wy[k] = w[k] * off
                spread += wy[k] * off
            value[node, 0], node_impurity, S = first + mean, spread / W, 0.0
        elif as_number:
            for k in range(m):
                i = rows[begin + k]
                c = codes[i]
                w[k], wy[k] = weights[i], weights[i] * c
                alike += c
                W += w[k]
                S += wy[k]
            alike = max(alike, m - alike)
            value[node, 0], value[node, 1] = (W - S) / W, S / W
            node_impurity = 2.0 * value[node, 0] * value[node, 1]
            spread = 0.5 * W * node_impurity
        else:
            total[:] = 0.0
            for k in range(m):
                i = rows[begin + k]
                w[k], code[k] = weights[i], codes[i]
                alike += code[k] == code[0]
                W += w[k]
                total[code[k]] += w[k]
            node_impurity = 0.0
            for c in range(K):
                share = total[c] / W
                value[node, c] = share
                node_impurity += share * (1.0 - share) if kind == GINI else -_plog(share)
                node_term += _term(kind, total[c])
            spread = W * node_impurity
        pure = alike == m
        n_samples[node], weight[node] = m, W
        impurity[node] = 0.0 if pure else node_impurity
        feature[node], threshold[node], right[node] = -2, np.nan, -1
        if pure or depth >= max_depth or m < min_split or m < 2 * min_leaf:
            continue

        # The best question among the features that are drawn.
        best, best_feature, best_rank, best_cut = -np.inf, -1, -1, 0.0
        tie = _tie(kind, K, W, spread)
        undrawn, constants_left, drawn = d, n_constant, 0
        found = False  # is there a feature that can be split?
        while undrawn > n_constant and (drawn < max_features or not found):
            drawn += 1
            p = n_constant
            if max_features < d:
                # A place among the features not drawn yet, of which constants_left are known constants.
                p = (
                    n_constant
                    - constants_left
                    + int(_random(state) * (undrawn - n_constant + constants_left))
                )
                if p < n_constant:
                    constants_left -= 1
                    continue
            f = features[p]
            low = high = ranks[f, rows[begin]]
            for k in range(m):
                r = ranks[f, rows[begin + k]]
                rank[k] = r
                low, high = min(low, r), max(high, r)
            if low == high:
                features[p], features[n_constant] = features[n_constant], f
                n_constant += 1
                continue
            undrawn -= 1
            features[p], features[undrawn] = features[undrawn], f
            found = True
            cut, where = 0.0, low
            if random_cuts:
                least, most = values[start[f] + low], values[start[f] + high]
                cut = least + _random(state) * (most - least)
                if not least <= cut < most:
                    cut = least
                upper = high
                while upper - where > 1:  # the last rank whose value is at most the cut
                    middle = (where + upper) // 2
                    if values[start[f] + middle] <= cut:
                        where = middle
                    else:
                        upper = middle
            if random_cuts or high - low == 1:  # a single question is to be judged
                if as_number:
                    gain = _one_number_split(rank, m, where, w, wy, W, S, min_leaf)
                else:
                    gain = _one_class_split(
                        rank, m, where, w, code, total, node_term, kind, W, min_leaf, left
                    )
            elif high - low < 256 and (high - low) * max(K, 1) <= 2 * m:
                if as_number:
                    gain, where = _best_number_split_in_table(
                        rank, m, low, high, w, wy, W, S, min_leaf, tie, table
                    )
                else:
                    gain, where = _best_class_split_in_table(
                        rank, m, low, high, w, code, total, node_term, kind, W, min_leaf, tie, left, table
                    )
            else:
                for k in range(m):
                    keys[k] = (np.int64(rank[k]) << _RANK) + k
                ordered = _sort(keys, spare, m, low, high)
                if as_number:
                    gain, where = _best_number_split(ordered, m, w, wy, W, S, min_leaf, tie)
                else:
                    gain, where = _best_class_split(
                        ordered, m, w, code, total, node_term, kind, W, min_leaf, tie, left, terms
                    )
            if where >= 0 and (gain > best + tie or (gain >= best - tie and f < best_feature)):
                best, best_feature, best_rank, best_cut = gain, f, where, cut
        if best_feature < 0:
            continue

        # Rows that answer yes to the front, the others behind them, each part in its old order.
        f, n_yes, n_no, next_rank = best_feature, 0, 0, _DEEPEST
        for k in range(begin, end):
            row = rows[k]
            r = ranks[f, row]
            yes = r <= best_rank
            rows[begin + n_yes] = aside[n_no] = row  # written to both, kept in one: nothing to guess wrong
            n_yes += yes
            n_no += 1 - yes
            next_rank = min(next_rank, _DEEPEST if yes else r)
        rows[begin + n_yes : end] = aside[:n_no]
        if not random_cuts:
            below, above = values[start[f] + best_rank], values[start[f] + next_rank]
            best_cut = below / 2 + above / 2  # not (below + above) / 2, which may overflow
            if not below <= best_cut < above:
                best_cut = below  # neighbouring floats have no midpoint
        feature[node], threshold[node] = f, best_cut
        if height + 2 > len(stack):
            stack = np.concatenate((stack, np.empty_like(stack)))
        stack[height] = begin + n_yes, end, depth + 1, node, n_constant
        stack[height + 1] = begin, begin + n_yes, depth + 1, -1, n_constant
        height += 2
    used = node + 1
    return (
        feature[:used].copy(),
        threshold[:used].copy(),
        right[:used].copy(),
        impurity[:used].copy(),
        n_samples[:used].copy(),
        weight[:used].copy(),
        value[:used].copy(),
    )
