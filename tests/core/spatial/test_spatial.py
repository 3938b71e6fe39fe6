"""Polyhedra fill the box, patches fill the sphere, and both agree with other ways of measuring."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import ConvexHull, HalfspaceIntersection

from tests.oracles.slow_fan import half_spaces, slow_fan
from tropviz import RoutingFan
from tropviz.core.planar import locate, polygons
from tropviz.core.router import Router
from tropviz.core.slices import plane_through, restrict
from tropviz.core.spatial import box as box_module
from tropviz.core.spatial import solid_angles, volumes
from tropviz.core.spatial.box import polyhedra
from tropviz.core.spatial.corners import rings_of_corners
from tropviz.core.spatial.section import section
from tropviz.core.spatial.sphere import patches
from tropviz.core.window import as_window

OCTAHEDRAL = np.vstack([np.eye(3), -np.eye(3)])


def qhull_volume(router, active, box):
    """The oracle: intersect every half-space of the set and the box in Qhull, from an inner point if there is one."""
    from scipy.optimize import linprog

    n, o = half_spaces(router, active)
    rows = np.vstack([np.c_[-n, -o], np.c_[np.eye(3), -box[:, 1]], np.c_[-np.eye(3), box[:, 0]]])
    got = linprog(
        [0, 0, 0, -1], A_ub=np.c_[rows[:, :3], np.ones(len(rows))], b_ub=-rows[:, 3], bounds=[(None, None)] * 4
    )
    if got.x[3] <= 1e-9:
        return 0.0
    return ConvexHull(HalfspaceIntersection(rows, got.x[:3]).intersections).volume


def check_box(router, window):
    box = as_window(window, 3)
    fan = slow_fan(router)
    cells = polyhedra(fan, window)
    whole = float(np.prod(box[:, 1] - box[:, 0]))
    assert abs(cells.volumes.sum() - whole) <= 1e-9 * whole
    assert (cells.volumes > 0).all() and (np.diff(cells.ids) > 0).all()
    corner = cells.points[cells.triangles[0]]
    area = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]) / 2
    closed = np.zeros((len(cells.ids), 3))
    np.add.at(closed, np.searchsorted(cells.ids, cells.tri_cell), area)
    assert np.abs(closed).max() <= 1e-9 * whole ** (2 / 3)  # every cell's surface is closed and outward
    assert (np.einsum("tx,tx->t", area, cells.normals[cells.triangles[1]]) >= -1e-12).all()
    return fan, cells


integers = st.lists(st.lists(st.integers(-4, 4), min_size=4, max_size=4), min_size=2, max_size=5)


@given(integers, st.integers(1, 4), st.booleans())
@settings(max_examples=25, deadline=None)
def test_fills_the_box_with_small_integers(rows, k, affine):
    """Ties, twins, rank 1 and 2, walls in a face of the box (integers, box [-2, 2]^3)."""
    rows = np.array(rows, dtype=float)
    if not affine:
        rows[:, 3] = 0
    router = Router(rows[:, :3], rows[:, 3], k=min(k, len(rows) - 1))
    fan, cells = check_box(router, 2)
    found = dict(zip(cells.ids.tolist(), cells.volumes, strict=True))
    for row, active in enumerate(fan.active_sets):
        assert abs(qhull_volume(router, tuple(active), cells.box) - found.get(row, 0.0)) < 1e-6


@given(st.integers(0, 10**6), st.integers(2, 6), st.integers(1, 5))
@settings(max_examples=20, deadline=None)
def test_fills_the_box_at_random(seed, n, k):
    rng = np.random.default_rng(seed)
    router = Router(rng.standard_normal((n, 3)), rng.standard_normal(n), k=min(k, n - 1))
    window = ((-1, 2), (-2, 0.5), (0, 3))
    fan, cells = check_box(router, window)
    points = rng.uniform([-1, -2, 0], [2, 0.5, 3], (20000, 3))
    share = np.bincount(locate(fan, points), minlength=len(fan.active_sets)) / len(points)
    exact = np.zeros(len(share))
    exact[cells.ids] = cells.volumes / 22.5
    assert np.abs(share - exact).max() < 0.02
    inner = cells.centroids
    assert np.array_equal(locate(fan, inner), cells.ids)


@given(st.integers(0, 10**6), st.integers(2, 7), st.integers(1, 6))
@settings(max_examples=25, deadline=None)
def test_patches_fill_the_sphere(seed, n, k):
    rng = np.random.default_rng(seed)
    W = rng.standard_normal((n, 3)) if seed % 3 else rng.integers(-2, 3, (n, 3)).astype(float)
    router = Router(W, k=min(k, n - 1))
    fan = slow_fan(router)
    angles = solid_angles(fan)
    assert abs(angles.sum() / (4 * np.pi) - 1) < 1e-9 and (angles > 0).all()
    points = rng.standard_normal((20000, 3))
    rows = locate(fan, points)
    assert np.abs(np.bincount(rows[rows >= 0], minlength=len(angles)) / len(points) - angles / (4 * np.pi)).max() < 0.02
    centres = patches(fan).centres
    assert np.array_equal(locate(fan, centres), np.arange(len(angles)))


def test_octahedral_router():
    fan = slow_fan(Router(OCTAHEDRAL, k=2))
    assert len(fan.active_sets) == 12
    assert np.abs(solid_angles(fan) - np.pi / 3).max() < 1e-9
    assert np.allclose(polyhedra(fan, 1).volumes, 8 / 12, rtol=1e-12)


def test_octahedral_router_with_the_fan_itself():
    """Rows of (I, -I), k = 2: a cell holds one of every axis but its opposite, and changes sign or axis at a wall."""
    fan = RoutingFan(Router(OCTAHEDRAL, k=2))
    assert fan.count.value == len(fan.active_sets) == 12 and fan.count.kind == "exact"
    assert {tuple(pair) for pair in fan.active_sets.tolist()} == {
        (i, j) for i in range(6) for j in range(i + 1, 6) if j - i != 3
    }
    pairs = {tuple(sorted(pair)) for pair in fan.neighbours.tolist()}
    assert len(fan.neighbours) == len(pairs) == 24
    assert all(len(set(fan.active_sets[a]) & set(fan.active_sets[b])) == 1 for a, b in pairs)
    assert np.abs(fan.solid_angles() - np.pi / 3).max() < 1e-9


@pytest.mark.parametrize("scale", [1e-250, 1e-9, 1e250])
def test_scale_changes_nothing(scale):
    fan = slow_fan(Router(OCTAHEDRAL, k=2))
    fan = replace(fan, router=Router(OCTAHEDRAL * scale, k=2))
    assert np.abs(solid_angles(fan) - np.pi / 3).max() < 1e-9


def test_edge_cases_in_space():
    one = slow_fan(Router(np.ones((4, 3)), k=2))
    assert solid_angles(one).tolist() == [4 * np.pi] and polyhedra(one, 1).volumes.tolist() == [8.0]
    two = slow_fan(Router([[1, 0, 0], [0, 0, 2]], k=1))
    assert np.allclose(solid_angles(two), 2 * np.pi) and np.allclose(polyhedra(two, 1).volumes, 4)
    wedges = slow_fan(Router([[1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0]], k=1))
    assert np.allclose(solid_angles(wedges), np.pi) and np.allclose(polyhedra(wedges, 1).volumes, 2)
    assert len(patches(wedges).arcs.pairs) == 4


def test_a_cell_that_touches_the_box_only_in_a_face():
    fan = slow_fan(Router([[1, 0, 0], [0, 0, 0]], [-1, 0], k=1))  # the wall is x = 1
    cells = polyhedra(fan, 1)
    assert cells.ids.tolist() == [fan.active_sets.tolist().index([1])] and cells.volumes.tolist() == [8.0]
    assert len(cells.cell) == 6


def test_volumes_in_every_dimension():
    rng = np.random.default_rng(2)
    for d in (1, 2, 3):
        fan = slow_fan(Router(rng.standard_normal((6, d)), rng.standard_normal(6), k=2))
        ids, values = volumes(fan, 1.5)
        assert np.isclose(values.sum(), 3.0**d, rtol=1e-9) and len(ids) == len(values)
        points = rng.uniform(-1.5, 1.5, (20000, d))
        share = np.bincount(locate(fan, points), minlength=len(fan.active_sets))[ids] / len(points)
        assert np.abs(share - values / 3.0**d).max() < 0.02
    with pytest.raises(ValueError, match="d = 4"):
        volumes(slow_fan(Router(np.eye(4), k=1)), 1)


def test_planar_angles():
    rng = np.random.default_rng(4)
    fan = slow_fan(Router(rng.standard_normal((7, 2)), k=3))
    keep = [p for p in fan.neighbours if len(set(fan.active_sets[p[0]]) & set(fan.active_sets[p[1]])) == 2]
    angles = np.random.default_rng(0).uniform(0, 2 * np.pi, 200_000)
    rows = locate(fan, np.c_[np.cos(angles), np.sin(angles)])
    pairs = np.sort(np.stack([rows[np.argsort(angles)], np.roll(rows[np.argsort(angles)], 1)], 1), 1)
    fan = replace(fan, neighbours=np.unique(pairs[pairs[:, 0] != pairs[:, 1]], axis=0))
    assert len(keep) >= len(fan.neighbours)
    got = solid_angles(fan)
    assert np.isclose(got.sum(), 2 * np.pi, rtol=1e-12)
    assert np.abs(np.bincount(rows) / len(rows) - got / (2 * np.pi)).max() < 0.01


def test_what_has_no_solid_angle():
    with pytest.raises(ValueError, match="central"):
        solid_angles(slow_fan(Router(np.eye(3), [1, 0, 0], k=1)))
    with pytest.raises(ValueError, match="d = 4"):
        solid_angles(slow_fan(Router(np.eye(4), k=1)))
    with pytest.raises(ValueError, match="space"):
        polyhedra(slow_fan(Router(np.eye(2), k=1)), 1)


@given(st.integers(0, 10**6))
@settings(max_examples=10, deadline=None)
def test_a_cut_through_polyhedra_is_the_fan_of_the_restricted_router(seed):
    """The area of every cell on the cutting plane, from the slice's own fan and from the polyhedron's corners."""
    rng = np.random.default_rng(seed)
    router = Router(rng.standard_normal((5, 3)), rng.standard_normal(5), k=2)
    fan = slow_fan(router)
    normal = rng.standard_normal(3)
    normal /= np.linalg.norm(normal)
    origin, basis = 0.3 * normal, plane_through(normal)
    flat = slow_fan(restrict(router, origin, basis))
    ids, shapes = polygons(flat, 1)
    slice_area = {tuple(flat.active_sets[i]): s.area for i, s in zip(ids, shapes, strict=True)}
    y = rng.uniform(-1, 1, (5000, 2))
    rows = locate(fan, origin + y @ basis)
    for row in np.unique(rows):
        name = tuple(fan.active_sets[row])
        assert abs((rows == row).mean() - slice_area.get(name, 0) / 4) < 0.04


@pytest.mark.parametrize("window", [2, ((0, 1), (-1, 1), (0, 2))])
@pytest.mark.parametrize("seed", range(6))
def test_faces_from_corners_are_the_faces_from_walls(seed, window, monkeypatch):
    """Two ways to every face: the fan's own corners cut to the box, and walls cut by all others."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 10))
    rows = rng.standard_normal((n, 4)) if seed % 2 else rng.integers(-2, 3, (n, 4)).astype(float)
    fan = RoutingFan(Router(rows[:, :3], rows[:, 3] * (seed % 3 > 0), k=n // 2))
    asked = []
    monkeypatch.setattr(box_module, "rings_of_corners", lambda *g: asked.append(rings_of_corners(*g)) or asked[0])
    one = polyhedra(fan, window)
    monkeypatch.setattr(box_module, "rings_of_corners", lambda *given: None)
    two = polyhedra(fan, window)
    assert asked[0] is not None
    for name in ("ids", "start", "cell", "beyond"):
        assert np.array_equal(getattr(one, name), getattr(two, name)), name
    assert np.abs(one.volumes - two.volumes).max() < 1e-9


@pytest.mark.parametrize("scale", [1e-9, 1e6, 1e9, 1e15])
def test_units_change_no_volume(scale):
    """Corners in large units beside rays of length 1: every cell keeps its share of the box."""
    rng = np.random.default_rng(0)
    W, b = rng.normal(size=(8, 3)), rng.normal(size=8)
    ids, one = RoutingFan(Router(W, b, 2)).volumes(3)
    same, two = RoutingFan(Router(W, b * scale, 2)).volumes(3 * scale)
    assert np.array_equal(ids, same)
    assert np.abs(two / (6 * scale) ** 3 - one / 6**3).max() < 1e-12


SIMPLEX = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [-1, -1, -1]]


@pytest.mark.parametrize("window", [1e-30, 1e9, 1e12, 1e15, 1e16, 1e30, 1e100])
@pytest.mark.parametrize("b", [None, [0, 1, 0.5, 0.2]])
def test_a_box_of_any_size_is_filled(b, window):
    _, values = RoutingFan(Router(SIMPLEX, b, 2)).volumes(window)
    assert abs(values.sum() / (2 * window) ** 3 - 1) < 1e-12


@pytest.mark.parametrize("thin", [1e-3, 1e-6, 1e-12, 1e-15])
def test_a_thin_box_holds_what_its_plane_shows(thin):
    """Two ways to one number: the thin box in space, and the fan of the plane it shrinks to."""
    W, b = np.array(SIMPLEX), np.array([0, 1, 0.5, 0.2])
    fan, flat = RoutingFan(Router(W, b, 2)), RoutingFan(Router(W[:, :2], b, 2))
    for plane in ([[0, 1], [0, 1]], [[-1e6, 1e6], [-1, 1]]):
        ids, values = fan.volumes([*plane, [-thin, thin]])
        want = {tuple(flat.active_sets[i]): a for i, a in zip(*flat.volumes(plane), strict=True)}
        whole = sum(want.values())
        assert abs(values.sum() / (2 * thin * whole) - 1) < 1e-9
        for i, value in zip(ids, values, strict=True):
            assert abs(value / (2 * thin) - want.get(tuple(fan.active_sets[i]), 0)) < (thin + 1e-9) * whole


def test_where_corners_do_not_fill_the_box_walls_do(monkeypatch):
    fan = RoutingFan(Router(SIMPLEX, [0, 1, 0.5, 0.2], 2))
    ids, values = fan.volumes(2)

    def half(*given):
        owner, points = rings_of_corners(*given)
        return owner[owner % 2 == 0], points[owner % 2 == 0]

    monkeypatch.setattr(box_module, "rings_of_corners", half)
    again, same = fan.volumes(2)
    assert np.array_equal(ids, again) and np.allclose(values, same, rtol=1e-12)


def test_a_box_that_rounding_empties_is_refused():
    fan = RoutingFan(Router(SIMPLEX, [0, 1, 0.5, 0.2], 2))
    with pytest.raises(ValueError, match=r"^The cells do not fill this window in float64: [^.]*\.$"):
        fan.volumes([[-1e30, 1e30], [-1, 1], [-1e-30, 1e-30]])


@pytest.mark.parametrize("seed", range(24))
def test_boxes_of_any_shape_and_size_are_filled(seed):
    rng = np.random.default_rng(seed)
    d, n = 2 + seed % 2, int(rng.integers(3, 10))
    size = 10 ** rng.uniform(-9, 15)
    W = rng.standard_normal((n, d)) if seed % 4 < 2 else rng.integers(-3, 4, (n, d)).astype(float)
    fan = RoutingFan(Router(W, rng.standard_normal(n) * (size if seed % 3 else 1), k=int(rng.integers(1, n))))
    half = size * 10 ** rng.uniform(-6, 6, d) if seed % 5 else np.full(d, 3 * size)
    middle = rng.uniform(-1, 1, d) * half
    _, values = fan.volumes(np.stack([middle - half, middle + half], axis=1))
    assert abs(values.sum() / np.prod(2 * half) - 1) < 1e-9


@pytest.mark.parametrize(("d", "window"), [(2, 1e160), (3, 1e110)])
def test_sizes_too_large_for_float64_are_refused(d, window):
    fan = RoutingFan(Router(np.array(SIMPLEX)[:, :d], None, 1))
    with pytest.raises(ValueError, match=r"^The size of this window is above 1e308"):
        fan.volumes(window)


def test_cells_on_a_cut_that_holds_walls_are_those_it_runs_through() -> None:
    """A wall in the plane is the border of two cells and the inside of neither: asked just above and just below."""
    flat = RoutingFan(Router([[0, 0, 1], [0, 0, -1], [1, 0, 0]], k=1))
    cut = section(flat, [0, 0, 1], 0, 1)
    assert (len(cut.ids), int(cut.count), cut.count.kind) == (2, 1, "exact")
    assert int(section(flat, [0, 0, 1], 0.5, 1).count) == 2
    random = np.random.default_rng(0)
    held = 0
    for _ in range(30):
        N = int(random.integers(2, 8))
        W = np.repeat(random.integers(-1, 2, (N, 3)), random.integers(1, 3), axis=0)
        router = Router(W, None, int(random.integers(1, len(W))))
        cut = section(RoutingFan(router), [0, 0, 1], 0, 1)
        points = cut.lift(np.array([s.representative_point().coords[0] for s in cut.shapes]))
        above, below = (router.active_sets(points + side * 1e-9 * cut.normal) for side in (1, -1))
        assert np.array_equal(cut.inside, (above == below).all(axis=1))
        held += len(cut.ids) > int(cut.count)
    assert held > 5
