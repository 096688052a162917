"""Three from before: above what a chapter promises, three quiz questions of earlier chapters.

Whoever answers a question some weeks later remembers the answer longer. The chapters are those that "You
need" links to and those that they need, or the three before where it names none. Which questions, their texts
decide, so that everybody gets the same.
"""

import hashlib
from html import escape

from docutils import nodes

from _ext import summary
from _ext.prose import prose
from _ext.shelf import NEEDED, NEEDS, main_lines

COUNT = 3
PROMISE = "What you will be able to do"


def quizzes(executed):
    """The quiz questions of an executed notebook, as HTML, in order."""
    found = (data.get("text/html", "") for _, data in summary.outputs(executed))
    return [html for html in found if html.startswith('<div class="lm-quiz">')]


def needed(names, name, text_of):
    """The chapters that a chapter stands on, the nearest first: its own links, then those of the linked.

    Examples
    --------
    >>> texts = {"01-a": "", "02-b": "", "03-c": "*You need [a](01-a.ipynb)"}
    >>> texts |= {"04-d": "*You need [c](03-c.ipynb)"}
    >>> needed(list(texts), "04-d", texts.get), needed(list(texts), "02-b", texts.get)
    (['03-c', '01-a'], ['01-a'])
    """
    found, waiting, earlier = [], [name], names[: names.index(name)]
    while waiting:
        links = NEEDED.findall((NEEDS.search(text_of(waiting.pop(0))) or [""])[0])
        new = [link for link in reversed(earlier) if link in links and link not in found]
        found += new
        waiting += new
    return found or earlier[: -COUNT - 1 : -1]


def drawn(questions, name, count=COUNT):
    """``(chapter, question)``: one of each chapter in turn, until there are enough or none is left.

    Examples
    --------
    >>> drawn({"02": ["a"], "01": ["b", "c", "d"]}, "03") == drawn({"02": ["a"], "01": ["b", "c", "d"]}, "03")
    True
    >>> [chapter for chapter, _ in drawn({"02": ["a"], "01": ["b", "c", "d"]}, "03")]
    ['02', '01', '01']
    """
    left = {
        chapter: sorted(own, key=lambda html: hashlib.sha256((name + html).encode()).digest())
        for chapter, own in questions.items()
    }
    found = []
    while len(found) < count and any(left.values()):
        found += [(chapter, own.pop(0)) for chapter, own in left.items() if own]
    return found[:count]


def ask(app, doctree):
    """Called for each page that was read: put the questions before the paragraph that promises."""
    pages = dict((path.stem, path) for _, path in main_lines(app.env))
    folder, _, name = app.env.docname.rpartition("/")
    place = next((p for p in doctree.findall(nodes.paragraph) if p.astext().startswith(PROMISE)), None)
    if folder != "chapters" or name not in pages or place is None:
        return
    paths = {one: pages[one] for one in needed(list(pages), name, lambda one: prose(pages[one]))}
    found = drawn({chapter: quizzes(path) for chapter, path in paths.items()}, name)
    if len(found) < COUNT:
        return
    html = ""
    for chapter, question in found:
        title = escape(summary.chapter(paths[chapter]).title)
        html += f'<p class="lm-from">From <a href="{chapter}.html">{title}</a></p>{question}'
    fold = f'<details class="lm-before"><summary>Three questions from before</summary>{html}</details>'
    place.parent.insert(place.parent.index(place), nodes.raw("", fold, format="html"))


def setup(app):
    """Register what is done to each page."""
    app.connect("doctree-read", ask)
