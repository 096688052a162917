"""What a chapter says in words: the text that theorems, remarks on the notes and symbols are read from."""

import nbformat


def prose(path):
    """The Markdown of the notebook at ``path``, cell after cell."""
    cells = nbformat.read(path, as_version=4).cells
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
