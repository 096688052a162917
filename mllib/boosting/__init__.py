"""Boosting: weak learners, one after another, each trained on what the sum of the earlier ones gets wrong.

Where to read what:

- :mod:`~mllib.boosting.adaboost`: AdaBoost and SAMME, margins. The chapter's algorithm.
- :mod:`~mllib.boosting.real`, :mod:`~mllib.boosting.gentle`, :mod:`~mllib.boosting.logit`,
  :mod:`~mllib.boosting.brown`, :mod:`~mllib.boosting.floating`: the relatives, one formula each.
- :mod:`~mllib.boosting.gradient`: steepest descent on any loss, with :mod:`~mllib.boosting.objectives` for
  what a loss must tell.
- :mod:`~mllib.boosting.additive`: the loop, the history and the stages that all of them share.
- :mod:`~mllib.boosting.lines`: straight lines as weak learners (stumps are in :mod:`mllib.tree`; what a weak
  learner must offer, in :mod:`mllib._members`).
- :mod:`~mllib.boosting.bounds`, :mod:`~mllib.boosting.minimax`: what the theory promises, as functions.
"""

from .adaboost import AdaBoostClassifier, margins
from .bounds import (
    exponential_bound,
    generalisation_bound,
    margin_bound,
    product_bound,
    rounds_to_zero_error,
    vanishing_margin,
)
from .brown import (
    BrownBoostClassifier,
    brown_potential,
    brown_step,
    brown_weights,
)
from .floating import FloatBoostClassifier
from .gentle import GentleAdaBoostClassifier
from .gradient import GradientBoostingClassifier, GradientBoostingRegressor
from .lines import LinearStump
from .logit import LogitBoostClassifier
from .minimax import hardest_weights, largest_margin, stump_matrix
from .real import RealAdaBoostClassifier
