"""Work, counted: what makes ``mllib`` quick and is the same on every machine.

Seconds are no property of a program; ``make bench`` measures them. Steps, kernel values, questions, looks,
bytes and imports are: needless work shows in them wherever the tests run. Where rounding may lead to another
step, there is a bound with some room, and LIBSVM or LIBLINEAR says what is usual.
"""

import io
import subprocess
import sys
import tracemalloc

import numpy as np
import pytest
from scipy import sparse
from sklearn import datasets, svm
from sklearn.preprocessing import scale

import mllib.datasets
from benchmarks.races import linear
from benchmarks.races.svm import PAIRS, classes, numbers
from mllib import (
    SVC,
    SVR,
    AdaBoostClassifier,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreesRegressor,
    LinearSVC,
    PegasosClassifier,
    Perceptron,
    RandomForestClassifier,
    RandomForestRegressor,
    SGDHingeClassifier,
    VotedPerceptron,
    _rows,
    smo,
    svm_path,
)
from mllib.forest import _flat, forest
from mllib.kernels import RBF
from mllib.linear_svm import dual, pegasos
from mllib.perceptron import online, voted
from mllib.svm import _path_walk as path_walk
from mllib.tree import SortedFeatures, _sorted_features, _tables, build, split, stump


class Reads(np.ndarray):
    """An array that counts how many of its entries have been read, one at a time or in slices."""

    def __new__(cls, array):
        reads = np.asarray(array).view(cls)
        reads.count = [0]
        return reads

    def __array_finalize__(self, parent):
        self.count = getattr(parent, "count", [0])

    def __getitem__(self, place):
        found = super().__getitem__(place)
        if not isinstance(found, np.ndarray):
            self.count[0] += 1
        return found


@pytest.fixture
def calls(monkeypatch):
    """``calls(owner, name)`` counts the calls of a function from now on: a list with an entry for each."""

    def calls(owner, name, note=lambda *arguments, **_: 1):
        function, made = getattr(owner, name), []

        def counted(*arguments, **keywords):
            made.append(note(*arguments, **keywords))
            return function(*arguments, **keywords)

        monkeypatch.setattr(owner, name, counted)
        return made

    return calls


@pytest.fixture
def interpreted(monkeypatch):
    """Let Python run the compiled functions of some modules, so that their parts can be counted."""

    def interpreted(*modules):
        for module in modules:
            for name, function in vars(module).items():
                if hasattr(function, "py_func"):
                    monkeypatch.setattr(module, name, function.py_func)

    return interpreted


@pytest.fixture
def kernel_values(calls):
    """The numbers of values of the RBF kernel that were computed, one for each matrix product."""
    return calls(RBF, "_of", lambda kernel, exponent: exponent.size)


def peak(run):
    """The most bytes that a run held at once; compiled before."""
    run()
    tracemalloc.start()
    run()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


# Support vector machines


@pytest.mark.parametrize(
    ("name", "kernel", "C", "share"),
    [  # the same pair is chosen in each step, so the number of steps is LIBSVM's but for rounding
        ("SVC", "rbf", 1.0, 1.1),
        ("SVC", "rbf", 10.0, 1.1),
        ("SVC", "rbf", 100.0, 1.1),
        ("SVC", "poly", 1.0, 1.1),
        ("SVC", "linear", 1.0, 0.6),  # leaps
        ("SVR", "rbf", 1.0, 1.1),
        ("SVR", "rbf", 10.0, 1.1),
        ("SVR", "poly", 1.0, 1.1),
        ("SVR", "linear", 1.0, 1.0),
    ],
)
def test_smo_takes_no_more_steps_than_libsvm(name, kernel, C, share):
    X, y = (classes if name == "SVC" else numbers)(300)
    ours, peer = (make(kernel=kernel, C=C).fit(X, y) for make in PAIRS[name])
    assert np.max(ours.n_iter_) <= share * np.max(peer.n_iter_)


@pytest.mark.parametrize("name", ["SVC", "SVR"])
def test_blocks_take_few_more_steps_than_the_whole(name):
    """What a block makes of its variables is in part undone by the next; it must not be much."""
    X, y = (classes if name == "SVC" else numbers)(2500)
    ours, peer = (make().fit(X, y) for make in PAIRS[name])
    assert np.max(ours.n_iter_) <= 1.5 * np.max(peer.n_iter_)


def test_a_step_of_smo_looks_at_three_rows():
    """Of K: row i to choose j, rows i and j to correct the pulls, two entries for the length."""
    X, y = classes(60)
    y = 2.0 * y - 1
    K, beta, pull = Reads(RBF(0.05)(X)), np.zeros(60), y.copy()
    limits, tie = (np.minimum(0, y), np.maximum(0, y)), 0.0
    steps, *_ = smo.pair._smo.py_func(K, *limits, beta, pull, 1e-3, tie, 10**6, True)
    n = len(y)
    assert steps > 20 and K.count[0] <= n + (3 * n + 2) * steps + n


