"""For every run of pytest: compiled code belongs to the package as it stands (see publish/compiled.py)."""

import os

from publish.compiled import numba_cache

os.environ.setdefault("NUMBA_CACHE_DIR", str(numba_cache()))
