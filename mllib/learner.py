"""The frame of every algorithm: parameters, what was learned, labels, warnings. Written once.

A learner names each parameter once, with its default and its rule (see :mod:`mllib.parameters`)::

    class Ridge(Regressor):
        alpha: float = knob(1.0, real(0))

        def fit(self, X, y):
            X, y, weights = check_regression(self, X, y)
            ...

and has the constructor that scikit-learn asks for: it keeps what it is given and looks at nothing, for
``set_params``, ``clone`` and grid search change parameters without a second ``__init__``. A class that
inherits a parameter may give it another default, ``alpha: float = 0.5``, and keeps the rule. What ``fit`` has
learned is a named tuple whose fields carry scikit-learn's underscore; ``self._publish(found)`` shows them.
"""

import sys
import warnings
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from typing import dataclass_transform

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.exceptions import ConvergenceWarning

from .parameters import check_parameters
from .ties import first_greatest


def knob(default=MISSING, rule=None, *, first=False):
    """A parameter of a learner: its default and its rule; a ``first`` one may be given without its name."""
    return field(default=default, kw_only=not first, metadata={} if rule is None else {"rule": rule})


@dataclass_transform(eq_default=False, kw_only_default=True, field_specifiers=(knob,))
class Learner(BaseEstimator):
    """Base of all estimators of the package.

    Examples
    --------
    >>> from mllib.parameters import real
    >>> class Scaler(Learner):
    ...     factor: float = knob(2.0, real(0))
    >>> Scaler(factor=3.0)
    Scaler(factor=3.0)
    >>> Scaler(factor=-1)._check_parameters()
    Traceback (most recent call last):
    ...
    ValueError: The 'factor' parameter of Scaler must be a number in [0, inf). Got -1 instead.
    """

    _rules = {}
    _sparse = False  # whether X may be a sparse matrix
    _pairwise = False  # whether X holds kernel values, a column for each training point
    _binary = False  # whether a classifier knows two classes only
    _poor_score = False  # whether it may do badly on scikit-learn's test problems
    # To read a constructor's signature takes as long as a small tree, and every member's copy asks for it.
    _get_param_names = classmethod(cache(BaseEstimator._get_param_names.__func__))

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        dataclass(cls, eq=False, repr=False, kw_only=True)
        cls._rules = {}
        for base in reversed(cls.__mro__[1:]):
            cls._rules |= vars(base).get("_rules", {})
        cls._rules |= {each.name: each.metadata["rule"] for each in fields(cls) if "rule" in each.metadata}

    def _check_parameters(self):
        """Raise a ValueError for the first parameter that breaks its rule."""
        check_parameters(self, **self._rules)

    def _publish(self, found):
        """Show what was learned: each field of a named tuple, unless it is None, becomes an attribute."""
        vars(self).update({name: value for name, value in found._asdict().items() if value is not None})
        return self

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse, tags.input_tags.pairwise = bool(self._sparse), self._pairwise
        return tags


class Classifier(ClassifierMixin, Learner):
    """A learner of classes. A single score for each point speaks for the second of two classes."""

    def _labels_of(self, scores):
        """The class with the greatest score; a score of exactly 0 counts for the first of two classes."""
        return self.classes_[(scores > 0).astype(np.intp) if scores.ndim == 1 else first_greatest(scores)]

    def predict(self, X):
        """The class with the greatest score."""
        return self._labels_of(self.decision_function(X))

    @staticmethod
    def _count_duels(scores, pairs):
        r"""The votes of each class from the duels of all pairs, and what breaks ties between them.

        Each column of ``scores`` belongs to a pair of classes, of which the second wins where it is above 0.
        Ties are broken by :math:`s / 3 (|s| + 1)`, less than half a vote; s is the sum of a class's scores.

        Examples
        --------
        >>> Classifier._count_duels(np.array([[1.0, 2.0, -1.0]]), [(0, 1), (0, 2), (1, 2)])
        (array([[0, 2, 1]]), array([[-0.25      ,  0.22222222,  0.16666667]]))
        """
        votes = np.zeros((len(scores), 1 + max(max(pair) for pair in pairs)), dtype=np.int64)
        sums = np.zeros(votes.shape)
        for (first, second), score in zip(pairs, scores.T, strict=True):
            votes[:, second] += score > 0
            votes[:, first] += score <= 0
            sums[:, second] += score
            sums[:, first] -= score
        return votes, sums / (3.0 * (np.abs(sums) + 1.0))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = not self._binary
        tags.classifier_tags.poor_score = self._poor_score
        return tags


class Regressor(RegressorMixin, Learner):
    """A learner of numbers."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.regressor_tags.poor_score = self._poor_score
        return tags


def warn_unfinished(message):
    """Give a ConvergenceWarning that points to the line outside of this package that called it."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("mllib."):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, ConvergenceWarning, stacklevel=level)


def progress(rounds, verbose, what, total=None, unit="epoch"):
    """The rounds themselves, with a progress bar around them if ``verbose``."""
    if not verbose:
        return rounds
    from tqdm import tqdm  # takes longer to load than most learners to learn

    return tqdm(rounds, desc=what, total=total, unit=unit)
