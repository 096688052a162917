"""Gradient boosting: scikit-learn as the oracle, steps against a search, any loss with a slope, bad input."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from sklearn import ensemble
from sklearn.datasets import load_breast_cancer, load_diabetes, make_classification, make_regression

from mllib import GradientBoostingClassifier, GradientBoostingRegressor
from mllib.boosting.objectives import lowest_point, objective_for
from mllib.losses import (
    EpsilonInsensitive,
    Exponential,
    Hinge,
    Logistic,
    Perceptron,
    Squared,
    SquaredError,
    ZeroOne,
)


def single(X):
    """Numbers that are exact in single precision, in which scikit-learn's trees work."""
    return np.asarray(X, dtype=np.float32).astype(float)


def made(classes, n=600):
    X, y = make_classification(n, 8, n_informative=5, n_classes=classes, random_state=0)
    return single(X), y


def rounds_of_agreement(stages):
    """How many first stages are the same (to 1e-9) for all ten seeds of the peer."""
    for t, same in enumerate(zip(*stages, strict=True)):
        if any(np.abs(other - same[0]).max() > 1e-9 for other in same):
            return t
    return len(stages[0])


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("classes", "loss"), [(2, "log_loss"), (2, "exponential"), (4, "log_loss")])
def test_classifier_equals_the_peer(classes, loss, weighted):
    X, y = made(classes)
    w = np.random.RandomState(0).rand(len(y)) if weighted else None
    T, learning_rate = 20, 0.3
    peers = [
        ensemble.GradientBoostingClassifier(
            loss=loss, n_estimators=T, learning_rate=learning_rate, random_state=seed
        ).fit(X, y, w)
        for seed in range(10)
    ]
    stages = [list(p.staged_decision_function(X)) for p in peers]
    agreed = rounds_of_agreement(stages)
    assert agreed >= 5
    ours = GradientBoostingClassifier(loss=loss, n_estimators=T, learning_rate=learning_rate).fit(X, y, w)
    for t, score in enumerate(ours.staged_decision_function(X)):
        if t < agreed:
            np.testing.assert_allclose(score, np.squeeze(stages[0][t]), atol=1e-9)
    for t, p in enumerate(ours.staged_predict_proba(X)):
        if t < agreed:
            np.testing.assert_allclose(p, peers[0]._loss.predict_proba(np.asarray(stages[0][t])), atol=1e-9)
    if agreed == T:
        np.testing.assert_array_equal(ours.predict(X), peers[0].predict(X))
    assert ours.estimators_.shape == peers[0].estimators_.shape
    assert ours.apply(X).shape == peers[0].apply(X).shape


@pytest.mark.parametrize("name", ["diabetes", "made"])
def test_regressor_equals_the_peer(name):
    X, y = (
        load_diabetes(return_X_y=True)
        if name == "diabetes"
        else make_regression(500, 6, noise=9.0, random_state=0)
    )
    X = single(X)
    peers = [ensemble.GradientBoostingRegressor(n_estimators=30, random_state=s).fit(X, y) for s in range(10)]
    stages = [list(p.staged_predict(X)) for p in peers]
    agreed = rounds_of_agreement(stages)
    assert agreed >= 10
    ours = GradientBoostingRegressor(n_estimators=30).fit(X, y)
    for t, prediction in enumerate(ours.staged_predict(X)):
        if t < agreed:
            np.testing.assert_allclose(prediction, stages[0][t], atol=1e-9 * np.abs(y).max())
    assert ours.apply(X).shape == peers[0].apply(X).shape
    np.testing.assert_allclose(
        ours.history_.loss[: agreed - 1], peers[0].train_score_[: agreed - 1], rtol=1e-9
    )


def test_absolute_error_equals_the_peer():
    """With weights the peer takes lower medians, in the leaves and at the start; so do we, always."""
    X, y = make_regression(800, 8, noise=10.0, random_state=0)
    X, w = single(X), np.ones(800)
    peer = ensemble.GradientBoostingRegressor(loss="absolute_error", n_estimators=10, random_state=0).fit(
        X, y, w
    )
    ours = GradientBoostingRegressor(loss="absolute_error", n_estimators=10).fit(X, y)
    np.testing.assert_allclose(list(ours.staged_predict(X)), list(peer.staged_predict(X)), atol=1e-9)


