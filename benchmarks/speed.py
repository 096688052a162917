"""The results of a run: one JSON file, a table to read, and what was missed."""

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks import judge
from benchmarks.promises import PROMISES

RESULTS = Path(__file__).parent / "results/speed.json"
PACKAGES = (
    *("large-margins", "numpy", "scipy", "numba", "scikit-learn"),
    *("libsvm-official", "liblinear-official", "xgboost"),
)


def machine():
    """What the numbers depend on; nothing that tells whose machine it was."""
    family = platform.processor() or platform.machine()
    flags = ""
    if os.path.exists("/proc/cpuinfo"):
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        said = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines)}
        family = said.get("model name", family)
        flags = ", AVX-512" if "avx512f" in said.get("flags", "") else ""
    return {"processor": family + flags, "cores": os.cpu_count(), "system": platform.system()}


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


def table(results):
    """For the terminal: every race, every wait, growth, and what became of the promises."""
    lines = [f"{'race (ours / peer)':66}{'ours':>10}{'peer':>10}  {'ratio':>6}  quartiles"]
    for row in results["races"]:
        name = f"{row['name'][:48]:49}{row['peer'][:16]:17}"
        if "ratio" in row:
            ours, theirs = (duration(s) for s in row["seconds"])
            low, high = row["quartiles"]
            lines.append(f"{name}{ours:>10}{theirs:>10}  {row['ratio']:6.3f}  {low:.3f} to {high:.3f}")
        else:
            lines.append(f"{name}  {untimed(row)}")
    for row in results["waits"]:
        unit = PROMISES[row["promise"]].unit
        value = amount(row["value"], unit) if "value" in row else untimed(row)
        lines.append(f"{row['name'][:65]:66}{value:>10}")
    for row in results["growth"]:
        lines.append(
            f"{row['series'][:48]:49}{row['peer'][:16]:17}"
            f"grows like {row['axis']} to the power of {row['ours']:.2f}, the peer {row['theirs']:.2f}"
        )
    lines.append("")
    lines.append(f"{'promise':66}{'worst':>10}{'must':>10}{'goal':>10}  verdict")
    for key, rows in by_promise(results["verdicts"]).items():
        promise, worst = PROMISES[key], max(row["value"] for row in rows)
        must, goal = (
            "-" if bound is None else amount(bound, promise.unit) for bound in (promise.must, promise.goal)
        )
        lines.append(
            f"{promise.work[:65]:66}{amount(worst, promise.unit):>10}{must:>10}{goal:>10}  {said(rows)}"
        )
    for row in failures(results):
        reason = (
            f"disagrees: {row['disagree']}"
            if "disagree" in row
            else f"{row['value']:.3g}, must be at most {row['must']:g}"
        )
        lines.append(f"FAILED {row['name']}: {reason}")
    return "\n".join(lines)


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
    return f"{first}; goal reached" + ("" if all(reached) else f" by {sum(reached)} of {len(reached)}")


def untimed(row):
    """Why a row has no time."""
    return f"no time: {row['missing']} is missing" if "missing" in row else f"no time: {row['disagree']}"


def duration(seconds):
    """Three digits and a fitting unit."""
    if seconds == 0:
        return "0 s"
    for unit, size in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if abs(seconds) >= size or unit == "us":
            return f"{seconds / size:.3g} {unit}"
    raise AssertionError("not reached")


def amount(value, unit):
    """A ratio, a time, megabytes or an exponent."""
    return (
        duration(value)
        if unit == "s"
        else f"{value:.3g} {unit}".strip()
        if unit != "exponent"
        else f"{value:+.2f}"
    )
