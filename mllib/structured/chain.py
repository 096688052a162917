r"""A max-margin Markov network on chains, trained by block-coordinate Frank-Wolfe.

A word of handwriting is a chain of letters: the image at each place speaks for some letters, and letters
speak for their neighbours. With weights w = (W, T), a labelling y of the chain x scores

.. math:: w \cdot \psi(x, y) = \sum_p W_{y_p} \cdot x_p + \sum_p T_{y_{p-1} y_p} .

Every wrong labelling shall score less than the true one, by as much as it is wrong (:math:`\Delta`, the
number of wrong places). What lacks is the *structured hinge loss*, an upper bound of :math:`\Delta` of the
prediction; the problem is that of a support vector machine,

.. math:: \min_w\; \tfrac12 \lVert w \rVert^2 + C \sum_i \max_y \left[ \Delta(y_i, y)
   - w \cdot \left( \psi(x_i, y_i) - \psi(x_i, y) \right) \right] .

Its dual has a probability distribution :math:`\mu_i` over all labellings for each chain, and

.. math:: w = C \sum_i \mathbb E_{\mu_i} [\psi(x_i, y_i) - \psi(x_i, y)], \qquad
   D(\mu) = C \sum_i \mathbb E_{\mu_i} \Delta(y_i, y) - \tfrac12 \lVert w \rVert^2 .

Nobody can store :math:`\mu_i`, but w and D need only its *marginals*: the probability of each label at each
place, and the expected number of each transition. *Frank-Wolfe* moves the marginals of one chain towards
those of a single labelling, the most violating one, which loss-augmented Viterbi finds. How much that
labelling scores above the mean of :math:`\mu_i` is the share :math:`g_i` of this chain in the duality gap,
and the best length of the move is known in closed form: with :math:`w_i` the chain's part of the sum for w
and :math:`w_s` what it would be at the single labelling,

.. math:: \gamma = \operatorname{clip}\left( g_i / \lVert w_s - w_i \rVert^2,\ 0,\ 1 \right) .

Chains of length 1 have no neighbours; then this is the multiclass support vector machine of Crammer and
Singer, and the estimator takes an ordinary table.

References
----------
.. [1] Taskar, Guestrin, Koller (2004). "Max-margin Markov networks". Advances in Neural Information
   Processing Systems 16.
.. [2] Lacoste-Julien, Jaggi, Schmidt, Pletscher (2013). "Block-coordinate Frank-Wolfe optimization for
   structural SVMs". International Conference on Machine Learning.
.. [3] Crammer, Singer (2001). "On the algorithmic implementation of multiclass kernel-based vector
   machines". Journal of Machine Learning Research 2.
"""

import numpy as np
from sklearn.utils import check_random_state

from ..history import History
from ..hyperplane import augment
from ..learner import Classifier, knob, progress, warn_unfinished
from ..parameters import boolean, integer, real
from ..validation import check_classification, check_X
from ._chains import lengths_of
from .decode import loss_augmented, viterbi


