r"""Kernels: inner products in spaces that nobody has to visit.

Every learner whose data enter through inner products only can be *kernelised*: write :math:`k(x, z)`
wherever :math:`x \cdot z` stands, and it works in the space of the images :math:`\phi(x)` without computing
one of them.

- :mod:`~mllib.kernels.kernel`: what a kernel is; the rules that build new ones, as operators ``+ * **``;
  :mod:`~mllib.kernels.algebra` holds their classes.
- :mod:`~mllib.kernels.vectors`: linear, polynomial, RBF, tanh, x'Az, precomputed.
- :mod:`~mllib.kernels.gram`: positive semi-definiteness, normalising, centring, the quadratic feature map.
- :mod:`~mllib.kernels.strings`: spectrum, mismatch, subsequence and weighted-degree kernels.
- :mod:`~mllib.kernels.graphs`: Weisfeiler-Lehman and shortest-path kernels.
- :mod:`~mllib.kernels.fisher`: kernels from a generative model.
- :mod:`~mllib.kernels.machine`: what all kernel machines share. :mod:`~mllib.kernels._gram` computes
  entries of K, :mod:`~mllib.kernels._cache` keeps rows of it.
"""

from .algebra import Constant
from .fisher import FisherKernel, GaussianMixture, MarkovChain
from .gram import centred, is_psd, normalised, quadratic_features
from .graphs import Graph, ShortestPath, WeisfeilerLehman
from .kernel import Kernel
from .strings import Mismatch, Spectrum, Subsequence, WeightedDegree
from .vectors import RBF, FromFunction, Linear, Polynomial, Precomputed, QuadraticForm, Tanh, named

__all__ = sorted(name for name, thing in vars().items() if callable(thing) and name[0] != "_")
