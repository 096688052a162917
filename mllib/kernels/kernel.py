r"""A kernel as an object, and the rules that build new kernels from old ones.

A *kernel* is a function k(x, z) that is an inner product in some space: there is a map :math:`\phi` with

.. math:: k(x, z) = \phi(x) \cdot \phi(z) .

Exactly those functions are kernels whose *Gram matrices* :math:`K_{ij} = k(x_i, x_j)` are symmetric and
positive semi-definite for every finite set of points [1]_. So nobody has to write down :math:`\phi`: it is
enough to know that the rules below keep :math:`K` positive semi-definite. With kernels :math:`k_1, k_2`,
a number :math:`c \ge 0`, a whole number p and a set of coordinates a,

============================= ======================================= =====================================
new kernel                    in code                                 why K stays positive semi-definite
============================= ======================================= =====================================
:math:`k_1 + k_2`             ``k1 + k2``                             :math:`v'K_1v + v'K_2v \ge 0`
:math:`k_1 k_2`               ``k1 * k2``                             :math:`\phi` holds all products
                                                                      :math:`\phi_1(x)_s \phi_2(x)_t` [2]_
:math:`c\,k_1`, :math:`k_1+c` ``c * k1``, ``k1 + c``                  the constant c is a kernel
:math:`k_1^p`                 ``k1 ** p``                             a product of p kernels
:math:`\sum_j c_j k_1^j`      ``k1.polynomial([c0, c1, ...])``        sum of products, if all c are >= 0
:math:`\exp k_1`              ``k1.exp()``                            limit of such polynomials
:math:`k_1(x_a, z_a)`         ``k1.on([0, 2])``                       K of the shorter points
:math:`k_1/\sqrt{k_1 k_1}`    ``k1.normalised()``                     :math:`\phi` divided by its length
============================= ======================================= =====================================

All are estimators in the sense of scikit-learn: ``clone`` copies them, and a grid search reaches the
parameters of the parts, for example ``kernel__left__gamma`` of ``SVC(kernel=RBF() + Linear())``.

References
----------
.. [1] Aronszajn (1950). "Theory of reproducing kernels". Transactions of the AMS 68.
.. [2] Schur (1911). "Bemerkungen zur Theorie der beschränkten Bilinearformen mit unendlich vielen
   Veränderlichen". Journal für die reine und angewandte Mathematik 140.
.. [3] Shawe-Taylor, Cristianini (2004). "Kernel Methods for Pattern Analysis". Cambridge University Press,
   section 3.4.
"""

from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator

__all__ = [
    "Constant",
    "Exp",
    "Kernel",
    "Normalised",
    "OnColumns",
    "PolynomialOf",
    "Power",
    "Product",
    "Scaled",
    "Sum",
]


class Kernel(BaseEstimator):
    """Base of all kernels. A new kernel writes ``_gram(X, Z)``; ``_diag(X)`` and ``against`` save time.

    Attributes
    ----------
    takes_vectors : bool
        True if points are rows of a matrix of numbers; False for kernels on strings and graphs, whose
        points are the items of any sequence.

    Examples
    --------
    >>> from mllib.kernels import RBF, Linear
    >>> kernel = 2 * RBF(gamma=0.5) * Linear() + 1
    >>> kernel
    2 * RBF(gamma=0.5) * Linear() + 1
    >>> kernel([[1.0, 0.0], [0.0, 1.0]])
    array([[3., 1.],
           [1., 3.]])
    >>> kernel.diag([[1.0, 0.0], [0.0, 1.0]])
    array([3., 3.])
    """

    takes_vectors = True

    def __call__(self, X, Z=None):
        """Gram matrix: entry (i, j) is k(x_i, z_j). Without ``Z`` it is square: Z = X."""
        X = self._points(X)
        if Z is None:
            return self._gram(X, X)
        Z = self._points(Z)
        if self.takes_vectors and X.shape[1] != Z.shape[1]:
            raise ValueError(f"X has {X.shape[1]} columns and Z has {Z.shape[1]}: not the same space")
        return self._gram(X, Z)

    def diag(self, X):
        """The numbers k(x_i, x_i), without computing a whole matrix where that can be avoided."""
        return self._diag(self._points(X))

    def against(self, Z):
        """A function that maps X to the Gram matrix of X and Z; what depends on Z alone is done once."""
        Z = self._points(Z)
        return lambda X: self._gram(X, Z)

    def _points(self, X):
        if not self.takes_vectors:
            return X
        X = np.asarray(X, dtype=np.float64)
        if X.ndim != 2:
            raise ValueError(f"{self} takes a matrix with one point per row, got an array of shape {X.shape}")
        return X

    def _gram(self, X, Z):
        raise NotImplementedError

    def _diag(self, X):
        return np.array([self._gram(X[i : i + 1], X[i : i + 1])[0, 0] for i in range(len(X))])

    # The rules as operators.

    def __add__(self, other):
        return Sum(self, _kernel(other)) if _summand(other) else NotImplemented

    def __radd__(self, other):
        return Sum(_kernel(other), self) if _summand(other) else NotImplemented

    def __mul__(self, other):
        if isinstance(other, Kernel):
            return Product(self, other)
        return Scaled(other, self) if _summand(other) else NotImplemented

    def __rmul__(self, other):
        return Scaled(other, self) if _summand(other) else NotImplemented

    def __pow__(self, exponent):
        return Power(self, exponent)

    def exp(self):
        """The kernel exp k(x, z)."""
        return Exp(self)

    def on(self, columns):
        """The kernel that sees these coordinates only."""
        return OnColumns(self, columns)

    def polynomial(self, coefficients):
        """The kernel c_0 + c_1 k + c_2 k^2 + ..., all c_j >= 0."""
        return PolynomialOf(self, coefficients)

    def normalised(self):
        """The cosine of the angle between the images of x and z."""
        return Normalised(self)


