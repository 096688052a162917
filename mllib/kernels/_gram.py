r"""Who computes which entry of a Gram matrix, and how: by one matrix product, without losing digits.

Where a kernel is a function of :math:`x \cdot z`, an entry costs about a nanosecond. The RBF kernel can have
this, too. Since

.. math:: -\gamma \lVert x - z \rVert^2
   = 2\gamma\, x \cdot z - \gamma \lVert x \rVert^2 - \gamma \lVert z \rVert^2
   = \bigl(2\gamma x,\ -\gamma\lVert x \rVert^2,\ 1\bigr) \cdot \bigl(z,\ 1,\ -\gamma\lVert z \rVert^2\bigr) ,

two more coordinates make the whole exponent an inner product. The three terms can be far greater than their
sum, and then rounding errors grow with them; so the points are first shifted to have mean 0, which changes no
distance. (If even then all points are far from 0, because a few very distant ones have moved the mean, the
median of each coordinate takes its place.)
"""

from functools import cached_property
from itertools import combinations

import numpy as np

from .._compiled import njit
from .kernel import Kernel

FAR = 1e4  # a term of the exponent of RBF from which its rounding errors may be seen
FEW = 300  # points whose matrix is computed in one go, whoever asks for parts of it
MEDIAN_OF = 100  # the median of a coordinate is taken of so many points


class OneProduct(Kernel):
    """A kernel whose Gram matrix is one matrix product and then a function of each entry.

    ``_prepare(Z)`` gives the right factor and a function that makes the left factor of X; ``_of`` is the
    function of the entries and may write into its argument.
    """

    def _prepare(self, Z):
        return Z.T, lambda X: X

    def _of(self, product):
        return product

    def _gram(self, X, Z):
        right, left_of = self._prepare(Z)
        left = left_of(X)
        if X is not Z:
            return self._of(left @ right)
        # Symmetric: only blocks on and right of the diagonal, small enough for the processor's cache.
        n = len(X)
        K = np.empty((n, n))
        step = 64 if n > 256 else 256
        below = np.tri(min(step, n), k=-1, dtype=bool)
        for first in range(0, n, step):
            rows = slice(first, first + step)
            block = self._of(left[rows] @ right[:, first:])
            m = len(block)  # the halves of the first square are rounded differently: keep one
            square = block[:, :m].copy()
            np.copyto(block[:, :m], square.T, where=below[:m, :m])
            K[rows, first:] = block
            if first + step < n:
                K[first + step :, rows] = block[:, step:].T
        return K

    def _diag(self, X):
        return self._of(np.einsum("ij,ij->i", X, X))

    def against(self, Z):
        right, left_of = self._prepare(self._points(Z))
        return lambda X, out=None: self._of(np.matmul(left_of(X), right, out=out))


