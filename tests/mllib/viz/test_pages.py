"""The source view, the table and the quiz."""

import inspect
from fractions import Fraction

import numpy as np
import pytest
from bs4 import BeautifulSoup

from mllib.viz import explore, quiz, source, table
from mllib.viz.figures import box


def test_source_is_the_real_code_without_its_docstring():
    view = source(box)
    assert repr(view) == "mllib/viz/figures.py: box"
    body = [line for line in inspect.getsource(box).splitlines() if '"""' not in line]
    assert view.code.splitlines() == [line.rstrip() for line in body]
    assert '"""Limits' in source(box, docstring=True).code
    assert view.code in view._repr_markdown_()
    assert repr(source(explore)) == "mllib/viz/explore/grid.py: explore"


def test_source_of_a_method_is_not_indented():
    assert source(quiz.__init__).code.startswith("def __init__")


def test_quiz_explains_every_answer():
    html = quiz("Why <b>?", right={"one": "because"}, wrong={"two": "not & never", "aaa": "no"})._repr_html_()
    assert html.count("<details") == 3 and html.index("aaa") < html.index("one") < html.index("two")
    assert "&lt;b&gt;" in html and "not &amp; never" in html
    assert html.count("Right.") == 1 and html.count("Not so.") == 2


@pytest.mark.parametrize("right, wrong", [({}, {"a": "b"}), ({"a": "b"}, {}), ({"a": "b"}, {"a": "c"})])
def test_quiz_refuses_what_is_no_question(right, wrong):
    with pytest.raises(ValueError):
        quiz("?", right=right, wrong=wrong)


@pytest.mark.parametrize("answers", ["4", ["4", "5"], {"4": None}, {4: "because"}])
def test_quiz_refuses_in_words_answers_without_reasons(answers):
    with pytest.raises(TypeError, match="right must give each answer with its reason, right={.*got "):
        quiz("2 + 2?", right=answers, wrong={"5": "no"})
    with pytest.raises(TypeError, match="^wrong must"):
        quiz("2 + 2?", right={"4": "yes"}, wrong=answers)


SHOWN = {
    "method <b>": ["a & b", "other"],
    "rounds": np.array([5, 4601]),
    "error": np.array([0.0966, -1e-9]),
    "gap": [-0.25, np.nan],
    "bound": [1.3e-5, 0.5],
    "exact": [Fraction(3, 10), None],
    "holds": np.array([True, False]),
}


def test_table_as_text_is_aligned_and_rounded():
    assert repr(table(SHOWN, "Two of them", digits={"error": 2, "gap": 1, "bound": ".0e"})).splitlines() == [
        "Two of them",
        "method <b>  rounds  error   gap  bound  exact  holds",
        "a & b            5   0.10  -0.2  1e-05   3/10    yes",
        "other        4,601   0.00        5e-01            no",
    ]


def test_table_as_html_says_the_same():
    view = table(SHOWN, "Two <of> them", digits={"error": 2, "gap": 1, "bound": ".0e"})
    soup = BeautifulSoup(view._repr_html_(), "html.parser")
    assert soup.caption.get_text() == "Two <of> them"
    rows = [[cell.get_text() for cell in row.find_all(["td", "th"])] for row in soup.find_all("tr")]
    assert rows[0] == view.headings and [[c.replace("−", "-") for c in r] for r in rows[1:]] == [
        list(row) for row in view.rows
    ]
    assert "−0.2" in rows[1] and soup.tbody.tr.th["scope"] == "row"
    assert [cell.get("style") for cell in soup.thead.find_all("th")] == ["text-align: left", *[None] * 6]
    assert table({"n": [1]}, "one")._repr_html_().count('scope="row"') == 0


@pytest.mark.parametrize("columns, digits", [({}, 3), ({"a": [1], "b": [1, 2]}, 3), ({"a": [1]}, {"b": 2})])
def test_table_refuses_what_is_no_table(columns, digits):
    with pytest.raises(ValueError, match="columns"):
        table(columns, "none", digits)
