r"""What every estimator checks before it learns: data, labels and weights.

A learner of this course states its problem for clean input: a matrix of finite numbers, labels
in {-1, +1} (or 0..K-1 when there are many classes), weights that are not negative. This file turns
what people really pass in (lists, pandas frames, labels such as "spam" and "ham", no weights at all)
into that, or says clearly why it cannot.

A ``fit`` begins with one line, which looks at the learner's own parameters first::

    X, codes, classes, weights = check_classification(self, X, y, sample_weight)

and a ``predict`` with another: ``X = check_X(self, X)``. After the first call the estimator knows
``n_features_in_`` (and ``feature_names_in_`` for a data frame), after the second it refuses any
other width.

This is the only file of the package that may use private parts of scikit-learn (names with a leading
underscore). If scikit-learn moves one of them, the repair is here.

References
----------
.. [1] Buitinck et al. (2013). "API design for machine learning software: experiences from the
   scikit-learn project". ECML PKDD Workshop on Languages for Data Mining and Machine Learning.
"""

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_sample_weight,
    _num_samples,
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
    validate_data,
)


def check_X(estimator, X, *, dtype=np.float64, **form):
    """Check the matrix given to a fitted estimator: same columns as in ``fit``, finite numbers.

    Parameters
    ----------
    estimator : fitted estimator
    X : array-like of shape (n_samples, n_features)
    dtype, **form
        As in :func:`sklearn.utils.check_array`: ``order``, ``accept_sparse``.

    Returns
    -------
    X : ndarray (or sparse matrix) of ``dtype``

    Examples
    --------
    >>> from sklearn.base import BaseEstimator
    >>> class Nothing(BaseEstimator):
    ...     def fit(self, X, y):
    ...         X, y, weights = check_regression(self, X, y)
    ...         self.fitted_ = True
    ...         return self
    >>> check_X(Nothing().fit([[1, 2]], [3]), [[4, 5]])
    array([[4., 5.]])
    """
    check_is_fitted(estimator)
    return validate_data(estimator, X, reset=False, dtype=dtype, **form)


def check_classification(
    estimator,
    X,
    y,
    sample_weight=None,
    *,
    min_classes=1,
    binary=False,
    weigh_each_class=False,
    moderate_weights=False,
    vectors=True,
    **form,
):
    """Check a training set for classification and number its labels.

    Parameters
    ----------
    estimator : estimator being fitted
    X : array-like of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
        Labels of any type that can be sorted.
    sample_weight : array-like of shape (n_samples,), number or None
    min_classes : int
        2 for learners that cannot do anything with a single class.
    binary : bool
        True for learners that know two classes only.
    weigh_each_class : bool
        True if a class whose examples all weigh nothing counts as missing (see :func:`drop_weightless`).
    moderate_weights : bool
        True for learners whom a common factor of the weights does not concern, see :func:`moderate`.
    vectors : bool
        False for learners with a kernel on strings or graphs: X is then any sequence, see
        :func:`check_items`.
    **form
        As in :func:`sklearn.utils.check_array`: ``dtype`` (by default float64), ``order``, ``accept_sparse``.

    Returns
    -------
    X : ndarray of shape (n_samples, n_features), or (n_samples,) if not ``vectors``
    codes : int64 ndarray of shape (n_samples,)
        ``classes[codes]`` is ``y``.
    classes : ndarray
        The distinct labels in ascending order.
    weights : float64 ndarray of shape (n_samples,)
        Ones if ``sample_weight`` is None. Not normalised.

    Examples
    --------
    >>> from sklearn.base import BaseEstimator
    >>> X, codes, classes, weights = check_classification(BaseEstimator(), [[1], [2], [3]], ["b", "a", "b"])
    >>> codes, list(classes), weights
    (array([1, 0, 1]), [np.str_('a'), np.str_('b')], array([1., 1., 1.]))
    """
    X, y = _points_and_targets(estimator, X, y, vectors, **form)
    plain = y.dtype.kind in "biuU"  # whole numbers or strings: labels without a closer look
    if not plain:
        check_classification_targets(y)
    classes, codes = np.unique(y, return_inverse=True)
    if plain and 2 * len(classes) > len(y):
        check_classification_targets(y)  # so many labels that it warns: perhaps this is a regression
    weights = check_weights(sample_weight, X)
    if moderate_weights:
        weights = moderate(weights)
    weighed = weigh_each_class and sample_weight is not None
    present = len(np.unique(codes[weights > 0])) if weighed else len(classes)
    if binary and present > 2:
        raise ValueError(
            "Only binary classification is supported. The type of the target is multiclass "
            f"({type(estimator).__name__} was given {present} classes)."
        )
    if present < min_classes:
        raise ValueError(
            f"{type(estimator).__name__} needs samples of at least {min_classes} classes in the data, "
            f"but the data contains only one class: {y[weights > 0][0]!r}"
        )
    return X, codes.astype(np.int64, copy=False), classes, weights


