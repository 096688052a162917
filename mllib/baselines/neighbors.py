r"""Nearest neighbours: learn nothing, keep the examples, and let the closest ones vote.

References
----------
.. [1] Cover, T. M. and Hart, P. E. (1967). "Nearest neighbor pattern classification". IEEE Transactions on
   Information Theory 13(1), 21-27.
"""

import numpy as np
from scipy.sparse import issparse
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, ClassifierMixin

from mllib.parameters import check_arguments, check_parameters, infinity, integer, one_of, real
from mllib.validation import check_classification, check_X

__all__ = ["KNeighborsClassifier"]

_BLOCK = 4_000_000  # distances computed at a time: 32 MB


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
        "distance": votes count 1 / distance; examples at distance zero, if any, decide alone.
    p : float, default=2
        Distance :math:`(\sum_j |x_j - z_j|^p)^{1/p}`, at least 1; sparse data know 2 only.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    n_samples_fit_ : int

    References
    ----------
    .. [1] Cover, T. M. and Hart, P. E. (1967). "Nearest neighbor pattern classification". IEEE Transactions
       on Information Theory 13(1), 21-27.

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
        step = max(1, _BLOCK // self.n_samples_fit_)
        blocks = [self._closest(X[i : i + step], k) for i in range(0, X.shape[0], step)]
        distance, index = (np.concatenate(part) for part in zip(*blocks, strict=True))
        return (distance, index) if return_distance else index

    def _closest(self, X, k):
        distance = self._distances(X)
        index = np.argpartition(distance, k - 1, axis=1)[:, :k]
        # The k-th smallest distance is the edge. Where more than k examples are inside or on it, the
        # partition chose among those on the edge by chance: there choose the earliest.
        edge = np.take_along_axis(distance, index[:, -1:], axis=1)
        tied = np.flatnonzero((distance <= edge).sum(axis=1) > k)
        rank = np.sign(distance[tied] - edge[tied])
        index[tied] = np.argsort(rank, axis=1, kind="stable")[:, :k]
        near = np.take_along_axis(distance, index, axis=1)
        order = np.lexsort((index, near), axis=1)
        return np.take_along_axis(near, order, axis=1), np.take_along_axis(index, order, axis=1)

    def _distances(self, X):
        if not issparse(X) and not issparse(self._X):
            return cdist(X, self._X, metric="minkowski", p=self.p) if self.p != 2 else cdist(X, self._X)
        # |x - z|^2 = |x|^2 - 2 x.z + |z|^2 never makes the zeros of a sparse matrix explicit.
        product = X @ self._X.T
        product = product.toarray() if issparse(product) else np.asarray(product)
        square = _norms(X)[:, None] - 2 * product + _norms(self._X)
        return np.sqrt(np.maximum(square, 0.0))

    def predict_proba(self, X):
        """The shares of the classes among the votes."""
        distance, index = self.kneighbors(X)
        if self.weights == "uniform":
            vote = np.ones_like(distance)
        else:
            exact = distance == 0
            with np.errstate(divide="ignore"):
                vote = np.where(exact.any(axis=1, keepdims=True), exact, 1 / distance)
        votes = np.zeros((len(distance), len(self.classes_)))
        np.add.at(votes, (np.arange(len(distance))[:, None], self._codes[index]), vote)
        return votes / votes.sum(axis=1, keepdims=True)

    def predict(self, X):
        """The class with most votes; the first of equal ones."""
        votes = self.predict_proba(X)
        return self.classes_[votes.argmax(axis=1)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _norms(X):
    """Squared length of each row."""
    return np.asarray(X.multiply(X).sum(axis=1)).ravel() if issparse(X) else (X * X).sum(axis=1)
