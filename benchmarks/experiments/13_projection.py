"""Pegasos with tiny penalties, with and without its projection onto the ball.

Mail (Spambase): logarithms, standardised, with an appended 1, rows of length 1; random splits, 3,000 mails
to train on and 1,601 for the test; the mean of the weights. Rows of the same penalty differ in the
projection only.
"""

import numpy as np

from mllib import PegasosClassifier
from mllib.datasets import load_spambase

WHAT = "run"
DRAWS = 20
MEASURES = {"after one pass": "lower", "after ten passes": "lower"}


def prepared():
    """The mails of the chapter."""
    X, y = load_spambase(return_X_y=True)
    Z = np.log(X + 0.01)
    Z = (Z - Z.mean(axis=0)) / Z.std(axis=0)
    Z = np.c_[Z, np.ones(len(Z))]
    return Z / np.linalg.norm(Z, axis=1)[:, None], np.where(y == 1, 1, -1)


def draw(number):
    mail, spam = prepared()
    order = np.random.RandomState(number).permutation(len(mail))
    train, test = order[:3000], order[3000:]
    found = {}
    for lam in (1e-2, 1e-4, 1e-6, 1e-8):
        for projection in (True, False):
            row = found[f"λ = {lam:.0e}, {'with' if projection else 'without'} projection"] = {}
            for name, passes in zip(MEASURES, (1, 10), strict=True):
                model = PegasosClassifier(
                    lam,
                    fit_intercept=False,
                    projection=projection,
                    max_iter=passes,
                    tol=None,
                    average=True,
                    random_state=number,
                )
                model.fit(mail[train], spam[train])
                row[name] = np.mean(model.predict(mail[test]) != spam[test])
    return found
