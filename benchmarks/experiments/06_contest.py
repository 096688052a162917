"""Stumps under wrong labels: loss, size of the step, leaf values, giving up.

Rings: 200 points to train on, 100 to validate, 2,000 others with clean labels for the test. Mail
(Spambase): 700, 300 and 2,000. Each problem once with clean labels and once with 15 % (rings) or 20 %
(mail) of the training and validation labels flipped. Every row has one number chosen by the error on the
validation labels: the rounds (at most 200 in whole steps, 1,000 in steps of a tenth), for BrownBoost the
share of errors that it allows.

The names of the rows say all in which they may differ: the loss; "±α" for one number with the sign of a
stump, "two values" for a Newton step of its own on each side of the cut; the factor of the step. Real and
Gentle AdaBoost and LogitBoost make the same whole steps in other ways. BrownBoost has ±α and gives examples
up.
"""

import warnings
from itertools import islice

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from mllib import (
    AdaBoostClassifier,
    BrownBoostClassifier,
    GentleAdaBoostClassifier,
    GradientBoostingClassifier,
    LogitBoostClassifier,
    RealAdaBoostClassifier,
)
from mllib.datasets import flip_labels, load_spambase, make_rings
from mllib.losses import Exponential, Logistic, Squared

WHAT = "method"
DRAWS = 20
MEASURES = {
    "rings, clean": "lower",
    "rings, 15 % flipped": "lower",
    "mail, clean": "lower",
    "mail, 20 % flipped": "lower",
}
ALLOWED = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5)


def rivals():
    """The methods; a list is tried one by one, of a single model all stages are."""
    found = {
        "exponential, ±α, step 1": AdaBoostClassifier(n_estimators=200),
        "exponential, ±α, step 0.1": AdaBoostClassifier(n_estimators=1000, learning_rate=0.1),
    }
    for name, loss in {"exponential": Exponential(), "logistic": Logistic(), "squared": Squared()}.items():
        for step, rounds in ((1, 200), (0.1, 1000)):
            found[f"{name}, two values, step {step}"] = GradientBoostingClassifier(
                loss=loss, learning_rate=step, n_estimators=rounds, max_depth=1
            )
    found["Real AdaBoost"] = RealAdaBoostClassifier(n_estimators=200)
    found["Gentle AdaBoost"] = GentleAdaBoostClassifier(n_estimators=200)
    found["LogitBoost"] = LogitBoostClassifier(n_estimators=200)
    found["BrownBoost"] = [
        BrownBoostClassifier(noise=share, min_edge=0.02, n_estimators=100) for share in ALLOWED
    ]
    found["BrownBoost, 0.3 allowed"] = found["BrownBoost"][3:4]
    return found


def chosen_error(method, train, valid, test):
    """The error on the test at the setting that is best on the validation labels, the first of equals."""
    (Z, z), (Z_test, z_test) = valid, test
    if isinstance(method, list):
        runs = [run.fit(*train) for run in method]
        said = [[run.predict(points) for run in runs] for points in (Z, Z_test)]
    else:
        run = method.fit(*train)
        said = [run.staged_predict(points) for points in (Z, Z_test)]
    at = int(np.argmin([np.mean(answers != z) for answers in said[0]]))
    return np.mean(next(islice(said[1], at, None)) != z_test)


def problems(number):
    """For each measure the training, validation and test part of this draw."""
    X, y = make_rings(300, noise=0.25, random_state=number)
    new = make_rings(2000, noise=0.25, random_state=10_000 + number)
    mail, spam = load_spambase(return_X_y=True)
    order = np.random.RandomState(number).permutation(len(mail))
    M, s = mail[order], spam[order]
    for share in (0, 0.15):
        name = "rings, 15 % flipped" if share else "rings, clean"
        given = flip_labels(y, share, random_state=number)
        yield name, (X[:200], given[:200]), (X[200:], given[200:]), new
    for share in (0, 0.2):
        name = "mail, 20 % flipped" if share else "mail, clean"
        given = flip_labels(s[:1000], share, random_state=number)
        yield name, (M[:700], given[:700]), (M[700:1000], given[700:]), (M[1000:3000], s[1000:3000])


def draw(number):
    found = {name: {} for name in rivals()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # BrownBoost says when it ends early
        for measure, train, valid, test in problems(number):
            for name, method in rivals().items():
                found[name][measure] = chosen_error(method, train, valid, test)
    return found
