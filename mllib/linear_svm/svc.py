r"""The linear support vector classifier: the exact minimiser of the penalised hinge loss, to a tolerance.

Choose among hyperplanes by

.. math:: \tfrac12 \lVert w \rVert^2 + C \sum_i \ell(y_i (w \cdot x_i + b)), \qquad
   \ell(m) = \max(0, 1 - m) \text{ or } \max(0, 1 - m)^2 :

a wide margin against few and small violations of it. ``C`` is the penalty on a violation;
:math:`\lambda = 1/(nC)` is the same knob turned the other way (:class:`mllib.PegasosClassifier`). The
work is done in :mod:`mllib.linear_svm.dual`; here the problem is put together and the answer certified: no
weights at all can be better than these by more than ``dual_gap_``.

References
----------
.. [1] Cortes, Vapnik (1995). "Support-vector networks". Machine Learning 20.
.. [2] Hsieh, Chang, Lin, Keerthi, Sundararajan (2008). "A dual coordinate descent method for large-scale
   linear SVM". International Conference on Machine Learning.
"""

from ..hyperplane import Hyperplane, HyperplaneClassifier
from ..learner import knob, warn_unfinished
from ..parameters import instance_of, one_of, real
from .dual import dual_coordinate_descent


class LinearSVC(HyperplaneClassifier):
    r"""Linear support vector classifier, trained by dual coordinate descent.

    Minimises :math:`\tfrac12 (\lVert w \rVert^2 + b'^2)` :math:`{} + C \sum_i \ell(y_i (w \cdot x_i + b))`
    with :math:`b = b' \cdot` ``intercept_scaling``. Mind that the intercept is penalised, too. With more
    than two classes there is one hyperplane for each against the rest.

    Parameters
    ----------
    loss : {"squared_hinge", "hinge"}, default="squared_hinge"
    tol : float, default=1e-4
        Largest violation at which the descent stops.
    C : float, default=1.0
        Price of a unit of loss.
    fit_intercept : bool, default=True
    intercept_scaling : float, default=1.0
        The input that the intercept is the weight of. A larger one penalises the intercept less.
    class_weight : dict, "balanced" or None, default=None
        Factors on C for each class; "balanced" makes them proportional to 1 / frequency.
    verbose : int, default=0
    random_state : int, RandomState or None, default=None
        For the order of the coordinates.
    max_iter : int, default=1000
        Largest number of epochs.

    Attributes
    ----------
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
    intercept_ : ndarray of shape (1,) or (n_classes,)
    classes_ : ndarray
    n_iter_ : int
        Epochs made (the most, if there are many classes).
    dual_coef_ : ndarray of shape (n_samples,)
        :math:`\alpha`; with many classes one row for each.
    objective_, dual_gap_ : float
        :math:`P(w)` and :math:`P(w) - D(\alpha)`: no weights have an objective lower than
        ``objective_ - dual_gap_``. Lists, if there are many classes.
    history_ : History
        ``dual``, ``violation`` and ``active`` for each epoch.

    References
    ----------
    .. [1] Hsieh, Chang, Lin, Keerthi, Sundararajan (2008). "A dual coordinate descent method for
       large-scale linear SVM". International Conference on Machine Learning.

    Examples
    --------
    >>> X, y = [[0, 2], [1, 1], [3, 0], [4, 2]], ["a", "a", "b", "b"]
    >>> svc = LinearSVC(C=100, loss="hinge", tol=1e-8, random_state=0).fit(X, y)
    >>> svc.coef_.round(4), svc.intercept_.round(4), svc.dual_coef_.round(4)
    (array([[ 0.8571, -0.5714]]), array([-1.2857]), array([0.    , 2.    , 0.    , 0.7143]))
    >>> svc.dual_gap_ < 1e-6 * svc.objective_
    True
    """

    loss: str = knob("squared_hinge", one_of("squared_hinge", "hinge"))
    tol: float = knob(1e-4, real(0, open_low=True))
    C: float = knob(1.0, real(0, open_low=True))
    intercept_scaling: float = knob(1.0, real(0, open_low=True))
    class_weight: object = knob(None, one_of(None, "balanced") | instance_of(dict))

    def fit(self, X, y, sample_weight=None):
        """Descend until the violation is at most ``tol``.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            A sparse matrix stays sparse.
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional
            Factors on C for each example.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight, class_weight=self.class_weight)

    def _solve(self, X, y, weights, rng, start):
        bias_input = float(self.intercept_scaling) if self.fit_intercept else 0.0
        solution = dual_coordinate_descent(
            X,
            y,
            self.C * weights,
            squared=self.loss == "squared_hinge",
            bias_input=bias_input,
            tol=self.tol,
            max_iter=self.max_iter,
            seed=rng.randint(2**31 - 1),
            verbose=self.verbose,
        )
        gap = solution.primal - solution.dual
        if not solution.converged:
            warn_unfinished(
                f"LinearSVC: violation {solution.history.violation[-1]:.2g} > tol after {self.max_iter} "
                f"epochs (max_iter); the objective {solution.primal:.6g} is at most {gap:.2g} above the "
                "minimum. Scaling the data often helps."
            )
        return Hyperplane(
            coef_=solution.w[:-1],
            intercept_=solution.w[-1] * bias_input,
            n_iter_=len(solution.history),
            dual_coef_=solution.alpha,
            objective_=solution.primal,
            dual_gap_=gap,
            history_=solution.history,
        )