def distance_factors(Z, gamma):
    r"""The right factor of :math:`-\gamma \lVert x - z \rVert^2`, and a function that gives the left one."""
    centre = Z.mean(axis=0)
    near = Z - centre
    size = -gamma * np.einsum("ij,ij->i", near, near)
    if size.max(initial=-np.inf) < -FAR:
        centre = np.median(Z[:: 1 + len(Z) // MEDIAN_OF], axis=0)
        near = Z - centre
        size = -gamma * np.einsum("ij,ij->i", near, near)

    def left_of(X):
        X = X - centre
        size = -gamma * np.einsum("ij,ij->i", X, X)
        return np.column_stack([2 * gamma * X, size, np.ones(len(X))])  # (2 gamma x, -gamma |x|^2, 1)

    return np.vstack([near.T, np.ones(len(Z)), size]), left_of  # (z, 1, -gamma |z|^2)


def small_power(entries, degree):
    """The power of each entry, in place."""
    if degree not in (2, 3):
        return np.power(entries, degree, out=entries)
    base = entries.copy()
    for _ in range(degree - 1):  # ten times faster than numpy's power
        entries *= base
    return entries


class WholeGram:
    """A Gram matrix that is in memory.

    Examples
    --------
    >>> gram = WholeGram([[2.0, 1.0], [1.0, 3.0]])
    >>> len(gram), gram.diag, gram.block([1])
    (2, array([2., 3.]), array([[1., 3.]]))
    """

    def __init__(self, K):
        self.K = np.ascontiguousarray(K, dtype=np.float64)
        if self.K.ndim != 2 or self.K.shape[0] != self.K.shape[1]:
            raise ValueError(f"a Gram matrix is square, got an array of shape {self.K.shape}")
        self.diag = np.ascontiguousarray(np.diag(self.K))

    def __len__(self):
        return len(self.K)

    def whole(self):
        """The matrix itself."""
        return self.K

    def part(self, points):
        """The matrix of some of the points."""
        return WholeGram(_square(self.K, points))

    def block(self, rows, columns=None, out=None):
        """Entries K[i, j] with i in rows and j in columns (all columns if None)."""
        chosen = self.K[rows]
        return chosen if columns is None else chosen.take(columns, axis=1)


@njit
def _square(K, points):
    """K[np.ix_(points, points)], three times as fast."""
    part = np.empty((len(points), len(points)))
    for i in range(len(points)):
        part[i] = K[points[i]][points]
    return part


class LazyGram:
    """The Gram matrix of a kernel and a set of points, of which each entry is computed when it is needed.

    Examples
    --------
    >>> from mllib.kernels import Linear
    >>> gram = LazyGram(Linear(), np.array([[1.0], [2.0], [3.0]]))
    >>> gram.block([2], [0, 1]), gram.diag
    (array([[3., 6.]]), array([1., 4., 9.]))
    """

    def __init__(self, kernel, X):
        self.kernel = kernel
        self.X = X
        self._rows = None

    def __len__(self):
        return len(self.X)

    @cached_property
    def diag(self):
        """The diagonal; who has the whole matrix never asks for it."""
        return self.kernel.diag(self.X)

    def whole(self):
        """The whole matrix, n by n."""
        return np.ascontiguousarray(self.kernel(self.X))

    def part(self, points):
        """The matrix of some of the points."""
        return LazyGram(self.kernel, _items(self.X, points))

    def block(self, rows, columns=None, out=None):
        """Entries k(x_i, x_j) with i in rows and j in columns (all columns if None).

        ``out`` is memory that whole rows may be written to, or may not: what is returned are the rows.
        """
        if columns is not None:
            return self.kernel(_items(self.X, rows), _items(self.X, columns))
        if self._rows is None:
            self._rows = self.kernel.against(self.X)
        return self._rows(_items(self.X, rows), out)


def each_two(gram, runs, n_bytes):
    """The matrix of each two runs of the points, one after the other; no kernel value is computed twice.

    (If the values within the runs and two of the matrices need more than ``n_bytes``, parts of ``gram``.)
    """
    gram = WholeGram(gram.whole()) if len(gram) <= FEW else gram
    places = [np.arange(run.start, run.stop) for run in runs]
    sizes = sorted(map(len, places))
    if 8 * (np.dot(sizes, sizes) + 2 * sum(sizes[-2:]) ** 2) > n_bytes:
        yield from (gram.part(np.append(a, b)) for a, b in combinations(places, 2))
        return
    within = [gram.part(run).whole() for run in places]
    for (a, K_a), (b, K_b) in combinations(zip(places, within, strict=True), 2):
        n = len(a)
        K = np.empty((n + len(b),) * 2)
        K[:n, :n], K[n:, n:] = K_a, K_b
        K[:n, n:] = gram.block(a, b)
        K[n:, :n] = K[:n, n:].T
        yield WholeGram(K)


def _items(X, numbers):
    """Rows of a matrix, or items of a list of strings or graphs."""
    return X[numbers] if isinstance(X, np.ndarray) else [X[i] for i in numbers]
