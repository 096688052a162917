"""A plain notebook of every chapter and lab, which reads well where nobody knows MyST and runs on its own.

The pages offer these notebooks for download, and the workflow publishes them on a branch of their own: on
GitHub and nbviewer, in Colab, VS Code and plain Jupyter. Theorems, exercises and boxes are ordinary Markdown,
with the numbers that the page shows; citations and references are words; links lead to the published page, or
are words while no address is set (``make address``). Pictures and tables are stored, a slider as its start
picture and sentence. A cell on top installs the package; it is live, so Colab needs nothing else.
A lab keeps its code cells as they are, and its marks: what is handed in is graded as ever.

``make lab`` offers those of the chapters in the folder ``plain``, beside the labs (:func:`offer_in_lab`).
"""

import json
import posixpath
import re
import shutil
from collections import Counter
from itertools import count
from pathlib import Path

import nbformat
import yaml
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output
from pybtex.database import parse_file
from pybtex.plugin import find_plugin

from _ext import summary
from _ext.address import published, repository
from _ext.contents import chapters, executed, labs, page_of, pages_in_toc
from _ext.kernel import MIME
from _ext.numbers import CALLED
from _ext.paths import HTML, ROOT, digest
from _ext.prose import blocks, code_cells, markdown_cells, prose

ROLE = re.compile(r"\{(cite|cite:t|prf:ref|ref)\}`(?:([^`<]*) <)?([^`>]+)>?`")
LINK = re.compile(r"\[([^\]\n]*)\]\((?!\w+:)([^)\s#]*)(#[^)\s]*)?\)")
FORMULA = re.compile(r"\$\$.*?\$\$|\$[^$]+\$", re.S)
RESULT = re.compile(r'Path\((f?)"[./]*/benchmarks/results/([^"]+)\.json"\)\.read_text\(\)')
EVIDENCE = re.compile(r'viz\.evidence\(\s*"([^"]+)"')
INSTALL = """# Colab and other places that do not have the course's package: this installs it. A minute, once.
try:
    import mllib
except ImportError:
    %pip install --quiet "large-margins @ git+{}\""""
BY_HAND = """# This needs the course's package. In the folder of the course say: pip install .
import mllib"""


def stated(text):
    """``(kind, label)`` for the statements and exercises in some Markdown, folded ones, too."""
    for block in blocks(text):
        if block.directive.startswith(("prf:", "exercise")) and "label" in block.options:
            yield block.directive.removeprefix("prf:"), block.options["label"]
        elif block.directive not in ("", "code"):
            yield from stated(block.text)


class Book:
    """What pages say of each other: numbers of statements and chapters, as Sphinx counts, and who is cited.

    Parameters
    ----------
    source : Path
        The folder with the contents, the notebooks and the references.
    base : str or None
        The address where the site is published; None while it has none.
    """

    def __init__(self, source, base):
        self.source, self.base = Path(source), base
        self.labels, self.chapters, self.written, numbers, seen = {}, {}, {}, count(1), Counter()
        toc = yaml.safe_load((self.source / "_toc.yml").read_text(encoding="utf-8"))
        for part in toc.get("parts", [toc]):
            for entry in part["chapters"]:
                number = f"{next(numbers)}." if "numbered" in part else ""
                for page in pages_in_toc(entry):
                    if page.startswith("chapters/"):
                        self.chapters[page.rpartition("/")[2][:2]] = number.rstrip(".")
                        for kind, label in stated(prose(self.source / f"{page}.ipynb")):
                            seen[number, kind] += 1
                            self.labels[label] = f"{kind.title()} {number}{seen[number, kind]}", page
        self.entries = parse_file(self.source / "references.bib").entries
        self.style = find_plugin("pybtex.style.formatting", "unsrt")()
        self.backend = find_plugin("pybtex.backends", "markdown")()

    def cited(self, key):
        """The authors and the year of a reference."""
        people = self.entries[key].persons
        names = [" ".join(map(str, p.rich_last_names)) for p in people.get("author") or people["editor"]]
        short = f"{names[0]} et al." if len(names) > 2 else " and ".join(names)
        return short, self.entries[key].fields.get("year", "n.d.")

    def references(self, keys):
        """A list of references in Markdown."""
        for key in keys:
            if key not in self.written:  # (pybtex takes a few milliseconds for each)
                text = self.style.format_entry("", self.entries[key]).text.render(self.backend)
                self.written[key] = re.sub(r"\\([-.()])", r"\1", " ".join(text.split()))
        return "\n".join(f"- {self.written[key]}" for key in sorted(keys, key=self.cited))

    def link(self, words, page, place=""):
        """A link to a page of the site, or the words alone."""
        return f"[{words}]({self.base}{page}.html{place})" if self.base else words

    def title(self, page):
        """The title of a notebook."""
        return summary.TITLE.search(prose(self.source / f"{page}.ipynb"))[1].strip()


