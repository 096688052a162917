"""Against the best of all rivals that can be had as a wheel, one thread each.

Other rooms race with scikit-learn, which is everywhere; here each kind of work meets whoever does it best,
and the page shows the best of them. Solutions are unique and must agree, as in the other rooms; forests are
drawn by chance, there the errors on new points must agree.
"""

from functools import partial

import numpy as np
from sklearn import ensemble, linear_model, svm

from benchmarks import peers
from benchmarks.race import Race
from benchmarks.races.forest import equally_good, problem
from benchmarks.races.linear import STEPS, SUBGRADIENT, dense, near_optimum, text
from benchmarks.races.svm import PAIRS, certify, classes, numbers
from mllib import LinearSVC, RandomForestClassifier
from mllib.kernels import RBF

TOL = 1e-3
TREES = 50


class CountingRBF(RBF):
    """The kernel that counts the values it computes."""

    computed = 0

    def __call__(self, X, Z=None):
        K = super().__call__(X, Z)
        CountingRBF.computed += K.size
        return K


def machine(name, d, C, peer, n):
    """A machine with the RBF kernel; beside scikit-learn's, steps and kernel values are counted, too."""
    X, y = classes(n, d) if name == "SVC" else numbers(n, d)
    ours = PAIRS[name][0](C=C).fit(X, y)
    if peer == "libsvm-official":
        theirs = peers.Libsvm(X, y, C, epsilon=0.1 if name == "SVR" else None)
        fit = theirs.fit
    else:
        theirs = getattr(intel(), name)(C=C) if peer == "scikit-learn-intelex" else PAIRS[name][1](C=C)
        fit = partial(theirs.fit, X, y)
    fit()
    certify(ours, theirs, X, y)
    if peer != "scikit-learn":
        return partial(ours.fit, X, y), fit
    CountingRBF.computed = 0
    PAIRS[name][0](C=C, kernel=CountingRBF(1 / (d * X.var()))).fit(X, y)
    counts = {"steps": int(np.sum(ours.n_iter_)), "their steps": int(np.sum(theirs.n_iter_))}
    return partial(ours.fit, X, y), fit, counts | {"kernel values": CountingRBF.computed / n**2}


def intel():
    """oneDAL behind the names of scikit-learn."""
    from sklearnex import svm

    return svm


def linear(loss, C, data, peer, n):
    """A linear machine, to within .2 per cent of the certified optimum."""
    X, y = data(n)
    ours = LinearSVC(loss=loss, C=C, tol=TOL, max_iter=10**5, random_state=0).fit(X, y)
    make = {
        "liblinear-official": partial(peers.liblinear, loss=loss, C=C, tol=TOL),
        "liblinear-official, primal": partial(peers.liblinear, loss=loss, C=C, tol=TOL, primal=True),
        "snapml": partial(peers.snapml, C=C),
        "cyanure": partial(peers.cyanure, C=C),
        "scikit-learn": lambda X, y: partial(
            svm.LinearSVC(loss=loss, C=C, tol=TOL, max_iter=10**6, dual=True, random_state=0).fit, X, y
        ),
    }
    fit = make[peer](X, y)
    near_optimum((ours, fit()), X, y, loss, C)
    return partial(ours.fit, X, y), fit


def walk(n, d, density):
    """Ten epochs of Pegasos on sparse rows, and scikit-learn's gradient steps of the same sizes."""
    X, y = text(n, d, density)
    ours, theirs = SUBGRADIENT["Pegasos"], linear_model.SGDClassifier(random_state=0, **STEPS)
    ours.fit(X, y), theirs.fit(X, y)
    return partial(ours.fit, X, y), partial(theirs.fit, X, y)


