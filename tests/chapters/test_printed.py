"""Every function that a page prints, on data that the page does not use, under a time limit.

Ties, two to four examples, measurements of 1e-8 and of 1e8, each setting of each option; the answers are
those of the package, of a slower route, or of a certificate. A printed mistake is there.
"""

import json
import signal
from collections import Counter
from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import MultinomialNB
from sklearn.svm import LinearSVC as TheirLinearSVC
from sklearn.tree import DecisionTreeClassifier

import mllib
from mllib import smo
from mllib.kernels import RBF, Linear, Spectrum, Subsequence
from mllib.structured import chain_score, loss_augmented, viterbi
from tests.chapters.printed import printed, take

LIMIT = 60  # seconds, for a function that would not end; all of them need a moment
ROWS = {}  # (notebook, function): the name of its test


def prints(notebook, *functions):
    """The test runs these functions of this notebook."""

    def mark(test):
        for function in functions:
            assert (notebook, function) not in ROWS, f"{notebook}: {function} has two tests"
            ROWS[notebook, function] = test.__name__
        return test

    return mark


@pytest.fixture(autouse=True)
def time_limit():
    """An endless loop fails."""

    def over(*_):
        raise TimeoutError(f"not finished after {LIMIT} s")

    before = signal.signal(signal.SIGALRM, over)
    signal.alarm(LIMIT)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def test_every_printed_function_has_a_test():
    shown = Counter(printed())
    assert not set(shown) - set(ROWS), "printed on a page, and no test runs it"
    assert not set(ROWS) - set(shown), "tested, and no page prints it any more"


def test_a_function_without_a_test_would_be_found(tmp_path):
    page = tmp_path / "17-new.ipynb"
    seen = {"cell_type": "code", "metadata": {}, "source": ["def f():\n", "    pass"]}
    folded = {**seen, "metadata": {"tags": ["hide-input"]}, "source": ["def g():\n", "    pass"]}
    page.write_text(json.dumps({"cells": [seen, folded]}))
    assert printed([page]) == [("17-new", "f")] and ("17-new", "f") not in ROWS


def sets(n=12, d=2, seed=0):
    """Labelled points: ordinary, full of ties, few, tiny, huge; both labels occur."""
    rng = np.random.RandomState(seed)
    y = np.where(np.arange(n) % 3 == 0, 1.0, -1.0)
    plain = rng.randn(n, d) + 0.7 * y[:, None]
    ties = rng.randint(-1, 2, (n, d)).astype(float)
    ties[1] = ties[0]  # the same place, different labels
    yield "plain", plain, y
    yield "ties", ties, y
    yield "two", plain[:2], y[:2]
    yield "few", plain[:4], y[:4]
    yield "tiny", 1e-8 * plain, y
    yield "huge", 1e8 * plain, y


def separable(n=10, d=3, seed=0):
    """Points with a line through the origin that parts them, ties included, times their labels.

    Powers of two as scales: products and sums are exact then, and a score of 0 is 0 on every processor (with
    fused multiplication 1e-8 leaves a remainder of its rounding).
    """
    rng = np.random.RandomState(seed)
    for scale in (1.0, 2.0**-27, 2.0**27):
        for few in (1, 2, n):
            Z = rng.randint(-4, 5, (4 * n, d)).astype(float)
            Z = Z[Z @ [3.0, 1.0, 2.0] > 0][:few]
            yield scale * np.vstack([Z, Z[:1]])


# 01


TEXTS = np.array(["Free! £5 free", "call me, call", "", "5 5 5", "me me FREE", "£££"])


@prints("01-classification", "words", "dictionary", "count_words")
def test_words_are_counted():
    words, dictionary = (take("01-classification", name) for name in ("words", "dictionary"))
    count_words = take("01-classification", "count_words")
    assert words("Free! £5, x9") == ["free", "!", "£", "5", "x", "9"] and words("") == []
    assert dictionary(TEXTS) == {"free": 0, "me": 1, "£": 2, "5": 3} or set(dictionary(TEXTS)) == {
        word for word, n in Counter(w for t in TEXTS for w in set(words(t))).items() if n >= 2
    }
    for least in (1, 2, 7):
        places = dictionary(TEXTS, least)
        assert sorted(places.values()) == list(range(len(places))) and list(places) == sorted(places)
        counts = count_words(TEXTS, places).toarray()
        for i, text in enumerate(TEXTS):
            assert all(counts[i, j] == words(text).count(word) for word, j in places.items())


@prints("01-classification", "naive_bayes")
@pytest.mark.parametrize("alpha", [0.01, 1.0, 50])
@pytest.mark.parametrize("scale", [1, 10**6])
def test_naive_bayes_is_multinomial(alpha, scale):
    naive_bayes = take("01-classification", "naive_bayes")
    rng = np.random.RandomState(1)
    for n in (2, 30):
        X, y = scale * rng.poisson(0.7, (n, 5)), np.where(np.arange(n) % 4, 1, -1)
        b, w = naive_bayes(csr_matrix(X.astype(float)), y, alpha)
        theirs = MultinomialNB(alpha=alpha).fit(X, y)
        odds = np.diff(theirs.predict_log_proba(X), axis=1).ravel()
        assert np.allclose(X @ w + b, odds, atol=1e-8 * max(1, scale), rtol=1e-9)


@prints("01-classification", "scores_of_left_out")
def test_left_out_messages_are_scored_by_others():
    rng = np.random.RandomState(0)
    texts = np.array([" ".join(rng.choice(["a", "b", "c", "d"], 3)) for _ in range(40)])
    y, folds = np.where(np.arange(40) % 3, -1, 1), np.arange(40) % 10
    scores = take("01-classification", "scores_of_left_out", FOLDS=folds)
    before = scores(texts, y)
    changed = texts.copy()
    changed[7] = "d d d d"  # the others of its fold have never seen it
    same = folds == 7
    same[7] = False
    after = scores(changed, y)
    assert np.allclose(before[same], after[same]) and not np.allclose(before[~same], after[~same])


@prints("01-classification", "bayes", "logistic")
def test_the_recipes_of_01_fit():
    texts = ["free prize £5", "free call", "see you", "see me call", "free free", "you see"] * 3
    y = [1, 1, -1, -1, 1, -1] * 3
    split = {"token_pattern": r"[a-z]+|[0-9]+|[£$!?]", "min_df": 2}
    logistic = take("01-classification", "logistic", pairs=TfidfVectorizer(**split, ngram_range=(1, 2)))
    for model in (take("01-classification", "bayes", split=split)(0.1), logistic(10)):
        assert np.array_equal(model.fit(texts, y).predict(texts), y)
    assert logistic(7)[-1].C == 7


