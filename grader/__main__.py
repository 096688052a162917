"""The grader's commands: ``python -m grader release | grade | mark | report``, each with ``--help``.

Exit codes: 0 all that could be done was done (what could not be marked is told), 1 some lab was refused, or
this machine failed some submission (the next run tries it again), 2 wrong use, or the command cannot be
carried out.
"""

import argparse
import math
import os
import re
import sys
import warnings
import webbrowser
from contextlib import suppress
from pathlib import Path

from grader.collect import few, labs_handed_in, not_looked_at
from grader.desk import desk
from grader.grade import Cohort, Refused, sweep
from grader.lab import LabError
from grader.reference import GRADING, reference
from grader.release import disagreement, release
from grader.report import read_run, report
from grader.run import SandboxError
from grader.sandbox import Limits, Settings, best_layer, exposed, hindrance

SOURCE, LABS, GRADES = Path("labs/source"), Path("labs"), Path("grades")
RELEASE = "write labs/NN-name.ipynb from labs/source/NN-name.ipynb, and the private reference"
GRADE = "mark SUBMISSIONS/<student>/<NN-name>.ipynb into grades/<NN-name>/"
MARK = "mark the open questions on a page of this machine; each mark is saved in by-hand.csv at once"
REPORT = "write tables and pages again, with the marks given in by-hand.csv; runs nothing"


def main(arguments=None):
    """Read the command line and do what it says; return the exit code."""
    chosen, parser = read(arguments)
    try:
        return chosen.act(chosen, parser)
    except KeyboardInterrupt:
        print("\ninterrupted; the same command goes on from here", file=sys.stderr)
        return 1
    except (Refused, LabError, SandboxError) as problem:
        print(f"{type(problem).__name__}: {problem}", file=sys.stderr)
        return 2


def read(arguments):
    """What a command line asks for, and the parser that complains."""
    parser = argparse.ArgumentParser(
        prog="python -m grader", description="Release, grade, mark and report labs."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="release | grade | mark | report")
    for act, words, labs, out in (
        (_release, RELEASE, "of the source", LABS),
        (_grade, GRADE, "handed in", GRADES),
        (_mark, MARK, "with questions", GRADES),
        (_report, REPORT, "that have results", GRADES),
    ):
        one = commands.add_parser(act.__name__[1:], help=words, description=words)
        one.set_defaults(act=act)
        add = one.add_argument
        if act is _grade:
            add("submissions", type=_named, help="folder that holds one folder a student")
        add("labs", nargs="*", metavar="NN-name", help=f"which labs (default: all {labs})")
        add("--out", type=Path, default=out, help=f"folder of the results (default {out})")
        if act in (_release, _grade):
            add("--source", type=Path, default=SOURCE, help=f"folder of the sources (default {SOURCE})")
            add("--grading", type=Path, default=GRADING, help=f"private (default {GRADING})")
            add("--seed", type=int, help="of the hidden checks (default: this machine's secret one)")
        if act is _release:
            add("--check", action="store_true", help="only say whether released labs are up to date")
        elif act is _grade:
            add("--jobs", type=int, default=-1, help="submissions at once (default: one a core)")
            add("--dask", metavar="ADDRESS", help="use the workers of this Dask scheduler")
            add("--fresh", action="store_true", help="mark all of this folder again, whatever is known")
            words = "take the N students out of the results who are not in this folder (it must be N)"
            add("--forget", type=int, default=0, metavar="N", help=words)
            add("--trust", action="store_true", help="grade without bubblewrap, with what there is")
            add(
                "--cell-seconds", type=float, default=Limits.cell_seconds, help="of a processor, for one cell"
            )
            add(
                "--wall-seconds",
                type=float,
                default=Limits.wall_seconds,
                help="the same, for all runs of one submission",
            )
            add("--memory-mb", type=int, default=Limits.tree_mb, help="for one submission")
        elif act is _mark:
            add("--port", type=int, default=0, help="of the page (default: any that is free)")
            add("--no-browser", action="store_true", help="only print the address")
    chosen, more = parser.parse_known_args(arguments)
    if any(word.startswith("-") for word in more):
        parser.error(f"unknown: {' '.join(more)}")
    if (getattr(chosen, "seed", None) or 0) < 0:
        parser.error("--seed must not be negative")
    if os.name != "posix":
        parser.error("needs Linux or macOS; on Windows use the Linux subsystem (WSL)")
    for name in ("out", "grading"):
        path = getattr(chosen, name, None)
        if path and path.exists() and not path.is_dir():
            parser.error(f"--{name} {path} is no folder")
    chosen.labs += more  # labs named after an option, which argparse does not take by itself
    return chosen, parser


