"""verify() finds what is wrong with deliberately broken fans."""

from __future__ import annotations

import copy
from dataclasses import replace

import numpy as np
import pytest

from tropviz import Count, Router, RoutingFan
from tropviz.core import slices
from tropviz.core.fan import find
from tropviz.core.fan.verify import verify


def routers() -> dict[str, Router]:
    random = np.random.default_rng(0)
    W, b = random.normal(size=(9, 3)), random.normal(size=9)
    grid = np.array([(i, j) for i in range(3) for j in range(3)])
    return {
        "line": Router(W[:, :1], b, 3),
        "plane": Router(W[:, :2], b, 3),
        "central plane": Router(W[:, :2], None, 3),
        "space": Router(W, b, 3),
        "central space": Router(W, None, 3),
        "lattice": Router(2 * grid, -(grid**2).sum(axis=1), 3),
        "twins": Router(np.concatenate([W[:5, :2], W[:3, :2]]), np.concatenate([b[:5], b[:3]]), 3),
        "strips": Router(np.outer(np.arange(6), [1, 2]), [0, 3, 4, 4, 3, 0], 2),
    }


FANS = {name: RoutingFan(router) for name, router in routers().items()}


@pytest.fixture(params=list(FANS))
def fan(request: pytest.FixtureRequest) -> RoutingFan:
    """A fan that may be changed at will."""
    whole = FANS[request.param]
    assert whole.verify().ok
    return copy.copy(whole)


def says(fan: RoutingFan, words: str) -> bool:
    report = fan.verify()
    return not report.ok and any(words in failure for failure in report.failures)


