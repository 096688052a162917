"""What the front page and the gallery repeat stands in every chapter."""

import ast
import json

import pytest

from _ext import summary
from _ext.contents import labs, main_chapters, second_readings
from _ext.prose import prose

CHAPTERS, MORE = main_chapters(), second_readings()


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_tells_its_title_its_time_and_its_lab(path):
    about = summary.chapter(path)
    assert about.title and 10 <= about.minutes <= 90
    assert "reading time" not in prose(path).lower(), "the build counts it"
    lab = next((lab for lab in labs() if lab.name[:2] == path.name[:2]), None)  # two pages may share one
    wanted = lab and f"labs/{lab.stem}"
    assert about.lab == wanted, (
        f"the chapter links {about.lab}, its lab is {wanted}: say **The lab.** at its end"
    )


def calls(path):
    """The keywords of every call of ``explore`` in a notebook, as they are written."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    for cell in cells:
        if cell["cell_type"] == "code" and "explore(" in (source := "".join(cell["source"])):
            for node in ast.walk(ast.parse(source)):
                if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "explore":
                    yield {keyword.arg: keyword.value for keyword in node.keywords}


@pytest.mark.parametrize("path", CHAPTERS + MORE, ids=lambda path: path.stem)
def test_every_slider_has_a_name_of_its_own_and_a_question(path):
    sliders = list(calls(path))
    assert (sliders or path in MORE) and len({slider["name"].value for slider in sliders}) == len(sliders)
    for slider in sliders:
        question = slider["question"].value
        assert question.endswith("?") and 4 <= len(question.split()) <= 60
