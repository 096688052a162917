r"""Weights as a number times a vector, :math:`w = s v`, so that a step costs no more than what it looks at.

Shrinking w by a factor would touch every weight; so only s shrinks. The mean of all w on the way would touch
every weight, too. It is kept as :math:`\sum_t w_t = S v + u`: a new term :math:`s v` goes into the number S,
and when v moves by :math:`c x`, u moves by :math:`-S c x`, so that the sum stays what it was.
"""

import numpy as np
from numba import njit

from .._rows import add, dot

# Below this the factor s is multiplied into v: long before it could underflow, and before v is so much longer
# than w that rounding errors of S v + u, where the greater part of both cancels, could be seen.
SMALLEST_SCALE = 1e-3


@njit(cache=True, nogil=True)
def multiply_in(s, v, u, total, average):
    """Make s v the new v, and with S = 0 the sum what it was."""
    if average:
        for j in range(len(v)):
            u[j] += total * v[j]
    for j in range(len(v)):
        v[j] *= s


@njit(cache=True, nogil=True)
def add_scaled(rows, i, v, u, c, total, squares, radius, average):
    """Add c times row i to v; return by how much the square of its length grows, if anybody asks for it."""
    growth = c * (2.0 * dot(rows, i, v) + c * squares[i]) if radius < np.inf else 0.0
    add(rows, i, v, c)
    if average:
        add(rows, i, u, -total * c)
    return growth
