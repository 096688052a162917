"""What the book puts right in the pages that Sphinx and its theme write."""

import pytest
from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.utils import new_document

from publish.extensions.repairs import OneFold, mend

FORMULA = r'<span class="math notranslate nohighlight">\(p &lt; q\)</span>'


@pytest.mark.parametrize(("before", "after"), [("", "."), ("(", ""), ("“", "”,"), ("", ");")])
def test_a_formula_keeps_its_full_stop_and_its_bracket_on_the_same_line(before, after):
    page = f"<p>so {before}{FORMULA}{after} and on</p>"
    assert mend(page) == f'<p>so <span class="lm-glued">{before}{FORMULA}{after}</span> and on</p>'


def test_a_formula_among_words_stays_as_it_is():
    page = f"<p>so {FORMULA} and {FORMULA}-th</p>"
    assert mend(page) == page


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
