"""Show the site while it is being written: `make serve` rebuilds on each saved change and reloads open pages.
When a build fails, they say why.

sphinx-autobuild watches, builds and serves; Sphinx gets the settings that Jupyter Book makes of
``_config.yml`` (``jupyter-book config sphinx .`` writes them to ``conf.py``). By hand it is these two
commands; what this adds is the reason on the page.
"""

import argparse
import os
import shlex
import sys
from pathlib import Path

from sphinx_autobuild import middleware
from sphinx_autobuild.__main__ import main as autobuild

from _ext.paths import BUILD, HTML, ROOT

# What programs make is no source, and no page shows what tests (but for the theorems) and the grader say.
MADE = r"(__pycache__|\.ipynb_checkpoints|\.pyc$|\.nb[ic]$|\.tmp$|~$|/conf\.py$)"
APART = r"/(_build|\.venv|plain|grader|grades|binder|\.[a-z]+_cache|tests/(?!theorems))/"
JUPYTER_BOOK = Path(sys.executable).with_name("jupyter-book")

BANNER = """
<script>
fetch("/failed.txt", {cache: "no-store"}).then((found) => (found.ok ? found.text() : "")).then((words) => {
  if (!words) return;
  const banner = document.createElement("pre");
  banner.id = "lm-failed";
  banner.setAttribute("role", "alert");
  banner.style = "position: fixed; inset: auto 0 0 0; z-index: 9999; margin: 0; "
    + "padding: 1em; max-height: 40vh; overflow: auto; white-space: pre-wrap; "
    + "font-size: 14px; color: #ffffff; background: #8a1c0c";
  banner.textContent = "The last build failed; this page may be older than its source.\\n\\n" + words;
  document.body.append(banner);
});
</script>
"""


def commands(port):
    """The arguments for sphinx-autobuild."""
    look = shlex.join([sys.executable, "-m", "_ext.problems"])
    settings = shlex.join([str(JUPYTER_BOOK), "config", "sphinx", "."])
    sphinx = ["-d", str(BUILD / ".doctrees"), "-W", "-n", "--keep-going", "-q", ".", str(HTML)]
    before = ["--pre-build", look, "--pre-build", settings]
    return ["--port", str(port), *before, "--re-ignore", MADE, "--re-ignore", APART, *sphinx]


def main(arguments=None):
    """Command line: ``python -m tools.serve [--port N]``."""
    parser = argparse.ArgumentParser(prog="python -m tools.serve", description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=8000, help="default 8000; 0 takes a free one")
    chosen = parser.parse_args(arguments)
    if not 0 <= chosen.port <= 65535:
        parser.error(f"--port must lie between 0 and 65535, got {chosen.port}")
    os.chdir(ROOT)
    reload = middleware.web_socket_script
    middleware.web_socket_script = lambda url: reload(url) + BANNER
    return autobuild(commands(chosen.port))


if __name__ == "__main__":
    sys.exit(main())
