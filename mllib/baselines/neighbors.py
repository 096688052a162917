r"""Nearest neighbours: learn nothing, keep the examples, and let the closest ones vote.

References
----------
.. [1] Cover, T. M. and Hart, P. E. (1967). "Nearest neighbor pattern classification". IEEE Transactions on
   Information Theory 13(1), 21-27.
"""

import numpy as np
from scipy.sparse import issparse
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, ClassifierMixin

from ..parameters import check_arguments, check_parameters, infinity, integer, one_of, real
from ..ties import TIE, first_greatest, settled
from ..validation import check_classification, check_X

__all__ = ["KNeighborsClassifier"]

_BLOCK = 4_000_000  # distances computed at a time: 32 MB
_FEW_FEATURES, _MANY_EXAMPLES = 8, 1000  # then a tree is faster than a look at all examples
_LARGE_P = 16  # from here on a power of a small difference may vanish
_NOTHING = 1e-300  # a distance of which 1 / distance may overflow


class KNeighborsClassifier(ClassifierMixin, BaseEstimator):
    r"""The k closest examples vote.

    As the number n of examples grows, the error of k = 1 tends to at most :math:`2 E^* (1 - E^*)` for two
    classes, where :math:`E^*` is the error of the best possible rule; with :math:`k \to \infty` and
    :math:`k/n \to 0` it tends to :math:`E^*`. In many dimensions "close" means little, and
    n never gets there.

    Parameters
    ----------
    n_neighbors : int, default=5
        The number k. Among examples at equal distance the earlier ones count as closer.
    weights : {"uniform", "distance"}, default="uniform"
        "distance": votes count 1 / distance; examples at distance zero (or below 1e-300), if any, decide
        alone.
    p : float, default=2
        Distance :math:`(\sum_j |x_j - z_j|^p)^{1/p}`, at least 1; sparse data know 2 only.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    n_samples_fit_ : int

    Notes
    -----
    All distances are computed, except where there are at most 8 features and 1000 examples or more: a k-d
    tree finds the neighbours, and the answers are the same to the last bit.

    References
    ----------
    .. [1] Cover, T. M. and Hart, P. E. (1967). "Nearest neighbor pattern classification". IEEE Transactions
       on Information Theory 13(1), 21-27.
    .. [2] Bentley, J. L. (1975). "Multidimensional binary search trees used for associative searching".
       Communications of the ACM 18(9), 509-517.

    Examples
    --------
    >>> model = KNeighborsClassifier(n_neighbors=3).fit([[0], [1], [2], [9]], ["a", "a", "b", "b"])
    >>> model.predict([[0.5], [8]]).tolist(), model.predict_proba([[8]]).tolist()
    (['a', 'b'], [[0.3333333333333333, 0.6666666666666666]])
    """

    def __init__(self, n_neighbors=5, *, weights="uniform", p=2):
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.p = p

    def fit(self, X, y):
        """Keep the examples."""
        check_parameters(
            self, n_neighbors=integer(1), weights=one_of("uniform", "distance"), p=real(1) | infinity()
        )
        self._X, self._codes, self.classes_, _ = check_classification(self, X, y, accept_sparse="csr")
        self.n_samples_fit_ = self._X.shape[0]
        if issparse(self._X) and self.p != 2:
            raise ValueError(f"Sparse data are compared with p=2 only. Got p={self.p!r}.")
        self._largest = abs(self._X).max()
        n, d = self._X.shape
        few = d <= _FEW_FEATURES and n >= _MANY_EXAMPLES and not issparse(self._X)
        # (A balanced tree takes long to build where values repeat.)
        self._tree = cKDTree(self._X, balanced_tree=False) if few else None
        return self

    def kneighbors(self, X, n_neighbors=None, return_distance=True):
        """The distances to the closest examples, and their numbers, both of shape (n_queries, k)."""
        k = self.n_neighbors if n_neighbors is None else n_neighbors
        X = check_X(self, X, accept_sparse="csr")
        check_arguments(n_neighbors=(k, integer(1)))
        if k > self.n_samples_fit_:
            raise ValueError(
                f"Expected n_neighbors <= n_samples_fit, but n_neighbors = {k}, "
                f"n_samples_fit = {self.n_samples_fit_}, n_samples = {X.shape[0]}"
            )
        climb = self._tree is not None and k < self.n_samples_fit_ and self.p < _LARGE_P
        find = self._closest_in_tree if climb and not issparse(X) and self._unit(X) == 1.0 else self._closest
        step = max(1, _BLOCK // self.n_samples_fit_)
        blocks = [find(X[i : i + step], k) for i in range(0, X.shape[0], step)]
        distance, index = (np.concatenate(part) for part in zip(*blocks, strict=True))
        return (distance, index) if return_distance else index

    def _closest(self, X, k):
        distance = self._distances(X)
        index = np.argpartition(distance, k - 1, axis=1)[:, :k]
        # The k-th smallest distance is the edge. Where more than k examples are inside or on it, the
        # partition chose among those on the edge by chance: there choose the earliest.
        edge = np.take_along_axis(distance, index[:, -1:], axis=1)
        tied = np.flatnonzero((distance <= (1 + TIE) * edge).sum(axis=1) > k)
        rank = np.sign(settled(distance[tied] - edge[tied], edge[tied]))
        index[tied] = np.argsort(rank, axis=1, kind="stable")[:, :k]
        near = np.take_along_axis(distance, index, axis=1)
        order = np.lexsort((index, near), axis=1)
        return np.take_along_axis(near, order, axis=1), np.take_along_axis(index, order, axis=1)

    def _closest_in_tree(self, X, k):
        """The same, without a look at all examples; but where rounding might decide, all are looked at."""
        rough, index = self._tree.query(X, k + 1, p=self.p)
        index = np.sort(index[:, :k], axis=1)
        near = np.array([_distances(x[None], self._X[i], self.p)[0] for x, i in zip(X, index, strict=True)])
        order = np.argsort(near, axis=1, kind="stable")
        near, index = (np.take_along_axis(part, order, axis=1) for part in (near, index))
        edge, beyond = rough[:, k - 1], rough[:, k]
        doubtful = (beyond <= (1 + 1e-9) * edge) | (beyond**self.p < 1e-280)
        if doubtful.any():
            near[doubtful], index[doubtful] = self._closest(X[doubtful], k)
        return near, index

    def _distances(self, X):
        """From each row of X to each example."""
        unit = self._unit(X)
        if unit == 1.0:
            return _distances(X, self._X, self.p)
        return unit * _distances(X / unit, self._X / unit, self.p)

    def _unit(self, X):
        """1, or the power of two in which to measure so that no p-th power leaves the range of floats."""
        power = int(np.frexp(max(abs(X).max(), self._largest))[1])
        return 2.0 ** min(power, 1023) if abs(power) * min(self.p, _LARGE_P) > 300 else 1.0

    def predict_proba(self, X):
        """The shares of the classes among the votes."""
        distance, index = self.kneighbors(X)
        if self.weights == "uniform":
            vote = np.ones_like(distance)
        else:
            exact = distance < _NOTHING
            with np.errstate(divide="ignore", over="ignore"):
                vote = np.where(exact.any(axis=1, keepdims=True), exact, 1 / distance)
        votes = np.zeros((len(distance), len(self.classes_)))
        np.add.at(votes, (np.arange(len(distance))[:, None], self._codes[index]), vote)
        return votes / votes.sum(axis=1, keepdims=True)

    def predict(self, X):
        """The class with most votes; the first of equal ones."""
        votes = self.predict_proba(X)
        return self.classes_[first_greatest(votes)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _distances(X, Z, p):
    """From each row of X to each of Z."""
    if issparse(X) or issparse(Z):
        # |x - z|^2 = |x|^2 - 2 x.z + |z|^2 never makes the zeros of a sparse matrix explicit.
        product = X @ Z.T
        product = product.toarray() if issparse(product) else np.asarray(product)
        square = _norms(X)[:, None] - 2 * product + _norms(Z)
        return np.sqrt(np.maximum(square, 0.0))
    if p == 2:
        return cdist(X, Z)
    if p < _LARGE_P or p == np.inf:
        return cdist(X, Z, metric="minkowski", p=p)
    largest = cdist(X, Z, metric="chebyshev")
    share = np.zeros_like(largest)  # sum over the features of (difference / largest difference)^p, at least 1
    for x, z in zip(X.T, Z.T, strict=True):
        share += (np.abs(x[:, None] - z) / np.where(largest > 0, largest, 1.0)) ** p
    return largest * share ** (1 / p)


def _norms(X):
    """Squared length of each row."""
    return np.asarray(X.multiply(X).sum(axis=1)).ravel() if issparse(X) else (X * X).sum(axis=1)
