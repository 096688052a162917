"""The drawing of a tree: every node once, no two lines cross, and it can be drawn again."""

import numpy as np
import pytest

from mllib import DecisionTreeClassifier, DecisionTreeRegressor, RandomForestClassifier, viz
from mllib.datasets import load_ten_points
from mllib.viz.trees import layout


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("depth", [None, 0, 2])
def test_layout(seed, depth):
    rng = np.random.default_rng(seed)
    grown = DecisionTreeClassifier().fit(rng.normal(size=(30, 3)), rng.integers(2, size=30)).tree_
    nodes, lines = layout(grown, depth)
    level = grown.depths()
    assert list(nodes) == [v for v in range(grown.node_count) if depth is None or level[v] <= depth]
    assert len(set(nodes.values())) == len(nodes) and len(lines) == len(nodes) - 1
    for node, (x, y) in nodes.items():
        assert y == -level[node]
        if grown.feature[node] >= 0 and (depth is None or level[node] < depth):
            left, right = nodes[grown.children_left[node]], nodes[grown.children_right[node]]
            assert left[0] < x < right[0] and x == (left[0] + right[0]) / 2
            assert ((x, y), left) in lines and ((x, y), right) in lines
    for floor in range(level.max()):  # lines between two levels keep their order, so they do not cross
        pairs = sorted((above[0], below[0]) for above, below in lines if above[1] == -floor)
        assert [below for _, below in pairs] == sorted(below for _, below in pairs)


def test_words_and_tints():
    X, y = load_ten_points(return_X_y=True)
    fitted = DecisionTreeClassifier(max_depth=1).fit(X, y)
    ax = viz.axes(viz.figure())
    viz.tree(ax, fitted, names=["u", "v"])
    words = [text.get_text() for text in ax.texts]
    assert words == ["u ≤ 2.5?", "+1\n2 of 2", "−1\n5 of 8", "yes", "no"]
    yes, no = (ax.texts[k].get_bbox_patch().get_facecolor()[:3] for k in (1, 2))
    assert yes[2] > yes[0] and no[0] > no[2]  # blue, orange
    assert min(text.get_fontsize() for text in ax.texts) >= 11


def test_drawing_again_replaces():
    X, y = load_ten_points(return_X_y=True)
    ax = viz.axes(viz.figure())
    viz.tree(ax, DecisionTreeClassifier().fit(X, y))
    viz.tree(ax, DecisionTreeClassifier(max_depth=1).fit(X, y))
    assert len(ax.texts) == 5 and len(ax.lines) == 2
    viz.tree(ax, DecisionTreeRegressor(max_depth=1).fit(X[:, :1], X[:, 0] > 5), names=["u"])
    assert [text.get_text() for text in ax.texts][1:3] == [
        f"0.0\n{np.sum(X[:, 0] <= 5)}",
        f"1.0\n{np.sum(X[:, 0] > 5)}",
    ]


def test_cut_off_and_single_leaf():
    X, y = load_ten_points(return_X_y=True)
    ax = viz.axes(viz.figure())
    viz.tree(ax, DecisionTreeClassifier().fit(X, y), depth=1)
    assert "..." in [text.get_text() for text in ax.texts]
    viz.tree(ax, RandomForestClassifier(3, max_depth=2, random_state=0).fit(X, y)[0])
    viz.tree(ax, DecisionTreeRegressor().fit(X, np.ones(10)))
    assert [text.get_text() for text in ax.texts] == ["1.0\n10"]


def test_wrong_number_of_names():
    X, y = load_ten_points(return_X_y=True)
    with pytest.raises(ValueError, match="2 features, got 1"):
        viz.tree(viz.axes(viz.figure()), DecisionTreeClassifier().fit(X, y), names=["u"])
