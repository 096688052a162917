"""Batches at equal numbers of examples processed.

Mail (Spambase), all 4,601, prepared as in the chapter; λ = 0.01; the objective of the mean of all weights,
less the least one. Draws are orders of drawing; every batch size processes the same number of examples in a
column. Rows differ in the batch size only.
"""

import importlib

import numpy as np

from mllib import LinearSVC
from mllib.linear_svm.pegasos import SubgradientDescent

prepared = importlib.import_module("benchmarks.experiments.13_projection").prepared

WHAT = "batch size k"
DRAWS = 20
LAM = 0.01
LOOKS = {"3,000": 3_000, "10,000": 10_000, "30,000": 30_000, "100,000": 100_000}
MEASURES = dict.fromkeys(LOOKS, "lower")


def draw(number):
    mail, spam = prepared()
    n = len(mail)

    def objective(w):
        return LAM / 2 * w @ w + np.maximum(0, 1 - spam * (mail @ w)).mean()

    exact = LinearSVC(
        C=1 / (n * LAM), loss="hinge", fit_intercept=False, tol=1e-6, max_iter=10**6, random_state=0
    )
    least = objective(exact.fit(mail, spam).coef_[0])
    found = {}
    for k in (1, 4, 16, 64, 256):
        rng, done, row = np.random.RandomState(1000 * k + number), 0, {}
        descent = SubgradientDescent(
            mail, spam * 1.0, np.ones(n), lam=LAM, bias_input=0.0, radius=LAM**-0.5, average=True
        )
        for name, examples in LOOKS.items():
            steps = examples // k
            batches = rng.randint(n, size=(steps - done, k))
            descent.steps(batches, 1 / (LAM * np.arange(done + 1, steps + 1)))
            row[name], done = objective(descent.mean[:-1]) - least, steps
        found[str(k)] = row
    return found
