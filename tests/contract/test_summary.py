"""What the front page and the gallery repeat stands in every chapter."""

import json
from pathlib import Path

import pytest

from publish import summary

ROOT = Path(__file__).parents[2]
CHAPTERS = sorted((ROOT / "chapters").glob("*.ipynb"))


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_tells_its_title_its_time_and_its_lab(path):
    about = summary.chapter(path)
    assert about.title and 10 <= about.minutes <= 90
    has_lab = (ROOT / f"labs/{path.name}").exists()
    wanted = f"labs/{path.stem}" if has_lab else None
    assert about.lab == wanted, (
        f"the chapter links {about.lab}, its lab is {wanted}: say **The lab.** at its end"
    )


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_every_slider_has_a_name_of_its_own_and_a_question(path):
    sliders = summary.sliders(path)
    text = "".join("".join(cell["source"]) for cell in json.loads(path.read_text())["cells"])
    assert len(sliders) == text.count("viz.explore(\n") + text.count("viz.explore(draw") >= 1
    assert len({slider.name for slider in sliders}) == len(sliders)
    for slider in sliders:
        assert slider.question.endswith("?"), f"nothing is asked before {slider.name}"
        assert 4 <= len(slider.question.split()) <= 60


def test_a_slider_without_a_name_is_refused(tmp_path):
    cell = {"cell_type": "code", "source": ["viz.explore(draw, T=[1, 2])"]}
    (tmp_path / "a.ipynb").write_text(json.dumps({"cells": [cell]}))
    with pytest.raises(ValueError, match="no name"):
        summary.sliders(tmp_path / "a.ipynb")
