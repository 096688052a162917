r"""Bootstrap replicates: draw them, learn from each, in parallel if there is room.

A **replicate** of a training set D with n examples is a list of m of its rows, drawn with replacement. A
given row is missed by one draw with probability :math:`1 - 1/n`, so it is in the replicate with probability

.. math:: 1 - (1 - 1/n)^m \;\to\; 1 - 1/e = .632 \qquad (m = n \to \infty);

the other 36.8 % are *left out*, and can tell how good the hypothesis is that never saw them.

A replicate is the same thing as weights: row i counts as often as it was drawn. A learner that takes
``sample_weight`` is given the rows that were drawn, once each, with their counts; any other learner is given
the rows with repetitions.

**Members in parallel.** Every member draws its replicate from an integer seed of its own, and results are
added in the order of the members; so the answer does not depend on how many workers there are, nor on
whether they are threads, processes or the machines of a Dask cluster (``joblib.parallel_config("dask")``).

References
----------
.. [1] Efron, B. (1979). "Bootstrap methods: another look at the jackknife". Annals of Statistics 7(1), 1-26.
.. [2] Breiman, L. (1996). "Bagging predictors". Machine Learning 24(2), 123-140.
"""

from numbers import Integral
from typing import NamedTuple

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import clone, is_classifier
from sklearn.dummy import DummyClassifier
from sklearn.utils import check_random_state
from sklearn.utils.random import sample_without_replacement
from sklearn.utils.validation import has_fit_parameter

from ..learner import progress
from ..tree import DecisionTreeClassifier, DecisionTreeRegressor
from ..validation import moderate, seed_members


class Draw(NamedTuple):
    """How replicates are drawn: everything but the seed."""

    n_rows: int
    n_drawn: int
    replace: bool = True
    chances: np.ndarray | None = None  # of the rows; None: all equal
    n_features: int = 1
    n_features_drawn: int = 1
    replace_features: bool = False

    @property
    def all_features(self):
        return self.n_features_drawn == self.n_features and not self.replace_features


def replicate_size(n_samples, max_samples, sample_weight=None):
    """The number m of rows to draw.

    Parameters
    ----------
    n_samples : int
    max_samples : None, int or float
        None: as many as there are rows. An int: itself. A float: that share of the rows, or of the total
        weight, but at least one. (Weights on a large scale ask for more rows than anyone can want: more than
        100 for each example are refused.)
    sample_weight : ndarray or None

    Returns
    -------
    m : int

    Examples
    --------
    >>> replicate_size(100, None), replicate_size(100, 30), replicate_size(100, 0.3)
    (100, 30, 30)
    """
    if max_samples is None:
        return n_samples
    if isinstance(max_samples, Integral):
        return int(max_samples)
    if sample_weight is None:
        return max(int(max_samples * n_samples), 1)
    with np.errstate(over="ignore"):
        total = sample_weight.sum()
    if max_samples * total > 100 * n_samples:
        raise ValueError(
            f"max_samples={max_samples!r} is a share of the total weight, here {total:.3g} for {n_samples} "
            "examples: too many rows to draw. Divide the weights by their mean, or give an int."
        )
    return max(int(max_samples * total), 1)


def chances_of(weights):
    """Chances in proportion to the weights, in whatever unit these are; None if there are none.

    Examples
    --------
    >>> chances_of(np.array([1e308, 1e308, 0.0]))
    array([0.5, 0.5, 0. ])
    """
    if weights is None:
        return None
    weights = moderate(weights)
    return weights / weights.sum()


def draw_replicate(seed, draw):
    """The features and the rows of the member with this seed (the same draws as scikit-learn's bagging).

    Parameters
    ----------
    seed : int
    draw : Draw

    Returns
    -------
    features, rows : ndarray of int

    Examples
    --------
    >>> features, rows = draw_replicate(0, Draw(n_rows=5, n_drawn=5))
    >>> rows
    array([4, 0, 3, 3, 3])
    """
    rng = check_random_state(seed)
    features = some_of(rng, draw.n_features, draw.n_features_drawn, draw.replace_features)
    return features, some_of(rng, draw.n_rows, draw.n_drawn, draw.replace, draw.chances)


