"""Tiny sets for the blackboard: small enough to print, made so that one thing goes wrong or right."""

import numpy as np
from sklearn.utils import Bunch


def load_ten_points(*, return_X_y=False):
    """Ten points in the plane on which three rounds of AdaBoost reach training error zero.

    Schapire and Freund's toy example. With decision stumps as weak learners the weighted errors are
    3/10, 3/14 and 3/22, hence the votes

    .. math:: \\alpha_t = \\tfrac12 \\ln\\frac{1 - \\epsilon_t}{\\epsilon_t} = .4236,\\ .6496,\\ .9229.

    The original is a drawing without coordinates; these coordinates put the points where the drawing
    has them, so that its three stumps, x1 < 2.5, x1 < 8.5 and x2 > 6.5, are the best ones in turn. In
    round 1 three stumps tie: the lowest feature, then the lowest threshold, gives the published run.

    Parameters
    ----------
    return_X_y : bool, default=False
        Return ``(data, target)`` in place of the Bunch.

    Returns
    -------
    bunch : :class:`sklearn.utils.Bunch`
        ``data`` (10, 2), ``target`` -1 or +1, ``feature_names``, ``target_names``, ``DESCR``.

    References
    ----------
    Schapire, R. E. and Freund, Y. (2012). Boosting: Foundations and Algorithms. MIT Press, section 1.2.

    Examples
    --------
    >>> from mllib.datasets import load_ten_points
    >>> X, y = load_ten_points(return_X_y=True)
    >>> X[y > 0].tolist()
    [[1.0, 1.0], [2.0, 2.0], [5.0, 10.0], [7.0, 7.0], [8.0, 8.0]]
    """
    positive = [(1, 1), (2, 2), (5, 10), (7, 7), (8, 8)]
    negative = [(3, 4), (4, 5), (6, 6), (9, 3), (10, 9)]
    X = np.array(positive + negative, dtype=np.float64)
    y = np.repeat([1, -1], 5)
    if return_X_y:
        return X, y
    return Bunch(
        data=X,
        target=y,
        feature_names=["x1", "x2"],
        target_names=np.array(["-", "+"]),
        DESCR=load_ten_points.__doc__,
    )
