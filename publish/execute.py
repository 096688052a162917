"""Run one notebook as the book does: strictly, and with what its page needs besides outputs."""

from pathlib import Path

from grader.notebook import NotebookFailed as NotebookFailed
from grader.notebook import execute as strictly
from publish.compiled import ROOT

KERNEL = str(Path(__file__).with_name("kernel.py"))


def execute(path, pages=None, way="../_frames"):
    """Run the notebook at ``path``; return it with fresh outputs, and the seconds it took.

    Parameters
    ----------
    path : Path
        It runs in its own folder, as it does in JupyterLab and in nbval.
    pages : Path, optional
        The folder for what pages need besides outputs: the frames of sliders in ``frames``, and the first
        figure that the notebook shows, without words, as ``card.png``. Without it sliders are live widgets.
    way : str
        How the page finds the frames in the site.
    """
    path = Path(path)
    name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
    start = ""
    if pages is not None:
        places = (str(pages / "frames"), str(pages / "card.png"), way)
        start = f"__import__('runpy').run_path({KERNEL!r})['install'](*{places!r})"
    return strictly(path, name, start)
