"""The numbers of each problem with parameters, found in another way than the problem finds them.

A function is called like its problem, with the chapter before it, and gets its parameters.
"""

from itertools import product

import numpy as np
from scipy import optimize, sparse, stats
from sklearn import metrics
from sklearn.dummy import DummyClassifier, DummyRegressor

import mllib
import mllib.viz
from mllib.boosting import product_bound
from mllib.tree import impurity_gain


def o01_three_kinds(price, sizes):
    p, n = np.array([0.1, 0.7, 0.9]), np.array(sizes)
    rules = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)])
    costs = (rules * (1 - p) * price + (1 - rules) * p) @ n
    says_spam = rules[np.argmin(costs)]
    return {
        "tau": mllib.bayes_threshold(price, 1),
        "best": costs.min(),
        "all": costs[0],
        "precision": np.average(p, weights=n * says_spam),
    }


def o02_judged_by_strangers(y):
    y, drawn = np.array(y, float), np.array([[0, 0, 1, 3], [1, 2, 2, 3], [0, 1, 1, 2]])
    answers = np.full((3, 4), np.nan)
    members = []
    for b, rows in enumerate(drawn):
        member = DummyRegressor().fit(rows[:, None], y[rows])
        members.append(member.predict([[0]])[0])
        out = np.setdiff1d(np.arange(4), rows)
        answers[b, out] = member.predict(out[:, None])
    judged = ~np.isnan(answers).all(axis=0)
    squares = (y - np.nansum(answers, axis=0))[judged] ** 2  # each has one judge
    alone = DummyRegressor().fit(y[:, None], y).predict([[0]])[0]
    return {
        "members": members,
        "bag": np.mean(members),
        "alone": alone,
        "squares": squares,
        "oob": squares.mean(),
    }


def o03_three_classes(first, second):
    gains, wrong = [], []
    for left in (np.array(first), np.array(second)):
        gains.append(impurity_gain(left, 6 - left))
        wrong.append(18 - left.max() - (6 - left).max())
    verdict = "asks the same" if (gains[0] > gains[1]) == (wrong[0] < wrong[1]) else "asks the other one"
    if wrong[0] == wrong[1]:
        verdict = "sees no difference between the two"
    return {
        "gain_a": gains[0],
        "gain_b": gains[1],
        "wrong_a": wrong[0],
        "wrong_b": wrong[1],
        "asked": "AB"[int(np.argmax(gains))],
        "verdict": verdict,
    }


def o03_trend(slope, start, ahead):
    x = np.arange(1, 11)
    tree = mllib.DecisionTreeRegressor().fit(x[:, None], start + slope * x)
    line = np.polynomial.Polynomial.fit(x, start + slope * x, 1)
    answers = tree.predict([[11], [12], [13]])
    assert np.ptp(answers) == 0
    return {"last": answers[0], "truth": line(10 + ahead), "miss": line(10 + ahead) - answers[0]}


def o04_two_rounds(n, k, j):
    D, alphas, epsilons, score = np.full(n, 1 / n), [], [], np.zeros(n)
    rules = np.ones((2, n))  # plus where a rule is right
    rules[0, :k] = rules[1, k : k + j] = -1
    weights = []
    for right in rules:
        epsilons.append(D[right < 0].sum())
        alphas.append(optimize.minimize_scalar(lambda a, D=D, r=right: D @ np.exp(-a * r)).x)
        D = D * np.exp(-alphas[-1] * right)
        D /= D.sum()
        weights.append(D)
        score += alphas[-1] * right
    return {
        "wrong": weights[0][0],
        "right": weights[0][-1],
        "first": epsilons[0],
        "epsilon": epsilons[1],
        "alpha_1": alphas[0],
        "alpha_2": alphas[1],
        "bound": product_bound(epsilons)[-1],
        "error": np.mean(score <= 0),
    }


