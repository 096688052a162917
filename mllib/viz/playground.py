"""Links to the playground: the page on which a reader moves the points."""

from urllib.parse import urlencode

import numpy as np

UNIT, REACH, MOST = 64, 127, 300  # coordinates are whole 64ths from -127 to 127; at most 300 points


def playground(X, y, method="svm", *, fit=False, **parameters):
    """What follows the name of the page in a link to the playground: method, parameters and points.

    Parameters
    ----------
    X : array-like of shape (n_samples, 2)
        Coordinates between -127/64 and 127/64; they are rounded to 64ths.
    y : array-like of shape (n_samples,)
        Two labels; the greater one is the blue discs.
    method : {"perceptron", "hard", "svm", "pegasos", "adaboost", "forest"}
    fit : bool, default=False
        Move and stretch the points so that they fill the picture.
    **parameters
        Those of the method, as the page names them: ``kernel="rbf", C=10, gamma=2``; ``lambda_`` for lambda.

    Returns
    -------
    str

    Examples
    --------
    >>> playground([[-1, 0], [1, 0.5]], [0, 1], "hard")
    '#method=hard&points=n4080pc0a0'
    """
    X, y = np.asarray(X, dtype=float), np.asarray(y)
    if X.ndim != 2 or X.shape[1] != 2 or len(X) != len(y):
        raise ValueError(f"points have two coordinates and a label each, got shapes {X.shape} and {y.shape}")
    if len(X) > MOST:
        raise ValueError(f"the playground takes at most {MOST} points, got {len(X)}")
    if len(np.unique(y)) > 2:
        raise ValueError(f"the playground has two classes, got {len(np.unique(y))}")
    if fit:
        low, high = X.min(axis=0), X.max(axis=0)
        X = (X - (low + high) / 2) / np.where(high > low, high - low, 1) * 3.6
    whole = np.rint(UNIT * X).astype(int)
    if np.abs(whole).max(initial=0) > REACH:
        raise ValueError(
            f"coordinates lie between -{REACH}/{UNIT} and {REACH}/{UNIT}; fit=True stretches them"
        )
    words = [
        f"{'p' if label == y.max() else 'n'}{across + 128:02x}{up + 128:02x}"
        for (across, up), label in zip(whole, y, strict=True)
    ]
    named = {name.rstrip("_"): value for name, value in parameters.items()}
    return "#" + urlencode({"method": method, **named, "points": "".join(words)})
