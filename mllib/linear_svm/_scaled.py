r"""Weights as a number times a vector, :math:`w = s v`, so that a step costs no more than what it looks at.

Shrinking w by a factor would touch every weight; so only s shrinks. The mean of all w on the way would touch
every weight, too. It is kept as :math:`\sum_t w_t = S v + u`: a new term :math:`s v` goes into the number S,
and when v moves by :math:`c x`, u moves by :math:`-S c x`, so that the sum stays what it was.
"""

from .._compiled import njit

# Below this the factor s is multiplied into v: long before it could underflow, and before v is so much longer
# than w that rounding errors of S v + u, where the greater part of both cancels, could be seen.
SMALLEST_SCALE = 1e-3


@njit
def multiply_in(s, v, u, total, average):
    """Make s v the new v, and with S = 0 the sum what it was."""
    if average:
        for j in range(len(v)):
            u[j] += total * v[j]
    for j in range(len(v)):
        v[j] *= s
