"""A wrong answer that a planted bug gives, too, is named: rightly, kindly, and without a leak."""

import json
import re
import warnings
from pathlib import Path

import matplotlib
import pytest

from _ext.contents import lab_sources
from grader import check, judge
from grader.__main__ import main
from grader.lab import Lab, LabError
from grader.pages import page_name
from grader.report import report
from tests.grader.small_lab import NAME, hand_in
from tests.grader.test_grade import command
from tests.grader.test_seeds import LABS, Notebook

SAYS = [
    (path.stem, bug.marks["rejects"], bug.marks["says"])
    for path in lab_sources()
    for bug in Lab(path).of("bug")
    if "says" in bug.marks
]
UNKIND = (
    "you|your|forgot|stupid|careless|obvious|obviously|simply|just|of course|silly|easy|trivial|fail|failed"
)


def test_there_are_at_least_150_sentences():
    assert len(SAYS) >= 150


@pytest.mark.parametrize(("lab", "id", "says"), SAYS)
def test_a_sentence_names_the_mistake_and_blames_nobody(lab, id, says):
    mistake, hint = says
    told = f"This is what comes out if {mistake}. {hint}"
    assert not mistake.endswith(".") and hint.endswith(".") and hint[0].isupper()
    assert 40 < len(told) < 230 and "  " not in told
    assert not re.search(rf"\b({UNKIND})\b|!", told, re.IGNORECASE), told
    assert not re.search(r"\d\.\d|\d{3}", told), told  # no number that an input could be


@pytest.mark.parametrize("source", lab_sources(), ids=lambda path: path.stem)
def test_who_hands_in_a_planted_bug_is_told_so_and_who_is_right_is_not(source, monkeypatch):
    lab, notebook = Lab(source), Notebook()
    monkeypatch.setattr(check, "_display", lambda bundle, text, html: notebook.bundles.append(bundle))
    monkeypatch.setattr(check, "_given", {})
    monkeypatch.chdir(LABS)
    matplotlib.use("agg")
    right, wrong = {}, {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of bugs
        for step in lab.solved(7, bugs=True):
            did = notebook.run(step["source"]) | {"check": step.get("check")}
            did["bundles"] = list(did["bundles"])
            if "bug" in step:
                wrong.setdefault(step["check"], []).append((step, did))
            elif did["check"]:
                right[did["check"]] = did
    told = planted = 0
    for id, tried in wrong.items():
        reference = right[id]["bundles"][0]
        judged = [(step, did, judge.one(id, reference, did)[0]) for step, did in tried]
        bugs = [
            {"says": step["says"], "values": did["bundles"][0]["values"]}
            for step, did, status in judged
            if status == "wrong"
        ]
        assert judge.mistake(id, reference, bugs, right[id]) is None or "unique" in str(reference["terms"])
        for step, did, status in judged:
            if status == "wrong" and not step["probe"]:
                planted += 1
                found = judge.mistake(id, reference, bugs, did)
                assert found in (None, step["says"])
                told += found is not None
    assert told >= 0.8 * planted, (told, planted)


@pytest.fixture(scope="module")
def graded(bubblewrap, small, tmp_path_factory):
    """Four students: two with planted bugs, one wrong in a way of their own, one right."""
    folder = tmp_path_factory.mktemp("mistakes")
    students = {
        "median": {"centre": "    return np.median(x)"},
        "median-too": {"centre": "    y = sorted(x)\n    return np.median(y)"},
        "sample": {"spread": "    return np.var(x, ddof=1)"},
        "own-way": {"centre": "    return np.sum(x) / len(x) + 0.125"},
        "both": {"centre": "    return np.median(x)", "spread": "    return np.var(x, ddof=1)"},
        "right": {},
    }
    for student, answers in students.items():
        path = folder / "submissions" / student / f"{NAME}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(hand_in(small.released, **answers)))
    assert main(command(small, folder)) == 0
    return folder / "grades" / NAME


@pytest.mark.parametrize(
    ("student", "told"),
    [
        ("median", ["the median is taken"]),
        ("median-too", ["the median is taken"]),
        ("sample", ["it is divided by n - 1"]),
        ("both", ["the median is taken", "it is divided by n - 1"]),
        ("own-way", []),
        ("right", []),
    ],
)
def test_a_students_page_names_the_mistake_and_shows_nothing_hidden(graded, small, student, told):
    page = (graded / "students" / page_name(student)).read_text()
    assert re.findall(r"This is what comes out if (.*?)\.<", page) == told
    values = [check["bundle"]["values"] for check in small.made["checks"].values() if check["hidden"]]
    values += [bug["values"] for bugs in small.made["bugs"].values() for bug in bugs]
    numbers = {str(abs(number))[:6] for each in values for number in each.values()} - {"50", "49", "3.0"}
    assert numbers and not [number for number in numbers if len(number) > 3 and number in page]


def test_the_class_page_counts_each_mistake(graded):
    page = (graded / "index.html").read_text()
    assert re.findall(r"(\d of 6)</td><td>(\w+)</td><td>([^<]+)</td>", page) == [
        ("3 of 6", "centre", "the median is taken"),
        ("2 of 6", "spread", "it is divided by n - 1"),
    ]
    assert "this is what comes out if the median is taken. One huge" in (graded / "moodle.csv").read_text()
    assert len(report(graded)) == 6


def outcome(values):
    return {"status": "ok", "error": "", "bundles": [{"check": "a", "state": "answered", "values": values}]}


def test_no_match_no_guess():
    reference = {"values": {"v": [1.0, 2.0]}, "terms": {}}
    one = {"says": ["one", "One."], "values": {"v": [2.0, 4.0]}}
    other = {"says": ["other", "Other."], "values": {"v": [2.0, 4.0]}}
    assert judge.mistake("a", reference, [one], outcome({"v": [2.0, 4.00001]})) == ["one", "One."]
    assert judge.mistake("a", reference, [one], outcome({"v": [2.0, 4.1]})) is None
    assert judge.mistake("a", reference, [one, other], outcome({"v": [2.0, 4.0]})) is None
    free = reference | {"terms": {"v": {"unique": False, "above": 0}}}
    assert judge.mistake("a", free, [one], outcome({"v": [2.0, 4.0]})) is None


def test_a_sentence_has_two_parts(small, tmp_path):
    text = Path(small.source).read_text().replace('"the median is taken",', "")
    path = tmp_path / f"{NAME}.ipynb"
    path.write_text(text)
    with pytest.raises(LabError, match="says holds two texts"):
        Lab(path)