class Constant(Kernel):
    """k(x, z) = value >= 0: every point has the image sqrt(value).

    Examples
    --------
    >>> Constant(2.0)([[1.0], [5.0]])
    array([[2., 2.],
           [2., 2.]])
    """

    def __init__(self, value=1.0):
        self.value = value

    def _gram(self, X, Z):
        return np.full((len(X), len(Z)), float(_not_negative(self.value)))

    def _diag(self, X):
        return np.full(len(X), float(_not_negative(self.value)))

    def _points(self, X):
        return X

    def __repr__(self, N_CHAR_MAX=700):
        return f"{self.value:g}"


class _Pair(Kernel):
    """Two kernels and what joins their values."""

    def __init__(self, left, right):
        self.left = left
        self.right = right

    @property
    def takes_vectors(self):
        return all(k.takes_vectors for k in (self.left, self.right) if not isinstance(k, Constant))

    def _gram(self, X, Z):
        return self._join(self.left._gram(X, Z), self.right._gram(X, Z))

    def _diag(self, X):
        return self._join(self.left._diag(X), self.right._diag(X))

    def against(self, Z):
        left, right = self.left.against(Z), self.right.against(Z)
        return lambda X: self._join(left(X), right(X))


class Sum(_Pair):
    """k(x, z) = left(x, z) + right(x, z): the images side by side.

    Examples
    --------
    >>> from mllib.kernels import Linear
    >>> (Linear() + 1)([[2.0]], [[3.0]])
    array([[7.]])
    """

    _join = staticmethod(np.add)

    def __repr__(self, N_CHAR_MAX=700):
        return f"{self.left} + {self.right}"


class Product(_Pair):
    """k(x, z) = left(x, z) right(x, z): the image holds all products of coordinates of the two images.

    Examples
    --------
    >>> from mllib.kernels import Linear
    >>> (Linear() * Linear())([[2.0]], [[3.0]])
    array([[36.]])
    """

    _join = staticmethod(np.multiply)

    def __repr__(self, N_CHAR_MAX=700):
        return f"{_bracket(self.left)} * {_bracket(self.right)}"


class _Function(Kernel):
    """A function of the values of one kernel."""

    @property
    def takes_vectors(self):
        return self.kernel.takes_vectors

    def _points(self, X):
        return self.kernel._points(X)

    def _gram(self, X, Z):
        return self._of(self.kernel._gram(X, Z))

    def _diag(self, X):
        return self._of(self.kernel._diag(X))

    def against(self, Z):
        inner = self.kernel.against(Z)
        return lambda X: self._of(inner(X))


class Scaled(_Function):
    """factor * k, factor >= 0.

    Examples
    --------
    >>> from mllib.kernels import Linear
    >>> (3 * Linear())([[2.0]], [[3.0]])
    array([[18.]])
    """

    def __init__(self, factor, kernel):
        self.factor = factor
        self.kernel = kernel

    def _of(self, K):
        return _not_negative(self.factor) * K

    def __repr__(self, N_CHAR_MAX=700):
        return f"{self.factor:g} * {_bracket(self.kernel)}"


