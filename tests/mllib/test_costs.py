"""Decisions with unequal costs."""

import numpy as np
import pytest

from mllib import bayes_threshold


@pytest.mark.parametrize("costs", [(-1, 1), (0, 0), (np.inf, 1), (np.nan, 1)])
def test_costs_that_make_no_sense(costs):
    with pytest.raises(ValueError, match="costs must be"):
        bayes_threshold(*costs)


def test_costs_whose_sum_is_too_large_for_a_float():
    assert bayes_threshold(1e308, 1e308) == 0.5 and bayes_threshold(1.5e308, 0.5e308) == 0.75
