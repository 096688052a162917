"""Grading as a command: broken off and resumed, on a cluster, with weaker isolation, with marks by hand."""

import csv
import ctypes
import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from grader import judge, sandbox
from grader.__main__ import main
from grader.attempt import NOTHING
from grader.collect import Submission
from grader.grade import Refused, _measure, grade, mark, read_rows, sweep
from grader.kernel import KernelFailed, SandboxKernel
from grader.report import harmless, report
from grader.run import SandboxError, close_nurseries, run
from grader.sandbox import Limits, Settings
from grader.watch import changed, strays
from tests.grader import attacks, cohort
from tests.grader.small_lab import NAME, answer_why, hand_in
from tests.publish import browser

LIMITS = Limits(cell_seconds=5, wall_seconds=60, tree_mb=350)
FEW = ["ada", "centre-wrong", "unsolved", "exit-in-an-answer", "bad-json"]


def marks(rows):
    return {row["student"]: (row["total"], row["status"]) for row in rows}


def planned(plan):
    return {student: (expected["total"], expected["status"]) for student, expected in plan.items()}


def build(folder, small, only):
    world = {"places": [str(folder), str(small.grading), str(Path.cwd())], "port": 9}
    return cohort.build(folder / "submissions", small.released, world, only)


def command(small, folder, *more):
    """The arguments of ``grader grade`` for the small lab."""
    plain = ["grade", str(folder / "submissions"), "--source", str(small.source.parent), "--seed", "11"]
    plain += ["--grading", str(small.grading), "--out", str(folder / "grades"), "--cell-seconds", "3"]
    return [*plain, *more]


def test_killed_in_the_middle_it_resumes_and_ends_with_the_same_marks(bubblewrap, small, tmp_path):
    names = [n for n in cohort.HONEST if n.isascii()][:12]
    plan = build(tmp_path, small, names)
    run = subprocess.Popen(
        [sys.executable, "-m", "grader", *command(small, tmp_path, "--jobs", "1")], stderr=subprocess.DEVNULL
    )
    results = tmp_path / "grades" / NAME / "results.jsonl"
    while len(read_rows(results)) < 3:
        assert run.poll() is None
        time.sleep(0.05)
    family = psutil.Process(run.pid).children(recursive=True)
    run.send_signal(signal.SIGKILL)
    run.wait()
    _, alive = psutil.wait_procs(family, timeout=10)
    assert alive == []
    first = {row["student"]: row["seconds"] for row in read_rows(results)}
    assert 3 <= len(first) < len(plan)
    with open(results, "a") as file:
        file.write('{"student": "half a li')
    assert main(command(small, tmp_path)) == 0
    rows = read_rows(results)
    assert marks(rows) == planned(plan)
    assert {row["student"]: row["seconds"] for row in rows if row["student"] in first} == first
    assert list(Path("/tmp").glob(f"lm-{run.pid}-*")) == []


def test_folders_of_who_is_gone_are_removed_even_if_it_is_not_buried_yet():
    with subprocess.Popen(["true"]) as gone:  # nobody has asked how it ended: a zombie
        while psutil.Process(gone.pid).status() != psutil.STATUS_ZOMBIE:
            time.sleep(0.01)
        pids = gone.pid, os.getpid()
        left, ours = (Path(tempfile.mkdtemp(prefix=f"lm-{pid}-", dir="/tmp")) for pid in pids)
        sweep()
        assert (left.exists(), ours.exists()) == (False, True)
    ours.rmdir()


