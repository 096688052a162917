"""Many classes from two: scikit-learn's wrappers as oracles, votes counted by hand, members of all kinds."""

import ast
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from sklearn import multiclass as peer
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_digits, load_iris, make_blobs
from sklearn.exceptions import NotFittedError
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler, scale
from sklearn.tree import DecisionTreeClassifier

import mllib
from mllib import SVC, KernelPerceptron, LinearSVC, OneVsOneClassifier, OneVsRestClassifier, VotedPerceptron
from mllib.kernels import Spectrum

PAIRS = [
    (OneVsRestClassifier, peer.OneVsRestClassifier),
    (OneVsOneClassifier, peer.OneVsOneClassifier),
]


@pytest.fixture
def digits():
    X, y = load_digits(return_X_y=True)
    return X[:500] / 16, np.array(list("abcdefghij"))[y[:500]]


def scaled_iris():
    X, y = load_iris(return_X_y=True)
    return scale(X), y


class OnlyPredicts(ClassifierMixin, BaseEstimator):
    """A member that gives no scores: which of two means is nearer."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.means_ = np.array([X[y == c].mean(axis=0) for c in self.classes_])
        return self

    def predict(self, X):
        return self.classes_[((X[:, None] - self.means_) ** 2).sum(axis=2).argmin(axis=1)]


@pytest.mark.parametrize(("Ours", "Peer"), PAIRS)
def test_equal_to_scikit_learns_wrapper(Ours, Peer, digits):
    X, y = digits
    member = LinearSVC(random_state=0)
    for few in (X, sparse.csr_array(X)):
        ours, theirs = Ours(member).fit(few, y), Peer(member).fit(few, y)
        np.testing.assert_allclose(ours.decision_function(few), theirs.decision_function(few), atol=1e-12)
        np.testing.assert_array_equal(ours.predict(few), theirs.predict(few))
    two = np.isin(y, ["a", "b"])
    ours, theirs = Ours(member).fit(X[two], y[two]), Peer(member).fit(X[two], y[two])
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    # for two classes the score of the one member, not squeezed (scikit-learn's one-vs-one counts a vote)
    np.testing.assert_array_equal(ours.decision_function(X), ours.estimators_[0].decision_function(X))


def test_votes_by_hand(digits):
    X, y = digits
    model = OneVsOneClassifier(LinearSVC(random_state=0)).fit(X, y)
    votes, sums = np.zeros((500, 10), int), np.zeros((500, 10))
    for (a, b), member in zip(model.pairs_, model.estimators_, strict=True):
        won = member.predict(X)
        votes[np.arange(500), np.where(won == 1, b, a)] += 1
        sums[:, b] += member.decision_function(X)
        sums[:, a] -= member.decision_function(X)
    np.testing.assert_array_equal(model.votes(X), votes)
    assert model.pairs_ == list(combinations(range(10), 2)) and np.all(votes.sum(axis=1) == 45)
    for row, vote, total in zip(model.predict(X), votes, sums, strict=True):
        winners = np.flatnonzero(vote == vote.max())
        assert row == model.classes_[winners[total[winners].argmax()]]


def test_three_classes_in_a_circle_are_decided_by_scores():
    """Each class wins one duel and loses one: votes are equal, the sums of the scores are not."""

    class Fixed(ClassifierMixin, BaseEstimator):
        def fit(self, X, y):
            self.classes_ = np.unique(y)
            self.score_ = X[:, 0].mean()
            return self

        def decision_function(self, X):
            return np.full(len(X), self.score_)

    # means of the pairs (a, b), (a, c), (b, c): 1, -2, 4, so b beats a, a beats c, c beats b
    X, y = np.array([[-5.0], [7.0], [1.0]]), ["a", "b", "c"]
    model = OneVsOneClassifier(Fixed()).fit(X, y)
    assert model.duels(X[:1]).tolist() == [[1.0, -2.0, 4.0]] and model.votes(X[:1]).tolist() == [[1, 1, 1]]
    # sums: a = -1 + 2 = 1, b = 1 - 4 = -3, c = -2 + 4 = 2
    np.testing.assert_allclose(model.decision_function(X[:1]), [[1 + 1 / 6, 1 - 3 / 12, 1 + 2 / 9]])
    assert model.predict(X[:1]).tolist() == ["c"]


def test_squeezed_sums_never_outweigh_a_vote():
    rng = np.random.RandomState(0)
    pairs = list(combinations(range(5), 2))
    votes, squeezed = OneVsOneClassifier._count_duels(rng.standard_cauchy((1000, 10)) * 1e6, pairs)
    scores = votes + squeezed
    assert np.all(votes[np.arange(1000), scores.argmax(axis=1)] == votes.max(axis=1))


def test_claims_show_where_one_against_the_rest_is_undecided():
    X, y = make_blobs(90, centers=[[0, 4], [4, 0], [-4, -4]], random_state=0)
    model = OneVsRestClassifier(LinearSVC(random_state=0)).fit(X, y)
    grid = np.array([[a, b] for a in np.linspace(-9, 9, 19) for b in np.linspace(-9, 9, 19)])
    claims = model.claims(grid)
    assert set(claims.sum(axis=1)) == {0, 1, 2}
    clear = claims.sum(axis=1) == 1
    np.testing.assert_array_equal(model.predict(grid)[clear], claims[clear].argmax(axis=1))
    np.testing.assert_array_equal(claims, model.decision_function(grid) > 0)
    pair = OneVsRestClassifier(LinearSVC(random_state=0)).fit(X[y < 2], y[y < 2])
    assert np.all(pair.claims(grid).sum(axis=1) == 1)


@pytest.mark.parametrize("Ours", [OneVsRestClassifier, OneVsOneClassifier])
@pytest.mark.parametrize(
    "member",
    [
        LinearSVC(random_state=0),
        VotedPerceptron(),
        GaussianNB(),
        DecisionTreeClassifier(max_depth=3, random_state=0),
        OnlyPredicts(),
        make_pipeline(StandardScaler(), VotedPerceptron()),
    ],
    ids=lambda member: type(member).__name__,
)
def test_members_of_all_kinds(Ours, member):
    X, y = scaled_iris()
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    model = Ours(member).fit(X, names)
    assert len(model.estimators_) == 3 and model.classes_.tolist() == sorted(set(names))
    said = np.column_stack([one.predict(X) for one in model.estimators_])
    if Ours is OneVsRestClassifier:
        np.testing.assert_array_equal(model.claims(X), said == 1)
        sure = said.sum(axis=1) == 1
        np.testing.assert_array_equal(model.predict(X)[sure], model.classes_[said[sure].argmax(axis=1)])
    else:
        winners = np.where(said == 1, [1, 2, 2], [0, 0, 1])  # of the pairs (0, 1), (0, 2), (1, 2)
        np.testing.assert_array_equal(model.votes(X), (winners[:, :, None] == np.arange(3)).sum(axis=1))
    again = Ours(member, n_jobs=2).fit(X, names)
    np.testing.assert_array_equal(model.decision_function(X), again.decision_function(X))


def test_precomputed_kernels_are_cut_to_the_pair():
    X, y = scaled_iris()
    X, K = 2 * X, rbf_kernel(2 * X, gamma=1.0)
    for Ours in (OneVsOneClassifier, OneVsRestClassifier):
        given = Ours(KernelPerceptron("precomputed")).fit(K, y)
        computed = Ours(KernelPerceptron(gamma=1.0)).fit(X, y)
        np.testing.assert_allclose(given.decision_function(K), computed.decision_function(X), atol=1e-6)


def test_weights_reach_the_members():
    X, y = scaled_iris()
    weights = np.random.RandomState(0).randint(1, 4, size=150)
    for Ours in (OneVsOneClassifier, OneVsRestClassifier):
        weighted = Ours(GaussianNB()).fit(X, y, weights)
        repeated = Ours(GaussianNB()).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
        np.testing.assert_allclose(weighted.decision_function(X), repeated.decision_function(X), atol=1e-9)
        with pytest.raises(ValueError, match="VotedPerceptron cannot learn with sample_weight"):
            Ours(VotedPerceptron()).fit(X, y, weights)


def test_grid_search_reaches_the_member():
    X, y = scaled_iris()
    search = GridSearchCV(
        OneVsOneClassifier(LinearSVC(random_state=0)), {"estimator__C": [1e-6, 1.0]}, cv=3
    ).fit(X, y)
    assert search.best_params_ == {"estimator__C": 1.0}


def test_bad_input():
    X, y = scaled_iris()
    for Ours in (OneVsOneClassifier, OneVsRestClassifier):
        with pytest.raises(ValueError, match="contains only one class"):
            Ours(LinearSVC()).fit(X, np.zeros(150))
        with pytest.raises(ValueError, match="'n_jobs' parameter"):
            Ours(LinearSVC(), n_jobs="all").fit(X, y)
        with pytest.raises(ValueError, match="'C' parameter of LinearSVC"):
            Ours(LinearSVC(C=-1)).fit(X, y)


def test_the_room_knows_no_learner():
    """It imports what all estimators share, and no file that holds a learner for two classes."""
    tree = ast.parse(Path(mllib.multiclass.__file__).read_text())
    own = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level}
    assert own == {"learner", "parameters", "validation"}


@pytest.mark.parametrize("many", [OneVsOneClassifier, OneVsRestClassifier])
def test_classes_that_weigh_nothing_win_nothing(many):
    X, y = make_blobs(80, centers=4, random_state=0)
    for weightless in ([0], [1, 3]):
        weights = np.where(np.isin(y, weightless), 0.0, 1.0)
        machine = many(SVC(kernel="linear")).fit(X, y, sample_weight=weights)
        assert machine.classes_.tolist() == [0, 1, 2, 3]
        answers = machine.predict(np.vstack([X, 100 * X]))
        assert set(answers) == set(range(4)) - set(weightless)
        scores = machine.decision_function(X)
        assert not np.isnan(scores).any() and scores[:, weightless].max() < scores.max(axis=1).min()
    rest = y[np.isin(y, [0, 2])]
    both = many(SVC(kernel="linear")).fit(X[np.isin(y, [0, 2])], rest)
    np.testing.assert_array_equal(both.predict(X), machine.predict(X))


@pytest.mark.parametrize("many", [OneVsOneClassifier, OneVsRestClassifier])
def test_members_with_kernels_on_strings(many):
    words, y = ["acg", "tta", "ccc"] * 5, [0, 1, 2] * 5
    machine = many(SVC(kernel=Spectrum(2)))
    with pytest.raises(NotFittedError):
        machine.predict(words)
    assert machine.fit(words, y).predict(["acg", "ccc"]).tolist() == [0, 2]
    assert machine.score(words, y) == 1.0
