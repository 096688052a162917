"""The results of a run: one JSON file, a table to read, and what was missed."""

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks import judge, output
from benchmarks.promises import PROMISES

RESULTS = Path(__file__).parent / "results/speed.json"
EMULATED = ("OPENBLAS_CORETYPE", "NUMBA_CPU_NAME")  # variables that let a processor pass for another
PACKAGES = (
    *("large-margins", "numpy", "scipy", "numba", "scikit-learn"),
    *("libsvm-official", "liblinear-official", "xgboost"),
    *("dask", "joblib"),
)

ROOMS = {
    "machines": ("svm-small", "svm-large", "svm-classes", "svm-predict", "svm-path"),
    "linear": ("dual-dense", "dual-sparse", "online", "voted"),
    "ensembles": ("trees", "one-hot", "extra-trees", "forest-predict", "adaboost"),
}
WAITS = {
    "sliders": ("slider",),
    "waits": (
        "first-fit",
        "import",
        "import-learner",
        "slider-fit",
        "slider-look-up",
        "million",
        "memory",
        "data",
        "page",
        "book",
        "book-code",
        "book-sentence",
    ),
}


def machine():
    """What the numbers depend on; nothing that tells whose machine it was."""
    family = platform.processor() or platform.machine()
    flags = ""
    if os.path.exists("/proc/cpuinfo"):
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        said = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines)}
        family = said.get("model name", family)
        flags = ", AVX-512" if "avx512f" in said.get("flags", "") else ""
    pretends = "".join(f", {name}={os.environ[name]}" for name in EMULATED if os.environ.get(name))
    return {"processor": family + flags + pretends, "cores": os.cpu_count(), "system": platform.system()}


def versions():
    """Of Python and of all that raced."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def summary(races, waits, seconds, quick):
    """Everything that is written to the file."""
    return {
        "machine": machine(),
        "versions": versions(),
        "quick": quick,
        "seconds": round(seconds),
        "races": races,
        "verdicts": judge.verdicts(races, waits),
        "growth": judge.slopes(races),
        "waits": waits,
    }


def failures(results):
    """Promises that were missed, and rows whose answers disagree."""
    return [v for v in results["verdicts"] if v["verdict"] == "missed"] + [
        row for row in [*results["races"], *results["waits"]] if "disagree" in row
    ]


def tables(results):
    """What ``{results} speed TABLE`` shows on the book's page, and the terminal at the end of a run."""
    shown = {"promises": promise_table(results["verdicts"])}
    for name, keys in ROOMS.items():
        shown[name] = race_table([race for race in results["races"] if race["promise"] in keys])
    shown["rivals"] = race_table([race for race in results["races"] if race["peer"] != "scikit-learn"])
    for axis in ("threads", "d", "rounds", "trees"):
        shown[axis] = race_table([race for race in results["races"] if race["axis"] == axis])
    for name, keys in WAITS.items():
        shown[name] = (
            ["What", "Measured"],
            [
                [
                    row["name"],
                    amount(row["value"], PROMISES[row["promise"]].unit) if "value" in row else untimed(row),
                ]
                for row in results["waits"]
                if row["promise"] in keys
            ],
        )
    for axis in ("n", "d", "rounds", "trees"):
        shown[f"growth_{axis}"] = (
            ["Series", "Peer", "Our exponent", "Peer's exponent"],
            [
                [row["series"], row["peer"], f"{row['ours']:.2f}", f"{row['theirs']:.2f}"]
                for row in results["growth"]
                if row["axis"] == axis
            ],
        )
    return shown


def promise_table(verdicts):
    """A row for each promise: its bounds, the range that was measured, and what became of it."""
    rows = []
    for key, found in by_promise(verdicts).items():
        promise, values = PROMISES[key], [row["value"] for row in found]
        must, goal, best, worst = (
            "-" if value is None else amount(value, promise.unit)
            for value in (promise.must, promise.goal, min(values), max(values))
        )
        measured = best if best == worst else f"{best} to {worst}"
        rows.append([promise.work, must, goal, measured, said(found)])
    return ["Work", "Must", "Goal", "Measured", "Kept"], rows


def race_table(races):
    """Times, ratio and quartiles; where there is no time, the reason."""
    rows = []
    for race in races:
        if "ratio" in race:
            low, high = race["quartiles"]
            numbers = [*map(duration, race["seconds"]), f"{race['ratio']:.2g}", f"{low:.2g} to {high:.2g}"]
        else:
            numbers = ["-", "-", "-", untimed(race)]
        peer = "" if race["peer"] == "scikit-learn" else f" ({race['peer']})"
        rows.append([race["name"] + peer, *numbers])
    return ["Race", "Ours", "Peer", "Ratio", "Quartiles of turns"], rows


def as_text(results):
    """The machine, all tables that have rows, and what failed, by how much."""
    machine = results["machine"]
    packages = ", ".join(f"{name} {number}" for name, number in results["versions"].items())
    lines = [f"{machine['processor']}, {machine['cores']} cores, {machine['system']}; {packages}", ""]
    found = tables(results)
    for headings, rows in [
        *list(found.values())[1:],
        found["promises"],
    ]:  # the judgement last, where it is seen
        lines += [*output.lines(headings, rows), ""] if rows else []
    failed = failures(results)
    lines += [f"FAILED {row['name']}: {reason(row)}" for row in failed]
    judged = len(results["verdicts"]) + sum("disagree" in row for row in failed)
    return "\n".join([*lines, f"{len(failed)} of {judged} promises and answers failed."])


def reason(row):
    """Why a row fails the run: how its answers disagree, or by how much it misses its bound."""
    if "disagree" in row:
        return f"disagrees: {row['disagree']}"
    unit = PROMISES[row["promise"]].unit
    value, low, must, excess = (
        amount(number, unit) for number in (row["value"], row["low"], row["must"], row["value"] - row["must"])
    )
    spread = f" (lower quartile {low})" if row["low"] != row["value"] else ""
    return f"{value}{spread}, must be at most {must}: {excess} too much"


def by_promise(verdicts):
    """The verdicts under their promise, in the order of the table of promises."""
    found = {key: [row for row in verdicts if row["promise"] == key] for key in PROMISES}
    return {key: rows for key, rows in found.items() if rows}


def said(rows):
    """What became of one promise, in words."""
    words = [row["verdict"] for row in rows]
    missed, noisy = words.count("missed"), words.count("noise")
    if not any(words):
        first = "no bound"
    elif missed:
        first = f"MISSED by {missed} of {len(words)}"
    else:
        first = "held" if not noisy else f"held, {noisy} of {len(words)} within noise"
    reached = [row["goal"] for row in rows if row["goal"] is not None]
    if not reached:
        return first
    return f"{first}; goal: {sum(reached)} of {len(reached)}"


def untimed(row):
    """Why a row has no time."""
    return f"no time: {row['missing']} is missing" if "missing" in row else f"no time: {row['disagree']}"


def duration(seconds):
    """Three digits and a fitting unit, kept on one line."""
    for unit, size in (("s", 1), ("ms", 1e-3)):
        if seconds >= 0.9995 * size:  # less would be rounded to a thousand of the next unit
            return f"{seconds / size:.3g}\u00a0{unit}"
    return f"{seconds / 1e-6:.3g}\u00a0µs"


def amount(value, unit):
    """A ratio, a time, megabytes or an exponent."""
    if unit == "s":
        return duration(value)
    return f"{value:.3g}\u00a0{unit}" if unit == "MB" else f"{value:+.2f}" if unit else f"{value:.2g}"
