"""What a smaller tolerance buys.

Printed letters, A to M against N to Z, 1,000 of the 20,000 for training and 4,000 others for the test,
standardised; Gaussian kernel with gamma = 1/16, C = 10. Rows differ in the tolerance only.
"""

import numpy as np
from sklearn.preprocessing import StandardScaler

from mllib import SVC
from mllib.datasets import load_letters

WHAT = "tol"
DRAWS = 20
MEASURES = {"test error": "lower", "gap, % of D": "lower", "steps": "lower"}


def draw(number):
    X, letter = load_letters(return_X_y=True)
    y = np.where(letter < 13, 1, -1)
    rows = np.random.RandomState(number).permutation(len(y))
    train, test = rows[:1000], rows[1000:5000]
    scaler = StandardScaler().fit(X[train])
    found = {}
    for tol in (1, 0.1, 0.01, 0.001, 1e-6):
        model = SVC(C=10, tol=tol, gamma=1 / 16).fit(scaler.transform(X[train]), y[train])
        found[f"{tol:g}"] = {
            "test error": np.mean(model.predict(scaler.transform(X[test])) != y[test]),
            "gap, % of D": 100 * np.max(model.duality_gap_) / np.max(model.dual_objective_),
            "steps": int(np.sum(model.n_iter_)),
        }
    return found
