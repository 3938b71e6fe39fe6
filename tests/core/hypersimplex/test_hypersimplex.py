"""Hypersimplex: exact cases, and each number a second way: faces by intersection, volumes by Qhull, cones by sort."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import nnls
from scipy.spatial import ConvexHull

from tropviz.core.hypersimplex import Hypersimplex, eulerian

CASES = json.loads((Path(__file__).parents[2] / "data" / "hypersimplex.json").read_text())
SHAPES = [(N, k) for N in range(2, 7) for k in range(1, N)]
any_shape = st.integers(1, 40).flatmap(lambda N: st.tuples(st.just(N), st.integers(1, N)))


def vertex_matrix(N: int, k: int) -> np.ndarray:
    out = np.zeros((math.comb(N, k), N), dtype=int)
    for row, S in zip(out, itertools.combinations(range(N), k), strict=True):
        row[list(S)] = 1
    return out


def flat(points: np.ndarray) -> np.ndarray:
    """Isometric coordinates of points whose rows have one common sum."""
    basis = np.linalg.svd(np.ones((1, points.shape[1])))[2][1:]
    return points @ basis.T


def faces_by_intersection(N: int, k: int) -> list[int]:
    """f-vector from the vertex sets of all intersections of the inequalities 0 <= y_i <= 1: no formula."""
    V = vertex_matrix(N, k)
    faces = {frozenset(range(len(V)))}
    for i, value in itertools.product(range(N), (0, 1)):
        half = frozenset(np.flatnonzero(V[:, i] == value).tolist())
        faces |= {face & half for face in faces}
    counts = [0] * (N - 1)
    for face in faces - {frozenset(), frozenset(range(len(V)))}:
        points = V[sorted(face)]
        counts[np.linalg.matrix_rank(points - points[0])] += 1
    return counts


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["id"])
def test_exact_cases(case: dict) -> None:
    H = Hypersimplex(case["N"], case["k"])
    assert H.dim == case["dim"]
    assert (H.vertex_count, H.edge_count, H.facet_count) == (case["vertices"], case["edges"], case["facets"])
    assert H.f_vector == case["f_vector"]
    assert H.normalised_volume == case["normalised_volume"]
    assert len(list(H.vertices())) == case["normal_fan_maximal_cones"]
    assert len(H.rays) == case["normal_fan_rays"]


@pytest.mark.parametrize(("N", "k"), SHAPES)
def test_faces_agree_with_intersections(N: int, k: int) -> None:
    assert Hypersimplex(N, k).f_vector == faces_by_intersection(N, k)


@given(any_shape)
def test_f_vector_formula_and_euler(shape: tuple[int, int]) -> None:
    N, k = shape
    H, f = Hypersimplex(N, k), Hypersimplex(N, k).f_vector
    slow = [math.comb(N, k)] + [
        math.comb(N, j + 1) * sum(math.comb(N - j - 1, a) for a in range(max(0, k - j), min(k - 1, N - j - 1) + 1))
        for j in range(1, N - 1)
    ]
    assert f == (slow if N > 1 else [])
    if k < N:
        assert sum((-1) ** j * v for j, v in enumerate(f)) == 1 - (-1) ** H.dim
        assert f[-1] == H.facet_count == len(list(H.facets()))
        assert f[0] == H.vertex_count
    if N > 2 and k < N:
        assert f[1] == H.edge_count


@pytest.mark.parametrize(("N", "k"), [s for s in SHAPES if s[0] > 2])
def test_volume_and_edges_agree_with_qhull(N: int, k: int) -> None:
    H = Hypersimplex(N, k)
    points = flat(vertex_matrix(N, k).astype(float))
    hull = ConvexHull(points)
    assert math.isclose(hull.volume, H.euclidean_volume, rel_tol=1e-9)
    assert math.isclose(hull.volume * math.factorial(N - 1) / math.sqrt(N), H.normalised_volume, rel_tol=1e-9)
    assert len(hull.vertices) == H.vertex_count
    assert len({tuple(np.round(e, 6)) for e in hull.equations}) == H.facet_count


def test_volumes_add_up_to_all_permutations() -> None:
    """The slabs k-1 <= sum <= k cut the cube: their normalised volumes sum to (N-1)!."""
    for N in range(1, 30):
        assert sum(eulerian(N - 1, k - 1) for k in range(1, N + 1)) == math.factorial(N - 1)
    assert (eulerian(3, 1), eulerian(4, 1), eulerian(5, 2)) == (4, 11, 66)


@pytest.mark.parametrize(("N", "k"), [(2, 1), (3, 1), (3, 2), (4, 2), (5, 1), (5, 4), (6, 3), (9, 4)])
def test_normal_cone_is_where_the_top_k_is_s(N: int, k: int) -> None:
    rng = np.random.default_rng(N * 10 + k)
    H = Hypersimplex(N, k)
    scores = rng.normal(size=(200, N))
    top = np.sort(np.argsort(-scores, axis=1)[:, :k], axis=1)
    hits = 0
    for S in itertools.islice(H.vertices(), 40):
        generators, walls = H.normal_cone(S)
        assert walls.shape == (k * (N - k), N)
        assert len(generators) == (N if 2 <= k <= N - 2 else N - 1)
        assert (walls @ generators.T >= 0).all()
        assert not (walls @ np.ones(N, dtype=int)).any()
        inside = (scores @ walls.T > 0).all(axis=1)
        assert (inside == (top == S).all(axis=1)).all()
        for s in scores[inside][:3]:  # and every such point is a non-negative combination, up to the lineality
            spanning = np.vstack([generators, np.ones(N), -np.ones(N)]).astype(float)
            assert nnls(spanning.T, s)[1] < 1e-9
        hits += int(inside.sum())
    if H.vertex_count <= 40:
        assert hits == len(scores)


@pytest.mark.parametrize(("N", "k"), [(3, 1), (4, 2), (5, 1), (5, 4), (6, 3)])
def test_no_generator_is_redundant(N: int, k: int) -> None:
    H = Hypersimplex(N, k)
    generators, _ = H.normal_cone(range(k))
    for g in range(len(generators)):
        rest = np.vstack([np.delete(generators, g, axis=0), np.ones(N), -np.ones(N)]).astype(float)
        assert nnls(rest.T, generators[g].astype(float))[1] > 0.1


def test_rays_are_the_generators_of_all_cones() -> None:
    H = Hypersimplex(6, 2)
    found = {tuple(g) for S in H.vertices() for g in H.normal_cone(S)[0].tolist()}
    assert found == {tuple(r) for r in H.rays.tolist()}


def test_edges_are_the_johnson_graph() -> None:
    H = Hypersimplex(5, 2)
    edges = list(H.edges())
    assert len(edges) == len(set(edges)) == H.edge_count
    assert all(len(set(S) & set(T)) == H.k - 1 for S, T in edges)
    assert edges == sorted(edges)
    assert list(H.edges(limit=4)) == edges[:4]


def test_facets_and_their_kinds() -> None:
    V = vertex_matrix(6, 3)
    H = Hypersimplex(6, 3)
    for facet in H.facets():
        on = V[V[:, facet.index] == facet.value]
        assert len(on) == Hypersimplex(facet.N, facet.k).vertex_count
        assert np.linalg.matrix_rank(on - on[0]) == H.dim - 1
    assert [f.value for f in Hypersimplex(5, 4).facets()] == [1] * 5
    assert [f.value for f in Hypersimplex(5, 1).facets()] == [0] * 5


@pytest.mark.parametrize(
    ("N", "k", "f", "volume"), [(1, 1, [], 1), (2, 1, [2], 1), (2, 2, [1], 0), (4, 4, [1, 0, 0], 0)]
)
def test_points_and_segments(N: int, k: int, f: list[int], volume: int) -> None:
    H = Hypersimplex(N, k)
    assert H.f_vector == f and H.normalised_volume == volume
    assert H.facet_count == len(list(H.facets())) == (2 if (N, k) == (2, 1) else 0)
    generators, walls = H.normal_cone(range(k))
    assert walls.shape == ((1, 2) if k < N else (0, N))
    assert len(generators) == {(1, 1): 0, (2, 1): 1, (2, 2): 2, (4, 4): 4}[N, k]
    assert H.dim == (1 if (N, k) == (2, 1) else 0)


@pytest.mark.timeout(60)  # listing anything would take for ever
def test_large_n_is_counted_without_listing() -> None:
    H = Hypersimplex(4096, 2048)
    f = H.f_vector
    assert len(f) == 4095 and f[-1] == 8192 and f[1] == H.edge_count
    assert sum((-1) ** j * v for j, v in enumerate(f)) == 2
    assert H.normalised_volume > 2**30000
    assert next(H.vertices()) == tuple(range(2048))
    assert len(list(H.edges(limit=3))) == 3
    assert H.polynomial().endswith("terms") and len(H.polynomial()) < 300
    with pytest.raises(ValueError, match="wall_pairs"):
        H.normal_cone(range(2048))
    assert next(H.wall_pairs(range(2048))) == (0, 2048)


def test_polynomial_text() -> None:
    assert Hypersimplex(3, 1).polynomial() == "max(s0, s1, s2)"
    assert Hypersimplex(8, 2).polynomial(3) == "max(s0+s1, s0+s2, …, s6+s7), 28 terms"
    assert Hypersimplex(1, 1).polynomial() == "max(s0)"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [((0, 1), "N is 0"), ((4, 0), "k is 0"), ((4, 5), "from 1 to 4"), ((5000, 2), "to 4096"), ((4.5, 2), "integer")],
)
def test_refusals(arguments: tuple, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Hypersimplex(*arguments)


@pytest.mark.parametrize(
    ("S", "words"),
    [
        ((0,), "exactly k = 2"),
        ((1, 1), "exactly k = 2"),
        ((0, 9), "expert 9"),
        (("a", 1), "numbers"),
        ((-1, 0), "expert -1"),
    ],
)
def test_refused_sets(S: tuple, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Hypersimplex(4, 2).normal_cone(S)
