"""No decision hangs on a last digit: inputs full of ties, and the same inputs with their last digits stirred.

Each case makes choices among things that are equal in mathematics (points that mirror each other, features
that ask the same question, scores that are 0) and returns them. ``stir`` moves numbers by one unit in the
last place at most, as another order of summation on another processor would. No choice may change.
"""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

import mllib
from mllib import smo
from mllib.structured import viterbi

pytestmark = [
    pytest.mark.filterwarnings(f"ignore::{ConvergenceWarning.__module__}.{ConvergenceWarning.__name__}")
]

# Sixteen points in tenths (no finite binary fractions) that mirror each other in many ways.
SQUARE = 0.1 * np.array([[a, b] for a in (-3, -1, 1, 3) for b in (-3, -1, 1, 3)])
RING = np.where(np.abs(SQUARE).sum(axis=1) > 0.5, 1, -1)
XOR = np.where(SQUARE.prod(axis=1) > 0, 1, -1)
STAIRS = np.where(SQUARE.sum(axis=1) > 0.1, 1, -1)
LEAN = np.where(SQUARE @ [3, 1] > 0, 1, -1)  # separable
CORNERS = np.digitize(SQUARE.sum(axis=1), [-0.1, 0.1])  # three classes
TWICE = np.column_stack([SQUARE, 0.7 * SQUARE[:, ::-1]])  # every question can be asked of two features
GRID = 0.1 * np.array([[a, b] for a in range(-4, 5) for b in range(-4, 5)])  # new points, many on a border


def stirrer(seed):
    """A function that changes last digits at random; none for seed 0."""
    rng = np.random.RandomState(seed)
    last = np.finfo(float).eps * (seed > 0)
    return lambda a: np.asarray(a) * (1 + last * rng.randint(-1, 2, np.shape(a)))


def weights(stir):
    return stir(np.full(16, 1 / 3))


def questions(tree):
    return [tree.tree_.feature.tolist(), tree.tree_.children_right.tolist()]


def boosted(kind, y=RING, **parameters):
    """The members' questions, the rounds' errors, and the answers after each round."""

    def choices(stir):
        model = kind(n_estimators=8, **parameters).fit(TWICE, y, weights(stir))
        asked = [(member.feature_, f"{member.threshold_:.6f}") for member in model]
        errors = np.round(model.history_.train_error, 9).tolist()
        return asked, errors, [labels.tolist() for labels in model.staged_predict(TWICE)]

    return choices


def solved(working_set):
    def choices(stir):
        K = stir(SQUARE @ SQUARE.T + np.square(SQUARE @ SQUARE.T))
        K, y = (K + K.T) / 2, RING.astype(float)
        run = smo.solve(
            K, y, np.minimum(0, 0.3 * y), np.maximum(0, 0.3 * y), every=1, working_set=working_set, warn=False
        )
        at_a_limit = np.flatnonzero(np.isin(run.beta, [-0.3, 0.0, 0.3]))
        return run.history.i.tolist(), run.history.j.tolist(), at_a_limit.tolist()

    return choices


def in_blocks(stir):
    """More variables than the plain loop takes, every point four times, in little memory."""
    rng = np.random.RandomState(0)
    X = 0.1 * rng.randint(-9, 10, (300, 2))
    X = stir(np.concatenate([X, -X, X[:, ::-1], -X[:, ::-1]]))
    y = np.where(np.abs(X).sum(axis=1) > 0.85, 1, -1)
    model = mllib.SVC(C=1, gamma=1, cache_size=1).fit(X, y)
    return model.n_iter_.tolist(), model.support_.tolist()


def predicted(model, y=LEAN):
    """Labels of new points, half of them on the border by symmetry."""

    def choices(stir):
        return model.fit(stir(SQUARE), y).predict(stir(GRID)).tolist()

    return choices


def walked(model, y):
    def choices(stir):
        walk = model.fit(stir(SQUARE), y)
        return [walk.n_updates_, walk.predict(stir(GRID)).tolist()]

    return choices


def weighed(model, y=RING):
    """A learner with weights in thirds, on questions that tie."""

    def choices(stir):
        return model.fit(TWICE, y, weights(stir)).predict(TWICE).tolist()

    return choices


def grown(model, y):
    def choices(stir):
        return questions(model.fit(TWICE, y, weights(stir)))

    return choices


def removed(stir):
    model = mllib.FloatBoostClassifier(n_estimators=6).fit(TWICE, STAIRS, weights(stir))
    return model.history_.n_dropped.tolist(), [member.feature_ for member in model]


def decoded(stir):
    scores = stir(0.1 * np.random.RandomState(3).randint(0, 3, (40, 4)))
    return viterbi(scores, stir(0.1 * (np.arange(16).reshape(4, 4) % 3)))[0].tolist()


