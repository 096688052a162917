"""What an attacker found, mended: each of these failed once, most of them for one kind of user only."""

import json
import os
import pickle
import re
import subprocess
import sys
from types import SimpleNamespace

import pytest

from grader import collect, kernel, marking, sandbox
from grader.__main__ import main
from grader.attempt import LAB, NOTHING, _busy
from grader.attempt import attempt as attempt_one
from grader.check import PUBLIC_SEED
from grader.collect import Submission
from grader.grade import grade
from grader.kernel import SandboxKernel
from grader.reference import _pace, reference
from grader.report import equal, report
from grader.sandbox import Limits, Settings
from tests.grader import attacks, cohort
from tests.grader.small_lab import NAME, hand_in
from tests.grader.somebody import outcomes_as

WHO = ["me", "ordinary user"] if os.getuid() == 0 else ["ordinary user"]


@pytest.fixture(params=WHO)
def attempt(request, bubblewrap):
    """Run cells in the sandbox: their statuses, or whole outcomes."""

    def run(*sources, limits=None, **more):
        steps = [{"source": source, "check": "any" if "spread(" in source else None} for source in sources]
        return outcomes_as(request.param, steps, limits, **more)

    return run


def statuses(outcomes):
    return [outcome["status"] for outcome in outcomes]


# --- honest marks do not depend on who runs the grader --------------------------------------------


def test_a_child_that_nobody_waited_for_costs_nothing(attempt):
    assert statuses(attempt(attacks.ZOMBIES, attacks.POOL, "1 + 1")) == ["ok"] * 3


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


# --- what one sandbox left behind, and is still dying, takes nothing from the next -----------------------


def test_no_sandbox_counts_the_processes_of_another(monkeypatch):
    monkeypatch.setattr("os.getuid", lambda: 0)
    boxes = [sandbox.Box("bubblewrap") for _ in range(5)]
    assert len({box.uid for box in boxes}) == 5 and all(box.uid == box.uid > 2_000_000 for box in boxes)
    assert sandbox.Box("limits").uid == 0


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
    sandbox.try_to_start.cache_clear()
    assert sandbox.hindrance("bubblewrap") == ""


def test_why_no_sandbox_starts_is_told_in_the_words_of_what_failed(bubblewrap, monkeypatch, capsys):
    shown = [path for path in sandbox.readable() if "/lib" not in path]
    monkeypatch.setattr(sandbox, "readable", lambda: [path for path in shown if path not in ("/usr",)])
    sandbox.try_to_start.cache_clear()
    try:
        assert "No such file" in sandbox.hindrance("bubblewrap")
        with pytest.raises(SystemExit):
            main(["grade", "/tmp"])
    finally:
        sandbox.try_to_start.cache_clear()
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


def test_an_open_bracket_has_one_name_on_every_python():
    """From 3.13 on Python calls it by a name that stands in no textbook."""
    said = kernel._traceback({"traceback": ["_IncompleteInputError: incomplete input"]})
    assert said == "SyntaxError: incomplete input"


# --- a page that explains -------------------------------------------------------------------------


def test_a_page_explains(bubblewrap, small, tmp_path):
    made = {"bracket": {"spread": "    return (x"}, "hint": {"spread": "    return -1.0"}, "untouched": None}
    made |= {"other": {"centre": "    return np.median(x) + 0 * np.sum(x) / len(x)"}}
    made["loop"] = {"spread": "    while True:\n        x = x"}
    for student, answers in made.items():
        path = tmp_path / "submissions" / student / f"{NAME}.ipynb"
        path.parent.mkdir(parents=True)
        answers = dict.fromkeys(("centre", "spread", "heads")) if answers is None else answers
        path.write_text(json.dumps(hand_in(small.released, **answers)))
    (tmp_path / "submissions" / "empty").mkdir()
    (tmp_path / "submissions" / "empty" / f"{NAME}.ipynb").touch()
    limits = Limits(cell_seconds=3)
    grade(small.made, tmp_path / "submissions", tmp_path / "grades", limits, bubblewrap, jobs=2)
    report(tmp_path / "grades")
    pages = {path.stem: path.read_text() for path in (tmp_path / "grades" / "students").iterdir()}
    assert "line 2\n    return (x\n             ^\nSyntaxError: " in pages["bracket"]
    assert "stopped by NameError" in pages["bracket"] and "def spread(x):\n    return (x" in pages["bracket"]
    assert "not yet. Expected: a number at least 0. Got: -1. Hint: Square." in pages["hint"]
    assert "<details open><summary>Your code, as handed in</summary><pre>def spread" in pages["hint"]
    assert "No answer was handed in" in pages["untouched"] and "np.median" in pages["other"]
    # Where the time was over, and not the check that called it; a number that all cells bear tells nothing.
    assert re.search(r"<pre>line [23], in spread\(x\)\n      1 def spread\(x\):", pages["loop"])
    assert "expect(&#x27;of x&#x27;" not in pages["loop"] and "Cell In[" not in "".join(pages.values())
    assert '<span class="wrong">took longer than allowed</span>' in pages["loop"]
    assert "but never more than 3 s" in pages["loop"]
    assert "an empty file" in pages["empty"] and "still to come" not in pages["empty"]