def o04_ignored_weights(epsilon):
    e = float(epsilon)
    step = optimize.minimize_scalar(lambda a: (1 - e) * np.exp(-a) + e * np.exp(a))
    return {"alpha": step.x, "half": e * np.exp(step.x) / step.fun}


def o16_tolerance(ours, spread, R, claimed):
    accepted = np.array([12.4 - claimed, 12.4 + claimed])
    tenths = np.arange(1, 20)  # tolerances, in tenths of a point
    largest = max(t for t in tenths if abs(131 - 124) > t)  # the largest that refuses one tree
    test = stats.ttest_ind_from_stats(ours, spread, R, 12.4, spread, R)
    return {
        "low": accepted[0],
        "high": accepted[1],
        "off": np.ptp([ours, 12.4]),
        "verdict": "passes" if round(abs(10 * ours - 124)) <= largest else "does not pass",
        "sd": np.hypot(spread, spread) / np.sqrt(R),
        "apart": abs(test.statistic),
    }


def o05_four_examples(weights):
    answers = np.array([[1, 1, 1], [-1, 1, 1], [1, -1, 1], [-1, -1, 1]])
    found = answers @ np.array(weights) / np.sum(weights)
    heavier = np.linspace(0, 20, 20001)  # weights of the third rule
    least = (answers[:, :2] @ np.array(weights[:2]))[:, None] + heavier
    return {
        "margins": found,
        "total": np.sum(weights),
        "at_zero": np.mean(found <= 0),
        "at_half": np.mean(found <= 0.5),
        "needed": heavier[np.flatnonzero((least > 1e-9).all(axis=0))[0] - 1],
    }


def o05_undivided(sums, least):
    lines = ["   ".join(map(str, row)) for row in (least, sums)]
    return {"line": lines[0], "totals": lines[1], "margins": np.linalg.solve(np.diag(sums), least)}


def o06_medians(y):
    x, y = np.arange(1, 7), np.array(y, float)
    start = np.median(y)
    stump = mllib.RegressionStump().fit(x[:, None], np.sign(y - start))
    assert np.array_equal(np.sign(stump.predict(x[:, None])), [-1, -1, -1, 1, 1, 1])
    leaves = [
        optimize.minimize_scalar(lambda v, r=r: np.abs(r - v).sum(), bounds=(-100, 100)).x
        for r in (y[:3] - start, y[3:] - start)
    ]
    other = np.append(y[:5], 1000)
    assert np.median(other) == start
    return {
        "start": start,
        "left": leaves[0],
        "right": leaves[1],
        "low": start + leaves[0] / 2,
        "high": start + leaves[1] / 2,
        "moved": other.mean() - y.mean(),
    }


def o07_two_in_the_plane(a, k):
    X, y = np.array([[a, -1.0], [1, -k]]), np.array([1, -1])
    machine = mllib.Perceptron(fit_intercept=False, shuffle=False, record_updates=True).fit(X, y)
    walk = machine.updates_.coef.astype(int)
    score = machine.decision_function([[1.0, -1]])[0]
    gamma = np.min(y * (X @ [1, 1]))
    first = machine.dual_coef_[0]
    return {
        "weights": ", ".join(f"({u}, {v})" for u, v in walk),
        "first": first,
        "second": len(walk) - first,
        "last": f"({walk[-1][0]}, {walk[-1][1]})",
        "gamma": gamma,
        "square": np.linalg.norm(X, axis=1).max() ** 2,
        "bound": mllib.mistake_bound(X, y, [1, 1], fit_intercept=False),
        "mistakes": len(walk),
        "score": score,
        "answer": {-1: "negative", 0: "a tie", 1: "positive"}[int(np.sign(score))],
    }


def o07_certificate(a, b, T):
    X, y = np.array([[0.0, 0], [2 * a, 2 * b], [a, b]]), np.array([1, 1, -1])
    found = mllib.is_separable(X, y)
    assert not found
    return {
        "far": 2 * X[2],
        "counts": T * np.asarray(found.certificate),
        "square": max(np.sum(np.append(x, 1) ** 2) for x in X),
    }


