"""What runs elsewhere, looked at here: the workflow that publishes the site, and the pre-commit hooks."""

import os
import re
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def jobs():
    return yaml.safe_load((ROOT / ".github/workflows/book.yml").read_text())["jobs"]


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


@pytest.mark.skipif(os.name == "nt", reason="needs bash and sed")
@pytest.mark.parametrize(
    ("repository", "site", "published"),
    [
        ("Ada/margins", "", "https://ada.github.io/margins/"),
        ("Ada/ada.github.io", "", "https://ada.github.io/"),
        ("Ada/margins", "https://margins.example/", "https://margins.example/"),
    ],
)
def test_a_fork_links_to_itself(jobs, tmp_path, repository, site, published):
    (rewrite,) = [command for command in commands(jobs["build"]) if "_config.yml" in command]
    shutil.copy(ROOT / "_config.yml", tmp_path)
    names = {"GITHUB_SERVER_URL": "https://github.com", "BRANCH": "trunk", "SITE": site}
    names |= {"GITHUB_REPOSITORY": repository, "GITHUB_REPOSITORY_OWNER": repository.partition("/")[0]}
    bash = [shutil.which("bash"), "-euo", "pipefail", "-c", rewrite]
    subprocess.run(bash, cwd=tmp_path, env=names | {"PATH": os.environ["PATH"]}, check=True)
    before = yaml.safe_load((ROOT / "_config.yml").read_text())
    after = yaml.safe_load((tmp_path / "_config.yml").read_text())
    assert after.pop("repository") == {"url": f"https://github.com/{repository}", "branch": "trunk"}
    assert after["html"].pop("baseurl") == published
    del before["repository"], before["html"]["baseurl"]
    assert after == before, "nothing else was touched"


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
