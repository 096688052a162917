"""What a node of a growing tree sees of its examples, in the form in which the search for a cut takes it.

Numbers lose their mean, so that no digits are lost in the gains; two classes become the numbers 0 and 1 if
Gini's gain is asked for (see :mod:`mllib.tree.split`); more classes are added up one by one.
"""

from typing import NamedTuple

import numpy as np

from .._compiled import njit
from ..ties import TIE
from ._room import part
from .split import GINI, NORMALISED, _plog, _term

_LOST = 1e-13  # of large numbers, in their difference


class Node(NamedTuple):
    """What is true of all m examples of a node. (What is true of each: :class:`mllib.tree._room.Room`.)"""

    m: int
    number: bool  # numbers to predict, or two classes as the numbers 0 and 1
    kind: int
    min_leaf: int
    W: float
    S: float  # sum of wy
    term: float  # of all classes
    tie: float  # gains that differ by no more are equal


@njit
def _tie(kind, K, W, spread):
    """Gains that differ by no more are equal; ``spread`` is what a question can gain at most."""
    if K == 0:  # numbers to predict are centred: nothing large is subtracted
        return TIE * spread
    terms = _LOST * W * (1.0 if kind == GINI else 1.0 + abs(np.log2(W)))
    return TIE + terms / spread if kind == NORMALISED else TIE * spread + terms


@part
def look(data, limits, room, begin, end, value):
    """A node as it is, its impurity, and whether all are alike; its answer goes to ``value``."""
    m, K, kind, rows = end - begin, limits.n_classes, limits.kind, data.rows
    w, wy, code, total = room.w, room.wy, room.code, room.total
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
