r"""Extremely randomised trees: at every node K features, and for each of them a single random test.

A fully grown tree spends its freedom on the exact place of every threshold, and that place is mostly chance:
another sample would move it. Extra-trees choose it by chance in the open. At a node,

1. draw K features without replacement (one that is constant in the node counts as drawn and has no test;
   drawing goes on until there is a test);
2. for each draw one threshold, uniform between its least and its greatest value in the node;
3. install the best of the K tests.

All trees see all rows. With K = 1 nothing is chosen at all; with K = d a good deal is. Smaller K means trees
that differ more and are worse one by one; the mean washes out what they do not have in common. Growing is
cheap, as nothing is sorted.

Geurts, Ernst and Wehenkel judge tests by the *normalised information gain* :math:`2 I / (H(\text{classes}) +
H(\text{sides}))`: ask for it with ``criterion="normalised_gain"``. The default is scikit-learn's.

References
----------
.. [1] Geurts, P., Ernst, D. and Wehenkel, L. (2006). "Extremely randomized trees". Machine Learning 63, 3-42.
"""

from .base import ForestClassifier, ForestRegressor, ResampledForest


class ExtraTreesClassifier(ResampledForest, ForestClassifier):
    r"""Trees that install, at every node, the best of K random tests; mean class shares.

    Parameters
    ----------
    n_estimators : int, default=100
        The number T of trees.
    criterion : {"gini", "entropy", "normalised_gain"}, default="gini"
        How tests are compared; the published choice is "normalised_gain".
    max_depth : int or None, default=None
        The most questions on a path.
    min_samples_split, min_samples_leaf : int or float, default=2 and 1
        Smaller nodes are not split; no question leaves a side with fewer examples.
    max_features : int, float, "sqrt", "log2" or None, default="sqrt"
        K: how many features are drawn at each node, and so how many random tests. None: all.
    bootstrap : bool, default=False
        Grow each tree from a bootstrap replicate; else from all rows, as published.
    oob_score : bool, default=False
        Judge each example by the trees that never saw it.
    n_jobs : int, default=None
        Threads. The forest does not depend on it.
    random_state : int, RandomState or None, default=None
    verbose : int, default=0
        1 shows a progress bar.
    ccp_alpha : float, default=0.0
        The price of a leaf, for pruning each tree.
    max_samples : int, float or None, default=None
        Size of a replicate: None, as many rows as there are; an int, so many; a float, that share of them (of
        the total weight, if there are weights).

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    n_classes_ : int
    estimators_, estimators_samples_ : list
        The trees (trained on the numbers of the classes, 0 to K - 1), and the rows that each has seen.
    feature_importances_ : ndarray of shape (n_features,)
    oob_score_, oob_decision_function_, history_
        Only if ``oob_score``: accuracy out of bag; the mean shares of each example; the score after each
        tree.
    n_features_in_ : int

    References
    ----------
    .. [1] Geurts, P., Ernst, D. and Wehenkel, L. (2006). "Extremely randomized trees". Machine Learning 63,
       3-42.

    Examples
    --------
    >>> from mllib.datasets import make_twonorm
    >>> X, y = make_twonorm(400, random_state=0)
    >>> forest = ExtraTreesClassifier(50, criterion="normalised_gain", max_features=1, random_state=0)
    >>> forest = forest.fit(X[::2], y[::2])
    >>> forest.score(X[1::2], y[1::2]) > 0.9, forest.predict_proba(X[:3]).shape
    (True, (3, 2))
    """

    _splitter = "random"

    max_features: float | str | None = "sqrt"
    bootstrap: bool = False


class ExtraTreesRegressor(ResampledForest, ForestRegressor):
    r"""Regression trees that install, at every node, the best of K random tests; the mean of their answers.

    Parameters
    ----------
    n_estimators : int, default=100
        The number T of trees.
    criterion : {"squared_error"}, default="squared_error"
    max_features : int, float, "sqrt", "log2" or None, default=1.0
        K: how many features are drawn at each node, or which share, and so how many random tests.
    max_depth, min_samples_split, min_samples_leaf, ccp_alpha, max_samples
        As for :class:`ExtraTreesClassifier`.
    bootstrap, oob_score, n_jobs, random_state, verbose
        As for :class:`ExtraTreesClassifier`.

    Attributes
    ----------
    estimators_, estimators_samples_ : list
        The trees, and the rows that each has seen.
    feature_importances_ : ndarray of shape (n_features,)
    oob_score_, oob_prediction_, history_
        Only if ``oob_score``: :math:`R^2` out of bag; the mean answer for each example; the score after each
        tree.
    n_features_in_ : int

    References
    ----------
    .. [1] Geurts, P., Ernst, D. and Wehenkel, L. (2006). "Extremely randomized trees". Machine Learning 63,
       3-42.

    Examples
    --------
    >>> from mllib.datasets import make_friedman1
    >>> X, y = make_friedman1(300, random_state=0)
    >>> forest = ExtraTreesRegressor(50, random_state=0).fit(X[:200], y[:200])
    >>> forest.score(X[200:], y[200:]) > 0.7
    True
    """

    _splitter = "random"

    max_features: float | str | None = 1.0
    bootstrap: bool = False
