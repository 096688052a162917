r"""The support vector classifier with a soft margin.

The problem
-----------
Separate two classes by a wide margin, and let points violate it at a price: with labels
:math:`y_i = \pm 1` and the map :math:`\phi` of the kernel,

.. math:: \min_{w, b, \xi}\; \tfrac12 \lVert w \rVert^2 + \sum_i C_i \xi_i \quad\text{subject to}\quad
   y_i (w \cdot \phi(x_i) + b) \ge 1 - \xi_i, \quad \xi_i \ge 0 .

:math:`C_i = C \cdot` (weight of the class) :math:`\cdot` (weight of the example). The dual problem is

.. math:: \max_\alpha\; \sum_i \alpha_i - \tfrac12 \sum_{i,j} \alpha_i \alpha_j y_i y_j k(x_i, x_j)
   \quad\text{subject to}\quad \sum_i \alpha_i y_i = 0, \quad 0 \le \alpha_i \le C_i ,

and :math:`w = \sum_i \alpha_i y_i \phi(x_i)`. A point with :math:`\alpha_i = 0` lies on the right side
of the margin, one with :math:`0 < \alpha_i < C_i` exactly on it, one with :math:`\alpha_i = C_i` inside
or beyond [1]_. For :mod:`mllib.smo` this is the problem in :math:`\beta_i = \alpha_i y_i` with target
:math:`y_i`, which takes three lines of code.

With K classes one machine is trained for each of the K(K-1)/2 pairs and the machines vote [2]_. A pair
uses the points of its two classes only. Kernel values do not depend on labels, so all pairs share one
Gram matrix, sorted by class: the matrix of a pair consists of four rectangles cut out of it.

References
----------
.. [1] Cortes, Vapnik (1995). "Support-vector networks". Machine Learning 20.
.. [2] Knerr, Personnaz, Dreyfus (1990). "Single-layer learning revisited: a stepwise procedure for
   building and training a neural network". Neurocomputing, Springer.
.. [3] Chang, Lin (2011). "LIBSVM: a library for support vector machines". ACM Transactions on Intelligent
   Systems and Technology 2.
"""

from itertools import combinations

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .. import smo
from ..kernels._gram import each_two
from ..kernels.machine import SolvedMachine
from ..learner import Classifier, knob
from ..parameters import boolean, infinity, instance_of, one_of, real
from ..ties import FAINT, settled
from ..validation import check_classification, class_factors


