"""JupyterLab shows a chapter with the numbers of the site, and with citations in words.

Its MyST extension (jupyterlab-myst 2.7) reads no list of references, knows nothing of other pages, and counts
from 1 on each. So the server of `make lab` tells it as a chapter is opened. What is saved has the source's
own words wherever nobody has changed them. Binder's copy is nobody's source: there
``python -m publish.lab`` rewrites the chapters once.
"""

import posixpath
import re
from contextlib import suppress
from functools import cache

import nbformat
from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager

from publish.build import page_of
from publish.compiled import ROOT
from publish.normalise import as_text
from publish.plain import ROLE, Book, Plain
from publish.prose import markdown_cells

LABEL = re.compile(r"^:label: ([\w-]+)$(?!\n:enumerator:)", re.M)  # a copy of a chapter has it already
WITHIN = re.compile(r"\[([^\]\n]*)\]\(#[\w-]+\)")  # a link to a heading of the page: not found, either


@cache
def book():
    """The numbers of the site, and who is cited, from the sources: nothing need be built."""
    return Book(ROOT, None)


def readable(text, page):
    """Markdown of a page as JupyterLab's extension can show it."""

    def role(match):
        kind, words, target = match.groups()
        if kind.startswith("cite"):
            with suppress(KeyError):  # what a student has mistyped stays
                return Plain(book(), page).role(match)
        number, there = book().labels.get(target, ("", page))
        if there == page:
            return match[0]  # the extension finds it, with the number that we give it below
        return f"[{words or number}]({posixpath.relpath(there, posixpath.dirname(page))}.ipynb)"

    def numbered(match):
        number, _ = book().labels.get(match[1], ("", ""))
        return f"{match[0]}\n:enumerator: {number.split()[1]}" if number else match[0]

    return LABEL.sub(numbered, ROLE.sub(role, WITHIN.sub(r"\1", text)))


class Chapters(AsyncLargeFileManager):
    """The files of the course as JupyterLab gets them: chapters readable, all others as they are."""

    def page(self, path, model):
        """The page of a model that is a chapter's notebook, or None."""
        chapter = model["type"] == "notebook" and path.strip("/").startswith("chapters/")
        return path.strip("/").removesuffix(".ipynb") if chapter else None

    async def get(self, path, content=True, **options):
        model = await super().get(path, content, **options)
        if content and (page := self.page(path, model)):
            for cell in markdown_cells(model["content"]):
                cell.source = readable(cell.source, page)
        return model

    async def save(self, model, path=""):
        if (page := self.page(path, model)) and await self.file_exists(path):
            source = nbformat.read(self._get_os_path(path), as_version=4)
            kept = {cell.id: cell.source for cell in markdown_cells(source)}
            model["content"] = nbformat.from_dict(model["content"])
            for cell in markdown_cells(model["content"]):
                written = kept.get(cell.id, "")
                if cell.source == readable(written, page):
                    cell.source = written
        return await super().save(model, path)


def main():
    """Rewrite the chapters of a copy that is nobody's source."""
    for path in sorted(ROOT.glob("chapters/**/*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        for cell in markdown_cells(notebook):
            cell.source = readable(cell.source, page_of(path))
        path.write_text(as_text(notebook), encoding="utf-8")


if __name__ == "__main__":
    main()
