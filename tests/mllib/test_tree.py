"""Trees: scikit-learn as the oracle, a slow twin for the split, pruning by brute force, bad input."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn import tree as peers
from sklearn.datasets import (
    load_breast_cancer,
    load_diabetes,
    load_digits,
    load_iris,
    load_wine,
    make_classification,
    make_regression,
)

from mllib import DecisionTreeClassifier, DecisionTreeRegressor
from mllib.tree import (
    ENTROPY,
    GINI,
    NORMALISED,
    SQUARED,
    RankedColumns,
    build,
    entropy,
    gini,
    grow,
    impurity_gain,
    normalised_information_gain,
    prune,
    pruning_path,
    split,
    squared_error,
)
from tests.mllib.compiler import with_and_without


def single(X):
    """Numbers that are exact in single precision, in which scikit-learn's trees work."""
    return np.asarray(X, dtype=np.float32).astype(float)


def shape_of(tree):
    return tree.feature.tolist(), tree.threshold[tree.feature >= 0].tolist(), tree.children_right.tolist()


CLASSIFICATION = {
    "iris": load_iris(return_X_y=True),
    "wine": load_wine(return_X_y=True),
    "breast cancer": load_breast_cancer(return_X_y=True),
    "digits": load_digits(return_X_y=True),
    "two classes": make_classification(600, 8, n_informative=5, random_state=0),
    "four classes": make_classification(600, 8, n_informative=5, n_classes=4, random_state=1),
}
REGRESSION = {
    "diabetes": load_diabetes(return_X_y=True),
    "made": make_regression(600, 8, noise=10.0, random_state=0),
}
LIMITS = [{"max_depth": 3, "min_samples_leaf": 10}, {"max_depth": 6, "min_samples_leaf": 10}, {}]


def ten_peers(peer, X, y, weights):
    return [peer.set_params(random_state=seed).fit(X, y, weights).tree_ for seed in range(10)]


def check_where_the_peers_agree(ours, peers):
    """Walk all trees together; where ten peers ask the same question, we ask it too. Counts the nodes.

    Where two questions gain exactly the same, rounding may make all peers prefer one of them; then the gains
    are compared.
    """
    compared, stack = 0, [(0, [0] * len(peers))]
    while stack:
        node, theirs = stack.pop()
        asked = {
            (p.feature[k], p.threshold[k], p.n_node_samples[k]) for p, k in zip(peers, theirs, strict=True)
        }
        if len(asked) > 1:  # the peer broke a tie by chance
            continue
        (feature, threshold, size) = asked.pop()
        peer, k = peers[0], theirs[0]
        compared += 1
        assert ours.n_node_samples[node] == size
        np.testing.assert_allclose(ours.impurity[node], peer.impurity[k], atol=1e-9 * (1 + peer.impurity[0]))
        np.testing.assert_allclose(ours.weighted_n_node_samples[node], peer.weighted_n_node_samples[k])
        np.testing.assert_allclose(ours.value[node], peer.value[k, 0], rtol=1e-9, atol=1e-12)
        if feature < 0:
            assert ours.feature[node] < 0
        elif (ours.feature[node], ours.threshold[node]) != (feature, threshold):
            np.testing.assert_allclose(gain_at(ours, node), gain_at(peer, k), rtol=1e-12)
        else:
            for side in ("children_left", "children_right"):
                below = [getattr(p, side)[k] for p, k in zip(peers, theirs, strict=True)]
                stack.append((getattr(ours, side)[node], below))
    return compared


def gain_at(tree, node):
    """By how much the question of this node lowers the weighted impurity."""
    cost = tree.weighted_n_node_samples * tree.impurity
    return cost[node] - cost[tree.children_left[node]] - cost[tree.children_right[node]]