def o08_three_voters(survived):
    c, W = np.array(survived), np.array([[1.0, -2], [-1, 3], [3, -1]])
    u = np.linspace(-10, 10, 2000002)  # no score is zero on this grid
    votes = np.sign(np.outer(W[:, 0], u) + W[:, 1:]).T @ c
    moves = np.flatnonzero(np.diff(votes))
    turns = np.flatnonzero(np.diff(np.sign(votes)))
    mean = c @ W / c.sum()
    return {
        "vote": np.sign(W @ [1, 1]) @ c,
        "sum": (W @ [1, 1]) @ c,
        "slope": mean[0] * c.sum(),
        "offset": mean[1] * c.sum(),
        "boundary": optimize.brentq(lambda u: mean @ [u, 1], -10, 10),
        "votes": votes[np.append(moves, -1)],
        "changes": u[turns],
    }


def o08_vote_lags(n, e):
    early = "  ".join(map(str, [*range(5 * e, 0, -5), 0, 0]))
    epochs = next(K for K in range(1, 100) if (K * n - e * n) > e * n)  # the worst case
    return {"line": early, "epochs": epochs, "looks": n * epochs}


def o09_shift_the_line(c, p):
    X, y = np.array([[4.0, 3], [2, 5], [1, 2], [p, 0]]), np.array([1, 1, -1, -1])
    w = np.array([3.0, 4])
    margins = []
    for x, label in zip(X, y, strict=True):  # the nearest point of the line, by a solver
        on_line = {"type": "eq", "fun": lambda q: w @ q - c}
        near = optimize.minimize(lambda q, x=x: np.sum((q - x) ** 2), [c / 3, 0], constraints=on_line)
        margins.append(label * np.sign(w @ x - c) * np.sqrt(near.fun))
    # maximise t such that y (w.x + b) / 5 >= t, over b and t
    best = optimize.linprog(
        [0, -1], A_ub=np.c_[-y / 5, np.ones(4)], b_ub=y * (X @ w) / 5, bounds=(None, None)
    )
    assert np.allclose(best.x, [-35 / 2, 13 / 10])
    machine = mllib.HardMarginSVC().fit(X, y)
    assert 1 / np.linalg.norm(machine.coef_) > 1.31, "another direction is better"
    return {"fourth": w @ X[3], "margins": margins, "margin": min(margins)}


def o09_two_points_hold(a, u):
    X = np.array([[a, u], [a, -u], [96, 0], [-64, 0], [-96, 32], [-96, -32]]) / 64
    y = np.array([1, 1, 1, -1, -1, -1])
    widths = []
    for kept, holds in ((np.arange(6), 3), ([0, 2, 3, 4, 5], 2)):
        machine = mllib.HardMarginSVC(tol=1e-10).fit(X[kept], y[kept])
        assert len(machine.support_) == holds
        widths.append(2 * machine.margin_)
    return {
        "address": mllib.viz.playground(X, y, "hard"),
        "before": widths[0],
        "across": X[0, 0] - X[3, 0],
        "up": X[0, 1] - X[3, 1],
        "after": widths[1],
    }


def o10_nearest_point(c, a):
    room = {"type": "ineq", "fun": lambda p: p[0] + a * p[1] - c}
    found = optimize.minimize(lambda p: p @ p / 2, [c, c], constraints=room, tol=1e-12)

    def dual(alpha):
        return optimize.minimize(lambda p: p @ p / 2 + alpha * (c - p[0] - a * p[1]), [0.0, 0]).fun

    best = optimize.minimize_scalar(lambda alpha: -dual(alpha), bounds=(0, 2 * c))
    return {
        "norm": np.linalg.norm([1, a]) ** 2,
        "alpha": best.x,
        "u": found.x[0],
        "v": found.x[1],
        "value": found.fun,
        "above": np.array([c, 0]) @ [c, 0] / 2,
        "below": dual(best.x / 2),
    }


