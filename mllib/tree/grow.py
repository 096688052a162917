r"""Growing a tree: split the examples of a node in two, then do the same with each part.

**Algorithm.** Begin with a node that holds all examples. Take a node from the stack: if it is pure, too small
or too deep, it is a leaf. Otherwise look for the best question (:mod:`mllib.tree.split`), put its examples
that answer "yes" before those that answer "no", and push both halves. A node thus owns a stretch
``begin:end`` of one array of row numbers, and nothing is ever copied. Left halves are taken first, so nodes
are numbered as a reader visits them. What a question is: :mod:`mllib.tree.question`.

**The seam for ensembles.** Prepare once, then grow as many trees as you like, from any thread::

    columns = RankedColumns(X)
    tree = grow(columns, codes, weights, n_classes=K, kind=GINI, max_features=3, seed=17)
    tree = grow(columns, y, weights)                         # regression: n_classes=0, kind=SQUARED

- ``weights`` say what each row counts: those of a bootstrap replicate are how often each row was drawn, and
  rows of weight zero are absent. No row is copied, no column is sorted again.
- ``seed`` is an integer; the same seed gives the same tree whatever the threads do.
- The work is one compiled call that releases the interpreter's lock.

References
----------
.. [1] Breiman, L., Friedman, J., Olshen, R. and Stone, C. (1984). Classification and Regression Trees.
   Wadsworth.
"""

import numpy as np

from .._compiled import njit
from ._look import look
from ._room import part, room_for, whole
from .question import Data, Limits, best_question
from .split import SQUARED
from .structure import Tree

_NO_LIMIT = 2**31 - 1


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
    n_features = columns.shape[1]
    max_depth = _NO_LIMIT if max_depth is None else max_depth
    max_features = n_features if max_features is None else max_features
    rows = np.flatnonzero(weights > 0).astype(np.int32)
    nothing = np.empty(0)
    y, codes = (target, nothing.astype(np.int64)) if n_classes == 0 else (nothing, target)
    # Plain tuples: to unpack a named one takes numba as long as a small tree.
    data = columns.ranks, columns.values, columns.start, rows, y, codes, weights
    limits = n_classes, kind, max_depth, min_samples_split, min_samples_leaf, max_features, random_cuts
    n_nodes, arrays = _grow(data, limits, seed)
    return Tree(*(array[:n_nodes].copy() for array in arrays), n_features)


@njit
def _grow(data, limits, seed):
    """Grow a tree over ``data.rows``; returns its size, and the arrays of :class:`Tree` with room behind."""
    data, limits = Data(*data), Limits(*limits)
    n, K = len(data.rows), limits.n_classes
    most_nodes = min(2 * n - 1, 2 ** min(limits.max_depth + 1, 40) - 1)
    nodes = (
        np.empty(most_nodes, dtype=np.int32),
        np.empty(most_nodes),
        np.empty(most_nodes, dtype=np.int32),
        np.empty(most_nodes),
        np.empty(most_nodes, dtype=np.int64),
        np.empty(most_nodes),
        np.empty((most_nodes, max(K, 1))),
    )
    room = room_for(n, K, len(data.ranks), seed)
    stack = np.empty((min(n, limits.max_depth) + 2, 5), dtype=np.int64)  # memory is taken as it is used
    return _grow_nodes(data, limits, room, nodes, stack), nodes


@whole
def _grow_nodes(data, limits, room, nodes, stack):
    """Take one node after another from the stack, and fill in its place in the arrays; how many are there?"""
    feature, threshold, right, impurity, n_samples, weight, value = nodes
    values, start = data.values, data.start
    # begin, end, depth, parent if a right child else -1, constants
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3], stack[0, 4] = 0, len(data.rows), 0, -1, 0
    height, t = 1, -1
    while height > 0:
        height -= 1
        begin, end, depth, parent, n_constant = stack[height]
        t += 1
        if parent >= 0:
            right[parent] = t
        node, impurity[t], pure = look(data, limits, room, begin, end, value[t])
        n_samples[t], weight[t] = node.m, node.W
        feature[t], threshold[t], right[t] = -2, np.nan, -1
        small = node.m < limits.min_split or node.m < 2 * limits.min_leaf
        if pure or depth >= limits.max_depth or small:
            continue
        f, rank, cut, n_constant = best_question(data, limits, node, room, begin, n_constant)
        if f < 0:
            continue
        middle, next_rank = _divide(data, room, begin, end, f, rank)
        if not limits.random_cuts:
            below, above = values[start[f] + rank], values[start[f] + next_rank]
            cut = below / 2 + above / 2  # not (below + above) / 2, which may overflow
            if not below <= cut < above:
                cut = below  # neighbouring floats have no midpoint
        feature[t], threshold[t] = f, cut
        stack[height] = middle, end, depth + 1, t, n_constant
        stack[height + 1] = begin, middle, depth + 1, -1, n_constant
        height += 2
    return t + 1


@part
def _divide(data, room, begin, end, f, rank):
    """Rows that answer yes to the front, the others behind them, each part in its old order.

    Returns where the others begin, and their least rank.
    """
    rows, aside, ranks = data.rows, room.rank, data.ranks[f]  # the ranks are needed no more
    n_yes, n_no, next_rank = 0, 0, _NO_LIMIT
    for k in range(begin, end):
        row = rows[k]
        r = ranks[row]
        yes = r <= rank
        rows[begin + n_yes] = aside[n_no] = row  # written to both, kept in one: nothing to guess wrong
        n_yes += yes
        n_no += 1 - yes
        next_rank = min(next_rank, _NO_LIMIT if yes else r)
    for k in range(n_no):
        rows[begin + n_yes + k] = aside[k]
    return begin + n_yes, next_rank
