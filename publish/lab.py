"""JupyterLab shows a chapter with the numbers of the site, and with citations in words.

Its MyST extension (jupyterlab-myst 2.7) reads no list of references, knows nothing of other pages, and counts
from 1 on each. So the server of `make lab` tells it as a chapter is opened. What is saved has the source's
own words wherever nobody has changed them. Binder's copy is nobody's source: there
``python -m publish.lab`` rewrites the chapters once.
"""

import posixpath
import re
from collections import Counter
from functools import cache

import nbformat
import yaml
from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager

from publish.build import HTML, page_of, pages_in_toc
from publish.compiled import ROOT
from publish.normalise import as_text
from publish.plain import ROLE, Book, Plain
from publish.prose import blocks, prose

LABEL = re.compile(r"^:label: ([\w-]+)$", re.M)
WITHIN = re.compile(r"\[([^\]\n]*)\]\(#[\w-]+\)")  # a link to a heading of the page: not found, either


def stated(text):
    """``(kind, label)`` for the statements and exercises in some Markdown, folded ones, too."""
    for block in blocks(text):
        if block.directive.startswith(("prf:", "exercise")) and "label" in block.options:
            yield block.directive.removeprefix("prf:"), block.options["label"]
        elif block.directive not in ("", "code"):
            yield from stated(block.text)


@cache
def numbers():
    """``{label: ("Theorem 9.2", page)}``, from the sources: nothing need be built."""
    toc, found = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8")), {}
    chapters = [entry for part in toc["parts"] if "numbered" in part for entry in part["chapters"]]
    for number, chapter in enumerate(chapters, 1):
        seen = Counter()
        for page in pages_in_toc(chapter):
            for kind, label in stated(prose(ROOT / f"{page}.ipynb")):
                seen[kind] += 1
                found[label] = f"{kind.title()} {number}.{seen[kind]}", page
    return found


@cache
def book():
    """Who is cited."""
    return Book(HTML, ROOT, None)


def readable(text, page):
    """Markdown of a page as JupyterLab's extension can show it."""

    def role(match):
        kind, words, target = match.groups()
        if kind.startswith("cite"):
            return Plain(book(), page).role(match)
        number, there = numbers()[target]
        if there == page:
            return match[0]  # the extension finds it, with the number that we give it below
        return f"[{words or number}]({posixpath.relpath(there, posixpath.dirname(page))}.ipynb)"

    def numbered(match):
        number, _ = numbers().get(match[1], ("", ""))
        return f"{match[0]}\n:enumerator: {number.split()[1]}" if number else match[0]

    return LABEL.sub(numbered, ROLE.sub(role, WITHIN.sub(r"\1", text)))


def markdown(notebook):
    """The cells of a notebook that are not code."""
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "markdown"]


class Chapters(AsyncLargeFileManager):
    """The files of the course as JupyterLab gets them: chapters readable, all others as they are."""

    def page(self, path, model):
        """The page of a model that is a chapter's notebook, or None."""
        chapter = model["type"] == "notebook" and path.strip("/").startswith("chapters/")
        return path.strip("/").removesuffix(".ipynb") if chapter else None

    async def get(self, path, content=True, **options):
        model = await super().get(path, content, **options)
        if content and (page := self.page(path, model)):
            for cell in markdown(model["content"]):
                cell["source"] = readable(cell["source"], page)
        return model

    async def save(self, model, path=""):
        if (page := self.page(path, model)) and await self.file_exists(path):
            source = nbformat.read(self._get_os_path(path), as_version=4)
            kept = {cell.id: cell.source for cell in markdown(source)}
            for cell in markdown(model["content"]):
                written = kept.get(cell["id"], "")
                if cell["source"] == readable(written, page):
                    cell["source"] = written
        return await super().save(model, path)


def main():
    """Rewrite the chapters of a copy that is nobody's source."""
    for path in sorted(ROOT.glob("chapters/**/*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        for cell in markdown(notebook):
            cell.source = readable(cell.source, page_of(path))
        path.write_text(as_text(notebook), encoding="utf-8")


if __name__ == "__main__":
    main()
