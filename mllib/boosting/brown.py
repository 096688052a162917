r"""BrownBoost: boosting that has a limited time and gives up on hopeless examples.

**Given** the share :math:`\varepsilon` of examples that may stay wrong. Set :math:`c = \mathrm{erfinv}(1 -
\varepsilon)^2`, the time left :math:`s = c`, and the margins :math:`r_i = 0`. **Repeat** until s = 0:

1. weights :math:`W_i \propto \exp(-(r_i + s)^2 / c)`: an example far behind, :math:`r_i \ll -s`, is given up;
2. learn h from the examples weighted by W, and let :math:`u_i = y_i h(x_i)`; stop if its edge
   :math:`\gamma = \sum W_i u_i / \sum W_i` is at most :math:`\nu`;
3. follow the differential equation

   .. math:: \frac{dt}{d\alpha} = \gamma(\alpha, t) = \frac{\sum_i W_i u_i}{\sum_i W_i}, \qquad
             W_i = \exp\!\Big(-\frac{(r_i + \alpha u_i + s - t)^2}{c}\Big), \qquad t(0) = 0

   until the edge has fallen to :math:`\nu` or the time is over, t = s;
4. :math:`r_i \leftarrow r_i + \alpha u_i`, :math:`s \leftarrow s - t`.

**Output** :math:`F = \sum \alpha h` and its sign.

*Why.* The equation keeps the potential :math:`\Phi = \frac1n \sum_i [1 - \mathrm{erf}((r_i + s)/\sqrt c)]`
constant: its derivative in :math:`\alpha` is a positive factor times :math:`\gamma - dt/d\alpha`. It begins
at :math:`1 - \mathrm{erf}(\sqrt c) = \varepsilon` and at s = 0 it is the mean of :math:`|y_i -
\mathrm{erf}(F(x_i)/\sqrt c)|`, so at most a share :math:`\varepsilon` of the examples is then misclassified.
And because :math:`\Phi` rises with t, we need no step-by-step integration: for each :math:`\alpha` the t that
restores the potential is found by root finding.

References
----------
.. [1] Freund, Y. (2001). "An adaptive version of the boost by majority algorithm". Machine Learning 43,
   293-318.
"""

from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.special import erf, erfc, erfcinv

from ..learner import knob
from ..parameters import real
from .additive import AdditiveClassifier, Round

_SLACK = 1e-9  # an edge this close to nu is used up: the step before ended where it equals nu


class BrownStep(NamedTuple):
    """How far to go with a member, and how much time that takes."""

    alpha: float
    t: float


def brown_weights(r, s, c):
    r"""Weights :math:`\exp(-(r_i + s)^2 / c)`, scaled to sum to one.

    References
    ----------
    .. [1] Freund (2001).

    Examples
    --------
    >>> brown_weights(np.array([-3.0, -1.0, 0.0, 2.0]), s=1.0, c=1.0).round(3)
    array([0.013, 0.721, 0.265, 0.   ])
    """
    exponent = -((r + s) ** 2) / c
    W = np.exp(exponent - exponent.max())  # the greatest weight is 1 before scaling: no underflow of all
    return W / W.sum()


def brown_potential(r, s, c, D=None):
    r"""The potential: the mean of :math:`1 - \mathrm{erf}((r_i + s)/\sqrt c)`.

    References
    ----------
    .. [1] Freund (2001).

    Examples
    --------
    >>> c = erfcinv(0.1) ** 2
    >>> print(brown_potential(np.zeros(5), c, c).round(6))
    0.1
    """
    potential = erfc((r + s) / np.sqrt(c))  # erfc = 1 - erf, without losing digits
    return potential.mean() if D is None else D @ potential / D.sum()


def _root(f, low, high, slack=1):
    """Where f changes its sign, as exactly as floats tell."""
    return brentq(f, low, high, xtol=slack * 1e-15, rtol=slack * 1e-14)


def brown_step(u, r, s, c, nu, D=None):
    r"""Follow a member until its edge is used up or the time is over.

    Parameters
    ----------
    u : ndarray of shape (n_samples,)
        :math:`y_i h(x_i)`, in [-1, 1]; its edge under the weights must exceed ``nu``.
    r, s, c
        Margins, time left, total time.
    nu : float
        The edge at which to stop.
    D : ndarray of shape (n_samples,), optional
        Weights of the examples themselves (equal if None).

    Returns
    -------
    BrownStep

    References
    ----------
    .. [1] Freund (2001).

    Examples
    --------
    A perfect member takes all the time at once, because its edge is 1 whatever the weights:

    >>> alpha, t = brown_step(np.ones(4), np.zeros(4), s=1.0, c=1.0, nu=0.01)
    >>> round(alpha, 12), t
    (1.0, 1.0)
    """
    D = np.full(len(u), 1 / len(u)) if D is None else D
    goal = brown_potential(r, s, c, D)

    def excess(alpha, t):
        return brown_potential(r + alpha * u, s - t, c, D) - goal

    def edge(alpha, t):
        W = D * brown_weights(r + alpha * u, s - t, c)
        return W @ u / W.sum()

    # March in small steps until one of the two ends is passed, then find it exactly. As no edge is greater
    # than 1, the time does not grow faster than alpha: that is where to look for t(alpha).
    alpha, t, stride = 0.0, 0.0, np.sqrt(c) / 20

    def time(a):
        latest = min(s, t + (a - alpha))
        if excess(a, latest) <= 0:
            return latest
        earliest = t if excess(a, t) < 0 else 0.0
        return earliest if excess(a, earliest) >= 0 else _root(lambda x: excess(a, x), earliest, latest)

    def when_over(end):
        return _root(lambda a: excess(a, s), alpha, end)

    while t < s:
        ahead = alpha + stride
        over = t + stride >= s and excess(ahead, s) <= 0
        ahead = when_over(ahead) if over else ahead
        t_ahead = s if over else time(ahead)
        if edge(ahead, t_ahead) < nu:
            used_up = alpha
            if edge(alpha, t) > nu:
                used_up = _root(lambda a: edge(a, time(a)) - nu, alpha, ahead, slack=10)
            if excess(used_up, s) >= 0:
                return BrownStep(float(used_up), float(time(used_up)))
            ahead, t_ahead = when_over(used_up), s  # both ends lie in this stride; the time is over first
        alpha, t = ahead, t_ahead
    return BrownStep(float(alpha), float(t))


