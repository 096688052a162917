"""Bagging: bootstrap replicates, votes and means, out-of-bag estimates, bias and variance."""

from .decomposition import bias_variance, estimate_noise
from .ensembles import BaggingClassifier, BaggingRegressor
from .replicates import draw_replicate, left_out
