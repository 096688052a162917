"""Theorems of chapter 03: what a split cannot make worse, and what strength and correlation promise."""

from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mllib import BaggingClassifier, DecisionStump, DecisionTreeClassifier, DecisionTreeRegressor
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
    # Weights are integers, so a positive strength is at least 1 / (7 * 37); what is below is a zero, rounded.
    assume(strength > 1e-6)
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


@pytest.mark.theorem("prop-impurity-gain")
@given(split_nodes())
def test_a_strictly_concave_impurity_falls_unless_the_sides_have_equal_shares(node):
    """No gain only with p_L = p_R: the gain is at least what strong concavity gives for the distance.

    On the simplex -phi is strongly convex: Gini with modulus 2 in the Euclidean norm (with equality),
    entropy in nats with modulus 1 in the l1 norm (Pinsker's inequality).
    """
    y, w, left, K = node
    L, R = np.bincount(y[left], w[left], K), np.bincount(y[~left], w[~left], K)
    share = L.sum() / (L.sum() + R.sum())
    difference = L / L.sum() - R / R.sum()
    product_of_sides = share * (1 - share)
    gini_gain = product_of_sides * np.sum(difference**2)
    np.testing.assert_allclose(impurity_gain(L, R, gini), gini_gain, atol=1e-12)
    pinsker = product_of_sides * np.abs(difference).sum() ** 2 / 2 / np.log(2)
    assert impurity_gain(L, R, entropy) >= pinsker - 1e-12


@pytest.mark.theorem("prop-impurity-gain")
def test_the_share_of_mistakes_is_concave_but_not_strictly():
    """Different shares on the two sides, and yet no gain: both sides have the same majority."""

    def mistakes(weights):
        weights = np.asarray(weights, dtype=float)
        return 1 - weights.max(axis=-1) / weights.sum(axis=-1)

    left, right = [5, 1], [4, 2]
    assert impurity_gain(left, right, mistakes) == pytest.approx(0, abs=1e-15)
    assert impurity_gain(left, right, gini) > 0.01 and impurity_gain(left, right, entropy) > 0.01


@pytest.mark.theorem("prop-gain-formula")
@given(split_nodes(), st.floats(-100, 100))
def test_the_gain_of_a_question_from_two_sums(node, shift):
    """W times what the squared error loses, by its definition and by both expressions of the formula."""
    codes, w, left, _ = node
    y = codes**2 + shift
    W, W_left, W_right = w.sum(), w[left].sum(), w[~left].sum()
    S, s = np.sum(w * y), np.sum(w[left] * y[left])
    inside = W_left * squared_error(y[left], w[left]) + W_right * squared_error(y[~left], w[~left])
    lost = W * squared_error(y, w) - inside
    sums = s**2 / W_left + (S - s) ** 2 / W_right - S**2 / W
    tilt = (s * W - S * W_left) ** 2 / (W * W_left * W_right)
    scale = np.sum(w * y**2) + 1
    np.testing.assert_allclose([sums, tilt], lost, atol=1e-11 * scale)
    assert tilt >= 0


@pytest.mark.theorem("prop-gain-formula")
@given(split_nodes())
def test_the_root_of_a_regression_tree_is_the_question_with_the_greatest_formula(node):
    codes, w, _, _ = node
    X = np.column_stack((np.arange(len(codes)) % 4, w))
    tree = DecisionTreeRegressor(max_depth=1).fit(X, codes, w).tree_
    W, S = w.sum(), np.sum(w * codes)
    gains = [0.0]
    for x in X.T:
        for cut in np.unique(x)[:-1]:
            W_left, s = w[x <= cut].sum(), np.sum((w * codes)[x <= cut])
            gains.append((s * W - S * W_left) ** 2 / (W * W_left * (W - W_left)))
    cost = tree.weighted_n_node_samples * tree.impurity
    found = cost[0] - cost[1:].sum() if len(cost) > 1 else 0.0
    assert found == pytest.approx(max(gains), abs=1e-9)


@pytest.mark.theorem("prop-normalised-gain")
@given(split_nodes())
def test_normalised_gain_is_at_most_one_and_one_only_for_a_perfect_question(node):
    """2 I / (H(Y) + H(side)) = 1 - (H(Y | side) + H(side | Y)) / (H(Y) + H(side)): both are kept apart."""
    y, w, left, K = node
    L, R = np.bincount(y[left], w[left], K), np.bincount(y[~left], w[~left], K)
    table = np.array([L, R])
    W = table.sum()
    within_sides = np.sum(table.sum(axis=1) * entropy(table)) / W
    classes = table[:, table.sum(axis=0) > 0].T
    within_classes = np.sum(classes.sum(axis=1) * entropy(classes)) / W
    whole = entropy(L + R) + entropy(table.sum(axis=1))
    value = normalised_information_gain(L, R)
    assert value == pytest.approx(1 - (within_sides + within_classes) / whole, abs=1e-12)
    assert -1e-12 <= value <= 1 + 1e-12
    perfect = all(np.count_nonzero(side) == 1 for side in table) and not np.any((L > 0) & (R > 0))
    assert (value > 1 - 1e-9) == perfect


@pytest.mark.theorem("prop-normalised-gain")
@given(st.floats(0.01, 100), st.floats(0.01, 100), st.floats(0.01, 100))
def test_normalised_gain_of_a_perfect_question(a, b, c):
    assert normalised_information_gain([a, 0], [0, b]) == pytest.approx(1)
    # Pure sides alone do not suffice, nor do classes that are not divided.
    assert normalised_information_gain([a, 0], [b, 0]) == pytest.approx(0, abs=1e-12)
    assert normalised_information_gain([a, 0, 0], [0, b, c]) < 1
