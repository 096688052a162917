r"""Decision forests: the training set is divided among the trees.

The simplest way to have T trees: cut the examples, in random order, into T disjoint subsets and grow a tree
from each,

.. math:: P(c \mid x) = \frac1T \sum_{t=1}^T P_t(c \mid x).

Each tree sees n/T examples only: it is cheap, needs little memory and can live on a machine of its own; and
since no two trees have an example in common they are as different as trees can be. The price is that each
knows little. Do not confuse this with bagged trees (replicates that overlap) or random forests (features
drawn at every node, too): :mod:`mllib.forest.rows` has them side by side.

References
----------
.. [1] Criminisi, A., Shotton, J. and Konukoglu, E. (2012). "Decision forests: a unified framework for
   classification, regression, density estimation, manifold learning and semi-supervised learning".
   Foundations and Trends in Computer Graphics and Vision 7(2-3), 81-227. (Means of class shares.)
.. [2] Chan, P. K. and Stolfo, S. J. (1993). "Toward parallel and distributed learning by meta-learning". AAAI
   Workshop on Knowledge Discovery in Databases. (Learning from disjoint subsets.)
"""

from ..learner import knob
from .base import ForestClassifier
from .rows import PartOfRows


class DecisionForestClassifier(ForestClassifier):
    r"""Trees from disjoint subsets of the training set; the mean of their class shares.

    Parameters
    ----------
    n_estimators : int, default=10
        The number T of trees and of subsets; at most the number of examples.
    criterion : {"gini", "entropy", "normalised_gain"}, default="gini"
        What a question gains.
    max_depth : int or None, default=None
        The most questions on a path.
    min_samples_split, min_samples_leaf : int or float, default=2 and 1
        Smaller nodes are not split; no question leaves a side with fewer examples.
    max_features : int, float, "sqrt", "log2" or None, default=None
        How many features are drawn at each node. None: all.
    n_jobs : int, default=None
        Threads. The forest does not depend on it.
    random_state : int, RandomState or None, default=None
        Divides the examples.
    verbose : int, default=0
        1 shows a progress bar.
    ccp_alpha : float, default=0.0
        The price of a leaf, for pruning each tree.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    n_classes_ : int
    estimators_, estimators_samples_ : list
        The trees (trained on the numbers of the classes, 0 to K - 1), and the subsets.
    feature_importances_ : ndarray of shape (n_features,)
    n_features_in_ : int

    References
    ----------
    .. [1] Chan, P. K. and Stolfo, S. J. (1993). "Toward parallel and distributed learning by meta-learning".
       AAAI Workshop on Knowledge Discovery in Databases.

    Examples
    --------
    >>> from mllib.datasets import make_twonorm
    >>> X, y = make_twonorm(400, random_state=0)
    >>> forest = DecisionForestClassifier(8, random_state=0).fit(X, y)
    >>> [len(rows) for rows in forest.estimators_samples_]
    [50, 50, 50, 50, 50, 50, 50, 50]
    """

    n_estimators: int = knob(10, first=True)

    def _plan(self, n, weights, rng):
        order = rng.permutation(n)
        if weights is not None:
            order = order[weights[order] > 0]  # an example of weight zero is absent from all subsets
        if self.n_estimators > len(order):
            raise ValueError(
                f"The 'n_estimators' parameter of DecisionForestClassifier must be at most the number of "
                f"examples, {len(order)}: each tree needs one. Got {self.n_estimators!r} instead."
            )
        return PartOfRows(n, order, self.n_estimators)
