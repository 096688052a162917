"""Chains: certificates of the descent, brute force, and the multiclass machine as the chain of length 1."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn import svm
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning

from mllib import ChainMarkovNetwork
from mllib.datasets import load_ocr_words
from mllib.structured import chain_score, loss_augmented, viterbi
from tests.mllib.compiler import with_and_without

# Frank-Wolfe is slow to the last digits; where a test is not about the end of the descent, it may be cut off.
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def random_chains(n=12, d=3, K=3, seed=0, noise=0.5):
    """A label follows the one before by one (modulo K) or stays; its input is noisy."""
    rng = np.random.RandomState(seed)
    X, y = [], []
    for _ in range(n):
        labels = [rng.randint(K)]
        for _ in range(rng.randint(0, 4)):
            labels.append((labels[-1] + (rng.uniform() < 0.8)) % K)
        y.append(np.array(labels))
        X.append(np.eye(K, d)[labels] + noise * rng.randn(len(labels), d))
    return X, y


def objective(W, T, X, y, C):
    """The primal, its hinge by listing all labellings."""
    K, hinge = len(T), 0.0
    for x, truth in zip(X, y, strict=True):
        unary, own = x @ W, chain_score(x @ W, T, truth)
        hinge += (
            max(
                chain_score(unary, T, z) + np.sum(np.array(z) != truth)
                for z in product(range(K), repeat=len(x))
            )
            - own
        )
    return 0.5 * (np.sum(W**2) + np.sum(T**2)) + C * hinge


@pytest.mark.parametrize("average", [False, True])
@pytest.mark.parametrize("C", [0.01, 1.0, 20.0])
def test_the_certificate_is_true(C, average):
    """The objective is that of the brute force, and a general optimiser never gets below objective - gap."""
    X, y = random_chains()
    X1 = [np.column_stack([x, np.ones(len(x))]) for x in X]
    model = ChainMarkovNetwork(C, max_iter=300, average=average, random_state=0).fit(X, y)
    W, T = np.vstack([model.coef_.T, model.intercept_]), model.transitions_
    P = objective(W, T, X1, y, C)
    np.testing.assert_allclose(model.objective_, P, rtol=1e-10)
    assert model.dual_gap_ >= -1e-12 and (C > 1 or model.dual_gap_ <= 0.01 * P)  # not there yet for C = 20
    rng = np.random.RandomState(0)
    at = np.concatenate([W.ravel(), T.ravel()])
    for _ in range(50):  # P is convex, so probing nearby tells much
        near = at + rng.randn(len(at)) * 10 ** rng.uniform(-4, 0)
        value = objective(near[: W.size].reshape(W.shape), near[W.size :].reshape(T.shape), X1, y, C)
        assert value >= P - model.dual_gap_ - 1e-12


def test_weights_are_those_of_the_quadratic_program():
    """All constraints of all labellings written out, solved by a general method."""
    X, y = random_chains(n=5, d=2, K=2)
    C, K, d = 0.7, 2, 2
    rows, losses = [], []
    for x, truth in zip(X, y, strict=True):
        own = features(x, truth, K)
        block = [
            (own - features(x, np.array(z), K), np.sum(np.array(z) != truth))
            for z in product(range(K), repeat=len(x))
        ]
        rows.append(np.array([b[0] for b in block]))
        losses.append(np.array([b[1] for b in block], dtype=float))
    m = d * K + K * K
    result = minimize(
        lambda v: 0.5 * v[:m] @ v[:m] + C * v[m:].sum(),
        np.concatenate([np.zeros(m), [5.0] * len(X)]),
        jac=lambda v: np.concatenate([v[:m], np.full(len(X), C)]),
        constraints=[
            {"type": "ineq", "fun": lambda v, A=A, b=b, i=i: A @ v[:m] + v[m + i] - b}
            for i, (A, b) in enumerate(zip(rows, losses, strict=True))
        ],
        method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-12},
    )
    assert result.success
    model = ChainMarkovNetwork(
        C, fit_intercept=False, max_iter=20_000, tol=2e-5, gap_every=50, random_state=0
    )
    model.fit(X, y)
    np.testing.assert_allclose(model.objective_, result.fun, rtol=2e-5)
    found = np.concatenate([model.coef_.T.ravel(), model.transitions_.ravel()])
    assert np.linalg.norm(found - result.x[:m]) <= np.sqrt(2 * model.dual_gap_) + 1e-4


def features(x, labels, K):
    W, T = np.zeros((x.shape[1], K)), np.zeros((K, K))
    for p, k in enumerate(labels):
        W[:, k] += x[p]
        if p:
            T[labels[p - 1], k] += 1
    return np.concatenate([W.ravel(), T.ravel()])


def test_the_dual_climbs_and_the_gap_closes():
    X, y = random_chains(40)
    model = ChainMarkovNetwork(gap_every=1, max_iter=400, tol=2e-3, random_state=0).fit(X, y)
    h = model.history_
    assert np.all(np.diff(h.dual) >= -1e-12) and np.all(h.gap >= -1e-12)
    np.testing.assert_allclose(h.primal - h.dual, h.gap)
    assert h.gap[-1] <= 2e-3 * h.primal[-1] and model.n_iter_ == h.passes[-1] == len(h)


def test_chains_of_one_place_are_the_machine_of_crammer_and_singer():
    X, y = load_iris(return_X_y=True)
    C = 0.05
    ours = ChainMarkovNetwork(C, fit_intercept=False, max_iter=5000, tol=1e-4, gap_every=20, random_state=0)
    ours.fit(X, y)
    peer = svm.LinearSVC(C=C, multi_class="crammer_singer", fit_intercept=False, tol=1e-6, max_iter=10**6)
    peer.fit(X, y)
    theirs = objective(peer.coef_.T, np.zeros((3, 3)), X[:, None, :], y[:, None], C)
    np.testing.assert_allclose(ours.objective_, theirs, rtol=2e-4)
    np.testing.assert_allclose(ours.coef_, peer.coef_, atol=np.sqrt(2 * ours.dual_gap_) + 1e-3)
    assert not ours.transitions_.any()
    as_list = ChainMarkovNetwork(
        C, fit_intercept=False, max_iter=5000, tol=1e-4, gap_every=20, random_state=0
    )
    as_list.fit(list(X[:, None, :]), list(y[:, None]))
    np.testing.assert_array_equal(ours.coef_, as_list.coef_)
    np.testing.assert_array_equal(ours.predict(X), np.concatenate(as_list.predict(list(X[:, None, :]))))


def test_neighbours_help():
    """Inputs that say little, labels that follow a rule: alone at chance level, together nearly right."""
    X, y = random_chains(200, noise=1.2, seed=1)
    fresh = random_chains(200, noise=1.2, seed=2)
    chains = ChainMarkovNetwork(0.1, random_state=0, tol=0.02, max_iter=100).fit(X, y)
    alone = ChainMarkovNetwork(0.1, random_state=0, tol=0.02, max_iter=100).fit(
        np.vstack(X), np.concatenate(y)
    )
    assert chains.score(*fresh) > alone.score(np.vstack(fresh[0]), np.concatenate(fresh[1])) + 0.03
    moves = chains.transitions_
    assert all(moves[k, (k + 1) % 3] == moves[k].max() for k in range(3))


def test_letters_of_words():
    """OCR letters, one fold of ten to train on: about 20 % errors, against 30 % without neighbours."""
    ocr = load_ocr_words()
    words = [slice(a, b) for a, b in zip(ocr.starts[:-1], ocr.starts[1:], strict=True)]
    X, y = [ocr.data[w].astype(float) for w in words], [ocr.target[w] for w in words]
    train = [i for i in range(len(words)) if ocr.folds[i] == 0]
    test = [i for i in range(len(words)) if ocr.folds[i] == 1]
    model = ChainMarkovNetwork(0.1, max_iter=10, average=True, random_state=0)
    model.fit([X[i] for i in train], [y[i] for i in train])
    error = 1 - model.score([X[i] for i in test], [y[i] for i in test])
    assert abs(error - 0.20) < 0.02
    assert model.dual_gap_ < 0.5 * model.objective_


def test_predictions_are_viterbi_on_unary_scores():
    X, y = random_chains(20)
    names = [np.array(["noun", "verb", "other"])[labels] for labels in y]
    model = ChainMarkovNetwork(random_state=0).fit(X, names)
    assert model.classes_.tolist() == ["noun", "other", "verb"]
    for chain, unary, answer in zip(X, model.unary_scores(X), model.predict(X), strict=True):
        np.testing.assert_allclose(unary, chain @ model.coef_.T + model.intercept_)
        np.testing.assert_array_equal(answer, model.classes_[viterbi(unary, model.transitions_)[0]])
    right = sum(np.sum(a == b) for a, b in zip(model.predict(X), names, strict=True))
    assert model.score(X, names) == right / sum(map(len, names))
    one, two = (ChainMarkovNetwork(random_state=5).fit(X, names).coef_ for _ in range(2))
    np.testing.assert_array_equal(one, two)


def test_the_limit_is_told():
    X, y = random_chains(40)
    with pytest.warns(ConvergenceWarning, match=r"may be .* above the minimum after 1 passes \(max_iter\)"):
        ChainMarkovNetwork(max_iter=1, tol=1e-9).fit(X, y)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"C": 0}, "'C' parameter of ChainMarkovNetwork"),
        ({"max_iter": 0}, "'max_iter' parameter"),
        ({"gap_every": 0}, "'gap_every' parameter"),
        ({"tol": -1}, "'tol' parameter"),
    ],
)
def test_bad_parameters(change, message):
    with pytest.raises(ValueError, match=message):
        ChainMarkovNetwork(**change).fit(*random_chains())


def test_bad_data():
    X, y = random_chains()
    with pytest.raises(ValueError, match="lists of chains of the same lengths"):
        ChainMarkovNetwork().fit(X, y[:-1])
    with pytest.raises(ValueError, match="lists of chains of the same lengths"):
        ChainMarkovNetwork().fit(X, [labels[:1] for labels in y])
    with pytest.raises(ValueError, match="NaN"):
        ChainMarkovNetwork().fit([np.full((2, 3), np.nan), *X[1:]], [y[0][:1].repeat(2), *y[1:]])
    with pytest.raises(ValueError, match="only one class"):
        ChainMarkovNetwork().fit(X, [np.zeros(len(x)) for x in X])
    with pytest.raises(ValueError, match="lists of chains of the same lengths"):
        ChainMarkovNetwork().fit(X, np.arange(len(X)))  # labels of chains, not of places
    with pytest.raises(ValueError, match=r"chain 1 has shape \(0, 3\)"):
        ChainMarkovNetwork().fit([np.eye(3), np.empty((0, 3))], [[0, 1, 2], []])
    with pytest.raises(ValueError, match=r"3 columns like the first; chain 1 has shape \(2, 2\)"):
        ChainMarkovNetwork().fit([np.eye(3), np.eye(2)], [[0, 1, 2], [0, 1]])
    with pytest.raises(ValueError, match="not a generator"):
        ChainMarkovNetwork().fit((x for x in X), y)
    with pytest.raises(ValueError, match="X is empty"):
        ChainMarkovNetwork().fit(X, y).predict([])
    with pytest.raises(ValueError, match="features"):
        ChainMarkovNetwork().fit(X, y).predict([np.ones((2, 7))])
    with pytest.raises(ValueError, match=r"unary must have shape \(L, K\)"):
        viterbi([1.0, 2.0], [[0.0]])
    with pytest.raises(ValueError, match="transitions"):
        viterbi([[1.0, 2.0]], [[0.0]])
    assert loss_augmented([[0.0, 0.0]], [1]).tolist() == [[1.0, 0.0]]


RUN = """
import numpy as np
from mllib import ChainMarkovNetwork
rng = np.random.RandomState(0)
y = [rng.randint(0, 3, size=k) for k in (1, 2, 3, 4, 5)]
X = [np.eye(3)[labels] + 0.3 * rng.randn(len(labels), 3) for labels in y]
model = ChainMarkovNetwork(tol=0.05, random_state=0).fit(X, y)
print([float(v).hex() for v in model.coef_.ravel()], [labels.tolist() for labels in model.predict(X)])
"""


def test_the_compiler_changes_nothing():
    said = with_and_without(RUN)
    assert said[0] == said[1]


def test_score_wants_a_label_for_each_place():
    chains, labels = [np.eye(2), np.eye(2)[[1]]], [[0, 1], [1]]
    machine = ChainMarkovNetwork(C=10.0).fit(chains, labels)
    assert machine.score(chains, labels) == 1.0
    for wrong in ([[0], [1, 1]], [[0, 1]]):
        with pytest.raises(ValueError, match="one label for each place"):
            machine.score(chains, wrong)
