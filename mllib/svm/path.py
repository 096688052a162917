r"""All soft-margin machines at once: the solution as a function of C.

How does a support vector machine change while C grows? Between certain *breakpoints* nothing happens
that could not be said by a straight line. Sort the points by their state: L (on the wrong side of the
margin, :math:`\alpha_i = C`), E (the *elbow*: on the margin, :math:`0 < \alpha_i < C`) and R (beyond the
margin, :math:`\alpha_i = 0`). As long as no point changes its state, the optimality conditions are
linear equations for :math:`\alpha_E` and b,

.. math:: Q_{EE}\, \alpha_E + b\, y_E = 1 - C\, Q_{EL} 1, \qquad y_E \cdot \alpha_E = -C \sum_{i \in L} y_i ,

with :math:`Q_{ij} = y_i y_j k(x_i, x_j)`. C stands on the right-hand side only, so :math:`\alpha` and b
are affine in C. The next breakpoint is where an :math:`\alpha_i` of the elbow reaches 0 or C, or where a
point of L or R reaches the margin. Following the pieces from C = 0 on we get every machine there is for
little more than the price of one [1]_.

Examples that are equal, with the same label and the same row of the Gram matrix, would leave the equations
without a unique solution. So w of them become one whose limit is wC, and share its :math:`\alpha` equally.
What goes on at a breakpoint, and the cases in which several things happen at once, is in
:mod:`mllib.svm._path_walk`.

References
----------
.. [1] Hastie, Rosset, Tibshirani, Zhu (2004). "The entire regularization path for the support vector
   machine". Journal of Machine Learning Research 5.
"""

from functools import partial
from typing import NamedTuple

import numpy as np

from ..learner import warn_unfinished
from ..smo.solver import BAD_KERNEL
from ..ties import scores_of
from ..validation import check_two_classes
from ._path_walk import equal_examples, walk
from .svc import SVC


class PathPoint(NamedTuple):
    """One machine of a path.

    Attributes
    ----------
    C : float
    alpha : ndarray of shape (n_samples,)
    bias_low, bias_high : float
        Every b between the two is optimal. They are equal if the elbow is not empty.
    bias : float
        The middle of the two.
    """

    C: float
    alpha: np.ndarray
    bias_low: float
    bias_high: float
    bias: float


def svm_path(X, y, *, kernel="rbf", degree=3, gamma="scale", coef0=0.0, C_max=np.inf):
    """Compute the solutions of a soft-margin classifier for all C from 0 to ``C_max``.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features), or a sequence of strings or graphs for such kernels
    y : array-like of shape (n_samples,)
        Labels of two classes; the greater one is the positive.
    kernel, degree, gamma, coef0
        As in :class:`mllib.SVC`. The Gram matrix must be positive semi-definite.
    C_max : float
        Where to stop. Beyond some C the path is a single straight line, so infinity is no problem; but
        where the numbers become too large for float64 to tell which points are on the margin, the path
        ends earlier.

    Returns
    -------
    SVMPath

    Examples
    --------
    >>> path = svm_path([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1], kernel="linear")
    >>> path.breakpoints.round(4)
    array([0.    , 0.1667, 0.6667, 1.    , 2.    ])
    >>> path.at(0.1).alpha.round(4), path.at(1000).alpha.round(4)
    (array([0.1, 0.1, 0.1, 0.1]), array([0., 2., 2., 0.]))
    >>> path.decision_function([[1.5], [2.0]], C=1000).round(4)
    array([0., 1.])
    """
    machine = SVC(kernel=kernel, degree=degree, gamma=gamma, coef0=coef0, C=C_max)
    X, y, classes = check_two_classes(machine, X, y, vectors=machine._takes_vectors())
    K = machine._learn_gram(X).whole()
    if not np.isfinite(K).all():
        raise ValueError(BAD_KERNEL)
    machine._keep(X, np.arange(len(X)))
    one, group = equal_examples(K, y)
    weight = np.bincount(group).astype(np.float64)
    pieces, end = walk(K[np.ix_(one, one)], y[one], weight, C_max)
    if end < C_max:
        warn_unfinished(
            f"The path ends at C = {end:.3g}: beyond it the kernel values are too alike for float64 to tell "
            "which points are on the margin."
        )
    return SVMPath(machine, classes, y, pieces, end, lambda beta: (beta / weight)[:, group])


class SVMPath:
    """The solutions for all C, piece by piece; made by :func:`svm_path`.

    Attributes
    ----------
    breakpoints : ndarray of shape (n_pieces,)
        The C at which each piece begins; the first is 0.
    beta, beta_rate : ndarrays of shape (n_pieces, n_samples)
        :math:`y_i \\alpha_i` at the beginning of each piece, and its derivative with respect to C.
    low, low_rate, high, high_rate : ndarrays of shape (n_pieces,)
        The same for the least and the greatest optimal bias.
    y : ndarray of shape (n_samples,)
        Labels -1 and +1.
    classes_ : ndarray of shape (2,)
    C_max : float
        End of the last piece; infinite if nothing changes any more.
    """

    def __init__(self, machine, classes, y, pieces, end, share):
        self._machine = machine
        self.classes_, self.y, self.C_max = classes, y, end
        self.breakpoints = np.array([piece.C for piece in pieces])
        self.beta = share(np.array([piece.beta for piece in pieces]))
        self.beta_rate = share(np.array([piece.beta_rate for piece in pieces]))
        biases = np.array([piece.bias for piece in pieces])
        bias_rates = np.array([piece.bias_rate for piece in pieces])
        if machine._centre is not None:
            products = machine._shifted(machine.support_vectors_) @ machine._centre
            biases -= (self.beta @ products)[:, None]
            bias_rates -= (self.beta_rate @ products)[:, None]
        (self.low, self.high), (self.low_rate, self.high_rate) = biases.T, bias_rates.T

    def __len__(self):
        return len(self.breakpoints)

    def at(self, C):
        """The machine for this C, as a :class:`PathPoint`."""
        if not (0 <= C <= self.C_max and np.isfinite(C)):
            raise ValueError(f"C must be in [0, {self.C_max:g}], got {C!r}")
        k = self.breakpoints.searchsorted(C, side="right") - 1
        step = C - self.breakpoints[k]
        alpha = self.y * (self.beta[k] + step * self.beta_rate[k])
        low, high = self.low[k] + step * self.low_rate[k], self.high[k] + step * self.high_rate[k]
        return PathPoint(C, np.clip(alpha, 0.0, C) + 0.0, low, high, (low + high) / 2)

    def decision_function(self, X, C):
        """Score of each point by the machine for this C."""
        point, machine = self.at(C), self._machine
        beta = self.y * point.alpha
        sums = partial(scores_of, w=beta, b=point.bias)
        return machine._evaluate(X, machine.support_vectors_, machine.support_, sums)

    def predict(self, X, C):
        """Class of each point by the machine for this C."""
        return self.classes_[(self.decision_function(X, C) > 0).astype(np.intp)]
