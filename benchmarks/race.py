"""The clock of a race.

A turn runs ours and theirs once each, the first of them changing from turn to turn. The ratio of a race is
that of the best times of all turns, for everything that disturbs a program makes it slower; how much the
machine disturbed it is seen in the quartiles of the ratios turn by turn.

With one thread the clock counts seconds of the processor, which on a quiet machine are those on the wall, and
which do not grow while other programs run. Where threads race, it is the clock on the wall.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.promises import PROMISES

MUCH_SHORTER = 0.1  # a run this much shorter than its rival is made three times a turn


@dataclass(frozen=True)
class Race:
    """Two programs on one problem.

    Parameters
    ----------
    series : str
        What runs, on what; the races of a series differ by their size only, and make one line of a plot.
    size : int
        How many points, features, rounds, trees or threads, as ``axis`` says.
    start : callable
        ``start(size)`` makes the data, lets both learn, raises an AssertionError when the answers disagree,
        and returns two functions without arguments: ours and theirs. What it counted may follow them.
    promise : str
        A key of PROMISES, or empty for a race that is run for its curve.
    together : str
        Races that share a promise and this name are judged by the geometric mean of their ratios.
    must : float, optional
        A bound of this race's own. By default it is the promise's, and that of a race judged together with
        others is infinite.
    quick : bool
        Whether the short run of ``make bench QUICK=1`` has it.
    """

    series: str
    size: int
    start: Callable
    promise: str = ""
    together: str = ""
    must: float = np.inf
    axis: str = "n"
    peer: str = "scikit-learn"
    threads: int = 1
    quick: bool = False

    @property
    def name(self):
        """What the table calls it."""
        return f"{self.series}, {self.axis} = {self.size:,}"

    @property
    def bound(self):
        """What its own ratio must not exceed."""
        promised = PROMISES[self.promise].must if self.promise and not self.together else None
        return min(self.must, np.inf if promised is None else promised)


def turns(ours, theirs, seconds=1.0, least=3, most=50, clock=time.process_time):
    """The times of ours and theirs, turn by turn, for about so many ``seconds``.

    ``least`` turns are made in any case, unless twenty times as many seconds have gone.
    """
    runs, taken, counts = (ours, theirs), [], (1, 1)
    begun = time.perf_counter()
    while len(taken) < most:
        turn = [np.inf, np.inf]
        for k in (0, 1) if len(taken) % 2 == 0 else (1, 0):
            for _ in range(counts[k]):
                start = clock()
                runs[k]()
                turn[k] = min(turn[k], clock() - start)
        taken.append(turn)
        counts = tuple(3 if turn[k] < MUCH_SHORTER * turn[1 - k] else 1 for k in (0, 1))
        spent = time.perf_counter() - begun
        if (spent > seconds and len(taken) >= least) or spent > 20 * seconds:
            break
    return np.transpose(taken)


def run(race, seconds=1.0):
    """What a race gave, as a dictionary for the results file.

    It has no times when the answers disagree ("disagree" says how) or the peer is missing ("missing").
    """
    result = {
        name: getattr(race, name)
        for name in ("name", "series", "axis", "size", "promise", "together", "peer", "threads")
    }
    if np.isfinite(race.bound):
        result["must"] = race.bound
    try:
        with threadpool_limits(race.threads):
            ours, theirs, *counts = race.start(race.size)
    except ModuleNotFoundError as problem:
        return result | {"missing": problem.name}
    except Exception as problem:  # whatever is wrong, there is no time, and the others run on
        return result | {"disagree": f"{type(problem).__name__} {' '.join(str(problem).split())}"[:300]}
    clock = time.perf_counter if race.axis == "threads" else time.process_time
    with threadpool_limits(race.threads):  # again: a peer may have brought a library of threads with it
        mine, peers = turns(ours, theirs, seconds, clock=clock)
    ratios = mine / peers
    counted = {"counts": counts[0]} if counts else {}
    return (
        result
        | {
            "seconds": [float(mine.min()), float(peers.min())],
            "ratio": float(mine.min() / peers.min()),
            "quartiles": [float(q) for q in np.quantile(ratios, [0.25, 0.75])],
            "turns": len(ratios),
        }
        | counted
    )
