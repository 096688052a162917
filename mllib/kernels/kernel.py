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

from dataclasses import dataclass
from inspect import get_annotations
from numbers import Real

import numpy as np
from sklearn.base import BaseEstimator


class Kernel(BaseEstimator):
    """Base of all kernels. A new kernel writes ``_gram(X, Z)``; ``_diag(X)`` and ``against`` save time.

    It names its parameters, ``gamma: float = 1.0``, and has the constructor that scikit-learn asks for.

    Attributes
    ----------
    takes_vectors : bool or None
        True if points are rows of a matrix of numbers; False for kernels on strings and graphs, whose
        points are the items of any sequence; None if both will do.

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

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        if get_annotations(cls):  # (not in vars: from Python 3.14 on they are made when asked for)
            dataclass(cls, eq=False, repr=False)

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
        """The numbers :math:`k(x_i, x_i)`, without computing a whole matrix where that can be avoided."""
        return self._diag(self._points(X))

    def against(self, Z):
        """A function that maps X to the Gram matrix of X and Z; what depends on Z alone is done once.

        Its second argument, ``out``, is memory that the matrix may be written to, or may not: what it returns
        is the matrix.
        """
        Z = self._points(Z)
        return lambda X, out=None: self._gram(X, Z)

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

    @property
    def _rules(self):
        """The module with the classes of the rules. (Imported when used: they need this class.)"""
        from . import algebra

        return algebra

    def __add__(self, other):
        """k1 + k2, or k + c."""
        if isinstance(other, Real):
            other = self._rules.Constant(other)
        return self._rules.Sum(self, other) if isinstance(other, Kernel) else NotImplemented

    def __radd__(self, other):
        """c + k."""
        return self._rules.Constant(other) + self if isinstance(other, Real) else NotImplemented

    def __mul__(self, other):
        """k1 * k2, or k * c."""
        return self._rules.Product(self, other) if isinstance(other, Kernel) else self.__rmul__(other)

    def __rmul__(self, other):
        """c * k."""
        return self._rules.Scaled(other, self) if isinstance(other, Real) else NotImplemented

    def __pow__(self, exponent):
        """k ** p."""
        return self._rules.Power(self, exponent)

    def exp(self):
        """The kernel exp k(x, z)."""
        return self._rules.Exp(self)

    def on(self, columns):
        """The kernel that sees these coordinates only."""
        return self._rules.OnColumns(self, columns)

    def polynomial(self, coefficients):
        r"""The kernel :math:`c_0 + c_1 k + c_2 k^2 + \dots`, all :math:`c_j \ge 0`."""
        return self._rules.PolynomialOf(self, coefficients)

    def normalised(self):
        """The cosine of the angle between the images of x and z."""
        return self._rules.Normalised(self)
