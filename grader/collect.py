"""Find what students handed in, and read it as what it is: bytes from a stranger.

Submissions lie in ``SUBMISSIONS/<student>/<NN-name>.ipynb``; what lies there under another name is found too,
or told.  Whatever is wrong with one becomes a reason in its row; it never stops the others.  A link, a pipe
or a device is not opened at all, a huge file not read.
"""

import functools
import hashlib
import itertools
import json
import os
import re
import stat
from dataclasses import dataclass, replace
from pathlib import Path

LARGEST = 20 << 20  # bytes; a lab with pictures in its outputs has one or two million
DEEPEST = 60  # nested brackets; a notebook has about ten
MOST_CELLS = 2000
MOST_FILES, MOST_FOLDERS = 5000, 20  # looked at in a student's folder; folders inside folders
MOST_OPENED = 20  # notebooks of one student whose names tell no lab
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
        return hashlib.sha256(self.content + (self.problem + self.note).encode()).hexdigest()


def submissions(folder, lab, labs=()):
    """Every student's submission for one lab, sorted by student, and the students without one.

    The file ``<student>/<lab>.ipynb`` is taken, else the only notebook in the student's folder (or further
    in) that is of this lab by its name (``Copy of 04_boosting (1).IPYNB``) or by its stamp.

    Parameters
    ----------
    folder : Path
        Holds one folder a student.
    lab : str
        ``NN-name``.
    labs : iterable of str
        All labs that there are: their files are no concern of this one.

    Returns
    -------
    found : list of Submission
    missing : dict
        The other students, each with the names of what they handed in that is of no lab and may be this one.
    """
    found, missing = [], {}
    for name, link in _students(folder):
        student = _legible(name)
        if link:
            found.append(Submission(student, problem="the student's folder is a link"))
            continue
        path = Path(folder, name, f"{lab}.ipynb")
        there = os.path.lexists(path)
        files = [file for file in _files(path.parent) if file != path]
        lab_of = _labs_of(files, {lab, *labs})
        others = [file for file in files if lab_of.get(file) == lab]
        if there:
            found.append(_beside(_read(student, path), path, others))
        elif len(others) == 1:
            found.append(_read(student, others[0], f"taken from {_inside(others[0], path)}"))
        elif others:
            names = _listed(others, path)
            found.append(Submission(student, problem=f"several files could be it: {names}"))
        else:
            missing[student] = [_inside(file, path) for file in _of_no_lab(files, lab_of, lab)]
    return found, missing


def labs_handed_in(folder, labs):
    """The labs of which anybody handed in a file."""
    files = [_files(Path(folder, name)) for name, link in _students(folder) if not link]
    return {lab for each in files for lab in _labs_of(each, labs).values()} - {None}


def not_looked_at(folder):
    """What lies in the folder and is not read: notebooks in no student's folder, and folders left out."""
    with os.scandir(folder) as entries:
        entries = sorted((e.name, e.is_dir()) for e in entries)
    notebooks = [_legible(name) for name, inner in entries if not inner and _notebook(Path(name))]
    return notebooks, [_legible(name) for name, inner in entries if inner and _left_out(name)]


def _students(folder):
    """The students' folders, sorted: (name, whether it is a link)."""
    with os.scandir(folder) as entries:
        return sorted((e.name, e.is_symlink()) for e in entries if e.is_dir() and not _left_out(e.name))


def _left_out(name):
    """Whether a folder is a system's own: hidden, or what a Mac puts into an archive."""
    return name.startswith(".") or name == "__MACOSX"


def _files(folder):
    """The files below a folder, sorted, those of hidden folders left out; no link to a folder is followed."""
    found, todo, seen = [], [(folder, 0)], 0
    while todo:
        place, depth = todo.pop()
        try:
            with os.scandir(place) as entries:
                for entry in itertools.islice(entries, max(0, MOST_FILES - seen)):
                    seen += 1
                    if _left_out(entry.name):
                        continue
                    if not entry.is_dir(follow_symlinks=False):
                        found.append(Path(entry))
                    elif depth < MOST_FOLDERS:
                        todo.append((entry.path, depth + 1))
                    else:  # named among the files: nobody looked into it
                        found.append(Path(entry))
        except OSError:
            continue
    return sorted(found)


def _notebook(path):
    return path.suffix.lower() == ".ipynb"


