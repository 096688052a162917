r"""Bias, variance and noise, estimated from one training set.

If y = f(x) + noise and :math:`h` is learned from a random training set, the expected squared error at x is

.. math:: E (y - h)^2 = \underbrace{E (y - f)^2}_{\text{noise}} +
          \underbrace{(f - E h)^2}_{\text{bias}^2} + \underbrace{E (h - E h)^2}_{\text{variance}}.

We have one training set, so we simulate many: from each of B bootstrap replicates learn :math:`h_b`, and let
it predict the points that the replicate left out. Each point x then has K <= B predictions, and

.. math:: \bar h = \frac1K \sum_k h_k, \qquad \text{bias} \approx y - \bar h, \qquad
          \text{variance} \approx \frac{1}{K - 1} \sum_k (h_k - \bar h)^2.

The estimate of the bias is marked with a wave for a reason: y stands where f should, so bias and noise are
estimated together. :func:`estimate_noise` takes them apart where points repeat, or have close neighbours.

**Classes.** Code class c as the vector with a one at place c. Half the squared distance of two such vectors
is 1 if the classes differ and 0 if they do not; so with all squares halved and summed over the places, the
same formulas split the *error rate* of the hypotheses.

References
----------
.. [1] Geman, S., Bienenstock, E. and Doursat, R. (1992). "Neural networks and the bias/variance dilemma".
   Neural Computation 4(1), 1-58.
.. [2] Breiman, L. (1996). "Bagging predictors". Machine Learning 24(2), 123-140.
"""

from functools import partial

import numpy as np
from scipy.spatial import cKDTree
from sklearn.base import is_classifier
from sklearn.utils import Bunch, check_X_y, get_tags
from sklearn.utils.multiclass import check_classification_targets

from .._members import numbers_of, votes_of
from ..parameters import boolean, check_arguments, integer, one_of, real
from .replicates import Draw, draw_replicate, fit_member, from_each, left_out, new_seeds, replicate_size


def bias_variance(
    estimator, X, y, *, n_replicates=200, max_samples=None, n_jobs=None, random_state=None, verbose=0
):
    r"""Estimate bias and variance of a learner at every training point, by bootstrap replicates.

    Parameters
    ----------
    estimator : estimator
        Any regressor or classifier; it is copied, not fitted.
    X : array-like of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
    n_replicates : int, default=200
        B, at least 2.
    max_samples : int, float or None, default=None
        Size of a replicate: None, as many rows as there are; an int, so many; a float, that share.
    n_jobs : int, default=None
        Workers of joblib. The result does not depend on it.
    random_state : int, RandomState or None, default=None
    verbose : int, default=0
        1 shows a progress bar.

    Returns
    -------
    result : :class:`sklearn.utils.Bunch`
        One entry for each point: ``prediction`` (h-bar), ``bias`` (y - h-bar), ``bias2`` (its square),
        ``variance`` (with 1/(K - 1)), ``error`` (mean squared error of the K predictions) and
        ``n_predictions`` (K). Where K is 0, or for the variance 1, there is NaN. Always
        ``error = bias2 + variance (K - 1) / K``.
        And their means over the points with K >= 2: ``mean_bias2``, ``mean_variance``, ``mean_error``.
        For a classifier ``prediction`` and ``bias`` have a column for each class, in the order of
        ``classes``, squares are halved and summed over the classes, and ``error`` is the share of the
        hypotheses that misclassify the point.

    References
    ----------
    .. [1] Geman, S., Bienenstock, E. and Doursat, R. (1992). "Neural networks and the bias/variance
       dilemma". Neural Computation 4(1), 1-58.

    Examples
    --------
    A stump cannot bend enough; of all stumps from all replicates none can:

    >>> from mllib import RegressionStump
    >>> X = np.linspace(-1, 1, 50)[:, None]
    >>> result = bias_variance(RegressionStump(), X, X.ravel() ** 2, random_state=0)
    >>> bool(result.mean_bias2 > result.mean_variance)
    True
    """
    check_arguments(n_replicates=(n_replicates, integer(2)))
    check_arguments(max_samples=(max_samples, one_of(None) | integer(1) | real(0, 1, open_low=True)))
    sparse = "csr" if get_tags(estimator).input_tags.sparse else False
    classify = is_classifier(estimator)
    X, y = check_X_y(X, y, dtype=np.float64, accept_sparse=sparse, y_numeric=not classify)
    n, d = X.shape
    if classify:
        check_classification_targets(y)
        classes, y = np.unique(y, return_inverse=True)
        answer = partial(votes_of, n_classes=len(classes), hard=True)
        truth, half = np.eye(len(classes))[y], 0.5
    else:
        classes, answer, truth, half = None, numbers_of, y[:, None], 1.0

    draw = Draw(n_rows=n, n_drawn=replicate_size(n, max_samples), n_features=d, n_features_drawn=d)
    seeds = new_seeds(random_state, n_replicates).tolist()
    how = dict(n_jobs=n_jobs, verbose=verbose, label="replicates")
    answers = from_each(_judge_left_out, estimator, X, y, draw, seeds, answer, **how)

    K, mean, squares = np.zeros(n), np.zeros(truth.shape), np.zeros(truth.shape)
    for out, h in answers:  # running mean and running sum of squares about it (Welford)
        K[out] += 1
        step = h - mean[out]
        mean[out] += step / K[out][:, None]
        squares[out] += step * (h - mean[out])
    seen, twice = K > 0, K > 1
    if not twice.any():
        raise ValueError(f"{n_replicates} replicates left no point out twice: there is no variance to see")
    mean[~seen] = np.nan
    bias = truth - mean
    bias2 = half * (bias**2).sum(axis=1)
    variance = np.full(n, np.nan)
    variance[twice] = half * squares[twice].sum(axis=1) / (K[twice] - 1)
    error = bias2 + half * squares.sum(axis=1) / np.maximum(K, 1)
    return Bunch(
        prediction=mean if classify else mean.ravel(),
        bias=bias if classify else bias.ravel(),
        bias2=bias2,
        variance=variance,
        error=error,
        n_predictions=K.astype(np.int64),
        mean_bias2=float(bias2[twice].mean()),
        mean_variance=float(variance[twice].mean()),
        mean_error=float(error[twice].mean()),
        classes=classes,
    )


