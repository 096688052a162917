"""Numbers that nobody types: those of chapters in links, and the time that a page takes to read.

Authors write ``[chapter 07](07-perceptron.ipynb)``, as JupyterLab shows it; pages follow the contents.
"""

import posixpath
import re
from pathlib import Path

from docutils import nodes

from _ext.prose import notebook_at
from _ext.reading import reading

CALLED = re.compile(r"^((?:[Cc]hapter\s)?)0?\d+$")


def renumber(app, doctree, docname):
    """Called for each page when its links are known."""
    above = {page: chapter for chapter, pages in app.env.toctree_includes.items() for page in pages}
    for link in doctree.findall(nodes.reference):
        called = CALLED.match(link.astext())
        path = link.get("refuri", "").partition("#")[0]
        if called is None or not link.get("internal") or not path:
            continue
        page = posixpath.normpath(posixpath.join(docname, "..", path)).removesuffix(".html")
        numbers = [app.env.toc_secnumbers.get(place, {}).get("") for place in (page, above.get(page))]
        if number := numbers[0] or numbers[1]:  # a section has that of its chapter
            text = next(link.findall(nodes.Text))
            text.parent.replace(text, nodes.Text(called[1] + ".".join(map(str, number))))


def say_time(app, doctree):
    """Called for each page that was read: below its title a chapter says how long it takes."""
    path = Path(app.env.doc2path(app.env.docname))
    if app.env.docname.startswith("chapters/") and path.suffix == ".ipynb":
        title = next(doctree.findall(nodes.title))
        words = str(reading(notebook_at(path)))
        title.parent.insert(1, nodes.paragraph(text=words, classes=["lm-reading"]))


def setup(app):
    """Called by Sphinx through this package."""
    app.connect("doctree-read", say_time)
    app.connect("doctree-resolved", renumber)
