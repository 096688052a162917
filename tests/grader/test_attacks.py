"""What an attacker found, mended: each of these failed once, most of them for one kind of user only."""

import json
import os
import sys

import pytest

from grader import sandbox
from grader.__main__ import main
from grader.check import PUBLIC_SEED
from grader.grade import grade
from grader.reference import reference
from grader.report import report
from grader.sandbox import Limits
from tests.grader import cohort
from tests.grader.small_lab import NAME, hand_in
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


# --- what a student is told comes from a run that saw nothing hidden ------------------------------

TELL = """    import grader.check
    raise [KeyError, ValueError, IndexError, OSError][grader.check._seed % 4](str(list(x)))"""
LAST = """'digit {k}'; import grader.check, os
if grader.check._seed >> {k} & 1:
    os._exit(0)"""


def test_a_page_is_the_same_whatever_the_seed(bubblewrap, small, tmp_path):
    notebook = hand_in(small.released, spread=TELL)
    notebook["cells"] += [cohort.cell(LAST.format(k=k)) | {"id": f"last-{k}"} for k in range(8)]
    path = tmp_path / "submissions" / "eve" / f"{NAME}.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(notebook))
    pages, incidents = set(), []
    for seed in (3, 4, 5):
        made = reference(small.source, seed, tmp_path / "grading")
        grade(made, tmp_path / "submissions", tmp_path / "grades", Limits(cell_seconds=5), bubblewrap)
        (row,) = report(tmp_path / "grades")
        incidents.append(row["incidents"]["died"])
        pages.add((tmp_path / "grades" / "students" / "eve.html").read_text())
    (page,) = pages
    assert len(set(incidents)) > 1  # the seeds did show in the run that was marked
    assert page.count("it begins: &#x27;digit") == bin(PUBLIC_SEED & 255).count("1")
    assert "KeyError" in page and "[np.float64(1.0), np.float64(2.0), np.float64(6.0)]" in page


# --- one mistake costs once -----------------------------------------------------------------------


def test_one_mistake_costs_once(bubblewrap, small, tmp_path):
    wrong = {"centre": "    return np.sum(x) / (len(x) + 1)"}
    made = {"one": wrong, "two": wrong | {"spread": "    return centre(np.abs(x - centre(x)))"}}
    made |= {"none-written": {"centre": None, "spread": None}, "first-not-written": {"centre": None}}
    for student, answers in made.items():
        path = tmp_path / "submissions" / student / f"{NAME}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(hand_in(small.released, **answers)))
    grade(small.made, tmp_path / "submissions", tmp_path / "grades", Limits(), bubblewrap, jobs=2)
    rows = {row["student"]: row for row in report(tmp_path / "grades")}
    assert {student: row["total"] for student, row in rows.items()} == {
        "one": 4, "two": 1, "none-written": 1, "first-not-written": 4,
    }  # fmt: skip
    assert rows["one"]["checks"]["spread-hidden"]["ours"] == ["centre-hidden"]
    page = (tmp_path / "grades" / "students" / "one.html").read_text()
    assert "right (with the solution&#x27;s centre in place of yours)" in page
    assert not (tmp_path / "grades" / "students" / "two.html").read_text().count("in place of yours")


# --- a page that explains -------------------------------------------------------------------------


def test_a_page_explains(bubblewrap, small, tmp_path):
    made = {"bracket": {"spread": "    return (x"}, "hint": {"spread": "    return -1.0"}, "untouched": None}
    made |= {"other": {"centre": "    return np.median(x) + 0 * np.sum(x) / len(x)"}}
    for student, answers in made.items():
        path = tmp_path / "submissions" / student / f"{NAME}.ipynb"
        path.parent.mkdir(parents=True)
        answers = dict.fromkeys(("centre", "spread", "heads")) if answers is None else answers
        path.write_text(json.dumps(hand_in(small.released, **answers)))
    (tmp_path / "submissions" / "empty").mkdir()
    (tmp_path / "submissions" / "empty" / f"{NAME}.ipynb").touch()
    grade(small.made, tmp_path / "submissions", tmp_path / "grades", Limits(), bubblewrap, jobs=2)
    report(tmp_path / "grades")
    pages = {path.stem: path.read_text() for path in (tmp_path / "grades" / "students").iterdir()}
    assert "line 2\n    return (x\n             ^\nSyntaxError: " in pages["bracket"]
    assert "stopped by NameError" in pages["bracket"] and "def spread(x):\n    return (x" in pages["bracket"]
    assert "not yet. Expected: a number at least 0. Got: -1. Hint: Square." in pages["hint"]
    assert "<details open><summary>Your code, as handed in</summary><pre>def spread" in pages["hint"]
    assert "No answer was handed in" in pages["untouched"] and "np.median" in pages["other"]
    assert "an empty file" in pages["empty"] and "still to come" not in pages["empty"]
