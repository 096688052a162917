"""Theorems of chapter 02: what a bootstrap replicate holds, and what a mean of many hypotheses can do."""

from fractions import Fraction
from itertools import product
from math import e

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.neighbors import KNeighborsClassifier

from mllib import BaggingClassifier, BaggingRegressor, RegressionStump
from mllib.bagging import draw_replicate, left_out
from mllib.bagging.replicates import Draw

numbers = st.floats(-100, 100, allow_subnormal=False)


# ------------------------------------------------------------------------------ what is in a replicate


@pytest.mark.theorem("prop-bootstrap-share")
@pytest.mark.parametrize("n, m", [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (4, 2), (3, 6)])
def test_share_of_a_replicate_by_enumeration(n, m):
    """All n^m lists are equally likely: count those that hold row 0."""
    lists = list(product(range(n), repeat=m))
    share = Fraction(sum(0 in rows for rows in lists), len(lists))
    assert share == 1 - (1 - Fraction(1, n)) ** m


@pytest.mark.theorem("prop-bootstrap-share")
def test_share_falls_to_its_limit():
    n = np.arange(1, 2000)
    share = 1 - (1 - 1 / n) ** n
    assert (np.diff(share) < 0).all() and (share > 1 - 1 / e).all()
    assert share[-1] == pytest.approx(1 - 1 / e, abs=1e-4)


@pytest.mark.theorem("prop-bootstrap-share")
@pytest.mark.parametrize("c", [0.1, 0.5, np.log(2), 1, 2])
def test_share_of_a_smaller_or_larger_replicate(c):
    n = np.array([10.0, 1e2, 1e3, 1e4, 1e5])
    excess = 1 - np.exp(c * n * np.log1p(-1 / n)) - (1 - np.exp(-c))
    assert (excess > 0).all() and (np.diff(excess) < 0).all()
    assert excess[-1] < 1e-5


@pytest.mark.theorem("prop-bootstrap-share")
@pytest.mark.parametrize("n, m", [(50, 50), (50, 20), (400, 400)])
def test_share_of_the_replicates_that_are_drawn(n, m):
    draw = Draw(n_rows=n, n_drawn=m)
    held = np.array([~left_out(draw_replicate(seed, draw)[1], n) for seed in range(2000)])
    p = 1 - (1 - 1 / n) ** m
    both = 1 - 2 * (1 - 1 / n) ** m + (1 - 2 / n) ** m  # chance that two given rows are held
    deviation = np.sqrt((p * (1 - p) / n + (1 - 1 / n) * (both - p * p)) / 2000)
    assert abs(held.mean() - p) < 4.5 * deviation
    assert (abs(held.mean(axis=0) - p) < 5 * np.sqrt(p * (1 - p) / 2000)).all()  # no row is favoured


# ----------------------------------------------------------------------------- bias, variance, noise


@pytest.mark.theorem("thm-bias-variance")
@given(
    numbers,
    st.lists(st.tuples(numbers, st.integers(1, 9)), min_size=1, max_size=6),
    st.lists(st.tuples(numbers, st.integers(1, 9)), min_size=1, max_size=6),
)
def test_bias_variance_of_any_finite_law(f, hypotheses, noises):
    h, p = np.array(hypotheses, dtype=float).T
    noise, q = np.array(noises, dtype=float).T
    p, q = p / p.sum(), q / q.sum()
    noise = noise - q @ noise  # noise has mean zero
    error = q @ (f + noise[:, None] - h) ** 2 @ p  # noise at x is independent of the training set
    mean = p @ h
    parts = q @ noise**2 + (f - mean) ** 2 + p @ (h - mean) ** 2
    assert error == pytest.approx(parts, rel=1e-9, abs=1e-9)


@pytest.mark.theorem("thm-bias-variance")
def test_bias_variance_of_a_learner_with_known_f():
    def f(x):
        return np.sin(4 * x)

    rng, sigma = np.random.default_rng(0), 0.3
    at = np.linspace(0, 1, 11)[:, None]
    H = []
    for _ in range(200):
        X = rng.uniform(size=(30, 1))
        H.append(RegressionStump().fit(X, f(X.ravel()) + sigma * rng.choice([-1, 1], 30)).predict(at))
    H, truth = np.array(H), f(at.ravel())
    error = np.mean([(truth + sign * sigma - H) ** 2 for sign in (-1, 1)], axis=(0, 1))
    parts = sigma**2 + (truth - H.mean(axis=0)) ** 2 + H.var(axis=0)
    np.testing.assert_allclose(error, parts, rtol=1e-12)
    assert (H.var(axis=0) > 0).all()


# --------------------------------------------------------------------------------- variance of a mean


@pytest.mark.theorem("thm-ensemble-variance")
@given(st.integers(1, 30), st.floats(0.1, 10), st.floats(0, 1))
def test_variance_of_a_mean_of_equally_correlated_members(B, s, share):
    rho = share if B == 1 else -1 / (B - 1) + share * (1 + 1 / (B - 1))  # all that a covariance matrix allows
    covariance = s**2 * (rho * np.ones((B, B)) + (1 - rho) * np.eye(B))
    assert np.linalg.eigvalsh(covariance).min() > -1e-9 * s**2 * B
    mean = np.full(B, 1 / B)
    assert mean @ covariance @ mean == pytest.approx(rho * s**2 + (1 - rho) * s**2 / B, abs=1e-9 * s**2)


