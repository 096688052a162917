"""Forests: decision forests, random forests, extremely randomised trees; strength and correlation."""

from .decision_forest import DecisionForestClassifier
from .extra_trees import ExtraTreesClassifier, ExtraTreesRegressor
from .random_forest import RandomForestClassifier, RandomForestRegressor
from .strength import strength_and_correlation
