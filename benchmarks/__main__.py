"""Ours and others side by side: ``python -m benchmarks``, or ``make bench``.

Without an argument every race and every wait is run, and benchmarks/results/speed.json is written, from which
the book draws its page on speed. Words choose: a row runs when one of them is the key of its promise (see
benchmarks/promises.py) or stands in its name; then, and in the short run, the results go to
_build/speed.json and the book's page stays as it is.

The exit code is 1 when a promise is missed by more than the measured noise, or when two answers disagree; the
last lines then say which, and by how much.
"""

import argparse
import sys
import time

from tqdm import tqdm

from benchmarks import output, peers, speed
from benchmarks.promises import PROMISES

SHORT = peers.ROOT / "_build/speed.json"


def chosen(rows, words, quick):
    """The rows that the command line asks for."""
    rows = [row for row in rows if row.quick or not quick]
    return [
        row for row in rows if not words or any(word == row.promise or word in row.name for word in words)
    ]


def main(arguments=None):
    """Run, write, print; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("rows", nargs="*", help="keys of promises, or parts of names; everything by default")
    parser.add_argument("--quick", action="store_true", help="only what guards the promises; five minutes")
    parser.add_argument("--seconds", type=float, default=1.0, help="to spend on the turns of a race (1)")
    parser.add_argument("--list", action="store_true", help="name the rows and stop")
    parser.add_argument("--book", action="store_true", help="time `make book`, too, in a copy; minutes")
    parser.add_argument("--no-peers", action="store_true", help="install nothing; such rows have no time")
    options = parser.parse_args(arguments)
    alone = options.no_peers or options.quick or options.list
    if not alone and (problem := peers.install()):
        print(f"Rows without their peer are not timed.\n{problem}", file=sys.stderr)
    peers.use()
    from benchmarks.race import run as run_race
    from benchmarks.races import RACES
    from benchmarks.waits import BOOK, WAITS
    from benchmarks.waits import run as run_wait

    races, waits = (chosen(rows, options.rows, options.quick) for rows in (RACES, WAITS))
    waits += [BOOK] if options.book else []
    if not races and not waits:
        parser.error(f"no row is called so; the promises are {', '.join(PROMISES)}")
    if options.list:
        print(*(f"{row.promise or '-':15} {row.name}" for row in [*races, *waits]), sep="\n")
        return 0
    begun = time.perf_counter()
    raced, waited, whole = [], [], not options.quick and not options.rows
    try:
        with tqdm(total=len(races) + len(waits), unit="row") as bar:
            for race in races:
                bar.set_description(race.name[:40])
                raced.append(run_race(race, options.seconds))
                bar.update()
            for wait in waits:
                bar.set_description(wait.name[:40])
                waited += run_wait(wait)
                bar.update()
    except KeyboardInterrupt:
        print("Stopped; what has been measured is kept.", file=sys.stderr)
        whole = False
    results = speed.summary(raced, waited, time.perf_counter() - begun, options.quick)
    path = speed.RESULTS if whole else SHORT
    output.keep(path, results)
    print(speed.as_text(results))
    print(f"\n{results['seconds']} s. Results: {path.relative_to(peers.ROOT)}.", end=" ")
    print(
        "`make book` draws them: _build/html/pages/speed.html" if whole else "The book's page stays as it is."
    )
    return 1 if speed.failures(results) else 0


if __name__ == "__main__":
    sys.exit(main())
