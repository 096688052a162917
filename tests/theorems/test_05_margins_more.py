"""Chapter 05, continued: small committees, the exact cycle, and what a run encloses."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom
from sklearn.datasets import load_breast_cancer

from mllib import AdaBoostClassifier
from mllib.boosting import generalisation_bound, hardest_weights, margins, stump_matrix


@pytest.mark.theorem("prop-small-committee")
@given(st.floats(1e-3, 1.0), st.integers(1, 2000))
def test_a_small_committee_is_rarely_wrong(theta, m):
    """The number of right votes among m is binomial: at most m/2 of them, against the bound."""
    wrong = binom.cdf(m // 2, m, (1 + theta) / 2)
    assert wrong <= np.exp(-m * theta**2 / 2) * (1 + 1e-9)


@pytest.mark.theorem("prop-small-committee")
def test_the_votes_of_drawn_rules_are_that_binomial():
    """Draw rules of a real committee by their vote weights and count how often they go wrong."""
    X, y = load_breast_cancer(return_X_y=True)
    model = AdaBoostClassifier(n_estimators=60).fit(X, y)
    theta, sign = margins(model, X, y), np.where(y == 1, 1, -1)
    answers = np.array([np.where(h.predict(X) == 1, 1, -1) for h in model.estimators_])
    share = model.history_.alpha / model.history_.alpha.sum()
    np.testing.assert_allclose(sign * (share @ answers), theta, atol=1e-12)
    m, draws = 11, 4000
    drawn = np.random.default_rng(0).multinomial(m, share, size=draws)  # how often each rule was drawn
    wrong = np.mean(sign * (drawn @ answers) <= 0, axis=0)
    exact = binom.cdf(m // 2, m, (1 + theta) / 2)
    assert np.abs(wrong - exact).max() < 5 * np.sqrt(0.25 / draws)
    positive = theta > 0
    assert np.all(exact[positive] <= np.exp(-m * theta[positive] ** 2 / 2))


# Rows are examples: y_i h_j(x_i) of the eight rules.
ROWS = "--++++++ ++---+++ +++++--+ +-++-+++ +-+-+++- -+-++++- -+++++-+ ++++--+-".split()
M = np.array([[1 if sign == "+" else -1 for sign in row] for row in ROWS])
PHI = (np.sqrt(5) - 1) / 2


@pytest.mark.theorem("prop-not-max-margin")
def test_both_certificates_are_exact():
    """In sixteenths: a committee with margin 3/8 everywhere, and weights under which no rule wins more."""
    assert np.all(M @ [2, 3, 2, 1, 2, 2, 3, 1] == 6)
    assert np.all(np.array([2, 3, 4, 1, 2, 2, 1, 1]) @ M == 6)


@pytest.mark.theorem("prop-not-max-margin")
@pytest.mark.parametrize("last_of_equals", [False, True])
def test_the_cycle_repeats_for_ever(last_of_equals):
    """From the proposition's weights: three rounds, every edge phi/2, margins of one third."""
    start = np.zeros(8)
    start[[0, 3, 4]], start[[1, 5]], start[2] = 1 / 6, (1 - PHI) / 4, PHI / 2
    D, votes = start, np.zeros(8)
    for t in range(300):
        wins = D @ M
        best = np.flatnonzero(wins >= wins.max() - 1e-9)
        assert list(best) == [[2], [5, 6], [1]][t % 3]
        j = best[-1 if last_of_equals else 0]
        assert wins[j] == pytest.approx(PHI, abs=1e-9)
        assert np.delete(wins, best).max() < PHI - 0.05
        alpha = 0.5 * np.log((1 + wins[j]) / (1 - wins[j]))
        votes[j] += alpha
        D = D * np.exp(-alpha * M[:, j])
        D /= D.sum()
        if t % 3 == 2:
            np.testing.assert_allclose(D, start, atol=1e-9)
            m = M @ votes / votes.sum()
            np.testing.assert_allclose(m[:6], 1 / 3, atol=1e-12)
            assert m[6:].min() >= 1 / 3 - 1e-12


@pytest.mark.theorem("thm-margin-distribution")
@pytest.mark.parametrize("seed", range(4))
def test_a_run_encloses_the_largest_margin(seed):
    """Smallest margin <= value of the game <= twice the smallest edge, in every round."""
    X, y = load_breast_cancer(return_X_y=True)
    chosen = np.random.RandomState(seed).permutation(len(X))[:60]
    X, y = X[chosen], np.where(y[chosen] == 1, 1, -1)
    rho = hardest_weights(stump_matrix(X, y)).value
    model = AdaBoostClassifier(n_estimators=200).fit(X, y)
    smallest = np.array([m.min() for m in model.staged_margins(X, y)])
    assert np.all(smallest <= rho + 1e-9)
    assert np.all(rho <= 2 * model.history_.edge + 1e-9)


@pytest.mark.theorem("thm-margin-generalisation")
@given(st.floats(1e-3, 1.0), st.integers(1, 10**6))
def test_a_family_that_can_do_everything_gets_a_vacuous_bound(theta, n):
    """With 2^N labellings the middle term is (2/theta) sqrt(2 ln 2) > 2, whatever N is."""
    middle = 2 / theta * np.sqrt(2 * np.log(2))
    assert middle > 2
    if n <= 1000:  # 2.0**n is a float
        bound = generalisation_bound(0.0, theta, 2.0**n, n, delta=1.0)
        np.testing.assert_allclose(bound, middle, rtol=1e-12)
