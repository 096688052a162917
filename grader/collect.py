"""Find what students handed in, and read it as what it is: bytes from a stranger.

Submissions lie in ``SUBMISSIONS/<student>/<NN-name>.ipynb``.  Whatever is wrong with one becomes a reason in
its row; it never stops the others.  A link, a pipe or a device is not opened at all, a huge file not read.
"""

import hashlib
import json
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

LARGEST = 20 << 20  # bytes; a lab with pictures in its outputs has one or two million
DEEPEST = 60  # nested brackets; a notebook has about ten
MOST_CELLS = 2000
MOST_BRACKETS = 500_000
# A string (one that never closes reaches to the end, so that the search stays linear) or a bracket.
TOKENS = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|[\[{]|[\]}]', re.DOTALL)


class BadNotebook(Exception):
    """A file that is no notebook, or not of this lab; the text says why."""


@dataclass(frozen=True)
class Submission:
    """One student's file: its bytes, or the reason why there are none."""

    student: str
    content: bytes = b""
    problem: str = ""
    note: str = ""

    @property
    def digest(self):
        return hashlib.sha256(self.content + self.problem.encode()).hexdigest()


def submissions(folder, lab):
    """Every student's submission for one lab, sorted by student, and the students without one.

    A file whose name was changed by a download (``04-boosting (1).ipynb``) is taken if it is the only one.

    Parameters
    ----------
    folder : Path
        Holds one folder a student.
    lab : str
        ``NN-name``.
    """
    found, missing = [], []
    with os.scandir(folder) as entries:
        students = sorted((e.name, e.is_symlink()) for e in entries if e.is_dir() and e.name[0] not in "._")
    for name, link in students:
        student = _legible(name)
        if link:
            found.append(Submission(student, problem="the student's folder is a link"))
            continue
        path = Path(folder, name, f"{lab}.ipynb")
        others = [] if os.path.lexists(path) else _renamed(path)
        if os.path.lexists(path):
            found.append(_read(student, path))
        elif len(others) == 1:
            found.append(_read(student, others[0], f"taken from {_legible(others[0].name)}"))
        elif others:
            names = ", ".join(_legible(other.name) for other in others)
            found.append(Submission(student, problem=f"several files could be it: {names}"))
        else:
            missing.append(student)
    return found, missing


def _legible(name):
    """A file's name as text that can be written: an archive of another time has names that are not UTF-8."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _renamed(path):
    """Notebooks beside ``path`` whose name begins as its name does."""
    try:
        return sorted(p for p in path.parent.glob("*.ipynb") if p.name.startswith(path.stem))
    except OSError:
        return []


def _read(student, path, note=""):
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return Submission(student, problem="not a file of its own (a link, a folder or a pipe)")
        # Not blocking and not following a link, should the file be exchanged in this instant.
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(handle, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size > LARGEST:
                return Submission(student, problem=f"{size >> 20} MB; at most {LARGEST >> 20} MB are read")
            content = file.read(LARGEST + 1)
    except OSError as problem:
        return Submission(student, problem=f"cannot be read: {problem.strerror}")
    return (
        Submission(student, content, note=note) if content else Submission(student, problem="an empty file")
    )


def parse(content):
    """The cells of a notebook, as plain dicts with ``kind``, ``id``, ``source`` and ``marks``.

    Raises :class:`BadNotebook` with a reason for everything that is not a notebook of format 4.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadNotebook("not a text in UTF-8") from None
    _measure(text)
    try:
        notebook = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise BadNotebook(f"not JSON (damaged, or cut off on its way?): {str(problem)[:80]}") from None
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        if isinstance(notebook, dict) and isinstance(notebook.get("worksheets"), list):
            raise BadNotebook("a notebook of format 3; save it with a newer Jupyter")
        raise BadNotebook("JSON, but not a notebook: it has no list of cells")
    if len(notebook["cells"]) > MOST_CELLS:
        raise BadNotebook(f"more than {MOST_CELLS} cells")
    cells = []
    for number, cell in enumerate(notebook["cells"]):
        if not isinstance(cell, dict):
            raise BadNotebook(f"cell {number} is not a cell")
        source = cell.get("source", "")
        if isinstance(source, list) and all(isinstance(line, str) for line in source):
            source = "".join(source)
        if not isinstance(source, str):
            raise BadNotebook(f"cell {number} has no text")
        source = source.encode("utf-8", "replace").decode()  # a lone half of a pair cannot be written
        cells.append({"kind": str(cell.get("cell_type")), "id": _identity(cell), "source": source})
        marks = _dict(_dict(cell.get("metadata")).get("lab"))
        cells[-1]["marks"] = marks
    stamp = _dict(_dict(notebook.get("metadata")).get("lab"))
    return cells, stamp


def _identity(cell):
    """The cell's id; some services move it into the metadata."""
    for place in (cell, _dict(cell.get("metadata"))):
        if isinstance(place.get("id"), str):
            return place["id"]
    return ""


def _dict(value):
    return value if isinstance(value, dict) else {}


def _measure(text):
    """Refuse JSON that is too deep or has too many parts, before a parser makes objects of it."""
    depth = brackets = 0
    for token in TOKENS.finditer(text):
        letter = text[token.start()]
        if letter != '"':
            brackets += 1
            depth += 1 if letter in "[{" else -1
            if depth > DEEPEST:
                raise BadNotebook("nested too deeply to be a notebook")
            if brackets > MOST_BRACKETS:
                raise BadNotebook("of more parts than a notebook has")
