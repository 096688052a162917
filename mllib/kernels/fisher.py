r"""Fisher kernels: what would a generative model like to change?

Somebody has a model :math:`p(x | \theta)` of how the data arise, for DNA or for speech, that fits them
well but was never meant to tell classes apart. Ask it, for each object x, how its parameters should
change to make x more likely:

.. math:: U(x) = \nabla_\theta \log p(x | \theta) .

Objects that pull at the parameters in the same direction arise in similar ways. To compare pulls one
needs a unit for each parameter, and the natural one is the covariance of U under the model, the Fisher
information I; then the kernel does not depend on how the model is parametrised:

.. math:: k(x, z) = U(x)^\top I^{-1} U(z), \qquad I = E[U(x) U(x)^\top] .

It is a kernel with image :math:`I^{-1/2} U(x)` [1]_. The expectation can rarely be computed; the mean
over the training set replaces it, or I is left out.

Two models are here: :class:`GaussianMixture` for vectors and :class:`MarkovChain` for strings. Any
object with a method ``scores(X)`` that returns a row U(x) for each object will do.

References
----------
.. [1] Jaakkola, Haussler (1999). "Exploiting generative models in discriminative classifiers". NIPS 11.
.. [2] Dempster, Laird, Rubin (1977). "Maximum likelihood from incomplete data via the EM algorithm".
   Journal of the Royal Statistical Society B 39.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import logsumexp
from sklearn.utils import check_random_state

from ..parameters import check_arguments, integer, real
from .kernel import Kernel


class FisherKernel(Kernel):
    r"""The Fisher kernel of a fitted generative model.

    Parameters
    ----------
    model : object with ``scores(X)``, and ``takes_vectors`` (True if X is a matrix)
    information : {"empirical", "identity"}, default="empirical"
        "empirical": I is the mean of :math:`U(x) U(x)^\top` over the objects the model was fitted to (its
        attribute ``training_scores``); directions in which no object pulls are left out.

    Examples
    --------
    A single normal distribution with mean 0 and deviation 1. Its scores are :math:`x`, for the
    mean, and :math:`x^2 - 1`:

    >>> model = GaussianMixture.fit([[-1.0], [1.0]], components=1)
    >>> FisherKernel(model, information="identity")([[2.0]], [[3.0]])  # 2 * 3 + (4 - 1) * (9 - 1)
    array([[30.]])
    """

    model: object
    information: str = "empirical"

    @property
    def takes_vectors(self):
        """Whether X is a matrix of numbers, as the model wants it."""
        return self.model.takes_vectors

    def _image(self, X):
        if self.information not in ("empirical", "identity"):
            raise ValueError(f"information must be 'empirical' or 'identity', got {self.information!r}")
        U = self.model.scores(X)
        if self.information == "identity":
            return U
        train = self.model.training_scores
        # Scores are first divided by their size, so that it does not matter in which units features come.
        size = np.sqrt(np.mean(train**2, axis=0))
        unit = np.divide(1.0, size, out=np.zeros(len(size)), where=size > 0)
        train = train * unit
        values, vectors = np.linalg.eigh(train.T @ train / len(train))
        real = values > 1e-10 * values[-1]
        return (U * unit) @ (vectors[:, real] / np.sqrt(values[real]))

    def _gram(self, X, Z):
        left = self._image(X)
        return left @ (left if X is Z else self._image(Z)).T

    def _diag(self, X):
        return np.sum(self._image(X) ** 2, axis=1)

    def against(self, Z):
        right = self._image(self._points(Z)).T
        return lambda X, out=None: np.matmul(self._image(X), right, out=out)


class GaussianMixture(NamedTuple):
    r"""A mixture :math:`\sum_c \pi_c N(x; \mu_c, \sigma_c^2)` of normals with independent coordinates.

    Its score with respect to :math:`\mu_{cj}` is :math:`r_c(x) (x_j - \mu_{cj}) / \sigma_{cj}^2`, and
    with respect to :math:`\sigma_{cj}` it is
    :math:`r_c(x) ((x_j - \mu_{cj})^2 / \sigma_{cj}^3 - 1 / \sigma_{cj})`, where :math:`r_c(x)` is the
    probability that x came from component c. (The weights :math:`\pi` are left out.)
    """

    weights: np.ndarray
    means: np.ndarray
    deviations: np.ndarray
    training_scores: np.ndarray
    takes_vectors: bool = True

    @classmethod
    def fit(cls, X, components=2, *, max_iter=200, tol=1e-8, random_state=0):
        """Fit the mixture by expectation and maximisation, from randomly chosen points as means.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        components : int
        max_iter : int
        tol : float
            The fit ends when the mean log-likelihood grows by less.
        random_state : int or RandomState

        Examples
        --------
        >>> model = GaussianMixture.fit([[0.0], [1.0], [9.0], [10.0]], components=2)
        >>> np.sort(model.means.ravel())
        array([0.5, 9.5])
        """
        X = np.asarray(X, dtype=np.float64)
        check_arguments(components=(components, integer(1, len(X))))
        centre = X.mean(axis=0)  # far from the origin a variance would be the difference of two large numbers
        X, original = X - centre, X
        rng = check_random_state(random_state)
        spread = X.std(axis=0) + 1e-12 * (1 + np.abs(X).max(axis=0))
        weights = np.full(components, 1 / components)
        means = X[rng.choice(len(X), size=components, replace=False)]
        deviations = np.tile(spread, (components, 1))
        before = -np.inf
        for _ in range(max_iter):
            log_joint = _log_joint(X, weights, means, deviations)
            log_density = logsumexp(log_joint, axis=1)
            if log_density.mean() - before < tol:
                break
            before = log_density.mean()
            r = np.exp(log_joint - log_density[:, None])  # (n, components)
            mass = r.sum(axis=0) + 1e-300
            weights = mass / len(X)
            means = (r.T @ X) / mass[:, None]
            variances = (r.T @ X**2) / mass[:, None] - means**2
            # A component must not shrink to a point, where its density would be infinite.
            deviations = np.sqrt(np.maximum(variances, (1e-3 * spread) ** 2))
        model = cls(weights, means + centre, deviations, np.empty((0, 0)))
        return model._replace(training_scores=model.scores(original))

    def __repr__(self):
        return f"GaussianMixture(means={self.means.tolist()})"

    def scores(self, X):
        """U(x) for each row: first all derivatives for the means, then those for the deviations."""
        X = np.asarray(X, dtype=np.float64)
        log_joint = _log_joint(X, self.weights, self.means, self.deviations)
        r = np.exp(log_joint - logsumexp(log_joint, axis=1, keepdims=True))
        z = (X[:, None, :] - self.means) / self.deviations  # (n, components, d)
        by_mean = r[:, :, None] * z / self.deviations
        by_deviation = r[:, :, None] * (z**2 - 1) / self.deviations
        return np.hstack([by_mean.reshape(len(X), -1), by_deviation.reshape(len(X), -1)])


def _log_joint(X, weights, means, deviations):
    """log(pi_c N(x; mu_c, sigma_c^2)), a row for each x and a column for each component."""
    z = (X[:, None, :] - means) / deviations
    normal = -0.5 * z**2 - np.log(deviations) - 0.5 * np.log(2 * np.pi)
    with np.errstate(divide="ignore"):
        return np.log(weights) + normal.sum(axis=2)


class MarkovChain(NamedTuple):
    r"""Strings whose next letter depends on the last one only: :math:`p(x) = \prod_l \theta_{x_l x_{l+1}}`.

    Written with parameters that are free to move, :math:`\theta_{ab} = e^{s_{ab}} / \sum_c e^{s_{ac}}`,
    the score is the number of steps from a to b less the expected number,
    :math:`N_{ab}(x) - N_{a\cdot}(x)\, \theta_{ab}`.
    """

    alphabet: str
    transitions: np.ndarray
    training_scores: np.ndarray
    takes_vectors: bool = False

    @classmethod
    def fit(cls, strings, alphabet="acgt", *, prior=1.0):
        """Estimate the probabilities from counts, to each of which ``prior`` >= 0 is added.

        After a letter that no other follows, all letters are equally likely.

        Examples
        --------
        >>> MarkovChain.fit(["aab", "aba"], alphabet="ab").transitions.round(3)
        array([[0.4  , 0.6  ],
               [0.667, 0.333]])
        """
        check_arguments(prior=(prior, real(0)))
        total = prior + sum(_steps(x, alphabet) for x in strings)
        total[total.sum(axis=1) == 0] = 1.0  # nothing is known of what follows this letter
        model = cls(alphabet, total / total.sum(axis=1, keepdims=True), np.empty((0, 0)))
        return model._replace(training_scores=model.scores(strings))

    def __repr__(self):
        return f"MarkovChain(alphabet={self.alphabet!r})"

    def scores(self, X):
        """U(x) for each string."""
        steps = np.array([_steps(x, self.alphabet) for x in X])
        return (steps - steps.sum(axis=2, keepdims=True) * self.transitions).reshape(len(X), -1)


def _steps(x, alphabet):
    """How often each letter follows each other in x."""
    number = {letter: place for place, letter in enumerate(alphabet)}
    unknown = set(x) - set(alphabet)
    if unknown:
        raise ValueError(f"letters {sorted(unknown)} are not in the alphabet {alphabet!r}")
    counts = np.zeros((len(alphabet), len(alphabet)))
    for a, b in zip(x, x[1:], strict=False):
        counts[number[a], number[b]] += 1
    return counts
