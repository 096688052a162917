"""What keeps the contents, the settings or the references from being read, in an author's words.

Sphinx is told before it begins. Jupyter Book reads two of the files earlier still, and ends in a traceback;
so ``make book`` and ``make serve`` ask first: ``python -m _ext.problems``.
"""

import re
import sys

import yaml
from pybtex.database import parse_string
from pybtex.exceptions import PybtexError
from sphinx_external_toc.parsing import MalformedError, parse_toc_data

from _ext.contents import contents, page_of, source, written
from _ext.execute import stop
from _ext.paths import HTML, ROOT
from _ext.prose import meant

READ = {  # what every page depends on: a file, and who reads it
    "_toc.yml": lambda text: parse_toc_data(yaml.safe_load(text)),
    "_config.yml": lambda text: dict(yaml.safe_load(text)),
    "references.bib": lambda text: parse_string(text, "bibtex"),
}
CALLED = re.compile(r"chapters/(more/)?\d\d-[\w-]+")  # links and tables say the number of a chapter
ENTRY = re.compile(r" *(- )?\w+:( .*)?|\s*(#.*)?")  # what a line of _toc.yml may be


def unreadable():
    """The first file that cannot be read, and why; "" if there is none."""
    for name, read in READ.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        try:
            read(text)
        except (yaml.YAMLError, MalformedError, PybtexError, TypeError, ValueError) as problem:
            for number, line in enumerate(text.splitlines(), 1):
                if name == "_toc.yml" and not ENTRY.fullmatch(line):
                    wrong = "a tab in" if "\t" in line else "no colon and space in"
                    return f"{name}, line {number}: {wrong} {line.strip()!r}; an entry is name: value"
            if mark := getattr(problem, "problem_mark", None):
                said = f"{problem.problem}; is it as far right as its neighbours?"
                return f"{name}, line {mark.line + 1}: {said}"
            if number := getattr(problem, "lineno", None):
                return (
                    f"{name}, line {number}: {str(problem).partition(': ')[2]}; or is a brace missing above?"
                )
            return f"{name}: {problem}"
    return ""


def missing(pages):
    """A line for each page that the table of contents names without there being one, or with a wrong name."""
    names = {page_of(path): page_of(path) for path in written()}
    found = []
    for number, line in enumerate((ROOT / "_toc.yml").read_text(encoding="utf-8").splitlines(), 1):
        for page in pages:
            if not line.endswith(f": {page}"):
                continue
            if source(page) is None:
                found.append(f"_toc.yml, line {number}: no page {page}{meant(page, names)}")
            elif page.startswith("chapters/") and not CALLED.fullmatch(page):
                wanted = "a chapter is called NN-some-words, for example chapters/17-my-topic"
                found.append(f"_toc.yml, line {number}: {wanted}, not {page}")
    return found


def look(outdir=HTML):
    """Stop, and say why, if the book cannot be built."""
    if problem := unreadable():
        stop(outdir, [problem], "The book cannot be read")
    if found := missing(contents()):
        stop(outdir, found, "The contents are wrong")


def setup(app):
    """Called by Sphinx through this package."""
    app.connect("config-inited", lambda app, config: look(app.outdir), priority=1)


if __name__ == "__main__":
    sys.exit(look())
