"""A figure without its words, for the cards of the front page."""

import numpy as np
from matplotlib.text import Text
from PIL import Image

from mllib import viz


def test_the_first_figure_shown_is_written_once_more_without_words(tmp_path, monkeypatch):
    card = tmp_path / "card.png"
    monkeypatch.setenv("MLLIB_CARD", str(card))
    fig = viz.figure(height=3)
    ax = viz.axes(fig)
    ax.set_axis_off()
    ax.set_title("a title")
    viz.note(ax, 0.5, 0.5, "some words")
    viz.curve(ax, [0, 1], [0, 1], label="a line", color="#000000")
    ax.legend()
    said = [words for words in fig.findobj(Text) if words.get_visible() and words.get_text()]
    assert len(said) >= 3
    layout = type(fig.get_layout_engine())
    viz.show(fig, alt="A line that rises from corner to corner.")
    dark = np.asarray(Image.open(card).convert("L")) < 128
    assert dark.any() and dark.sum(axis=0).max() <= 6, "more than a line is on the card"
    assert all(words.get_visible() for words in said) and type(fig.get_layout_engine()) is layout
    before = card.read_bytes()
    viz.show(fig, alt="A line that rises from corner to corner.")
    assert card.read_bytes() == before
