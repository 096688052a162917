r"""AdaBoost: a weighted vote of weak learners, each trained on what the earlier ones got wrong.

**Given** n examples with labels :math:`y_i = \pm 1` and a weak learner. Start with weights
:math:`D_1(i) = 1/n`. **Repeat** for t = 1, ..., T:

1. learn :math:`h_t` from the examples weighted by :math:`D_t`;
2. its weighted error is :math:`\varepsilon_t = \sum_i D_t(i) [h_t(x_i) \ne y_i]`, its edge over guessing
   :math:`\gamma_t = 1/2 - \varepsilon_t`;
3. its weight in the vote is :math:`\alpha_t = \frac12 \ln \frac{1 - \varepsilon_t}{\varepsilon_t}`;
4. :math:`D_{t+1}(i) = D_t(i) \exp(-\alpha_t y_i h_t(x_i)) / Z_t`, where :math:`Z_t` makes the sum one.

**Output** the vote :math:`g_T(x) = \sum_t \alpha_t h_t(x)` and its sign.

*More than two classes* (SAMME): guessing errs with probability 1 - 1/K, so the edge is
:math:`1 - 1/K - \varepsilon_t` and :math:`\alpha_t = \frac12 (\ln\frac{1-\varepsilon_t}{\varepsilon_t} +
\ln(K-1))`. Read :math:`y_i h_t(x_i)` as +1 for a right answer and -1 for a wrong one; nothing else changes,
and with K = 2 the two algorithms are the same.

References
----------
.. [1] Freund, Y. and Schapire, R. E. (1997). "A decision-theoretic generalization of on-line learning and an
   application to boosting". Journal of Computer and System Sciences 55(1), 119-139.
.. [2] Zhu, J., Zou, H., Rosset, S. and Hastie, T. (2009). "Multi-class AdaBoost". Statistics and Its
   Interface 2(3), 349-360.
"""

import numpy as np
from scipy.special import softmax
from sklearn.utils import check_consistent_length

from .._members import codes_of
from ..learner import knob
from ..parameters import boolean, real
from ..validation import check_labels, check_X
from .additive import AdditiveClassifier, Round

_NO_EDGE = 1e-12  # an edge below the rounding of the weighted error is no edge