def check_equal(ours, theirs, X):
    assert shape_of(ours) == shape_of(theirs)
    np.testing.assert_array_equal(ours.children_left, theirs.children_left)
    np.testing.assert_array_equal(ours.apply(X), theirs.apply(X.astype(np.float32)))
    assert ours.max_depth == theirs.max_depth and ours.n_leaves == theirs.n_leaves
    assert (ours.decision_path(X) != theirs.decision_path(X.astype(np.float32))).nnz == 0
    np.testing.assert_allclose(ours.feature_importances(), theirs.compute_feature_importances(), atol=1e-9)


@pytest.mark.parametrize("limits", LIMITS, ids=["depth 3", "depth 6", "full"])
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", CLASSIFICATION)
def test_equal_to_the_peer_where_it_agrees_with_itself(name, weighted, criterion, limits):
    X, y = CLASSIFICATION[name]
    X = single(X)
    weights = np.random.RandomState(0).randint(0, 4, len(y)).astype(float) if weighted else None
    theirs = ten_peers(peers.DecisionTreeClassifier(criterion=criterion, **limits), X, y, weights)
    ours = DecisionTreeClassifier(criterion=criterion, **limits).fit(X, y, weights).tree_
    compared = check_where_the_peers_agree(ours, theirs)
    assert compared > 0 or name == "iris"  # three features of iris cut off the first species equally well
    if all(shape_of(other) == shape_of(theirs[0]) for other in theirs):
        assert compared == ours.node_count
        check_equal(ours, theirs[0], X)
    if limits:
        check_no_better_split(ours, X, y, weights, {"gini": gini, "entropy": entropy}[criterion], 10)


@pytest.mark.parametrize("limits", LIMITS, ids=["depth 3", "depth 6", "full"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", REGRESSION)
def test_regression_equal_to_the_peer(name, weighted, limits):
    X, y = REGRESSION[name]
    X = single(X)
    weights = np.random.RandomState(0).randint(0, 4, len(y)).astype(float) if weighted else None
    theirs = ten_peers(peers.DecisionTreeRegressor(**limits), X, y, weights)
    ours = DecisionTreeRegressor(**limits).fit(X, y, weights).tree_
    assert check_where_the_peers_agree(ours, theirs) > 0
    if all(shape_of(other) == shape_of(theirs[0]) for other in theirs):
        check_equal(ours, theirs[0], X)


def test_all_peers_agree_on_continuous_data():
    """The same tree node by node, numbers of nodes, paths and importances included."""
    X, y = CLASSIFICATION["two classes"]
    limits = {"max_depth": 3, "min_samples_leaf": 10}
    theirs = ten_peers(peers.DecisionTreeClassifier(**limits), single(X), y, None)
    assert all(shape_of(other) == shape_of(theirs[0]) for other in theirs)
    check_equal(DecisionTreeClassifier(**limits).fit(single(X), y).tree_, theirs[0], single(X))


def check_no_better_split(tree, X, y, weights, impurity, min_leaf):
    """At every inner node the chosen split gains as much as the best of all splits (slow twin)."""
    weights = np.ones(len(y)) if weights is None else weights
    path = tree.decision_path(X).tocsc()
    one_hot = (y[:, None] == np.unique(y)) * weights[:, None]
    for node in np.flatnonzero(tree.feature >= 0):
        rows = path[:, node].nonzero()[0]
        rows = rows[weights[rows] > 0]
        best = -1.0
        for column in X[rows].T:
            order = np.argsort(column, kind="stable")
            left = np.cumsum(one_hot[rows][order], axis=0)[:-1]
            right = one_hot[rows].sum(axis=0) - left
            size = np.arange(1, len(rows))
            good = (np.diff(column[order]) > 0) & (size >= min_leaf) & (len(rows) - size >= min_leaf)
            if good.any():
                best = max(best, impurity_gain(left[good], right[good], impurity).max())
        L, R = tree.children_left[node], tree.children_right[node]
        W = tree.weighted_n_node_samples
        got = tree.impurity[node] - (W[L] * tree.impurity[L] + W[R] * tree.impurity[R]) / W[node]
        assert abs(got - best) < 1e-9


# ---- splits against the formulas ------------------------------------------------------------------


@st.composite
def tables(draw, classes=3):
    n = draw(st.integers(2, 18))
    X = np.array(draw(st.lists(st.tuples(*[st.integers(0, 5)] * 2), min_size=n, max_size=n)), dtype=float)
    y = np.array(draw(st.lists(st.integers(0, classes - 1), min_size=n, max_size=n)))
    w = np.array(draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)), dtype=float)
    w[0] += 1.0
    return X, y, w


