"""Synthetic data follow their published laws, and the exact posteriors are exact."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import norm
from sklearn import datasets as oracle

import mllib.datasets

# --------------------------------------------------------------------------------------- toy sets


def test_ten_points_give_the_published_numbers():
    """Exact fractions, and every stump tried: an AdaBoost written out for this one set."""
    X, y = mllib.datasets.load_ten_points(return_X_y=True)
    weights = [Fraction(1, 10)] * 10
    stumps = [
        (feature, threshold, side)
        for feature, threshold, side in product((0, 1), np.arange(0.5, 11), (1, -1))
    ]
    votes = np.zeros(10)
    for feature, threshold, side, error, alpha in (
        (0, 2.5, 1, Fraction(3, 10), 0.4236),
        (0, 8.5, 1, Fraction(3, 14), 0.6496),
        (1, 6.5, -1, Fraction(3, 22), 0.9229),
    ):

        def predict(stump):
            return np.where(X[:, stump[0]] < stump[1], stump[2], -stump[2])

        errors = [sum(np.array(weights)[predict(stump) != y], Fraction(0)) for stump in stumps]
        assert min(errors) == error
        assert (feature, threshold, side) in [s for s, e in zip(stumps, errors, strict=True) if e == error]
        h = predict((feature, threshold, side))
        a = 0.5 * np.log(float((1 - error) / error))
        assert round(a, 4) == alpha
        votes += a * h
        weights = [
            w / (2 * (1 - error)) if right else w / (2 * error)
            for w, right in zip(weights, h == y, strict=True)
        ]
        assert sum(weights) == 1
    assert (np.sign(votes) == y).all()


def test_ten_points_bunch():
    bunch = mllib.datasets.load_ten_points()
    assert bunch.data.shape == (10, 2) and bunch.target.sum() == 0


@pytest.mark.parametrize("name", ["rings", "crescents", "spirals", "checkerboard"])
def test_plane_sets(name):
    make = getattr(mllib.datasets, f"make_{name}")
    X, y = make(301)
    np.testing.assert_array_equal(X, make(301)[0])  # the same picture each time
    assert not np.array_equal(X, make(301, random_state=1)[0])
    assert X.shape == (301, 2) and set(y) == {-1, 1}
    if name != "checkerboard":
        assert y.sum() == 1


def test_long_servedio():
    X, y = mllib.datasets.make_long_servedio(gamma=0.1, copies=5)
    points, counts = np.unique(X, axis=0, return_counts=True)
    assert sorted(map(tuple, points)) == [(0.1, -0.1), (0.1, 0.5), (1.0, 0.0)] and counts.tolist() == [
        10,
        5,
        5,
    ]
    assert all((y[(X == point).all(axis=1)] < 0).mean() == 0.2 for point in points)
    with pytest.raises(ValueError, match="gamma"):
        mllib.datasets.make_long_servedio(gamma=0.2)
    with pytest.raises(ValueError, match="copies"):
        mllib.datasets.make_long_servedio(copies=1)


@given(
    st.lists(st.sampled_from("abc"), min_size=2, max_size=30).filter(lambda y: len(set(y)) > 1),
    st.floats(0, 1),
    st.integers(0, 99),
)
def test_flip_labels(y, share, seed):
    noisy = mllib.datasets.flip_labels(y, share, random_state=seed)
    assert (noisy != np.array(y)).sum() == round(share * len(y))
    assert set(noisy) <= set(y)


def test_flip_labels_refuses():
    for share in (-0.1, 1.5, np.nan):
        with pytest.raises(ValueError, match="share"):
            mllib.datasets.flip_labels([0, 1], share)
    with pytest.raises(ValueError, match="two classes"):
        mllib.datasets.flip_labels([1, 1], 0.5)


# ---------------------------------------------------------------------------------- published laws


@pytest.mark.parametrize("number", [1, 2, 3])
def test_friedman(number):
    """scikit-learn's generators draw in the same order, so that equal seeds give equal sets."""
    noise = {1: 1.0, 2: 125.0, 3: 0.1}[number]
    X, y = getattr(mllib.datasets, f"make_friedman{number}")(500, random_state=7)
    Z, z = getattr(oracle, f"make_friedman{number}")(500, noise=noise, random_state=7)
    np.testing.assert_allclose(X, Z, rtol=1e-14)
    np.testing.assert_allclose(y, z, rtol=1e-9)


