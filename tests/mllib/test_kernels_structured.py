"""Kernels on strings and graphs, and from generative models: against definitions written out naively."""

import tracemalloc
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score

from mllib import SVC, SVR, HardMarginSVC, KernelRidge
from mllib.datasets import load_mutag, load_promoters
from mllib.kernels import (
    FisherKernel,
    GaussianMixture,
    Graph,
    MarkovChain,
    Mismatch,
    ShortestPath,
    Spectrum,
    Subsequence,
    WeightedDegree,
    WeisfeilerLehman,
    is_psd,
)
from mllib.kernels.gram import LazyGram

WORDS = st.lists(st.text("ab", max_size=6), min_size=1, max_size=4)
DNA, PROMOTER = load_promoters(return_X_y=True)
MOLECULES, MUTAGENIC = load_mutag(return_X_y=True)


def gram(image, words):
    """Inner products of images that list every possible part."""
    phi = np.array([image(word) for word in words], dtype=float)
    return phi @ phi.T


@given(WORDS, st.integers(1, 3))
def test_spectrum_counts_stretches(words, k):
    def image(x):
        parts = ["".join(u) for u in product("ab", repeat=k)]
        return [sum(x[i : i + k] == u for i in range(len(x))) for u in parts]

    np.testing.assert_array_equal(Spectrum(k)(words), gram(image, words))


@given(WORDS, st.integers(1, 3), st.integers(0, 2))
def test_mismatch_counts_near_stretches(words, k, m):
    def image(x):
        stretches = [x[i : i + k] for i in range(len(x) - k + 1)]
        return [
            sum(sum(a != b for a, b in zip(s, u, strict=True)) <= m for s in stretches)
            for u in product("ab", repeat=k)
        ]

    np.testing.assert_array_equal(Mismatch(k, m, alphabet="ab")(words), gram(image, words))


@settings(max_examples=50)
@given(WORDS, st.integers(1, 3), st.sampled_from([0.3, 0.5, 1.0]))
def test_subsequence_sums_over_all_choices_of_letters(words, k, decay):
    def image(x):
        total = dict.fromkeys(product("ab", repeat=k), 0.0)
        for places in combinations(range(len(x)), k):
            total[tuple(x[p] for p in places)] += decay ** (places[-1] - places[0] + 1)
        return list(total.values())

    K = Subsequence(k, decay)(words)
    np.testing.assert_allclose(K, gram(image, words), rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(Subsequence(k, decay)(words, list(words)), K)
    np.testing.assert_allclose(Subsequence(k, decay).diag(words), np.diag(K))


@given(st.integers(1, 5), st.integers(0, 10**6))
def test_weighted_degree_is_its_double_sum(D, seed):
    rng = np.random.RandomState(seed)
    x, z = ("".join(rng.choice(list("acgt"), 8)) for _ in range(2))
    expected = sum(
        2 * (D - d + 1) / (D * (D + 1)) * sum(x[i : i + d] == z[i : i + d] for i in range(8 - d + 1))
        for d in range(1, D + 1)
    )
    assert WeightedDegree(D)([x], [z])[0, 0] == pytest.approx(expected)


@pytest.mark.parametrize(
    "kernel",
    [
        Spectrum(3),
        Mismatch(3, 1),
        WeightedDegree(4),
        Subsequence(2, 0.7),
        FisherKernel(MarkovChain.fit(DNA)),
        Spectrum(2) + 0.5 * WeightedDegree(2).normalised(),
    ],
    ids=lambda k: str(k)[:20],
)
def test_string_kernels_are_kernels(kernel):
    some = DNA[::4]
    K = kernel(some)
    assert is_psd(K)
    np.testing.assert_allclose(kernel.diag(some), np.diag(K))
    np.testing.assert_allclose(kernel.against(some)(some[:5]), K[:5], atol=1e-12)
    np.testing.assert_allclose(LazyGram(kernel, some).block([3, 1]), K[[3, 1]], atol=1e-12)
    np.testing.assert_allclose(clone(kernel)(list(some)), K)
    assert not kernel.takes_vectors


def test_string_kernels_say_what_is_wrong():
    for kernel in (Spectrum(), Mismatch(), WeightedDegree(), Subsequence()):
        with pytest.raises(TypeError, match="take strings"):
            kernel([3])
    for kernel in (Spectrum(0), Mismatch(3, -1), WeightedDegree(1.5), Subsequence(0)):
        with pytest.raises(ValueError, match="whole number"):
            kernel(["acgt"])
    with pytest.raises(ValueError, match="decay"):
        Subsequence(2, 0.0)(["acgt"])
    assert Spectrum(5)(["ab"], ["ab"]).tolist() == [[0.0]]  # shorter than the stretch: nothing to count


# Machines on objects that are not vectors


def test_machines_take_strings():
    words, target = list(DNA), PROMOTER
    kernel = Spectrum(3).normalised()
    machine = SVC(kernel=kernel, C=10).fit(words, target)
    by_matrix = SVC(kernel="precomputed", C=10).fit(kernel(words), target)
    np.testing.assert_allclose(machine.decision_function(words), by_matrix.decision_function(kernel(words)))
    assert not hasattr(machine, "n_features_in_")
    assert HardMarginSVC(kernel=kernel).fit(words, target).score(words, target) == 1.0
    lengths = [word.count("a") for word in words]
    assert SVR(kernel=Spectrum(1), C=10).fit(words, lengths).score(words, lengths) > 0.99
    assert KernelRidge(alpha=1e-6, kernel=Spectrum(1)).fit(words, lengths).score(words, lengths) > 0.99
    with pytest.raises(ValueError, match="0 sample"):
        SVC(kernel=kernel).fit([], [])
    with pytest.raises(ValueError, match="inconsistent numbers"):
        SVC(kernel=kernel).fit(words, target[:-1])


def test_grid_search_over_a_string_kernel():
    search = GridSearchCV(SVC(kernel=Spectrum(2).normalised()), {"kernel__kernel__length": [2, 4]}, cv=3)
    assert search.fit(list(DNA), PROMOTER).best_score_ > 0.8  # majority: 0.5


# Graphs


def test_weisfeiler_lehman_names_do_not_depend_on_the_order_of_nodes():
    rng = np.random.RandomState(0)
    for molecule in MOLECULES[:10]:
        order = rng.permutation(len(molecule.node_labels))
        place = np.argsort(order)
        shuffled = Graph(molecule.node_labels[order], place[molecule.edges], molecule.edge_labels)
        for kernel in (WeisfeilerLehman(3), ShortestPath()):
            assert kernel.counts(molecule) == kernel.counts(shuffled)


def test_weisfeiler_lehman_sees_walks_not_more():
    """A ring of six and two rings of three cannot be told apart; a path can."""
    ring = Graph("a" * 6, [(i, (i + 1) % 6) for i in range(6)])
    rings = Graph("a" * 6, [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)])
    path = Graph("a" * 6, [(i, i + 1) for i in range(5)])
    kernel = WeisfeilerLehman(5)
    assert kernel.counts(ring) == kernel.counts(rings) != kernel.counts(path)
    assert ShortestPath().counts(ring) != ShortestPath().counts(rings)