def growers(peer, X, y):
    """A function that grows a forest, and one that makes the share of the second class from it."""
    d = X.shape[1]
    if peer in ("mllib", "scikit-learn"):
        make = RandomForestClassifier if peer == "mllib" else ensemble.RandomForestClassifier
        model = make(TREES, random_state=0)
        return partial(model.fit, X, y), lambda forest, Z: forest.predict_proba(Z)[:, 1]
    import ydf

    ydf.verbose(0)
    learner = ydf.RandomForestLearner(
        label="y",
        num_trees=TREES,
        min_examples=1,
        max_depth=-1,
        winner_take_all=False,
        compute_oob_performances=False,
        num_threads=1,
    )

    def columns(X):
        return {f"x{j}": np.ascontiguousarray(X[:, j]) for j in range(d)}

    laid_out = columns(X) | {"y": y}

    def predict(forest, Z):
        return forest.predict(columns(Z), num_threads=1)

    return partial(learner.train, laid_out), predict


def forest(what, data, peer, n):
    """Fifty trees; ``what`` is timed, growing them or asking them."""
    X, y, Z, z = problem(data, n)
    y, z = (1 * (part == part.max()) for part in (y, z))
    mine, theirs = growers("mllib", X, y), growers(peer, X, y)
    grown = mine[0](), theirs[0]()
    shares = [ask(model, Z) for (_, ask), model in zip((mine, theirs), grown, strict=True)]
    equally_good(*(1.0 * ((share > 0.5) != z) for share in shares))
    if what == "grow":
        return mine[0], theirs[0]
    return partial(mine[1], grown[0], Z), partial(theirs[1], grown[1], Z)


def against(series, rivals, start, *sizes):
    """The same work beside each rival."""
    return [Race(series, n, partial(start, peer), "best", peer=peer) for n in sizes for peer in rivals]


MACHINES = ("scikit-learn", "libsvm-official", "scikit-learn-intelex")
HINGE = ("scikit-learn", "liblinear-official", "snapml")
SQUARED = ("scikit-learn", "liblinear-official, primal", "cyanure")
FORESTS = ("scikit-learn", "ydf")
WIDE = partial(dense, d=50)
WORDS = partial(text, d=8000, density=0.002)

RACES = [
    *(
        race
        for C in (1.0, 10.0, 100.0)
        for race in against(
            f"SVC, rbf, d = 2, C = {C:g}", MACHINES[:2], partial(machine, "SVC", 2, C), 400, 2000, 5000
        )
    ),
    *against("SVC, rbf, d = 20, C = 10", MACHINES, partial(machine, "SVC", 20, 10.0), 400, 2000, 5000),
    *against("SVC, rbf, d = 100, C = 10", MACHINES, partial(machine, "SVC", 100, 10.0), 2000, 5000),
    *against("SVR, rbf, d = 20, C = 1", MACHINES, partial(machine, "SVR", 20, 1.0), 1000, 3000, 10_000),
    *(
        race
        for C in (0.001, 0.1)
        for race in against(
            f"LinearSVC, hinge, d = 50, C = {C:g}", HINGE, partial(linear, "hinge", C, WIDE), 100_000
        )
    ),
    *against(
        "LinearSVC, squared hinge, d = 50, C = 0.1",
        SQUARED,
        partial(linear, "squared_hinge", 0.1, WIDE),
        100_000,
    ),
    *(
        race
        for C in (0.1, 1.0)
        for loss, rivals in (("hinge", HINGE[:2]), ("squared_hinge", SQUARED))
        for race in against(
            f"LinearSVC, {loss.replace('_', ' ')}, words, C = {C:g}",
            rivals,
            partial(linear, loss, C, WORDS),
            5000,
        )
    ),
    Race("Pegasos, words", 5000, partial(walk, d=8000, density=0.002), "best"),
    *against("50 trees of a forest grow, twonorm", FORESTS, partial(forest, "grow", "twonorm"), 10_000),
    *against("50 trees of a forest predict, twonorm", FORESTS, partial(forest, "predict", "twonorm"), 10_000),
]
