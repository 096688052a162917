"""The races of ``make bench`` that guard a promise, held to their bounds.

What is raced, on what, after which check of the answers and under which bound stands in ``benchmarks``.
"""

from functools import cache

import numpy as np
import pytest

from benchmarks import judge
from benchmarks.promises import PROMISES
from benchmarks.race import run
from benchmarks.races import RACES

pytestmark = pytest.mark.timing
GUARDS = [race for race in RACES if race.quick]


@cache
def result(race):
    """A race is run once, though two bounds may hold it."""
    found = run(race, seconds=0.5)
    assert "ratio" in found, found
    ours, theirs = found["seconds"]
    print(f"{race.name}: {1e3 * ours:.1f} ms, {race.peer} {1e3 * theirs:.1f} ms, ratio {found['ratio']:.3f}")
    return found


@pytest.mark.parametrize(
    "race", [race for race in GUARDS if np.isfinite(race.bound)], ids=lambda race: race.name
)
def test_ratio(race):
    assert result(race)["ratio"] <= race.bound


TOGETHER = sorted({(race.promise, race.together) for race in GUARDS if race.together})


@pytest.mark.parametrize(("promise", "name"), TOGETHER, ids=lambda part: part)
def test_mean_ratio(promise, name):
    ratios = [result(race)["ratio"] for race in GUARDS if (race.promise, race.together) == (promise, name)]
    assert judge.geometric_mean(ratios) <= PROMISES[promise].must


def test_growth():
    """Our time must not grow faster with the number of points than LIBSVM's, up to the noise of the turns."""
    series, axis, peer, _ = judge.GROWTH
    line = [r for r in GUARDS if (r.series, r.axis, r.peer) == (series, axis, peer)]
    (verdict,) = judge.growth([result(race) for race in line])
    print(f"{verdict['name']}: our exponent less LIBSVM's is {verdict['value']:+.2f}")
    assert verdict["verdict"] != "missed"