def o10_who_is_wrong(wrong):
    rows = np.array([(0, 14), (0, 10), (20 - wrong[1][0], 10), (20, 3), (20, 10), *wrong]) / 10
    alpha, m = rows.T
    signs = np.array(list(product([-1, 1], repeat=8)))
    assert not np.abs(signs @ alpha).round(9).all(), "some labels satisfy the equation"
    # P - D with |w|^2 = sum of alpha m, since w = sum alpha y x and sum alpha y = 0
    squared = alpha @ m
    primal = squared / 2 + 2 * np.maximum(0, 1 - m).sum()
    dual = alpha.sum() - squared / 2
    each = 2 * np.maximum(0, 1 - m) - alpha * (1 - m)
    assert np.isclose(each.sum(), primal - dual) and not each[:5].round(12).any()
    return {
        "alphas": "  ".join(f"{a:.1f}" for a in alpha),
        "margins": "  ".join(f"{v:.1f}" for v in m),
        "terms": each[5:],
        "gap": primal - dual,
    }


def o11_clipped(alphas, pulls, kappa):
    (ai, aj), (gi, gj) = np.array(alphas) / 10, np.array(pulls) / 10
    lam = np.linspace(-1, 1, 2_000_001)
    rise = lam * (gi - gj) - lam**2 * kappa / 2
    inside = (np.abs(ai + lam - 0.5) <= 0.5 + 1e-9) & (np.abs(aj - lam - 0.5) <= 0.5 + 1e-9)
    best = np.flatnonzero(inside)[np.argmax(rise[inside])]
    step, reach = lam[best], aj - lam[inside]
    return {
        "ai": ai,
        "aj": aj,
        "gi": gi,
        "gj": gj,
        "top": optimize.minimize_scalar(lambda t: t**2 * kappa / 2 - t * (gi - gj)).x,
        "sum": ai + aj,
        "low": reach.min(),
        "high": reach.max(),
        "room_i": lam[inside].max() if lam[inside].max() < aj - 1e-9 else 1 - ai,
        "room_j": aj,
        "step": step,
        "new_i": ai + step,
        "new_j": aj - step,
        "gain": rise[best],
        "half": step * (gi - gj) / 2,
        "rest": np.gradient(rise, lam)[best] if 0 < best < len(lam) - 1 else gi - gj - step * kappa,
    }


def o12_distances(a, b):
    def phi(x):
        return np.array([x * x, np.sqrt(2) * x, 1])

    mean = (phi(0) + phi(a)) / 2
    both = [np.sum((phi(0) - other) ** 2) for other in (mean, phi(b))]
    return {
        "first": np.sum((phi(0) - phi(a)) ** 2),
        "to_mean": both[0],
        "to_other": both[1],
        "nearer": ["positive", "negative"][int(np.argmin(both))],
        "square": mean[0],
        "middle": mean[1] / np.sqrt(2),
    }


def o12_islands(n, share):
    rng = np.random.RandomState(0)
    y = np.where(np.arange(n) < n * share / 100, 1, -1)
    machine = mllib.SVC(C=10, gamma=2).fit(rng.randn(n, 40), y)
    answers = machine.predict(rng.randn(100, 40))
    assert len(machine.support_) == n and np.all(answers == 1)
    return {"error": np.mean(y < 0), "minority": 100 * np.mean(y < 0)}


