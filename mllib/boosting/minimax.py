r"""The game behind boosting: who weights the examples against who weights the members.

Let :math:`M_{ih} = y_i h(x_i) \in \{-1, +1\}` for n examples and a finite class of members. One player picks
weights D of the examples, the other weights a of the members (both sum to one). Their stake is
:math:`\sum_{i,h} D_i M_{ih} a_h`, the edge of the vote under D. By linear programming duality

.. math::
    \rho^* = \max_a \min_i \sum_h M_{ih} a_h \; = \; \min_D \max_h \sum_i D_i M_{ih} = 2 \gamma^* .

On the left stands the largest margin that any vote can give to all examples, on the right the best edge
:math:`2\gamma` that a weak learner still finds when the weights are as bad as possible. So weak learnability
with edge :math:`\gamma^* > 0` *is* separability with margin :math:`2 \gamma^*`.

References
----------
.. [1] Freund, Y. and Schapire, R. E. (1996). "Game theory, on-line prediction and boosting". COLT.
.. [2] von Neumann, J. (1928). "Zur Theorie der Gesellschaftsspiele". Mathematische Annalen 100, 295-320.
"""

from typing import NamedTuple

import numpy as np
from scipy.optimize import linprog
from sklearn.utils import check_X_y


class GameValue(NamedTuple):
    """The optimal weights of one player and what he can be sure of."""

    weights: np.ndarray
    value: float


def largest_margin(M):
    r"""The vote with the largest smallest margin: maximise :math:`\rho` subject to :math:`M a \ge \rho`.

    Parameters
    ----------
    M : array-like of shape (n_samples, n_members)
        :math:`y_i h(x_i)`.

    Returns
    -------
    GameValue
        ``weights`` of the members, and the margin ``value``.

    References
    ----------
    .. [1] Freund, Y. and Schapire, R. E. (1996). "Game theory, on-line prediction and boosting". COLT.

    Examples
    --------
    >>> a, rho = largest_margin([[1, 1, -1], [1, -1, 1], [-1, 1, 1]])
    >>> print(a.round(3), round(rho, 3))
    [0.333 0.333 0.333] 0.333
    """
    M = np.asarray(M, dtype=float)
    # Unknowns (a, rho); linprog minimises, so the goal is -rho and the margins are -M a + rho <= 0.
    return _solve(-M, goal=-1.0)


def hardest_weights(M):
    r"""The weights of the examples under which the best edge is least: minimise :math:`\max_h (M^T D)_h`.

    Parameters
    ----------
    M : array-like of shape (n_samples, n_members)
        :math:`y_i h(x_i)`.

    Returns
    -------
    GameValue
        ``weights`` of the examples, and ``value``, the best edge :math:`2 \gamma` under them.

    References
    ----------
    .. [1] Freund, Y. and Schapire, R. E. (1996). "Game theory, on-line prediction and boosting". COLT.

    Examples
    --------
    >>> D, edge = hardest_weights([[1, 1, -1], [1, -1, 1], [-1, 1, 1]])
    >>> print(D.round(3), round(edge, 3))
    [0.333 0.333 0.333] 0.333
    """
    M = np.asarray(M, dtype=float)
    # Unknowns (D, g); minimise g where M' D - g <= 0.
    return _solve(M.T, goal=1.0)


def stump_matrix(X, y):
    r"""All that stumps can say about these examples: the matrix :math:`y_i h(x_i)` over every stump h.

    The columns are the :math:`2 d (n - 1) + 2` stumps of d features (fewer if values repeat): the two
    constant ones, and for every feature and every midpoint both signs.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
        Labels -1 and +1.

    Returns
    -------
    M : ndarray of shape (n_samples, n_stumps)

    References
    ----------
    .. [1] Schapire, R. E. and Freund, Y. (2012). Boosting: Foundations and Algorithms. MIT Press.

    Examples
    --------
    >>> stump_matrix([[1], [2]], [-1, 1])
    array([[-1.,  1.,  1., -1.],
           [ 1., -1.,  1., -1.]])
    """
    X, y = check_X_y(X, y, dtype=float, y_numeric=True)
    if not np.all(np.abs(y) == 1):
        raise ValueError(f"labels must be -1 and +1, got {np.unique(y)}")
    columns = [np.ones(len(X))]
    for column in X.T:
        values = np.unique(column)
        columns += [np.where(column > low, 1.0, -1.0) for low in values[:-1]]
    M = y[:, None] * np.column_stack(columns)
    return np.stack((M, -M), axis=2).reshape(len(X), -1)


def _solve(rows, goal):
    """Minimise goal * v over weights w >= 0, sum w = 1, and v, subject to rows w <= goal * v."""
    n_rows, n = rows.shape
    answer = linprog(
        np.append(np.zeros(n), goal),
        A_ub=np.column_stack((rows, np.full(n_rows, -goal))),
        b_ub=np.zeros(n_rows),
        A_eq=np.append(np.ones(n), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0, None)] * n + [(None, None)],
        method="highs",
    )
    if not answer.success:  # a matrix of finite numbers always has a solution
        raise ValueError(f"the linear program was not solved: {answer.message}")
    return GameValue(answer.x[:n], float(answer.x[n]))
