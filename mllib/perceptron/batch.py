r"""The batch perceptron: steepest descent on the perceptron criterion.

The loss of the perceptron is by how much the wrong examples are wrong,

.. math:: J(w) = \frac1n \sum_i \max(0, -y_i\, w \cdot x_i),

and :math:`-\frac1n \sum_{i \text{ wrong}} y_i x_i` is a subgradient. The batch perceptron collects it
over all examples before it takes a step of size :math:`\eta`. From w = 0 a constant :math:`\eta` scales w and
nothing else: which examples are wrong does not depend on the length of w, hence neither do the subgradients
nor the step at which the descent ends. From any other start a large :math:`\eta` oscillates and a small one
is slow; so one often begins with a large one and reduces it.

When to stop? If a unit vector u separates the examples with margin :math:`\gamma`, then a subgradient g with
k wrong examples has :math:`\lVert g \rVert \ge -u \cdot g \ge k \gamma / n`: it is never short while
something is wrong. So a short one means success, or a tolerance above :math:`\gamma / n`, or pushes that
cancel because no hyperplane separates. Only the number of wrong examples tells which.

References
----------
.. [1] Duda, Hart (1973). "Pattern Classification and Scene Analysis", section 5.5. Wiley.
"""

import numpy as np

from ..history import History
from ..hyperplane import Hyperplane, HyperplaneClassifier, check_scores
from ..learner import knob, progress, warn_unfinished
from ..parameters import one_of, real
from ..ties import scores_of


class BatchPerceptron(HyperplaneClassifier):
    r"""Perceptron that takes one step for all examples together.

    Parameters
    ----------
    eta0 : float, default=1.0
        Step size :math:`\eta` of the first step.
    schedule : {"constant", "inverse", "sqrt"}, default="constant"
        Step t = 1, 2, ... has size :math:`\eta`, :math:`\eta/t` or :math:`\eta/\sqrt t`.
    tol : float, default=1e-4
        Stop when the subgradient is no longer than this, and in any case when nothing is wrong.
    max_iter : int, default=1000
        Largest number of steps.
    fit_intercept : bool, default=True
    start : {"zero", "random"}, default="zero"
        Weights before the first step: zeros, or independent standard normal numbers.
    random_state : int, RandomState or None, default=0
        For the random start.
    verbose : int, default=0

    Attributes
    ----------
    coef_, intercept_, classes_
    n_iter_ : int
        Looks at all examples together.
    converged_ : bool
        Whether nothing is wrong any more. (If the descent stops for another reason, it warns.)
    history_ : History
        Before each step: ``criterion`` J, ``mistakes``, ``slope`` (length of the subgradient), ``coef``,
        ``intercept``; and the step size ``eta``.

    References
    ----------
    .. [1] Duda, Hart (1973). "Pattern Classification and Scene Analysis", section 5.5. Wiley.

    Examples
    --------
    >>> X, y = [[0, 2], [1, 1], [3, 0], [4, 2]], [0, 0, 1, 1]
    >>> batch = BatchPerceptron().fit(X, y)
    >>> batch.coef_, batch.intercept_, batch.history_.mistakes
    (array([[ 1.  , -0.75]]), array([-0.5]), array([4, 1, 1, 0]))
    """

    eta0: float = knob(1.0, real(0, open_low=True))
    schedule: str = knob("constant", one_of("constant", "inverse", "sqrt"))
    tol: float = knob(1e-4, real(0))
    start: str = knob("zero", one_of("zero", "random"))
    random_state: object = 0

    def _solve(self, X, y, weights, rng, start):
        n, d = X.shape
        w, b = np.zeros(d), 0.0
        if self.start == "random":
            w, b = rng.standard_normal(d), rng.standard_normal() * self.fit_intercept
        peak = np.abs(np.append(w, b))
        history = History(
            criterion="perceptron criterion J",
            mistakes="examples with y (w.x + b) <= 0",
            slope="length of the subgradient",
            eta="step size",
            coef="w",
            intercept="b",
        )
        for t in progress(range(1, self.max_iter + 1), self.verbose, "BatchPerceptron"):
            scores = y * scores_of(X, w, b, peak=peak)
            wrong = scores <= 0
            pull = np.where(wrong, y, 0.0) / n
            down_w, down_b = X.T @ pull, pull.sum() * self.fit_intercept
            slope = np.sqrt(down_w @ down_w + down_b**2)
            eta = self.eta0 / {"constant": 1.0, "inverse": t, "sqrt": np.sqrt(t)}[self.schedule]
            history.record(
                criterion=-scores[wrong].sum() / n,
                mistakes=int(wrong.sum()),
                slope=slope,
                eta=eta,
                coef=w,
                intercept=b,
            )
            if not wrong.any() or slope <= self.tol:
                break
            w, b = w + eta * down_w, b + eta * down_b
            peak = np.maximum(peak, np.abs(np.append(w, b)))
        scores = y * scores_of(X, w, b, peak=peak)  # the last step may have put right what was wrong
        check_scores(scores)
        wrong = scores <= 0
        converged = not wrong.any()
        if not converged:
            warn_unfinished(
                f"BatchPerceptron: {wrong.sum()} mistakes and slope {slope:.2g} after {t} rounds "
                f"({'tol' if slope <= self.tol else 'max_iter'} reached)."
            )
        return Hyperplane(w, b, n_iter_=t, history_=history, converged_=converged)