@prints("01-classification", "best_words", "cross_validated_error", "on_coin_tosses")
def test_choosing_words_on_all_messages_is_the_mistake():
    rng = np.random.RandomState(5)
    pool = csr_matrix(rng.rand(400, 900) < 0.1)
    tosses = take("01-classification", "on_coin_tosses", counts=pool, train=np.arange(400))
    assert tosses(take("01-classification", "cross_validated_error")) < 0.35  # coins, so 1/2 is true
    best = take("01-classification", "best_words")
    X, y = np.array([[0.0, 1, 1], [0, 0, 1], [1, 1, 0]]), np.array([1, 1, -1])
    assert best(1e-7 * X, y, 2).tolist() == best(1e7 * X, y, 2).tolist() == best(X, y, 2).tolist() == [0, 2]


# 02 and 03


@prints("02-bagging", "bag_of")
@pytest.mark.parametrize("kind, X, y", [*sets()], ids=lambda v: v if isinstance(v, str) else "")
def test_bag_of_draws_a_replicate_for_each(kind, X, y):
    models, drawn = take("02-bagging", "bag_of")(DecisionTreeClassifier(random_state=0), X, y, 20, seed=3)
    assert len(models) == 20 and all(len(rows) == len(y) for rows in drawn)
    assert len({tuple(rows) for rows in drawn}) > 1
    for model, rows in zip(models, drawn, strict=True):
        again = DecisionTreeClassifier(random_state=0).fit(X[rows], y[rows])
        assert np.array_equal(model.predict(X), again.predict(X))


@prints("02-bagging", "bag_by_hand")
def test_the_bag_of_the_exercise_draws_one_replicate_only():
    X = np.arange(60.0)[:, None]
    models, drawn = take("02-bagging", "bag_by_hand")(DecisionTreeClassifier(random_state=0), X, X[:, 0] % 2)
    assert len({tuple(model.predict(X)) for model in models}) == 1 and 0.2 < np.mean(~drawn) < 0.5


@prints("03-forests", "forest_of", "shares_of")
@pytest.mark.parametrize("K", [1, 2])
def test_forest_of_averages_proportions(K):
    for _, X, y in sets(20):
        trees = take("03-forests", "forest_of")(X, y, 15, K)
        answers = take("03-forests", "shares_of")(trees, X)
        assert answers.shape == (len(y), 2) and np.allclose(answers.sum(axis=1), 1)
        positive = [tree.predict_proba(X) @ (tree.classes_ > 0) for tree in trees]  # a class may be missing
        assert np.allclose(answers[:, 1], np.mean(positive, axis=0))
        assert all(tree.max_features == K for tree in trees) and len({t.random_state for t in trees}) == 15


@prints("03-forests", "gini", "gain")
def test_gini_and_gain_by_pairs():
    gini, gain = take("03-forests", "gini"), take("03-forests", "gain")
    for _, X, y in sets(9):
        different = np.mean([a != b for a, b in product(y, repeat=2)])
        assert np.isclose(gini(y), different)
        x = X[:, 0]
        for threshold in np.unique(x)[:-1]:
            tree = DecisionTreeClassifier(max_depth=1).fit((x <= threshold)[:, None], y)
            after = (
                tree.tree_.impurity[1:] @ tree.tree_.n_node_samples[1:] / len(y)
                if len(tree.tree_.impurity) > 1
                else gini(y)
            )
            assert np.isclose(gain(x, y, threshold), gini(y) - after)
            assert gain(x, y, threshold) >= -1e-12


@prints("03-forests", "importances")
def test_importances_find_the_one_feature_that_counts():
    rng = np.random.RandomState(0)
    X, importances = rng.randn(120, 3), take("03-forests", "importances")
    for scale in (1e-8, 1.0, 1e8):
        for values in importances(scale * X, X[:, 1] > 0, 0):
            assert values.shape == (3,) and values.argmax() == 1


@prints("03-forests", "extra_trees")
def test_the_trees_of_the_exercise_are_all_the_same():
    X, y = np.random.RandomState(2).randn(40, 4), np.arange(40) % 3
    trees = take("03-forests", "extra_trees")(X, y, 6, 2)
    new = np.random.RandomState(3).randn(50, 4)
    assert len({tuple(tree.predict(new)) for tree in trees}) == 1


# 04 and 05


@prints("04-boosting", "best_stump")
@pytest.mark.parametrize("kind, X, y", [*sets(14)], ids=lambda v: v if isinstance(v, str) else "")
def test_best_stump_is_the_packages(kind, X, y):
    D = np.random.RandomState(0).dirichlet(np.ones(len(y)))
    for weights in (D, np.full(len(y), 1 / len(y))):
        error, j, threshold, above = take("04-boosting", "best_stump")(X, y, weights)
        answers = np.where(X[:, j] > threshold, above, -above)
        assert np.isclose(weights[answers != y].sum(), error)
        theirs = mllib.DecisionStump().fit(X, y, sample_weight=weights)
        best = weights[theirs.predict(X) != y].sum()
        trivial = min(
            weights[y > 0].sum(), weights[y < 0].sum()
        )  # the package may answer the same everywhere
        assert np.isclose(min(error, trivial), min(best, trivial))


@prints("04-boosting", "adaboost")
@pytest.mark.parametrize("kind, X, y", [*sets(14, seed=3)], ids=lambda v: v if isinstance(v, str) else "")
def test_adaboost_is_the_packages(kind, X, y):
    h, alpha, error, Z, D = take("04-boosting", "adaboost")(X, y, 12)
    theirs = mllib.AdaBoostClassifier(n_estimators=12).fit(X, y).history_
    assert len(alpha) == len(theirs.alpha)
    assert (
        np.allclose(alpha, theirs.alpha) and np.allclose(Z, theirs.Z) and np.allclose(error, theirs.epsilon)
    )
    assert np.allclose(D.sum(axis=1), 1)
    score = alpha @ h
    assert np.mean(y * score <= 0) <= np.prod(Z) + 1e-12


@prints("04-boosting", "split")
def test_split_of_04_is_a_permutation():
    split = take("04-boosting", "split", mail=np.zeros((4601, 2)))
    for seed in (0, 9):
        train, test = split(seed)
        assert len(train) == 3000 and np.array_equal(np.sort(np.r_[train, test]), np.arange(4601))
    assert not np.array_equal(split(0)[0], split(9)[0])


@prints("04-boosting", "update", "errors_after_update")
def test_the_update_of_the_exercise_forgets_the_weights():
    rng = np.random.RandomState(1)
    y, update = np.where(rng.rand(10) < 0.5, 1, -1), take("04-boosting", "update")
    h = y.copy()
    h[:3] *= -1
    assert np.isclose(update(np.full(10, 0.1), y, h)[:3].sum(), 0.5)  # right while all weights are equal
    D = rng.dirichlet(np.ones(10))
    assert not np.isclose(update(D, y, h)[:3].sum(), 0.5)
    wrong = [[0, 1], [2, 3], [4]]
    answers = [np.where(np.isin(np.arange(10), rows), -y, y) for rows in wrong]
    after = take("04-boosting", "errors_after_update", answers=answers, y=y)
    assert after(update)[0] == 0.5 and after(update)[1] != 0.5