@pytest.mark.parametrize("kind", ["gini", "entropy", "normalised_gain", "squared_error"])
@given(table=tables(), min_leaf=st.integers(1, 3))
def test_the_root_asks_the_first_best_question(kind, table, min_leaf):
    X, y, w = table
    there = w > 0
    Z, z, v = X[there], y[there], w[there]
    gains = {}
    for j in range(2):
        values = np.unique(Z[:, j])
        for low, high in zip(values[:-1], values[1:], strict=True):
            left = Z[:, j] <= low
            if min(left.sum(), (~left).sum()) < min_leaf:
                continue
            L, R = (np.bincount(z[s], v[s], 3) for s in (left, ~left))
            if kind == "normalised_gain":
                gain = normalised_information_gain(L, R)
            elif kind == "squared_error":
                inside = sum(v[s].sum() * squared_error(z[s], v[s]) for s in (left, ~left))
                gain = squared_error(z, v) - inside / v.sum()
            else:
                gain = impurity_gain(L, R, {"gini": gini, "entropy": entropy}[kind])
            gains[j, (low + high) / 2] = gain
    limits = {"max_depth": 1, "min_samples_leaf": min_leaf}
    if kind == "squared_error":
        tree = DecisionTreeRegressor(**limits).fit(X, y.astype(float), w).tree_
    else:
        tree = DecisionTreeClassifier(criterion=kind, **limits).fit(X, y, w).tree_
    if len(set(z)) == 1 or not gains:
        assert tree.node_count == 1
        return
    best = max(gains.values())
    assert (tree.feature[0], tree.threshold[0]) == next(c for c, g in gains.items() if g >= best - 1e-9)


@given(tables(), st.sampled_from(["gini", "entropy", "normalised_gain"]))
def test_weight_is_repetition(table, criterion):
    X, y, w = table
    assume(set(y) == set(y[w > 0]))
    times = w.astype(int)
    heavy = DecisionTreeClassifier(criterion=criterion).fit(X, y, w).tree_
    often = (
        DecisionTreeClassifier(criterion=criterion)
        .fit(np.repeat(X, times, axis=0), np.repeat(y, times))
        .tree_
    )
    assert shape_of(heavy) == shape_of(often)
    np.testing.assert_allclose(heavy.value, often.value, atol=1e-12)
    heavy = DecisionTreeRegressor().fit(X, y, w).tree_
    often = DecisionTreeRegressor().fit(np.repeat(X, times, axis=0), np.repeat(y, times)).tree_
    assert shape_of(heavy) == shape_of(often)


@given(tables(classes=2))
def test_gini_of_two_classes_takes_the_short_way_to_the_same_tree(table):
    """The squared error of the 0/1 labels and the Gini impurity grow the same tree."""
    X, y, w = table
    y[:1] = 1 - y[-1]
    assume(len(set(y[w > 0])) == 2)
    by_gini = DecisionTreeClassifier().fit(X, y, w).tree_
    by_error = DecisionTreeRegressor().fit(X, y, w).tree_
    assert shape_of(by_gini) == shape_of(by_error)
    np.testing.assert_allclose(by_gini.impurity, 2 * by_error.impurity, atol=1e-12)


