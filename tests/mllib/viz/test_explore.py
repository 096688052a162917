"""Sliders: what explore refuses, what it draws, live and as frames."""

import io

import ipywidgets
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.ticker import MultipleLocator
from PIL import Image

from mllib.viz import axes, bars, curve, explore, figure, note, points, regions
from mllib.viz.explore import grid
from mllib.viz.explore.grid import as_text
from mllib.viz.explore.player import player
from mllib.viz.explore.still import StillAxis, hold_still
from mllib.viz.explore.widget import live

X = np.random.default_rng(0).normal(size=(40, 2))
Y = np.where(X[:, 0] + X[:, 1] > 0, 1, -1)
ALT = "Forty points, and a line that turns."


def draw(fig, slope, shift):
    left, right = axes(fig, 1, 2)
    points(left, X, Y, weights=np.exp(shift * X[:, 0]))
    regions(left, lambda Z: slope * Z[:, 0] + Z[:, 1] - shift)
    bars(right, np.abs(X[:5, 0] * slope), colours=["C0"] * 5)
    curve(right, [0, slope], [0, 1], key="line")
    note(right, 0, slope, f"{slope}", key="slope")
    right.set_ylim(0, 5)
    return f"slope {slope} and shift {shift}"


def make(**changes):
    keywords = dict(slope=[1, 2, 3], shift=[0.0, 0.5], start={"slope": 2}, alt=ALT) | changes
    return explore(draw, **keywords)


@pytest.mark.parametrize(
    "changes, words",
    [
        (dict(slope=[1]), "two or more"),
        (dict(slope=range(100)), "200 frames are too many"),
        (dict(start={"slop": 1}), "start names 'slop'"),
        (dict(start={"slope": 9}), "not among its values"),
        (dict(labels={"c": "C"}), "labels names 'c'"),
        (dict(alt="short"), "a sentence"),
        (dict(width=9), "so that a phone"),
    ],
)
def test_refuses_with_a_reason(changes, words):
    with pytest.raises(ValueError, match=words):
        make(**changes)


def test_refuses_a_drawing_without_words():
    with pytest.raises(TypeError, match="must return a sentence"):
        explore(lambda fig, a: None, a=[1, 2], alt=ALT)
    with pytest.raises(ValueError, match="at least one slider"):
        explore(draw, alt=ALT)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: explore("draw", T=[1, 2], alt=ALT), r"draw must be a function, draw\(fig, T\), got 'draw'"),
        (lambda: explore(draw, T=5, alt=ALT), r"slider T needs its values, T=\[1, 2, 5\], got 5"),
        (lambda: explore(draw, T="abc", alt=ALT), "slider T needs its values"),
        (lambda: explore(draw, label={"T": "rounds"}, alt=ALT), "slider label needs its values"),
        (lambda: explore(draw, T=[1, 2], start=2, alt=ALT), "start must say which slider .* a dict, got 2"),
        (lambda: explore(draw, T=[1, 2], labels="rounds", alt=ALT), "labels must say which slider"),
        (
            lambda: explore(lambda fig, t: "a", T=[1, 2], alt=ALT),
            r"explore calls draw\(fig, T\): missing .*'t'",
        ),
    ],
)
def test_refuses_wrong_arguments_in_words(call, words):
    with pytest.raises(TypeError, match=words):
        call()


