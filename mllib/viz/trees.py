"""A drawing of a fitted tree: questions above, answers below, the way to the left means yes.

Leaves stand side by side at equal distances and every question is centred above its two branches, so no two
lines cross. A tree of eight leaves fits a figure of six inches; of larger trees show the top with ``depth``.
"""

import matplotlib as mpl
import numpy as np

from mllib.viz.figures import BLUE, ORANGE, STYLE, _tint

_INNER = {"boxstyle": "round,pad=0.3", "facecolor": "white", "edgecolor": "0.4"}


def tree(ax, fitted, names=None, depth=None, decimals=1):
    """Draw a fitted decision tree; called again with the same axes it replaces the drawing.

    Leaves of a two-class tree are tinted, blue for the second (positive) class and orange for the first. A
    leaf says its class and how many of its training examples are of that class ("+1" over "4 of 5"), or for
    regression its mean and how many examples it holds.

    Parameters
    ----------
    ax : matplotlib Axes
        Emptied of its frame and ticks.
    fitted : DecisionTreeClassifier or DecisionTreeRegressor
        Fitted. (The tree of a forest is one, too.)
    names : list of str, optional
        Names of the features; x1, x2, ... when left out.
    depth : int, optional
        Draw so many levels of questions; what is below appears as dots.
    decimals : int
        Of thresholds and means.

    Examples
    --------
    >>> from mllib import DecisionTreeClassifier
    >>> from mllib.viz import axes, figure
    >>> ax = axes(figure())
    >>> tree(ax, DecisionTreeClassifier().fit([[0.0], [1.0], [2.0]], [-1, 1, 1]), names=["u"])
    >>> [text.get_text() for text in ax.texts]
    ['u ≤ 0.5?', '−1\\n1 of 1', '+1\\n2 of 2', 'yes', 'no']
    """
    grown = fitted.tree_
    names = [f"x{j + 1}" for j in range(grown.n_features)] if names is None else names
    if len(names) != grown.n_features:
        raise ValueError(f"the tree has {grown.n_features} features, got {len(names)} names")
    nodes, lines = layout(grown, depth)
    for artist in ax.__dict__.get("course_tree", []):
        artist.remove()
    drawn = ax.__dict__["course_tree"] = []
    with mpl.rc_context(STYLE):
        for (x, y), (below_x, below_y) in lines:
            drawn += ax.plot([x, below_x], [y, below_y], color="0.6", linewidth=1, linestyle="-", zorder=1)
        for node, (x, y) in nodes.items():
            words, box = _sign(fitted, grown, node, names, decimals, cut=depth is not None and -y >= depth)
            middle = {"ha": "center", "va": "center", "fontsize": 11}
            drawn.append(ax.text(x, y, words, bbox=box, zorder=3, **middle))
        root, sides = nodes[0], [below for above, below in lines if above == nodes[0]]
        for (x, y), word, align, gap in zip(
            sides, ("yes", "no"), ("right", "left"), (-0.1, 0.1), strict=False
        ):
            drawn.append(ax.text((root[0] + x) / 2 + gap, y / 2 + 0.06, word, ha=align, fontsize=11))
    places = np.array(list(nodes.values()))
    (left, bottom), right = places.min(axis=0), places[:, 0].max()
    ax.set(xlim=(left - 0.55, right + 0.55), ylim=(bottom - 0.45, 0.35))
    ax.set_axis_off()


def layout(grown, depth=None):
    """Where the nodes stand: ``{node: (x, y)}`` with the root at y = 0, and the lines from parent to child.

    Examples
    --------
    >>> from mllib import DecisionTreeClassifier
    >>> layout(DecisionTreeClassifier().fit([[0.0], [1.0], [2.0]], [-1, 1, 1]).tree_)[0]
    {0: (0.5, 0), 1: (0.0, -1), 2: (1.0, -1)}
    """
    level = grown.depths()
    shown = np.flatnonzero(level <= (level.max() if depth is None else depth))
    ends = [node for node in shown if grown.feature[node] < 0 or level[node] == depth]
    across = {int(node): float(place) for place, node in enumerate(ends)}
    lines = []
    for node in reversed(shown):  # children before their parents
        if node not in across:
            children = int(grown.children_left[node]), int(grown.children_right[node])
            across[int(node)] = (across[children[0]] + across[children[1]]) / 2
            lines.append((int(node), children))
    nodes = {int(node): (across[int(node)], -int(level[node])) for node in shown}
    return nodes, [(nodes[node], nodes[child]) for node, children in reversed(lines) for child in children]


def _sign(fitted, grown, node, names, decimals, cut):
    """The words of a node, and the box around them."""
    if grown.feature[node] >= 0:
        if cut:
            return "...", {"boxstyle": "round,pad=0.3", "facecolor": "white", "edgecolor": "white"}
        return f"{names[grown.feature[node]]} ≤ {grown.threshold[node]:.{decimals}f}?", _INNER
    size = int(grown.n_node_samples[node])
    if not hasattr(fitted, "classes_"):
        return f"{grown.value[node, 0]:.{decimals}f}\n{size}", _INNER | {"facecolor": "0.93"}
    heaviest = int(grown.value[node].argmax())
    name = fitted.classes_[heaviest]
    name = f"{int(name):+d}".replace("-", "−") if set(fitted.classes_) == {-1, 1} else str(name)
    weight = grown.weighted_n_node_samples[node]
    words = f"{name}\n{grown.value[node, heaviest] * weight:.4g} of {weight:.4g}"
    tint = "0.93" if len(fitted.classes_) != 2 else _tint(BLUE if heaviest else ORANGE)
    return words, _INNER | {"facecolor": tint}
