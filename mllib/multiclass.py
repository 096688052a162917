r"""Many classes from learners that know two: one against one, and one against the rest.

*One against the rest* trains K two-class problems, each of a class against all others, on all n examples.
A point goes to the class with the highest score. It may be claimed by several classes or by none, and the
scores of different problems need not be on one scale; both show in ``claims`` and ``decision_function``.

*One against one* trains K (K - 1) / 2 problems, each of a class against another, on their examples only. A
point goes to the class that wins most of its duels. Votes can be equal: then the sum of the scores of the
duels decides, squeezed to less than half a vote so that it never outweighs one,

.. math:: \text{votes}_k + \frac{s_k}{3(|s_k| + 1)}, \qquad
   s_k = \sum_{j < k} f_{jk}(x) - \sum_{j > k} f_{kj}(x),

where :math:`f_{jk} > 0` speaks for class k. There are more problems, but smaller ones: each class is in
K - 1 of them, so if training takes time proportional to the *square* of the number of examples and the
classes are equally large, the ratio of the costs is 2 (K - 1) / K^2, in favour of one against one.

A class whose examples all weigh nothing loses every duel and claims no point: the members that would have to
tell it from others have only one class to learn from, and are replaced by a constant.

A member is any classifier for two classes. Its score is its ``decision_function``; if it has none, its
probability minus 1/2; if it has none of these, its prediction as -1 or +1. Nothing else is known of it.

References
----------
.. [1] Hsu, Lin (2002). "A comparison of methods for multiclass support vector machines". IEEE
   Transactions on Neural Networks 13.
.. [2] Rifkin, Klautau (2004). "In defense of one-vs-all classification". Journal of Machine Learning
   Research 5.
"""

from itertools import combinations

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import MetaEstimatorMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from .learner import Classifier, knob, progress
from .parameters import integer, one_of
from .validation import check_classification, check_items, check_X


class _ManyFromTwo(MetaEstimatorMixin, Classifier):
    """What both share: checking, fitting members in parallel, and tags that are those of the member."""

    estimator: object = knob(first=True)
    n_jobs: int | None = knob(None, integer() | one_of(None))

    _sparse = property(lambda self: get_tags(self.estimator).input_tags.sparse)
    _pairwise = property(lambda self: get_tags(self.estimator).input_tags.pairwise)

    def _start(self, X, y, sample_weight):
        X, codes, self.classes_, weights = check_classification(
            self,
            X,
            y,
            sample_weight,
            dtype=None,
            accept_sparse="csr",
            min_classes=2,
            weigh_each_class=True,
            vectors=self._takes_vectors(),
        )
        if sample_weight is None:
            return X, codes, None
        if not has_fit_parameter(self.estimator, "sample_weight"):
            raise ValueError(f"{type(self.estimator).__name__} cannot learn with sample_weight")
        return X, codes, weights

    def _takes_vectors(self):
        """False if the member has a kernel on strings or graphs."""
        return getattr(self.estimator, "_takes_vectors", lambda: True)()

    def _fit_members(self, X, problems, weights, verbose=0):
        """Fit a clone of the member to each (rows, targets); rows None means all."""
        self.estimators_ = Parallel(n_jobs=self.n_jobs)(
            delayed(_fit_member)(clone(self.estimator), X, *problem, weights, self._pairwise, self._certain)
            for problem in progress(list(problems), verbose, type(self).__name__)
        )

    def _points(self, X):
        if not self._takes_vectors():
            check_is_fitted(self)
            return check_items(X)
        return check_X(self, X, dtype=None, accept_sparse="csr")


class OneVsRestClassifier(_ManyFromTwo):
    r"""One two-class problem for each class against all others; the highest score wins.

    With :math:`f_k` trained on :math:`+1` for class k and :math:`-1` for all others, the answer is
    :math:`\arg\max_k f_k(x)`.

    Parameters
    ----------
    estimator : classifier
        Cloned for each problem; learns labels 0 and 1.
    n_jobs : int or None, default=None
        Members fitted at the same time, as in joblib.
    verbose : int, default=0

    Attributes
    ----------
    classes_ : ndarray
    estimators_ : list
        One fitted member for each class; only one (for the second class) if there are two.

    References
    ----------
    .. [1] Rifkin, Klautau (2004). "In defense of one-vs-all classification". Journal of Machine Learning
       Research 5.

    Examples
    --------
    >>> from mllib import Perceptron
    >>> X, y = [[0, 0], [0, 1], [4, 0], [5, 1], [2, 5], [3, 6]], ["a", "a", "b", "b", "c", "c"]
    >>> rest = OneVsRestClassifier(Perceptron()).fit(X, y)
    >>> rest.predict([[0, 0], [6, 0], [2, 8]])
    array(['a', 'b', 'c'], dtype='<U1')
    """

    _certain = np.inf  # size of a score that nothing can outdo

    verbose: int = knob(0)

    def fit(self, X, y, sample_weight=None):
        """Fit a member for each class (for two classes: one).

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional
            Handed to the members.

        Returns
        -------
        self
        """
        X, codes, weights = self._start(X, y, sample_weight)
        targets = range(len(self.classes_)) if len(self.classes_) > 2 else [1]
        problems = ((None, (codes == target).astype(np.int64)) for target in targets)
        self._fit_members(X, problems, weights, self.verbose)
        return self

    def decision_function(self, X):
        """Score of each class, of shape (n_samples, n_classes); for two classes of shape (n_samples,)."""
        X = self._points(X)
        scores = np.column_stack([_score(member, X) for member in self.estimators_])
        return scores[:, 0] if len(self.estimators_) == 1 else scores

    def claims(self, X):
        """Which members say "mine": none or several may, of shape (n_samples, n_classes).

        Examples
        --------
        >>> from mllib import Perceptron
        >>> X, y = [[0, 0], [0, 1], [4, 0], [5, 1], [2, 5], [3, 6]], ["a", "a", "b", "b", "c", "c"]
        >>> OneVsRestClassifier(Perceptron()).fit(X, y).claims([[0, 0], [1, 0], [1, 1]])
        array([[ True, False, False],
               [ True,  True, False],
               [False, False, False]])
        """
        claimed = self.decision_function(X) > 0
        return np.column_stack([~claimed, claimed]) if claimed.ndim == 1 else claimed