class Plain:
    """The Markdown of one page, turned plain; ``cited`` collects the keys of its references."""

    def __init__(self, book, page):
        self.book, self.page, self.cited, self.solution = book, page, {}, None

    def role(self, match):
        """``{cite}``, ``{prf:ref}`` and the like as words."""
        kind, words, target = match.groups()
        if not kind.startswith("cite"):
            number, page = self.book.labels[target]
            return self.book.link(words or number, page, f"#{target}")
        keys = [key.strip() for key in target.split(",")]
        self.cited |= dict.fromkeys(keys)
        said = [self.book.cited(key) for key in keys]
        if kind == "cite:t":
            return "; ".join(f"{names} ({year})" for names, year in said)
        return f"[{'; '.join(', '.join(one) for one in said)}]"

    def link(self, match):
        """A link inside the book, to the published page; chapters are called by the page's number."""
        words, path, place = match.groups()
        page = posixpath.normpath(posixpath.join(self.page, "..", path)) if path else self.page
        page = page.rpartition(".")[0] if path else page
        if (called := CALLED.match(words)) and (
            number := self.book.chapters.get(page.rpartition("/")[2][:2])
        ):
            words = called[1] + number
        return self.book.link(words or self.book.title(page), page, place or "")

    def cell(self, text):
        """What a cell says, solutions folded; one that a code cell interrupts goes on in the next."""
        parts, inside = [], []
        for block in blocks(text):
            if block.directive == "solution-start":
                self.solution = f"Solution to {self.book.labels[block.title][0]}"
            elif block.directive == "solution-end":
                parts.append(fold(self.solution, inside))
                self.solution, inside = None, []
            else:
                (inside if self.solution else parts).append(self.block(block))
        return joined([*parts, fold(self.solution, inside)])

    def block(self, block):
        """One directive, or the words between two."""
        kind, title, options, text = block
        if kind == "code":
            return f"```python\n{text}\n```"
        if not kind:
            return ROLE.sub(self.role, LINK.sub(self.link, text)).strip()
        text, title = joined(map(self.block, blocks(text))), ROLE.sub(self.role, title)
        number, _ = self.book.labels.get(options.get("label"), (None, None))
        if kind == "prf:proof":
            return f"*Proof.* {text}"
        if kind == "solution":
            return fold(f"Solution to {self.book.labels[block.title][0]}", [text])
        if "dropdown" in options.get("class", ""):
            return fold(title, [text.removeprefix("*Proof.* ")])
        if kind == "exercise":
            return f"**{number} ({title}).**\n\n{text}"
        if kind != "admonition" and not (kind.startswith("prf:") and number):
            raise ValueError(f"{self.page}: a plain notebook cannot show {{{kind}}} {title}")
        head = f"{number} ({title})." if number and title else f"{number}." if number else title
        text = FORMULA.sub(lambda formula: " ".join(formula[0].split("\n")), f"**{head}**\n\n{text}")
        return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def joined(parts):
    """Pieces of Markdown, those that say something, one below the other."""
    return "\n\n".join(part for part in parts if part)


def fold(title, parts):
    """A fold that a click opens, or nothing when nothing is in it."""
    inside = joined(parts)
    return f"<details><summary><b>{title}</b></summary>\n\n{inside}\n\n</details>" if inside else ""


def shown(output):
    """What a cell stores: of a slider the start picture, and below it the sentence for it."""
    data = output.get("data", {})
    if "image/png" not in data:
        return [output]
    kept = {mime: data[mime] for mime in ("image/png", "text/plain")}
    size = output.metadata.get("image/png", {})
    picture = new_output("display_data", kept, metadata={"image/png": {**size, "alt": kept["text/plain"]}})
    if MIME not in data:
        return [picture]
    sentence = kept["text/plain"].rpartition("positions] ")[2]
    words = f"*{sentence}* Run the cells from the top to move the sliders."
    return [picture, new_output("display_data", {"text/markdown": words, "text/plain": words})]


