"""Habits that a machine can check: style, spelling, layers."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run(*command):
    """Run a tool of the environment in the project's root; return its exit code and what it said."""
    result = subprocess.run(
        [str(Path(sys.executable).with_name(command[0])), *command[1:]],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return result.returncode, result.stdout + result.stderr


@pytest.mark.parametrize(
    "command",
    [
        ("ruff", "check", "--no-cache", "."),
        ("ruff", "format", "--no-cache", "--check", "."),
        ("codespell",),
        ("lint-imports", "--no-cache"),
    ],
    ids=["ruff", "format", "spelling", "layers"],
)
def test_tool_finds_nothing(command):
    code, said = run(*command)
    assert code == 0, said


def test_nothing_names_a_package_index():
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    hosts = [
        "".join(parts) for parts in [("pypi.", "org"), ("pythonhosted.", "org"), ("registry.npmjs.", "org")]
    ]
    for name in tracked.splitlines():
        path = ROOT / name
        if path.is_file() and path.suffix not in (".js", ".npz", ".gz"):
            text = path.read_text(encoding="utf-8", errors="replace")
            assert not [host for host in hosts if host in text], f"{name} names the host of a package index"