def check_two_classes(estimator, X, y, **options):
    """Check a training set with two classes; the options are those of :func:`check_classification`.

    Returns
    -------
    X : ndarray of shape (n_samples, n_features)
    y : float64 ndarray of shape (n_samples,)
        Labels -1.0 and +1.0.
    classes : ndarray

    Examples
    --------
    >>> from sklearn.base import BaseEstimator
    >>> check_two_classes(BaseEstimator(), [[1], [2], [3]], ["b", "a", "b"])[1]
    array([ 1., -1.,  1.])
    """
    X, codes, classes, _ = check_classification(estimator, X, y, min_classes=2, binary=True, **options)
    return X, signed_labels(codes), classes


def check_regression(estimator, X, y, sample_weight=None, *, moderate_weights=False, vectors=True, **form):
    """Check a training set for regression; the options are those of :func:`check_classification`.

    Returns
    -------
    X : ndarray of shape (n_samples, n_features)
    y : float64 ndarray of shape (n_samples,)
    weights : float64 ndarray of shape (n_samples,)
        Ones if ``sample_weight`` is None. Not normalised.

    Examples
    --------
    >>> from sklearn.base import BaseEstimator
    >>> X, y, weights = check_regression(BaseEstimator(), [[1], [2]], [3, 4], [1, 2])
    >>> y, weights
    (array([3., 4.]), array([1., 2.]))
    """
    X, y = _points_and_targets(estimator, X, y, vectors, y_numeric=True, **form)
    weights = check_weights(sample_weight, X)
    return X, y.astype(np.float64, copy=False), moderate(weights) if moderate_weights else weights


def _points_and_targets(estimator, X, y, vectors, *, dtype=np.float64, y_numeric=False, **form):
    """Parameters by their rules, as many points as targets, and what scikit-learn asks of both."""
    if hasattr(estimator, "_check_parameters"):
        estimator._check_parameters()
    if vectors:
        return validate_data(estimator, X, y, dtype=dtype, y_numeric=y_numeric, **form)
    X, y = check_items(X), validate_data(estimator, y=y, y_numeric=y_numeric)
    check_consistent_length(X, y)
    return X, y


def check_items(X):
    """Strings, graphs or other objects that no matrix holds: an array with one of them in each place.

    Examples
    --------
    >>> check_items(["acgt", "ttt"])
    array(['acgt', 'ttt'], dtype=object)
    >>> check_items([])
    Traceback (most recent call last):
    ...
    ValueError: Found array with 0 sample(s) while a minimum of 1 is required.
    """
    items = np.empty(_num_samples(X), dtype=object)
    if len(items) == 0:
        raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required.")
    for place, item in enumerate(X):
        items[place] = item
    return items


def check_weights(sample_weight, X):
    """Return one weight per row of X: finite, not negative, not all zero; ones for None.

    The result may be the caller's own array: do not write into it.

    Examples
    --------
    >>> check_weights(None, [[1], [2]])
    array([1., 1.])
    >>> check_weights([1, -1], [[1], [2]])
    Traceback (most recent call last):
    ...
    ValueError: Negative values in data passed to `sample_weight`.
    """
    if sample_weight is None:
        return np.ones(len(X) if not hasattr(X, "shape") else X.shape[0])
    return _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)


