"""Every slider of the course, moved with a live kernel: its picture changes. (How soon: ``make bench``.)"""

import pytest

from benchmarks.waits import ROOT, WITH_SLIDERS, moved


@pytest.mark.parametrize("path", WITH_SLIDERS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_slider_changes_its_picture(path):
    assert moved(path, times=1)
