"""Chapter 08, continued: the average from the times of the mistakes, and weighted majority."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mllib import AveragedPerceptron, VotedPerceptron

WHOLE = st.integers(-6, 6)


@pytest.mark.theorem("prop-running-average")
@given(
    st.lists(st.tuples(WHOLE, WHOLE), min_size=2, max_size=12),
    st.integers(1, 6),
    st.integers(0, 3),
    st.randoms(use_true_random=False),
)
def test_the_average_needs_only_the_times_of_the_mistakes(points, epochs, seed, random):
    """The mean of all weights, each as often as it survived looks, is w_last - (1/T) sum of t_k z_k."""
    X = np.array(points, dtype=float)
    y = np.array([1, -1] + [random.choice([-1, 1]) for _ in points[2:]])
    settings = {"max_iter": epochs, "random_state": seed}
    voted = VotedPerceptron(**settings).fit(X, y)
    coef, intercept = voted.weights()
    T = voted.counts_.sum()
    mean = voted.counts_ @ np.column_stack([coef, intercept]) / T

    looks_before = np.cumsum(voted.counts_)[:-1]  # before mistake k: the lives of w_0, ..., w_(k-1)
    z = y[voted.mistakes_, None] * np.column_stack([X, np.ones(len(X))])[voted.mistakes_]
    last = np.append(coef[-1], intercept[-1])
    np.testing.assert_allclose(last - looks_before @ z / T, mean, atol=1e-12)

    averaged = AveragedPerceptron(**settings).fit(X, y)
    np.testing.assert_allclose(np.append(averaged.coef_, averaged.intercept_), mean, atol=1e-12)


@pytest.mark.theorem("thm-weighted-majority")
@given(
    st.integers(1, 8),
    st.integers(1, 60),
    st.floats(0.05, 0.99),
    st.sampled_from(["random", "adversary"]),
    st.integers(0, 1000),
)
def test_weighted_majority_keeps_up_with_the_best_expert(experts, days, beta, truth_by, seed):
    """M <= (m ln(1/beta) + ln H) / ln(2/(1 + beta)), also if the truth is always what was not answered."""
    rng = np.random.RandomState(seed)
    advice = rng.choice([-1, 1], size=(days, experts))
    weight, mistakes, missed = np.ones(experts), 0, np.zeros(experts, int)
    for says in advice:
        answer = 1 if weight @ says > 0 else -1
        truth = -answer if truth_by == "adversary" else rng.choice([-1, 1])
        mistakes += answer != truth
        missed += says != truth
        weight[says != truth] *= beta
    bound = (missed.min() * np.log(1 / beta) + np.log(experts)) / np.log(2 / (1 + beta))
    assert mistakes <= bound + 1e-9