class SVC(Classifier, SolvedMachine):
    r"""Support vector classifier, for two classes or one against one.

    Parameters
    ----------
    C : float, default=1.0
        Price of a violation of the margin. Small C: wide margin, many violations; large C: the reverse.
    kernel : {"linear", "poly", "rbf", "sigmoid", "precomputed"}, Kernel or function, default="rbf"
        A name, an object of :mod:`mllib.kernels`, or a function of (X, Z) that returns the Gram matrix. With
        "precomputed" X is the Gram matrix itself: (n, n) in ``fit``, (m, n) in ``predict``.
    degree, gamma, coef0
        Parameters of the kernels with a name, see :func:`mllib.kernels.named`.
    tol : float, default=1e-3
        Greatest violation of the optimality conditions.
    cache_size : float, default=200
        Megabytes for kernel values.
    class_weight : dict, "balanced" or None, default=None
        Factors of C. "balanced" gives each class the weight ``n_samples / (n_classes * size)``.
    verbose : bool, default=False
    max_iter : int, default=-1
        Greatest number of steps of one machine, -1 for no limit.
    decision_function_shape : {"ovr", "ovo"}, default="ovr"
        Whether the decision function has a column for each class (votes, ties broken by scores) or for
        each pair.
    break_ties : bool, default=False
        Break ties of votes in ``predict`` by the scores, not by the order of the classes.

    Attributes
    ----------
    support_, support_vectors_, n_support_
        Row numbers of the support vectors, sorted by class; the points; how many of each class.
    dual_coef_ : ndarray of shape (n_classes - 1, n_SV)
        :math:`\beta_i = y_i \alpha_i`. With more than two classes a support vector has one coefficient
        for each opponent of its class, in the order of the classes.
    intercept_ : ndarray of shape (n_pairs,)
    coef_ : ndarray of shape (n_pairs, n_features)
        Weights w; for the linear kernel only.
    n_iter_ : ndarray of shape (n_pairs,)
    dual_objective_, duality_gap_ : ndarrays of shape (n_pairs,)
        Value of the dual problem; and how much greater that of the primal problem is.
    history_ : History, or a list of them if there are more than two classes
    kernel_ : Kernel or None

    Examples
    --------
    >>> X, y = [[0, 0], [1, 1], [2, 0], [3, 1]], ["a", "a", "b", "b"]
    >>> machine = SVC(kernel="linear", C=10).fit(X, y)
    >>> machine.coef_.round(3), machine.intercept_.round(3), machine.support_
    (array([[ 1., -1.]]), array([-1.]), array([1, 2]))
    >>> machine.predict([[3, 0]])
    array(['b'], dtype='<U1')
    """

    C: float = knob(1.0, real(0, open_low=True) | infinity())
    class_weight: object = knob(None, one_of("balanced", None) | instance_of(dict))
    decision_function_shape: str = knob("ovr", one_of("ovr", "ovo"))
    break_ties: bool = knob(False, boolean())

    def fit(self, X, y, sample_weight=None):
        """Train one machine for each pair of classes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a sequence of strings or graphs for such kernels
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional
            Factors of C, one for each example.

        Returns
        -------
        self : SVC
        """
        X, codes, self.classes_, weights = check_classification(
            self, X, y, sample_weight, min_classes=2, weigh_each_class=True, vectors=self._takes_vectors()
        )
        self.class_weight_ = class_factors(self.class_weight, self.classes_, codes)
        limit = self.C * weights * self.class_weight_[codes]

        order, sizes = np.argsort(codes, kind="stable"), np.bincount(codes)
        runs = _runs(sizes)
        gram = self._learn_gram(X).part(order)  # class by class: a pair's values are read in long stretches
        grams = [gram] if len(runs) == 2 else each_two(gram, runs, 1e6 * self.cache_size)
        beta = np.zeros((len(runs) - 1, len(order)))
        solutions = []
        for (a, b), gram in zip(combinations(range(len(runs)), 2), grams, strict=True):
            rows = np.append(order[runs[a]], order[runs[b]])
            # By custom the second of two classes is the positive one, but of a pair of many the first.
            y_pair = np.where(codes[rows] == (b if len(runs) == 2 else a), 1.0, -1.0)
            signed_limit = y_pair * limit[rows]
            solution = smo.solve(
                gram,
                target=y_pair,
                lower=np.minimum(0.0, signed_limit),
                upper=np.maximum(0.0, signed_limit),
                every=None if len(runs) == 2 else 0,
                **self._options(),
            )
            beta[b - 1, runs[a]], beta[a, runs[b]] = solution.beta[: sizes[a]], solution.beta[sizes[a] :]
            solutions.append(solution)

        support = np.flatnonzero(beta.any(axis=0))
        self._keep(X, order[support])
        self.dual_coef_ = beta[:, support]
        self.n_support_ = np.bincount(codes[self.support_], minlength=len(runs)).astype(np.int32)
        self.intercept_ = self._intercepts([each.bias for each in solutions])
        self.n_iter_ = np.array([each.n_iter for each in solutions], dtype=np.int32)
        self.dual_objective_ = np.array([each.dual for each in solutions])
        self.duality_gap_ = np.array([each.gap for each in solutions])
        self.fit_status_ = int(not all(each.converged for each in solutions))
        histories = [each.history for each in solutions]
        self.history_ = histories[0] if len(histories) == 1 else histories
        return self

    def decision_function(self, X):
        """Scores: one for each point if there are two classes, else one for each class or pair.

        Returns
        -------
        scores : ndarray of shape (n_samples,), (n_samples, n_classes) or (n_samples, n_pairs)
            For two classes positive means the second class. For a pair (a, b) positive means class a.
            The score of a class is the number of its votes plus a number in (-1/3, 1/3) that orders
            ties.
        """
        check_is_fitted(self)
        if len(self.classes_) == 2:
            return self._expand(X)
        scores = self._pair_scores(X)
        return scores if self.decision_function_shape == "ovo" else self._votes(scores)

    def predict(self, X):
        """The class of each point: the side it is on, or the class with most votes."""
        if self.break_ties and self.decision_function_shape == "ovo":
            raise ValueError("break_ties must be False when decision_function_shape is 'ovo'")
        check_is_fitted(self)
        if len(self.classes_) == 2:
            return self._labels_of(self._expand(X))
        votes = self._votes(self._pair_scores(X))
        return self._labels_of(votes if self.break_ties else np.rint(votes))

    def _pair_scores(self, X):
        """The decision functions of all pairs."""
        pairs, runs = list(combinations(range(len(self.classes_)), 2)), _runs(self.n_support_)

        def scores(K):
            # Each class against its opponents.
            parts = [K[:, run] @ self.dual_coef_[:, run].T for run in runs]
            sums = np.column_stack([parts[a][:, b - 1] + parts[b][:, a] for a, b in pairs])
            largest = np.abs(K).max(initial=0.0) * np.abs(self.dual_coef_).sum()
            return settled(sums + self.intercept_, largest + np.abs(self.intercept_), FAINT)

        return self._evaluate(X, self.support_vectors_, self.support_, scores)

    def _votes(self, scores):
        """Votes of each class, plus a number in (-1/3, 1/3) that grows with the sum of its scores."""
        # Class a wins if its score is positive.
        pairs = [(b, a) for a, b in combinations(range(len(self.classes_)), 2)]
        return np.add(*self._count_duels(scores, pairs))

    def _weights(self):
        if len(self.classes_) == 2:
            return super()._weights()
        points = self._shifted(self.support_vectors_)
        parts = [self.dual_coef_[:, run] @ points[run] for run in _runs(self.n_support_)]
        return np.array([parts[a][b - 1] + parts[b][a] for a, b in combinations(range(len(parts)), 2)])


def _runs(sizes):
    """Where each class stands when the points are sorted by class."""
    ends = np.cumsum(sizes)
    return [slice(end - size, end) for end, size in zip(ends, sizes, strict=True)]
