r"""A fresh random order for each epoch: exactly ``RandomState.permutation(n)``, in half the time.

To shuffle (Fisher and Yates), let i go from the last place down to 1, draw a place j from 0 to i, and
exchange what stands at i and j: then every order is equally likely. To draw j without bias, take as many
random bits as i needs, and if they say more than i, throw them away and draw again.

NumPy does that, and so for small examples the shuffling takes longer than the perceptron's look at them. What
costs the time is the question "more than i?", which comes out at random, so that the processor guesses its
answer wrongly again and again. Here nothing hangs on the answer: a rejected draw exchanges i with itself
and moves on by 0 in place of 1. Draws and rejections are NumPy's, one by one, hence so are the orders;
whoever repeats a walk with ``rng.permutation(n)`` gets the same walk.

References
----------
.. [1] Durstenfeld (1964). "Algorithm 235: random permutation". Communications of the ACM 7.
"""

import numpy as np

from .._compiled import njit

FEWEST, MOST = 1 << 12, 1 << 14  # random words drawn at once


def random_orders(n, rng):
    """Yield random orders of 0, ..., n - 1 without end.

    Parameters
    ----------
    n : int
    rng : numpy.random.RandomState
        Not to be used by anybody else from now on: words are drawn from it ahead.

    Examples
    --------
    >>> orders, rng = random_orders(5, np.random.RandomState(0)), np.random.RandomState(0)
    >>> next(orders), rng.permutation(5)
    (array([2, 0, 1, 3, 4]), array([2, 0, 1, 3, 4]))
    >>> next(orders), rng.permutation(5)
    (array([0, 2, 1, 4, 3]), array([0, 2, 1, 4, 3]))
    """
    words, used = np.empty(0, np.uint32), 0
    while True:
        order, place = np.arange(n), n - 1
        while place > 0:
            if used == len(words):
                words, used = rng.randint(0, 2**32, min(max(2 * n, FEWEST), MOST), np.uint32), 0
            place, used = _shuffle(order, place, words, used)
        yield order


@njit
def _shuffle(order, i, words, used):
    mask = 1
    while mask < i:
        mask = 2 * mask + 1
    while i > 0 and used < words.shape[0]:
        while mask >> 1 >= i:
            mask >>= 1
        j = np.int64(words[used]) & mask
        used += 1
        accepted = j <= i
        k = j if accepted else i
        here, there = order[i], order[k]
        order[i], order[k] = there, here
        i -= int(accepted)
    return i, used
