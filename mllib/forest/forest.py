r"""Forests: decision forests, random forests, extremely randomised trees.

A forest is T trees that differ, and a mean:

.. math:: P(c \mid x) = \frac1T \sum_{t=1}^T P_t(c \mid x), \qquad \hat f(x) = \frac1T \sum_{t=1}^T f_t(x).

The trees differ in the rows that they see, and in the questions that a node may choose from:

==================  ========================================  ==============================
forest              rows of a tree                            questions of a node
==================  ========================================  ==============================
decision forest     its part of the training set (disjoint)   the best of all
bagged trees        a bootstrap replicate                     the best of all
random forest       a bootstrap replicate                     the best of some features
extra-trees         all                                       one random test for each of some
==================  ========================================  ==============================

**Growing.** The columns of X are ranked once (:class:`~mllib.tree.RankedColumns`); every tree grows from
them with weights of its own, in one compiled call that lets other threads run. Each tree has its own integer
seed, so the forest is the same whatever the number of threads, processes or machines.

**Predicting.** The mean of the trees; :mod:`mllib.forest._flat` walks a block of rows through all of them.

**Decision forests.** The simplest way to have T trees: cut the examples, in random order, into T disjoint
subsets and grow a tree from each. It sees n/T examples only: it is cheap, needs little memory and can live on
a machine of its own; and since no two trees have an example in common they are as different as trees can be.
The price is that each knows little.

**Random forests.** Bagged trees resemble one another: a feature that is strong in one replicate is strong in
all, and sits at the root of all trees. If each node may choose only among m features drawn for it, the trees
differ more (their correlation falls) and each is a little worse; up to a point the forest gains.
``max_features`` is that m: small values, such as the square root of the number of features, are good when
many features help a little, large ones when few features matter at all.

**Extremely randomised trees.** A fully grown tree spends its freedom on the exact place of every threshold,
and that place is mostly chance: another sample would move it. Extra-trees choose it by chance in the open. At
a node,

1. draw K features without replacement (one that is constant in the node counts as drawn and has no test;
   drawing goes on until there is a test);
2. for each draw one threshold, uniform between its least and its greatest value in the node;
3. install the best of the K tests.

With K = 1 nothing is chosen at all; with K = d a good deal is. Smaller K means trees that differ more and are
worse one by one; the mean washes out what they do not have in common. Growing is cheap, as nothing is sorted.
Geurts, Ernst and Wehenkel judge tests by the *normalised information gain* :math:`2 I / (H(\text{classes}) +
H(\text{sides}))`: ask for it with ``criterion="normalised_gain"``. The default is scikit-learn's.

References
----------
.. [1] Ho, T. K. (1995). "Random decision forests". ICDAR, 278-282.
.. [2] Amit, Y. and Geman, D. (1997). "Shape quantization and recognition with randomized trees". Neural
   Computation 9(7), 1545-1588.
.. [3] Breiman, L. (2001). "Random forests". Machine Learning 45, 5-32.
.. [4] Geurts, P., Ernst, D. and Wehenkel, L. (2006). "Extremely randomized trees". Machine Learning 63, 3-42.
.. [5] Criminisi, A., Shotton, J. and Konukoglu, E. (2012). "Decision forests: a unified framework for
   classification, regression, density estimation, manifold learning and semi-supervised learning".
   Foundations and Trends in Computer Graphics and Vision 7(2-3), 81-227. (Means of class shares.)
.. [6] Chan, P. K. and Stolfo, S. J. (1993). "Toward parallel and distributed learning by meta-learning". AAAI
   Workshop on Knowledge Discovery in Databases. (Learning from disjoint subsets.)
"""

from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from sklearn.base import is_classifier, is_regressor
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from ..bagging.bagging import SIZE, Committee
from ..bagging.replicates import chances_of, new_seeds, replicate_size, run_parallel, some_of
from ..learner import Classifier, Regressor, knob
from ..parameters import boolean, integer, one_of, real
from ..tree import DecisionTreeClassifier, DecisionTreeRegressor, RankedColumns
from ..tree.cart import DEPTH, FEATURES, LEAF, SPLIT, growth_of
from ._flat import flatten, sum_of_trees


