r"""A grown tree: flat arrays, one entry for each node, and the walks through them.

Nodes are numbered in the order in which a reader would visit them: a node, all of its left branch, all of its
right branch. Node 0 is the root; the left child of a node is its successor. The names of the arrays are
scikit-learn's, so that what is drawn or printed here can be compared with what is drawn or printed there.
"""

import numpy as np
from scipy.sparse import csr_matrix

from ._walk import leaves_of

LEAF = -1  # children of a leaf


class Tree:
    """Flat arrays of shape (node_count,), and ways to walk through them.

    Examples
    --------
    >>> from mllib import DecisionTreeRegressor
    >>> tree = DecisionTreeRegressor().fit([[1.0], [2.0], [3.0]], [4.0, 4.0, 9.0]).tree_
    >>> tree.feature.tolist(), tree.threshold[0], tree.children_right.tolist()
    ([0, -2, -2], np.float64(2.5), [2, -1, -1])
    >>> tree.apply(np.array([[0.0], [5.0]])).tolist(), tree.value.ravel().tolist()
    ([1, 2], [5.666666666666667, 4.0, 9.0])

    Attributes
    ----------
    feature : int32 ndarray
        The feature that a node asks about; -2 for a leaf.
    threshold : float64 ndarray
        Go left if x[feature] <= threshold.
    children_left, children_right : int32 ndarray
        Numbers of the children; -1 for a leaf.
    impurity : float64 ndarray
        Impurity of the examples in the node (criterion of the tree).
    n_node_samples : int64 ndarray
        How many examples of positive weight the node holds.
    weighted_n_node_samples : float64 ndarray
        What they weigh.
    value : float64 ndarray of shape (node_count, n_outputs)
        Shares of the classes, or in one column the mean of y.
    n_features : int
    """

    def __init__(self, feature, threshold, right, impurity, n_samples, weight, value, n_features):
        node = np.arange(len(feature), dtype=np.int32)
        inner = feature >= 0
        self.feature, self.threshold = feature, threshold
        self.children_left = np.where(inner, node + 1, LEAF).astype(np.int32)
        self.children_right = np.where(inner, right, LEAF).astype(np.int32)
        self.impurity, self.value = impurity, value
        self.n_node_samples, self.weighted_n_node_samples = n_samples, weight
        self.n_features = n_features

    @property
    def node_count(self):
        """The number of nodes."""
        return len(self.feature)

    @property
    def n_leaves(self):
        """The number of leaves."""
        return int(np.count_nonzero(self.feature < 0))

    @property
    def max_depth(self):
        """The number of questions on the longest path."""
        return int(self.depths().max())

    def depths(self):
        """How many questions lead to each node."""
        depth = np.zeros(self.node_count, dtype=np.int64)
        for node in np.flatnonzero(self.feature >= 0):  # parents come before children
            depth[self.children_left[node]] = depth[self.children_right[node]] = depth[node] + 1
        return depth

    def apply(self, X):
        """The leaf in which each row of X (float64) ends."""
        X = np.ascontiguousarray(X)  # one layout, one compiled function
        return leaves_of(X, self.feature, self.threshold, self.children_right)

    def predict(self, X):
        """The value of that leaf: shape (n_samples, n_outputs)."""
        return self.value.take(self.apply(X), axis=0)

    def decision_path(self, X):
        """The nodes that each row of X passes: a sparse indicator matrix (n_samples, node_count)."""
        parent = np.full(self.node_count + 1, -1)  # of the root, and of nobody, which is -1 too
        inner = np.flatnonzero(self.feature >= 0)
        parent[self.children_left[inner]] = parent[self.children_right[inner]] = inner
        steps = [self.apply(X)]
        while steps[-1].max() > 0:
            steps.append(parent[steps[-1]])
        nodes = np.array(steps[::-1]).T  # parents have smaller numbers than their children
        starts = np.append(0, np.cumsum((nodes >= 0).sum(axis=1)))
        ones = np.ones(starts[-1], dtype=np.int64)
        return csr_matrix((ones, nodes[nodes >= 0], starts), shape=(len(X), self.node_count))

    def costs(self):
        """The impurity of each node, weighted by its share of the training set."""
        return self.weighted_n_node_samples / self.weighted_n_node_samples[0] * self.impurity

    def feature_gains(self):
        """By how much the splits of each feature lower the weighted impurity of the tree."""
        inner = np.flatnonzero(self.feature >= 0)
        left, right = self.children_left[inner], self.children_right[inner]
        cost = self.costs()
        return np.bincount(self.feature[inner], cost[inner] - cost[left] - cost[right], self.n_features)

    def feature_importances(self):
        """The gains as shares of their sum."""
        gain = self.feature_gains()
        return gain / gain.sum() if gain.sum() > 0 else gain