def _labs_of(files, labs):
    """The lab that each notebook is of: by its name, else by the stamp in its metadata, or None."""
    found, opened = {}, 0
    for file in filter(_notebook, files):
        stem = _plain(file.stem)
        found[file] = max((lab for lab in labs if _plain(lab) in stem), key=len, default=None)
        if not found[file] and opened < MOST_OPENED:
            opened += 1
            stamp = _stamp(file, *_version(file), tuple(sorted(labs)))
            found[file] = stamp if stamp in labs else None
    return found


def _version(path):
    try:
        facts = os.lstat(path)
    except OSError:
        return 0, 0
    return facts.st_size, facts.st_mtime_ns


@functools.lru_cache(10_000)
def _stamp(path, size, changed, labs):
    """The name in a notebook's stamp; each file is read for it once, and parsed if it names a lab at all."""
    content = _read("", path).content
    try:
        name = parse(content)[1].get("name") if any(lab.encode() in content for lab in labs) else None
    except BadNotebook:
        return None
    return name if isinstance(name, str) else None


def _of_no_lab(files, lab_of, lab):
    """Notebooks of no lab, other files that bear this lab's name, and any file if no notebook is of a lab."""
    nothing = not any(lab_of.values())

    def may_be(file):
        return lab_of[file] is None if file in lab_of else nothing or _plain(lab) in _plain(file.name)

    return list(filter(may_be, files))


def _plain(name):
    """A name without what systems and people change in it.

    >>> _plain("Copy of 04_Boosting (1)")
    'copyof04boosting1'
    """
    return re.sub(r"[\W_]", "", name.lower())


def _beside(submission, path, others):
    """A submission with a word about files that could be it too; if it is broken, the only other one."""
    if not others:
        return submission
    names, problem = _listed(others, path), submission.problem
    if len(others) == 1:
        try:
            parse(submission.content)
        except BadNotebook as reason:
            problem = problem or str(reason)
        if problem:
            note = f"taken from {names}; {_legible(path.name)}: {problem}"
            return _read(submission.student, others[0], note)
    return replace(submission, note=f"beside it: {names}, not read")


def _listed(files, path):
    """The names of files, as seen from the folder of ``path``, in a line."""
    return few([_inside(file, path) for file in files])


def few(names, most=10):
    """Names in a line, a long list cut short.

    >>> few(["a", "b", "c", "d"], 2)
    'a, b and 2 more'
    """
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def _inside(file, path):
    return _legible(str(file.relative_to(path.parent)))


def _legible(name):
    """A file's name as text that can be written: an archive of another time has names that are not UTF-8.

    >>> _legible(os.fsdecode(b"mu\\xe9")), _legible("mu\\\\xe9")
    ('mu\\\\xe9', 'mu\\\\\\\\xe9')
    """
    return os.fsencode(name).replace(b"\\", b"\\\\").decode("utf-8", "backslashreplace")


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
    return Submission(student, content, "" if content else "an empty file", note if content else "")


def parse(content):
    """The cells of a notebook, as plain dicts with ``kind``, ``id``, ``source`` and ``marks``.

    Raises :class:`BadNotebook` with a reason for everything that is not a notebook of format 4.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadNotebook("not a text in UTF-8") from None
    measure(text)
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
        ids = [id for id in (cell.get("id"), _metadata(cell).get("id")) if isinstance(id, str)]
        cells.append({"kind": str(cell.get("cell_type")), "source": source, "marks": _metadata(cell, "lab")})
        cells[-1]["id"] = next(iter(ids), "")  # some services move it into the metadata
    return cells, _metadata(notebook, "lab")


def writable(data):
    """Plain data whose texts can all be written: a lone half of a pair becomes a question mark.

    >>> writable({"said": ["a \\udc80"]})
    {'said': ['a ?']}
    """
    if isinstance(data, str):
        return data.encode("utf-8", "replace").decode()
    if isinstance(data, dict):
        return {writable(key): writable(value) for key, value in data.items()}
    return list(map(writable, data)) if isinstance(data, list | tuple) else data


def _metadata(part, *keys):
    """The metadata of a notebook or a cell, or what lies in them under a key; empty if it is no dict."""
    for key in ("metadata", *keys):
        part = part.get(key)
        part = part if isinstance(part, dict) else {}
    return part


def measure(text):
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
