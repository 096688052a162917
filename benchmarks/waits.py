"""Times that nobody races against: what a reader of the book or a student waits for.

Seconds, but for the one that counts megabytes.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import nbformat
from sklearn.datasets import make_classification, make_moons

import mllib.datasets
from _ext.contents import lab_sources, main_chapters
from _ext.execute import execute
from benchmarks.promises import PROMISES
from mllib import SVC, PegasosClassifier, svm_path
from mllib.viz.playground import playground

ROOT = Path(__file__).resolve().parents[1]


class Wait(NamedTuple):
    """One wait: ``measure()`` returns a number in the unit of its promise, or several by name.

    A name that is the key of a promise itself is held to that one.
    """

    name: str
    promise: str
    measure: Callable
    quick: bool = True


def least(run, repeats=5):
    """The least seconds of several runs."""
    best = float("inf")
    for _ in range(repeats):
        begun = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - begun)
    return best


def fresh(program, **environment):
    """What a program prints in a Python of its own."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


# The clock starts when numpy and scikit-learn stand ready, as in a notebook whose first cell loaded the data;
# it covers the import of the learner, numba, and the machine code that is read from disk.
FIRST = """
import time
import numpy as np
from sklearn.datasets import load_iris
from sklearn.linear_model import Perceptron
X, y = load_iris(return_X_y=True)
X, y = X[:100], y[:100]
Perceptron().fit(X, y)
begun = time.perf_counter()
from mllib import {name}
model = {name}().fit(X, y)
print(time.perf_counter() - begun)
assert model.score(X, y) == 1.0
"""


def first_fit(name):
    """The first fit in a fresh kernel, with compiled code in the cache."""
    program = FIRST.format(name=name)
    fresh(program)  # compiles, if nobody has done so before
    return min(float(fresh(program)) for _ in range(3))


# What an import reads is seen in a first run; then the system is asked to forget these files.
IMPORT = """
import sys, time
begun = time.perf_counter()
{line}
print(time.perf_counter() - begun)
modules = list(sys.modules.values())
files = {{getattr(m, name, None) for m in modules for name in ("__file__", "__cached__")}}
files |= {{words[5] for line in open("/proc/self/maps") if len(words := line.split()) == 6}}
print(*files, sep="\\n")
"""


def cold_import(line):
    """An import when nothing of what it reads is in the system's memory (where the system can forget)."""
    program, seconds = IMPORT.format(line=line), []
    _, *files = fresh(program).splitlines()
    for _ in range(3):
        for file in files:
            forget(file)
        seconds.append(float(fresh(program).split()[0]))
    return min(seconds)


def forget(file):
    """Ask the system to drop a file from its memory."""
    if os.path.isfile(file):
        handle = os.open(file, os.O_RDONLY)
        os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(handle)


def loading(name):
    """A data set, from the package to arrays."""
    return least(getattr(mllib.datasets, name))


def a_million():
    """One epoch of Pegasos."""
    X, y = make_classification(1_000_000, 20, n_informative=10, random_state=0)
    model = PegasosClassifier(1e-4, max_iter=1, tol=None, average=True, random_state=0)
    return least(lambda: model.fit(X, y), 1)


MEMORY = """
import tracemalloc
from sklearn.datasets import make_classification
from mllib import SVC
X, y = make_classification(20_000, 20, n_informative=8, flip_y=0.05, random_state=0)
SVC(cache_size=5).fit(X[:3000], y[:3000])
tracemalloc.start()
machine = SVC(cache_size=100).fit(X, y)
print(tracemalloc.get_traced_memory()[1] / 1e6)
assert machine.fit_status_ == 0
"""


def memory():
    """cache_size is what kernel values take; besides there are a few copies of X and of one row."""
    return float(fresh(MEMORY, OPENBLAS_NUM_THREADS="1"))


def look_up(n):
    """The machine at another C, from the exact path: seconds for one."""
    path = svm_path(*make_moons(n, noise=0.3, random_state=0), gamma=1.0, C_max=100.0)
    grid = path.breakpoints[1:]
    return least(lambda: [path.at(C) for C in grid]) / len(grid)


