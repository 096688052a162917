"""One command writes the address everywhere, and says in words what is wrong with a bad one."""

import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from grader.release import disagreement
from publish import address
from publish.normalise import problems

ROOT = Path(__file__).parents[2]
TEXT = {".md", ".yml", ".cff", ".ipynb", ".toml", ".py", ".html", ".txt", ""}
OWN = {"publish/address.py", "tests/publish/test_address.py"}  # they name what stands for no address


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


def test_every_place_gets_the_address_and_then_another_one(copy):
    settings = yaml.safe_load((copy / "_config.yml").read_text())
    old = [settings["repository"]["url"], settings["html"]["baseurl"].rstrip("/")]
    labs = {p.relative_to(copy).as_posix() for p in copy.glob("labs/**/*.ipynb")}
    for url, site, written, published in [
        (
            "https://github.com/Eva/margins.git",
            "",
            "https://github.com/Eva/margins",
            "https://eva.github.io/margins",
        ),
        (
            "https://gitlab.com/bo/course/",
            "https://margins.example",
            "https://gitlab.com/bo/course",
            "https://margins.example",
        ),
    ]:
        changed = address.set_address(url, site, "trunk", root=copy)
        assert not [naming(copy, words) for words in old if naming(copy, words)], "an old address is left"
        assert naming(copy, written) == {p.relative_to(copy).as_posix() for p in changed}
        assert {"_config.yml", "CITATION.cff", "README.md"} | labs <= naming(copy, written)
        settings = yaml.safe_load((copy / "_config.yml").read_text())
        assert settings["repository"] == {"url": written, "branch": "trunk"}
        assert settings["html"]["baseurl"] == published + "/"
        assert (address.repository(copy), address.published(copy)) == (written, published + "/")
        old = [written, published]
    for lab in sorted(copy.glob("labs/*.ipynb")):
        source = lab.parent / "source" / lab.name
        assert not disagreement(source, lab) and not problems(lab) and not problems(source)


def test_without_an_address_no_button_leads_anywhere(copy):
    address.set_address(address.UNSET, root=copy)
    assert address.repository(copy) is None and address.published(copy) is None


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["git@github.com:ada/margins.git"], "no address of a repository on GitHub or GitLab"),
        (["https://example.org/ada/margins"], "looks like https://github.com/owner/name"),
        (["https://github.com/ada"], "looks like https://github.com/owner/name"),
        ([""], "'' is no address"),
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


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("https://github.com/Ada/margins", "https://ada.github.io/margins/"),
        ("https://github.com/Ada/ada.github.io", "https://ada.github.io/"),
        ("https://gitlab.com/ada/margins", "https://ada.gitlab.io/margins/"),
    ],
)
def test_the_site_follows_from_the_repository(url, site):
    assert address.checked(url) == (url, site)
