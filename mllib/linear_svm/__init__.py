"""Linear support vector machines that scale, in the dual and in the primal.

``dual`` moves one dual variable at a time; ``svc`` makes :class:`LinearSVC` of it, exact and with a gap.
``pegasos`` takes a step on a few examples at a time, for :class:`SGDHingeClassifier` and
:class:`PegasosClassifier`: a good answer after a few looks at each.
"""

from .dual import DualSolution, dual_coordinate_descent
from .pegasos import PegasosClassifier, SGDHingeClassifier
from .svc import LinearSVC
