"""One command writes the address everywhere, and says in words what is wrong with a bad one."""

import doctest
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from _ext import address as written
from _ext import contents
from grader.release import disagreement
from tools import address
from tools.normalise import problems

ROOT = Path(__file__).parents[2]
TEXT = {".md", ".yml", ".cff", ".ipynb", ".toml", ".py", ".html", ".txt", ""}
OWN = {"_ext/address.py", "tests/publish/test_address.py"}  # they name what stands for no address


@pytest.fixture
def copy(tmp_path):
    """The project's texts as git has them."""
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in set(tracked.splitlines()) - OWN:
        if (ROOT / name).suffix in TEXT and (ROOT / name).is_file():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def naming(root, words):
    """The files in which these words stand."""
    files = [path for path in root.rglob("*") if path.is_file()]
    return {p.relative_to(root).as_posix() for p in files if words in p.read_text(encoding="utf-8")}


@pytest.mark.parametrize("site", ["", "https://margins.example"])
def test_every_place_gets_the_address(copy, site):
    settings = yaml.safe_load((copy / "_config.yml").read_text())
    old = settings["repository"]["url"], settings["html"]["baseurl"].rstrip("/")
    url, published = "https://github.com/Eva/margins", site or "https://eva.github.io/margins"
    changed = address.set_address(f"{url}.git", site, "trunk", root=copy)
    assert not naming(copy, old[0]) and not naming(copy, old[1]), "an old address is left"
    labs = {p.relative_to(copy).as_posix() for p in [*contents.labs(copy), *contents.lab_sources(copy)]}
    assert naming(copy, url) == {path.relative_to(copy).as_posix() for path in changed}
    assert {"_config.yml", "CITATION.cff", "README.md"} | labs <= naming(copy, url)
    assert yaml.safe_load((copy / "_config.yml").read_text())["repository"] == {"url": url, "branch": "trunk"}
    assert (written.repository(copy), written.published(copy)) == (url, published + "/")
    for lab in contents.labs(copy):
        source = lab.parent / "source" / lab.name
        assert not disagreement(source, lab) and not problems(lab) and not problems(source)
    address.set_address(written.UNSET, root=copy)
    assert written.repository(copy) is None and written.published(copy) is None and not naming(copy, url)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["git@github.com:ada/margins.git"], "no address of a repository on GitHub or GitLab"),
        (["https://example.org/ada/margins"], "looks like https://github.com/owner/name"),
        (["https://github.com/ada"], "looks like https://github.com/owner/name"),
        (["https://github.com/ada/margins", "--site", "margins.example"], "no address of a site"),
    ],
)
def test_a_bad_address_is_refused_in_words(given, words, capsys):
    before = (ROOT / "_config.yml").read_bytes()
    with pytest.raises(SystemExit, match="2"):
        address.main(given)
    said = " ".join(capsys.readouterr().err.split())
    assert words in said and "make address URL=" in said
    assert (ROOT / "_config.yml").read_bytes() == before


def test_examples_and_help(capsys):
    assert doctest.testmod(address).failed == 0
    with pytest.raises(SystemExit, match="0"):
        address.main(["--help"])
    assert "make address URL=https://github.com/owner/name [SITE=...] [BRANCH=...]" in capsys.readouterr().out