# --- bundles too deep to be handed on -----------------------------------------------------------------


@pytest.mark.parametrize("depth", [50, 60, 700, 940])
def test_what_leaves_the_sandbox_can_be_handed_on(attempt, depth):
    define = "import numpy as np\ndef spread(x):\n" + attacks.NESTED_BUNDLE.format(depth=depth)
    (_, outcome) = attempt(define, "spread([1.0])")
    assert outcome["status"] == "ok" and len(outcome["bundles"]) == (depth < 55)
    pickle.loads(pickle.dumps(outcome))


def test_a_worker_that_fails_is_one_rows_fault_and_not_the_end(small, tmp_path, monkeypatch):
    cohort.build(tmp_path / "submissions", small.released, {"places": [], "port": 9}, ["ada", "unsolved"])

    class Client:
        def __init__(self, *_, **__):
            pass

        __enter__ = __exit__ = lambda *_: None

        def ncores(self):
            return {"worker": 2}

        def submit(self, task, submission, *more, pure):
            if submission.student == "ada":
                return SimpleNamespace(result=lambda timeout: 1 / 0)
            return SimpleNamespace(result=lambda timeout: json.dumps(NOTHING))

    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=Client))
    rows = grade(small.made, tmp_path / "submissions", tmp_path / "grades", dask="tcp://head:1")
    assert [(row["student"], row["status"], row["reason"]) for row in rows] == [
        ("ada", "grader-error", "ZeroDivisionError: division by zero"), ("unsolved", "marked", ""),
    ]  # fmt: skip


# --- a machine that is too busy --------------------------------------------------------------------------


def test_a_set_up_cell_is_the_machines_fault_only_if_it_had_no_processor(bubblewrap, small, tmp_path):
    slow = "import time\nfor cell in range(1):\n    np.array = lambda *_: time.sleep(9)"
    cohort_of_one = cohort.with_cell(slow)(small.released, None)
    path = tmp_path / "submissions" / "ada" / f"{NAME}.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(cohort_of_one))
    (row,) = grade(
        small.made, tmp_path / "submissions", tmp_path / "grades", Limits(cell_seconds=2), bubblewrap, 1
    )
    assert row["status"] == "marked" and row["incidents"] == {"timeout": 1}  # the student's own doing
    own = {"given": True, "check": None, "limit": 2, "status": "timeout", "starved": False}
    assert _busy([own]) == ""
    assert _busy([own | {"starved": True}]).startswith("a cell of the lab's own took longer than 2 s")


def test_what_imports_took_gives_no_endless_loop_more_time(small, monkeypatch):
    steps = [{"source": ""}, {"source": "", "check": "a"}, {"source": "", "check": "a", "bug": "a bug 1"}]
    took = [{"spent": 9}, {"spent": 0.5}, {"spent": 40}]
    assert _pace([step | each for step, each in zip(steps, took, strict=True)]) == {"a": 15, "": 15}
    ran = []
    monkeypatch.setattr("grader.attempt.run", lambda steps, settings: ran.append(steps) or ([], 0))
    lab = {key: small.made[key] for key in LAB} | {"pace": {"": 11, "centre": 12}}
    handed_in = Submission("ada", json.dumps(hand_in(small.released)).encode())
    assert attempt_one(handed_in, lab, Settings("limits"))["status"] == "marked"
    limits = {step["check"] or step["source"][:10]: step["limit"] for step in ran[0]}
    assert [limits[name] for name in ("import num", "def centre", "centre", "spread")] == [60, 11, 12, 60]


def test_limits_follow_what_the_solution_took(bubblewrap, small, tmp_path):
    assert small.made["pace"][""] >= max(small.made["pace"].values()) >= 10
    quick = small.made | {"pace": dict.fromkeys(small.made["pace"], 2)}
    cohort.build(tmp_path / "submissions", small.released, {"places": [], "port": 9}, ["loop-in-an-answer"])
    (row,) = grade(quick, tmp_path / "submissions", tmp_path / "grades", Limits(), bubblewrap, jobs=1)
    assert row["total"] == 3 and row["seconds"] < 25  # 60 seconds twice are the most that a cell may take
    assert [one["limit"] for one in row["told"] if one["check"] == "spread"] == [2]


# --- names and files ---------------------------------------------------------------------------------------


def test_no_two_students_become_one(small, tmp_path):
    names = [b"mu\xe9", b"mu\\xe9", "josé".encode(), b"jos-d994e1d0", "a\u202eb".encode(), b"x" * 250]
    for name in names:
        folder = os.fsencode(tmp_path) + b"/submissions/" + name
        os.makedirs(folder)
        with open(folder + b"/" + os.fsencode(f"{NAME}.ipynb"), "wb") as file:
            file.write(b"{")
    rows = grade(small.made, tmp_path / "submissions", tmp_path / "grades", jobs=1)
    report(tmp_path / "grades")
    assert len({row["student"] for row in rows}) == len(names)
    assert len(list((tmp_path / "grades" / "students").iterdir())) == len(names)
    index = (tmp_path / "grades" / "index.html").read_text()
    assert "<bdi>a\u202eb</bdi>" in index and "bdi { overflow-wrap: anywhere }" in index


