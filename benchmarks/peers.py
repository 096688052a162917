"""Rivals that only the benchmark needs: the best for each work that can be had as a wheel.

They are the extra ``bench`` of pyproject.toml, and live in a place of their own beside what is built, so
that ``.venv`` stays what the lock file says. What they import besides (NumPy, SciPy) comes from ``.venv``.
All of them run on one thread here, and with what they know of the data laid out before the clock starts.
"""

import subprocess
import sys
import sysconfig
import tomllib
from importlib.metadata import distributions
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
PREFIX = ROOT / "_build/peers"  # a prefix, not a folder: oneDAL looks for its libraries beside lib/python3.x
FOLDER = Path(sysconfig.get_path("purelib", vars={"base": str(PREFIX)}))
HELPERS = {"absl-py", "daal", "protobuf", "tbb", "tcmlib"}  # what rivals need and .venv has not


def wanted():
    """What the extra names, as pip understands it."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)["project"]["optional-dependencies"]["bench"]


def install():
    """Fetch the rivals once; return what went wrong, or an empty text."""
    here = {d.name.replace("_", "-") for d in distributions(path=[str(FOLDER)])}
    missing = [need for need in wanted() if need.split(">")[0] not in here]
    said, options = [], ["--quiet", "--no-deps", "--ignore-installed", "--no-warn-script-location"]
    for need in missing:  # one by one: two of them are compiled here, and may fail where there is no compiler
        print(f"Installing {need} into {PREFIX.relative_to(ROOT)}", flush=True)
        command = [sys.executable, "-m", "pip", "install", *options, "--prefix", str(PREFIX), need]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            said.append(f"{need}: {done.stderr.strip().splitlines()[-1]}")
    return "\n".join(said)


def use():
    """Let Python find the rivals that are there."""
    if FOLDER.is_dir() and str(FOLDER) not in sys.path:
        sys.path.append(str(FOLDER))


class Libsvm:
    """LIBSVM's own Python package behind the few attributes that our check reads; the RBF kernel.

    ``y`` holds 0 and 1 for a classifier; with ``epsilon`` it is a regression on any numbers.
    """

    def __init__(self, X, y, C=1.0, tol=1e-3, epsilon=None):
        from libsvm import svmutil

        self.X, self.gamma, self.number = X, 1.0 / (X.shape[1] * X.var()), epsilon is not None
        self.train = svmutil.svm_train
        self.problem = svmutil.svm_problem(y if self.number else 2 * y - 1, X)
        kind = f"-s 3 -p {epsilon!r}" if self.number else "-s 0"
        options = f"{kind} -t 2 -g {float(self.gamma)!r} -c {C!r} -e {tol!r} -m 200 -q"
        self.parameter = svmutil.svm_parameter(options)

    def fit(self):
        """Train on the problem that was laid out before."""
        self.model = self.train(self.problem, self.parameter)
        return self

    @property
    def support_(self):
        """The rows that are support vectors."""
        return np.array(self.model.get_sv_indices()) - 1

    @property
    def _sign(self):
        return 1 if self.number else self.model.get_labels()[0]  # LIBSVM calls positive what it saw first

    @property
    def dual_coef_(self):
        """y alpha of the support vectors."""
        return self._sign * np.array(self.model.get_sv_coef()).reshape(1, -1)

    @property
    def intercept_(self):
        """The bias."""
        return np.array([-self._sign * self.model.rho[0]])

    def decision_function(self, X):
        """The score, with our own kernel."""
        from mllib.kernels import RBF

        K = RBF(self.gamma)(X, self.X[self.support_])
        return K @ self.dual_coef_[0] + self.intercept_[0]

    predict = decision_function  # of a regression


class Linear:
    """What a linear machine must show: its weights, its bias, and the scores they give."""

    def __init__(self, w, b):
        self.coef_, self.intercept_ = np.reshape(w, (1, -1)), np.reshape(b, 1)

    def decision_function(self, X):
        """The score."""
        return X @ self.coef_[0] + self.intercept_[0]


def liblinear(X, y, loss, C, tol, primal=False):
    """A run of LIBLINEAR's own Python package: dual coordinate descent, or Newton's method on the primal."""
    from liblinear import liblinearutil

    problem = liblinearutil.problem(y, X, 1)  # a bias of one
    solver = 3 if loss == "hinge" else 2 if primal else 1
    parameter = liblinearutil.parameter(f"-s {solver} -c {C!r} -e {tol!r} -B 1 -q")

    def fit():
        model = liblinearutil.train(problem, parameter)
        weights, bias = model.get_decfun()
        sign = model.get_labels()[0]
        return Linear(sign * np.array(weights), sign * bias)

    return fit


def snapml(X, y, C):
    """A run of Snap ML's machine with the hinge loss."""
    import snapml

    model = snapml.SupportVectorMachine(
        regularizer=1 / C, fit_intercept=True, intercept_scaling=1.0, n_jobs=1, tol=1e-4, max_iter=1000
    )

    def fit():
        model.fit(X, y)
        return Linear(model.coef_, model.intercept_)

    return fit


def cyanure(X, y, C):
    """A run of Cyanure's machine with the squared hinge loss; a column of ones carries the bias."""
    from cyanure.estimators import Classifier
    from scipy import sparse

    ones = np.ones((len(y), 1))
    wide = sparse.hstack([X, ones], format="csr") if sparse.issparse(X) else np.hstack([X, ones])
    model = Classifier(
        loss="sqhinge",
        penalty="l2",
        lambda_1=1 / (2 * len(y) * C),
        fit_intercept=False,
        tol=1e-4,
        max_iter=500,
        verbose=False,
        n_threads=1,
    )

    def fit():
        model.fit(wide, y)
        weights = np.ravel(model.coef_)
        return Linear(weights[:-1], weights[-1])

    return fit
