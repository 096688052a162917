r"""Kernels that count: the image of an object is a table of what occurs in it, and how often.

Strings, trees and graphs have parts: stretches of letters, paths, neighbourhoods. Number all parts that
there can be; then :math:`\phi(x)_u`, how often part u occurs in x, is a vector with more coordinates
than anybody could store but with few that are not 0, and

.. math:: k(x, z) = \sum_u \phi(x)_u\, \phi(z)_u

costs no more than looking up the parts of x among the parts of z. It is a kernel because it is an inner
product.
"""

from collections.abc import Mapping

import numpy as np
from scipy import sparse

from .kernel import Kernel


class CountKernel(Kernel):
    """Base of the kernels that count parts; a kernel writes ``counts(x)``.

    Examples
    --------
    >>> class Letters(CountKernel):
    ...     def counts(self, x):
    ...         return {letter: x.count(letter) for letter in x}
    >>> Letters()(["abba", "baa"])
    array([[8., 6.],
           [6., 5.]])
    """

    takes_vectors = False

    def counts(self, x) -> Mapping:
        """The parts of one object, each with its coordinate in the image."""
        raise NotImplementedError

    def _counter(self):
        """The function ``counts`` for many objects; as long as it lives it may remember what it computed."""
        return self.counts

    def _gram(self, X, Z):
        return self.against(Z)(X)

    def _diag(self, X):
        counts = self._counter()
        return np.array([sum(value * value for value in counts(x).values()) for x in X], dtype=float)

    def against(self, Z):
        number = {}  # of each part that occurs in Z
        counts = self._counter()
        right = _table([counts(z) for z in Z], number, grow=True)
        return lambda X, out=None: (_table([counts(x) for x in X], number) @ right.T).toarray()


def _table(all_counts, number, grow=False):
    """A sparse matrix with a row for each object; parts without a number get one or are left out."""
    values, columns, ends = [], [], [0]
    for counts in all_counts:
        for part, value in counts.items():
            column = number.setdefault(part, len(number)) if grow else number.get(part)
            if column is not None:
                values.append(value)
                columns.append(column)
        ends.append(len(values))
    return sparse.csr_array(
        (np.array(values, dtype=float), columns, ends), shape=(len(all_counts), len(number))
    )
