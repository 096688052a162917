"""nbval runs the notebooks of the book, not what JupyterLab leaves beside them. (One that is named runs.)"""

from functools import cache

from _ext.contents import notebooks
from _ext.paths import ROOT


@cache
def _of_the_book():
    return {*notebooks()}


def pytest_ignore_collect(collection_path):
    """Called by pytest for what it finds in a folder."""
    room = collection_path.is_relative_to(ROOT / "chapters") or collection_path.is_relative_to(ROOT / "labs")
    if room and collection_path.suffix == ".ipynb" and collection_path not in _of_the_book():
        return True
