"""The search for a largest number, several at a time."""

from .._compiled import njit

STRETCH = 32  # entries that are compared at once


@njit
def _first_largest(score, share, less):
    """The first entry that is as large as this share of the largest, less so much.

    Most stretches hold nothing larger than what has been found; to see that takes no branch, and the
    compiler compares several entries at once.
    """
    top = score[0]
    for start in range(0, len(score), STRETCH):
        stretch = score[start : start + STRETCH]
        larger = False
        for k in range(len(stretch)):
            larger |= stretch[k] > top
        if larger:
            for k in range(len(stretch)):
                if stretch[k] > top:
                    top = stretch[k]
    enough = share * top - less
    for start in range(0, len(score), STRETCH):
        stretch = score[start : start + STRETCH]
        there = False
        for k in range(len(stretch)):
            there |= stretch[k] >= enough
        if there:
            for k in range(len(stretch)):
                if stretch[k] >= enough:
                    return start + k
    return 0
