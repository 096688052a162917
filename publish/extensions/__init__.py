"""What this book adds to Sphinx: its static files, directives, and repairs to what others emit."""

import os
from pathlib import Path

from sphinx.errors import ConfigError

from publish import address, plain
from publish.compiled import digest
from publish.extensions import (
    api,
    directives,
    head,
    numbers,
    outcomes,
    repairs,
    results,
    search,
    shelf,
    words,
)

PUBLISH = Path(__file__).resolve().parent.parent
RECIPE = (".py", ".css", ".js", ".svg", ".html")


def add_files(app, config):
    """Ship the player, the style sheet and MathJax with the site: no page asks the network for anything."""
    root = Path(os.environ["LARGE_MARGINS_ROOT"])
    config.html_static_path += [
        str(root / "mllib/viz/explore/player.js"),
        str(root / "mllib/viz/explore/player.css"),
        str(root / "publish/assets"),
        str(root / "publish/vendor"),
    ]
    config.templates_path += [str(root / "publish/templates")]


def recipe():
    """A name for all that makes pages out of sources; Sphinx makes every page anew when it has changed."""
    return digest(*(p.read_bytes() for p in sorted(PUBLISH.rglob("*")) if p.suffix in RECIPE))


def forget_failures(app, exception):
    """Have a page that gave a warning read again in the next build: it must not succeed by forgetting it."""
    if app._warncount:
        (app.doctreedir / "environment.pickle").unlink(missing_ok=True)


def setup(app):
    """Register everything; called by Sphinx."""
    if "LARGE_MARGINS_ROOT" not in os.environ:
        raise ConfigError(
            "This book is built by `make book` (publish/build.py), which executes the chapters first."
        )
    app.connect("config-inited", add_files)
    app.connect("build-finished", forget_failures)
    app.add_config_value("publish_recipe", recipe(), "env")
    app.add_js_file("player.js", loading_method="defer")
    app.add_css_file("player.css")
    app.add_css_file("course.css")
    app.add_js_file("course.js", loading_method="defer")
    app.add_js_file("formulas.js", loading_method="defer")  # before MathJax
    parts = (address, api, directives, head, numbers, outcomes, plain, repairs, search, shelf, results, words)
    for part in parts:
        part.setup(app)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