@prints("05-margins-of-boosting", "colleagues_margins")
def test_margins_with_labels_zero_and_one_are_the_mistake():
    margins = take("05-margins-of-boosting", "colleagues_margins")
    for _, X, y in sets(20):
        model = mllib.AdaBoostClassifier(n_estimators=9).fit(X, y)
        right = margins(model, X, y)
        assert np.all(np.abs(right) <= 1 + 1e-9)
        assert np.array_equal(right > 0, y * model.vote(X) > 0)
        assert np.all(margins(model, X, (y > 0).astype(int))[y < 0] == 0)  # half of the labels vanish


# 06


@prints("06-additive-models", "boost")
@pytest.mark.parametrize("eta", [1.0, 0.3, 0.01])
def test_boost_is_gradient_boosting_of_squares(eta):
    for _, X, y in sets(15, d=1):
        target = y * (1 + np.arange(len(y)))
        ours = take("06-additive-models", "boost")(X, target, 25, eta)
        theirs = mllib.GradientBoostingRegressor(n_estimators=25, learning_rate=eta, max_depth=1).fit(
            X, target
        )
        assert np.allclose(ours, theirs.predict(X))


def logistic_loss(F, y):
    return np.log1p(np.exp(-2 * y * F)).sum()


@prints("06-additive-models", "newton_boost", "gentle", "logit")
def test_newton_boost_is_gentle_and_logit():
    newton = take("06-additive-models", "newton_boost")
    models = {"gentle": mllib.GentleAdaBoostClassifier, "logit": mllib.LogitBoostClassifier}
    for _, X, y in sets(16, seed=2):
        for name, package in models.items():
            ours = newton(X, y, 4, take("06-additive-models", name))
            theirs = package(n_estimators=4).fit(X, y).decision_function(X)
            assert (
                np.allclose(ours, theirs, atol=1e-6)
                or np.allclose(ours, 2 * theirs, atol=1e-6)
                or np.allclose(2 * ours, theirs, atol=1e-6)
            ), name


@prints("06-additive-models", "logit_of_a_colleague", "step_against_newton")
def test_the_colleague_forgets_a_two():
    rng = np.random.RandomState(4)
    y, F, side = np.where(rng.rand(50) < 0.6, 1, -1), 0.5 * rng.randn(50), rng.rand(50) < 0.5
    against = take("06-additive-models", "step_against_newton", staged=[F] * 21, side=side, y=y)
    ours, theirs = take("06-additive-models", "logit"), take("06-additive-models", "logit_of_a_colleague")

    def loss(slope):
        return lambda m: np.log1p(np.exp(-slope * m))

    assert np.isclose(against(ours, loss(2)), 1, atol=1e-3)
    assert np.isclose(against(theirs, loss(1)), 0.5, atol=1e-3)


# 07 and 08


@prints("07-perceptron", "walk")
def test_walk_ends_within_the_bound():
    walk = take("07-perceptron", "walk")
    for Z in separable():
        weights, caused = walk(Z, [range(len(Z))] * 2000)
        assert np.all(Z @ weights[-1] > 0) and len(weights) == len(caused) + 1
        assert np.allclose(weights[-1], Z[caused].sum(axis=0))
        u = np.array([3.0, 1.0, 2.0])
        bound = (Z**2).sum(axis=1).max() * (u @ u) / (Z @ u).min() ** 2
        assert len(caused) <= bound + 1e-9


@prints("07-perceptron", "largest_t")
def test_largest_t_tells_whether_a_line_exists():
    largest_t = take("07-perceptron", "largest_t")
    for Z in separable():
        assert largest_t(Z / np.abs(Z).max()) > 1e-9
    for seed in range(5):
        Z = np.random.RandomState(seed).randn(6, 2)
        assert abs(largest_t(np.vstack([Z, -Z]))) < 1e-9


@prints("07-perceptron", "dual_perceptron")
def test_the_dual_perceptron_of_the_exercise_counts_for_the_wrong_example():
    dual, walk = take("07-perceptron", "dual_perceptron"), take("07-perceptron", "walk")
    for Z in separable(seed=1):
        n = len(Z)
        plain, backwards = [range(n)] * 500, [range(n)[::-1]] * 500
        w, alpha = dual(Z, plain)
        assert np.allclose(w, alpha @ Z) and alpha.sum() == len(walk(Z, plain)[1])
        w, alpha = dual(Z, backwards)
        assert np.allclose(w, alpha[::-1] @ Z)  # number k of the order, not example k


@prints("08-voted-perceptron", "fewest_mistakes")
def test_fewest_mistakes_against_a_fine_search():
    fewest = take("08-voted-perceptron", "fewest_mistakes")
    angles = np.linspace(0, 2 * np.pi, 721)
    for seed in range(4):
        rng = np.random.RandomState(seed)
        points, y = rng.randint(0, 5, (9, 2)).astype(float), rng.choice([-1, 1], 9)
        found = min(
            np.min(np.sum(y[:, None] * (points @ [np.cos(a), np.sin(a)])[:, None] <= y[:, None] * c, axis=0))
            for a in angles
            for c in [np.linspace(-9, 9, 181) + 0.013]
        )
        assert fewest(points, y) <= found and fewest(points, y) >= found - 1
    assert fewest(np.array([[0.0, 0], [1, 1]]), np.array([1, -1])) == 0
    assert fewest(np.array([[1.0, 1], [1, 1], [1, 1]]), np.array([1, -1, 1])) == 1


@prints("08-voted-perceptron", "voted_walk", "vote")
def test_the_vote_is_the_packages():
    voted, vote = take("08-voted-perceptron", "voted_walk"), take("08-voted-perceptron", "vote")
    for _, X, y in sets(20, d=3):
        weights, counts = voted(y[:, None] * X, [range(len(y))] * 3)
        theirs = mllib.VotedPerceptron(max_iter=3, shuffle=False, fit_intercept=False).fit(X, y)
        assert counts.sum() == 3 * len(y) and len(weights) == theirs.n_updates_ + 1
        total = vote(weights, counts, X)
        clear = total != 0
        assert np.array_equal(np.where(total > 0, 1, -1)[clear], theirs.predict(X)[clear])


@prints("08-voted-perceptron", "kernel_walk")
def test_kernel_walk_is_the_walk():
    walk = take("08-voted-perceptron", "kernel_walk")
    for _, X, y in sets(15, d=3, seed=4):
        alpha = walk(X @ X.T, y, [range(len(y))] * 4)
        weights, _ = take("08-voted-perceptron", "voted_walk")(y[:, None] * X, [range(len(y))] * 4)
        assert np.allclose((alpha * y) @ X, weights[-1]) and alpha.sum() == len(weights) - 1


