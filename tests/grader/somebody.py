"""Run things in the sandbox as an ordinary user, also when the tests run as root, who is refused less."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOBODY = 65534
RUN = """import json, sys
from grader.run import run
from grader.sandbox import Limits, Settings
steps, limits, more = json.loads(sys.stdin.read())
print(json.dumps(run(steps, Settings("bubblewrap", Limits(**limits), **more))[0]))"""


def ordinary(*command):
    """A command that runs as an ordinary user: itself, or for root one that gives up being root.

    A Python in root's own home is closed to others; in a mount name space of its own it is shown to them.
    """
    if os.getuid() != 0:
        return list(command)
    prefix, show = sys.base_prefix, ""
    shut = [p for p in reversed(Path(prefix).parents) if not p.stat().st_mode & 0o001]
    if shut:
        aside = f"/tmp/python-{NOBODY}"
        show = (
            f"mkdir -p {aside} && mount --bind {prefix} {aside} && mount -t tmpfs -o mode=755 none {shut[0]} "
        )
        show += f"&& mkdir -p {prefix} && mount --bind {aside} {prefix} && "
    become = f"setpriv --reuid {NOBODY} --regid {NOBODY} --clear-groups env HOME=/tmp"
    return ["unshare", "--mount", "sh", "-c", f'{show}exec {become} "$@"', "sh", *command]


def can_be_ordinary():
    done = subprocess.run(ordinary(sys.executable, "-c", "import numpy"), cwd=ROOT, capture_output=True)
    return done.returncode == 0


def outcomes_as(who, steps, limits=None, **more):
    """What ``grader.run.run`` gives for the steps, run by ``me`` or by an ``ordinary user``."""
    if who == "ordinary user" and not can_be_ordinary():
        pytest.skip("this machine lets nobody become an ordinary user who can read this Python")
    start = [sys.executable, "-c", RUN]
    done = subprocess.run(
        ordinary(*start) if who == "ordinary user" else start,
        input=json.dumps([steps, limits or {}, more]),
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