class AdaBoostClassifier(AdditiveClassifier):
    r"""AdaBoost for two classes, SAMME for more.

    .. math:: H(x) &= \mathrm{sign} \sum_{t=1}^T \alpha_t h_t(x), \\
              \alpha_t &= \tfrac12 \ln \frac{1 - \varepsilon_t}{\varepsilon_t}

    Parameters
    ----------
    estimator : estimator, default=None
        The weak learner: ``fit(X, y, sample_weight)`` and ``predict``. None means
        ``DecisionStump()``, the stump of least weighted error. ``DecisionStump(criterion="gini")`` gives
        scikit-learn's default model.
    n_estimators : int, default=50
        The number T of rounds. There are fewer if a member makes no error at all or has no edge.
    learning_rate : float, default=1.0
        Shrinks every :math:`\alpha_t`. The theorems on the training error speak of 1.
    random_state : int, RandomState or None, default=None
        Seeds weak learners that have a ``random_state``; stumps need none.
    store_weights : bool, default=False
        Keep every :math:`D_t` in ``history_.D``: n_samples times T numbers.
    verbose : int, default=0
        1 shows a progress bar.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    estimator_ : estimator
        The weak learner that was copied.
    estimators_ : list
        The members :math:`h_1, \dots, h_T`.
    estimator_weights_ : ndarray
        Twice :math:`\alpha_t`: scikit-learn's convention.
    estimator_errors_ : ndarray
        :math:`\varepsilon_t`.
    history_ : History
        A row for each round. ``epsilon``, ``edge``, ``alpha``, ``Z``; ``reused``, the error of :math:`h_t`
        under :math:`D_{t+1}`, which is 1/2 (for K classes :math:`1 - 1/K`): what :math:`h_t` knows is used
        up; ``train_error``, the error of the vote so far under :math:`D_1`, where a tie is an error;
        ``bound``, the product of the Z so far; and ``D`` if ``store_weights`` (only examples of positive
        weight have a column).
    n_features_in_ : int

    References
    ----------
    .. [1] Freund, Y. and Schapire, R. E. (1997). "A decision-theoretic generalization of on-line learning and
       an application to boosting". Journal of Computer and System Sciences 55(1), 119-139.
    .. [2] Zhu, J., Zou, H., Rosset, S. and Hastie, T. (2009). "Multi-class AdaBoost". Statistics and Its
       Interface 2(3), 349-360.

    Examples
    --------
    >>> X = [[0], [1], [2], [3], [4], [5]]
    >>> y = [-1, -1, 1, 1, -1, -1]
    >>> model = AdaBoostClassifier(n_estimators=3).fit(X, y)
    >>> for member, alpha in zip(model, model.history_.alpha):
    ...     print(f"{alpha:.3f}  {member.rule()}")
    0.347  x1 <= 1.5: -1, else 1
    0.549  x1 <= 3.5: 1, else -1
    0.805  always: -1
    >>> model.history_.epsilon
    array([0.33333333, 0.25      , 0.16666667])
    >>> model.predict(X)
    array([-1, -1,  1,  1, -1, -1])
    """

    learning_rate: float = knob(1.0, real(0, open_low=True))
    store_weights: bool = knob(False, boolean())

    @property
    def _columns(self):
        columns = {
            "epsilon": "weighted error of h_t under D_t",
            "edge": "gamma_t, how much better than guessing",
            "alpha": "weight of h_t in the vote",
            "Z": "what D_t exp(-alpha_t y h_t) sums to",
            "reused": "weighted error of h_t under D_{t+1}",
            "train_error": "error of the vote of h_1..h_t under D_1, ties are errors",
            "bound": "Z_1 ... Z_t, which the training error never exceeds (two classes)",
        }
        return columns | ({"D": "weights of the examples in round t"} if self.store_weights else {})

    def _rounds(self, data):
        K, n, D, bound = len(data.classes), len(data.X), data.D, 1.0
        margin, votes = np.zeros(n), np.zeros((0 if K == 2 else n, K))
        while True:
            h = data.learn(D)
            answers = codes_of(h, data.X, data.classes)
            wrong = answers != data.codes
            missed = np.flatnonzero(wrong)
            epsilon = D[missed].sum()
            edge = 1 - 1 / K - epsilon
            if epsilon == 0:
                # A perfect member would get infinite weight. Any finite weight bounds the
                # training error by Z = exp(-alpha); for alpha = 1/2 this is the
                # exp(-2 gamma^2) of gamma = 1/2.
                factor = np.exp(0.5)
            elif edge <= _NO_EDGE:
                # No edge, no news: alpha would be 0 (or negative), D_{t+1} would be D_t, and
                # a learner that does its best under D_t would say the same for ever.
                return
            else:
                # exp(alpha). Every processor rounds a root alike, so all see the same ties among the
                # weights; an exponential ends in another digit here and there.
                factor = np.sqrt((K - 1) * (1 - epsilon) / epsilon) ** self.learning_rate
            alpha = np.log(factor)
            # D exp(-alpha y h); at a mistake y h = -1
            unnormalised = D * np.where(wrong, factor, 1 / factor)
            Z = unnormalised.sum()
            bound *= Z
            numbers = {"D": D} if self.store_weights else {}
            D = unnormalised / Z
            numbers |= dict(epsilon=epsilon, edge=edge, alpha=alpha, Z=Z, bound=bound, reused=D[missed].sum())
            if K == 2:
                margin += np.where(wrong, -alpha, alpha)
            else:
                votes[np.arange(n), answers] += alpha
                margin = _margin(votes, data.codes)
            yield Round(h, alpha, numbers, margin)
            if epsilon == 0:
                # Every error is gone: the weights can only return to D_1 and teach nothing new.
                return

    def _run(self, rounds, D):
        super()._run(rounds, D)
        self.estimator_weights_ = 2 * self._c  # scikit-learn's convention
        self.estimator_errors_ = self.history_.epsilon

    def _answer(self, member, X):
        if self.n_classes_ == 2:
            return super()._answer(member, X)
        answers = codes_of(member, X, self.classes_)
        return (answers[:, None] == np.arange(self.n_classes_)).astype(np.float64)

    def _score_from(self, F, t):
        r"""scikit-learn's scale: code an answer as 1 for its class and -1/(K-1) for the others, average.

        For two classes it takes the difference of the two columns, which is 2 g / sum of alpha.
        """
        total = self._c[:t].sum()
        if self.n_classes_ <= 2:
            return (2 if self.n_classes_ == 2 else 0) * F / total
        return (self.n_classes_ * F / total - 1) / (self.n_classes_ - 1)

    def _proba_from(self, score):
        """Zhu et al. (2009): the score estimates K - 1 times a centred log-probability."""
        if score.ndim == 1:
            return softmax(np.column_stack((-score, score)) / 2, axis=1)
        return softmax(score / max(self.n_classes_ - 1, 1), axis=1)

    def staged_margins(self, X, y):
        r"""Yield the margins of the examples after 1, 2, ..., T members; see :func:`margins`."""
        X = check_X(self, X)
        codes = check_labels(y, self.classes_)
        check_consistent_length(X, codes)
        for F, total in zip(self._staged_sum(X), np.cumsum(self._c), strict=True):
            yield _margin(F, codes) / total


def _margin(F, codes):
    """Two classes: y F. More: the votes for the right class minus those for its strongest rival."""
    if F.ndim == 1:
        return (2.0 * codes - 1.0) * F
    right = F[np.arange(len(codes)), codes]
    rivals = np.where(codes[:, None] == np.arange(F.shape[1]), -np.inf, F)
    return right - np.maximum(rivals.max(axis=1), 0.0)


def margins(model, X, y):
    r"""The margin of each example under a vote: how clearly, and whether rightly, it is decided.

    .. math:: m_i = \frac{y_i \sum_t \alpha_t h_t(x_i)}{\sum_t \alpha_t} \in [-1, 1]

    For more than two classes: the share of the vote for the right class minus the greatest share of a wrong
    one. An example is classified correctly if and only if its margin is positive, up to ties.

    Parameters
    ----------
    model : fitted AdaBoostClassifier
    X : array-like of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
        Labels that occur in ``model.classes_``.

    Returns
    -------
    m : ndarray of shape (n_samples,)

    References
    ----------
    .. [1] Schapire, R. E., Freund, Y., Bartlett, P. and Lee, W. S. (1998). "Boosting the margin: a new
       explanation for the effectiveness of voting methods". Annals of Statistics 26(5), 1651-1686.

    Examples
    --------
    >>> X, y = [[0], [1], [2], [3]], [0, 1, 1, 0]
    >>> model = AdaBoostClassifier(n_estimators=3).fit(X, y)
    >>> print(np.round(margins(model, X, y), 3))
    [0.214 0.323 0.323 0.463]
    """
    votes, codes = model.vote(X), check_labels(y, model.classes_)
    check_consistent_length(votes, codes)
    return _margin(votes, codes) / model._c.sum()
