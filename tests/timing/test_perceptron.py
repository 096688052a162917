"""Perceptrons against scikit-learn's; voted prediction against the product with all stored vectors."""

import numpy as np
import pytest
from sklearn import linear_model
from threadpoolctl import threadpool_limits

from mllib import AveragedPerceptron, Perceptron, VotedPerceptron
from tests.timing.clock import interleaved

pytestmark = [
    pytest.mark.timing,
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
]


def noisy(n, d):
    rng = np.random.RandomState(0)
    X = rng.randn(n, d)
    return X, np.where(X @ rng.randn(d) + 0.5 * np.sqrt(d) * rng.randn(n) > 0, 1, -1)


@pytest.mark.parametrize(
    ("n", "d", "epochs"),
    [(1000, 20, 20), (1000, 100, 20), (10_000, 20, 20), (10_000, 100, 20), (100_000, 54, 5)],
)
def test_epochs_of_the_perceptron(n, d, epochs):
    X, y = noisy(n, d)
    models = {
        "in order": Perceptron(max_iter=epochs, shuffle=False),
        "in order, peer": linear_model.Perceptron(max_iter=epochs, tol=None, shuffle=False),
        "shuffled": Perceptron(max_iter=epochs),
        "shuffled, peer": linear_model.Perceptron(max_iter=epochs, tol=None),
        "averaged": AveragedPerceptron(max_iter=epochs),
        "averaged, peer": linear_model.SGDClassifier(
            loss="perceptron",
            penalty=None,
            learning_rate="constant",
            eta0=1.0,
            average=True,
            max_iter=epochs,
            tol=None,
        ),
    }
    first, second = (models[name].fit(X, y) for name in ("in order", "in order, peer"))
    np.testing.assert_allclose(first.coef_, second.coef_, rtol=1e-9)  # the same walk
    with threadpool_limits(1):
        seconds = interleaved(9, *[lambda m=m: m.fit(X, y) for m in models.values()])
    seconds = dict(zip(models, seconds, strict=True))
    for name in ("in order", "shuffled", "averaged"):
        ratio = seconds[name] / seconds[f"{name}, peer"]
        print(f"n = {n}, d = {d}, {name}: ratio {ratio:.2f}")
        assert ratio <= 0.6


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
        mine, theirs = interleaved(7, lambda: model.decision_function(fresh), stored)
    print(f"{model.n_updates_} updates on {len(model.support_)} of {n} examples: ratio {mine / theirs:.3f}")
    assert mine / theirs <= 0.5