def test_waveform_is_between_its_triangles():
    i = np.arange(1, 22)
    h1 = np.maximum(6 - abs(i - 11), 0)
    h2, h3 = np.maximum(6 - abs(i - 4 - 11), 0), np.maximum(6 - abs(i + 4 - 11), 0)
    X, y = mllib.datasets.make_waveform(90_000, random_state=3)
    for label, (a, b) in enumerate([(h1, h2), (h1, h3), (h2, h3)]):
        wave = X[y == label]
        tolerance = 4.5 * np.sqrt(5 / len(wave))  # standard deviations are at most sqrt(1 + 36/12) = 2
        np.testing.assert_allclose(wave.mean(axis=0), (a + b) / 2, atol=tolerance)
        np.testing.assert_allclose(wave.var(axis=0), 1 + (a - b) ** 2 / 12, rtol=0.06)


@pytest.mark.parametrize(
    "problem, published", [("waveform", 0.132), ("twonorm", 0.023), ("threenorm", 0.105), ("ringnorm", 0.013)]
)
def test_posterior_is_exact(problem, published):
    """Calibrated everywhere, and its Bayes error is the one that Breiman (1998) gives."""
    X, y = getattr(mllib.datasets, f"make_{problem}")(200_000, random_state=11)
    P = mllib.datasets.posterior(problem, X)
    np.testing.assert_allclose(P.sum(axis=1), 1, rtol=1e-12)
    codes = np.unique(y, return_inverse=True)[1]
    bayes = 1 - P.max(axis=1).mean()
    assert abs(bayes - published) < 0.002
    assert abs((P.argmax(axis=1) != codes).mean() - bayes) < 4 * np.sqrt(bayes / len(y))
    bins = np.clip((P[:, 0] * 10).astype(int), 0, 9)
    for k in range(10):
        inside = bins == k
        p, seen = P[inside, 0].mean(), (codes[inside] == 0).mean()
        assert abs(seen - p) < 4.5 * np.sqrt((p * (1 - p) + 1e-6) / inside.sum())


def test_wave_posterior_against_quadrature():
    X, _ = mllib.datasets.make_waveform(20, random_state=5)
    i = np.arange(1, 22)
    h = [np.maximum(6 - abs(i - peak), 0) for peak in (11, 15, 7)]
    P = mllib.datasets.posterior("waveform", X)
    for x, p in zip(X, P, strict=True):
        density = [
            quad(
                lambda u, a=a, b=b, x=x: norm.pdf(x, u * a + (1 - u) * b).prod(), 0, 1, epsabs=0, epsrel=1e-10
            )[0]
            for a, b in ((h[0], h[1]), (h[0], h[2]), (h[1], h[2]))
        ]
        np.testing.assert_allclose(p, np.array(density) / np.sum(density), rtol=1e-8, atol=1e-14)


def test_posterior_far_away_and_unknown():
    P = mllib.datasets.posterior("waveform", np.full((1, 21), 50.0))
    assert np.isfinite(P).all() and P.sum() == pytest.approx(1)
    with pytest.raises(ValueError, match="problem must be .* got 'moons'"):
        mllib.datasets.posterior("moons", np.zeros((1, 20)))


def test_the_posterior_of_waveforms_is_exact_far_from_the_data():
    from mllib.datasets.breiman import _SIDES, _TRIANGLES

    X = _TRIANGLES[1] - 0.8 * (_TRIANGLES[0] - _TRIANGLES[1])
    shares = np.linspace(0, 1, 200_001)[:, None]
    density = [
        np.exp(-((X - shares * _TRIANGLES[a] - (1 - shares) * _TRIANGLES[b]) ** 2).sum(axis=1) / 2).mean()
        for a, b in _SIDES
    ]
    found = mllib.datasets.posterior("waveform", X[None])[0]
    np.testing.assert_allclose(found, density / np.sum(density), atol=1e-4)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: mllib.datasets.make_checkerboard(cells=-2), "cells must be an int in"),
        (lambda: mllib.datasets.make_checkerboard(cells=0), "cells must be an int in"),
        (lambda: mllib.datasets.make_rings(noise=-1), "noise must be a number in"),
        (lambda: mllib.datasets.make_crescents(noise=np.inf), "noise must be a number in"),
        (lambda: mllib.datasets.make_spirals(turns=np.nan), "turns must be a number"),
        (lambda: mllib.datasets.make_rings(2.5), "n_samples must be an int"),
        (
            lambda: mllib.datasets.posterior("twonorm", np.zeros((1, 3))),
            r"twonorm has 20 features, got X of shape \(1, 3\)",
        ),
        (lambda: mllib.datasets.posterior("waveform", np.zeros((1, 20))), "waveform has 21 features"),
    ],
)
def test_senseless_arguments_are_named(make, says):
    with pytest.raises(ValueError, match=says):
        make()
