"""What a reader or a student waits for, held to its bounds: sliders, first fits, imports, data, memory.

How each is measured stands in ``benchmarks.waits``. Every slider of the course is moved, and must move its
picture.
"""

from concurrent.futures import ThreadPoolExecutor

import pytest

from benchmarks.waits import WAITS, holds, measured

pytestmark = pytest.mark.timing
SLIDERS = [wait for wait in WAITS if wait.promise == "slider"]


def named(wait):
    return f"{wait.promise}-{wait.name}"


def check(found):
    for row in found:
        print(f"{row['name']}: {row['value']:.3g}")
        assert holds(row), row


@pytest.mark.parametrize("wait", [wait for wait in WAITS if wait not in SLIDERS], ids=named)
def test_wait(wait):
    check(measured(wait))


@pytest.fixture(scope="module")
def moved():
    """All sliders, two notebooks at a time: each kernel counts the seconds of its own processor."""
    with ThreadPoolExecutor(2) as pool:
        return {wait.name: pool.submit(measured, wait) for wait in SLIDERS}


@pytest.mark.parametrize("wait", SLIDERS, ids=named)
def test_slider(wait, moved):
    check(moved[wait.name].result())
