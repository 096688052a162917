"""Which rows does a tree see? All of them, a bootstrap replicate, or its part of a division.

This is the first of the two ways in which the trees of a forest are made to differ (the other is in the
split search: features and thresholds drawn at random at every node).

==================  ========================================  ==============================
forest              rows of a tree                            questions of a node
==================  ========================================  ==============================
decision forest     its part of the training set (disjoint)   the best of all
bagged trees        a bootstrap replicate                     the best of all
random forest       a bootstrap replicate                     the best of some features
extra-trees         all                                       one random test for each of some
==================  ========================================  ==============================
"""

from dataclasses import dataclass

import numpy as np
from sklearn.utils import check_random_state

from ..bagging.replicates import some_of


@dataclass
class AllRows:
    """Every tree sees every row.

    Examples
    --------
    >>> AllRows(3).rows(t=0, seed=17)
    array([0, 1, 2])
    """

    n: int

    def rows(self, t, seed):
        """The rows of tree t, which has this seed."""
        return np.arange(self.n)

    def weights(self, t, seed, given):
        """What each row counts in tree t: how often it is there, times the weight ``given`` to ``fit``."""
        return np.bincount(self.rows(t, seed), minlength=self.n) * given


@dataclass
class ReplicateOfRows(AllRows):
    """Every tree draws m rows with replacement, with these chances (None: all alike).

    The draws are scikit-learn's: equal seeds give equal replicates.

    Examples
    --------
    >>> replicates = ReplicateOfRows(n=4, m=4, chances=None)
    >>> replicates.rows(t=0, seed=1), replicates.weights(t=0, seed=1, given=None)
    (array([1, 3, 0, 0]), array([2., 1., 0., 1.]))
    """

    m: int
    chances: np.ndarray | None

    def rows(self, t, seed):
        """The rows of tree t, with repetitions."""
        return some_of(check_random_state(seed), self.n, self.m, True, self.chances)

    def weights(self, t, seed, given):
        """How often each row was drawn: what it weighs is in its chances."""
        return super().weights(t, seed, 1.0)


@dataclass
class PartOfRows(AllRows):
    """The rows, in random order, are cut into parts whose sizes differ by one at most.

    Examples
    --------
    >>> parts = PartOfRows(n=4, order=np.array([2, 0, 3, 1]), n_parts=2)
    >>> parts.rows(t=0, seed=17), parts.weights(t=1, seed=17, given=np.array([1.0, 2.0, 1.0, 1.0]))
    (array([2, 0]), array([0., 2., 0., 1.]))
    """

    order: np.ndarray
    n_parts: int

    def rows(self, t, seed):
        """Part t."""
        return np.array_split(self.order, self.n_parts)[t]
