r"""Decision trees as estimators: classification and regression.

A tree asks one question about one feature at every inner node and answers with the class shares (or the mean)
of the training examples that ended in the same leaf:

.. math:: \hat p_k(x) = \frac{\sum_{i \in \text{leaf}(x)} w_i [y_i = k]}{\sum_{i \in \text{leaf}(x)} w_i},
          \qquad \hat f(x) = \frac{\sum_{i \in \text{leaf}(x)} w_i y_i}{\sum_{i \in \text{leaf}(x)} w_i} .

How the questions are found: :mod:`mllib.tree.split`; how the tree grows: :mod:`mllib.tree.build`; how it is
cut back: :mod:`mllib.tree.prune`.

References
----------
.. [1] Breiman, L., Friedman, J., Olshen, R. and Stone, C. (1984). Classification and Regression Trees.
   Wadsworth.
"""

from numbers import Integral

import numpy as np
from sklearn.utils import Bunch, check_random_state
from sklearn.utils.validation import check_is_fitted

from .._members import MemberClassifier, MemberRegressor
from ..learner import Learner, knob
from ..parameters import fraction, integer, one_of, real
from ..ties import first_greatest
from ..validation import check_X, moderate
from .build import RankedColumns, grow
from .prune import prune, pruning_path
from .split import ENTROPY, GINI, NORMALISED, SQUARED

# What the parameters of all learners with trees may be.
DEPTH = integer(1) | one_of(None)
SPLIT = integer(2) | fraction()
LEAF = integer(1) | fraction(open_high=True)
FEATURES = integer(1) | fraction() | one_of("sqrt", "log2", None)
KINDS = {"gini": GINI, "entropy": ENTROPY, "normalised_gain": NORMALISED, "squared_error": SQUARED}


