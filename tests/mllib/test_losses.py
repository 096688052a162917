"""Losses: slopes against differences, minimisers against a search, convexity, bounds on the zero-one loss."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from mllib import losses
from mllib.losses import (
    EpsilonInsensitive,
    Exponential,
    Hinge,
    Logistic,
    Perceptron,
    Squared,
    SquaredError,
    ZeroOne,
)

MARGIN = [
    ZeroOne(),
    Perceptron(),
    Hinge(),
    Squared(),
    Exponential(),
    Logistic(),
    Logistic(2.0),
    Logistic(base=2),
]
RESIDUAL = [SquaredError(), EpsilonInsensitive(), EpsilonInsensitive(0.0), EpsilonInsensitive(1.5)]
SMOOTH = [Squared(), Exponential(), Logistic(), Logistic(2.0), Logistic(base=2), SquaredError()]
KINKS = np.array([0.0, 1.0, 0.1, -0.1, 1.5, -1.5])


@pytest.mark.parametrize("loss", MARGIN + RESIDUAL, ids=repr)
@given(u=st.floats(-20, 20))
def test_derivative_is_the_slope(loss, u):
    h = 1e-6
    if np.abs(u - KINKS).min() < 2 * h and loss not in SMOOTH:
        return
    slope = (loss(u + h) - loss(u - h)) / (2 * h)
    np.testing.assert_allclose(loss.derivative(u), slope, rtol=1e-5, atol=1e-5)
    bend = (loss.derivative(u + h) - loss.derivative(u - h)) / (2 * h)
    np.testing.assert_allclose(loss.second(u), bend, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("loss", (MARGIN + RESIDUAL)[1:], ids=repr)
@given(a=st.floats(-20, 20), b=st.floats(-20, 20))
def test_derivative_is_a_subgradient(loss, a, b):
    """Convex: the tangent at a lies below the loss everywhere, also at the kinks."""
    scale = 1 + loss(a) + loss(b)
    assert loss(b) >= loss(a) + loss.derivative(a) * (b - a) - 1e-9 * scale
    assert loss((a + b) / 2) <= (loss(a) + loss(b)) / 2 + 1e-9 * scale


@pytest.mark.parametrize("loss", MARGIN[1:], ids=repr)
@given(p=st.floats(0.02, 0.98))
def test_minimiser_is_best_in_expectation(loss, p):
    def risk(F):
        return p * loss(F) + (1 - p) * loss(-F)

    least = minimize_scalar(risk, bounds=(-10, 10), method="bounded", options={"xatol": 1e-10}).fun
    assert risk(loss.minimiser(p)) <= least + 1e-9


def test_who_bounds_the_zero_one_loss():
    m = np.linspace(-5, 5, 1001)
    for loss in (Hinge(), Squared(), Exponential(), Logistic(base=2)):
        assert np.all(loss(m) >= ZeroOne()(m))
    assert Logistic()(0.0) < 1  # base e does not bound it
    assert Perceptron()(0.0) < 1


def test_no_overflow_far_out():
    for loss in (Logistic(), Logistic(2.0, 2.0)):
        with np.errstate(over="raise", invalid="raise"):
            value, slope, bend = (f(np.array([-1e5, 1e5])) for f in (loss, loss.derivative, loss.second))
        assert np.all(np.isfinite(value)) and np.all(np.isfinite(slope)) and np.all(bend == 0)


def test_losses_have_names_and_are_equal_by_value():
    assert repr(EpsilonInsensitive(0.2)) == "EpsilonInsensitive(epsilon=0.2)"
    assert EpsilonInsensitive(0.2) == EpsilonInsensitive(0.2) != EpsilonInsensitive(0.3)
    assert Hinge() == Hinge() != Perceptron() and len({Hinge(), Hinge()}) == 1
    assert set(losses.__all__) <= set(dir(losses))


@pytest.mark.parametrize(
    "make", [lambda: Logistic(slope=0), lambda: Logistic(base=1), lambda: EpsilonInsensitive(-1)]
)
def test_numbers_that_make_no_loss(make):
    with pytest.raises(ValueError, match="must be"):
        make()
