"""Reading what was handed in and laying it over the skeleton: pure functions on hostile data."""

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader import judge
from grader.attempt import _answers
from grader.collect import BadNotebook, labs_handed_in, not_looked_at, parse, submissions
from grader.compose import compose, defined_below

SKELETON = [
    {"id": "setup", "role": "setup", "source": "S", "released": "S", "check": None, "hidden": False},
    {"id": "a", "role": "answer", "source": "", "released": "todo a", "check": None, "hidden": False},
    {"id": "check-a", "role": "check", "source": "CA", "released": "ca", "check": "a", "hidden": False},
    {"id": "", "role": "check", "source": "HA", "released": "", "check": "a-hidden", "hidden": True},
    {"id": "more", "role": "setup", "source": "M", "released": "M", "check": None, "hidden": False},
    {"id": "b", "role": "answer", "source": "", "released": "todo b", "check": None, "hidden": False},
    {"id": "check-b", "role": "check", "source": "CB", "released": "cb", "check": "b", "hidden": False},
    {"id": "", "role": "check", "source": "HB", "released": "", "check": "b-hidden", "hidden": True},
    {"id": "demo", "role": "demo", "source": "", "released": "show", "check": None, "hidden": False},
]
LAB = {"name": "90-small", "version": "1", "skeleton": SKELETON}
STAMP = {"name": "90-small", "version": "1"}
CHECKS = ["CA", "HA", "CB", "HB"]


def cell(name, source, kind="code", **marks):
    return {"kind": kind, "id": name, "source": source, "marks": marks}


HONEST = [
    cell("setup", "S"), cell("a", "A"), cell("check-a", "ca", id="a"), cell("more", "M"),
    cell("b", "B"), cell("check-b", "cb", id="b"), cell("demo", "show"),
]  # fmt: skip


def composed(cells, stamp=STAMP):
    return [step["source"] for step in compose(LAB, cells, stamp)[0]]


def test_an_honest_notebook():
    assert composed(HONEST) == ["S", "A", "CA", "HA", "M", "B", "CB", "HB"]


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ([*HONEST[:2], *HONEST[3:]], "S A CA HA M B CB HB"),
        ([c for c in HONEST if not c["id"].startswith("check")], "S A CA HA M B CB HB"),
        (sorted(HONEST, key=lambda c: not c["id"].startswith("check")), "S A CA HA M B CB HB"),
        ([*HONEST[:3], cell("new", "ca"), *HONEST[3:]], "S A CA HA M B CB HB"),
        ([*HONEST[:3], cell("new", "ca", id="a"), *HONEST[3:]], "S A CA HA M B CB HB"),
        ([*HONEST[:2], cell("own", "X"), *HONEST[2:], cell("end", "Y")], "S A X CA HA M B CB HB Y"),
        ([*HONEST[:1], cell("h1", "A1"), cell("h2", "A2"), *HONEST[2:]], "S A1 A2 CA HA M B CB HB"),
        ([cell("setup", "S2"), *HONEST[1:]], "S S2 A CA HA M B CB HB"),
        ([*HONEST[:2], cell("check-a", "ca2"), *HONEST[3:]], "S A ca2 CA HA M B CB HB"),
        ([*HONEST[:-1], cell("demo", "mine")], "S A CA HA M B CB HB mine"),
        ([cell("", c["source"]) for c in HONEST], "S A CA HA M B CB HB"),
        ([c for c in HONEST if c["id"] != "more"], "S A CA HA M B CB HB"),
        ([c for c in HONEST if c["id"] != "setup"], "S A CA HA M B CB HB"),
        ([HONEST[0], cell("t", "words", kind="markdown"), *HONEST[1:]], "S A CA HA M B CB HB"),
        ([cell("x", "  \n"), *HONEST], "S A CA HA M B CB HB"),
    ],
)
def test_whatever_students_do_to_cells(cells, expected):
    assert composed(cells) == expected.split()


@given(st.permutations(HONEST), st.sets(st.integers(0, 6), max_size=5))
def test_every_check_runs_once_in_order_whatever_is_moved_or_deleted(cells, gone):
    kept = [c for n, c in enumerate(cells) if n not in gone]
    steps, _ = compose(LAB, kept, STAMP)
    assert [s["source"] for s in steps if s["check"]] == CHECKS
    sources = [s["source"] for s in steps]
    assert sources[0] == "S" or sources.index("S") < sources.index("CA")
    assert [s for s in sources if s in "AB"] == [c["source"] for c in kept if c["source"] in "AB"]