def _named(text):
    """A folder that somebody wrote down: nothing is not the folder in which we happen to be."""
    if not text.strip():
        # One sentence: argparse would put its usage, ten lines, above it.
        words = (
            "which folder? Name the one that holds a folder for each student: make grade SUBMISSIONS=folder"
        )
        print(words, file=sys.stderr)
        raise SystemExit(2)
    return Path(text)


def _release(chosen, parser):
    failed = 0
    for source in _sources(chosen, parser):
        out = chosen.out / source.name
        try:
            if chosen.check:
                complaint = disagreement(source, out)
                print(complaint or f"{out} is up to date", flush=True)
                failed += bool(complaint)
            else:
                made = release(source, out, chosen.grading, chosen.seed)
                checks = f"{len(made['checks'])} checks, {made['points']:g} points, {made['seconds']:.1f} s"
                print(f"{out}: {'written' if made['changed'] else 'unchanged'} ({checks})", flush=True)
        except (LabError, SandboxError) as problem:
            print(f"refused: {problem}", file=sys.stderr, flush=True)
            failed += 1
    return int(failed > 0)


def _grade(chosen, parser):
    failed = 0
    for cohort in cohorts(chosen, parser):
        for row in cohort.replaced():
            points, lab = f"{row['total']:g} of {row['of']:g} points", row["lab"]
            _complain(f"{row['student']}: {lab} is marked anew; from {row['folder']}: {points}")
        cohort.grade(chosen.jobs, chosen.dask, chosen.fresh, chosen.forget)
        failed += _reported(cohort.out)
        if others := cohort.elsewhere():
            words = f"kept, though not in {chosen.submissions}: {few(others)}"
            _complain(f"{words}; --forget {len(others)} takes them out of {cohort.out}")
    return int(failed > 0)


def cohorts(chosen, parser):
    """The submissions for each lab that is to be graded."""
    limits = {"cell_seconds": chosen.cell_seconds, "wall_seconds": chosen.wall_seconds}
    limits |= {"memory_mb": chosen.memory_mb}
    for name, most in limits.items():
        if not 0 < most < math.inf:
            parser.error(f"--{name.replace('_', '-')} must be above 0, and finite")
    if chosen.jobs == 0:
        parser.error("--jobs must not be 0; -1 means one a core")
    if not chosen.submissions.is_dir():
        parser.error(f"{chosen.submissions} is no folder")
    inner = {"--source": chosen.source, "--grading": chosen.grading, "--out": chosen.out}
    for name, folder in inner.items():
        if folder.resolve().is_relative_to(chosen.submissions.resolve()):
            words = "name the folder that holds one folder for each student, and nothing else"
            parser.error(f"{name} {folder} lies inside {chosen.submissions}: {words}")
    layer = _layer(chosen, parser)
    for folder, place in exposed([chosen.submissions, chosen.source, chosen.grading, chosen.out]).items():
        parser.error(f"{folder} lies inside {place}, which every submission can read: move it elsewhere")
    limits = Limits(tree_mb=limits.pop("memory_mb"), **limits)
    sources = _sources(chosen, parser)
    labs = {path.stem for path in chosen.source.glob("*.ipynb")}
    loose, hidden = not_looked_at(chosen.submissions)
    if loose or hidden:
        _complain(f"not looked at: {few([*loose, *hidden])}")
    if not chosen.labs:
        handed_in = labs_handed_in(chosen.submissions, labs)
        sources = [path for path in sources if path.stem in handed_in]
        if not sources:
            wanted = f"{chosen.submissions}/<student>/<NN-name>.ipynb"
            parser.error(f"nothing to grade: no {wanted} of a known lab")
    sweep()
    warnings.simplefilter("ignore", SyntaxWarning)  # of students' code, when it is read
    for source in sources:
        made = reference(source, chosen.seed, chosen.grading, Settings(layer=layer))
        for bug in made["missed"]:
            _complain(f"{made['name']}: {bug}, with this seed; who makes just this mistake keeps the points")
        yield Cohort(made, chosen.submissions, chosen.out / made["name"], limits, layer, labs)


