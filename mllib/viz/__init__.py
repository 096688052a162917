"""Pictures for the course: one look, one helper for each kind of figure, and sliders that live everywhere.

This is the top layer. It reads fitted attributes and plain arrays, and no algorithm imports it.

- :func:`show` puts a figure on the page together with the sentence that says what is to be seen.
- :func:`axes`, :func:`points`, :func:`regions`, :func:`curve`, :func:`line`, :func:`bars` and :func:`note`
  draw, and update what they drew when they are called again with the same axes.
- :func:`tree` draws a fitted decision tree.
- :func:`explore` turns a drawing function into sliders; :func:`playground` links to points one can move.
- :func:`table` shows numbers in rows, :func:`evidence` those of a stored experiment, :func:`source` the real
  code of a function; :func:`quiz` asks.
"""

from mllib.viz.evidence import evidence
from mllib.viz.explore import explore
from mllib.viz.figures import (
    BLUE,
    ORANGE,
    axes,
    bars,
    curve,
    figure,
    lattice,
    line,
    note,
    points,
    regions,
    show,
)
from mllib.viz.pages import quiz, source, table
from mllib.viz.playground import playground
from mllib.viz.trees import tree

__all__ = [
    "BLUE",
    "ORANGE",
    "axes",
    "bars",
    "curve",
    "evidence",
    "explore",
    "figure",
    "lattice",
    "line",
    "note",
    "playground",
    "points",
    "quiz",
    "regions",
    "show",
    "source",
    "table",
    "tree",
]
