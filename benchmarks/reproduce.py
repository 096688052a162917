"""Run published experiments again, print published value, ours and verdict, and keep the results.

``make reproduce`` runs all; ``python -m benchmarks.reproduce ten_points letters`` runs two of them. Each
writes ``benchmarks/results/NAME.json``: claims, our values, verdicts, what chapter 16 draws, versions and
seconds.
"""

import argparse
import json
import platform
import re
import time
from dataclasses import asdict
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

from joblib import Parallel, delayed
from tqdm.auto import tqdm

from benchmarks import output
from benchmarks.experiments import NAMES
from benchmarks.experiments.claims import MISSED, OURS, READ, REPRODUCED, Claim, verdict

RESULTS = Path(__file__).parent / "results"
DIGITS = 6  # significant digits that a results file keeps
PACKAGES = ("large-margins", "numpy", "scipy", "scikit-learn", "numba")


def experiment(name):
    """The module of an experiment."""
    return import_module(f"benchmarks.experiments.{name}")


def title(module):
    """The first line of a docstring, without its full stop."""
    return module.__doc__.splitlines()[0].rstrip(".")


def plain(value):
    """The value as JSON keeps it: NumPy's types gone, floats rounded, keys strings."""
    if isinstance(value, dict):
        return {str(key): plain(kept) for key, kept in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(kept) for kept in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def compute(module, show):
    """Run an experiment; our values and its data, as the results file keeps them."""
    found = plain(module.run(show))
    stated = {claim.what for claim in module.CLAIMS}
    if set(found["ours"]) - stated:
        raise ValueError(f"{module.__name__}: no claim for {sorted(set(found['ours']) - stated)}")
    return found


def judged(claims, ours):
    """The verdict of each claim, in order."""
    return {claim.what: verdict(claim, ours.get(claim.what)) for claim in claims}


def as_text(result):
    """Indented JSON with a list of numbers on one line."""
    text = json.dumps(result, indent=1, ensure_ascii=False)
    return re.sub(r"\[\n([^\[\]{}]*?)\n\s*\]", lambda m: f"[{' '.join(m[1].split())}]", text) + "\n"


def run(name, progress=True):
    """Run one experiment and write its results file; return what the file holds."""
    module = experiment(name)

    def show(loop, what=""):
        return tqdm(loop, desc=f"{name}: {what}".rstrip(": "), leave=False, disable=not progress)

    begun = time.process_time()
    found = compute(module, show)
    seconds = time.process_time() - begun
    result = {
        "title": title(module),
        "claims": [asdict(claim) for claim in module.CLAIMS],
        **found,
        "verdicts": judged(module.CLAIMS, found["ours"]),
        "seconds": round(seconds, 2),
        "versions": {package: version(package) for package in PACKAGES},
        "machine": f"{platform.machine()}, Python {platform.python_version()}",
    }
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.json").write_text(as_text(result), encoding="utf-8")
    return result


def shown(value):
    """A value of a table: a number, mean ± deviation, or a dash."""
    if value is None:
        return "-"
    if isinstance(value, list):
        return " ± ".join(map(shown, value))
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def table(result):
    """The claims of one experiment, a line each, under its title."""
    head = ("", "published", "ours", "tolerance", "verdict", "source")
    rows = []
    for claim in (Claim(**kept) for kept in result["claims"]):
        known = claim.status in (READ, OURS)
        source = claim.source if known else f"{claim.source} ({claim.status})"
        ours = result["ours"].get(claim.what)
        numbers = (shown(claim.published), shown(ours), shown(claim.tolerance))
        rows.append((claim.what, *numbers, verdict(claim, ours), source))
    lines = output.lines(head, rows, right=(1, 2, 3))
    return "\n".join([f"{result['title']} ({result['seconds']:.1f} s of CPU)", *lines, ""])


def main(arguments=None):
    """Run the chosen experiments."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.reproduce", description=__doc__.splitlines()[0]
    )
    parser.add_argument("names", nargs="*", metavar="name", help="experiments to run (default: all)")
    parser.add_argument("--list", action="store_true", help="list the experiments and run nothing")
    parser.add_argument("--jobs", type=int, default=1, help="experiments that run side by side")
    chosen = parser.parse_args(arguments)
    unknown = sorted(set(chosen.names) - set(NAMES))
    if unknown:
        parser.error(f"no experiment {', '.join(unknown)}; there are {', '.join(NAMES)}")
    if chosen.list:
        for name in NAMES:
            print(f"{name:16} {title(experiment(name))}")
        return
    names = chosen.names or NAMES
    results = Parallel(n_jobs=chosen.jobs, return_as="generator")(
        delayed(run)(name, chosen.jobs == 1) for name in names
    )
    verdicts = []
    for result in results:
        print(table(result), flush=True)
        verdicts += result["verdicts"].values()
    print(f"{len(names)} experiments, {len(verdicts)} numbers:", end=" ")
    print(f"{verdicts.count(REPRODUCED)} reproduced, {verdicts.count(MISSED)} not. Results in {RESULTS}")


if __name__ == "__main__":
    main()
