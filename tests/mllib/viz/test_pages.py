"""The source view and the quiz."""

import inspect

import pytest

from mllib.viz import explore, quiz, source
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
