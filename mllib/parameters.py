"""What the parameters of an estimator may be, said in words and tested.

A learner writes the rule of a parameter beside its default (see :mod:`mllib.learner`)::

    C: float = knob(1.0, real(0, open_low=True))
"""

from collections.abc import Callable
from math import inf, isfinite
from numbers import Integral, Real
from typing import NamedTuple

import numpy as np


class Rule(NamedTuple):
    """What a parameter may be: in words, and as a test. ``a | b`` allows what either allows.

    Examples
    --------
    >>> rule = integer(1) | one_of("sqrt", None)
    >>> rule.says
    "an int in [1, inf) or 'sqrt' or None"
    >>> [rule.admits(value) for value in (3, "sqrt", None, 0, 2.5)]
    [True, True, True, False, False]
    """

    says: str
    admits: Callable[[object], bool]

    def __or__(self, other):
        return Rule(f"{self.says} or {other.says}", lambda value: self.admits(value) or other.admits(value))


def integer(low=-inf, high=inf):
    """Allow an int in [low, high]; True and False are not numbers here."""
    says, inside = _interval(low, high)
    return Rule(
        f"an int{says}",
        lambda value: isinstance(value, Integral) and not isinstance(value, bool) and inside(value),
    )


def real(low=-inf, high=inf, *, open_low=False, open_high=False):
    """Allow a finite number between low and high; ``open_low`` leaves out ``low`` itself.

    Infinity is allowed where it is named: ``real(0) | infinity()``.
    """
    says, inside = _interval(low, high, open_low, open_high)
    return Rule(
        f"a number{says}",
        lambda value: (
            isinstance(value, Real) and not isinstance(value, bool) and inside(value) and isfinite(value)
        ),
    )


def infinity():
    """Allow infinity."""
    return Rule("inf", lambda value: isinstance(value, Real) and value == inf)


def fraction(*, open_high=False):
    """Allow a float in (0, 1], or in (0, 1): a share of things; an int would be a number of things."""
    share = real(0, 1, open_low=True, open_high=open_high)
    says = share.says.replace("a number", "a float")
    return Rule(says, lambda value: not isinstance(value, Integral) and share.admits(value))


def one_of(*values):
    """Allow exactly these strings or constants such as None."""
    names = {value for value in values if isinstance(value, str)}
    return Rule(
        " or ".join(repr(value) for value in values),
        lambda value: value in names if isinstance(value, str) else any(value is other for other in values),
    )


def boolean():
    """Allow True and False."""
    return Rule("True or False", lambda value: isinstance(value, (bool, np.bool_)))


def instance_of(*kinds):
    """Allow objects of these classes."""
    return Rule(" or ".join(f"a {kind.__name__}" for kind in kinds), lambda value: isinstance(value, kinds))


def check_parameters(estimator, **rules):
    """Raise a ValueError that names the parameter, what it may be, and what it is.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> check_parameters(SimpleNamespace(C=-1.0), C=real(0, open_low=True))
    Traceback (most recent call last):
    ...
    ValueError: The 'C' parameter of SimpleNamespace must be a number in (0, inf). Got -1.0 instead.
    >>> check_parameters(SimpleNamespace(depth=0), depth=integer(1) | one_of(None))
    Traceback (most recent call last):
    ...
    ValueError: The 'depth' parameter of SimpleNamespace must be an int in [1, inf) or None. Got 0 instead.
    """
    for name, rule in rules.items():
        value = getattr(estimator, name)
        if not rule.admits(value):
            owner = type(estimator).__name__
            raise ValueError(f"The {name!r} parameter of {owner} must be {rule.says}. Got {value!r} instead.")


def check_arguments(**rules):
    """The same for the arguments of a function, each with its rule.

    Examples
    --------
    >>> check_arguments(k=(0, integer(1)))
    Traceback (most recent call last):
    ...
    ValueError: k must be an int in [1, inf). Got 0 instead.
    """
    for name, (value, rule) in rules.items():
        if not rule.admits(value):
            raise ValueError(f"{name} must be {rule.says}. Got {value!r} instead.")


def _interval(low, high, open_low=False, open_high=False):
    """An interval in the usual notation, or nothing if there are no limits; and its test.

    Comparisons with NaN are False, so NaN is outside of all.
    """

    def inside(value):
        above = low < value if open_low else low <= value
        return bool(above and (value < high if open_high else value <= high))

    if (low, high) == (-inf, inf):
        return "", inside
    left = "(" if open_low or low == -inf else "["
    right = ")" if open_high or high == inf else "]"
    return f" in {left}{low}, {high}{right}", inside
