"""A whole cohort, graded once: marks exactly as planned, none lost, nothing left running, nothing touched."""

import csv
import os
import socket
import threading
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from grader.grade import grade
from grader.pages import page_name
from grader.report import report
from grader.run import run
from grader.sandbox import Limits, Settings
from tests.grader import attacks, cohort
from tests.grader.small_lab import NAME

LIMITS = Limits(cell_seconds=5, wall_seconds=60, tree_mb=350, files=10_000)
EVERYONE = [*cohort.HOSTILE, *cohort.HONEST, *cohort.BROKEN, "a-link", "a-pipe", "a-folder", "a-huge-file"]


@pytest.fixture(scope="module")
def called():
    """A server that must not be called: the connections it saw."""
    server, seen = socket.create_server(("127.0.0.1", 0)), []

    def listen():
        while True:
            try:
                seen.append(server.accept()[0])
            except OSError:
                return

    threading.Thread(target=listen, daemon=True).start()
    yield SimpleNamespace(port=server.getsockname()[1], seen=seen)
    server.close()


@pytest.fixture(scope="module")
def graded(bubblewrap, small, called, tmp_path_factory):
    """The cohort's rows and pages, with what the world around it looked like before and after."""
    folder = tmp_path_factory.mktemp("cohort")
    open_to_all = folder / "open-to-all"
    open_to_all.mkdir()
    open_to_all.chmod(0o777)
    (open_to_all / "canary.txt").write_text("untouched")
    (open_to_all / "canary.txt").chmod(0o666)
    world = {"places": [str(folder), str(small.grading), str(Path.cwd())], "port": called.port}
    plan = cohort.build(folder / "submissions", small.released, world)
    before = state(folder, small.grading)
    out = folder / "grades" / NAME
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRADER_TEST_SECRET", "not for students")
        patch.setattr("grader.grade._fair", lambda row: row)
        grade(small.made, folder / "submissions", out, LIMITS, bubblewrap, jobs=2)
    after = state(folder, small.grading, skip=folder / "grades")
    rows = {row["student"]: row for row in report(out)}
    return SimpleNamespace(folder=folder, out=out, plan=plan, rows=rows, before=before, after=after)


def state(*folders, skip=None):
    """Every file below the folders with its size, time and mode."""
    found = {}
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if skip is None or skip not in [path, *path.parents]:
                facts = path.lstat()
                found[str(path)] = (facts.st_size, facts.st_mtime_ns, facts.st_mode, facts.st_uid)
    return found


@pytest.mark.parametrize("student", EVERYONE)
def test_the_marks_are_as_planned(graded, student):
    row, planned = graded.rows[student], graded.plan[student]
    statuses = {id: mark["status"] for id, mark in row["checks"].items()}
    assert (row["total"], row["status"]) == (planned["total"], planned["status"]), (statuses, row)
    assert planned["reason"] in row["reason"]
    if planned["incident"]:
        assert planned["incident"] in row["incidents"], row["incidents"]
    elif student in cohort.HONEST:
        assert row["incidents"] == {}


def test_no_submission_is_lost_or_counted_twice(graded):
    assert len(graded.plan) >= 60
    lines = (graded.out / "results.jsonl").read_text().splitlines()
    assert len(lines) == len(graded.plan) == len(graded.rows)
    assert set(graded.rows) == set(graded.plan) == set(EVERYONE)


def test_nothing_is_left_running(graded):
    left = [p for p in psutil.process_iter(["cmdline"]) if attacks.STAYS in (p.info["cmdline"] or [])]
    assert left == []
    for nursery in psutil.Process().children():
        if "grader.run" in nursery.cmdline():
            assert nursery.children(recursive=True) == []
    assert list(Path("/tmp").glob(f"lm-{os.getpid()}-*")) == []


def test_no_outside_file_was_touched(graded):
    assert graded.after == graded.before
    assert (graded.folder / "open-to-all" / "canary.txt").read_text() == "untouched"


