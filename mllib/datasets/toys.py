"""Tiny sets for the blackboard: small enough to print, made so that one thing goes wrong or right."""

import numpy as np
from sklearn.utils import Bunch, check_random_state

from ..parameters import check_arguments, integer, real


def load_ten_points(*, return_X_y=False):
    """Ten points in the plane on which three rounds of AdaBoost reach training error zero.

    Schapire and Freund's toy example. With decision stumps as weak learners the weighted errors are
    3/10, 3/14 and 3/22, hence the votes

    .. math:: \\alpha_t = \\tfrac12 \\ln\\frac{1 - \\varepsilon_t}{\\varepsilon_t}
              = 0.4236,\\ 0.6496,\\ 0.9229.

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


def make_long_servedio(*, gamma=0.05, copies=10):
    """Four points of the plane, all positive, on which convex losses fail once some labels are flipped.

    (1, 0), the large margin; :math:`(\\gamma, -\\gamma)` twice, the penalisers; :math:`(\\gamma, 5\\gamma)`,
    the puller. Without noise w = (1, 0) classifies all of them. Each point stands ``copies`` times, and one
    copy in each has the label -1: a noise rate of 1 / copies. Then the linear rule of least exponential,
    logistic or hinge loss errs on the penalisers, half of the clean points, however cleverly it is minimised.

    Parameters
    ----------
    gamma : float, default=0.05
        Small margin :math:`\\gamma`; the published construction needs :math:`0 < \\gamma < 1/6`.
    copies : int, default=10
        At least 2.

    Returns
    -------
    X : ndarray of shape (4 * copies, 2)
    y : ndarray of shape (4 * copies,), -1 or +1
        The clean label is +1 everywhere.

    References
    ----------
    Long, P. M. and Servedio, R. A. (2010). Random classification noise defeats all convex potential
    boosters. Machine Learning 78(3), 287-304.

    Examples
    --------
    >>> from mllib.datasets import make_long_servedio
    >>> X, y = make_long_servedio()
    >>> X.shape, float((y < 0).mean())
    ((40, 2), 0.1)
    """
    if not 0 < gamma < 1 / 6:
        raise ValueError(f"gamma must be in (0, 1/6), got {gamma!r} instead")
    if copies < 2:
        raise ValueError(f"copies must be at least 2, got {copies!r} instead")
    points = np.array([(1, 0), (gamma, -gamma), (gamma, -gamma), (gamma, 5 * gamma)])
    label = np.append(np.ones(copies - 1, dtype=np.int64), -1)
    return np.repeat(points, copies, axis=0), np.tile(label, 4)


def make_rings(n_samples=200, *, noise=0.1, random_state=0):
    """A disc of radius about 1 (y = +1) inside a ring of radius about 2 (y = -1): no line separates them.

    Parameters
    ----------
    n_samples : int, default=200
    noise : float, default=0.1
        Standard deviation of the radius. At 0 the classes are a disc of radius 1 and a circle.
    random_state : int, RandomState or None, default=0
        A fixed seed by default, so that a picture looks the same each time.

    Returns
    -------
    X : ndarray of shape (n_samples, 2)
    y : ndarray of shape (n_samples,), -1 or +1

    Examples
    --------
    >>> import numpy as np
    >>> from mllib.datasets import make_rings
    >>> X, y = make_rings(noise=0)
    >>> radius = np.hypot(*X.T)
    >>> float(radius[y > 0].max()) <= 1 < 1.99 < float(radius[y < 0].min())
    True
    """
    check_arguments(n_samples=(n_samples, integer(0)), noise=(noise, real(0)))
    rng, y = _halves(n_samples, random_state)
    radius = np.where(y > 0, np.sqrt(rng.uniform(size=n_samples)), 2.0) + noise * rng.normal(size=n_samples)
    angle = rng.uniform(0, 2 * np.pi, size=n_samples)
    return radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]), y


def make_crescents(n_samples=200, *, noise=0.2, random_state=0):
    """Two crescents that reach into each other, each half a circle of radius 1.

    The upper one (y = +1) stands on the origin, the lower one (y = -1) hangs from (1, 1/2).

    Parameters
    ----------
    n_samples : int, default=200
    noise : float, default=0.2
        Standard deviation of either coordinate.
    random_state : int, RandomState or None, default=0
        A fixed seed by default, so that a picture looks the same each time.

    Returns
    -------
    X : ndarray of shape (n_samples, 2)
    y : ndarray of shape (n_samples,), -1 or +1

    Examples
    --------
    >>> from mllib.datasets import make_crescents
    >>> X, y = make_crescents(noise=0)
    >>> bool((X[y > 0, 1] >= 0).all() and (X[y < 0, 1] <= 0.5).all())
    True
    """
    check_arguments(n_samples=(n_samples, integer(0)), noise=(noise, real(0)))
    rng, y = _halves(n_samples, random_state)
    angle = rng.uniform(0, np.pi, size=n_samples)
    upper = np.column_stack([np.cos(angle), np.sin(angle)])
    X = np.where(y[:, None] > 0, upper, np.array([1.0, 0.5]) - upper)
    return X + noise * rng.normal(size=X.shape), y


def make_spirals(n_samples=200, *, turns=1.5, noise=0.05, random_state=0):
    """Two arms of a spiral around the origin, one for each class: a long, thin, curled boundary.

    At angle t the arm of class +1 has radius :math:`t / (2\\pi)`; the other arm is its reflection through
    the origin.

    Parameters
    ----------
    n_samples : int, default=200
    turns : float, default=1.5
    noise : float, default=0.05
        Standard deviation of either coordinate; neighbouring arms are 1/2 apart.
    random_state : int, RandomState or None, default=0
        A fixed seed by default, so that a picture looks the same each time.

    Returns
    -------
    X : ndarray of shape (n_samples, 2)
    y : ndarray of shape (n_samples,), -1 or +1

    Examples
    --------
    >>> import numpy as np
    >>> from mllib.datasets import make_spirals
    >>> X, y = make_spirals(turns=2, noise=0)
    >>> bool(np.hypot(*X.T).max() <= 2)
    True
    """
    check_arguments(n_samples=(n_samples, integer(0)), turns=(turns, real()), noise=(noise, real(0)))
    rng, y = _halves(n_samples, random_state)
    t = 2 * np.pi * turns * np.sqrt(rng.uniform(size=n_samples))  # the root spreads points along the arm
    X = (y * t / (2 * np.pi))[:, None] * np.column_stack([np.cos(t), np.sin(t)])
    return X + noise * rng.normal(size=X.shape), y


def make_checkerboard(n_samples=200, *, cells=4, random_state=0):
    """Uniform points on a board of ``cells`` by ``cells`` fields of unit size, coloured in turn.

    With two cells it is XOR: no line, and no single stump, does better than chance.

    Parameters
    ----------
    n_samples : int, default=200
    cells : int, default=4
    random_state : int, RandomState or None, default=0
        A fixed seed by default, so that a picture looks the same each time.

    Returns
    -------
    X : ndarray of shape (n_samples, 2)
    y : ndarray of shape (n_samples,), -1 or +1

    Examples
    --------
    >>> from mllib.datasets import make_checkerboard
    >>> X, y = make_checkerboard(cells=2)
    >>> bool((((X[:, 0] < 1) == (X[:, 1] < 1)) == (y > 0)).all())
    True
    """
    check_arguments(n_samples=(n_samples, integer(0)), cells=(cells, integer(1)))
    rng = check_random_state(random_state)
    X = rng.uniform(0, cells, size=(n_samples, 2))
    return X, np.where(np.floor(X).sum(axis=1) % 2 == 0, 1, -1)


def flip_labels(y, share, *, random_state=None):
    """Label noise: exactly ``round(share * n)`` labels, chosen at random, are replaced by another class.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Labels of two or more classes.
    share : float in [0, 1]
    random_state : int, RandomState or None, default=None

    Returns
    -------
    noisy : ndarray of shape (n_samples,)
        With two classes the chosen labels change sides; with more, each other class is equally likely.

    Examples
    --------
    >>> import numpy as np
    >>> from mllib.datasets import flip_labels
    >>> flip_labels([1, 1, -1, -1], 0.5, random_state=0)
    array([1, 1, 1, 1])
    """
    if not 0 <= share <= 1:
        raise ValueError(f"share must be in [0, 1], got {share!r} instead")
    rng = check_random_state(random_state)
    classes, codes = np.unique(np.asarray(y), return_inverse=True)
    if len(classes) < 2 and share > 0:
        raise ValueError("flipping labels needs at least two classes, got one")
    chosen = rng.choice(len(codes), size=round(share * len(codes)), replace=False)
    if len(chosen):
        codes[chosen] = (codes[chosen] + rng.randint(1, len(classes), size=len(chosen))) % len(classes)
    return classes[codes]


def _halves(n_samples, random_state):
    """A generator, and labels +1 and -1 in turn: as many of one as of the other."""
    return check_random_state(random_state), np.where(np.arange(n_samples) % 2 == 0, 1, -1)
