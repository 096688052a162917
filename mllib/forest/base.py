r"""What all forests share: seeds, growing side by side, and one walk through all trees.

A forest is T trees that differ, and a mean:

.. math:: P(c \mid x) = \frac1T \sum_{t=1}^T P_t(c \mid x), \qquad \hat f(x) = \frac1T \sum_{t=1}^T f_t(x).

**Growing.** The columns of X are ranked once (:class:`~mllib.tree.RankedColumns`); every tree grows from
them with weights of its own, in one compiled call that lets other threads run. Each tree has its own integer
seed, so the forest is the same whatever the number of threads, processes or machines.

**Predicting.** One could walk each x down each tree. Faster is to do what training did: take a block of rows,
split it at the root into those that go left and those that go right, and so on down to the leaves. A node's
question is then read once for all the rows that reach it, and the comparison is never guessed wrong.

References
----------
.. [1] Ho, T. K. (1995). "Random decision forests". ICDAR, 278-282.
.. [2] Breiman, L. (2001). "Random forests". Machine Learning 45, 5-32.
"""

from functools import partial

import numpy as np
from numba import njit
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from ..bagging.out_of_bag import accuracy, judge_out_of_bag, r2
from ..bagging.replicates import chances_of, new_seeds, replicate_size, spread
from ..parameters import boolean, check_parameters, integer, one_of, real
from ..ties import first_greatest
from ..tree import DecisionTreeClassifier, DecisionTreeRegressor, RankedColumns
from ..tree.cart import GROWTH_RULES
from ..validation import check_classification, check_regression, check_X
from .rows import AllRows, ReplicateOfRows

__all__ = ["Forest", "ForestClassifier", "ForestRegressor"]

_BLOCK = 1024  # rows that walk through a tree together: their features stay in the cache
_TREE_OPTIONS = "criterion max_depth min_samples_split min_samples_leaf max_features ccp_alpha".split()


class Forest(BaseEstimator):
    """Growing, looking inside, and the mean of the trees."""

    _splitter = "best"
    oob_score = False  # for forests without the parameter

    def _check_own_parameters(self):
        check_parameters(
            self,
            n_estimators=integer(1),
            criterion=one_of(*self._tree._criteria),
            ccp_alpha=real(0),
            oob_score=boolean(),
            n_jobs=one_of(None) | integer(),
            verbose=integer(0) | boolean(),
            **GROWTH_RULES,
        )
        if "bootstrap" in self.get_params():
            check_parameters(
                self,
                bootstrap=boolean(),
                max_samples=one_of(None) | integer(1) | real(0, 1, open_low=True),
            )
            if self.oob_score and not self.bootstrap:
                raise ValueError("Out of bag estimation only available if bootstrap=True")
            if self.max_samples is not None and not self.bootstrap:
                raise ValueError("max_samples cannot be set if bootstrap=False: every tree sees all rows")

    def _plan(self, n, weights, rng):
        """Which rows each tree sees; ``weights`` is None if ``fit`` was given none."""
        if not self.bootstrap:
            return AllRows(n)
        chances = None if weights is None else chances_of(weights)
        return ReplicateOfRows(n, replicate_size(n, self.max_samples, weights), chances)

    def _grow_trees(self, X, target, weights, weighted, *classes):
        rng = check_random_state(self.random_state)
        self._seeds = new_seeds(rng, self.n_estimators).tolist()
        self._rows = self._plan(len(X), weights if weighted else None, rng)
        options = {name: getattr(self, name) for name in _TREE_OPTIONS}
        make = partial(self._tree, splitter=self._splitter, **options)
        columns = RankedColumns(X)
        tasks = [
            (make, seed, columns, target, weights, self._rows, t, classes)
            for t, seed in enumerate(self._seeds)
        ]
        self.estimators_ = spread(
            _grow_tree, tasks, n_jobs=self.n_jobs, verbose=self.verbose, label="trees", threads=True
        )
        self._flat = flatten([member.tree_ for member in self.estimators_])

    def _mean_of_trees(self, X):
        """The mean of the leaves' values over all trees, a row for each x."""
        check_is_fitted(self)
        X = check_X(self, X)
        total = np.zeros((len(X), self.estimators_[0].tree_.value.shape[1]))
        blocks = [slice(i, i + _BLOCK) for i in range(0, len(X), _BLOCK)]
        tasks = [(X[block], *self._flat, total[block]) for block in blocks]
        spread(_add_trees, tasks, n_jobs=self.n_jobs, here=True)
        return total / len(self.estimators_)

    def __getstate__(self):
        """The flat copy of the trees is not stored: it says nothing that the trees do not say."""
        return {name: value for name, value in super().__getstate__().items() if name != "_flat"}

    def __setstate__(self, state):
        super().__setstate__(state)
        if "estimators_" in state:
            self._flat = flatten([member.tree_ for member in self.estimators_])

    def _staged_means(self, X):
        check_is_fitted(self)
        X, total = check_X(self, X), 0.0
        for t, member in enumerate(self.estimators_, start=1):
            total = total + member.tree_.predict(X)
            yield total / t

    def _judge_out_of_bag(self, X, target, judge, shape):
        answers = [
            lambda rows, tree=member.tree_: tree.predict(X[rows]).reshape(shape)
            for member in self.estimators_
        ]
        replicates = (self._rows.rows(t, seed) for t, seed in enumerate(self._seeds))
        mean, self.history_ = judge_out_of_bag(answers, replicates, target, judge)
        self.oob_score_ = float(self.history_.oob_score[-1])
        return mean

    def apply(self, X):
        """The number of the leaf in which each point ends, a column for each tree."""
        check_is_fitted(self)
        X = check_X(self, X)
        return np.column_stack([member.tree_.apply(X) for member in self.estimators_]).astype(np.int64)

    @property
    def feature_importances_(self):
        """The mean of the trees' importances: what the splits of each feature gained, as shares."""
        check_is_fitted(self)
        mean = np.mean([member.feature_importances_ for member in self.estimators_], axis=0)
        return mean / mean.sum() if mean.sum() > 0 else mean

    @property
    def estimators_samples_(self):
        """The rows that each tree has seen; drawn again from its seed, so that they take no memory."""
        check_is_fitted(self)
        return [self._rows.rows(t, seed) for t, seed in enumerate(self._seeds)]

    def __len__(self):
        return len(self.estimators_)

    def __getitem__(self, t):
        return self.estimators_[t]

    def __iter__(self):
        return iter(self.estimators_)


