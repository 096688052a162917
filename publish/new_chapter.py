"""A new chapter from the template: `make new-chapter NAME=17-my-topic`.

The template (``publish/template/``) is a small chapter: a notebook with the shape that CONTRIBUTING.md
describes, and the test of its theorem. Names and labels are put in, and the page goes into the table of
contents behind the last chapter. It passes every check but the two that look at the words of its neighbours.
"""

import argparse
import re
import sys
from pathlib import Path

import nbformat

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from publish.compiled import ROOT
from publish.normalise import as_text, normalise

TEMPLATE = Path(__file__).parent / "template"
ENTRY = re.compile(r"^( *)- file: chapters/[\w-]+\n", re.M)
NEXT = """Written: {notebook}
         {test}
and a line in _toc.yml behind the last chapter; move it if the chapter belongs to another part.

What to do next:
  make lab SOLUTIONS=1                       write {notebook} (open a notebook with two clicks)
  make serve                                 and read it in the browser while you write
  .venv/bin/python -m publish.normalise {notebook}
  .venv/bin/python -m pytest -q {test} tests/contract
Two tests fail until the chapter before this one ends with "**Next.**" and a link to it, and five of its terms
stand in pages/terms.md.
CONTRIBUTING.md, "A chapter", says what a chapter of this book has."""


def new_chapter(name, root=ROOT):
    """Write notebook and test of the chapter ``name``, and name it in ``_toc.yml``; return both paths."""
    if not (parts := re.fullmatch(r"(\d\d)-([a-z][a-z0-9-]*)", name)):
        raise ValueError(f"a chapter is called NN-some-words, for example 17-my-topic, not {name!r}")
    number, topic = parts.groups()
    words, module = topic.replace("-", " "), topic.replace("-", "_")
    notebook, test = root / f"chapters/{name}.ipynb", root / f"tests/theorems/test_{number}_{module}.py"
    if taken := [*root.glob(f"chapters/{number}-*.ipynb"), *root.glob(f"tests/theorems/test_{number}_*.py")]:
        raise ValueError(f"there is a chapter {number} already: {taken[0].relative_to(root)}")

    def filled(text):
        text = text.replace("my-topic", topic).replace("chapter NN: my topic", f"chapter {number}: {words}")
        return text.replace("My topic", words.capitalize())

    contents = nbformat.read(TEMPLATE / "chapter.ipynb", as_version=4)
    for cell in contents.cells:
        cell.source = filled(cell.source)
    notebook.write_text(as_text(normalise(contents)), encoding="utf-8")
    test.write_text(filled((TEMPLATE / "theorems.py").read_text(encoding="utf-8")), encoding="utf-8")
    toc = root / "_toc.yml"
    text = toc.read_text(encoding="utf-8")
    *_, last = ENTRY.finditer(text)
    line = f"{last[1]}- file: chapters/{name}\n"
    toc.write_text(text[: last.end()] + line + text[last.end() :], encoding="utf-8")
    return notebook, test


def main(arguments=None):
    """Command line: ``python publish/new_chapter.py 17-my-topic``."""
    parser = argparse.ArgumentParser(
        prog="python publish/new_chapter.py", description=__doc__.splitlines()[0].partition(":")[0]
    )
    parser.add_argument("name", help="number and name, for example 17-my-topic")
    try:
        notebook, test = new_chapter(parser.parse_args(arguments).name)
    except ValueError as problem:
        parser.error(str(problem))
    print(NEXT.format(notebook=notebook.relative_to(ROOT), test=test.relative_to(ROOT)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
