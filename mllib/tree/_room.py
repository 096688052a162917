"""Room in which a tree grows, and its random numbers: nothing is allocated at a node."""

from typing import NamedTuple

import numpy as np

from .._compiled import njit

# Passing a tuple of arrays on takes numba longer than the work on a small node: it copies them all, and
# counts the references to each. So the parts of the loop over nodes become one function, which only borrows.
part = njit(inline="always")
whole = njit(_nrt=False)


class Room(NamedTuple):
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
def uniform(state):
    """The next of 2^32 - 1 numbers (Marsaglia's xorshift), in [0, 1)."""
    x = state[0]
    x ^= (x << 13) & 0xFFFFFFFF
    x ^= x >> 17
    x ^= (x << 5) & 0xFFFFFFFF
    state[0] = x
    return x / 4294967296.0


@njit
def room_for(n, K, d, seed):
    """Room for the work on n rows, and random numbers that begin with this seed."""
    state = np.array([seed * 2654435761 % 4294967295 + 1], dtype=np.int64)
    for _ in range(10):
        uniform(state)  # similar seeds begin alike: let them part
    return Room(
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