def results(cells):
    """A cell with the results of long runs that these cells would read from a file; now they read it."""
    code = "\n".join(cell.source for cell in cells)
    reads = RESULT.search(code) or EVIDENCE.search(code)
    files = sorted((ROOT / "benchmarks/results").glob("*.json")) if reads else []
    lines = [
        f'    "{file.stem}": r"""{json.dumps(json.loads(file.read_text(encoding="utf-8")))}""",\n'
        for file in files
        if re.search(rf'\b{file.stem}("|\.json)', code)
    ]
    for cell in cells:
        cell.source = RESULT.sub(r'RESULTS[\1"\2"]', cell.source)
        cell.source = EVIDENCE.sub(r'viz.evidence(RESULTS["\1"]', cell.source)
    said = f"# What long runs have measured (make reproduce, evidence).\nRESULTS = {{\n{''.join(lines)}}}"
    folded = {"tags": ["hide-input"], "jupyter": {"source_hidden": True}}
    return [new_code_cell(said, id="results", metadata=folded)] if lines else []


def plain(page, book, where=None):
    """The plain notebook of a page of ``book``; ``where`` the package is kept, if that is known."""
    notebook, text = nbformat.read(executed(page), as_version=4), Plain(book, page)
    for cell in markdown_cells(notebook):
        if "lab" not in cell.metadata:
            cell.source = text.cell(cell.source)
    if not page.startswith("labs/"):  # a lab says in its first cell how to install the package
        code = code_cells(notebook)
        for cell in code:
            cell.metadata.pop("mystnb", None)
            cell.outputs = [part for output in cell.outputs for part in shown(output)]
        install = new_code_cell(INSTALL.format(where) if where else BY_HAND, id="install")
        notebook.cells[1:1] = [install, *results(code)]
    last = [f"## References\n\n{book.references(text.cited)}"] if text.cited else []
    if book.base:
        last.append(f"From [Large Margins]({book.base}{page}.html), CC BY 4.0. The page has live sliders.")
    if last:
        notebook.cells.append(new_markdown_cell("\n\n".join(last), id="references"))
    notebook.cells = [cell for cell in notebook.cells if cell.source]
    return notebook


def write(app, exception):
    """Called by Sphinx when the pages are written: the plain notebooks, and a page that lists them."""
    if exception is not None or app._warncount or app.builder.format != "html":
        return  # a warning has said what is wrong
    source, folder, listed = Path(app.srcdir), Path(app.outdir, "notebooks"), ""
    book, where = Book(source, published()), repository()
    shutil.rmtree(folder, ignore_errors=True)
    for path in sorted([*chapters(source), *labs(source)]):
        page = page_of(path, source)
        (folder / page).parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(plain(page, book, where), folder / f"{page}.ipynb")
        listed += f"- [{book.title(page)}]({page}.ipynb)\n"
    words = (
        "# Large Margins, as plain notebooks\n\nMade from the chapters and labs; changes here are lost.\n\n"
    )
    (folder / "README.md").write_text(words + listed, encoding="utf-8")


def offer(app, pagename, templatename, context, doctree):
    """The download button of a notebook's page gives the plain one."""
    for group in context.get("header_buttons", []):
        for button in group.get("buttons", []):
            if button.get("label") == "download-source-button" and button["text"] == ".ipynb":
                button["url"] = f"{context['pathto']('notebooks', 1)}/{pagename}.ipynb"


NO_BOOK = "No plain notebooks of the chapters yet (numbers and citations in words): `make book` makes them."
GIVEN = "plain/ has the chapters as plain notebooks, with numbers and citations in words."
KEPT = "plain/{} is yours now: the newer one was not put in its place."


def offer_in_lab(made, folder):
    """Copy the plain notebooks in ``made`` into ``folder``, where JupyterLab shows them; say what was done.

    A file that somebody has changed stays as it is. What was put there is remembered by its digest.
    """
    made, folder = Path(made), Path(folder)
    if not made.is_dir():
        return [NO_BOOK]
    memory = folder / ".made.json"
    known = json.loads(memory.read_text(encoding="utf-8")) if memory.exists() else {}
    said = [GIVEN]
    for path in sorted(path for path in made.rglob("*") if path.is_file()):
        name, new = path.relative_to(made).as_posix(), path.read_bytes()
        old = (folder / name).read_bytes() if (folder / name).exists() else None
        if old not in (None, new) and digest(old) != known.get(name):
            if digest(new) != known.get(name):
                said.append(KEPT.format(name))
            continue
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if old != new:
            (folder / name).write_bytes(new)
        known[name] = digest(new)
    memory.write_text(json.dumps(known), encoding="utf-8")
    return said


def setup(app):
    """Called by Sphinx: _config.yml names this extension."""
    app.connect("html-page-context", offer, priority=900)
    app.connect("build-finished", write, priority=850)


if __name__ == "__main__":
    print("\n".join(offer_in_lab(HTML / "notebooks/chapters", ROOT / "plain")))