def moderate(weights):
    """Weights so large or small that their products leave the range of floats, in a better unit.

    For learners whom a common factor does not concern. The factor is a power of two, so no digit changes,
    and it brings the largest weight to about 1. Ordinary weights, from 2^-100 to 2^100, stay what they are.

    Examples
    --------
    >>> moderate(np.array([3e200, 1e200])), moderate(np.array([3.0, 1.0]))
    (array([0.97981513, 0.32660504]), array([3., 1.]))
    """
    _, power = np.frexp(weights.max())
    return weights if abs(power) <= 100 else np.ldexp(weights, -power)


def drop_weightless(X, codes, classes, weights):
    """Leave out the examples of weight zero, and the classes that have no others.

    Examples
    --------
    >>> X, codes, classes, weights = np.eye(3), np.array([0, 1, 2]), np.array(["a", "b", "c"]), np.ones(3)
    >>> drop_weightless(X[:, 0], codes, classes, weights * [1, 0, 1])
    (array([1., 0.]), array([0, 1]), array(['a', 'c'], dtype='<U1'), array([1., 1.]))
    """
    there = weights > 0
    if there.all():
        return X, codes, classes, weights
    classes, codes = np.unique(classes[codes[there]], return_inverse=True)
    return X[there], codes, classes, weights[there]


def check_labels(y, classes):
    """Return the positions of the labels y in the sorted array ``classes``; an unknown label is an error.

    Examples
    --------
    >>> check_labels(["ham", "spam", "ham"], np.array(["ham", "spam"]))
    array([0, 1, 0])
    >>> check_labels(["eggs"], np.array(["ham", "spam"]))
    Traceback (most recent call last):
    ...
    ValueError: y contains labels that were not seen in fit: ['eggs']
    """
    y = column_or_1d(y)
    codes = np.searchsorted(classes, y).clip(max=len(classes) - 1)
    unknown = classes[codes] != y
    if np.any(unknown):
        raise ValueError(f"y contains labels that were not seen in fit: {np.unique(y[unknown]).tolist()}")
    return codes


def class_factors(class_weight, classes, codes):
    """What the weight of an example of each class is multiplied by, as ``class_weight`` says.

    Examples
    --------
    >>> class_factors({"spam": 0.5}, np.array(["good", "spam"]), np.array([0, 1, 1]))
    array([1. , 0.5])
    >>> class_factors({"spam": -1}, np.array(["good", "spam"]), np.array([0, 1, 1]))
    Traceback (most recent call last):
    ...
    ValueError: class_weight must be finite and not negative, got {'spam': -1}
    """
    if class_weight is None:
        return np.ones(len(classes))
    factors = compute_class_weight(class_weight, classes=classes, y=classes[codes])
    if not (np.isfinite(factors).all() and factors.min() >= 0):
        raise ValueError(f"class_weight must be finite and not negative, got {class_weight!r}")
    return factors


def signed_labels(codes):
    """Turn labels 0 and 1 into the -1.0 and +1.0 of the formulas: y = 2 code - 1.

    Examples
    --------
    >>> signed_labels(np.array([0, 1, 1]))
    array([-1.,  1.,  1.])
    """
    return 2.0 * codes - 1.0


def seed_members(estimator, random_state):
    """Give every ``random_state`` inside an estimator an integer seed of its own, and return the estimator.

    The members of an ensemble must differ, and a run must repeat: so each member gets its own integer, drawn
    from the ensemble's generator. An estimator without randomness draws nothing.

    Examples
    --------
    >>> from sklearn.linear_model import Perceptron
    >>> rng = np.random.RandomState(0)
    >>> seed_members(Perceptron(), rng).random_state, seed_members(Perceptron(), rng).random_state
    (209652396, 398764591)
    """
    names = [name for name in estimator.get_params() if name.split("__")[-1] == "random_state"]
    if names:
        rng = check_random_state(random_state)
        estimator.set_params(**{name: int(rng.randint(np.iinfo(np.int32).max)) for name in sorted(names)})
    return estimator
