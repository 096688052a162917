"""Unequal units: descent, penalty, or both?

Mail (Spambase) as it comes, columns from fractions to thousands, 1,000 mails to train on and the others for
the test; squared hinge everywhere. "descent" is scikit-learn's SGDClassifier with averaging, "exact" its
LinearSVC, whose primal Newton method minimises the same objective to the end. Alpha and C are searched over
seven powers of ten by three folds. Rows come in pairs that differ in the scaling only; "no penalty" is
descent on the losses alone.
"""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import SGDClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import LinearSVC

from mllib.datasets import load_spambase

WHAT = "training"
DRAWS = 20
MEASURES = {"test error": "lower"}


def draw(number):
    X, y = load_spambase(return_X_y=True)
    order = np.random.RandomState(number).permutation(len(y))
    train, test = order[:1000], order[1000:]
    descent = SGDClassifier(loss="squared_hinge", average=True, random_state=number)
    free = SGDClassifier(
        loss="squared_hinge", penalty=None, average=True, random_state=number, learning_rate="adaptive"
    )
    kinds = {
        "exact": (LinearSVC(dual=False, max_iter=10_000), "C", np.geomspace(1e-5, 10, 7)),
        "descent": (descent, "alpha", np.geomspace(1e-6, 1, 7)),
        "descent, no penalty": (free, "eta0", np.geomspace(1e-8, 1e-2, 7)),
    }
    found = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for name, (model, knob, values) in kinds.items():
            for scaled, scaler in {"scaled": StandardScaler(), "not scaled": FunctionTransformer()}.items():
                pipeline = make_pipeline(scaler, model)
                grid = {f"{type(model).__name__.lower()}__{knob}": values}
                search = GridSearchCV(pipeline, grid, cv=3).fit(X[train], y[train])
                found[f"{name}, {scaled}"] = {"test error": np.mean(search.predict(X[test]) != y[test])}
    return found
