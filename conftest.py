"""For every run of pytest: compiled code that belongs to the package as it stands (see book/compiled.py)."""

import os

from book.compiled import numba_cache

os.environ.setdefault("NUMBA_CACHE_DIR", str(numba_cache()))
