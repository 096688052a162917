"""Build the book: execute the chapters in parallel, keep what they gave, and let Sphinx make the pages.

A chapter runs again only when something it depends on has changed: its code cells, the package ``mllib``
with its data, the results of long runs that it names, the lock file, or the Python that runs it. What it
gave, outputs and slider frames together, is kept under a key made of all these. Prose is not among them:
after an edited sentence no kernel starts.

jupyter-cache could keep them, too (its key takes a digest among the kernel's metadata, and its bundles hold
frames), and would save no line: what is in the key, how a notebook is run, and what is taken from it are ours
either way.

    _build/executed/PAGE/KEY/     one chapter's executed notebook, its frames, and the picture for its card
    _build/source/               what Sphinx reads: pages, and the chapters with outputs
    _build/html/                 the site
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
import yaml
from pybtex.database import parse_string
from pybtex.exceptions import PybtexError
from sphinx_external_toc.parsing import MalformedError, parse_toc_data

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from publish import summary
from publish.compiled import BUILD, ROOT, digest, package_digest
from publish.contents import contents, page_of, source, written
from publish.execute import NotebookFailed, execute
from publish.prose import code_cells, meant

JUPYTER_BOOK, STRICT = Path(sys.executable).with_name("jupyter-book"), ["-W", "-n", "--keep-going", "--quiet"]
GENERATED = ("genindex", "search", "404")  # pages without a source
EXECUTED, SOURCE, HTML = BUILD / "executed", BUILD / "source", BUILD / "html"
READ = {  # what every page depends on: a file, and who reads it
    "_toc.yml": lambda text: parse_toc_data(yaml.safe_load(text)),
    "_config.yml": lambda text: dict(yaml.safe_load(text)),
    "references.bib": lambda text: parse_string(text, "bibtex"),
}
CALLED = re.compile(r"chapters/(more/)?\d\d-[\w-]+")  # links and tables say the number of a chapter
ENTRY = re.compile(r" *(- )?\w+:( .*)?|\s*(#.*)?")  # what a line of _toc.yml may be


def key(notebook, package):
    """The name under which an executed chapter is kept; equal keys mean equal outputs."""
    code = [
        [cell.source, {name: value for name, value in cell.metadata.items() if name != "jupyter"}]
        for cell in code_cells(notebook)  # what JupyterLab folds is not what the code gives
    ]
    recipe = b"".join((ROOT / "publish" / name).read_bytes() for name in ("execute.py", "kernel.py"))
    lock, code = (ROOT / "requirements.lock").read_bytes(), json.dumps(code, sort_keys=True)
    kept = sorted((ROOT / "benchmarks/results").glob("*.json"))
    results = [p.read_bytes() for p in kept if p.name in code or f'{p.stem}\\"' in code]
    return digest(code, package, lock, recipe, sys.version, *results)


def unreadable():
    """What keeps the contents, the settings or the references from being read, in words; "" if nothing."""
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


def run_chapter(path, package):
    """The folder that holds ``path`` executed, and whether a kernel had to start."""
    notebook = nbformat.read(path, as_version=4)
    page = page_of(path)
    folder = EXECUTED / page / key(notebook, package)
    if (folder / "done.json").exists():
        return folder, False
    unfinished = folder.with_name(folder.name + ".tmp")
    shutil.rmtree(unfinished, ignore_errors=True)
    (unfinished / "frames").mkdir(parents=True)
    way = "../" * page.count("/") + "_frames"
    executed, seconds = execute(path, unfinished, way)
    nbformat.write(executed, unfinished / "notebook.ipynb")
    (unfinished / "done.json").write_text(json.dumps({"seconds": round(seconds, 1)}))
    for old in folder.parent.iterdir():
        if old != unfinished:
            shutil.rmtree(old)
    unfinished.rename(folder)
    return folder, True


def with_outputs(path, executed):
    """The notebook at ``path`` as it reads now, with the outputs of its executed twin."""
    notebook = nbformat.read(path, as_version=4)
    twin = nbformat.read(executed / "notebook.ipynb", as_version=4)
    for cell, result in zip(code_cells(notebook), code_cells(twin), strict=True):
        cell.outputs, cell.execution_count = result.outputs, result.execution_count
        for output in cell.outputs:
            data = output.get("data", {})
            if "image/png" in data and "text/html" not in data:
                # The sentence beside the picture is its alternative text.
                cell.metadata.setdefault("mystnb", {})["image"] = {
                    "alt": " ".join(data["text/plain"].split())
                }
    return nbformat.writes(notebook, version=4)


def put(path, content):
    """Write ``content`` unless the file has it already: Sphinx reads again what has a new date."""
    data = content if isinstance(content, bytes) else content.encode()
    if not path.exists() or path.read_bytes() != data:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def stage(pages, executed):
    """Lay out what Sphinx reads, and nothing else, in ``_build/source``."""
    wanted = {file: (ROOT / file).read_bytes() for file in ("_config.yml", "_toc.yml", "references.bib")}
    for page in pages:
        path = source(page)
        text = with_outputs(path, executed[path]) if path in executed else path.read_bytes()
        wanted[path.relative_to(ROOT).as_posix()] = text
    for picture in sorted((ROOT / "publish/static").glob("*")):
        wanted[f"images/{picture.name}"] = picture.read_bytes()
    seconds = {
        page_of(path): json.loads((f / "done.json").read_text())["seconds"] for path, f in executed.items()
    }
    wanted["seconds.json"] = json.dumps(seconds, indent=1, sort_keys=True)
    for path, folder in executed.items():
        if card := summary.card(folder):
            wanted[f"extra/_cards/{path.stem}.webp"] = card
        for frame in (folder / "frames").iterdir():
            wanted[f"extra/_frames/{frame.name}"] = frame.read_bytes()
    for file, content in wanted.items():
        put(SOURCE / file, content)
    for path in sorted(SOURCE.rglob("*"), reverse=True):
        if path.is_file() and path.relative_to(SOURCE).as_posix() not in wanted:
            path.unlink()
        elif path.is_dir() and not any(path.iterdir()):
            path.rmdir()


def run_sphinx():
    """Hand over to Jupyter Book, with every warning an error; return its exit code."""
    command = [JUPYTER_BOOK, "build", SOURCE, "--path-output", ROOT, *STRICT]
    return subprocess.run(command, env=os.environ | {"PYTHONPATH": str(ROOT)}, check=False).returncode


def sweep(pages):
    """Remove what earlier builds have left: pages, frames and cards that the book no longer has."""
    moved = yaml.safe_load((ROOT / "_config.yml").read_text())["sphinx"]["config"].get("redirects", {})
    kept = {f"{page}.html" for page in [*pages, *GENERATED, *moved]}
    for path in HTML.rglob("*.html"):
        if "_static" not in path.parts and path.relative_to(HTML).as_posix() not in kept:
            path.unlink()
    for folder in ("_frames", "_cards"):
        for path in (HTML / folder).glob("*"):
            if not (SOURCE / "extra" / folder / path.name).exists():
                path.unlink()


def fail(failures, why):
    """Say what keeps the book from being built."""
    said = "\n\n".join([*failures, f"{why}; no page was built."])
    print(f"\n\n{said}", file=sys.stderr)
    put(HTML / "failed.txt", said)  # what `make serve` shows; the next good build removes it


def prepare(jobs):
    """Execute what has changed and lay out what Sphinx reads; return the pages, or None after a failure."""
    if problem := unreadable():
        return fail([problem], "The book cannot be read")
    pages = contents()
    if failures := missing(pages):
        return fail(failures, "The contents are wrong")
    chapters = [ROOT / f"{page}.ipynb" for page in pages if page.startswith("chapters/")]
    package = package_digest()
    executed, failures = {}, []

    def one(path):
        at = time.perf_counter()
        try:
            executed[path], ran = run_chapter(path, package)
        except NotebookFailed as problem:
            failures.append(str(problem))
            print(f"  {path.relative_to(ROOT)} FAILED", flush=True)
        else:
            took = f"executed in {time.perf_counter() - at:.1f} s" if ran else "unchanged"
            print(f"  {path.relative_to(ROOT)} {took}  [{len(executed)}/{len(chapters)}]", flush=True)

    print(f"Executing {len(chapters)} chapters, {jobs} at a time", flush=True)
    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(one, chapters))
    if failures:
        return fail(failures, f"{len(failures)} chapters failed")
    stage(pages, executed)
    return pages


def build(jobs):
    """Build everything that has changed; return the exit code."""
    begun = time.perf_counter()
    if (pages := prepare(jobs)) is None:
        return 1
    print("Building the pages", flush=True)
    if code := run_sphinx():
        print("\nSphinx found something wrong (above): a warning is an error here.", file=sys.stderr)
        return code
    sweep(pages)
    print(f"\nBuilt in {time.perf_counter() - begun:.0f} s. Open {HTML / 'index.html'}")
    return 0


def main(arguments=None):
    """Command line: ``python publish/build.py [--jobs N]``."""
    parser = argparse.ArgumentParser(prog="python publish/build.py", description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=2, help="chapters executed at once (default 2)")
    parser.add_argument("--stage", action="store_true", help="lay out what Sphinx reads, and stop there")
    chosen = parser.parse_args(arguments)
    if chosen.jobs < 1:
        parser.error(f"--jobs must be 1 or more, got {chosen.jobs}")
    return int(prepare(chosen.jobs) is None) if chosen.stage else build(chosen.jobs)


if __name__ == "__main__":
    sys.exit(main())
