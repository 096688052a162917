"""Steps of three rules that choose the pair.

Sixty of the 208 sonar echoes, standardised, C = 10, tolerance 0.001; a linear machine and one with a
Gaussian kernel (gamma = 1/60, one over the number of columns). Rows differ in the rule only.
"""

import numpy as np

from mllib import smo
from mllib.datasets import load_sonar
from mllib.kernels import RBF

WHAT = "rule"
DRAWS = 40
MEASURES = {"steps, linear": "lower", "steps, Gaussian": "lower"}
RULES = {"second order": "second-order", "first order": "first-order", "Platt": "platt"}


def draw(number):
    X, metal = load_sonar(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    rows = np.random.RandomState(number).choice(len(X), 60, replace=False)
    Z, y = X[rows], np.where(metal[rows] == 1, 1.0, -1.0)
    box = np.minimum(0, 10 * y), np.maximum(0, 10 * y)
    found = {}
    for name, rule in RULES.items():
        steps = {}
        for kernel, K in {"linear": Z @ Z.T, "Gaussian": RBF(1 / 60)(Z)}.items():
            run = smo.solve(K, y, *box, working_set=rule, every=1000)
            assert run.converged
            steps[f"steps, {kernel}"] = run.n_iter
        found[name] = steps
    return found
