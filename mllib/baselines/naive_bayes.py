r"""Naive Bayes: Bayes' rule with the assumption that features are independent given the class.

With prior :math:`\pi_c = P(y = c)` and a law :math:`p_c` for each feature in each class,

.. math:: P(y = c \mid x) \propto \pi_c \prod_j p_c(x_j), \qquad
          \log P = \log \pi_c + \sum_j \log p_c(x_j) + \text{const}.

The three classifiers differ only in :math:`p_c`: counts of words (:class:`MultinomialNB`), presence of words
(:class:`BernoulliNB`), measurements (:class:`GaussianNB`). For the first two the log-probability is affine
in x: they are linear classifiers, found without any search.

References
----------
.. [1] McCallum, A. and Nigam, K. (1998). "A comparison of event models for naive Bayes text
   classification". AAAI Workshop on Learning for Text Categorization.
.. [2] Domingos, P. and Pazzani, M. (1997). "On the optimality of the simple Bayesian classifier under
   zero-one loss". Machine Learning 29, 103-130.
"""

import numpy as np
from scipy.sparse import issparse
from scipy.special import logsumexp
from sklearn.base import BaseEstimator, ClassifierMixin

from ..parameters import boolean, check_parameters, one_of, real
from ..ties import first_greatest
from ..validation import check_classification, check_X, drop_weightless

__all__ = ["BernoulliNB", "GaussianNB", "MultinomialNB"]


