"""Chapter 08: perceptrons on data that need not be separable, and with margin."""

import warnings

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

from mllib import (
    MarginPerceptron,
    Perceptron,
    VotedPerceptron,
    mistake_bound,
    noisy_mistake_bound,
    voted_error_bound,
)
from mllib.hyperplane import augment
from mllib.svm import HardMarginSVC
from tests.theorems.test_07_perceptron import WHOLE, point_sets, separable_sets


@pytest.mark.theorem("thm-nonseparable")
@given(point_sets(), st.lists(WHOLE, min_size=4, max_size=4), st.floats(0.01, 10), st.integers(1, 6))
def test_mistakes_on_any_data_stay_below_the_bound_of_any_hyperplane(problem, u, gamma, epochs):
    X, y = problem
    coef, b = u[: X.shape[1]], u[-1]
    assume(any(coef) or b)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        mistakes = Perceptron(max_iter=epochs).fit(X, y).n_updates_
    bound = noisy_mistake_bound(X, y, coef, b, gamma=gamma, epochs=epochs)
    assert mistakes <= bound * (1 + 1e-12)


@pytest.mark.theorem("thm-nonseparable")
def test_several_epochs_need_the_root_of_their_number():
    """One point with both labels: two mistakes in each epoch; with D of one epoch the bound would be 2."""
    X, y = [[1.0], [1.0]], [1, -1]
    gamma = 1e6
    for epochs in (1, 4, 25):
        mistakes = VotedPerceptron(max_iter=epochs, fit_intercept=False, shuffle=False).fit(X, y).n_updates_
        assert mistakes == 2 * epochs
        bound = noisy_mistake_bound(X, y, [1.0], gamma=gamma, epochs=epochs, fit_intercept=False)
        np.testing.assert_allclose(bound, 2 * epochs, rtol=1e-5)
    assert mistakes > noisy_mistake_bound(X, y, [1.0], gamma=gamma, epochs=1, fit_intercept=False)


@pytest.mark.theorem("thm-margin-perceptron")
@given(separable_sets(), st.sampled_from([0.0, 0.5, 3.0, 20.0]), st.integers(0, 3))
def test_updates_and_margin_of_the_margin_perceptron(problem, tau, seed):
    X, y, u = problem
    model = MarginPerceptron(tau, random_state=seed, max_iter=10**6).fit(X, y)
    Z, u = y[:, None] * augment(X), u / np.linalg.norm(u)
    R2, gamma = (Z**2).sum(axis=1).max(), (Z @ u).min()
    bound = mistake_bound(X, y, u[:-1], u[-1], threshold=tau)
    np.testing.assert_allclose(bound, (R2 + 2 * tau) / gamma**2)
    assert model.n_updates_ <= bound * (1 + 1e-12)
    w = np.append(model.coef_, model.intercept_)
    assert (Z @ w).min() / np.linalg.norm(w) > tau * gamma / (R2 + 2 * tau) * (1 - 1e-12)


@pytest.mark.theorem("thm-margin-perceptron")
@given(separable_sets())
def test_a_large_threshold_secures_half_of_the_largest_margin(problem):
    """With the largest margin in place of any: tau gamma / (R^2 + 2 tau) tends to gamma / 2."""
    X, y, _ = problem
    Z = y[:, None] * augment(X)
    # through the origin of the augmented space: with its mirror image the set is best cut at the origin
    mirrored = np.vstack([Z, -Z]), np.repeat([1, -1], len(Z))
    gamma = HardMarginSVC().fit(*mirrored).margin_
    R2 = (Z**2).sum(axis=1).max()
    tau = 50 * R2
    assume(2 * (R2 + 2 * tau) / gamma**2 < 3e6)
    model = MarginPerceptron(tau, max_iter=10**7).fit(X, y)
    w = np.append(model.coef_, model.intercept_)
    assert (Z @ w).min() / np.linalg.norm(w) > 0.99 * gamma / 2


@pytest.mark.theorem("thm-voted-bound")
@pytest.mark.parametrize(("m", "flip"), [(100, 0.0), (300, 0.0), (300, 0.05)])
def test_the_voted_perceptron_errs_less_than_its_bound(m, flip):
    """Points of a square with a gap of .6 between the classes, some labels flipped; one epoch, many draws."""
    rng = np.random.RandomState(0)

    def sample(n):
        X = rng.uniform(-1, 1, size=(n, 2))
        y = np.where(X[:, 0] > 0, 1, -1)
        X[:, 0] += 0.3 * y
        return X, np.where(rng.uniform(size=n) < flip, -y, y)

    errors, bounds = [], []
    for _ in range(40):
        X, y = sample(m + 1)
        model = VotedPerceptron(max_iter=1, fit_intercept=False, shuffle=False).fit(X[:m], y[:m])
        fresh, truth = sample(500)
        errors.append(1 - model.score(fresh, truth))
        bounds.append(
            min(noisy_mistake_bound(X, y, [1.0, 0.0], gamma=g, fit_intercept=False) for g in (0.3, 1.0, 3.0))
        )
    bound = voted_error_bound(np.mean(bounds), m)
    if flip == 0:
        assert bound < 0.65  # not vacuous
    assert flip <= np.mean(errors) + 0.01 and np.mean(errors) <= bound