@pytest.mark.parametrize(
    ("make", "n", "cache_size", "share"),
    [  # K is symmetric: half of it, and the blocks on the diagonal
        (SVC, 1000, 200, 0.55),
        (SVC, 2000, 200, 0.55),
        (SVR, 1000, 200, 0.55),  # two variables for each point, and one row
        # by rows, which know nothing of symmetry: only those of points that move
        (SVC, 3000, 200, 0.8),
        (SVR, 3000, 200, 1.15),  # all fit: none is computed a second time for the certificate
        (SVC, 5000, 200, 0.8),
        (SVC, 5000, 20, 0.85),
        (SVC, 5000, 5, 1.3),  # 25 rows fit, and are computed again when they are wanted again
    ],
)
def test_no_kernel_value_is_computed_without_need(kernel_values, make, n, cache_size, share):
    X, y = (classes if make is SVC else numbers)(n)
    machine = make(cache_size=cache_size).fit(X, y)
    assert sum(kernel_values) <= share * n**2
    kernel_values.clear()
    machine.predict(X[:500])
    assert sum(kernel_values) == 500 * len(machine.support_)


@pytest.mark.parametrize("n", [500, 1797])
def test_all_pairs_of_classes_share_kernel_values(kernel_values, n):
    """Forty-five machines that ask for all they need would compute 1.9 n^2 values."""
    X, y = (part[:n] for part in datasets.load_digits(return_X_y=True))
    X = scale(X)
    machine = SVC().fit(X, y)
    assert sum(kernel_values) <= 0.57 * n**2
    kernel_values.clear()
    machine.predict(X)
    assert sum(kernel_values) == n * len(machine.support_)


@pytest.mark.parametrize(("make", "n"), [(SVC, 100), (SVR, 100), (SVC, 400)])
def test_a_function_as_kernel_is_called_once_by_fit(make, n):
    """The diagonal stands in the matrix; to ask for it apart took a call for each point, twice."""
    asked = []

    def kernel(X, Z):
        asked.append((len(X), len(Z)))
        return (1 + X @ Z.T) ** 2

    X, y = (classes if make is SVC else numbers)(n)
    make(kernel=kernel, tol=0.1).fit(X, y)
    assert asked == [(n, n)]


def test_a_piece_of_the_path_costs_one_system_of_equations(calls, kernel_values):
    """And another machine on it nothing but a look."""
    systems, programs = calls(np.linalg, "solve"), calls(path_walk.smo, "solve")
    X, y = datasets.make_moons(100, noise=0.3, random_state=0)
    path = svm_path(X, y, gamma=1.0, C_max=100.0)
    assert sum(kernel_values) == 100**2
    assert len(systems) <= 1.1 * len(path.breakpoints) and len(programs) <= 5
    for made in (systems, programs, kernel_values):
        made.clear()
    for C in path.breakpoints[1:]:
        path.at(C)
    assert systems == programs == kernel_values == []


# Linear machines


@pytest.mark.parametrize(("loss", "share", "looks"), [("hinge", 1.6, 0.25), ("squared_hinge", 1.15, 0.95)])
def test_dual_descent_makes_as_many_epochs_as_liblinear_and_shrinks(loss, share, looks):
    """Two programs draw different orders: five of each. An epoch looks at what may still move."""
    X, y = linear.dense(1000, 20)
    ours = [LinearSVC(loss=loss, C=0.01, tol=1e-3, random_state=seed).fit(X, y) for seed in range(5)]
    peers = [
        svm.LinearSVC(loss=loss, C=0.01, tol=1e-3, max_iter=10**5, dual=True, random_state=seed).fit(X, y)
        for seed in range(5)
    ]
    epochs = sum(model.n_iter_ for model in ours)
    assert epochs <= share * sum(model.n_iter_ for model in peers)
    assert sum(model.history_.active.sum() for model in ours) <= looks * epochs * len(X)


def test_a_look_of_the_descent_reads_a_sparse_row_once(interpreted, monkeypatch):
    """And once more when its variable moves; never an entry that is not stored."""
    interpreted(dual)
    X = sparse.csr_matrix(np.kron(np.eye(20), [[1.0, 2.0, 3.0], [2.0, -1.0, 1.0]]))  # three entries in a row
    entries, *where = map(Reads, dual.rows_of(X))
    monkeypatch.setattr(dual, "rows_of", lambda X: (entries, *where))
    found = dual.dual_coordinate_descent(X, np.tile([1.0, -1.0], 20), 1.0, tol=1e-6)
    looks = found.history.active.sum()
    assert found.converged and 3 * looks <= entries.count[0] <= 6 * looks


