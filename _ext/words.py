"""Warnings in an author's words: the file that was written, its cell and line, and the nearest name there is.

What stopped the last build stands in ``failed.txt`` beside the pages, for those whom `make serve` shows them.
"""

import logging
import re
from pathlib import Path

from _ext.contents import chapters, contents, source, written
from _ext.paths import ROOT
from _ext.prose import meant

MISSING = [
    ("citation", re.compile(r'could not find bibtex key "([^"]+)"'), re.compile(r"^@\w+\{([^,\s]+)", re.M)),
    (
        "label",
        re.compile(r"""(?:undefined label|target not found)\W+([\w:.-]*\w)"""),
        re.compile(r":(?:label|name): ([\w:.-]*\w)|\(([\w:.-]+)\)=(?![^\\\"\n])"),
    ),
]
PAGE = re.compile(r"target not found: '([^'#]+\.(?:md|rst|ipynb))[#']")
UNLISTED = re.compile(r"Unknown source document '([^'#]+)'")


def in_words(message):
    """What a warning says: of a name that leads nowhere, which one is nearest."""
    if (found := UNLISTED.search(message)) and (path := source(found[1])):
        return f"{path.relative_to(ROOT).as_posix()} is not in _toc.yml, so the book has no such page"
    if found := PAGE.search(message):
        pages = {path.name: path.relative_to(ROOT).as_posix() for path in written()}
        name = pages.get(Path(found[1]).name, "")
        if name and name.rpartition(".")[0] not in contents():
            return f"{name} is not in _toc.yml, so the book has no such page"
        return f"no page {found[1]}{meant(Path(found[1]).name, pages)}"
    for kind, says, names in MISSING:
        if found := says.search(message):
            files = [*ROOT.glob("*.bib"), *chapters(), *ROOT.glob("pages/*.md")]
            known = {name[name.lastindex] for path in files for name in names.finditer(path.read_text())}
            known = {short: name for name in sorted(known) for short in (re.match(r"\D*\d*", name)[0], name)}
            return f"no {kind} {found[1]}{meant(found[1], known)}"
    return message


def place(location, source):
    """Where that is: ``chapters/02-bagging.ipynb, cell 5, line 2``; MyST-NB says 50003.

    >>> place("/b/chapters/02-bagging.ipynb:50003", "/b"), place("/b/index.md:3", "/b"), place(None, "/b")
    ('chapters/02-bagging.ipynb, cell 5, line 2', 'index.md, line 3', None)
    """
    path, colon, line = (location or "").removeprefix(f"{source}/").rpartition(":")
    if not colon or not line.isdigit():
        return location
    cell, line = divmod(int(line), 10_000)
    return f"{path}, cell {cell}, line {line - 1}" if path.endswith(".ipynb") else f"{path}, line {line}"


class InWords(logging.Filter):
    """Rewrite each warning of Sphinx before it is shown, and keep it."""

    def __init__(self, app):
        super().__init__()
        self.app, self.said = app, {}

    def filter(self, record):
        """Rewrite the record; whether it is to be shown."""
        said = logging.LogRecord.getMessage(record)
        if re.match(r"label '.*' not found\.$", said):
            return False  # sphinx-proof's, without a line; another with one follows
        record.msg, record.args = in_words(said), ()
        record.location = place(record.location, self.app.srcdir)
        self.said[f"{record.location or 'the book'}: {record.msg}"] = None
        return True

    def leave(self, app, exception):
        """Write the warnings, and what ended Sphinx, beside the pages."""
        failed, said = Path(app.outdir, "failed.txt"), [*self.said, *([str(exception)] if exception else [])]
        if said:
            failed.write_text("\n".join(said))
        else:
            failed.unlink(missing_ok=True)


def setup(app):
    """Called by Sphinx."""
    filter = InWords(app)
    for handler in logging.getLogger("sphinx").handlers:
        if handler.level == logging.WARNING:
            handler.addFilter(filter)
    app.connect("build-finished", filter.leave)
