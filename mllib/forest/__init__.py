"""Forests: decision forests, random forests, extremely randomised trees; strength and correlation."""

from mllib.forest.decision_forest import DecisionForestClassifier
from mllib.forest.extra_trees import ExtraTreesClassifier, ExtraTreesRegressor
from mllib.forest.random_forest import RandomForestClassifier, RandomForestRegressor
from mllib.forest.strength import strength_and_correlation

__all__ = [
    "DecisionForestClassifier",
    "ExtraTreesClassifier",
    "ExtraTreesRegressor",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "strength_and_correlation",
]
