"""Every slider of the course with a kernel: it moves the picture, and quickly enough to feel alive.

The notebook is executed as in JupyterLab, and then one more cell moves each slider of each ``explore`` to
both ends and to the middle through its widget, as a hand does, and times the way from the event to the new
picture on the kernel's own clock. Each move is made three times and the quickest counts.
"""

import json
from pathlib import Path

import nbformat
import pytest

from book.execute import execute

ROOT = Path(__file__).parents[2]
BUDGET = 0.050  # seconds from a slider's event to the new picture
PROBE = """
import gc as _gc, json as _json, time as _time
from mllib.viz.explore.grid import Explorer as _Explorer

def _probe(explorer):
    explorer._repr_mimebundle_()
    view, seconds, stuck = explorer._widget, [], []
    for name, slider in view.sliders.items():
        values = explorer.values[name]
        quickest = {}
        for value in 3 * [values[-1], values[len(values) // 2], values[0]]:
            if value == slider.value:
                continue
            before, words = view.picture.value, view.words.value
            begun = _time.process_time()
            slider.value = value
            taken = _time.process_time() - begun
            quickest[value] = min(taken, quickest.get(value, taken))
            if view.picture.value == before and view.words.value == words:
                stuck.append(f"{name} = {value}")
        seconds += quickest.values()
    return {"alt": explorer.alt, "seconds": seconds, "stuck": stuck}

print("PROBE", _json.dumps([_probe(e) for e in _gc.get_objects() if isinstance(e, _Explorer)]))
"""
NOTEBOOKS = [
    path
    for folder in ("chapters", "labs/source")
    for path in sorted((ROOT / folder).glob("*.ipynb"))
    if "explore(" in path.read_text(encoding="utf-8")
]


@pytest.mark.timing
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_sliders_move_the_picture_within_the_budget(path, tmp_path):
    notebook = nbformat.read(path, as_version=4)
    cells = [cell for cell in notebook.cells if "rejects" not in cell.metadata.get("lab", {})]
    notebook.cells = [*cells, nbformat.v4.new_code_cell(PROBE)]
    copy = tmp_path / "chapters" / path.name  # with what chapters read beside it
    copy.parent.mkdir()
    (tmp_path / "benchmarks").symlink_to(ROOT / "benchmarks")
    nbformat.write(notebook, copy)
    executed, _ = execute(copy)
    said = executed.cells[-1].outputs[0].text
    found = json.loads(said.removeprefix("PROBE "))
    assert found, "the notebook says explore( and made none"
    for figure in found:
        assert not figure["stuck"], f"{figure['alt']}: nothing changed at {figure['stuck']}"
        times = sorted(figure["seconds"])
        median = times[len(times) // 2]
        print(f"{path.stem}: {1000 * median:.0f} ms (median of {len(times)} moves): {figure['alt']}")
        assert median < BUDGET, f"{figure['alt']}: {times}"
