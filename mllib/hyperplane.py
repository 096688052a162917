r"""What all linear classifiers share: a hyperplane, the side of it that a point is on, and many classes.

A linear classifier is a weight vector :math:`w` and an offset :math:`b`. It gives the point :math:`x` the
score :math:`w \cdot x + b` and answers with the sign. How :math:`(w, b)` is *found* is what tells the
perceptron, Pegasos and the linear support vector machine apart; everything after that is the same and
stands here once.

The offset is often hidden in the weights. Give every point one more coordinate that is always 1; then
:math:`w \cdot x + b = (w, b) \cdot (x, 1)` and a learner needs to know weights only. The theorems of the
perceptron and of Pegasos are about such *augmented* vectors, so their radius is
:math:`R^2 = \max_i \lVert x_i \rVert^2 + 1`.

With K > 2 classes a linear classifier is trained once for each class against all others, and the largest
of the K scores wins (one against the rest). A learner writes only ``_solve``, for labels -1 and +1.
"""

from typing import NamedTuple

import numpy as np
from sklearn.utils import check_random_state

from ._rows import canonical
from .history import History
from .learner import Classifier, knob
from .parameters import boolean, integer
from .ties import scores_of
from .validation import check_classification, check_X, class_factors


class Hyperplane(NamedTuple):
    """What ``_solve`` returns, None where there is nothing to show."""

    coef_: np.ndarray
    intercept_: float
    n_iter_: int | None = None
    history_: History | None = None
    converged_: bool | None = None
    t_: int | None = None
    dual_coef_: np.ndarray | None = None
    objective_: float | None = None
    dual_gap_: float | None = None
    n_updates_: int | None = None  # and what perceptrons show
    cycle_length_: int | None = None
    given_up_: np.ndarray | None = None
    updates_: History | None = None
    errors_: int | None = None
    pocket_: History | None = None


class HyperplaneClassifier(Classifier):
    """Base of the linear classifiers; a learner adds ``_solve(X, y, weights, rng, start)``.

    ``X`` is a C-contiguous float64 array, or a CSR matrix without duplicate entries; ``y`` holds -1.0 and
    +1.0, ``weights`` the sample weights, ``rng`` a RandomState, ``start`` None or the augmented weights
    (w, b) to start from. It returns a named tuple, whose fields become attributes. With more than two
    classes there is one call per class, and every field but ``n_iter_``, the largest, becomes a list (an
    array if the shapes agree) with one item per class.

    Examples
    --------
    The shortest such learner: towards the mean of y x.

    >>> class MeanClassifier(HyperplaneClassifier):
    ...     def _solve(self, X, y, weights, rng, start):
    ...         return Hyperplane(y @ X / len(y), 0.0)
    >>> MeanClassifier().fit([[1, 2], [-1, -2]], ["a", "b"]).predict([[3, 0], [-3, 0]])
    array(['a', 'b'], dtype='<U1')
    """

    fit_intercept: bool = knob(True, boolean())
    max_iter: int = knob(1000, integer(1))
    verbose: int = knob(0, boolean() | integer(0))
    random_state: object = knob(None)
    _sparse = True

    def fit(self, X, y):
        """Learn from labelled points.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            A sparse matrix stays sparse.
        y : array-like of shape (n_samples,)

        Returns
        -------
        self
        """
        return self._fit(X, y)

    def _fit(self, X, y, sample_weight=None, *, class_weight=None, coef_init=None, intercept_init=None):
        X, codes, self.classes_, weights = check_classification(
            self,
            X,
            y,
            sample_weight,
            order="C",
            accept_sparse="csr",
            min_classes=2,
            weigh_each_class=True,
        )
        X = canonical(X)
        rng = check_random_state(self.random_state)
        if len(self.classes_) == 2:
            targets, streams = [1], [rng]
        else:
            targets = range(len(self.classes_))
            streams = [np.random.RandomState(seed) for seed in rng.randint(2**31 - 1, size=len(targets))]
        if np.any(intercept_init) and not self.fit_intercept:
            raise ValueError(
                "intercept_init must be 0 with fit_intercept=False: there is no intercept to start"
            )
        starts = _starts(coef_init, intercept_init, len(targets), X.shape[1])
        factors = _class_factors(class_weight, self.classes_, codes)
        found = [
            self._solve(X, np.where(codes == target, 1.0, -1.0), weights * factor, stream, start)
            for target, factor, stream, start in zip(targets, factors, streams, starts, strict=True)
        ]
        return self._publish(_together(found))

    def decision_function(self, X):
        r"""Score of each point: :math:`w \cdot x + b`.

        Returns
        -------
        scores : ndarray of shape (n_samples,), or (n_samples, n_classes) if there are more than two
            Divide by ``numpy.linalg.norm(coef_)`` to get the signed distance from the hyperplane.
        """
        X = check_X(self, X, accept_sparse="csr")
        scores = scores_of(X, self.coef_, self.intercept_)
        return scores.ravel() if len(self.coef_) == 1 else scores


