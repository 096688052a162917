"""For every run of pytest: compiled code belongs to the package as it stands (see publish/compiled.py).

And nbval runs the notebooks of the book, not what JupyterLab leaves beside them. (A file that is named runs.)
"""

import os
from functools import cache

from publish.compiled import ROOT, numba_cache
from publish.contents import notebooks

os.environ.setdefault("NUMBA_CACHE_DIR", str(numba_cache()))


@cache
def _of_the_book():
    return {*notebooks()}


def pytest_ignore_collect(collection_path):
    """Called by pytest for what it finds in a folder."""
    room = collection_path.is_relative_to(ROOT / "chapters") or collection_path.is_relative_to(ROOT / "labs")
    if room and collection_path.suffix == ".ipynb" and collection_path not in _of_the_book():
        return True
