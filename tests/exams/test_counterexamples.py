"""The examples by which solutions in words refute a sentence, computed."""

import numpy as np
import pytest

import mllib
from mllib.kernels import is_psd


def test_04_one_more_rule():
    right = np.ones((2, 100))
    right[0, :40] = right[1, 40:85] = -1
    D = np.where(right[0] > 0, 1 / 120, 1 / 80)
    epsilon = [0.4, D[right[1] < 0].sum()]
    alpha = [0.5 * np.log((1 - e) / e) for e in epsilon]
    assert D.sum() == pytest.approx(1) and epsilon[1] == pytest.approx(0.375) and alpha[1] > alpha[0]
    assert np.mean(alpha @ right <= 0) == 0.45


def test_05_least_and_mean():
    one, other = np.full(100, 0.2), np.r_[0.1, np.full(99, 0.9)]
    assert one.min() > other.min() and np.mean(one <= 0.3) == 1 and np.mean(other <= 0.3) == 0.01


def test_06_logistic_ratio():
    weight = 1 / (1 + np.exp([0, 5]))
    assert round(weight[0] / weight[1]) == 75


def walk(Z):
    """The weights after each look of a perceptron that goes over the examples until nothing is wrong."""
    w, mistakes = np.zeros(2), 0
    while True:
        before = mistakes
        for z in Z:
            if w @ z <= 0:
                w, mistakes = w + z, mistakes + 1
        if mistakes == before:
            return w, mistakes


def test_07_fewer_examples():
    Z = np.array([[1, 1], [2, -1], [-1, 2]])
    assert [walk(Z)[1], walk(Z[1:])[1]] == [1, 2] and np.array_equal(walk(Z[1:])[0], [1, 1])


def test_08_twice_in_a_row():
    X, y = np.array([[3.0, 0], [1, -1]]), np.array([1, -1])
    options = {"fit_intercept": False, "shuffle": False, "max_iter": 1}
    once = mllib.AveragedPerceptron(**options).fit(X, y)
    twice = mllib.AveragedPerceptron(**options).fit(np.repeat(X, 2, axis=0), np.repeat(y, 2))
    for machine, direction in ((once, [5, 1]), (twice, [3, 1])):
        assert np.cross([*machine.coef_[0], 0], [*direction, 0])[2] == pytest.approx(0)
    assert [once.predict([[1.0, -4]])[0], twice.predict([[1.0, -4]])[0]] == [1, -1]


def test_10_twice_the_multipliers():
    X, y = np.array([[0.0, 0], [2, 0], [3, 1], [-1, 2]]), np.array([-1, 1, 1, -1])
    machine = mllib.HardMarginSVC(tol=1e-10).fit(X, y)
    double = 2 * np.abs(machine.dual_coef_[0])
    w = (double * y[machine.support_]) @ X[machine.support_]
    assert double.sum() - w @ w / 2 == pytest.approx(0, abs=1e-7)


def test_12_absolute_value():
    angles = np.radians([0, 45, 90, 135])
    K = np.cos(angles[:, None] - angles)
    a = np.array([1, -1, 1, -1])
    assert is_psd(K) and not is_psd(abs(K))
    assert a @ abs(K) @ a == pytest.approx(4 - 4 * np.sqrt(2))
    assert np.linalg.eigvalsh(abs(K))[0] == pytest.approx(1 - np.sqrt(2))


def test_12_zero_on_the_diagonal():
    points = np.array([1, 0.5])
    products = np.outer(points, points)
    assert not is_psd(products - products**2)


def test_13_mean_of_weights():
    margins = np.array([1, 1, -10])
    assert margins.mean() == pytest.approx(-8 / 3) and np.mean(margins < 0) == pytest.approx(1 / 3)


def test_15_epsilon_zero():
    machine = mllib.SVR(kernel="linear", C=1, epsilon=0).fit([[0.0], [1], [2]], [3.0, 3, 3])
    assert len(machine.support_) == 0
