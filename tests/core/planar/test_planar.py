"""Polygons tile the window, agree with a clip by every half-plane, and with the router itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import ndimage

from tests.oracles.slow_fan import half_spaces, slow_fan
from tropviz import RoutingFan
from tropviz.core.planar import cells as cells_module
from tropviz.core.planar import clusters, disk_cells, expert_domain, locate, polygons
from tropviz.core.router import Router
from tropviz.core.window import as_window


def clipped(router, active, box):
    """The oracle: the window cut by every half-plane of the set, one shapely intersection each."""
    shape = shapely.box(*box[:, 0], *box[:, 1])
    far = 1e3 * float(np.abs(box).max() + 1)
    for n, o in zip(*half_spaces(router, active), strict=True):
        t, foot = np.array([-n[1], n[0]]), -o * n
        if np.abs(foot).max() > far:
            if o < 0:
                return shapely.Polygon()
            continue
        shape = shape.intersection(
            shapely.Polygon([foot - far * t, foot + far * t, foot + far * (t + n), foot + far * (n - t)])
        )
    return shape


def check(router, window):
    box = as_window(window, 2)
    fan = slow_fan(router)
    ids, shapes = polygons(fan, window)
    whole = float(np.prod(box[:, 1] - box[:, 0]))
    assert abs(shapely.area(shapes).sum() - whole) <= 1e-9 * whole
    assert shapely.is_valid(shapes).all() and (np.diff(ids) > 0).all()
    area = dict(zip(ids.tolist(), shapely.area(shapes), strict=True))
    for row, active in enumerate(fan.active_sets):
        assert abs(clipped(router, tuple(active), box).area - area.get(row, 0.0)) <= 1e-9 * whole
    return fan, ids, shapes


integers = st.lists(st.lists(st.integers(-6, 6), min_size=3, max_size=3), min_size=2, max_size=6)


@given(integers, st.integers(1, 5), st.booleans(), st.sampled_from([2.0, 0.5, 7.25]))
@settings(max_examples=35, deadline=None)
def test_tiles_small_integer_routers(rows, k, affine, window):
    """Ties, twins, parallel and zero rows, walls through one point: all common among small integers."""
    rows = np.array(rows, dtype=float)
    if not affine:
        rows[:, 2] = 0
    check(Router(rows[:, :2], rows[:, 2], k=min(k, len(rows) - 1)), window)


@given(st.integers(0, 10**6), st.integers(2, 7), st.integers(1, 6))
@settings(max_examples=25, deadline=None)
def test_tiles_random_routers(seed, n, k):
    rng = np.random.default_rng(seed)
    router = Router(rng.standard_normal((n, 2)), rng.standard_normal(n), k=min(k, n - 1))
    fan, ids, shapes = check(router, ((-1.5, 2.5), (-2, 1)))
    points = rng.uniform((-1.5, -2), (2.5, 1), (200, 2))
    tree = shapely.STRtree(shapes)
    where, what = tree.query(shapely.points(points), predicate="within")
    assert len(where) == len(points)
    assert np.array_equal(fan.active_sets[ids[what]], router.active_sets(points)[where])


def test_one_cell_and_no_cell():
    fan = slow_fan(Router(np.ones((3, 2)), k=2))
    ids, shapes = polygons(fan, 2)
    assert ids.tolist() == [0] and shapes[0].area == 16


@pytest.mark.parametrize("scale", [1e-300, 1e-12, 1e12, 1e300])
def test_scale_changes_nothing(scale):
    rng = np.random.default_rng(3)
    W, b = rng.standard_normal((6, 2)), rng.standard_normal(6)
    one = polygons(slow_fan(Router(W, b, k=2)), 2)
    fan = slow_fan(Router(W, b, k=2))
    fan = replace(fan, router=Router(W * scale, b * scale, k=2))
    two = polygons(fan, 2)
    assert np.array_equal(one[0], two[0])
    assert np.allclose(shapely.area(one[1]), shapely.area(two[1]), rtol=1e-9)


@pytest.mark.parametrize(
    "window", [0, -1, float("nan"), "wide", ((0, 1),), ((0, 1), (1, 1)), ((0, 1), (0, np.inf)), [[[1]]]]
)
def test_bad_windows(window):
    with pytest.raises(ValueError, match="window"):
        polygons(slow_fan(Router(np.eye(2), k=1)), window)


def test_domains_are_unions_and_know_their_shape():
    rng = np.random.default_rng(5)
    for k in (1, 2, 5):
        router = Router(rng.standard_normal((6, 2)), rng.standard_normal(6), k=k)
        fan = slow_fan(router)
        ids, shapes = polygons(fan, 3)
        domains = [expert_domain(fan, ids, shapes, i) for i in range(6)]
        assert np.isclose(sum(d.area for d in domains), k * 36, rtol=1e-9)  # every point has k experts
        for d in domains:
            assert np.isclose(d.outline.area, d.area, rtol=1e-9, atol=1e-9)
            if k == 1:
                assert d.non_convexity < 1e-9 and d.pieces <= 1
            if k == 5:  # the complement of a convex cell
                rest = shapely.box(-3, -3, 3, 3).difference(d.outline)
                assert np.isclose(rest.area, rest.convex_hull.area, atol=1e-8)


def test_a_domain_in_several_pieces():
    """Between two experts, both ahead in the middle, a third is among the best two on either side only; among three, on
    three sides. On a line and on a grid the pieces are counted by hand."""
    line = Router([[0, 0], [1, 0], [-1, 0]], [0, 1, 1], k=2)
    fan, x = slow_fan(line), np.linspace(-9, 9, 3601)
    found = [expert_domain(fan, *polygons(fan, 9), i) for i in range(3)]
    for d in found:
        on = (line.active_sets(np.c_[x, 0 * x]) == d.expert).any(1)
        assert d.pieces == int(on[0]) + int((np.diff(on.astype(int)) == 1).sum())
    assert [d.pieces for d in found] == [2, 1, 1] and found[0].non_convexity > 0.1
    turn = 2 * np.pi * np.arange(3) / 3
    star = Router(np.r_[[[0, 0]], np.c_[np.cos(turn), np.sin(turn)]], [0, 1, 1, 1], k=2)
    fan, grid = slow_fan(star), np.stack(np.meshgrid(*[np.linspace(-9, 9, 181)] * 2), axis=-1)
    sets = star.active_sets(grid.reshape(-1, 2))
    found = [expert_domain(fan, *polygons(fan, 9), i) for i in range(4)]
    for d in found:
        assert d.pieces == ndimage.label((sets == d.expert).any(1).reshape(181, 181))[1]
    assert found[0].pieces == 3
    with pytest.raises(ValueError, match="no expert 4"):
        expert_domain(fan, *polygons(fan, 9), 4)


@given(st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_disk_touches_what_samples_hit_and_what_clips_say(seed):
    rng = np.random.default_rng(seed)
    router = Router(rng.standard_normal((6, 2)), rng.standard_normal(6), k=2)
    fan = slow_fan(router)
    centre, radius = rng.standard_normal(2), rng.uniform(0.05, 2)
    got = disk_cells(fan, centre, radius)
    disk = centre + radius * np.sqrt(rng.random((2000, 1))) * np.exp(2j * np.pi * rng.random(2000)).view(float).reshape(
        -1, 2
    )
    hit = np.unique(locate(fan, disk))
    assert set(hit[hit >= 0]) <= set(got)
    ball = shapely.Point(centre).buffer(radius, 64)
    box = np.stack([centre - 2 * radius, centre + 2 * radius], axis=1)
    sure = [r for r, s in enumerate(fan.active_sets) if clipped(router, tuple(s), box).intersection(ball).area > 1e-9]
    assert set(sure) <= set(got)


def test_bad_disk():
    with pytest.raises(ValueError, match="disk"):
        disk_cells(slow_fan(Router(np.eye(2), k=1)), [0, 0], -1)


def test_locate_and_clusters():
    router = Router([[1, 0], [0, 1], [-1, 0], [0, -1]], k=1)
    fan = replace(slow_fan(router), neighbours=np.array([[0, 1], [0, 3], [1, 2], [2, 3]]))
    assert locate(fan, [[1, 0], [0, -2], [-3, 1]]).tolist() == [0, 3, 2]
    assert clusters(fan, np.array([0, 2])).tolist() == [0, 1]
    assert clusters(fan, np.array([2, 0, 1])).tolist() == [0, 0, 0]
    assert clusters(fan, np.array([], dtype=int)).tolist() == []


@pytest.mark.parametrize("thin", [1e-6, 1e-12, 1e-15])
@pytest.mark.parametrize("b", [None, [0, 1e-13, 0.25]])
def test_a_thin_window_is_filled_by_the_cells_of_its_line(thin, b):
    """Two ways to one number: the thin window, and the fan of the line it shrinks to."""
    W, bias = np.array([[1.0, 0], [0, 1], [-1, -1]]), np.zeros(3) if b is None else np.array(b)
    fan, line = RoutingFan(Router(W, bias, 1)), RoutingFan(Router(W[:, :1], bias, 1))
    ids, values = fan.volumes([[-1, 1], [-thin, thin]])
    assert abs(values.sum() / (4 * thin) - 1) < 1e-12
    want = {tuple(line.active_sets[i]): a for i, a in zip(*line.volumes(1), strict=True)}
    for i, value in zip(ids, values, strict=True):
        assert abs(value / (2 * thin) - want.get(tuple(fan.active_sets[i]), 0)) < 2 * thin + 1e-12


def test_where_corners_do_not_fill_the_window_walls_do(monkeypatch):
    router = Router(np.random.default_rng(1).standard_normal((6, 2)), np.arange(6) / 9, 2)
    ids, shapes = polygons(RoutingFan(router), 2)
    monkeypatch.setattr(cells_module, "rings_of_corners", lambda *_: (np.zeros(0, dtype=np.int64), np.zeros((0, 2))))
    again, same = polygons(RoutingFan(router), 2)
    assert ids.tolist() == again.tolist() and np.allclose(shapely.area(shapes), shapely.area(same), rtol=1e-12)
    monkeypatch.setattr(cells_module, "rings_of_walls", lambda *_: (np.zeros(0, dtype=np.int64), np.zeros((0, 2))))
    with pytest.raises(ValueError, match="do not fill this window"):
        polygons(RoutingFan(router), 2)


@pytest.mark.parametrize("small", [1e-9, 1e-17, 1e-100, 1e-300])
@pytest.mark.parametrize("b", [None, [-2.0, 2.0, 0.0]])
@pytest.mark.parametrize("turn", [[[1, 0], [0, 1]], [[-2, 1], [1, 3]], [[0, -1], [1, 0]], [[3, 2], [-3, 1]]])
def test_cells_that_are_nearly_half_planes_lie_on_their_side(small, b, turn):
    """Two experts as good as equal beside a third: its rays are opposite in floats, its cell is one of two sides."""
    size = np.array([1.0, small, small])
    W = np.array([[-1.0, 1.0], [2.0, 1.0], [1.0, 0.0]]) * size[:, None] @ np.array(turn, dtype=float)
    bias = None if b is None else np.array(b) * size
    fan = RoutingFan(Router(W, bias, k=1))
    ids, shapes = polygons(fan, 3)
    assert shapely.area(shapes).sum() == pytest.approx(36)
    for cell, shape in zip(ids.tolist(), shapes, strict=True):
        inside = shape.representative_point()
        assert fan.router.active_sets([[inside.x, inside.y]]).tolist() == [fan.active_sets[cell].tolist()]


def test_walls_that_are_one_in_floats_end_where_the_cells_on_either_side_do():
    """A corner far outside the window leaves the picture to the walls, two of which lie on one line of it."""
    W = [[-1.0, 0.0], [-2e300, 0.0], [0.0, 0.0], [1.0, -2.0], [-1e-300, -1e-300]]
    fan = RoutingFan(Router(W, [0.0, 1e300, 1e300, 0.0, 1e300], k=1))
    ids, shapes = polygons(fan, 2)
    areas = dict(zip((tuple(row) for row in fan.active_sets[ids].tolist()), shapely.area(shapes).tolist(), strict=True))
    assert areas == pytest.approx({(1,): 8, (2,): 6, (4,): 2})
