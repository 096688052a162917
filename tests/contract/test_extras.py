"""What ``pip install .`` and its extra for tests bring is enough: each import has a requirement."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
OURS = {"mllib", "grader", "_ext", "tools", "tests", "benchmarks"}


def named(extra=None):
    """The packages that pyproject.toml names for the bare installation, or for an extra beside it."""
    lines = PROJECT["dependencies"] + (PROJECT["optional-dependencies"][extra] if extra else [])
    found = set()
    for requirement in map(Requirement, lines):
        if requirement.name == PROJECT["name"]:
            found |= {name for other in requirement.extras for name in named(other)}
        else:
            found.add(canonicalize_name(requirement.name))
    return found


def brought(names):
    """These packages and all that they need, as they are installed here."""
    found, new = set(), set(names)
    while new:
        name = new.pop()
        found.add(name)
        try:
            needs = map(Requirement, requires(name) or [])
        except PackageNotFoundError:  # for another system
            continue
        needs = [need for need in needs if need.marker is None or need.marker.evaluate({"extra": ""})]
        new |= {canonicalize_name(need.name) for need in needs} - found
    return found


def imported(folder):
    """The packages of others that the files of a folder import when they are imported themselves."""
    found = set()
    for path in (ROOT / folder).rglob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Import):
                found |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                found.add(node.module.split(".")[0])
    return found - sys.stdlib_module_names - OURS


@pytest.mark.parametrize(("folder", "extra"), [("mllib", None), ("grader", None), ("tests", "test")])
def test_every_import_has_a_requirement(folder, extra):
    here, bring = packages_distributions(), brought(named(extra))
    rooms = [folder] if extra is None else [folder, "_ext", "tools", "benchmarks"]  # which the tests import
    modules = set().union(*map(imported, rooms)) - {"libsvm", "convert"}
    without = {
        module
        for module in modules
        if module in here and not {canonicalize_name(name) for name in here[module]} & bring
    }
    assert modules and not without, f"{without}: no requirement of [{extra}] brings them"
    assert "nbval" in bring, "the grader runs it"


def test_a_clone_without_a_book_skips_what_reads_it_and_says_why(tmp_path):
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True)
    for name in listed.stdout.splitlines():
        if (ROOT / name).is_file():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tmp_path / name)
    environment = {name: value for name, value in os.environ.items() if not re.fullmatch("CI|PYTEST.*", name)}
    pytest_ = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "book"]
    done = subprocess.run(
        [*pytest_, "tests/publish"],
        cwd=tmp_path,
        env=environment | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-2000:]
    assert "the book is not built: make book" in done.stdout and "empty parameter set" not in done.stdout
    assert not re.search("[0-9]+ (passed|failed|error)", done.stdout.splitlines()[-1])