def augment(X, value=1.0):
    r"""Append a column that holds ``value`` everywhere: the input that the intercept is the weight of.

    So :math:`w \cdot x + b v = (w, b) \cdot (x, v)`.

    Examples
    --------
    >>> augment([[5.0, 6.0], [7.0, 8.0]])
    array([[5., 6., 1.],
           [7., 8., 1.]])
    """
    X = np.asarray(X, dtype=float)
    return np.column_stack([X, np.full(len(X), value)])


def check_scores(scores):
    """Raise a ValueError if scores are too large for a float: NaN would count as no mistake.

    Examples
    --------
    >>> check_scores(np.array([1.0, np.nan]))
    Traceback (most recent call last):
    ...
    ValueError: The scores overflow: X (or the kernel) has too large values. Scaling X helps.
    """
    if not np.isfinite(scores).all():
        raise ValueError("The scores overflow: X (or the kernel) has too large values. Scaling X helps.")


def _class_factors(class_weight, classes, codes):
    """What each problem multiplies the sample weights by. Against the rest only the class itself counts."""
    if class_weight is None:
        return [1.0] * (1 if len(classes) == 2 else len(classes))
    factor = class_factors(class_weight, classes, codes)
    if len(classes) == 2:
        return [factor[codes]]
    return [np.where(codes == target, factor[target], 1.0) for target in range(len(classes))]


def _starts(coef_init, intercept_init, n_problems, n_features):
    """Augmented start weights (w, b) of each two-class problem, None where nothing was asked for."""
    if coef_init is None and intercept_init is None:
        return [None] * n_problems
    starts = np.zeros((n_problems, n_features + 1))
    if coef_init is not None:
        coef_init = np.atleast_2d(np.asarray(coef_init, dtype=float))
        if coef_init.shape != (n_problems, n_features):
            raise ValueError(f"coef_init must have shape {(n_problems, n_features)}, got {coef_init.shape}")
        starts[:, :-1] = coef_init
    if intercept_init is not None:
        intercept_init = np.ravel(np.asarray(intercept_init, dtype=float))
        if intercept_init.shape != (n_problems,):
            raise ValueError(f"intercept_init must have {n_problems} numbers, got {len(intercept_init)}")
        starts[:, -1] = intercept_init
    if not np.isfinite(starts).all():
        raise ValueError("coef_init and intercept_init must be finite numbers")
    return list(starts)


def _together(found):
    """The results of all problems in one: planes stacked, the most epochs, of the rest what each says."""
    shown = {name: _joined(name, values) for name, *values in zip(found[0]._fields, *found, strict=True)}
    return found[0]._replace(**shown)


def _joined(name, values):
    if name in ("coef_", "intercept_"):
        return np.array(values)
    if len(values) == 1 or values[0] is None:
        return values[0]
    if name == "n_iter_":
        return max(values)
    same = all(isinstance(value, np.ndarray) and value.shape == values[0].shape for value in values)
    return np.array(values) if same else values
