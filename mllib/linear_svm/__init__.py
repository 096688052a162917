"""Linear support vector machines that scale, in the dual and in the primal.

``dual`` moves one dual variable at a time; ``svc`` makes :class:`LinearSVC` of it, exact and with a gap.
``subgradient`` takes the step of Pegasos on a few examples at a time; ``pegasos`` makes
:class:`SGDHingeClassifier` and :class:`PegasosClassifier` of it: a good answer after a few looks at each.
``_shrinking`` and ``_scaled`` spare the two loops work.
"""

from .dual import DualSolution, dual_coordinate_descent
from .pegasos import PegasosClassifier, SGDHingeClassifier
from .svc import LinearSVC
