"""Axes that stand still are drawn once: most of the time of a picture goes into their ticks and labels.

A slider moves points and lines; the two axes below them stay. Matplotlib lays out and draws every tick,
label and grid line again all the same, which takes longer than everything that moves together. Here each axis
is drawn on a transparent sheet, and as long as what it shows stays the same, the sheet is laid on the
picture in its place in the stack.
"""

import numpy as np
from matplotlib.backends.backend_agg import RendererAgg


class StillAxis:
    """In place of ``axis.draw``: draws the axis anew only when it shows something else than the last time."""

    def __init__(self, axis):
        self.axis, self.shown = axis, None

    def __call__(self, renderer):
        if self.shown != (shown := self._shows(renderer)):
            self.shown, self.sheet = shown, self._drawn(renderer)
        x, y, picture = self.sheet
        if picture.size:
            renderer.draw_image(renderer.new_gc(), x, y, picture)

    def _shows(self, renderer):
        """Where the axis stands, and all that a reader sees of it."""
        axis, label, words = self.axis, self.axis.label, self.axis.get_major_formatter()
        ticks = axis.get_majorticklocs()
        return (
            renderer.get_canvas_width_height(),
            axis.axes.bbox.bounds,
            (axis.get_visible(), axis.get_scale(), *axis.get_view_interval()),
            (label.get_text(), label.get_color(), label.get_fontsize(), label.get_visible()),
            (*ticks, *words.format_ticks(ticks), words.get_offset(), *axis.get_minorticklocs()),
            (axis.get_tick_params("major"), axis.get_tick_params("minor")),
        )

    def _drawn(self, renderer):
        """The part of the sheet that is not empty, and where it belongs (from the lower left corner)."""
        width, height = map(int, renderer.get_canvas_width_height())
        sheet = RendererAgg(width, height, renderer.dpi)
        type(self.axis).draw(self.axis, sheet)
        picture = np.asarray(sheet.buffer_rgba())[::-1]
        inked = picture[..., 3] > 0
        rows, columns = np.flatnonzero(inked.any(axis=1)), np.flatnonzero(inked.any(axis=0))
        if not len(rows):
            return 0, 0, picture[:0]
        (bottom, top), (left, right) = rows[[0, -1]], columns[[0, -1]]
        return left, bottom, picture[bottom : top + 1, left : right + 1].copy()


def hold_still(fig):
    """From now on the axes of ``fig`` are drawn only when they change."""
    for ax in fig.axes:
        for axis in (ax.xaxis, ax.yaxis):
            if not isinstance(axis.draw, StillAxis):
                axis.draw = StillAxis(axis)
