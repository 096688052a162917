r"""The maximum-margin hyperplane: the widest street between two classes that no point may enter.

The problem
-----------
Of all hyperplanes that separate the classes take the one whose nearest point is farthest away. Scaled so
that the nearest points have :math:`y_i (w \cdot \phi(x_i) + b) = 1`, its margin is
:math:`1 / \lVert w \rVert`, and it solves

.. math:: \min_{w, b}\; \tfrac12 \lVert w \rVert^2 \quad\text{subject to}\quad
   y_i (w \cdot \phi(x_i) + b) \ge 1 .

Its dual is that of the soft margin with :math:`C = \infty`: only :math:`\alpha_i \ge 0` and
:math:`\sum_i \alpha_i y_i = 0` remain [1]_. If the classes cannot be separated, no (w, b) satisfies the
constraints and the dual grows without end. So a run that does not settle soon is interrupted, and a
linear program decides which of the two it is. It works in coordinates of the span of the images, which
the eigenvectors of the Gram matrix give.

References
----------
.. [1] Boser, Guyon, Vapnik (1992). "A training algorithm for optimal margin classifiers". COLT.
"""

import numpy as np

from .. import smo
from ..kernels import Linear
from ..kernels.gram import centred
from ..kernels.machine import SolvedMachine
from ..learner import Classifier, warn_unfinished
from ..separable import is_separable
from ..validation import check_two_classes

LEAST_MARGIN = 1e-8  # a smaller one, relative to the size of the data, is taken for rounding
FIRST_LOOK = 50  # steps per point after which the linear program is asked


class HardMarginSVC(Classifier, SolvedMachine):
    r"""Maximum-margin classifier for two classes that can be separated.

    Parameters
    ----------
    kernel : {"linear", "poly", "rbf", "sigmoid", "precomputed"}, Kernel or function, default="linear"
        As in :class:`mllib.SVC`.
    degree, gamma, coef0
        Parameters of the kernels with a name, see :func:`mllib.kernels.named`.
    tol : float, default=1e-6
        Greatest violation of the optimality conditions.
    cache_size : float, default=200
        Megabytes for kernel values.
    verbose : bool, default=False
    max_iter : int, default=-1
        Greatest number of steps, -1 for no limit.

    Attributes
    ----------
    margin_ : float
        Distance of the hyperplane from the nearest training point, in the space of the kernel.
    coef_ : ndarray of shape (1, n_features)
        Weights w; for the linear kernel only.
    intercept_ : ndarray of shape (1,)
    support_, support_vectors_, dual_coef_
        Row numbers of the support vectors, the points, and :math:`y_i \alpha_i`.
    n_iter_ : int
    dual_objective_, duality_gap_ : float
        Value of the dual problem; and how much greater the primal value of the hyperplane is, after it
        has been scaled to satisfy all constraints.
    history_ : History
    kernel_ : Kernel or None

    Raises
    ------
    ValueError
        In ``fit``, if no hyperplane separates the classes.

    Examples
    --------
    >>> machine = HardMarginSVC().fit([[0, 0], [0, 1], [2, 0], [3, 1]], [0, 0, 1, 1])
    >>> machine.coef_.round(6), machine.intercept_.round(6), round(machine.margin_, 6)
    (array([[1., 0.]]), array([-1.]), 1.0)
    >>> HardMarginSVC().fit([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    Traceback (most recent call last):
    ...
    ValueError: The classes are not separable: ...
    """

    kernel: object = "linear"
    tol: float = 1e-6
    _binary = True

    def fit(self, X, y):
        """Find the hyperplane.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a sequence of strings or graphs for such kernels
        y : array-like of shape (n_samples,)

        Returns
        -------
        self : HardMarginSVC
        """
        X, y, self.classes_ = check_two_classes(self, X, y, vectors=self._takes_vectors())
        gram = self._learn_gram(X)
        solution = self._solve(gram, y)
        margins = y * (solution.output + solution.bias)
        length = np.sqrt(solution.beta @ solution.output)
        self.margin_ = float(margins.min() / length) if length > 0 else 0.0
        self._learned(X, solution.beta, solution)
        self.duality_gap_ = 0.5 / self.margin_**2 - solution.dual if self.margin_ > 0 else np.inf
        if solution.converged:
            smo.warn_of_rounding(gram, y, solution.beta, self.tol)
        else:
            warn_unfinished(
                f"SMO stopped after {self.n_iter_} steps (violation {solution.violation:.3g}, tol is "
                f"{self.tol:g}) at a hyperplane with margin {self.margin_:.6g} and duality gap "
                f"{self.duality_gap_:.3g}. Scaled data or a larger max_iter may help."
            )
        return self

    def _solve(self, gram, y):
        """Run SMO without upper limits; after a while make sure that there is something to be found."""
        problem = dict(target=y, lower=np.where(y > 0, 0.0, -np.inf), upper=np.where(y > 0, np.inf, 0.0))
        problem |= self._options()
        look = FIRST_LOOK * len(y) if self.max_iter < 0 else min(self.max_iter, FIRST_LOOK * len(y))
        first = smo.solve(gram, **problem | {"max_iter": look}, warn=False)
        if first.converged:
            return first
        self._insist_on_separability(gram, y)
        rest = self.max_iter if self.max_iter < 0 else self.max_iter - first.n_iter
        second = smo.solve(gram, **problem | {"max_iter": rest}, start=first.beta, warn=False)
        return second._replace(n_iter=first.n_iter + second.n_iter)

    def _insist_on_separability(self, gram, y):
        if isinstance(self.kernel_, Linear):
            coordinates = gram.X
        else:
            # Centred, and a column of zeros: what equal points differ by is rounding, and no coordinate.
            K = gram.whole()
            values, vectors = np.linalg.eigh(centred(K))
            real = values > 1e-12 * np.abs(K).max()
            coordinates = np.column_stack([np.zeros(len(K)), vectors[:, real] * np.sqrt(values[real])])
        answer = is_separable(coordinates, y)
        if answer:
            margin = (y * (coordinates @ answer.coef + answer.intercept)).min() / np.linalg.norm(answer.coef)
            if margin > LEAST_MARGIN * np.linalg.norm(coordinates, axis=1).max():
                return
            how = f"they come nearer to each other than {LEAST_MARGIN:g} times the size of the data"
        else:
            shared = np.flatnonzero(answer.certificate)
            how = (
                "a weighted mean of points of one class is also one of points of the other "
                f"({len(shared)} points, the first are rows {shared[:4].tolist()})"
            )
        raise ValueError(
            f"The classes are not separable: {how}. SVC lets points violate the margin; another kernel may "
            "separate them."
        )

    def decision_function(self, X):
        r"""Score of each point, :math:`w \cdot \phi(x) + b`; at least 1 in size at the training points."""
        return self._expand(X)
