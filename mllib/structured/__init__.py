"""Structured outputs: a label for every place of a chain, chosen together.

``decode`` finds the best labelling of a chain, ``chain`` learns what makes a labelling good;
``_chains`` looks at the form of what it is given.
"""

from .chain import ChainMarkovNetwork
from .decode import chain_score, loss_augmented, viterbi
