r"""Pruning: which branches are worth their leaves?

Let R(t) be the weighted impurity of node t as a share of the whole training set, and R(T) the sum over the
leaves of a tree. Minimal cost-complexity pruning asks for the subtree with the least

.. math:: R_\alpha(T) = R(T) + \alpha \, |\text{leaves of } T| .

A branch below t pays if :math:`R(t) + \alpha > R(T_t) + \alpha |T_t|`. Working from the leaves upwards, each
node needs one comparison: its cost as a leaf against the best costs of its two children. As :math:`\alpha`
grows, the best subtrees are nested, and the values at which they change are the *pruning path*: a node goes
when :math:`\alpha` reaches its link strength

.. math:: g(t) = \frac{R(t) - R(T_t)}{|T_t| - 1}

and it is the weakest link of what is left.

References
----------
.. [1] Breiman, L., Friedman, J., Olshen, R. and Stone, C. (1984). Classification and Regression Trees.
   Wadsworth. (Chapter 3.)
"""

import numpy as np

from .._compiled import njit
from ..ties import TIE
from .structure import Tree


def prune(tree, ccp_alpha):
    """The smallest subtree of least cost for this price of a leaf.

    Parameters
    ----------
    tree : Tree
    ccp_alpha : float
        The price of a leaf, in units of impurity.

    Returns
    -------
    Tree

    References
    ----------
    .. [1] Breiman, Friedman, Olshen and Stone (1984), chapter 3.

    Examples
    --------
    >>> from mllib.tree import RankedColumns, grow
    >>> tree = grow(RankedColumns(np.arange(4.0)[:, None]), np.array([0.0, 0.1, 5.0, 6.0]), np.ones(4))
    >>> tree.n_leaves, prune(tree, 0.01).n_leaves, prune(tree, 1.0).n_leaves
    (4, 3, 2)
    """
    keep, is_leaf = _cut_branches(tree.costs(), tree.feature, tree.children_right, float(ccp_alpha))
    number = np.cumsum(keep) - 1  # the new number of every kept node
    feature, threshold = np.where(is_leaf, -2, tree.feature), np.where(is_leaf, np.nan, tree.threshold)
    rest = tree.impurity, tree.n_node_samples, tree.weighted_n_node_samples, tree.value
    arrays = feature, threshold, number[tree.children_right], *rest
    return Tree(*(array[keep] for array in arrays), tree.n_features)


def pruning_path(tree):
    """All prices at which the best subtree changes, and the impurity of the leaves from there on.

    Returns
    -------
    ccp_alphas : ndarray
        Ascending, from 0.
    impurities : ndarray
        R(T) of the best subtree from each of these prices on.

    References
    ----------
    .. [1] Breiman, Friedman, Olshen and Stone (1984), chapter 3.

    Examples
    --------
    >>> from mllib.tree import RankedColumns, grow
    >>> tree = grow(RankedColumns(np.arange(4.0)[:, None]), np.array([0.0, 0.1, 5.0, 6.0]), np.ones(4))
    >>> alphas, impurities = pruning_path(tree)
    >>> print([round(float(a), 4) for a in alphas])
    [0.0, 0.0013, 0.125, 7.4256]
    """
    return _weakest_links(tree.costs(), tree.feature, tree.children_right)


@njit
def _cut_branches(R, feature, right, alpha):
    """Which nodes stay, and which of them are leaves, at this price of a leaf."""
    cost, is_leaf, tie = R + alpha, feature < 0, TIE * R[0]
    for t in range(len(R) - 1, -1, -1):  # children have greater numbers than their parent
        if feature[t] >= 0:
            branch = cost[t + 1] + cost[right[t]]
            if cost[t] <= branch + tie:
                is_leaf[t] = True
            else:
                cost[t] = branch
    keep = np.zeros(len(R), dtype=np.bool_)
    keep[0] = True
    for t in range(len(R)):
        if keep[t] and not is_leaf[t]:
            keep[t + 1] = keep[right[t]] = True
    return keep, is_leaf & keep


@njit
def _weakest_links(R, feature, right):
    """Cut the weakest links again and again; return the prices and the impurities of what is left."""
    n, is_leaf, tie = len(R), feature < 0, TIE * R[0]
    cost, leaves, link = np.empty(n), np.empty(n), np.empty(n)
    alphas, costs = np.zeros(n), np.zeros(n)
    steps, alpha = 0, 0.0
    while True:
        for t in range(n - 1, -1, -1):  # children have greater numbers than their parent
            cost[t], leaves[t], link[t] = R[t], 1.0, np.inf
            if not is_leaf[t]:
                cost[t] = cost[t + 1] + cost[right[t]]
                leaves[t] = leaves[t + 1] + leaves[right[t]]
                link[t] = (R[t] - cost[t]) / (leaves[t] - 1.0)
        if steps > 0 and alpha - alphas[steps - 1] <= tie:
            alpha = alphas[steps - 1]
            steps -= 1  # another cut at the same price
        alphas[steps], costs[steps] = alpha, cost[0]
        steps += 1
        if is_leaf[0]:
            return alphas[:steps].copy(), costs[:steps].copy()
        weakest = link.min()
        for t in range(n):
            if link[t] <= weakest + tie:
                is_leaf[t] = True
            if is_leaf[t] and feature[t] >= 0:  # what hangs on a leaf has no link any more
                is_leaf[t + 1] = is_leaf[right[t]] = True
        alpha = max(alpha, weakest)
