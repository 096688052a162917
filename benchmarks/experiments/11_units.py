"""Steps of SMO, raw and standardised tumours, with the unit of C and the shape apart.

Random halves of the 569 tumours of Wisconsin, thirty measurements, a linear machine, plain SMO with at most
100,000 steps. Raw measurements differ from standardised ones in two things: they are longer, which by the
factor of the squared length is another C, and their columns have unequal units. So there are rows with one
of the two only: "standardised, as long as raw" has equal units at the length of the raw data, "raw, as long
as standardised" has the raw shape at the length of the standardised data. Lengths are those of the centred
data, as a shift changes nothing.
"""

import numpy as np
from sklearn.datasets import load_breast_cancer

from mllib import smo

WHAT = "tumours"
DRAWS = 20
MEASURES = {"steps": "lower", "finished": "higher", "gap, share of P": "lower"}
LIMIT = 100_000


def draw(number):
    X, y = load_breast_cancer(return_X_y=True)
    y = np.where(y == 1, 1.0, -1.0)
    rows = np.random.RandomState(number).choice(len(y), 284, replace=False)
    raw, y = X[rows] - X[rows].mean(axis=0), y[rows]
    standard = raw / raw.std(axis=0)
    longer = np.sqrt(np.mean(raw**2) / np.mean(standard**2))
    kinds = {
        "standardised, C = 1": (standard, 1.0),
        "raw, C = 1": (raw, 1.0),
        "standardised, as long as raw, C = 1": (standard * longer, 1.0),
        "raw, as long as standardised, C = 1": (raw / longer, 1.0),
        "standardised, C = 100": (standard, 100.0),
        "raw, as long as standardised, C = 100": (raw / longer, 100.0),
    }
    found = {}
    for name, (Z, C) in kinds.items():
        box = np.minimum(0, C * y), np.maximum(0, C * y)
        run = smo.solve(Z @ Z.T, y, *box, every=1000, max_iter=LIMIT, warn=False)
        found[name] = {
            "steps": run.n_iter,
            "finished": int(run.converged),
            "gap, share of P": (run.primal - run.dual) / run.primal,
        }
    return found