def _layer(chosen, parser):
    """The isolation to grade with; without the first layer only on the instructor's word."""
    problem = hindrance("bubblewrap")
    if not problem:
        return "bubblewrap"
    layer = best_layer()
    if not chosen.trust:
        remedy = "Install it (make system)" if "not installed" in problem else "Mend that"
        if re.search("uid map|namespace|name space", problem):
            remedy = "This system forbids name spaces of users: allow them"
        parser.error(
            f"bubblewrap does not start here ({problem}), and submissions are programs of strangers. "
            f"{remedy}, or grade people you trust with --trust (isolation: {layer})"
        )
    return layer


def _reported(out):
    """Write the reports and print what an instructor must know; return how many are to be tried again."""
    rows, missing = report(out), read_run(out)["missing"]
    bad = [row for row in rows if row["status"] != "marked"]
    for row in bad:
        _complain(f"{row['student']}: {row['status']}: {row['reason']}")
    unread = {student: each["files"] for student, each in missing.items() if each["files"]}
    for student, files in unread.items():
        _complain(f"{student}: not taken: {few(files)}")
    if silent := [student for student in missing if student not in unread]:
        _complain(f"nothing handed in: {few(silent)}")
    mean = sum(row["total"] for row in rows) / max(len(rows), 1)
    of = rows[0]["of"] if rows else 0
    print(f"{out}: {len(rows) - len(bad)} marked, {len(bad)} not; mean {mean:.1f} of {of:g}; see index.html")
    return sum(row["status"] == "grader-error" for row in bad)


def _complain(words):
    print(printable(words), file=sys.stderr)


def printable(text, keep=""):
    """Text for a terminal: a file's name may hold what would command it.

    >>> printable("Zoë \\x1b[31m")
    'Zoë \\\\x1b[31m'
    """
    return "".join(c if c.isprintable() or c in keep else c.encode("unicode_escape").decode() for c in text)


def _report(chosen, parser):
    return int(sum(map(_reported, _graded(chosen, parser).values())) > 0)


def _graded(chosen, parser):
    """The labs that the command line names, or all that have results, each with its folder."""
    names = chosen.labs or sorted(path.parent.name for path in chosen.out.glob("*/results.jsonl"))
    if not names:
        parser.error(f"no results in {chosen.out}: python -m grader grade SUBMISSIONS first")
    return {name: chosen.out / name for name in names}


def _mark(chosen, parser):
    outs = _graded(chosen, parser)
    outs = {name: out for name, out in outs.items() if any(row["by_hand"] for row in report(out))}
    if not outs:
        parser.error("nothing to mark by hand: these labs have no open question, or nobody handed in")
    with desk(outs, chosen.port) as server:
        for name, address in server.addresses.items():
            print(f"{name}: {address}", flush=True)
        if not chosen.no_browser:
            webbrowser.open(next(iter(server.addresses.values())))
        print("Ctrl-C ends it and writes the pages anew", flush=True)
        with suppress(KeyboardInterrupt):
            server.serve_forever()
    for out in outs.values():
        _reported(out)
    return 0


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
