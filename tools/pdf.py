"""The whole book as one PDF: `make pdf` joins the built pages and lets Chromium print them.

The pages of ``_build/html`` are the only source, so numbers and references are those of the site. What paper
cannot do is set right on the way: links between pages become links inside the file, sliders show their start
frame, folded proofs are open, code that only draws is left out, the index gets its page numbers, and what was
hidden behind a click, solutions and the answers of quizzes, is printed at the back, chapter by chapter, with
page numbers both ways.

Page numbers are known only after printing, so the open page is printed twice: once to see on which sheet each
place lies (``pdfinfo -dests`` tells), once with these numbers filled in.

    _build/pdf/book.html                 the joined pages
    _build/pdf/large-margins.pdf         the book
"""

import argparse
import copy
import posixpath
import re
import shutil
import subprocess
import sys
import time
from html import escape
from pathlib import Path
from urllib.parse import quote, unquote

import yaml
from bs4 import BeautifulSoup

from _ext.contents import contents
from _ext.paths import BUILD, HTML, ROOT

FRONT = ["pages/prerequisites"]
BACK = ["pages/notation", "pages/terms", "pages/errata", "pages/references"]
NEEDED = {"chromium": "chromium", "pdfinfo": "poppler-utils"}
LEFT_OUT = "a.headerlink, script, button, .lm-sliders, details.hide"
BACK_TITLE, PATIENCE = "Answers", 1800  # seconds
FORMULAS = """<script>
const processHtmlClass = "math|output_area";
window.MathJax = {options: {processHtmlClass, enableMenu: false, enableAssistiveMml: false}};
</script><script defer src="../html/_static/mathjax/tex-svg.js"></script>"""