@prints("08-voted-perceptron", "published_protocol")
def test_published_protocol_counts_mistakes():
    X, y = np.random.RandomState(0).randint(0, 9, (30, 3)).astype(float), np.arange(30) % 2
    protocol = take("08-voted-perceptron", "published_protocol", X=X, y=y, options={"max_iter": 2})
    for seed in (0, 1):
        model = mllib.VotedPerceptron(max_iter=2, random_state=seed).fit(X, y)
        updates, by_vote, by_mean = protocol(seed)
        assert updates == model.n_updates_ and by_vote == np.sum(model.predict(X) != y) and 0 <= by_mean <= 30


@prints("08-voted-perceptron", "colleagues_walk")
def test_the_colleagues_walk_keeps_one_vector_only():
    Z = np.random.RandomState(0).randn(20, 3)
    weights, counts = take("08-voted-perceptron", "colleagues_walk")(Z, [range(20)] * 3)
    true, true_counts = take("08-voted-perceptron", "voted_walk")(Z, [range(20)] * 3)
    assert (
        np.array_equal(counts, true_counts)
        and np.allclose(weights, true[-1])
        and not np.allclose(true, true[-1])
    )


# 09 and 10


@prints("09-margins", "margin", "margin_of_vector")
def test_margins_do_not_depend_on_the_length_of_w():
    margin, of_vector = take("09-margins", "margin"), take("09-margins", "margin_of_vector")
    for _, X, y in sets(8):
        w, b = np.array([1.0, 2.0]), 0.3 * np.abs(X).max()
        least = margin(X, y, w, b)
        assert all(np.isclose(margin(X, y, t * w, t * b), least) for t in (1e-6, 1e6))
        nearest = X - ((X @ w + b) / (w @ w))[:, None] * w
        assert np.isclose(abs(least) >= 0, True) and np.isclose(
            np.min(np.sign(y * (X @ w + b)) * np.linalg.norm(X - nearest, axis=1)), least
        )
        assert abs(of_vector(X, y, np.r_[w, b])) <= abs(least) + 1e-12  # it divides by the bias, too


@prints("10-duality", "kkt")
def test_kkt_holds_at_the_machine_and_not_beside_it():
    rng = np.random.RandomState(0)
    X, y = rng.randn(20, 2), np.where(np.arange(20) % 2, 1.0, -1.0)
    X += 4 * y[:, None]
    machine = mllib.HardMarginSVC().fit(X, y)
    w, b = machine.coef_[0], machine.intercept_[0]
    alpha = np.zeros(20)
    alpha[machine.support_] = np.abs(machine.dual_coef_[0])
    kkt = take("10-duality", "kkt", X=X, y=y)
    assert set(kkt(w, b, alpha)) == {"0.0000"}
    assert kkt(1.1 * w, b, alpha)[0] != "0.0000" and kkt(0.9 * w, 0.9 * b, alpha)[2] != "0.0000"


@prints("10-soft-margin", "errors_along_path", "cross_validated")
def test_errors_along_path_are_those_of_machines():
    rng = np.random.RandomState(1)
    X, metal = rng.randn(40, 3), (np.arange(40) % 3 == 0).astype(int)
    X[metal == 1] += 0.8
    given = {"echoes": X, "metal": metal, "C_VALUES": np.array([0.01, 1.0, 30.0])}
    errors = take("10-soft-margin", "errors_along_path", **given)
    train, test = np.arange(25), np.arange(25, 40)
    mean, dev = X[train].mean(axis=0), X[train].std(axis=0)
    signs = np.where(metal == 0, 1, -1)
    for C, error in zip(given["C_VALUES"], errors(train, test), strict=True):
        model = mllib.SVC(C=C, kernel="linear", tol=1e-9).fit((X[train] - mean) / dev, signs[train])
        assert np.isclose(np.mean(model.predict((X[test] - mean) / dev) != signs[test]), error)
    cross = take("10-soft-margin", "cross_validated", **given)
    rows = np.arange(30)
    for folds in (2, 5):
        fold = np.arange(30) % folds
        by_hand = np.mean([errors(rows[fold != k], rows[fold == k]) for k in range(folds)], axis=0)
        assert np.allclose(cross(rows, folds), by_hand)


@prints("10-soft-margin", "ascend")
def test_ascend_forgets_the_equality():
    ascend = take("10-soft-margin", "ascend")
    for seed in range(3):
        rng = np.random.RandomState(seed)
        X, y = rng.randn(10, 2) + 1, np.where(np.arange(10) % 3, 1.0, -1.0)
        alpha = ascend(X, y, 1, rate=0.01, steps=20_000)
        Q = np.outer(y, y) * (X @ X.T)
        slope = 1 - Q @ alpha  # at the top of the box without the equality
        assert np.all((slope < 1e-4) | (alpha > 1 - 1e-9)) and np.all((slope > -1e-4) | (alpha < 1e-9))
        assert abs(y @ alpha) > 1e-3


# 11


def problems():
    """(K, y, C) with ties, duplicates, two examples, tiny and huge scales, and C of all sizes."""
    for (kind, X, y), C in product(sets(12), (1e-4, 1.0, 100.0)):
        if kind == "huge":
            C = C * 1e-16
        if kind == "tiny":
            C = C * 1e16
        yield f"{kind} {C:g}", X @ X.T, y, C
    for kind, X, y in sets(12, seed=8):
        if kind in ("plain", "ties", "two"):
            yield f"Gaussian {kind}", RBF(0.5)(X), y, 3.0
    yield "all at one place", np.ones((6, 6)), np.array([1.0, -1, 1, 1, -1, -1]), 2.0
    yield "no length at all", np.zeros((5, 5)), np.array([1.0, -1, 1, 1, -1]), 2.0


def dual_of(K, y, beta):
    return y @ beta - 0.5 * beta @ K @ beta


@prints("11-smo", "best_pair")
def test_best_pair_is_the_best_of_its_segment():
    best_pair = take("11-smo", "best_pair")
    rng = np.random.RandomState(0)
    for name, K, y, C in problems():
        for _ in range(10):
            i, j = rng.choice(len(y), 2, replace=False)
            alpha = C * rng.choice([0, 0.2, 0.7, 1], len(y))
            new = alpha.copy()
            new[i], new[j] = best_pair(K, y, C, alpha, i, j)
            assert np.all((new >= -1e-12 * C) & (new <= C * (1 + 1e-12))), name
            assert np.isclose(y @ new, y @ alpha, atol=1e-9 * C), name
            # along the line alpha_i + y_i t, alpha_j - y_j t
            reach = [C - alpha[i] if y[i] > 0 else alpha[i], alpha[j] if y[j] > 0 else C - alpha[j]]
            back = [alpha[i] if y[i] > 0 else C - alpha[i], C - alpha[j] if y[j] > 0 else alpha[j]]
            t = np.linspace(-min(back), min(reach), 201)
            moved = np.tile(y * alpha, (201, 1))
            moved[:, i] += t
            moved[:, j] -= t
            values = moved @ y - 0.5 * np.einsum("ti,ij,tj->t", moved, K, moved)
            assert dual_of(K, y, y * new) >= values.max() - 1e-9 * np.abs(values).max() - 1e-12 * C, name


