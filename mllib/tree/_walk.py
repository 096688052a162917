"""The walk of many points down a tree: question after question, only faster."""

import numpy as np

from .._compiled import njit


@njit
def leaves_of(X, feature, threshold, right):
    """Walk each row down to its leaf.

    Rows walk in groups, one step each in turn. While one waits for its node to come from memory the others go
    on, and as no branch depends on an answer, none is guessed wrong. Who has arrived leaves the group.
    """
    n, group = len(X), 64
    leaf = np.zeros(n, dtype=np.int32)
    if feature[0] < 0:
        return leaf
    row, at = np.empty(group + 1, dtype=np.int64), np.empty(group + 1, dtype=np.uint32)
    for start in range(0, n, group):
        walking = min(group, n - start)
        for k in range(walking):
            row[k], at[k] = start + k, 0
        while walking > 0:
            still = 0
            for k in range(walking):
                i, node = row[k], at[k]
                yes = X[i, np.uint32(feature[node])] <= threshold[node]
                no_child = np.uint32(right[node])  # read in any case: choosing a number is no branch
                node = np.uint32(node + 1) if yes else no_child
                leaf[i] = node
                row[still], at[still] = i, node
                still += feature[node] >= 0
            walking = still
    return leaf