def test_an_answer_below_its_check_is_noticed_and_not_run_before_it():
    starter, answer, loop = "def f(x):\n    raise NotImplementedError", "def f(x):\n    return x", "f = 3"
    skeleton = [{**c, "released": starter} if c["id"] == "a" else c for c in SKELETON]
    lab = {**LAB, "skeleton": skeleton}

    def below(own, *more):
        cells = [HONEST[0], cell("a", own), HONEST[2], *(cell(f"n{n}", m) for n, m in enumerate(more))]
        steps, _ = compose(lab, [*cells, *HONEST[3:]], STAMP)
        assert [s["source"] for s in steps if s["check"] or s["source"] in more][:2] == ["CA", "HA"]
        return defined_below(skeleton, steps)

    assert below(starter, answer) == ["f"]
    assert below(starter, "f(", answer) == ["f"]
    assert below(starter, "g = 3") == below(starter) == []
    assert below(answer, loop) == []  # an experiment that uses the name again


def test_other_labs_and_other_releases():
    with pytest.raises(BadNotebook, match="this is lab '04-x', not '90-small'"):
        composed(HONEST, {"name": "04-x"})
    with pytest.raises(BadNotebook, match="none of the cells"):
        composed([cell("x", "1")])
    assert compose(LAB, HONEST, {"name": "90-small", "version": "0"})[1] == [
        "made from another release of this lab"
    ]
    assert compose(LAB, HONEST, {})[1] == []  # the stamp is lost: nobody knows
    assert compose(LAB, HONEST[:2], STAMP)[1] == ["check cells missing: a, b"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"{", "not JSON"),
        (b"\xff", "not a text"),
        (b"1", "no list of cells"),
        (b'{"cells": {}}', "no list of cells"),
        (b'{"cells": [[]]}', "cell 0 is not a cell"),
        (b'{"cells": [{"source": 1}]}', "cell 0 has no text"),
        (b'{"cells": [{"source": ["a", 1]}]}', "cell 0 has no text"),
        (b'{"cells": [' + b'{"source": ""},' * 2000 + b'{"source": ""}]}', "more than 2000 cells"),
        (b'{"a": ' * 100_000, "nested too deeply"),
        (b"[" + b"{}," * 300_000 + b"{}]", "more parts"),
        (b'["' + b"\\" * 1_000_000, "not JSON"),
        (b'"\\"' * 300_000, "not JSON"),
        (b'{"cells": [], "n": ' + b"9" * 5000 + b"}", "not JSON"),
    ],
)
def test_every_file_that_is_no_notebook_gets_a_reason(content, reason):
    with pytest.raises(BadNotebook, match=reason):
        parse(content)


def test_a_notebook_is_read_whatever_its_metadata_are():
    odd = {"cell_type": "code", "id": 3, "metadata": {"id": "m", "lab": "x"}, "source": ["a\n", "\ud800"]}
    odd = {"cells": [odd], "metadata": {"lab": []}}
    cells, stamp = parse(json.dumps(odd).encode())
    assert cells == [{"kind": "code", "id": "m", "source": "a\n?", "marks": {}}] and stamp == {}


def nested(scalars, keys):
    """JSON of any shape whose keys are words that mean something to the reader."""
    words = st.sampled_from(keys.split())
    return st.recursive(
        st.none() | st.booleans() | st.text(max_size=3) | scalars,
        lambda parts: st.lists(parts, max_size=3) | st.dictionaries(words, parts, max_size=4),
        max_leaves=12,
    )


@given(nested(st.integers(), "cells source metadata lab id cell_type check x"))
def test_no_json_stops_the_grader(value):
    try:
        cells, stamp = parse(json.dumps(value).encode())
        compose(LAB, cells, stamp)
    except BadNotebook:
        pass


def hand_in(folder, *names, content='{"cells": []}'):
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)


def test_submissions_are_found_by_student(tmp_path):
    hand_in(tmp_path, "bea/90-small.ipynb", "_old/90-small.ipynb", "dan/90-small (1).ipynb", "a-file")
    hand_in(tmp_path, "ada/90-small.ipynb", "ada/90-small (1).ipynb", "ada/old/90-small.ipynb")
    hand_in(tmp_path, "eve/90-small-a.ipynb", "eve/90-small-b.ipynb", "cy/91-other.ipynb")
    hand_in(
        tmp_path, ".git/90-small.ipynb", "__MACOSX/90-small.ipynb", "gus/.ipynb_checkpoints/90-small.ipynb"
    )
    hand_in(tmp_path, "90-small of fay.ipynb")
    (tmp_path / "a-link").symlink_to(tmp_path / "ada")
    (tmp_path / "bea" / "more").symlink_to(tmp_path / "ada")
    found, missing = submissions(tmp_path, "90-small", ["91-other"])
    assert [(s.student, s.note, s.problem) for s in found] == [
        ("_old", "", ""),
        ("a-link", "", "the student's folder is a link"),
        ("ada", "beside it: 90-small (1).ipynb, old/90-small.ipynb, not read", ""),
        ("bea", "", ""),
        ("dan", "taken from 90-small (1).ipynb", ""),
        ("eve", "", "several files could be it: 90-small-a.ipynb, 90-small-b.ipynb"),
    ]
    assert missing == {"cy": [], "gus": []}
    assert not_looked_at(tmp_path) == (["90-small of fay.ipynb"], [".git", "__MACOSX"])


