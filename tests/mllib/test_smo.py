"""The solver alone: certificates, ways to choose the pair, film, warm start, limits, blocks, leaps."""

import tracemalloc
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from sklearn import datasets
from sklearn.exceptions import ConvergenceWarning

from mllib import SVC, SVR, smo
from mllib.kernels import RBF, Linear, Polynomial, Tanh
from mllib.kernels._cache import RowCache
from mllib.kernels.gram import LazyGram
from mllib.smo._leap import leap
from tests.mllib.compiler import with_and_without

WORKING_SETS = ["second-order", "first-order", "platt"]


def classification(n=150, C=1.0, kernel=None, seed=0, **options):
    """K, target, lower, upper of a soft-margin classifier."""
    X, y = datasets.make_classification(n, 4, flip_y=0.2, random_state=seed, **options)
    y = 2.0 * y - 1
    return (kernel or RBF(0.3))(X), y, np.minimum(0, C * y), np.maximum(0, C * y)


def check(result, K, target, lower, upper, tol):
    """The certificate, computed anew from the variables alone."""
    beta, scale = result.beta, np.abs(result.beta).sum()
    assert abs(beta.sum()) <= 1e-12 * scale and np.all(beta >= lower) and np.all(beta <= upper)
    output = K @ beta
    np.testing.assert_allclose(result.output, output, rtol=1e-9, atol=1e-9 * (1 + np.abs(output).max()))
    pull = target - output
    m = pull[beta < upper].max(initial=-np.inf)
    M = pull[beta > lower].min(initial=np.inf)
    assert m - M <= tol and result.violation == pytest.approx(m - M, abs=1e-9 * (1 + np.abs(pull).max()))
    dual = target @ beta - 0.5 * beta @ output
    excess = pull - result.bias
    primal = (
        0.5 * beta @ output
        + np.maximum(np.where(excess > 0, upper, 0) * excess, np.where(excess < 0, lower, 0) * excess).sum()
    )
    size = 1e-9 * (abs(primal) + abs(dual) + 1)
    assert result.dual == pytest.approx(dual, abs=size) and result.primal == pytest.approx(primal, abs=size)
    assert result.gap == result.primal - result.dual >= -size
    assert result.converged


@given(
    st.integers(2, 12),
    st.integers(1, 6),
    st.floats(0.1, 10),
    st.sampled_from(WORKING_SETS),
    st.integers(0, 10**6),
)
def test_any_problem_is_solved_with_a_certificate(n, rank, limit, working_set, seed):
    """Any matrix, targets and limits; some variables cannot move at all."""
    rng = np.random.RandomState(seed)
    F = rng.randn(n, rank)
    target, lower, upper = 3 * rng.randn(n), -limit * rng.rand(n), limit * rng.rand(n)
    lower[rng.rand(n) < 0.3] = 0
    upper[rng.rand(n) < 0.3] = 0
    result = smo.solve(F @ F.T, target, lower, upper, tol=1e-6, working_set=working_set)
    check(result, F @ F.T, target, lower, upper, 1e-6)
    assert result.gap <= 1e-6 * (upper - lower).sum()
    other = minimize(
        lambda b: 0.5 * np.sum((F.T @ b) ** 2) - target @ b,
        np.zeros(n),
        jac=lambda b: F @ (F.T @ b) - target,
        bounds=list(zip(lower, upper, strict=True)),
        constraints={"type": "eq", "fun": np.sum, "jac": lambda b: np.ones(n)},
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 500},
    )
    assert -other.fun <= result.primal + 1e-6 and (not other.success or -other.fun >= result.dual - 1e-5)


@pytest.mark.parametrize("C", [0.1, 10.0, 100.0])
def test_every_working_set_reaches_the_same_optimum(C):
    problem = classification(60, C=C)
    results = [smo.solve(*problem, tol=1e-6, working_set=w, every=0) for w in WORKING_SETS]
    for result in results:
        check(result, *problem, 1e-6)
        assert result.dual == pytest.approx(results[0].dual, rel=1e-8)


def two_flowers(first, second):
    """Two species of iris by their petals, standardised: some flowers are equal."""
    data = datasets.load_iris()
    chosen = np.isin(data.target, (first, second))
    X = data.data[chosen, 2:]
    return (X - X.mean(axis=0)) / X.std(axis=0), np.where(data.target[chosen] == first, 1.0, -1.0)


