r"""Growing a tree: split the examples of a node in two, then do the same with each part.

**Algorithm.** Begin with a node that holds all examples. Take a node from the stack: if it is pure, too small
or too deep, it is a leaf. Otherwise look for the best question (:mod:`mllib.tree.split`), put its examples
that answer "yes" before those that answer "no", and push both halves. A node thus owns a stretch
``begin:end`` of one array of row numbers, and nothing is ever copied. Left halves are taken first, so nodes
are numbered as a reader visits them.

**A node** sees its examples in the form in which the search for a cut takes them (:func:`look`). Numbers lose
their mean, so that no digits are lost in the gains; two classes become the numbers 0 and 1 if Gini's gain is
asked for (see :mod:`mllib.tree.split`); more classes are added up one by one.

**A question** (:func:`best_question`): some features are drawn, and the best cut of any of them wins.
``max_features`` of them are drawn without replacement at every node. Features that are constant in the node
count as drawn, as in scikit-learn, but the drawing goes on until one can be split. A feature found constant
in a node stays so below it and is not looked at again. With ``random_cuts`` each drawn feature gets a single
threshold, uniform between its least and greatest value in the node (extra-trees), instead of the best of all.

**Ranks.** A split search compares feature values with one another and never looks at their size. So each
column is replaced once by the *ranks* of its values (equal values share a rank): small integers, which can be
sorted by counting instead of comparing. The values themselves are needed only when a threshold is written
down. All trees of a forest, and all rounds of a boosting run, share one :class:`RankedColumns`.

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
.. [2] Breiman, L. (2001). "Random forests". Machine Learning 45, 5-32.
.. [3] Geurts, P., Ernst, D. and Wehenkel, L. (2006). "Extremely randomized trees". Machine Learning 63, 3-42.
"""

from typing import NamedTuple

import numpy as np

from .._compiled import borrowing, inlined, njit
from ..ties import TIE
from ._tables import one_cut, search
from .split import GINI, NORMALISED, SQUARED, _plog, _term
from .structure import Tree

_NO_LIMIT = 2**31 - 1
_LOST = 1e-13  # of large numbers, in their difference


class RankedColumns:
    """The columns of X as dense ranks.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Finite numbers.

    Attributes
    ----------
    ranks : int32 ndarray of shape (n_features, n_samples)
        ``ranks[j, i]`` is the position of ``X[i, j]`` among the different values of column j.
    values : float64 ndarray
        The different values of all columns, ascending within each column.
    start : int64 ndarray of shape (n_features + 1,)
        The values of column j are ``values[start[j]:start[j + 1]]``.

    Examples
    --------
    >>> columns = RankedColumns(np.array([[2.5, 1.0], [0.5, 1.0], [2.5, 3.0]]))
    >>> columns.ranks
    array([[1, 0, 1],
           [0, 0, 1]], dtype=int32)
    >>> columns.values, columns.start
    (array([0.5, 2.5, 1. , 3. ]), array([0, 2, 4]))
    """

    def __init__(self, X):
        n, d = X.shape
        self.ranks = np.empty((d, n), dtype=np.int32)
        values, self.start = [], np.zeros(d + 1, dtype=np.int64)
        for j, column in enumerate(np.ascontiguousarray(X.T, dtype=np.float64)):
            value, self.ranks[j] = np.unique(column, return_inverse=True)
            values.append(value)
            self.start[j + 1] = self.start[j] + len(value)
        self.values = np.concatenate(values)

    @property
    def shape(self):
        """(n_samples, n_features), as for X."""
        return self.ranks.shape[::-1]


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


class Data(NamedTuple):
    """What a tree grows from: ranked columns, and what is said about each row."""

    ranks: np.ndarray  # of features x rows, see RankedColumns
    values: np.ndarray
    start: np.ndarray
    rows: np.ndarray  # those of positive weight; a node owns a stretch of them
    y: np.ndarray  # numbers to predict, or empty
    codes: np.ndarray  # classes, or empty
    weights: np.ndarray


