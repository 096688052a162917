"""The boundary of a region."""

import numpy as np
import pytest

from mllib import viz


def test_the_boundary_of_a_region_lies_where_the_score_is_zero():
    ax, within = viz.axes(viz.figure()), (-1.0, 3.0, 0.0, 2.0)
    viz.regions(ax, lambda Z: Z[:, 1] - Z[:, 0] / 3 - 0.5, within=within, steps=40)
    kept = ax.course_artists
    (line,) = kept["regions edge"].get_paths()
    assert np.allclose(line.vertices[:, 1], line.vertices[:, 0] / 3 + 0.5)
    (positive,) = kept["regions +"].get_paths()
    assert positive.contains_point((0, 1.9)) and not positive.contains_point((0, 0.1))
    before = list(ax.get_children())
    for values in (np.zeros(40**2), np.full(40**2, np.nan), np.full(40**2, -np.inf)):  # nothing is positive
        viz.regions(ax, values, within=within, steps=40)
        assert [len(kept[key].get_paths()) for key in ("regions +", "regions edge")] == [0, 0]
    viz.regions(ax, np.full(40**2, np.inf), within=within, steps=40)
    assert kept["regions +"].get_paths()[0].contains_point((1, 1))
    assert ax.get_children() == before  # moved, not drawn anew
    with pytest.raises(ValueError, match="40 x 40 points, got 3"):
        viz.regions(ax, np.zeros(3), within=within, steps=40)


@pytest.mark.parametrize("limits", [(0, 1000, 0, 800), (-3, 3, -2, 2), (1e6, 1e6 + 1, -5e5, -5e5 + 1)])
@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e200])
def test_a_line_crosses_all_that_is_shown(limits, scale):
    ax = viz.axes(viz.figure())
    ax.axis(limits)
    left, right, bottom, top = limits
    w = np.array([3.0, 4.0]) * scale
    b = -w @ [(left + right) / 2, (bottom + top) / 2]  # through the middle
    u, v = viz.line(ax, w, b).get_data()
    np.testing.assert_allclose(3 * u + 4 * v, -b / scale, rtol=1e-9, atol=1e-6)
    assert u.max() > right and u.min() < left


def test_a_line_and_a_curve_without_names_do_not_share_an_artist():
    ax = viz.axes(viz.figure())
    curve = viz.curve(ax, [0, 1], [0, 1])
    line = viz.line(ax, [1.0, 1.0])
    assert line is not curve and viz.line(ax, [1.0, 2.0]) is line and viz.curve(ax, [0, 1], [1, 0]) is curve
    assert np.isnan(viz.line(ax, [0.0, 0.0], 1.0).get_data()).all()
