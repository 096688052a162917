"""Show the site while it is being written: `make serve` rebuilds on each saved change and reloads open pages.

Three small parts. :func:`snapshot` says how the sources stand; :func:`watch` compares two of them and builds
when they differ; :class:`Pages` answers the browser and slips a short script into the pages that it sends
(never into the files), which asks every second for the number of the last build and reloads when it grows.

The build runs in a process of its own, so that an edited line of ``publish`` or ``mllib`` counts at once.
"""

import argparse
import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WATCHED = (
    "index.md _config.yml _toc.yml references.bib requirements.lock "
    "chapters labs pages mllib publish tests/theorems"
).split()
MADE = (".pyc", ".nbi", ".nbc", ".tmp", "~")  # made by Python, numba and editors: no source
FIRST_PORT = 8000

SCRIPT = """
<script>
/* Put here by `make serve`; it is in no file. */
(() => {
  let seen = %d, sign;
  const say = (words) => {
    if (!sign) {
      sign = document.body.appendChild(document.createElement("div"));
      sign.setAttribute("role", "status");
      sign.style = "position:fixed;right:1rem;bottom:1rem;z-index:9999;padding:.4rem .8rem;border-radius:6px;"
        + "background:#222;color:#fff;font:1rem sans-serif";
    }
    sign.textContent = words;
    sign.hidden = !words;
  };
  setInterval(async () => {
    try {
      const now = await (await fetch("/_live")).json();
      if (now.builds !== seen) return location.reload();
      say({building: "Building…", failed: "The build failed: see the terminal."}[now.state] || "");
    } catch { say("The server has stopped."); }
  }, 1000);
})();
</script>
"""
EMPTY = (
    '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Large Margins</title>'
    '<link rel="icon" href="data:,"></head>'
    "<body><main><h1>No page yet</h1><p>This page loads itself again when there is one.</p></main></body>"
    "</html>"
)


class Site:
    """What the pages need to know about the builds: how many have succeeded, and what happens now."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.builds = int(time.time())  # another number after each start: pages left open reload then, too
        self.state = "ready"

    def built(self, ok):
        """Take note of a finished build."""
        self.builds += ok
        self.state = "ready" if ok else "failed"


class Pages(SimpleHTTPRequestHandler):
    """The files of a folder, with the script slipped into each page."""

    def __init__(self, *args, site, **kwargs):
        self.site = site
        super().__init__(*args, directory=str(site.folder), **kwargs)

    def send_head(self):
        """Answer with pages and the state of the builds; leave all other files to the standard library."""
        path = Path(self.translate_path(self.path))
        if self.path.partition("?")[0].endswith("/"):
            path = path / "index.html"
        if self.path == "/_live":
            now = {"builds": self.site.builds, "state": self.site.state}
            return self._answer("application/json", json.dumps(now))
        if path.suffix == ".html" and path.is_file():
            return self._answer("text/html", inject(path.read_text("utf-8"), self.site.builds))
        if path == self.site.folder / "index.html":
            return self._answer("text/html", inject(EMPTY, self.site.builds))
        return super().send_head()

    def _answer(self, kind, text):
        content = text.encode()
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        return io.BytesIO(content)

    def end_headers(self):
        """Nothing is kept by the browser: a style sheet saved a moment ago counts."""
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_request(self, code="-", size="-"):
        """Say nothing of what went well; errors are still printed."""


class Server(ThreadingHTTPServer):
    """Answers requests side by side; a browser that hangs up is no error."""

    daemon_threads = True
    allow_reuse_address = os.name != "nt"  # there it would let two servers share a port

    def handle_error(self, request, client_address):
        """Print what went wrong, unless the browser only went away."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def inject(page, builds):
    """The page with the reloading script at its end.

    >>> "seen = 7" in inject("<body>Hello</body>", 7), inject("no body", 7).startswith("no body")
    (True, True)
    """
    body, end, rest = page.rpartition("</body>")
    return body + SCRIPT % builds + end + rest if end else page + SCRIPT % builds


