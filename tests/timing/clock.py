"""Seconds that can be compared on a machine that does other things, too."""

import time

import numpy as np


def interleaved(repeats, *runs):
    """The least time of each run; the runs take turns, so that a slow spell of the machine hits all."""
    least = [np.inf] * len(runs)
    for _ in range(repeats):
        for k, run in enumerate(runs):
            start = time.perf_counter()
            run()
            least[k] = min(least[k], time.perf_counter() - start)
    return least
