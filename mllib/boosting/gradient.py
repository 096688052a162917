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
from scipy.special import expit, softmax
from sklearn.metrics import r2_score
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from .._members import check_weighted, regressor_from
from ..learner import Classifier, Regressor, knob
from ..losses import EpsilonInsensitive, Exponential, Logistic, MarginLoss, ResidualLoss, SquaredError
from ..parameters import boolean, instance_of, integer, one_of, real
from ..tree import DecisionTreeRegressor
from ..tree.cart import DEPTH, FEATURES, LEAF, SPLIT, growth_of
from ..validation import check_regression, check_X
from .additive import AdditiveModel, Round
from .objectives import MultinomialObjective, objective_for


class GradientBoosting(AdditiveModel):
    """What the two estimators share: the rounds. A subclass names its losses and has the parameters."""

    learning_rate: float = knob(0.1, real(0))
    n_estimators: int = knob(100, integer(1))
    subsample: float = knob(1.0, real(0, 1, open_low=True))
    max_depth: int | None = knob(3, DEPTH)
    min_samples_split: float = knob(2, SPLIT)
    min_samples_leaf: float = knob(1, LEAF)
    max_features: float | str | None = knob(None, FEATURES)
    random_state: object = knob(None)
    verbose: int = knob(0, integer(0) | boolean())

    _columns = {"loss": "mean training loss after the round", "step": "mean size of the step in F"}

    def _boost(self, X, objective, weights):
        self._offset = self.loss_start_ = objective.start(weights)
        self._run(self._rounds(X, weights, objective))
        self.estimators_ = np.array(self.estimators_, dtype=object).reshape(-1, objective.n_scores)
        return self

    def _rounds(self, X, D, objective):
        n, rng = len(X), check_random_state(self.random_state)
        learn = regressor_from(DecisionTreeRegressor(**growth_of(self)), X, rng)
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

    def _answer(self, member, X):
        return np.column_stack([tree._predict_values(X) for tree in member])

    def apply(self, X):
        """The leaf of every tree in which each point ends: shape (n_samples, n_estimators[, n_classes])."""
        X = check_X(self, X)
        leaves = np.stack([[tree.tree_.apply(X) for tree in member] for member in self.estimators_])
        leaves = leaves.transpose(2, 0, 1).astype(np.float64)
        return leaves[:, :, 0] if isinstance(self, Regressor) else leaves

    @property
    def feature_importances_(self):
        """What the splits of each feature gained in squared error of g, as shares of the whole gain."""
        check_is_fitted(self)
        trees, none = self.estimators_.ravel(), np.zeros(self.n_features_in_)
        gains = sum((tree.tree_.feature_gains() for tree in trees), start=none)
        return gains / gains.sum() if gains.sum() > 0 else gains


class GradientBoostingRegressor(GradientBoosting, Regressor):
    r"""Gradient boosting for regression.

    .. math:: F_T(x) = F_0 + \eta \sum_{t=1}^T \text{tree}_t(x)

    Parameters
    ----------
    loss : {"squared_error", "absolute_error"} or ResidualLoss, default="squared_error"
        What is lowered; any residual loss of :mod:`mllib.losses`, such as ``EpsilonInsensitive(0.5)``.
    learning_rate : float, default=0.1
        :math:`\eta`, the share of each step that is taken.
    n_estimators : int, default=100
        The number T of rounds.
    subsample : float, default=1.0
        The share of examples that each tree sees.
    min_samples_split, min_samples_leaf, max_depth, max_features
        Limits of the trees, as for :class:`~mllib.DecisionTreeRegressor`.
    random_state : int, RandomState or None, default=None
        For ``subsample`` and ``max_features``.
    verbose : int, default=0
        1 shows a progress bar.

    Attributes
    ----------
    estimators_ : ndarray of shape (n_estimators, 1)
        The trees; their leaves hold the steps.
    loss_start_ : ndarray of shape (1,)
        :math:`F_0`, the best constant.
    history_ : History
        ``loss`` and ``step`` for each round.
    n_features_in_ : int

    References
    ----------
    .. [1] Friedman, J. (2001). "Greedy function approximation: a gradient boosting machine". Annals of
       Statistics 29(5), 1189-1232.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0.0, 0.0, 1.0, 5.0]
    >>> model = GradientBoostingRegressor(n_estimators=2, learning_rate=0.5, max_depth=1).fit(X, y)
    >>> model.loss_start_, model.predict(X).round(3)
    (array([1.5]), array([0.625, 0.625, 0.625, 4.125]))
    """

    _named_losses = {"squared_error": SquaredError(), "absolute_error": EpsilonInsensitive(0.0)}

    loss: object = knob("squared_error", one_of(*_named_losses) | instance_of(ResidualLoss))

    def fit(self, X, y, sample_weight=None):
        """Boost."""
        X, y, weights = check_regression(self, X, y, sample_weight, moderate_weights=True)
        there = weights > 0
        loss = self._named_losses.get(self.loss, self.loss) if isinstance(self.loss, str) else self.loss
        return self._boost(X[there], objective_for(loss, y[there]), weights[there])

    def predict(self, X):
        """:math:`F_T(x)`."""
        return self._sum(check_X(self, X))[:, 0]

    def staged_predict(self, X):
        """Yield the predictions after 1, 2, ..., T rounds."""
        for F in self._staged_sum(check_X(self, X)):
            yield F[:, 0]

    def staged_score(self, X, y, sample_weight=None):
        """Yield :math:`R^2` after 1, 2, ..., T rounds."""
        for prediction in self.staged_predict(X):
            yield r2_score(y, prediction, sample_weight=sample_weight)


