"""Splice junctions (Statlog's DNA): 2,000 stretches to train, 1,186 to test.

Protocol: the first 2,000 rows train, the last 1,186 test; three bits a letter; three classes (Michie,
Spiegelhalter and Taylor 1994, section 9.5; we have read the table in the description that goes with the
data). Unclear: the settings of each method, among them the number of neighbours.

Our choices: what a method has to choose it chooses by fivefold cross-validation on the training rows, from
the grids of ``GRIDS``. In the place of "Radial", a network of radial basis functions, stands a support
vector machine with that kernel; in the place of C4.5 a binary tree that splits by entropy, of CART one that
splits by Gini's index, both pruned by cost and complexity. Tolerance: 1 point, and half a unit of the last
digit for the share of the largest class, which has no choices.
"""

import numpy as np
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.naive_bayes import BernoulliNB
from sklearn.neighbors import KNeighborsClassifier

from benchmarks.experiments.claims import SECOND_HAND, Claim, beside
from mllib import SVC, DecisionTreeClassifier, RandomForestClassifier
from mllib.datasets import load_dna

TABLE = "michie1994, in the description of the data"
TRAINED_ON = 2000
MACHINE, FOUR_BITS = "SVM, RBF (theirs: Radial)", "SVM, RBF, four bits a letter"
ENTROPY, GINI = "tree (theirs: C4.5)", "tree (theirs: CART)"
NEIGHBOURS, BAYES, FOREST = "nearest neighbours", "naive Bayes", "random forest of 300"
CLAIMS = [
    Claim("largest class: share, %", 52.0, TABLE, SECOND_HAND, tolerance=0.05, rival=33.3),
    Claim(f"{MACHINE}: right, %", 95.9, TABLE, SECOND_HAND, tolerance=1, rival=52),
    Claim(f"{BAYES}: right, %", 93.2, TABLE, SECOND_HAND, tolerance=1, rival=52),
    Claim(f"{ENTROPY}: right, %", 92.4, TABLE, SECOND_HAND, tolerance=1, rival=52),
    Claim(f"{GINI}: right, %", 91.5, TABLE, SECOND_HAND, tolerance=1, rival=52),
    Claim(f"{NEIGHBOURS}: right, %", 84.5, TABLE, SECOND_HAND, tolerance=1, rival=52),
    beside(f"{FOREST}: right, %"),
    beside(f"{FOUR_BITS}: right, %"),
]
COUNTS = [1, 3, 5, 11, 21, 31, 51, 71, 101, 151, 201]
PRUNINGS = [0, 0.0005, 0.001, 0.002, 0.003, 0.005, 0.01, 0.02]
GRIDS = {
    MACHINE: (SVC(), {"C": [1, 3, 10, 30], "gamma": [0.005, 0.01, 0.02, 0.04]}),
    BAYES: (BernoulliNB(), {}),
    ENTROPY: (DecisionTreeClassifier(criterion="entropy", random_state=0), {"ccp_alpha": PRUNINGS}),
    GINI: (DecisionTreeClassifier(random_state=0), {"ccp_alpha": PRUNINGS}),
    NEIGHBOURS: (KNeighborsClassifier(), {"n_neighbors": COUNTS}),
}
SEEDS = range(10)


def four_bits(X):
    """Three bits a letter say nothing about T; give it a bit of its own."""
    letters = X.reshape(len(X), -1, 3)
    return np.concatenate([letters, 1 - letters.sum(axis=2, keepdims=True)], axis=2).reshape(len(X), -1)


def run(show):
    """All methods on the split of Statlog."""
    X, y = load_dna(return_X_y=True)
    train, test = slice(0, TRAINED_ON), slice(TRAINED_ON, None)

    def accuracy(model, X=X):
        return 100 * np.mean(model.fit(X[train], y[train]).predict(X[test]) == y[test])

    ours = {"largest class: share, %": 100 * np.bincount(y[test]).max() / len(y[test])}
    chosen = {}
    for name, bits, (model, grid) in show(
        [*((name, X, case) for name, case in GRIDS.items()), (FOUR_BITS, four_bits(X), GRIDS[MACHINE])],
        "methods",
    ):
        folds = StratifiedKFold(5, shuffle=True, random_state=0)
        search = GridSearchCV(model, grid, cv=folds).fit(bits[train], y[train])
        ours[f"{name}: right, %"] = 100 * search.score(bits[test], y[test])
        chosen[name] = search.best_params_
    forests = [accuracy(RandomForestClassifier(300, random_state=seed)) for seed in show(SEEDS, "forests")]
    ours[f"{FOREST}: right, %"] = [np.mean(forests), np.std(forests, ddof=1)]
    by_count = [accuracy(KNeighborsClassifier(n_neighbors=k)) for k in show(COUNTS, "neighbours")]
    seen = {row.tobytes() for row in X[train]}
    return {
        "ours": ours,
        "data": {
            "chosen": chosen,
            "share of the largest class, %": {
                "all": 100 * np.bincount(y).max() / len(y),
                "training": 100 * np.bincount(y[train]).max() / TRAINED_ON,
            },
            "neighbours": {"k": COUNTS, "accuracy, %": by_count},
            "test rows with a copy in training": sum(row.tobytes() in seen for row in X[test]),
        },
    }
