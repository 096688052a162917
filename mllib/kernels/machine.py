r"""What all kernel machines share: a kernel, a Gram matrix, and an expansion in support vectors.

Whatever is learned, classes or numbers, the fitted function has the form

.. math:: f(x) = \sum_i \beta_i\, k(x_i, x) + b

and only the *support vectors*, the points with :math:`\beta_i \ne 0`, must be kept. Here stands what does not
depend on the task: which kernel the parameters mean, who computes its Gram matrix, and how f is evaluated for
many points in little memory.
"""

from functools import partial

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..learner import Learner, knob
from ..parameters import Rule, integer, one_of, real
from ..ties import scores_of
from ..validation import check_items, check_X
from .gram import LazyGram, WholeGram
from .kernel import Kernel
from .vectors import RBF, Linear, named

CHUNK_BYTES = 1 << 19  # kernel values computed in one go when predicting
FAR = 30  # so many times their own spread away from the origin, points are shifted to have mean 0

NAMES = one_of("linear", "poly", "rbf", "sigmoid", "precomputed")
KERNEL = Rule(f"{NAMES.says}, a Kernel or a function", lambda k: NAMES.admits(k) or callable(k))


class KernelMachine(Learner):
    """Base of the kernel machines; ``fit`` of a machine asks ``_learn_gram`` for its matrix."""

    kernel: object = knob("rbf", KERNEL)
    degree: int = knob(3, integer(0))
    gamma: float | str = knob("scale", one_of("scale", "auto") | real(0))
    coef0: float = knob(0.0, real())

    _coefficients_sum_to_0 = True  # so w is the same wherever the origin is
    _centre = None  # what was subtracted from the points before their inner products were computed

    def _takes_vectors(self):
        return not isinstance(self.kernel, Kernel) or self.kernel.takes_vectors

    def _learn_gram(self, X):
        """Set ``kernel_`` (None if precomputed) and return the Gram matrix of the training points."""
        self._centre = None
        if self._pairwise:
            if X.shape[0] != X.shape[1]:
                raise ValueError(f"Precomputed matrix must be a square matrix. Input has shape {X.shape}.")
            self.kernel_ = None
            return WholeGram(X)
        self.kernel_ = named(self.kernel, X, gamma=self.gamma, degree=self.degree, coef0=self.coef0)
        if isinstance(self.kernel_, Linear) and self._coefficients_sum_to_0:
            self._centre = _centre_if_far(X)
        return LazyGram(self.kernel_, self._shifted(X))

    def _shifted(self, points):
        """The points as seen from ``_centre``, if there is one."""
        return points if self._centre is None else points - self._centre

    def _intercepts(self, biases):
        """What the biases of the shifted points become when these return to their places."""
        biases = np.array(biases)
        return biases if self._centre is None else biases - self._weights() @ self._centre

    def _keep(self, X, support):
        """Set ``support_`` and ``support_vectors_``."""
        self.support_ = support
        self.support_vectors_ = np.empty((0, 0)) if self.kernel_ is None else X[support]

    def _expand(self, X):
        """f(x) at each point."""
        check_is_fitted(self)
        largest = 1.0 if isinstance(self.kernel_, RBF) else None
        scores = partial(scores_of, w=self.dual_coef_[0], b=self.intercept_[0], largest=largest)
        return self._evaluate(X, self.support_vectors_, self.support_, scores)

    def _evaluate(self, X, points, rows, scores):
        """Scores of the points X, from their kernel values against ``points``, chunk by chunk.

        If the kernel is precomputed, X holds the values against all training points and ``rows`` says
        which to use.
        """
        X = check_X(self, X) if self._takes_vectors() else check_items(X)
        if len(rows) == 0:
            return scores(np.empty((len(X), 0)))
        # (Shifting one of the two factors is enough: so the sum is w . x with the w of ``coef_``.)
        kernel_values = None if self.kernel_ is None else self.kernel_.against(self._shifted(points))
        size = max(16, CHUNK_BYTES // (8 * max(1, len(rows))))
        results = []
        for first in range(0, len(X), size):
            chunk = X[first : first + size]
            results.append(scores(chunk[:, rows] if self.kernel_ is None else kernel_values(chunk)))
        return np.concatenate(results)

    @property
    def coef_(self):
        """Weights w, for the linear kernel."""
        if not isinstance(getattr(self, "kernel_", None), Linear):
            raise AttributeError("coef_ is only available when using a linear kernel")
        return self._weights()

    def _weights(self):
        return self.dual_coef_ @ self._shifted(self.support_vectors_)

    @property
    def _pairwise(self):
        return isinstance(self.kernel, str) and self.kernel == "precomputed"


class SolvedMachine(KernelMachine):
    """A kernel machine that :mod:`mllib.smo` trains."""

    tol: float = knob(1e-3, real(0, open_low=True))
    cache_size: float = knob(200, real(0, open_low=True))
    verbose: bool = knob(False)
    max_iter: int = knob(-1, integer(-1))

    def _options(self):
        """How the solver shall go about it."""
        return dict(tol=self.tol, max_iter=self.max_iter, cache_size=self.cache_size, verbose=self.verbose)

    def _learned(self, X, beta, solution):
        """Set what a machine with one coefficient for each example has learned."""
        support = np.flatnonzero(beta)
        self._keep(X, support)
        self.dual_coef_ = beta[None, support]
        self.intercept_ = self._intercepts([solution.bias])
        self.dual_objective_, self.duality_gap_ = solution.dual, solution.gap
        self.n_iter_, self.history_ = solution.n_iter, solution.history
        return self


def _centre_if_far(X):
    """The mean of the points if it is far from the origin, else None.

    Then a product of two points is a huge number that says next to nothing about them, and the digits that
    tell one point from another are rounded away.
    """
    centre = X.mean(axis=0)
    with np.errstate(over="ignore"):
        spread2 = np.sum((X - centre) ** 2) / len(X)
        return centre if np.sum(centre**2) > FAR**2 * spread2 else None
