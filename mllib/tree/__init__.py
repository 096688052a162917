"""Trees: split search, stumps, classification and regression trees, extra-trees."""

from mllib.tree.sorted_features import SortedFeatures
from mllib.tree.stump import DecisionStump, RegressionStump

__all__ = ["DecisionStump", "RegressionStump", "SortedFeatures"]
