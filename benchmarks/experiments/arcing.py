"""Bias and variance of a tree and of fifty bagged trees, on Breiman's four problems.

Protocol: training sets of 300 drawn afresh from a known law (Breiman 1998). The hypotheses h_T of all
training sets T vote at each point x. Where the vote agrees with the best possible rule h*, the learner is
unbiased at x; what single hypotheses lose there against h* is called variance, and what they lose elsewhere
bias:

    bias = E[ (P(h*(x) | x) - mean_T P(h_T(x) | x)) [biased at x] ],  variance = the same over the other x,

so that error = error of h* + bias + variance. Fifty trees a committee, which answer by vote. Unclear to us:
the paper's tree options (ours: Gini, grown until pure), how it estimated the two terms, and one constant of
the law: in ringnorm one class is centred at (a, ..., a), and the published best possible error of 1.3 %
needs a = 2/sqrt(20), while the R package mlbench, which cites the technical report, has a = 1/sqrt(20). We
run both.

Our choices: 100 training sets, 10,000 points x (200,000 for the best possible error), and the exact P(y | x)
in place of labels. Tolerance: 2 points for variance, .1 for the best possible error. Bias is compared only:
the published values lie between .1 and 1.7, so that a tolerance which allows for our different trees could
not fail. Of the two ringnorms the one with the published best possible error is judged.
"""

import numpy as np

from benchmarks.experiments.claims import UNVERIFIED, Claim
from mllib import BaggingClassifier, DecisionTreeClassifier, datasets

TABLE = "breiman1998arcing, tables on bias and variance"
NEARER = "ringnorm, a = 1/√20"
PUBLISHED = {  # best possible error; bias and variance of one tree; of fifty bagged ones; in per cent
    "waveform": (13.2, 1.7, 14.1, 1.4, 5.3),
    "twonorm": (2.3, 0.1, 19.6, 0.1, 5.0),
    "threenorm": (10.5, 1.4, 20.9, 1.3, 8.6),
    "ringnorm": (1.3, 1.5, 18.5, 1.4, 8.3),
    NEARER: (1.3, 1.5, 18.5, 1.4, 8.3),
}
NUMBERS = ("best possible error", "tree, bias", "tree, variance", "bagging, bias", "bagging, variance")


def claims(problem, best, bias, variance, bagged_bias, bagged_variance):
    """Five numbers of a problem; those of the second ringnorm stand beside those of the first."""
    judged = problem != NEARER
    rules = [(0.1, best + bagged_bias + bagged_variance), (None, None), (2.0, bagged_variance)]
    rules += [(None, None), (2.0, variance)]  # tolerance and rival
    values = (best, bias, variance, bagged_bias, bagged_variance)
    return [
        Claim(f"{problem}: {number}, %", value, TABLE, UNVERIFIED, *(rule if judged else ()))
        for number, value, rule in zip(NUMBERS, values, rules, strict=True)
    ]


CLAIMS = [claim for problem, values in PUBLISHED.items() for claim in claims(problem, *values)]
TRAINING_SETS, TRAINED_ON, POINTS, TREES = 100, 300, 10_000, 50


def draw(problem, n, seed):
    """A sample of one of the problems."""
    if problem != NEARER:
        return getattr(datasets, f"make_{problem}")(n, random_state=seed)
    X, y = datasets.make_ringnorm(n, random_state=seed)
    X[y < 0] -= 1 / np.sqrt(20)  # the generator has put this class at 2/sqrt(20)
    return X, y


def posterior(problem, X):
    """The exact P(class | x)."""
    if problem != NEARER:
        return datasets.posterior(problem, X)
    narrow = -((X - 1 / np.sqrt(20)) ** 2).sum(axis=1) / 2
    wide = -(X**2).sum(axis=1) / 8 - X.shape[1] * np.log(2)
    P = 1 / (1 + np.exp(wide - narrow))
    return np.column_stack([P, 1 - P])


def split_error(votes, P):
    """Bias and variance in per cent; votes[x, k] training sets chose class k at x, P[x, k] is exact."""
    lost = P.max(axis=1) - (votes * P).sum(axis=1) / votes.sum(axis=1)
    biased = votes.argmax(axis=1) != P.argmax(axis=1)
    return 100 * np.mean(lost * biased), 100 * np.mean(lost * ~biased)


def run(show):
    """All problems, both learners on the same training sets."""
    ours = {}
    for problem in PUBLISHED:
        X, _ = draw(problem, POINTS, seed=10_000)
        P = posterior(problem, X)
        votes = np.zeros((2, *P.shape))
        for seed in show(range(TRAINING_SETS), problem):
            train = draw(problem, TRAINED_ON, seed)
            tree = DecisionTreeClassifier(random_state=seed)
            bagged = BaggingClassifier(tree, TREES, voting="hard", random_state=seed)
            for counted, model in zip(votes, (tree, bagged), strict=True):
                model.fit(*train)
                counted[np.arange(POINTS), np.searchsorted(model.classes_, model.predict(X))] += 1
        many, _ = draw(problem, 20 * POINTS, seed=10_001)
        best = 100 * np.mean(1 - posterior(problem, many).max(axis=1))
        values = [best, *split_error(votes[0], P), *split_error(votes[1], P)]
        ours |= {f"{problem}: {number}, %": v for number, v in zip(NUMBERS, values, strict=True)}
    return {"ours": ours, "data": {}}