def test_edge_labels_count_if_wanted():
    single, double = Graph("aa", [(0, 1)], ["single"]), Graph("aa", [(0, 1)], ["double"])
    assert WeisfeilerLehman(1)([single], [double])[0, 0] == 4
    assert WeisfeilerLehman(1, use_edge_labels=False)([single], [double])[0, 0] == 8


@pytest.mark.parametrize("kernel", [WeisfeilerLehman(2), ShortestPath(), WeisfeilerLehman(3).normalised()])
def test_graph_kernels_are_kernels(kernel):
    assert is_psd(kernel(MOLECULES[:40]))


def test_graph_kernel_separates_molecules():
    majority = max(MUTAGENIC.mean(), 1 - MUTAGENIC.mean())
    machine = SVC(kernel=WeisfeilerLehman(2).normalised(), C=10)
    assert cross_val_score(machine, MOLECULES, MUTAGENIC, cv=5).mean() > majority + 0.1


def test_graph_kernels_say_what_is_wrong():
    with pytest.raises(TypeError, match="node_labels"):
        ShortestPath()([3])
    with pytest.raises(ValueError, match="edge"):
        WeisfeilerLehman()([Graph("ab", [(0, 2)])])
    with pytest.raises(ValueError, match="rounds"):
        WeisfeilerLehman(-1)([Graph("ab", [(0, 1)])])


# Fisher kernels


def log_density(model, X):
    total = 0.0
    for weight, mean, deviation in zip(model.weights, model.means, model.deviations, strict=True):
        z = (X - mean) / deviation
        total = total + weight * np.exp(-0.5 * z**2).prod(axis=1) / (np.sqrt(2 * np.pi) * deviation).prod()
    return np.log(total)


