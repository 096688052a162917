"""The grid of slider positions, and how one of them becomes a picture."""

import hashlib
import inspect
import io
import itertools
import json
import os
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.layout_engine import ConstrainedLayoutEngine
from PIL import Image

from mllib.viz import figures
from mllib.viz.explore.still import hold_still
from mllib.viz.pages import printed

MOST_FRAMES = 120
publisher = None  # who makes pages sets this: (explorer) -> what stands in the widget's place in the bundle


def explore(
    draw,
    *,
    start=None,
    alt,
    labels=None,
    ordered=None,
    width=figures.WIDEST,
    height=3.8,
    name=None,
    question=None,
    bet=None,
    bet_at=None,
    bet_question=None,
    playground=None,
    **sliders,
):
    """A figure with sliders that works with a kernel and, in the published book, without one.

    Parameters
    ----------
    draw : callable
        ``draw(fig, **values) -> str`` draws the figure for one position of the sliders and returns a
        sentence that describes it (its alternative text). It is called many times with the *same* figure and
        updates its artists (the helpers of :mod:`mllib.viz` do so by themselves). It must be seeded, must
        not depend on the order of calls, must not put a time into its sentence, and must not restyle
        single ticks (limits, scales, ticks, labels and ``tick_params`` may change from call to call).
    start : dict, optional
        Where the sliders stand at first; the first value of each slider when left out.
    alt : str
        A fixed sentence that says what the figure shows, whatever the sliders say.
    labels : dict, optional
        What a slider is called on the page when its Python name is not good enough.
    ordered : dict, optional
        Whether a slider's values come one after the other, as rounds do, so that a button beside it can play
        them: numbers do and words do not, unless it says here ``{"seed": False, "size": True}``.
    width, height : float
        Inches; at most six wide, so that a phone can show it.
    name : str, optional
        By this name another page of the book can show the same figure.
    question : str, optional
        What a reader should ask the sliders; where the same figure is shown without the text around it.
    bet : dict, optional
        What a reader may answer to ``question`` before the slider opens, and what to say to each answer when
        the slider shows which is right: ``{"about 5": "After 5 rounds 12 are wrong.", "about 30": "Yes."}``.
    bet_at : dict, optional
        The position that shows it, ``{"T": 30}``; sliders that are left out may stand anywhere.
    bet_question : str, optional
        What the bet is about, where ``question`` asks for more than one thing.
    playground : str, optional
        What :func:`mllib.viz.playground` returns for the points of the figure: the page then has a link below
        it that opens them in the playground.
    **sliders : sequence
        One slider for each keyword, with the values it can take: ``C=[0.1, 1, 10]``.

    Returns
    -------
    Explorer
        Shown by the notebook as the value of the cell. ``explorer.move(C=10)`` moves a slider from code.

    Examples
    --------
    >>> from mllib.viz import axes, curve, explore
    >>> def draw(fig, slope):
    ...     curve(axes(fig), [0, 1], [0, slope], key="line")
    ...     return f"a line with slope {slope}"
    >>> explore(draw, slope=[1, 2, 3], start={"slope": 2}, alt="A line through the origin.")
    A line through the origin.
    [slope: 3 positions] slope = 2: a line with slope 2
    """
    size = width, height
    explorer = Explorer(draw, sliders, start or {}, alt, labels or {}, size, name, question, ordered or {})
    explorer.bet_question = bet_question or question
    explorer.bet, explorer.bet_at = _checked_bet(bet, bet_at, explorer)
    if playground is not None and not (isinstance(playground, str) and playground.startswith("#method=")):
        raise ValueError(f"playground is what viz.playground(X, y, ...) returns, got {playground!r}")
    explorer.playground = playground
    return explorer