def whole_numbers(seed):
    """Points on a small grid, many of them equal, with labels that contradict each other."""
    rng = np.random.RandomState(seed)
    return rng.randint(-2, 3, (40, 2)).astype(float), rng.permutation(np.repeat([1.0, -1.0], 20))


SWEEP = [two_flowers(0, 1), two_flowers(1, 2), *(whole_numbers(seed) for seed in range(4))]


@pytest.mark.parametrize("working_set", WORKING_SETS)
@pytest.mark.parametrize("C", [0.01, 0.1, 0.3, 1.0, 3.0])
def test_no_way_to_choose_the_pair_stops_too_early(C, working_set):
    """Where sums of C are not exact, variables end within rounding of a limit and must still get there."""
    for X, y in SWEEP:
        for kernel in (Linear(), RBF(0.5)):
            problem = kernel(X), y, np.minimum(0, C * y), np.maximum(0, C * y)
            result = smo.solve(*problem, tol=1e-4, working_set=working_set, every=1000)
            check(result, *problem, 1e-4)
            best = smo.solve(*problem, tol=1e-10, every=1000)
            assert result.dual <= best.primal + 1e-9 and result.dual >= best.dual - 1e-4 * len(y) * C


def test_second_order_takes_the_fewest_steps():
    steps = np.array(
        [
            [
                smo.solve(*classification(seed=seed, C=10.0), working_set=w, every=1).n_iter
                for w in WORKING_SETS
            ]
            for seed in range(5)
        ]
    )
    assert np.all(steps[:, 0] < steps[:, 1]) and steps[:, 0].sum() < 0.5 * steps[:, 1].sum()


# The film


@pytest.mark.parametrize("working_set", WORKING_SETS)
def test_the_history_is_a_film_of_the_run(working_set):
    K, target, lower, upper = problem = classification(60, C=2.0)
    result = smo.solve(*problem, tol=1e-3, working_set=working_set, every=1)
    film = result.history
    assert film.names == ["step", "i", "j", "violation", "dual", "primal", "beta"]
    assert film.step.tolist() == list(range(result.n_iter + 1)) and film.i[0] == film.j[0] == -1
    np.testing.assert_array_equal(film.beta[0], 0)
    np.testing.assert_array_equal(film.beta[-1], result.beta)
    assert np.all(np.abs(film.beta.sum(axis=1)) < 1e-12)
    assert np.all(film.beta >= lower) and np.all(film.beta <= upper)
    moves = np.diff(film.beta, axis=0)
    for t, move in enumerate(moves, start=1):  # two variables move, oppositely
        assert set(np.flatnonzero(move)) == {film.i[t], film.j[t]}
        assert move[film.i[t]] > 0 and move[film.j[t]] == pytest.approx(-move[film.i[t]], rel=1e-9)
    duals = film.beta @ target - 0.5 * np.einsum("ti,ij,tj->t", film.beta, K, film.beta)
    np.testing.assert_allclose(film.dual, duals, rtol=1e-9, atol=1e-12)
    assert np.all(np.diff(film.dual) > 0)  # every step goes up
    assert np.all(film.primal >= film.dual[-1] - 1e-9) and film.violation[-1] <= 1e-3
    assert np.all(film.violation[:-1] > 1e-3) or working_set == "platt"


def test_history_of_every_tenth_step_and_of_none():
    problem = classification(60, C=2.0)
    one, ten = smo.solve(*problem, every=1), smo.solve(*problem, every=10)
    assert ten.history.step.tolist()[:-1] == list(range(0, ten.n_iter, 10))
    np.testing.assert_array_equal(ten.history.beta[3], one.history.beta[30])
    assert len(smo.solve(*problem, every=0).history) == 1
    plain = smo.solve(*problem)
    assert "beta" not in plain.history.names and plain.history.dual[-1] == plain.dual


# Start and end


