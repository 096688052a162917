r"""Is there any hyperplane at all that separates the classes? A linear program knows.

Write :math:`z_i = y_i (x_i, 1)`. Exactly one of two things holds (Gordan 1873):

* some :math:`w` has :math:`w \cdot z_i > 0` for all i: the data are linearly separable, or
* some :math:`\lambda_i \ge 0` with sum 1 have :math:`\sum_i \lambda_i z_i = 0`: the convex hulls of the two
  classes meet, and :math:`\lambda` shows where.

Never both, since :math:`0 = w \cdot \sum_i \lambda_i z_i = \sum_i \lambda_i\, w \cdot z_i > 0` cannot be.
A linear program looks for the first,

.. math:: \max_{w, t}\; t \quad \text{subject to} \quad w \cdot z_i \ge t,\; -1 \le w_j \le 1 ,

and the prices of its constraints are the second when t = 0 is the best that can be had.

References
----------
.. [1] Gordan (1873). "Ueber die Aufloesung linearer Gleichungen mit reellen Coefficienten". Mathematische
   Annalen 6.
.. [2] Mangasarian (1965). "Linear and nonlinear separation of patterns by linear programming". Operations
   Research 13.
"""

from typing import NamedTuple

import numpy as np
from sklearn.utils import check_X_y
from sklearn.utils.multiclass import check_classification_targets

from .hyperplane import augment
from .ties import scores_of

# Largest |sum_i lambda_i z_i| in coordinates scaled to [-1, 1] that still counts as zero: what the program's
# feasibility tolerance of 1e-9 and the rounding of sums can leave.
CERTIFICATE_TOLERANCE = 1e-8


class Separability(NamedTuple):
    """Answer of :func:`is_separable`; true or false as a whole like its first entry.

    Exactly one of ``coef`` (with ``intercept``) and ``certificate`` is not None.

    Examples
    --------
    >>> answer = is_separable([[0.0], [1.0], [2.0]], [0, 1, 0])
    >>> bool(answer), answer.coef is None, answer.certificate
    (False, True, array([0.25, 0.5 , 0.25]))
    """

    separable: bool
    coef: np.ndarray | None
    intercept: float | None
    certificate: np.ndarray | None

    def __bool__(self):
        return self.separable


def is_separable(X, y, *, fit_intercept=True):
    r"""Decide whether a hyperplane separates two classes, with proof.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
        Two classes; the greater label is the positive one.
    fit_intercept : bool, default=True
        Whether the hyperplane may miss the origin.

    Returns
    -------
    Separability
        Named tuple: ``separable``; if True ``coef`` and ``intercept`` with :math:`y_i (w \cdot x_i + b) > 0`
        for all i, as computed in float64; if False ``certificate``, the :math:`\lambda_i \ge 0` with sum 1
        and :math:`\sum_i \lambda_i y_i (x_i, 1) = 0`. The result itself is true or false.

    Raises
    ------
    RuntimeError
        If the classes come so near to each other that rounding errors decide.

    References
    ----------
    .. [1] Mangasarian (1965). "Linear and nonlinear separation of patterns by linear programming".
       Operations Research 13.

    Examples
    --------
    >>> bool(is_separable([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]))
    True
    >>> xor = is_separable([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    >>> xor.separable, xor.certificate
    (False, array([0.25, 0.25, 0.25, 0.25]))
    """
    from scipy.optimize import linprog  # scipy.optimize takes longer to import than most programs to solve

    X, y = check_X_y(X, y, dtype=np.float64)
    classes = np.unique(y)
    check_classification_targets(y)
    if len(classes) != 2:
        raise ValueError(f"is_separable needs exactly 2 classes, got {len(classes)}")
    signs = np.where(y == classes[1], 1.0, -1.0)

    # Neither shifting (with an intercept) nor scaling a column changes the answer, but both help the solver.
    shift = (X.max(axis=0) + X.min(axis=0)) / 2 if fit_intercept else np.zeros(X.shape[1])
    scale = np.abs(X - shift).max(axis=0)
    scale[scale == 0] = 1.0
    Z = signs[:, None] * augment((X - shift) / scale, float(fit_intercept))
    n, d = Z.shape

    best = linprog(  # maximise t in the last place of (w, t)
        np.append(np.zeros(d), -1.0),
        A_ub=np.column_stack([-Z, np.ones(n)]),
        b_ub=np.zeros(n),
        bounds=[(-1, 1)] * d + [(None, 1)],
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if best.status != 0:
        raise RuntimeError(f"the linear program was not solved: {best.message}")
    w = best.x[:-1]
    coef = w[:-1] / scale
    intercept = float(w[-1] * fit_intercept - coef @ shift)
    if np.all(signs * scores_of(X, coef, intercept) > 0):
        return Separability(True, coef, intercept, None)

    certificate = np.maximum(-best.ineqlin.marginals, 0.0)
    certificate /= certificate.sum()
    if np.abs(certificate @ Z).max() > CERTIFICATE_TOLERANCE:
        raise RuntimeError(
            "rounding errors decide here: the classes are separated by less than about "
            f"{np.abs(certificate @ Z).sum():.1g} times the range of the data, if at all"
        )
    return Separability(False, None, None, certificate)
