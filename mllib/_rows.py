"""Rows of a table of numbers, dense or sparse: what compiled loops do with them, written once.

A loop over examples asks for the product of a row with weights, and for a multiple of the row to be added to
them. An array has an entry in every column; a CSR matrix, three arrays, stores few and says where they are.
Which of the two it is, is known when a loop is compiled, and costs nothing when it runs.
"""

import numpy as np

from ._compiled import BaseTuple, NoneType, njit, overload
from .ties import TIE


def canonical(X):
    """A CSR matrix whose rows name each column at most once (as sums of squares need); arrays unchanged.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> twice = csr_array(([1.0, 2.0], [0, 0], [0, 2]), shape=(1, 1))
    >>> twice.data, canonical(twice).data
    (array([1., 2.]), array([3.]))
    """
    if hasattr(X, "sum_duplicates") and not X.has_canonical_format:
        X = X.copy()  # the matrix may be the caller's own
        X.sum_duplicates()
    return X


def csr_arrays(X):
    """The three arrays of a CSR matrix in the types that the compiled loops take.

    Unsigned column numbers spare the loops the test for negative (Python-like) indices.
    """
    columns = X.indices.view(np.uint32) if X.indices.dtype == np.int32 else X.indices.astype(np.uint32)
    return X.data, columns, X.indptr.astype(np.int64, copy=False)


def squared_lengths(X):
    """Of each row of an array or of a CSR matrix.

    Examples
    --------
    >>> squared_lengths(np.array([[3.0, 4.0], [0.0, 2.0]]))
    array([25.,  4.])
    """
    if hasattr(X, "indptr"):
        squares = type(X)((X.data * X.data, X.indices, X.indptr), shape=X.shape)
        return squares @ np.ones(X.shape[1])
    return np.einsum("ij,ij->i", X, X)


def rows_of(X):
    """An array as it is, of a CSR matrix its three arrays: what the loops take."""
    return csr_arrays(X) if hasattr(X, "indptr") else X


def _entries(rows, i):
    """The columns of row i (None: all of them) and its values there."""
    if not isinstance(rows, tuple):
        return None, rows[i]
    values, columns, start = rows
    # Slices of one row each: the compiler then knows that both have the same length.
    return columns[start[i] : start[i + 1]], values[start[i] : start[i + 1]]


def _at(columns, p):
    """The column of entry p."""
    return p if columns is None else columns[p]


@overload(_entries, inline="always")
def _compiled_entries(rows, i):
    if isinstance(rows, BaseTuple):
        return lambda rows, i: (rows[1][rows[2][i] : rows[2][i + 1]], rows[0][rows[2][i] : rows[2][i + 1]])
    return lambda rows, i: (None, rows[i])


@overload(_at, inline="always")
def _compiled_at(columns, p):
    return (lambda columns, p: p) if isinstance(columns, NoneType) else (lambda columns, p: columns[p])


@njit(fastmath={"reassoc", "contract"})
def dot(rows, i, w):
    """The product of row i with the first weights; the order of the sum is left to the compiler.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> X, w = np.array([[1.0, 0.0, 2.0]]), np.array([3.0, 4.0, 5.0, 9.0])
    >>> print(dot(rows_of(X), 0, w), dot(rows_of(csr_array(X)), 0, w))
    13.0 13.0
    """
    columns, values = _entries(rows, i)
    total = 0.0
    for p in range(len(values)):
        total += w[_at(columns, p)] * values[p]
    return total


@njit
def add(rows, i, w, c):
    """Add c times row i to the first weights.

    Examples
    --------
    >>> w = np.array([3.0, 4.0])
    >>> add(np.array([[1.0, 0.0]]), 0, w, 10.0)
    >>> w
    array([13.,  4.])
    """
    columns, values = _entries(rows, i)
    for p in range(len(values)):
        w[_at(columns, p)] += c * values[p]


# Weights that are the sum of many steps are asked for a sign again and again. To see a tie, one must know how
# far rounding may have moved each of them: by a share of the greatest that it has ever been, its peak.


@njit
def add_watched(rows, i, w, c, offset, peak):
    """Add c times row i, and c times the offset in the last place; times the largest entry, that is how much?

    Examples
    --------
    >>> w, peak = np.array([3.0, 4.0, 0.0]), np.array([5.0, 4.0, 0.0])
    >>> add_watched(np.array([[1.0, 2.0]]), 0, w, 1.0, 1.0, peak), w, peak
    (3.0, array([4., 6., 1.]), array([5., 6., 1.]))
    """
    columns, values = _entries(rows, i)
    for p in range(len(values)):  # (No sum over these: the compiler then treats several p at once.)
        j = _at(columns, p)
        new = w[j] + c * values[p]
        w[j], peak[j] = new, max(peak[j], abs(new))
    w[-1] = bias = w[-1] + c * offset
    peak[-1] = max(peak[-1], abs(bias))
    return abs(c) * (len(values) + 1)


@njit
def tie_or_more(tau, rows, i, y, w, offset, peak):
    """What stands for y w.x near tau: tau itself if the sum in order is no greater but for rounding.

    Examples
    --------
    >>> X, w = np.array([[0.1, 0.2]]), np.array([1.0, 1.0, -0.3])
    >>> 0.1 + 0.2 - 0.3 <= 0.0, tie_or_more(0.0, X, 0, 1.0, w, 1.0, np.abs(w))
    (False, 0.0)
    """
    columns, values = _entries(rows, i)
    total, size = 0.0, 0.0
    for p in range(len(values)):
        j, x = _at(columns, p), values[p]
        total += w[j] * x
        size += peak[j] * abs(x)
    total += w[-1] * offset
    size += peak[-1] * offset
    return tau if y * total <= tau + TIE * size else np.inf
