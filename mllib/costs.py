"""Decisions with unequal costs: whoever gives the probabilities need not be the one who decides."""

import numpy as np


def bayes_threshold(cost_fp, cost_fn):
    r"""The probability from which on saying "+" is the cheaper answer.

    Right answers cost nothing, a false alarm ``cost_fp``, a miss ``cost_fn``. With
    :math:`p = P({+} \mid x)`, saying "+" costs :math:`(1 - p)\, c_{fp}` on average and saying "-" costs
    :math:`p\, c_{fn}`, so "+" is best iff

    .. math:: p \ge \frac{c_{fp}}{c_{fp} + c_{fn}}

    (at equality both cost the same).

    Parameters
    ----------
    cost_fp, cost_fn : float
        Not negative and not both zero.

    Returns
    -------
    threshold : float in [0, 1]

    References
    ----------
    .. [1] Elkan, C. (2001). "The foundations of cost-sensitive learning". IJCAI, 973-978.

    Examples
    --------
    Losing a real message is nine times as bad as reading one spam:

    >>> bayes_threshold(cost_fp=9, cost_fn=1)
    0.9
    """
    if not (0 <= cost_fp < np.inf and 0 <= cost_fn < np.inf and cost_fp + cost_fn > 0):
        raise ValueError(
            f"costs must be finite, not negative and not both zero, got {cost_fp!r} and {cost_fn!r}"
        )
    if cost_fp + cost_fn == np.inf:  # the sum is too large for a float: take another currency
        cost_fp, cost_fn = cost_fp / 2, cost_fn / 2
    return cost_fp / (cost_fp + cost_fn)