def test_what_was_handed_in_anew_is_marked_again_and_only_that(bubblewrap, small, tmp_path):
    build(tmp_path, small, ["ada", "unsolved"])
    assert main(command(small, tmp_path)) == 0
    before = {row["student"]: row for row in read_rows(tmp_path / "grades" / NAME / "results.jsonl")}
    path = tmp_path / "submissions" / "unsolved" / f"{NAME}.ipynb"
    path.write_text(json.dumps(hand_in(small.released, centre=None, spread=None)))
    assert main(command(small, tmp_path)) == 0
    after = {row["student"]: row for row in read_rows(tmp_path / "grades" / NAME / "results.jsonl")}
    assert after["ada"] == before["ada"] and after["unsolved"]["total"] == 1
    corrected = {**small.made, "checks": {**small.made["checks"]}}
    corrected["checks"]["heads-hidden"] = {**corrected["checks"]["heads-hidden"], "points": 5}
    rows = grade(corrected, tmp_path / "submissions", tmp_path / "grades" / NAME, LIMITS, bubblewrap, jobs=1)
    assert marks(rows) == {"ada": (10, "marked"), "unsolved": (5, "marked")}


@pytest.mark.filterwarnings("ignore")
def test_a_dask_cluster_gives_the_same_marks(bubblewrap, small, tmp_path):
    distributed = pytest.importorskip("distributed")
    plan = build(tmp_path, small, FEW)
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        assert main(command(small, tmp_path, "--dask", cluster.scheduler_address)) == 0
    assert marks(read_rows(tmp_path / "grades" / NAME / "results.jsonl")) == planned(plan)


def test_a_cluster_that_is_not_there(bubblewrap, small, tmp_path, capsys):
    build(tmp_path, small, ["ada"])
    assert main(command(small, tmp_path, "--dask", "127.0.0.1:1")) == 2
    assert "no Dask scheduler at 127.0.0.1:1" in capsys.readouterr().err


@pytest.mark.parametrize("layer", ["unshare", "limits"])
def test_weaker_layers_hold_what_they_promise(small, tmp_path, layer):
    if sandbox.hindrance(layer):
        pytest.skip(f"{layer} does not start here")
    names = ["ada", "loop-deaf-to-interrupts", "memory-bomb", "daemon", "imports-a-closed-room"]
    names += ["reads-the-reference", "writes-everywhere"] if landlock() else []
    plan = build(tmp_path, small, names)
    rows = grade(small.made, tmp_path / "submissions", tmp_path / "grades" / NAME, LIMITS, layer, jobs=2)
    assert marks(rows) == planned(plan)
    assert not [p for p in psutil.process_iter(["cmdline"]) if attacks.STAYS in (p.info["cmdline"] or [])]
    assert f"Isolation: {layer}" in page_of(tmp_path, "ada")


def landlock():
    """Whether this kernel has Landlock."""
    import ctypes

    return sys.platform == "linux" and ctypes.CDLL(None).syscall(444, None, 0, 1) > 0


def page_of(folder, student):
    report(folder / "grades" / NAME)
    return (folder / "grades" / NAME / "students" / f"{student}.html").read_text()


def test_without_bubblewrap_a_cohort_is_refused_unless_trusted(small, tmp_path, monkeypatch, capsys):
    build(tmp_path, small, ["ada"])
    monkeypatch.setattr(
        "grader.__main__.hindrance", lambda layer: "bwrap: No permissions to create new namespace"
    )
    monkeypatch.setattr("grader.__main__.best_layer", lambda: "limits")
    with pytest.raises(SystemExit) as stopped:
        main(command(small, tmp_path))
    assert stopped.value.code == 2 and "--trust" in capsys.readouterr().err
    assert not (tmp_path / "grades").exists()
    assert main(command(small, tmp_path, "--trust")) == 0
    assert "Isolation: limits" in page_of(tmp_path, "ada")


def test_other_limits_or_another_layer_mark_again(small):
    settings = [Settings("bubblewrap", LIMITS), Settings("bubblewrap", Limits()), Settings("limits", LIMITS)]
    assert len({_measure(small.made, each) for each in settings}) == 3


def test_interrupted_there_is_nothing_to_report_until_all_is_marked(small, tmp_path, monkeypatch, capsys):
    build(tmp_path, small, ["ada", "unsolved"])
    out = tmp_path / "grades" / NAME

    def broken_off(submission, *_):
        if submission.student == "unsolved":
            raise KeyboardInterrupt
        return NOTHING

    monkeypatch.setattr("grader.grade.attempt", lambda *_: NOTHING)
    grade(small.made, tmp_path / "submissions", out, LIMITS)
    assert len(report(out)) == 2
    monkeypatch.setattr("grader.grade.attempt", broken_off)
    with pytest.raises(KeyboardInterrupt):
        grade(small.made, tmp_path / "submissions", out)
    assert main(["report", "--out", str(out.parent)]) == 2
    assert "not all is marked yet" in capsys.readouterr().err


