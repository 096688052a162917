"""Theorems of chapter 03: what a split cannot make worse, and what strength and correlation promise."""

from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mllib import BaggingClassifier, DecisionStump, DecisionTreeClassifier
from mllib.datasets import make_threenorm
from mllib.forest import strength_and_correlation
from mllib.tree import entropy, gini, impurity_gain, normalised_information_gain, squared_error


@st.composite
def voted_examples(draw):
    """Votes of up to 7 members among up to 4 classes on up to 12 examples, most of them right."""
    B, n, K = draw(st.integers(1, 7)), draw(st.integers(1, 12)), draw(st.integers(1, 4))
    seed, skill = draw(st.integers(0, 2**32 - 1)), draw(st.floats(0, 1))
    rng = np.random.default_rng(seed)
    y = rng.integers(K, size=n)
    votes = np.where(rng.uniform(size=(B, n)) < skill, y, rng.integers(K, size=(B, n)))
    weight = rng.integers(0, 4, size=n) + (np.arange(n) == 0)
    return votes, y, weight


def by_pairs(votes, y, weight):
    """Breiman's definitions with loops: every pair of members, a member with itself included."""
    B, n = votes.shape
    w = weight / weight.sum()
    rmg = np.zeros((B, n))
    for i in range(n):
        wrong = [v for v in votes[:, i] if v != y[i]]
        rival = min(set(wrong), key=lambda c: (-wrong.count(c), c)) if wrong else None
        rmg[:, i] = [int(v == y[i]) - int(rival is not None and v == rival) for v in votes[:, i]]
    pairs = list(product(range(B), repeat=2))
    mean = rmg @ w
    away = rmg - mean[:, None]
    sd = np.sqrt(away**2 @ w)
    covariance = np.mean([w @ (away[a] * away[b]) for a, b in pairs])
    scale = np.mean([sd[a] * sd[b] for a, b in pairs])
    return mean.mean(), covariance, scale


@pytest.mark.theorem("thm-forest-bound")
@given(voted_examples())
def test_error_is_bounded_by_strength_and_correlation(example):
    votes, y, weight = example
    result = strength_and_correlation(votes, y, weight)
    strength, covariance, scale = by_pairs(votes, y, weight)
    assert result.strength == pytest.approx(strength, abs=1e-12)
    if scale > 1e-12:
        assert result.correlation == pytest.approx(covariance / scale, abs=1e-9)
        assert -1e-12 <= result.correlation <= 1 + 1e-12
    assume(strength > 0)
    assert result.chebyshev == pytest.approx(covariance / strength**2, abs=1e-9)
    assert result.error <= result.chebyshev + 1e-9 <= result.bound + 2e-9


@pytest.mark.theorem("thm-forest-bound")
def test_without_the_pairs_of_a_member_with_itself_the_bound_fails():
    """Right together once, then in turn: negatively correlated, yet the vote is tied on two of three."""
    votes, y = np.array([[0, 0, 0], [0, 1, 1]]), np.array([0, 0, 1])
    result = strength_and_correlation(votes, y)
    assert result.strength > 0 and result.error <= result.bound
    rmg = 2.0 * (votes == y) - 1
    between = np.cov(rmg, bias=True)[0, 1]  # the only pair of different members
    assert between / rmg.std(axis=1).prod() * (1 - result.strength**2) / result.strength**2 < result.error


@pytest.mark.theorem("thm-forest-bound")
def test_the_bound_on_a_real_forest():
    X, y = make_threenorm(400, random_state=0)
    model = BaggingClassifier(DecisionStump(), 60, max_features=4, random_state=0).fit(X[:200], y[:200])
    codes = (y[200:] > 0).astype(int)
    votes = np.array([h.predict(X[200:, f]) for h, f in zip(model, model.estimators_features_, strict=True)])
    result = strength_and_correlation(votes, codes)
    tied_or_wrong = (votes == codes).mean(axis=0) <= 0.5
    assert result.error == pytest.approx(tied_or_wrong.mean())
    assert 0 < result.strength < 1 and 0 < result.correlation < 1
    assert result.error <= result.chebyshev <= result.bound