STAMPED = json.dumps({"cells": [], "metadata": {"lab": {"name": "90-small"}}})


@pytest.mark.parametrize(
    "name",
    ["work/90-small.ipynb", "a/b/90-small.ipynb", "Copy of 90-small.ipynb", "90_small.ipynb",
     "90 Small.ipynb", "90-small.IPYNB", "90-small-1.ipynb"],
)  # fmt: skip
def test_a_file_whose_name_was_changed_is_taken(tmp_path, name):
    hand_in(tmp_path, f"ada/{name}", "ada/91-other.ipynb")
    (found,), missing = submissions(tmp_path, "90-small", ["90-small", "91-other"])
    assert (found.student, found.note, missing) == ("ada", f"taken from {name}", {})
    assert labs_handed_in(tmp_path, ["90-small", "91-other", "92-none"]) == {"90-small", "91-other"}


def test_a_file_of_any_name_is_taken_by_its_stamp(tmp_path):
    hand_in(tmp_path, "ada/small.ipynb", "bea/91-other.ipynb", content=STAMPED)
    hand_in(tmp_path, "ada/notes.ipynb", "ada/broken.ipynb", content="{")
    (found,), missing = submissions(tmp_path, "90-small", ["91-other"])
    assert (found.student, found.note, missing) == ("ada", "taken from small.ipynb", {"bea": []})


def test_what_is_of_no_lab_is_told(tmp_path):
    hand_in(tmp_path, "ada/mine.ipynb", "ada/data.csv", "ada/91-other.ipynb", "bea/home/work.zip", "cy/91.py")
    hand_in(tmp_path, "dan/91-other.ipynb", "dan/90-small.zip", "dan/data.csv")
    found, missing = submissions(tmp_path, "90-small", ["91-other"])
    assert found == []
    assert missing == {
        "ada": ["mine.ipynb"], "bea": ["home/work.zip"], "cy": ["91.py"], "dan": ["90-small.zip"],
    }  # fmt: skip


@pytest.mark.parametrize(("broken", "reason"), [("", "an empty file"), ("{", "not JSON")])
def test_for_a_broken_file_the_only_other_one_is_taken(tmp_path, broken, reason):
    hand_in(tmp_path, "ada/90-small.ipynb", "bea/90-small.ipynb", content=broken)
    hand_in(tmp_path, "ada/90-small (1).ipynb", "bea/90-small (1).ipynb", "bea/90-small (2).ipynb")
    (ada, bea), _ = submissions(tmp_path, "90-small")
    assert ada.content == b'{"cells": []}' and ada.problem == ""
    assert ada.note.startswith(f"taken from 90-small (1).ipynb; 90-small.ipynb: {reason}")
    assert bea.content == broken.encode() and bea.note.startswith("beside it: ")


def test_folders_without_an_end_are_not_followed(tmp_path):
    place = tmp_path / "ada"
    place.mkdir()
    for _ in range(30):
        place = place / "d"
        place.mkdir()
    hand_in(place, "90-small.ipynb")
    deepest = "/".join("d" * 21)  # named, since a student may have something there, and not opened
    assert submissions(tmp_path, "90-small") == ([], {"ada": [deepest]})


def test_names_of_an_archive_of_another_time_can_be_written(tmp_path):
    for folder, file in ((b"mu\xf1oz", b"90-small"), (b"eve", b"90-small \xf1"), (b"fay", b"90-small \xf1")):
        os.makedirs(os.fsencode(tmp_path) + b"/" + folder)
        (tmp_path / os.fsdecode(folder) / os.fsdecode(file + b".ipynb")).write_text("{}")
    (tmp_path / "fay" / "90-small b.ipynb").write_text("{}")
    found, _ = submissions(tmp_path, "90-small")
    assert [(s.student, s.note, s.problem) for s in found] == [
        ("eve", "taken from 90-small \\xf1.ipynb", ""),
        ("fay", "", "several files could be it: 90-small b.ipynb, 90-small \\xf1.ipynb"),
        ("mu\\xf1oz", "", ""),
    ]


QUESTIONS = {
    "questions": {"why": 4}, "question_cells": {"q": "why"}, "prose": {"end": "Theend."}, "skeleton": [],
}  # fmt: skip


CODE, END = cell("c", "1"), cell("end", "The end.", kind="words")


def words(name, source, **marks):
    return cell(name, source, kind="words", **marks)