@pytest.mark.parametrize("wall", [45, -1])
def test_who_had_no_processor_runs_again_at_the_end_alone_as_long_as_there_is_time(
    small, tmp_path, monkeypatch, wall
):
    build(tmp_path, small, ["ada", "loop-in-a-cell", "unsolved"])
    asked = []

    def attempt(submission, lab, settings):
        asked.append(submission.student)
        waits = submission.student == "ada" and asked.count("ada") == 1
        return NOTHING | {"busy": "had to wait for a processor" if waits else ""}

    monkeypatch.setattr("grader.grade.attempt", attempt)
    rows = grade(small.made, tmp_path / "submissions", tmp_path / "grades", Limits(wall_seconds=wall), jobs=2)
    assert sorted(asked[:3]) == ["ada", "loop-in-a-cell", "unsolved"]
    assert asked[3:] == (["ada"] if wall == 45 else [])
    assert [row["student"] for row in rows] == ["ada", "loop-in-a-cell", "unsolved"]
    assert [row["status"] for row in rows] == ["marked" if wall == 45 else "grader-error", "marked", "marked"]
    assert len((tmp_path / "grades" / "results.jsonl").read_text().splitlines()) == 3


# --- a machine that is short of something for a moment ----------------------------------------------------


def test_a_layer_that_failed_once_is_tried_again_and_one_that_started_is_not(monkeypatch):
    said = [OSError(errno.EAGAIN, "short of processes"), subprocess.CompletedProcess("bwrap", 0, b"", b"")]

    def start(*_, **__):
        if isinstance(each := said.pop(0), OSError):
            raise each
        return each

    monkeypatch.setattr(sandbox.shutil, "which", lambda program: program)
    monkeypatch.setattr(sandbox.subprocess, "run", start)
    sandbox.try_to_start.cache_clear()
    try:
        hindrances = [sandbox.hindrance("bubblewrap") for _ in range(3)]
    finally:
        sandbox.try_to_start.cache_clear()
    assert "short of processes" in hindrances[0] and hindrances[1:] == ["", ""] and said == []


@pytest.mark.parametrize("problem", [SandboxError("no kernel"), BlockingIOError(errno.EAGAIN, "no process")])
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_sandbox_that_did_not_start_is_started_again_when_all_others_are_done(
    small, tmp_path, monkeypatch, problem, jobs
):
    build(tmp_path, small, ["ada", "centre-wrong", "unsolved"])
    failed = []

    def run(steps, settings):
        if len(failed) < 3:  # longer than two tries at once
            failed.append(problem)
            raise problem
        return [], 0.0

    monkeypatch.setattr("grader.attempt.run", run)
    folders = tmp_path / "submissions", tmp_path / "grades"
    rows = grade(small.made, *folders, LIMITS, "bubblewrap", jobs)
    assert [(row["student"], row["status"]) for row in rows] == [
        ("ada", "marked"), ("centre-wrong", "marked"), ("unsolved", "marked"),
    ]  # fmt: skip
    assert len(failed) == 3


def test_a_second_run_that_the_machine_failed_takes_no_points(small, monkeypatch):
    wrong = {"centre": "    return np.sum(x) / (len(x) + 1)"}
    handed_in = Submission("ada", json.dumps(hand_in(small.released, **wrong)).encode())
    code = {"centre-hidden": "wrong", "spread-hidden": "right"}

    def attempt(submission, lab, settings):
        if "mend" in lab:
            return NOTHING | {"status": "grader-error", "reason": "no kernel", "busy": "no kernel"}
        return NOTHING | {"code": code}

    row = mark(handed_in, small.made, Settings("bubblewrap"), attempt)
    assert (row["status"], row["reason"], row["busy"]) == ("grader-error", "no kernel", "no kernel")
    assert row["total"] == 0 and all(one["points"] == 0 for one in row["checks"].values())


