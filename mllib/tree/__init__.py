"""Trees: questions about single features, one below the other.

Where to read what:

- :mod:`~mllib.tree.stump`: one question; ``_sorted_features`` finds the best one fast.
- :mod:`~mllib.tree.criteria`: impurity and gain as plain formulas.
- :mod:`~mllib.tree.split`: the best cut of a feature; :mod:`~mllib.tree.build`: features as ranks, the best
  question of a node, the tree, and the seam for forests; :mod:`~mllib.tree.structure`: the flat arrays.
- :mod:`~mllib.tree.prune`: cutting back; :mod:`~mllib.tree.cart`: the estimators.

Engines: ``_sorted_features``, ``_tables`` (cuts without sorting), ``_walk`` (points down a tree).
"""

from ._sorted_features import SortedFeatures
from .build import RankedColumns, grow
from .cart import DecisionTreeClassifier, DecisionTreeRegressor
from .criteria import (
    entropy,
    gini,
    impurity_gain,
    normalised_information_gain,
    squared_error,
)
from .prune import prune, pruning_path
from .split import ENTROPY, GINI, NORMALISED, SQUARED
from .structure import Tree
from .stump import DecisionStump, RegressionStump
