"""AdaBoost: the published example, scikit-learn as the oracle, stages, history, bad input."""

import pickle

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn import ensemble
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine, make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from mllib import AdaBoostClassifier, DecisionStump, LinearStump
from mllib.boosting import margin_bound, margins, rounds_to_zero_error, stump_matrix, vanishing_margin
from tests.mllib.compiler import with_and_without

TEN_POINTS = np.array(
    [(1, 1), (2, 2), (5, 10), (7, 7), (8, 8), (3, 4), (4, 5), (6, 6), (9, 3), (10, 9)], dtype=float
)
TEN_LABELS = np.array([1] * 5 + [-1] * 5)


def single(X):
    """Numbers that are exact in single precision, in which scikit-learn's trees work."""
    return np.asarray(X, dtype=np.float32).astype(float)


# ---- the published example ---------------------------------------------------------------------


def test_ten_points():
    model = AdaBoostClassifier(n_estimators=3, store_weights=True).fit(TEN_POINTS, TEN_LABELS)
    np.testing.assert_allclose(model.history_.epsilon, [3 / 10, 3 / 14, 3 / 22], rtol=1e-14)
    np.testing.assert_allclose(model.history_.alpha, 0.5 * np.log([7 / 3, 11 / 3, 19 / 3]), rtol=1e-14)
    assert model.history_.alpha.round(4).tolist() == [0.4236, 0.6496, 0.9229]
    assert [(h.feature_, h.threshold_) for h in model] == [(0, 2.5), (0, 8.5), (1, 6.5)]
    assert model.history_.train_error[-1] == 0 and model.score(TEN_POINTS, TEN_LABELS) == 1
    D = model.history_.D
    np.testing.assert_allclose(D[0], 1 / 10, rtol=1e-14)
    np.testing.assert_allclose(D[1], [1 / 14, 1 / 14, 1 / 6, 1 / 6, 1 / 6] + [1 / 14] * 5, rtol=1e-14)
    np.testing.assert_allclose(D[2], np.array([1, 1, 7 / 3, 7 / 3, 7 / 3, 11 / 3, 11 / 3, 11 / 3, 1, 1]) / 22)


# ---- the oracle --------------------------------------------------------------------------------


def where_the_peer_agrees_with_itself(peer, X, y):
    """The peer's models for ten seeds, and the number of rounds in which all of them are the same."""
    models = [clone(peer).set_params(random_state=seed).fit(X, y) for seed in range(10)]
    shapes = [[(t.tree_.feature.tolist(), t.tree_.threshold.tolist()) for t in m.estimators_] for m in models]
    rounds = 0
    while rounds < min(map(len, shapes)) and all(s[rounds] == shapes[0][rounds] for s in shapes):
        rounds += 1
    return models[0], rounds


@pytest.mark.parametrize(
    ("name", "X", "y"),
    [
        ("breast cancer", *load_breast_cancer(return_X_y=True)),
        ("two classes of wine", *(a[:130] for a in load_wine(return_X_y=True))),
        ("wine", *load_wine(return_X_y=True)),
        ("digits", *load_digits(return_X_y=True)),
        ("made, two classes", *make_classification(400, 8, n_informative=4, random_state=0)),
        ("made, four classes", *make_classification(400, 8, n_informative=4, n_classes=4, random_state=1)),
    ],
)
def test_equal_to_the_peer_round_by_round(name, X, y):
    X = single(X)
    peer, rounds = where_the_peer_agrees_with_itself(ensemble.AdaBoostClassifier(n_estimators=30), X, y)
    assert rounds > 0, "the peer never agrees with itself here: the test tests nothing"
    model = AdaBoostClassifier(DecisionStump(criterion="gini"), n_estimators=30).fit(X, y)
    for t in range(rounds):
        assert model[t].feature_ == peer.estimators_[t].tree_.feature[0]
        assert model[t].threshold_ == peer.estimators_[t].tree_.threshold[0]
    np.testing.assert_allclose(model.estimator_weights_[:rounds], peer.estimator_weights_[:rounds], rtol=1e-9)
    np.testing.assert_allclose(model.estimator_errors_[:rounds], peer.estimator_errors_[:rounds], rtol=1e-9)
    stages = zip(
        model.staged_decision_function(X),
        peer.staged_decision_function(X),
        model.staged_predict_proba(X),
        peer.staged_predict_proba(X),
        strict=False,
    )
    for t, (ours, theirs, p, q) in enumerate(stages):
        if t < rounds:
            np.testing.assert_allclose(ours, theirs, atol=1e-9)
            np.testing.assert_allclose(p, q, atol=1e-9)


