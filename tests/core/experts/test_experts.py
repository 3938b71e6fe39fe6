"""Linear regions: against every exact case, against slow exact splitting, and against the counting identity."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracles import exact_regions as oracle
from tropviz import RoutingFan
from tropviz.core.experts import MoELayer
from tropviz.core.experts.settle import settle
from tropviz.core.presets import random_affine, random_experts, random_linear
from tropviz.core.router import Router

DATA = Path(__file__).parents[2] / "data"
CASES = [c for name in ("dense2d", "moe2d", "moe3d") for c in json.loads((DATA / f"regions_{name}.json").read_text())]


def layer_of(case: dict) -> MoELayer:
    if "W" not in case:
        return MoELayer.dense(case["U"], case["c"])
    return MoELayer(Router(case["W"], case["b"], k=case["k"]), case["U"], case["c"])


def rows(normals, offsets) -> list[list[Fraction]]:
    return oracle.exact(np.column_stack([np.asarray(normals, float), np.asarray(offsets, float)]).tolist())


def slow(layer: MoELayer, a: float) -> dict[tuple[int, ...], int]:
    router = rows(layer.router.W, layer.router.b)
    hinges = {i: rows(layer.U[i], layer.c[i]) for i in range(layer.N)}
    return oracle.regions(router, hinges, layer.k, [(Fraction(-a), Fraction(a))] * layer.d, rows(*layer.shared))


def fast(layer: MoELayer, window) -> dict[tuple[int, ...], int]:
    counts = layer.regions_per_cell(window)
    assert all(n.kind == "exact" for n in counts.values())
    return {key: int(n) for key, n in counts.items()}


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["id"])
@pytest.mark.parametrize("scale", [2.0**-40, 1, 2.0**40])  # powers of two keep what is concurrent concurrent
def test_exact_cases(case, scale):
    case = {**case, "U": np.asarray(case["U"]) * scale, "c": np.asarray(case["c"]) * scale}
    if "W" in case:
        case |= {"W": np.asarray(case["W"]) / scale, "b": np.asarray(case["b"]) / scale}
    layer = layer_of(case)
    got = layer.regions(case["window"])
    assert (int(got), got.kind) == (case["regions"], "exact")
    per_cell = fast(layer, case["window"])
    assert len(per_cell) == case.get("cells_in_window", 1)
    if "regions_per_cell" in case:
        assert {",".join(map(str, key)): n for key, n in per_cell.items()} == case["regions_per_cell"]
    if "regions_whole_plane" in case:
        assert int(layer.regions(None)) == case["regions_whole_plane"]


small = st.integers(-4, 4)


@st.composite
def layers(draw, d: int, most_experts: int = 4, most_hinges: int = 3):
    """Small integer layers: ties, twins, zero neurons, concurrent and coincident hinges are common among them."""
    N = draw(st.integers(1, most_experts))
    k, H, shared = draw(st.integers(1, N)), draw(st.integers(1, most_hinges)), draw(st.integers(0, 2))

    def numbers(*shape: int) -> np.ndarray:
        size = int(np.prod(shape))
        return np.array(draw(st.lists(small, min_size=size, max_size=size)), dtype=float).reshape(shape)

    router = Router(numbers(N, d), numbers(N) * draw(st.integers(0, 1)), k=k)
    return MoELayer(router, numbers(N, H, d), numbers(N, H), shared=(numbers(shared, d), numbers(shared)))


@settings(max_examples=60, deadline=None)
@given(layers(2), st.integers(1, 3))
def test_plane_against_splitting(layer, a):
    assert fast(layer, a) == slow(layer, a)


@settings(max_examples=40, deadline=None)
@given(layers(1), st.integers(1, 3))
def test_line_against_splitting(layer, a):
    assert fast(layer, a) == slow(layer, a)


@settings(max_examples=15, deadline=None)
@given(layers(3, 3, 2), st.integers(1, 3))
def test_space_against_splitting(layer, a):
    assert fast(layer, a) == slow(layer, a)


@settings(max_examples=30, deadline=None)
@given(layers(2))
def test_whole_plane_is_a_window_large_enough(layer):
    assert fast(layer, None) == slow(layer, 10**6)


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("family", [random_linear, random_affine])
def test_general_position_never_needs_exact_arithmetic_and_agrees_with_it(family, d):
    layer = MoELayer(Router(*family(8, d, seed=3), k=2), *random_experts(8, 3, d, seed=3))
    for window in (2, None):
        box = None if window is None else np.array([[-2.0, 2.0]] * d)
        cells = layer._plane(box) if d == 2 else layer.cells(box)
        counts, doubtful = layer._fast(cells)
        assert not doubtful.any()
        settled = np.zeros_like(counts)
        settle(layer, cells.ids, settled, np.ones(len(counts), bool), np.arange(len(counts)), box)
        assert settled.tolist() == counts.tolist()


def identity(layer: MoELayer) -> int:
    """Theory, section 4: cells + cells crossed by each hinge where its expert is active + crossings where both are.

    By sampling nothing and clipping nothing: along each hinge the router is a router in d = 1.
    """
    W, b, k = layer.router.W, layer.router.b, layer.k
    total = len(layer.fan.active_sets)
    hinges = [(i, layer.U[i, h], layer.c[i, h]) for i in range(layer.N) for h in range(layer.H)]
    for i, u, c in hinges:
        foot, way = -c * u / (u @ u), np.array([-u[1], u[0]]) / np.linalg.norm(u)
        slope, value = W @ way, W @ foot + b
        at = sorted((value[q] - value[p]) / (slope[p] - slope[q]) for p, q in combinations(range(layer.N), 2))
        middle = [at[0] - 1, *((x + y) / 2 for x, y in pairwise(at)), at[-1] + 1]
        sets = [frozenset(s) for s in np.argsort(-(np.outer(middle, slope) + value), axis=1)[:, :k].tolist()]
        runs = [s for t, s in enumerate(sets) if t == 0 or s != sets[t - 1]]
        total += sum(i in s for s in runs)
    for (i, u, c), (j, v, e) in combinations(hinges, 2):
        x = np.linalg.solve([u, v], [-c, -e])
        total += {i, j} <= set(np.argsort(-(W @ x + b))[:k].tolist())
    return total


@pytest.mark.parametrize("family", [random_linear, random_affine])
@pytest.mark.parametrize(("N", "k", "H"), [(5, 2, 3), (8, 3, 2), (12, 4, 2)])
def test_counting_identity(family, N, k, H):
    layer = MoELayer(Router(*family(N, 2, seed=N), k=k), *random_experts(N, H, 2, seed=k))
    assert int(layer.regions(None)) == identity(layer)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([2.0**-40, 1e-12, 7.0, 1e12]), st.sampled_from(["router", "hinges"]))
def test_a_common_factor_changes_nothing(seed, factor, what):
    W, b = random_affine(6, 2, seed=seed)
    U, c = random_experts(6, 3, 2, seed=seed)
    before = fast(MoELayer(Router(W, b, k=2), U, c), 2)
    if what == "router":
        W, b = W * factor, b * factor
    else:
        U, c = U * factor, c * factor
    assert fast(MoELayer(Router(W, b, k=2), U, c), 2) == before


def test_a_shared_expert_cuts_every_cell():
    router = Router(*random_affine(6, 2, seed=1), k=2)
    U, c = np.zeros((6, 1, 2)), np.zeros((6, 1))
    plain, cut = MoELayer(router, U, c), MoELayer(router, U, c, shared=([[1.0, 0.3]], [0.2]))
    assert int(plain.regions(None)) == len(plain.fan.active_sets)
    crossed = int(cut.regions(None)) - int(plain.regions(None))
    points = np.linspace(-100, 100, 200_001)
    sets = router.active_sets(np.column_stack([-0.2 - 0.3 * points, points]))
    assert crossed == 1 + (sets[1:] != sets[:-1]).any(axis=1).sum()


def test_four_planes_through_one_point():
    U, c = [[1, 2, 3], [2, -1, 1], [1, 1, -3], [3, 1, 2]], [-6, -2, 1, -6]
    through, beside = MoELayer.dense(U, c), MoELayer.dense(U, [-6, -2, 1, -5.9])
    assert fast(through, 4) == slow(through, 4) and fast(beside, 4) == slow(beside, 4)
    assert int(through.regions(4)) == int(beside.regions(4)) - 1 == 14
    assert int(through.regions(None)) == 14


def test_hinges_that_differ_by_rounding_are_told_apart():
    """Three lines that meet within 1e-16 of one point, but not in it: float64 sees one point, the numbers say three."""
    third = np.nextafter(-2.0, 0)
    U = [[1, 0], [0, 1], [1, 1]]
    exact, near = MoELayer.dense(U, [-1, -1, -2]), MoELayer.dense(U, [-1, -1, third])
    assert (int(exact.regions(3)), int(near.regions(3))) == (6, 7)
    twins = MoELayer.dense([[1, 0.3], [1, 0.3]], [0.1, np.nextafter(0.1, 1)])
    assert int(twins.regions(3)) == 3 and int(MoELayer.dense([[1, 0.3], [2, 0.6]], [0.1, 0.2]).regions(3)) == 2


def test_windows_of_any_shape():
    layer = MoELayer.dense([[1, 0], [0, 1]], [0, 0])
    assert int(layer.regions(((1, 2), (-1, 1)))) == 2
    assert int(layer.regions(((0, 2), (-1, 1)))) == 2  # a hinge along the border does not cut the open window
    assert int(layer.regions(((-1e-9, 2), (-1, 1)))) == 4


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda r: MoELayer(r, np.zeros((3, 0, 2)), np.zeros((3, 0))), "H = 0"),
        (lambda r: MoELayer(r, np.zeros((2, 4, 2)), np.zeros((2, 4))), "U has 2 experts but the router has N = 3"),
        (lambda r: MoELayer(r, np.zeros((3, 4, 3)), np.zeros((3, 4))), "U[0] has rows of length 3"),
        (lambda r: MoELayer(r, np.zeros((3, 4)), np.zeros((3, 4))), "U has shape (3, 4)"),
        (lambda r: MoELayer(r, np.zeros((3, 4, 2)), np.zeros((3, 5))), "c has shape (3, 5)"),
        (lambda r: MoELayer(r, np.full((3, 1, 2), np.nan), np.zeros((3, 1))), "U[0, 0, 0] is nan"),
        (lambda r: MoELayer(r, np.zeros((3, 1, 2)), [[0], [np.inf], [0]]), "c[1, 0] is inf"),
        (lambda r: MoELayer(r, np.zeros((3, 1, 2)), np.zeros((3, 1)), V=np.zeros((3, 2, 5))), "V has shape"),
        (lambda r: MoELayer(r, np.zeros((3, 1, 2)), np.zeros((3, 1)), shared=([[1, 2, 3]], [0])), "shared has shapes"),
        (lambda r: MoELayer(r, np.zeros((3, 1, 2)), np.zeros((3, 1)), shared=3), "shared is not a pair"),
        (lambda r: MoELayer.dense([[1, 2]], [1, 2]), "a dense layer takes"),
        (lambda r: MoELayer.dense(np.eye(4), np.zeros(4)).regions(1), "d = 4: take a slice"),
        (lambda r: MoELayer.dense(np.eye(2), np.zeros(2)).regions(-1), "window"),
    ],
)
def test_one_sentence_for_bad_input(make, sentence):
    with pytest.raises(ValueError, match=r"[:.]") as caught:
        make(Router([[1, 0], [0, 1], [-1, -1]], k=1))
    assert sentence in str(caught.value)
    assert str(caught.value).count(". ") == 0


@pytest.mark.parametrize("family", [random_linear, random_affine])
def test_hinge_segments_lie_on_their_hinges_inside_their_cells(family):
    layer = MoELayer(Router(*family(8, 2, seed=2), k=3), *random_experts(8, 3, 2, seed=2), shared=([[1.0, 2.0]], [0.5]))
    drawn = layer.hinge_segments(3)
    middle = drawn.ends.mean(axis=1)
    assert np.abs(drawn.ends).max() <= 3 + 1e-9 and drawn.hidden == 0
    assert (layer.router.active_sets(middle) == layer.sets[drawn.cell]).all()
    for expert, ends in zip(drawn.expert, drawn.ends, strict=True):
        u, c = (layer.U[expert], layer.c[expert]) if expert >= 0 else layer.shared
        assert (np.abs(u @ ends.T + c[:, None]).max(axis=1) < 1e-9).any()
    # As many segments as hinges cross cells: one region more each, before crossings are counted.
    crossings = int(layer.regions(3)) - len(layer.regions_per_cell(3)) - len(drawn.ends)
    assert crossings > 0
    few = layer.hinge_segments(3, limit=5)
    assert len(few.ends) == 5 and few.hidden == len(drawn.ends) - 5
    assert (few.ends == drawn.ends[:5]).all()


def test_region_and_local_map_at_a_point():
    random = np.random.default_rng(1)
    V = random.normal(size=(6, 2, 3))
    layer = MoELayer(Router(*random_affine(6, 2, seed=1), k=2), *random_experts(6, 3, 2, seed=1), V=V)
    for x in random.normal(size=(20, 2)):
        region, local = layer.region_at(x), layer.local_map(x)
        scores = layer.router.scores(x[None])[0][list(region.active)]
        gate = np.exp(scores) / np.exp(scores).sum()
        hidden = [np.maximum(layer.U[i] @ x + layer.c[i], 0) for i in region.active]
        output = sum(g * layer.V[i] @ h for g, i, h in zip(gate, region.active, hidden, strict=True))
        assert np.allclose(local.A @ x + local.a, output)
        assert region.pattern == tuple("".join("01"[int(v > 0)] for v in h) for h in hidden)
        for _ in range(5):  # the region does not change within its margin, if the cell does not
            y = x + region.margin * 0.99 * (v := random.normal(size=2)) / np.linalg.norm(v)
            assert layer.region_at(y).pattern == region.pattern or layer.region_at(y).active != region.active
    with pytest.raises(ValueError, match="give V"):
        MoELayer.dense([[1, 0]], [0]).local_map([0, 0])


def test_sampled_patterns_are_the_counted_regions():
    layer = MoELayer(Router(*random_affine(5, 2, seed=7), k=2), *random_experts(5, 2, 2, seed=7))
    grid = np.stack(np.meshgrid(*[np.linspace(-2, 2, 401) + 1e-7] * 2), axis=-1).reshape(-1, 2)
    sets = layer.router.active_sets(grid)
    bits = (layer.U[sets] @ grid[:, None, :, None])[..., 0] + layer.c[sets] > 0
    seen = np.unique(np.column_stack([sets, bits.reshape(len(grid), -1)]), axis=0)
    assert 0.9 * int(layer.regions(2)) <= len(seen) <= int(layer.regions(2))


def test_a_cell_that_touches_the_window_only_in_a_corner_has_no_region() -> None:
    router = Router([[-1, 2], [-1, -2], [1, 0]], k=2)  # the cell (1, 2) meets the open window nowhere
    layer = MoELayer(router, [[[1, 0]], [[0, 2]], [[1, -1]]], [[2], [1], [1]])
    assert {cell: int(n) for cell, n in layer.regions_per_cell(((0, 1), (0, 1))).items()} == {(0, 2): 1}
    assert int(layer.regions(((0, 1), (0, 1)))) == 1


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=40, deadline=None)
def test_windows_whose_sides_and_corners_lie_on_walls(seed: int) -> None:
    random = np.random.default_rng(seed)
    N, k, H = 5, int(random.integers(1, 4)), 2
    W, U, c = random.integers(-1, 2, (N, 2)), random.integers(-1, 2, (N, H, 2)), random.integers(-1, 2, (N, H))
    layer = MoELayer(Router(W, k=k), U, c)
    ids, _ = layer.fan.polygons(((0, 1), (-1, 0)))
    assert list(layer.regions_per_cell(((0, 1), (-1, 0)))) == [tuple(s) for s in layer.sets[ids].tolist()]


@pytest.mark.parametrize("turn", [1, -1])
def test_a_hinge_that_only_touches_a_corner_cuts_nothing(turn: int) -> None:
    """Of the window, and of a cell: on the positive side of the hinge its corner alone is zero."""
    for corner in ([1, 1], [1, -1], [-1, 1], [-1, -1]):
        assert int(MoELayer.dense([[turn * x for x in corner]], [turn * 4]).regions(2)) == 1
    router = Router([[1, 0], [0, 1], [-1, -1]], [1, 0, 0], k=1)  # its three cells meet in (-2, 1) / 3
    layer = MoELayer(router, [[[3 * turn, 0]]] + [[[0, 0]]] * 2, [[2 * turn], [0], [0]])
    assert fast(layer, None) == slow(layer, 100)
    assert fast(layer, 3) == slow(layer, 3)


def test_of_too_many_hinges_in_special_position_the_first_give_a_lower_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tropviz.core.experts.settle.MOST_HINGES", 3)
    layer = MoELayer.dense([[1, 0], [0, 1], [1, 1], [1, -1]], [0, 0, 0, 0])
    assert (layer.regions(1).kind, int(layer.regions(1))) == ("lower", 6)


def test_a_cell_that_reaches_into_the_window_by_less_than_a_rounding() -> None:
    """Cell 0 is q x >= p + |y|: it meets the window x < a just if the float a is above p / q."""
    for p, q in [(i, j) for j in range(3, 40, 4) for i in range(1, j, 3)]:
        router, none = Router([[q, 0], [0, 1], [0, -1]], [0, p, p], k=1), np.zeros((3, 1))
        for a in (p / q, np.nextafter(p / q, 0), np.nextafter(p / q, 1)):
            layer = MoELayer(router, np.zeros((3, 1, 2)), none)
            window = ((-a, a), (-1, 1))
            assert ((0,) in layer.regions_per_cell(window)) == (Fraction(a) > Fraction(p, q))


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e3])
def test_a_far_hinge_does_not_hide_a_near_one(size):
    c, h = 1e6, size
    layer = MoELayer.dense([[1, 0], [0, 1]], [-(c + h / 2), c])
    box = [[c, c + h], [c, c + h]]
    drawn = layer.hinge_segments(box)
    assert int(layer.regions(box)) == 2 and len(drawn.ends) == 1
    assert np.abs(drawn.ends[0] - [[c + h / 2, c], [c + h / 2, c + h]]).max() < 1e-9


def test_a_hinge_on_a_wall_is_not_drawn():
    """Its values there are rounding: next to small cells as next to large ones."""
    router = Router([[1, 1], [0, 0]], [-1 / 3, 0], 1)
    layer = MoELayer(router, [[[1.0, 1]], [[1.0, 1]]], [[-1 / 3], [-1 / 3]])
    for window in (1, 1e6, [[1 / 3 - 1e-9, 1 / 3 + 1e-9], [-1e-9, 1e-9]], [[1e6, 1e6 + 1], [-1e6, -1e6 + 1]]):
        assert len(layer.hinge_segments(window).ends) == 0


def test_no_polygons_no_hinges():
    layer = MoELayer(Router([[1, 0], [0, 1], [-1, -1]], [0, 1, 0], 1), np.ones((3, 1, 2)), np.ones((3, 1)))
    nothing = layer.hinge_segments(1, polygons=(np.zeros(0, dtype=np.int64), np.empty(0, dtype=object)))
    assert nothing.ends.shape == (0, 2, 2) and len(nothing.expert) == len(nothing.cell) == nothing.hidden == 0


@pytest.mark.parametrize("limit", [-1, 2.5])
def test_a_limit_is_a_number_of_segments(limit):
    layer = MoELayer.dense([[1, 0]], [0])
    with pytest.raises(ValueError, match=rf"^limit is {limit}: [^.]*\.$"):
        layer.hinge_segments(1, limit=limit)
    assert layer.hinge_segments(1, limit=0).hidden == 1


def test_a_window_too_small_for_float64_is_refused():
    layer = MoELayer(Router([[1, 0], [0, 1], [-1, -1]], [0, 1, 0], 1), np.ones((3, 1, 2)), np.ones((3, 1)))
    for window in (5e-324, 1e-200, [[0, 1], [0, 1e-101]]):
        for ask in (layer.regions, layer.hinge_segments, layer.fan.volumes):
            with pytest.raises(ValueError, match=r"^window axis [01] is .* long: give at least 1e-100"):
                ask(window)
    assert int(layer.regions(1e-99)) == 1


def test_a_fan_of_another_router_is_refused():
    router, other = Router([[1, 0], [0, 1], [-1, -1]], [0, 1, 0], 1), Router([[1, 0], [0, 1], [-1, -1]], None, 1)
    U, c = np.ones((3, 1, 2)), np.ones((3, 1))
    for fan in (RoutingFan(other), RoutingFan(Router(router.W, router.b, 2))):
        with pytest.raises(ValueError, match=r"^fan belongs to another router: [^.]*\.$"):
            MoELayer(router, U, c, fan=fan)
    same = MoELayer(router, U, c, fan=RoutingFan(Router(router.W, router.b, 1)))
    assert int(same.regions(3)) == int(MoELayer(router, U, c).regions(3))
