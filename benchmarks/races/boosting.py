"""AdaBoost with stumps against scikit-learn and XGBoost.

With the Gini stump the model is scikit-learn's, threshold by threshold. The book's stump has the least
weighted error instead; of it we ask, at several rounds, that no stump of scikit-learn on the same weights
errs less. XGBoost boosts another loss with binned features: there the errors on new data must agree.
"""

from functools import cache, partial

import numpy as np
from sklearn import ensemble, tree
from sklearn.datasets import make_classification

from benchmarks.race import Race
from benchmarks.races.forest import equally_good
from mllib import AdaBoostClassifier, DecisionStump


@cache
def problem(kind, n, d):
    """Values that float32 holds exactly, as the peer wants; ``few values``: half of the entries are zero."""
    X, y = make_classification(
        n, d, n_informative=min(20, d // 2), n_redundant=min(2, d // 4), random_state=0
    )
    if kind == "few values":  # like word counts
        X = np.round(np.maximum(X, 0), 1)
    return X.astype(np.float32).astype(float), y


@cache
def oracle(kind, rounds, d, n):
    """scikit-learn's AdaBoost, fitted; two races ask for it."""
    X, y = problem(kind, n, d)
    return ensemble.AdaBoostClassifier(n_estimators=rounds, random_state=0).fit(X, y)


def same_model(kind, rounds, d, n):
    """The stump with the least Gini impurity, scikit-learn's."""
    X, y = problem(kind, n, d)
    peer = oracle(kind, rounds, d, n)
    ours = AdaBoostClassifier(DecisionStump("gini"), n_estimators=rounds).fit(X, y)
    np.testing.assert_array_equal(
        [h.threshold_ for h in ours], [h.tree_.threshold[0] for h in peer.estimators_]
    )
    np.testing.assert_allclose(ours.decision_function(X), peer.decision_function(X), atol=1e-9)
    return lambda: ours.fit(X, y), lambda: peer.fit(X, y)


def least_error(kind, rounds, d, n):
    """The stump with the least weighted error, the book's."""
    X, y = problem(kind, n, d)
    ours = AdaBoostClassifier(n_estimators=rounds).fit(X, y)
    sign, score = 2.0 * y - 1, np.zeros(n)
    for t, (h, alpha) in enumerate(zip(ours.estimators_, ours.history_.alpha, strict=True)):
        if t in (0, rounds // 2, rounds - 1):
            D = np.exp(-sign * score)
            D /= D.sum()
            rival = tree.DecisionTreeClassifier(max_depth=1).fit(X, y, D)
            mine, theirs = (D @ (g.predict(X) != y) for g in (h, rival))
            assert mine <= theirs + 1e-12, f"round {t}: error {mine:.6f}, a Gini stump has {theirs:.6f}"
        score += alpha * (2.0 * h.predict(X) - 1)
    peer = oracle(kind, rounds, d, n)
    return lambda: ours.fit(X, y), lambda: peer.fit(X, y)


def histograms(kind, rounds, d, n):
    """XGBoost with 256 bins a feature."""
    import xgboost

    X, y = problem(kind, 2 * n, d)
    X, y, Z, z = X[::2], y[::2], X[1::2], y[1::2]
    ours = AdaBoostClassifier(n_estimators=rounds).fit(X, y)
    peer = xgboost.XGBClassifier(n_estimators=rounds, max_depth=1, tree_method="hist", n_jobs=1).fit(X, y)
    equally_good(*(1.0 * (model.predict(Z) != z) for model in (ours, peer)))
    return lambda: ours.fit(X, y), lambda: peer.fit(X, y)


RACES = [
    *(
        Race(
            f"AdaBoost, {stump} stump, {kind}, d = 57",
            5000,
            partial(start, kind, 200, 57),
            "adaboost",
            quick=True,
        )
        for kind in ("continuous", "few values")
        for stump, start in (("Gini", same_model), ("error", least_error))
    ),
    *(
        Race(
            f"AdaBoost, error stump, {kind}, d = 57",
            5000,
            partial(histograms, kind, 200, 57),
            "xgboost",
            peer="xgboost",
        )
        for kind in ("continuous", "few values")
    ),
    *(
        Race("AdaBoost, 50 rounds, d = 20", n, partial(same_model, "continuous", 50, 20))
        for n in (500, 1000, 2000, 5000, 10_000, 20_000)
    ),
    *(
        Race(
            "AdaBoost, 1,000 points, 50 rounds", d, lambda d: same_model("continuous", 50, d, 1000), axis="d"
        )
        for d in (5, 20, 80, 320)
    ),
    *(
        Race(
            "AdaBoost, 1,000 points, d = 20",
            T,
            lambda T: same_model("continuous", T, 20, 1000),
            axis="rounds",
        )
        for T in (25, 50, 100, 200, 400)
    ),
]
