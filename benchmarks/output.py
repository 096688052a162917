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