def fitted_anew(n):
    """The machine at another C, from nothing."""
    X, y = make_moons(n, noise=0.3, random_state=0)
    return max(least(partial(SVC(gamma=1.0, C=C).fit, X, y)) for C in (0.1, 1.0, 10.0))


# One more cell moves each slider of each ``explore`` through its widget. (Whether a move changes something is
# looked at by `make test`.) A move is made three times and the quickest counts, in seconds of the processor:
# the kernel runs on one thread, since a second one that waits for work would be counted, too. There are
# pauses, since a move takes milliseconds: a machine that is slow for a moment would be slow for all three.
PROBE = """
import gc as _gc, json as _json, statistics as _statistics, time as _time
from mllib.viz.explore.grid import Explorer as _Explorer
from mllib.viz.explore.widget import moves as _moves

def _probe(number, explorer):
    explorer._repr_mimebundle_()
    quickest = {}
    for _ in range(3):
        _time.sleep(0.2)
        for name, value, seconds, *_ in _moves(explorer._widget):
            quickest[name, value] = min(seconds, quickest.get((name, value), seconds))
    return explorer.name or f"figure {number}", _statistics.median_high(quickest.values())

_found = [thing for thing in _gc.get_objects() if isinstance(thing, _Explorer)]
print("PROBE", _json.dumps(dict(_probe(*each) for each in enumerate(_found, 1))))
"""
WITH_SLIDERS = [
    path for path in [*main_chapters(), *lab_sources()] if "explore(" in path.read_text(encoding="utf-8")
]


def sliders(path):
    """Run a notebook as JupyterLab does and move its sliders: the median move of each figure."""
    notebook = nbformat.read(path, as_version=4)
    cells = [cell for cell in notebook.cells if "rejects" not in cell.metadata.get("lab", {})]
    notebook.cells = [*cells, nbformat.v4.new_code_cell(PROBE)]
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "chapters", path.name)  # with what chapters read beside it
        copy.parent.mkdir()
        Path(folder, "benchmarks").symlink_to(ROOT / "benchmarks")
        nbformat.write(notebook, copy)
        executed, _ = execute(copy)
    found = json.loads(executed.cells[-1].outputs[0].text.removeprefix("PROBE "))
    assert found, "the notebook says explore( and made none"
    return found


EDITED = "chapters/04-boosting.ipynb"


def building():
    """The book in a copy: from nothing, after a sentence is changed, and after a line of code is changed."""

    def built(root):
        begun = time.perf_counter()
        command = [ROOT / ".venv/bin/jupyter-book", "build", ".", "--quiet"]
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[-300:]
        return time.perf_counter() - begun

    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    files = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "copy")
        for name in filter(None, files.split("\0")):
            if (ROOT / name).is_file():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, root / name)
        (root / ".venv").symlink_to(ROOT / ".venv")
        seconds = {"book": built(root)}
        edits = {
            "book-sentence": ("markdown", "\n\nOne more sentence."),
            "book-code": ("code", "\n# one more line"),
        }
        for name, (kind, addition) in edits.items():
            notebook = nbformat.read(root / EDITED, as_version=4)
            [cell for cell in notebook.cells if cell.cell_type == kind][-1].source += addition
            nbformat.write(notebook, root / EDITED)
            seconds[name] = built(root)
    return seconds


class Missing(Exception):
    """What a wait needs is not on this machine: then it has no time, and breaks no promise."""


def first_pictures():
    """How soon a visitor sees a page of the book that was built here."""
    from benchmarks import pages
    from tests.publish import browser, site

    if "index.html" not in site.PAGES:
        raise Missing("the book (make book)")
    if browser.CHROMIUM is None or browser.DRIVER is None:
        raise Missing("Chromium (make system)")
    return pages.first_pictures()


DRAG = """
const points = playground.fromAddress(location.hash).points, taken = [];
for (let k = 0; k < 40; k++) {
  const at = points[k].at;
  taken.push(playground.timeOfDrag(k, [at[0] + 3, at[1] - 3]));
}
taken.sort((a, b) => a - b);
return taken[20] / 1000;
"""


