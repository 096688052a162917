"""Chapter 07, continued: its smooth relative, cycles as certificates, weights that stay bounded."""

import warnings

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

from mllib import Perceptron, is_separable
from mllib.hyperplane import augment

WHOLE = st.integers(-6, 6)


def quietly(fit, *data):
    """A fit that may reach its limit of epochs."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return fit(*data)


@st.composite
def hopeless_sets(draw):
    """Whole-numbered points that no hyperplane separates."""
    n, d = draw(st.integers(3, 8)), draw(st.integers(1, 2))
    X = draw(st.lists(st.lists(WHOLE, min_size=d, max_size=d), min_size=n, max_size=n))
    y = draw(st.lists(st.sampled_from([-1, 1]), min_size=n, max_size=n))
    assume(len(set(y)) == 2)
    X, y = np.array(X, dtype=float), np.array(y)
    assume(not is_separable(X, y))
    return X, y


@pytest.mark.theorem("prop-smooth-perceptron")
@given(st.floats(-50, 50), st.floats(1e-3, 10))
def test_the_logistic_loss_is_a_rounded_perceptron_loss(s, T):
    """max(0, -s) <= T ln(1 + e^(-s/T)) <= max(0, -s) + T ln 2, and its slope is -sigma(-s/T)."""

    def loss(s):
        return T * np.logaddexp(0.0, -s / T)

    hinge = max(0.0, -s)
    rounding = 1e-12 * (1 + abs(s))
    assert hinge - rounding <= loss(s) <= hinge + T * np.log(2) + rounding
    h = 1e-4 * T
    slope = -np.exp(-np.logaddexp(0.0, s / T))
    np.testing.assert_allclose((loss(s + h) - loss(s - h)) / (2 * h), slope, atol=1e-6)


@pytest.mark.theorem("prop-smooth-perceptron")
@given(st.floats(0.01, 5))
def test_its_push_becomes_that_of_the_perceptron(s):
    """sigma(-s/T): at -s it is 1 - e^(-s/T) or more, at s it is e^(-s/T) or less."""
    for T in (s / 10, s / 100):
        rest = np.exp(-s / T)
        assert rest < 1e-4
        assert 1 / (1 + rest) >= 1 - rest
        assert rest / (1 + rest) <= rest  # the same as 1 / (1 + e^(s/T)), without overflow


@pytest.mark.theorem("cor-cycle-certificate")
@given(hopeless_sets())
def test_the_mistakes_of_a_cycle_cancel(problem):
    """Between two equal weight vectors the blamed examples add up to zero: that is a certificate."""
    X, y = problem
    model = quietly(Perceptron(shuffle=False, max_iter=20_000, record_updates=True).fit, X, y)
    assume(model.cycle_length_ > 0)
    mistakes = model.history_.updates[-model.cycle_length_ :].sum()
    assert mistakes > 0
    share = np.bincount(model.updates_.example[-mistakes:], minlength=len(X))
    np.testing.assert_array_equal(share @ (y[:, None] * augment(X)), 0)


@pytest.mark.theorem("thm-cycling")
@given(hopeless_sets(), st.integers(0, 3))
def test_in_random_order_the_weights_stay_bounded(problem, seed):
    """The longest weights of the second half of a long walk are not much longer than those of the first."""
    X, y = problem
    model = quietly(Perceptron(max_iter=2000, random_state=seed).fit, X, y)
    norm = model.history_.norm
    R = np.sqrt((augment(X) ** 2).sum(axis=1).max())
    # Unbounded growth like sqrt(t) R, all that the proof of convergence excludes, would be far above this.
    assert norm[1000:].max() <= 1.5 * norm[:1000].max() + 2 * R