CACHE = "import os, pathlib\ncache = pathlib.Path(os.environ['NUMBA_CACHE_DIR'], 'package')\n"
WARM = CACHE + "cache.mkdir()\n(cache / 'compiled').write_text('fast')"
COLD = CACHE + "assert (cache / 'compiled').read_text() == 'fast'"


def test_what_one_sandbox_has_compiled_the_next_can_read_whatever_the_umask(bubblewrap, tmp_path):
    close_nurseries()
    before = os.umask(0o077)
    try:
        for source, harvest in ((WARM, True), (COLD, False)):
            settings = Settings(bubblewrap, warm=str(tmp_path / "warm"), harvest=harvest)
            ((outcome,), _) = run([{"source": source}], settings)
            assert outcome["status"] == "ok", outcome
    finally:
        os.umask(before)
        close_nurseries()


def test_why_no_kernel_came_is_told_in_the_words_of_what_failed(tmp_path, monkeypatch):
    monkeypatch.setattr(sandbox.Box, "command", lambda box: ["sh", "-c", "echo why >&2; exit 3"])
    with pytest.raises(KernelFailed, match="^no kernel after .* s in layer unshare: why$"):
        SandboxKernel(sandbox.Box("unshare", sockets=tmp_path))  # in "limits" it ends all our children


def test_a_kernel_has_come_when_the_socket_of_its_heartbeat_is_there_too(tmp_path):
    for port in range(1, 5):
        (tmp_path / f"k-{port}").touch()
    kernel = SandboxKernel.__new__(SandboxKernel)
    kernel.box = SimpleNamespace(sockets=tmp_path, layer="limits")
    with subprocess.Popen(["true"], stderr=subprocess.PIPE) as kernel.process:
        with pytest.raises(KernelFailed, match="no kernel"):
            kernel._wait(time.monotonic() + 0.2)


BUSY = """import os
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
while True:
    pass"""


def test_only_who_had_no_processor_for_ten_times_the_limit_is_the_machines_fault(bubblewrap):
    steps = [{"source": "import time\ntime.sleep(9)"}, {"source": "1 + 1"}, {"source": BUSY}]
    settings = Settings(bubblewrap, Limits(cell_seconds=0.5))
    # A session each: to some systems all processes of one are a single rival.
    busy = [sys.executable, "-c", BUSY]
    crowd = [subprocess.Popen(busy, start_new_session=True) for _ in range(30)]
    try:
        outcomes, _ = run(steps, settings)
    finally:
        for process in crowd:
            process.kill()
            process.wait()
    found = [(each["status"], each["starved"]) for each in outcomes]
    assert found == [("timeout", False), ("ok", False), ("timeout", True)]


def test_after_too_many_restarts_the_reason_is_told(bubblewrap):
    steps = [{"source": "import os\nos._exit(0)"}] * 2 + [{"source": "1 + 1"}]
    outcomes, _ = run(steps, Settings(bubblewrap, Limits(restarts=1)))
    assert [each["status"] for each in outcomes] == ["died", "died", "too many restarts"]
    assert (
        judge.one("a", {}, outcomes[-1]) == ("too many restarts", "") and "too many restarts" in judge.STATUS
    )
    outcomes, _ = run(steps[:1] * 5 + steps[2:], Settings(bubblewrap))
    assert [each["status"] for each in outcomes] == ["died"] * 5 + ["ok"]


def test_room_on_the_disk_that_does_not_show_in_a_size_is_seen(tmp_path):
    made = tmp_path / "file"
    made.write_text("x")
    before = changed(tmp_path)
    assert not strays(tmp_path, before)
    with open(made, "r+") as file:
        libc = ctypes.CDLL(None)
        if not hasattr(libc, "fallocate") or libc.fallocate(
            file.fileno(), 1, ctypes.c_long(0), ctypes.c_long(1 << 20)
        ):
            pytest.skip("no room without a size on this file system")
    assert made.stat().st_size == 1 and strays(tmp_path, before)


