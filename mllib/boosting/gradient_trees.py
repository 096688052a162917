"""Gradient boosting of regression trees: two estimators. The algorithm: :mod:`mllib.boosting.gradient`."""

import numpy as np
from scipy.special import expit, softmax
from sklearn.metrics import r2_score

from .._members import check_weighted
from ..learner import Regressor, knob
from ..losses import EpsilonInsensitive, Exponential, Logistic, MarginLoss, ResidualLoss, SquaredError
from ..parameters import instance_of, one_of
from ..validation import check_regression, check_X
from .additive import StagedClassifier
from .gradient import GradientBoosting
from .objectives import MultinomialObjective, objective_for


class GradientBoostingRegressor(Regressor, GradientBoosting):
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
        self._check_parameters()
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


class GradientBoostingClassifier(StagedClassifier, GradientBoosting):
    r"""Gradient boosting for classification, two or more classes.

    .. math:: F_T(x) = F_0 + \eta \sum_{t=1}^T \text{tree}_t(x)

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
    estimators_ : ndarray of shape (n_estimators, 1) or (n_estimators, n_classes)
        The trees; their leaves hold the steps.
    loss_start_ : ndarray of shape (1,) or (n_classes,)
        :math:`F_0`, the best constant score.
    history_ : History
        ``loss`` and ``step`` for each round.
    n_features_in_ : int

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
        self._check_parameters()
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
