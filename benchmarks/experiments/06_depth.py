"""Depth of the trees as order of interaction.

Three functions of eight uniform numbers on (-1, 1), each with variance 1 before noise of deviation 0.3: a
sum of four single effects, a sum of two products of two, and a product of three. Gradient boosting on 1,000
examples, step 0.1, at most 400 rounds, the rounds chosen on 500 others; the test is the share of the
variance that is missed on 2,000 examples without noise. Rows differ in the depth only.
"""

import numpy as np

from mllib import GradientBoostingRegressor

WHAT = "depth"
DRAWS = 20
MEASURES = {"single effects": "lower", "products of two": "lower", "a product of three": "lower"}


def functions(X):
    return {
        "single effects": np.sqrt(3 / 4) * X[:, :4].sum(axis=1),
        "products of two": np.sqrt(9 / 2) * (X[:, 0] * X[:, 1] + X[:, 2] * X[:, 3]),
        "a product of three": np.sqrt(27) * X[:, 0] * X[:, 1] * X[:, 2],
    }


def draw(number):
    rng = np.random.RandomState(number)
    X, Z, new = (rng.uniform(-1, 1, (n, 8)) for n in (1000, 500, 2000))
    noise, Z_noise = rng.normal(0, 0.3, 1000), rng.normal(0, 0.3, 500)
    truth = functions(X), functions(Z), functions(new)
    found = {}
    for depth in (1, 2, 3, 5):
        found[str(depth)] = {}
        for name in MEASURES:
            y, z, clean = (part[name] for part in truth)
            model = GradientBoostingRegressor(max_depth=depth, learning_rate=0.1, n_estimators=400)
            model.fit(X, y + noise)
            seen = [np.mean((F - z - Z_noise) ** 2) for F in model.staged_predict(Z)]
            best = list(model.staged_predict(new))[int(np.argmin(seen))]
            found[str(depth)][name] = np.mean((best - clean) ** 2) / np.var(clean)
    return found
