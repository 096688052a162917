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

__all__ = [
    "AdaBoostClassifier",
    "LinearStump",
    "exponential_bound",
    "generalisation_bound",
    "margin_bound",
    "margins",
    "product_bound",
    "rounds_to_zero_error",
    "vanishing_margin",
]