class Book:
    """The joined pages while they are put together."""

    def __init__(self, pages, html=HTML):
        self.html, self.pages = Path(html), list(pages)
        self.answers, self.numbers = [], {}
        self.parts = [(page, *self._page(page)) for page in self.pages]

    def _page(self, page):
        """Title and content of one page, at home in the joined file."""
        soup = BeautifulSoup((self.html / f"{page}.html").read_text(encoding="utf-8"), "html.parser")
        article = soup.select_one("article.bd-article")
        for element in article.select(LEFT_OUT):
            element.decompose()
        for element in article.select(".dropdown"):
            element["class"].remove("dropdown")
        for element in article.find_all(id=True):
            element["id"] = place(page, element["id"])
        for link in article.find_all("a", href=True):
            self._mend_link(link, page)
        for image in article.find_all("img"):
            image["src"] = "../html/" + posixpath.normpath(posixpath.join(page, "..", image["src"]))
            image.attrs.pop("loading", None)
        for entry in article.select("ul.lm-terms > li"):
            number_entry(soup, entry)
        if number := article.h1.select_one(".section-number"):
            number = f"Chapter {number.extract().get_text().strip(' .')}"
            article.h1.insert_before(soup.new_tag("p", string=number, attrs={"class": "lm-chapter"}))
        self.numbers[page] = number or ""
        title = article.h1.get_text().strip()
        article.name, article["id"], article["class"] = "div", place(page), "lm-page"
        self._collect_answers(soup, article, title)
        return title, article

    def _mend_link(self, link, page):
        """A link inside the book stays one; one to a page that is not printed becomes plain text."""
        path, _, there = unquote(link["href"]).partition("#")
        if "://" in path or path.startswith("mailto:"):
            return
        target = posixpath.normpath(posixpath.join(page, "..", path)) if path else page
        target = target.removesuffix(".html")
        if target in self.pages:
            link["href"] = "#" + quote(place(target, there))
        else:
            link.unwrap()

    def _collect_answers(self, soup, article, title):
        """Move what a reader should not see too early to the back of the book."""
        found = []
        for again in article.select(".lm-before"):  # its questions stand in their own chapters
            again.decompose()
        for solution in article.select("div.solution"):
            solution["class"] = "lm-solution"
            exercise = soup.find(id=unquote(solution.p.a["href"][1:]))
            exercise.append(soup.new_tag("p", attrs={"class": "lm-see"}))
            exercise.contents[-1].append(see(soup, "Solution", solution["id"]))
            found.append(solution.extract())
        for number, quiz in enumerate(article.select("div.lm-quiz"), 1):
            answered = copy.copy(quiz)
            here, there = (f"{article['id']}.quiz-{number}{end}" for end in ("", ".answers"))
            quiz["id"], answered["id"] = here, there
            for answer in answered.find_all("details"):
                answer.summary.name = "p"
                answer.name = "div"
                del answer["class"]
            for answer in quiz.find_all("details"):
                words = answer.summary.extract()
                words.name = "p"
                answer.replace_with(words)
            quiz.append(see(soup, "Answers", there))
            answered.p.append(" ")
            answered.p.append(see(soup, "Question", here))
            found.append(answered)
        if found:
            self.answers.append((title, found))

    def text(self):
        """The whole book as one HTML page."""
        contents = [(place(page), self.numbers[page], title) for page, title, _ in self.parts]
        back = ""
        if self.answers:
            contents.append((BACK_TITLE, "", BACK_TITLE))
            back = f'<div class="lm-page" id="{BACK_TITLE}"><h1>{BACK_TITLE}</h1>' + "".join(
                f"<section><h2>{escape(title)}</h2>{''.join(map(str, found))}</section>"
                for title, found in self.answers
            )
        return (
            f'<!DOCTYPE html><html lang="en" data-theme="light"><head><meta charset="utf-8">'
            f"<title>Large Margins</title>{self._styles()}{FORMULAS}</head><body><main class='bd-content'>"
            f"{title_page()}{table_of_contents(contents)}"
            f"{''.join(str(article) for _, _, article in self.parts)}{back}</main></body></html>"
        )

    def _styles(self):
        """The site's own style sheets, then the one for paper, and a running title for each page."""
        head = BeautifulSoup((self.html / "index.html").read_text(encoding="utf-8"), "html.parser").head
        sheets = [link["href"].partition("?")[0] for link in head.select("link[rel=stylesheet]")]
        links = "".join(f'<link rel="stylesheet" href="../html/{sheet}">' for sheet in sheets)
        titles = [(place(page), title.partition(":")[0]) for page, title, _ in self.parts]
        running = "".join(
            f"[id={css_text(there)}] {{ page: p{number} }}"
            f"@page p{number} {{ @top-right {{ content: {css_text(title)} }} }}\n"
            for number, (there, title) in enumerate([*titles, (BACK_TITLE, BACK_TITLE)])
        )
        paper = (ROOT / "tools/pdf.css").read_text(encoding="utf-8")
        return f"{links}<style>{paper}{running}</style>"


def place(page, there=""):
    """The id, in the joined file, of a page or of a place on it.

    >>> place("chapters/04-boosting", "take-away"), place("chapters/04-boosting")
    ('chapters-04-boosting.take-away', 'chapters-04-boosting')
    """
    return page.replace("/", "-") + (f".{there}" if there else "")


