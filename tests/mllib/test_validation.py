"""The checks that every estimator shares: what they let through, and what they say otherwise."""

from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from mllib import SVC, PegasosClassifier, Perceptron
from mllib.parameters import boolean, check_parameters, fraction, infinity, instance_of, integer, one_of, real
from mllib.validation import (
    check_classification,
    check_regression,
    check_weights,
    check_X,
    drop_weightless,
    moderate,
    seed_members,
    signed_labels,
)


class Learner(BaseEstimator):
    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X, y):
        check_classification(self, X, y)
        self.fitted_ = True
        return self


def test_labels_are_numbered_in_order():
    learner = Learner()
    X, codes, classes, weights = check_classification(learner, [[1, 2], [3, 4], [5, 6]], ["no", "yes", "no"])
    assert X.dtype == np.float64 and learner.n_features_in_ == 2
    assert codes.tolist() == [0, 1, 0] and classes.tolist() == ["no", "yes"]
    assert weights.tolist() == [1, 1, 1]
    assert signed_labels(codes).tolist() == [-1, 1, -1]


@pytest.mark.parametrize(
    ("X", "y", "says"),
    [
        ([[1.0], [np.nan]], [0, 1], "contains NaN"),
        ([[1.0], [np.inf]], [0, 1], "contains infinity"),
        ([["a"], ["b"]], [0, 1], "could not convert string"),
        ([1.0, 2.0], [0, 1], "Expected 2D array, got 1D array"),
        (np.empty((0, 3)), [], "0 sample"),
        (np.empty((3, 0)), [0, 1, 0], "0 feature"),
        ([[1.0], [2.0]], [0, 1, 1], "inconsistent numbers of samples"),
        ([[1.0], [2.0]], [0.5, 1.5], "Unknown label type"),
        ([[1.0], [2.0]], [[0, 1], [1, 0]], "1d array|Unknown label type"),
        ([[1.0], [2.0]], [3, 3], "only one class: np.int64\\(3\\)"),
    ],
)
def test_bad_training_sets_are_refused_in_words(X, y, says):
    with pytest.raises(ValueError, match=says):
        check_classification(Learner(), X, y, min_classes=2)


def test_labels_of_an_unusual_kind_get_a_closer_look():
    X = np.zeros((30, 1))
    with pytest.raises(TypeError, match="bytes is not supported"):
        check_classification(Learner(), X, [b"a", b"b"] * 15)
    with pytest.warns(UserWarning, match="number of unique classes is greater than 50%"):
        check_classification(Learner(), X, np.arange(30))
    check_classification(Learner(), X, np.arange(30) % 15)


def test_one_class_may_be_enough():
    assert check_classification(Learner(), [[1], [2]], [3, 3])[2].tolist() == [3]


def test_a_weightless_class_is_missing():
    X, y, w = [[1], [2], [3]], [0, 1, 0], [1, 0, 1]
    assert len(check_classification(Learner(), X, y, w, min_classes=2)[2]) == 2
    with pytest.raises(ValueError, match="only one class"):
        check_classification(Learner(), X, y, w, min_classes=2, weigh_each_class=True)


def test_binary_learners_say_so():
    with pytest.raises(ValueError, match="Only binary classification is supported"):
        check_classification(Learner(), [[1], [2], [3]], [0, 1, 2], binary=True)


def test_regression_wants_finite_numbers():
    _, y, weights = check_regression(Learner(), [[1], [2]], [1, 2], 2.0)
    assert y.dtype == np.float64 and weights.tolist() == [2, 2]
    with pytest.raises(ValueError, match="contains NaN"):
        check_regression(Learner(), [[1], [2]], [1.0, np.nan])


@pytest.mark.parametrize(
    ("weights", "says"),
    [
        ([1, -1], "Negative values"),
        ([0, 0], "at least one non-zero"),
        ([1, np.nan], "contains NaN"),
        ([1, 2, 3], "shape"),
        ([[1], [2]], "1D array"),
    ],
)
def test_bad_weights(weights, says):
    with pytest.raises(ValueError, match=says):
        check_weights(weights, np.ones((2, 1)))


