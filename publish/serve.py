"""Show the site while it is being written: `make serve` rebuilds on each saved change and reloads open pages.
When a build fails, they say why.

sphinx-autobuild watches, builds and serves. Before each of its builds the chapters that have changed are
executed and laid out (``publish/build.py --stage``), and Sphinx gets the settings that Jupyter Book makes of
``_config.yml``.
"""

import argparse
import os
import shlex
import sys
from pathlib import Path

from sphinx_autobuild import middleware
from sphinx_autobuild.__main__ import main as autobuild

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from publish.build import BUILD, HTML, JUPYTER_BOOK, ROOT, SOURCE

WATCHED = "index.md _config.yml _toc.yml references.bib chapters labs pages mllib publish tests/theorems"
# What Python, numba and editors make is no source.
MADE = r"(__pycache__|\.ipynb_checkpoints|\.pyc$|\.nb[ic]$|\.tmp$|~$)"

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


def commands(port, jobs):
    """The arguments for sphinx-autobuild."""
    stage = shlex.join([sys.executable, str(ROOT / "publish/build.py"), "--stage", "--jobs", str(jobs)])
    settings = shlex.join([str(JUPYTER_BOOK), "config", "sphinx", str(SOURCE)])
    watch = [part for name in WATCHED.split() for part in ("--watch", str(ROOT / name))]
    sphinx = ["-d", str(BUILD / ".doctrees"), "-W", "-n", "--keep-going", "-q", str(SOURCE), str(HTML)]
    ignore = ["--ignore", str(SOURCE), "--re-ignore", MADE]
    return ["--port", str(port), "--pre-build", stage, "--pre-build", settings, *watch, *ignore, *sphinx]


def main(arguments=None):
    """Command line: ``python publish/serve.py [--port N] [--jobs N]``."""
    parser = argparse.ArgumentParser(prog="python publish/serve.py", description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=8000, help="default 8000; 0 takes a free one")
    parser.add_argument("--jobs", type=int, default=2, help="chapters executed at once (default 2)")
    chosen = parser.parse_args(arguments)
    if not 0 <= chosen.port <= 65535:
        parser.error(f"--port must lie between 0 and 65535, got {chosen.port}")
    os.environ["PYTHONPATH"] = str(ROOT)
    SOURCE.mkdir(parents=True, exist_ok=True)  # sphinx-autobuild asks for it before it calls anything
    reload = middleware.web_socket_script
    middleware.web_socket_script = lambda url: reload(url) + BANNER
    return autobuild(commands(chosen.port, chosen.jobs))


if __name__ == "__main__":
    sys.exit(main())
