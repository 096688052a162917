"""Theorems without an assumption: what the page shows refutes them, and the search finds nothing smaller."""

import ast
import warnings

import nbformat
import pytest
from hypothesis import HealthCheck, Phase, find, settings

from _ext.contents import ROOT
from tests.theorems.broken import BROKEN

SEARCH = settings(
    derandomize=True,
    max_examples=2000,
    database=None,
    deadline=None,
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)
EACH = pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.page)


def on_page(broken):
    """What the chapter's cell calls ``counterexample``, and the text before it."""
    cells = nbformat.read(ROOT / f"chapters/{broken.page}.ipynb", as_version=4).cells
    for before, cell in zip(cells, cells[1:], strict=False):
        if cell.cell_type == "code" and cell.source.startswith("counterexample = "):
            return ast.literal_eval(ast.parse(cell.source).body[0].value), before.source
    raise AssertionError(f"{broken.page} shows no counterexample")


def size(case):
    """How many numbers a case consists of, and how large they are together."""
    if isinstance(case, dict):
        case = list(case.values())
    if isinstance(case, list):
        counts, sums = zip(*map(size, case), strict=True) if case else ((), ())
        return sum(counts), sum(sums)
    return 1, abs(case)


@EACH
def test_what_the_page_shows_is_a_counterexample(broken):
    case, text = on_page(broken)
    assert broken.refutes(case)
    assert text.startswith("**Break the "), "the text before it says what is dropped"


@EACH
@pytest.mark.filterwarnings("ignore")  # of learners that do not finish on what is drawn
def test_no_smaller_one_is_found(broken):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = find(broken.cases, broken.refutes, settings=SEARCH)
    assert size(found) >= size(on_page(broken)[0]), f"a smaller one: {found}"


def test_with_their_assumptions_the_theorems_hold_there():
    """The same cases with what was dropped: what is refuted is the assumption's absence, not the theorem."""
    from tests.theorems.broken import boost, mistakes_and_bound, nearest_and_margin, updates_and_bound

    by_page = {broken.page: on_page(broken)[0] for broken in BROKEN}
    error, bound = boost(by_page["04-boosting"], 1)
    assert error <= bound
    made, _ = updates_and_bound(by_page["07-perceptron"])
    assert made <= 10
    once = by_page["08-voted-perceptron"] | {"K": 1}
    made, bound = mistakes_and_bound(once)
    assert made <= bound
    nearest, margin = nearest_and_margin(by_page["09-margins"])
    assert margin == pytest.approx(0.125**0.5) and nearest == 0.5
