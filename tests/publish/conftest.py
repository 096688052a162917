"""The built site and the browser that the tests of this folder look at it with."""

import os

import pytest

from tests.publish import browser
from tests.publish.site import HTML, publish


def absent(what):
    """Skip with a reason for a user, fail in CI: there the test must run."""
    if os.environ.get("CI"):
        pytest.fail(what)
    pytest.skip(what)


def pytest_collection_modifyitems(items):
    """A test that reads the built book is skipped where there is none; in CI it runs, and fails."""
    if (HTML / "index.html").exists() or os.environ.get("CI"):
        return
    skip = pytest.mark.skip(reason="the book is not built: make book")
    for item in items:
        if item.get_closest_marker("book"):
            item.add_marker(skip, append=False)  # said before that there is no page to be tried


@pytest.fixture(scope="session")
def driver(tmp_path_factory):
    """One Chromium for each test process."""
    if browser.CHROMIUM is None or browser.DRIVER is None:
        absent("Chromium and its driver are not installed: make system")
    if not (HTML / "index.html").exists():
        absent("the book is not built: make book")
    chromium = browser.start(tmp_path_factory.mktemp("chromium"))
    yield chromium
    chromium.quit()


@pytest.fixture(scope="session")
def published():
    """The address of the site, served on this machine as its publisher does."""
    server, address = publish()
    yield address
    server.shutdown()
    server.server_close()