def o13_translate(n, lam, gap):
    rng = np.random.RandomState(0)
    X, y = rng.randn(n, 2), rng.choice([-1, 1], n)
    X /= np.linalg.norm(X, axis=1).max()
    w = rng.randn(2)

    def losses(v):
        return np.maximum(0, 1 - y * (X @ v))

    def F(v):
        return lam / 2 * v @ v + losses(v).mean()

    def P(v, C, times=1):
        return v @ v / 2 + C * times * losses(v).sum()

    def same(times):  # the C for which P / F is the same at two weights
        ratio = optimize.brentq(lambda C: P(w, C, times) / F(w) - P(2 * w, C, times) / F(2 * w), 1e-6, 1e4)
        return ratio

    C, zero = same(1), np.zeros(2)
    scale = P(zero, C) / F(zero)
    machine = mllib.LinearSVC(loss="hinge", C=C, fit_intercept=False).fit(X[:500], y[:500])
    assert np.linalg.norm(machine.coef_) <= np.sqrt(500 * C)  # 1 / sqrt(lambda) of these 500
    return {
        "C": C,
        "P": P(zero, C),
        "first": optimize.brentq(lambda r: lam * r * r - 1, 0, 1e4),
        "second": optimize.brentq(lambda r: lam * r - 1, 0, 1e4),
        "in_F": gap / scale,
        "far": optimize.brentq(lambda r: lam / 2 * r * r - gap / scale, 0, 1e3),
        "half": same(2),
    }


def o13_two_programs(alpha, n):
    return {"C": np.exp(-np.log(n) - np.log(alpha))}


def o14_three_by_three(M):
    cells = [(j, k) for j in range(3) for k in range(3) for _ in range(M[j][k])]
    truth, answers = np.array(cells).T
    again = metrics.confusion_matrix(truth, answers)
    lines = ["  ".join(f"{c:>2}" for c in row) for row in again]
    guess = DummyClassifier().fit(truth[:, None], truth).predict(truth[:, None])
    return {
        "first": lines[0],
        "second": lines[1],
        "third": lines[2],
        "error": 1 - metrics.accuracy_score(truth, answers),
        "baseline": 1 - metrics.accuracy_score(truth, guess),
        "recall": metrics.recall_score(truth, answers, average=None)[2],
        "precision": metrics.precision_score(truth, answers, average=None)[2],
        "joined": 1 - metrics.accuracy_score(truth > 0, answers > 0),
    }


def o14_empty_column(sizes):
    y = np.repeat([0, 1, 2], sizes)
    says_no = np.full(len(y), -1)
    extra = np.array([0, 1] * (sizes[2] // 2))  # the examples of C go to A and B in turn
    answers = np.bincount(np.r_[y[y < 2], extra], minlength=3)
    assert answers.sum() == len(y)
    return {
        "a": answers[0],
        "b": answers[1],
        "share": np.mean(says_no != np.where(y == 2, 1, -1)),
        "n_c": np.sum(y == 2),
        "total": len(y),
    }


def o15_read_the_multipliers(C, t, epsilon, b):
    C, t, epsilon = float(C), float(t), float(epsilon)
    u = np.array([4.0, 3, 0, 2, 1])
    r = epsilon * np.array([2, 1, 0, -1, -3])
    y = (3 * C + t) * u + b + r
    machine = mllib.SVR(kernel="linear", C=C, epsilon=epsilon, tol=1e-10).fit(u[:, None], y)
    w, bias = machine.coef_[0][0], machine.intercept_[0]
    found = y - w * u - bias
    beta = np.zeros(5)
    beta[machine.support_] = machine.dual_coef_[0]
    assert np.isclose(bias, b) and np.allclose(beta, [C, t, 0, -t, -C], atol=1e-6)
    values = {f"y{i}": v for i, v in enumerate(y, start=1)}
    return values | {
        "w": w,
        "residuals": found,
        "P": w * w / 2 + C * np.maximum(0, np.abs(found) - epsilon).sum(),
        "D": beta @ y - epsilon * np.abs(beta).sum() - w * w / 2,
    }


def o15_prices(n):
    # The answers are spread by the sum of all |beta|: positive parts p, negative ones q, C = 1.
    half = np.ones(n)
    found = optimize.linprog(
        -np.r_[half, half],
        A_ub=sparse.hstack([sparse.eye(n), sparse.eye(n)]),
        b_ub=half,
        A_eq=[np.r_[half, -half]],
        b_eq=[0],
        bounds=(0, 1),
    )
    return {"bound": -found.fun}