@prints("11-smo", "largest")
def test_largest_takes_the_first_of_equals_at_any_scale():
    largest = take("11-smo", "largest")
    for scale in (1e-300, 1e-12, 1.0, 1e12, 1e300):
        assert largest(scale * np.array([0.0, 3 - 1e-15, 3.0, 1.0])) == 1
        assert largest(scale * np.array([0.0, 2.9, 3.0, 1.0])) == 2
        assert largest(scale * np.array([-3.0, -1.0, -1.0 - 1e-15])) == 1
    assert largest(np.array([-np.inf, 0.0, 0.0])) == 1 and largest(np.zeros(3)) == 0


@prints("11-smo", "choose_pair", "simple_smo")
@pytest.mark.parametrize("second_order", [True, False])
@pytest.mark.parametrize("tol", [0.1, 1e-3, 1e-6])
def test_the_printed_solver_ends_and_is_optimal_within_tol(second_order, tol):
    solver = take("11-smo", "simple_smo")
    for name, K, y, C in problems():
        beta, bias = solver(K, y, C, second_order, tol)
        A, B = np.minimum(0, C * y), np.maximum(0, C * y)
        assert np.all((beta >= A) & (beta <= B)) and abs(beta.sum()) <= 1e-9 * C, name
        g = y - K @ beta
        m, M = g[beta < B].max(), g[beta > A].min()
        noise = 1e-12 * (1 + np.max(np.abs(K) @ np.abs(beta)))
        assert m - M <= tol + noise and min(m, M) - noise <= bias <= max(m, M) + noise, name
        theirs = smo.solve(K, y, A, B, tol=tol, working_set="second-order" if second_order else "first-order")
        bound = len(y) * C * (tol + noise) / 2
        assert abs(dual_of(K, y, beta) - theirs.dual) <= bound + 1e-9 * abs(theirs.dual), name


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_printed_solver_ends_where_rounded_gains_were_all_zero(seed):
    """Linear machines on sonar echoes at tol 1e-4, twelve points at 1e-6, raw tumours with a tiny C."""
    from sklearn.datasets import load_breast_cancer

    solver = take("11-smo", "simple_smo")
    Z, labels = take("11-smo", "sonar_draw", echoes=standard_echoes()[0], metal=standard_echoes()[1])(seed)
    beta, _ = solver(Z @ Z.T, labels, 1.0, True, 1e-4)
    best = smo.solve(Z @ Z.T, labels, np.minimum(0, labels), np.maximum(0, labels), tol=1e-4)
    assert abs(dual_of(Z @ Z.T, labels, beta) - best.dual) <= 60 * 1e-4 / 2
    cells, benign = load_breast_cancer(return_X_y=True)
    y = np.where(benign == 1, 1.0, -1.0)[seed::3]
    K = cells[seed::3] @ cells[seed::3].T
    beta, _ = solver(K, y, 1e-4)
    g = y - K @ beta
    assert g[beta < np.maximum(0, 1e-4 * y)].max() - g[beta > np.minimum(0, 1e-4 * y)].min() <= 1.001e-3


def standard_echoes():
    from mllib.datasets import load_sonar

    echoes, metal = load_sonar(return_X_y=True)
    return (echoes - echoes.mean(axis=0)) / echoes.std(axis=0), metal


def test_the_printed_solver_says_when_it_gives_up():
    rng = np.random.RandomState(0)
    X, y = 1e4 * rng.randn(12, 2), np.where(np.arange(12) % 2, 1.0, -1.0)
    with pytest.raises(RuntimeError, match="after 50 steps"):
        take("11-smo", "simple_smo")(X @ X.T, y, 100.0, max_steps=50)


@pytest.mark.parametrize("tol", [0.1, 1e-6])
def test_the_solver_of_lab_11_ends_on_ties_duplicates_and_all_scales(tol):
    solver = take("labs/source/11-smo", "smo")
    for name, K, y, C in problems():
        alpha, steps = solver(K, y, C, tol)
        theirs = smo.solve(
            K, y, np.minimum(0, C * y), np.maximum(0, C * y), tol=tol, working_set="first-order"
        )
        noise = 1e-12 * (1 + np.max(np.abs(K) @ alpha))
        bound = len(y) * C * (tol + noise) / 2 + 1e-9 * abs(theirs.dual)
        assert steps < 20_000 and abs(dual_of(K, y, y * alpha) - theirs.dual) <= bound, name


@prints("11-smo", "cached_smo")
def test_the_cache_of_the_exercise_goes_stale():
    """In the box, the equality kept, and yet D falls; where nothing reaches a limit all is well."""
    cached = take("11-smo", "cached_smo")
    falls = 0
    for _, X, y in sets(14):
        size = np.abs(X).max()
        K, C = X @ X.T / size**2, 10.0
        values, beta = cached(K, y, C)
        assert np.all((beta * y >= -1e-9) & (beta * y <= C + 1e-9)) and abs(beta.sum()) < 1e-9
        assert np.isclose(values[-1], dual_of(K, y, beta))
        falls += np.any(np.diff(values) < -1e-9)
    assert falls >= 2
    X, y = np.random.RandomState(1).randn(2, 2), np.array([1.0, -1.0])
    assert np.all(np.diff(cached(X @ X.T, y, 1e9)[0]) >= -1e-9)


@prints("more/11-coordinate-ascent", "coordinate_ascent")
@pytest.mark.parametrize("order", ["round robin", "at random", "greedy"])
def test_coordinate_ascent_reaches_the_top_of_the_box(order):
    ascent = take("more/11-coordinate-ascent", "coordinate_ascent")
    for kind, X, y in sets(8, d=3):
        scale = np.abs(X).max() ** 2
        Q, C = np.outer(y, y) * (X @ X.T), 0.5 / scale
        if kind == "ties":
            Q[2] = Q[:, 2] = 0  # an example at the origin
        values = ascent(Q, C, order, 4000, np.random.RandomState(0))
        assert np.all(np.diff(values) >= -1e-12 * abs(values[-1]))
        found = minimize(
            lambda a, Q=Q / scale: 0.5 * a @ Q @ a - a.sum(),
            np.zeros(len(y)),
            jac=lambda a, Q=Q / scale: Q @ a - 1,
            bounds=[(0, 0.5)] * len(y),
            options={"ftol": 1e-14, "gtol": 1e-9},
        )
        assert np.isclose(values[-1] * scale, -found.fun, rtol=1e-5), (kind, order)


# 12 and 13


