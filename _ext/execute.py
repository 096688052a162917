"""Chapters run before Sphinx reads them, several at once, and what they gave is kept.

A chapter runs again only when something it depends on has changed: its code cells, the package ``mllib`` with
its data, the results of long runs that it names, the lock file, or the Python that runs it. What it gave,
outputs and slider frames together, is kept under a key made of all these. Prose is not among them: after an
edited sentence no kernel starts.

    _build/cache/PAGE/KEY/         what one run of a chapter gave: its notebook, its frames, its card
    _build/executed/PAGE.ipynb     the chapter as it reads now, with these outputs; Sphinx gets its text
    _build/executed/seconds.json   how long each took

jupyter-cache could keep them, too (its key takes a digest among the kernel's metadata, and its bundles hold
frames), and would save no line: what is in the key, how a notebook is run, and what is taken from it are ours
either way.
"""

import json
import os
import shutil
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat

from _ext import summary
from _ext.contents import EXECUTED, chapters, executed, page_of
from _ext.paths import BUILD, ROOT, digest, package_digest
from _ext.prose import code_cells
from grader.notebook import NotebookFailed as NotebookFailed
from grader.notebook import execute as strictly

CACHE, FRAMES, CARDS = BUILD / "cache", "_frames", "_cards"
KERNEL = str(Path(__file__).with_name("kernel.py"))
GENERATED = ("genindex", "search", "404")  # pages without a source
KERNEL_NEEDS = 2e9  # bytes of memory, as in the Makefile


def execute(path, pages=None, way="../_frames"):
    """Run the notebook at ``path``; return it with fresh outputs, and the seconds it took.

    Parameters
    ----------
    path : Path
        It runs in its own folder, as it does in JupyterLab and in nbval.
    pages : Path, optional
        The folder for what pages need besides outputs: the frames of sliders in ``frames``, and the first
        figure that the notebook shows, without words, as ``card.png``. Without it sliders are live widgets.
    way : str
        How the page finds the frames in the site.
    """
    path = Path(path)
    name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
    start = ""
    if pages is not None:
        places = (str(pages / "frames"), str(pages / "card.png"), way)
        start = f"__import__('runpy').run_path({KERNEL!r})['install'](*{places!r})"
    return strictly(path, name, start)


def key(notebook, package):
    """The name under which an executed chapter is kept; equal keys mean equal outputs."""
    code = [
        [cell.source, {name: value for name, value in cell.metadata.items() if name != "jupyter"}]
        for cell in code_cells(notebook)  # what JupyterLab folds is not what the code gives
    ]
    recipe = b"".join(path.read_bytes() for path in (ROOT / "grader/notebook.py", Path(KERNEL)))
    lock, code = (ROOT / "requirements.lock").read_bytes(), json.dumps(code, sort_keys=True)
    kept = sorted((ROOT / "benchmarks/results").glob("*.json"))
    results = [p.read_bytes() for p in kept if p.name in code or f'{p.stem}\\"' in code]
    return digest(code, package, lock, recipe, sys.version, *results)


def at_once():
    """How many chapters run side by side: as many as there are cores and memory, or what JOBS says."""
    if asked := os.environ.get("JOBS", "").strip():
        return max(1, int(asked))
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):  # another system
        return cores
    return max(1, min(cores, round(memory / KERNEL_NEEDS)))


def run_chapter(path, package):
    """The folder that holds what ``path`` gives, and whether a kernel had to start."""
    notebook = nbformat.read(path, as_version=4)
    page = page_of(path)
    folder = CACHE / page / key(notebook, package)
    if (folder / "done.json").exists():
        return folder, False
    unfinished = folder.with_name(folder.name + ".tmp")
    shutil.rmtree(unfinished, ignore_errors=True)
    (unfinished / "frames").mkdir(parents=True)
    notebook, seconds = execute(path, unfinished, "../" * page.count("/") + FRAMES)
    nbformat.write(notebook, unfinished / "notebook.ipynb")
    (unfinished / "done.json").write_text(json.dumps({"seconds": round(seconds, 1)}))
    for old in folder.parent.iterdir():
        if old != unfinished:
            shutil.rmtree(old)
    unfinished.rename(folder)
    return folder, True


