"""The picture that a shared link shows: the book's name, and what it is about."""

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from mllib.viz.figures import BLUE, ORANGE, STYLE

WIDTH, HEIGHT = 1200, 630  # the size that services ask for
ABOVE = [(0.5, 2.9), (1.8, 3.1), (2.1, 4.6), (0.7, 4.6), (3.2, 5.4), (1.6, 5.8), (1.2, 3.7)]
BELOW = [(2.3, 1.3), (3.4, 2.4), (4.6, 3.1), (3.6, 0.6), (5.3, 1.6), (5.9, 3.3), (4.5, 1.9)]


def draw_card(path):
    """Write the card as PNG: the widest road between two sets of points, and the title beside it."""
    with mpl.rc_context(STYLE):
        fig = Figure(figsize=(WIDTH / 100, HEIGHT / 100), dpi=100, layout="none")
        ax = fig.add_axes((0.5, 0.06, 0.47, 0.88))
        across = np.array([-1.0, 8.0])
        edges = [max(y - x for x, y in BELOW), min(y - x for x, y in ABOVE)]  # the road runs along y = x + c
        for edge, style in [(edges[0], "--"), (sum(edges) / 2, "-"), (edges[1], "--")]:
            ax.plot(across, across + edge, style, color="#222222", linewidth=5 if style == "-" else 2)
        ax.fill_between(across, across + edges[0], across + edges[1], color="#eeeeee", zorder=0)
        for places, colour, marker in [(ABOVE, BLUE, "o"), (BELOW, ORANGE, "s")]:
            ax.scatter(*np.transpose(places), s=420, c=colour, marker=marker, edgecolors="white", zorder=3)
        ax.set(xlim=(0, 6.4), ylim=(0, 6.29))
        ax.set_axis_off()
        fig.text(0.06, 0.6, "Large\nMargins", fontsize=58, family="serif", va="center", linespacing=1.1)
        subtitle = "Ensembles and the widest margin:\na book that runs"
        fig.text(0.06, 0.26, subtitle, fontsize=21, va="center", color="#404040", linespacing=1.4)
        fig.savefig(path, metadata={"Software": None})
