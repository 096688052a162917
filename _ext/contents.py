"""Which pages and notebooks the book has: those that ``_toc.yml`` names.

Whatever in this project wants the chapters or the labs asks here, and nobody searches the folders: JupyterLab
leaves copies there (``.ipynb_checkpoints``) and notebooks without a name, and these are no chapters.
"""

import subprocess
from pathlib import Path

import yaml

from _ext.paths import BUILD, ROOT

ENDINGS = (".md", ".rst", ".ipynb")
EXECUTED = BUILD / "executed"  # see execute.py
FOLDERS = ("chapters", "chapters/more", "labs", "pages", "pages/api")


def pages_in_toc(toc):
    """The pages that a table of contents names, in order."""
    if isinstance(toc, list):
        return [page for entry in toc for page in pages_in_toc(entry)]
    own = [toc[name] for name in ("root", "file") if name in toc]
    return own + [p for part in ("parts", "chapters", "sections") for p in pages_in_toc(toc.get(part, []))]


def contents(root=ROOT):
    """The pages of the book, in order."""
    return pages_in_toc(yaml.safe_load(Path(root, "_toc.yml").read_text(encoding="utf-8")))


def page_of(path, root=ROOT):
    """What the table of contents calls the page that is made from this file."""
    return path.relative_to(root).with_suffix("").as_posix()


def source(page, root=ROOT):
    """The file that a page of the book is made from, or None."""
    return next((f for ending in ENDINGS if (f := Path(root, f"{page}{ending}")).is_file()), None)


def executed(page):
    """The notebook of a page with what its cells give: a chapter's as the build has run it, a lab's own."""
    return (EXECUTED if page.startswith("chapters/") else ROOT) / f"{page}.ipynb"


def chapters(root=ROOT):
    """The notebooks of the chapters and of their second readings, in order."""
    return [Path(root, f"{page}.ipynb") for page in contents(root) if page.startswith("chapters/")]


def main_chapters(root=ROOT):
    """The notebooks of the chapters alone."""
    return [path for path in chapters(root) if path.parent.name == "chapters"]


def second_readings(root=ROOT):
    """The notebooks of the second readings alone."""
    return [path for path in chapters(root) if path.parent.name == "more"]


def labs(root=ROOT):
    """The labs as students get them, in order."""
    return [Path(root, f"{page}.ipynb") for page in contents(root) if page.startswith("labs/")]


def lab_sources(root=ROOT):
    """The sources of the labs, with their solutions."""
    return [path.parent / "source" / path.name for path in labs(root)]


def notebooks(root=ROOT):
    """Every notebook of the project."""
    return [*chapters(root), *lab_sources(root), *labs(root)]


def written(root=ROOT):
    """The files of all pages that somebody has written, whether or not the table of contents names them.

    As git has them; where there is no git (an unpacked archive), what lies in the folders of the pages.
    """
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *FOLDERS]
    try:
        asked = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
        files = [Path(root, name) for name in asked.stdout.splitlines()]
    except (OSError, subprocess.CalledProcessError):
        files = [path for folder in FOLDERS for path in Path(root, folder).glob("[!.]*")]
    rooms = {Path(root, folder) for folder in FOLDERS}
    return sorted(p for p in files if p.parent in rooms and p.suffix in ENDINGS and p.is_file())
