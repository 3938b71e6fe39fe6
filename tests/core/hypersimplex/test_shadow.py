"""Shadow, surface and monomials: the hull of all sums, the router's own values, and sorting, as the second ways."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import ConvexHull

from tropviz import Router, RoutingFan
from tropviz.core import presets
from tropviz.core.hypersimplex.monomials import check_argmax
from tropviz.core.hypersimplex.shadow import shadow, sums, tropical_surface
from tropviz.core.hypersimplex.subsets import all_sets, some_sets, without

SMALL = [(4, 1, 2), (5, 2, 2), (8, 2, 2), (8, 4, 2), (9, 3, 2), (6, 2, 3), (8, 3, 3)]


@pytest.mark.parametrize(("N", "k", "d"), SMALL)
def test_central_vertices_are_the_hull_of_all_sums(N: int, k: int, d: int) -> None:
    router = Router(presets.random_linear(N, d, seed=N + k)[0], None, k)
    found = shadow(RoutingFan(router))
    every = all_sets(N, k)
    hull = ConvexHull(sums(router, every)[0])
    assert {tuple(s) for s in every[hull.vertices].tolist()} == {tuple(s) for s in found.active_sets.tolist()}
    assert len(found.inner) + len(found.points) == math.comb(N, k) and "all are shown" in found.inner_count.method
    assert int(found.inner_count) == len(found.inner)
    if d == 2:  # counter-clockwise, and its steps are the edges of the polygon
        ring = found.points[found.outer]
        turn = np.roll(ring, -1, axis=0) - ring
        assert (np.cross(np.c_[turn, 0 * turn[:, :1]], np.c_[np.roll(turn, -1, 0), 0 * turn[:, :1]])[:, 2] > 0).all()
        sides = {frozenset(p) for p in zip(found.outer.tolist(), np.roll(found.outer, -1).tolist(), strict=True)}
        assert sides == {frozenset(e) for e in found.edges.tolist()}
    else:
        a, b, c = (found.points[found.triangles[:, i]] for i in range(3))
        middle = found.points.mean(axis=0)
        volume = (np.cross(b - a, c - a) * (a - middle)).sum() / 6
        assert math.isclose(volume, hull.volume, rel_tol=1e-9)


@pytest.mark.parametrize(("N", "k"), [(6, 2), (8, 2), (8, 5), (16, 4)])
def test_affine_vertices_are_the_upper_hull_of_the_lifted_sums(N: int, k: int) -> None:
    router = Router(*presets.random_affine(N, 2, seed=k), k)
    found = shadow(RoutingFan(router))
    every = all_sets(N, k)
    points, lifts = sums(router, every)
    hull = ConvexHull(np.c_[points, lifts])
    upper = np.unique(hull.simplices[hull.equations[:, 2] > 1e-9])
    assert {tuple(s) for s in every[upper].tolist()} == {tuple(s) for s in found.active_sets.tolist()}
    outline = ConvexHull(points)
    assert {tuple(s) for s in every[outline.vertices].tolist()} == {
        tuple(s) for s in found.active_sets[found.outer].tolist()
    }


@given(st.integers(3, 10), st.integers(1, 9), st.integers(0, 50))
@settings(max_examples=25, deadline=None)
def test_support_is_the_top_k_far_out(N: int, k: int, seed: int) -> None:
    router = Router(*presets.random_affine(N, 2, seed=seed), min(k, N - 1))
    found = shadow(RoutingFan(router))
    angle = np.linspace(0, 2 * np.pi, 17)[:-1] + 0.1
    directions = np.c_[np.cos(angle), np.sin(angle)]
    far = router.active_sets(1e9 * directions)
    assert (found.active_sets[found.support(directions)] == far).all()


def ordered(router: Router, X: np.ndarray) -> np.ndarray:
    """Scores, largest first."""
    return -np.sort(-(X @ router.W.T + router.b), axis=1)


@pytest.mark.parametrize("central", [True, False])
@pytest.mark.parametrize(("N", "k"), [(3, 1), (8, 2), (16, 4), (12, 6)])
def test_surface_is_the_graph_of_the_tropical_polynomial(N: int, k: int, central: bool) -> None:
    make = presets.random_linear if central else presets.random_affine
    router = Router(*make(N, 2, seed=3), k)
    fan = RoutingFan(router)
    roof = tropical_surface(fan, 3)
    assert np.allclose(roof.points[:, 2], ordered(router, roof.points[:, :2])[:, :k].sum(axis=1), atol=1e-11)
    # flat: on random points of every facet's triangles the height is the same mean
    triangles, facet = roof.triangles()
    centre = roof.points[triangles].mean(axis=1)
    assert np.allclose(centre[:, 2], ordered(router, centre[:, :2])[:, :k].sum(axis=1), rtol=1e-10, atol=1e-10)
    assert (fan.active_sets[roof.ids[facet]] == router.active_sets(centre[:, :2])).all()
    # the facets cover the window, and on a crease the maximum is attained twice
    a, b, c = (roof.points[triangles[:, i]][:, :2] for i in range(3))
    area = ((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0]).sum() / 2
    assert math.isclose(area, 36, rel_tol=1e-9)
    middle = roof.creases.mean(axis=1)
    best = ordered(router, middle[:, :2])
    assert np.allclose(best[:, k - 1], best[:, k], atol=1e-9)
    assert len(roof.creases) >= len(roof.ids) - 1


@pytest.mark.parametrize(
    ("W", "k", "cells"),
    [
        ([[0, 0], [0, 0], [0, 0]], 1, 1),  # every score the same
        ([[1, 0], [2, 0], [-1, 0]], 1, 2),  # rank one: a segment
        ([[1, 0], [1, 0], [0, 1], [-1, -1]], 2, 4),  # twins
        ([[1, 0], [0, 1]], 1, 2),
        ([[1, 2]], 1, 1),
    ],
)
def test_degenerate_routers(W: list, k: int, cells: int) -> None:
    fan = RoutingFan(Router(W, None, k))
    found = shadow(fan)
    assert len(found.points) == cells == len(set(found.outer.tolist()))
    roof = tropical_surface(fan, 2)
    assert len(roof.ids) == cells
    assert found.row(found.active_sets[0]) == 0 and found.row([99] * k) is None


def test_flat_in_space() -> None:
    found = shadow(RoutingFan(Router([[1, 0, 0], [0, 1, 0], [-1, -1, 0]], None, 1)))
    assert len(found.points) == 3 and len(found.triangles) == 0


def test_sample_of_the_sums_that_are_no_vertex() -> None:
    fan = RoutingFan(Router(presets.random_linear(64, 2, seed=1)[0], None, 8))
    found = shadow(fan, most=50)
    assert len(found.inner) == 50 and int(found.inner_count) == math.comb(64, 8) - int(fan.count)
    assert "50 of them, drawn at random" in found.inner_count.method
    assert not {tuple(s) for s in found.inner_sets.tolist()} & {tuple(s) for s in found.active_sets.tolist()}


@pytest.mark.parametrize(("N", "k", "most"), [(6, 3, 20), (6, 3, 19), (8, 2, 5), (64, 8, 300)])
def test_some_sets(N: int, k: int, most: int) -> None:
    sets = some_sets(N, k, most, seed=4)
    assert len(sets) == most == len({tuple(s) for s in sets.tolist()})
    assert (np.diff(sets, axis=1) > 0).all() and sets.min() >= 0 and sets.max() < N
    assert len(without(sets, sets[:3])) == most - 3


@pytest.mark.parametrize(("N", "k", "complete"), [(8, 2, True), (16, 4, True), (64, 8, False)])
def test_the_largest_monomial_is_the_top_k_set(N: int, k: int, complete: bool) -> None:
    router = Router(*presets.random_affine(N, 2, seed=2), k)
    fan = RoutingFan(router)
    X = np.random.default_rng(0).normal(size=(300, 2))
    found = check_argmax(router, X, fan.active_sets, most=2000)
    assert (found.agreed, found.tested, found.ties) == (300, 300, 0)
    assert found.complete is complete and found.total == math.comb(N, k)


def test_the_check_notices_a_wrong_router() -> None:
    class Wrong(Router):
        def active_sets(self, X):  # type: ignore[no-untyped-def]
            out = np.array(super().active_sets(X))
            out[::2] = [0, 1]
            return out

    W, b = presets.random_affine(8, 2, seed=2)
    found = check_argmax(Wrong(W, b, 2), np.random.default_rng(0).normal(size=(100, 2)))
    assert found.agreed < 80


def test_ties_are_counted_as_such() -> None:
    found = check_argmax(Router([[1, 0], [1, 0], [0, 1]], None, 1), [[1.0, 0.0], [0.3, 0.3]])
    assert found.agreed == 2