@pytest.mark.parametrize("form", ["dense", "sparse"])
def test_a_look_of_the_perceptron_reads_its_row_once(interpreted, form):
    """Once more if its score may be a tie, and when it is a mistake; of a sparse row what it holds."""
    interpreted(online, _rows)
    X, y = linear.dense(50, 4) if form == "dense" else linear.text(50, 400, 0.01)
    steps = online.Walk(X, y.astype(float))
    steps.w = Reads(steps.w)
    if form == "dense":
        steps.rows = entries = Reads(steps.rows)
        held = np.full(50, 4)
    else:
        entries, *where = map(Reads, steps.rows)
        steps.rows, held = (entries, *where), np.diff(X.indptr)
    mistaken = np.concatenate([steps.epoch(np.arange(50))[0] for _ in range(3)])
    assert len(mistaken) > 20
    ties = entries.count[0] - 3 * held.sum() - held[mistaken].sum()
    assert 0 < ties <= held[mistaken].sum()  # the first look is one: all weights are 0
    offsets = steps.w.count[0] - entries.count[0] - 150 - len(mistaken)
    assert 0 < offsets <= len(mistaken)


@pytest.mark.parametrize("average", [False, True])
def test_a_step_of_pegasos_reads_its_row_and_not_all_weights(interpreted, average):
    """All of them shrink in each step: by one factor that stands beside them."""
    interpreted(pegasos)
    X, y = linear.text(50, 400, 0.01)
    descent = pegasos.SubgradientDescent(X, y.astype(float), np.ones(50), lam=1e-3, average=average)
    entries, *where = map(Reads, descent.rows)
    descent.rows, descent.v = (entries, *where), Reads(descent.v)
    order = np.tile(np.arange(50), 4)[:, None]
    _, violations = descent.steps(order, 1 / (1e-3 * np.arange(2, 202)))
    assert violations > 20
    looks, all_weights = 4 * X.nnz, 400
    assert entries.count[0] <= 2 * looks
    assert descent.v.count[0] <= 3 * looks + 5 * all_weights  # few times the factor is multiplied into them


def test_a_voter_is_never_formed(calls):
    """One product with each example that was ever mistaken, however often it was."""
    X, y = linear.dense(1000, 20)
    products = calls(voted, "running_votes", lambda products, *rest: products.shape)
    model = VotedPerceptron(max_iter=10).fit(X, y)
    model.decision_function(X[:256])
    assert products == [(len(model.support_), 256)]
    assert len(model.support_) < len(X) and len(model.mistakes_) > 1500


