"""Size of the step, part of the examples in each round, and patience.

Mail (Spambase): 700 to train on and 300 to validate, 10 % of both flipped, the rest with clean labels for
the test; stumps, logistic loss. The rounds are those of the least log loss on the validation labels.
"patience 10" stops when ten rounds have brought no gain, and differs from the row of the same step in
nothing else; "half the examples" fits each tree to a random half, drawn anew in each round.
"""

import numpy as np

from mllib import GradientBoostingClassifier
from mllib.datasets import flip_labels, load_spambase

WHAT = "run"
DRAWS = 20
MEASURES = {"test error": "lower", "rounds": None}
LIMITS = {1: 60, 0.3: 120, 0.1: 300, 0.03: 800}


def patient(values, rounds=10):
    """The best stage, if we stop when that many rounds have brought no gain."""
    best = 0
    for t, value in enumerate(values):
        best = t if value < values[best] - 1e-9 else best
        if t - best >= rounds:
            break
    return best


def draw(number):
    mail, spam = load_spambase(return_X_y=True)
    order = np.random.RandomState(number).permutation(len(mail))
    M, s = mail[order], spam[order]
    given = flip_labels(s[:1000], 0.1, random_state=number)
    found = {}
    for step, limit in LIMITS.items():
        for part, name in ((1.0, f"step {step}"), (0.5, f"step {step}, half the examples")):
            model = GradientBoostingClassifier(
                max_depth=1, learning_rate=step, n_estimators=limit, subsample=part, random_state=0
            )
            model.fit(M[:700], given[:700])
            chance = np.array([p[:, 1] for p in model.staged_predict_proba(M[700:1000])])
            right = np.maximum(np.where(given[700:] > 0, chance, 1 - chance), 1e-15)
            cost = -np.log(right).mean(axis=1).round(9)
            errors = [np.mean(answers != s[1000:]) for answers in model.staged_predict(M[1000:])]
            stops = {name: int(cost.argmin())}
            if part == 1:
                stops[f"{name}, patience 10"] = patient(cost)
            for row, at in stops.items():
                found[row] = {"test error": errors[at], "rounds": at + 1}
    return found