def test_predict_wants_the_width_of_fit():
    learner = Learner()
    with pytest.raises(NotFittedError):
        check_X(learner, [[1, 2]])
    learner.fit([[1, 2], [3, 4]], [0, 1])
    assert check_X(learner, [[5, 6]]).tolist() == [[5, 6]]
    with pytest.raises(ValueError, match="has 1 features, but Learner is expecting 2 features"):
        check_X(learner, [[5]])


@pytest.mark.parametrize(
    ("rule", "good", "bad"),
    [
        (integer(1), [1, np.int64(7)], [0, 1.0, True, "1", None]),
        (integer(0, 3), [0, 3], [-1, 4]),
        (real(0), [0, 0.5, np.float32(1)], [-1e-9, np.nan, True, "1", None]),
        (real(0, open_low=True), [1e-300, 1e300], [0, -1, np.inf]),
        (real(0) | infinity(), [0, np.inf], [-np.inf, np.nan]),
        (real(0, 1, open_high=True), [0, 0.999], [1, np.nan]),
        (real(), [-5, 0.5], [np.nan, np.inf, -np.inf]),
        (one_of("gini", "entropy", None), ["gini", None], ["Gini", 1, True]),
        (boolean(), [True, np.False_], [0, 1, None]),
        (instance_of(dict, list), [{}, []], [(), None]),
        (integer(2) | fraction(), [2, 0.5, 1.0], [1, 0.0, 1.5, "all"]),
        (fraction(open_high=True), [0.5], [1.0, 1]),
        (integer(1) | one_of("sqrt") | real(0, 1, open_low=True), [2, "sqrt", 0.5], [0, "log", 1.5]),
    ],
)
def test_rules(rule, good, bad):
    for value in good:
        check_parameters(SimpleNamespace(p=value), p=rule)
    for value in bad:
        with pytest.raises(ValueError, match="The 'p' parameter of SimpleNamespace must be") as caught:
            check_parameters(SimpleNamespace(p=value), p=rule)
        assert rule.says in str(caught.value) and repr(value) in str(caught.value)


def test_members_get_seeds_of_their_own():
    first, second = (
        [seed_members(Learner(), rng).random_state for _ in range(5)]
        for rng in (np.random.RandomState(1), np.random.RandomState(1))
    )
    assert first == second and len(set(first)) == 5 and all(isinstance(seed, int) for seed in first)
    rng = np.random.RandomState(2)
    before = rng.get_state()[2]
    seed_members(SimpleNamespace(get_params=dict), rng)
    assert rng.get_state()[2] == before  # nothing to seed, nothing drawn


@pytest.mark.parametrize("unit", [1e-320, 1e-90, 1e77, 1e307])
def test_moderate_weights_keep_their_ratios(unit):
    given = np.array([1.0, 2.0, 0.0, 8.0]) * unit
    weights = moderate(given)
    assert 0.5 <= weights.max() < 1
    np.testing.assert_array_equal(weights * given.max(), given * weights.max())
    ordinary = np.array([1e-3, 1e20])
    assert moderate(ordinary) is ordinary


def test_only_learners_that_ask_get_moderate_weights():
    X, y, w = [[1], [2]], [0, 1], [1e200, 1e200]
    for check in (check_classification, check_regression):
        assert check(Learner(), X, y, w)[-1].tolist() == w
        assert check(Learner(), X, y, w, moderate_weights=True)[-1].max() < 1


def test_a_third_class_that_weighs_nothing_is_no_third_class():
    X, y, w = [[1], [2], [3]], ["a", "b", "c"], [1, 0, 1]
    checked = check_classification(Learner(), X, y, w, binary=True, weigh_each_class=True)
    X, codes, classes, weights = drop_weightless(*checked)
    assert X.tolist() == [[1], [3]] and codes.tolist() == [0, 1]
    assert classes.tolist() == ["a", "c"] and weights.tolist() == [1, 1]


@pytest.mark.parametrize("learner", [Perceptron(max_iter=1), SVC(max_iter=1), PegasosClassifier(max_iter=1)])
def test_a_warning_names_the_line_outside_of_the_package(learner):
    """Not a line of a base class that the reader has never seen."""
    X, y = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [0, 1, 1, 0]
    with pytest.warns(ConvergenceWarning) as caught:
        learner.fit(X, y)
    assert [warning.filename for warning in caught] == [__file__]
