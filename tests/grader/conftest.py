"""A small lab, released once, and a machine that can isolate: skipped with a reason where it cannot."""

import os
from types import SimpleNamespace

import pytest

from grader.release import release
from grader.sandbox import hindrance
from tests.grader.small_lab import NAME, cells, write_source
from tests.publish import browser
from tests.publish.conftest import absent


@pytest.fixture(scope="session")
def bubblewrap():
    """The strongest layer; where it cannot start its tests are skipped, but never in CI."""
    if hindrance("bubblewrap"):
        reason = "bubblewrap does not start here (make system installs it)"
        pytest.fail(reason) if os.environ.get("CI") == "true" else pytest.skip(reason)
    return "bubblewrap"


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    """The small lab: its source, the released notebook, the private folder and the reference."""
    folder = tmp_path_factory.mktemp("small")
    source = write_source(folder / "source", cells())
    out = folder / f"{NAME}.ipynb"
    made = release(source, out, folder / "grading", seed=11)
    return SimpleNamespace(source=source, released=out, grading=folder / "grading", made=made)


@pytest.fixture(scope="module")
def chromium(tmp_path_factory):
    if browser.CHROMIUM is None or browser.DRIVER is None:
        absent("Chromium and its driver are not installed: make system")
    started = browser.start(tmp_path_factory.mktemp("chromium"))
    yield started
    started.quit()
