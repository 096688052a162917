"""Which coordinates of the dual need no look: those that press against their bounds ("shrinking")."""

from .._compiled import njit

EQUAL = 1e-10  # derivatives that differ by less are equal; the margin is 1


@njit
def _free_part(g, a, upper, low, high):
    """The derivative g of -D as far as its coordinate may follow it; and will this stay where it is?

    It stays if it presses against its bound harder than the largest and smallest free derivatives of the last
    epoch, ``high`` and ``low``, would have it.
    """
    if a <= 0.0:
        return min(g, 0.0), g > high + EQUAL
    if a >= upper:
        return max(g, 0.0), g < low - EQUAL
    return g, False