def test_the_peer_agrees_with_itself_for_hundreds_of_rounds_on_continuous_data():
    X, y = make_classification(1000, 10, n_informative=6, random_state=3)
    X = single(X)
    peer = ensemble.AdaBoostClassifier(n_estimators=300, learning_rate=0.5, random_state=0).fit(X, y)
    model = AdaBoostClassifier(DecisionStump("gini"), n_estimators=300, learning_rate=0.5).fit(X, y)
    assert [h.threshold_ for h in model] == [h.tree_.threshold[0] for h in peer.estimators_]
    np.testing.assert_allclose(model.decision_function(X), peer.decision_function(X), atol=1e-10)
    np.testing.assert_allclose(model.feature_importances_, peer.feature_importances_, atol=1e-10)
    np.testing.assert_array_equal(model.predict(X), peer.predict(X))
    np.testing.assert_allclose(list(model.staged_score(X, y)), list(peer.staged_score(X, y)))


@pytest.mark.parametrize(
    "learner",
    [GaussianNB(), LogisticRegression(C=0.01), DecisionTreeClassifier(max_depth=2, max_features=2)],
    ids=lambda e: type(e).__name__,
)
@pytest.mark.parametrize("classes", [2, 3])
def test_any_weak_learner_and_the_same_seeds_give_the_same_model(learner, classes):
    """Members are seeded as the peer seeds them, so even randomised members agree."""
    X, y = make_classification(300, 6, n_informative=5, n_redundant=0, n_classes=classes, random_state=4)
    ours = AdaBoostClassifier(learner, n_estimators=8, random_state=7).fit(X, y)
    peer = ensemble.AdaBoostClassifier(learner, n_estimators=8, random_state=7).fit(X, y)
    np.testing.assert_allclose(ours.decision_function(X), peer.decision_function(X), atol=1e-9)
    T = len(ours)
    np.testing.assert_allclose(ours.estimator_weights_, peer.estimator_weights_[:T], rtol=1e-9)
    # Where we stop for want of an edge, the peer goes on with members of weight 0.
    assert np.all(np.abs(peer.estimator_weights_[T:]) < 1e-9)


# ---- properties --------------------------------------------------------------------------------


@st.composite
def labelled_points(draw, classes):
    n = draw(st.integers(classes + 1, 20))
    X = np.array(draw(st.lists(st.tuples(*[st.integers(0, 7)] * 2), min_size=n, max_size=n)), dtype=float)
    y = np.array(draw(st.lists(st.integers(0, classes - 1), min_size=n, max_size=n)))
    y[:classes] = np.arange(classes)
    w = np.array(draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)), dtype=float)
    w[:classes] += 1
    return X, y, w


def boosted(X, y, w=None, learner=None, **parameters):
    try:
        return AdaBoostClassifier(learner, **parameters).fit(X, y, w)
    except ValueError as error:
        assert "no better than guessing" in str(error)
        assume(False)


@pytest.mark.parametrize("classes", [2, 3])
@given(data=st.data())
def test_weights_sum_to_one_and_margins_stay_in_range(classes, data):
    X, y, w = data.draw(labelled_points(classes))
    model = boosted(X, y, w, n_estimators=12, store_weights=True)
    np.testing.assert_allclose(model.history_.D.sum(axis=1), 1, rtol=1e-12)
    assert model.history_.D.shape[1] == (w > 0).sum()
    for m, labels in zip(model.staged_margins(X, y), model.staged_predict(X), strict=True):
        assert np.all(np.abs(m) <= 1 + 1e-12)
        assert np.all(labels[m > 1e-12] == y[m > 1e-12]) and np.all(labels[m < -1e-12] != y[m < -1e-12])
    np.testing.assert_allclose(m, margins(model, X, y), atol=1e-12)
    imperfect = model.history_.epsilon > 0
    np.testing.assert_allclose(model.history_.reused[imperfect], 1 - 1 / classes, rtol=1e-9)


@pytest.mark.parametrize("learner", [DecisionStump(), DecisionStump("gini"), LinearStump()])
@given(problem=labelled_points(2))
def test_weight_is_repetition(learner, problem):
    X, y, w = problem
    heavy = boosted(X, y, w, learner, n_estimators=6)
    often = boosted(
        np.repeat(X, w.astype(int), axis=0), np.repeat(y, w.astype(int)), None, learner, n_estimators=6
    )
    np.testing.assert_allclose(heavy.history_.epsilon, often.history_.epsilon, atol=1e-9)
    np.testing.assert_allclose(heavy.vote(X), often.vote(X), atol=1e-9)


