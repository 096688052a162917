"""Bagging: bootstrap replicates, votes and means, out-of-bag estimates, bias and variance."""

from .bagging import BaggingClassifier, BaggingRegressor
from .decomposition import bias_variance, estimate_noise
from .replicates import draw_replicate, left_out