class ForestClassifier(ClassifierMixin, Forest):
    """A forest of classification trees."""

    _tree = DecisionTreeClassifier

    def fit(self, X, y, sample_weight=None):
        """Grow the trees. With bootstrap, ``sample_weight`` are the relative chances of being drawn."""
        self._check_own_parameters()
        X, codes, self.classes_, weights = check_classification(self, X, y, sample_weight)
        K = self.n_classes_ = len(self.classes_)
        self._grow_trees(X, codes, weights, sample_weight is not None, np.arange(K))
        if self.oob_score:
            self.oob_decision_function_ = self._judge_out_of_bag(X, codes, accuracy, (-1, K))
        return self

    def predict_proba(self, X):
        """The mean of the trees' class shares, a column for each class."""
        return self._mean_of_trees(X)

    def predict_log_proba(self, X):
        """Their logarithms."""
        with np.errstate(divide="ignore"):  # a class that no leaf holds has log-probability -inf
            return np.log(self.predict_proba(X))

    def predict(self, X):
        """The class with the largest mean share; the first of equal ones."""
        shares = self.predict_proba(X)
        return self.classes_[first_greatest(shares)]

    def staged_predict_proba(self, X):
        """:meth:`predict_proba` of the first 1, 2, ..., T trees, one after another."""
        yield from self._staged_means(X)

    def staged_predict(self, X):
        """:meth:`predict` of the first 1, 2, ..., T trees, one after another."""
        for shares in self._staged_means(X):
            yield self.classes_[first_greatest(shares)]


class ForestRegressor(RegressorMixin, Forest):
    """A forest of regression trees."""

    _tree = DecisionTreeRegressor

    def fit(self, X, y, sample_weight=None):
        """Grow the trees. With bootstrap, ``sample_weight`` are the relative chances of being drawn."""
        self._check_own_parameters()
        X, y, weights = check_regression(self, X, y, sample_weight)
        self._grow_trees(X, y, weights, sample_weight is not None)
        if self.oob_score:
            self.oob_prediction_ = self._judge_out_of_bag(X, y, r2, (-1,))
        return self

    def predict(self, X):
        """The mean of the trees' answers."""
        return self._mean_of_trees(X)[:, 0]

    def staged_predict(self, X):
        """:meth:`predict` of the first 1, 2, ..., T trees, one after another."""
        for mean in self._staged_means(X):
            yield mean[:, 0]


