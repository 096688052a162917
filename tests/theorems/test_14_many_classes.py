"""Chapter 14: decoding chains, and the loss that trains them."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mllib.structured import chain_score, loss_augmented, viterbi


@st.composite
def chains(draw):
    """Whole-numbered scores of a short chain (ties happen, sums are exact), and a true labelling."""
    L, K = draw(st.integers(1, 5)), draw(st.integers(1, 4))
    numbers = st.integers(-4, 4)
    unary = draw(st.lists(st.lists(numbers, min_size=K, max_size=K), min_size=L, max_size=L))
    transitions = draw(st.lists(st.lists(numbers, min_size=K, max_size=K), min_size=K, max_size=K))
    truth = draw(st.lists(st.integers(0, K - 1), min_size=L, max_size=L))
    return np.array(unary, float), np.array(transitions, float), np.array(truth)


def all_labellings(unary):
    return product(range(unary.shape[1]), repeat=len(unary))


@pytest.mark.theorem("prop-viterbi")
@given(chains())
def test_viterbi_finds_the_maximum(chain):
    unary, transitions, _ = chain
    labels, score = viterbi(unary, transitions)
    assert score == max(chain_score(unary, transitions, y) for y in all_labellings(unary))
    assert chain_score(unary, transitions, labels) == score


@pytest.mark.theorem("prop-viterbi")
@given(chains())
def test_loss_augmented_viterbi_finds_the_maximum(chain):
    unary, transitions, truth = chain
    labels, score = viterbi(loss_augmented(unary, truth), transitions)

    def violation(y):
        return chain_score(unary, transitions, y) + np.sum(np.array(y) != truth)

    assert score == violation(labels) == max(violation(y) for y in all_labellings(unary))


@pytest.mark.theorem("prop-structured-hinge")
@given(chains())
def test_the_structured_hinge_bounds_the_number_of_wrong_places(chain):
    unary, transitions, truth = chain
    predicted, _ = viterbi(unary, transitions)
    _, worst = viterbi(loss_augmented(unary, truth), transitions)
    hinge = worst - chain_score(unary, transitions, truth)
    assert hinge >= np.sum(predicted != truth) >= 0
