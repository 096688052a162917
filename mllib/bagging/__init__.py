"""Bagging: bootstrap replicates, votes and means, out-of-bag estimates, bias and variance."""

from mllib.bagging.decomposition import bias_variance, estimate_noise
from mllib.bagging.ensembles import BaggingClassifier, BaggingRegressor
from mllib.bagging.replicates import draw_replicate, left_out

__all__ = [
    "BaggingClassifier",
    "BaggingRegressor",
    "bias_variance",
    "draw_replicate",
    "estimate_noise",
    "left_out",
]