# ---- splits ---------------------------------------------------------------------------------------


@st.composite
def split_nodes(draw):
    """Class codes, weights, and a side for each example; neither side is empty."""
    n, K = draw(st.integers(2, 15)), draw(st.integers(2, 5))
    y = np.array(draw(st.lists(st.integers(0, K - 1), min_size=n, max_size=n)))
    w = np.array(draw(st.lists(st.floats(0.01, 10), min_size=n, max_size=n)))
    left = np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    left[:2] = True, False
    return y, w, left, K


@pytest.mark.theorem("prop-gini-is-squared-error")
@given(split_nodes())
def test_gini_is_the_squared_error_of_the_indicators(node):
    """Summed over the K one-hot coordinates, factor exactly 1; hence the same gain for every split."""
    y, w, left, K = node
    one_hot = (y[:, None] == np.arange(K)).astype(float)

    def summed(rows):
        return sum(squared_error(one_hot[rows, k], w[rows]) for k in range(K))

    def weights_of(rows):
        return np.bincount(y[rows], w[rows], K)

    everywhere = np.ones(len(y), dtype=bool)
    for rows in (everywhere, left, ~left):
        np.testing.assert_allclose(summed(rows), gini(weights_of(rows)), atol=1e-12)
    inside = (w[left].sum() * summed(left) + w[~left].sum() * summed(~left)) / w.sum()
    gain = impurity_gain(weights_of(left), weights_of(~left))
    np.testing.assert_allclose(summed(everywhere) - inside, gain, atol=1e-12)


@pytest.mark.theorem("prop-gini-is-squared-error")
@given(split_nodes())
def test_variance_of_two_labels(node):
    """The variance of 0/1 labels is half the Gini impurity, that of -1/+1 labels twice it."""
    y, w, _, _ = node
    y = (y > 0).astype(int)
    impurity = gini(np.bincount(y, w, 2))
    np.testing.assert_allclose(squared_error(y, w), impurity / 2, atol=1e-12)
    np.testing.assert_allclose(squared_error(2 * y - 1, w), 2 * impurity, atol=1e-12)


@pytest.mark.theorem("prop-impurity-gain")
@given(split_nodes())
def test_a_concave_impurity_never_rises_by_a_split(node):
    y, w, left, K = node
    L, R = np.bincount(y[left], w[left], K), np.bincount(y[~left], w[~left], K)

    def misclassified(weights):  # concave as well: a minimum of linear functions
        weights = np.asarray(weights)
        return 1 - weights.max(axis=-1) / weights.sum(axis=-1)

    for impurity in (gini, entropy, misclassified):
        assert impurity_gain(L, R, impurity) >= -1e-12
    assert -1e-12 <= normalised_information_gain(L, R) <= 1 + 1e-12
    values = y + 0.5 * w
    inside = sum(w[rows].sum() * squared_error(values[rows], w[rows]) for rows in (left, ~left))
    assert squared_error(values, w) - inside / w.sum() >= -1e-12
    # Equal shares on both sides gain nothing.
    for impurity in (gini, entropy):
        assert abs(impurity_gain(L, 3 * L, impurity)) < 1e-12


@pytest.mark.theorem("prop-impurity-gain")
@given(split_nodes())
def test_no_node_of_a_grown_tree_is_less_pure_than_its_children_together(node):
    y, w, _, _ = node
    X = np.column_stack((w, np.arange(len(y)) % 3))
    tree = DecisionTreeClassifier(criterion="entropy").fit(X, y, w).tree_
    inner = np.flatnonzero(tree.feature >= 0)
    cost = tree.weighted_n_node_samples * tree.impurity
    below = cost[tree.children_left[inner]] + cost[tree.children_right[inner]]
    assert np.all(below <= cost[inner] + 1e-9)
