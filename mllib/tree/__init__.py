"""Trees: questions about single features, one below the other.

Where to read what:

- :mod:`~mllib.tree.stump`: one question; ``_sorted_features`` finds the best one fast.
- :mod:`~mllib.tree.criteria`: impurity and gain as plain formulas.
- :mod:`~mllib.tree.split`: the best cut of a feature; :mod:`~mllib.tree.question`: the best of those drawn;
  :mod:`~mllib.tree.grow`: the tree, and the seam for forests; :mod:`~mllib.tree.structure`: the flat arrays.
- :mod:`~mllib.tree.prune`: cutting back; :mod:`~mllib.tree.cart`: the estimators.

Behind them: ``_columns`` (features as ranks), ``_look`` (the sums of a node), ``_tables`` (cuts without
sorting), ``_walk`` (points down a tree) and ``_options`` (how far trees grow).
"""

from ._columns import RankedColumns
from ._sorted_features import SortedFeatures
from .cart import DecisionTreeClassifier, DecisionTreeRegressor
from .criteria import (
    entropy,
    gini,
    impurity_gain,
    normalised_information_gain,
    squared_error,
)
from .grow import grow
from .prune import prune, pruning_path
from .split import ENTROPY, GINI, NORMALISED, SQUARED
from .structure import Tree
from .stump import DecisionStump, RegressionStump
