"""Tables of the pages: each one that a page asks for can be filled, and paper sums are right."""

import importlib
import json
import re
from pathlib import Path

import pytest

from _ext.contents import lab_sources
from benchmarks import cluster, labs

ROOT = Path(__file__).parents[2]
WANTED = [
    (page.name, *found)
    for page in sorted((ROOT / "pages").glob("*.md"))
    for found in re.findall(r"^```\{results\} (\w+) (\w+)$", page.read_text(encoding="utf-8"), re.M)
]
LAB = {"clock": 1.0, "processor": 1.6, "sandbox": 200.0, "grader": 300.0, "kilobytes": 50.0}
MEASURED = {
    "labs": {
        "a": LAB | {"work": 10.0, "kernel": 300.0},
        "b": LAB | {"work": 20.0, "kernel": 100.0, "processor": 2.0},
    },
    "server": 100.0,
    "report": {"seconds": 30.0, "megabytes": 2.0},
}


@pytest.mark.parametrize(("page", "benchmark", "name"), WANTED)
def test_the_table_can_be_filled(page, benchmark, name):
    measured = json.loads((ROOT / f"benchmarks/results/{benchmark}.json").read_text())
    module = importlib.import_module(f"benchmarks.{benchmark}")
    if name not in (tables := module.tables(measured)):
        assert name in module.page(measured)
        return
    headings, rows = tables[name]
    assert rows and all(len(row) == len(headings) for row in rows)
    assert all(isinstance(entry, str) for row in [headings, *rows] for entry in row)


def test_what_was_measured_are_labs_of_the_course():
    measured = json.loads(labs.RESULTS.read_text())
    assert measured["labs"].keys() <= {path.stem for path in lab_sources()}
    assert len(measured["labs"]) >= 14


def test_sums_for_a_large_class():
    said = {words: value for words, value, _ in [*labs.grading(MEASURED), *labs.working(MEASURED)]}
    assert said["seconds of a processor for one submission, mean of the labs"] == "1.8"
    assert said["one lab of everybody, on one such machine"] == "18.8 minutes"  # 18,000 s on 16 cores
    assert said["memory for 16 at once, and the grader"] == "3.5 GB"
    assert said["notebooks sent to the workers"] == "500 MB"
    assert said["reading all open answers of one lab"] == "417 hours"
    assert said["memory for all of them"] == "400 GB"  # 1,000 students with 100 + 300 MB
    assert said["machines of that kind, a tenth kept free"] == "7"  # of 57.6 GB
    assert said["cores kept busy"] == "13.9"  # 1,000 students, 5 times 15 s in 5,400 s


def test_overhead_is_what_a_task_takes_longer_than_at_home():
    job = {"job": "x", "tasks": 100, "seconds": {"n_jobs=1": 4.0, "n_jobs=2": 2.0, "two workers": 2.5}}
    found = cluster.tables({"jobs": [job], "start": 1.0, "first forest": 2.0})["jobs"][1]
    assert found == [["x", "4.00", "2.00", "2.50", "+5.0 ms"]]
