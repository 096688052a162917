"""Theorems without one of their assumptions: what to look for, and when a case refutes what is left.

Each chapter named here shows the smallest counterexample that the search in ``test_broken.py`` finds. Its
cell begins ``counterexample = {...}``; the keys are those of the strategy here.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

import numpy as np
from hypothesis import strategies as st

from mllib import DecisionStump, HardMarginSVC, Perceptron
from tests.theorems.test_07_perceptron import quietly


@dataclass
class Broken:
    """A theorem, what is dropped, the cases that are searched, and whether one of them refutes the rest."""

    page: str
    theorem: str
    without: str
    cases: st.SearchStrategy
    refutes: object


def _arrays(case, *names):
    return [np.array(case[name], dtype=float) for name in names]


# 02: averaging never hurts the squared error. Votes and the share of mistakes in its place.

columns = st.lists(st.tuples(st.booleans(), st.booleans(), st.booleans()), min_size=1, max_size=6)


def vote_is_worse_than_all(case):
    """Each of three classifiers is wrong on fewer examples (rows) than their majority vote."""
    wrong = np.array(case["wrong"])
    return bool((wrong.sum(axis=1) > 1).sum() > wrong.sum(axis=0).max())


# 03: a split of unequal proportions lowers a strictly concave impurity. The error rate is only concave.

counts = st.tuples(st.integers(0, 5), st.integers(0, 5))


def split_gains_nothing(case):
    """The sides differ in their proportions, and the number of mistakes is the same as before."""
    left, right = case["left"], case["right"]
    if not sum(left) or not sum(right):
        return False
    differ = Fraction(left[0], sum(left)) != Fraction(right[0], sum(right))
    before = min(left[0] + right[0], left[1] + right[1])
    return differ and before == min(left) + min(right)


# 04: the training error of AdaBoost is at most exp(-2 sum of gamma^2). With alpha = ln((1 - e) / e), no half.


def boost(case, factor):
    """Training error, a tie being an error, and the bound, when alpha is multiplied by ``factor``."""
    x, y = _arrays(case, "x", "y")
    D, vote, total = np.full(len(x), 1 / len(x)), np.zeros(len(x)), 0.0
    for _ in range(case["T"]):
        h = DecisionStump().fit(x[:, None], y, D).predict(x[:, None])
        error = D[h != y].sum()
        if not 1e-9 < error < 0.5 - 1e-9:
            return 0.0, 1.0
        alpha = factor * 0.5 * np.log((1 - error) / error)
        vote += alpha * h
        total += (0.5 - error) ** 2
        D = D * np.exp(-alpha * y * h)
        D /= D.sum()
    return np.mean(y * vote <= 1e-9), np.exp(-2 * total)


def error_exceeds_bound(case):
    """With whole logarithms as weights more points are wrong than the theorem allows."""
    error, bound = boost(case, 2)
    return bool(error > bound + 1e-9)


# 07: at most (R / gamma)^2 mistakes, both measured with the constant coordinate. Here both without.


def labelled(most, largest=4):
    """Whole numbers with labels, both of which occur."""
    pairs = st.lists(st.tuples(st.integers(0, largest), st.sampled_from([1, -1])), min_size=2, max_size=most)
    return pairs.filter(lambda rows: len({label for _, label in rows}) == 2)


def updates_and_bound(case):
    """The updates of a perceptron with a bias, and (R / gamma)^2 as if it had none; None without a line."""
    x, y = _arrays(case, "x", "y")
    gap = x[y > 0].min() - x[y < 0].max(), x[y < 0].min() - x[y > 0].max()
    if max(gap) <= 0:
        return None
    made = quietly(Perceptron(shuffle=False).fit, x[:, None], y).n_updates_
    return made, float((x**2).max() / (max(gap) / 2) ** 2)


def more_updates_than_bound(case):
    """More updates than (R / gamma)^2 allows."""
    found = updates_and_bound(case)
    return found is not None and found[0] > found[1] + 1e-9


# 08: at most ((R + D) / gamma)^2 mistakes in the first epoch. In all epochs?


def mistakes_and_bound(case):
    """Mistakes in K epochs over augmented points, and the least bound of the first over some u and gamma."""
    x, y = _arrays(case, "x", "y")
    Z = y[:, None] * np.column_stack([x, np.ones(len(x))])
    made = quietly(Perceptron(shuffle=False, max_iter=case["K"]).fit, x[:, None], y).n_updates_
    R, best = np.linalg.norm(Z, axis=1).max(), np.inf
    for angle in np.linspace(0, 2 * np.pi, 73):
        margins = Z @ [np.cos(angle), np.sin(angle)]
        for gamma in (0.25, 0.5, 1.0, 2.0, 16.0, 1e6):  # the last says: at most one each
            D = np.sqrt((np.maximum(0, gamma - margins) ** 2).sum())
            best = min(best, ((R + D) / gamma) ** 2)
    return made, best


def more_mistakes_than_first_epoch_allows(case):
    """The bound of the first epoch does not hold for K of them."""
    made, bound = mistakes_and_bound(case)
    return made > bound + 1e-9


# 09: half the distance of the hulls is the largest margin. The nearest two examples in place of the hulls.

planar = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 4), st.sampled_from([1, -1])), min_size=3, max_size=5
).filter(lambda rows: len({row[2] for row in rows}) == 2)


def nearest_and_margin(case):
    """Half the distance of the nearest two examples of different classes, and the largest margin."""
    X, y = _arrays(case, "X", "y")
    nearest = min(np.linalg.norm(p - q) for p in X[y > 0] for q in X[y < 0]) / 2
    try:
        return nearest, HardMarginSVC().fit(X, y).margin_
    except ValueError:
        return None


def nearest_examples_mislead(case):
    """The margin is smaller than the nearest two examples promise."""
    found = nearest_and_margin(case)
    return found is not None and found[1] < found[0] - 1e-6


# 10: a convex program with an interior point has a multiplier. Without the interior point?


def no_multiplier(case):
    """Minimise a x^2 + b x such that c (x - r)^2 <= s: a single feasible point, and no multiplier there."""
    a, b, c, r, s = (case[name] for name in "abcrs")
    if c == 0 or s != 0:
        return False
    return 2 * a * r + b != 0  # the slope of the constraint is 0 at r, that of the objective is not


# 12: a function is a kernel if all its Gram matrices are positive semi-definite. Those of two points only?

entries = st.sampled_from([0, 1, -1])


def pairs_deceive(case):
    """Every two points have a good Gram matrix, all of them together do not."""
    n = {1: 2, 3: 3, 6: 4}[len(case["k"])]
    K = np.eye(n)
    K[np.triu_indices(n, 1)] = case["k"]
    K = np.maximum(K, K.T) + np.minimum(K, K.T)
    np.fill_diagonal(K, 1)
    pairs = all(np.linalg.eigvalsh(K[np.ix_(p, p)])[0] > -1e-9 for p in combinations(range(len(K)), 2))
    return pairs and bool(np.linalg.eigvalsh(K)[0] < -1e-9)


# 14: fewer than d / 2 wrong classifiers, and the nearest codeword is right. Half of d?


def code_fails(case):
    """One of the classes whose codewords are at least d apart is missed with d / 2 wrong answers, or tied."""
    code = np.array(case["code"])
    d = min((np.sum(a != b) for a, b in combinations(code, 2)), default=0)
    if d < 2 or d % 2:
        return False
    for wrong in product([False, True], repeat=code.shape[1]):
        if sum(wrong) != d // 2:
            continue
        heard = code[0] ^ np.array(wrong)
        distances = (code != heard).sum(axis=1)
        if distances[1:].min() <= distances[0]:
            return True
    return False


def _split(rows, *names):
    return dict(zip(names, (list(column) for column in zip(*rows, strict=True)), strict=True))


BROKEN = [
    Broken(
        "02-bagging",
        "thm-aggregation",
        "squared error",
        columns.map(lambda rows: {"wrong": [list(row) for row in rows]}),
        vote_is_worse_than_all,
    ),
    Broken(
        "03-forests",
        "prop-impurity-gain",
        "strict concavity",
        st.fixed_dictionaries({"left": counts.map(list), "right": counts.map(list)}),
        split_gains_nothing,
    ),
    Broken(
        "04-boosting",
        "thm-training-error",
        "the factor one half in alpha",
        st.tuples(labelled(5), st.integers(1, 5)).map(lambda c: _split(c[0], "x", "y") | {"T": c[1]}),
        error_exceeds_bound,
    ),
    Broken(
        "07-perceptron",
        "thm-convergence",
        "the constant in R and gamma",
        labelled(4).map(lambda rows: _split(rows, "x", "y")),
        more_updates_than_bound,
    ),
    Broken(
        "08-voted-perceptron",
        "thm-nonseparable",
        "the first epoch only",
        st.tuples(labelled(3, 2), st.integers(1, 200)).map(lambda c: _split(c[0], "x", "y") | {"K": c[1]}),
        more_mistakes_than_first_epoch_allows,
    ),
    Broken(
        "09-margins",
        "thm-hulls",
        "the hulls",
        planar.map(lambda rows: {"X": [list(row[:2]) for row in rows], "y": [row[2] for row in rows]}),
        nearest_examples_mislead,
    ),
    Broken(
        "10-duality",
        "thm-strong-duality",
        "an interior point",
        st.fixed_dictionaries(
            {name: st.integers(0, 3) for name in "acs"} | {name: st.integers(-3, 3) for name in "br"}
        ),
        no_multiplier,
    ),
    Broken(
        "12-kernels",
        "thm-gram",
        "more than two points",
        st.sampled_from([1, 3, 6])
        .flatmap(lambda n: st.lists(entries, min_size=n, max_size=n))
        .map(lambda k: {"k": k}),
        pairs_deceive,
    ),
    Broken(
        "14-many-classes",
        "prop-code-distance",
        "fewer than half of d",
        st.integers(1, 4)
        .flatmap(
            lambda B: st.lists(st.lists(st.integers(0, 1), min_size=B, max_size=B), min_size=2, max_size=4)
        )
        .map(lambda code: {"code": code}),
        code_fails,
    ),
]