@settings(max_examples=30)
@given(st.integers(0, 2**31), st.integers(41, 400), st.sampled_from([3, 300, 100_000]))
def test_every_way_of_sorting_gives_the_same_tree(seed, n, values):
    """Tables (few values), insertion and radix sort (many) must not matter: ranks are all that counts."""
    rng = np.random.RandomState(seed)
    X = rng.randint(0, values, (n, 3)).astype(float)
    y = rng.randint(0, 3, n)
    tree = grow(RankedColumns(X), y, np.ones(n), n_classes=3, kind=GINI, max_depth=4)
    spread = grow(RankedColumns(np.exp(X / values * 5)), y, np.ones(n), n_classes=3, kind=GINI, max_depth=4)
    np.testing.assert_array_equal(tree.feature, spread.feature)
    np.testing.assert_array_equal(tree.apply(X), spread.apply(np.exp(X / values * 5)))
    check_no_better_split(tree, X, y, None, gini, 1)


# ---- randomness ------------------------------------------------------------------------------------


@pytest.mark.parametrize("random_cuts", [False, True])
def test_a_seed_is_a_tree(random_cuts):
    X, y = CLASSIFICATION["four classes"]
    columns, w = RankedColumns(X), np.ones(len(y))
    options = dict(n_classes=4, kind=GINI, max_features=2, random_cuts=random_cuts)
    first, again, other = (shape_of(grow(columns, y, w, seed=s, **options)) for s in (1, 1, 2))
    assert first == again != other


def test_features_are_drawn_evenly():
    """With pure noise and one drawn feature, each feature is at the root equally often (chi-square)."""
    rng = np.random.RandomState(0)
    X, y, w = rng.rand(30, 5), rng.randint(0, 2, 30), np.ones(30)
    X[:, 4] = 1.0  # constant features count as drawn, but the drawing goes on
    columns = RankedColumns(X)
    roots = np.bincount(
        [
            grow(columns, y, w, n_classes=2, kind=GINI, max_features=1, max_depth=1, seed=s).feature[0]
            for s in range(4000)
        ],
        minlength=5,
    )
    assert roots[4] == 0
    assert ((roots[:4] - 1000) ** 2 / 1000).sum() < 16.3  # 3 degrees of freedom: exceeded once in 1000


@settings(max_examples=150)
@given(table=tables(), exponents=st.lists(st.integers(-320, 3), min_size=1, max_size=40), cuts=st.booleans())
def test_weights_may_span_all_that_a_float_holds(table, exponents, cuts):
    """Late in boosting some weights are 1e-20 of others: a side that rounding swallows is no side."""
    X, y, _ = table
    weights = 10.0 ** np.resize(exponents, len(y))
    assume(weights.sum() > 0)
    columns = RankedColumns(X)
    for kind, n_classes in [(GINI, 2), (GINI, 3), (ENTROPY, 3), (NORMALISED, 3), (SQUARED, 0)]:
        target = np.minimum(y, n_classes - 1) if n_classes else y.astype(float)
        tree = grow(columns, target, weights, n_classes=n_classes, kind=kind, random_cuts=cuts, seed=0)
        assert np.isfinite(tree.value).all()
        leaf = tree.apply(X)
        for node in np.unique(leaf):
            w, ours = weights[leaf == node], tree.value[node]
            if w.sum() > 1e-300:
                shares = [w[target[leaf == node] == c].sum() / w.sum() for c in range(n_classes)]
                answer = [w @ target[leaf == node] / w.sum()]
                np.testing.assert_allclose(ours, shares if n_classes else answer, rtol=1e-9, atol=1e-12)


def test_random_thresholds_are_uniform_between_the_extremes():
    """Kolmogorov-Smirnov: the cuts of a feature with values 0, 1 and 10 spread evenly over [0, 10]."""
    X, y, w = np.array([[0.0], [1.0], [10.0]]), np.array([0, 1, 0]), np.ones(3)
    columns = RankedColumns(X)
    cuts = np.sort(
        [
            grow(
                columns, y, w, n_classes=2, kind=NORMALISED, random_cuts=True, max_depth=1, seed=s
            ).threshold[0]
            for s in range(2000)
        ]
    )
    assert 0 <= cuts[0] and cuts[-1] < 10
    assert np.abs(cuts / 10 - (np.arange(2000) + 0.5) / 2000).max() < 1.95 / np.sqrt(2000)


