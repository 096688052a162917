r"""What all forests share: seeds, growing side by side, and the mean.

A forest is T trees that differ, and a mean:

.. math:: P(c \mid x) = \frac1T \sum_{t=1}^T P_t(c \mid x), \qquad \hat f(x) = \frac1T \sum_{t=1}^T f_t(x).

**Growing.** The columns of X are ranked once (:class:`~mllib.tree.RankedColumns`); every tree grows from
them with weights of its own, in one compiled call that lets other threads run. Each tree has its own integer
seed, so the forest is the same whatever the number of threads, processes or machines.

**Predicting.** The mean of the trees; :mod:`mllib.forest._flat` walks a block of rows through all of them.

References
----------
.. [1] Ho, T. K. (1995). "Random decision forests". ICDAR, 278-282.
.. [2] Breiman, L. (2001). "Random forests". Machine Learning 45, 5-32.
"""

from functools import cached_property, partial

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from ..bagging._committee import Committee, MeanClassifier, MeanRegressor, Resampled
from ..bagging._workers import spread
from ..bagging.replicates import chances_of, new_seeds, replicate_size
from ..learner import knob
from ..parameters import integer, one_of, real
from ..tree import DecisionTreeClassifier, DecisionTreeRegressor, RankedColumns
from ..tree._options import Growth
from ._flat import flatten, sum_of_trees
from .rows import AllRows, ReplicateOfRows


class Forest(Growth, Committee):
    """Growing, looking inside, and the mean of the trees."""

    n_estimators: int = knob(100, integer(1), first=True)
    ccp_alpha: float = knob(0.0, real(0))

    _splitter = "best"

    def _plan(self, n, weights, rng):
        """Which rows each tree sees; ``weights`` is None if ``fit`` was given none."""
        if not self.bootstrap:
            return AllRows(n)
        return ReplicateOfRows(n, replicate_size(n, self.max_samples, weights), chances_of(weights))

    def _grow_trees(self, X, target, weights, weighted, *classes):
        rng = check_random_state(self.random_state)
        self._seeds = new_seeds(rng, self.n_estimators).tolist()
        self._rows = self._plan(len(X), weights if weighted else None, rng)
        how = dict(criterion=self.criterion, splitter=self._splitter, ccp_alpha=self.ccp_alpha)
        make = partial(self._tree, **how, **self._growth())
        columns = RankedColumns(X)
        tasks = [
            (make, seed, columns, target, weights, self._rows, t, classes)
            for t, seed in enumerate(self._seeds)
        ]
        self.estimators_ = spread(
            _grow_tree, tasks, n_jobs=self.n_jobs, verbose=self.verbose, label="trees", threads=True
        )
        self._flat = flatten([member.tree_ for member in self.estimators_])

    def _mean(self, X):
        """The mean of the leaves' values over all trees, a row for each x."""
        X = self._checked(X)
        n_outputs = self.estimators_[0].tree_.value.shape[1]
        return sum_of_trees(self._flat, X, n_outputs, self.n_jobs) / len(self)

    def _say(self, t, X):
        return self.estimators_[t].tree_.predict(X)

    def _rows_of(self, t):
        return self._rows.rows(t, self._seeds[t])

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


class ResampledForest(Resampled):
    """Forests whose trees may see a bootstrap replicate each, and be judged by what it left out."""

    def _check_parameters(self):
        super()._check_parameters()
        if self.max_samples is not None and not self.bootstrap:
            raise ValueError("max_samples cannot be set if bootstrap=False: every tree sees all rows")


class ForestClassifier(MeanClassifier, Forest):
    """A forest of classification trees."""

    criterion: str = knob("gini", one_of("gini", "entropy", "normalised_gain"))

    _tree = DecisionTreeClassifier

    def _fit_members(self, X, codes, weights, weighted):
        self.n_classes_ = len(self.classes_)
        self._grow_trees(X, codes, weights, weighted, np.arange(self.n_classes_))

    predict_log_proba = DecisionTreeClassifier.predict_log_proba


class ForestRegressor(MeanRegressor, Forest):
    """A forest of regression trees."""

    criterion: str = knob("squared_error", one_of("squared_error"))

    _tree = DecisionTreeRegressor
    _fit_members = Forest._grow_trees

    def _mean(self, X):
        return super()._mean(X)[:, 0]

    def _say(self, t, X):
        return super()._say(t, X)[:, 0]


def _grow_tree(make, seed, columns, target, weights, rows, t, classes):
    member = make(random_state=seed)
    return member._fit_prepared(columns, target, *classes, rows.weights(t, seed, weights))