@prints("12-kernels", "nearest_mean")
def test_nearest_mean_with_the_linear_kernel():
    nearest = take("12-kernels", "nearest_mean")
    for kind, X, y in sets(9):
        plus, minus = X[y == 1].mean(axis=0), X[y == -1].mean(axis=0)
        by_hand = (((X - minus) ** 2).sum(axis=1) - ((X - plus) ** 2).sum(axis=1)) / 2
        assert np.allclose(nearest(Linear(), X, y, X), by_hand, atol=1e-9 * (X**2).max()), kind
        assert np.all(np.isfinite(nearest(RBF(0.3), X, y, X)))


@prints("13-pegasos", "sgd")
def test_sgd_with_given_steps():
    sgd = take("13-pegasos", "sgd")
    for _, X, y in sets(10):
        X = X / np.abs(X).max()
        draws, steps = np.random.RandomState(0).randint(len(y), size=50), 0.1 / (1 + np.arange(50))
        w, b = sgd(X, y, 0.3, draws, steps)
        v, c = np.zeros(2), 0.0
        for i, eta in zip(draws, steps, strict=True):
            loss = y[i] * (v @ X[i] + c) < 1
            v, c = (1 - 0.3 * eta) * v + eta * loss * y[i] * X[i], c + eta * loss * y[i]
        assert np.allclose(w, v) and np.isclose(b, c)


@prints("13-pegasos", "pegasos")
@pytest.mark.parametrize("k", [1, 3])
def test_pegasos_stays_in_the_ball_and_below_its_bound(k):
    pegasos, lam = take("13-pegasos", "pegasos"), 0.1
    for kind, X, y in sets(12, seed=1):
        batches = np.random.RandomState(0).randint(len(y), size=(400, k))
        path = pegasos(X, y, lam, batches)
        assert path.shape == (401, 2) and np.all(np.linalg.norm(path, axis=1) <= (1 + 1e-9) / np.sqrt(lam)), (
            kind
        )

        def f(w, X=X, y=y):
            return lam / 2 * w @ w + np.maximum(0, 1 - y * (X @ w)).mean()

        exact = TheirLinearSVC(
            C=1 / (lam * len(y)), loss="hinge", fit_intercept=False, tol=1e-9, max_iter=10**6
        )
        if kind in ("plain", "few", "two"):
            best = f(exact.fit(X, y).coef_[0])
            G = np.sqrt(lam) + np.linalg.norm(X, axis=1).max()
            mean = np.mean([f(w) for w in path[:-1]])
            assert best - 1e-9 <= mean <= best + G**2 * (1 + np.log(400)) / (2 * lam * 400) * 3


@prints("13-pegasos", "pegasos_of_a_colleague")
def test_the_colleague_divides_by_the_wrong_number():
    pegasos, colleague = take("13-pegasos", "pegasos"), take("13-pegasos", "pegasos_of_a_colleague")
    X, y = np.random.RandomState(0).randn(30, 2), np.where(np.arange(30) % 2, 1.0, -1.0)
    one = np.random.RandomState(1).randint(30, size=(100, 1))
    assert np.allclose(pegasos(X, y, 0.1, one), colleague(X, y, 0.1, one))  # nothing to see with one example
    five = np.random.RandomState(1).randint(30, size=(100, 5))
    assert not np.allclose(pegasos(X, y, 0.1, five), colleague(X, y, 0.1, five))


@prints("more/13-dual-descent", "dual_descent")
def test_dual_descent_closes_the_gap():
    descent = take("more/13-dual-descent", "dual_descent")
    for kind, X, y in sets(10, d=3):
        size = np.abs(X).max()
        X = X if kind == "ties" else X
        X = X + (np.all(X == 0, axis=1)[:, None] * size)  # the page's sum needs examples that are not zero
        C = 0.5 / size**2
        *_, (alpha, w) = descent(X, y, C, 3000, np.random.RandomState(0))
        assert np.all((alpha >= 0) & (alpha <= C)) and np.allclose(w, (alpha * y) @ X)
        P = w @ w / 2 + C * np.maximum(0, 1 - y * (X @ w)).sum()
        D = alpha.sum() - w @ w / 2
        assert -1e-12 * P <= P - D <= 1e-3 * P, kind


@prints("more/13-dual-descent", "kernel_pegasos")
def test_kernel_pegasos_is_pegasos_without_projection():
    for _, X, y in sets(10, seed=5):
        draws, lam = np.random.RandomState(0).randint(len(y), size=80), 0.2
        counts = take("more/13-dual-descent", "kernel_pegasos")(X @ X.T, y, lam, draws)
        w = np.zeros(2)
        seen = np.zeros(len(y))
        for t, i in enumerate(draws, start=1):
            seen[i] += y[i] * (w @ X[i]) <= 1
            w = (seen * y) @ X / (lam * t)
        assert np.array_equal(counts, seen)


# 14 and 15


def three_classes(n=30, seed=0):
    rng = np.random.RandomState(seed)
    y = np.arange(n) % 3
    return rng.randn(n, 2) + 2 * np.array([[0, 0], [2, 0], [0, 2]])[y], y


@prints("14-many-classes", "fit_rest", "scores_of_rest", "fit_pairs", "votes_of_pairs")
@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_reductions_are_the_packages(scale):
    X, y = three_classes()
    X, learner = scale * X, LogisticRegression(C=1 / scale**2)
    page = {name: take("14-many-classes", name) for name in ("fit_rest", "scores_of_rest", "fit_pairs")}
    scores = page["scores_of_rest"](page["fit_rest"](learner, X, y, 3), X)
    theirs = mllib.OneVsRestClassifier(learner).fit(X, y)
    assert scores.shape == (30, 3) and np.array_equal(scores.argmax(axis=1), theirs.predict(X))
    pairs = page["fit_pairs"](learner, X, y, 3)
    votes = take("14-many-classes", "votes_of_pairs")(pairs, X, 3)
    assert set(pairs) == {(0, 1), (0, 2), (1, 2)} and np.all(votes.sum(axis=1) == 3)
    theirs, clear = mllib.OneVsOneClassifier(learner).fit(X, y).predict(X), votes.max(axis=1) == 2
    assert np.array_equal(votes.argmax(axis=1)[clear], theirs[clear])


@prints("14-many-classes", "confusion_matrix")
def test_confusion_matrix_counts():
    confusion = take("14-many-classes", "confusion_matrix")
    truth, answers = np.array([0, 0, 1, 3, 3, 3]), np.array([0, 0, 3, 1, 1, 3])
    M = confusion(truth, answers, 4)
    assert M.sum() == 6 and all(
        M[j, k] == np.sum((truth == j) & (answers == k)) for j, k in product(range(4), repeat=2)
    )
    assert confusion(np.array([], int), np.array([], int), 2).tolist() == [[0, 0], [0, 0]]


