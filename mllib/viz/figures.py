"""Figures that look alike, and that can be drawn again quickly.

Every helper takes an ``Axes`` first. What it draws it remembers under a key on that axes, and when it is
called again it moves the old artist instead of making a new one: a slider then costs a few milliseconds a
step, where a new figure would cost fifty. So the same drawing function serves a still and a slider.

Positive points are blue discs, negative ones orange squares, everywhere in the course: two colours that
colour-blind readers can tell apart, and two shapes for those who print in grey.
"""

import io
import re
from pathlib import Path

import matplotlib as mpl
import numpy as np
from contourpy import contour_generator
from matplotlib.collections import PathCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.path import Path as Outline
from matplotlib.ticker import LogFormatterSciNotation

STYLE = mpl.rc_params_from_file(Path(__file__).with_name("course.mplstyle"), use_default_template=False)
BLUE, ORANGE = "#0072B2", "#D55E00"
WIDEST = 6.0  # inches; see the style file
SMALLEST = 11  # points of the smallest words: 9 pixels are left of them on a phone
DPI = 100
publisher = None  # who makes pages sets this: a function that gets each figure that was shown


def figure(width=WIDEST, height=3.8):
    """An empty figure in the course's style, at most six inches wide so that a phone can show it.

    Examples
    --------
    >>> fig = figure(height=3)
    >>> tuple(float(side) for side in fig.get_size_inches())
    (6.0, 3.0)
    """
    if not 0 < width <= WIDEST:
        raise ValueError(
            f"width must be in (0, {WIDEST:g}] inches so that a phone can show it, got {width!r}"
        )
    with mpl.rc_context(STYLE):
        return Figure(figsize=(width, height))


def axes(fig, rows=1, columns=1, **keywords):
    """The axes of ``fig`` as an array of ``rows`` x ``columns`` (a single one as itself); made once."""
    if not fig.axes:
        with mpl.rc_context(STYLE):
            grid = fig.subplots(rows, columns, squeeze=False, **keywords)
        fig.course_axes = grid
    grid = fig.course_axes
    if grid.shape != (rows, columns):
        raise ValueError(
            f"this figure already has {grid.shape[0]} x {grid.shape[1]} axes, asked for {rows} x {columns}"
        )
    return grid[0, 0] if grid.size == 1 else (grid[0] if rows == 1 else grid[:, 0] if columns == 1 else grid)


def legible(fig):
    """Enlarge words on ``fig`` that a phone would show too small, and put legends on white, over all lines.

    (Ticks and titles have a style. A line that a slider moves would strike through the words of a legend.)
    A vertical axis named by one letter, or by a power of one, has it upright: a v on its side is no v.
    Logarithmic axes write 1, 10, 100 where they end before 100,000: a small exponent would be too small.

    Examples
    --------
    >>> fig = figure()
    >>> words = axes(fig).text(0, 0, "small print", fontsize=7)
    >>> legible(fig)
    >>> words.get_fontsize()
    11.0
    """
    legends = [legend for legend in (*fig.legends, *(ax.legend_ for ax in fig.axes)) if legend]
    for legend in legends:
        legend.set_frame_on(True)
        legend.get_frame().set(facecolor="white", edgecolor="none", alpha=0.9)
        legend.get_title().set_fontsize(max(legend.get_title().get_fontsize(), SMALLEST))
    for ax in fig.axes:
        if re.fullmatch(r"(.)(\$\^.\$)?", ax.get_ylabel()):
            ax.yaxis.label.set_rotation("horizontal")
        for axis, ends in [(ax.xaxis, ax.get_xlim()), (ax.yaxis, ax.get_ylim())]:
            powers = type(axis.get_major_formatter()) is LogFormatterSciNotation
            if powers and min(ends) > 5e-4 and max(ends) < 1e5 and max(ends) >= 10 * min(ends):
                axis.set_major_formatter("{x:g}")
    for part in [*fig.axes, *legends]:
        for words in part.texts:
            if words.get_fontsize() < SMALLEST:
                words.set_fontsize(SMALLEST)