def _grow_tree(make, seed, columns, target, weights, rows, t, classes):
    member = make(random_state=seed)
    return member._fit_prepared(columns, target, *classes, rows.weights(t, seed, weights))


def flatten(trees):
    """Put the arrays of all trees behind one another.

    Parameters
    ----------
    trees : list of Tree

    Returns
    -------
    asked : ndarray
        The features that some tree asks about, ascending.
    feature, threshold : ndarray of shape (n_nodes,)
        ``feature`` counts along ``asked``; it is negative for a leaf.
    right : int32 ndarray of shape (n_nodes,)
        The right child of an inner node, as a number among all nodes (the left child is the next node). For
        a leaf its answer: c < K, if all its examples are of class c; otherwise K plus a row of ``mixed``.
    root : int64 ndarray of shape (n_trees,)
    mixed : ndarray of shape (n_mixed, n_outputs)
        The values of the other leaves. (A table of all values would be mostly zeros and ones.)
    K : int
        Number of classes; 0 for regression, where every leaf is a row of ``mixed``.
    """
    n_outputs = trees[0].value.shape[1]
    K = n_outputs if n_outputs > 1 else 0
    rights, mixed, root, n_mixed = [], [], [], 0
    for tree in trees:
        root.append(sum(len(right) for right in rights[-1:]) + (root[-1] if root else 0))
        leaf = tree.feature < 0
        pure = leaf & (tree.value.max(axis=1) == 1.0) & (K > 0)
        other = np.flatnonzero(leaf & ~pure)
        right = tree.children_right + root[-1]
        right[pure] = tree.value[pure].argmax(axis=1)
        right[other] = K + n_mixed + np.arange(len(other))
        n_mixed += len(other)
        rights.append(right.astype(np.int32))
        mixed.append(tree.value[other])
    feature = np.concatenate([tree.feature for tree in trees])
    inner = feature >= 0
    asked = np.unique(feature[inner])
    feature[inner] = np.searchsorted(asked, feature[inner])
    return (
        asked,
        feature,
        np.concatenate([tree.threshold for tree in trees]),
        np.concatenate(rights),
        np.array(root, dtype=np.int64),
        np.concatenate(mixed),
        K,
    )


@njit(cache=True, nogil=True)
def _add_trees(X, asked, feature, threshold, right, root, mixed, K, total):
    """Add to ``total`` what each tree says about each row of X; the rows are split as in training."""
    m, d = len(X), len(asked)
    columns = np.empty((d, m))
    for i in range(m):
        for j in range(d):
            columns[j, i] = X[i, asked[j]]
    rows, aside = np.empty(m, dtype=np.int32), np.empty(m, dtype=np.int32)
    stack = np.empty((64, 3), dtype=np.int64)  # node, begin, end of its rows
    for tree in range(len(root)):
        for i in range(m):
            rows[i] = i
        node, begin, end, height = root[tree], 0, m, 0
        while True:
            while feature[node] >= 0 and end > begin:
                # Every row is written to both sides, and only one side moves on: no branch to mispredict.
                x, cut = columns[feature[node]], threshold[node]
                n_left, n_right = begin, 0
                for k in range(begin, end):
                    i = rows[k]
                    goes_right = x[i] > cut
                    rows[n_left] = i
                    aside[n_right] = i
                    n_left += 1 - goes_right
                    n_right += goes_right
                for k in range(n_right):
                    rows[n_left + k] = aside[k]
                if height == len(stack):
                    stack = np.concatenate((stack, np.empty_like(stack)))
                stack[height, 0], stack[height, 1], stack[height, 2] = right[node], n_left, end
                height += n_right > 0
                node, end = node + 1, n_left
            if end > begin:
                answer = right[node]
                for k in range(begin, end):
                    i = rows[k]
                    if answer < K:
                        total[i, answer] += 1.0
                    else:
                        for c in range(mixed.shape[1]):
                            total[i, c] += mixed[answer - K, c]
            if height == 0:
                break
            height -= 1
            node, begin, end = stack[height]