class Limits(NamedTuple):
    """How a tree grows."""

    n_classes: int
    kind: int
    max_depth: int
    min_split: int
    min_leaf: int
    max_features: int
    random_cuts: bool


class Node(NamedTuple):
    """What is true of all m examples of a node. (What is true of each: :class:`Scratch`.)"""

    m: int
    number: bool  # numbers to predict, or two classes as the numbers 0 and 1
    kind: int
    min_leaf: int
    W: float
    S: float  # sum of wy
    term: float  # of all classes
    tie: float  # gains that differ by no more are equal


class Scratch(NamedTuple):
    """Arrays that every node uses again."""

    w: np.ndarray  # weights of the rows of the node, in their order
    wy: np.ndarray  # if numbers are predicted: times y minus its mean; of two classes times 0 and 1
    code: np.ndarray  # else the classes
    rank: np.ndarray  # of the feature that is looked at
    keys: np.ndarray
    spare: np.ndarray
    count: np.ndarray  # of digits
    total: np.ndarray  # weight of each class
    left: np.ndarray  # the same on the left
    terms: np.ndarray  # of the classes, left and right
    table: np.ndarray
    features: np.ndarray  # in some order, those known to be constant first
    state: np.ndarray  # of the random numbers


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
    scratch = scratch_for(n, K, len(data.ranks), seed)
    stack = np.empty((min(n, limits.max_depth) + 2, 5), dtype=np.int64)  # memory is taken as it is used
    return _grow_nodes(data, limits, scratch, nodes, stack), nodes


@borrowing
def _grow_nodes(data, limits, scratch, nodes, stack):
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
        node, impurity[t], pure = look(data, limits, scratch, begin, end, value[t])
        n_samples[t], weight[t] = node.m, node.W
        feature[t], threshold[t], right[t] = -2, np.nan, -1
        small = node.m < limits.min_split or node.m < 2 * limits.min_leaf
        if pure or depth >= limits.max_depth or small:
            continue
        f, rank, cut, n_constant = best_question(data, limits, node, scratch, begin, n_constant)
        if f < 0:
            continue
        middle, next_rank = _divide(data, scratch, begin, end, f, rank)
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


@njit
def _tie(kind, K, W, spread):
    """Gains that differ by no more are equal; ``spread`` is what a question can gain at most."""
    if K == 0:  # numbers to predict are centred: nothing large is subtracted
        return TIE * spread
    terms = _LOST * W * (1.0 if kind == GINI else 1.0 + abs(np.log2(W)))
    return TIE + terms / spread if kind == NORMALISED else TIE * spread + terms


@inlined
def look(data, limits, scratch, begin, end, value):
    """A node as it is, its impurity, and whether all are alike; its answer goes to ``value``."""
    m, K, kind, rows = end - begin, limits.n_classes, limits.kind, data.rows
    w, wy, code, total = scratch.w, scratch.wy, scratch.code, scratch.total
    weights, y, codes = data.weights, data.y, data.codes
    number = K == 0 or (K == 2 and kind == GINI)  # twice the squared error of the indicator is Gini's
    W, S, term, alike = 0.0, 0.0, 0.0, 0
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
        value[0], impurity, S = first + mean, spread / W, 0.0
    elif number:
        for k in range(m):
            i = rows[begin + k]
            c = codes[i]
            w[k], wy[k] = weights[i], weights[i] * c
            alike += c
            W += w[k]
            S += wy[k]
        alike = max(alike, m - alike)
        value[0], value[1] = (W - S) / W, S / W
        impurity = 2.0 * value[0] * value[1]
        spread = 0.5 * W * impurity
    else:
        total[:] = 0.0
        for k in range(m):
            i = rows[begin + k]
            w[k], code[k] = weights[i], codes[i]
            alike += code[k] == code[0]
            W += w[k]
            total[code[k]] += w[k]
        impurity = 0.0
        for c in range(K):
            share = total[c] / W
            value[c] = share
            impurity += share * (1.0 - share) if kind == GINI else -_plog(share)
            term += _term(kind, total[c])
        spread = W * impurity
    pure = alike == m
    tie = 0.0 if pure else _tie(kind, K, W, spread)
    node = Node(m, number, kind, limits.min_leaf, W, S, term, tie)
    return node, 0.0 if pure else impurity, pure


