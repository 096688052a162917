"""The functions that pages print; ``python -m tests.chapters.printed`` lists them.

A reader copies such a function and gives it other data. So it is taken as it stands, without the notebook's
data: what it needs beside the imports and the other functions of its notebook, a test has to give.
"""

import ast
import functools
import json
import sys
from pathlib import Path

from _ext.contents import main_chapters, second_readings

ROOT = Path(__file__).parents[2]
FOLDED = {"hide-input", "remove-input", "hide-cell", "remove-cell"}
FUNCTION = (ast.FunctionDef, ast.ClassDef)


def chapters():
    """The notebooks of the chapters and of the second readings, in order."""
    return [*main_chapters(), *second_readings()]


@functools.cache
def statements(path):
    """The top level statements of a notebook, and for each whether the page shows it."""
    found = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        planted = "rejects" in cell["metadata"].get("lab", {})  # a lab's wrong solution
        if cell["cell_type"] == "code" and not planted:
            seen = not FOLDED.intersection(cell["metadata"].get("tags", []))
            found += [(node, seen) for node in ast.parse("".join(cell["source"])).body]
    return found


def name_of(path):
    """``11-smo`` or ``more/11-many-examples``."""
    return path.relative_to(ROOT / "chapters").with_suffix("").as_posix()


def printed(paths=None):
    """Every (notebook, function) that a page shows without being asked."""
    return [
        (path.stem if paths else name_of(path), node.name)
        for path in paths or chapters()
        for node, seen in statements(path)
        if seen and isinstance(node, FUNCTION)
    ]


def loaded(node):
    """The names that a piece of code reads."""
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


def literal(node):
    """Whether a statement gives a name to a plain constant."""
    try:
        ast.literal_eval(node.value)
    except (AttributeError, ValueError, TypeError):
        return False
    return isinstance(node, ast.Assign)


def take(notebook, name, **given):
    """The function as the notebook defines it; ``given`` stands in for data and folded helpers."""
    space, functions, constants = {"__name__": "a_page"}, {}, {}
    folder = ROOT if notebook.startswith("labs/") else ROOT / "chapters"
    body = statements(folder / f"{notebook}.ipynb")
    wanted, needed = [name], {}
    for node, seen in body:
        if isinstance(node, FUNCTION) and (seen or node.name not in functions):
            functions[node.name] = node
        elif literal(node):
            constants |= {target.id: node for target in node.targets if isinstance(target, ast.Name)}
    while wanted:
        now = wanted.pop()
        found = functions.get(now) or constants.get(now)
        if found is not None and now not in needed and (now == name or now not in given):
            needed[now] = found
            wanted += loaded(found)
    read = set(needed).union(*map(loaded, needed.values()))
    imports = []
    for node, _ in body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names = [a for a in node.names if (a.asname or a.name.split(".")[0]) in read]
            if names:
                imports.append(_with(node, names))
    order = [node for node, _ in body if node in needed.values()]
    for part in (imports, None, order):
        if part is None:
            space |= given
            continue
        code = compile(ast.Module(part, []), notebook, "exec")
        exec(code, space)
    return space[name]


def _with(node, names):
    """An import of some of the names only."""
    if isinstance(node, ast.Import):
        return ast.copy_location(ast.Import(names), node)
    return ast.copy_location(ast.ImportFrom(node.module, names, node.level), node)


def main():
    """Print each function with the test that runs it."""
    from tests.chapters import test_printed

    for notebook, name in printed():
        print(f"{notebook:26} {name:26} {test_printed.ROWS.get((notebook, name), 'NO TEST')}")


if __name__ == "__main__":
    sys.exit(main())
