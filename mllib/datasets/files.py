"""Reading a data file of the package: find it, check it, unpack it.

Each set has two files in ``mllib/datasets/data``: ``name.md``, its card, and ``name.npz`` or
``name.txt.gz``, its numbers. The card is read by people; one line of it is also read here::

    - sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08

A file whose SHA-256 digest differs from the card's was cut short, altered or swapped, and is
refused: a wrong number in a table is worse than an error.

Measured values are decimal fractions such as .64, which most binary formats store as sixteen
random-looking digits. Here a column is stored as whole numbers and a power of ten, 64 and 100:
they compress well, and the quotient of two exactly represented numbers is the correctly rounded
64/100, so the double that comes back is the very one that reading ".64" gives.
"""

import gzip
import hashlib
import io
import re
from importlib.resources import files

import numpy as np

_DIGEST = re.compile(r"^- sha256: ([0-9a-f]{64})$", re.MULTILINE)


def _folder():
    return files("mllib.datasets") / "data"


def card(name):
    """The card of a set, as text: origin, donors, licence, conversion, digest.

    Parameters
    ----------
    name : str
        Name of the set, as in ``load_<name>``.

    Returns
    -------
    text : str

    Examples
    --------
    >>> from mllib.datasets.files import card
    >>> print(card("spambase").splitlines()[0])
    # Spambase
    """
    return (_folder() / f"{name}.md").read_text(encoding="utf-8")


def read_bytes(file_name):
    """The content of a data file, refused unless its SHA-256 digest is the one on the card.

    Parameters
    ----------
    file_name : str
        For instance ``"spambase.npz"``; its card is ``"spambase.md"``.

    Returns
    -------
    content : bytes

    Raises
    ------
    OSError
        If the file is missing or damaged. The message says how to restore it.

    Examples
    --------
    >>> from mllib.datasets.files import read_bytes
    >>> read_bytes("spambase.npz")[:2]
    b'PK'
    """
    name = file_name.partition(".")[0]
    restore = "Install the package again, or restore the file from the repository (git checkout)."
    try:
        content = (_folder() / file_name).read_bytes()
    except FileNotFoundError:
        raise FileNotFoundError(
            f"The data file {file_name} of mllib.datasets is missing. {restore}"
        ) from None
    expected = _DIGEST.search(card(name)).group(1)
    found = hashlib.sha256(content).hexdigest()
    if found != expected:
        raise OSError(
            f"The data file {file_name} of mllib.datasets is damaged: it has {len(content):,} bytes with "
            f"SHA-256 {found[:12]}..., but its card says {expected[:12]}.... {restore}"
        )
    return content


def read_arrays(name):
    """The named arrays of ``<name>.npz``; nothing in them is ever unpickled.

    Parameters
    ----------
    name : str

    Returns
    -------
    arrays : dict of str to ndarray

    Examples
    --------
    >>> from mllib.datasets.files import read_arrays
    >>> read_arrays("spambase")["target"].shape
    (4601,)
    """
    with np.load(io.BytesIO(read_bytes(f"{name}.npz")), allow_pickle=False) as archive:
        return {key: archive[key] for key in archive.files}


def read_lines(name):
    """The lines of ``<name>.txt.gz``, decoded from UTF-8, without their ends.

    Parameters
    ----------
    name : str

    Returns
    -------
    lines : list of str

    Examples
    --------
    >>> from mllib.datasets.files import read_lines
    >>> len(read_lines("sms_spam"))
    5574
    """
    return gzip.decompress(read_bytes(f"{name}.txt.gz")).decode("utf-8").removesuffix("\n").split("\n")


def from_decimal(whole, power):
    """Undo :func:`to_decimal`: column j of the result is ``whole[j] / 10**power[j]``.

    Parameters
    ----------
    whole : ndarray of int, shape (n_features, n_samples)
        One row a column of the table: equal neighbours compress better.
    power : ndarray of int, shape (n_features,)

    Returns
    -------
    X : ndarray of float64, shape (n_samples, n_features), C-ordered

    Examples
    --------
    >>> import numpy as np
    >>> from mllib.datasets.files import from_decimal
    >>> from_decimal(np.array([[64, 150], [3, 7]]), np.array([2, 0]))
    array([[0.64, 3.  ],
           [1.5 , 7.  ]])
    """
    return np.ascontiguousarray((whole / 10.0 ** power[:, None]).T)


def to_decimal(X, most=8):
    """Write each column of X as whole numbers over a power of ten, exactly.

    Parameters
    ----------
    X : ndarray of float64, shape (n_samples, n_features)
    most : int, default=8
        Largest number of decimals to try.

    Returns
    -------
    whole : ndarray of the smallest integer type that fits, shape (n_features, n_samples)
    power : ndarray of uint8, shape (n_features,)

    Raises
    ------
    ValueError
        If a column has more than ``most`` decimals.

    Examples
    --------
    >>> import numpy as np
    >>> from mllib.datasets.files import to_decimal
    >>> whole, power = to_decimal(np.array([[0.64, 3.0], [1.5, 7.0]]))
    >>> whole.tolist(), whole.dtype.name, power.tolist()
    ([[64, 150], [3, 7]], 'uint8', [2, 0])
    """
    columns, powers = [], []
    for j, x in enumerate(np.asarray(X, dtype=np.float64).T):
        for power in range(most + 1):
            column = np.rint(x * 10.0**power)
            if np.array_equal(column / 10.0**power, x):
                break
        else:
            raise ValueError(f"column {j} has more than {most} decimals")
        columns.append(column)
        powers.append(power)
    whole = np.array(columns).astype(np.int64)
    for dtype in (np.uint8, np.int8, np.uint16, np.int16, np.int32, np.int64):
        if np.array_equal(whole.astype(dtype), whole):
            return whole.astype(dtype), np.array(powers, dtype=np.uint8)
