"""``pytest --grade`` marks as ``python -m grader grade`` does, and plain ``pytest --nbval`` does not lie."""

import json
import os
import re
import subprocess
import sys
import time
import xml.etree.ElementTree as xml
from collections import Counter
from pathlib import Path

import psutil
import pytest

from grader.__main__ import main
from grader.grade import read_rows
from tests.grader import cohort
from tests.grader.small_lab import HEADS, NAME, hand_in

SOME = [
    "ada",
    "centre-wrong",
    "unsolved",
    "a-syntax-error",
    "exit-in-an-answer",
    "forged-bundles",
    "bad-json",
]
SOME += [
    "empty-file",
    "loop-in-a-cell",
    "reads-the-reference",
    "memory-bomb",
    "Ünïcode Ñame 学生",
    "wrong-lab",
]
ROOT = Path(__file__).resolve().parents[2]


def run(*arguments, cwd=ROOT):
    """Run pytest as a grader does, without the settings of the tests around it."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=environment)


def options(small, out, *more):
    """The same for both front ends."""
    plain = [f"--source={small.source.parent}", "--seed=11", f"--grading={small.grading}", f"--out={out}"]
    return [*plain, "--cell-seconds=5", "--memory-mb=350", *more]


# Their verdicts take longest: where another front end only has to go on, it finds the rows of the first.
SLOW = ["exit-in-an-answer", "forged-bundles", "loop-in-a-cell", "memory-bomb", "reads-the-reference"]


def lend(handed_in, out):
    """Add the rows of the slow submissions, as ``grade`` made them, to the results in another folder."""
    (out / NAME).mkdir(exist_ok=True)
    rows = [row for row in read_rows(handed_in / "grades" / NAME / "results.jsonl") if row["student"] in SLOW]
    with open(out / NAME / "results.jsonl", "a") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)


def verdicts(out):
    rows = read_rows(out / NAME / "results.jsonl")
    kept = ("status", "reason", "total", "incidents", "notes", "twin", "key")
    return {row["student"]: ([row[key] for key in kept], row["checks"]) for row in rows}


@pytest.fixture(scope="module")
def handed_in(bubblewrap, small, tmp_path_factory):
    """A folder of submissions, and what ``grade`` made of it."""
    folder = tmp_path_factory.mktemp("handed-in")
    places = {"places": [str(folder), str(small.grading), str(ROOT)], "port": 9}
    cohort.build(folder / "submissions", small.released, places, SOME)
    (folder / "submissions" / "bea").mkdir()
    trap = f"open({str(folder / 'trapped')!r}, 'w').close()"
    for place in (folder / "submissions", folder / "submissions" / "ada"):
        (place / "conftest.py").write_text(trap)
    assert main(["grade", str(folder / "submissions"), *options(small, folder / "grades")]) == 0
    return folder


@pytest.mark.parametrize("more", [[], ["-n", "2", "-v"]], ids=["alone", "two workers"])
def test_both_front_ends_give_the_same_rows(handed_in, small, tmp_path, more):
    words = " ".join(options(small, tmp_path))
    done = run(
        "--grade", handed_in / "submissions", "--grade-with", words, "--junitxml", tmp_path / "x.xml", *more
    )
    assert done.returncode == 1 and "errors" not in done.stdout.splitlines()[-1], done.stdout + done.stderr
    assert verdicts(tmp_path) == verdicts(handed_in / "grades")
    cases = {(c.get("classname"), c.get("name")): c for c in xml.parse(tmp_path / "x.xml").iter("testcase")}
    assert len(cases) == len(SOME) * len(small.made["checks"])
    for student, (_, checks) in verdicts(tmp_path).items():
        for id, mark in checks.items():
            case = cases[f"{student}.{NAME}", id]
            assert (case.find("failure") is None) == (mark["status"] == "right")
            told = {each.get("name"): float(each.get("value")) for each in case.iter("property")}
            assert told == {"points": mark["points"], "of": mark["of"]}
    for line in (f"ada  {NAME}  6 of 10 points", f"centre-wrong  {NAME}  4 of 10 points",
                 f"bea  {NAME}  nothing handed in"):  # fmt: skip
        assert line in done.stdout.splitlines()
    assert f"bad-json  {NAME}  0 of 10 points, bad-notebook: not JSON" in done.stdout
    assert f"{tmp_path / NAME}: see index.html" in done.stdout
    if more:  # no worker waits for what another one marks
        ran = set(re.findall(rf"^\[(gw\d)\] .* (?:PASSED|FAILED) (.*)::{NAME}::", done.stdout, re.MULTILINE))
        assert len(ran) == len(SOME) and {worker for worker, _ in ran} == {"gw0", "gw1"}
    pages = (tmp_path / NAME / "students").iterdir(), (handed_in / "grades" / NAME / "students").iterdir()
    assert sorted(page.name for page in pages[0]) == sorted(page.name for page in pages[1])
    assert not (handed_in / "trapped").exists()


def test_what_one_front_end_began_the_other_ends(handed_in, small, tmp_path):
    words = " ".join(options(small, tmp_path))
    done = run(
        "--grade", handed_in / "submissions", "--grade-with", words, "-k", "ada and heads or bad-json", "-v"
    )
    assert f"ada::{NAME}::heads-hidden PASSED" in done.stdout and "not all is marked yet" in done.stdout
    assert "8 failed" not in done.stdout and "6 failed, 2 passed" in done.stdout
    first = {row["student"]: row["seconds"] for row in read_rows(tmp_path / NAME / "results.jsonl")}
    assert set(first) == {"ada", "bad-json"} and not (tmp_path / NAME / "run.json").exists()
    lend(handed_in, tmp_path)
    assert main(["grade", str(handed_in / "submissions"), *options(small, tmp_path)]) == 0
    rows = {row["student"]: row["seconds"] for row in read_rows(tmp_path / NAME / "results.jsonl")}
    assert first.items() <= rows.items() and verdicts(tmp_path) == verdicts(handed_in / "grades")
    again = run("--grade", handed_in / "submissions", "--grade-with", words, "-q")
    assert again.returncode == 1 and float(re.search(r"in ([\d.]+)s", again.stdout)[1]) < 10
    assert {row["student"]: row["seconds"] for row in read_rows(tmp_path / NAME / "results.jsonl")} == rows


def runs(process):
    """Whether it has memory: to bury a name space takes the system seconds more, in which nothing runs."""
    try:
        return bool(process.cmdline())
    except psutil.Error:  # gone, or its parent has not asked for it yet
        return False


@pytest.mark.parametrize("more", [[], ["-n", "2"]], ids=["alone", "two workers"])
def test_killed_in_the_middle_nothing_runs_on_and_the_next_run_goes_on(handed_in, small, tmp_path, more):
    words = " ".join(options(small, tmp_path))
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *more]
    command += ["--grade", str(handed_in / "submissions"), "--grade-with", words]
    results = tmp_path / NAME / "results.jsonl"
    lend(handed_in, tmp_path)
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) as killed:
        while len(read_rows(results)) < len(SLOW) + 3:
            assert killed.poll() is None
            time.sleep(0.02)
        family = psutil.Process(killed.pid).children(recursive=True)
        assert any("grader.run" in process.cmdline() for process in family)
        killed.kill()
    end = time.monotonic() + 2
    while (alive := [process for process in family if runs(process)]) and time.monotonic() < end:
        time.sleep(0.02)
    assert alive == []
    first = {row["student"]: row["seconds"] for row in read_rows(results)}
    assert len(SLOW) + 3 <= len(first) < len(SOME)
    assert {path.name for path in results.parent.iterdir()} <= {".lock", "results.jsonl"}
    with open(results, "a") as file:
        file.write('{"student": "half a li')
    done = run("--grade", handed_in / "submissions", "--grade-with", words, *more)
    assert done.returncode == 1 and f"{tmp_path / NAME}: see index.html" in done.stdout
    rows = {row["student"]: row["seconds"] for row in read_rows(results)}
    assert first.items() <= rows.items() and verdicts(tmp_path) == verdicts(handed_in / "grades")
    ours = {str(process.pid) for process in [killed, *family]}
    assert [path for path in Path("/tmp").glob("lm-*") if path.name.split("-")[1] in ours] == []


def settings_among_submissions(folder):
    (folder / "submissions" / "pytest.ini").write_text("[pytest]")
    return {}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda folder: {"cwd": folder / "submissions"}, "give it in the folder of the course"),
        (lambda folder: {"cwd": folder / "submissions" / "ada"}, "give it in the folder of the course"),
        (settings_among_submissions, "no settings among"),
        (lambda folder: {"more": ["--grade-with", "--jobs 0"]}, "--jobs must not be 0"),
        (lambda folder: {"more": ["--grade-with", "90-none"]}, "no lab '90-none'"),
    ],
)  # fmt: skip
def test_wrong_use_is_refused(handed_in, small, tmp_path, change, words):
    changes = change(handed_in)
    more = changes.get("more", [])
    try:
        plain = ["--grade-with", " ".join([*options(small, tmp_path), *more[1:]])]
        done = run("--grade", handed_in / "submissions", *plain, cwd=changes.get("cwd", ROOT))
    finally:
        (handed_in / "submissions" / "pytest.ini").unlink(missing_ok=True)
    assert done.returncode == 4 and words in done.stdout + done.stderr
    assert not (tmp_path / NAME / "results.jsonl").exists()


# --- plain nbval ------------------------------------------------------------------------------------

LAST_DIGIT = "    return np.sum(x) / len(x) * (1 + 4e-6)"


ANSWERS = {
    "unsolved": {"centre": None, "spread": None, "heads": None},
    "right": {},
    "another last digit": {"centre": LAST_DIGIT},
    "wrong": {"centre": "    return 1.0", "spread": "    return -1.0", "heads": "heads = 101"},
    "stops": {"spread": "    return x[99]"},
}


@pytest.fixture(scope="module", params=["--nbval", "--nbval-lax"])
def said(request, small, tmp_path_factory):
    """What pytest says of the lab with all these answers, each in a folder of its name."""
    folder = tmp_path_factory.mktemp("nbval")
    for name, answers in ANSWERS.items():
        (folder / name).mkdir()
        notebook = hand_in(small.released, **{"heads": HEADS, **answers})
        (folder / name / f"{NAME}.ipynb").write_text(json.dumps(notebook))
    return run(request.param, folder, "-v", "-rs", cwd=folder).stdout


@pytest.mark.parametrize(
    ("name", "outcomes"),
    [
        ("unsolved", {"passed": 5, "skipped": 4}),
        ("right", {"passed": 9}),
        ("another last digit", {"passed": 9}),
        ("wrong", {"passed": 6, "failed": 3}),
        ("stops", {"passed": 7, "failed": 2}),
    ],
)
def test_plain_nbval_tells_the_truth_about_a_lab(said, name, outcomes):
    counts = Counter(re.findall(rf"^{name}/{NAME}::.* (PASSED|FAILED|SKIPPED|ERROR)", said, re.MULTILINE))
    assert {word.lower(): count for word, count in counts.items()} == outcomes, said
    if "skipped" in outcomes:
        assert "Check centre: not attempted yet. Write centre above" in said
        assert "Not attempted yet: write spread, then run this cell again." in said


def test_nbval_compares_stored_values_as_the_grader_does(small, tmp_path):
    text = small.source.read_text()
    path = tmp_path / "stored.ipynb"
    for value, failed in (("3.000004", 0), ("3.1", 1)):
        path.write_text(text.replace('"of 1, 2, 6": 3.0', f'"of 1, 2, 6": {value}'))
        done = run("--nbval", path, "-q", cwd=tmp_path)
        assert done.returncode == failed, done.stdout
        assert ("the stored values are others" in done.stdout) == bool(failed)
