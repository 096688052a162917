"""Plots of the page on speed: seconds along one axis, both logarithmic, a panel for each series."""

from benchmarks import judge
from benchmarks.output import duration
from mllib.viz import BLUE, ORANGE, axes, curve, figure

GREEN = "#009E73"
COUNTED = {"n": "points", "d": "features", "rounds": "rounds", "trees": "trees"}


def plot(races, axis):
    """The figure for one axis, and what it shows in words."""
    panels = {}
    for (series, along, peer), found in judge.lines(races).items():
        if along == axis and len(found) >= 3:
            panels.setdefault(series, []).append((peer, found))
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
    return fig, described(axis, panels)


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