def test_packages_of_another_python_are_found(tmp_path, monkeypatch):
    for name in (
        "lib/python3.11/site-packages",
        "lib64/python3/dist-packages",
        "lib/python3.9/site-packages",
    ):
        (tmp_path / name).mkdir(parents=True)
    monkeypatch.setattr(sys, "base_prefix", str(tmp_path))
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / "lib/python3.9/site-packages")])
    found = [path for path in sandbox.foreign_packages.__wrapped__() if path.startswith(str(tmp_path))]
    assert found == [
        str(tmp_path / "lib/python3.11/site-packages"), str(tmp_path / "lib64/python3/dist-packages"),
    ]  # fmt: skip


def test_a_full_disk_is_told_in_a_sentence_and_loses_no_mark(small, tmp_path, monkeypatch):
    build(tmp_path, small, ["ada", "unsolved"])
    out, written = tmp_path / "grades", []

    def full(handle):
        written.append(handle)
        if len(written) == 2:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("grader.grade.attempt", lambda *_: NOTHING)
    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(Refused, match="results.jsonl cannot be written .No space left on device.; mend that"):
        grade(small.made, tmp_path / "submissions", out)
    assert read_rows(out / "results.jsonl")
    assert len(grade(small.made, tmp_path / "submissions", out)) == 2
    (out / "index.html").mkdir()
    with pytest.raises(Refused, match="cannot be written"):
        report(out)


def test_two_graders_do_not_share_a_folder(small, tmp_path):
    import fcntl

    build(tmp_path, small, ["ada"])
    out = tmp_path / "grades"
    out.mkdir()
    with open(out / ".lock", "w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(Refused, match="another grader is at work"):
            grade(small.made, tmp_path / "submissions", out)


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        (["90-none"], "no lab '90-none'"),
        (["--cell-seconds", "0"], "--cell-seconds must be above 0"),
        (["--source", "nowhere"], "nowhere is no folder"),
        (["--jobs", "many"], "invalid int value"),
        (["--jobs", "0"], "--jobs must not be 0"),
        (["--cell-seconds", "nan"], "--cell-seconds must be above 0"),
        (["--wall-seconds", "inf"], "--wall-seconds must be above 0, and finite"),
        (["--seed", "-1"], "--seed must not be negative"),
        (["--out", __file__], "test_grade.py is no folder"),
        (["--grading", __file__], "test_grade.py is no folder"),
    ],
)
def test_wrong_use_is_told_in_words(bubblewrap, small, tmp_path, capsys, more, complaint):
    build(tmp_path, small, ["ada"])
    with pytest.raises(SystemExit) as stopped:
        main(command(small, tmp_path, *more))
    assert stopped.value.code == 2 and complaint in capsys.readouterr().err


def test_no_folder_for_the_results(bubblewrap, small, tmp_path, capsys):
    build(tmp_path, small, ["ada"])
    (tmp_path / "grades").mkdir()
    (tmp_path / "grades" / NAME).write_text("")
    assert main(command(small, tmp_path)) == 2
    assert "no folder" in capsys.readouterr().err


def test_names_do_not_command_the_terminal(bubblewrap, small, tmp_path, capsys):
    folder = tmp_path / "submissions" / "eve\u202e"
    folder.mkdir(parents=True)
    for name in (f"{NAME} \x1b]0;mine\x07", f"{NAME} b"):
        (folder / f"{name}.ipynb").write_text("{}")
    assert main(command(small, tmp_path)) == 0
    said = capsys.readouterr().err
    assert "\\x1b]0;mine\\x07" in said and "eve\\u202e" in said
    assert "\x1b" not in said and "\x07" not in said and "\u202e" not in said


