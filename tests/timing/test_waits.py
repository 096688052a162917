"""What a reader or a student waits for, held to its bounds: sliders, first fits, imports, data, memory.

How each is measured stands in ``benchmarks.waits``. Every slider of the course is moved, and must move its
picture.
"""

import pytest

from benchmarks.promises import PROMISES
from benchmarks.waits import WAITS

pytestmark = pytest.mark.timing


@pytest.mark.parametrize("wait", WAITS, ids=lambda wait: f"{wait.promise}-{wait.name}")
def test_wait(wait):
    promise, found = PROMISES[wait.promise], wait.measure()
    for name, value in (found if isinstance(found, dict) else {wait.name: found}).items():
        print(f"{name}: {value:.3g} {promise.unit}")
        assert promise.must is None or value <= promise.must, name
