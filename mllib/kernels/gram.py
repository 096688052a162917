r"""Gram matrices: are they positive semi-definite, how are they scaled and centred?

A symmetric matrix K is *positive semi-definite* if :math:`v^\top K v \ge 0` for every v, that is if no
eigenvalue is negative. One v with :math:`v^\top K v < 0` proves that K is the Gram matrix of no kernel: it
would be the squared length of :math:`\sum_i v_i \phi(x_i)`.

Solvers do not want to see a kernel or the points. They ask for blocks of a matrix, and one of two classes
answers: :class:`WholeGram` has the matrix, :class:`LazyGram` computes what it is asked for.

References
----------
.. [1] Schölkopf, Smola, Müller (1998). "Nonlinear component analysis as a kernel eigenvalue problem". Neural
   Computation 10. (Centring.)
"""

from typing import NamedTuple

import numpy as np

from ._gram import LazyGram as LazyGram
from ._gram import WholeGram as WholeGram
from .algebra import _reciprocal_root


class Definiteness(NamedTuple):
    """Answer of :func:`is_psd`; it is true or false itself.

    ``smallest`` and ``largest`` are eigenvalues; ``witness`` is None, or a unit vector v whose
    :math:`v^\\top K v` is ``smallest`` < 0.
    """

    psd: bool
    smallest: float
    largest: float
    witness: np.ndarray | None

    def __bool__(self):
        return self.psd


def is_psd(K, tol=1e-10):
    """Is this matrix symmetric and positive semi-definite?

    Parameters
    ----------
    K : array-like of shape (n, n)
    tol : float
        Rounding makes eigenvalues that should be 0 slightly negative: allowed is ``tol`` times the largest
        absolute eigenvalue.

    Returns
    -------
    Definiteness

    Examples
    --------
    >>> bool(is_psd([[2.0, 1.0], [1.0, 2.0]]))
    True
    >>> answer = is_psd([[1.0, 2.0], [2.0, 1.0]])
    >>> answer.psd, round(answer.smallest, 12)
    (False, -1.0)
    >>> float(answer.witness @ [[1.0, 2.0], [2.0, 1.0]] @ answer.witness) < 0
    True
    """
    K = np.asarray(K, dtype=np.float64)
    if K.ndim != 2 or K.shape[0] != K.shape[1]:
        raise ValueError(f"a Gram matrix is square, got an array of shape {K.shape}")
    if not np.isfinite(K).all():
        raise ValueError("the matrix holds NaN or infinite entries")
    symmetric = np.allclose(K, K.T, rtol=1e-10, atol=1e-10 * np.abs(K).max(initial=0))
    values, vectors = np.linalg.eigh((K + K.T) / 2)
    scale = np.abs(values).max(initial=0)
    psd = bool(symmetric and values[0] >= -tol * scale)
    witness = vectors[:, 0] if values[0] < -tol * scale else None
    return Definiteness(psd, float(values[0]), float(values[-1]), witness)


def normalised(K):
    r"""The Gram matrix of the images scaled to length 1: :math:`K_{ij} / \sqrt{K_{ii} K_{jj}}`.

    Examples
    --------
    >>> normalised([[4.0, 2.0], [2.0, 4.0]])
    array([[1. , 0.5],
           [0.5, 1. ]])
    """
    K = np.asarray(K, dtype=np.float64)
    roots = _reciprocal_root(np.diag(K))
    return K * roots[:, None] * roots


def centred(K, train=None):
    r"""The Gram matrix of the images after their mean has been moved to the origin.

    With :math:`\bar\phi = \frac1n \sum_j \phi(x_j)`, the mean over the *training* points,
    :math:`(\phi(z) - \bar\phi) \cdot (\phi(x_j) - \bar\phi)` is :math:`k(z, x_j)` minus the mean of its row,
    minus the mean of column j of the training matrix, plus the mean of all of that matrix.

    Parameters
    ----------
    K : array-like of shape (m, n)
        Kernel values of any points against the n training points.
    train : array-like of shape (n, n), optional
        Gram matrix of the training points; K itself by default.

    Examples
    --------
    >>> centred([[1.0, 0.0], [0.0, 1.0]])
    array([[ 0.5, -0.5],
           [-0.5,  0.5]])
    """
    K = np.asarray(K, dtype=np.float64)
    train = K if train is None else np.asarray(train, dtype=np.float64)
    return K - K.mean(axis=1, keepdims=True) - train.mean(axis=0) + train.mean()


def quadratic_features(X, coef0=0.0):
    r"""The feature map of :math:`(x \cdot z + c)^2`, :math:`c \ge 0`, written out.

    .. math:: \phi(x) = \bigl(x_i^2,\ \sqrt2\, x_i x_j \ (i < j),\ \sqrt{2c}\, x_i,\ c\bigr)

    The last two groups are left out if c = 0. For d coordinates there are :math:`d(d + 1)/2` products: the
    kernel needs about d multiplications where these features need :math:`d^2`.

    Examples
    --------
    >>> quadratic_features([[1.0, 2.0]]) @ quadratic_features([[3.0, 4.0]]).T  # (1*3 + 2*4)**2
    array([[121.]])
    """
    X = np.asarray(X, dtype=np.float64)
    i, j = np.triu_indices(X.shape[1], k=1)
    groups = [X**2, np.sqrt(2.0) * X[:, i] * X[:, j]]
    if coef0 < 0:
        raise ValueError(f"coef0 must be >= 0, got {coef0}")
    if coef0 > 0:
        groups += [np.sqrt(2.0 * coef0) * X, np.full((len(X), 1), float(coef0))]
    return np.hstack(groups)
