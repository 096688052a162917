"""The same numbers on every machine: notebooks, sliders and tests as other processors would compute them.

    make test-portable                              every processor that this machine can play
    make test-portable PROCESSORS="prescott zen"    some of them; farthest: the one least like today's
    make test-notebooks PROCESSOR=farthest          only nbval, with a report of its own (--run)

The last digit of a sum depends on the order of its terms, and that is chosen by the processor: by the kernels
of OpenBLAS, by NumPy's and the C library's loops, by the code that numba makes. All four can be told to take
this machine for an older one. A number that a page prints, a sentence of a slider, a label, a number of steps
must not change by that. (``mllib/ties.py`` says how decisions are kept apart from last digits.)

For each processor nbval runs every notebook, every slider says its sentence at each position, and the
doctests and tests of ``mllib`` run. What differs is named; the exit code is 1 if anything does.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from xml.etree import ElementTree

from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

ROOT = Path(__file__).resolve().parent.parent
PLAIN_C = "glibc.cpu.hwcaps=" + ",".join(f"-{name},-{name}_Usable" for name in ("AVX2", "FMA", "FMA4"))

# name: kernels of OpenBLAS, processor for numba, NumPy's features that stay, C library, needed feature.
X86 = {
    "prescott": ("Prescott", "nehalem", (), PLAIN_C, None),
    "nehalem": ("Nehalem", "nehalem", (), PLAIN_C, None),
    "sandybridge": ("Sandybridge", "sandybridge", (), PLAIN_C, "AVX"),
    "haswell": ("Haswell", "haswell", ("X86_V3",), "", "X86_V3"),
    "zen": ("Zen", "znver1", ("X86_V3",), "", "X86_V3"),
    "skylakex": ("SkylakeX", "skylake-avx512", ("X86_V3", "X86_V4"), "", "X86_V4"),
}
ARM = {
    "armv8": ("ARMV8", "generic", (), "", None),
    "neoverse": ("NEOVERSEN1", "neoverse-n1", ("ASIMDHP", "ASIMDDP"), "", "ASIMDDP"),
}
KNOWN = ARM if platform.machine().lower() in ("aarch64", "arm64") else X86
HERE = {name: row for name, row in KNOWN.items() if row[-1] is None or __cpu_features__.get(row[-1])}
FARTHEST = next(iter(HERE))  # from the processors of today
SAID_HERE = ROOT / "_build" / "sentences"  # in `make test-notebooks`
PARTS = {
    "notebooks": ["--nbval", "--nbval-cell-timeout=600", "--dist=loadscope", "chapters", "labs"],
    "doctests": ["--doctest-modules", "mllib"],
    "tests": ["tests/mllib", "tests/theorems"],
}


def environment(processor):
    """What makes the libraries take this machine for the processor; nothing for the machine itself."""
    if processor == "machine":
        return {}
    kernels, numba, stay, c_library, _ = KNOWN[processor]
    off = [name for name in __cpu_dispatch__ if __cpu_features__.get(name) and name not in stay]
    return {
        "OPENBLAS_CORETYPE": kernels,
        "NUMBA_CPU_NAME": numba,
        "NUMBA_CPU_FEATURES": "",  # those that the name implies
        "NPY_DISABLE_CPU_FEATURES": " ".join(off),
        "GLIBC_TUNABLES": c_library,
    }


def failures(processor, part, jobs, sentences):
    """Run one part as the processor; return the names of what failed, and the closing line."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        pytest = [sys.executable, "-m", "pytest", "-q", "-n", str(jobs), "-p", "no:cacheprovider"]
        run = subprocess.run(
            [*pytest, f"--junitxml={report}", *PARTS[part]],
            cwd=ROOT,
            env=os.environ
            | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
            | {"CI": "true", "MLLIB_SENTENCES": str(sentences)}
            | environment(processor),
            capture_output=True,
            text=True,
        )
        if not report.exists():
            sys.exit(f"pytest did not run:\n{run.stdout}{run.stderr}")
        cases = list(ElementTree.parse(report).iter("testcase"))
    if not cases:
        sys.exit(f"pytest ran nothing:\n{run.stdout}{run.stderr}")
    bad = [case for case in cases if case.find("failure") is not None or case.find("error") is not None]
    for case in bad:
        problem = case.find("failure") if case.find("failure") is not None else case.find("error")
        print(f"\n{case.get('classname')} {case.get('name')}\n{(problem.text or '')[-3000:]}", flush=True)
    closing = run.stdout.strip().splitlines()[-1]
    return [f"{case.get('classname')} {case.get('name')}" for case in bad], closing


def sliders(folder):
    """Every slider's sentences, by the notebook's folder and the slider's own description."""
    return {path.name: json.loads(path.read_text()) for path in sorted(Path(folder).glob("*.json"))}


def differing(ours, theirs):
    """Sentences that two processors say differently, or sliders that only one of them has."""
    found = []
    for name in sorted(ours.keys() | theirs.keys()):
        a, b = (side.get(name, {"alt": name, "sentences": {}}) for side in (ours, theirs))
        for position in a["sentences"] | b["sentences"]:
            one, other = a["sentences"].get(position), b["sentences"].get(position)
            if one != other:
                found.append(f"slider {a['alt'][:40]!r} at {position}: {one!r}, elsewhere {other!r}")
    return found


def main(arguments=None):
    """Run what was asked for, print a line for each processor, return whether something differs."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.portable",
        description=__doc__.split("\n\n")[0],
        epilog=f"This machine can play: machine (itself), {', '.join(HERE)}.",
    )
    parser.add_argument(
        "processors", nargs="*", metavar="processor", help="all that it can play if none is named"
    )
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS), help="default: all three")
    parser.add_argument("--jobs", type=int, default=2, help="processes side by side (default 2)")
    parser.add_argument("--run", nargs=argparse.REMAINDER, help="run this command as the one processor named")
    chosen = parser.parse_args(arguments)
    names = [FARTHEST if name == "farthest" else name for name in chosen.processors] or ["machine", *HERE]
    for name in names:
        if name not in {"machine", *HERE}:
            why = "needs features that this machine lacks" if name in KNOWN else "is not known"
            parser.error(f"{name} {why}; this machine can play machine, {', '.join(HERE)}")
    if chosen.run:
        if len(names) != 1:
            parser.error(f"--run takes one processor, got {len(names)}")
        os.execvpe(chosen.run[0], chosen.run, os.environ | environment(names[0]))
    moved = "notebooks" in chosen.parts  # only then does a slider say anything
    lines, differ = [], 0
    first = sliders(SAID_HERE) if moved and "machine" not in names else None
    if moved and len(names) == 1 and names != ["machine"] and not first:
        parser.error(
            "nothing to compare the sliders with: name machine, too, or run make test-notebooks first"
        )
    for name in names:
        begun, found = time.perf_counter(), []
        with tempfile.TemporaryDirectory() as folder:
            for part in chosen.parts:
                print(f"{name}: {part} ...", flush=True)
                failed, closing = failures(name, part, chosen.jobs, folder)
                print(f"{name}: {part}: {closing}", flush=True)
                found += failed
            said = sliders(folder)
        first = first or said
        found += differing(said, first)
        differ += len(found)
        positions = sum(len(slider["sentences"]) for slider in said.values())
        lines += [
            f"{name}: {len(found)} differ ({len(said)} sliders, {positions} sentences), "
            f"{time.perf_counter() - begun:.0f} s",
            *(f"    {what}" for what in found),
        ]
    print("\n" + "\n".join(lines))
    return bool(differ)


if __name__ == "__main__":
    sys.exit(main())
