"""The life with a kernel: ipywidgets sliders that really recompute, the figure updated in place."""

import time
from html import escape

import ipywidgets as widgets

from mllib.viz.explore.grid import as_text

# The kernel does not know whether its reader wants motion; the style sheet does, and shows the one button or
# the other. The signs are drawn, since one from a font would be read aloud in place of the button's words.
STYLE = """<style>
.lm-play, .lm-step { display: flex; justify-content: center; align-items: center; }
.lm-play, .lm-step { width: 44px; height: 44px; flex: none; font-size: 0; }
:is(.lm-play, .lm-step)::before {
  content: ""; width: 14px; height: 16px; background: currentcolor; forced-color-adjust: none;
  clip-path: polygon(0 0, 100% 50%, 0 100%);
}
.lm-step::before { clip-path: polygon(0 0, 75% 50%, 75% 0, 100% 0, 100% 100%, 75% 100%, 75% 50%, 0 100%); }
.lm-play.mod-active::before {
  clip-path: polygon(0 0, 35% 0, 35% 100%, 65% 100%, 65% 0, 100% 0, 100% 100%, 65% 100%, 35% 100%, 0 100%);
}
.lm-slider { align-items: center; }
@media (prefers-reduced-motion: no-preference) { .lm-step { display: none !important; } }
@media (prefers-reduced-motion: reduce) { .lm-play { display: none !important; } }
</style>"""


def live(explorer):
    """The widget of ``explorer``: a slider for each of its keywords, the picture, and what it shows in words.

    The widget carries ``sliders``, ``players`` and ``picture``, so that a test can move one and look.
    """
    width = round(explorer.fig.get_size_inches()[0] * explorer.fig.dpi)
    layout = {"width": f"{width}px", "max_width": "100%", "align_self": "flex-start"}
    picture = widgets.Image(value=explorer.png(), format="png", layout=layout)
    words = widgets.HTML(escape(explorer.sentence))
    sliders = {
        name: (widgets.SelectionSlider if explorer.ordered[name] else widgets.Dropdown)(
            options=[(as_text(value), value) for value in values],
            value=explorer.position[name],
            description=explorer.labels[name],
            style={"description_width": "initial"},
            layout={"width": "min(480px, 95%)" if explorer.ordered[name] else "max-content"},
        )
        for name, values in explorer.values.items()
    }

    def moved(_):
        words.value = escape(explorer.move(**{name: slider.value for name, slider in sliders.items()}))
        picture.value = explorer.png()

    for slider in sliders.values():
        slider.observe(moved, "value")
    players = {name: playing(sliders[name]) for name, ordered in explorer.ordered.items() if ordered}

    def alone(change):
        for _, button, _ in players.values():
            if change.new and button is not change.owner:
                button.value = False

    for _, button, _ in players.values():
        button.observe(alone, "value")
    rows = [widgets.HBox([*players.get(name, []), sliders[name]]) for name in sliders]
    for row in rows:
        row.add_class("lm-slider")
    style = widgets.HTML(STYLE, layout={"display": "none"})
    view = widgets.VBox([style, *rows, picture, words])
    view.sliders, view.players, view.picture, view.words = sliders, players, picture, words
    return view


def playing(slider):
    """What plays ``slider``, eight positions a second to the last one: a clock out of sight, and two buttons.

    The clock runs in the browser, which sends a position when the kernel has drawn the one before: what a
    slow kernel cannot show in time it need not draw. The buttons of ipywidgets' own clock are nameless.
    """
    last, name = len(slider.options) - 1, slider.description
    clock = widgets.Play(max=last, value=slider.index, interval=125, layout={"display": "none"})
    button = widgets.ToggleButton(description=f"Play {name}")
    step = widgets.Button(description=f"Step {name}")
    button.add_class("lm-play"), step.add_class("lm-step")
    widgets.jslink((clock, "value"), (slider, "index"))
    widgets.jslink((clock, "playing"), (button, "value"))

    def said(change):
        button.description = f"{'Pause' if change.new else 'Play'} {name}"

    def stepped(_):
        slider.index = (slider.index + 1) % (last + 1)

    button.observe(said, "value")
    step.on_click(stepped)
    return clock, button, step


def moves(view):
    """Move each slider to its last value, to the one in the middle and to the first, as a hand does.

    Yields the slider's name, the value, the seconds of the processor that the move took, and whether it
    changed the picture, and the picture or the words.
    """
    for name, slider in view.sliders.items():
        values = [value for _, value in slider.options]
        for value in (values[-1], values[len(values) // 2], values[0]):
            if value == slider.value:
                continue
            picture, words, begun = view.picture.value, view.words.value, time.process_time()
            slider.value = value
            seconds, drawn = time.process_time() - begun, view.picture.value != picture
            yield name, value, seconds, drawn, drawn or view.words.value != words


def stuck(view):
    """The moves that change nothing, and the sliders that never change the picture; none, if all is well."""
    made = list(moves(view))
    silent = [f"{name} = {value}" for name, value, _, _, changed in made if not changed]
    alive = {name for name, _, _, drawn, _ in made if drawn}
    return silent + [f"{name}: always the same picture" for name in view.sliders if name not in alive]
