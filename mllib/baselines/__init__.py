"""Baselines: naive Bayes and nearest neighbours, which a cleverer learner has to beat.

Both are a page of code, have next to nothing to tune and are often good. A result that is not shown beside
them says little.
"""

from .costs import bayes_threshold
from .naive_bayes import BernoulliNB, GaussianNB, MultinomialNB
from .neighbors import KNeighborsClassifier

__all__ = ["BernoulliNB", "GaussianNB", "KNeighborsClassifier", "MultinomialNB", "bayes_threshold"]
