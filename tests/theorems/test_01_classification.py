"""Theorems of chapter 01: linear rules, costs, choosing and reporting, surrogate losses, noise."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.naive_bayes import MultinomialNB

from mllib import bayes_threshold, estimate_noise

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


laws = st.lists(
    st.tuples(st.integers(0, 64).map(lambda k: k / 64), st.integers(1, 20)), min_size=1, max_size=12
)
scores = st.floats(-5, 5, allow_subnormal=False)


# ------------------------------------------------------------------------------------ linear classifiers


@pytest.mark.theorem("prop-normal")
@given(
    arrays(float, 4, elements=st.floats(-5, 5, allow_subnormal=False)),
    st.floats(-5, 5),
    arrays(float, (3, 4), elements=st.floats(-5, 5, allow_subnormal=False)),
    st.floats(-5, 5),
    st.integers(1, 10),
)
def test_weights_are_a_normal_vector(w, b, Z, t, exponent):
    assume(np.linalg.norm(w) > 1e-2)
    on_boundary = Z - np.outer((Z @ w + b) / (w @ w), w)
    assert abs(on_boundary @ w + b).max() < 1e-6
    assert abs((on_boundary - on_boundary[0]) @ w).max() < 1e-6
    step = Z + t * w / np.linalg.norm(w)
    np.testing.assert_allclose(step @ w - Z @ w, t * np.linalg.norm(w), atol=1e-9)
    scale = 2.0**exponent  # a power of two, so that no rounding can change a sign
    assert (((Z * scale) @ w + scale * b >= 0) == (Z @ w + b >= 0)).all()


@pytest.mark.theorem("prop-naive-bayes-linear")
@pytest.mark.parametrize("seed", range(5))
def test_naive_bayes_on_the_words_one_after_another(seed):
    """Bayes' rule, word by word and in fractions of the counts, against b + w.x of the package."""
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 4, size=(30, 6)), np.repeat([-1, 1], 15)
    model = MultinomialNB(alpha=1.0).fit(X, y)
    w = model.feature_log_prob_[1] - model.feature_log_prob_[0]
    b = model.class_log_prior_[1] - model.class_log_prior_[0]
    for x in rng.integers(0, 4, size=(10, 6)):
        odds = Fraction(int((y > 0).sum()), int((y < 0).sum()))
        for j, count in enumerate(x):
            spam, good = (Fraction(int(X[y == c, j].sum()) + 1, int(X[y == c].sum()) + 6) for c in (1, -1))
            for _ in range(count):
                odds *= spam / good
        assert w @ x + b == pytest.approx(float(np.log(float(odds))), abs=1e-10)
        assert model.predict_proba([x])[0, 1] == pytest.approx(float(odds / (1 + odds)), abs=1e-12)


# ----------------------------------------------------------------------------------- choosing, reporting


@pytest.mark.theorem("prop-best-of-many")
@given(st.integers(1, 4), st.integers(1, 3), st.data())
def test_the_best_of_many_looks_too_good(m, n, data):
    """Every law of the m mistakes on one message, and every sample of n messages: exact expectations."""
    patterns = np.array(list(product([0, 1], repeat=m)))  # who errs on a message
    weight = data.draw(arrays(int, len(patterns), elements=st.integers(0, 9)))
    assume(weight.sum() > 0)
    law = weight / weight.sum()
    true = law @ patterns
    reported = chosen_true = 0.0
    for sample in product(range(len(patterns)), repeat=n):
        estimate = patterns[list(sample)].mean(axis=0)
        chance = law[list(sample)].prod()
        reported += chance * estimate.min()
        chosen_true += chance * true[estimate.argmin()]
    assert reported <= true.min() + 1e-12
    assert reported <= chosen_true + 1e-12


# --------------------------------------------------------------------------------------- surrogate losses


def _risks(p, f):
    """0-1, hinge and perceptron risk at a point with P(+) = p and score f; a score of 0 answers +."""
    zero_one = np.where(f >= 0, 1 - p, p)
    hinge = p * np.maximum(0, 1 - f) + (1 - p) * np.maximum(0, 1 + f)
    perceptron = p * np.maximum(0, -f) + (1 - p) * np.maximum(0, f)
    return zero_one, hinge, perceptron


@pytest.mark.theorem("thm-calibration")
@given(laws, st.data())
def test_excess_hinge_risk_bounds_excess_errors(law, data):
    p, weight = np.array(law).T
    weight = weight / weight.sum()
    f = data.draw(arrays(float, len(p), elements=scores))
    zero_one, hinge, _ = (weight @ risk for risk in _risks(p, f))
    grid = np.linspace(-3, 3, 25)[:, None]  # the least risks by brute force; -1, 0 and 1 are on the grid
    least_zero_one, least_hinge, _ = (weight @ risk.min(axis=0) for risk in _risks(p, grid))
    assert zero_one - least_zero_one <= hinge - least_hinge + 1e-12


@pytest.mark.theorem("thm-calibration")
def test_the_bound_is_met_next_to_zero():
    p, f = 0.7, -1e-9
    zero_one, hinge, _ = _risks(p, f)
    assert zero_one - 0.3 == pytest.approx(hinge - 0.6, abs=1e-8)


@pytest.mark.theorem("thm-calibration")
@pytest.mark.parametrize("delta", [0.2, 0.01, 1e-6])
def test_perceptron_loss_may_be_content_with_mistakes(delta):
    f = np.array([0.0, 1e-9, 1e-6])  # as small an excess as we like, also without the tie at zero
    zero_one, _, perceptron = _risks(delta, f)
    least = min(_risks(delta, g)[2] for g in np.linspace(-3, 3, 61))
    assert least == pytest.approx(0, abs=1e-12)
    assert (perceptron - least <= f + 1e-12).all()
    np.testing.assert_allclose(zero_one - delta, 1 - 2 * delta)


# ------------------------------------------------------------------------------------------------- noise


@pytest.mark.theorem("prop-noise")
@given(laws)
def test_two_labels_at_the_same_x_bracket_the_best_error(law):
    p, weight = np.array(law).T
    weight = weight / weight.sum()
    best, r = weight @ np.minimum(p, 1 - p), weight @ (2 * p * (1 - p))
    middle = (1 - np.sqrt(max(1 - 2 * r, 0))) / 2
    assert r / 2 <= middle + 1e-12
    assert middle <= best + 1e-9
    assert best <= r + 1e-12
    assert r <= 2 * best * (1 - best) + 1e-12  # Cover and Hart


@pytest.mark.theorem("prop-noise")
def test_twice_the_noise_is_how_often_two_labels_differ():
    """Over all labels of four messages at one x, the estimate is right on average, exactly."""
    for p in (0.1, 0.5, 0.8):
        mean = 0.0
        for labels in product([0, 1], repeat=4):
            chance = np.prod([p if label else 1 - p for label in labels])
            mean += chance * 2 * estimate_noise(np.zeros((4, 1)), labels)
        assert mean == pytest.approx(2 * p * (1 - p))
