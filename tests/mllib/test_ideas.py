"""The functions that a chapter prints are the package's own ideas, and its loops give their answers."""

import inspect
import json
from pathlib import Path

import numpy as np
import pytest

from mllib import smo
from mllib.kernels import RBF, Linear
from mllib.smo import pair

ROOT = Path(__file__).parents[2]
PRINTED = {"chapters/11-smo.ipynb": [pair.largest, pair.choose_pair, pair.simple_smo]}


@pytest.mark.parametrize(
    ("chapter", "function"),
    [(chapter, function) for chapter, functions in PRINTED.items() for function in functions],
    ids=lambda one: getattr(one, "__name__", one),
)
def test_the_chapter_prints_the_text_of_the_package(chapter, function):
    cells = json.loads((ROOT / chapter).read_text(encoding="utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    assert sum(inspect.getsource(function).strip() in text for text in code) == 1


@pytest.mark.parametrize("second_order", [True, False])
@pytest.mark.parametrize("C", [0.1, 1.0, 30.0])
@pytest.mark.parametrize("seed", range(6))
def test_the_compiled_loop_takes_the_steps_of_the_printed_one(seed, C, second_order):
    """Each step with the same pair, so the same variables at the end; ties among whole numbers, too."""
    rng = np.random.RandomState(seed)
    X = rng.randn(30, 3) if seed % 2 else rng.randint(-2, 3, (30, 2)).astype(float)
    y = rng.permutation(np.repeat([-1.0, 1.0], 15))
    K = (RBF(0.5) if seed % 3 else Linear())(X)
    limits = np.minimum(0, C * y), np.maximum(0, C * y)
    order = "second-order" if second_order else "first-order"
    ours = smo.solve(K, y, *limits, working_set=order, every=10**6)
    beta, bias = pair.simple_smo(K, y, C, second_order)
    assert ours.dual == pytest.approx(y @ beta - 0.5 * beta @ K @ beta, rel=1e-9)
    np.testing.assert_allclose(K @ beta + bias, ours.output + ours.bias, rtol=0, atol=1e-6 * C)