def some_of(rng, population, size, replace, chances=None):
    """Draw from 0, ..., population - 1, with these chances (None: all alike), as scikit-learn does."""
    if chances is not None:
        return rng.choice(population, size, replace=replace, p=chances)
    if replace:
        return rng.randint(0, population, size)
    return sample_without_replacement(population, size, random_state=rng)


def left_out(rows, n_samples):
    """True for the rows that are not in the replicate.

    Examples
    --------
    >>> left_out([4, 0, 3, 3, 3], 5)
    array([False,  True,  True, False, False])
    """
    mask = np.ones(n_samples, dtype=bool)
    mask[rows] = False
    return mask


def fit_member(template, X, y, seed, draw, columns=None):
    """A copy of ``template``, with seeds of its own, that has learned from the replicate of ``seed``.

    Parameters
    ----------
    template : estimator
    X, y : ndarray (or sparse matrix) and ndarray
        For a classifier, y holds the numbers 0..K-1 of the classes.
    seed : int
    draw : Draw
    columns : RankedColumns or None
        X prepared once for all members, if the template is a tree of this package (see :func:`from_each`).

    Returns
    -------
    member : fitted estimator
    features : ndarray of int
    """
    member = seed_members(clone(template), seed)
    features, rows = draw_replicate(seed, draw)
    if columns is not None:
        counts = np.bincount(rows, minlength=draw.n_rows).astype(np.float64)
        classes = (np.arange(y.max() + 1),) if is_classifier(template) else ()
        return member._fit_prepared(columns, y, *classes, counts), features
    if has_fit_parameter(template, "sample_weight"):
        counts = np.bincount(rows, minlength=draw.n_rows)
        rows = np.flatnonzero(counts)
        weights = {"sample_weight": counts[rows].astype(np.float64)}
    else:
        weights = {}
    X_drawn = X[rows]
    if not draw.all_features:
        X_drawn = X_drawn[:, features]
    return _learn(member, X_drawn, y[rows], weights), features


def _learn(member, X, y, weights):
    """Fit. Where a replicate has drawn one class only, a learner that refuses it always says that class."""
    try:
        return member.fit(X, y, **weights)
    except ValueError:
        if is_classifier(member) and (y == y[0]).all():
            return DummyClassifier(strategy="most_frequent").fit(X, y)
        raise


def from_each(function, template, X, y, draw, seeds, *extra, **options):
    """``function(template, X, y, seed, draw, columns, *extra)`` for each seed, by many workers.

    Our trees share the ranked columns of X; for other learners these are None.
    """
    columns = None
    if draw.all_features and isinstance(template, (DecisionTreeClassifier, DecisionTreeRegressor)):
        template._check_parameters()
        columns = template._prepare(X)
    tasks = [(template, X, y, seed, draw, columns, *extra) for seed in seeds]
    return run_parallel(function, tasks, threads=is_ours(template), **options)


def new_seeds(random_state, n):
    """n integer seeds from a generator."""
    return check_random_state(random_state).randint(np.iinfo(np.int32).max, size=n)


def is_ours(learner):
    """Whether a learner is of this package: those are compiled, and run beside each other in threads."""
    return type(learner).__module__.startswith("mllib.")


def run_parallel(function, tasks, *, n_jobs=None, verbose=0, label="", threads=False, shared_memory=False):
    """``[function(*task) for task in tasks]`` by the workers that joblib gives us, in this order.

    Parameters
    ----------
    function : callable
    tasks : list of tuple
    n_jobs : int or None
        None: one, unless a :class:`joblib.parallel_config` says otherwise.
    verbose : int
        Above 0 a progress bar is shown.
    label : str
        What the bar counts.
    threads : bool
        Prefer threads to processes: for compiled code, which lets the others run meanwhile. A cluster that
        was asked for is still used.
    shared_memory : bool
        Threads of this process and nothing else: for tasks that write into shared arrays.

    Returns
    -------
    results : list

    Examples
    --------
    >>> run_parallel(pow, [(2, 3), (2, 4)])
    [8, 16]
    """
    if len(tasks) == 1:
        return [function(*tasks[0])]
    workers = Parallel(
        n_jobs=n_jobs,
        prefer="threads" if threads else None,
        require="sharedmem" if shared_memory else None,
        return_as="generator",
    )
    results = workers(delayed(function)(*task) for task in tasks)
    return list(progress(results, verbose, label, len(tasks), "it"))