def test_a_fully_grown_random_tree_is_pure():
    X, y = CLASSIFICATION["digits"]
    for criterion in ("gini", "entropy", "normalised_gain"):
        model = DecisionTreeClassifier(
            criterion=criterion, splitter="random", max_features="sqrt", random_state=0
        ).fit(X, y)
        assert model.score(X, y) == 1 and np.all(model.tree_.impurity[model.tree_.feature < 0] == 0)
    X, y = REGRESSION["diabetes"]
    assert DecisionTreeRegressor(splitter="random", random_state=1).fit(X, y).score(X, y) == 1


# ---- pruning ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["breast cancer", "two classes", "four classes"])
def test_pruning_equals_the_peers(name):
    X, y = CLASSIFICATION[name]
    X = single(X)
    limits = {"min_samples_leaf": 10, "max_depth": 5}
    ours = DecisionTreeClassifier(**limits)
    path = ours.cost_complexity_pruning_path(X, y)
    peer_path = peers.DecisionTreeClassifier(**limits, random_state=0).cost_complexity_pruning_path(X, y)
    # The peer repeats a price for every node that goes at it.
    distinct = np.append(np.diff(peer_path.ccp_alphas) > 1e-12, True)
    distinct[0] |= peer_path.ccp_alphas[0] == 0
    last = np.flatnonzero(distinct)
    np.testing.assert_allclose(path.ccp_alphas[1:], peer_path.ccp_alphas[last][-len(path.ccp_alphas) + 1 :])
    np.testing.assert_allclose(path.impurities[-1], peer_path.impurities[-1])
    for alpha in (path.ccp_alphas[:-1] + path.ccp_alphas[1:]) / 2:
        pruned = DecisionTreeClassifier(**limits, ccp_alpha=alpha).fit(X, y)
        peer = peers.DecisionTreeClassifier(**limits, ccp_alpha=alpha, random_state=0).fit(X, y)
        assert pruned.get_n_leaves() == peer.get_n_leaves()
        np.testing.assert_array_equal(pruned.predict_proba(X).argmax(1), peer.predict_proba(X).argmax(1))


def subtrees(tree, node=0):
    """Every subtree below a node, as (cost of its leaves, number of leaves)."""
    R = tree.weighted_n_node_samples[node] / tree.weighted_n_node_samples[0] * tree.impurity[node]
    yield R, 1
    if tree.feature[node] >= 0:
        for cost_left, n_left in list(subtrees(tree, tree.children_left[node])):
            for cost_right, n_right in list(subtrees(tree, tree.children_right[node])):
                yield cost_left + cost_right, n_left + n_right


@settings(max_examples=40)
@given(tables(), st.floats(0, 0.3))
def test_pruning_minimises_cost_plus_price(table, alpha):
    X, y, w = table
    tree = DecisionTreeClassifier(max_depth=3).fit(X, y, w).tree_
    cut = prune(tree, alpha)
    best = min(cost + alpha * n for cost, n in subtrees(tree))
    leaves = cut.feature < 0
    cost = (cut.weighted_n_node_samples * cut.impurity)[leaves].sum() / cut.weighted_n_node_samples[0]
    assert abs(cost + alpha * cut.n_leaves - best) < 1e-9
    alphas, impurities = pruning_path(tree)
    k = np.searchsorted(alphas, alpha, side="right") - 1
    if np.abs(alphas - alpha).min() > 1e-9:
        assert abs(impurities[k] - cost) < 1e-9
    assert prune(tree, np.inf).node_count == 1


# ---- words, numbers, bad input --------------------------------------------------------------------------


def test_rules_name_the_columns():
    model = DecisionTreeClassifier(max_depth=1).fit(*CLASSIFICATION["iris"])
    assert model.rules(2) == "x3 <= 2.45?\n   0 (1.00)\n   1 (0.50)"
    model.feature_names_in_ = np.array(["a", "b", "c", "d"], dtype=object)
    assert model.rules().startswith("c <= 2.450?")


