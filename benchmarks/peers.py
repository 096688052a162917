"""Rivals that only the benchmark needs: LIBSVM and LIBLINEAR as their authors publish them, and XGBoost.

They are the extra ``bench`` of pyproject.toml, and live in a folder of their own beside what is built, so
that ``.venv`` stays what the lock file says. What they import themselves (NumPy, SciPy) comes from ``.venv``.
"""

import subprocess
import sys
import tomllib
from importlib.metadata import distributions
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "_build/peers"


def wanted():
    """What the extra names, as pip understands it."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)["project"]["optional-dependencies"]["bench"]


def install():
    """Fetch the rivals once; return what went wrong, or an empty text."""
    here = {d.name for d in distributions(path=[str(FOLDER)])}
    missing = [need for need in wanted() if need.split(">")[0] not in here]
    said = []
    for need in missing:  # one by one: two of them are compiled here, and may fail where there is no compiler
        print(f"Installing {need} into {FOLDER.relative_to(ROOT)}", flush=True)
        command = [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-deps",
            "--target",
            str(FOLDER),
            need,
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            said.append(f"{need}: {done.stderr.strip().splitlines()[-1]}")
    return "\n".join(said)


def use():
    """Let Python find the rivals that are there."""
    if FOLDER.is_dir() and str(FOLDER) not in sys.path:
        sys.path.append(str(FOLDER))


class Libsvm:
    """LIBSVM's own Python package behind the few attributes that our check reads; the RBF kernel, C = 1."""

    def __init__(self, X, y, C=1.0, tol=1e-3):
        from libsvm import svmutil

        self.X, self.gamma = X, 1.0 / (X.shape[1] * X.var())
        self.train = svmutil.svm_train
        self.problem = svmutil.svm_problem(2 * y - 1, X)
        options = f"-s 0 -t 2 -g {float(self.gamma)!r} -c {C!r} -e {tol!r} -m 200 -q"
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
        return self.model.get_labels()[0]  # LIBSVM calls positive what it saw first

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


class Liblinear:
    """LIBLINEAR's own Python package behind the two attributes that our check reads."""

    def __init__(self, X, y, loss, C, tol):
        from liblinear import liblinearutil

        self.train = liblinearutil.train
        self.problem = liblinearutil.problem(y, X, 1)  # a bias of one
        solver = 3 if loss == "hinge" else 1
        self.parameter = liblinearutil.parameter(f"-s {solver} -c {C!r} -e {tol!r} -B 1 -q")

    def fit(self):
        """Train on the problem that was laid out before."""
        self.model = self.train(self.problem, self.parameter)
        sign = self.model.get_labels()[0]
        weights, bias = self.model.get_decfun()
        self.coef_, self.intercept_ = sign * np.array([weights]), np.array([sign * bias])
        return self

    def decision_function(self, X):
        """The score."""
        return X @ self.coef_[0] + self.intercept_[0]
