"""Sequential minimal optimisation: the quadratic program behind every support vector machine.

- :mod:`~mllib.smo.pair`: the problem, the step, the choice of the pair; the loop as chapter 11 prints it, and
  compiled.
- :mod:`~mllib.smo.solver`: from a problem to its solution and certificate.
- :mod:`~mllib.smo._blocks`: many variables, in a bounded amount of memory.
- :mod:`~mllib.smo._leap`: all free variables at once, when pairs make slow progress.
- :mod:`~mllib.smo.platt`: the heuristics of the first paper, for comparison.
"""

from .solver import SMOResult, solve, warn_of_rounding

__all__ = ["SMOResult", "solve", "warn_of_rounding"]
