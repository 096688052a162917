r"""The question of a node: some features are drawn, and the best cut of any of them wins.

``max_features`` of them are drawn without replacement at every node. Features that are constant in the node
count as drawn, as in scikit-learn, but the drawing goes on until one can be split. A feature found constant
in a node stays so below it and is not looked at again. With ``random_cuts`` each drawn feature gets a single
threshold, uniform between its least and greatest value in the node (extra-trees), instead of the best of all.

References
----------
.. [1] Breiman, L. (2001). "Random forests". Machine Learning 45, 5-32.
.. [2] Geurts, P., Ernst, D. and Wehenkel, L. (2006). "Extremely randomized trees". Machine Learning 63, 3-42.
"""

from typing import NamedTuple

import numpy as np

from ._room import part, uniform
from ._tables import one_cut, search


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


@part
def best_question(data, limits, node, room, begin, n_constant):
    """The feature (-1: none), the greatest rank that says yes, a random threshold, and n_constant anew.

    The first n_constant of ``room.features`` are known to be constant. Below a node only places behind those
    are touched, so they are still there when its other child is taken.
    """
    features, state, rank, ranks, rows = room.features, room.state, room.rank, data.ranks, data.rows
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
            gain = one_cut(node, room, where)
        else:
            gain, where = search(node, room, low, high)
        if where >= 0 and (gain > best + node.tie or (gain >= best - node.tie and f < best_feature)):
            best, best_feature, best_rank, best_cut = gain, f, where, cut
    return best_feature, best_rank, best_cut, n_constant


@part
def random_cut(values, low, high, state):
    """A threshold between the values of two ranks, and the last rank whose value is at most that."""
    least, most = values[low], values[high]
    cut = least + uniform(state) * (most - least)
    if not least <= cut < most:
        cut = least
    return low + np.searchsorted(values[low:high], cut, side="right") - 1, cut