def test_scores_of_a_mixture_are_derivatives_of_its_log_density():
    rng = np.random.RandomState(0)
    X = np.vstack([rng.randn(40, 2), 3 + 0.5 * rng.randn(30, 2)])
    model = GaussianMixture.fit(X, components=2)
    U, step = model.scores(X), 1e-6
    for place, name in enumerate(("means", "deviations")):
        value = getattr(model, name)
        for k in range(value.size):
            change = np.zeros(value.size)
            change[k] = step
            up = model._replace(**{name: value + change.reshape(value.shape)})
            down = model._replace(**{name: value - change.reshape(value.shape)})
            slope = (log_density(up, X) - log_density(down, X)) / (2 * step)
            np.testing.assert_allclose(U[:, place * value.size + k], slope, atol=1e-6)
    # at the maximum of the likelihood the mean score is 0
    assert np.abs(U.mean(axis=0)).max() < 1e-2


def test_scores_of_a_markov_chain_are_derivatives_of_its_log_probability():
    model = MarkovChain.fit(DNA)
    logits, step = np.log(model.transitions), 1e-6

    def log_probability(logits, x):
        table = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
        return sum(table["acgt".index(a), "acgt".index(b)] for a, b in zip(x, x[1:], strict=False))

    U = model.scores(DNA[:3])
    for k in range(16):
        change = step * (np.arange(16) == k).reshape(4, 4)
        for row, x in zip(U, DNA[:3], strict=True):
            slope = (log_probability(logits + change, x) - log_probability(logits - change, x)) / (2 * step)
            assert row[k] == pytest.approx(slope, abs=1e-6)
    with pytest.raises(ValueError, match="alphabet"):
        model.scores(["acgx"])


def test_fisher_kernel_does_not_depend_on_the_parametrisation():
    """Any invertible matrix may mix the parameters: I^-1 undoes it."""
    model = GaussianMixture.fit(np.random.RandomState(0).randn(50, 2), components=2)
    mix = np.random.RandomState(1).randn(8, 8)

    class Mixed:
        takes_vectors = True
        training_scores = model.training_scores @ mix

        def scores(self, X):
            return model.scores(X) @ mix

    X = np.random.RandomState(2).randn(5, 2)
    np.testing.assert_allclose(FisherKernel(Mixed())(X), FisherKernel(model)(X), rtol=1e-6)
    plain = FisherKernel(model, "identity")(X)
    np.testing.assert_allclose(plain, model.scores(X) @ model.scores(X).T)
    with pytest.raises(ValueError, match="information"):
        FisherKernel(model, "exact")(X)
    assert is_psd(FisherKernel(model)(X))


def test_a_mixture_far_from_the_origin():
    rng = np.random.RandomState(0)
    X = np.concatenate([rng.normal(-3, 1, 200), rng.normal(3, 1, 200)])[:, None]
    near, far = (GaussianMixture.fit(X + shift, components=2) for shift in (0, 1e8))
    np.testing.assert_allclose(far.deviations, near.deviations, rtol=1e-4)
    np.testing.assert_allclose(far.means - 1e8, near.means, atol=1e-4)


# Units, letters that nobody has seen, and memory


def test_fisher_kernel_does_not_depend_on_units():
    X, units = np.random.RandomState(0).randn(60, 2), [1.0, 1e6]
    X[:30] += 2
    one, two = (GaussianMixture.fit(X * unit, 2, random_state=0) for unit in (1.0, units))
    np.testing.assert_allclose(FisherKernel(two)(X * units), FisherKernel(one)(X), atol=1e-9)


def test_fisher_kernel_with_a_constant_feature():
    X = np.random.RandomState(0).randn(30, 2) * [1.0, 0.0]
    assert np.isfinite(FisherKernel(GaussianMixture.fit(X, 2))(X)).all()


def test_markov_chain_without_a_prior():
    chain = MarkovChain.fit(["aab"], "abc", prior=0)
    np.testing.assert_allclose(chain.transitions, [[1 / 2, 1 / 2, 0], [1 / 3] * 3, [1 / 3] * 3])
    assert np.isfinite(FisherKernel(chain)(["abc", "cab"])).all()
    with pytest.raises(ValueError, match="prior must be a number"):
        MarkovChain.fit(["aab"], "abc", prior=-1)


def test_a_mixture_has_no_more_components_than_points():
    with pytest.raises(ValueError, match=r"components must be an int in \[1, 2\]. Got 5"):
        GaussianMixture.fit([[0.0], [1.0]], 5)


def test_mismatch_forgets_what_it_has_looked_up():
    words = ["".join(word) for word in np.random.RandomState(0).choice(list("acgt"), size=(20, 60))]
    kernel = Mismatch(6, 2)
    kernel(words[:2])
    tracemalloc.start()
    kernel(words)
    after, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert after < 1e6 < peak