def test_a_link_to_a_folder_is_told_and_of_a_crowd_of_files_only_so_many_are_looked_at(tmp_path, monkeypatch):
    student, listed = tmp_path / "submissions" / "ada", []
    student.mkdir(parents=True)
    (student / "work.ipynb").symlink_to(tmp_path)
    assert collect.submissions(student.parent, NAME) == ([], {"ada": ["work.ipynb"]})
    for number in range(50):
        (student / f"{number:02d}.txt").touch()

    class Listing:
        def __init__(self, place, plain=os.scandir):
            self.entries = plain(place)

        def __enter__(self):
            return self

        def __exit__(self, *_):
            self.entries.close()

        def __iter__(self):
            return self

        def __next__(self):
            listed.append(1)
            return next(self.entries)

    monkeypatch.setattr(collect, "MOST_FILES", 10)
    monkeypatch.setattr(os, "scandir", Listing)
    assert len(collect._files(student)) == len(listed) == 10


def test_a_notebook_is_opened_once_for_its_stamp_and_parsed_if_it_names_a_lab(tmp_path, monkeypatch):
    student = tmp_path / "ada"
    student.mkdir()
    stamped = '{"cells": [], "metadata": {"lab": {"name": "90-small"}}}'
    for number in range(30):
        (student / f"{number:02d}.ipynb").write_text(stamped if number == 7 else '{"cells": []}')
    parsed, read = [], []
    monkeypatch.setattr(
        collect, "parse", lambda content, plain=collect.parse: parsed.append(1) or plain(content)
    )
    monkeypatch.setattr(collect, "_read", lambda *a, plain=collect._read: read.append(a[1].name) or plain(*a))
    for _ in range(2):
        assert collect.labs_handed_in(tmp_path, ["90-small"]) == {"90-small"}
        (found,), _ = collect.submissions(tmp_path, "90-small")
    assert found.note == "taken from 07.ipynb" and len(parsed) == 1
    assert sorted(set(read)) == [f"{number:02d}.ipynb" for number in range(collect.MOST_OPENED)]
    assert len(read) == collect.MOST_OPENED + 2  # and the one that is taken, each time


def test_files_in_tmp_cost_nothing(bubblewrap, tmp_path):
    options = [*marking.OPTIONS, "-s", "--rootdir", str(tmp_path), "lab.ipynb"]
    assert "--confcutdir=." in options
    code = (
        "import pytest\nclass See:\n    def pytest_collect_directory(self, path): print('LOOKED AT', path)\n"
    )
    code += "    def pytest_ignore_collect(self, collection_path): print('LOOKED AT', collection_path)\n"
    code += f"pytest.main({options!r}, plugins=[See()])"
    (tmp_path / "lab.ipynb").write_text("{}")
    alone = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, env=alone
    )
    looked = {line.split(" AT ")[1] for line in done.stdout.splitlines() if line.startswith("LOOKED AT")}
    assert str(tmp_path) in looked, done.stdout + done.stderr
    assert all(place.startswith(str(tmp_path)) for place in looked), looked


# --- equal programs ----------------------------------------------------------------------------------------


def test_equal_answers_are_found_whatever_stands_around_them(bubblewrap, small, tmp_path):
    solution = json.loads(small.source.read_text())
    more = "    y = np.asarray(x)\n    print('mine', y)\n    return centre((y - centre(y)) ** 2)"
    less = "    values = np.asarray(x)  # mine\n    return centre((values - centre(values)) ** 2)"
    other = "    y = np.asarray(x)\n    return centre(np.abs(y - centre(y)) ** 2)"
    made = {"more": hand_in(small.released, spread=more), "less": hand_in(small.released, spread=less)}
    made |= {"other": hand_in(small.released, spread=other), "source": solution}
    made["experiments"] = cohort.with_cell("for k in range(3):\n    print(centre([k, 1]))", spread=less)(
        small.released, None
    )
    for student, notebook in made.items():
        path = tmp_path / "submissions" / student / f"{NAME}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(notebook))
    grade(small.made, tmp_path / "submissions", tmp_path / "grades", Limits(), bubblewrap, jobs=2)
    rows = report(tmp_path / "grades")
    assert sorted(map(sorted, equal(rows, small.made["twin"]))) == [
        ["(the solution)", "source"], ["experiments", "less", "more"],
    ]  # fmt: skip
    assert "(the solution)" in (tmp_path / "grades" / "index.html").read_text()


# --- a kernel that ended is not a message that is too large -----------------------------------------------


@pytest.mark.parametrize(("seconds", "trouble"), [("0.3", "died"), ("30", "output-limit")])
def test_a_cut_connection_is_told_from_a_kernel_that_ended(seconds, trouble):
    kernel = SandboxKernel.__new__(SandboxKernel)
    kernel.cut = SimpleNamespace(poll=lambda milliseconds: 1)
    with subprocess.Popen(["sleep", seconds]) as kernel.process:
        assert kernel._trouble() == trouble
        kernel.process.kill()