@pytest.mark.parametrize(
    ("model", "share"),
    [  # of the bytes of X: an order of the looks, and flags
        (PegasosClassifier(1e-4, max_iter=2, tol=None), 0.2),
        (SGDHingeClassifier(1e-4, max_iter=2, tol=None), 0.2),
        (Perceptron(max_iter=2), 0.3),
        (LinearSVC(max_iter=2), 0.4),
    ],
    ids=lambda model: type(model).__name__,
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_linear_machines_copy_no_data(model, share):
    X, y = linear.dense(20_000, 50)
    assert peak(lambda: model.fit(X, y)) <= share * X.nbytes


# Trees, forests, boosting


@pytest.mark.parametrize("kind", ["numbers", "three classes"])
def test_a_tree_judges_each_cut_between_different_values_once(interpreted, calls, kind):
    interpreted(build, _tables, split)
    number = kind == "numbers"
    name = "_squared_gain" if number else "_gain"
    gains = [calls(module, name) for module in (split, _tables)]
    rng = np.random.RandomState(0)
    X = np.column_stack([rng.randn(100, 2), rng.randint(0, 30, 100)])
    y = rng.randn(100) if number else rng.randint(0, 3, 100)
    tree = (DecisionTreeRegressor if number else DecisionTreeClassifier)(min_samples_leaf=3).fit(X, y).tree_
    path, cuts = tree.decision_path(X).toarray(), 0
    for node in np.flatnonzero((tree.n_node_samples >= 6) & (tree.impurity > 0)):
        for column in X[path[:, node] > 0].T:
            cuts += np.count_nonzero(np.diff(np.sort(column))[2:-2])
    assert sum(map(len, gains)) == cuts > 900


def test_a_forest_sorts_once_and_asks_what_it_has_drawn(interpreted, calls):
    interpreted(build, _tables)
    sorts, searches = calls(forest, "RankedColumns"), calls(_tables, "best_cut")
    tables = calls(_tables, "best_cut_in_table")
    pairs = calls(_tables, "one_cut")
    X, y = classes(200, 9)
    model = RandomForestClassifier(5, random_state=0).fit(X, y)
    asking = sum(np.count_nonzero(h.tree_.impurity > 0) for h in model)
    assert len(sorts) == 1
    assert len(searches) + len(tables) + len(pairs) == 3 * asking > 100


def test_extra_trees_judge_one_cut_of_a_feature_and_never_sort(interpreted, calls):
    interpreted(build, _tables)
    cuts, sorts = calls(build, "one_cut"), calls(_tables, "sort")
    X, y = numbers(100, 9)
    model = ExtraTreesRegressor(3, max_features=3, random_state=0).fit(X, y)
    asking = sum(np.count_nonzero(h.tree_.feature >= 0) for h in model)
    assert sorts == [] and len(cuts) == 3 * asking


def test_a_forest_asks_a_question_once_for_all_points(interpreted, monkeypatch):
    """A node is read once for a block of points, and not at all if no point comes there."""
    X, y = numbers(300, 5)
    model = RandomForestRegressor(4, random_state=0).fit(X, y)
    interpreted(_flat)
    asked, feature, threshold, *rest = model._flat
    threshold = Reads(threshold)
    model._flat = (asked, feature, threshold, *rest)
    visited = sum(
        np.count_nonzero(np.asarray(h.tree_.decision_path(X[:20]).sum(axis=0)).ravel()[h.tree_.feature >= 0])
        for h in model
    )
    model.predict(X[:20])
    assert threshold.count[0] == visited


def test_boosting_sorts_once_and_skips_the_commonest_value(calls):
    """In each round all rows of a column are read but those of its commonest value."""
    made, rounds = calls(stump, "SortedFeatures"), calls(stump, "_best_cut", lambda rows, *rest: len(rows))
    rng = np.random.RandomState(0)
    X = np.maximum(rng.randn(500, 8), 0)
    y = X[:, 0] + X[:, 1] + rng.randn(500) > 0.8
    model = AdaBoostClassifier(n_estimators=50).fit(X, y)
    assert len(made) == 1 and len(model) == 50
    assert rounds == 50 * [np.count_nonzero(X)]


def test_a_search_for_a_stump_reads_each_row_once(interpreted):
    interpreted(_sorted_features)
    X = np.maximum(np.random.RandomState(0).randn(100, 4), 0)
    features, w = SortedFeatures(X), np.full(100, 0.01)
    rows = Reads(features.rows)
    _sorted_features._best_cut(rows, features.ends, features.first, w, w * np.sign(X[:, 0] - 0.5), False)
    assert rows.count[0] == 2 * np.count_nonzero(X)  # for the weight, and for the weighted label


# Imports, first fits, data


def fresh(program):
    """What a program prints in a Python of its own."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.parametrize(
    ("line", "never"),
    [
        ("import mllib, mllib.datasets", "numpy scipy sklearn numba matplotlib IPython ipywidgets PIL"),
        ("from mllib import *", "matplotlib IPython ipywidgets PIL pandas dask distributed"),
        ("from mllib import SVC", "mllib.perceptron mllib.tree mllib.boosting mllib.linear_svm tqdm rich"),
        ("from mllib import Perceptron", "mllib.smo mllib.svm mllib.tree tqdm rich"),
    ],
)
def test_an_import_loads_no_more_than_it_needs(line, never):
    loaded = fresh(f"import sys\n{line}\nprint(*sys.modules)")
    assert not set(never.split()) & set(loaded)


@pytest.mark.parametrize(
    "name", "Perceptron LinearSVC PegasosClassifier SVC AdaBoostClassifier RandomForestClassifier".split()
)
def test_a_second_kernel_compiles_nothing(name):
    """What the first one compiled is read from disk, and one fit reads at most two functions."""
    program = f"""
from numba.core import event
from sklearn.datasets import load_iris
X, y = load_iris(return_X_y=True)
with event.install_recorder("numba:compile") as compiled:
    from mllib import {name}
    {name}().fit(X[:100], y[:100])
import gc
from numba.core.dispatcher import Dispatcher
print(len(compiled.buffer), sum(len(f.overloads) for f in gc.get_objects() if isinstance(f, Dispatcher)))
"""
    fresh(program)
    compiled, read = map(int, fresh(program))
    assert compiled == 0 and 1 <= read <= 2


@pytest.mark.parametrize("name", [name for name in mllib.datasets.__all__ if name.startswith("load_")])
def test_a_data_set_is_loaded_with_few_copies(name):
    load = getattr(mllib.datasets, name)
    load()
    tracemalloc.start()
    found = load()
    kept, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found is not None and most <= 3 * kept + 9e4 + io.DEFAULT_BUFFER_SIZE  # 128 KB from Python 3.14 on