def test_thresholds_separate_neighbouring_numbers():
    big, tiny = np.finfo(float).max, np.finfo(float).tiny
    for values in ([-big, big], [big / 2, big], [1.0, np.nextafter(1.0, 2)], [0.0, 5e-324], [-tiny, 0.0]):
        X = np.array(values)[:, None]
        for splitter in ("best", "random"):
            model = DecisionTreeClassifier(splitter=splitter, random_state=0).fit(X, [0, 1])
            assert model.predict(X).tolist() == [0, 1]


def test_regression_far_from_zero_loses_no_digits():
    rng = np.random.RandomState(0)
    X, y = rng.rand(200, 3), rng.rand(200)
    near, far = (DecisionTreeRegressor(max_depth=5).fit(X, y + shift).tree_ for shift in (0, 2.0**20))
    assert shape_of(near) == shape_of(far)


def test_class_probabilities_and_their_logarithms():
    X, y = CLASSIFICATION["wine"]
    model = DecisionTreeClassifier(max_depth=2).fit(X, np.array(["a", "b", "c"])[y])
    np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), model.predict_proba(X))
    np.testing.assert_array_equal(model.classes_[model.predict_proba(X).argmax(1)], model.predict(X))


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        (
            {"criterion": "Gini"},
            "'criterion' parameter of DecisionTreeClassifier must be 'gini' or 'entropy'",
        ),
        ({"splitter": "worst"}, "'splitter'"),
        (
            {"max_depth": 0},
            "'max_depth' parameter of DecisionTreeClassifier must be an int in \\[1, inf\\) or None",
        ),
        ({"min_samples_split": 1}, "'min_samples_split'"),
        ({"min_samples_leaf": 0}, "'min_samples_leaf'"),
        ({"max_features": 0.0}, "'max_features'"),
        ({"max_features": 5}, "must be at most the number of features, 4"),
        ({"ccp_alpha": -1.0}, "'ccp_alpha'"),
        ({"random_state": "one"}, "cannot be used to seed"),
    ],
)
def test_bad_parameters(parameters, says):
    with pytest.raises(ValueError, match=says):
        DecisionTreeClassifier(**parameters).fit(*CLASSIFICATION["iris"])


RUN = """
import numpy as np
from mllib.tree import *
rng = np.random.RandomState(0)
X = np.column_stack([rng.rand(60), rng.randint(0, 3, 60), rng.randint(0, 2, 60)]).astype(float)
y, w = rng.randint(0, 3, 60), rng.rand(60)
columns = RankedColumns(X)
for kind, classes in [(GINI, 3), (ENTROPY, 3), (NORMALISED, 3), (SQUARED, 0), (GINI, 2)]:
    for random_cuts in (False, True):
        target = X[:, 0] + y if classes == 0 else np.minimum(y, classes - 1)
        tree = grow(columns, target, w, n_classes=classes, kind=kind,
                    random_cuts=random_cuts, max_features=2, seed=3)
        cut = prune(tree, 0.02)
        print(tree.feature.tolist(), [float(t).hex() for t in tree.threshold], tree.apply(X).tolist(),
              cut.feature.tolist(), len(pruning_path(tree)[0]))
"""


def test_the_compiler_changes_nothing():
    said = with_and_without(RUN)
    assert said[0] == said[1] and len(said[0].splitlines()) == 10


def sorted_by_numpy(node, scratch, low, high):
    """The search without tables and sorting of its own: only the idea."""
    keys = np.sort((scratch.rank[: node.m].astype(np.int64) << 32) + np.arange(node.m))
    return (split.best_cut if node.number else split.best_class_cut)(node, scratch, keys)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", [SQUARED, GINI, ENTROPY, NORMALISED])
