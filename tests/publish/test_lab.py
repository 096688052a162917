"""`make lab`: what is saved differs from what was there by what was edited; plain notebooks are offered."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from _ext.contents import chapters
from _ext.paths import ROOT
from benchmarks.labs import jupyterlab
from tools.plain import NO_BOOK, offer_in_lab

SPACE = " "
OPEN = ["--IdentityProvider.token=", "--ServerApp.disable_check_xsrf=True"]  # to a test


def started(*asked, **environment):
    """The lines that `make lab` runs."""
    make = ["make", "-n", "--no-print-directory", "lab", *asked]  # within make, too
    environment = os.environ | environment
    done = subprocess.run(make, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.replace("\\\n", " ").strip()


def flags(*asked, **environment):
    """What `make lab` tells JupyterLab."""
    return started(*asked, **environment).rpartition("jupyter lab ")[2].split()


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    """The server that `make lab` starts on a copy of the chapters: the folder, and where its files are."""
    home = tmp_path_factory.mktemp("lab")
    for path in chapters():
        copy = home / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    with jupyterlab(home, *flags(), *OPEN) as (_, port):
        yield home, f"http://127.0.0.1:{port}/api/contents"


@pytest.mark.parametrize("path", chapters(), ids=lambda path: path.stem)
def test_a_blank_in_every_markdown_cell_changes_nothing_else(path, opened):
    home, files = opened
    name = path.relative_to(ROOT).as_posix()
    with urlopen(f"{files}/{name}?content=1&type=notebook") as answer:
        content = json.load(answer)["content"]
    for cell in content["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] += SPACE
    body = json.dumps({"type": "notebook", "format": "json", "content": content}).encode()
    save = Request(f"{files}/{name}", body, {"Content-Type": "application/json"}, method="PUT")
    with urlopen(save) as answer:
        assert answer.status == 200
    before, after = (json.loads((root / name).read_text(encoding="utf-8")) for root in (ROOT, home))
    edited = [cell for cell in before["cells"] if cell["cell_type"] == "markdown"]
    for cell in edited:
        cell["source"][-1] += SPACE
    assert after == before and len(edited) > 2


def test_without_a_book_it_says_how_to_get_plain_notebooks(tmp_path):
    assert offer_in_lab(tmp_path / "none", tmp_path / "plain") == [NO_BOOK]
    assert not (tmp_path / "plain").exists()


def test_plain_notebooks_are_renewed_and_what_somebody_wrote_stays(tmp_path):
    made, plain = tmp_path / "made", tmp_path / "plain"
    (made / "more").mkdir(parents=True)
    for name in ("a", "b", "more/c"):
        (made / f"{name}.ipynb").write_text(f"{name} 1")

    def there():
        return {p.relative_to(plain).as_posix(): p.read_text() for p in plain.rglob("*.ipynb")}

    assert len(offer_in_lab(made, plain)) == 1
    assert there() == {"a.ipynb": "a 1", "b.ipynb": "b 1", "more/c.ipynb": "more/c 1"}
    (plain / "a.ipynb").write_text("mine")
    (plain / "mine.ipynb").write_text("mine")
    for name in ("a", "b"):
        (made / f"{name}.ipynb").write_text(f"{name} 2")
    expected = {"a.ipynb": "mine", "b.ipynb": "b 2", "more/c.ipynb": "more/c 1", "mine.ipynb": "mine"}
    for _ in range(2):
        _, kept = offer_in_lab(made, plain)
        assert "plain/a.ipynb is yours" in kept
        assert there() == expected


def test_make_lab_offers_the_plain_notebooks_first():
    lines = started().splitlines()
    assert lines.index(".venv/bin/python -m tools.plain") < len(lines) - 1
    assert "/plain/" in (ROOT / ".gitignore").read_text().split()


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="who is not root is not refused")
def test_root_gets_a_server_and_a_sentence(tmp_path):
    assert "You are root" in started()
    with jupyterlab(tmp_path, *flags(), *OPEN, root_too=False) as (_, port):
        assert urlopen(f"http://127.0.0.1:{port}/api").status == 200


@pytest.mark.skipif(os.name == "nt", reason="needs a shell")
def test_an_ordinary_user_gets_no_flag_for_root(tmp_path):
    Path(tmp_path, "id").write_text("#!/bin/sh\necho 1000\n")
    Path(tmp_path, "id").chmod(0o755)
    assert "--allow-root" not in flags(PATH=os.pathsep.join([str(tmp_path), os.environ["PATH"]]))
