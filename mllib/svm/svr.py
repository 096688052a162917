r"""Support vector regression: a tube of half-width epsilon that costs nothing.

The problem
-----------
Errors up to :math:`\varepsilon` are free, beyond they cost in proportion:

.. math:: \min_{w, b}\; \tfrac12 \lVert w \rVert^2
   + \sum_i C_i \max(0,\ |y_i - w \cdot \phi(x_i) - b| - \varepsilon) .

With a multiplier :math:`a_i` for points above the tube and :math:`\hat a_i` for those below, the dual
problem is

.. math:: \max_{a, \hat a}\; \sum_i (a_i - \hat a_i) y_i - \varepsilon \sum_i (a_i + \hat a_i)
   - \tfrac12 \sum_{i,j} (a_i - \hat a_i)(a_j - \hat a_j) k(x_i, x_j) \quad\text{subject to}\quad
   \sum_i (a_i - \hat a_i) = 0, \quad 0 \le a_i, \hat a_i \le C_i ,

and :math:`f(x) = \sum_i (a_i - \hat a_i) k(x_i, x) + b` [1]_. A point inside the tube has
:math:`a_i = \hat a_i = 0`: it is no support vector, and the wider the tube the fewer there are.

This is the problem of :mod:`mllib.smo` in 2n variables: :math:`a_i` with target
:math:`y_i - \varepsilon` between 0 and :math:`C_i`, and :math:`-\hat a_i` with target
:math:`y_i + \varepsilon` between :math:`-C_i` and 0. The same loop that trains a classifier solves it.

References
----------
.. [1] Vapnik (1995). "The Nature of Statistical Learning Theory". Springer, chapter 6.
.. [2] Smola, Schölkopf (2004). "A tutorial on support vector regression". Statistics and Computing 14.
"""

import numpy as np

from .. import smo
from ..kernels.machine import SolvedMachine
from ..learner import Regressor, knob
from ..parameters import infinity, real
from ..validation import check_regression


class SVR(Regressor, SolvedMachine):
    r"""Support vector regression with the epsilon-insensitive loss.

    Parameters
    ----------
    kernel : {"linear", "poly", "rbf", "sigmoid", "precomputed"}, Kernel or function, default="rbf"
        As in :class:`mllib.SVC`.
    degree, gamma, coef0
        Parameters of the kernels with a name, see :func:`mllib.kernels.named`.
    tol : float, default=1e-3
        Greatest violation of the optimality conditions.
    C : float, default=1.0
        Price of an error beyond the tube.
    epsilon : float, default=0.1
        Half the width of the tube, in the unit of y.
    cache_size : float, default=200
        Megabytes for kernel values.
    verbose : bool, default=False
    max_iter : int, default=-1
        Greatest number of steps, -1 for no limit.

    Attributes
    ----------
    support_, support_vectors_
        Row numbers of the support vectors, and the points.
    dual_coef_ : ndarray of shape (1, n_SV)
        :math:`a_i - \hat a_i`.
    intercept_ : ndarray of shape (1,)
    coef_ : ndarray of shape (1, n_features)
        Weights w; for the linear kernel only.
    n_iter_ : int
    dual_objective_, duality_gap_ : float
        Value of the dual problem; and how much greater that of the primal problem is.
    history_ : History
    kernel_ : Kernel or None

    Examples
    --------
    The flattest line that passes all points at a distance of at most .5:

    >>> machine = SVR(kernel="linear", C=100, epsilon=0.5, tol=1e-9).fit([[0], [1], [2], [3]], [0, 1, 2, 3])
    >>> machine.coef_.round(4), machine.predict([[0], [3]]).round(4), machine.support_
    (array([[0.6667]]), array([0.5, 2.5]), array([0, 3]))
    """

    C: float = knob(1.0, real(0, open_low=True) | infinity())
    epsilon: float = knob(0.1, real(0))

    def fit(self, X, y, sample_weight=None):
        """Learn the function.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a sequence of strings or graphs for such kernels
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional
            Factors of C, one for each example.

        Returns
        -------
        self : SVR
        """
        X, y, weights = check_regression(self, X, y, sample_weight, vectors=self._takes_vectors())
        limit, zero, points = self.C * weights, np.zeros(len(y)), np.arange(len(y))
        solution = smo.solve(
            self._learn_gram(X),
            target=np.concatenate([y - self.epsilon, y + self.epsilon]),
            lower=np.concatenate([zero, -limit]),
            upper=np.concatenate([limit, zero]),
            owner=np.concatenate([points, points]),
            **self._options(),
        )
        self.fit_status_ = int(not solution.converged)
        return self._learned(X, solution.beta[: len(y)] + solution.beta[len(y) :], solution)

    def predict(self, X):
        """Value of the function at each point."""
        return self._expand(X)
