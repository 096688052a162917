"""Data load in milliseconds: a chapter must not notice."""

from time import perf_counter

import pytest

import mllib.datasets


@pytest.mark.timing
@pytest.mark.parametrize("name", [name for name in mllib.datasets.__all__ if name.startswith("load_")])
def test_loading_takes_milliseconds(name):
    load, best = getattr(mllib.datasets, name), float("inf")
    for _ in range(5):
        start = perf_counter()
        load()
        best = min(best, perf_counter() - start)
    assert best < 0.02
