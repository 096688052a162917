"""Sequential minimal optimisation: the quadratic program behind every support vector machine.

- :mod:`~mllib.smo.pair`: the problem, the step, the choice of the pair, and the compiled loop, for which
  :mod:`~mllib.smo._search` finds the greatest pull.
- :mod:`~mllib.smo.solver`: from a problem to its solution and certificate.
- :mod:`~mllib.smo.problem`: the data of one problem, and its violation.
- :mod:`~mllib.smo._blocks`: many variables, in a bounded amount of memory.
- :mod:`~mllib.smo._leap`: all free variables at once, when pairs make slow progress.
- :mod:`~mllib.smo.platt`: the heuristics of the first paper, for comparison.
"""

from .solver import SMOResult, solve, warn_of_rounding

__all__ = ["SMOResult", "solve", "warn_of_rounding"]
