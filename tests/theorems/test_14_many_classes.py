"""Chapter 14: votes and scores over many classes, decoding chains, and the losses that train them."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog, minimize
from scipy.special import logsumexp

from mllib import LinearSVC, OneVsOneClassifier, OneVsRestClassifier
from mllib.structured import ChainMarkovNetwork, chain_score, loss_augmented, viterbi
from mllib.structured.chain import _FrankWolfe

SEEDS = st.integers(0, 2**31 - 1)
few = settings(max_examples=25)  # for examples that solve a problem each


@st.composite
def chains(draw):
    """Whole-numbered scores of a short chain (ties happen, sums are exact), and a true labelling."""
    L, K = draw(st.integers(1, 5)), draw(st.integers(1, 4))
    numbers = st.integers(-4, 4)
    unary = draw(st.lists(st.lists(numbers, min_size=K, max_size=K), min_size=L, max_size=L))
    transitions = draw(st.lists(st.lists(numbers, min_size=K, max_size=K), min_size=K, max_size=K))
    truth = draw(st.lists(st.integers(0, K - 1), min_size=L, max_size=L))
    return np.array(unary, float), np.array(transitions, float), np.array(truth)


def all_labellings(unary):
    return product(range(unary.shape[1]), repeat=len(unary))


@pytest.mark.theorem("prop-viterbi")
@given(chains())
def test_viterbi_finds_the_maximum(chain):
    unary, transitions, _ = chain
    labels, score = viterbi(unary, transitions)
    assert score == max(chain_score(unary, transitions, y) for y in all_labellings(unary))
    assert chain_score(unary, transitions, labels) == score


@pytest.mark.theorem("prop-viterbi")
@given(chains())
def test_loss_augmented_viterbi_finds_the_maximum(chain):
    unary, transitions, truth = chain
    labels, score = viterbi(loss_augmented(unary, truth), transitions)

    def violation(y):
        return chain_score(unary, transitions, y) + np.sum(np.array(y) != truth)

    assert score == violation(labels) == max(violation(y) for y in all_labellings(unary))


@pytest.mark.theorem("prop-structured-hinge")
@given(chains())
def test_the_structured_hinge_bounds_the_number_of_wrong_places(chain):
    unary, transitions, truth = chain
    predicted, _ = viterbi(unary, transitions)
    _, worst = viterbi(loss_augmented(unary, truth), transitions)
    hinge = worst - chain_score(unary, transitions, truth)
    assert hinge >= np.sum(predicted != truth) >= 0


def small_problem(seed, K, n=30, d=2):
    """Points with whole coordinates and noisy labels; every class occurs."""
    rng = np.random.RandomState(seed)
    y = np.r_[np.arange(K), rng.randint(K, size=n - K)]
    return rng.randint(-3, 4, size=(n, d)).astype(float) + (y[:, None] % 3), y


@pytest.mark.theorem("prop-pairs-bound")
@given(SEEDS, st.integers(3, 5))
def test_votes_are_wrong_only_where_a_duel_is_wrong(seed, K):
    X, y = small_problem(seed, K)
    model = OneVsOneClassifier(LinearSVC(tol=0.1, max_iter=10_000, random_state=0)).fit(X, y)
    duels, votes = model.duels(X), model.votes(X)
    mistakes, lost = 0, np.zeros(len(y), bool)
    for (j, k), score in zip(model.pairs_, duels.T, strict=True):
        own = (y == j) | (y == k)
        wrong = own & ((score > 0) != (y == k))
        mistakes, lost = mistakes + wrong.sum(), lost | wrong
    assert np.all(votes[~lost, y[~lost]] == K - 1)
    assert np.all(votes.sum(axis=1) == K * (K - 1) // 2)
    assert np.all(np.sort(votes[~lost], axis=1)[:, -2] <= K - 2)
    answers = model.predict(X)
    assert np.all(answers[~lost] == y[~lost]) and np.sum(answers != y) <= mistakes
    assert np.all(2 * votes.max(axis=1) >= K - 1)


@pytest.mark.theorem("prop-rest-bound")
@given(st.lists(st.lists(st.integers(-8, 8), min_size=3, max_size=5), min_size=1, max_size=20), SEEDS)
def test_wrong_scores_have_hinges_of_two(rows, seed):
    K = min(map(len, rows))
    scores = np.array([row[:K] for row in rows]) / 4.0
    y = np.random.RandomState(seed).randint(K, size=len(rows))
    signs = np.where(y[:, None] == np.arange(K), 1, -1)
    own = scores[np.arange(len(y)), y]
    wrong = np.any((scores >= own[:, None]) & (signs < 0), axis=1)
    hinges = np.maximum(0, 1 - signs * scores).sum(axis=1)
    assert np.all(hinges[wrong] >= 2)
    assert np.all(np.any(signs * scores <= 0, axis=1)[wrong])


@pytest.mark.theorem("prop-rest-bound")
def test_the_bound_for_scores_holds_on_training_sets():
    for seed in range(5):
        X, y = small_problem(seed, 4, n=60)
        model = OneVsRestClassifier(LinearSVC(tol=0.01, max_iter=100_000, random_state=0)).fit(X, y)
        scores, signs = model.decision_function(X), np.where(y[:, None] == np.arange(4), 1, -1)
        assert np.sum(model.predict(X) != y) <= np.maximum(0, 1 - signs * scores).sum() / 2


@pytest.mark.theorem("prop-pairs-cost")
@given(st.lists(st.integers(1, 1000), min_size=3, max_size=30), st.floats(1, 4))
def test_all_pairs_are_cheaper(sizes, q):
    n, K = sum(sizes), len(sizes)
    cost = sum((a / n + b / n) ** q for a, b in combinations(sizes, 2))  # in units of c n^q
    assert cost <= (K - 1) * (1 + 1e-12)
    assert np.isclose(sum(a + b for a, b in combinations(sizes, 2)), (K - 1) * n)
    equal = K * (K - 1) / 2 * (2 / K) ** q
    assert np.isclose(equal / K, (K - 1) * 2 ** (q - 1) / K**q)


@pytest.mark.theorem("prop-pairs-cost")
def test_members_see_the_examples_that_are_counted():
    X, y = small_problem(0, 5, n=40)
    seen = []

    class Counting(LinearSVC):
        def fit(self, X, y, sample_weight=None):
            seen.append(len(X))
            return super().fit(X, y, sample_weight)

    member = Counting(tol=0.1, max_iter=10_000, random_state=0)
    OneVsOneClassifier(member).fit(X, y)
    assert len(seen) == 10 and sum(seen) == 4 * 40
    seen.clear()
    OneVsRestClassifier(member).fit(X, y)
    assert seen == [40] * 5


@pytest.mark.theorem("prop-two-classes")
@few
@given(SEEDS, st.sampled_from([0.01, 0.1]))
def test_two_classes_are_the_support_vector_machine(seed, C):
    rng = np.random.RandomState(seed)
    X, y = rng.randn(12, 2), np.r_[0, 1, rng.randint(2, size=10)]
    joint = ChainMarkovNetwork(
        C, fit_intercept=False, tol=1e-5, max_iter=20_000, gap_every=100, random_state=0
    ).fit(X, y)
    binary = LinearSVC(
        C=2 * C, loss="hinge", fit_intercept=False, tol=1e-10, max_iter=100_000, random_state=0
    )
    v = binary.fit(X, y).coef_[0]
    near = np.sqrt(2 * max(joint.dual_gap_, 0)) + 1e-8  # rounding may leave -1e-17
    assert np.linalg.norm(joint.coef_ - [-v / 2, v / 2]) <= near
    twice = 0.5 * v @ v + 2 * C * np.maximum(0, 1 - np.where(y == 1, 1, -1) * (X @ v)).sum()
    assert twice / 2 <= joint.objective_ + 1e-9
    assert twice / 2 >= joint.objective_ - joint.dual_gap_ - 1e-9


@pytest.mark.theorem("prop-code-distance")
@given(SEEDS, st.integers(2, 6), st.integers(1, 12), st.data())
def test_a_code_corrects_less_than_half_its_distance(seed, K, B, data):
    rng = np.random.RandomState(seed)
    code = rng.choice([-1, 1], (K, B))
    d = min(np.sum(code[j] != code[k]) for j, k in combinations(range(K), 2))
    assume(d >= 1)
    y, flips = rng.randint(K, size=20), rng.rand(20, B) < data.draw(st.floats(0, 0.6))
    words = np.where(flips, -1, 1) * code[y]
    apart = np.sum(words[:, None] != code, axis=2)
    own, others = apart[np.arange(20), y], np.where(np.eye(K, dtype=bool)[y], B + 1, apart)
    wrong = others.min(axis=1) <= own  # a tie counts, too
    assert np.array_equal(own, flips.sum(axis=1))
    assert not np.any(wrong & (2 * own < d))
    assert d * wrong.sum() <= 2 * flips.sum()


@pytest.mark.theorem("prop-code-distance")
def test_the_bound_is_reached():
    """Half the distance of wrong members can suffice: a word in the middle between two codewords."""
    code = np.array([[1, 1, 1, 1], [1, 1, -1, -1]])
    apart = np.sum(np.array([1, 1, 1, -1]) != code, axis=1)
    assert apart.tolist() == [1, 1]


@pytest.mark.theorem("prop-no-majority")
@few
@given(st.lists(st.integers(1, 20), min_size=3, max_size=6))
def test_without_a_majority_hinges_are_content_with_ties(counts):
    p = np.sort(np.array(counts) / sum(counts))[::-1]
    assume(p[0] < 0.5 and p[0] > p[1])
    K = len(p)
    for share in p:  # one against the rest: piecewise linear, so the corners and beyond tell all
        f = np.array([-3, -1, 0, 1, 3.0])
        loss = share * np.maximum(0, 1 - f) + (1 - share) * np.maximum(0, 1 + f)
        assert f[loss.argmin()] == -1 and np.sum(np.isclose(loss, loss.min())) == 1
    for k in range(1, K):  # one against one: class 0 wins
        f = np.array([-3, -1, 0, 1, 3.0])
        loss = p[0] * np.maximum(0, 1 - f) + p[k] * np.maximum(0, 1 + f)
        assert f[loss.argmin()] == 1
    rows, limits = [], []
    for y, k in product(range(K), repeat=2):
        rows.append(np.eye(2 * K)[k] - np.eye(2 * K)[y] - np.eye(2 * K)[K + y])
        limits.append(-float(k != y))
    cost, bounds = np.r_[np.zeros(K), p], [(-5, 5)] * (2 * K)
    assert np.isclose(linprog(cost, A_ub=rows, b_ub=limits, bounds=bounds).fun, 1)
    for leader in range(K):  # a class that is ahead by 1/4 costs more than 1
        ahead = [np.eye(2 * K)[k] - np.eye(2 * K)[leader] for k in range(K) if k != leader]
        found = linprog(cost, A_ub=rows + ahead, b_ub=limits + [-0.25] * (K - 1), bounds=bounds)
        assert found.fun >= 1 + 0.25 * (1 - 2 * p[leader]) - 1e-9 and found.fun > 1


def forward_backward(u, T):
    alpha, beta = np.array(u), np.zeros_like(u)
    for p in range(1, len(u)):
        alpha[p] = u[p] + logsumexp(alpha[p - 1][:, None] + T, axis=0)
    for p in range(len(u) - 1, 0, -1):
        beta[p - 1] = logsumexp(T + u[p] + beta[p], axis=1)
    log_Z = logsumexp(alpha[-1])
    moves = np.exp(alpha[:-1, :, None] + T + (u + beta)[1:, None, :] - log_Z)
    return log_Z, np.exp(alpha + beta - log_Z), moves


@pytest.mark.theorem("prop-forward-backward")
@given(chains())
def test_forward_and_backward_give_all_marginals(chain):
    u, T, _ = chain
    L, K = u.shape
    everything = np.array(list(all_labellings(u)))
    scores = np.array([chain_score(u, T, y) for y in everything])
    log_Z, places, moves = forward_backward(u, T)
    assert np.isclose(log_Z, logsumexp(scores))
    chance = np.exp(scores - logsumexp(scores))
    for p, k in product(range(L), range(K)):
        assert np.isclose(places[p, k], chance[everything[:, p] == k].sum())
    for p, j, k in product(range(1, L), range(K), range(K)):
        pair = (everything[:, p - 1] == j) & (everything[:, p] == k)
        assert np.isclose(moves[p - 1, j, k], chance[pair].sum())


@pytest.mark.theorem("prop-forward-backward")
@given(SEEDS)
def test_the_gradient_is_seen_minus_expected_and_the_loss_is_convex(seed):
    rng = np.random.RandomState(seed)
    x, truth, W, T = rng.randn(4, 2), rng.randint(3, size=4), rng.randn(2, 3), rng.randn(3, 3)

    def loss(v):
        W, T = v[:6].reshape(2, 3), v[6:].reshape(3, 3)
        return forward_backward(x @ W, T)[0] - chain_score(x @ W, T, truth)

    _, places, moves = forward_backward(x @ W, T)
    seen = np.zeros((3, 3))
    np.add.at(seen, (truth[:-1], truth[1:]), 1)
    gradient = np.r_[(x.T @ (places - np.eye(3)[truth])).ravel(), (moves.sum(axis=0) - seen).ravel()]
    at, way = np.r_[W.ravel(), T.ravel()], rng.randn(15)
    h = 1e-5
    slope = (loss(at + h * way) - loss(at - h * way)) / (2 * h)
    assert np.isclose(slope, gradient @ way, rtol=1e-6, atol=1e-7)
    other = at + way
    assert loss((at + other) / 2) <= (loss(at) + loss(other)) / 2 + 1e-12


@pytest.mark.theorem("prop-structured-hinge")
@given(chains(), SEEDS)
def test_the_structured_hinge_is_convex_and_zero_exactly_with_all_margins(chain, seed):
    unary, transitions, truth = chain
    rng = np.random.RandomState(seed)

    def hinge(u, T):
        return viterbi(loss_augmented(u, truth), T)[1] - chain_score(u, T, truth)

    other = rng.randn(*unary.shape), rng.randn(*transitions.shape)
    middle = hinge((unary + other[0]) / 2, (transitions + other[1]) / 2)
    assert middle <= (hinge(unary, transitions) + hinge(*other)) / 2 + 1e-12
    own = chain_score(unary, transitions, truth)
    kept = all(
        own >= chain_score(unary, transitions, y) + np.sum(np.array(y) != truth)
        for y in all_labellings(unary)
    )
    assert (hinge(unary, transitions) == 0) == kept


def random_descent(seed, C=0.5):
    """Three short chains, and a descent that has made some steps."""
    rng = np.random.RandomState(seed)
    data = [(rng.randn(L, 2), rng.randint(3, size=L)) for L in rng.randint(1, 4, size=3)]
    descent = _FrankWolfe(data, 2, 3, C, average=False)
    for i in rng.randint(3, size=rng.randint(0, 8)):
        descent.step(i)
    return rng, data, descent


def dual(descent):
    return descent.loss - 0.5 * (np.sum(descent.W**2) + np.sum(descent.T**2))


@pytest.mark.theorem("prop-chain-gap")
@few
@given(SEEDS)
def test_the_gap_is_the_sum_of_the_shares_and_a_certificate(seed):
    rng, data, descent = random_descent(seed)
    C, shares = descent.C, 0.0
    for (x, truth), places, pairs in zip(data, descent.places, descent.pairs, strict=True):
        scores = loss_augmented(x @ descent.W, truth)
        mean = np.vdot(scores, places) + np.vdot(descent.T, pairs)
        shares += C * (viterbi(scores, descent.T)[1] - mean)
    P, D = descent.objective(descent.W, descent.T), dual(descent)
    assert np.isclose(P - D, shares, atol=1e-10) and shares >= -1e-12
    for _ in range(10):  # no weights are below the dual
        W, T = 0.5 * rng.randn(2, 3), 0.5 * rng.randn(3, 3)
        assert descent.objective(W, T) >= D - 1e-12
    for _ in range(500):
        descent.step(rng.randint(3))
    later = dual(descent)
    assert later >= D - 1e-12 and later <= P + 1e-12


@pytest.mark.theorem("prop-chain-gap")
@few
@given(SEEDS)
def test_the_weights_are_as_near_as_the_gap_allows(seed):
    rng, _, descent = random_descent(seed)
    W, T = descent.W.copy(), descent.T.copy()
    gap = descent.objective(W, T) - dual(descent)
    for _ in range(1000):
        descent.step(rng.randint(3))
    rest = descent.objective(descent.W, descent.T) - dual(descent)
    apart = np.sqrt(np.sum((W - descent.W) ** 2) + np.sum((T - descent.T) ** 2))
    assert apart <= np.sqrt(2 * max(gap, 0)) + np.sqrt(2 * max(rest, 0)) + 1e-9


@pytest.mark.theorem("prop-chain-step")
@given(SEEDS, st.integers(0, 2))
def test_the_step_is_the_best_on_its_way(seed, i):
    _, data, descent = random_descent(seed)
    (x, truth), C = data[i], descent.C
    worst, highest = viterbi(loss_augmented(x @ descent.W, truth), descent.T)
    scores = loss_augmented(x @ descent.W, truth)
    mean = np.vdot(scores, descent.places[i]) + np.vdot(descent.T, descent.pairs[i])
    g = C * (highest - mean)
    moves = np.zeros((3, 3))
    np.add.at(moves, (worst[:-1], worst[1:]), 1)
    m_W = -C * x.T @ (np.eye(3)[worst] - descent.places[i])
    m_T = -C * (moves - descent.pairs[i])
    length2 = np.sum(m_W**2) + np.sum(m_T**2)
    assume(length2 > 1e-12)
    before, W, T = dual(descent), descent.W.copy(), descent.T.copy()
    descent.step(i)
    gamma = min(1.0, max(g, 0) / length2)
    np.testing.assert_allclose(descent.W, W + gamma * m_W, atol=1e-12)
    np.testing.assert_allclose(descent.T, T + gamma * m_T, atol=1e-12)
    rise = dual(descent) - before
    assert np.isclose(rise, gamma * g - gamma**2 * length2 / 2, atol=1e-12)
    assert rise >= gamma * g / 2 - 1e-12
    best = minimize(lambda t: -(t[0] * g - t[0] ** 2 * length2 / 2), [0.5], bounds=[(0, 1)])
    assert rise >= -best.fun - 1e-9


@pytest.mark.theorem("prop-chain-step")
def test_a_chain_that_cannot_move_the_weights_goes_to_the_end():
    """An input of zeros: its hinge is 1 whatever the weights are, and the certificate must know it."""
    X, y = np.array([[0.0], [1.0], [-1.0]]), [0, 1, 0]
    model = ChainMarkovNetwork(0.5, fit_intercept=False, tol=1e-6, random_state=0).fit(X, y)
    assert model.dual_gap_ <= 1e-6 * model.objective_


def enumerated(data, K):
    """Features seen minus features of each labelling, and its wrong places: for each chain two arrays."""

    def features(x, y):
        counts = np.zeros((K, K))
        np.add.at(counts, (y[:-1], y[1:]), 1)
        return np.r_[(x.T @ np.eye(K)[y]).ravel(), counts.ravel()]

    for x, truth in data:
        everything = [np.array(y) for y in product(range(K), repeat=len(x))]
        yield (
            np.array([features(x, truth) - features(x, y) for y in everything]),
            np.array([np.sum(y != truth) for y in everything], float),
        )


@pytest.mark.theorem("prop-chain-duality")
@settings(max_examples=10)
@given(SEEDS, st.sampled_from([0.1, 0.5, 2.0]))
def test_the_best_dual_is_the_best_primal(seed, C):
    """Two programs over all labellings, solved apart: the primal with slacks, the dual with distributions."""
    rng = np.random.RandomState(seed)
    data = [(rng.randn(L, 1), rng.randint(2, size=L)) for L in (3, 2)]
    (first, wrong), (second, missed) = enumerated(data, 2)
    rows = np.r_[
        np.c_[first, np.ones(len(first)), np.zeros(len(first))],
        np.c_[second, np.zeros(len(second)), np.ones(len(second))],
    ]
    least = np.r_[wrong, missed]
    primal = minimize(
        lambda v: v[:6] @ v[:6] / 2 + C * v[6:].sum(),
        np.r_[np.zeros(6), 3, 2],
        jac=lambda v: np.r_[v[:6], C, C],
        constraints={"type": "ineq", "fun": lambda v: rows @ v - least, "jac": lambda v: rows},
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 1000},
    )
    ends = np.kron(np.eye(2), np.ones(8))[:, : len(least)]

    def minus_dual(mu):
        w = C * mu @ rows[:, :6]
        return w @ w / 2 - C * mu @ least, C * (rows[:, :6] @ w - least)

    dual = minimize(
        minus_dual,
        np.r_[np.full(8, 1 / 8), np.full(4, 1 / 4)],
        jac=True,
        bounds=[(0, 1)] * len(least),
        constraints={"type": "eq", "fun": lambda mu: ends @ mu - 1, "jac": lambda mu: ends},
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 1000},
    )
    assert primal.success and dual.success
    assert np.isclose(primal.fun, -dual.fun, atol=1e-6)
    np.testing.assert_allclose(C * dual.x @ rows[:, :6], primal.x[:6], atol=1e-3)


@pytest.mark.theorem("prop-chain-duality")
def test_the_chain_that_is_solved_by_hand():
    """One letter and two blots: all margins hold, and the dual value is the primal one."""
    x, truth = np.array([[1.0], [0.0], [0.0]]), np.zeros(3, int)
    ((seen, wrong),) = enumerated([(x, truth)], 2)
    multipliers = np.zeros(8)
    multipliers[[1, 7]] = 0.25  # aab and bbb
    w = multipliers @ seen
    assert w.tolist() == [0.25, -0.25, 0.75, -0.25, 0, -0.5]
    assert np.all(seen @ w >= wrong) and w @ w / 2 == multipliers @ wrong - w @ w / 2 == 0.5
    multipliers[:] = 0
    multipliers[7] = 0.25  # C = 1/4: all weight on bbb
    w = multipliers @ seen
    hinge = np.max(wrong - seen @ w)
    assert w @ w / 2 + hinge / 4 == multipliers @ wrong - w @ w / 2 == 7 / 16
