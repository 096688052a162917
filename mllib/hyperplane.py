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
from sklearn.base import BaseEstimator, ClassifierMixin

from .ties import first_greatest, scores_of
from .validation import check_classification, check_X, class_factors, generator

__all__ = ["Hyperplane", "HyperplaneClassifier", "augment", "progress"]


class Hyperplane(NamedTuple):
    """What ``_solve`` returns: w, b and whatever else the fitted estimator shall show."""

    coef: np.ndarray
    intercept: float
    attributes: dict


class HyperplaneClassifier(ClassifierMixin, BaseEstimator):
    """Base of the linear classifiers; a learner adds ``_solve(X, y, weights, rng, start)``.

    ``X`` is a C-contiguous float64 array, or a CSR matrix without duplicate entries; ``y`` holds -1.0 and
    +1.0, ``weights`` the sample weights, ``rng`` a RandomState, ``start`` None or the augmented weights
    (w, b) to start from. With more than two classes there is one call per class and every entry of
    ``attributes`` becomes a list (an array if the shapes agree) with one item per class; ``n_iter_`` is
    the largest.

    Examples
    --------
    The shortest such learner: towards the mean of y x.

    >>> class MeanClassifier(HyperplaneClassifier):
    ...     def fit(self, X, y):
    ...         return self._fit(X, y)
    ...
    ...     def _solve(self, X, y, weights, rng, start):
    ...         return Hyperplane(y @ X / len(y), 0.0, {})
    >>> MeanClassifier().fit([[1, 2], [-1, -2]], ["a", "b"]).predict([[3, 0], [-3, 0]])
    array(['a', 'b'], dtype='<U1')
    """

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
        rng = generator(getattr(self, "random_state", None))
        if len(self.classes_) == 2:
            targets, streams = [1], [rng]
        else:
            targets = range(len(self.classes_))
            streams = [np.random.RandomState(seed) for seed in rng.randint(2**31 - 1, size=len(targets))]
        if np.any(intercept_init) and not getattr(self, "fit_intercept", True):
            raise ValueError(
                "intercept_init must be 0 with fit_intercept=False: there is no intercept to start"
            )
        starts = _starts(coef_init, intercept_init, len(targets), X.shape[1])
        factors = _class_factors(class_weight, self.classes_, codes)
        planes = [
            self._solve(X, np.where(codes == target, 1.0, -1.0), weights * factor, stream, start)
            for target, factor, stream, start in zip(targets, factors, streams, starts, strict=True)
        ]
        self.coef_ = np.array([plane.coef for plane in planes])
        self.intercept_ = np.array([plane.intercept for plane in planes])
        for name in planes[0].attributes:
            values = [plane.attributes[name] for plane in planes]
            setattr(self, name, values[0] if len(values) == 1 else _together(name, values))
        return self

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

    def predict(self, X):
        """Class of each point: for two classes the second one if the score is above 0, else the first."""
        scores = self.decision_function(X)
        return self.classes_[(scores > 0).astype(np.intp) if scores.ndim == 1 else first_greatest(scores)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


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


def canonical(X):
    """A CSR matrix whose rows name each column at most once (as sums of squares need); arrays unchanged.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> twice = csr_array(([1.0, 2.0], [0, 0], [0, 2]), shape=(1, 1))
    >>> twice.data, canonical(twice).data
    (array([1., 2.]), array([3.]))
    """
    if hasattr(X, "sum_duplicates") and not X.has_canonical_format:
        X = X.copy()  # the matrix may be the caller's own
        X.sum_duplicates()
    return X


def csr_arrays(X):
    """The three arrays of a CSR matrix in the types that the compiled loops take.

    Unsigned column numbers spare the loops the test for negative (Python-like) indices.
    """
    columns = X.indices.view(np.uint32) if X.indices.dtype == np.int32 else X.indices.astype(np.uint32)
    return X.data, columns, X.indptr.astype(np.int64, copy=False)


def squared_lengths(X):
    """Of each row of an array or of a CSR matrix.

    Examples
    --------
    >>> squared_lengths(np.array([[3.0, 4.0], [0.0, 2.0]]))
    array([25.,  4.])
    """
    if hasattr(X, "indptr"):
        squares = type(X)((X.data * X.data, X.indices, X.indptr), shape=X.shape)
        return squares @ np.ones(X.shape[1])
    return np.einsum("ij,ij->i", X, X)


def squared_length(v):
    """Of one vector. (The BLAS behind ``v @ v`` wakes its threads for long vectors, which takes longer.)"""
    return float(np.einsum("i,i->", v, v))


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


def progress(rounds, verbose, what):
    """The rounds themselves, with a progress bar around them if ``verbose``."""
    if not verbose:
        return rounds
    from tqdm import tqdm

    return tqdm(rounds, desc=what, unit="epoch")


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


def _together(name, values):
    """One attribute of several classes: the largest ``n_iter_``, arrays of one shape stacked, else a list."""
    if name == "n_iter_":
        return max(values)
    same = all(isinstance(value, np.ndarray) and value.shape == values[0].shape for value in values)
    return np.array(values) if same else values
