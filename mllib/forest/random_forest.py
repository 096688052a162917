r"""Random forests: bootstrap replicates, and at every node a choice among a few features only.

Bagged trees resemble one another: a feature that is strong in one replicate is strong in all, and sits at the
root of all trees. If each node may choose only among m features drawn for it, the trees differ more (their
correlation falls) and each is a little worse; up to a point the forest gains. ``max_features`` is that m:
small values, such as the square root of the number of features, are good when many features help a little,
large ones when few features matter at all.

References
----------
.. [1] Breiman, L. (2001). "Random forests". Machine Learning 45, 5-32.
.. [2] Amit, Y. and Geman, D. (1997). "Shape quantization and recognition with randomized trees". Neural
   Computation 9(7), 1545-1588.
"""

from .base import ForestClassifier, ForestRegressor, ResampledForest


class RandomForestClassifier(ResampledForest, ForestClassifier):
    r"""Trees from bootstrap replicates, with a random choice of features at every node; mean class shares.

    Parameters
    ----------
    n_estimators : int, default=100
        The number T of trees.
    criterion : {"gini", "entropy", "normalised_gain"}, default="gini"
        What a question gains.
    max_depth : int or None, default=None
        The most questions on a path.
    min_samples_split, min_samples_leaf : int or float, default=2 and 1
        Smaller nodes are not split; no question leaves a side with fewer examples.
    max_features : int, float, "sqrt", "log2" or None, default="sqrt"
        How many features are drawn at each node. None: all, which is bagging.
    bootstrap : bool, default=True
        Grow each tree from a bootstrap replicate; else from all rows.
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
    .. [1] Breiman, L. (2001). "Random forests". Machine Learning 45, 5-32.

    Examples
    --------
    >>> from mllib.datasets import make_twonorm
    >>> X, y = make_twonorm(400, random_state=0)
    >>> forest = RandomForestClassifier(50, oob_score=True, random_state=0).fit(X, y)
    >>> forest.oob_score_ > 0.9, forest.predict_proba(X[:3]).shape
    (True, (3, 2))
    """

    max_features: float | str | None = "sqrt"


class RandomForestRegressor(ResampledForest, ForestRegressor):
    r"""Regression trees from bootstrap replicates; the mean of their answers.

    Parameters
    ----------
    n_estimators : int, default=100
        The number T of trees.
    criterion : {"squared_error"}, default="squared_error"
    max_features : int, float, "sqrt", "log2" or None, default=1.0
        How many features are drawn at each node, or which share. At 1.0 this is bagging.
    max_depth, min_samples_split, min_samples_leaf, ccp_alpha, max_samples
        As for :class:`RandomForestClassifier`.
    bootstrap, oob_score, n_jobs, random_state, verbose
        As for :class:`RandomForestClassifier`.

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
    .. [1] Breiman, L. (2001). "Random forests". Machine Learning 45, 5-32.

    Examples
    --------
    >>> from mllib.datasets import make_friedman1
    >>> X, y = make_friedman1(300, random_state=0)
    >>> forest = RandomForestRegressor(50, max_features=4, oob_score=True, random_state=0).fit(X, y)
    >>> forest.oob_score_ > 0.7
    True
    """

    max_features: float | str | None = 1.0
