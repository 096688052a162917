"""What this book adds to Sphinx: its static files, directives, and repairs to what others emit."""

import os
from pathlib import Path

from sphinx.errors import ConfigError

from publish.extensions import api, directives, head, repairs, results, shelf, speed


def add_files(app, config):
    """Ship the player, the style sheet and MathJax with the site: no page asks the network for anything."""
    root = Path(os.environ["LARGE_MARGINS_ROOT"])
    config.html_static_path += [
        str(root / "mllib/viz/explore/player.js"),
        str(root / "mllib/viz/explore/player.css"),
        str(root / "publish/assets"),
        str(root / "publish/vendor"),
    ]


def setup(app):
    """Register everything; called by Sphinx."""
    if "LARGE_MARGINS_ROOT" not in os.environ:
        raise ConfigError(
            "This book is built by `make book` (publish/build.py), which executes the chapters first."
        )
    app.connect("config-inited", add_files)
    app.add_js_file("player.js", loading_method="defer")
    app.add_css_file("player.css")
    app.add_css_file("course.css")
    app.add_js_file("course.js", loading_method="defer")
    api.setup(app)
    directives.setup(app)
    head.setup(app)
    repairs.setup(app)
    shelf.setup(app)
    results.setup(app)
    speed.setup(app)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
