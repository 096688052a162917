r"""Kernels on strings: DNA, proteins, texts.

============================ ==================================================== =======================
class                        two strings are alike if they share                  references
============================ ==================================================== =======================
:class:`Spectrum`            stretches of k letters, wherever they stand          [1]_
:class:`Mismatch`            stretches of k letters, up to m wrong ones           [2]_
:class:`Subsequence`         k letters in the same order, gaps allowed            [3]_
:class:`WeightedDegree`      stretches of up to D letters at the same places      [4]_
============================ ==================================================== =======================

Long strings have long images; ``.normalised()`` takes the length out. All are used like other kernels,
for example ``SVC(kernel=Spectrum(3).normalised()).fit(strings, labels)``.

References
----------
.. [1] Leslie, Eskin, Noble (2002). "The spectrum kernel: a string kernel for SVM protein
   classification". Pacific Symposium on Biocomputing.
.. [2] Leslie, Eskin, Cohen, Weston, Noble (2004). "Mismatch string kernels for discriminative protein
   classification". Bioinformatics 20.
.. [3] Lodhi, Saunders, Shawe-Taylor, Cristianini, Watkins (2002). "Text classification using string
   kernels". Journal of Machine Learning Research 2.
.. [4] Rätsch, Sonnenburg (2004). "Accurate splice site detection for Caenorhabditis elegans". Kernel
   Methods in Computational Biology, MIT Press.
"""

from collections import Counter
from itertools import combinations, product

import numpy as np

from .._compiled import njit
from .counting import CountKernel
from .kernel import Kernel


class Spectrum(CountKernel):
    r""":math:`\phi(x)_u` is the number of times that u, a string of ``length`` letters, occurs in x.

    Parameters
    ----------
    length : int, default=3

    Examples
    --------
    >>> dict(Spectrum(2).counts("banana"))
    {'ba': 1, 'an': 2, 'na': 2}
    >>> Spectrum(2)(["banana"], ["ananas"])  # an 2 * 2, na 2 * 2
    array([[8.]])
    """

    length: int = 3

    def counts(self, x):
        """How often each stretch occurs in the string x."""
        _whole(self.length, 1, "length")
        return Counter(_stretches(_string(x), self.length))


class Mismatch(CountKernel):
    r""":math:`\phi(x)_u` counts the stretches of x that differ from u in at most ``mismatches`` letters.

    Parameters
    ----------
    length : int, default=3
    mismatches : int, default=1
    alphabet : str, default="acgt"
        The letters that may stand in place of the right one.

    Examples
    --------
    >>> sorted(Mismatch(2, 1, alphabet="ab").counts("aa").items())
    [('aa', 1), ('ab', 1), ('ba', 1)]
    >>> Mismatch(3, 1)(["acg"], ["act"])  # shared: aca acc acg act, and no other
    array([[4.]])
    """

    length: int = 3
    mismatches: int = 1
    alphabet: str = "acgt"

    def counts(self, x):
        """How many stretches of the string x each pattern is near to."""
        return self._counter()(x)

    def _counter(self):
        _whole(self.length, 1, "length")
        _whole(self.mismatches, 0, "mismatches")
        near = {}  # the patterns near to each stretch seen so far

        def counts(x):
            total = Counter()
            for stretch, times in Counter(_stretches(_string(x), self.length)).items():
                if stretch not in near:
                    near[stretch] = _near(stretch, self.mismatches, self.alphabet)
                for pattern in near[stretch]:
                    total[pattern] += times
            return total

        return counts


class WeightedDegree(CountKernel):
    r"""Counts equal stretches at equal places, of all lengths d up to ``degree`` with decreasing weight.

    .. math:: k(x, z) &= \sum_{d=1}^{D} \beta_d \sum_l [x_{l..l+d} = z_{l..l+d}], \\
              \beta_d &= \frac{2 (D - d + 1)}{D (D + 1)} .

    The weights sum to 1. For strings that were cut out around a point of interest, so that places mean
    something.

    Parameters
    ----------
    degree : int, default=3

    Examples
    --------
    >>> WeightedDegree(2)(["acgt"], ["acct"]).round(4)  # 3 equal letters * 2/3 + 1 equal pair * 1/3
    array([[2.3333]])
    """

    degree: int = 3

    def counts(self, x):
        """The root of the weight for each stretch together with its place."""
        D, x = _whole(self.degree, 1, "degree"), _string(x)
        return {
            (place, stretch): np.sqrt(2 * (D - d + 1) / (D * (D + 1)))
            for d in range(1, D + 1)
            for place, stretch in enumerate(_stretches(x, d))
        }


