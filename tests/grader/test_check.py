"""A check cell: what it tells the student, and what it emits for the judge."""

import json
import re
import subprocess
import sys
from html import unescape

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader import check as module
from grader.check import AuthorMistake, check, start_from, when_solved
from grader.values import kind_faults, plain, same, show


@pytest.fixture
def shown(monkeypatch):
    """The bundles that a notebook would have displayed, with their texts."""
    seen = []
    monkeypatch.setattr(module, "_display", lambda bundle, text, html: seen.append((bundle, text)))
    return seen


def starter():
    raise NotImplementedError


def test_values_are_rounded_and_words_say_what_came(shown):
    with check("alpha") as expect:
        expect("alpha", np.float64(1 / 3), shape=(), above=0)
        expect("weights", np.array([0.5, -0.25]), shape=(2,), above=0, hint="exp is positive.")
    bundle, text = shown[0]
    assert bundle == {
        "check": "alpha",
        "state": "answered",
        "values": {"alpha": 0.333333, "weights": [0.5, -0.25]},
        "terms": {"alpha": {"shape": [], "above": 0}, "weights": {"shape": [2], "above": 0}},
        "faults": ["weights"],
    }
    assert text.splitlines() == [
        "Check alpha",
        "  alpha: the right kind of answer (0.3333). Grading compares its value.",
        "  weights: not yet. Expected: numbers above 0. Got: -0.25 at position 1. Hint: exp is positive.",
    ]


@pytest.mark.parametrize("answer", [lambda: starter(), lambda: ..., lambda: [1, ...], lambda: 1 + ...])
def test_a_starter_is_not_attempted(shown, answer):
    with check("alpha") as expect:
        expect("alpha", answer())
    bundle, text = shown[0]
    assert bundle["state"] == "not attempted" and bundle["values"] == {}
    assert "not attempted yet" in text


def test_the_starter_is_named(shown):
    with check("alpha") as expect:
        expect("alpha", starter())
    assert "Write starter above" in shown[0][1]


@pytest.mark.parametrize("error", [ZeroDivisionError("by 0"), SystemExit(3), RecursionError(), MemoryError()])
def test_code_that_stops_is_reported_not_raised(shown, error):
    def learner_weight():
        raise error

    with check("alpha") as expect:
        expect("first", 1)
        expect("alpha", learner_weight())
    bundle, text = shown[0]
    assert (bundle["state"], bundle["error"]) == ("stopped", type(error).__name__)
    assert f"stopped by {type(error).__name__}" in text and "in learner_weight, line" in text


def test_an_interrupt_gets_through(shown):
    with pytest.raises(KeyboardInterrupt), check("alpha"):
        raise KeyboardInterrupt
    assert not shown


@pytest.mark.parametrize(
    "use",
    [
        lambda expect: None,
        lambda expect: expect("a", 1, over=0),
        lambda expect: (expect("a", 1), expect("a", 2)),
    ],
    ids=["nothing", "unknown wish", "name twice"],
)
def test_mistakes_of_the_author_are_loud(use):
    with pytest.raises(AuthorMistake), check("alpha") as expect:
        use(expect)


@pytest.mark.parametrize(
    ("answer", "came"),
    [
        (np.ones((200, 200)), "too many numbers: shape (200, 200)."),
        ([np.ones(15_000)] * 2, "too many numbers: 30000 of them."),
        (np.array([[1.0] * 15_000, [2.0] * 10_000], dtype=object), "too many numbers: shape (2,)."),
        (range(10**9), "too many numbers: 1000000000 of them."),
    ],
)
def test_an_answer_that_is_too_large_is_the_students_mistake(shown, answer, came):
    with check("alpha") as expect:
        expect("first", 1)
        expect("a", answer, shape=(5,), sums_to=1, hint="One for each row.")
        expect("b", answer)
    bundle, text = shown[0]
    assert (bundle["state"], bundle["values"]) == ("answered", {"first": 1, "a": None, "b": None})
    assert bundle["faults"] == ["a", "b"]
    assert f"a: not yet. Expected: 5 numbers. Got: {came} Hint: One for each row." in text
    assert f"b: not yet. Expected: fewer numbers. Got: {came}" in text


