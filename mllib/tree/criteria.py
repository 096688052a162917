r"""Impurity: how mixed is a set of examples? The formulas, for reading, plotting and checking.

The tree builder uses rearrangements of these (:mod:`mllib.tree.split`), which need no pass over all classes.

For class shares :math:`p_k`:

.. math:: \text{Gini} = \sum_k p_k (1 - p_k) = 1 - \sum_k p_k^2, \qquad
          \text{entropy} = - \sum_k p_k \log_2 p_k .

Both are concave in p, zero for a pure set and greatest for equal shares. A split gains

.. math:: \Delta = i(\text{node}) - \frac{W_L}{W} i(\text{left}) - \frac{W_R}{W} i(\text{right}) \ge 0 .

References
----------
.. [1] Breiman, L., Friedman, J., Olshen, R. and Stone, C. (1984). Classification and Regression Trees.
   Wadsworth.
.. [2] Quinlan, J. R. (1986). "Induction of decision trees". Machine Learning 1, 81-106.
"""

import numpy as np


def gini(weights):
    r"""Gini impurity :math:`1 - \sum_k p_k^2` of class weights (last axis: classes).

    References
    ----------
    .. [1] Breiman, Friedman, Olshen and Stone (1984), chapter 4.

    Examples
    --------
    >>> gini([3, 1]), gini([[2, 2], [4, 0]])
    (np.float64(0.375), array([0.5, 0. ]))
    """
    p = _shares(weights)
    return 1.0 - (p**2).sum(axis=-1)


def entropy(weights):
    r"""Entropy :math:`-\sum_k p_k \log_2 p_k` in bits of class weights (last axis: classes).

    References
    ----------
    .. [1] Shannon, C. E. (1948). "A mathematical theory of communication". Bell System Technical Journal 27.

    Examples
    --------
    >>> print(entropy([2, 2]), entropy([1, 1, 1, 1]), entropy([4, 0]))
    1.0 2.0 0.0
    """
    p = _shares(weights)
    return -(p * np.log2(np.where(p > 0, p, 1.0))).sum(axis=-1) + 0.0


def squared_error(y, sample_weight=None):
    r"""Weighted mean of :math:`(y_i - \bar y)^2`: the impurity of a regression node.

    References
    ----------
    .. [1] Breiman, Friedman, Olshen and Stone (1984), chapter 8.

    Examples
    --------
    >>> print(squared_error([1.0, 3.0]), squared_error([0.0, 1.0], [3.0, 1.0]))
    1.0 0.1875
    """
    y = np.asarray(y, dtype=float)
    mean = np.average(y, weights=sample_weight)
    return np.average((y - mean) ** 2, weights=sample_weight)


def impurity_gain(left, right, impurity=gini):
    r"""What a split gains: :math:`i(L + R) - \frac{W_L}{W} i(L) - \frac{W_R}{W} i(R)`.

    Parameters
    ----------
    left, right : array-like of shape (..., n_classes)
        Class weights of the two sides.
    impurity : callable, default=gini
        :func:`gini` or :func:`entropy` (then the gain is the information gain).

    References
    ----------
    .. [1] Quinlan, J. R. (1986). "Induction of decision trees". Machine Learning 1, 81-106.

    Examples
    --------
    >>> print(impurity_gain([2, 0], [0, 2]), impurity_gain([1, 1], [2, 2], entropy))
    0.5 0.0
    """
    left, right = np.asarray(left, dtype=float), np.asarray(right, dtype=float)
    W_left, W_right = left.sum(axis=-1), right.sum(axis=-1)
    inside = W_left * impurity(left) + W_right * impurity(right)
    return impurity(left + right) - inside / (W_left + W_right)


def normalised_information_gain(left, right):
    r"""Information gain I divided by the mean of class entropy and split entropy, in [0, 1].

    .. math:: \frac{2 I}{H(\text{classes}) + H(W_L / W, W_R / W)}

    References
    ----------
    .. [1] Geurts, P., Ernst, D. and Wehenkel, L. (2006). "Extremely randomized trees". Machine Learning 63,
       3-42. (Appendix A.)

    Examples
    --------
    >>> print(normalised_information_gain([2, 0], [0, 2]), normalised_information_gain([1, 1], [1, 1]))
    1.0 0.0
    """
    left, right = np.asarray(left, dtype=float), np.asarray(right, dtype=float)
    sides = np.stack((left.sum(axis=-1), right.sum(axis=-1)), axis=-1)
    return 2 * impurity_gain(left, right, entropy) / (entropy(left + right) + entropy(sides))


def _shares(weights):
    weights = np.asarray(weights, dtype=float)
    return weights / weights.sum(axis=-1, keepdims=True)