class ChainMarkovNetwork(Classifier):
    r"""Max-margin Markov network on chains: labels for whole sequences, by support vector machine.

    .. math:: \hat y(x) = \arg\max_y \sum_p W_{y_p} \cdot x_p + \sum_p T_{y_{p-1} y_p}

    with the weights :math:`w = (W, T)` that minimise :math:`\frac12 \lVert w \rVert^2` plus C times the sum
    of the structured hinge losses: the most by which another labelling's score, plus its number of wrong
    places, exceeds the score of the true one.

    Parameters
    ----------
    C : float, default=1.0
        Price of the structured hinge loss of a chain.
    fit_intercept : bool, default=True
        Give each place one more input that is 1; its weights are penalised like all others.
    max_iter : int, default=1000
        Largest number of passes over the chains.
    tol : float, default=0.01
        Stop when the duality gap is at most this share of the objective.
    gap_every : int, default=5
        The gap is computed after so many passes (that takes about half a pass).
    average : bool, default=False
        Take the mean of the weights after each step, later ones counting more (proportional to their
        number). Often better on new data when stopped early.
    verbose : int, default=0
    random_state : int, RandomState or None, default=None
        For the order of the chains.

    Attributes
    ----------
    classes_ : ndarray
        The labels of places.
    coef_ : ndarray of shape (n_classes, n_features)
        The weights W.
    intercept_ : ndarray of shape (n_classes,)
    transitions_ : ndarray of shape (n_classes, n_classes)
        T, from the row to the column.
    n_iter_ : int
        Passes made.
    objective_, dual_gap_ : float
        No weights have an objective lower than ``objective_ - dual_gap_``.
    history_ : History
        ``passes``, ``primal``, ``dual``, ``gap`` each time the gap was computed.

    References
    ----------
    .. [1] Lacoste-Julien, Jaggi, Schmidt, Pletscher (2013). "Block-coordinate Frank-Wolfe optimization
       for structural SVMs". International Conference on Machine Learning.

    Examples
    --------
    >>> X = [[[1.0], [0.6], [1.0]], [[-1.0], [-0.6]], [[1.0], [-0.1], [1.0]], [[-1.0], [0.1], [-1.0]]]
    >>> y = [["a", "a", "a"], ["b", "b"], ["a", "a", "a"], ["b", "b", "b"]]
    >>> network = ChainMarkovNetwork(random_state=0).fit(X, y)
    >>> network.predict([[[1.0], [-0.2], [1.0]], [[-0.2]]])
    [array(['a', 'a', 'a'], dtype='<U1'), array(['b'], dtype='<U1')]
    >>> network.dual_gap_ <= 0.01 * network.objective_
    True
    """

    C: float = knob(1.0, real(0, open_low=True), first=True)
    fit_intercept: bool = knob(True, boolean())
    max_iter: int = knob(1000, integer(1))
    tol: float = knob(0.01, real(0))
    gap_every: int = knob(5, integer(1))
    average: bool = knob(False, boolean())
    verbose: int = knob(0, boolean() | integer(0))
    random_state: object = knob(None)

    def fit(self, X, y):
        """Learn from labelled chains.

        Parameters
        ----------
        X : list of array-likes of shape (length, n_features)
            Or a table of shape (n_samples, n_features): then each row is a chain of length 1.
        y : list of array-likes of shape (length,)
            The label of each place; for a table an array-like of shape (n_samples,).

        Returns
        -------
        self
        """
        self._check_parameters()
        lengths = lengths_of(X)
        if lengths is not None:
            y = list(y)
            if any(np.ndim(chain) != 1 for chain in y) or [len(chain) for chain in y] != lengths:
                raise ValueError("X and y must be lists of chains of the same lengths")
            X, y = np.concatenate([np.asarray(chain) for chain in X]), np.concatenate([*y])
        X, codes, self.classes_, _ = check_classification(self, X, y, order="C", min_classes=2)
        if self.fit_intercept:
            X = augment(X)
        ends = np.cumsum(lengths if lengths is not None else np.ones(len(X), np.int64))
        chains = list(zip(np.split(X, ends[:-1]), np.split(codes, ends[:-1]), strict=True))
        descent = _FrankWolfe(chains, X.shape[1], len(self.classes_), self.C, self.average)
        rng = check_random_state(self.random_state)
        history = History(
            passes="passes made", primal="objective", dual="dual objective", gap="their difference"
        )
        for made in progress(range(1, self.max_iter + 1), self.verbose, "ChainMarkovNetwork"):
            for i in rng.permutation(len(chains)):
                descent.step(i)
            if made % self.gap_every == 0 or made == self.max_iter:
                W, T, dual = descent.answer()
                primal = descent.objective(W, T)
                history.record(passes=made, primal=primal, dual=dual, gap=primal - dual)
                if primal - dual <= self.tol * primal:
                    break
        else:
            warn_unfinished(
                f"ChainMarkovNetwork: the objective {primal:.6g} may be {primal - dual:.2g} above the "
                f"minimum after {self.max_iter} passes (max_iter)."
            )
        self.coef_ = np.ascontiguousarray(W.T[:, : self.n_features_in_])
        self.intercept_ = W[-1].copy() if self.fit_intercept else np.zeros(len(self.classes_))
        self.transitions_ = T
        self.n_iter_, self.objective_, self.dual_gap_ = made, primal, primal - dual
        self.history_ = history
        return self

    def unary_scores(self, X):
        """Scores of each label at each place, one array per chain (for a table one array)."""
        lengths = lengths_of(X)
        points = X if lengths is None else np.concatenate([np.asarray(chain) for chain in X])
        scores = check_X(self, points) @ self.coef_.T + self.intercept_
        return scores if lengths is None else np.split(scores, np.cumsum(lengths)[:-1])

    def predict(self, X):
        """The best labelling of each chain (for a table the best label of each row)."""
        scores = self.unary_scores(X)
        if isinstance(scores, np.ndarray):
            return self._labels_of(scores)
        return [self.classes_[viterbi(unary, self.transitions_)[0]] for unary in scores]

    def score(self, X, y):
        """Share of places that get the right label."""
        answers = self.predict(X)
        chains = (answers, y) if isinstance(answers, list) else ([answers], [y])
        answers, y = ([np.asarray(chain) for chain in side] for side in chains)
        if [chain.shape for chain in answers] != [chain.shape for chain in y]:
            raise ValueError("y must have one label for each place of each chain of X")
        return float(np.mean(np.concatenate(answers) == np.concatenate(y)))


