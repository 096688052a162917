"""The rules that build kernels from kernels, each as a class; the operators of Kernel make these.

Every class says in ``_of`` what happens to the values; the table of rules, with the reasons
why they keep a Gram matrix positive semi-definite, is in :mod:`mllib.kernels.kernel`. A number that
could turn a kernel into something else (a negative factor, a broken exponent) is refused when the kernel
is used.
"""

from numbers import Integral

import numpy as np

from .kernel import Kernel


class Constant(Kernel):
    r""":math:`k(x, z) = c` with ``value`` :math:`c \ge 0`: every point has the image :math:`\sqrt c`.

    Examples
    --------
    >>> Constant(2.0)([[1.0], [5.0]])
    array([[2., 2.],
           [2., 2.]])
    """

    takes_vectors = None  # any points will do

    value: float = 1.0

    def _gram(self, X, Z):
        return np.full((len(X), len(Z)), float(_not_negative(self.value)))

    def _diag(self, X):
        return np.full(len(X), float(_not_negative(self.value)))

    def __repr__(self, N_CHAR_MAX=700):
        return f"{self.value:g}"


class _Combined(Kernel):
    """A function ``_of`` of the values of other kernels."""

    @property
    def _parts(self):
        """The kernels that this one is made of."""
        return [part for part in vars(self).values() if isinstance(part, Kernel)]

    @property
    def takes_vectors(self):
        known = [part.takes_vectors for part in self._parts if part.takes_vectors is not None]
        return all(known) if known else None

    def _gram(self, X, Z):
        return self._of(*(part._gram(X, Z) for part in self._parts))

    def _diag(self, X):
        return self._of(*(part._diag(X) for part in self._parts))

    def against(self, Z):
        first, *others = (part.against(Z) for part in self._parts)
        return lambda X, out=None: self._of(first(X, out), *(other(X) for other in others))


class Sum(_Combined):
    """k(x, z) = left(x, z) + right(x, z): the images side by side.

    Examples
    --------
    >>> from mllib.kernels import Linear
    >>> (Linear() + 1)([[2.0]], [[3.0]])
    array([[7.]])
    """

    left: Kernel
    right: Kernel
    _of = staticmethod(np.add)

    def __repr__(self, N_CHAR_MAX=700):
        return f"{self.left} + {self.right}"


class Product(_Combined):
    """k(x, z) = left(x, z) right(x, z): the image holds all products of coordinates of the two images.

    Examples
    --------
    >>> from mllib.kernels import Linear
    >>> (Linear() * Linear())([[2.0]], [[3.0]])
    array([[36.]])
    """

    left: Kernel
    right: Kernel
    _of = staticmethod(np.multiply)

    def __repr__(self, N_CHAR_MAX=700):
        return f"{_bracket(self.left)} * {_bracket(self.right)}"


class Scaled(_Combined):
    """factor * k, factor >= 0.

    Examples
    --------
    >>> from mllib.kernels import Linear
    >>> (3 * Linear())([[2.0]], [[3.0]])
    array([[18.]])
    """

    factor: float
    kernel: Kernel

    def _of(self, K):
        return _not_negative(self.factor) * K

    def __repr__(self, N_CHAR_MAX=700):
        return f"{self.factor:g} * {_bracket(self.kernel)}"


class Power(_Combined):
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

    kernel: Kernel
    exponent: int

    def _of(self, K):
        if not isinstance(self.exponent, Integral) or self.exponent < 0:
            raise ValueError(
                f"a kernel to the power of {self.exponent} need not be a kernel; take a whole number >= 0"
            )
        return K ** int(self.exponent)

    def __repr__(self, N_CHAR_MAX=700):
        compound = isinstance(self.kernel, (Sum, Product, Scaled, Power))
        return f"({self.kernel}) ** {self.exponent}" if compound else f"{self.kernel} ** {self.exponent}"


class PolynomialOf(_Combined):
    """c_0 + c_1 k + c_2 k^2 + ... with all c_j >= 0: with a negative c_j the result need not be a kernel.

    Examples
    --------
    >>> from mllib.kernels import Linear
    >>> Linear().polynomial([1, 0, 2])([[2.0]], [[3.0]])  # 1 + 2 * 6**2
    array([[73.]])
    """

    kernel: Kernel
    coefficients: object

    def _of(self, K):
        value = np.zeros_like(K)
        for coefficient in reversed(list(self.coefficients)):
            value *= K
            value += _not_negative(coefficient)
        return value


class Exp(_Combined):
    """exp k.

    Examples
    --------
    >>> from mllib.kernels import Linear
    >>> Linear().exp()([[0.0]], [[3.0]])
    array([[1.]])
    """

    kernel: Kernel
    _of = staticmethod(np.exp)


class OnColumns(_Combined):
    """k(x_a, z_a): only the coordinates in ``columns`` count.

    Examples
    --------
    >>> from mllib.kernels import Linear
    >>> Linear().on([1])([[2.0, 5.0]], [[3.0, 7.0]])
    array([[35.]])
    """

    takes_vectors = True

    kernel: Kernel
    columns: object

    def _gram(self, X, Z):
        part = X[:, self.columns]
        return self.kernel._gram(part, part if X is Z else Z[:, self.columns])

    def _diag(self, X):
        return self.kernel._diag(X[:, self.columns])

    def against(self, Z):
        inner = self.kernel.against(self._points(Z)[:, self.columns])
        return lambda X, out=None: inner(X[:, self.columns], out)


class Normalised(_Combined):
    r""":math:`k(x, z) / \sqrt{k(x, x)\, k(z, z)}`: the cosine between the images, 0 where an image is 0.

    Examples
    --------
    >>> from mllib.kernels import Linear
    >>> Linear().normalised()([[3.0, 4.0]], [[1.0, 0.0], [0.0, 0.0]])
    array([[0.6, 0. ]])
    """

    kernel: Kernel

    def _gram(self, X, Z):
        K = self.kernel._gram(X, Z)
        return K * _reciprocal_root(self.kernel._diag(X))[:, None] * _reciprocal_root(self.kernel._diag(Z))

    def _diag(self, X):
        return (self.kernel._diag(X) > 0).astype(float)

    def against(self, Z):
        Z = self._points(Z)
        inner, lengths = self.kernel.against(Z), _reciprocal_root(self.kernel._diag(Z))
        return lambda X, out=None: inner(X, out) * _reciprocal_root(self.kernel._diag(X))[:, None] * lengths


def _not_negative(number):
    if not number >= 0:
        raise ValueError(f"{number} times a kernel need not be a kernel; take a number >= 0")
    return number


def _reciprocal_root(diagonal):
    return np.divide(1.0, np.sqrt(diagonal), out=np.zeros(len(diagonal)), where=diagonal > 0)


def _bracket(kernel):
    return f"({kernel})" if isinstance(kernel, Sum) else f"{kernel}"
