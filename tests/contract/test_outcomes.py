"""Each outcome that a chapter promises has a place: sections that teach it, something that asks for it."""

import re
from pathlib import Path

import nbformat
import pytest
import yaml

from _ext import summary
from _ext.contents import lab_sources, main_chapters
from _ext.outcomes import checks, exercises, promised
from _ext.prose import HEADING, prose

ROOT = Path(__file__).parents[2]
CHAPTERS = {path.stem: path for path in sorted(main_chapters())}
PLACED = yaml.safe_load((ROOT / "pages/outcomes.yml").read_text(encoding="utf-8"))
KEYS = {"outcome", "sections", "exercises", "tasks", "quiz", "lab", "bank"}
ASKS = re.compile(r"\?|decide|detective")
# Only the examination bank asks for these. The list may become shorter, not longer.
ONLY_IN_THE_BANK = {("16-reproductions", "say what must be written down")}


def test_the_file_has_every_chapter_in_order():
    assert list(PLACED) == list(CHAPTERS)


@pytest.mark.parametrize("name", CHAPTERS)
def test_every_outcome_has_its_row(name):
    outcomes, rows = promised(prose(CHAPTERS[name])), PLACED[name]
    assert len(rows) == len(outcomes), f"the chapter has {len(outcomes)} outcomes"
    for outcome, row in zip(outcomes, rows, strict=True):
        assert outcome.startswith(row["outcome"]), f"{row['outcome']!r} is not how {outcome!r} begins"
        assert set(row) <= KEYS


@pytest.mark.parametrize("name", CHAPTERS)
def test_every_place_exists(name):
    path = CHAPTERS[name]
    text, lab = prose(path), summary.chapter(path).lab
    cells = nbformat.read(path, as_version=4).cells
    questions = sum("viz.quiz(" in cell.source for cell in cells if cell.cell_type == "code")
    there = {
        "sections": HEADING.findall(text),
        "exercises": exercises(path),
        "tasks": [title for title, body in sections(text) if ASKS.search(body)],
        "quiz": range(1, questions + 1),
        "lab": checks(source(lab)) if lab else [],
    }
    for row in PLACED[name]:
        for kind, known in there.items():
            unknown = [place for place in row.get(kind, []) if place not in known]
            assert not unknown, f"{row['outcome']}: no such {kind}: {unknown}"
        assert row["sections"]


def source(lab):
    """The source of the lab that a chapter links, ``labs/04-boosting``."""
    return ROOT / f"labs/source/{Path(lab).name}.ipynb"


def sections(text):
    """``(heading, what stands below it)`` for the sections of a chapter."""
    parts = re.split(r"^#+ (.+)$", text, flags=re.M)
    return zip(parts[1::2], parts[2::2], strict=True)


def test_every_outcome_is_asked_for():
    silent = {
        (name, row["outcome"])
        for name, rows in PLACED.items()
        for row in rows
        if not any(row.get(kind) for kind in ("exercises", "tasks", "quiz", "lab"))
    }
    assert silent == ONLY_IN_THE_BANK
    assert all(
        row.get("bank") for name, rows in PLACED.items() for row in rows if (name, row["outcome"]) in silent
    )


def test_every_exercise_of_a_chapter_and_every_check_of_its_lab_serves_an_outcome():
    served, graded = set(), set()
    for name, rows in PLACED.items():
        served.update(label for row in rows for label in row.get("exercises", []))
        lab = summary.chapter(CHAPTERS[name]).lab
        graded.update((lab, check) for row in rows for check in row.get("lab", []))
    own = {
        label for path in CHAPTERS.values() for label in re.findall(r"^:label: (ex-\S+)", prose(path), re.M)
    }
    assert not own - served, sorted(own - served)
    everything = {(f"labs/{lab.stem}", check) for lab in lab_sources() for check in checks(lab)}
    assert not everything - graded, sorted(everything - graded)
