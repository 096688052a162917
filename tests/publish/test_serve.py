"""`make serve`: a page that is open shows what was saved a moment ago, and Ctrl-C ends it all."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from urllib.request import urlopen

import pytest
from selenium.common.exceptions import WebDriverException

from tests.publish import browser
from tests.publish.test_build import CODE, Site
from tools import serve


def eventually(truth, seconds=120):
    """Wait until ``truth()``."""
    until = time.monotonic() + seconds
    while True:
        with suppress(WebDriverException, OSError):  # the page, or the server, is not there yet
            if truth():
                return
        assert time.monotonic() < until, "it never became true"
        time.sleep(0.1)


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """A small site, the address at which it is served, and the process."""
    site = Site(tmp_path_factory.mktemp("served"))
    for folder in ["labs", "pages", "tests/theorems"]:
        (site.root / folder).mkdir(parents=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "tools.serve", "--port", str(port)]
    environment = dict(os.environ, PYTHONPATH=str(site.root), PYTHONUNBUFFERED="1")
    with open(site.root / "said.txt", "w") as said:
        process = subprocess.Popen(
            command, cwd=site.root, env=environment, stdout=said, stderr=subprocess.STDOUT
        )
    address = f"http://127.0.0.1:{port}/chapters/01-small.html"
    try:
        eventually(lambda: process.poll() is not None or b"apple" in urlopen(address, timeout=10).read())
        assert process.poll() is None, (site.root / "said.txt").read_text()
        yield site, address, process
    finally:
        process.kill()
        process.wait()


@pytest.mark.browser
def test_an_open_page_shows_what_was_saved_and_the_files_carry_no_script(served, driver):
    site, address, _ = served
    browser.open_page(driver, address)
    driver.execute_script("window.mine = true")
    site.chapter("# Small\n\nA sentence that was saved.", CODE)
    eventually(lambda: "A sentence that was saved." in driver.find_element("css selector", "article").text)
    assert not driver.execute_script("return window.mine"), "the page has loaded itself again"
    assert "websocket" not in site.page()
    (site.root / "mllib/helper.py").write_text("WORD = 'plum'\n")
    eventually(lambda: "the helper says plum" in driver.find_element("css selector", "article").text)


def test_a_failed_build_leaves_the_last_good_pages(served):
    site, address, process = served
    good = site.page()
    site.chapter("# Small", "1 / 0")
    eventually(lambda: "no page was built" in (site.root / "said.txt").read_text())
    assert "ZeroDivisionError" in (site.root / "said.txt").read_text()
    assert process.poll() is None and site.page() == good
    assert urlopen(address, timeout=10).status == 200


@pytest.mark.browser
def test_an_open_page_says_why_the_last_build_failed_until_one_succeeds(served, driver):
    site, address, _ = served
    browser.open_page(driver, address)

    def banner():
        return "".join(box.text for box in driver.find_elements("id", "lm-failed"))

    site.chapter("# Small", "1 / 0")
    eventually(lambda: "chapters/01-small.ipynb, cell 2:" in banner() and "ZeroDivisionError" in banner())
    site.chapter("# Small\n\n{cite}`freund97`", CODE)
    eventually(lambda: "cell 1, line 3: no citation freund97, did you mean freund1997decision?" in banner())
    toc = site.root / "_toc.yml"
    before = toc.read_text()
    toc.write_text(before.replace("- file: ", "- file "))
    eventually(lambda: "_toc.yml, line 4: no colon and space in '- file chapters/01-small'" in banner())
    toc.write_text(before)
    site.chapter("# Small\n\nMended.", CODE)
    eventually(lambda: "Mended." in driver.find_element("css selector", "article").text and not banner())


@pytest.mark.skipif(os.name == "nt", reason="there Ctrl-C cannot be sent to one process")
def test_ctrl_c_ends_it(served):
    site, _, process = served
    before = (site.root / "said.txt").read_text()
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 0
    said = (site.root / "said.txt").read_text().removeprefix(before)
    assert "Traceback" not in said, said


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("chapters/04-boosting.ipynb", False),
        ("mllib/viz/figures.py", False),
        ("mllib/__pycache__/a.pyc", True),
        ("mllib/a.nbi", True),
        ("chapters/.ipynb_checkpoints/a.ipynb", True),
        ("index.md~", True),
    ],
)
def test_what_programs_leave_behind_is_not_a_source(name, made):
    assert bool(re.search(serve.MADE, name)) == made


@pytest.mark.parametrize("arguments", [["--port", "70000"], ["--port", "x"], ["--what"]])
def test_wrong_arguments_are_a_usage_error(arguments, capsys):
    with pytest.raises(SystemExit) as end:
        serve.main(arguments)
    assert end.value.code == 2
    assert "usage:" in capsys.readouterr().err
