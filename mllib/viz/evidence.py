"""Stored experiments as tables: means, and paired differences with their standard errors."""

import json
import math
from pathlib import Path

from mllib.viz.pages import table


def stored(experiment):
    """The results of an experiment, by its name (inside the course) or as the text of its file."""
    if experiment.lstrip().startswith("{"):
        return json.loads(experiment)
    here = Path.cwd()
    for folder in (here, *here.parents):
        path = folder / "benchmarks/results" / f"{experiment}.json"
        if path.exists():
            return json.loads(path.read_text(encoding="utf-8"))
    raise FileNotFoundError(
        f"no benchmarks/results/{experiment}.json in {here} or above; make evidence writes it"
    )


def paired(values, others):
    """The mean difference of two lists, draw by draw, and its standard error.

    Sums are exact, so that every machine prints the same.

    >>> paired([1.0, 2.0, 6.0], [1.0, 1.0, 1.0])
    (2.0, 1.5275252316519468)
    """
    differences = [a - b for a, b in zip(values, others, strict=True)]
    n = len(differences)
    mean = math.fsum(differences) / n
    squares = math.fsum((d - mean) ** 2 for d in differences)
    return mean, math.sqrt(squares / (n - 1) / n)


class evidence(table):
    """A stored experiment: the mean of each row, and how far it is from one of the rows, draw by draw.

    Parameters
    ----------
    experiment : str
        The name of a file in benchmarks/results, "06_contest", or what stands in it.
    measure : str or list of str
        What is shown. For one measure the last column counts in how many draws a row was better; for several
        this count stands in brackets.
    against : str or dict
        The row that the others are compared with, draw by draw: difference ± its standard error. A dict names
        one for each row that is compared.
    rows : list or dict, default=None
        The rows that are shown, in this order; a dict gives them other names.
    caption : str, default=None
        The experiment's title. The number of draws is added.
    digits : int or dict, default=3
        Digits after the point; a dict says it for each measure.

    Examples
    --------
    >>> kept = '''{"title": "Two rules", "what": "rule", "measures": {"error": "lower"}, "rows":
    ... {"old": {"error": [0.3, 0.2, 0.4]}, "new": {"error": [0.2, 0.2, 0.1]}}}'''
    >>> evidence(kept, "error", against="old")
    Two rules. 3 draws; difference ± standard error
    rule  error  against old     better in
    old   0.300
    new   0.167  -0.133 ± 0.088  2 of 3
    """

    def __init__(self, experiment, measure, against, rows=None, caption=None, digits=3):
        kept = stored(experiment)
        values, which = kept["rows"], kept["measures"]
        measures = [measure] if isinstance(measure, str) else list(measure)
        rows = dict(rows) if isinstance(rows, dict) else {row: row for row in rows or values}
        base = against if isinstance(against, dict) else dict.fromkeys(rows, against)
        base = {row: other for row, other in base.items() if row != other}
        if unknown := [row for row in [*rows, *base, *base.values()] if row not in values]:
            raise ValueError(f"no row {unknown[0]!r}; there are {', '.join(values)}")
        if unknown := [name for name in measures if name not in which]:
            raise ValueError(f"no measure {unknown[0]!r}; there are {', '.join(which)}")
        digits = digits if isinstance(digits, dict) else dict.fromkeys(measures, digits)
        said = f"against {rows.get(against, against)}" if isinstance(against, str) else "difference"
        columns = {kept["what"]: list(rows.values())}
        for k, name in enumerate(measures):
            own = {row: values[row][name] for row in rows}
            other = {row: values[base[row]][name] for row in rows if row in base}
            draws, places = len(next(iter(own.values()))), digits.get(name, 3)
            apart = {row: _apart(*paired(own[row], other[row]), places) for row in other}
            wins = {row: f"{better(own[row], other[row], which[name])} of {draws}" for row in other}
            if len(measures) > 1 and which[name]:
                apart = {row: f"{apart[row]} ({wins[row]})" for row in other}
            columns[name] = [f"{math.fsum(own[row]) / draws:,.{places}f}" for row in rows]
            columns[said + " " * k] = [apart.get(row, "") for row in rows]  # each heading differs
            if len(measures) == 1 and which[name]:
                columns["better in"] = [wins.get(row, "") for row in rows]
        caption = kept["title"] if caption is None else caption.rstrip(".")
        super().__init__(columns, f"{caption}. {draws} draws; difference ± standard error")
        self.texts = [
            heading not in measures for heading in columns
        ]  # means stand at the right, like numbers


def _apart(mean, error, digits):
    """The difference with its sign, unless all its digits are zero.

    >>> _apart(-0.0004, 0.001, 3), _apart(0.02, 0.001, 3)
    ('0.000 ± 0.001', '+0.020 ± 0.001')
    """
    rounded = f"{mean:+,.{digits}f}"
    rounded = rounded if round(mean, digits) else rounded[1:]
    return f"{rounded} ± {error:,.{digits}f}"


def better(values, others, which):
    """In how many draws the first is better; a tie is not.

    >>> better([1, 2, 3], [2, 2, 2], "lower"), better([1, 2, 3], [2, 2, 2], "higher")
    (1, 1)
    """
    sign = -1 if which == "lower" else 1
    return sum(sign * a > sign * b for a, b in zip(values, others, strict=True))
