r"""Strength and correlation: when does a vote of trees err rarely?

For a random tree h and an example (x, y), a vote for the right class counts +1, a vote for the strongest
wrong class -1, any other 0:

.. math:: \text{rmg}(h; x, y) = [h(x) = y] - [h(x) = \hat\jmath(x, y)], \qquad
          \hat\jmath = \arg\max_{j \ne y} P_h(h(x) = j).

Its mean over the trees is the margin of the forest, :math:`mr(x, y) = P_h(h(x) = y) - \max_{j \ne y}
P_h(h(x) = j)`; the forest errs (ties are errors) where it is not positive. With the **strength**
:math:`s = E\, mr` and the **correlation**

.. math:: \bar\rho = \frac{E_{h, h'} \operatorname{cov}(\text{rmg}(h), \text{rmg}(h'))}
                          {E_{h, h'} \operatorname{sd}(\text{rmg}(h)) \operatorname{sd}(\text{rmg}(h'))}

(covariances and deviations over the examples, h and h' independent), Chebyshev's inequality gives

.. math:: P(mr \le 0) \le \frac{\operatorname{var}(mr)}{s^2} = \frac{\bar\rho\, (E \operatorname{sd})^2}{s^2}
          \le \bar\rho \, \frac{1 - s^2}{s^2} \qquad (s > 0).

Good trees (large s) that err on different examples (small correlation): that is the recipe, and the two
pull against each other. In a forest that one has, h and h' are drawn from its B trees *with* replacement:
the pairs of a tree with itself belong to the average. Without them the bound can fail.

References
----------
.. [1] Breiman, L. (2001). "Random forests". Machine Learning 45, 5-32. (Theorem 2.3.)
"""

import numpy as np
from sklearn.utils import Bunch

from ..validation import check_weights


def strength_and_correlation(votes, y, sample_weight=None):
    r"""Strength, correlation and the bound on the error, from the votes of the members.

    Parameters
    ----------
    votes : array-like of shape (n_estimators, n_samples)
        The class that each member gives to each example: ``[tree.predict(X) for tree in forest]``.
    y : array-like of shape (n_samples,)
        The right classes, coded as the votes are.
    sample_weight : array-like of shape (n_samples,), default=None
        A law on the examples; None: all alike.

    Returns
    -------
    result : :class:`sklearn.utils.Bunch`
        ``strength`` (:math:`s`), ``correlation`` (:math:`\rho`), ``bound`` (:math:`\rho (1 - s^2)/s^2`;
        infinite unless :math:`s > 0`), ``chebyshev`` (the sharper :math:`\operatorname{var}(mr)/s^2`),
        ``error`` (weight of the examples whose margin is not positive) and ``margin`` (n_samples,).

    References
    ----------
    .. [1] Breiman, L. (2001). "Random forests". Machine Learning 45, 5-32.

    Examples
    --------
    Three members, each wrong on another example:

    >>> result = strength_and_correlation([[0, 1, 1], [1, 1, 0], [0, 0, 0]], [0, 1, 0])
    >>> result.margin.round(2), result.error
    (array([0.33, 0.33, 0.33]), 0.0)
    >>> round(result.strength, 2), round(abs(result.correlation), 2), round(abs(result.bound), 2)
    (0.33, 0.0, 0.0)
    """
    votes, y = np.asarray(votes), np.asarray(y)
    if votes.ndim != 2 or y.shape != votes.shape[1:] or votes.size == 0:
        raise ValueError(
            f"votes must have a row for each member and a column for each y, got shapes {votes.shape} and "
            f"{y.shape}"
        )
    weight = check_weights(sample_weight, y[:, None])
    weight = weight / weight.sum()
    classes = np.unique(np.concatenate([votes.ravel(), y]))
    share = np.array([(votes == c).mean(axis=0) for c in classes])  # classes x examples
    right = classes[:, None] == y
    rival = np.where(right, -1.0, share).argmax(axis=0)  # the strongest wrong class
    rmg = (votes == y).astype(float)
    if len(classes) > 1:  # otherwise there is no wrong class to vote for
        rmg -= votes == classes[rival]
    margin = rmg.mean(axis=0)
    s = float(weight @ margin)
    mean = rmg @ weight
    deviation = np.sqrt(np.maximum((rmg - mean[:, None]) ** 2 @ weight, 0.0))
    # The mean over all pairs of cov(rmg, rmg') is the variance of the mean of the rmg.
    variance = float(weight @ (margin - s) ** 2)
    scale = deviation.mean() ** 2  # the mean over all pairs of sd sd'
    correlation = float(variance / scale) if scale > 0 else 0.0
    return Bunch(
        strength=s,
        correlation=correlation,
        bound=correlation * (1 - s**2) / s**2 if s > 0 else np.inf,
        chebyshev=variance / s**2 if s > 0 else np.inf,
        error=float(weight @ (margin <= 0)),
        margin=margin,
    )
