"""The life with a kernel: ipywidgets sliders that really recompute, the figure updated in place."""

from html import escape

import ipywidgets as widgets

from mllib.viz.explore.grid import as_text


def live(explorer):
    """The widget of ``explorer``: a slider for each of its keywords, the picture, and what it shows in words.

    The widget carries ``sliders`` and ``picture``, so that a test can move one and watch the other.
    """
    width = round(explorer.fig.get_size_inches()[0] * explorer.fig.dpi)
    layout = {"width": f"{width}px", "max_width": "100%", "align_self": "flex-start"}
    picture = widgets.Image(value=explorer.png(), format="png", layout=layout)
    words = widgets.HTML(escape(explorer.sentence))
    sliders = {
        name: widgets.SelectionSlider(
            options=[(as_text(value), value) for value in values],
            value=explorer.position[name],
            description=explorer.labels[name],
            continuous_update=True,
            style={"description_width": "initial"},
            layout={"width": "min(480px, 95%)"},
        )
        for name, values in explorer.values.items()
    }

    def moved(_):
        words.value = escape(explorer.move(**{name: slider.value for name, slider in sliders.items()}))
        picture.value = explorer.png()

    for slider in sliders.values():
        slider.observe(moved, "value")
    view = widgets.VBox([*sliders.values(), picture, words])
    view.sliders, view.picture, view.words = sliders, picture, words
    return view