def dragging():
    """The playground in Chromium, 200 points that overlap: the median drag for each method."""
    from tests.publish import browser, site

    page = site.HTML / "pages/playground.html"
    if not page.exists():
        raise Missing("the book (make book)")
    if browser.CHROMIUM is None or browser.DRIVER is None:
        raise Missing("Chromium (make system)")
    X, y = make_moons(200, noise=0.3, random_state=0)
    methods = {"perceptron": "perceptron", "hard": "hard margin", "svm": "support vector machine"}
    methods |= {"pegasos": "Pegasos", "adaboost": "AdaBoost", "forest": "random forest"}
    with tempfile.TemporaryDirectory() as profile:
        driver = browser.start(profile)
        try:
            browser.view(driver, 1280)
            found = {}
            for method, name in methods.items():
                browser.open_page(driver, "about:blank")
                browser.open_page(driver, page.as_uri() + playground(X, y, method, fit=True))
                found[name] = driver.execute_script(DRAG)
        finally:
            driver.quit()
    return found


def rows(wait):
    """One run of a wait: a dictionary for each of its measurements."""
    value = wait.measure()
    if not isinstance(value, dict):
        return [{"name": wait.name, "promise": wait.promise, "value": value}]
    return [
        {"name": part, "promise": part, "value": taken}
        if part in PROMISES
        else {"name": f"{wait.name}: {part}", "promise": wait.promise, "value": taken}
        for part, taken in value.items()
    ]


def holds(row):
    """Whether a measurement keeps its bound."""
    must = PROMISES[row["promise"]].must
    return must is None or row["value"] <= must


def measured(wait):
    """The measurements of a wait; one that misses a bound is run once more, and the lesser values count.

    What has become slow is slow again; a machine that was slow for some seconds is not.
    """
    first = rows(wait)
    if all(holds(row) for row in first):
        return first
    return [a | {"value": min(a["value"], b["value"])} for a, b in zip(first, rows(wait), strict=True)]


def run(wait):
    """The measurements of a wait for the results file, or why there are none."""
    try:
        return measured(wait)
    except Missing as problem:
        return [{"name": wait.name, "promise": wait.promise, "missing": str(problem)}]
    except Exception as problem:  # the other rows run on; this one fails the run
        said = f"{type(problem).__name__} {' '.join(str(problem).split())}"[:300]
        return [{"name": wait.name, "promise": wait.promise, "disagree": said}]


QUICK_SLIDERS = ("04-boosting", "11-smo")  # the short run times these; `make test` moves all, without a clock
LEARNERS = ("Perceptron", "LinearSVC", "PegasosClassifier", "SVC")
WAITS = [
    *(Wait(f"first fit of {name}", "first-fit", partial(first_fit, name)) for name in LEARNERS),
    Wait("import mllib", "import", partial(cold_import, "import mllib")),
    Wait("from mllib import SVC", "import-learner", partial(cold_import, "from mllib import SVC")),
    *(
        Wait(name, "data", partial(loading, name))
        for name in mllib.datasets.__all__
        if name.startswith("load_")
    ),
    Wait("first picture", "page", first_pictures),
    Wait("a drag in the playground", "playground", dragging),
    Wait("Pegasos, a million points", "million", a_million),
    Wait("SVC, 20,000 points", "memory", memory),
    *(
        Wait(f"SVC at another C on the path, {n} points", "slider-look-up", partial(look_up, n))
        for n in (100, 300)
    ),
    Wait("SVC, 300 points", "slider-fit", partial(fitted_anew, 300)),
    *(
        Wait(
            path.relative_to(ROOT).with_suffix("").as_posix().replace("/source", ""),
            "slider",
            partial(sliders, path),
            quick=path.stem in QUICK_SLIDERS,
        )
        for path in WITH_SLIDERS
    ),
]
BOOK = Wait("make book", "book", building, quick=False)  # minutes; only when it is asked for
