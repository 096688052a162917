"""The results of a run: one JSON file, a table to read, and what was missed."""

import os
import platform
import re
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks import judge, output, plots
from benchmarks.output import amount, duration
from benchmarks.promises import PROMISES

RESULTS = Path(__file__).parent / "results/speed.json"
EMULATED = ("OPENBLAS_CORETYPE", "NUMBA_CPU_NAME")  # variables that let a processor pass for another
PACKAGES = (
    *("large-margins", "numpy", "scipy", "numba", "scikit-learn"),
    *("libsvm-official", "liblinear-official", "scikit-learn-intelex", "snapml", "cyanure"),
    *("xgboost", "ydf"),
    *("dask", "joblib"),
)
WORST = 4  # rows that are named where a goal is missed

ROOMS = {
    "machines": ("svm-small", "svm-large", "svm-classes", "svm-predict", "svm-path"),
    "linear": ("dual-dense", "dual-sparse", "online", "voted"),
    "ensembles": ("trees", "one-hot", "extra-trees", "forest-predict", "adaboost"),
}
BRIEF = {  # the kinds of work on the first screen of the page
    "Training support vector machines": ("svm-small", "svm-large", "svm-classes"),
    "Training linear machines and perceptrons": ("dual-dense", "dual-sparse", "online"),
    "Growing trees and forests": ("trees", "one-hot", "extra-trees"),
    "AdaBoost": ("adaboost",),
    "Answers for new points": ("svm-predict", "forest-predict", "voted"),
}
WAITS = {
    "sliders": ("slider",),
    "waits": (
        "first-fit",
        "import",
        "import-learner",
        "slider-fit",
        "slider-look-up",
        "playground",
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
    shown["best"], shown["counts"] = best_table(results["races"]), count_table(results["races"])
    rivals = [race for race in results["races"] if race["peer"] != "scikit-learn"]
    shown["rivals"] = race_table([race for race in rivals if race["promise"] != "best"])
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


def page(results):
    """What ``{results} speed NAME`` shows besides tables: words, plots, and reasons that the page gives."""
    shown = {f"plot_{axis}": partial(plots.plot, results["races"], axis) for axis in plots.COUNTED}
    return shown | {words.__name__: partial(words, results) for words in (brief, setting, lost)}


def brief(results):
    """Markdown: what matters, in two sentences and a table of the kinds of work."""
    races = [race for race in results["races"] if "ratio" in race]
    ratios = {
        work: [race["ratio"] for race in races if race["promise"] in keys] for work, keys in BRIEF.items()
    }
    ratios["Each kind of it, beside its best rival"] = [
        found[0]["ratio"] for found in by_work(races).values()
    ]
    won, bounds = sum(race["ratio"] < 1 for race in races), [v["verdict"] for v in results["verdicts"]]
    bounds = [verdict for verdict in bounds if verdict]
    pictures = [wait["value"] for wait in results["waits"] if wait["promise"] == "slider" and "value" in wait]
    said = f"**In {won} of {len(races)} races we are faster**, and {len(bounds) - bounds.count('missed')} of "
    said += f"{len(bounds)} bounds hold."
    if pictures:
        said += f" The slowest slider shows its new picture after {duration(max(pictures))}."
    lines = [
        said,
        "",
        "| Work, beside scikit-learn | Races | Typical ratio | Best to worst |",
        "|---|---|---|---|",
    ]
    for work, found in ratios.items():
        if found:
            numbers = f"{judge.geometric_mean(found):.2f} | {min(found):.2g} to {max(found):.2g}"
            lines.append(f"| {work} | {len(found)} | {numbers} |")
    return "\n".join(lines)


def setting(results):
    """The machine, the versions, the time of the whole run."""
    machine = results["machine"]
    packages = ", ".join(f"{name} {number}" for name, number in results["versions"].items())
    return (
        f"Measured on a machine with {machine['cores']} cores ({machine['processor']}, {machine['system']}), "
        f"in {results['seconds'] / 60:.0f} minutes, with {packages}."
    )


def lost(results, reasons):
    """Markdown: the races that we lose, and what misses a goal or a bound, each with its reason.

    ``reasons`` has a paragraph for each promise that may appear, ``key: reason``. Those of goals that are
    reached are left out; a promise without a reason says so, for the author to see.
    """
    _, *parts = re.split(r"^([a-z-]+): ", reasons, flags=re.M)
    reasons = dict(zip(parts[::2], parts[1::2], strict=True))
    races = [race for race in results["races"] if race.get("ratio", 0) > 1]
    names = "; ".join(f"{race['name']} against {race['peer']}: {race['ratio']:.2f}" for race in races)
    lines = [f"Races that we lose: {names}." if races else "No race has a ratio above 1.", ""]
    for key, verdicts in by_promise(results["verdicts"]).items():
        short = [row for row in verdicts if row["verdict"] == "missed" or row["goal"] is False]
        if not short:
            continue
        promise = PROMISES[key]
        short.sort(key=lambda row: -row["value"])
        rows = "; ".join(f"{row['name']}: {amount(row['value'], promise.unit)}" for row in short[:WORST])
        rows += f"; and {len(short) - WORST} more" if len(short) > WORST else ""
        reason = " ".join(reasons.get(key, "We have no explanation yet.").split())
        lines += [f"{promise.work} (goal {amount(promise.goal, promise.unit)})", f": {reason} *{rows}.*", ""]
    return "\n".join(lines)


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


def by_work(races):
    """The races against the best, by work: the best rival first, those without a time last."""
    works = {}
    for race in races:
        if race["promise"] == "best":
            works.setdefault(race["name"], []).append(race)
    works = {name: sorted(found, key=lambda race: -race.get("ratio", 0)) for name, found in works.items()}
    return {name: found for name, found in works.items() if "ratio" in found[0]}


def best_table(races):
    """For each work the ratio to the best rival, and to the others."""
    rows = []
    for name, (best, *others) in by_work(races).items():
        spoken = [
            f"{race['peer']} " + (f"{race['ratio']:.2f}" if "ratio" in race else untimed(race))
            for race in others
        ]
        seconds, ratio = duration(best["seconds"][0]), f"{best['ratio']:.2f}"
        rows.append([name, seconds, ratio, best["peer"], ", ".join(spoken)])
    return ["Work", "Ours", "Ratio", "Best rival", "Others"], rows


def count_table(races):
    """What explains the times of machines: steps, theirs and ours, and how much of K is computed."""
    rows = [
        [
            race["name"],
            duration(race["seconds"][0]),
            f"{c['steps']:,}",
            f"{c['their steps']:,}",
            f"{c['kernel values']:.2f}",
        ]
        for race in races
        if (c := race.get("counts"))
    ]
    return ["Work", "Ours", "Our steps", "LIBSVM's steps", "Kernel values, of n²"], rows


def as_text(results):
    """The machine, all tables that have rows, and what failed, by how much."""
    machine, found = results["machine"], tables(results)
    packages = ", ".join(f"{name} {number}" for name, number in results["versions"].items())
    lines = [f"{machine['processor']}, {machine['cores']} cores, {machine['system']}; {packages}", ""]
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