def test_warm_start():
    K, target, lower, upper = classification(200, C=1.0)
    first = smo.solve(K, target, lower, upper, tol=1e-6)
    again = smo.solve(K, target, lower, upper, tol=1e-6, start=first.beta)
    assert again.n_iter == 0 and again.dual == pytest.approx(first.dual, rel=1e-12)
    nearby = dict(lower=1.1 * lower, upper=1.1 * upper, tol=1e-6)
    cold, warm = smo.solve(K, target, **nearby), smo.solve(K, target, **nearby, start=1.1 * first.beta)
    check(warm, K, target, nearby["lower"], nearby["upper"], 1e-6)
    assert warm.dual == pytest.approx(cold.dual, rel=1e-9) and warm.n_iter < cold.n_iter
    for start in (first.beta[:-1], first.beta + 0.01, 2 * first.beta, np.where(target > 0, 0.1, 0.0)):
        with pytest.raises(ValueError, match="start must"):
            smo.solve(K, target, lower, upper, start=start)


@pytest.mark.parametrize("working_set", WORKING_SETS)
@pytest.mark.parametrize("max_iter", [0, 1, 25])
def test_a_limit_of_steps_is_kept_and_reported(working_set, max_iter):
    problem = classification(C=10.0)
    with pytest.warns(ConvergenceWarning, match=rf"after {max_iter} steps .*duality gap \d"):
        stopped = smo.solve(*problem, max_iter=max_iter, working_set=working_set)
    assert stopped.n_iter == max_iter and not stopped.converged
    best = smo.solve(*problem, tol=1e-9)
    assert stopped.dual <= best.dual <= stopped.primal and f"{stopped.gap:.3g}" != "0"
    assert abs(stopped.beta.sum()) < 1e-12


def test_the_warning_of_a_machine_tells_the_gap():
    X, y = datasets.make_classification(200, 4, flip_y=0.2, random_state=0)
    for machine in (SVC(max_iter=20), SVR(max_iter=20)):
        with pytest.warns(ConvergenceWarning) as caught:
            machine.fit(X, y)
        gap = np.ravel(machine.duality_gap_)[0]
        assert len(caught) == 1 and f"duality gap {gap:.3g}" in str(caught[0].message)
        assert machine.fit_status_ == 1 and np.max(machine.n_iter_) == 20
        assert caught[0].filename.endswith(".py")


def test_a_limit_holds_for_blocks_too():
    X, y = datasets.make_classification(2500, 4, flip_y=0.2, random_state=0)
    with pytest.warns(ConvergenceWarning, match="duality gap"):
        machine = SVC(max_iter=300, cache_size=5).fit(X, y)
    assert machine.n_iter_[0] == 300


# Problems without curvature, or with the wrong one


def test_an_indefinite_matrix_ends_at_a_stationary_point():
    X, y = datasets.make_moons(150, noise=0.3, random_state=0)
    K, y = Tanh(gamma=2.0, coef0=-1.0)(X), 2.0 * y - 1
    assert np.linalg.eigvalsh(K)[0] < -1
    for C in (0.1, 1.0, 100.0):
        result = smo.solve(K, y, np.minimum(0, C * y), np.maximum(0, C * y), tol=1e-4)
        assert result.converged and result.violation <= 1e-4
        assert result.dual > 0 and np.isfinite(result.beta).all()


def test_no_curvature_at_all():
    """All points equal: the parabola is a line, and the step goes as far as the limits."""
    y = np.array([1.0, -1.0, 1.0, -1.0, 1.0])
    for working_set in WORKING_SETS:
        result = smo.solve(
            np.ones((5, 5)), y, np.minimum(0, 7 * y), np.maximum(0, 7 * y), working_set=working_set
        )
        assert result.dual == 28 and sorted(np.abs(result.beta).tolist())[1:] == [7.0] * 4
        assert result.converged


