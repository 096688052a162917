"""Squared, absolute and Huber loss, with and without wild targets.

Friedman's first function, 300 examples, depth 3, step 0.1, at most 300 rounds chosen by the mean absolute
error on 150 others (with the same kind of targets); noise of deviation 1, and in the second column 5 % of
the targets off by 50 times a normal number. scikit-learn's gradient boosting; the test is the mean absolute
error on 2,000 targets without noise. Rows differ in the loss only.
"""

import numpy as np
from sklearn.ensemble import GradientBoostingRegressor

from mllib.datasets import make_friedman1

WHAT = "loss"
DRAWS = 20
MEASURES = {"ordinary noise": "lower", "5 % wild": "lower"}


def draw(number):
    X, y = make_friedman1(450, noise=0, random_state=number)
    new, clean = make_friedman1(2000, noise=0, random_state=10_000 + number)
    rng = np.random.RandomState(number)
    noise, wild = rng.normal(size=450), rng.uniform(size=450) < 0.05
    targets = {"ordinary noise": y + noise, "5 % wild": y + noise + 50 * wild * rng.normal(size=450)}
    found = {}
    for loss in ("squared_error", "absolute_error", "huber"):
        found[loss] = {}
        for name, target in targets.items():
            model = GradientBoostingRegressor(loss=loss, n_estimators=300, random_state=0)
            model.fit(X[:300], target[:300])
            seen = [np.mean(np.abs(F - target[300:])) for F in model.staged_predict(X[300:])]
            best = list(model.staged_predict(new))[int(np.argmin(seen))]
            found[loss][name] = np.mean(np.abs(best - clean))
    return found