class OneVsOneClassifier(_ManyFromTwo):
    r"""One two-class problem for each pair of classes; the class that wins most duels wins.

    With :math:`f_{jk}`, :math:`j < k`, trained on the examples of classes j and k only, the answer is the
    class with most votes,

    .. math:: \arg\max_k \Big( & \sum_{j<k} [f_{jk}(x) > 0] \\
              & + \sum_{j>k} [f_{kj}(x) \le 0] \Big) .

    Parameters
    ----------
    estimator : classifier
        Cloned for each problem; learns labels 0 and 1. If it takes precomputed kernel matrices, each
        problem gets its part of the matrix.
    n_jobs : int or None, default=None
        Members fitted at the same time, as in joblib.

    Attributes
    ----------
    classes_ : ndarray
    pairs_ : list of (int, int)
        The two classes of each problem, as positions in ``classes_``; a positive score is for the second.
    estimators_ : list
        The member of each pair.

    References
    ----------
    .. [1] Hsu, Lin (2002). "A comparison of methods for multiclass support vector machines". IEEE
       Transactions on Neural Networks 13.

    Examples
    --------
    >>> from mllib import Perceptron
    >>> X, y = [[0, 0], [0, 1], [4, 0], [5, 1], [2, 5], [3, 6]], ["a", "a", "b", "b", "c", "c"]
    >>> one = OneVsOneClassifier(Perceptron()).fit(X, y)
    >>> one.pairs_, one.votes([[0, 0], [6, 0], [2, 8]])
    ([(0, 1), (0, 2), (1, 2)], array([[2, 1, 0],
           [0, 2, 1],
           [1, 0, 2]]))
    >>> one.predict([[0, 0], [6, 0], [2, 8]])
    array(['a', 'b', 'c'], dtype='<U1')
    """

    _certain = 1.0  # one vote, and a score that can be added to others

    def fit(self, X, y, sample_weight=None):
        """Fit a member for each pair of classes; parameters as for :meth:`OneVsRestClassifier.fit`."""
        X, codes, weights = self._start(X, y, sample_weight)
        self.pairs_ = list(combinations(range(len(self.classes_)), 2))
        rows = [np.flatnonzero((codes == first) | (codes == second)) for first, second in self.pairs_]
        problems = (
            (row, (codes[row] == second).astype(np.int64))
            for row, (_, second) in zip(rows, self.pairs_, strict=True)
        )
        self._fit_members(X, problems, weights)
        self._rows = rows if get_tags(self.estimator).input_tags.pairwise else None
        return self

    def duels(self, X):
        """Score of each member, of shape (n_samples, n_pairs); above 0 the second class of the pair wins."""
        X = self._points(X)
        return np.column_stack(
            [
                _score(member, X if self._rows is None else X[:, self._rows[k]])
                for k, member in enumerate(self.estimators_)
            ]
        )

    def votes(self, X):
        """Duels won by each class, of shape (n_samples, n_classes)."""
        return self._count_duels(self.duels(X), self.pairs_)[0]

    def decision_function(self, X):
        """Votes, with ties broken by the sums of scores that cannot outweigh a vote.

        Returns
        -------
        scores : ndarray of shape (n_samples, n_classes), or (n_samples,) if there are two
            With two classes the score of their duel.
        """
        duels = self.duels(X)
        if len(self.classes_) == 2:
            return duels[:, 0]
        return np.add(*self._count_duels(duels, self.pairs_))


def _fit_member(member, X, rows, targets, weights, pairwise, certain):
    if rows is not None:
        X = X[np.ix_(rows, rows)] if pairwise else X[rows]
        weights = weights if weights is None else weights[rows]
    if weights is None:
        return member.fit(X, targets)
    present = np.unique(targets[weights > 0])
    if len(present) < 2:
        return _Constant(certain if 1 in present else -certain)
    return member.fit(X, targets, sample_weight=weights)


class _Constant:
    """In place of a member of whose two classes one weighs nothing: always the same score."""

    def __init__(self, score):
        self.score = score

    def decision_function(self, X):
        return np.full(X.shape[0], self.score)


def _score(member, X):
    """How strongly a member speaks for label 1: above 0 if it would predict it."""
    if hasattr(member, "decision_function"):
        return np.ravel(member.decision_function(X))
    if hasattr(member, "predict_proba"):
        return member.predict_proba(X)[:, 1] - 0.5
    return 2.0 * member.predict(X) - 1.0