def test_what_could_not_be_taken_is_told(bubblewrap, small, tmp_path, capsys):
    build(tmp_path, small, ["unsolved"])
    folder = tmp_path / "submissions"
    (folder / "bea").mkdir()
    assert main(command(small, tmp_path)) == 0
    assert "nothing handed in: bea\n" in capsys.readouterr().err
    shutil.copy(folder / "unsolved" / f"{NAME}.ipynb", folder / f"{NAME} of dan.ipynb")
    assert main(command(small, tmp_path)) == 0
    assert f"not looked at: {NAME} of dan.ipynb\n" in capsys.readouterr().err
    (folder / f"{NAME} of dan.ipynb").unlink()
    (folder / "bea" / "mine.ipynb").write_text("{}")
    assert main(command(small, tmp_path)) == 0
    said = capsys.readouterr().err
    assert "bea: not taken: mine.ipynb\n" in said and "nothing handed in" not in said
    assert "<bdi>bea</bdi> (not taken: mine.ipynb)" in (tmp_path / "grades" / NAME / "index.html").read_text()


def test_nothing_handed_in(bubblewrap, small, tmp_path, capsys):
    (tmp_path / "submissions" / "ada").mkdir(parents=True)
    with pytest.raises(SystemExit):
        main(command(small, tmp_path))
    assert "nothing to grade" in capsys.readouterr().err


# --- marks by hand and tables ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def graded(bubblewrap, small, tmp_path_factory):
    """Three students graded: a folder to copy from."""
    folder = tmp_path_factory.mktemp("three")
    build(folder, small, ["ada", "unsolved", "=HYPERLINK(1)"])
    for student in ("ada", "unsolved"):
        answer_why(folder, student)
    assert main(command(small, folder)) == 0
    return folder / "grades"


@pytest.fixture
def three(graded, tmp_path):
    """A fresh copy of the results of three students."""
    return shutil.copytree(graded, tmp_path / "grades") / NAME


def table(path):
    with open(path, newline="") as file:
        return list(csv.reader(file))


def fill(out, **points):
    path = out / "by-hand.csv"
    with open(path, newline="") as file:
        table = list(csv.DictReader(file))
    for line in table:
        if line["student"] in points:
            line["why"], line["why comment"] = points[line["student"]]
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, table[0])
        writer.writeheader()
        writer.writerows(table)


def test_marks_by_hand_merge_and_stay(three, capsys):
    assert "not marked yet" in (three / "students" / "ada.html").read_text()
    page = (three / "by-hand.html").read_text()
    assert "A model answer" in page and "<h3>No answer</h3>" in page and "*two sentences*" not in page
    fill(three, ada=("3,5", "Clear & short <b>"))
    assert main(["report", "--out", str(three.parent)]) == 0
    page = (three / "students" / "ada.html").read_text()
    assert (
        "9.5 of 10 points" in page and "Clear &amp; short &lt;b&gt;" in page and "not marked yet" not in page
    )
    assert "not marked yet" in (three / "students" / "unsolved.html").read_text()
    with open(three / "scores.csv", newline="") as file:
        table = {line["student"]: line for line in csv.DictReader(file)}
    assert (table["ada"]["why"], table["ada"]["total"]) == ("3.5", "9.5")
    assert (table["unsolved"]["why"], table["unsolved"]["total"]) == ("", "0")
    assert table["'=HYPERLINK(1)"]["total"] == "6"
    filled = (three / "by-hand.csv").read_bytes()
    report(three)
    assert (three / "by-hand.csv").read_bytes() == filled
    assert all(row["of"] == 6 for row in read_rows(three / "results.jsonl"))


@pytest.mark.parametrize(
    ("points", "complaint"), [("5", "0 to 4 points"), ("-1", "0 to 4 points"), ("good", "is no number")]
)
def test_marks_that_cannot_be_are_refused(three, capsys, points, complaint):
    fill(three, ada=(points, ""))
    assert main(["report", "--out", str(three.parent)]) == 2
    assert complaint in capsys.readouterr().err


def rename(out, old, new):
    path = out / "results.jsonl"
    path.write_text(
        path.read_text().replace(json.dumps({"student": old})[:-1], json.dumps({"student": new})[:-1])
    )
    (out / "by-hand.csv").unlink(missing_ok=True)


