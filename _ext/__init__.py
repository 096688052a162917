"""What this book adds to Sphinx: it executes the chapters, adds directives, and repairs what others emit."""

import gc
from pathlib import Path

from _ext.paths import ROOT, digest

HERE = Path(__file__).parent
PARTS = "problems execute address api before directives head numbers outcomes"
PARTS += " repairs search shelf results words"
RECIPE = (".py", ".css", ".js", ".svg", ".html")


def add_files(app, config):
    """Ship the player, the style sheet and MathJax with the site: no page asks the network for anything."""
    config.html_static_path += [
        str(ROOT / "mllib/viz/explore/player.js"),
        str(ROOT / "mllib/viz/explore/player.css"),
        str(HERE / "assets"),
        str(HERE / "vendor"),
    ]
    config.templates_path += [str(HERE / "templates")]


def recipe():
    """A name for all that makes pages out of sources; Sphinx makes every page anew when it has changed."""
    files = [path for path in HERE.rglob("*") if path.suffix in RECIPE]
    return digest(*(path.read_bytes() for path in sorted(files)))


def forget_failures(app, exception):
    """Have a page that gave a warning read again in the next build: it must not succeed by forgetting it."""
    if app._warncount:
        (app.doctreedir / "environment.pickle").unlink(missing_ok=True)


def setup(app):
    """Register everything; called by Sphinx."""
    # Sphinx keeps nearly all that it makes, millions of small objects: Python's search among them for what is
    # garbage, as often as by default, took half of the time of a build with nothing to do.
    gc.set_threshold(100_000, 50, 100)
    app.connect("config-inited", add_files)
    app.connect("build-finished", forget_failures)
    app.add_config_value("book_recipe", recipe(), "env")
    app.add_js_file("player.js", loading_method="defer")
    app.add_css_file("player.css")
    app.add_css_file("course.css")
    app.add_js_file("course.js", loading_method="defer")
    app.add_js_file("formulas.js", loading_method="defer")  # before MathJax
    for part in PARTS.split():
        app.setup_extension(f"{__name__}.{part}")
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
