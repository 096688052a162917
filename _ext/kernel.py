"""What the kernels of the build do besides: sliders become frames and a player, the first figure a card.

A kernel that makes pages calls :func:`install` before its first cell (see :mod:`_ext.execute`); in every
other kernel the sliders are live. ``mllib.viz`` has the hooks and knows nothing of the site's folders.
"""

import os

import matplotlib as mpl
from matplotlib.legend import Legend
from matplotlib.text import Text

from mllib.viz import figures
from mllib.viz.explore import grid
from mllib.viz.explore.player import player

MIME = "application/vnd.large-margins.explore+json"


def install(frames, card, way):
    """From now on sliders are drawn into the folder ``frames``, and the first figure shown into ``card``.

    ``way`` leads from the page to where the site has the frames.
    """

    def publish_sliders(explorer):
        if not (explorer.name and explorer.question):
            raise ValueError("explore(...) on a page needs name= and question=: the gallery shows both")
        manifest = explorer.render(frames)
        return {
            "image/png": explorer.png(),
            MIME: manifest,
            "text/html": player(manifest, way),
        }

    def publish_card(fig):
        if not os.path.exists(card):
            without_words(fig, card)

    grid.publisher, figures.publisher = publish_sliders, publish_card


def without_words(fig, path):
    """Write ``fig`` to ``path`` as a PNG that shows everything but its words, which are back afterwards.

    A card on the book's front page is so small that they would be specks; the shapes still tell the story.
    Nothing moves: the axes stay where the words have put them, and what is empty at the edges is cut off.
    """
    words = [a for a in fig.findobj(lambda a: isinstance(a, Text | Legend)) if a.get_visible()]
    layout = fig.get_layout_engine()
    fig.set_layout_engine("none")
    for artist in words:
        artist.set_visible(False)
    try:
        with mpl.rc_context(figures.STYLE):
            fig.savefig(path, format="png", dpi=figures.DPI, bbox_inches="tight", pad_inches=0.04)
    finally:
        for artist in words:
            artist.set_visible(True)
        fig.set_layout_engine(layout)
