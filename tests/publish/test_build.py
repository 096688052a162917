"""The build: what it runs again, what it does not, and how it fails. On a small site of its own.

The site is built by a copy of ``_ext/`` in a temporary folder, with one chapter that imports a helper of a
small package called ``mllib`` there, so that nothing of the real book is touched.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from _ext.address import UNSET
from _ext.execute import execute
from tools.normalise import normalise

ROOT = Path(__file__).parents[2]
PUBLISHED = "https://ada.github.io/margins/"
CODE = """from mllib import helper
from mllib.viz import axes, curve, explore

print("the helper says", helper.WORD)
def draw(fig, slope):
    curve(axes(fig), [0, 1], [0, slope], key="line")
    return f"a line with slope {slope}"
explore(draw, slope=[1, 2], name="turn", question="Which way?", alt="A line through the origin.")"""


SLIPS = """# Small

By {cite}`freund97`.

Then:

And {prf:ref}`thm-smal` holds.

See [it](02-other.ipynb).

Or [that](../02-othr.ipynb#there), or [this](more/01-small.ipynb).

```{prf:theorem} All
:label: thm-small

Words {cite}`nobody`.
```"""


class Site:
    """A small copy of the house, and the build run on it."""

    def __init__(self, root):
        self.root = root
        for name in ["references.bib", "requirements.lock"]:
            shutil.copy(ROOT / name, root)
        set_up = (ROOT / "_config.yml").read_text().replace(UNSET, "https://github.com/ada/margins")
        (root / "_config.yml").write_text(re.sub(r"baseurl: \S+", f"baseurl: {PUBLISHED}", set_up))
        for room in ["_ext", "_static", "tools", "grader", "benchmarks", "mllib/viz"]:
            shutil.copytree(ROOT / room, root / room, ignore=shutil.ignore_patterns("__pycache__", "results"))
        (root / "mllib/__init__.py").write_text("")
        (root / "mllib/helper.py").write_text("WORD = 'apple'\n")
        (root / "_toc.yml").write_text("format: jb-book\nroot: index\nchapters:\n- file: chapters/01-small\n")
        (root / "index.md").write_text("# A small site\n\nWelcome.\n")
        (root / "chapters").mkdir()
        self.chapter("# Small\n\nThe first sentence.", CODE)

    def chapter(self, prose, code, name="01-small"):
        cells = [nbformat.v4.new_markdown_cell(prose), nbformat.v4.new_code_cell(code)]
        notebook = normalise(nbformat.v4.new_notebook(cells=cells))
        nbformat.write(notebook, self.root / f"chapters/{name}.ipynb")

    def build(self):
        """Run the build; return its exit code and all it said."""
        environment = dict(os.environ, PYTHONPATH=str(self.root))
        book = [Path(sys.executable).with_name("jupyter-book"), *"build . -W -n --keep-going --quiet".split()]
        said = ""
        for command in ([sys.executable, "-m", "_ext.problems"], book):  # as `make book`
            result = subprocess.run(
                command, cwd=self.root, env=environment, capture_output=True, text=True, check=False
            )
            said += result.stdout + result.stderr
            if result.returncode:
                break
        return result.returncode, said

    def page(self):
        return (self.root / "_build/html/chapters/01-small.html").read_text()

    def failed(self):
        return (self.root / "_build/html/failed.txt").read_text()

    def frames(self):
        return sorted(path.name for path in (self.root / "_build/html/_frames").glob("*.webp"))


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    small = Site(tmp_path_factory.mktemp("site"))
    code, said = small.build()
    assert code == 0, said
    assert "executed in" in said and "the helper says apple" in small.page()
    return small


def test_a_site_with_an_address_names_it(site):
    page, html = site.page(), site.root / "_build/html"
    here = f"{PUBLISHED}chapters/01-small.html"
    assert f'<link rel="canonical" href="{here}"' in page and f'property="og:url" content="{here}"' in page
    assert re.search(f'property="og:image" content="{PUBLISHED}_images/social_previews/', page)
    assert here in (html / "sitemap.xml").read_text()
    assert f"Sitemap: {PUBLISHED}sitemap.xml" in (html / "robots.txt").read_text()
    assert 'href="/margins/_static/' in (html / "404.html").read_text(), "it is shown at any depth"


def test_an_edited_sentence_starts_no_kernel(site):
    site.chapter("# Small\n\nThe second sentence.", CODE)
    code, said = site.build()
    assert code == 0, said
    assert "executed in" not in said
    assert "The second sentence." in site.page() and "the helper says apple" in site.page()


def test_an_edited_helper_of_the_package_runs_the_chapter_again(site):
    (site.root / "mllib/helper.py").write_text("WORD = 'pear'\n")
    code, said = site.build()
    assert code == 0, said
    assert "executed in" in said and "the helper says pear" in site.page()


def test_deleting_the_pages_loses_no_frame_and_what_the_book_no_longer_has_is_removed(site):
    frames = site.frames()
    assert len(frames) == 2
    shutil.rmtree(site.root / "_build/html")
    stale = [site.root / "_build/html" / name for name in ("chapters/00-old.html", "_frames/old.webp")]
    for path in stale:
        path.parent.mkdir(parents=True)
        path.touch()
    code, said = site.build()
    assert code == 0, said
    assert "executed in" not in said and site.frames() == frames
    assert not any(path.exists() for path in stale)
    left = {path.stem for path in (site.root / "_build/html").rglob("*.html") if "_static" not in path.parts}
    assert left == {"index", "01-small", "genindex", "search", "404"}


def test_old_addresses_and_second_readings_come_and_go(site):
    """An old address leads to the new page, a second reading is a section under its chapter."""
    config, toc = site.root / "_config.yml", site.root / "_toc.yml"
    settings, contents = config.read_text(), toc.read_text()
    old = site.root / "_build/html/chapters/old/00-gone.html"
    page = site.root / "_build/html/chapters/more/01-deeper.html"
    assert "redirects: {}" in settings
    config.write_text(settings.replace("{}", "{chapters/old/00-gone: /chapters/01-small.html}", 1))
    (site.root / "chapters/more").mkdir()
    site.chapter("# Deeper\n\nFor those who want it all.", CODE, "more/01-deeper")
    toc.write_text(contents + "  sections:\n  - file: chapters/more/01-deeper\n")
    for _ in range(2):
        code, said = site.build()
        assert code == 0, said
        (target,) = set(re.findall(r'url=([^"]+)"|target = "([^"]+)"', old.read_text())[0]) - {""}
        assert (old.parent / target).resolve() == site.root / "_build/html/chapters/01-small.html"
    assert "00-gone" not in (site.root / "_build/html/sitemap.xml").read_text()
    frames = re.findall(r'src="([^"]*/_frames/[^"]+)"', page.read_text())
    assert frames and all((page.parent / frame).exists() for frame in frames)
    assert "more/01-deeper.html" in site.page() and "About 1 minute to read." in page.read_text()
    config.write_text(settings)
    toc.write_text(contents)
    code, said = site.build()
    assert code == 0 and not old.exists() and not page.exists(), said


def test_an_error_in_a_notebook_stops_the_build_and_shows_where(site):
    site.chapter("# Small", "1 / 0")
    code, said = site.build()
    assert code == 1
    assert "ZeroDivisionError" in said and "no page was built" in said
    for words in (said, site.failed()):
        assert "chapters/01-small.ipynb, cell 2:\n" in words and "ZeroDivisionError" in words


def test_a_warning_in_a_notebook_stops_the_build(site):
    site.chapter("# Small", "import warnings\nwarnings.warn('careful')")
    code, said = site.build()
    assert code == 1 and "careful" in said and "chapters/01-small.ipynb, cell 2 wrote to stderr" in said


def test_a_warning_of_sphinx_stops_the_build_and_says_where_and_what_was_meant(site):
    site.chapter("# A page that is not in the contents", CODE, "02-other")
    site.chapter(SLIPS, CODE)
    code, said = site.build()
    assert code != 0 and site.failed().splitlines() == [
        f"chapters/01-small.ipynb, cell 1, line {line}: {words}"
        for line, words in [  # pages are looked for first
            (9, "chapters/02-other.ipynb is not in _toc.yml, so the book has no such page"),
            (11, "no page ../02-othr.ipynb, did you mean chapters/02-other.ipynb?"),
            (11, "no page more/01-small.ipynb, did you mean chapters/01-small.ipynb?"),
            (3, "no citation freund97, did you mean freund1997decision?"),
            (7, "no label thm-smal, did you mean thm-small?"),
            (16, "no citation nobody"),
        ]
    ]
    for line in site.failed().splitlines():
        place, words = line.split(": ", 1)
        assert f"{place}: WARNING: {words}" in said
    site.chapter("# Small\n\nAll is well.", CODE)
    code, said = site.build()
    assert code == 0 and not (site.root / "_build/html/failed.txt").exists(), said


def test_a_page_of_the_contents_that_is_not_there_is_named_with_the_one_that_was_meant(site):
    toc = site.root / "_toc.yml"
    before = toc.read_text()
    toc.write_text(before.replace("01-small", "01-smal"))
    code, said = site.build()
    toc.write_text(before)
    expected = "_toc.yml, line 4: no page chapters/01-smal, did you mean chapters/01-small?"
    assert code == 1 and "Traceback" not in said
    assert expected in said and site.failed().startswith(expected)


def test_a_figure_of_a_page_that_is_not_there_is_told_in_words(site):
    index = site.root / "index.md"
    before = index.read_text()
    index.write_text(before + "\n```{player} chapters/02-none turn\n```\n")
    code, said = site.build()
    index.write_text(before)
    assert code == 1 and "Traceback" not in said
    assert "index.md, line 5: chapters/02-none is no page of the book" in site.failed()


def test_a_chapter_without_a_number_is_refused_in_words(site):
    toc = site.root / "_toc.yml"
    before = toc.read_text()
    site.chapter("# Mine", CODE, "my-topic")
    toc.write_text(before + "- file: chapters/my-topic\n")
    code, said = site.build()
    toc.write_text(before)
    (site.root / "chapters/my-topic.ipynb").unlink()
    wanted = "_toc.yml, line 5: a chapter is called NN-some-words, for example chapters/17-my-topic, not "
    assert code == 1 and "Traceback" not in said and wanted in said


@pytest.mark.parametrize(
    ("right", "wrong", "line", "words"),
    [
        ("root: index", "root index", 2, "no colon and space in 'root index'"),
        ("- file: chapters/01-small", "- file chapters/01-small", 4, "no colon and space in '- file"),
        ("- file", "\t- file", 4, "a tab in '- file: chapters/01-small'"),
        ("01-small", "01-small\n - file: chapters/01-small", 5, "is it as far right as its neighbours?"),
        ("root", "rot", None, "'root' key not found"),
    ],
)
def test_a_table_of_contents_that_cannot_be_read_says_in_which_line(site, right, wrong, line, words):
    toc = site.root / "_toc.yml"
    before = toc.read_text()
    toc.write_text(before.replace(right, wrong))
    code, said = site.build()
    toc.write_text(before)
    place = f"_toc.yml, line {line}: " if line else "_toc.yml: "
    assert code == 1 and "Traceback" not in said
    assert place in said and site.failed().startswith(place) and words in site.failed().splitlines()[0]


@pytest.mark.parametrize(
    ("file", "right", "wrong", "line", "words"),
    [
        ("_config.yml", "title: ", "title ", 2, "mapping values are not allowed here; is it as far right"),
        ("_config.yml", "title: ", "\ttitle: ", 1, "cannot start any token"),
        ("_config.yml", "bibtex_bibfiles", " bibtex_bibfiles", None, "as far right as its neighbours?"),
        ("references.bib", "{", "", 1, "expected; or is a brace missing above?"),
        (
            "references.bib",
            "title = {",
            "title = {{",
            None,
            "'}' expected; or is a brace missing above?",
        ),
    ],
)
def test_settings_and_references_that_cannot_be_read_say_where(site, file, right, wrong, line, words):
    before = (site.root / file).read_text()
    assert right in before
    (site.root / file).write_text(before.replace(right, wrong, 1))
    code, said = site.build()
    (site.root / file).write_text(before)
    assert code == 1 and "Traceback" not in said
    first = site.failed().splitlines()[0]
    assert first in said and first.startswith(f"{file}, line {line or ''}") and words in first
    assert "The book cannot be read; no page was built." in said


def test_a_line_printed_in_two_pieces_is_one_line_on_the_page(tmp_path):
    code = "import time\nprint('one', end=' ', flush=True)\ntime.sleep(0.5)\nprint('line')"
    cell = nbformat.v4.new_code_cell(code)
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), tmp_path / "a.ipynb")
    notebook, _ = execute(tmp_path / "a.ipynb")
    assert [output.text for output in notebook.cells[0].outputs] == ["one line\n"]


def test_a_notebook_runs_on_one_thread_whatever_its_caller_uses(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "2")
    code = "import numpy, threadpoolctl\nprint({p['num_threads'] for p in threadpoolctl.threadpool_info()})"
    cell = nbformat.v4.new_code_cell(code)
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), tmp_path / "a.ipynb")
    notebook, _ = execute(tmp_path / "a.ipynb")
    assert [output.text for output in notebook.cells[0].outputs] == ["{1}\n"]


def test_a_changed_printed_number_fails_nbval(tmp_path):
    output = nbformat.v4.new_output("stream", name="stdout", text="2\n")
    cell = nbformat.v4.new_code_cell("print(1 + 1)", outputs=[output], execution_count=1)
    notebook = nbformat.v4.new_notebook(cells=[cell])
    for printed, code in [("2\n", 0), ("3\n", 1)]:
        cell.outputs[0].text = printed
        nbformat.write(notebook, tmp_path / "a.ipynb")
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull]
        command += ["--rootdir", str(tmp_path), "--nbval", str(tmp_path / "a.ipynb")]
        result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert result.returncode == code, result.stdout


@pytest.mark.book
def test_seconds_of_every_chapter_reach_the_status_page():
    seconds = json.loads((ROOT / "_build/executed/seconds.json").read_text())
    page = (ROOT / "_build/html/pages/status.html").read_text()
    for chapter, taken in seconds.items():
        assert f"{taken:.1f} s" in page and chapter in page