class BrownBoostClassifier(AdditiveClassifier):
    r"""BrownBoost for two classes.

    .. math:: F(x) &= \sum_t \alpha_t h_t(x), \\
              W_i &= \exp(-(r_i + s)^2 / c)

    Parameters
    ----------
    estimator : estimator, default=None
        The weak learner: ``fit(X, y, sample_weight)`` and ``predict``. None means ``DecisionStump()``.
    noise : float, default=0.1
        :math:`\varepsilon`, the share of training examples that may stay wrong, in (0, 1). The smaller, the
        more time c there is; as :math:`\varepsilon` tends to 0 the algorithm becomes AdaBoost.
    min_edge : float, default=1e-3
        :math:`\nu`, the edge at which a member counts as used up.
    n_estimators : int, default=200
        The most rounds. The guarantee on the training error needs the time to run out; if there is time left
        after the last round, a ConvergenceWarning says so, and whether all rounds were used.
    random_state : int, RandomState or None, default=None
        Seeds weak learners that have a ``random_state``.
    verbose : int, default=0
        1 shows a progress bar.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
    estimators_ : list
        The members.
    estimator_weights_ : ndarray
        The alphas.
    total_time_ : float
        The time c that the run began with.
    time_left_ : float
        s at the end; 0 if the time ran out, and then the training error is at most ``noise``. It is greater
        if no member with an edge was found; then only the share of examples with :math:`r \le -s` is at most
        ``noise``.
    history_ : History
        ``edge`` (of h under the weights), ``alpha``, ``t`` (time used), ``s`` (time left), ``potential``,
        ``train_error``.
    n_features_in_ : int

    References
    ----------
    .. [1] Freund, Y. (2001). "An adaptive version of the boost by majority algorithm". Machine Learning 43,
       293-318.

    Examples
    --------
    >>> X, y = [[0], [1], [2], [3], [4], [5]], [0, 0, 1, 0, 1, 1]
    >>> model = BrownBoostClassifier(noise=0.2).fit(X, y)
    >>> model.time_left_, bool(model.history_.train_error[-1] <= 0.2)
    (0.0, True)
    >>> model.history_.potential.round(9)[[0, -1]]
    array([0.2, 0.2])
    """

    noise: float = knob(0.1, real(0, 1, open_low=True, open_high=True))
    min_edge: float = knob(1e-3, real(0, 1, open_low=True, open_high=True))
    n_estimators: int = 200
    _binary = True

    _columns = {
        "edge": "sum W y h / sum W before the step",
        "alpha": "weight of h_t in the sum",
        "t": "time that the step took",
        "s": "time left after it",
        "potential": "mean of 1 - erf((r + s) / sqrt(c)), which stays what it is",
        "train_error": "error of F_t, ties are errors",
    }

    def _rounds(self, data):
        c = self.total_time_ = float(erfcinv(self.noise) ** 2)
        r, s = np.zeros(len(data.y)), c
        while s > 0:
            self.time_left_ = s
            W = data.D * brown_weights(r, s, c)
            W /= W.sum()
            h = data.learn(W)
            u = data.y * self._answer(h, data.X)
            edge = W @ u
            if edge <= self.min_edge + _SLACK:
                return
            alpha, t = brown_step(u, r, s, c, self.min_edge, data.D)
            r, s = r + alpha * u, s - t
            self.time_left_ = s
            numbers = dict(edge=edge, alpha=alpha, t=t, s=s, potential=brown_potential(r, s, c, data.D))
            left = f"{s:.3g} of the time {c:.3g} is left"
            advice = "raise noise (or n_estimators, if all rounds were used)"
            yield Round(h, alpha, numbers, r, unfinished=f"{left}; {advice}" if s > 0 else "")

    def _proba_from(self, score):
        """The potential's own scale: (1 + erf(F / sqrt(c))) / 2."""
        p = (1 + erf(score / np.sqrt(self.total_time_))) / 2
        return np.column_stack((1 - p, p))