class Explorer:
    """The slider positions of one :func:`explore` call, and the figure they share."""

    def __init__(self, draw, sliders, start, alt, labels, size, name, question, ordered):
        if not sliders:
            raise ValueError("explore needs at least one slider, for example T=range(1, 41)")
        if not callable(draw):
            raise TypeError(f"draw must be a function, draw(fig, {', '.join(sliders)}), got {draw!r}")
        for slider, values in sliders.items():
            if isinstance(values, str | dict) or not hasattr(values, "__iter__"):
                raise TypeError(f"slider {slider} needs its values, {slider}=[1, 2, 5], got {values!r}")
        self.values = {slider: list(values) for slider, values in sliders.items()}
        for slider, values in self.values.items():
            if len(values) < 2:
                raise ValueError(f"slider {slider} needs two or more values, got {values!r}")
        if self.count > MOST_FRAMES:
            each = " x ".join(str(len(values)) for values in self.values.values())
            raise ValueError(
                f"{each} = {self.count} frames are too many for a page, the most is {MOST_FRAMES}: "
                "thin the grid, for example with every second value"
            )
        for given, what in [(start, "start"), (labels, "labels"), (ordered, "ordered")]:
            if not isinstance(given, dict):
                raise TypeError(f"{what} must say which slider it is about, a dict, got {given!r}")
            for slider in given:
                if slider not in self.values:
                    raise ValueError(f"{what} names {slider!r}, which is no slider of {list(self.values)}")
        self.position = {}
        for slider, values in self.values.items():
            wanted = start.get(slider, values[0])
            if wanted not in values:
                raise ValueError(f"start {slider} = {wanted!r} is not among its values {values}")
            self.position[slider] = wanted
        if not isinstance(alt, str) or len(alt.split()) < 4:
            raise ValueError(f"alt must be a sentence that says what is to be seen, got {alt!r}")
        self.labels = {slider: labels.get(slider, slider.replace("_", " ")) for slider in self.values}
        self.ordered = {slider: ordered.get(slider, is_ordered(v)) for slider, v in self.values.items()}
        try:
            inspect.signature(draw).bind(None, **self.position)
        except TypeError as problem:
            raise TypeError(f"explore calls draw(fig, {', '.join(self.values)}): {problem}") from None
        self.draw, self.alt, self.name, self.question = draw, alt, name, question
        self.fig = figures.figure(*size)
        FigureCanvasAgg(self.fig)
        self._widget = None
        self.bet, self.bet_at, self.playground = None, {}, None
        self.sentence = self._redraw()

    @property
    def count(self):
        """How many positions there are."""
        return int(np.prod([len(values) for values in self.values.values()]))

    def positions(self):
        """Every position of the sliders, the last slider moving fastest."""
        for values in itertools.product(*self.values.values()):
            yield dict(zip(self.values, values, strict=True))

    def move(self, **position):
        """Move sliders, redraw, and return the sentence that describes the new picture."""
        for slider, value in position.items():
            if slider not in self.values or value not in self.values[slider]:
                raise ValueError(f"{slider} = {value!r} is no position of {self.values}")
        before, self.position = self.position, self.position | position
        try:
            self.sentence = self._redraw()
        except Exception:
            self.position = before  # the sentence is still the one for it
            raise
        return self.sentence

    def _redraw(self):
        with mpl.rc_context(figures.STYLE):
            sentence = self.draw(self.fig, **self.position)
            if not isinstance(sentence, str) or not sentence:
                raise TypeError(f"draw must return a sentence that describes the picture, got {sentence!r}")
            sentence = printed(sentence)
            figures.legible(self.fig)
            if isinstance(self.fig.get_layout_engine(), ConstrainedLayoutEngine):
                self.fig.draw_without_rendering()
                self.fig.set_layout_engine("none")  # lay out once: axes that jump about distract
        return sentence

    def pixels(self):
        """The picture as an array of shape (height, width, 3)."""
        with mpl.rc_context(figures.STYLE):
            hold_still(self.fig)
            self.fig.canvas.draw()
            return np.asarray(self.fig.canvas.buffer_rgba())[..., :3].copy()

    def png(self):
        """The picture as PNG, compressed quickly rather than well: a slider waits for it."""
        out = io.BytesIO()
        Image.fromarray(self.pixels()).save(out, "PNG", compress_level=1)
        return out.getvalue()

    def describe(self):
        """Where the sliders stand, and the sentence for it."""
        stand = ", ".join(f"{self.labels[s]} = {as_text(value)}" for s, value in self.position.items())
        return f"{stand}: {self.sentence}"

    def render(self, folder):
        """Draw every position into ``folder`` as lossless WebP; return the manifest that the player reads."""
        start = dict(self.position)
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        frames = []
        for position in self.positions():
            self.move(**position)
            out = io.BytesIO()
            Image.fromarray(self.pixels()).save(out, "WEBP", lossless=True, method=1, quality=50)
            file = hashlib.sha256(out.getvalue()).hexdigest()[:20] + ".webp"
            (folder / file).write_bytes(out.getvalue())
            frames.append([file, self.sentence])
        at = list(self.positions()).index(start)
        first = self.fig
        self.fig = figures.figure(*first.get_size_inches())
        FigureCanvasAgg(self.fig)
        sentence, anew = self.move(**start), self.pixels()
        kept = np.asarray(Image.open(folder / frames[at][0]).convert("RGB"))
        if sentence != frames[at][1] or not np.array_equal(anew, kept):
            raise ValueError(
                f"draw gives another picture for {start} on a new figure than on one that was used before: "
                "some artist is not updated, or a limit or a layout depends on the order of calls"
            )
        height, width = anew.shape[:2]
        return {
            "name": self.name,
            "question": self.question,
            "alt": self.alt,
            "width": width,
            "height": height,
            "sliders": [
                {
                    "label": self.labels[slider],
                    "values": [as_text(value) for value in values],
                    "start": values.index(start[slider]),
                    "ordered": self.ordered[slider],
                }
                for slider, values in self.values.items()
            ],
            "frames": frames,
        } | self._asked_for()

    def _asked_for(self):
        """What stands in the manifest only where an author asks for it."""
        more = {} if self.playground is None else {"playground": self.playground}
        if self.bet is None:
            return more
        at = [as_text(self.bet_at[s]) if s in self.bet_at else None for s in self.values]
        return more | {"bet": {"question": self.bet_question, "answers": self.bet, "at": at}}

    def __repr__(self):
        grid = ", ".join(f"{self.labels[s]}: {len(values)} positions" for s, values in self.values.items())
        return f"{self.alt}\n[{grid}] {self.describe()}"

    def write_sentences(self, folder):
        """Write what is said at every position, and which sliders are stuck in the widget.

        So two machines can be compared (tools/portable.py), and no slider is dead with a live kernel.
        """
        from mllib.viz.explore.widget import stuck

        start, said, dead = dict(self.position), {}, stuck(self._widget)
        for position in self.positions():
            self.move(**position)
            said[", ".join(f"{slider}={as_text(value)}" for slider, value in position.items())] = (
                self.sentence
            )
        for slider, value in start.items():
            self._widget.sliders[slider].value = value
        self.move(**start)
        own = hashlib.sha256(f"{Path.cwd().name} {self.alt} {list(said)}".encode()).hexdigest()[:16]
        record = json.dumps({"alt": self.alt, "stuck": dead, "sentences": said})
        (Path(folder) / f"{own}.json").write_text(record)

    def _repr_mimebundle_(self, include=None, exclude=None):
        bundle = {"image/png": self.png(), "text/plain": repr(self)}
        if publisher is not None:
            return bundle | publisher(self)
        from mllib.viz.explore.widget import live

        if self._widget is None:
            self._widget = live(self)
        if folder := os.environ.get("MLLIB_SENTENCES"):
            self.write_sentences(folder)
        return bundle | self._widget._repr_mimebundle_() | {"text/plain": repr(self)}


