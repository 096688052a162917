"""Trees: split search, stumps, classification and regression trees, extra-trees."""

from mllib.tree.cart import DecisionTreeClassifier, DecisionTreeRegressor
from mllib.tree.columns import RankedColumns
from mllib.tree.criteria import (
    entropy,
    gini,
    impurity_gain,
    normalised_information_gain,
    squared_error,
)
from mllib.tree.grow import grow
from mllib.tree.prune import prune, pruning_path
from mllib.tree.sorted_features import SortedFeatures
from mllib.tree.split import ENTROPY, GINI, NORMALISED, SQUARED
from mllib.tree.structure import Tree
from mllib.tree.stump import DecisionStump, RegressionStump

__all__ = [
    "ENTROPY",
    "GINI",
    "NORMALISED",
    "SQUARED",
    "DecisionStump",
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "RankedColumns",
    "RegressionStump",
    "SortedFeatures",
    "Tree",
    "entropy",
    "gini",
    "grow",
    "impurity_gain",
    "normalised_information_gain",
    "prune",
    "pruning_path",
    "squared_error",
]