def test_importances_equal_the_peers():
    X, y = single(load_diabetes(return_X_y=True)[0]), load_diabetes(return_X_y=True)[1]
    limits = dict(n_estimators=5, max_depth=2, min_samples_leaf=20)
    ours = GradientBoostingRegressor(**limits).fit(X, y)
    peer = ensemble.GradientBoostingRegressor(**limits, random_state=0).fit(X, y)
    np.testing.assert_allclose(ours.predict(X), peer.predict(X), atol=1e-9)
    np.testing.assert_allclose(ours.feature_importances_, peer.feature_importances_, atol=1e-9)


# ---- steps -----------------------------------------------------------------------------------------


@st.composite
def bent_lines(draw):
    n = draw(st.integers(1, 12))
    at = np.array(draw(st.lists(st.integers(-5, 5), min_size=n, max_size=n)), dtype=float)
    rise = np.array(draw(st.lists(st.integers(1, 3), min_size=n, max_size=n)), dtype=float)
    return at, rise, -float(draw(st.integers(0, int(rise.sum()))))


@given(bent_lines())
def test_the_lowest_point_of_a_bent_line(line):
    at, rise, slope = line

    def height(c):
        return slope * c + (rise * np.maximum(0, c - at)).sum()

    c = lowest_point(*line)
    assert c in at
    assert height(c) <= min(height(other) for other in np.append(at, [c - 1e-3, c + 1e-3])) + 1e-9


@pytest.mark.parametrize("loss", [Hinge(), EpsilonInsensitive(0.3), EpsilonInsensitive(0.0)], ids=repr)
def test_kinks_describe_the_loss(loss):
    rng = np.random.RandomState(0)
    y, F, w = rng.choice([-1.0, 1.0], 20), rng.randn(20), rng.rand(20)
    at, rise, slope = loss.kinks(y, F, w)

    def total(c):
        u = y * (F + c) if isinstance(loss, Hinge) else y - F - c
        return w @ loss(u)

    for c in np.linspace(-3, 3, 13):
        step = (total(c + 1e-6) - total(c - 1e-6)) / 2e-6
        np.testing.assert_allclose(step, slope + rise[at < c].sum(), atol=1e-6)


@pytest.mark.parametrize(
    "loss",
    [Logistic(), Exponential(), Squared(), Hinge(), SquaredError(), EpsilonInsensitive(0.2)],
    ids=repr,
)
def test_steps_are_best_or_newtons(loss):
    """Piecewise linear and quadratic losses: the best step in every leaf. The others: one Newton step."""
    rng = np.random.RandomState(1)
    n = 60
    y = (
        rng.choice([-1.0, 1.0], n)
        if loss.__class__.__name__ not in ("SquaredError", "EpsilonInsensitive")
        else rng.randn(n)
    )
    F, w, leaf = 0.5 * rng.randn(n, 1), rng.rand(n), rng.randint(1, 4, n)
    objective = objective_for(loss, y)
    g = objective.descent(F)
    step = objective.steps(F, g, 0, w, leaf, 5)
    assert step[0] == step[4] == 0
    for part in (leaf == 1, leaf == 2, leaf == 3):

        def total(c, part=part):
            G = F[part] + c
            u = y[part] * G[:, 0] if objective.of_margin else y[part] - G[:, 0]
            return w[part] @ loss(u)

        c = step[leaf[part][0]]
        if isinstance(loss, (Logistic, Exponential)):
            h = 1e-4
            slope = (total(h) - total(-h)) / (2 * h)
            bend = (total(h) - 2 * total(0.0) + total(-h)) / h**2
            np.testing.assert_allclose(c, -slope / bend, rtol=1e-4)
        else:
            least = minimize_scalar(total, bounds=(-5, 5), method="bounded", options={"xatol": 1e-9}).fun
            assert total(c) <= least + 1e-9


@pytest.mark.parametrize(
    "loss", [Logistic(), Logistic(2.0), Exponential(), Squared(), Hinge(), Perceptron()], ids=repr
)
def test_any_loss_of_the_margin(loss):
    X, y = load_breast_cancer(return_X_y=True)
    model = GradientBoostingClassifier(loss=loss, n_estimators=30).fit(X, y)
    score = model.decision_function(X)
    np.testing.assert_allclose(
        model.history_.loss[-1], loss((2 * y - 1) * score).mean(), rtol=1e-9, atol=1e-12
    )
    assert model.history_.loss[-1] < 0.5 * loss(model.loss_start_ * (2 * y - 1)).mean() + 1e-3
    assert np.all(np.diff(model.history_.loss) <= 1e-9) or isinstance(loss, Perceptron)


