"""Results that nothing takes away: no folder named, a second folder, a kill at any moment."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from grader.__main__ import main
from grader.attempt import NOTHING
from grader.grade import Refused, grade, latest, read_rows
from grader.pages import page_name
from grader.report import EARLIER, report
from tests.grader import cohort
from tests.grader.small_lab import NAME
from tests.grader.test_grade import LIMITS, command
from tests.grader.test_plugin import ROOT, options, run

FIRST, LATE = ["ada", "centre-wrong", "unsolved"], ["bad-json", "only-the-guess"]


@pytest.fixture
def two(small, tmp_path):
    """Two folders of submissions, and an empty place for results; one of the first handed in nothing."""
    for folder, names in (("submissions", FIRST), ("late", LATE)):
        world = {"places": [str(tmp_path)], "port": 9}
        cohort.build(tmp_path / folder, small.released, world, names)
    (tmp_path / "submissions" / "bea").mkdir()
    return tmp_path


@pytest.fixture
def asked(monkeypatch):
    """The students whose submissions were run, without running any."""
    students = []

    def attempt(submission, *_):
        students.append(submission.student)
        return NOTHING

    monkeypatch.setattr("grader.grade.attempt", attempt)
    return students


def known(folder):
    return sorted(
        row["student"] for row in latest(read_rows(folder / "grades" / NAME / "results.jsonl")).values()
    )


def everything(folder):
    return {path: path.lstat().st_mtime_ns for path in folder.rglob("*")}


# --- which folder ------------------------------------------------------------------------------------------


def test_make_grade_without_a_folder_is_a_sentence_and_touches_nothing():
    here = [ROOT, ROOT / "grades", ROOT / ".grading"]
    before = [path.exists() and (path.stat().st_mtime_ns, sorted(os.listdir(path))) for path in here]
    environment = {key: value for key, value in os.environ.items() if key != "SUBMISSIONS"}
    done = subprocess.run(["make", "grade"], cwd=ROOT, capture_output=True, text=True, env=environment)
    assert done.returncode == 2 and "which folder? Name the one that holds a folder for each" in done.stderr
    assert before == [path.exists() and (path.stat().st_mtime_ns, sorted(os.listdir(path))) for path in here]


@pytest.mark.parametrize("folder", ["", " "])
def test_both_front_ends_ask_which_folder(small, tmp_path, capsys, folder):
    with pytest.raises(SystemExit) as stopped:
        main(["grade", folder, "--out", str(tmp_path / "grades")])
    assert stopped.value.code == 2 and "which folder?" in capsys.readouterr().err
    done = run("--grade", folder, "--grade-with", " ".join(options(small, tmp_path / "grades")))
    assert done.returncode == 4 and "which folder?" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("option", ["--out", "--grading", "--source"])
def test_a_folder_that_holds_more_than_students_is_refused(small, two, capsys, option):
    inside = two / "submissions" / "inside"
    inside.mkdir()
    before = everything(two)
    with pytest.raises(SystemExit) as stopped:
        main(command(small, two, option, str(inside)))
    assert stopped.value.code == 2 and f"{option} {inside} lies inside" in capsys.readouterr().err
    assert everything(two) == before


# --- a second folder ---------------------------------------------------------------------------------------


def test_a_second_folder_adds_and_the_first_again_marks_nothing_anew(small, two, asked, capsys):
    out = two / "grades" / NAME
    grade(small.made, two / "submissions", out, LIMITS)
    rows = grade(small.made, two / "late", out, LIMITS)
    assert [row["student"] for row in rows] == known(two) == sorted([*FIRST, *LATE])
    assert sorted(asked) == sorted([*FIRST, *LATE])
    grade(small.made, two / "submissions", out, LIMITS)
    assert len(asked) == len(FIRST + LATE) and known(two) == sorted([*FIRST, *LATE])
    index = [report(out), (out / "index.html").read_text()][1]
    assert all(name in index for name in [*FIRST, *LATE])
    assert "Nothing handed in</h2><p><bdi>bea</bdi></p>" in index


def test_who_hands_in_late_is_missing_no_more_and_who_did_not_still_is(small, two, asked):
    out = two / "grades" / NAME
    (two / "submissions" / "cid").mkdir()
    grade(small.made, two / "submissions", out, LIMITS)
    (two / "late" / "bea").mkdir()
    (two / "late" / "bea" / f"{NAME}.ipynb").write_bytes(small.released.read_bytes())
    grade(small.made, two / "late", out, LIMITS)
    assert list(json.loads((out / "run.json").read_text())["missing"]) == ["cid"]


def test_only_forget_with_the_right_number_takes_students_out(small, two, asked):
    out = two / "grades" / NAME
    grade(small.made, two / "submissions", out, LIMITS)
    for wrong in (1, 2, 4):
        with pytest.raises(
            Refused, match=f"--forget {wrong}: 3 have results .*: ada, centre-wrong, unsolved"
        ):
            grade(small.made, two / "late", out, LIMITS, forget=wrong)
        assert known(two) == sorted(FIRST)
    grade(small.made, two / "late", out, LIMITS, forget=3)
    assert known(two) == sorted(LATE)
    with pytest.raises(Refused, match="--forget 1: 0 have results"):
        grade(small.made, two / "late", out, LIMITS, forget=1)


def test_a_file_that_is_taken_away_takes_no_result_away(small, two, asked):
    out = two / "grades" / NAME
    grade(small.made, two / "submissions", out, LIMITS)
    (two / "submissions" / "ada" / f"{NAME}.ipynb").unlink()
    grade(small.made, two / "submissions", out, LIMITS)
    assert known(two) == sorted(FIRST)


def test_rows_of_an_earlier_version_stay_and_say_so(small, two, asked):
    out = two / "grades" / NAME
    grade(small.made, two / "submissions", out, LIMITS)
    checks = {f"{id}-new": check for id, check in small.made["checks"].items()}
    skeleton = [cell | {"check": cell["check"] and f"{cell['check']}-new"} for cell in small.made["skeleton"]]
    grade(small.made | {"checks": checks, "skeleton": skeleton}, two / "late", out, LIMITS)
    rows = {row["student"]: row["notes"] for row in report(out)}
    assert [name for name, notes in rows.items() if EARLIER in notes] == sorted(FIRST)
    assert "newer than this result" in (out / "students" / page_name("ada")).read_text()
    assert EARLIER in (out / "index.html").read_text()


def test_a_mark_that_is_replaced_from_another_folder_is_told(bubblewrap, small, two, asked, capsys):
    assert main(command(small, two)) == 0
    (two / "late" / "ada").mkdir()
    (two / "late" / "ada" / f"{NAME}.ipynb").write_bytes(small.released.read_bytes())
    late = [word.replace("submissions", "late") for word in command(small, two)]
    capsys.readouterr()
    main(late)
    said = capsys.readouterr().err
    assert f"ada: {NAME} is marked anew; from {two / 'submissions'}: 0 of 6 points" in said
    assert "kept, though not in" in said and "centre-wrong, unsolved; --forget 2 takes them out of" in said


def test_what_the_command_began_the_plugin_adds_to(bubblewrap, small, two):
    names = options(small, two / "grades")
    assert main(["grade", str(two / "submissions"), *names]) == 0
    done = run("--grade", two / "late", "--grade-with", " ".join(names))
    assert done.returncode == 1 and f"ada  {NAME}  6 of 10 points" in done.stdout
    assert known(two) == sorted([*FIRST, *LATE])
    rows = {row["student"]: row["total"] for row in report(two / "grades" / NAME)}
    assert rows == {"ada": 6, "centre-wrong": 4, "unsolved": 0, "bad-json": 0, "only-the-guess": 1}


# --- a kill at any moment ----------------------------------------------------------------------------------


class Killed(BaseException):
    pass


@pytest.mark.parametrize("fresh", [False, True], ids=["", "fresh"])
def test_a_kill_before_or_after_any_write_loses_nobody(small, two, asked, monkeypatch, fresh):
    out = two / "grades" / NAME
    grade(small.made, two / "submissions", out, LIMITS)
    before, real = (out / "results.jsonl").read_bytes(), {}
    changed = small.made | {"key": "another"}  # all of them are to be marked again
    moments = 0
    for late in (False, True):
        for moment in range(1, 100):
            (out / "results.jsonl").write_bytes(before)
            calls = []

            def killing(what, late=late, moment=moment, calls=calls):
                def call(*arguments):
                    calls.append(what)
                    if late:
                        real[what](*arguments)
                    if len(calls) == moment:
                        raise Killed
                    return None if late else real[what](*arguments)

                return call

            with monkeypatch.context() as patch:
                for owner, what in ((os, "fsync"), (Path, "replace"), (Path, "write_text"), (Path, "unlink")):
                    real[what] = getattr(owner, what)
                    patch.setattr(owner, what, killing(what))
                try:
                    grade(changed, two / "submissions", out, LIMITS, jobs=1, fresh=fresh)
                    break
                except Killed:
                    moments += 1
            assert known(two) == sorted(FIRST), (moment, calls)
    assert moments >= 10
    grade(changed, two / "submissions", out, LIMITS)
    assert known(two) == sorted(FIRST) and len(report(out)) == len(FIRST)


def test_killed_by_the_system_in_the_middle_of_marking_all_again(bubblewrap, small, two):
    results = two / "grades" / NAME / "results.jsonl"
    assert main(command(small, two)) == 0
    before = {row["student"]: row["total"] for row in read_rows(results)}
    again = command(small, two, "--jobs", "1", "--fresh")
    started = subprocess.Popen([sys.executable, "-m", "grader", *again], cwd=ROOT, stderr=subprocess.DEVNULL)
    while len(read_rows(results)) < len(FIRST) + 1:
        assert started.poll() is None
        time.sleep(0.02)
    started.send_signal(signal.SIGKILL)
    started.wait()
    rows = latest(read_rows(results))
    assert {name: row["total"] for name, row in rows.items()} == before
    assert main(["report", "--out", str(two / "grades")]) == 2  # not all is marked again yet
    assert main(command(small, two)) == 0
    assert {row["student"]: row["total"] for row in report(two / "grades" / NAME)} == before