def test_nobody_called(graded, called):
    assert called.seen == []


def test_too_much_code_is_not_read_for_its_imports(graded):
    assert graded.rows["more-code-than-is-read"]["notes"] == ["too much code to tell what it imports"]
    assert graded.rows["imports-scikit-learn"]["notes"] != []


@pytest.mark.parametrize("source", ["import os\nos._exit(0)", "import ctypes\nctypes.string_at(0)"])
def test_a_dead_kernel_is_noticed_in_about_a_second(bubblewrap, source):
    (outcome,), _ = run([{"source": source}], Settings(bubblewrap))
    assert outcome["status"] == "died" and outcome["seconds"] < 1


def test_forged_messages_cost_neither_time_nor_memory(graded):
    for name in ("headers-full-of-dates", "message-without-an-end"):
        assert graded.rows[name]["seconds"] < 15


def test_a_cell_that_was_broken_off_is_named_on_the_page_and_in_the_feedback(graded):
    words = "ne of your cells took longer than 5 s and was not run to its end (it begins: while True:)"
    assert words in (graded.out / "students" / "loop-in-a-cell.html").read_text()
    assert f"; o{words}" in (graded.out / "moodle.csv").read_text()
    page = (graded.out / "students" / "loop-in-an-answer.html").read_text()
    assert "took longer than allowed" in page and words[3:] not in page  # it was a check that took the time


def test_the_other_questions_keep_their_points(graded):
    statuses = {id: mark["status"] for id, mark in graded.rows["loop-in-an-answer"]["checks"].items()}
    assert statuses == {
        "centre": "right", "centre-hidden": "right", "spread": "timeout", "spread-hidden": "timeout",
        "heads": "right", "heads-hidden": "right",
    }  # fmt: skip


def test_pages_tell_no_hidden_value_and_nothing_of_others(graded, small):
    hidden = small.made["checks"]["spread-hidden"]["bundle"]["values"]["spread"]
    for student in EVERYONE:
        page = (graded.out / "students" / page_name(student)).read_text()
        assert str(hidden)[:6] not in page
        assert not any(other in page for other in ("copy-of-ada", "all-wrong") if other != student)
    assert graded.rows["leaks-by-error-name"]["checks"]["spread-hidden"]["error"] == "Exception"
    assert graded.rows["stops-with-an-error"]["checks"]["spread-hidden"]["error"] == "IndexError"


def test_pages_need_nothing_from_outside_and_run_nothing(graded):
    pages = [graded.out / "index.html", graded.out / "by-hand.html", *(graded.out / "students").iterdir()]
    assert len(pages) == len(EVERYONE) + 2
    for page in pages:
        text = page.read_text()
        assert "<script" not in text and "http:" not in text and "https:" not in text
        assert "Isolation: bubblewrap" in text or page.name == "by-hand.html"


def test_equal_submissions_are_listed(graded):
    index = (graded.out / "index.html").read_text()
    assert graded.rows["ada"]["twin"] == graded.rows["copy-of-ada"]["twin"]
    assert graded.rows["unsolved"]["twin"] == "" != graded.rows["all-wrong"]["twin"]
    assert "Equal submissions" in index and "copy-of-ada" in index


def test_the_table_has_a_line_for_everybody_and_no_formula(graded):
    with open(graded.out / "scores.csv", newline="") as file:
        table = list(csv.DictReader(file))
    assert len(table) == len(graded.rows)
    assert Counter(line["status"] for line in table)["bad-notebook"] == 13
    assert not any(line["student"].startswith("=") for line in table)
    assert sum(float(line["total"]) for line in table) == sum(p["total"] for p in graded.plan.values())


def test_a_second_run_marks_nothing_again(graded, small):
    seconds = {name: row["seconds"] for name, row in graded.rows.items()}
    rows = grade(small.made, graded.folder / "submissions", graded.out, LIMITS, "bubblewrap", jobs=2)
    assert {row["student"]: row["seconds"] for row in rows} == seconds