def test_stages_are_the_runs_of_fewer_rounds():
    X, y = load_breast_cancer(return_X_y=True)
    model = AdaBoostClassifier(n_estimators=12).fit(X, y)
    for t, (score, labels, vote) in enumerate(
        zip(model.staged_decision_function(X), model.staged_predict(X), model.staged_vote(X), strict=True), 1
    ):
        shorter = AdaBoostClassifier(n_estimators=t).fit(X, y)
        np.testing.assert_allclose(score, shorter.decision_function(X), atol=1e-12)
        np.testing.assert_array_equal(labels, shorter.predict(X))
        np.testing.assert_allclose(vote, shorter.vote(X), atol=1e-12)
    assert len(model) == 12 and list(model)[3] is model[3]


def test_two_classes_in_either_form_of_samme():
    """With K = 2 the formula for many classes is the one for two: alpha = 1/2 ln((1-eps)/eps)."""
    X, y = make_classification(200, 5, random_state=0)
    history = AdaBoostClassifier(n_estimators=20).fit(X, y).history_
    np.testing.assert_allclose(history.edge, 0.5 - history.epsilon)
    np.testing.assert_allclose(history.alpha, 0.5 * np.log((1 - history.epsilon) / history.epsilon))


# ---- stops -------------------------------------------------------------------------------------


def test_a_perfect_member_ends_the_run():
    model = AdaBoostClassifier(n_estimators=50).fit([[1], [2], [3]], [0, 0, 1])
    peer = ensemble.AdaBoostClassifier(n_estimators=50).fit([[1], [2], [3]], [0, 0, 1])
    assert len(model) == len(peer) == 1 and model.estimator_errors_[0] == 0
    assert model.estimator_weights_[0] == peer.estimator_weights_[0] == 1
    assert model.history_.train_error[0] == 0 <= model.history_.bound[0] == pytest.approx(np.exp(-0.5))


def test_no_edge_ends_the_run():
    """One point twice with both labels: after the first round both weigh 1/2 and nothing can be learned."""
    model = AdaBoostClassifier(n_estimators=50).fit([[1], [1], [1]], [0, 0, 1])
    assert len(model) == 1 and model.history_.reused[0] == pytest.approx(0.5)
    xor = np.array([[0, 0], [1, 1], [0, 1], [1, 0]])
    with pytest.raises(ValueError, match="DecisionStump is no better than guessing on these data"):
        AdaBoostClassifier().fit(xor, [0, 0, 1, 1])
    # A line does better than a stump: it cuts off a corner.
    assert (
        AdaBoostClassifier(LinearStump(), n_estimators=30).fit(xor, [0, 0, 1, 1]).score(xor, [0, 0, 1, 1])
        == 1
    )


# ---- bounds as functions -------------------------------------------------------------------------


def test_margin_bound_holds_every_round_and_contains_the_error_bound():
    X, y = load_breast_cancer(return_X_y=True)
    model = AdaBoostClassifier(n_estimators=60).fit(X, y)
    theta = np.linspace(-1, 1, 41)
    bound = margin_bound(model.history_.epsilon, theta)
    assert bound.shape == (60, 41)
    for t, m in enumerate(model.staged_margins(X, y)):
        share = (m[:, None] <= theta).mean(axis=0)
        assert np.all(share <= bound[t] * (1 + 1e-9))
    np.testing.assert_allclose(bound[:, 20], model.history_.bound, rtol=1e-9)
    assert 0.1 < vanishing_margin(0.1) < 0.2


def test_margins_want_known_labels_and_as_many_as_points():
    model = AdaBoostClassifier(n_estimators=3).fit(TEN_POINTS, TEN_LABELS)
    with pytest.raises(ValueError, match="not seen in fit: \\[0\\]"):
        margins(model, TEN_POINTS, TEN_LABELS * 0)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        margins(model, TEN_POINTS, TEN_LABELS[:3])
    with pytest.raises(ValueError, match="not seen in fit: \\[0, 2\\]"):
        next(model.staged_margins(TEN_POINTS, TEN_LABELS + 1))


# ---- protocol ------------------------------------------------------------------------------------


def test_labels_may_be_anything_and_the_model_travels():
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    model = AdaBoostClassifier(n_estimators=10).fit(X, names)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    assert set(model.predict(X)) <= set(names)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)


def test_parameters_of_the_weak_learner_can_be_searched():
    X, y = load_breast_cancer(return_X_y=True)
    search = GridSearchCV(
        AdaBoostClassifier(DecisionStump(), n_estimators=5),
        {"estimator__criterion": ["error", "gini"], "n_estimators": [2, 5]},
        cv=3,
    ).fit(X, y)
    assert search.best_params_["n_estimators"] in (2, 5)
    assert len(search.best_estimator_) == search.best_params_["n_estimators"]


