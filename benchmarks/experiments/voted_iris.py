"""The voted perceptron on iris, petals only, 100 rounds.

Protocol: Iris virginica against the other two, petal length and width, 100 rounds (the lecture notes show
the run: 1595 updates, 5 errors on the training set with voting, 6 with averaging). Not stated: the order of
the flowers, the start, the bias, and whether a point on the boundary is an error.

Our choices: a bias input of 1 cm, start at 0, update when y w.x <= 0, a fresh random order each round,
everything in millimetres so that all sums are exact (in centimetres rounding decides some updates). One
order is one draw, so we take many seeds and ask where the published run falls. Tolerance: two standard
deviations of a single run for the updates, one flower for the errors. Seed 5456 gives all three numbers; it
was searched for and shows only that they can happen.
"""

import warnings

import numpy as np
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning

from benchmarks.experiments.claims import READ, Claim
from mllib import AveragedPerceptron, VotedPerceptron

NOTES = "monteleoni-ensembles, the slide on iris"
CLAIMS = [
    Claim("updates", 1595, NOTES, READ, tolerance=58, rival=268),
    Claim("errors of the vote", 5, NOTES, READ, tolerance=1, rival=50),
    Claim("errors of the average", 6, NOTES, READ, tolerance=1, rival=50),
]
ROUNDS, SEEDS, SEARCHED_FOR = 100, 1000, 5456


def walk(X, y, seed):
    """Updates, errors of the vote, errors of the average."""
    options = {"max_iter": ROUNDS, "fit_intercept": False, "random_state": seed}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # not separable: no walk ends
        voted = VotedPerceptron(**options).fit(X, y)
        average = AveragedPerceptron(**options).fit(X, y)
    return voted.n_updates_, *(int((model.predict(X) != y).sum()) for model in (voted, average))


def run(show):
    """Many orders of the flowers."""
    iris = load_iris()
    X = np.column_stack([np.round(10 * iris.data[:, 2:]), np.full(150, 10.0)])
    y = np.where(iris.target == 2, 1, -1)
    walks = np.array([walk(X, y, seed) for seed in show(range(SEEDS), "seeds")])
    ours = {
        claim.what: [column.mean(), column.std(ddof=1)] for claim, column in zip(CLAIMS, walks.T, strict=True)
    }
    updates, voted, averaged = walks.T
    data = {
        "updates": updates,
        "errors_voted": np.bincount(voted),  # how often 0, 1, 2, ... errors
        "errors_averaged": np.bincount(averaged),
        "share_at_most_published": np.mean(updates <= CLAIMS[0].published),
        "vote_better_than_average": int((voted < averaged).sum()),
        "searched_seed": walk(X, y, SEARCHED_FOR),
    }
    return {"ours": ours, "data": data}
