"""The links to the playground in chapters, labs and the bank: what they show, and what their answers say."""

import re

import pytest
from selenium.webdriver.common.by import By

from _ext.contents import chapters, labs
from _ext.prose import prose
from mllib.viz.playground import playground
from tests.publish import browser
from tests.publish.site import HTML

LINK = re.compile(r"pages/playground\.html(#method=[\w=&.]+)")
LINKS = {path.stem: found for path in chapters() if (found := LINK.findall(prose(path)))}


def said(driver, fragment):
    browser.open_page(driver, "about:blank")
    browser.open_page(driver, (HTML / "pages/playground.html").as_uri() + fragment)
    return driver.find_element(By.ID, "pg-certificate").text


@pytest.mark.browser
def test_the_exercise_on_two_points_has_the_answers_of_its_solution(driver):
    (fragment,) = LINKS["09-margins"]
    assert said(driver, fragment).startswith("The band is 2 wide") and "3 points hold it" in said(
        driver, fragment
    )
    y = [1, 1, 1, -1, -1, -1]
    X = [[1, 0.5], [1, -0.5], [1.5, 0], [-1, 0], [-1.5, 0.5], [-1.5, -0.5]]
    assert playground(X, y, "hard") == fragment
    to_the_right = [X[0], [1.75, -0.5], *X[2:]]
    assert said(driver, playground(to_the_right, y, "hard")).startswith("The band is 2.06 wide")
    back = [*X[:3], [-1.75, 0], *X[4:]]
    words = said(driver, playground(back, y, "hard"))
    assert words.startswith("The band is 2.5 wide") and "2 points hold it" in words


@pytest.mark.browser
def test_every_link_opens_its_points(driver):
    assert LINKS
    for fragments in LINKS.values():
        for fragment in fragments:
            assert "Either class needs a point" not in said(driver, fragment)
            assert not browser.complaints(driver, HTML.as_uri())


def test_a_lab_has_the_same_points():
    (lab,) = [path for path in labs() if path.stem == "09-margins"]
    assert LINK.findall(prose(lab)) == LINKS["09-margins"]