class Subsequence(Kernel):
    r"""Counts common subsequences of ``length`` letters; each letter of the span they cover costs a factor.

    The image of x has a coordinate for each string u of k letters,

    .. math:: \phi(x)_u = \sum_{i_1 < \dots < i_k,\ x_{i_1} \dots x_{i_k} = u} \delta^{\,i_k - i_1 + 1} ,

    so "cat" occurs in "cart" with weight :math:`\delta^4`. The sum over all pairs of occurrences is
    never formed: with :math:`K'_p(s, t)`, which counts p letters and charges the rest of both strings up
    to their ends, adding the letter a to s gives

    .. math:: K'_p(sa, t) &= \delta K'_p(s, t) \\
              &\quad + \sum_{j: t_j = a} K'_{p-1}(s, t_{<j})\, \delta^{|t| - j + 2}

    and so the cost is k times the product of the lengths.

    Parameters
    ----------
    length : int, default=3
    decay : float in (0, 1], default=0.5
        :math:`\delta`.

    Examples
    --------
    "cat" and "car" share only "ca", which spans two letters of each: :math:`0.5^2 \cdot 0.5^2`.

    >>> Subsequence(2, decay=0.5)(["cat"], ["car", "cat"])
    array([[0.0625  , 0.140625]])
    """

    takes_vectors = False

    length: int = 3
    decay: float = 0.5

    def _gram(self, X, Z):
        _whole(self.length, 1, "length")
        if not 0 < self.decay <= 1:
            raise ValueError(f"decay must be in (0, 1], got {self.decay!r}")
        left = [_codes(x) for x in X]
        right = left if X is Z else [_codes(z) for z in Z]
        K = np.empty((len(left), len(right)))
        for i, s in enumerate(left):
            for j in range(i if X is Z else 0, len(right)):
                K[i, j] = _subsequence(s, right[j], self.length, self.decay)
                if X is Z:
                    K[j, i] = K[i, j]
        return K


def _string(x):
    if not isinstance(x, str):
        raise TypeError(f"string kernels take strings, got {type(x).__name__}")
    return x


def _codes(x):
    """The letters as numbers, for compiled code."""
    return np.frombuffer(_string(x).encode("utf-32-le"), dtype=np.uint32)


def _near(stretch, mismatches, alphabet):
    """All patterns that differ from a stretch in so many letters at most."""
    found = {stretch}
    for places in combinations(range(len(stretch)), min(mismatches, len(stretch))):
        for letters in product(alphabet, repeat=len(places)):
            pattern = list(stretch)
            for place, letter in zip(places, letters, strict=True):
                pattern[place] = letter
            found.add("".join(pattern))
    return tuple(found)


def _stretches(x, length):
    return (x[i : i + length] for i in range(len(x) - length + 1))


def _whole(number, least, name):
    if not isinstance(number, (int, np.integer)) or number < least:
        raise ValueError(f"{name} must be a whole number >= {least}, got {number!r}")
    return number


@njit
def _subsequence(s, t, length, decay):
    """Sum over common subsequences; ``part[p, i, j]`` is K'_p of i letters of s and j letters of t."""
    n, m = len(s), len(t)
    part = np.zeros((length, n + 1, m + 1))
    part[0] = 1.0
    for p in range(1, length):
        for i in range(1, n + 1):
            along = 0.0  # what the last letter of s adds, for all ends of t so far
            for j in range(1, m + 1):
                along *= decay
                if s[i - 1] == t[j - 1]:
                    along += decay * decay * part[p - 1, i - 1, j - 1]
                part[p, i, j] = decay * part[p, i - 1, j] + along
    total = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            if s[i - 1] == t[j - 1]:
                total += decay * decay * part[length - 1, i - 1, j - 1]
    return total
