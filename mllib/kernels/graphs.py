r"""Kernels on graphs: molecules, networks.

Whether two graphs are the same is a hard question, and "nearly the same" is no easier to define. The
kernels of this file count parts that are quickly found:

- :class:`WeisfeilerLehman`: neighbourhoods. Give every node its label; then, several times, replace the
  label of each node by a short name for "my label, and the labels of my neighbours". After h rounds a
  name stands for the tree of all walks of h steps, and the kernel compares how often each name occurs in
  the two graphs, over all rounds [1]_.
- :class:`ShortestPath`: distances. Count the pairs of nodes by their labels and the number of edges
  between them [2]_.

A graph is any object with ``node_labels``, one for each node, and ``edges``, pairs of node numbers, each
edge once; if it has ``edge_labels`` too, the Weisfeiler-Lehman names can include them. :class:`Graph` is
the plain one; the molecules of :func:`mllib.datasets.load_mutag` fit as well.

References
----------
.. [1] Shervashidze, Schweitzer, van Leeuwen, Mehlhorn, Borgwardt (2011). "Weisfeiler-Lehman graph
   kernels". Journal of Machine Learning Research 12.
.. [2] Borgwardt, Kriegel (2005). "Shortest-path kernels on graphs". IEEE International Conference on
  Data Mining.
"""

from collections import Counter
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import shortest_path

from .counting import CountKernel


class Graph(NamedTuple):
    """An undirected graph with labels.

    Examples
    --------
    Water: an oxygen between two hydrogens.

    >>> water = Graph(node_labels=["O", "H", "H"], edges=[(0, 1), (0, 2)])
    >>> len(water.node_labels)
    3
    """

    node_labels: object
    edges: object
    edge_labels: object = None


class WeisfeilerLehman(CountKernel):
    """Counts equal neighbourhoods of up to ``rounds`` steps.

    Parameters
    ----------
    rounds : int, default=3
        How often labels are refined; 0 counts the labels themselves.
    use_edge_labels : bool, default=True
        Whether a neighbour is seen together with the label of the edge, where there is one.

    Examples
    --------
    >>> path = Graph("aba", [(0, 1), (1, 2)])
    >>> triangle = Graph("aba", [(0, 1), (1, 2), (0, 2)])
    >>> WeisfeilerLehman(rounds=0)([path, triangle])
    array([[5., 5.],
           [5., 5.]])
    >>> WeisfeilerLehman(rounds=1)([path, triangle])  # only the b in the middle still looks the same
    array([[10.,  6.],
           [ 6., 10.]])
    """

    rounds: int = 3
    use_edge_labels: bool = True

    def counts(self, x):
        """How often each name occurs in the graph x, in any round."""
        if not isinstance(self.rounds, (int, np.integer)) or self.rounds < 0:
            raise ValueError(f"rounds must be a whole number >= 0, got {self.rounds!r}")
        labels, neighbours = _neighbours(x, self.use_edge_labels)
        total = Counter((0, label) for label in labels)
        for round_ in range(1, self.rounds + 1):
            labels = [
                _name(label, sorted((edge, labels[other]) for edge, other in around))
                for label, around in zip(labels, neighbours, strict=True)
            ]
            total.update((round_, label) for label in labels)
        return total


class ShortestPath(CountKernel):
    """Counts pairs of nodes with the same two labels and the same number of edges between them.

    Pairs without a path between them are not counted.

    Examples
    --------
    >>> path = Graph("aba", [(0, 1), (1, 2)])
    >>> sorted(ShortestPath().counts(path).items())
    [(('a', 'a', 2), 1), (('a', 'b', 1), 2)]
    >>> triangle = Graph("aba", [(0, 1), (1, 2), (0, 2)])
    >>> ShortestPath()([path], [triangle])
    array([[4.]])
    """

    def counts(self, x):
        """How many pairs of nodes of the graph x there are of each kind."""
        labels, _ = _neighbours(x, False)
        n, edges = len(labels), np.asarray(x.edges, dtype=np.intp).reshape(-1, 2)
        links = csr_array((np.ones(len(edges)), (edges[:, 0], edges[:, 1])), shape=(n, n))
        distances = shortest_path(links, directed=False, unweighted=True)
        total = Counter()
        for i in range(n):
            for j in range(i + 1, n):
                if np.isfinite(distances[i, j]):
                    first, second = sorted((labels[i], labels[j]))
                    total[first, second, int(distances[i, j])] += 1
        return total


def _neighbours(graph, use_edge_labels):
    """Labels as strings; and for each node the pairs (label of the edge, other end)."""
    try:
        labels = [str(label) for label in graph.node_labels]
        edges = [(int(i), int(j)) for i, j in graph.edges]
    except (AttributeError, TypeError) as error:
        raise TypeError(
            f"graph kernels take objects with node_labels and edges, got {type(graph).__name__}"
        ) from error
    names = getattr(graph, "edge_labels", None) if use_edge_labels else None
    names = [""] * len(edges) if names is None else [str(name) for name in names]
    neighbours = [[] for _ in labels]
    for (i, j), name in zip(edges, names, strict=True):
        if not (0 <= i < len(labels) and 0 <= j < len(labels)):
            raise ValueError(f"edge ({i}, {j}) in a graph of {len(labels)} nodes")
        neighbours[i].append((name, j))
        neighbours[j].append((name, i))
    return labels, neighbours


def _name(label, around):
    """A short name for a neighbourhood, the same in every graph and every run.

    Sixteen bytes of a cryptographic hash: that two neighbourhoods get the same name by chance is not to
    be feared.
    """
    return blake2b(repr((label, around)).encode(), digest_size=16).hexdigest()