def test_the_callers_learner_is_left_alone():
    learner = DecisionStump()
    weights = np.ones(10)
    AdaBoostClassifier(learner, n_estimators=3).fit(TEN_POINTS, TEN_LABELS, weights)
    assert not hasattr(learner, "feature_") and np.all(weights == 1)


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        (
            {"n_estimators": 0},
            "'n_estimators' parameter of AdaBoostClassifier must be an int in \\[1, inf\\)",
        ),
        ({"n_estimators": 2.5}, "'n_estimators'"),
        (
            {"learning_rate": 0},
            "'learning_rate' parameter of AdaBoostClassifier must be a number in \\(0, inf\\)",
        ),
        ({"estimator": KNeighborsClassifier()}, "KNeighborsClassifier doesn't support sample_weight"),
        ({"estimator": DecisionStump("entropy")}, "'criterion' parameter of DecisionStump"),
        ({"store_weights": "yes"}, "'store_weights'"),
    ],
)
def test_bad_parameters(parameters, says):
    with pytest.raises(ValueError, match=says):
        AdaBoostClassifier(**parameters).fit(TEN_POINTS, TEN_LABELS)


def test_a_progress_bar_appears_only_on_request(capsys):
    AdaBoostClassifier(n_estimators=3, verbose=1).fit(TEN_POINTS, TEN_LABELS)
    assert "3/3" in capsys.readouterr().err
    AdaBoostClassifier(n_estimators=3).fit(TEN_POINTS, TEN_LABELS)
    assert capsys.readouterr().err == ""


# ---- without the compiler ------------------------------------------------------------------------

RUN = """
import numpy as np
from mllib import AdaBoostClassifier, DecisionStump, LinearStump
rng = np.random.RandomState(0)
X = rng.randint(0, 9, (30, 2)).astype(float)
y, z = X.sum(axis=1) + rng.randn(30) > 8, np.digitize(X.sum(axis=1) + rng.randn(30), [6, 10])
for learner, target in [(DecisionStump(), y), (DecisionStump("gini"), y), (LinearStump(), y),
                        (LinearStump("least_squares"), y), (DecisionStump(), z), (DecisionStump("gini"), z)]:
    model = AdaBoostClassifier(learner, n_estimators=5).fit(X, target)
    print([float(a).hex() for a in model.history_.alpha], model.predict(X).astype(int).tolist())
"""


def test_the_compiler_changes_nothing():
    said = with_and_without(RUN)
    assert said[0] == said[1] and len(said[0].splitlines()) == 6


def test_a_class_that_weighs_nothing_does_not_count():
    X, y, w = [[0], [1], [2], [3], [9]], [0, 1, 0, 1, 2], [1, 1, 1, 1, 0]
    weighed, without = (AdaBoostClassifier(n_estimators=3).fit(*data) for data in ((X, y, w), (X[:4], y[:4])))
    np.testing.assert_array_equal(weighed.history_.alpha, without.history_.alpha)
    assert weighed.classes_.tolist() == [0, 1]


@pytest.mark.parametrize("unit", [1e-320, 1e-150, 1e80, 1e307])
def test_a_common_factor_of_the_weights_changes_no_vote(unit):
    rng = np.random.RandomState(0)
    X = rng.normal(size=(60, 3))
    y = (X[:, 0] + 0.5 * rng.normal(size=60) > 0).astype(int)
    plain = AdaBoostClassifier(n_estimators=5).fit(X, y)
    other = AdaBoostClassifier(n_estimators=5).fit(X, y, np.full(60, unit))
    np.testing.assert_allclose(other.history_.epsilon, plain.history_.epsilon, rtol=1e-9)


@pytest.mark.parametrize("edge", [0, -0.1, 0.6, np.nan])
def test_bounds_know_which_edges_there_are(edge):
    with pytest.raises(ValueError, match=r"edge must be a number in \(0, 0.5\]"):
        rounds_to_zero_error(1000, edge)
    assert vanishing_margin(0) == 0 and vanishing_margin(0.5) == 1
    if edge != 0:
        with pytest.raises(ValueError, match=r"in \[0, 1/2\]"):
            vanishing_margin([0.1, edge])


def test_stump_matrix_wants_signs():
    with pytest.raises(ValueError, match="labels must be -1 and \\+1, got .0 1."):
        stump_matrix([[1], [2]], [0, 1])