class _FrankWolfe:
    """The state of the descent: weights, and for each chain the marginals of its distribution."""

    def __init__(self, chains, d, K, C, average):
        self.chains, self.C, self.average = chains, C, average
        self.W, self.T, self.loss = np.zeros((d, K)), np.zeros((K, K)), 0.0
        # Each distribution begins at the truth: w = 0 and D = 0.
        self.places = [np.eye(K)[truth] for _, truth in chains]
        self.pairs = [_transitions(truth, K) for _, truth in chains]
        self.mean_W, self.mean_T, self.mean_loss = self.W.copy(), self.T.copy(), 0.0
        self.clock = 0

    def step(self, i):
        """Move chain i towards its most violating labelling, as far as is best."""
        x, truth = self.chains[i]
        K = len(self.T)
        scores = loss_augmented(x @ self.W, truth)
        worst, _ = viterbi(scores, self.T)
        place_move = np.eye(K)[worst] - self.places[i]
        pair_move = _transitions(worst, K) - self.pairs[i]
        gap = self.C * (np.vdot(scores, place_move) + np.vdot(self.T, pair_move))
        W_move, T_move = -self.C * (x.T @ place_move), -self.C * pair_move
        length2 = np.vdot(W_move, W_move) + np.vdot(T_move, T_move)
        if gap > 0:
            # No way at all if the chain's weights stay the same, as with an input of zeros: go to the end.
            gamma = min(1.0, gap / length2) if length2 > 0 else 1.0
            # Loss of the labelling minus mean loss of the distribution: what truth loses in probability.
            self.loss -= gamma * self.C * place_move[np.arange(len(truth)), truth].sum()
            self.W += gamma * W_move
            self.T += gamma * T_move
            self.places[i] += gamma * place_move
            self.pairs[i] += gamma * pair_move
        self.clock += 1
        if self.average:
            share = 2.0 / (self.clock + 1)
            self.mean_W += share * (self.W - self.mean_W)
            self.mean_T += share * (self.T - self.mean_T)
            self.mean_loss += share * (self.loss - self.mean_loss)

    def answer(self):
        """Weights to be used, and the dual objective of the distributions that they belong to."""
        W, T, loss = self.W, self.T, self.loss
        if self.average:
            W, T, loss = self.mean_W, self.mean_T, self.mean_loss
        return W.copy(), T.copy(), float(loss - 0.5 * (np.vdot(W, W) + np.vdot(T, T)))

    def objective(self, W, T):
        """Penalty and structured hinge loss of these weights."""
        hinge = 0.0
        for x, truth in self.chains:
            scores = loss_augmented(x @ W, truth)
            own = scores[np.arange(len(truth)), truth].sum() + T[truth[:-1], truth[1:]].sum()
            hinge += viterbi(scores, T)[1] - own
        return float(0.5 * (np.vdot(W, W) + np.vdot(T, T)) + self.C * hinge)


def _transitions(labels, K):
    """How often each label is followed by each."""
    return np.bincount(labels[:-1] * K + labels[1:], minlength=K * K).reshape(K, K).astype(float)
