r"""Kernel ridge regression: least squares with a penalty, in the space of a kernel.

The problem
-----------
.. math:: \min_w\; \sum_i v_i (y_i - w \cdot \phi(x_i))^2 + \lambda \lVert w \rVert^2 ,

with weights :math:`v_i` of the examples. In the given coordinates, :math:`\Phi` with rows
:math:`\phi(x_i)`, the solution for :math:`v = 1` is the *primal* one,
:math:`w = (\Phi^\top \Phi + \lambda I)^{-1} \Phi^\top y`, one equation for each coordinate. Because of

.. math:: (\Phi^\top \Phi + \lambda I)^{-1} \Phi^\top = \Phi^\top (\Phi \Phi^\top + \lambda I)^{-1}

(multiply both sides from the left and from the right to see it) the same w is
:math:`\sum_i a_i \phi(x_i)` with the *dual* solution [1]_

.. math:: a = (K + \lambda I)^{-1} y, \qquad f(x) = \sum_i a_i\, k(x_i, x) ,

one equation for each example, and :math:`\phi` enters through inner products only. Unlike in support
vector regression every :math:`a_i`, the residual :math:`y_i - f(x_i)` divided by :math:`\lambda`,
differs from 0: nothing is sparse, but there is a closed form. There is no bias: centre y, or add a
constant to the kernel.

References
----------
.. [1] Saunders, Gammerman, Vovk (1998). "Ridge regression learning algorithm in dual variables". ICML.
"""

from contextlib import suppress

import numpy as np
from scipy.linalg import cho_factor, cho_solve, lstsq
from sklearn.utils.validation import check_is_fitted

from .kernels.machine import KernelMachine
from .learner import Regressor, knob
from .parameters import one_of, real
from .validation import check_regression


class KernelRidge(Regressor, KernelMachine):
    r"""Ridge regression with a kernel.

    Parameters
    ----------
    alpha : float, default=1.0
        Strength :math:`\lambda` of the penalty.
    kernel : {"linear", "poly", "rbf", "sigmoid", "precomputed"}, Kernel or function, default="linear"
        As in :class:`mllib.SVC`.
    gamma : float or None, default=None
        Parameter of the kernels with a name; None means 1 / n_features.
    degree, coef0
        See :func:`mllib.kernels.named`.

    Attributes
    ----------
    dual_coef_ : ndarray of shape (n_samples,)
        The coefficients a.
    X_fit_ : ndarray of shape (n_samples, n_features)
        The training points; for a precomputed kernel the training matrix.
    kernel_ : Kernel or None

    Examples
    --------
    >>> machine = KernelRidge(alpha=1.0).fit([[1.0], [2.0]], [1.0, 2.0])
    >>> machine.dual_coef_.round(4), machine.predict([[6.0]]).round(4)  # w = 5/6
    (array([0.1667, 0.3333]), array([5.]))
    """

    _coefficients_sum_to_0 = False  # there is no bias: it matters where the origin is

    alpha: float = knob(1.0, real(0), first=True)
    kernel: object = "linear"
    gamma: float | str | None = knob(None, one_of(None, "scale", "auto") | real(0))
    coef0: float = 1.0

    def fit(self, X, y, sample_weight=None):
        """Solve the linear equations.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a sequence of strings or graphs for such kernels
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        self : KernelRidge
        """
        X, y, weights = check_regression(self, X, y, sample_weight, vectors=self._takes_vectors())
        K = self._learn_gram(X).whole()
        # With s = sqrt(v) the equations read (s K s + lambda) (a / s) = s y: symmetric, and v may be 0.
        s = np.sqrt(weights)
        self.dual_coef_ = s * _solve(s[:, None] * K * s + self.alpha * np.eye(len(y)), s * y)
        self.X_fit_ = X
        return self

    def predict(self, X):
        """Value of the function at each point."""
        check_is_fitted(self)
        return self._evaluate(X, self.X_fit_, np.arange(len(self.X_fit_)), lambda K: K @ self.dual_coef_)


def _solve(A, b):
    """Solve A x = b for a positive definite A; the shortest least-squares solution if A is singular.

    The unknowns are first measured in units that make the diagonal 1. So examples of very different size or
    weight are no reason to call A singular.
    """
    diagonal = np.diag(A)
    if diagonal.min() > 0:
        unit = 1 / np.sqrt(diagonal)
        with suppress(np.linalg.LinAlgError):
            factor = cho_factor(A * unit[:, None] * unit)
            pivots = np.diag(factor[0]) ** 2
            if pivots.min() > len(b) * np.finfo(float).eps:  # what is left of a 0 after rounding
                return unit * cho_solve(factor, unit * b)
    return lstsq(A, b)[0]
