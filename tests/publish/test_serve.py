"""`make serve`: pages with a script that no file has, a build for each change, an end without noise."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from selenium.common.exceptions import WebDriverException

from publish import serve
from tests.publish import browser

ROOT = Path(__file__).parents[2]
PAGE = '<html><head><link rel="icon" href="data:,"></head><body><h1>Margins</h1></body></html>'


@pytest.fixture
def site(tmp_path):
    folder = tmp_path / "html"
    (folder / "pages").mkdir(parents=True)
    (folder / "index.html").write_text(PAGE)
    (folder / "pages/notes.html").write_text(PAGE)
    (folder / "style.css").write_text("h1 {}")
    return serve.Site(folder)


@pytest.fixture
def address(site):
    with served(site) as address:
        yield address


@contextmanager
def served(site):
    """The address at which ``site`` is served for a while."""
    server = serve.serve(site, port=0)
    thread = threading.Thread(target=server.serve_forever, args=[0.01])
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def get(address):
    """The text at an address."""
    with urlopen(address, timeout=10) as answer:
        assert answer.headers["Cache-Control"] == "no-store"
        return answer.read().decode()


def eventually(truth, seconds=20):
    """Wait until ``truth()``."""
    until = time.monotonic() + seconds
    while True:
        with suppress(WebDriverException):  # the page, or a part of it, is not there yet
            if truth():
                return
        assert time.monotonic() < until, "it never became true"
        time.sleep(0.02)


@pytest.mark.parametrize("page", ["/", "/index.html", "/pages/notes.html", "/pages/notes.html?q=1"])
def test_pages_carry_the_script_and_the_files_do_not(site, address, page):
    site.builds = 41
    said = get(address + page)
    assert said == serve.inject(PAGE, 41)
    assert "seen = 41" in said and said.endswith("</body></html>")
    assert all(path.read_text() == PAGE for path in site.folder.rglob("*.html"))


def test_other_files_are_sent_as_they_are(address):
    assert get(address + "/style.css") == "h1 {}"


@pytest.mark.parametrize("path", ["/missing.html", "/../secret.txt", "/%2e%2e/secret.txt"])
def test_nothing_else_is_sent(site, address, path, capfd):
    (site.folder.parent / "secret.txt").write_text("not a page")
    with pytest.raises(HTTPError) as problem:
        get(address + path)
    problem.value.close()
    assert problem.value.code == 404


def test_the_state_of_the_builds_can_be_asked(site, address):
    def now():
        return json.loads(get(address + "/_live"))

    first = now()
    assert first["state"] == "ready"
    site.state = "building"
    assert now() == {"builds": first["builds"], "state": "building"}
    site.built(False)
    assert now() == {"builds": first["builds"], "state": "failed"}
    site.built(True)
    assert now() == {"builds": first["builds"] + 1, "state": "ready"}


def test_before_the_first_build_there_is_a_page_that_waits(tmp_path):
    with served(serve.Site(tmp_path / "html")) as address:
        assert "No page yet" in get(address + "/")


def test_a_taken_port_is_left_alone(site):
    with serve.serve(site, port=0) as first, serve.serve(site, port=first.server_port) as second:
        assert second.server_port != first.server_port
        assert second.server_address[0] == "127.0.0.1"


@pytest.fixture
def sources(tmp_path):
    for name in [
        "index.md",
        "chapters/04-boosting.ipynb",
        "mllib/viz/figures.py",
        "publish/assets/course.css",
    ]:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("a")
    return tmp_path


def test_every_kind_of_source_is_watched():
    seen = {path.relative_to(ROOT).as_posix() for path in serve.snapshot()}
    assert seen >= {
        "index.md",
        "_config.yml",
        "_toc.yml",
        "references.bib",
        "chapters/04-boosting.ipynb",
        "pages/status.md",
        "mllib/boosting/adaboost.py",
        "mllib/datasets/data/spambase.npz",
        "publish/assets/course.css",
        "publish/static/logo.svg",
    }
    assert not [name for name in seen if "__pycache__" in name or name.endswith((".pyc", ".nbi"))]


@pytest.mark.parametrize("name", ["mllib/viz/figures.py", "mllib/new/room.py", "pages/new.md", "index.md"])
def test_a_saved_file_is_seen(sources, name):
    before = serve.snapshot(sources)
    assert serve.snapshot(sources) == before
    (sources / name).parent.mkdir(parents=True, exist_ok=True)
    (sources / name).write_text("longer")
    assert serve.snapshot(sources) != before
    (sources / name).unlink()
    assert sources / name not in serve.snapshot(sources)


@pytest.mark.parametrize(
    "name", ["mllib/__pycache__/a.pyc", "mllib/a.nbi", "chapters/.ipynb_checkpoints/a.ipynb", "index.md~"]
)
def test_what_programs_leave_behind_is_not_a_source(sources, name):
    before = serve.snapshot(sources)
    (sources / name).parent.mkdir(parents=True, exist_ok=True)
    (sources / name).write_text("made")
    assert serve.snapshot(sources) == before


def test_one_build_at_the_start_and_one_for_each_change(sources, tmp_path, capsys):
    site, builds, results = serve.Site(tmp_path), [], iter([True, False, True])
    first = site.builds

    def build():
        assert site.state == "building"
        builds.append((sources / "index.md").read_text())
        if len(builds) == 2:
            (sources / "index.md").write_text("saved while it was built")
        return next(results)

    def enough():
        if len(builds) == 1 and not enough.edited:
            enough.edited = True
            for text in ["b", "b and", "b and c"]:  # an editor that saves in steps
                (sources / "index.md").write_text(text)
        enough.quiet = enough.quiet + 1 if len(builds) == 3 else 0
        return enough.quiet > 10  # looked ten times more, and built nothing

    enough.edited, enough.quiet = False, 0
    serve.watch(site, build, sources, every=0.01, enough=enough)
    assert builds == ["a", "b and c", "saved while it was built"]
    assert (site.builds - first, site.state) == (2, "ready"), "the second build failed"
    assert "Changed: index.md" in capsys.readouterr().out


@pytest.mark.browser
def test_an_open_page_reloads_after_a_build_and_says_when_one_fails(site, driver):
    with served(site) as address:
        browser.open_page(driver, address + "/pages/notes.html")
        driver.execute_script("window.mine = true")
        site.built(False)
        eventually(lambda: "failed" in driver.find_element("css selector", "[role=status]").text)
        assert driver.execute_script("return window.mine"), "a failed build reloads nothing"
        (site.folder / "pages/notes.html").write_text(PAGE.replace("Margins", "Wide margins"))
        site.built(True)
        eventually(lambda: driver.find_element("css selector", "h1").text == "Wide margins")
        assert browser.console(driver) == []


@pytest.mark.skipif(os.name == "nt", reason="there Ctrl-C cannot be sent to one process")
@pytest.mark.parametrize("when", ["building", "waiting"])
def test_ctrl_c_ends_it_and_its_build(sources, when):
    note = sources / "build.pid"
    naps = 600 if when == "building" else 0
    builder = f"import os, time; open({str(note)!r}, 'w').write(str(os.getpid())); time.sleep({naps})"
    program = (
        f"import sys; from publish import serve; here = {str(sources)!r};"
        f"serve.run(serve.Builder([sys.executable, '-c', {builder!r}]), here, here, port=0)"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        eventually(lambda: note.exists() and note.read_text())
        child = int(note.read_text())
        if when == "waiting":
            eventually(lambda: not Path(f"/proc/{child}").exists())
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=20)
    finally:
        process.kill()
    assert process.returncode == 0, said
    assert said.startswith("Serving http://127.0.0.1:") and said.endswith("Stopped.\n")
    assert "Traceback" not in said
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)


@pytest.mark.parametrize("arguments", [["--port", "70000"], ["--port", "x"], ["--what"]])
def test_wrong_arguments_are_a_usage_error(arguments, capsys):
    with pytest.raises(SystemExit) as end:
        serve.main(arguments)
    assert end.value.code == 2
    assert "usage:" in capsys.readouterr().err
