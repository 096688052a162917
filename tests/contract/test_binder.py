"""Binder: what repo2docker reads in `binder/`, looked at without building an image."""

import json
import os
import re
import shutil
import subprocess
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
BINDER = ROOT / "binder"
LOCK = (ROOT / "requirements.lock").read_text()
PINS = list(re.finditer(r"^([\w.-]+)(?:\[(.+?)\])?==([^\s;]+)", LOCK, re.M))
PINNED = {m[1].lower(): m[3] for m in PINS}
EXTRAS = {m[1].lower(): set((m[2] or "").split(",")) for m in PINS}


def test_the_folder_holds_what_repo2docker_knows():
    assert {path.name for path in BINDER.iterdir()} == {"requirements.txt", "runtime.txt", "postBuild"}


def test_requirements_are_the_lock():
    (line,) = (BINDER / "requirements.txt").read_text().splitlines()
    option, target = line.split()
    assert option == "-r", "pip reads the name after -r as seen from the file"
    assert (BINDER / target).resolve() == ROOT / "requirements.lock"


def test_every_line_of_the_lock_is_one_version_with_checksums():
    blocks = re.split(r"\n(?=\S)", LOCK.strip())
    for block in blocks:
        first = block.splitlines()[0]
        assert re.match(r"[\w.-]+(\[[\w,-]+\])?==\S+( ; .+)? \\$", first), first
        assert "--hash=sha256:" in block, f"{first} has no checksum"


def test_the_lock_names_the_extras_that_its_packages_ask_for():
    """Without them pip tries the newest ``jsonschema[format-nongpl]`` first and stops: it is not pinned."""
    asked = 0
    for name in PINNED:
        try:
            requirements = map(Requirement, metadata.requires(name) or [])
        except metadata.PackageNotFoundError:  # for another system
            continue
        for wanted in requirements:
            if wanted.name in PINNED and (wanted.marker is None or wanted.marker.evaluate({"extra": ""})):
                assert wanted.extras <= EXTRAS[wanted.name], f"{name} asks for {wanted}"
                asked += len(wanted.extras)
    assert asked > 0


def test_the_lock_holds_what_a_student_opens_on_binder():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wanted = project["project"]["dependencies"] + project["project"]["optional-dependencies"]["lab"]
    wanted += project["build-system"]["requires"]  # postBuild installs the package without its own build room
    for requirement in wanted:
        name = re.match(r"[\w-]+", requirement)[0]
        assert name in PINNED, f"{name} is not in requirements.lock"


def test_the_python_is_one_that_the_project_supports():
    version = re.fullmatch(r"python-(\d+)\.(\d+)\n", (BINDER / "runtime.txt").read_text())
    requires = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    least = tuple(map(int, requires.removeprefix(">=").split(".")))
    assert least <= tuple(map(int, version.groups())) <= (3, 13)


@pytest.mark.skipif(os.name == "nt", reason="needs bash")
def test_post_build_installs_the_package_and_takes_the_solutions_away(tmp_path):
    script = BINDER / "postBuild"
    assert script.read_text().startswith("#!/usr/bin/env bash\n")
    assert os.access(script, os.X_OK)
    for name in ["labs/04-boosting.ipynb", "labs/source/04-boosting.ipynb", "chapters/04-boosting.ipynb"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    tools = tmp_path / "tools"
    tools.mkdir()
    # Stands in for Binder's.
    (tools / "python").write_text('#!/bin/sh\n[ "$1" = -c ] && echo "$PWD/prefix" || echo "$@" >> asked\n')
    (tools / "python").chmod(0o755)
    shutil.copy(ROOT / "tools/lab.json", tools)
    path = os.pathsep.join([str(tools), os.environ["PATH"]])
    subprocess.run([shutil.which("bash"), script], cwd=tmp_path, env={"PATH": path}, check=True)
    (install,) = (tmp_path / "asked").read_text().splitlines()
    assert install.startswith("-m pip install ") and {"--no-deps", "-e", "."} <= set(install.split())
    settings = json.loads((tmp_path / "prefix/share/jupyter/lab/settings/overrides.json").read_text())
    assert settings["@jupyter-widgets/jupyterlab-manager:plugin"]["saveState"]
    left = {p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*.ipynb")}
    assert left == {"labs/04-boosting.ipynb", "chapters/04-boosting.ipynb"}
