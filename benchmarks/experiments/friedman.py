"""Bagging regression trees on Friedman's three functions.

Protocol, as we remember it (Breiman 1996): training sets of 200, test sets of 1,000, drawn afresh a hundred
times. The single tree is pruned by ten-fold cross-validation. Each of the 25 bagged trees grows on a
bootstrap replicate and is pruned to the subtree that does best on the training set itself. The measure is
the mean squared error on the test set, noise included. Unclear to us: when a node was small enough to be a
leaf (ours: no limit, trees fit their data exactly before pruning).

Tolerance: 8 % of the published value.
"""

import numpy as np
from sklearn.model_selection import KFold

from benchmarks.experiments.claims import UNVERIFIED, Claim
from mllib import DecisionTreeRegressor, datasets
from mllib.tree import prune, pruning_path

TABLE = "breiman1996bagging, table on regression"
PUBLISHED = {"friedman1": (11.4, 6.2), "friedman2": (30800.0, 21700.0), "friedman3": (0.0403, 0.0249)}
LEARNERS = ("tree", "bagging")
CLAIMS = [
    Claim(f"{problem}: {learner}, squared error", value, TABLE, UNVERIFIED, round(0.08 * value, 5), other)
    for problem, values in PUBLISHED.items()
    for learner, value, other in zip(LEARNERS, values, values[::-1], strict=True)
]
REPETITIONS, TRAINED_ON, TESTED_ON, REPLICATES, FOLDS = 100, 200, 1000, 25, 10


def grown(X, y):
    """A whole tree."""
    return DecisionTreeRegressor().fit(X, y).tree_


def answers(tree, X):
    """What a tree predicts."""
    return tree.value[tree.apply(X)].ravel()


def losses(tree, prices, X, y):
    """The squared error on (X, y) of the best subtree for each price of a leaf."""
    return np.array([np.mean((answers(prune(tree, price), X) - y) ** 2) for price in prices])


def pruned_by_folds(X, y, seed):
    """A tree with the price that does best in ten-fold cross-validation, as CART chooses it."""
    tree = grown(X, y)
    steps, _ = pruning_path(tree)
    prices = np.sqrt(steps * np.append(steps[1:], steps[-1]))  # a price between two steps
    folds = KFold(FOLDS, shuffle=True, random_state=seed).split(X)
    loss = sum(losses(grown(X[grow], y[grow]), prices, X[rest], y[rest]) for grow, rest in folds)
    return prune(tree, prices[loss.argmin()])


def pruned_by_all(X, y, rows):
    """A tree grown on some rows, pruned to do best on all."""
    tree = grown(X[rows], y[rows])
    prices, _ = pruning_path(tree)
    return prune(tree, prices[losses(tree, prices, X, y).argmin()])


def run(show):
    """All three functions, both learners on the same sets."""
    ours, leaves = {}, {}
    for problem in PUBLISHED:
        draw, errors, sizes = getattr(datasets, f"make_{problem}"), [], []
        for seed in show(range(REPETITIONS), problem):
            rng = np.random.RandomState(seed)
            X, y = draw(TRAINED_ON, random_state=rng)
            X_test, y_test = draw(TESTED_ON, random_state=rng)
            tree = pruned_by_folds(X, y, seed)
            bag = [pruned_by_all(X, y, rng.randint(TRAINED_ON, size=TRAINED_ON)) for _ in range(REPLICATES)]
            both = (answers(tree, X_test), np.mean([answers(member, X_test) for member in bag], axis=0))
            errors.append([np.mean((said - y_test) ** 2) for said in both])
            sizes.append([tree.n_leaves, np.mean([member.n_leaves for member in bag])])
        for learner, column in zip(LEARNERS, np.transpose(errors), strict=True):
            ours[f"{problem}: {learner}, squared error"] = [column.mean(), column.std(ddof=1)]
        leaves[problem] = np.mean(sizes, axis=0)
    return {"ours": ours, "data": {"leaves": leaves}}