class Power(_Function):
    """k to the power of a whole number p >= 0.

    Examples
    --------
    >>> from mllib.kernels import Linear
    >>> ((Linear() + 1) ** 2)([[2.0]], [[3.0]])
    array([[49.]])
    >>> (Linear() ** 0.5)([[2.0]])
    Traceback (most recent call last):
    ...
    ValueError: a kernel to the power of 0.5 need not be a kernel; take a whole number >= 0
    """

    def __init__(self, kernel, exponent):
        self.kernel = kernel
        self.exponent = exponent

    def _of(self, K):
        if not isinstance(self.exponent, Integral) or self.exponent < 0:
            raise ValueError(
                f"a kernel to the power of {self.exponent} need not be a kernel; take a whole number >= 0"
            )
        return K ** int(self.exponent)

    def __repr__(self, N_CHAR_MAX=700):
        return f"{_bracket(self.kernel)} ** {self.exponent}"


class PolynomialOf(_Function):
    """c_0 + c_1 k + c_2 k^2 + ... with all c_j >= 0: with a negative c_j the result need not be a kernel.

    Examples
    --------
    >>> from mllib.kernels import Linear
    >>> Linear().polynomial([1, 0, 2])([[2.0]], [[3.0]])  # 1 + 2 * 6**2
    array([[73.]])
    """

    def __init__(self, kernel, coefficients):
        self.kernel = kernel
        self.coefficients = coefficients

    def _of(self, K):
        value = np.zeros_like(K)
        for coefficient in reversed(list(self.coefficients)):
            value *= K
            value += _not_negative(coefficient)
        return value


class Exp(_Function):
    """exp k.

    Examples
    --------
    >>> from mllib.kernels import Linear
    >>> Linear().exp()([[0.0]], [[3.0]])
    array([[1.]])
    """

    def __init__(self, kernel):
        self.kernel = kernel

    def _of(self, K):
        return np.exp(K)


class OnColumns(_Function):
    """k(x_a, z_a): only the coordinates in ``columns`` count.

    Examples
    --------
    >>> from mllib.kernels import Linear
    >>> Linear().on([1])([[2.0, 5.0]], [[3.0, 7.0]])
    array([[35.]])
    """

    def __init__(self, kernel, columns):
        self.kernel = kernel
        self.columns = columns

    def _gram(self, X, Z):
        return self.kernel._gram(X[:, self.columns], Z[:, self.columns])

    def _diag(self, X):
        return self.kernel._diag(X[:, self.columns])

    def against(self, Z):
        inner = self.kernel.against(self._points(Z)[:, self.columns])
        return lambda X: inner(X[:, self.columns])


class Normalised(_Function):
    r""":math:`k(x, z) / \sqrt{k(x, x)\, k(z, z)}`: the cosine between the images, 0 where an image is 0.

    Examples
    --------
    >>> from mllib.kernels import Linear
    >>> Linear().normalised()([[3.0, 4.0]], [[1.0, 0.0], [0.0, 0.0]])
    array([[0.6, 0. ]])
    """

    def __init__(self, kernel):
        self.kernel = kernel

    def _gram(self, X, Z):
        K = self.kernel._gram(X, Z)
        return K * _reciprocal_root(self.kernel._diag(X))[:, None] * _reciprocal_root(self.kernel._diag(Z))

    def _diag(self, X):
        return (self.kernel._diag(X) > 0).astype(float)

    def against(self, Z):
        Z = self._points(Z)
        inner, lengths = self.kernel.against(Z), _reciprocal_root(self.kernel._diag(Z))
        return lambda X: inner(X) * _reciprocal_root(self.kernel._diag(X))[:, None] * lengths


def _summand(other):
    return isinstance(other, (Kernel, Real)) and not isinstance(other, bool)


def _kernel(other):
    return other if isinstance(other, Kernel) else Constant(other)


def _not_negative(number):
    if not number >= 0:
        raise ValueError(f"{number} times a kernel need not be a kernel; take a number >= 0")
    return number


def _reciprocal_root(diagonal):
    return np.divide(1.0, np.sqrt(diagonal), out=np.zeros(len(diagonal)), where=diagonal > 0)


def _bracket(kernel):
    return f"({kernel})" if isinstance(kernel, Sum) else f"{kernel}"
