"""Tables as text, and results as files: what every benchmark ends with."""

import json


def lines(headings, rows, right=()):
    """The lines of a table; columns whose numbers are in ``right`` are set flush right.

    >>> print(*lines(["what", "s"], [["a", "10"]], right=[1]), sep="|")
    what   s|a     10
    """
    table = [headings, *rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if k in right else cell.ljust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in table
    ]


def show(tables):
    """Print tables, each of them (headings, rows)."""
    for headings, rows in tables.values():
        print(*lines(headings, rows), "", sep="\n")


def keep(path, results):
    """Write the results file that the book reads."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


def duration(seconds):
    """Three digits and a fitting unit, kept on one line."""
    for unit, size in (("s", 1), ("ms", 1e-3)):
        if seconds >= 0.9995 * size:  # less would be rounded to a thousand of the next unit
            return f"{seconds / size:.3g}\u00a0{unit}"
    return f"{seconds / 1e-6:.3g}\u00a0µs"


def amount(value, unit):
    """A ratio, a time, megabytes or an exponent."""
    if unit == "s":
        return duration(value)
    return f"{value:.3g}\u00a0{unit}" if unit == "MB" else f"{value:+.2f}" if unit else f"{value:.2g}"