def test_nothing_to_do():
    """One label only, or limits of zero: 0 is the solution."""
    for lower, upper in (([0, 0], [1, 1]), ([0, 0], [0, 0]), ([-1, -1], [0, 0])):
        result = smo.solve(
            np.eye(2), [1.0, 1.0], np.array(lower, float), np.array(upper, float), working_set="first-order"
        )
        assert result.beta.tolist() == [0, 0] and result.converged and result.gap >= 0


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (dict(lower=np.array([0.5, 0.0])), "lower <= 0 <= upper"),
        (dict(upper=np.array([-0.5, 1.0])), "lower <= 0 <= upper"),
        (dict(upper=np.array([np.nan, 1.0])), "lower <= 0 <= upper"),
        (dict(working_set="third-order"), "working_set must be"),
        (dict(gram=np.eye(3)), "3 rows and there are 2 targets"),
        (dict(gram=np.ones((2, 3))), "a Gram matrix is square"),
        (dict(gram=np.array([[1.0, np.nan], [np.nan, 1.0]])), "The kernel gave NaN"),
        (dict(target=[np.nan, -1.0]), "target must hold finite numbers"),
        (dict(every=-1), "every must be an int"),
        (dict(every=1.5), "every must be an int"),
        (dict(tol=np.nan), "tol must be a number"),
        (dict(tol=-1), "tol must be a number"),
        (dict(max_iter=-5), "max_iter must be an int"),
        (dict(cache_size=0), "cache_size must be a number"),
    ],
)
def test_bad_problems(change, says):
    problem = dict(gram=np.eye(2), target=[1.0, -1.0], lower=np.array([-1.0, -1.0]), upper=np.ones(2))
    with pytest.raises(ValueError, match=says):
        smo.solve(**(problem | change))


# Many variables


def test_blocks_agree_with_one_piece():
    X, y = datasets.make_classification(2600, 6, n_informative=4, flip_y=0.1, random_state=0)
    y = 2.0 * y - 1
    for C, kernel in ((1.0, RBF(0.2)), (20.0, RBF(1.0)), (1.0, Linear())):
        limits = np.minimum(0, C * y), np.maximum(0, C * y)
        blocks = smo.solve(LazyGram(kernel, X), y, *limits, tol=1e-5, cache_size=8)
        K = kernel(X)
        whole = smo.solve(K, y, *limits, tol=1e-5, every=10**9)
        for result in (blocks, whole):
            check(result, K, y, *limits, 1e-5)
        assert blocks.dual == pytest.approx(whole.dual, rel=1e-7)


def test_memory_is_bounded_by_the_cache():
    X, y = datasets.make_classification(4000, 10, flip_y=0.1, random_state=0)
    SVC(cache_size=5).fit(X, y)  # (compiling takes memory, too)
    for megabytes in (5, 20):
        tracemalloc.start()
        SVC(cache_size=megabytes).fit(X, y)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak <= 1e6 * megabytes + 6e6  # the whole matrix would be 128 MB


def test_a_small_cache_forgets_and_computes_again():
    X = np.random.RandomState(0).randn(50, 3)
    K, gram = Linear()(X), LazyGram(Linear(), X)
    cache = RowCache(gram, n_bytes=8 * 50 * 7)
    rng = np.random.RandomState(1)
    for _ in range(200):
        points = rng.permutation(50)[: rng.randint(1, 20)]
        weights = rng.randn(len(points))
        np.testing.assert_allclose(cache.combine(points, weights), weights @ K[points], atol=1e-12)
        assert cache.rows.shape == (7, 50) and len(set(cache.row[: cache.filled])) == cache.filled


def test_rows_kept_in_float32_say_how_wrong_a_sum_may_be():
    X = np.random.RandomState(0).randn(60, 3)
    K, gram = RBF(0.3)(X), LazyGram(RBF(0.3), X)
    cache = RowCache(gram, n_bytes=4 * 60 * 40, dtype=np.float32)
    rng = np.random.RandomState(1)
    total, exact, worst = np.zeros(60), np.zeros(60), 0.0
    for _ in range(200):
        points = rng.permutation(60)[: rng.randint(1, 30)]
        weights = rng.randn(len(points))
        total += cache.combine(points, weights)
        exact += weights @ K[points]
        wrong = np.abs(total - exact).max()
        assert wrong <= cache.error() + 1e-12
        worst = max(worst, wrong)
    assert len(cache.rows) == 40
    assert worst > 1e-8  # float32 was at work
    assert cache.error() < 1e-3  # and the bound says something
    np.testing.assert_allclose(cache.compute(points, weights), weights @ K[points], atol=1e-12)


def test_rows_that_are_not_to_be_kept_are_not():
    gram = LazyGram(Linear(), np.random.RandomState(0).randn(9, 2))
    cache = RowCache(gram, n_bytes=8 * 9 * 9)
    points = np.array([1, 4, 6])
    cache.combine(points, np.ones(3), keep=np.array([True, False, True]))
    assert np.flatnonzero(cache.place >= 0).tolist() == [1, 6] and cache.filled == 2


