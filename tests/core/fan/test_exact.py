"""The fan against rational arithmetic: small integers make every kind of degeneracy."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracles.exact_fan import exact_fan
from tropviz import Router, RoutingFan
from tropviz.core.fan import walk as fan_walk

HARD = json.loads((Path(__file__).parents[2] / "data" / "hard_routers.json").read_text())
SIZES = {1: 8, 2: 6, 3: 4}


@st.composite
def routers(draw: st.DrawFn) -> tuple[list, list, int]:
    """Integer routers with twins, parallel, collinear and concurrent experts made likely."""
    d = draw(st.sampled_from([1, 2, 2, 3]))
    N = draw(st.integers(2, SIZES[d]))
    entry = st.integers(-2, 2)
    W = np.array(draw(st.lists(st.lists(entry, min_size=d, max_size=d), min_size=N, max_size=N)))
    b = np.array(draw(st.lists(entry, min_size=N, max_size=N)))
    i, j = draw(st.integers(0, N - 1)), draw(st.integers(0, N - 1))
    match draw(st.sampled_from(["plain", "twins", "parallel", "collinear", "concurrent", "voronoi", "central"])):
        case "twins":
            W[i], b[i] = W[j], b[j]
        case "parallel":
            W[i] = W[j]
        case "collinear":
            W = np.outer(W[:, 0], W[0]) + W[-1]
        case "concurrent":
            b = -W @ W[0]
        case "voronoi":
            b = -(W**2).sum(axis=1)
        case "central":
            b[:] = 0
    return W.tolist(), b.tolist(), draw(st.integers(1, N))


def assert_exact(W: list, b: list, k: int) -> None:
    cells, walls = exact_fan(W, b, k)
    for brute in (0, 10**9):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(fan_walk, "BRUTE", brute)
            fan = RoutingFan(Router(W, b, k))
        sets = [tuple(row) for row in fan.active_sets.tolist()]
        assert sets == sorted(cells)
        assert {frozenset((sets[i], sets[j])) for i, j in fan.neighbours.tolist()} == walls
        assert len(fan.neighbours) == len(walls)
        assert fan.count.kind == "exact"
        assert fan.verify().failures == ()


@given(routers())
@settings(max_examples=60, deadline=None)
def test_cells_and_neighbours_of_integer_routers(router: tuple[list, list, int]) -> None:
    assert_exact(*router)


@pytest.mark.parametrize("case", HARD, ids=[c["id"] for c in HARD])
def test_routers_that_were_wrong_once(case: dict) -> None:
    """Inputs on which an earlier version failed; kept as floats in hexadecimal."""
    W = np.array([[float.fromhex(x) for x in row] for row in case["W"]])
    b = np.array([float.fromhex(x) for x in case["b"]])
    fan = RoutingFan(Router(W, b, case["k"]))
    assert (int(fan.count), fan.count.kind) == (case["cells"], "exact")
    assert fan.verify().failures == ()


@pytest.mark.parametrize(("N", "d"), [(12, 3), (8, 4), (30, 3)])
def test_plane_sections_of_higher_fans(N: int, d: int) -> None:
    """An integer plane through the fan, cut exactly: its cells and walls are cells and walls of the fan."""
    random = np.random.default_rng(N)
    W, b = random.integers(-9, 10, (N, d)), random.integers(-9, 10, N)
    few = np.sort(random.choice(N, 6, replace=False))
    W, b = W[few] if N > 12 else W[:7], b[few] if N > 12 else b[:7]
    frame, origin = random.integers(-5, 6, (2, d)), random.integers(-5, 6, d)
    for k in (1, 2, 3):
        fan = RoutingFan(Router(W, b, k))
        sets = [tuple(row) for row in fan.active_sets.tolist()]
        pairs = {frozenset((sets[i], sets[j])) for i, j in fan.neighbours.tolist()}
        cells, walls = exact_fan((W @ frame.T).tolist(), (W @ origin + b).tolist(), k)
        assert cells <= set(sets)
        assert walls <= pairs


@pytest.mark.parametrize("central", [True, False])
def test_rows_of_very_different_lengths_are_walked_as_well(central: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Floats find no first corner here: the walk starts, and often continues, in integers."""
    random = np.random.default_rng(5)
    for _ in range(6):
        W = random.integers(-2, 3, (9, 2 + central)) * 10.0 ** random.integers(-12, 13, size=(9, 1))
        b = None if central else random.integers(-2, 3, 9) * 10.0 ** random.integers(-12, 13, size=9)
        router = Router(W, b, 4)
        monkeypatch.setattr(fan_walk, "BRUTE", 10**9)
        one = RoutingFan(router)
        monkeypatch.setattr(fan_walk, "BRUTE", 0)
        other = RoutingFan(router)
        assert one.active_sets.tolist() == other.active_sets.tolist()
        assert one.neighbours.tolist() == other.neighbours.tolist()
        assert one.count.kind == other.count.kind == "exact"
        assert one.verify().failures == other.verify().failures == ()


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5])
def test_three_pairs_of_twins_meeting_in_a_corner(k: int) -> None:
    """k = 3: the cells with copies (2, 0, 1) and (0, 2, 1) differ in two experts, yet only touch in the corner."""
    assert_exact([[2, 0], [-1, 2], [-1, -2], [2, 0], [-1, 2], [-1, -2], [1, 1]], [1, 0, 0, 1, 0, 0, -9], k)
