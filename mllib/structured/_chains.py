"""A list of chains, or a table: which of the two is it, and is it well formed?"""

import numpy as np


def lengths_of(X):
    """Lengths of the chains, or None if X is a table: its items then are no tables themselves."""
    if hasattr(X, "__next__"):
        raise ValueError("X must be a list of chains or a table, not a generator")
    if isinstance(X, (list, tuple)) and not X:
        raise ValueError("X is empty: it must hold at least one chain or one row")
    if not isinstance(X, (list, tuple, np.ndarray)) or not len(X) or np.ndim(X[0]) != 2:
        return None
    shapes = [np.shape(chain) for chain in X]
    width = shapes[0][1]
    for number, shape in enumerate(shapes):
        if len(shape) != 2 or shape[0] < 1 or shape[1] != width:
            raise ValueError(
                f"each chain must have one row or more and {width} columns like the first; "
                f"chain {number} has shape {shape}"
            )
    return [length for length, _ in shapes]