@pytest.mark.parametrize("tol", [1e-3, 1e-7])
@pytest.mark.parametrize(
    ("kernel", "C"), [(RBF(0.2), 100.0), (Polynomial(3, 0.2, 1.0), 1.0), (Linear(), 1.0)], ids=repr
)
def test_no_pair_violates_by_more_than_tol_though_rows_are_rounded(kernel, C, tol):
    X, y = datasets.make_classification(2300, 6, n_informative=4, flip_y=0.1, random_state=1)
    y = 2.0 * y - 1
    lower, upper = np.minimum(0, C * y), np.maximum(0, C * y)
    result = smo.solve(LazyGram(kernel, X), y, lower, upper, tol=tol)
    pull = y - kernel(X) @ result.beta
    m, M = pull[result.beta < upper].max(), pull[result.beta > lower].min()
    assert m - M <= tol + 1e-9
    assert result.gap >= 0


def test_entries_too_large_for_float32():
    X, y = datasets.make_classification(2100, 4, random_state=0)
    y = 2.0 * y - 1
    limits = np.minimum(0, 1e-36 * y), np.maximum(0, 1e-36 * y)
    result = smo.solve(LazyGram(Linear(), 1e20 * X), y, *limits)
    assert np.isfinite(result.output).all() and np.isfinite(result.gap)


# Leaps


@given(st.integers(2, 30), st.integers(1, 30), st.floats(0.01, 100), st.integers(0, 10**6))
def test_a_leap_goes_up_and_stays_feasible(n, rank, limit, seed):
    rng = np.random.RandomState(seed)
    F = rng.randn(n, rank)
    K, target = F @ F.T, rng.randn(n)
    lower, upper = np.full(n, -limit), np.full(n, limit)
    beta = limit * 0.2 * rng.uniform(-1, 1, size=n)
    beta -= beta.mean()
    pull = target - K @ beta
    before = target @ beta - 0.5 * beta @ K @ beta
    leaps = leap(K, lower, upper, beta, pull, budget=1e9)
    after = target @ beta - 0.5 * beta @ K @ beta
    assert leaps >= 1 and after >= before - 1e-9 * (1 + abs(before))
    assert abs(beta.sum()) <= 1e-9 * max(1, np.abs(beta).sum())
    assert np.all(beta >= lower) and np.all(beta <= upper)
    np.testing.assert_allclose(pull, target - K @ beta, atol=1e-7 * (1 + np.abs(K).max() * limit * n))
    free = (beta > lower) & (beta < upper)
    if rank >= n and free.sum() > 1:  # at the top the pulls on all free variables are equal
        assert np.ptp(pull[free]) <= 1e-4 * (1 + np.abs(pull).max())