def test_a_cell_that_did_not_run_is_named_as_the_cause(shown):
    with check("unrun"):
        exec("learner_of_another_cell(0.5)", {})  # as a cell does: outside of any function
    _, text = shown[-1]
    assert "NameError" in text and text.endswith(
        "Run the cell that defines it first, and see whether it ends in an error."
    )


@pytest.fixture
def cards(monkeypatch):
    """The texts and the cards that a notebook would have shown."""
    seen = []
    monkeypatch.setattr(module, "_display", lambda bundle, text, html: seen.append((text, html)))
    monkeypatch.setattr(module, "_fine", {})
    return seen


def test_a_card_says_the_same_as_the_text_and_nothing_of_an_answer_runs_in_it(cards):
    with check("tags") as expect:
        expect("bold", "<b>&", equals="<b>&")
        expect("script", "<script>", equals=1, hint="a < b")
    text, html = cards[0]
    assert "<script>" in text and "<script>" not in html and "<b>" not in html
    words = unescape(re.sub("<[^>]*>", " ", html)).split()
    assert [word for word in words if word not in "✓✗•○"] == text.split()
    assert [sign for sign in html if sign in "✓✗•○"] == ["✓", "✗"]
    assert (
        f"border-left: 4px solid {module.FAULT[1]}" in html and "normal" in html and "break-all" not in html
    )


def test_before_an_attempt_neither_what_is_expected_nor_a_hint_is_told(cards):
    with check("alpha") as expect:
        expect("alpha", starter(), above=0, equals=0.42365, hint="Halve it.")
    for words in cards[0]:
        assert "not attempted yet" in words and "Write starter above" in words
        assert not any(secret in words for secret in ("0.42", "Halve", "Expected"))
    assert module.OPEN[0] in cards[0][1]


def test_each_check_says_how_many_are_fine(cards):
    for id, answer in [("a", 1), ("b", 2), ("c", starter), ("b", 1), ("a", 3)]:
        with check(id, of=3) as expect:
            expect("one", answer() if callable(answer) else answer, equals=1)
    totals = [
        f"{fine} of 3 visible checks are fine; grading also tries other inputs." for fine in (1, 1, 1, 2, 1)
    ]
    assert [text.splitlines()[-1].strip() for text, _ in cards] == totals
    assert all(total in html for total, (_, html) in zip(totals, cards, strict=True))


def test_the_seed_and_the_id_decide_the_inputs(shown):
    for seed, id in [(1, "a"), (1, "a"), (1, "b"), (5, "a")]:
        start_from(seed)
        with check(id) as expect:
            expect("draw", expect.rng.random())
    start_from(module.PUBLIC_SEED)
    first, again, other, secret = (bundle["values"]["draw"] for bundle, _ in shown)
    assert first == again and len({first, other, secret}) == 3


def test_cells_that_use_the_answer_survive_an_unsolved_lab(capsys):
    with when_solved("starter"):
        starter()
    assert capsys.readouterr().out == "Not attempted yet: write starter,\nthen run this cell again.\n"
    with pytest.raises(ZeroDivisionError), when_solved("it"):
        1 / 0  # noqa: B018


@pytest.mark.parametrize(
    ("value", "wishes", "expected", "came"),
    [
        ([1.0, 2.0], {"shape": [3]}, "3 numbers", "2 numbers"),
        ([[1.0]], {"shape": []}, "one number", "an array of shape (1, 1)"),
        (-1, {"at_least": 0}, "a number at least 0", "-1"),
        (0.0, {"above": 0}, "a number above 0", "0"),
        ([0, 2], {"at_most": 1}, "numbers at most 1", "2 at position 1"),
        ([0, 1], {"below": 1}, "numbers below 1", "1 at position 1"),
        ([0.5, 0.6], {"sums_to": 1}, "numbers that sum to 1", "they sum to 1.1"),
        ([1, 0], {"only": [-1, 1]}, "only -1, 1", "0 at position 1"),
        ("nan", {"above": 0}, "a number", "nan"),
        (None, {"above": 0}, "numbers", "nothing: is a return missing?"),
        (None, {}, "an answer", "nothing: is a return missing?"),
        ("text", {"shape": []}, "numbers", "'text'"),
        ({"a": 1}, {"shape": []}, "numbers", "{a: 1}"),
    ],
)
def test_every_kind_has_words(value, wishes, expected, came):
    assert kind_faults(value, wishes) == [(expected, came)]