def test_a_missing_cell(fan: RoutingFan) -> None:
    m = len(fan.active_sets)
    for lost in {0, m // 2, m - 1}:
        part = find(fan.router).only(np.arange(m) != lost)
        report = verify(replace(part, count=Count(m - 1, "exact", "")))
        assert not report.ok
        assert any("Euler" in f or "missing" in f or "listed" in f or "walls, not" in f for f in report.failures)


def test_swapped_witnesses(fan: RoutingFan) -> None:
    witnesses = fan.witnesses.copy()
    witnesses[[0, 1]] = witnesses[[1, 0]]
    fan.witnesses = witnesses
    assert says(fan, "witness of cell 0")
    assert says(fan, "witness of cell 1")


def test_a_witness_just_outside(fan: RoutingFan) -> None:
    witnesses = fan.witnesses.copy()
    witnesses[0] = fan.corners[0][0] + 1e-9 * (fan.corners[0][0] - witnesses[0])
    fan.witnesses = witnesses
    assert says(fan, "witness of cell 0")


def test_a_false_neighbour(fan: RoutingFan) -> None:
    known = {tuple(p) for p in fan.neighbours.tolist()}
    m = len(fan.active_sets)
    false = next((i, j) for i in range(m) for j in range(i + 1, m) if (i, j) not in known)
    fan.neighbours = np.array(sorted([*known, false]))
    report = fan.verify()
    assert not report.ok
    assert any("share no wall" in f or "pairs of neighbours" in f for f in report.failures)


def test_a_false_neighbour_that_differs_by_one_swap() -> None:
    """Cells that meet in a corner only, like opposite octahedron vertices seen along an edge, or beyond."""
    fan = copy.copy(FANS["space"])
    known = {tuple(p) for p in fan.neighbours.tolist()}
    sets = [set(row) for row in fan.active_sets.tolist()]
    m = len(sets)
    close = [(i, j) for i in range(m) for j in range(i + 1, m) if len(sets[i] - sets[j]) == 1 and (i, j) not in known]
    assert close
    for pair in close:
        broken = copy.copy(fan)
        broken.neighbours = np.array(sorted([*known, pair]))
        assert says(broken, f"Cells {pair[0]} and {pair[1]} share no wall")


def test_a_lost_wall_in_the_plane() -> None:
    for name in ("line", "plane", "central plane", "lattice", "twins", "strips"):
        fan = copy.copy(FANS[name])
        fan.neighbours = fan.neighbours[1:]
        report = fan.verify()
        assert not report.ok, name


def test_a_neighbour_twice_and_out_of_order(fan: RoutingFan) -> None:
    pairs = fan.neighbours
    fan.neighbours = np.concatenate([pairs, pairs[:1]])
    assert says(fan, "twice")
    fan.neighbours = pairs[:, ::-1]
    assert says(fan, "not pairs i < j")


def test_active_sets_out_of_order_or_repeated_or_invalid(fan: RoutingFan) -> None:
    sets = fan.active_sets
    fan.active_sets = sets[::-1]
    assert says(fan, "lexicographic")
    fan.active_sets = np.concatenate([sets[:1], sets[:1], sets[2:]])
    assert says(fan, "twice")
    wrong = sets.copy()
    wrong[0, 0] = fan.router.N
    fan.active_sets = wrong
    assert says(fan, "increasing list")


def test_a_cell_named_by_the_higher_twin() -> None:
    fan = copy.copy(FANS["twins"])
    sets = fan.active_sets.copy()
    row = next(r for r, s in enumerate(sets.tolist()) if 0 in s and 5 not in s)
    sets[row] = sorted([*set(sets[row].tolist()) - {0}, 5])
    fan.active_sets = sets[np.lexsort(sets.T[::-1])]
    assert says(fan, "lowest of its identical experts")


def test_a_wrong_count(fan: RoutingFan) -> None:
    fan.count = Count(len(fan.active_sets) + 1, "exact", "")
    assert says(fan, "The count is")
    fan.count = Count(len(fan.active_sets), "lower", "")
    assert says(fan, "cut short")


def test_a_moved_corner() -> None:
    fan = copy.copy(FANS["plane"])
    fan.vertices = fan.vertices + np.array([1e-5, 0])
    assert says(fan, "does not reach its corner")


def test_a_turned_ray() -> None:
    for name in ("plane", "central space"):
        fan = copy.copy(FANS[name])
        fan.directions = -fan.directions
        assert says(fan, "does not reach its ray")


def test_a_wrong_bounded_flag(fan: RoutingFan) -> None:
    fan.bounded = ~fan.bounded
    assert says(fan, "bounded, against its rays")


def test_a_fan_of_subnormal_weights_is_not_accused() -> None:
    unit = 2.0**-1074
    W = np.array([[-2, 1], [-2, 2], [2, 1], [-1, -1], [3, 2], [-1, -3], [-3, 0]]) * unit
    b = np.array([1, 2, -1, 3, -3, -1, -3]) * unit
    for bias in (None, b):
        assert RoutingFan(Router(W, bias, 2)).verify().failures == ()


def test_results_of_a_fan_are_read_only() -> None:
    fan = RoutingFan(Router([[1, 0, 0], [0, 1, 0], [0, 0, 1]], k=1))
    plane = RoutingFan(Router([[1, 0], [0, 1], [-1, -1]], k=1))
    for result in (fan.solid_angles(), *fan.volumes(3), *plane.polygons(3), *plane.volumes(3), plane.solid_angles()):
        assert not result.flags.writeable


def test_a_cell_taken_from_the_list_alone_is_reported(fan: RoutingFan) -> None:
    fan.__dict__["active_sets"] = fan.active_sets[:-1]
    assert says(fan, "are listed for")


@pytest.mark.parametrize("seed", range(6))
def test_slices_whose_floats_merge_or_underflow_are_found_in_order(seed: int) -> None:
    rng = np.random.default_rng(seed)
    row = rng.normal(size=(1, 3))
    apart = np.where(rng.random((4, 3)) < 0.5, np.nextafter(row, 9), row)  # an ulp apart: copies in the slice's floats
    tiny = rng.integers(-50, 50, (5, 3)) * 5e-324
    basis, _ = np.linalg.qr(rng.normal(size=(3, 2)))
    for W, k in ((apart, 1), (apart, 2), (tiny, 2)):
        fan = RoutingFan(slices.restrict(Router(W, None, k), rng.normal(size=3), basis.T))
        assert fan.verify().ok, fan.verify().failures
        assert fan.count.kind == "exact"
