"""How many files of mllib does a fit cross? `python -m tests.crossed` names them, compiled ones too.

The loops run as Python here (NUMBA_DISABLE_JIT), so that they are seen. What an import does is not counted.
"""

import os
import sys
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "mllib"
FITS = {  # what a reader opens first, and how it is tried
    "SVC": {"kernel": "rbf"},
    "Perceptron": {"give_up_after": 3},
    "AdaBoostClassifier": {"n_estimators": 3},
    "RandomForestClassifier": {"n_estimators": 3, "random_state": 0},
    "GradientBoostingClassifier": {"n_estimators": 2},
}


def crossed(name):
    """The files whose functions a fit calls, in the order in which they are first called."""
    import numpy as np

    import mllib

    rng = np.random.RandomState(0)
    X = rng.randn(60, 4)
    y = X[:, 0] + 0.5 * rng.randn(60) > 0
    model, files = getattr(mllib, name)(**FITS[name]), {}
    model.fit(X, y)  # imports what it needs

    def note(frame, event, _):
        place = Path(frame.f_code.co_filename)
        if event == "call" and place.is_relative_to(PACKAGE) and frame.f_code.co_name != "<module>":
            files.setdefault(place.relative_to(PACKAGE).as_posix())

    sys.setprofile(note)
    try:
        model.fit(X, y)
    finally:
        sys.setprofile(None)
    return list(files)


if __name__ == "__main__":
    if os.environ.get("NUMBA_DISABLE_JIT") != "1":
        again = [sys.executable, "-m", "tests.crossed"]
        os.execve(sys.executable, again, os.environ | {"NUMBA_DISABLE_JIT": "1"})
    for name in FITS:
        files = crossed(name)
        print(f"{name}.fit crosses {len(files)} files: {' '.join(files)}")
