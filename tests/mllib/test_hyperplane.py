"""What linear classifiers share: augmentation, starts, many classes, tidy sparse matrices."""

from collections import namedtuple

import numpy as np
import pytest
from scipy import sparse

from mllib._rows import canonical, csr_arrays
from mllib.hyperplane import HyperplaneClassifier, augment

Found = namedtuple("Found", "coef_ intercept_ start_ n_iter_ seen_ draw_")


class MeanDifference(HyperplaneClassifier):
    """The smallest learner that the base class can carry."""

    def fit(self, X, y, sample_weight=None, **more):
        return self._fit(X, y, sample_weight, **more)

    def _solve(self, X, y, weights, rng, start):
        w = X.T @ (weights * y)
        return Found(w, -1.0, start, int(weights.sum()), y, rng.randint(10**6))


X = np.array([[1.0, 0.0], [0.0, 1.0], [2.0, 2.0], [0.0, 3.0]])


def test_two_classes_are_one_problem():
    model = MeanDifference().fit(X, ["no", "no", "yes", "yes"])
    assert model.coef_.tolist() == [[1.0, 4.0]] and model.intercept_.tolist() == [-1.0]
    assert model.seen_.tolist() == [-1, -1, 1, 1] and not hasattr(model, "start_")  # None is not shown
    assert model.decision_function([[0.0, 1.0]]).tolist() == [3.0]
    assert model.predict([[0, 1], [0, 0], [1, 0]]).tolist() == ["yes", "no", "no"]  # a score of 0 is "no"


def test_many_classes_are_a_problem_each():
    model = MeanDifference().fit(X, [5, 6, 7, 7])
    assert model.coef_.shape == (3, 2) and model.decision_function(X).shape == (4, 3)
    assert model.seen_.tolist() == [[1, -1, -1, -1], [-1, 1, -1, -1], [-1, -1, 1, 1]]
    assert model.n_iter_ == 4 and not hasattr(model, "start_")
    assert len(set(model.draw_)) == 3  # each problem has a stream of its own
    assert model.predict(X).tolist() == model.classes_[model.decision_function(X).argmax(axis=1)].tolist()


def test_class_weights():
    """For two classes both count; against the rest only the weight of the class itself does."""
    two = MeanDifference().fit(X, [0, 0, 1, 1], class_weight={0: 2.0, 1: 3.0})
    assert two.coef_.tolist() == [[-2 + 6.0, -2 + 15.0]]
    many = MeanDifference().fit(X, [5, 6, 7, 7], class_weight={5: 10.0, 6: 1.0, 7: 1.0})
    assert many.coef_[0].tolist() == [10 - 2.0, -6.0] and many.coef_[1].tolist() == [-3.0, 1 - 5.0]


def test_starts():
    model = MeanDifference().fit(X, [0, 0, 1, 1], coef_init=[3.0, 4.0], intercept_init=5.0)
    assert model.start_.tolist() == [3.0, 4.0, 5.0]
    model = MeanDifference().fit(X, [5, 6, 7, 7], intercept_init=[1, 2, 3])
    assert model.start_.tolist() == [[0, 0, 1], [0, 0, 2], [0, 0, 3]]
    with pytest.raises(ValueError, match=r"coef_init must have shape \(1, 2\), got \(1, 3\)"):
        MeanDifference().fit(X, [0, 0, 1, 1], coef_init=[1, 2, 3])


def test_sparse_matrices_are_made_canonical_without_touching_the_callers():
    messy = sparse.csr_array(([1.0, 1.0, 3.0], [0, 0, 1], [0, 3]), shape=(1, 2))
    tidy = canonical(messy)
    assert tidy.toarray().tolist() == [[2.0, 3.0]] and tidy.nnz == 2 and messy.nnz == 3
    for dtype in (np.int32, np.int64):
        tidy.indices, tidy.indptr = tidy.indices.astype(dtype), tidy.indptr.astype(dtype)
        data, column, row = csr_arrays(tidy)
        assert (data.dtype, column.dtype, row.dtype) == (np.float64, np.uint32, np.int64)
        assert column.tolist() == [0, 1] and row.tolist() == [0, 2]
    dense = np.ones((2, 2))
    assert canonical(dense) is dense


def test_augmented_points():
    np.testing.assert_array_equal(augment([[5, 6]], 10), [[5.0, 6.0, 10.0]])