def test_every_slider_moves_the_live_picture_at_both_ends_and_in_the_middle():
    explorer = make()
    bundle = explorer._repr_mimebundle_()
    assert {"image/png", "text/plain", "application/vnd.jupyter.widget-view+json"} <= set(bundle)
    assert bundle["text/plain"].startswith(ALT)
    view = explorer._widget
    for name, slider in view.sliders.items():
        values = explorer.values[name]
        before = explorer.position[name]
        for value in (values[0], values[len(values) // 2], values[-1]):
            last = view.picture.value
            slider.value = value
            assert explorer.position[name] == value
            assert (view.picture.value != last) == (value != before)
            before = value
            assert (
                view.words.value
                == f"slope {explorer.position['slope']} and shift {explorer.position['shift']}"
            )


@pytest.mark.parametrize(
    "values, ordered",
    [
        ([1, 2, 3], True),
        ([0.1, 1, 10], True),
        (list(np.arange(3)), True),
        (list(np.float32([0.5, 1])), True),
        (["tree", "stump"], False),
        ([False, True], False),
        ([1, "many"], False),
    ],
)
def test_numbers_can_be_played_and_words_cannot(values, ordered, tmp_path):
    def draw_any(fig, a, b):
        axes(fig)
        return f"{a} and {b}"

    explorer = explore(draw_any, a=values, b=[1, 2], ordered={"b": False}, alt=ALT)
    assert explorer.ordered == {"a": ordered, "b": False}
    assert list(live(explorer).players) == ["a"] * ordered
    manifest = explorer.render(tmp_path)
    assert [slider["ordered"] for slider in manifest["sliders"]] == [ordered, False]
    assert player(manifest, ".").count("<button") == ordered
    again = explore(draw_any, a=values, b=[1, 2], ordered={"a": not ordered}, alt=ALT)
    assert again.ordered == {"a": not ordered, "b": True}


def test_a_live_slider_is_played_by_a_clock_and_by_single_steps(monkeypatch):
    drawn, links = [], []
    monkeypatch.setattr(ipywidgets, "jslink", lambda *ends: links.append(ends))

    def draw_line(fig, slope, shift):
        drawn.append(slope)
        curve(axes(fig), [0, 1], [shift, shift + slope], key="line")
        return f"slope {slope} and shift {shift}"

    explorer = explore(draw_line, slope=[1, 2, 3], shift=[0, 1], start={"slope": 2}, alt=ALT)
    view = live(explorer)
    (clock, button, step), (_, other, _) = view.players.values()
    assert (clock.value, clock.min, clock.max, clock.interval, clock.playing) == (1, 0, 2, 125, False)
    slider = view.sliders["slope"]
    assert links[:2] == [((clock, "value"), (slider, "index")), ((clock, "playing"), (button, "value"))]
    drawn.clear()
    for position in (2, 0, 1):
        step.click()
        assert slider.index == position and view.words.value == f"slope {position + 1} and shift 0"
    assert drawn == [3, 1, 2], "one drawing for each step"
    assert (button.description, step.description) == ("Play slope", "Step slope")
    button.value = True
    assert button.description == "Pause slope"
    other.value = True
    assert not button.value and button.description == "Play slope", "two play at a time"
    assert drawn == [3, 1, 2]


def test_frames_show_what_the_live_figure_shows(tmp_path):
    explorer = make()
    manifest = explorer.render(tmp_path)
    assert len(manifest["frames"]) == 6 and explorer.position == {"slope": 2, "shift": 0.0}
    for (file, sentence), position in zip(manifest["frames"], explorer.positions(), strict=True):
        assert explorer.move(**position) == sentence
        kept = np.asarray(Image.open(tmp_path / file).convert("RGB"))
        assert np.array_equal(kept, explorer.pixels())
        assert np.array_equal(kept, np.asarray(Image.open(io.BytesIO(explorer.png()))))


def test_who_makes_pages_says_what_stands_in_the_widgets_place(monkeypatch):
    asked = []
    monkeypatch.setattr(grid, "publisher", lambda explorer: asked.append(explorer) or {"text/html": "page"})
    explorer = make(question="What turns?")
    assert set(explorer._repr_mimebundle_()) == {"image/png", "text/plain", "text/html"}
    assert asked == [explorer] and explorer.question == "What turns?"


def test_a_drawing_that_depends_on_the_order_of_calls_is_caught(tmp_path):
    def careless(fig, step):
        axes(fig).plot([0, step], [0, 1])  # adds a line each time
        return f"step {step}"

    with pytest.raises(ValueError, match="another picture"):
        explore(careless, step=[1, 2, 3], start={"step": 3}, alt=ALT).render(tmp_path)


CHANGES = {
    "nothing": lambda ax: None,
    "limits": lambda ax: ax.set(xlim=(-1, 7)),
    "scale": lambda ax: ax.set(yscale="log", ylim=(0.01, 300)),
    "ticks": lambda ax: ax.set(xticks=[0, 2], xticklabels=["none", "two"]),
    "minor ticks": lambda ax: ax.xaxis.set_minor_locator(MultipleLocator(0.5)),
    "label": lambda ax: ax.set(xlabel="rounds", ylabel="error"),
    "colour of the label": lambda ax: ax.xaxis.label.set_color("red"),
    "look of the ticks": lambda ax: ax.tick_params(colors="green", length=9),
    "grid": lambda ax: ax.grid(True),
    "place": lambda ax: ax.set_position((0.3, 0.3, 0.5, 0.5)),
    "visible": lambda ax: ax.xaxis.set_visible(False),
    "no axes": lambda ax: ax.set_axis_off(),
}


@pytest.mark.parametrize("change", CHANGES)
def test_axes_held_still_look_as_matplotlib_draws_them(change):
    """Pixel by pixel, also when an axis changes after its sheet was drawn."""

    def line():
        ax = axes(figure())
        ax.set(xlabel="t", xlim=(0, 3), ylim=(-1, 12))
        return ax, curve(ax, [0, 1, 2], [1, 4, 9])

    def drawn(ax):
        FigureCanvasAgg(ax.figure).draw()
        return np.asarray(ax.figure.canvas.buffer_rgba())[..., :3].copy()

    (still, moved), (plain, same) = line(), line()
    drawn(still), drawn(plain)  # lays out
    hold_still(still.figure)
    for ax, curved in [(still, moved), (plain, same)]:
        ax.figure.set_layout_engine("none")
        drawn(ax)
        CHANGES[change](ax)
        drawn(ax)
        curved.set_ydata([9, 4, 1])
    np.testing.assert_array_equal(drawn(still), drawn(plain))


def test_axes_that_stand_still_are_drawn_once(monkeypatch):
    drawn = []
    real = StillAxis._drawn
    monkeypatch.setattr(StillAxis, "_drawn", lambda self, *a: drawn.append(self) or real(self, *a))
    explorer = make()
    for slope in [1, 2, 3, 1]:
        explorer.move(slope=slope)
        explorer.pixels()
    assert len(drawn) == len(set(drawn)) == 4


def test_player_escapes_what_it_is_given():
    manifest = {
        "name": None,
        "alt": 'a "b" <c>',
        "width": 1,
        "height": 1,
        "sliders": [{"label": "<i>", "values": ["<", ">"], "start": 0, "ordered": True}],
        "frames": [["f", "</script><b>"], ["g", "x"]],
    }
    html = player(manifest, ".")
    assert "</script><b>" not in html and "<i>" not in html and '"b"' not in html


@pytest.mark.parametrize(
    "value, text",
    [
        (1, "1"),
        (1000, "1,000"),
        (0.001, "0.001"),
        (1e-8, "1e-08"),
        (2.0, "2"),
        ("rbf", "rbf"),
        (True, "True"),
        (1e8, "1e+08"),
        (1234.5, "1,234.5"),
        (10000.5, "10,000.5"),
        (100.01, "100.01"),
        (3 * 0.1, "0.3"),
        (np.float64(0.25), "0.25"),
        (np.inf, "inf"),
    ],
)
def test_slider_values_read_well(value, text):
    assert as_text(value) == text


def test_helpers_refuse_what_they_cannot_draw():
    fig = figure()
    ax = axes(fig)
    with pytest.raises(ValueError, match="already has"):
        axes(fig, 1, 2)
    with pytest.raises(ValueError, match="as many labels"):
        points(ax, X, Y[:3])
    bars(ax, [1, 2])
    with pytest.raises(ValueError, match="2 bars"):
        bars(ax, [1, 2, 3])


def test_live_words_are_no_html():
    def draw_words(fig, sign):
        axes(fig)
        return f"x{sign}<b>1</b>"

    view = live(explore(draw_words, sign=["<", ">"], alt="An inequality and its reverse."))
    assert view.words.value == "x&lt;&lt;b&gt;1&lt;/b&gt;"
    view.sliders["sign"].value = ">"
    assert view.words.value == "x&gt;&lt;b&gt;1&lt;/b&gt;"


def test_a_move_draws_once_and_makes_nothing_new():
    """What makes a slider quick, counted: one call, one picture, the same artists."""
    calls = []

    def draw_line(fig, slope):
        calls.append(slope)
        curve(axes(fig), [0, 1], [0, slope], key="line")
        return f"slope {slope}"

    explorer = explore(draw_line, slope=[1, 2, 3], alt="A line through the origin.")
    view, lines = live(explorer), explorer.fig.axes[0].get_lines()
    pictures, png = [], explorer.png
    explorer.png = lambda: pictures.append(png()) or pictures[-1]
    calls.clear()
    view.sliders["slope"].value = 3
    assert calls == [3] and pictures == [view.picture.value]
    assert explorer.fig.axes[0].get_lines() == lines and len(lines) == 1


def test_a_move_that_fails_is_no_move():
    def draw_some(fig, T):
        axes(fig)
        if T == 2:
            raise RuntimeError("no second round")
        return f"round {T}"

    explorer = explore(draw_some, T=[1, 2, 3], alt="Three rounds of nothing.")
    with pytest.raises(RuntimeError, match="no second round"):
        explorer.move(T=2)
    assert explorer.describe() == "T = 1: round 1" and explorer.position == {"T": 1}
    assert explorer.move(T=3) == "round 3"
