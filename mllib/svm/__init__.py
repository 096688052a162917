"""Support vector machines: they assemble a quadratic program and leave its solution to :mod:`mllib.smo`.

- :mod:`~mllib.svm.machine`: what all of them share.
- :mod:`~mllib.svm.svc`: classification with a soft margin, two classes or many.
"""

from .svc import SVC

__all__ = ["SVC"]