@pytest.mark.parametrize(
    ("value", "reference", "terms", "agree"),
    [
        (0.333333, 0.333334, {}, True),
        (0.3333, 0.333334, {}, False),
        (0.3333, 0.333334, {"within": 1e-3}, True),
        (1e-8, 2e-8, {}, False),
        ([1.0, 1e-12], [1.0, 0.0], {}, True),
        (0.0, 1e-17, {}, True),
        ([1, 2, 3, 4], [1, 2, 3, 5], {"agree": 0.75}, True),
        ([1, 2, 3, 4], [1, 2, 4, 5], {"agree": 0.75}, False),
        ([1, 2], [1, 2, 3], {"agree": 0.5}, False),
        ([2.0, -4.0], [1.0, -2.0], {"up_to": "scale"}, True),
        ([-2.0, 4.0], [1.0, -2.0], {"up_to": "scale"}, False),
        ([0.0, 0.0], [1.0, -2.0], {"up_to": "scale"}, False),
        ([3, 1, 2], [1, 2, 3], {"up_to": "order"}, True),
        ("spam", "spam", {}, True),
        ("spam", "ham", {}, False),
        (["spam", "ham"], ["spam", "spam"], {"agree": 0.5}, True),
        ({"a": 1.0}, {"a": 1.0000001}, {}, True),
        ({"a": 1.0, "b": 0}, {"a": 1.0}, {}, False),
        ([1, [2, 3]], [1, [2, 3]], {}, True),
        ([1, [2, 3]], [1, [2, 4]], {}, False),
        ("nan", "nan", {}, True),
        (1.0, "nan", {}, False),
        ("inf", "inf", {}, True),
        (None, None, {}, True),
        (None, 0.0, {}, False),
        (0.0, None, {}, False),
        ([], [], {}, True),
        ([], [1.0], {}, False),
        ([None, 1.0], [0.0, 1.0], {}, False),
        ("1", 1, {}, False),
        (True, 1, {}, True),
        (10**400, 1.0, {}, False),
    ],
)
def test_agreement(value, reference, terms, agree):
    assert same(value, reference, terms) is agree


class AlwaysEqual:
    """Equals everything, and says so in every way that Python asks."""

    def __eq__(self, other):
        return True

    __hash__ = None


@pytest.mark.parametrize("liar", [AlwaysEqual(), {1: AlwaysEqual()}, np.array([AlwaysEqual()]), lambda: 0])
def test_objects_that_equal_everything_are_no_answers(shown, liar):
    with check("alpha") as expect:
        expect("alpha", liar, equals=0.4)
    assert shown[0][0]["values"] == {"alpha": None} and shown[0][0]["faults"] == ["alpha"]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda parts: st.lists(parts, max_size=4) | st.dictionaries(st.text(max_size=3), parts, max_size=4),
    max_leaves=10,
)


@given(json_values)
def test_plain_values_are_json_and_agree_with_themselves(value):
    value = plain(value)
    assert json.loads(json.dumps(value, allow_nan=False)) == value
    assert plain(value) == value
    assert same(value, value, {})
    show(value)


@given(json_values, json_values)
def test_judging_never_raises(value, reference):
    kind_faults(plain(value), {"shape": [], "above": 0, "sums_to": 1, "only": [1]})
    kind_faults(plain(value), {"sums_to": 1})
    for terms in ({}, {"agree": 0.5}, {"up_to": "sign"}, {"up_to": "scale"}, {"up_to": "order"}):
        assert same(plain(value), plain(reference), terms) in (True, False)


def test_a_lab_needs_the_standard_library_and_numpy_only():
    code = (
        "import sys; before = set(sys.modules); import numpy; numpy_brings = set(sys.modules)\n"
        "import grader.check\n"
        "new = {name.split('.')[0] for name in set(sys.modules) - numpy_brings}\n"
        "print(sorted(new - set(sys.stdlib_module_names)))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out == "['grader']\n"
