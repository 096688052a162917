"""How the loops of the package are compiled, and where their machine code is kept.

numba's own cache does not notice that a function in *another* file has changed: an edited helper would go on
running in its old form. So a checkout keeps machine code in a folder that is named by all of its sources, in
``_build/numba``; whoever edits one begins with an empty folder.
"""

import hashlib
import os
import shutil
import time
from contextlib import suppress
from pathlib import Path

import numba
from numba import config

PACKAGE = Path(__file__).parent
DAY = 24 * 60 * 60


def _folder():
    """Where machine code is kept: where NUMBA_CACHE_DIR says; of an installed package, where numba likes."""
    if config.CACHE_DIR or not (PACKAGE.parent / "pyproject.toml").exists():
        return config.CACHE_DIR
    sources = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        sources.update(f"{path.relative_to(PACKAGE)} {path.stat().st_size}\n".encode() + path.read_bytes())
    folder = PACKAGE.parent / "_build/numba" / sources.hexdigest()[:16]
    with suppress(OSError):  # where nothing can be written, or another process removes the same
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        for other in folder.parent.iterdir():
            if other.stat().st_mtime < time.time() - DAY:  # of sources that nobody has used for a day
                shutil.rmtree(other)
    return str(folder)


FOLDER = _folder()


def njit(function=None, **options):
    """numba's, whose machine code is kept (this package's alone in its folder) and lets other threads run."""
    if function is None:
        return lambda function: njit(function, **options)
    before, config.CACHE_DIR = config.CACHE_DIR, FOLDER
    try:
        return numba.njit(cache=True, nogil=True, **options)(function)
    finally:
        config.CACHE_DIR = before
