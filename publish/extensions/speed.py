"""The page on speed, from what ``make bench`` measured: its plots, and where we lose.

Everything comes from ``benchmarks/results/speed.json``; no number is typed, and no picture is kept.
"""

import base64
import io
import json
import os
import re
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import Directive
from PIL import Image

from benchmarks import judge
from benchmarks.promises import PROMISES
from benchmarks.speed import amount, by_promise, duration
from mllib.viz import BLUE, ORANGE, axes, curve, figure
from publish.extensions.directives import parsed

GREEN = "#009E73"
WORST = 4  # rows that are named where a goal is missed
COUNTED = {"n": "points", "d": "features", "rounds": "rounds", "trees": "trees"}


class Measured(Directive):
    """A directive that reads the results."""

    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True

    def run(self):
        folder = Path(os.environ["LARGE_MARGINS_ROOT"], "benchmarks")
        path = folder / "results/speed.json"
        for source in (path, *folder.glob("*.py")):
            self.state.document.settings.env.note_dependency(str(source))
        self.results = json.loads(path.read_text(encoding="utf-8"))
        self.words = (self.arguments or [""])[0].split()
        return self.show()


class Setting(Measured):
    """The machine, the versions, the time of the whole run."""

    def show(self):
        machine, versions = self.results["machine"], self.results["versions"]
        packages = ", ".join(f"{name} {number}" for name, number in versions.items())
        text = (
            f"Measured on a machine with {machine['cores']} cores ({machine['processor']}, "
            f"{machine['system']}), in {self.results['seconds'] / 60:.0f} minutes, with {packages}."
        )
        return [nodes.paragraph("", text)]


class Plot(Measured):
    """Seconds along one axis, both logarithmic, a panel for each series; drawn while the page is built."""

    def show(self):
        (axis,) = self.words
        panels = {}
        for (series, along, peer), races in judge.lines(self.results["races"]).items():
            if along == axis and len(races) >= 3:
                panels.setdefault(series, []).append((peer, races))
        across = min(2, len(panels))
        down = -(-len(panels) // across)
        fig = figure(height=0.4 + 2.3 * down)
        grid = axes(fig, down, across)
        flat = grid.ravel() if hasattr(grid, "ravel") else [grid]
        for ax, (series, peers) in zip(flat, panels.items(), strict=False):
            draw(ax, series, peers)
        for ax in flat[len(panels) :]:
            ax.remove()
        fig.supxlabel(COUNTED[axis])
        fig.supylabel("seconds")
        picture = nodes.image(uri=as_uri(fig), alt=described(axis, panels), width="600px")
        return [nodes.container("", picture, classes=["cell_output", "lm-plot"])]


def draw(ax, series, peers):
    """One panel: ours, and each peer."""
    (_, longest) = max(peers, key=lambda entry: len(entry[1]))
    curve(
        ax, [r["size"] for r in longest], [r["seconds"][0] for r in longest], "ours", color=BLUE, marker="o"
    )
    for (peer, races), colour, mark in zip(peers, (ORANGE, GREEN), ("s", "^"), strict=False):
        sizes, seconds = [r["size"] for r in races], [r["seconds"][1] for r in races]
        curve(ax, sizes, seconds, peer.removesuffix("-official"), color=colour, marker=mark, linestyle="--")
    ax.set(xscale="log", yscale="log")
    ax.set_title(folded(series), fontsize=11)
    ends = [longest[0]["size"], longest[len(longest) // 2]["size"], longest[-1]["size"]]
    ax.set_xticks(ends, [f"{size:,}" for size in ends])
    ax.minorticks_off()
    ax.margins(y=0.25)
    ax.legend(loc="upper left", frameon=False, fontsize=11, handlelength=1.5, labelspacing=0.2)


def folded(words, most=26):
    """A title in lines that a panel holds."""
    lines = [""]
    for part in words.split(", "):
        longer = f"{lines[-1]}, {part}" if lines[-1] else part
        lines = [*lines[:-1], longer] if len(longer) <= most else [*lines, part]
    return ",\n".join(line for line in lines if line)


def as_uri(fig):
    """The picture itself as an address, so that no file must be kept beside the page."""
    out, small = io.BytesIO(), io.BytesIO()
    fig.savefig(out, format="png", dpi=200)
    Image.open(out).convert("RGB").save(small, "webp", lossless=True)
    return "data:image/webp;base64," + base64.b64encode(small.getvalue()).decode()


def described(axis, panels):
    """The plot in words."""
    sentences = [f"Seconds against the number of {COUNTED[axis]}, both on logarithmic axes."]
    for series, peers in panels.items():
        for peer, races in peers:
            first, last = races[0], races[-1]
            (slope,) = judge.slopes(races)
            sentences.append(
                f"{series}: from {first['size']:,} to {last['size']:,} ours goes from "
                f"{duration(first['seconds'][0])} to {duration(last['seconds'][0])} (exponent "
                f"{slope['ours']:.1f}), {peer} from {duration(first['seconds'][1])} to "
                f"{duration(last['seconds'][1])} ({slope['theirs']:.1f})."
            )
    return " ".join(sentences)


class Lost(Measured):
    """The races that we lose, and the promises that miss a goal or a bound, with the page's reason for each.

    The content has a paragraph for each promise that may appear, ``key: reason``. Reasons of goals that are
    reached are left out; a promise without a reason says so, for the author to see.
    """

    def show(self):
        _, *parts = re.split(r"^([a-z-]+): ", "\n".join(self.content), flags=re.M)
        reasons = dict(zip(parts[::2], parts[1::2], strict=True))
        lost = [r for r in self.results["races"] if r.get("ratio", 0) > 1]
        names = "; ".join(f"{race['name']} against {race['peer']}: {race['ratio']:.2f}" for race in lost)
        lines = [f"Races that we lose: {names}." if lost else "No race has a ratio above 1.", ""]
        for key, verdicts in by_promise(self.results["verdicts"]).items():
            short = [row for row in verdicts if row["verdict"] == "missed" or row["goal"] is False]
            if not short:
                continue
            promise = PROMISES[key]
            short.sort(key=lambda row: -row["value"])
            rows = "; ".join(f"{row['name']}: {amount(row['value'], promise.unit)}" for row in short[:WORST])
            rows += f"; and {len(short) - WORST} more" if len(short) > WORST else ""
            reason = " ".join(reasons.get(key, "We have no explanation yet.").split())
            lines += [
                f"{promise.work} (goal {amount(promise.goal, promise.unit)})",
                f": {reason} *{rows}.*",
                "",
            ]
        return parsed(self, lines, "speed.json")


def setup(app):
    """Register the directives."""
    for name, directive in {"setting": Setting, "plot": Plot, "lost": Lost}.items():
        app.add_directive(f"speed-{name}", directive)