def _judge_left_out(estimator, X, y, seed, draw, columns, answer):
    """The rows that this replicate left out, and what its hypothesis predicts for them (2-D)."""
    member, _ = fit_member(estimator, X, y, seed, draw, columns)
    out = np.flatnonzero(left_out(draw_replicate(seed, draw)[1], draw.n_rows))
    if not len(out):
        return out, np.zeros((0, 1))
    return out, answer(member, X[out]).reshape(len(out), -1)


def estimate_noise(X, y, *, similar=False):
    r"""Estimate the variance of the noise from points with the same x, or with a similar one.

    Where x repeats, only noise can make y differ. Over all groups g of equal x,

    .. math:: \hat\sigma^2 = \frac{\sum_g \sum_{i \in g} (y_i - \bar y_g)^2}{\sum_g (n_g - 1)}

    is unbiased. With ``similar=True`` each point is paired with its nearest other point,

    .. math:: \hat\sigma^2 = \frac{1}{2n} \sum_i (y_i - y_{\text{nearest}(i)})^2,

    which is too large by half the mean squared change of f between neighbours: good where neighbours are
    close and f is smooth.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
        Numbers.
    similar : bool, default=False

    Returns
    -------
    variance : float

    References
    ----------
    .. [1] Rice, J. (1984). "Bandwidth choice for nonparametric regression". Annals of Statistics 12(4),
       1215-1230. (Differences of neighbours, for one feature.)

    Examples
    --------
    >>> estimate_noise([[0], [0], [1], [1]], [1.0, 3.0, 8.0, 8.0])
    1.0
    >>> estimate_noise([[0], [1], [5], [6]], [1.0, 3.0, 8.0, 8.0], similar=True)
    1.0
    """
    check_arguments(similar=(similar, boolean()))
    X, y = check_X_y(X, y, dtype=np.float64, y_numeric=True, ensure_min_samples=2)
    y = y.astype(np.float64, copy=False)
    if similar:
        nearest = cKDTree(X).query(X, k=2)[1]
        # Among duplicates the tree may name the point itself second, not first.
        other = np.where(nearest[:, 0] == np.arange(len(X)), nearest[:, 1], nearest[:, 0])
        return float(((y - y[other]) ** 2).mean() / 2)
    _, group, size = np.unique(X, axis=0, return_inverse=True, return_counts=True)
    group = group.ravel()
    if (size - 1).sum() == 0:
        raise ValueError("no x occurs twice; similar=True compares nearest neighbours instead")
    mean = np.bincount(group, y) / size
    return float(((y - mean[group]) ** 2).sum() / (size - 1).sum())
