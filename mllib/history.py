r"""A diary of a run: what an algorithm knew after each round, by name.

A picture of "step t" needs the numbers of step t. An iterative estimator of this course therefore keeps
``history_``: for every quantity that the chapter gives a symbol (the weighted error :math:`\varepsilon_t`,
the dual objective :math:`D(\alpha)`) one array whose first axis is the round. The figures and sliders of
the book read these arrays; they never run the algorithm a second time.

The loop that *records* is written in Python and the work inside one round is compiled. So a history
costs about a microsecond a number, and the fast loop stays free of book-keeping. Where a whole epoch is
compiled, it returns its rows as arrays and :meth:`History.extend` appends them at once.
"""

from types import SimpleNamespace

import numpy as np


class History:
    """Named arrays that grow by one row each round.

    Parameters
    ----------
    **meaning : str
        The columns, each with a few words on what it holds. Only these can be recorded, so that a
        misspelt name is an error and not a new column.

    Examples
    --------
    >>> history = History(epsilon="weighted error", alpha="weight of the vote")
    >>> history.record(epsilon=0.3, alpha=0.42)
    >>> history.record(epsilon=0.21, alpha=0.65)
    >>> history.alpha
    array([0.42, 0.65])
    >>> history["epsilon"][-1], len(history)
    (np.float64(0.21), 2)
    >>> history[0].alpha
    0.42
    >>> history
    History of 2 rounds
      epsilon  weighted error      (2,)
      alpha    weight of the vote  (2,)
    """

    def __init__(self, **meaning):
        self.meaning = meaning
        self._rows = {name: [] for name in meaning}
        self._stacked = {}  # columns already turned into arrays, until the next record

    def record(self, **values):
        """Append one round. Every column must be given; arrays are copied, so they may change afterwards."""
        if values.keys() != self._rows.keys():
            odd = sorted(values.keys() ^ self._rows.keys())
            raise KeyError(f"record() takes exactly the columns {list(self._rows)}; check {odd}")
        for name, value in values.items():
            self._rows[name].append(value.copy() if isinstance(value, np.ndarray) else value)
        self._stacked = {}

    def extend(self, **columns):
        """Append many rounds: one array per column, all with the same length along the first axis."""
        if len({len(column) for column in columns.values()}) > 1:
            raise ValueError(f"columns differ in length: { {k: len(v) for k, v in columns.items()} }")
        if columns.keys() != self._rows.keys():
            odd = sorted(columns.keys() ^ self._rows.keys())
            raise KeyError(f"extend() takes exactly the columns {list(self._rows)}; check {odd}")
        for name, column in columns.items():
            self._rows[name].extend(np.array(column))
        self._stacked = {}

    @property
    def names(self):
        """The names of the columns, in the order in which they were declared."""
        return list(self._rows)

    def __len__(self):
        return len(next(iter(self._rows.values()), ()))

    def __getitem__(self, key):
        """A column by its name, or one round (an object with the columns as attributes) by its number."""
        if isinstance(key, str):
            if key not in self._rows:
                raise KeyError(f"no column {key!r}; there are {self.names}")
            if key not in self._stacked:
                self._stacked[key] = _stack(self._rows[key])
            return self._stacked[key]
        return SimpleNamespace(**{name: rows[key] for name, rows in self._rows.items()})

    def __getattr__(self, name):
        # Called only when the usual look-up failed. The guard matters for pickle and copy, which ask
        # for attributes before _rows exists.
        rows = self.__dict__.get("_rows", {})
        if name in rows:
            return self[name]
        raise AttributeError(f"History has no column {name!r}; it has {list(rows)}")

    def __dir__(self):
        return sorted([*super().__dir__(), *self._rows])

    def __repr__(self):
        wide = max((len(name) for name in self._rows), default=0)
        long = max((len(text) for text in self.meaning.values()), default=0)
        lines = [
            f"  {name:<{wide}}  {text:<{long}}  {np.shape(self[name])}" for name, text in self.meaning.items()
        ]
        return "\n".join([f"History of {len(self)} rounds", *lines])


def _stack(rows):
    """One array from the rows; rows of different shapes become an array of objects."""
    if len({np.shape(row) for row in rows}) > 1:
        ragged = np.empty(len(rows), dtype=object)
        ragged[:] = rows
        return ragged
    return np.array(rows)
