r"""Kernels between vectors, and the names that estimators accept for them.

============== ================================================== ===========================
name           k(x, z)                                            class
============== ================================================== ===========================
"linear"       :math:`x \cdot z`                                  :class:`Linear`
"poly"         :math:`(\gamma\, x \cdot z + c_0)^d`               :class:`Polynomial`
"rbf"          :math:`\exp(-\gamma \lVert x - z \rVert^2)`        :class:`RBF`
"sigmoid"      :math:`\tanh(\gamma\, x \cdot z + c_0)`            :class:`Tanh` (not a kernel!)
               :math:`x^\top A z`                                 :class:`QuadraticForm`
"precomputed"  an entry of a given matrix                         :class:`Precomputed`
============== ================================================== ===========================

All Gram matrices here are one matrix product and something done to each entry of it. For the RBF kernel, too:
two more coordinates make :math:`-\gamma \lVert x - z \rVert^2` an inner product (:mod:`mllib.kernels._gram`).

References
----------
.. [1] Schölkopf, Smola (2002). "Learning with Kernels". MIT Press, chapter 2.
"""

import numpy as np

from ._exp import exp_in_place
from ._gram import OneProduct, distance_factors, small_power
from .kernel import Kernel


class Linear(OneProduct):
    r""":math:`k(x, z) = x \cdot z`.

    Examples
    --------
    >>> Linear()([[1.0, 2.0]], [[3.0, 4.0]])
    array([[11.]])
    """


class Polynomial(OneProduct):
    r""":math:`k(x, z) = (\gamma\, x \cdot z + c_0)^d` with :math:`c_0 \ge 0`: all monomials up to degree d.

    Examples
    --------
    >>> Polynomial(degree=2, gamma=1.0, coef0=1.0)([[1.0, 2.0]], [[3.0, 4.0]])
    array([[144.]])
    """

    degree: int = 3
    gamma: float = 1.0
    coef0: float = 0.0

    def _of(self, product):
        if not (self.degree >= 0 and self.degree % 1 == 0 and self.gamma >= 0 and self.coef0 >= 0):
            raise ValueError(
                f"{self} need not be a kernel; take a whole degree >= 0, and gamma and coef0 >= 0"
            )
        product *= self.gamma
        product += self.coef0
        return small_power(product, int(self.degree))


class RBF(OneProduct):
    r""":math:`k(x, z) = \exp(-\gamma \lVert x - z \rVert^2)`: alike on the scale :math:`1/\sqrt\gamma`.

    Examples
    --------
    >>> RBF(gamma=0.5)([[0.0], [2.0]]).round(4)
    array([[1.    , 0.1353],
           [0.1353, 1.    ]])
    """

    gamma: float = 1.0

    def _prepare(self, Z):
        if not 0 <= self.gamma < np.inf:
            raise ValueError(f"gamma must be finite and not negative, got {self.gamma!r}")
        return distance_factors(Z, self.gamma)

    def _of(self, exponent):
        return exp_in_place(exponent)  # of -gamma |x - z|^2, which is positive by rounding at most

    def _gram(self, X, Z):
        K = super()._gram(X, Z)
        if X is Z:
            np.fill_diagonal(K, 1.0)
        return K

    def _diag(self, X):
        return np.ones(len(X))


class Tanh(OneProduct):
    r""":math:`k(x, z) = \tanh(\gamma\, x \cdot z + c_0)`, the neuron of a network; in general no kernel.

    The Gram matrix of the two points 1 and 2 has a negative eigenvalue already. A support vector machine can
    still be trained with it, but its problem is not convex any more, and what it finds is a stationary
    point [1]_.

    References
    ----------
    .. [1] Lin, Lin (2003). "A study on sigmoid kernels for SVM and the training of non-PSD kernels by
       SMO-type methods". Technical report, National Taiwan University.

    Examples
    --------
    >>> import numpy as np
    >>> np.linalg.eigvalsh(Tanh()([[1.0], [2.0]])).round(3)
    array([-0.091,  1.852])
    """

    gamma: float = 1.0
    coef0: float = 0.0

    def _of(self, product):
        product *= self.gamma
        product += self.coef0
        return np.tanh(product, out=product)


