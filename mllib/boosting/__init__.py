"""Boosting: AdaBoost and its relatives, their weak learners, and the bounds of the theory."""

from mllib.boosting.adaboost import AdaBoostClassifier, margins
from mllib.boosting.bounds import (
    exponential_bound,
    generalisation_bound,
    margin_bound,
    product_bound,
    rounds_to_zero_error,
    vanishing_margin,
)
from mllib.boosting.brown import (
    BrownBoostClassifier,
    brown_potential,
    brown_step,
    brown_weights,
)
from mllib.boosting.floating import FloatBoostClassifier
from mllib.boosting.gentle import GentleAdaBoostClassifier
from mllib.boosting.gradient_trees import GradientBoostingClassifier, GradientBoostingRegressor
from mllib.boosting.lines import LinearStump
from mllib.boosting.logit import LogitBoostClassifier
from mllib.boosting.minimax import hardest_weights, largest_margin, stump_matrix
from mllib.boosting.real import RealAdaBoostClassifier

__all__ = [
    "AdaBoostClassifier",
    "BrownBoostClassifier",
    "FloatBoostClassifier",
    "GentleAdaBoostClassifier",
    "GradientBoostingClassifier",
    "GradientBoostingRegressor",
    "LinearStump",
    "LogitBoostClassifier",
    "RealAdaBoostClassifier",
    "brown_potential",
    "brown_step",
    "brown_weights",
    "exponential_bound",
    "generalisation_bound",
    "hardest_weights",
    "largest_margin",
    "margin_bound",
    "margins",
    "product_bound",
    "rounds_to_zero_error",
    "stump_matrix",
    "vanishing_margin",
]
