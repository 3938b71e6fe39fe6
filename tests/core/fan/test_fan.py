"""RoutingFan: the exact cases, the identities of Cover, and what its arrays promise."""

from __future__ import annotations

import json
import pickle
from itertools import pairwise
from math import comb
from pathlib import Path

import numpy as np
import pytest

from tropviz import Router, RoutingFan
from tropviz.core.fan import walk as fan_walk

DATA = Path(__file__).parents[2] / "data"
CASES = json.loads((DATA / "routers.json").read_text())


def affine(N: int, d: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    return random.normal(size=(N, d)), random.normal(size=N)


@pytest.mark.parametrize("case", CASES, ids=[c["id"] for c in CASES])
def test_exact_cases(case: dict) -> None:
    for k in map(int, case["cells"]):
        fan = RoutingFan(Router(case["W"], case["b"], k))
        key = str(k)
        assert (int(fan.count), fan.count.kind) == (case["cells"][key], "exact")
        corners = 0 if len(fan.lineality) else len(fan.vertices)
        got = {
            "adjacent_pairs": len(fan.neighbours),
            "diagram_vertices": corners,
            "bounded_cells": int(fan.bounded.sum()),
            "active_sets": fan.active_sets.tolist(),
        }
        for name, value in got.items():
            if key in case.get(name, {}):
                want = case[name][key]
                assert value == (sorted(want) if name == "active_sets" else want), name
        assert fan.verify().failures == ()


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(("N", "d"), [(24, 2), (14, 3), (9, 4), (30, 1)])
def test_cover_affine(N: int, d: int, seed: int) -> None:
    W, b = affine(N, d, seed)
    total = sum(int(RoutingFan(Router(W, b, k)).count) for k in range(1, N))
    assert total == sum(comb(N - 1, i) for i in range(1, d + 1)) + sum(comb(N - 1, i) for i in range(1, d + 2))


@pytest.mark.parametrize(("N", "d"), [(24, 2), (14, 3), (9, 4), (30, 1)])
def test_cover_central(N: int, d: int) -> None:
    W, _ = affine(N, d, 3)
    counts = [int(RoutingFan(Router(W, None, k)).count) for k in range(1, N)]
    assert sum(counts) == 2 * sum(comb(N - 1, i) for i in range(1, d + 1))
    assert counts == counts[::-1]  # x -> -x


def test_all_sets_exist_when_the_rows_are_affinely_independent() -> None:
    W, b = affine(6, 9, 4)
    for k in range(1, 6):
        assert int(RoutingFan(Router(W, b, k)).count) == comb(6, k)
        assert len(RoutingFan(Router(W, b, k)).neighbours) == comb(6, k) * k * (6 - k) // 2  # the Johnson graph


@pytest.mark.parametrize(("N", "k", "d"), [(9, 3, 1), (12, 4, 2), (10, 3, 3), (8, 3, 4), (24, 5, 2), (16, 3, 3)])
@pytest.mark.parametrize("central", [True, False])
def test_walking_finds_what_trying_every_basis_finds(
    N: int, k: int, d: int, central: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    W, b = affine(N, d, N)
    router = Router(W, None if central else b, k)
    monkeypatch.setattr(fan_walk, "BRUTE", 10**9)
    one = RoutingFan(router)
    monkeypatch.setattr(fan_walk, "BRUTE", 0)
    other = RoutingFan(router)
    assert other.active_sets.tolist() == one.active_sets.tolist()
    assert other.neighbours.tolist() == one.neighbours.tolist()
    assert (len(other.vertices), len(other.directions)) == (len(one.vertices), len(one.directions))
    assert other.verify().failures == ()


@pytest.mark.parametrize("blocks", [1, 500])
def test_blocks_change_nothing(blocks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    W, b = affine(30, 2, 5)
    whole = RoutingFan(Router(W, b, 6))
    monkeypatch.setattr(fan_walk, "BLOCK", blocks)
    parts = RoutingFan(Router(W, b, 6))
    assert parts.active_sets.tolist() == whole.active_sets.tolist()
    assert parts.neighbours.tolist() == whole.neighbours.tolist()


@pytest.mark.parametrize(("N", "k", "d"), [(12, 3, 1), (12, 3, 2), (9, 3, 3)])
def test_corners_and_rays_span_the_cell(N: int, k: int, d: int) -> None:
    """Random convex combinations of corners plus cone combinations of rays fall into the cell, for every cell."""
    W, b = affine(N, d, 7)
    for router in (Router(W, b, k), Router(W, None, k)):
        fan, random = RoutingFan(router), np.random.default_rng(0)
        for row, corners, rays, bounded in zip(fan.active_sets, fan.corners, fan.rays, fan.bounded, strict=True):
            assert bounded == (len(rays) == 0)
            np.testing.assert_allclose(np.linalg.norm(rays, axis=1), 1)
            mix = random.dirichlet(np.ones(len(corners)), 20) @ corners
            if len(rays):
                mix = mix + random.exponential(size=(20, len(rays))) @ rays
            assert (router.active_sets(mix) == row).all()


def test_points_fall_into_listed_cells_and_crossings_into_neighbours() -> None:
    """Two points a hair apart on either side of a wall are in neighbouring cells."""
    W, b = affine(14, 2, 8)
    router = Router(W, b, 4)
    fan, random = RoutingFan(router), np.random.default_rng(1)
    number = {tuple(s): i for i, s in enumerate(fan.active_sets.tolist())}
    pairs = {tuple(p) for p in fan.neighbours.tolist()}
    start, end = random.normal(size=(2, 300, 2)) * 3
    for a, c in zip(start, end, strict=True):
        line = a + np.linspace(0, 1, 4000)[:, None] * (c - a)
        met = [number[tuple(s)] for s in router.active_sets(line).tolist()]
        for one, two in pairwise(met):
            assert one == two or tuple(sorted((one, two))) in pairs or _narrow(router, fan, one, two)


def _narrow(router: Router, fan: RoutingFan, one: int, two: int) -> bool:
    """A step of the line may jump over a third cell that neighbours both."""
    near = [set(fan.neighbours[(fan.neighbours == c).any(axis=1)].ravel().tolist()) for c in (one, two)]
    return bool(near[0] & near[1])


def test_results_are_read_only_and_sorted() -> None:
    W, b = affine(10, 2, 9)
    fan = RoutingFan(Router(W, b, 3))
    ids, starts = fan.cell_vertices
    arrays = (fan.active_sets, fan.neighbours, fan.vertices, fan.directions, fan.witnesses, fan.bounded, ids, starts)
    for array in (*arrays, *fan.corners, *fan.rays):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
    sets = fan.active_sets.tolist()
    assert sets == sorted(sets)
    assert all(row == sorted(row) for row in sets)
    assert fan.neighbours.tolist() == sorted(fan.neighbours.tolist())
    for c, corners in enumerate(fan.corners):
        assert (fan.vertices[ids[starts[c] : starts[c + 1]]] == corners).all()


def test_the_planar_corners_run_counter_clockwise() -> None:
    W, b = affine(12, 2, 10)
    fan = RoutingFan(Router(W, b, 3))
    for corners, rays, bounded in zip(fan.corners, fan.rays, fan.bounded, strict=True):
        ring = corners if bounded else np.concatenate([corners, corners[-1:] + rays[:1], corners[:1] + rays[-1:]])
        turn = np.roll(ring, -1, axis=0) - ring
        cross = turn[:, 0] * np.roll(turn, -1, axis=0)[:, 1] - turn[:, 1] * np.roll(turn, -1, axis=0)[:, 0]
        assert (cross > 0).all()


def test_one_expert_and_all_experts_give_one_cell() -> None:
    for router in (Router([[1.0, 2.0]], [3.0], 1), Router(np.eye(3), None, 3), Router(np.zeros((4, 2)), None, 2)):
        fan = RoutingFan(router)
        assert int(fan.count) == 1
        assert fan.active_sets.tolist() == [list(range(router.k))]
        assert not fan.bounded.any()
        assert fan.neighbours.shape == (0, 2)
        assert fan.witnesses.shape == (1, router.d)
        assert fan.verify().ok


@pytest.mark.parametrize("budget", ["x", None, np.nan, np.inf, -1, 1.5])
def test_a_budget_that_is_none_is_refused(budget) -> None:
    with pytest.raises(ValueError, match=r"^budget is .*: give a (whole number of corners of at least 0|number)\.$"):
        RoutingFan(Router([[1, 0], [0, 1]], None, 1), budget)


def test_the_budget_gives_a_lower_bound_of_proved_cells() -> None:
    W, b = affine(64, 2, 11)
    router = Router(W, b, 8)
    whole, part = RoutingFan(router), RoutingFan(router, budget=20)
    assert part.count.kind == "lower"
    assert 0 < int(part.count) == len(part.active_sets) < int(whole.count)
    known = {tuple(s) for s in whole.active_sets.tolist()}
    assert all(tuple(s) in known for s in part.active_sets.tolist())
    report = part.verify()
    assert not report.ok
    assert "cut short" in report.failures[0]
    assert len(report.failures) == 1


def test_lineality_is_listed_as_rays_both_ways() -> None:
    fan = RoutingFan(Router([[1.0, 1.0, 0.0], [2.0, 2.0, 0.0], [0.0, 0.0, 0.0]], [0.0, -1.0, 3.0], 1))
    assert len(fan.lineality) == 2
    assert np.abs(fan.lineality @ np.array([1.0, 1.0, 0.0])).max() == 0
    for rays in fan.rays:
        for line in fan.lineality / np.linalg.norm(fan.lineality, axis=1, keepdims=True):
            assert (np.abs(rays - line).sum(axis=1) < 1e-12).any()
            assert (np.abs(rays + line).sum(axis=1) < 1e-12).any()


def test_many_dimensions_are_sampled_and_say_so() -> None:
    W, b = affine(30, 15, 12)
    for router in (Router(W, b, 4), Router(W, None, 4)):
        fan = RoutingFan(router)
        assert fan.count.kind == "lower"
        assert int(fan.count) > 100
        assert (router.active_sets(fan.witnesses) == fan.active_sets).all()
        assert [f for f in fan.verify().failures if "cut short" not in f] == []


@pytest.mark.parametrize(("N", "k", "d", "central"), [(64, 8, 2, False), (9, 3, 3, True), (6, 2, 1, False)])
def test_a_pickled_fan_is_the_same_fan_and_small(N: int, k: int, d: int, central: bool) -> None:
    random = np.random.default_rng(N)
    fan = RoutingFan(Router(random.normal(size=(N, d)), None if central else random.normal(size=N), k))
    before = pickle.dumps(fan)
    _ = fan.corners, fan.rays, fan.bounded, fan.witnesses, fan.router.margin(np.zeros((1, d)))  # kept, not sent
    text = pickle.dumps(fan)
    assert len(text) == len(before)
    assert len(text) < 6000 + 600 * (len(fan.vertices) + len(fan.directions))
    assert len(repr(fan)) < 80
    again = pickle.loads(text)
    assert isinstance(again, RoutingFan) and again.count == fan.count
    # witnesses are worked out again, and sums of arrays that lie elsewhere in memory may end in another bit
    assert np.allclose(again.witnesses, fan.witnesses, rtol=1e-9) and np.array_equal(again.neighbours, fan.neighbours)
    assert np.array_equal(fan.router.active_sets(again.witnesses), fan.active_sets)
    assert again.verify().ok
    for array in (again.active_sets, again.vertices, *again.cell_directions, again.router.W, again.bounded):
        assert not array.flags.writeable
