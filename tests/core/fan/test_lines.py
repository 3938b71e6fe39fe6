"""Corners from whole lines, experts left out, rings of corners: each against the slower way it replaces."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from tropviz import Router, RoutingFan
from tropviz.core import planar
from tropviz.core.fan import prune as fan_prune
from tropviz.core.fan.lines import swept_corners
from tropviz.core.fan.pivot import all_corners, real_corners
from tropviz.core.fan.prune import maybe_active, only, widened
from tropviz.core.fan.reduce import reduce
from tropviz.core.fan.walk import walk
from tropviz.core.planar.unit_box import UnitBox
from tropviz.core.window import as_window


def experts(seed, N, k, d=2, central=False, twins=0):
    random = np.random.default_rng(seed)
    W, b = random.normal(size=(N, d)), None if central else random.normal(size=N)
    if twins:
        W[:twins], b[:twins] = W[-twins:], b[-twins:]
    return reduce(Router(W, b, k)).experts


@pytest.mark.parametrize("options", [{}, {"d": 3, "central": True}, {"twins": 5}])
@pytest.mark.parametrize("k", [1, 4, 9])
def test_lines_find_the_corners_that_all_bases_find(k, options):
    e = experts(k, 14, k, **options)
    basis, towards = swept_corners(e)
    found = real_corners(e, basis, e.classify(basis, towards))
    everything = all_corners(e)
    assert set(found[2].tolist()) <= set(everything[2].tolist())
    assert len(found[2]) >= 0.9 * len(everything[2])


@pytest.mark.parametrize("central", [False, True])
def test_leaving_out_experts_changes_nothing(central):
    e = experts(3, 60, 4, d=3 if central else 2, central=central)
    chosen = fan_prune.contenders(e)
    fewer = only(e, chosen)
    assert len(chosen) < e.C
    small = walk(fewer, 10**6)
    assert not len(maybe_active(e, chosen, small))
    got, want = widened(e, chosen, small), walk(e, 10**6)
    assert set(map(tuple, got.cells.tolist())) == set(map(tuple, want.cells.tolist()))
    assert {row.tobytes() for row in got.sides} == {row.tobytes() for row in want.sides}
    assert len(got.walls) == len(want.walls) and len(got.rays) == len(want.rays)


def test_an_expert_wrongly_left_out_is_found_out():
    e = experts(4, 40, 3)
    active = np.flatnonzero(walk(e, 10**6).cells.any(axis=0))
    for missing in active:
        chosen = np.setdiff1d(np.arange(e.C), [missing])
        assert missing in maybe_active(e, chosen, walk(only_these(e, chosen), 10**6))


def only_these(e, chosen):
    fan_prune_pays, fan_prune.PAYS = fan_prune.PAYS, 1.0
    try:
        return only(e, chosen)
    finally:
        fan_prune.PAYS = fan_prune_pays


def test_too_few_contenders_still_give_the_whole_fan(monkeypatch):
    random = np.random.default_rng(5)
    router = Router(random.normal(size=(40, 2)), random.normal(size=40), 5)
    want = RoutingFan(router)
    monkeypatch.setattr(fan_prune, "POINTS", 2)
    monkeypatch.setattr(fan_prune, "BELOW", 1)
    got = RoutingFan(router)
    assert (got.active_sets == want.active_sets).all() and got.verify().ok


@pytest.mark.parametrize("window", [0.2, 3.0, 40.0, ((1.0, 5.0), (-9.0, -2.0))])
@pytest.mark.parametrize("central", [False, True])
def test_rings_of_corners_are_the_rings_of_walls(window, central):
    random = np.random.default_rng(6)
    router = Router(random.normal(size=(20, 2)), None if central else random.normal(size=20), 4)
    fan, unit = RoutingFan(router), UnitBox.of(as_window(window, 2))
    ids, shapes = planar.polygons(fan, window)
    owner, points = planar.rings_of_walls(fan, unit)
    kept, index = np.unique(owner, return_inverse=True)
    other = shapely.polygons(shapely.linearrings(unit.world(points), indices=index))
    assert ids.tolist() == kept.tolist()
    assert shapely.area(shapely.symmetric_difference(shapes, other)).max() <= 1e-12 * shapely.area(other).sum()
    assert shapely.is_ccw(shapely.get_exterior_ring(shapes)).all()


def test_half_planes_and_strips_are_closed_beyond_the_window():
    """Three parallel ties and one that cuts them: cells with one ray, two opposite to it, and angles near pi."""
    router = Router([[0, 0], [1, 0], [2, 0], [3, 0], [1.5, 1e-7]], [0, 0, -1, -3, -0.5], 1)
    fan = RoutingFan(router)
    for window in (1.0, 30.0):
        _, shapes = planar.polygons(fan, window)
        assert abs(shapely.area(shapes).sum() - 4 * window**2) <= 1e-9 * window**2
