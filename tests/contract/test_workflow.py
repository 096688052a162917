"""What runs elsewhere, looked at here: the workflow that publishes the site, and the pre-commit hooks."""

import os
import re
import shutil
import subprocess
import tomllib
from importlib.util import find_spec
from pathlib import Path

import psutil
import pytest
import yaml

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def jobs():
    return yaml.safe_load((ROOT / ".github/workflows/book.yml").read_text())["jobs"]


def promised():
    """The versions of Python that pyproject.toml names."""
    lines = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["classifiers"]
    return [
        line.rpartition(" ")[2] for line in lines if line.startswith("Programming Language :: Python :: ")
    ]


def commands(job):
    """The commands of a job's steps."""
    return [step["run"] for step in job["steps"] if "run" in step]


def test_the_workflow_does_what_a_user_does(jobs):
    build = jobs["build"]
    assert build["container"]["image"].endswith("bookworm"), "Debian 12"
    assert build["env"]["CI"] == "true"
    assert ".ci/run" in commands(build)
    assert os.access(ROOT / ".ci/run", os.X_OK)
    assert any(step.get("with", {}).get("path") == "_build/html" for step in build["steps"])
    assert jobs["publish"]["needs"] == "build", "nothing is published that failed a test"
    assert (
        "make test-portable PROCESSORS=machine" in commands(jobs["arm"]) and "arm" in jobs["arm"]["runs-on"]
    )
    assert "make test-without-numba" in commands(jobs["without-numba"])


@pytest.mark.skipif(os.name == "nt", reason="needs bash and make")
def test_a_fork_names_itself_everywhere(jobs):
    build = jobs["build"]["steps"]
    (step,) = [step for step in build if "make address" in step.get("run", "")]
    assert build.index(step) < [step.get("run") for step in build].index(".ci/run")
    names = {"GITHUB_SERVER_URL": "https://github.com", "GITHUB_REPOSITORY": "Ada/margins"}
    names |= {"SITE": "", "BRANCH": "trunk", "MAKEFLAGS": "n", "PATH": os.environ["PATH"]}
    bash = [shutil.which("bash"), "-euo", "pipefail", "-c", step["run"]]
    said = subprocess.run(bash, cwd=ROOT, env=names, check=True, capture_output=True, text=True).stdout
    asked = '.venv/bin/python -m tools.address "https://github.com/Ada/margins" --site "" --branch "trunk"'
    assert said.splitlines()[-1] == asked


@pytest.mark.skipif(os.name == "nt", reason="needs bash")
def test_the_plain_notebooks_get_a_branch_of_their_own(jobs, tmp_path):
    (publish,) = commands(jobs["notebooks"])
    assert jobs["notebooks"]["needs"] == "build" and jobs["notebooks"]["permissions"] == {"contents": "write"}
    (tmp_path / "temp/notebooks/labs").mkdir(parents=True)
    (tmp_path / "temp/notebooks/labs/a.ipynb").write_text("{}")

    def git(*words, at):
        done = subprocess.run(["git", *words], cwd=tmp_path / at, check=True, capture_output=True, text=True)
        return done.stdout.split()

    git("init", "-q", "--bare", "origin.git", at=".")
    git("clone", "-q", "origin.git", "work", at=".")
    (tmp_path / "work/chapter.ipynb").write_text("{}")
    git("add", ".", at="work")
    git("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-q", "-m", "all", at="work")
    names = {"RUNNER_TEMP": str(tmp_path / "temp"), "GITHUB_SHA": "4f", "PATH": os.environ["PATH"]}
    bash = [shutil.which("bash"), "-euo", "pipefail", "-c", publish]
    subprocess.run(bash, cwd=tmp_path / "work", env=names, check=True, capture_output=True)
    assert git("ls-tree", "-r", "--name-only", "notebooks", at="origin.git") == ["labs/a.ipynb"]
    assert len(git("rev-list", "notebooks", at="origin.git")) == 1, "no history is kept"


def test_every_target_that_is_named_exists(jobs):
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))
    named = {
        word
        for job in jobs.values()
        for line in commands(job)
        if "steps" in job
        for word in re.findall(r"make ([a-z-]+)", line)
    }
    for page in ["README.md", "CONTRIBUTING.md", "index.md", ".ci/run"]:
        named |= set(re.findall(r"(?:`|^ *)make ([a-z-]+)", (ROOT / page).read_text(), re.M))
    assert "book" in named and named <= targets, f"no such target: {sorted(named - targets)}"


def test_hooks_fetch_nothing_and_name_what_is_installed():
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())
    assert [repository["repo"] for repository in config["repos"]] == ["local"]
    for hook in config["repos"][0]["hooks"]:
        python, option, module, *_ = hook["entry"].split()
        assert (hook["language"], python, option) == ("system", ".venv/bin/python", "-m")
        assert find_spec(module), f"{module} is not in the environment"


def test_every_python_that_is_promised_is_tried(jobs):
    """And the first Python beyond is named where its user sees it."""
    build, versions = jobs["build"], promised()
    assert versions == [f"3.{minor}" for minor in range(11, 11 + len(versions))] and "3.14" in versions
    assert build["strategy"]["matrix"]["python"] == versions
    uploads = [step for step in build["steps"] if "upload" in step.get("uses", "")]
    assert len(uploads) == 2 and {step["if"] for step in uploads} == {"matrix.python == '3.11'"}
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"Python {', '.join(versions[:-1])} or {versions[-1]} " in readme
    first = (ROOT / "tools/bootstrap.py").read_text(encoding="utf-8")
    assert f"3.11 to {versions[-1]}" in first and f">= (3, {11 + len(versions)})" in first


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="needs a system that can lend a single core")
def test_as_many_processes_run_as_there_are_cores():
    def jobs_on(cores):
        done = subprocess.run(
            ["make", "-n", "test-fast"],
            cwd=ROOT,
            preexec_fn=lambda: os.sched_setaffinity(0, cores),
            check=True,
            capture_output=True,
            text=True,
        )
        return int(re.search(r"-n ([0-9]+) ", done.stdout)[1])

    here = sorted(os.sched_getaffinity(0))
    room = round(psutil.virtual_memory().total / 2e9)
    assert jobs_on(here[:1]) == 1
    assert jobs_on(here) == max(1, min(len(here), room))
