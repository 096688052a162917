r"""FloatBoost: boosting that looks back and removes members which are no longer needed.

Greedy search never takes anything back: a member chosen early stays, even when later ones have made it
useless. FloatBoost borrows *floating search* from feature selection. Let J(H) be the training error of the
ensemble H (ties are errors) and :math:`J_{min}(M)` the least error seen so far for an ensemble of M members.
**Repeat** until there are :math:`M_{max}` members:

1. *forward*: one round of AdaBoost on the weights :math:`D \propto e^{-y F}` of the present ensemble; update
   :math:`J_{min}(M)`;
2. *backward*: find the member h' whose removal leaves the least error. If
   :math:`J(H \setminus h') < J_{min}(M - 1)`, remove it, set :math:`J_{min}(M - 1)` to that error, and look
   back again.

With equal weights each removal lowers some :math:`J_{min}` by at least 1/n, so there are at most
:math:`n M_{max}` of them and the algorithm ends.

*Which version.* This is the plain floating search of 2002: the members that stay keep their weights
:math:`\alpha`, and :math:`J_{min}(M)` is always the error of an ensemble that existed. The version of 2004
relearns the later members after a removal; then the error recorded need not be attained by the ensemble that
is kept.

References
----------
.. [1] Li, S., Zhang, Z., Shum, H. and Zhang, H. (2002). "FloatBoost learning for classification". NIPS 15.
.. [2] Li, S. and Zhang, Z. (2004). "FloatBoost learning and statistical face detection". IEEE Transactions on
   Pattern Analysis and Machine Intelligence 26(9), 1112-1123.
.. [3] Pudil, P., Novovicova, J. and Kittler, J. (1994). "Floating search methods in feature selection".
   Pattern Recognition Letters 15, 1119-1125.
"""

import numpy as np

from ..ties import TIE, first_greatest
from .adaboost import _NO_EDGE
from .additive import AdditiveClassifier, Round, training_error


class FloatBoostClassifier(AdditiveClassifier):
    r"""FloatBoost for two classes: AdaBoost's rounds, and backtracking.

    .. math:: & \text{remove } h' = \arg\min_h J(H \setminus h) \\
              & \text{if } J(H \setminus h') < J_{\min}(M - 1)

    Parameters
    ----------
    estimator : estimator, default=None
        The weak learner: ``fit(X, y, sample_weight)`` and ``predict``. None means ``DecisionStump()``.
    n_estimators : int, default=50
        :math:`M_{\max}`, the number of members to end with.
    random_state : int, RandomState or None, default=None
        Seeds weak learners that have a ``random_state``.
    verbose : int, default=0
        1 shows a progress bar.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
    estimators_ : list
        The members that stayed.
    estimator_weights_ : ndarray
        Their alphas.
    least_errors_ : ndarray of shape (M + 1,)
        :math:`J_{\min}(M)` for every size of ensemble that was seen; :math:`J_{\min}(0) = 1`.
    history_ : History
        A row for each forward step: ``epsilon``, ``alpha``, ``forward_error`` (before looking back),
        ``train_error`` (after), ``n_dropped``, ``n_members``.
    n_features_in_ : int

    References
    ----------
    .. [1] Li, S., Zhang, Z., Shum, H. and Zhang, H. (2002). "FloatBoost learning for classification". NIPS
       15.

    Examples
    --------
    >>> X, y = [[0], [1], [2], [3], [4], [5]], [0, 0, 1, 1, 0, 0]
    >>> model = FloatBoostClassifier(n_estimators=3).fit(X, y)
    >>> model.predict(X), len(model.estimators_)
    (array([0, 0, 1, 1, 0, 0]), 3)
    """

    _binary = True

    _ends_itself = True  # the ensemble's size ends the loop
    _columns = {
        "epsilon": "weighted error of the new member",
        "alpha": "its weight in the vote",
        "forward_error": "J with the new member",
        "train_error": "J after looking back",
        "n_dropped": "how many members were removed",
        "n_members": "how many there are now",
    }

    def _rounds(self, data):
        terms = []  # alpha y h of every member of the ensemble
        margin = np.zeros(len(data.y))  # their sum, y F

        def error(margin):
            return training_error(data.D, margin, size=sum(abs(term[0]) for term in terms))

        J_min = np.full(self.n_estimators + 1, np.inf)
        J_min[0] = 1.0

        epsilon = 1.0
        while len(terms) < self.n_estimators and epsilon > 0:
            # The factor keeps the greatest weight from overflowing.
            D = data.D * np.exp(margin.min() - margin)
            h = data.learn(D / D.sum())
            yh = data.y * self._answer(h, data.X)
            epsilon = D[yh < 0].sum() / D.sum()
            if 0.5 - epsilon <= _NO_EDGE:
                break
            alpha = 0.5 * np.log((1 - epsilon) / epsilon) if epsilon > 0 else 0.5  # as AdaBoost has it
            terms.append(alpha * yh)
            margin = np.sum(terms, axis=0)
            forward = error(margin)
            J_min[len(terms)] = min(J_min[len(terms)], forward)

            dropped = []
            while len(terms) > 1:
                errors = np.array([error(margin - term) for term in terms])
                k = int(first_greatest(-errors[None])[0])
                if not errors[k] < J_min[len(terms) - 1] - TIE:
                    break
                dropped.append(k)
                del terms[k]
                margin = np.sum(terms, axis=0)
                J_min[len(terms)] = errors[k]
            numbers = dict(epsilon=epsilon, alpha=alpha, forward_error=forward, train_error=error(margin))
            numbers |= dict(n_dropped=len(dropped), n_members=len(terms))
            yield Round(h, alpha, numbers, drop=tuple(dropped))
        self.least_errors_ = J_min[np.isfinite(J_min)]
