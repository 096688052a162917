r"""Features as ranks: the form in which the tree builder reads X.

A split search compares feature values with one another and never looks at their size. So each column is
replaced once by the *ranks* of its values (equal values share a rank): small integers, which can be sorted by
counting instead of comparing. The values themselves are needed only when a threshold is written down.

All trees of a forest, and all rounds of a boosting run, share one :class:`RankedColumns`.
"""

import numpy as np


class RankedColumns:
    """The columns of X as dense ranks.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Finite numbers.

    Attributes
    ----------
    ranks : int32 ndarray of shape (n_features, n_samples)
        ``ranks[j, i]`` is the position of ``X[i, j]`` among the different values of column j.
    values : float64 ndarray
        The different values of all columns, ascending within each column.
    start : int64 ndarray of shape (n_features + 1,)
        The values of column j are ``values[start[j]:start[j + 1]]``.

    Examples
    --------
    >>> columns = RankedColumns(np.array([[2.5, 1.0], [0.5, 1.0], [2.5, 3.0]]))
    >>> columns.ranks
    array([[1, 0, 1],
           [0, 0, 1]], dtype=int32)
    >>> columns.values, columns.start
    (array([0.5, 2.5, 1. , 3. ]), array([0, 2, 4]))
    """

    def __init__(self, X):
        n, d = X.shape
        self.ranks = np.empty((d, n), dtype=np.int32)
        values, self.start = [], np.zeros(d + 1, dtype=np.int64)
        for j, column in enumerate(np.ascontiguousarray(X.T, dtype=np.float64)):
            value, self.ranks[j] = np.unique(column, return_inverse=True)
            values.append(value)
            self.start[j + 1] = self.start[j] + len(value)
        self.values = np.concatenate(values)

    @property
    def shape(self):
        """(n_samples, n_features), as for X."""
        return self.ranks.shape[::-1]