@prints("14-many-classes", "fit_code", "words_of_code", "decode")
def test_codes_decode_to_the_nearest_word():
    decode = take("14-many-classes", "decode")
    rng = np.random.RandomState(0)
    code, words = rng.choice([-1, 1], (5, 9)), rng.choice([-1, 1], (40, 9))
    distances = np.array([[np.sum(w != c) for c in code] for w in words])
    assert np.array_equal(decode(words, code), distances.argmin(axis=1))  # the first of equals
    X, y = three_classes()
    rest = np.array([[1, -1, -1], [-1, 1, -1], [-1, -1, 1]])
    models = take("14-many-classes", "fit_code")(LogisticRegression(), X, y, rest)
    spoken = take("14-many-classes", "words_of_code")(models, X)
    own = take("14-many-classes", "scores_of_rest")(
        take("14-many-classes", "fit_rest")(LogisticRegression(), X, y, 3), X
    )
    assert np.array_equal(spoken, np.where(own > 0, 1, -1))


@prints("14-many-classes", "first_claim")
def test_the_first_that_says_yes_is_the_mistake():
    class Says:
        def __init__(self, answers):
            self.answers = np.array(answers)

        def predict(self, X):
            return self.answers

    claim = take("14-many-classes", "first_claim")
    assert claim([Says([1, -1, -1]), Says([1, 1, -1])], None).tolist() == [
        0,
        1,
        0,
    ]  # nobody says yes: class 0


@prints("15-svr", "tuned")
def test_tuned_searches_the_grid():
    from sklearn.svm import SVR

    x = np.linspace(0, 3, 40)[:, None]
    search = take("15-svr", "tuned")(SVR(), {"C": [0.1, 10.0], "epsilon": [0.01]}).fit(
        x, 1000 * np.sin(3 * x[:, 0])
    )
    assert search.best_params_ == {"regressor__svr__C": 10.0, "regressor__svr__epsilon": 0.01}
    assert np.mean(np.abs(search.predict(x) - 1000 * np.sin(3 * x[:, 0]))) < 150


@prints("15-svr", "expansion", "predict_from")
def test_the_expansion_of_the_exercise_loses_negative_coefficients():
    rng = np.random.RandomState(0)
    X = rng.randn(20, 1)
    machine = mllib.SVR(kernel="rbf", gamma=0.5, C=5).fit(X, X[:, 0] ** 2)
    beta = np.zeros(20)
    beta[machine.support_] = machine.dual_coef_[0]
    given = {"beta": beta, "X": X, "machine": machine, "bell": RBF(0.5)}
    predict, expansion = take("15-svr", "predict_from", **given), take("15-svr", "expansion")
    assert np.all(expansion(beta, X)[1] > 0) and not np.allclose(
        predict(expansion, X), machine.predict(X), atol=0.1
    )
    both = predict(lambda beta, X: (X[beta != 0], beta[beta != 0]), X)
    assert np.allclose(both, machine.predict(X))


# second readings


@prints("more/02-bias-variance", "by_bootstrap")
def test_by_bootstrap_of_a_constant_has_no_variance():
    from sklearn.dummy import DummyRegressor

    by = take("more/02-bias-variance", "by_bootstrap")
    for n in (2, 3, 30):
        y = np.arange(n, dtype=float)
        bias, variance = by(DummyRegressor(strategy="constant", constant=1.0), np.zeros((n, 1)), y, 40)
        assert np.allclose(variance, 0) and set(bias) <= set(y - 1) and len(bias) == n
    bias, variance = by(DummyRegressor(), np.zeros((30, 1)), y, 400)
    assert np.allclose(variance, np.var(y) / 30, rtol=0.5)  # a mean of 30 draws


@prints("more/03-growing", "all_questions")
def test_all_questions_by_hand():
    questions = take("more/03-growing", "all_questions")
    for _, X, y in sets(10):
        x, target = X[:, 0], (y > 0).astype(float)
        thresholds, gains = questions(x, target)
        assert len(thresholds) == len(np.unique(x)) - 1
        for threshold, gain in zip(thresholds, gains, strict=True):
            parts = target[x <= threshold], target[x > threshold]
            by_hand = len(y) * np.var(target) - sum(len(p) * np.var(p) for p in parts)
            assert np.isclose(gain / len(y), by_hand) or np.isclose(gain, by_hand), (
                "the sum of squares gained"
            )


@prints("more/03-growing", "grow")
def test_grow_fits_what_can_be_fitted():
    grow = take("more/03-growing", "grow")

    def answer(tree, x):
        while isinstance(tree, tuple):
            j, threshold, yes, no = tree
            tree = yes if x[j] <= threshold else no
        return tree

    for _, X, y in sets(16, seed=6):
        target, tree = (y > 0).astype(float), grow(X, (y > 0).astype(float))
        for x in X:
            same = np.all(x == X, axis=1)
            assert np.isclose(answer(tree, x), target[same].mean())
    assert grow(np.zeros((3, 1)), np.array([0.0, 1, 1])) == pytest.approx(2 / 3)


@prints("more/07-descent", "subgradient")
def test_subgradient_lies_below():
    for Z in separable():
        Z = np.vstack([Z, -Z[:1]])
        slope = take("more/07-descent", "subgradient", Z=Z)
        size = np.abs(Z).max()

        def J(w, Z=Z):
            return np.maximum(0, -(Z @ w)).mean()

        rng = np.random.RandomState(0)
        for w, v in rng.randn(50, 2, 3):
            assert J(v) - J(w) - slope(w) @ (v - w) >= -1e-9 * size
        assert np.allclose(slope(np.zeros(3)), -Z.mean(axis=0))


@prints("more/08-new-data", "weighted_majority")
@pytest.mark.parametrize("beta", [0.0, 0.5, 0.99])
def test_weighted_majority_keeps_its_bound(beta):
    majority = take("more/08-new-data", "weighted_majority")
    for days, experts in [(1, 1), (3, 2), (200, 7), (5000, 3)]:
        rng = np.random.RandomState(days)
        advice, truth = rng.choice([-1, 1], (days, experts)), rng.choice([-1, 1], days)
        if beta == 0:
            advice[:, 0] = truth  # or all weights are zero after a while
        mistakes = majority(advice, truth, beta)
        best = np.min(np.sum(advice != truth[:, None], axis=0))
        if beta:
            bound = (best * np.log(1 / beta) + np.log(experts)) / np.log(2 / (1 + beta))
        else:
            bound = np.log2(experts)
        assert mistakes <= bound + 1e-9


@prints("more/10-leave-one-out", "wrong_when_left_out")
def test_wrong_when_left_out_is_cross_validation():
    rng = np.random.RandomState(0)
    Z, y = rng.randn(14, 2), np.where(np.arange(14) % 2, 1, -1)
    Z += 0.5 * y[:, None]
    page = take("more/10-leave-one-out", "wrong_when_left_out", y=y, Z=Z, everybody=np.arange(14))
    try:
        wrong = page(0.7)
    except IndexError:
        pytest.fail("written for a hundred flowers only")
    for i in range(14):
        machine = mllib.SVC(kernel="linear", C=0.7, tol=1e-8).fit(np.delete(Z, i, 0), np.delete(y, i))
        assert wrong[i] == (machine.predict(Z[[i]])[0] != y[i])


