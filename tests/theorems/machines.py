"""What the tests on soft margins share: labelled points that hypothesis invents, both goals, both solvers.

Points have small whole coordinates, so ties, duplicates and intervals of optimal biases occur often.
"""

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st

from mllib import SVC
from mllib.svm import svm_path

SEEDS = st.integers(0, 2**31 - 1)
FINES = st.sampled_from([0.01, 0.03, 0.1, 0.5, 1.0, 5.0])


@st.composite
def labelled(draw, max_points=12, balanced=False):
    """Whole-numbered points in one to three dimensions; labels -1 and +1 that mean nothing, both present."""
    rng, d = np.random.RandomState(draw(SEEDS)), draw(st.integers(1, 3))
    n = draw(st.integers(2, max_points))
    X = rng.randint(-4, 5, size=(2 * n if balanced else n, d)).astype(float)
    rest = [1.0, -1.0] * (n - 1) if balanced else rng.choice([-1.0, 1.0], size=n - 2)
    return X, rng.permutation(np.r_[1.0, -1.0, rest])


@st.composite
def separable(draw):
    """Points with the labels of a whole-numbered hyperplane that none of them lies on."""
    X, _ = draw(labelled())
    rng = np.random.RandomState(draw(SEEDS))
    scores = X @ rng.randint(-4, 5, size=X.shape[1]) + rng.randint(-4, 5)
    assume(np.all(scores != 0) and scores.min() < 0 < scores.max())
    return X, np.sign(scores)


def primal(X, y, w, b, C):
    return 0.5 * w @ w + C * np.maximum(0, 1 - y * (X @ w + b)).sum()


def dual(X, y, alpha):
    return alpha.sum() - 0.5 * np.sum(((alpha * y) @ X) ** 2)


def permitted(y, C, rng):
    """Random prices in the box, balanced; some at its corners."""
    alpha = np.clip(rng.uniform(-0.5, 1.5, size=len(y)), 0, 1)
    positive, negative = alpha[y > 0].sum(), alpha[y < 0].sum()
    if min(positive, negative) == 0:
        return np.zeros(len(y))
    alpha[y > 0] *= min(1, negative / positive)
    alpha[y < 0] *= min(1, positive / negative)
    return C * alpha


def machine(X, y, C):
    """alpha, w and b of the package's solver."""
    fitted = SVC(kernel="linear", C=C, tol=1e-10).fit(X, y)
    alpha = np.zeros(len(y))
    alpha[fitted.support_] = np.abs(fitted.dual_coef_[0])
    return alpha, fitted.coef_[0], fitted.intercept_[0]


def on_path(X, y, C):
    point = svm_path(X, y, kernel="linear", C_max=2 * C).at(C)
    return point, (point.alpha * y) @ X


def size(X):
    """The scale of the scores' rounding errors."""
    return 1 + np.abs(X).max() ** 2 * len(X)
