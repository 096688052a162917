"""Trees against scikit-learn, one thread, interleaved, best of several; first the trees must agree."""

import numpy as np
import pytest
from sklearn import tree as peers
from sklearn.datasets import make_classification

from mllib import DecisionTreeClassifier, DecisionTreeRegressor
from tests.timing.clock import interleaved

pytestmark = pytest.mark.timing


def made(classes, kind):
    X, y = make_classification(5000, 20, n_informative=8, n_classes=classes, flip_y=0.1, random_state=0)
    if kind == "one-hot":
        X = X > 0.8
    X = X.astype(np.float32).astype(float)
    number = X[:, 0] + np.sin(3 * X[:, 1]) + np.random.RandomState(0).randn(len(y))
    return X, y, number


@pytest.mark.parametrize(
    ("kind", "criterion", "must"),
    [
        ("continuous", "gini", 0.3),
        ("continuous", "five classes", 0.3),
        ("continuous", "squared_error", 0.3),
        ("one-hot", "gini", 1.0),
    ],
)
def test_growing_one_tree(kind, criterion, must):
    X, y, number = made(5 if criterion == "five classes" else 2, kind)
    if criterion == "squared_error":
        ours, peer, target = DecisionTreeRegressor(), peers.DecisionTreeRegressor(random_state=0), number
    else:
        ours, peer, target = DecisionTreeClassifier(), peers.DecisionTreeClassifier(random_state=0), y
    ours.fit(X, target), peer.fit(X, target)
    top = 15 if kind == "continuous" else 3  # below, the peer breaks ties by chance
    assert ours.tree_.feature[:3].tolist() == peer.tree_.feature[:3].tolist()
    assert np.count_nonzero(ours.tree_.n_node_samples > 5000 / top) == np.count_nonzero(
        peer.tree_.n_node_samples > 5000 / top
    )
    assert ours.score(X, target) == pytest.approx(peer.score(X, target), abs=1e-9)
    mine, theirs = interleaved(9, lambda: ours.fit(X, target), lambda: peer.fit(X, target))
    print(f"{kind}, {criterion}: peer {1e3 * theirs:.1f} ms, ratio {mine / theirs:.3f}")
    assert mine / theirs <= must


def test_predicting_with_one_tree():
    X, y, _ = made(2, "continuous")
    ours = DecisionTreeClassifier(max_depth=8, min_samples_leaf=10).fit(X, y)
    peer = peers.DecisionTreeClassifier(max_depth=8, min_samples_leaf=10, random_state=0).fit(X, y)
    Z = np.random.RandomState(1).permutation(np.tile(X, (4, 1)))
    np.testing.assert_array_equal(ours.predict(Z), peer.predict(Z))
    mine, theirs = interleaved(9, lambda: ours.predict(Z), lambda: peer.predict(Z))
    print(f"prediction: peer {1e3 * theirs:.1f} ms, ratio {mine / theirs:.3f}")
    assert mine / theirs <= 1