class Forest(Committee):
    """T trees that differ, and their mean."""

    n_estimators: int = knob(100, integer(1), first=True)
    max_depth: int | None = knob(None, DEPTH)
    min_samples_split: float = knob(2, SPLIT)
    min_samples_leaf: float = knob(1, LEAF)
    max_features: float | str | None = knob(None, FEATURES)
    ccp_alpha: float = knob(0.0, real(0))

    _splitter = "best"

    def _check_parameters(self):
        super()._check_parameters()
        if self.max_samples is not None and not self.bootstrap:
            raise ValueError("max_samples cannot be set if bootstrap=False: every tree sees all rows")

    def fit(self, X, y, sample_weight=None):
        """Grow the trees. Where rows are drawn, ``sample_weight`` are their relative chances."""
        X, target, weights = self._check_examples(X, y, sample_weight)
        rng, classes = check_random_state(self.random_state), ()
        if is_classifier(self):
            self.n_classes_ = len(self.classes_)
            classes = (np.arange(self.n_classes_),)
        self._seeds = new_seeds(rng, self.n_estimators).tolist()
        self._draws = self._plan(len(X), None if sample_weight is None else weights, rng)
        how = dict(criterion=self.criterion, splitter=self._splitter, ccp_alpha=self.ccp_alpha)
        make, columns = partial(self._tree, **how, **growth_of(self)), RankedColumns(X)
        tasks = [
            (make, seed, columns, target, weights, self._draws, t, classes)
            for t, seed in enumerate(self._seeds)
        ]
        self.estimators_ = run_parallel(
            _grow_tree, tasks, n_jobs=self.n_jobs, verbose=self.verbose, label="trees", threads=True
        )
        self._flat = flatten([member.tree_ for member in self.estimators_])
        return self._judge_out_of_bag(X, target)

    def _plan(self, n, weights, rng):
        """Which rows each tree sees; ``weights`` is None if ``fit`` was given none."""
        if not self.bootstrap:
            return AllRows(n)
        return ReplicateOfRows(n, replicate_size(n, self.max_samples, weights), chances_of(weights))

    def _mean(self, X):
        """The mean over all trees of the leaf's value: a number for each x, or the shares of the classes."""
        X = self._checked(X)
        n_outputs = self.estimators_[0].tree_.value.shape[1]
        mean = sum_of_trees(self._flat, X, n_outputs, self.n_jobs) / len(self)
        return mean[:, 0] if is_regressor(self) else mean

    def _answer_of(self, t, X):
        answer = self.estimators_[t].tree_.predict(X)
        return answer[:, 0] if is_regressor(self) else answer

    def _rows_of(self, t):
        return self._draws.rows(t, self._seeds[t])

    def __getstate__(self):
        """The flat copy of the trees is not stored: it says nothing that the trees do not say."""
        return {name: value for name, value in super().__getstate__().items() if name != "_flat"}

    @cached_property
    def _flat(self):
        return flatten([member.tree_ for member in self.estimators_])

    def apply(self, X):
        """The number of the leaf in which each point ends, a column for each tree."""
        X = self._checked(X)
        return np.column_stack([member.tree_.apply(X) for member in self.estimators_]).astype(np.int64)

    @property
    def feature_importances_(self):
        """The mean of the trees' importances: what the splits of each feature gained, as shares."""
        check_is_fitted(self)
        mean = np.mean([member.feature_importances_ for member in self.estimators_], axis=0)
        return mean / mean.sum() if mean.sum() > 0 else mean


def _grow_tree(make, seed, columns, target, weights, draws, t, classes):
    member = make(random_state=seed)
    return member._fit_prepared(columns, target, *classes, draws.weights(t, seed, weights))


@dataclass
class AllRows:
    """Every tree sees every row.

    Examples
    --------
    >>> AllRows(3).rows(t=0, seed=17)
    array([0, 1, 2])
    """

    n: int

    def rows(self, t, seed):
        """The rows of tree t, which has this seed."""
        return np.arange(self.n)

    def weights(self, t, seed, given):
        """What each row counts in tree t: how often it is there, times the weight ``given`` to ``fit``."""
        return np.bincount(self.rows(t, seed), minlength=self.n) * given


@dataclass
class ReplicateOfRows(AllRows):
    """Every tree draws m rows with replacement, with these chances (None: all alike).

    The draws are scikit-learn's: equal seeds give equal replicates.

    Examples
    --------
    >>> replicates = ReplicateOfRows(n=4, m=4, chances=None)
    >>> replicates.rows(t=0, seed=1), replicates.weights(t=0, seed=1, given=None)
    (array([1, 3, 0, 0]), array([2., 1., 0., 1.]))
    """

    m: int
    chances: np.ndarray | None

    def rows(self, t, seed):
        """The rows of tree t, with repetitions."""
        return some_of(check_random_state(seed), self.n, self.m, True, self.chances)

    def weights(self, t, seed, given):
        """How often each row was drawn: what it weighs is in its chances."""
        return super().weights(t, seed, 1.0)


