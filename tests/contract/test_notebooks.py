"""Notebooks as git keeps them: normalised, executed, with theorems that have tests."""

from pathlib import Path

import nbformat
import pytest

from _ext import contents, theorems
from tools import normalise

ROOT = Path(__file__).parents[2]
NOTEBOOKS, CHAPTERS = contents.notebooks(), contents.chapters()
READ_BY_ALL = 25  # lines: a longer cell is not read


def named(path):
    """Test ids: the path inside the project."""
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=named)
def test_normalised(path):
    assert normalise.problems(path) is None


@pytest.mark.parametrize("path", NOTEBOOKS, ids=named)
def test_cells_are_short_and_alive(path):
    for number, cell in enumerate(nbformat.read(path, as_version=4).cells):
        if cell.cell_type == "code":
            lines = [line for line in cell.source.splitlines() if line.strip()]
            assert len(lines) <= READ_BY_ALL, f"{path} cell {number}: {len(lines)} lines"
            assert "interact(" not in cell.source, (
                f"{path} cell {number}: dead in the published page, use explore"
            )


@pytest.mark.parametrize("path", CHAPTERS, ids=named)
def test_every_theorem_has_a_label_and_a_test(path):
    tests = theorems.tests(ROOT)
    for theorem in theorems.in_chapter(path):
        assert theorem.label, f"{theorem.kind} {theorem.title!r} has no label"
        assert theorem.label in tests, f"no test in tests/theorems names {theorem.label}"


def test_every_theorem_test_is_about_a_chapter_that_exists():
    stated = {theorem.label for theorem in theorems.in_book(ROOT)}
    written = {path.stem[:2] for path in CHAPTERS}
    for label, found in theorems.tests(ROOT).items():
        for test in found:
            chapter = test.split("_")[1]
            if chapter in written:
                assert label in stated, f"{test} checks {label}, which chapter {chapter} does not state"


def test_normaliser_changes_nothing_the_second_time(tmp_path):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1 + 1  ") for _ in range(2)])
    notebook.cells[0].outputs = [
        nbformat.v4.new_output("display_data", data={"image/png": "x", "text/plain": "a picture"})
    ]
    once = normalise.as_text(normalise.normalise(notebook))
    assert "image/png" not in once and "a picture" in once
    assert normalise.as_text(normalise.normalise(nbformat.reads(once, as_version=4))) == once
    path = tmp_path / "a.ipynb"
    path.write_text(once)
    assert normalise.problems(path) is None
    path.write_text(once.replace('"execution_count": 1', '"execution_count": null'))
    assert "never executed" in normalise.problems(path)


def test_normaliser_folds_hidden_code_and_solutions():
    cells = [
        nbformat.v4.new_code_cell("1", metadata={"tags": ["hide-input"]}),
        nbformat.v4.new_code_cell("2"),
    ]
    gates = [
        nbformat.v4.new_markdown_cell(f"```{{solution-{what}}}{ex}\n```")
        for what, ex in [("start", " ex"), ("end", "")]
    ]
    solution, open_ = (
        nbformat.v4.new_code_cell("3"),
        nbformat.v4.new_code_cell("4", metadata={"jupyter": {"source_hidden": True}}),
    )
    notebook = nbformat.v4.new_notebook(cells=[*cells, gates[0], solution, gates[1], open_])
    folds = [
        dict(c.metadata.get("jupyter", {}))
        for c in normalise.normalise(notebook).cells
        if c.cell_type == "code"
    ]
    both = {"source_hidden": True, "outputs_hidden": True}
    assert folds == [{"source_hidden": True}, {}, both, {}]


def test_normaliser_joins_the_pieces_of_a_stream():
    pieces = [("stdout", "round"), ("stdout", "\n 1\n"), ("stderr", "oh"), ("stdout", "2")]
    outputs = [nbformat.v4.new_output("stream", name=name, text=text) for name, text in pieces]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("f()", outputs=outputs)])
    (cell,) = normalise.normalise(notebook).cells
    assert [(o.name, o.text) for o in cell.outputs] == [
        ("stdout", "round\n 1\n"),
        ("stderr", "oh"),
        ("stdout", "2"),
    ]


def test_a_notebook_outside_the_project_can_be_normalised(tmp_path, capsys):
    path = tmp_path / "20-examination.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("print(6 * 7)")]), path)
    assert normalise.main(["--check", str(path)]) == 1
    assert normalise.main([str(path)]) == 0
    assert f"{path}: rewritten" in capsys.readouterr().out
    assert normalise.main(["--check", str(path)]) == 0
    assert nbformat.read(path, as_version=4).cells[0].outputs[0].text == "42\n"