class _NaiveBayes(ClassifierMixin, BaseEstimator):
    """Bayes' rule, the same for the three: a subclass supplies log p_c(x)."""

    _sparse = "csr"

    def fit(self, X, y, sample_weight=None):
        """Count (or average) per class. Examples of weight zero count as absent."""
        self._check_own_parameters()
        checked = check_classification(
            self, X, y, sample_weight, accept_sparse=self._sparse, weigh_each_class=True
        )
        X, codes, classes, weights = drop_weightless(*checked)
        self.classes_ = classes
        # member[c, i] is the weight of example i in class c: member @ X sums the features by class
        member = np.where(codes == np.arange(len(classes))[:, None], weights, 0.0)
        self.class_count_ = member.sum(axis=1)
        self._fit_classes(X, member)
        return self

    def _log_prior(self):
        """The shares of the classes, or equal ones, or the given ones; as logarithms."""
        given, n_classes = self._given_prior(), len(self.classes_)
        if given is None:
            return np.log(self.class_count_ / self.class_count_.sum())
        prior = np.asarray(given, dtype=np.float64)
        if prior.shape != (n_classes,):
            raise ValueError(f"Number of priors must match number of classes: {prior.size} for {n_classes}.")
        if (prior <= 0).any() or not np.isclose(prior.sum(), 1.0):
            raise ValueError(f"Priors must be positive and their sum should be 1, got {given!r}.")
        return np.log(prior)

    def _given_prior(self):
        if self.class_prior is None and not self.fit_prior:
            return np.full(len(self.classes_), 1 / len(self.classes_))
        return self.class_prior

    def predict_log_proba(self, X):
        """The logarithms of :meth:`predict_proba`, computed without leaving the logarithms."""
        joint = self._log_joint(check_X(self, X, accept_sparse=self._sparse))
        return joint - logsumexp(joint, axis=1, keepdims=True)

    def predict_proba(self, X):
        """P(y = c given x), a column for each class; usually far too sure of itself (see the assumption)."""
        return np.exp(self.predict_log_proba(X))

    def predict(self, X):
        """The class of largest P(y = c given x); the first of equal ones."""
        joint = self._log_joint(check_X(self, X, accept_sparse=self._sparse))
        return self.classes_[first_greatest(joint)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = bool(self._sparse)
        return tags


class MultinomialNB(_NaiveBayes):
    r"""Naive Bayes for counts: a message is a bag from which words are drawn, by class-dependent odds.

    .. math:: & \log P(y = c \mid x) = \log \pi_c + \text{const} \\
              & \quad + \sum_j x_j \log\theta_{cj}, \qquad
              \theta_{cj} = \frac{N_{cj} + \alpha}{N_c + \alpha d},

    where :math:`N_{cj}` counts feature j in class c and :math:`N_c` all features in it. Without
    :math:`\alpha` one word never seen in a class would rule the class out.

    Parameters
    ----------
    alpha : float, default=1.0
        What each count begins with (1: Laplace's rule of succession).
    fit_prior : bool, default=True
        Whether the prior is the shares of the classes; else it is equal.
    class_prior : array-like of shape (n_classes,), default=None
        A prior to use as it is.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    class_count_ : ndarray of shape (n_classes,)
        Weight of the examples of each class.
    feature_count_ : ndarray of shape (n_classes, n_features)
        :math:`N_{cj}`.
    class_log_prior_, feature_log_prob_
        :math:`\log\pi_c` and :math:`\log\theta_{cj}`: bias and weights of the linear rule.

    References
    ----------
    .. [1] McCallum, A. and Nigam, K. (1998). "A comparison of event models for naive Bayes text
       classification". AAAI Workshop on Learning for Text Categorization.

    Examples
    --------
    >>> model = MultinomialNB().fit([[2, 0], [0, 1], [0, 2]], ["spam", "ham", "ham"])
    >>> model.predict([[1, 0], [0, 1]]).tolist()
    ['spam', 'ham']
    """

    def __init__(self, *, alpha=1.0, fit_prior=True, class_prior=None):
        self.alpha = alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior

    def _check_own_parameters(self):
        check_parameters(self, alpha=real(0, open_low=True), fit_prior=boolean())

    def _fit_classes(self, X, member):
        self._refuse_negative(X)
        self.feature_count_ = np.asarray(member @ X)
        smooth = self.feature_count_ + self.alpha
        self.feature_log_prob_ = np.log(smooth) - np.log(smooth.sum(axis=1, keepdims=True))
        self.class_log_prior_ = self._log_prior()

    def _refuse_negative(self, X):
        if (X.data if issparse(X) else X).min(initial=0) < 0:
            raise ValueError("Negative values in data passed to MultinomialNB (input X): it counts.")

    def _log_joint(self, X):
        self._refuse_negative(X)
        return np.asarray(X @ self.feature_log_prob_.T) + self.class_log_prior_

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        tags.classifier_tags.poor_score = True
        return tags


class BernoulliNB(_NaiveBayes):
    r"""Naive Bayes for presence: a coin for each word, with class-dependent odds. Absence counts too.

    .. math:: & \log P(y = c \mid x) = \log \pi_c + \text{const} \\
              & \quad + \sum_j [x_j \log\theta_{cj} + (1 - x_j) \log(1 - \theta_{cj})],

    .. math:: \theta_{cj} = \frac{N_{cj} + \alpha}{n_c + 2\alpha},

    where :math:`N_{cj}` of the :math:`n_c` examples of class c have feature j.

    Parameters
    ----------
    alpha : float, default=1.0
        What each side of each coin has been seen before.
    binarize : float or None, default=0.0
        Features above this are present. None: X is 0 and 1 already.
    fit_prior : bool, default=True
        Whether the prior is the shares of the classes; else it is equal.
    class_prior : array-like of shape (n_classes,), default=None
        A prior to use as it is.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    class_count_, feature_count_
        :math:`n_c` and :math:`N_{cj}`.
    class_log_prior_, feature_log_prob_
        :math:`\log\pi_c` and :math:`\log\theta_{cj}`.

    References
    ----------
    .. [1] McCallum, A. and Nigam, K. (1998). "A comparison of event models for naive Bayes text
       classification". AAAI Workshop on Learning for Text Categorization.

    Examples
    --------
    >>> model = BernoulliNB().fit([[2, 0], [0, 1], [0, 2]], ["spam", "ham", "ham"])
    >>> model.feature_count_.tolist()
    [[0.0, 2.0], [1.0, 0.0]]
    """

    def __init__(self, *, alpha=1.0, binarize=0.0, fit_prior=True, class_prior=None):
        self.alpha = alpha
        self.binarize = binarize
        self.fit_prior = fit_prior
        self.class_prior = class_prior

    def _check_own_parameters(self):
        check_parameters(
            self, alpha=real(0, open_low=True), binarize=real() | one_of(None), fit_prior=boolean()
        )

    def _present(self, X):
        if self.binarize is None:
            return X
        if issparse(X) and self.binarize < 0:
            raise ValueError(f"binarize={self.binarize!r} would make the zeros of a sparse matrix present.")
        return (X > self.binarize).astype(np.float64)

    def _fit_classes(self, X, member):
        self.feature_count_ = np.asarray(member @ self._present(X))
        smooth = self.feature_count_ + self.alpha
        self.feature_log_prob_ = np.log(smooth) - np.log(self.class_count_[:, None] + 2 * self.alpha)
        self.class_log_prior_ = self._log_prior()

    def _log_joint(self, X):
        absent = np.log1p(-np.exp(self.feature_log_prob_))
        # x log t + (1 - x) log(1 - t) = log(1 - t) + x log(t / (1 - t)): only what is present is visited
        scores = np.asarray(self._present(X) @ (self.feature_log_prob_ - absent).T)
        return scores + absent.sum(axis=1) + self.class_log_prior_

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        return tags


class GaussianNB(_NaiveBayes):
    r"""Naive Bayes for measurements: in each class each feature is normal, with its own mean and variance.

    .. math:: & \log P(y = c \mid x) = \log \pi_c + \text{const} \\
              & \quad - \tfrac12 \sum_j \left[\log v_{cj} + \frac{(x_j - m_{cj})^2}{v_{cj}}\right] .

    Parameters
    ----------
    priors : array-like of shape (n_classes,), default=None
        A prior to use in place of the shares of the classes.
    var_smoothing : float, default=1e-9
        This share of the largest variance of any feature is added to every variance, so that a feature
        that is constant within a class does not divide by zero.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    class_count_, class_prior_
        Weight and prior of each class.
    theta_, var_ : ndarray of shape (n_classes, n_features)
        :math:`m_{cj}` and :math:`v_{cj}`.

    References
    ----------
    .. [1] Domingos, P. and Pazzani, M. (1997). "On the optimality of the simple Bayesian classifier under
       zero-one loss". Machine Learning 29, 103-130.

    Examples
    --------
    >>> model = GaussianNB().fit([[0.0], [2.0], [10.0], [14.0]], [0, 0, 1, 1])
    >>> model.theta_.ravel().tolist(), model.predict([[4.0]]).tolist()
    ([1.0, 12.0], [0])
    """

    _sparse = False

    def __init__(self, *, priors=None, var_smoothing=1e-9):
        self.priors = priors
        self.var_smoothing = var_smoothing

    def _check_own_parameters(self):
        check_parameters(self, var_smoothing=real(0))

    def _given_prior(self):
        return self.priors

    def _fit_classes(self, X, member):
        share = member / self.class_count_[:, None]
        self.theta_ = share @ X
        # Centred first, then squared: E x^2 - (E x)^2 would lose digits.
        own = [s > 0 for s in share]  # the rows of each class: the others add nothing
        self.var_ = np.array(
            [s[rows] @ (X[rows] - m) ** 2 for s, rows, m in zip(share, own, self.theta_, strict=True)]
        )
        everywhere = member.sum(axis=0) / member.sum()
        spread = everywhere @ (X - everywhere @ X) ** 2
        self.epsilon_ = self.var_smoothing * (spread.max() or 1.0)  # all constant: any unit will do
        self.var_ += self.epsilon_
        self.class_prior_ = np.exp(self._log_prior())

    def _log_joint(self, X):
        columns = [
            -0.5 * (np.log(v).sum() + ((X - m) ** 2 / v).sum(axis=1))
            for m, v in zip(self.theta_, self.var_, strict=True)
        ]
        return np.column_stack(columns) + np.log(self.class_prior_)