@pytest.mark.parametrize("kind", ["markdown", "raw"])
@pytest.mark.parametrize(
    ("cells", "answer"),
    [
        ([words("q", "both")], "both"),
        ([words("x", "known by its mark", id="why")], "known by its mark"),
        ([words("q", "one", id="why"), words("x", "two", id="why")], "one\n\ntwo"),
        ([words("q", "one", id="why"), CODE, END, words("x", "two", id="why")], "one\n\ntwo"),
        ([words("q", "Why?"), words("x", "below"), words("y", "more"), END], "Why?\n\nbelow\n\nmore"),
        ([words("q", "Why?"), END, words("x", "words about the end")], "Why?"),
        ([words("q", "Why?"), words("new-id", "The  end."), words("x", "words about the end")], "Why?"),
        ([words("q", "Why?"), CODE, words("x", "words about the code")], "Why?"),
    ],
)
def test_no_answer_to_an_open_question_is_lost(kind, cells, answer):
    mine = [{**c, "kind": kind if c["kind"] == "words" else "code"} for c in cells]
    assert _answers(QUESTIONS, mine) == {"why": answer}


REFERENCE = {"values": {"w": [1.0, 2.0]}, "terms": {}}


def ran(*bundles, status="ok", error=""):
    return {"status": status, "error": error, "bundles": list(bundles)}


RIGHT = {"check": "a", "state": "answered", "values": {"w": [1.0, 2.0]}}


@pytest.mark.parametrize(
    ("outcome", "verdict"),
    [
        (ran(RIGHT), ("right", "")),
        (ran(RIGHT, error="KeyError"), ("right", "")),
        (ran(RIGHT, RIGHT), ("wrong", "")),
        (ran({**RIGHT, "check": "b"}), ("silent", "")),
        (ran({**RIGHT, "values": {"w": [1.0, 3.0]}}), ("wrong", "")),
        (ran({**RIGHT, "values": {"w": [1.0, 2.0], "v": 1}}), ("wrong", "")),
        (ran({**RIGHT, "values": {}}), ("wrong", "")),
        (ran({**RIGHT, "values": 7}), ("wrong", "")),
        (ran({**RIGHT, "terms": {"w": {"within": 100}}, "values": {"w": [9, 9]}}), ("wrong", "")),
        (ran({**RIGHT, "state": "not attempted"}), ("not attempted", "")),
        (ran({**RIGHT, "state": "stopped", "error": "KeyError"}), ("stopped", "KeyError")),
        (ran({**RIGHT, "state": "stopped", "error": "Leak42"}), ("stopped", "Exception")),
        (ran({**RIGHT, "state": ["x"], "error": ["x"]}), ("stopped", "Exception")),
        (ran(status="error", error="NameError"), ("stopped", "NameError")),
        (ran(), ("silent", "")),
        (ran("text", 3, None), ("silent", "")),
        (ran(RIGHT, status="timeout"), ("timeout", "")),
        (None, ("not reached", "")),
    ],
)
def test_the_judge(outcome, verdict):
    assert judge.one("a", REFERENCE, outcome) == verdict


@pytest.mark.parametrize(
    ("visible", "hidden", "told"),
    [
        (ran(error="KeyError"), ran(error="KeyError"), "KeyError"),
        (ran(error="KeyError"), ran(error="EOFError"), "Exception"),
        (ran(RIGHT), ran(error="EOFError"), "Exception"),
        (None, ran(error="EOFError"), "Exception"),
        (ran(error="KeyError"), ran({**RIGHT, "check": "a-hidden"}), ""),
    ],
)
def test_a_hidden_check_tells_no_error_that_its_visible_twin_did_not_show(visible, hidden, told):
    plain = {"points": 1, "bundle": REFERENCE}
    checks = {"a": {**plain, "hidden": False}, "a-hidden": {**plain, "hidden": True}}
    steps = [{"check": id} | outcome for id, outcome in (("a", visible), ("a-hidden", hidden)) if outcome]
    marks = judge.judge(checks, steps)
    assert marks["a-hidden"]["error"] == told


def test_the_judge_grades_kinds_where_answers_are_many():
    many = {"values": {"w": [1.0, 2.0]}, "terms": {"w": {"unique": False, "above": 0, "shape": [2]}}}
    assert judge.one("a", many, ran({**RIGHT, "values": {"w": [7.0, 0.5]}})) == ("right", "")
    assert judge.one("a", many, ran({**RIGHT, "values": {"w": [7.0, -0.5]}})) == ("wrong", "")


@given(nested(st.floats(), "check state values w a"))
def test_no_bundle_stops_the_judge(bundle):
    status, _ = judge.one("a", REFERENCE, ran(bundle))
    assert status in judge.STATUS