def serve(site, port=FIRST_PORT):
    """A server for this machine only, at ``port`` or, when that is taken, at a free one."""

    def answer(*args, **kwargs):
        return Pages(*args, site=site, **kwargs)

    try:
        return Server(("127.0.0.1", port), answer)
    except OSError:
        return Server(("127.0.0.1", 0), answer)


def snapshot(root=ROOT):
    """Path -> (time, size) of every source below ``root``; two that are equal mean that nothing was saved."""
    found = {}

    def look(path):
        if path.name.startswith((".", "__pycache__")) or path.name.endswith(MADE):
            return
        try:
            if path.is_dir():
                for entry in path.iterdir():
                    look(entry)
            else:
                now = path.stat()
                found[path] = (now.st_mtime_ns, now.st_size)
        except FileNotFoundError:
            pass  # removed, or not there yet: the next look sees it

    for name in WATCHED:
        look(Path(root) / name)
    return found


def watch(site, build, root=ROOT, every=0.5, enough=lambda: False):
    """Build now, and again whenever a source has changed, until ``enough()``.

    Parameters
    ----------
    build : callable
        Returns whether it succeeded.
    every : float
        Seconds between two looks. A change counts when two looks agree: editors save in several steps.
    """
    built = None
    while not enough():
        now = snapshot(root)
        if now != built:
            time.sleep(every)
            if snapshot(root) != now:
                continue  # still being saved
            if built is not None:
                changed = {path for path, _ in now.items() ^ built.items()}
                names = ", ".join(sorted(path.relative_to(root).as_posix() for path in changed)[:3])
                print(f"\nChanged: {names}{' and others' if len(changed) > 3 else ''}", flush=True)
            built, site.state = now, "building"
            site.built(build())
            continue  # at once: what was saved while it was built is built next
        time.sleep(every)


class Builder:
    """Runs the build in its own process group, so that Ctrl-C ends it without a page of traceback."""

    def __init__(self, command, root=ROOT):
        self.command, self.root, self.process = command, root, None

    def __call__(self):
        """Build; return whether it succeeded."""
        self.process = subprocess.Popen(self.command, cwd=self.root, start_new_session=True)
        code = self.process.wait()
        self.process = None
        if code:
            print("The pages of the last good build are shown until this is mended.", flush=True)
        return code == 0

    def stop(self):
        """End a build that is under way; kernels notice by themselves that their parent has gone."""
        if self.process is None or self.process.poll() is not None:
            return
        if os.name == "nt":
            self.process.terminate()
        else:
            os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait()


def run(build, folder, root=ROOT, port=FIRST_PORT):
    """Serve ``folder`` and watch ``root`` until Ctrl-C."""
    site = Site(folder)
    server = serve(site, port)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        print(f"Serving http://127.0.0.1:{server.server_port} (Ctrl-C ends)", flush=True)
        watch(site, build, root)
    except KeyboardInterrupt:
        print("\nStopped.", flush=True)
    finally:
        build.stop()
        server.shutdown()
        server.server_close()


def main(arguments=None):
    """Command line: ``python publish/serve.py [--port N] [--jobs N]``."""
    parser = argparse.ArgumentParser(prog="python publish/serve.py", description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=FIRST_PORT, help=f"default {FIRST_PORT}, or a free one")
    parser.add_argument("--jobs", type=int, default=2, help="chapters executed at once (default 2)")
    chosen = parser.parse_args(arguments)
    if not 0 <= chosen.port <= 65535:
        parser.error(f"--port must lie between 0 and 65535, got {chosen.port}")
    build = Builder([sys.executable, str(ROOT / "publish/build.py"), "--jobs", str(chosen.jobs)])
    run(build, ROOT / "_build/html", port=chosen.port)
    return 0


if __name__ == "__main__":
    sys.exit(main())
