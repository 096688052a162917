"""The grader's commands: ``python -m grader release | grade | report``, each with ``--help``.

Exit codes: 0 all is well, 1 some lab was refused or some submission could not be marked, 2 wrong use.
"""

import argparse
import sys
from pathlib import Path

SOURCE, LABS, GRADING = Path("labs/source"), Path("labs"), Path(".grading")


def main(arguments=None):
    """Read the command line and do what it says; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m grader", description="Release, grade and report labs.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="release | grade | report")
    _release_options(commands)
    chosen = parser.parse_args(arguments)
    try:
        return chosen.act(chosen, parser)
    except KeyboardInterrupt:
        print("\ninterrupted; the same command goes on from here", file=sys.stderr)
        return 1


def _release_options(commands):
    words = "write labs/NN-name.ipynb from labs/source/NN-name.ipynb, and the private reference"
    parser = commands.add_parser("release", help=words, description=words)
    parser.add_argument("labs", nargs="*", metavar="NN-name", help="which labs (default: all of the source)")
    parser.add_argument(
        "--source", type=Path, default=SOURCE, help=f"folder of the sources (default {SOURCE})"
    )
    parser.add_argument(
        "--out", type=Path, default=LABS, help=f"folder for the released labs (default {LABS})"
    )
    parser.add_argument("--grading", type=Path, default=GRADING, help="private folder (default .grading)")
    parser.add_argument("--seed", type=int, help="of the hidden checks (default: this machine's secret one)")
    parser.add_argument("--check", action="store_true", help="only say whether released labs are up to date")
    parser.set_defaults(act=_release)


def _release(chosen, parser):
    from grader.lab import LabError
    from grader.release import disagreement, release

    failed = 0
    for source in _sources(chosen, parser):
        out = chosen.out / source.name
        try:
            if chosen.check:
                complaint = disagreement(source, out)
                print(complaint or f"{out} is up to date", flush=True)
                failed += bool(complaint)
                continue
            made = release(source, out, chosen.grading, chosen.seed)
            checks = f"{len(made['checks'])} checks, {made['points']:g} points, {made['seconds']:.1f} s"
            print(f"{out}: {'written' if made['changed'] else 'unchanged'} ({checks})", flush=True)
        except LabError as problem:
            print(f"refused: {problem}", file=sys.stderr, flush=True)
            failed += 1
    return int(failed > 0)


def _sources(chosen, parser):
    """The source notebooks that the command line names; all of them if it names none."""
    if not chosen.source.is_dir():
        parser.error(f"{chosen.source} is no folder (say where the sources are with --source)")
    names = [name.removesuffix(".ipynb") for name in chosen.labs]
    paths = [chosen.source / f"{name}.ipynb" for name in names] or sorted(chosen.source.glob("*.ipynb"))
    if not paths:
        parser.error(f"no lab in {chosen.source}")
    for path in paths:
        if not path.is_file():
            known = ", ".join(sorted(p.stem for p in chosen.source.glob("*.ipynb"))) or "none"
            parser.error(f"no lab {path.stem!r} in {chosen.source}; there are: {known}")
    return paths


if __name__ == "__main__":
    sys.exit(main())
