"""Perceptrons against scikit-learn's; voted prediction against the product with all stored vectors."""

import numpy as np
import pytest
from sklearn import linear_model
from threadpoolctl import threadpool_limits

from mllib import AveragedPerceptron, Perceptron, VotedPerceptron
from tests.timing.test_boosting import best_seconds

pytestmark = [
    pytest.mark.timing,
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
]


def noisy(n, d):
    rng = np.random.RandomState(0)
    X = rng.randn(n, d)
    return X, np.where(X @ rng.randn(d) + 0.5 * np.sqrt(d) * rng.randn(n) > 0, 1, -1)


@pytest.mark.parametrize(
    ("n", "d", "epochs"), [(2000, 20, 50), (10_000, 20, 20), (10_000, 100, 20), (100_000, 54, 5)]
)
def test_epochs_of_the_perceptron(n, d, epochs):
    X, y = noisy(n, d)
    in_order = [
        Perceptron(max_iter=epochs, shuffle=False).fit(X, y),
        linear_model.Perceptron(max_iter=epochs, tol=None, shuffle=False).fit(X, y),
    ]
    np.testing.assert_allclose(in_order[0].coef_, in_order[1].coef_, rtol=1e-9)  # the same walk
    ours, peer = Perceptron(max_iter=epochs), linear_model.Perceptron(max_iter=epochs, tol=None)
    ours_mean = AveragedPerceptron(max_iter=epochs)
    peer_mean = linear_model.SGDClassifier(
        loss="perceptron",
        penalty=None,
        learning_rate="constant",
        eta0=1.0,
        average=True,
        max_iter=epochs,
        tol=None,
    )
    models = [ours, peer, ours_mean, peer_mean]
    with threadpool_limits(1):
        last, their_last, mean, their_mean = best_seconds(5, *[lambda m=m: m.fit(X, y) for m in models])
    print(f"n = {n}, d = {d}: ratio {last / their_last:.2f}, averaged {mean / their_mean:.2f}")
    assert last / their_last <= 0.6 and mean / their_mean <= 0.6


@pytest.mark.parametrize(("n", "d", "epochs"), [(1000, 20, 10), (5000, 50, 10), (5000, 100, 20)])
def test_voted_prediction(n, d, epochs):
    X, y = noisy(n, d)
    X = np.rint(4 * X)  # whole numbers: not even a vote on a tie may differ
    model = VotedPerceptron(max_iter=epochs).fit(X, y)
    coef, intercept = model.weights()
    fresh = np.rint(4 * np.random.RandomState(1).randn(2000, d))

    def stored():
        return np.sign(fresh @ coef.T + intercept) @ model.counts_ / model.counts_.sum()

    np.testing.assert_array_equal(model.decision_function(fresh), stored())
    with threadpool_limits(1):
        mine, theirs = best_seconds(7, lambda: model.decision_function(fresh), stored)
    print(f"{model.n_updates_} updates on {len(model.support_)} of {n} examples: ratio {mine / theirs:.3f}")
    assert mine / theirs <= 0.5
