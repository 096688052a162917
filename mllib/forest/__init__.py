"""Forests: decision forests, random forests, extremely randomised trees; strength and correlation."""

from .forest import (
    DecisionForestClassifier,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from .strength import strength_and_correlation
