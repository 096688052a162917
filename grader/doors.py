"""Which doors a lab opens: ``from mllib import SVC`` must not solve the lab on support vector machines.

A lab lists what students may import.  In the sandbox, every room of a package that could solve labs does not
exist, unless the solution itself was seen to load it: an empty folder or file lies over it.  What students
import beyond the list is also told to them in words.
"""

import ast
import functools
import importlib.util
import os
import pkgutil
import sys
from importlib.machinery import PathFinder
from pathlib import Path

# Packages that solve labs.
GUARDED = ("mllib", "sklearn", "xgboost", "lightgbm", "catboost", "libsvm", "liblinear", "cvxopt", "cvxpy")
GUARDED += ("thundersvm", "statsmodels", "torch", "tensorflow", "keras", "jax", "numpy_ml", "mlxtend")
LONGEST = 100_000  # letters of a cell that is looked at
ALWAYS = {"grader.check", "IPython", "ipywidgets"}


def mounts_over(closed):
    """Empty folders and files over the closed modules; what lies inside a closed package is gone with it."""
    command = []
    for name in closed:
        if any(name.startswith(outer + ".") for outer in closed):
            continue
        place = (
            locate(name) and locate(name).resolve()
        )  # a folder above may be a link, over which nothing lies
        if place and place.name == "__init__.py":
            command += ["--tmpfs", str(place.parent), "--remount-ro", str(place.parent)]
        elif place:
            compiled = (place.parent / "__pycache__").glob(f"{place.stem}.*.pyc")
            for file in (place, *compiled):
                command += ["--dev-bind", "/dev/null", str(file)]
    return command


@functools.cache
def locate(name):
    """The file of a module, found without importing it or any package around it."""
    head, *rest = name.split(".")
    spec = importlib.util.find_spec(head)
    for part in rest:
        spec = spec and PathFinder.find_spec(part, spec.submodule_search_locations or [])
    return Path(spec.origin) if spec and spec.origin and os.path.exists(spec.origin) else None


def guarded_modules():
    """Every module of the guarded packages that are installed: first-level rooms, then what lies in mllib."""
    names = []
    for package in GUARDED:
        place = locate(package)
        if place and place.name == "__init__.py":
            for room in pkgutil.iter_modules([str(place.parent)], f"{package}."):
                names.append(room.name)
                if package == "mllib" and room.ispkg:
                    inside = pkgutil.iter_modules([str(locate(room.name).parent)], f"{room.name}.")
                    names += [module.name for module in inside]
    return names


def parsed(source):
    """The syntax tree of a cell; None if it is no plain Python (a magic command) or far too long."""
    if len(source) > LONGEST:
        return None
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def imported(sources):
    """Every name that code imports, dotted: ``from mllib import SVC`` is ``mllib.SVC``.

    >>> sorted(imported(["import os, numpy as np", "from sklearn.svm import SVC"]))
    ['numpy', 'os', 'sklearn.svm.SVC']
    """
    found = set()
    for tree in filter(None, map(parsed, sources)):
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def outside(sources, allowed):
    """What code imports and a lab does not open, sorted.

    >>> outside(["import os, numpy as np", "from sklearn.svm import SVC", "from mllib import SVC"], ["numpy"])
    ['mllib.SVC', 'sklearn.svm.SVC']
    """
    open_ = set(allowed) | ALWAYS | sys.stdlib_module_names
    return sorted(n for n in imported(sources) if not any(n == o or n.startswith(f"{o}.") for o in open_))
