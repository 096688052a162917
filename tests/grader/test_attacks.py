"""What an attacker found, mended: each of these failed once, most of them for one kind of user only."""

import os
import sys

import pytest

from grader import sandbox
from grader.__main__ import main
from tests.grader import cohort
from tests.grader.small_lab import NAME
from tests.grader.somebody import outcomes_as

WHO = ["me", "ordinary user"] if os.getuid() == 0 else ["ordinary user"]


@pytest.fixture(params=WHO)
def attempt(request, bubblewrap):
    """Run cells in the sandbox: their statuses, or whole outcomes."""

    def run(*sources, limits=None, **more):
        steps = [{"source": source} for source in sources]
        return outcomes_as(request.param, steps, limits, **more)

    return run


def statuses(outcomes):
    return [outcome["status"] for outcome in outcomes]


# --- honest marks do not depend on who runs the grader --------------------------------------------

ZOMBIES = """import os, subprocess, time
ended = subprocess.Popen(["true"])  # nobody asks how it ended
if os.fork() == 0:
    os._exit(0)
time.sleep(0.5)"""
POOL = """import multiprocessing, time
pool = multiprocessing.get_context("fork").Pool(2)
assert pool.map(abs, [-1, 2]) == [1, 2]
pool.close()
time.sleep(0.5)  # and no join
assert pool is not None"""


def test_a_child_that_nobody_waited_for_costs_nothing(attempt):
    assert statuses(attempt(ZOMBIES, POOL, "1 + 1")) == ["ok"] * 3


def test_what_honest_programs_start_still_starts(attempt):
    jobs = (
        "from joblib import Parallel, delayed\nassert Parallel(2)(delayed(abs)(i) for i in (-1, 2)) == [1, 2]"
    )
    shell = "import os\nassert os.system('exit 3') == 3 << 8\nassert !echo word == ['word']"
    shell = shell.replace("assert !echo word == ['word']", "said = !echo word\nassert said == ['word']")
    threads = "import threading\nt = threading.Thread(target=print)\nt.start()\nt.join()"
    assert statuses(attempt(jobs, shell, threads)) == ["ok"] * 3


# --- process 1 of the sandbox has no more rights than any other -----------------------------------

FIRST = """import os
status, limits = open("/proc/1/status").read(), open("/proc/1/limits").read()
assert "Seccomp:\\t2" in status and "NoNewPrivs:\\t1" in status
assert limits == open("/proc/self/limits").read()
for line in status.splitlines():
    if line.startswith(("CapEff", "CapPrm", "CapAmb")):
        assert int(line.split()[1], 16) == 0
import ctypes
assert ctypes.CDLL(None).prctl(1, 0) == -1  # whose death is ours"""


def test_process_one_is_filtered_and_limited_like_all_others(attempt):
    assert (
        statuses(attempt(FIRST, "import os, signal\nos.kill(1, signal.SIGINT)\nos.kill(1, 9)", "1"))
        == ["ok"] * 3
    )


# --- memory that is handed from child to child ----------------------------------------------------

HOPPING = """import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
clone = {"x86_64": 56, "aarch64": 220}[os.uname().machine]
child = libc.syscall(clone, 0x100 | 17, 0, 0, 0, 0)  # CLONE_VM, and the parent goes on
if child == 0:
    libc._exit(0)
assert child == -1 and ctypes.get_errno() == 1"""


def test_no_process_shares_the_memory_of_one_that_goes_on(attempt):
    assert statuses(attempt(HOPPING)) == ["ok"]


# --- nothing of the grader's own is readable ------------------------------------------------------


@pytest.mark.parametrize("inside", ["submissions", "source", "grading", "out"])
def test_folders_that_every_submission_could_read_are_refused(
    bubblewrap, small, tmp_path, monkeypatch, capsys, inside
):
    cohort.build(tmp_path / "submissions", small.released, {"places": [], "port": 9}, ["ada"])
    folders = {"source": small.source.parent, "grading": small.grading, "out": tmp_path / "grades"}
    folders["submissions"] = tmp_path / "submissions"
    shown = folders[inside] if folders[inside].exists() else tmp_path
    (tmp_path / "link").symlink_to(shown)
    monkeypatch.setattr(sandbox, "readable", lambda: ("/usr", str(tmp_path / "link")))
    folders = {name: str(folder) for name, folder in folders.items()}
    with pytest.raises(SystemExit) as stopped:
        main(
            ["grade", folders.pop("submissions"), *(f"--{name}={folder}" for name, folder in folders.items())]
        )
    assert stopped.value.code == 2
    assert f"lies inside {shown.resolve()}, which every submission can read" in capsys.readouterr().err
    assert not (tmp_path / "grades" / NAME).exists()


# --- a Python behind a link -----------------------------------------------------------------------


def test_an_environment_behind_a_link_is_readable(bubblewrap, tmp_path, monkeypatch):
    link = tmp_path / "link"
    link.symlink_to(sys.prefix)
    monkeypatch.setattr("sys.executable", sys.executable.replace(sys.prefix, str(link)))
    monkeypatch.setattr("sys.prefix", str(link))
    shown = sandbox.readable.__wrapped__()
    monkeypatch.setattr(sandbox, "readable", lambda: [path for path in shown if "site-packages" not in path])
    sandbox.hindrance.cache_clear()
    assert sandbox.hindrance("bubblewrap") == ""


def test_why_no_sandbox_starts_is_told_in_the_words_of_what_failed(bubblewrap, monkeypatch, capsys):
    shown = [path for path in sandbox.readable() if "/lib" not in path]
    monkeypatch.setattr(sandbox, "readable", lambda: [path for path in shown if path not in ("/usr",)])
    sandbox.hindrance.cache_clear()
    try:
        assert "No such file" in sandbox.hindrance("bubblewrap")
        with pytest.raises(SystemExit):
            main(["grade", "/tmp"])
    finally:
        sandbox.hindrance.cache_clear()
    said = capsys.readouterr().err
    assert "No such file" in said and "Mend that" in said and "name spaces of users" not in said
