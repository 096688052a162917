"""Support vector machines: they assemble a quadratic program and leave its solution to :mod:`mllib.smo`.

- :mod:`~mllib.svm.hard_margin`: the widest street between two classes.
- :mod:`~mllib.svm.svc`: classification with a soft margin, two classes or many.
- :mod:`~mllib.svm.svr`: regression with a tube.
- :mod:`~mllib.svm.path`: the machines for all C at once; :mod:`~mllib.svm._path_walk` has the steps.
"""

from .hard_margin import HardMarginSVC
from .path import PathPoint, SVMPath, svm_path
from .svc import SVC
from .svr import SVR