def with_outputs(path, folder):
    """The notebook at ``path`` as it reads now, with the outputs in ``folder``."""
    notebook = nbformat.read(path, as_version=4)
    results = code_cells(nbformat.read(folder / "notebook.ipynb", as_version=4))
    for cell, result in zip(code_cells(notebook), results, strict=True):
        cell.outputs, cell.execution_count = result.outputs, result.execution_count
        for output in cell.outputs:
            data = output.get("data", {})
            if "image/png" in data and "text/html" not in data:
                # The sentence beside the picture is its alternative text.
                cell.metadata.setdefault("mystnb", {})["image"] = {
                    "alt": " ".join(data["text/plain"].split())
                }
    return nbformat.writes(notebook, version=4)


def write_new(path, content):
    """Write ``content`` unless the file has it already: Sphinx reads again what has a new date."""
    data = content if isinstance(content, bytes) else content.encode()
    if not path.exists() or path.read_bytes() != data:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def stop(outdir, failures, why):
    """Say what keeps the book from being built, and end without a traceback."""
    said = "\n\n".join([*failures, f"{why}; no page was built."])
    print(f"\n\n{said}", file=sys.stderr, flush=True)
    write_new(Path(outdir) / "failed.txt", said)  # what `make serve` shows; the next good build removes it
    raise SystemExit(1)


def run_all(paths, jobs):
    """Run the chapters that have changed; return ``{path: folder}``, and what the others said."""
    package = package_digest()
    folders, failures = {}, []

    def run(path):
        begun = time.perf_counter()
        try:
            folder, ran = run_chapter(path, package)
        except NotebookFailed as problem:
            failures.append(str(problem))
            print(f"  {path.relative_to(ROOT)} FAILED", flush=True)
        else:
            folders[path] = folder
            if ran:
                took = f"executed in {time.perf_counter() - begun:.1f} s"
                print(f"  {path.relative_to(ROOT)} {took}  [{len(folders)}/{len(paths)}]", flush=True)

    print(f"Executing what has changed of {len(paths)} chapters, {jobs} at a time", flush=True)
    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(run, paths))
    return folders, failures


def execute_outdated(app, env, added, changed, removed):
    """Called by Sphinx before it reads: run what has changed; return the pages with other outputs."""
    paths = [path for path in chapters() if page_of(path) in env.found_docs]
    folders, failures = run_all(paths, at_once())
    if failures:
        stop(app.outdir, failures, f"{len(failures)} chapters failed")
    seconds = {}
    for path in paths:
        page, folder = page_of(path), folders[path]
        write_new(executed(page), with_outputs(path, folder))
        seconds[page] = json.loads((folder / "done.json").read_text())["seconds"]
        if card := summary.card(folder):
            write_new(EXECUTED / CARDS / f"{path.stem}.webp", card)
    write_new(EXECUTED / "seconds.json", json.dumps(seconds, indent=1, sort_keys=True))
    app.chapter_folders = {page_of(path): folder for path, folder in folders.items()}
    known = getattr(env, "chapter_texts", {})
    return [page for page in seconds if digest(executed(page).read_bytes()) != known.get(page)]


def hand_over(app, docname, content):
    """Called by Sphinx for each page that it reads: of a chapter it gets the executed notebook."""
    if docname in getattr(app, "chapter_folders", ()):
        content[0] = executed(docname).read_text(encoding="utf-8")
        if not hasattr(app.env, "chapter_texts"):
            app.env.chapter_texts = {}
        app.env.chapter_texts[docname] = digest(content[0])


def finish(app, exception):
    """Called by Sphinx at the end: add frames and cards, and remove what the book no longer has."""
    if exception is not None or app.builder.format != "html":
        return
    frames = [frame for folder in app.chapter_folders.values() for frame in (folder / "frames").iterdir()]
    cards = [EXECUTED / CARDS / f"{page.rpartition('/')[2]}.webp" for page in app.chapter_folders]
    for room, files in {FRAMES: frames, CARDS: [card for card in cards if card.exists()]}.items():
        (app.outdir / room).mkdir(exist_ok=True)
        for file in files:
            if room == CARDS or not (app.outdir / room / file.name).exists():  # a frame's name is its digest
                write_new(app.outdir / room / file.name, file.read_bytes())
        for old in {path.name for path in (app.outdir / room).iterdir()} - {file.name for file in files}:
            (app.outdir / room / old).unlink()
    kept = {f"{page}.html" for page in [*app.env.found_docs, *GENERATED, *app.config.redirects]}
    for path in app.outdir.rglob("*.html"):
        if "_static" not in path.parts and path.relative_to(app.outdir).as_posix() not in kept:
            path.unlink()


def setup(app):
    """Called by Sphinx through this package."""
    app.connect("env-get-outdated", execute_outdated)
    app.connect("source-read", hand_over)
    app.connect("build-finished", finish, priority=400)
