"""Where the project and its build are, and names for what has been built from something."""

import hashlib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "_build"
HTML = BUILD / "html"
UNSEEN = (".pyc", ".nbi", ".nbc", ".css", ".js")  # no kernel reads them, or they are made by one


def digest(*parts):
    """A short name for the given bytes and texts."""
    total = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode()
        total.update(len(data).to_bytes(8, "big"))
        total.update(data)
    return total.hexdigest()[:16]


def package_digest():
    """A name for the package as it stands: every source and data file."""
    files = sorted(p for p in (ROOT / "mllib").rglob("*") if p.is_file() and p.suffix not in UNSEEN)
    return digest(*(part for p in files for part in (p.relative_to(ROOT).as_posix(), p.read_bytes())))
