r"""Ties: what differs by rounding only is equal, and of equals the first one is taken.

The last digit of a sum depends on the order of its terms, and libraries choose that order by the processor.
A last digit is harmless until something *discrete* hangs on it: which of two questions a tree asks, on which
side a point lies whose score is 0 in mathematics, whether a variable has reached its limit. Two machines
would then go different ways, and so would two orders of the same examples. Therefore every decision of this
package counts numbers as equal whose difference is no more than a small share of what was added up to make
them: far more than rounding (1e-16 of a term), far less than anything that means something. The share is
:data:`TIE`; for scores it is :data:`FAINT`, because points far from the origin have honest scores that are
small beside their terms.
"""

import numpy as np

TIE = 1e-12
FAINT = 2.0**-46  # 1.4e-14


def settled(scores, size, share=TIE):
    """The scores, and 0 where only rounding keeps them from it.

    Parameters
    ----------
    scores : ndarray
    size : ndarray or float
        What the terms of each score add up to in absolute value.
    share : float
        Of this size.

    Examples
    --------
    >>> settled(np.array([0.1 + 0.2 - 0.3, 1e-9]), size=0.6)
    array([0.e+00, 1.e-09])
    """
    return np.where(np.abs(scores) <= share * size, 0.0, scores)


def first_greatest(scores):
    """For each row the place of its greatest score, the first one of equals.

    Examples
    --------
    >>> first_greatest(np.array([[0.3, 0.1 + 0.2, 0.1], [0.1, 0.2, 0.2]]))
    array([0, 1])
    """
    greatest = scores.max(axis=1, keepdims=True)
    return (scores >= greatest - TIE * np.abs(greatest)).argmax(axis=1)


def scores_of(X, w, b, largest=None, peak=None):
    r"""The scores :math:`w \cdot x + b` of the rows of X; 0 where only rounding keeps them from it.

    ``w`` is one weight vector or has one in each row, and ``b`` one number for each; no entry of X is greater
    than ``largest``, if that is known. If (w, b) is a sum of many steps, ``peak`` tells how great each weight
    has been on the way: so large are its errors.

    Examples
    --------
    >>> X, w = np.array([[0.1, 0.2], [0.5, 0.5]]), np.array([1.0, 1.0])
    >>> X @ w - 0.3, scores_of(X, w, -0.3)
    (array([5.55111512e-17, 7.00000000e-01]), array([0. , 0.7]))
    """
    scores = X @ w.T + b
    if 0 in X.shape:
        return scores
    w, b, share = (np.abs(w), np.abs(b), FAINT) if peak is None else (peak[:-1], peak[-1], TIE)
    # What the terms add up to is looked at only where it may matter: by a bound of it.
    largest = max(X.max(), -X.min()) if largest is None else largest
    small = np.abs(scores) <= share * (w.sum(axis=-1) * largest + b)
    rows = np.flatnonzero(small if small.ndim == 1 else small.any(axis=1))
    if len(rows):
        scores[rows] = settled(scores[rows], abs(X[rows]) @ w.T + b, share)
    return scores
