"""What the book puts right in the pages that Sphinx and its theme write."""

import pytest
from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.utils import new_document

from _ext.repairs import KeptTogether, LinksBeginWithWords, OneFold


def glued(*words):
    """The parts of a paragraph with a formula between these words, as the transform leaves them."""
    page = new_document("page", get_default_settings())
    parts = [nodes.Text(words[0]), nodes.math(text="p < q"), nodes.Text(words[1])]
    page += nodes.paragraph("", "", *parts)
    KeptTogether(page).run()
    return [(type(part).__name__, part.astext()) for part in page[0]]


@pytest.mark.parametrize(("before", "after"), [("", "."), ("(", ""), ("“", "”,"), ("", ");")])
def test_a_formula_keeps_its_full_stop_and_its_bracket_on_the_same_line(before, after):
    parts = glued(f"so {before}", f"{after} and on")
    assert parts == [("Text", "so "), ("inline", f"{before}p < q{after}"), ("Text", " and on")]


def test_a_formula_among_words_stays_as_it_is():
    assert glued("so ", "-th") == [("Text", "so "), ("math", "p < q"), ("Text", "-th")]


def test_a_link_begins_with_its_words():
    page = new_document("page", get_default_settings())
    link = nodes.reference("", "", nodes.inline("", " Exercise 1"), refuri="#one")
    page += nodes.paragraph("", "", nodes.Text("Solution to"), link)
    LinksBeginWithWords(page).run()
    assert page.astext() == "Solution to Exercise 1" and link.astext() == "Exercise 1"


def cells(*kinds):
    """A page of code cells; "+" prints something, a capital letter is open."""
    page = new_document("page", get_default_settings())
    for kind in kinds:
        cell = nodes.container(nb_element="cell_code", hide_mode="" if kind[0].isupper() else "input")
        source = nodes.container(nb_element="cell_code_source")
        source += nodes.literal_block(text=kind[0])
        cell += source
        if "+" in kind:
            cell += nodes.container(nb_element="cell_code_output")
        page += cell
    return page


def folds(page):
    """The letters of each cell, in order."""
    return ["".join(code.astext() for code in cell[0]) for cell in page]


def test_hidden_cells_in_a_row_are_one_fold():
    page = cells("a", "b", "c+", "d", "E", "f+", "g+")
    OneFold(page).run()
    assert folds(page) == ["abc", "d", "E", "f", "g"]
    assert [len(cell) for cell in page] == [2, 1, 1, 2, 2]
    OneFold(page).run()
    assert folds(page) == ["abc", "d", "E", "f", "g"]
