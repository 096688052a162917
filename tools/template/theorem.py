"""Theorems of chapter NN: my topic."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

numbers = st.integers(-1000, 1000)  # whole numbers: both sides differ by rounding in the mean only


@pytest.mark.theorem("thm-my-topic")
@given(st.lists(numbers, min_size=1, max_size=20), numbers)
def test_the_cost_splits_at_the_mean(x, c):
    x = np.array(x)
    least = np.sum((x - x.mean()) ** 2)
    assert np.sum((x - c) ** 2) == pytest.approx(least + len(x) * (c - x.mean()) ** 2)