@dataclass
class PartOfRows(AllRows):
    """The rows, in random order, are cut into parts whose sizes differ by one at most.

    Examples
    --------
    >>> parts = PartOfRows(n=4, order=np.array([2, 0, 3, 1]), n_parts=2)
    >>> parts.rows(t=0, seed=17), parts.weights(t=1, seed=17, given=np.array([1.0, 2.0, 1.0, 1.0]))
    (array([2, 0]), array([0., 2., 0., 1.]))
    """

    order: np.ndarray
    n_parts: int

    def rows(self, t, seed):
        """Part t."""
        return np.array_split(self.order, self.n_parts)[t]


class DecisionForestClassifier(Forest, Classifier):
    r"""Trees from disjoint subsets of the training set; the mean of their class shares.

    Parameters
    ----------
    n_estimators : int, default=10
        The number T of trees and of subsets; at most the number of examples.
    criterion : {"gini", "entropy", "normalised_gain"}, default="gini"
        What a question gains.
    max_depth : int or None, default=None
        The most questions on a path.
    min_samples_split, min_samples_leaf : int or float, default=2 and 1
        Smaller nodes are not split; no question leaves a side with fewer examples.
    max_features : int, float, "sqrt", "log2" or None, default=None
        How many features are drawn at each node. None: all.
    n_jobs : int, default=None
        Threads. The forest does not depend on it.
    random_state : int, RandomState or None, default=None
        Divides the examples.
    verbose : int, default=0
        1 shows a progress bar.
    ccp_alpha : float, default=0.0
        The price of a leaf, for pruning each tree.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    n_classes_ : int
    estimators_, estimators_samples_ : list
        The trees (trained on the numbers of the classes, 0 to K - 1), and the subsets.
    feature_importances_ : ndarray of shape (n_features,)
    n_features_in_ : int

    References
    ----------
    .. [1] Chan, P. K. and Stolfo, S. J. (1993). "Toward parallel and distributed learning by meta-learning".
       AAAI Workshop on Knowledge Discovery in Databases.

    Examples
    --------
    >>> from mllib.datasets import make_twonorm
    >>> X, y = make_twonorm(400, random_state=0)
    >>> forest = DecisionForestClassifier(8, random_state=0).fit(X, y)
    >>> [len(rows) for rows in forest.estimators_samples_]
    [50, 50, 50, 50, 50, 50, 50, 50]
    """

    n_estimators: int = knob(10, first=True)
    criterion: str = knob("gini", one_of("gini", "entropy", "normalised_gain"))

    _tree = DecisionTreeClassifier
    predict_log_proba = DecisionTreeClassifier.predict_log_proba

    def _plan(self, n, weights, rng):
        order = rng.permutation(n)
        if weights is not None:
            order = order[weights[order] > 0]  # an example of weight zero is absent from all subsets
        if self.n_estimators > len(order):
            raise ValueError(
                f"The 'n_estimators' parameter of DecisionForestClassifier must be at most the number of "
                f"examples, {len(order)}: each tree needs one. Got {self.n_estimators!r} instead."
            )
        return PartOfRows(n, order, self.n_estimators)


class RandomForestClassifier(Forest, Classifier):
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

    criterion: str = knob("gini", one_of("gini", "entropy", "normalised_gain"))
    max_features: float | str | None = "sqrt"
    bootstrap: bool = knob(True, boolean())
    oob_score: bool = knob(False, boolean())
    max_samples: float | None = knob(None, SIZE)

    _tree = DecisionTreeClassifier
    predict_log_proba = DecisionTreeClassifier.predict_log_proba


class RandomForestRegressor(Forest, Regressor):
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

    criterion: str = knob("squared_error", one_of("squared_error"))
    max_features: float | str | None = 1.0
    bootstrap: bool = knob(True, boolean())
    oob_score: bool = knob(False, boolean())
    max_samples: float | None = knob(None, SIZE)

    _tree = DecisionTreeRegressor


class ExtraTreesClassifier(Forest, Classifier):
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

    criterion: str = knob("gini", one_of("gini", "entropy", "normalised_gain"))
    max_features: float | str | None = "sqrt"
    bootstrap: bool = knob(False, boolean())
    oob_score: bool = knob(False, boolean())
    max_samples: float | None = knob(None, SIZE)

    _splitter = "random"
    _tree = DecisionTreeClassifier
    predict_log_proba = DecisionTreeClassifier.predict_log_proba


class ExtraTreesRegressor(Forest, Regressor):
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

    criterion: str = knob("squared_error", one_of("squared_error"))
    max_features: float | str | None = 1.0
    bootstrap: bool = knob(False, boolean())
    oob_score: bool = knob(False, boolean())
    max_samples: float | None = knob(None, SIZE)

    _splitter = "random"
    _tree = DecisionTreeRegressor
