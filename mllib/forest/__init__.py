"""Forests: decision forests, random forests, extremely randomised trees; strength and correlation."""

from mllib.forest.strength import strength_and_correlation

__all__ = ["strength_and_correlation"]