class _DecisionTree(Learner):
    """What both trees share: growing, pruning, looking inside."""

    splitter: str = knob("best", one_of("best", "random"))
    max_depth: int | None = knob(None, DEPTH)
    min_samples_split: float = knob(2, SPLIT)
    min_samples_leaf: float = knob(1, LEAF)
    max_features: float | str | None = knob(None, FEATURES)
    random_state: object = knob(None)
    ccp_alpha: float = knob(0.0, real(0))

    def _prepare(self, X):
        """What can be done once for a given X, before any weights are known (see mllib.boosting)."""
        return RankedColumns(X)

    def _grow(self, columns, target, weights, n_classes):
        weights = moderate(weights)  # only their ratios matter
        limits = growth_options(self, np.count_nonzero(weights), columns.shape[1])
        how = dict(kind=KINDS[self.criterion], random_cuts=self.splitter == "random")
        seed = int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))
        self.tree_ = grow(columns, target, weights, n_classes=n_classes, seed=seed, **how, **limits)
        if self.ccp_alpha > 0:
            self.tree_ = prune(self.tree_, self.ccp_alpha)
        self.n_features_in_ = columns.shape[1]
        return self

    def apply(self, X):
        """The number of the leaf in which each point ends."""
        return self.tree_.apply(check_X(self, X)).astype(np.int64)

    def decision_path(self, X):
        """The nodes that each point passes: a sparse indicator matrix of shape (n_samples, node_count)."""
        return self.tree_.decision_path(check_X(self, X))

    def get_depth(self):
        """The number of questions on the longest path."""
        check_is_fitted(self)
        return self.tree_.max_depth

    def get_n_leaves(self):
        """The number of leaves."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    @property
    def feature_importances_(self):
        """What the splits of each feature gained in weighted impurity, as shares of the whole gain."""
        check_is_fitted(self)
        return self.tree_.feature_importances()

    def cost_complexity_pruning_path(self, X, y, sample_weight=None):
        """The prices of a leaf at which the pruned tree changes; see :func:`mllib.tree.pruning_path`.

        Returns
        -------
        path : Bunch with ``ccp_alphas`` and ``impurities``
        """
        whole = type(self)(**(self.get_params() | {"ccp_alpha": 0.0})).fit(X, y, sample_weight)
        alphas, impurities = pruning_path(whole.tree_)
        return Bunch(ccp_alphas=alphas, impurities=impurities)

    def rules(self, decimals=3):
        """The tree in words, one line for each node; features are counted from 1, as in the formulas."""
        check_is_fitted(self)
        tree, lines = self.tree_, []
        names = getattr(self, "feature_names_in_", [f"x{j + 1}" for j in range(tree.n_features)])
        for node, depth in enumerate(tree.depths()):
            if tree.feature[node] >= 0:
                question = f"{names[tree.feature[node]]} <= {tree.threshold[node]:.{decimals}f}?"
            else:
                question = self._say(tree.value[node], decimals)
            lines.append(f"{'   ' * depth}{question}")
        return "\n".join(lines)


class DecisionTreeClassifier(_DecisionTree, MemberClassifier):
    r"""Classification tree.

    Every inner node asks the question that lowers the weighted impurity most; a leaf answers with the class
    shares of its training examples.

    Parameters
    ----------
    criterion : {"gini", "entropy", "normalised_gain"}, default="gini"
        What a question gains; formulas in :mod:`mllib.tree.split`.
    splitter : {"best", "random"}, default="best"
        "random" tries a single random threshold for each feature (extra-trees).
    max_depth : int or None, default=None
        The most questions on a path.
    min_samples_split : int or float, default=2
        Smaller nodes are leaves. A float is a share of the training set.
    min_samples_leaf : int or float, default=1
        No question that leaves a side with fewer examples is asked.
    max_features : int, float, "sqrt", "log2" or None, default=None
        How many features are drawn at each node. None: all.
    random_state : int, RandomState or None, default=None
        For the drawing of features and random thresholds; otherwise nothing is random (ties go to the first
        feature and the smallest threshold).
    ccp_alpha : float, default=0.0
        The price of a leaf for cost-complexity pruning.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    n_classes_ : int
    tree_ : Tree
        Flat arrays, named as scikit-learn names them.
    n_features_in_ : int

    References
    ----------
    .. [1] Breiman, L., Friedman, J., Olshen, R. and Stone, C. (1984). Classification and Regression Trees.
       Wadsworth.

    Examples
    --------
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], ["same", "other", "other", "same"]
    >>> tree = DecisionTreeClassifier().fit(X, y)
    >>> print(tree.rules(decimals=1))
    x1 <= 0.5?
       x2 <= 0.5?
          same (1.0)
          other (1.0)
       x2 <= 0.5?
          other (1.0)
          same (1.0)
    """

    criterion: str = knob("gini", one_of("gini", "entropy", "normalised_gain"))

    def _fit_prepared(self, columns, codes, classes, weights):
        """``fit`` without checks and without ranking the columns."""
        self.classes_, self.n_classes_ = classes, len(classes)
        return self._grow(columns, codes, weights, len(classes))

    def _predict_shares(self, X):
        return self.tree_.predict(X)

    def _predict_codes(self, X):
        leaf, value = self.tree_.apply(X), self.tree_.value
        if len(leaf) < len(value):
            return first_greatest(value[leaf])
        return first_greatest(value).take(leaf)

    def predict_log_proba(self, X):
        """The logarithms of the shares."""
        with np.errstate(divide="ignore"):  # a class that is not in the leaf has log-probability -inf
            return np.log(self.predict_proba(X))

    def _say(self, shares, decimals):
        return f"{self.classes_[first_greatest(shares[None])[0]]} ({shares.max():.{decimals}f})"


class DecisionTreeRegressor(_DecisionTree, MemberRegressor):
    r"""Regression tree.

    Every inner node asks the question that lowers the weighted squared error most; a leaf answers with the
    mean of its training examples.

    Parameters
    ----------
    criterion : {"squared_error"}, default="squared_error"
    splitter, max_depth, min_samples_split, min_samples_leaf, max_features, random_state, ccp_alpha
        As for :class:`DecisionTreeClassifier`.

    Attributes
    ----------
    tree_ : Tree
        Flat arrays, named as scikit-learn names them.
    n_features_in_ : int

    References
    ----------
    .. [1] Breiman, L., Friedman, J., Olshen, R. and Stone, C. (1984). Classification and Regression Trees.
       Wadsworth. (Chapter 8.)

    Examples
    --------
    >>> tree = DecisionTreeRegressor(max_depth=1).fit([[1], [2], [3], [4]], [5, 5, 7, 9])
    >>> print(tree.rules(decimals=1))
    x1 <= 2.5?
       5.0
       8.0
    """

    criterion: str = knob("squared_error", one_of("squared_error"))

    def _fit_prepared(self, columns, y, weights):
        """``fit`` without checks and without ranking the columns."""
        return self._grow(columns, y, weights, 0)

    def _predict_values(self, X):
        return self.tree_.predict(X)[:, 0]

    def _say(self, value, decimals):
        return f"{value[0]:.{decimals}f}"


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
