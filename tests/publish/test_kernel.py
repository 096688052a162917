"""What a kernel does besides when it makes pages: frames and a player for sliders, a card without words."""

import json

import numpy as np
import pytest
from matplotlib.text import Text
from PIL import Image

from _ext import kernel
from mllib import viz
from mllib.viz import figures
from mllib.viz.explore import grid
from mllib.viz.explore.player import player


@pytest.fixture
def pages(tmp_path, monkeypatch):
    for module in (figures, grid):
        monkeypatch.setattr(module, "publisher", None)
    kernel.install(str(tmp_path / "frames"), str(tmp_path / "card.png"), "../_frames")
    return tmp_path


def slider(**named):
    def draw(fig, slope):
        viz.curve(viz.axes(fig), [0, 1], [0, slope], key="line")
        return f"slope {slope}"

    return viz.explore(draw, slope=[1, 2, 3], start={"slope": 2}, alt="A line through the origin.", **named)


def test_a_slider_becomes_frames_and_a_player_with_the_start_frame(pages):
    bundle = slider(name="turn", question="Which way?")._repr_mimebundle_()
    assert set(bundle) == {"image/png", "text/plain", "text/html", kernel.MIME}
    manifest = json.loads(json.dumps(bundle[kernel.MIME]))
    assert (manifest["name"], manifest["question"]) == ("turn", "Which way?")
    assert player(manifest, "../_frames") == bundle["text/html"]
    files = [file for file, _ in manifest["frames"]]
    assert f'src="../_frames/{files[1]}"' in bundle["text/html"]
    assert sorted(path.name for path in (pages / "frames").iterdir()) == sorted(files)


@pytest.mark.parametrize("named", [{}, {"name": "turn"}, {"question": "Which way?"}])
def test_a_slider_without_name_or_question_is_refused(pages, named):
    with pytest.raises(ValueError, match="needs name= and question="):
        slider(**named)._repr_mimebundle_()


def test_the_first_figure_shown_is_written_once_more_without_words(pages):
    card = pages / "card.png"
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