class GradientBoostingClassifier(GradientBoosting, Classifier):
    r"""Gradient boosting for classification, two or more classes.

    Parameters
    ----------
    loss : {"log_loss", "exponential"} or MarginLoss, default="log_loss"
        What is lowered. For two classes any margin loss of :mod:`mllib.losses` that has a slope, such as
        ``Hinge()``; for more classes "log_loss", with one tree a round and class.
    learning_rate, n_estimators, subsample, min_samples_split, min_samples_leaf, max_depth, random_state
        As for :class:`GradientBoostingRegressor`.
    max_features, verbose
        As for :class:`GradientBoostingRegressor`.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    n_classes_ : int
    estimators_, loss_start_, history_, n_features_in_
        As for :class:`GradientBoostingRegressor`; for more than two classes there is a tree in each round,
        and a constant, for each of them.

    References
    ----------
    .. [1] Friedman, J. (2001). "Greedy function approximation: a gradient boosting machine". Annals of
       Statistics 29(5), 1189-1232.

    Examples
    --------
    >>> X, y = [[0], [1], [2], [3], [4], [5]], [0, 0, 1, 1, 0, 0]
    >>> model = GradientBoostingClassifier(n_estimators=10, learning_rate=0.5).fit(X, y)
    >>> model.predict(X), bool(model.history_.loss[-1] < 0.1)
    (array([0, 0, 1, 1, 0, 0]), True)
    """

    _named_losses = {"log_loss": Logistic(), "exponential": Exponential()}

    loss: object = knob("log_loss", one_of(*_named_losses) | instance_of(MarginLoss))

    def fit(self, X, y, sample_weight=None):
        """Boost."""
        X, codes, self.classes_, weights = check_weighted(self, X, y, sample_weight, binary=False)
        self.n_classes_ = len(self.classes_)
        if self.n_classes_ == 2:
            self._loss = self._named_losses[self.loss] if isinstance(self.loss, str) else self.loss
            objective = objective_for(self._loss, 2.0 * codes - 1.0)
        elif self.loss == "log_loss":
            objective = MultinomialObjective(codes, self.n_classes_)
        else:
            raise ValueError(
                f"The 'loss' parameter of {type(self).__name__} must be 'log_loss' when there are "
                f"{self.n_classes_} classes. Got {self.loss!r} instead."
            )
        return self._boost(X, objective, weights)

    def _score_from(self, F, t):
        return F[:, 0] if self.n_classes_ == 2 else F

    def _proba_from(self, score):
        """The link that belongs to the loss."""
        if score.ndim == 2:
            return softmax(score, axis=1)
        # The log-odds that a score stands for: F for the logistic loss, 2 F for the exponential loss. Other
        # losses do not estimate probabilities; theirs are read as log-odds for want of anything better.
        slope = 2.0 if isinstance(self._loss, Exponential) else getattr(self._loss, "slope", 1.0)
        p = expit(slope * score)
        return np.column_stack((1 - p, p))