class QuadraticForm(Kernel):
    r""":math:`k(x, z) = x^\top A z`, A symmetric positive semi-definite: linear after :math:`A^{1/2}`.

    Examples
    --------
    >>> QuadraticForm([[2.0, 0.0], [0.0, 1.0]])([[1.0, 1.0]], [[3.0, 4.0]])
    array([[10.]])
    >>> QuadraticForm([[1.0, 0.0], [0.0, -1.0]])([[1.0, 1.0]])
    Traceback (most recent call last):
    ...
    ValueError: x'Az is a kernel only if A is symmetric positive semi-definite; its least eigenvalue is -1
    """

    matrix: object

    def _root(self):
        A = np.asarray(self.matrix, dtype=np.float64)
        if A.ndim != 2 or A.shape[0] != A.shape[1] or not np.allclose(A, A.T):
            raise ValueError("x'Az is a kernel only if A is a symmetric matrix")
        values, vectors = np.linalg.eigh(A)
        if values[0] < -1e-10 * max(abs(values[0]), abs(values[-1])):
            raise ValueError(
                "x'Az is a kernel only if A is symmetric positive semi-definite; "
                f"its least eigenvalue is {values[0]:.3g}"
            )
        return A

    def _gram(self, X, Z):
        K = X @ self._root() @ Z.T
        return (K + K.T) / 2 if X is Z else K  # symmetric to the last digit

    def _diag(self, X):
        return np.einsum("ij,ij->i", X @ self._root(), X)


class Precomputed(Kernel):
    """Entries of a given matrix; a point is its row number, written as a matrix with one column.

    So a matrix that took long to compute joins the other kernels:
    ``Precomputed(K).on([0]) + RBF().on([1, 2])`` takes rows (number, :math:`x_1`, :math:`x_2`).

    Examples
    --------
    >>> Precomputed([[2.0, 1.0], [1.0, 3.0]])([[0], [1], [1]])
    array([[2., 1., 1.],
           [1., 3., 3.],
           [1., 3., 3.]])
    """

    matrix: object

    def _numbers(self, X):
        n = len(self.matrix)
        if X.shape[1] != 1 or not np.all((X >= 0) & (X < n) & (X == np.floor(X))):
            raise ValueError(f"points of this precomputed kernel are row numbers 0 to {n - 1} in one column")
        return X[:, 0].astype(np.intp)

    def _gram(self, X, Z):
        return np.asarray(self.matrix, dtype=np.float64)[np.ix_(self._numbers(X), self._numbers(Z))]


class FromFunction(Kernel):
    """A plain function of X and Z that returns their Gram matrix; nothing is known about it.

    Examples
    --------
    >>> FromFunction(lambda X, Z: (1 + X @ Z.T) ** 2)([[1.0]], [[2.0]])
    array([[9.]])
    """

    function: object

    def _gram(self, X, Z):
        K, n, m = np.asarray(self.function(X, Z), dtype=np.float64), len(X), len(Z)
        if K.shape != (n, m):
            raise ValueError(f"the kernel function must return an array of shape {n, m}, got {K.shape}")
        if not np.isfinite(K).all():
            raise ValueError("the kernel function returned NaN or infinite values")
        return K


def named(kernel, X=None, *, gamma="scale", degree=3, coef0=0.0):
    """The kernel that an estimator means by its parameters ``kernel``, ``gamma``, ``degree``, ``coef0``.

    Parameters
    ----------
    kernel : {"linear", "poly", "rbf", "sigmoid"}, Kernel or callable
        A kernel object is returned as it is; a plain function of (X, Z) is wrapped.
    X : ndarray of shape (n_samples, n_features), needed if gamma is a word
    gamma : {"scale", "auto"}, None or float
        "scale" is ``1 / (n_features * X.var())``, which does not depend on the unit of X; "auto" and None
        are ``1 / n_features``.
    degree, coef0
        As in :class:`Polynomial`.

    Examples
    --------
    >>> named("rbf", np.array([[1.0], [5.0]]))  # the variance is 4
    RBF(gamma=0.25)
    >>> named("poly", gamma=0.5, degree=2)
    Polynomial(degree=2, gamma=0.5)
    """
    if isinstance(kernel, Kernel):
        return kernel
    if callable(kernel):
        return FromFunction(kernel)
    if kernel == "linear":
        return Linear()
    if gamma == "scale":
        variance = float(X.var())
        gamma = 1.0 / (X.shape[1] * variance) if variance > 0 else 1.0
    elif gamma is None or gamma == "auto":
        gamma = 1.0 / X.shape[1]
    if kernel == "poly":
        return Polynomial(degree=degree, gamma=gamma, coef0=coef0)
    if kernel == "rbf":
        return RBF(gamma=gamma)
    if kernel == "sigmoid":
        return Tanh(gamma=gamma, coef0=coef0)
    raise ValueError(
        f"kernel must be 'linear', 'poly', 'rbf', 'sigmoid', a Kernel or a function, got {kernel!r}"
    )