def test_a_leap_does_not_trust_an_indefinite_matrix():
    beta, pull = np.array([1.0, -1.0, 0.0]), np.array([1.0, 0.0, 0.5])
    K = np.array([[1.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    assert leap(K, np.full(3, -9.0), np.full(3, 9.0), beta, pull, budget=1e9) == 0
    assert beta.tolist() == [1.0, -1.0, 0.0] and pull.tolist() == [1.0, 0.0, 0.5]


def test_leaps_make_a_large_C_cheap():
    """Steps alone take nine million for this problem."""
    K, y, lower, upper = classification(150, C=1e4, kernel=Linear(), seed=0, n_redundant=0)
    result = smo.solve(K, y, lower, upper, tol=1e-6)
    check(result, K, y, lower, upper, 1e-6)
    assert result.n_iter < 100_000 and result.gap <= 1e-8 * result.dual


# Without the compiler

RUN = """
import warnings
import numpy as np
from sklearn.datasets import make_moons
from mllib import SVC, SVR, HardMarginSVC, KernelRidge, smo, svm_path
from mllib.kernels import RBF
warnings.simplefilter("error")
X, y = make_moons(40, noise=0.3, random_state=0)
three = np.arange(40) % 3
for machine, target in (
    (SVC(), y), (SVC(kernel="linear", C=5.0, tol=1e-6), y), (SVC(kernel="poly"), three),
    (SVR(C=3.0), X[:, 0]), (HardMarginSVC(kernel=RBF(20.0)), y), (KernelRidge(kernel="rbf"), X[:, 1]),
):
    machine.fit(X, target)
    f = getattr(machine, "decision_function", machine.predict)(X)
    print(type(machine).__name__, getattr(machine, "n_iter_", 0), f.round(7).tolist())
path = svm_path(X, y, kernel=RBF(1.0), C_max=50.0)
print(len(path), path.at(3.0).alpha.round(7).tolist())
for w in ("second-order", "first-order", "platt"):
    K, s = RBF(1.0)(X), 2.0 * y - 1
    film = smo.solve(K, s, np.minimum(0, s), np.maximum(0, s), working_set=w, every=1).history
    print(film.i.tolist(), film.j.tolist())
"""


def test_the_compiler_changes_nothing():
    said = with_and_without(RUN)
    assert said[0] == said[1] and "KernelRidge" in said[0]


def test_a_progress_bar_only_if_asked(capfd):
    X, y = datasets.make_classification(2500, 4, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        SVC(cache_size=5).fit(X, y)
        assert capfd.readouterr().err == ""
        SVC(cache_size=5, verbose=True).fit(X, y)
    assert "SMO" in capfd.readouterr().err


def true_violation(K, target, lower, upper, beta):
    pull = target - K @ beta
    return pull[beta < upper].max() - pull[beta > lower].min()


def test_unscaled_data_are_solved_and_not_only_rounded():
    """Moves are so large that the rounding of rows kept in float32 exceeds the violation again and again."""
    X, y = datasets.make_classification(2600, 6, n_informative=4, flip_y=0.02, random_state=1)
    X, y = 100 * X, 2.0 * y - 1
    lower, upper = np.minimum(0, y), np.maximum(0, y)
    result = smo.solve(LazyGram(Linear(), X), y, lower, upper)
    assert result.converged and result.n_iter < 3_000_000
    assert true_violation(X @ X.T, y, lower, upper, result.beta) <= 1e-3 + 1e-9


@pytest.mark.parametrize("max_iter", [2_000, -1])
def test_the_certificate_of_a_large_problem_is_exact(max_iter):
    X, y = datasets.make_classification(2500, 6, n_informative=4, flip_y=0.02, random_state=6)
    y = 2.0 * y - 1
    lower, upper = np.minimum(0, 10 * y), np.maximum(0, 10 * y)
    K = RBF(0.2)(X)
    result = smo.solve(LazyGram(RBF(0.2), X), y, lower, upper, max_iter=max_iter, warn=False)
    assert result.violation == pytest.approx(true_violation(K, y, lower, upper, result.beta), abs=1e-9)
    dual = result.beta @ y - 0.5 * result.beta @ K @ result.beta
    assert result.dual == pytest.approx(dual, rel=1e-12)
    excess = y - K @ result.beta - result.bias
    primal = 0.5 * result.beta @ K @ result.beta + np.where(excess > 0, upper, lower) @ excess
    assert result.gap == pytest.approx(primal - dual, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("cache_size", [1e-9, 0.01, 0.1, 0.3, 0.8, 1.1])
def test_a_cache_of_any_size_will_do(cache_size):
    X, y = datasets.make_classification(1200, 5, flip_y=0.1, random_state=0)
    machine, roomy = (SVC(cache_size=size).fit(X, y) for size in (cache_size, 200))
    assert machine.fit_status_ == 0
    np.testing.assert_allclose(machine.dual_objective_, roomy.dual_objective_, rtol=1e-5)


def test_entries_too_small_for_float32():
    X, y = datasets.make_classification(2100, 4, random_state=0)
    y, scale = 2.0 * y - 1, 1e-30
    limits = np.minimum(0, y / scale**2), np.maximum(0, y / scale**2)
    result = smo.solve(LazyGram(Linear(), scale * X), y, *limits, max_iter=20_000, warn=False)
    assert result.violation == pytest.approx(
        true_violation(scale**2 * X @ X.T, y, *limits, result.beta), abs=1e-6
    )


@pytest.mark.parametrize("n", [200, 2100])
def test_a_kernel_that_gives_nan_is_refused_at_once(n):
    X, y = datasets.make_classification(n, 4, random_state=0)
    with pytest.raises(ValueError, match="NaN or infinite"), np.errstate(all="ignore"):
        SVC().fit(1e160 * X, y)