def _checked_bet(bet, bet_at, explorer):
    """The answers to choose from and where the right one is seen; None and {} without a bet."""
    if bet is None and bet_at is None:
        return None, {}
    if not isinstance(bet, dict) or len(bet) < 2 or not all(isinstance(v, str) and v for v in bet.values()):
        raise ValueError(f"bet needs two or more answers, each with what to say to it, a dict, got {bet!r}")
    if not explorer.bet_question:
        raise ValueError('a bet answers a question: explore(..., question="...?", bet=...)')
    if not isinstance(bet_at, dict) or not bet_at:
        raise ValueError(f"bet_at says which position shows what is right, {{'T': 30}}, got {bet_at!r}")
    for slider, value in bet_at.items():
        if value not in explorer.values.get(slider, ()):
            raise ValueError(f"bet_at {slider} = {value!r} is no position of {explorer.values}")
    if all(explorer.position[slider] == value for slider, value in bet_at.items()):
        raise ValueError(f"the slider stands at {bet_at} from the start: nothing is left to bet on")
    return bet, bet_at


def is_ordered(values):
    """Whether all values are numbers, no truth values among them."""
    numbers = int | float | np.integer | np.floating
    return all(isinstance(value, numbers) and not isinstance(value, bool) for value in values)


def as_text(value):
    """A slider value as readers see it: ``0.001``, ``1,000``, ``1e-08``, or the value's own words.

    Nothing is lost: two values of a slider must not read the same.
    """
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.number):
        return str(value)
    if float(value).is_integer() and abs(value) < 1e7:
        return f"{int(value):,}"
    short = f"{value:.4g}"
    return short if float(short) == value else f"{value:,.10g}"
