r"""The exponential function of many numbers that are not positive: quick, and the same bits everywhere.

NumPy takes several exponentials at once only where the processor has AVX-512; elsewhere it needs five times
as long, and some last digits are others. The loop here consists of products and sums, which every processor
does alike and several at once. With k the whole number nearest to :math:`x / \log 2`,

.. math:: e^x = 2^k (\cosh r + \sinh r), \qquad r = x - k \log 2, \quad |r| \le \tfrac12 \log 2 ,

and the two series in :math:`r^2` need seven and six terms.
"""

import numpy as np

from .._compiled import njit

LOG2 = 0.6931471805599453
LEAST = -708.0  # below this e^x is taken for 0: it is less than 1e-307


@njit
def exp_in_place(exponents):
    """Put e^x in the place of each entry x of a matrix, and 1 if x > 0 by rounding; return the matrix.

    The relative error is at most 2 (1 + abs(x)) eps; as much comes from an x that is rounded itself.
    """
    all_bits = exponents.view(np.int64)
    for i in range(len(exponents)):
        row, bits = exponents[i], all_bits[i]
        for j in range(len(row)):
            x = min(row[j], 0.0)
            near = max(x, LEAST)
            k = np.int32(near * (1 / LOG2) - 0.5)
            r = near - k * LOG2
            s = r * r
            cosh = 1 + s * (1 / 2 + s * (1 / 24 + s * (1 / 720 + s * (
                1 / 40320 + s * (1 / 3628800 + s * (1 / 479001600))))))  # fmt: skip
            sinh = r * (1 + s * (1 / 6 + s * (1 / 120 + s * (
                1 / 5040 + s * (1 / 362880 + s * (1 / 39916800))))))  # fmt: skip
            row[j] = cosh + sinh
            bits[j] += np.int64(k) << 52  # times 2^k: where a number keeps its exponent, k is added
            row[j] = 0.0 if x < LEAST else row[j]
    return exponents
