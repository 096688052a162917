"""Baselines: naive Bayes and nearest neighbours, which a cleverer learner has to beat.

Both are a page of code, have next to nothing to tune and are often good. A result that is not shown beside
them says little.
"""

from mllib.baselines.costs import bayes_threshold
from mllib.baselines.naive_bayes import BernoulliNB, GaussianNB, MultinomialNB
from mllib.baselines.neighbors import KNeighborsClassifier

__all__ = ["BernoulliNB", "GaussianNB", "KNeighborsClassifier", "MultinomialNB", "bayes_threshold"]
