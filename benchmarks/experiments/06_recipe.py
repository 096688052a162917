"""HistGradientBoosting on two tables: leaves, rate, rounds, patience.

Loans (4,454, with missing entries and categories) and the 4,601 e-mails of Spambase; random splits, 70 % to
train on, stratified; splits overlap. Early stopping holds a tenth of the training part out. Rows are named
by what differs from scikit-learn's defaults (rate 0.1, 31 leaves, 100 rounds).
"""

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split
from threadpoolctl import threadpool_limits

from mllib.datasets import load_credit, load_spambase

WHAT = "HistGradientBoosting"
DRAWS = 20
MEASURES = {
    "loans, error": "lower",
    "loans, log loss": "lower",
    "mail, error": "lower",
    "mail, log loss": "lower",
}
STOP = {"early_stopping": True, "max_iter": 1000}
SETTINGS = {
    "defaults": {},
    "rate 1": {"learning_rate": 1.0},
    "8 leaves": {"max_leaf_nodes": 8},
    "8 leaves, rate 1": {"max_leaf_nodes": 8, "learning_rate": 1.0},
    "8 leaves, rate 0.05": {"max_leaf_nodes": 8, "learning_rate": 0.05},
    "8 leaves, 500 rounds": {"max_leaf_nodes": 8, "max_iter": 500},
    "8 leaves, patience 20": {"max_leaf_nodes": 8, "n_iter_no_change": 20, **STOP},
    "8 leaves, rate 0.05, patience 20": {
        "max_leaf_nodes": 8,
        "learning_rate": 0.05,
        "n_iter_no_change": 20,
        **STOP,
    },
    "8 leaves, rate 0.05, 200 rounds": {"max_leaf_nodes": 8, "learning_rate": 0.05, "max_iter": 200},
}


def draw(number):
    credit, mail = load_credit(), load_spambase()
    tables = {
        "loans": (credit.data, credit.target, list(credit.categories)),
        "mail": (mail.data, mail.target, None),
    }
    found = {name: {} for name in SETTINGS}
    with threadpool_limits(1):
        for table, (X, y, kinds) in tables.items():
            X, new, y, truth = train_test_split(X, y, test_size=0.3, stratify=y, random_state=number)
            for name, options in SETTINGS.items():
                model = HistGradientBoostingClassifier(categorical_features=kinds, random_state=0, **options)
                chance = model.fit(X, y).predict_proba(new)[:, 1]
                found[name][f"{table}, error"] = np.mean((chance > 0.5) != (truth == model.classes_[1]))
                found[name][f"{table}, log loss"] = log_loss(truth, chance)
    return found
