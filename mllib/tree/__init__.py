"""Trees: split search, stumps, classification and regression trees, extra-trees."""

from mllib.tree.columns import RankedColumns
from mllib.tree.grow import grow
from mllib.tree.sorted_features import SortedFeatures
from mllib.tree.split import ENTROPY, GINI, NORMALISED, SQUARED
from mllib.tree.structure import Tree
from mllib.tree.stump import DecisionStump, RegressionStump

__all__ = [
    "DecisionStump",
    "ENTROPY",
    "GINI",
    "NORMALISED",
    "RankedColumns",
    "RegressionStump",
    "SQUARED",
    "SortedFeatures",
    "Tree",
    "grow",
]
