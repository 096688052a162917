"""Theorems of chapter 01: what to do with probabilities when mistakes cost differently."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mllib import bayes_threshold

# whole costs and probabilities in 64ths: every sum below is exact, so that ties are ties
costs = st.integers(0, 50)
sixty_fourths = st.integers(0, 64).map(lambda k: k / 64)


@pytest.mark.theorem("prop-bayes-threshold")
@given(costs, costs, sixty_fourths)
def test_the_threshold_at_one_point(c_fp, c_fn, p):
    assume(c_fp + c_fn > 0)
    cost_of_plus, cost_of_minus = (1 - p) * c_fp, p * c_fn
    plus = p * (c_fp + c_fn) >= c_fp  # p >= threshold without its division
    assert (cost_of_plus if plus else cost_of_minus) == min(cost_of_plus, cost_of_minus)
    if cost_of_plus == cost_of_minus:
        assert p == pytest.approx(bayes_threshold(c_fp, c_fn))
    else:
        assert plus == (p > bayes_threshold(c_fp, c_fn))


@pytest.mark.theorem("prop-bayes-threshold")
@given(
    costs,
    costs,
    st.lists(st.tuples(sixty_fourths, st.integers(1, 20)), min_size=1, max_size=12),
)
def test_no_threshold_and_no_other_rule_is_cheaper(c_fp, c_fn, law):
    """A law on finitely many x with P(+ given x) = p and weight w; all thresholds and all 2^n rules."""
    assume(c_fp + c_fn > 0)
    p, w = np.array(law).T

    def cost(plus):
        return (w * np.where(plus, (1 - p) * c_fp, p * c_fn)).sum(axis=-1)

    ours = cost(p >= bayes_threshold(c_fp, c_fn))
    thresholds = np.concatenate([[-1.0], np.unique(p), [2.0]])
    brute = min(cost(p >= t) for t in thresholds)
    rules = (np.arange(2 ** len(p))[:, None] >> np.arange(len(p))) & 1
    slack = 1e-9 * (c_fp + c_fn)  # where p meets the threshold its rounding decides, at equal cost
    assert brute <= ours <= brute + slack
    assert ours <= cost(rules.astype(bool)).min() + slack