@inlined
def best_question(data, limits, node, scratch, begin, n_constant):
    """The feature (-1: none), the greatest rank that says yes, a random threshold, and n_constant anew.

    The first n_constant of ``scratch.features`` are known to be constant. Below a node only places behind
    those are touched, so they are still there when its other child is taken.
    """
    features, state, rank, ranks, rows = scratch.features, scratch.state, scratch.rank, data.ranks, data.rows
    d = len(ranks)
    best, best_feature, best_rank, best_cut = -np.inf, -1, -1, 0.0
    undrawn, constants_left, drawn = d, n_constant, 0
    while undrawn > n_constant and (drawn < limits.max_features or undrawn == d):
        drawn += 1
        p = n_constant
        if limits.max_features < d:
            # A place among the features not drawn yet, of which constants_left are known constants.
            p += int(uniform(state) * (undrawn - n_constant + constants_left)) - constants_left
            if p < n_constant:
                constants_left -= 1
                continue
        f = features[p]
        low = high = ranks[f, rows[begin]]
        for k in range(node.m):
            r = ranks[f, rows[begin + k]]
            rank[k] = r
            low, high = min(low, r), max(high, r)
        if low == high:
            features[p], features[n_constant] = features[n_constant], f
            n_constant += 1
            continue
        undrawn -= 1
        features[p], features[undrawn] = features[undrawn], f
        cut = 0.0
        if limits.random_cuts:
            where, cut = random_cut(data.values[data.start[f] :], low, high, state)
            gain = one_cut(node, scratch, where)
        else:
            gain, where = search(node, scratch, low, high)
        if where >= 0 and (gain > best + node.tie or (gain >= best - node.tie and f < best_feature)):
            best, best_feature, best_rank, best_cut = gain, f, where, cut
    return best_feature, best_rank, best_cut, n_constant


@inlined
def random_cut(values, low, high, state):
    """A threshold between the values of two ranks, and the last rank whose value is at most that."""
    least, most = values[low], values[high]
    cut = least + uniform(state) * (most - least)
    if not least <= cut < most:
        cut = least
    return low + np.searchsorted(values[low:high], cut, side="right") - 1, cut


@inlined
def _divide(data, scratch, begin, end, f, rank):
    """Rows that answer yes to the front, the others behind them, each part in its old order.

    Returns where the others begin, and their least rank.
    """
    rows, aside, ranks = data.rows, scratch.rank, data.ranks[f]  # the ranks are needed no more
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


@njit
def uniform(state):
    """The next of 2^32 - 1 numbers (Marsaglia's xorshift), in [0, 1)."""
    x = state[0]
    x ^= (x << 13) & 0xFFFFFFFF
    x ^= x >> 17
    x ^= (x << 5) & 0xFFFFFFFF
    state[0] = x
    return x / 4294967296.0


@njit
def scratch_for(n, K, d, seed):
    """Memory for the work on n rows, and random numbers that begin with this seed."""
    state = np.array([seed * 2654435761 % 4294967295 + 1], dtype=np.int64)
    for _ in range(10):
        uniform(state)  # similar seeds begin alike: let them part
    return Scratch(
        np.empty(n),
        np.empty(n),
        np.empty(n, dtype=np.int64),
        np.empty(n, dtype=np.int32),
        np.empty(n, dtype=np.int64),
        np.empty(n, dtype=np.int64),
        np.empty(257, dtype=np.int64),
        np.zeros(K),
        np.zeros(max(K, 2)),
        np.zeros((2, K)),
        np.empty((256, max(K + 1, 3))),
        np.arange(d),
        state,
    )
