"""Schlegel diagrams: convex facets that do not overlap; the standard router's shadow is the polytope itself."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from tropviz import Hypersimplex, Router, RoutingFan
from tropviz.core.hypersimplex.schlegel import schlegel, standard_weights
from tropviz.core.hypersimplex.shadow import shadow


@pytest.mark.parametrize(("N", "k"), [(4, 1), (4, 2), (4, 3), (5, 1), (5, 2), (5, 3), (5, 4), (6, 3)])
def test_facets_fill_the_frame_without_overlap(N: int, k: int) -> None:
    drawing = schlegel(N, k)
    H = Hypersimplex(N, k)
    assert drawing.points.shape == (H.vertex_count, N - 2) and len(drawing.edges) == H.edge_count
    frame = set(drawing.frame.tolist())
    whole = ConvexHull(drawing.points)
    assert set(whole.vertices.tolist()) == frame
    volume = 0.0
    for facet in H.facets():
        inside = np.array([(facet.index in S) == bool(facet.value) for S in drawing.sets.tolist()])
        rows = np.flatnonzero(inside)
        if set(rows.tolist()) != frame:
            hull = ConvexHull(drawing.points[rows])
            assert len(hull.vertices) == len(rows)  # the facet is drawn convex, no vertex swallowed
            volume += hull.volume
    assert math.isclose(volume, whole.volume, rel_tol=1e-9)


@pytest.mark.parametrize(("N", "k"), [(3, 1), (3, 2), (4, 1), (4, 2), (4, 3), (5, 2)])
def test_the_standard_router_casts_the_polytope_itself(N: int, k: int) -> None:
    W = standard_weights(N)
    assert np.allclose(W.T @ W, np.eye(N - 1)) and np.allclose(W.sum(axis=0), 0)
    fan = RoutingFan(Router(W, None, k))
    H = Hypersimplex(N, k)
    assert int(fan.count) == H.vertex_count and len(fan.neighbours) == H.edge_count
    found = shadow(fan)
    for S, T in itertools.combinations(range(len(found.points)), 2):
        swapped = k - len(set(found.active_sets[S].tolist()) & set(found.active_sets[T].tolist()))
        assert math.isclose(np.linalg.norm(found.points[S] - found.points[T]), math.sqrt(2 * swapped))
    if N < 5:
        assert math.isclose(ConvexHull(found.points).volume, H.euclidean_volume, rel_tol=1e-9)


def test_refusals() -> None:
    with pytest.raises(ValueError, match="dimension 1"):
        schlegel(2, 1)
    with pytest.raises(ValueError, match="smaller N"):
        schlegel(20, 10)


@pytest.mark.parametrize(("N", "k"), [(5, 2), (5, 3), (5, 1), (5, 4), (4, 2)])
def test_inner_points_are_seen_by_the_same_projection_which_keeps_lines_straight(N, k):
    drawing = schlegel(N, k)
    corners = np.zeros((len(drawing.sets), N))
    np.put_along_axis(corners, drawing.sets, 1.0, axis=1)
    assert np.allclose(drawing.see(corners), drawing.points)
    rng = np.random.default_rng(N * k)
    a, b = rng.dirichlet(np.ones(len(corners)), 2) @ corners
    line = drawing.see(a + np.linspace(0, 1, 9)[:, None] * (b - a))
    assert np.linalg.matrix_rank(line[1:] - line[0], tol=1e-9) == 1