def _artist(ax, key, make):
    """The artist that ``ax`` remembers under ``key``; ``make`` is called the first time."""
    kept = ax.__dict__.setdefault("course_artists", {})
    fresh = key not in kept
    if fresh:
        with mpl.rc_context(STYLE):
            kept[key] = make()
    return kept[key], fresh


def box(X, margin=0.08):
    """Limits ``(left, right, bottom, top)`` around the rows of ``X`` with a margin on each side."""
    low, high = np.min(X, axis=0), np.max(X, axis=0)
    room = margin * np.where(high > low, high - low, 1.0)
    (left, bottom), (right, top) = low - room, high + room
    return left, right, bottom, top


def points(ax, X, y, weights=None, size=50):
    """Scatter labelled points in the plane; areas grow with ``weights`` (mean one) when they are given.

    Parameters
    ----------
    ax : matplotlib Axes
    X : array of shape (n, 2)
    y : array of shape (n,)
        Positive where ``y > 0``.
    weights : array of shape (n,), optional
        Relative importance, for example the distribution :math:`D_t` of boosting.
    size : float
        Area in points squared of a point of average weight.
    """
    X, y = np.asarray(X, dtype=float), np.asarray(y)
    if X.ndim != 2 or X.shape[1] != 2 or len(X) != len(y):
        raise ValueError(f"points needs X of shape (n, 2) and as many labels, got {X.shape} and {y.shape}")
    areas = np.full(len(X), float(size)) if weights is None else size * np.asarray(weights) / np.mean(weights)
    if "points +" not in ax.__dict__.get("course_artists", {}):
        ax.axis(box(X))
    for key, chosen, colour, marker in [("+", y > 0, BLUE, "o"), ("-", y <= 0, ORANGE, "s")]:
        cloud, _ = _artist(
            ax,
            f"points {key}",
            lambda colour=colour, marker=marker: ax.scatter(
                [], [], c=colour, marker=marker, edgecolors="white", linewidths=1, zorder=3
            ),
        )
        cloud.set_offsets(X[chosen])
        cloud.set_sizes(areas[chosen])


def lattice(within, steps=160):
    """The points at which :func:`regions` asks for a score: ``steps`` x ``steps`` of them.

    Examples
    --------
    >>> lattice((0, 1, 0, 2), steps=2)
    array([[0., 0.],
           [1., 0.],
           [0., 2.],
           [1., 2.]])
    """
    return np.column_stack([part.ravel() for part in np.meshgrid(*_sides(within, steps))])


def _sides(within, steps):
    left, right, bottom, top = within
    return np.linspace(left, right, steps), np.linspace(bottom, top, steps)


def regions(ax, score, within=None, steps=160):
    """Tint the plane by the sign of ``score`` and draw its boundary.

    Between the points of the lattice the score is taken to be linear: a straight boundary is drawn straight.

    Parameters
    ----------
    ax : matplotlib Axes
    score : callable, or array
        Maps an array of shape (m, 2) to m real scores, as ``decision_function`` does; or the scores
        themselves, at the points of ``lattice(within, steps)``, when a slider has no time to ask.
    within : tuple (left, right, bottom, top), optional
        The part of the plane to tint; the present limits of the axes when left out.
    steps : int
        Points along each side.
    """
    left, right, bottom, top = within = within or (*ax.get_xlim(), *ax.get_ylim())
    values = np.asarray(score(lattice(within, steps)) if callable(score) else score, dtype=float)
    if values.size != steps**2:
        raise ValueError(f"regions needs a score for each of {steps} x {steps} points, got {values.size}")
    height = np.nan_to_num(values).reshape(steps, steps)
    contours = contour_generator(
        *_sides(within, steps), height, fill_type="OuterCode", line_type="SeparateCode"
    )
    negative, fresh = _artist(
        ax, "regions -", lambda: ax.add_patch(Rectangle((0, 0), 1, 1, color=_tint(ORANGE), zorder=0))
    )
    negative.set_bounds(left, bottom, right - left, top - bottom)
    for key, (corners, codes), style in [
        ("+", contours.filled(0.0, np.inf), {"facecolors": [_tint(BLUE)], "linewidths": 0}),
        ("edge", contours.lines(0.0), {"facecolors": "none", "edgecolors": "#555555", "linewidths": 1}),
    ]:
        group, _ = _artist(
            ax,
            f"regions {key}",
            lambda style=style: ax.add_collection(PathCollection([], zorder=0, **style), autolim=False),
        )
        group.set_paths([Outline(*each) for each in zip(corners, codes, strict=True)])
    if fresh:
        ax.axis((left, right, bottom, top))


