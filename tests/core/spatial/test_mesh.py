"""Sections and surfaces: exact against the router, closed, coloured cell by cell."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from tropviz import RoutingFan
from tropviz.core.planar import locate
from tropviz.core.router import Router
from tropviz.core.spatial.ball import FINE, LIFT, sphere_surface
from tropviz.core.spatial.box import polyhedra
from tropviz.core.spatial.mesh import box_surface
from tropviz.core.spatial.section import section
from tropviz.core.spatial.sphere import patches


def router(seed, n=7, k=2, affine=True):
    rng = np.random.default_rng(seed)
    return Router(rng.standard_normal((n, 3)), rng.standard_normal(n) if affine else None, k=k)


def areas(surface):
    p = surface.points[surface.triangles]
    return np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]) / 2


def angles(corner):
    """Solid angle of the triangle behind each (Van Oosterom and Strackee): flat area is too much of a thin sliver."""
    a, b, c = corner.transpose(1, 0, 2)
    below = 1 + sum(np.einsum("tx,tx->t", *pair) for pair in ((a, b), (b, c), (c, a)))
    return 2 * np.arctan2(np.einsum("tx,tx->t", a, np.cross(b, c)), below)


@given(st.integers(0, 10**6), st.floats(-0.9, 0.9), st.booleans())
@settings(max_examples=20, deadline=None)
def test_a_section_tiles_its_frame_with_the_cells_of_space(seed, level, ball):
    fan = RoutingFan(router(seed))
    normal = np.random.default_rng(seed + 1).standard_normal(3)
    cut = section(fan, normal, level, None if ball else ((-1, 1), (-1, 2), (-2, 1)))
    assert np.isclose(shapely.area(cut.shapes).sum(), cut.outline.area, rtol=1e-9)
    assert np.isclose(cut.normal @ cut.origin, level, atol=1e-12)
    inner = shapely.get_coordinates(shapely.point_on_surface(cut.shapes))
    assert np.array_equal(locate(fan, cut.lift(inner)), cut.rows)
    corners = cut.lift(shapely.get_coordinates(cut.outline))
    assert np.allclose(corners @ cut.normal, level, atol=1e-9)
    if not ball:
        assert (corners >= np.array([-1, -1, -2]) - 1e-9).all() and (corners <= np.array([1, 2, 1]) + 1e-9).all()


def test_a_plane_that_misses():
    fan = RoutingFan(router(1))
    assert section(fan, [0, 0, 1], 1.5).outline.is_empty and not len(section(fan, [0, 0, 1], 5, 2).rows)
    with pytest.raises(ValueError, match="normal"):
        section(fan, [0, 0, 0], 0)


@pytest.mark.parametrize("apart", [0.0, 0.4])
@pytest.mark.parametrize("level", [None, 0.2])
def test_every_drawn_cell_is_a_closed_body_with_its_own_vertices(apart, level):
    fan = RoutingFan(router(3))
    cells, drawn = polyhedra(fan, 1), np.ones(len(fan.active_sets), bool)
    cut = None if level is None else section(fan, [1, 2, 3], level, 1)
    surface = box_surface(cells, drawn, apart, cut)
    area = areas(surface)
    whole = np.zeros((len(drawn), 3))
    np.add.at(whole, surface.tri_cell, area)
    assert np.abs(whole if apart else whole.sum(axis=0)).max() < 1e-9  # outward and closed, caps included
    users = [set(surface.triangles[surface.tri_cell == c].ravel()) for c in np.unique(surface.tri_cell)]
    assert sum(map(len, users)) == len(set().union(*users)) == len(surface.points)
    if not apart:
        volume = np.einsum("tx,tx->", surface.points[surface.triangles[:, 0]], area) / 3
        assert np.isclose(volume, 8) if cut is None else 4 < volume < 8
    if cut is not None and not apart:
        assert (surface.points @ cut.normal <= 0.2 + 1e-9).all()


def test_what_is_left_out_opens_the_walls_behind():
    fan = RoutingFan(router(3))
    cells, drawn = polyhedra(fan, 1), np.ones(len(fan.active_sets), bool)
    drawn[cells.ids[0]] = False
    surface = box_surface(cells, drawn)
    assert cells.ids[0] not in surface.tri_cell
    assert np.abs(areas(surface).sum(axis=0)).max() < 1e-9
    volume = np.einsum("tx,tx->", surface.points[surface.triangles[:, 0]], areas(surface)) / 3
    assert np.isclose(volume, 8 - cells.volumes[0])


@given(st.integers(0, 10**6), st.sampled_from(["generic", "wedges", "half", "one", "octahedral"]))
@settings(max_examples=15, deadline=None)
def test_the_ball_is_round_and_its_cells_are_the_routers(seed, kind):
    W = {"wedges": [[1, 0, 0], [-1, 2, 0], [0, -1, 0]], "half": [[1, 2, 3], [0, 0, 0]], "one": np.ones((3, 3)),
         "octahedral": np.vstack([np.eye(3), -np.eye(3)])}.get(kind, router(seed, affine=False).W)  # fmt: skip
    fan = RoutingFan(Router(W, k=1 if kind in {"half", "wedges"} else 2))
    body, drawn = patches(fan), np.ones(len(fan.active_sets), bool)
    surface = sphere_surface(body, drawn)
    assert np.allclose(np.linalg.norm(surface.points, axis=1), 1, atol=1e-6)
    corner = surface.points[surface.triangles]
    assert np.linalg.norm(corner - np.roll(corner, 1, axis=1), axis=2).max() < 3 * FINE
    area = np.linalg.norm(areas(surface), axis=1)
    got = np.bincount(surface.tri_cell, angles(corner), minlength=len(drawn))
    assert np.isclose(got.sum(), 4 * np.pi) and np.allclose(got, body.solid_angles(), atol=1e-6)
    assert (np.einsum("tx,tx->t", areas(surface), corner.mean(axis=1)) >= -1e-12).all()  # outward
    middle = corner.mean(axis=1)[area > 1e-4]
    assert (locate(fan, middle) == surface.tri_cell[area > 1e-4]).all()
    edges = np.sort(surface.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    _, uses = np.unique(edges, axis=0, return_counts=True)
    if len(drawn) > 1:  # no slits: the only edges of a single triangle are those on the patch's boundary
        assert (uses <= 2).all() and (uses == 1).sum() == len(surface.line_cell)
        assert np.allclose(np.linalg.norm(surface.lines, axis=1), LIFT)


def test_the_ball_cut_open_and_moved_apart():
    fan = RoutingFan(router(5, affine=False))
    body, drawn = patches(fan), np.ones(len(fan.active_sets), bool)
    cut = section(fan, [0, 0, 1], 0.3)
    surface = sphere_surface(body, drawn, 0.0, cut)
    assert surface.points[:, 2].max() <= 0.3 + 1e-12
    assert np.abs(areas(surface).sum(axis=0)).max() < 0.02
    moved = sphere_surface(body, drawn, 0.5)
    own = moved.points[moved.triangles[:, 0]] - 0.5 * body.centres[moved.tri_cell]
    assert np.allclose(np.linalg.norm(own, axis=1), 1, atol=1e-9)
    assert moved.line_start[-1] == len(moved.lines) and len(moved.line_cell) == len(moved.line_start) - 1