@pytest.mark.theorem("thm-ensemble-variance")
def test_variance_of_bagged_members_that_are_measured():
    """Members drawn alike share one variance and one correlation; measured, each is a mean over members."""
    rng = np.random.default_rng(0)
    H = []
    for seed in range(150):
        X = rng.uniform(size=(30, 1))
        y = np.sin(4 * X.ravel()) + 0.3 * rng.normal(size=30)
        bag = BaggingRegressor(RegressionStump(), 8, random_state=seed).fit(X, y)
        H.append([member.predict([[0.5]])[0] for member in bag])
    H = np.array(H)  # training sets x members
    covariance = np.cov(H.T)
    s2 = np.trace(covariance) / 8
    rho = (covariance.sum() - np.trace(covariance)) / 56 / s2
    assert H.mean(axis=1).var(ddof=1) == pytest.approx(rho * s2 + (1 - rho) * s2 / 8, rel=1e-12)
    assert 0.1 < rho < 0.9  # correlated, so that bagging helps and does not do everything


@pytest.mark.theorem("prop-rho")
@pytest.mark.parametrize(
    "learn", [np.median, np.max, lambda d: d.mean() ** 2], ids=["median", "max", "square"]
)
@pytest.mark.parametrize("values", [(0.0, 1.0, 5.0), (-1.0, 2.0, 2.5)])
def test_rho_is_the_part_that_replicates_share(learn, values):
    """Every training set of three draws and every replicate of each, so that all expectations are exact."""
    sets = np.array(list(product(values, repeat=3)))
    lists = np.array(list(product(range(3), repeat=3)))
    h = np.array([[learn(D[rows]) for rows in lists] for D in sets])  # h[D, replicate]
    given_D = h.mean(axis=1)
    # two members of one bag: same D, independent replicates
    covariance = np.mean([np.outer(row, row).mean() for row in h]) - h.mean() ** 2
    assert covariance == pytest.approx(given_D.var(), rel=1e-12)
    rho = given_D.var() / h.var()
    assert 0 < rho < 1
    # and the variance of a bag of two is what the formula says with this rho
    pairs = (h[:, :, None] + h[:, None, :]) / 2
    assert pairs.var() == pytest.approx(rho * h.var() + (1 - rho) * h.var() / 2, rel=1e-12)


@pytest.mark.theorem("prop-rho")
@pytest.mark.parametrize("learn", [np.median, np.max], ids=["median", "max"])
def test_spread_of_replicates_shows_what_bagging_removes(learn):
    """All training sets and all bags of two or three members: the spread is (1 - rho) s^2 on average."""
    sets = np.array(list(product([0.0, 1.0, 5.0], repeat=3)))
    lists = np.array(list(product(range(3), repeat=3)))
    h = np.array([[learn(D[rows]) for rows in lists] for D in sets])
    removed = h.var() - h.mean(axis=1).var()
    two = (h[:, :, None] - h[:, None, :]) ** 2 / 2  # sum of squares about the mean, over B - 1 = 1
    assert two.mean() == pytest.approx(removed, rel=1e-12)
    members = np.broadcast_arrays(h[:, :, None, None], h[:, None, :, None], h[:, None, None, :])
    assert np.var(members, axis=0, ddof=1).mean() == pytest.approx(removed, rel=1e-12)


@pytest.mark.theorem("thm-aggregation")
@given(
    numbers,
    arrays(float, st.integers(1, 20), elements=numbers),
)
def test_the_mean_hypothesis_is_no_worse_on_average(y, h):
    aggregated, average = (y - h.mean()) ** 2, ((y - h) ** 2).mean()
    assert aggregated <= average * (1 + 1e-9) + 1e-9
    assert average - aggregated == pytest.approx(h.var(), rel=1e-6, abs=1e-6)  # the gain is the variance


@pytest.mark.theorem("thm-aggregation")
def test_the_bagged_regressor_is_no_worse_than_its_members():
    rng = np.random.default_rng(1)
    X, y = rng.uniform(size=(60, 2)), rng.normal(size=60)
    bag = BaggingRegressor(RegressionStump(), 25, random_state=0).fit(X, y)
    members = np.mean([((y - member.predict(X)) ** 2).mean() for member in bag])
    assert ((y - bag.predict(X)) ** 2).mean() < members


# ---------------------------------------------------------------------------- where bagging does nothing


@pytest.mark.theorem("prop-bagged-1nn")
@given(st.lists(st.booleans(), min_size=1, max_size=40))
def test_infinitely_many_bagged_nearest_neighbours_are_one(labels):
    """labels[k] is the class of the k-th nearest example; it decides iff it is drawn and no nearer one is."""
    n = len(labels)
    missed = (1 - np.arange(n + 1) / n) ** n  # chance that the k nearest are all left out
    decides = missed[:-1] - missed[1:]
    assert decides.sum() == pytest.approx(1)
    vote = decides[np.array(labels) == labels[0]].sum()
    assert vote >= decides[0] >= 1 - 1 / e > 0.5


@pytest.mark.theorem("prop-bagged-1nn")
@pytest.mark.parametrize("seed", range(10))
def test_bagged_nearest_neighbours_are_the_nearest_neighbour(seed):
    rng = np.random.default_rng(seed)
    X, y, Z = rng.normal(size=(40, 2)), rng.integers(3, size=40), rng.normal(size=(30, 2))
    one = KNeighborsClassifier(1).fit(X, y).predict(Z)
    many = BaggingClassifier(KNeighborsClassifier(1), 400, random_state=seed).fit(X, y).predict(Z)
    np.testing.assert_array_equal(one, many)
