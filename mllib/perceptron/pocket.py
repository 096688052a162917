r"""The pocket perceptron: walk as usual, and keep the best weights seen so far in the pocket.

To find the hyperplane with the fewest mistakes is NP-hard, even approximately. The pocket algorithm is a
cheap search: weights that survive long are probably good, so whenever a weight vector outlives the one in
the pocket, its mistakes on the whole training set are counted, and if they are fewer it takes the place of
the other ("ratchet"). Long lives are rare, so there is little to count; the errors in the pocket never
go up.

References
----------
.. [1] Gallant (1990). "Perceptron-based learning algorithms". IEEE Transactions on Neural Networks 1.
.. [2] Johnson, Preparata (1978). "The densest hemisphere problem". Theoretical Computer Science 6.
"""

import numpy as np

from ..history import History
from ..ties import scores_of
from .online import WalkingClassifier


class PocketPerceptron(WalkingClassifier):
    r"""The weights of a walk that make the fewest mistakes, among those that survived long.

    With :math:`e(w)` the number of examples with :math:`y_i (w \cdot x_i + b) \le 0` and :math:`c(w)` the
    number of looks that weights survive, w goes into the pocket if :math:`c(w) > c(w_{\text{pocket}})` and
    :math:`e(w) < e(w_{\text{pocket}})`.

    Parameters
    ----------
    max_iter : int, default=100
        Number of epochs. Fewer if one passes without a mistake.
    fit_intercept, shuffle, verbose, eta0, random_state, give_up_after
        As for :class:`Perceptron`.

    Attributes
    ----------
    coef_, intercept_ : ndarrays
        The weights in the pocket at the end.
    errors_ : int
        Mistakes of the pocket on the training set (an example with score 0 is one).
    pocket_ : History
        ``errors``, ``run`` (looks survived), ``coef``, ``intercept`` of all that was ever put there.
    classes_, n_iter_, n_updates_, dual_coef_, converged_, cycle_length_, given_up_, history_
        As for :class:`Perceptron`; they describe the walk.

    References
    ----------
    .. [1] Gallant (1990). "Perceptron-based learning algorithms". IEEE Transactions on Neural Networks 1.

    Examples
    --------
    >>> X, y = [[0], [1], [2], [3], [4]], [0, 0, 1, 0, 1]
    >>> pocket = PocketPerceptron().fit(X, y)
    >>> pocket.errors_, pocket.score(X, y), pocket.pocket_.errors
    (1, 0.8, array([5, 3, 2, 1]))
    """

    max_iter: int = 100

    def _solve(self, X, y, weights, rng, start):
        pocket = _Pocket(X, y, self.eta0, self.fit_intercept)
        walk, found = self._walk(X, y, rng, watch=pocket.watch, all_epochs=True)
        pocket.finish(walk, found.converged_)
        best = dict(coef_=pocket.w[:-1], intercept_=pocket.w[-1], errors_=int(pocket.history.errors[-1]))
        return found._replace(**best, pocket_=pocket.history)


class _Pocket:
    """Watches a walk for weights that outlive those in the pocket."""

    def __init__(self, X, y, eta, fit_intercept):
        self.X, self.y, self.eta, self.bias_input = X, y, eta, float(fit_intercept)
        self.history = History(
            errors="mistakes on the training set", run="looks survived", coef="w", intercept="b"
        )
        self.w, self.run, self.born = None, 0, 0
        self._compare(np.zeros(X.shape[1] + 1), 0)

    def watch(self, walk, w, examples, times):
        """Try the long-lived among the weights that died in this epoch; ``w`` are those it began with."""
        lived = np.diff(times, prepend=self.born)
        w, done = w.copy(), 0
        for died in np.flatnonzero(lived > self.run):
            if lived[died] > self.run:  # the pocket may have changed since
                w += self._steps(examples[done:died])
                done = died
                self._compare(w, lived[died])
        if len(times):
            self.born = times[-1]

    def finish(self, walk, converged):
        """The weights alive at the end have their chance, too."""
        if converged or walk.clock - self.born > self.run:  # without a mistake they would live for ever
            self._compare(walk.w, walk.clock - self.born)

    def _steps(self, examples):
        """Sum of the steps that these examples caused."""
        pull = self.eta * self.y[examples]
        return np.append(self.X[examples].T @ pull, self.bias_input * pull.sum())

    def _compare(self, w, run):
        errors = int(np.sum(self.y * scores_of(self.X, w[:-1], w[-1]) <= 0))
        if self.w is None or errors < self.history[-1].errors:
            self.w, self.run = w.copy(), int(run)
            self.history.record(errors=errors, run=self.run, coef=self.w[:-1], intercept=self.w[-1])