def css_text(text):
    """A CSS string."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def see(soup, words, target):
    """A link with the number of its page."""
    link = soup.new_tag("a", href=f"#{quote(target)}", attrs={"class": "lm-see"})
    link.append(f"{words}: page ")
    link.append(soup.new_tag("span", string="000", attrs={"class": "lm-number"}))
    return link


def number_entry(soup, entry):
    """Print behind an entry of the index the numbers of the pages that it leads to."""
    targets = dict.fromkeys(link["href"] for link in entry.find_all("a", href=True))
    for target in targets:
        link = soup.new_tag("a", href=target)
        link.append(soup.new_tag("span", string="000", attrs={"class": "lm-number"}))
        entry.p.extend([", ", link])


def title_page():
    """What CITATION.cff and the configuration say about the book."""
    about = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    title, _, subtitle = about["title"].partition(": ")
    lines = [f"<p class='lm-title'>{escape(title)}</p>", f"<p class='lm-subtitle'>{escape(subtitle)}</p>"]
    lines += [f"<p>{escape(author.get('name', ''))}</p>" for author in about["authors"]]
    lines += [
        f"<p class='lm-edition'>Version {about['version']}. Text and figures: CC BY 4.0; code: BSD 3-Clause. "
        "A figure with sliders shows where they stand at first; on the site they move.</p>"
    ]
    return f"<div class='lm-title-page'>{''.join(lines)}</div>"


def table_of_contents(entries):
    """The pages of the book, with page numbers."""
    lines = "".join(
        f'<li><a href="#{quote(there)}"><span>{number.removeprefix("Chapter ")}</span>'
        f'<span>{escape(title)}</span><span class="lm-number">000</span></a></li>'
        for there, number, title in entries
    )
    return f'<nav class="lm-contents"><h1>Contents</h1><ol>{lines}</ol></nav>'


def print_to(out, page):
    """Have Chromium set the formulas of a page, fetch its pictures, and print it.

    A clock that stands still while there is work to do gives it the time it needs.
    """
    flags = "--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --no-pdf-header-footer"
    flags += " --generate-pdf-document-outline --virtual-time-budget=600000"
    command = ["chromium", *flags.split(), f"--print-to-pdf={out}", page.as_uri()]
    out.unlink(missing_ok=True)
    said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE).stderr
    if not out.exists():
        raise RuntimeError(f"Chromium printed nothing:\n{said}")


def fill_in(text, numbers):
    """The joined page with the numbers of pages in its links."""
    link = r'(href="#([^"]+)"[^>]*>(?:(?!</a>).)*?class="lm-number">)000'
    return re.sub(link, lambda found: f"{found[1]}{numbers[unquote(found[2])]}", text, flags=re.S)


def page_numbers(pdf):
    """``{place: page}`` for every place of the PDF that something links to, and the number of pages."""
    said = subprocess.run(["pdfinfo", "-dests", pdf], capture_output=True, text=True, check=True).stdout
    found = re.findall(r'^\s*(\d+) \[.*?\] "(.*)"$', said, re.M)
    said = subprocess.run(["pdfinfo", pdf], capture_output=True, text=True, check=True).stdout
    return {unquote(name): int(page) for page, name in found}, int(re.search(r"Pages:\s+(\d+)", said)[1])


def make_pdf(pages, out, html=HTML):
    """Join ``pages`` of the site at ``html``, print them to ``out``; return the number of pages of paper."""
    out.parent.mkdir(parents=True, exist_ok=True)
    joined = out.parent / "book.html"
    text = Book(pages, html).text()
    joined.write_text(text, encoding="utf-8")
    print_to(out, joined)
    joined.write_text(fill_in(text, page_numbers(out)[0]), encoding="utf-8")
    print_to(out, joined)
    return page_numbers(out)[1]


def main(arguments=None):
    """Command line: ``python -m tools.pdf``."""
    parser = argparse.ArgumentParser(prog="python -m tools.pdf", description=__doc__.splitlines()[0])
    parser.parse_args(arguments)
    missing = [package for program, package in NEEDED.items() if shutil.which(program) is None]
    if missing:
        parser.error(f"the PDF needs the Debian packages {', '.join(missing)}: make system")
    if not (HTML / "index.html").exists():
        parser.error("the site is not built: make book")
    begun, out = time.perf_counter(), BUILD / "pdf/large-margins.pdf"
    all_pages = contents()
    chapters = [page for page in all_pages if page.startswith("chapters/")]
    pages = [page for page in [*FRONT, *chapters, *BACK] if page in all_pages]
    count = make_pdf(pages, out)
    size = out.stat().st_size / 1e6
    print(f"{count} pages, {size:.0f} MB, in {time.perf_counter() - begun:.0f} s: {out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