def pruned(stir):
    tree = mllib.DecisionTreeClassifier(ccp_alpha=0.05).fit(TWICE, XOR, weights(stir))
    alphas, _ = mllib.tree.pruning_path(mllib.DecisionTreeClassifier().fit(TWICE, XOR, weights(stir)).tree_)
    return tree.get_n_leaves(), len(alphas)


def touching(stir):
    """Two classes that share a border point are not separable by however little."""
    X = np.concatenate([SQUARE[LEAN > 0] - SQUARE[10], SQUARE[LEAN < 0] - SQUARE[5]])
    return bool(mllib.is_separable(stir(X), np.repeat([1, -1], 8)))


def outvoted(stir):
    model = mllib.BaggingClassifier(mllib.DecisionStump("gini"), 6, random_state=0)
    return model.fit(TWICE, XOR * RING, weights(stir)).predict(TWICE).tolist()


CASES = {
    "SMO, first order": solved("first-order"),
    "SMO, second order": solved("second-order"),
    "SMO, Platt": solved("platt"),
    "SMO in blocks": in_blocks,
    "SVC": predicted(mllib.SVC(C=0.5, kernel="linear")),
    "SVC, three classes": predicted(mllib.SVC(C=0.5, kernel="linear"), CORNERS),
    "HardMarginSVC": predicted(mllib.HardMarginSVC(kernel="linear")),
    "Perceptron": walked(mllib.Perceptron(shuffle=False), LEAN),
    "Perceptron, not separable": walked(mllib.Perceptron(shuffle=False, max_iter=30), RING),
    "MarginPerceptron": walked(mllib.MarginPerceptron(0.1, shuffle=False), LEAN),
    "AveragedPerceptron": walked(mllib.AveragedPerceptron(shuffle=False), RING),
    "VotedPerceptron": walked(mllib.VotedPerceptron(shuffle=False), RING),
    "PocketPerceptron": walked(mllib.PocketPerceptron(shuffle=False), RING),
    "KernelPerceptron": walked(mllib.KernelPerceptron("linear", shuffle=False), RING),
    "BatchPerceptron": predicted(mllib.BatchPerceptron()),
    "PegasosClassifier": predicted(mllib.PegasosClassifier(0.1, random_state=0), RING),
    "LinearSVC, three classes": predicted(mllib.LinearSVC(random_state=0), CORNERS),
    "OneVsRestClassifier": predicted(mllib.OneVsRestClassifier(mllib.Perceptron(shuffle=False)), CORNERS),
    "OneVsOneClassifier": predicted(mllib.OneVsOneClassifier(mllib.Perceptron(shuffle=False)), CORNERS),
    "is_separable": touching,
    "DecisionStump": weighed(mllib.DecisionStump()),
    "DecisionStump, Gini": weighed(mllib.DecisionStump("gini")),
    "DecisionStump, three classes": weighed(mllib.DecisionStump(), CORNERS),
    "LinearStump": weighed(mllib.LinearStump("least_squares"), XOR),
    "DecisionTreeClassifier": grown(mllib.DecisionTreeClassifier(), XOR),
    "DecisionTreeClassifier, entropy": grown(mllib.DecisionTreeClassifier(criterion="entropy"), CORNERS),
    "DecisionTreeClassifier, Gini of three": grown(mllib.DecisionTreeClassifier(), CORNERS),
    "DecisionTreeRegressor": grown(mllib.DecisionTreeRegressor(), 0.1 * RING),
    "tree, leaves that tie": weighed(mllib.DecisionTreeClassifier(max_depth=1), XOR),
    "pruning": pruned,
    "RandomForestClassifier": weighed(mllib.RandomForestClassifier(6, random_state=0), XOR),
    "ExtraTreesClassifier": weighed(mllib.ExtraTreesClassifier(6, random_state=0), XOR),
    "BaggingClassifier": outvoted,
    "AdaBoostClassifier": boosted(mllib.AdaBoostClassifier),
    "AdaBoostClassifier, ties in the vote": boosted(mllib.AdaBoostClassifier, STAIRS),
    "AdaBoostClassifier, three classes": boosted(mllib.AdaBoostClassifier, CORNERS),
    "RealAdaBoostClassifier": boosted(mllib.RealAdaBoostClassifier),
    "GentleAdaBoostClassifier": boosted(mllib.GentleAdaBoostClassifier),
    "LogitBoostClassifier": boosted(mllib.LogitBoostClassifier),
    "BrownBoostClassifier": boosted(mllib.BrownBoostClassifier, noise=0.3),
    "FloatBoostClassifier": removed,
    "GradientBoostingClassifier": weighed(mllib.GradientBoostingClassifier(n_estimators=5), RING),
    "viterbi": decoded,
}


@pytest.mark.parametrize("name", CASES)
def test_no_choice_hangs_on_a_last_digit(name):
    choices = CASES[name]
    plain = choices(stirrer(0))
    for seed in range(1, 13):
        assert choices(stirrer(seed)) == plain, f"stirred with seed {seed}"
