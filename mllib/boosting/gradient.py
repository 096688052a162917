r"""Gradient boosting: additive models by steepest descent, for any loss that has a slope.

The training loss :math:`\sum_i w_i L(y_i, F(x_i))` is a function of the n numbers :math:`F(x_i)`. **Repeat**
for t = 1, ..., T, starting from the best constant :math:`F_0`:

1. the direction of steepest descent: :math:`g_i = -\partial L(y_i, F(x_i)) / \partial F(x_i)`;
2. fit a regression tree to the g by weighted least squares: a direction that is a function of x;
3. in each leaf, replace the tree's value by the best step :math:`c = \arg\min_c \sum_{i \in leaf} w_i
   L(y_i, F(x_i) + c)`, or by one Newton step towards it,
   :math:`c = \sum w_i g_i / \sum w_i L''_i`;
4. :math:`F \leftarrow F + \eta \cdot` tree.

For squared error g is the residual and step 3 changes nothing: stagewise least squares. For the losses of the
margin m = y F: :math:`g = -y \phi'(m)` and :math:`L'' = \phi''(m)`; with the exponential loss the g are
AdaBoost's weights with the sign of the label. Piecewise linear losses have no curvature: in a leaf their sum
falls until its slope changes sign, which is a weighted median of the places where the examples' losses bend.

References
----------
.. [1] Friedman, J. (2001). "Greedy function approximation: a gradient boosting machine". Annals of Statistics
   29(5), 1189-1232.
.. [2] Friedman, J. (2002). "Stochastic gradient boosting". Computational Statistics and Data Analysis 38,
   367-378.
"""

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from .._members import regressor_from
from ..learner import knob
from ..parameters import boolean, integer, real
from ..tree import DecisionTreeRegressor
from ..tree._options import Growth
from ..validation import check_X
from .additive import AdditiveModel, Round


class GradientBoosting(Growth, AdditiveModel):
    """What the two estimators share: the rounds. A subclass names its losses and has the parameters."""

    learning_rate: float = knob(0.1, real(0))
    n_estimators: int = knob(100, integer(1))
    subsample: float = knob(1.0, real(0, 1, open_low=True))
    max_depth: int | None = 3
    verbose: int = knob(0, integer(0) | boolean())

    _columns = {"loss": "mean training loss after the round", "step": "mean size of the step in F"}

    def _boost(self, X, objective, weights):
        self.loss_start_ = objective.start(weights)
        self._run(self._rounds(X, weights, objective))
        self.estimators_ = np.array(self.estimators_, dtype=object).reshape(-1, objective.n_scores)
        return self

    def _rounds(self, X, D, objective):
        n, rng = len(X), check_random_state(self.random_state)
        learn = regressor_from(DecisionTreeRegressor(**self._growth()), X, rng)
        F = np.tile(self.loss_start_, (n, 1))
        while True:
            w = D
            if self.subsample < 1:  # each round sees its own part of the examples, drawn without replacement
                seen = rng.permutation(n)[: max(1, int(self.subsample * n))]
                w = np.zeros(n)
                w[seen] = D[seen]
            g, before = objective.descent(F), F.copy()
            member = []
            for k in range(objective.n_scores):
                tree = learn(g[:, k], w)
                leaf = tree.tree_.apply(X)
                step = objective.steps(before, g, k, w, leaf, tree.tree_.node_count)
                at_leaf = tree.tree_.feature < 0
                tree.tree_.value[at_leaf, 0] = step[at_leaf]
                F[:, k] += self.learning_rate * step[leaf]
                member.append(tree)
            numbers = dict(loss=objective.value(F, D), step=np.abs(F - before).mean())
            yield Round(member, self.learning_rate, numbers)

    @property
    def _offset(self):
        return self.loss_start_

    def _answer(self, member, X):
        return np.column_stack([tree._predict_values(X) for tree in member])

    def apply(self, X):
        """The leaf of every tree in which each point ends: shape (n_samples, n_estimators[, n_classes])."""
        X = check_X(self, X)
        leaves = np.stack([[tree.tree_.apply(X) for tree in member] for member in self.estimators_])
        leaves = leaves.transpose(2, 0, 1).astype(np.float64)
        return leaves[:, :, 0] if isinstance(self, RegressorMixin) else leaves

    @property
    def feature_importances_(self):
        """What the splits of each feature gained in squared error of g, as shares of the whole gain."""
        check_is_fitted(self)
        gains = np.zeros(self.n_features_in_)
        for tree in self.estimators_.ravel():
            gains += tree.tree_.feature_gains()
        return gains / gains.sum() if gains.sum() > 0 else gains
