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
from mllib.boosting.lines import LinearStump
from mllib.boosting.minimax import hardest_weights, largest_margin, stump_matrix

__all__ = [
    "AdaBoostClassifier",
    "LinearStump",
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