def test_the_engine_can_be_removed(monkeypatch, kind, weighted):
    rng = np.random.RandomState(kind)
    X = np.column_stack([rng.rand(150), rng.randint(0, 2, (150, 2)), rng.randint(0, 9, (150, 2))])
    target = rng.randn(150).round(1) if kind == SQUARED else rng.randint(0, 3, 150)
    columns, weights = RankedColumns(X), rng.rand(150) if weighted else np.ones(150)
    options = dict(n_classes=0 if kind == SQUARED else 3, kind=kind, min_samples_leaf=2)
    with_tables = grow(columns, target, weights, **options)
    for module in (build, split):
        for name, function in list(vars(module).items()):
            if hasattr(function, "py_func"):
                monkeypatch.setattr(module, name, function.py_func)
    monkeypatch.setattr(build, "search", sorted_by_numpy)
    plain = grow(columns, target, weights, **options)
    assert plain.n_leaves > 30
    np.testing.assert_array_equal(plain.feature, with_tables.feature)
    np.testing.assert_array_equal(plain.threshold, with_tables.threshold)
    np.testing.assert_array_equal(plain.value, with_tables.value)


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e6, 1e12, 1e30])
@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error"])
def test_a_question_that_gains_nothing_is_asked_in_any_unit(criterion, scale):
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 1, 1, 0])
    if criterion == "squared_error":
        tree = DecisionTreeRegressor().fit(X, scale * y)
        assert (tree.predict(X) == scale * y).all()
    else:
        tree = DecisionTreeClassifier(criterion=criterion).fit(X, y, sample_weight=np.full(4, scale))
        assert tree.score(X, y) == 1.0


@pytest.mark.parametrize("criterion", ["gini", "entropy", "normalised_gain"])
def test_a_full_tree_is_pure_though_gains_are_rounded(criterion):
    for seed in range(200):
        rng = np.random.RandomState(seed)
        X = np.unique(rng.randint(3, size=(8, 2)), axis=0)
        y, weights = rng.randint(3, size=len(X)), rng.choice([0.1, 0.3, 0.7], size=len(X))
        tree = DecisionTreeClassifier(criterion=criterion).fit(X, y, sample_weight=weights)
        assert tree.score(X, y) == 1.0


def test_the_best_subtree_of_each_price_of_the_path_is_that_of_the_path():
    for seed in range(60):
        rng = np.random.RandomState(seed)
        X, y = rng.randint(5, size=(40, 3)), rng.randint(3, size=40)
        path = DecisionTreeClassifier(random_state=0).cost_complexity_pruning_path(X, y)
        for alpha in path.ccp_alphas:
            tree = DecisionTreeClassifier(random_state=0, ccp_alpha=alpha).fit(X, y)
            after = path.impurities[path.ccp_alphas == alpha][-1]
            again = DecisionTreeClassifier(random_state=0, ccp_alpha=alpha * (1 + 1e-9)).fit(X, y)
            assert tree.get_n_leaves() == again.get_n_leaves(), (seed, alpha, after)


@pytest.mark.parametrize("unit", [1e-320, 1e-150, 1e-90, 1e77, 1e307])
@pytest.mark.parametrize("criterion", ["gini", "entropy", "normalised_gain"])
def test_a_common_factor_of_the_weights_changes_no_tree(unit, criterion):
    rng = np.random.RandomState(0)
    X, weights = rng.normal(size=(60, 3)), rng.randint(1, 4, size=60)
    y = (X[:, 0] > 0) + (X[:, 1] > 1)
    plain = DecisionTreeClassifier(criterion=criterion).fit(X, y, weights)
    other = DecisionTreeClassifier(criterion=criterion).fit(X, y, weights * (2.0 ** round(np.log2(unit))))
    assert plain.rules(decimals=12) == other.rules(decimals=12)
    number = DecisionTreeRegressor().fit(X, y, weights)
    assert number.rules() == DecisionTreeRegressor().fit(X, y, np.full(60, unit) * weights).rules()


def test_a_few_rows_are_judged_as_many_are():
    rng = np.random.RandomState(0)
    X, y = rng.normal(size=(300, 2)), rng.randint(3, size=300)
    tree = DecisionTreeClassifier(min_samples_leaf=4).fit(X, y)
    assert 1 < tree.tree_.node_count < 300
    np.testing.assert_array_equal([tree.predict(x[None])[0] for x in X], tree.predict(X))