def _tint(colour, share=0.25):
    return share * np.array(to_rgb(colour)) + (1 - share)


def curve(ax, x, y, label=None, key=None, **style):
    """A line through ``(x, y)``; called again with the same ``label`` (or ``key``) it moves that line.

    Without either it moves the one line of these axes that has no name: a second line needs a name.
    """
    x, y = np.atleast_1d(x), np.atleast_1d(y)
    line, fresh = _artist(ax, f"curve {key or label}", lambda: ax.plot(x, y, label=label, **style)[0])
    if not fresh:
        line.set_data(x, y)
    return line


def line(ax, w, b=0.0, value=0.0, **style):
    """The straight line on which the score ``<w, z> + b`` of a point z is ``value``; none while w is zero.

    Where the axes have limits (as :func:`points` gives them) it reaches beyond them; else 20 units each way.
    Called again with the same ``label`` or ``key`` it moves; :func:`curve` has other lines by these names.

    Examples
    --------
    >>> u, v = line(axes(figure()), w=[3, 4], b=-10, key="boundary").get_data()
    >>> bool(np.allclose(3 * u + 4 * v, 10))
    True
    """
    length = np.hypot(*w) or np.nan
    normal = np.asarray(w, dtype=float) / length
    foot, along = (value - b) / length * normal, np.array([-normal[1], normal[0]])
    reach = 20.0
    if not ax.get_autoscale_on():  # otherwise the limits follow the line, and a longer one would move them
        left, right, bottom, top = (*ax.get_xlim(), *ax.get_ylim())
        away = np.hypot((left + right) / 2 - foot[0], (bottom + top) / 2 - foot[1])
        reach = max(reach, away + np.hypot(right - left, top - bottom))
    ends = [foot - reach * along, foot + reach * along]
    name = f"straight {style.pop('key', None) or style.get('label')}"
    return curve(ax, *np.transpose(ends), **{"linestyle": "-", "key": name, **style})


def bars(ax, heights, colours=None, key="bars", **style):
    """Bars at 0, 1, 2, ... with the given heights; called again it changes the heights."""
    heights = np.asarray(heights, dtype=float)
    group, _ = _artist(ax, key, lambda: ax.bar(np.arange(len(heights)), heights, **style))
    if len(group) != len(heights):
        raise ValueError(f"these axes already show {len(group)} bars, got {len(heights)} heights")
    for index, (bar, height) in enumerate(zip(group, heights, strict=True)):
        bar.set_height(height)
        if colours is not None:
            bar.set_facecolor(colours[index])
    return group


def note(ax, x, y, text, key=None, **style):
    """A text at data coordinates; called again with the same ``key`` it moves and changes."""
    words, _ = _artist(ax, f"note {key or text}", lambda: ax.text(x, y, text, **style))
    words.set_position((x, y))
    words.set_text(text)
    return words


def show(fig, alt):
    """Display a finished figure together with ``alt``, the sentence that says what is to be seen.

    The sentence is the picture's alternative text in the published page and its text in a terminal, so it
    must say what the picture shows, not merely what it is about.
    """
    from IPython.display import display

    if not isinstance(alt, str) or len(alt.split()) < 4:
        raise ValueError(f"alt must be a sentence that says what is to be seen, got {alt!r}")
    legible(fig)
    with mpl.rc_context(STYLE):
        out = io.BytesIO()
        fig.savefig(out, format="png", dpi=200)
    width = round(DPI * fig.get_size_inches()[0])
    display(
        {"image/png": out.getvalue(), "text/plain": alt}, raw=True, metadata={"image/png": {"width": width}}
    )
    if publisher is not None:
        publisher(fig)
