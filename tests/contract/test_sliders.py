"""With a live kernel every slider changes its picture. (How soon: ``make bench``.)

nbval shows each slider once, which then moves itself and writes down what it saw (`make test-notebooks`).
"""

import json
import os

import nbformat
import pytest

from _ext.contents import chapters, lab_sources
from tools.portable import SAID_HERE

RECORDS = [json.loads(path.read_text()) for path in sorted(SAID_HERE.glob("*.json"))]
pytestmark = pytest.mark.skipif(
    not RECORDS and not os.environ.get("CI"), reason="make test-notebooks has not written anything"
)


def shown():
    """What each slider that a notebook shows says of itself."""
    for path in [*chapters(), *lab_sources()]:
        for cell in nbformat.read(path, as_version=4).cells:
            for output in cell.get("outputs", []):
                words, at, stand = output.get("data", {}).get("text/plain", "").rpartition("\n[")
                if at and " positions" in stand:
                    yield words


def test_every_slider_of_a_notebook_was_moved():
    assert {record["alt"] for record in RECORDS} >= set(shown())
    assert RECORDS


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["alt"][:40])
def test_every_move_changes_something(record):
    assert not record["stuck"]