@pytest.mark.parametrize("name", ["'t Hooft", "'=HYPERLINK(1)", "@ada", "a" * 252, "Ö" * 126])
def test_odd_names_are_reported_again_and_again(three, name):
    rename(three, "ada", name)
    report(three)
    fill(three, **{harmless(name): ("3", "")})
    for _ in range(2):
        marked = {row["student"]: row["total"] for row in report(three)}
    assert marked == {name: 9, "unsolved": 0, "=HYPERLINK(1)": 6}
    assert len(table(three / "by-hand.csv")) == 4
    assert len(list((three / "students").iterdir())) == 3


HEAD = b"student,why,why comment\r\n"


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (HEAD + "ada,3,für\r\n".encode("cp1252"), "save it as CSV in UTF-8"),
        ("student,why\r\nada,3\r\n".encode("utf-16"), "save it as CSV in UTF-8"),
        (HEAD + b"ada,3," + b"x" * 140_000 + b"\r\n", "cannot be read (field larger"),
        (HEAD + b'ada,3,"x\r\nunsolved,2,y\r\n', "cannot be read (unexpected end"),
        (b"why,student,why comment\r\n3\r\n", "no submission of ''"),
        (HEAD + b"gone,1,\r\n", "line 2: no submission of 'gone'"),
    ],
)
def test_a_table_that_cannot_be_read_is_refused_in_words(three, capsys, content, complaint):
    (three / "by-hand.csv").write_bytes(content)
    assert main(["report", "--out", str(three.parent)]) == 2
    assert complaint in capsys.readouterr().err
    assert (three / "by-hand.csv").read_bytes() == content


@pytest.mark.parametrize(
    "content",
    [
        b"why,student,why comment\r\n3,ada,x\r\n",
        b"why comment,why,more,student\nx,3,,ada",
        b"student,why\r\nada,3\r\n",
        HEAD + b"ada,3,x\r\ngone,,\r\n",
    ],
)
def test_columns_stand_in_any_order_and_who_is_gone_does_no_harm(three, content):
    (three / "by-hand.csv").write_bytes(content)
    for _ in range(2):
        assert {row["student"]: row["total"] for row in report(three)}["ada"] == 9
    assert (three / "by-hand.csv").read_bytes().startswith(content)


def test_tables_for_moodle_and_canvas(three):
    fill(three, ada=("4", "Good."))
    report(three)
    moodle = table(three / "moodle.csv")
    assert moodle[0] == ["Username", NAME, f"{NAME} feedback"]
    assert moodle[2] == ["ada", "10", "checks: 6 right; why: Good."]
    canvas = table(three / "canvas.csv")
    assert canvas[0] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", NAME]
    assert canvas[1] == ["Points Possible", "", "", "", "", "10"]
    assert canvas[3] == ["ada", "", "", "ada", "", "10"]


def test_results_of_an_older_grader_are_refused_in_words(three, capsys):
    run = json.loads((three / "run.json").read_text())
    del run["titles"]
    (three / "run.json").write_text(json.dumps(run))
    assert main(["report", "--out", str(three.parent)]) == 2
    assert "results of an older grader; give the command `grade` again" in capsys.readouterr().err


def test_a_report_without_results(tmp_path, capsys):
    with pytest.raises(SystemExit):
        main(["report", "--out", str(tmp_path)])
    assert "grade SUBMISSIONS first" in capsys.readouterr().err


@pytest.mark.browser
def test_pages_are_legible_on_a_phone_and_on_a_desk(three, chromium):
    for width, theme in ((390, "light"), (390, "dark"), (1280, "light"), (1280, "dark")):
        browser.view(chromium, width, theme=theme)
        for page in ("index.html", "by-hand.html", "students/ada.html", "students/unsolved.html"):
            browser.open_page(chromium, (three / page).as_uri())
            assert chromium.execute_script("return document.documentElement.scrollWidth") <= width
            assert browser.console(chromium) == []
            asked = {address for address, _ in browser.requests(chromium)}
            assert {a for a in asked if not a.startswith(("chrome", "about", "data"))} <= {
                (three / page).as_uri()
            }
            assert browser.axe(chromium) == []