@pytest.mark.parametrize(
    "loss", [SquaredError(), EpsilonInsensitive(10.0), EpsilonInsensitive(0.0)], ids=repr
)
def test_any_loss_of_the_residual(loss):
    X, y = load_diabetes(return_X_y=True)
    model = GradientBoostingRegressor(loss=loss, n_estimators=30).fit(X, y)
    np.testing.assert_allclose(model.history_.loss[-1], loss(y - model.predict(X)).mean(), rtol=1e-9)
    assert np.all(np.diff(model.history_.loss) <= 1e-9)
    scores = list(model.staged_score(X, y))
    assert scores[-1] == pytest.approx(model.score(X, y)) and scores[-1] > scores[0]


# ---- randomness, weights, bad input ---------------------------------------------------------------------


def test_a_part_of_the_examples_for_each_tree():
    X, y = load_diabetes(return_X_y=True)
    first, again, other = (
        GradientBoostingRegressor(subsample=0.5, n_estimators=20, random_state=seed).fit(X, y).predict(X)
        for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(first, again)
    assert np.abs(first - other).max() > 1
    model = GradientBoostingRegressor(subsample=0.5, n_estimators=3, random_state=0).fit(X, y)
    assert {tree.tree_.n_node_samples[0] for tree in model.estimators_.ravel()} == {len(y) // 2}


@pytest.mark.parametrize("classes", [2, 3])
def test_labels_may_be_anything(classes):
    X, y = made(classes, 200)
    model = GradientBoostingClassifier(n_estimators=5).fit(X, y)
    named = GradientBoostingClassifier(n_estimators=5).fit(X, np.array(["a", "b", "c"])[y])
    np.testing.assert_array_equal(named.predict(X), np.array(["a", "b", "c"])[model.predict(X)])
    *_, last = model.staged_predict(X)
    np.testing.assert_array_equal(last, model.predict(X))
    assert list(model.staged_score(X, y))[-1] == model.score(X, y)


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        (
            {"loss": "hinge"},
            "'loss' parameter of GradientBoostingClassifier must be 'log_loss' or 'exponential'",
        ),
        ({"loss": SquaredError()}, "'loss' parameter"),
        ({"loss": ZeroOne()}, "no slope to follow"),
        ({"n_estimators": 0}, "'n_estimators'"),
        ({"learning_rate": -0.1}, "'learning_rate'"),
        ({"subsample": 0.0}, "'subsample'"),
        ({"max_depth": 0}, "'max_depth'"),
    ],
)
def test_bad_parameters(parameters, says):
    with pytest.raises(ValueError, match=says):
        GradientBoostingClassifier(**parameters).fit(*made(2, 50))


def test_more_classes_know_one_loss():
    with pytest.raises(ValueError, match="must be 'log_loss' when there are 3 classes"):
        GradientBoostingClassifier(loss="exponential").fit(*made(3, 60))


@pytest.mark.parametrize("unit", [1e-320, 1e-150, 1e80, 1e307])
def test_a_common_factor_of_the_weights_changes_nothing(unit):
    rng = np.random.RandomState(0)
    X = rng.normal(size=(60, 3))
    y = (X[:, 0] + 0.5 * rng.normal(size=60) > 0).astype(int)
    weights = np.full(60, unit)
    for model in (GradientBoostingClassifier(n_estimators=5), GradientBoostingRegressor(n_estimators=5)):
        plain = model.fit(X, y).predict(X)
        np.testing.assert_allclose(model.fit(X, y, weights).predict(X), plain, rtol=1e-9)


def test_a_class_that_weighs_nothing_does_not_count():
    X, y, w = [[0], [1], [2], [3], [9]], [0, 1, 0, 1, 2], [1, 1, 1, 1, 0]
    weighed, without = (GradientBoostingClassifier().fit(*data) for data in ((X, y, w), (X[:4], y[:4])))
    assert weighed.classes_.tolist() == [0, 1] and weighed.estimators_.shape == (100, 1)
    np.testing.assert_array_equal(weighed.decision_function(X), without.decision_function(X))
