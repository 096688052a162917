"""What the chapters rest on, run draw by draw: ``make evidence``, or ``python -m benchmarks.evidence``.

An experiment is a short file ``benchmarks/experiments/NN_name.py``, called by the number of its chapter::

    WHAT = "method"                # what the rows are
    DRAWS = 20                     # draw k is the same on every machine, and needs no other draw
    MEASURES = {"test error": "lower", "steps": None}   # which is better, if either is

    def draw(number):              # {row: {measure: value}}, the same rows for each number
        ...

Its docstring says what is compared, on which data, and which rows differ in one thing only. The results with
every draw go to ``benchmarks/results/NN_name.json``, together with the digest of the code that made them, and
pages show them by ``viz.evidence``. What is up to date is not run again. Draws are kept in
``_build/evidence`` as they come in, so that a run that was stopped goes on where it was.
"""

import argparse
import hashlib
import json
import os
import platform
import re
import sys
import time
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

from joblib import Parallel, delayed
from tqdm.auto import tqdm

from benchmarks.reproduce import PACKAGES, as_text, plain

ROOT = Path(__file__).parents[1]
EXPERIMENTS = ROOT / "benchmarks/experiments"
RESULTS = ROOT / "benchmarks/results"
UNFINISHED = ROOT / "_build/evidence"
SHARED = re.compile(r"benchmarks\.experiments\.(\w+)\b|^from benchmarks\.experiments import (\w+)", re.M)


def names():
    """The experiments, in the order of their chapters."""
    return sorted(path.stem for path in EXPERIMENTS.glob("[0-9][0-9]_*.py"))


def experiment(name):
    """The module of an experiment."""
    return import_module(f"benchmarks.experiments.{name}")


def code(name):
    """The source of an experiment without its docstring, and of what it shares with others."""
    text = (EXPERIMENTS / f"{name}.py").read_text(encoding="utf-8")
    body = re.sub(r'\A\s*r?""".*?"""', "", text, count=1, flags=re.S)
    shared = sorted({one or other for one, other in SHARED.findall(text)})
    return "\n".join([body.strip(), *map(code, shared)])


def digest(name):
    """A short digest of the code: results that carry another one are out of date."""
    return hashlib.sha256(code(name).encode()).hexdigest()[:16]


def results(name):
    """What the results file of an experiment holds, or None."""
    path = RESULTS / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def up_to_date(name):
    """Whether the results are those of the code as it stands."""
    kept = results(name)
    return kept is not None and kept["digest"] == digest(name)


def one_draw(name, number):
    """A draw as the results file keeps it, and the seconds of processor time that it took."""
    begun = time.process_time()
    found = plain(experiment(name).draw(number))
    return found, time.process_time() - begun


def checked(name):
    """The number (by the digest, so nobody chooses it) of the draw that a test computes again."""
    return int(digest(name), 16) % experiment(name).DRAWS


def unfinished(name):
    """Where the draws of this code are kept as they come in."""
    return UNFINISHED / f"{name}-{digest(name)}.jsonl"


def finished_draws(name):
    """{number: (draw, seconds)} of an earlier run that was stopped; half a line at the end does not count."""
    path, found = unfinished(name), {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        try:
            number, draw, seconds = json.loads(line)
        except ValueError:
            continue
        found[number] = draw, seconds
    return found


def write(name, draws):
    """The results file, put in its place in one piece; the unfinished one goes."""
    module = experiment(name)
    rows = list(draws[0][0])
    for number in range(module.DRAWS):
        for row, values in draws[number][0].items():
            if row not in rows or set(values) != set(module.MEASURES):
                raise ValueError(
                    f"{name}: draw {number}, row {row!r} does not fit {rows}, {list(module.MEASURES)}"
                )
        if len(draws[number][0]) != len(rows):
            raise ValueError(f"{name}: draw {number} lacks rows of {rows}")
    kept = {
        "title": module.__doc__.splitlines()[0].rstrip("."),
        "what": module.WHAT,
        "measures": module.MEASURES,
        "rows": {
            row: {
                measure: [draws[number][0][row][measure] for number in range(module.DRAWS)]
                for measure in module.MEASURES
            }
            for row in rows
        },
        "digest": digest(name),
        "seconds": round(sum(seconds for _, seconds in draws.values())),
        "versions": {package: version(package) for package in PACKAGES},
        "machine": f"{platform.machine()}, Python {platform.python_version()}",
    }
    RESULTS.mkdir(parents=True, exist_ok=True)
    new = RESULTS / f"{name}.json.new"
    new.write_text(as_text(kept), encoding="utf-8")
    os.replace(new, RESULTS / f"{name}.json")
    unfinished(name).unlink(missing_ok=True)


def run(chosen, jobs=1):
    """Compute what is missing of these experiments, draw by draw, and write each when it is whole."""
    kept = {name: finished_draws(name) for name in chosen}
    missing = [(name, k) for name in chosen for k in range(experiment(name).DRAWS) if k not in kept[name]]
    UNFINISHED.mkdir(parents=True, exist_ok=True)
    for name in chosen:
        if kept[name]:
            print(f"{name}: {len(kept[name])} draws are here from before", file=sys.stderr)
        if len(kept[name]) == experiment(name).DRAWS:
            write(name, kept[name])

    def compute(name, number):
        return name, number, *one_draw(name, number)

    found = Parallel(n_jobs=jobs, return_as="generator_unordered")(
        delayed(compute)(*task) for task in missing
    )
    with tqdm(total=len(missing), unit="draw", disable=None) as bar:
        for name, number, draw, seconds in found:
            with unfinished(name).open("a", encoding="utf-8") as file:
                file.write(json.dumps([number, draw, seconds]) + "\n")
            kept[name][number] = draw, seconds
            bar.set_description(name)
            bar.update()
            if len(kept[name]) == experiment(name).DRAWS:
                write(name, kept[name])


def main(arguments=None):
    """Run the chosen experiments, or all that are out of date."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.evidence", description=__doc__.splitlines()[0]
    )
    parser.add_argument("names", nargs="*", metavar="name", help="experiments (default: all out of date)")
    parser.add_argument("--jobs", type=int, default=1, help="draws that run side by side")
    parser.add_argument("--again", action="store_true", help="run the named ones even if they are up to date")
    parser.add_argument("--list", action="store_true", help="list the experiments and run nothing")
    options = parser.parse_args(arguments)
    if unknown := sorted(set(options.names) - set(names())):
        parser.error(f"no experiment {', '.join(unknown)}; there are {', '.join(names())}")
    if options.list:
        for name in names():
            kept = results(name)
            state = "up to date" if up_to_date(name) else "out of date" if kept else "never run"
            minutes = f", {kept['seconds'] / 60:.0f} minutes" if kept else ""
            print(f"{name:18} {experiment(name).DRAWS:3} draws, {state}{minutes}")
        return
    chosen = options.names or names()
    if options.again and not options.names:
        parser.error("--again needs the names of the experiments")
    todo = chosen if options.again else [name for name in chosen if not up_to_date(name)]
    try:
        run(todo, options.jobs)
    except KeyboardInterrupt:
        print(
            "Stopped; the draws that are done are kept, and the next run goes on from here.", file=sys.stderr
        )
        raise SystemExit(130) from None
    print(
        f"{len(todo)} of {len(chosen)} experiments were out of date and have been run; results in {RESULTS}"
    )


if __name__ == "__main__":
    main()
