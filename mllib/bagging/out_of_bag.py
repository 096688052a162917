r"""Out of bag: let every example be judged by the members that never saw it.

A bootstrap replicate leaves out about 37 % of the examples. For an example, the members whose replicates left
it out are a smaller ensemble for which it is a test example; the score of these answers estimates the error
on new data, without a test set and without learning anything again.

References
----------
.. [1] Breiman, L. (1996). "Out-of-bag estimation". Technical report, University of California, Berkeley.
"""

from warnings import warn

import numpy as np
from sklearn.metrics import r2_score

from ..history import History
from ..ties import first_greatest
from .replicates import left_out


def judge_out_of_bag(answers, replicates, y, judge):
    """Add up what each member says about the examples it never saw, and judge the means.

    Parameters
    ----------
    answers : iterable of callable
        For each member a function of rows: what it says about them, a number or a row of numbers for each.
    replicates : iterable of ndarray
        The rows that each member has seen.
    y : ndarray of shape (n_samples,)
    judge : callable
        ``judge(y, mean)`` is a score: :func:`accuracy` or :func:`r2`.

    Returns
    -------
    mean : ndarray of shape (n_samples, ...)
        The mean answer for each example; NaN where every member saw it.
    history : History
        ``oob_score`` and ``covered``, the share of examples with an answer, after each member.

    Examples
    --------
    Two members that say 0 and 2, of three examples the first left out 0 and 1, the second 1 and 2:

    >>> say = [lambda rows: np.zeros(len(rows)), lambda rows: np.full(len(rows), 2.0)]
    >>> mean, history = judge_out_of_bag(say, [[2], [0]], np.array([0.0, 1.0, 2.0]), r2)
    >>> mean, history.covered.round(2), history.oob_score[-1]
    (array([0., 1., 2.]), array([0.67, 1.  ]), np.float64(1.0))
    """
    history = History(
        oob_score="score of the members so far, on the examples that at least one of them left out",
        covered="share of the examples that at least one member so far left out",
    )
    n = len(y)
    total, judges = None, np.zeros(n)
    for answer, rows in zip(answers, replicates, strict=True):
        out = np.flatnonzero(left_out(rows, n))
        if len(out):
            said = answer(out)
            total = np.zeros((n, *said.shape[1:])) if total is None else total
            total[out] += said
            judges[out] += 1
        heard, score = judges > 0, np.nan
        if heard.any():
            mean = (total[heard].T / judges[heard]).T
            score = judge(y[heard], mean)
        history.record(oob_score=score, covered=heard.mean())
    if not heard.all():
        warn(
            "Some inputs do not have OOB scores. This probably means too few estimators were used "
            f"({(~heard).sum()} of {n} examples were left out by no member).",
            stacklevel=3,
        )
    everywhere = np.full(n if total is None else total.shape, np.nan)
    if heard.any():
        everywhere[heard] = mean
    return everywhere, history


def accuracy(codes, shares):
    """How often the class with the largest share is the right one.

    Examples
    --------
    >>> accuracy(np.array([0, 1]), np.array([[0.6, 0.4], [0.7, 0.3]]))
    0.5
    """
    return float((first_greatest(shares) == codes).mean())


def r2(y, prediction):
    """The explained share of the variance of y; NaN for a single y.

    Examples
    --------
    >>> r2(np.array([0.0, 2.0]), np.array([1.0, 1.0])), r2(np.array([1.0]), np.array([1.0]))
    (0.0, nan)
    """
    return float(r2_score(y, prediction)) if len(y) > 1 else np.nan
