"""numba, for the whole package: how loops are compiled, and where their machine code is kept.

Where numba cannot be had the same functions run as Python and give the same answers, later.

numba's own cache does not notice that a function in *another* file has changed: an edited helper would go on
running in its old form. So a checkout keeps machine code in a folder of ``_build/numba`` that is named by all
that a compiled function may depend on; whoever edits one begins with an empty folder.
"""

import hashlib
import os
import re
import shutil
import time
import warnings
from contextlib import suppress
from pathlib import Path

import numpy as np

try:
    import numba
    from numba import config
    from numba.extending import overload
    from numba.types import BaseTuple, NoneType
except ImportError:
    numba, BaseTuple, NoneType = None, tuple, type(None)
    warnings.warn("mllib has no numba here: the same loops run as Python, much slower.", stacklevel=2)

    def overload(function, **options):
        """What an overload is for, only the compiler asks."""
        return lambda overloading: overloading


PACKAGE = Path(__file__).parent
DAY = 24 * 60 * 60


def _sources():
    """The files with compiled functions and those that they import from: {path: text}."""
    texts = {path: path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")}
    found, new = {}, {path for path, text in texts.items() if "njit" in text}
    while new:
        path = new.pop()
        found[path.relative_to(PACKAGE).as_posix()] = texts[path]
        for dots, module, names in re.findall(r"^ *from (\.+)([\w.]*) import (.*)", texts[path], re.M):
            room = path.parents[len(dots) - 1].joinpath(*module.split("."))
            named = [room.with_suffix(".py"), room / "__init__.py"]
            named += [room / f"{name.strip()}.py" for name in names.split(",")]
            new |= {other for other in named if other.relative_to(PACKAGE).as_posix() not in found} & {*texts}
    return found


def _folder():
    """Where machine code is kept: where NUMBA_CACHE_DIR says; of an installed package, where numba likes."""
    if config.CACHE_DIR or not (PACKAGE.parent / "pyproject.toml").exists():
        return config.CACHE_DIR
    named = hashlib.sha256(repr(sorted(_sources().items())).encode()).hexdigest()[:16]
    folder = PACKAGE.parent / "_build/numba" / named
    with suppress(OSError):  # where nothing can be written, or another process removes the same
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        for other in folder.parent.iterdir():
            if other.stat().st_mtime < time.time() - DAY:  # of sources that nobody has used for a day
                shutil.rmtree(other)
    return str(folder)


FOLDER = _folder() if numba else ""


def njit(function=None, **options):
    """numba's, whose machine code is kept (this package's alone in its folder) and lets other threads run."""
    if function is None:
        return lambda function: njit(function, **options)
    if not numba:
        return np.errstate(all="ignore")(function)  # machine code does not complain about 1 / 0 either
    before, config.CACHE_DIR = config.CACHE_DIR, FOLDER
    try:
        return numba.njit(cache=True, nogil=True, **options)(function)
    finally:
        config.CACHE_DIR = before


# Passing a tuple of arrays on takes numba longer than the work on a small node of a tree: it copies them all,
# and counts the references to each. So parts become one function, which only borrows.
inlined = njit(inline="always")
borrowing = njit(_nrt=False)
