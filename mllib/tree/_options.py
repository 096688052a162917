"""How far a tree grows: the parameters of the estimators, checked and turned into the builder's integers."""

from numbers import Integral

import numpy as np

from ..parameters import fraction, integer, one_of
from .split import ENTROPY, GINI, NORMALISED, SQUARED

# What the parameters of all learners with trees may be.
DEPTH = integer(1) | one_of(None)
SPLIT = integer(2) | fraction()
LEAF = integer(1) | fraction(open_high=True)
FEATURES = integer(1) | fraction() | one_of("sqrt", "log2", None)
KINDS = {"gini": GINI, "entropy": ENTROPY, "normalised_gain": NORMALISED, "squared_error": SQUARED}


def count_features(max_features, n_features):
    """How many features ``max_features`` means.

    Examples
    --------
    >>> [count_features(m, 10) for m in (None, "sqrt", "log2", 0.5, 4)]
    [10, 3, 3, 5, 4]
    """
    named = {None: n_features, "sqrt": np.sqrt(n_features), "log2": np.log2(n_features)}
    if isinstance(max_features, Integral):
        return int(max_features)
    return max(1, int(named[max_features] if max_features in named else max_features * n_features))


def growth_of(estimator):
    """The parameters that say how far trees grow."""
    names = "max_depth min_samples_split min_samples_leaf max_features".split()
    return {name: getattr(estimator, name) for name in names}


def growth_options(estimator, n_samples, n_features):
    """The limits of an estimator's parameters, as the integers that :func:`~mllib.tree.grow` takes.

    Examples
    --------
    >>> from mllib import DecisionTreeClassifier
    >>> tree = DecisionTreeClassifier(min_samples_leaf=0.1, max_features="sqrt")
    >>> growth_options(tree, n_samples=50, n_features=9)
    {'max_depth': None, 'min_samples_split': 10, 'min_samples_leaf': 5, 'max_features': 3}
    """
    leaf, split = estimator.min_samples_leaf, estimator.min_samples_split
    if not isinstance(leaf, Integral):
        leaf = int(np.ceil(leaf * n_samples))
    if not isinstance(split, Integral):
        split = max(2, int(np.ceil(split * n_samples)))
    features = count_features(estimator.max_features, n_features)
    if features > n_features:
        raise ValueError(
            f"The 'max_features' parameter of {type(estimator).__name__} must be at most the number of "
            f"features, {n_features}. Got {estimator.max_features!r} instead."
        )
    return dict(
        max_depth=estimator.max_depth,
        min_samples_split=max(split, 2 * leaf),
        min_samples_leaf=leaf,
        max_features=features,
    )