@prints("more/10-leave-one-out", "without_bias", "replaced")
def test_without_bias_is_optimal_and_stable():
    rng = np.random.RandomState(0)
    Z, y = rng.randn(100, 2), np.where(np.arange(100) % 2, 1, -1)
    Z += 0.6 * y[:, None]
    without = take("more/10-leave-one-out", "without_bias")
    w = without(Z, y, 0.01)

    def P(w):
        return w @ w / 2 + 0.01 * np.maximum(0, 1 - y * (Z @ w)).sum()

    assert all(P(w) <= P(w + 0.01 * step) + 1e-9 for step in rng.randn(30, 2))
    page = take("more/10-leave-one-out", "replaced", Z=Z, y=y, rng=np.random.RandomState(1))
    longest = np.linalg.norm(Z, axis=1).max()
    assert np.linalg.norm(page(5, 0.01) - w) <= 2 * 0.01 * longest + 1e-6


@prints("more/10-path", "elbow_equations")
def test_elbow_equations_hold_on_another_path():
    rng = np.random.RandomState(2)
    X, y = rng.randn(20, 2), np.where(np.arange(20) % 2, 1, -1)
    path = mllib.svm_path(X, y, kernel="linear")
    equations = take("more/10-path", "elbow_equations", X=X, y=y, path=path)
    assert max(equations(C) for C in np.geomspace(0.01, 10, 30)) < 1e-6


@prints("more/12-fisher", "fisher")
def test_fisher_does_not_depend_on_the_coordinates():
    fisher = take("more/12-fisher", "fisher")
    rng = np.random.RandomState(0)
    for n, d in [(3, 1), (20, 4)]:
        U, A = rng.randn(n, d), rng.randn(d, d)
        assert np.allclose(fisher(U), fisher(U @ A)) and np.isclose(np.trace(fisher(U)), n * d)


@prints("more/12-ridge", "solve_without_bias")
@pytest.mark.parametrize("fixed", [None, 3])
def test_solve_without_bias_is_optimal(fixed):
    solve = take("more/12-ridge", "solve_without_bias")
    for kind, X, y in sets(8, seed=7):
        for K, C in [(RBF(0.5)(X), 2.0), (X @ X.T, 1 / np.abs(X).max() ** 2)]:
            Q = np.outer(y, y) * K
            still = None if fixed is None or len(y) <= fixed else fixed
            cold = solve(Q, C, still)
            for alpha in (cold, solve(Q, C, still, start=cold), solve(Q, C, still, start=np.full(len(y), C))):
                slope, free = 1 - Q @ alpha, np.arange(len(y)) != (-1 if still is None else still)
                assert np.all(slope[free & (alpha < C)] <= 1e-5), kind
                assert np.all(slope[free & (alpha > 0)] >= -1e-5), kind
                assert still is None or alpha[still] == 0


@prints("more/12-strings", "subsequences")
@pytest.mark.parametrize("decay", [0.5, 1.0])
def test_subsequences_are_those_of_the_package(decay):
    page = take("more/12-strings", "subsequences")
    for x, z in [("aaaa", "aaa"), ("ab", "ba"), ("abcab", "cabba"), ("a", "b")]:
        for length in (1, 2, 3):
            left, right = page(x, length, decay), page(z, length, decay)
            direct = sum(left[part] * right.get(part, 0) for part in left)
            assert np.isclose(direct, Subsequence(length, decay=decay)([x], [z])[0, 0])
    assert Spectrum(1)(["ab"], ["ab"])[0, 0] == sum(v**2 for v in page("ab", 1, 1.0).values())


def every_labelling(u, T):
    return {z: chain_score(u, T, z) for z in product(range(u.shape[1]), repeat=len(u))}


def chains():
    rng = np.random.RandomState(0)
    for L, K, scale in product((1, 2, 5), (1, 3), (1e-8, 1.0, 1e3)):
        yield scale * rng.randn(L, K), scale * rng.randn(K, K)
        yield scale * rng.randint(0, 2, (L, K)).astype(float), scale * rng.randint(0, 2, (K, K)).astype(float)


@prints("more/14-chains", "best_labelling")
def test_best_labelling_is_the_best():
    for u, T in chains():
        labels, score = take("more/14-chains", "best_labelling")(u, T)
        assert np.isclose(score, max(every_labelling(u, T).values())) and np.isclose(
            chain_score(u, T, labels), score
        )


@prints("more/14-chains", "structured_hinge")
def test_structured_hinge_is_the_worst_margin():
    hinge = take("more/14-chains", "structured_hinge")
    for u, T in chains():
        truth = np.zeros(len(u), int)
        own = chain_score(u, T, truth)
        worst = max(v + sum(c != 0 for c in z) - own for z, v in every_labelling(u, T).items())
        assert np.isclose(hinge(u, T, truth), worst) and hinge(u, T, truth) >= -1e-9
        assert np.isclose(hinge(u, T, truth), viterbi(loss_augmented(u, truth), T)[1] - own)


@prints("more/14-chains", "short_cut")
def test_the_short_cut_misses_the_best():
    short, missed = take("more/14-chains", "short_cut"), 0
    for u, T in chains():
        labels, score = short(u, T)
        assert np.isclose(score, viterbi(u, T)[1])  # the value is right, the labels are not its labels
        missed += chain_score(u, T, labels) < score - 1e-9 * abs(score)
    assert missed > 0


@prints("more/14-probabilities", "log_sum", "marginals")
def test_marginals_by_all_labellings():
    log_sum = take("more/14-probabilities", "log_sum")
    a = np.array([[1000.0, 1000.0], [-1000.0, 0.0]])
    assert np.allclose(log_sum(a, axis=1), [1000 + np.log(2), 0])
    assert np.allclose(log_sum(a, axis=0), [1000.0, 1000.0])
    for u, T in chains():
        if np.abs(u).max() > 100:
            continue
        log_Z, single, pairs = take("more/14-probabilities", "marginals")(u, T)
        everything = every_labelling(u, T)
        values = np.array(list(everything.values()))
        chance = np.exp(values - values.max())
        assert np.isclose(log_Z, values.max() + np.log(chance.sum()))
        chance /= chance.sum()
        K = u.shape[1]
        want, moves = np.zeros_like(u), np.zeros((K, K))
        for p, z in zip(chance, everything, strict=True):
            for place, k in enumerate(z):
                want[place, k] += p
            for j, k in zip(z[:-1], z[1:], strict=True):
                moves[j, k] += p
        assert np.allclose(single, want) and np.allclose(pairs, moves)
