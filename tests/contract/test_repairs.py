"""What the book puts right in the pages that Sphinx and its theme write."""

import pytest

from book.extensions.repairs import mend

FORMULA = r'<span class="math notranslate nohighlight">\(p &lt; q\)</span>'


@pytest.mark.parametrize(("before", "after"), [("", "."), ("(", ""), ("“", "”,"), ("", ");")])
def test_a_formula_keeps_its_full_stop_and_its_bracket_on_the_same_line(before, after):
    page = f"<p>so {before}{FORMULA}{after} and on</p>"
    assert mend(page) == f'<p>so <span class="lm-glued">{before}{FORMULA}{after}</span> and on</p>'


def test_a_formula_among_words_stays_as_it_is():
    page = f"<p>so {FORMULA} and {FORMULA}-th</p>"
    assert mend(page) == page
