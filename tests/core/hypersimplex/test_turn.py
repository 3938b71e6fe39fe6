"""The turn of x and the ring: the router itself says who wins."""

from __future__ import annotations

import numpy as np
import pytest

from tropviz import Router, RoutingFan
from tropviz.core import presets
from tropviz.core.hypersimplex.shadow import shadow
from tropviz.core.hypersimplex.turn import directions, ring, turn


@pytest.mark.parametrize("central", [True, False])
@pytest.mark.parametrize(("N", "k"), [(3, 1), (8, 2), (16, 4), (5, 4)])
def test_ring_says_who_wins_on_the_circle(N: int, k: int, central: bool) -> None:
    make = presets.random_linear if central else presets.random_affine
    fan = RoutingFan(Router(*make(N, 2, seed=5), k))
    rows, spans = ring(fan, shadow(fan), 2.5)
    assert np.isclose((spans[:, 1] - spans[:, 0]).sum(), 2 * np.pi)
    assert np.allclose(np.mod(np.roll(spans[:, 0], -1) - spans[:, 1] + 1, 2 * np.pi), 1)  # one begins where one ends
    for share in (0.1, 0.5, 0.9):
        at = 2.5 * directions(spans[:, 0] + share * (spans[:, 1] - spans[:, 0]), 2)
        wide = spans[:, 1] - spans[:, 0] > 0.05
        assert (fan.router.active_sets(at)[wide] == fan.active_sets[rows][wide]).all()
    if central:
        assert len(rows) == int(fan.count)


@pytest.mark.parametrize("d", [2, 3])
def test_turn_follows_the_router(d: int) -> None:
    fan = RoutingFan(Router(*presets.random_affine(8, d, seed=1), 3))
    one = turn(fan, 2.0)
    assert np.allclose(np.linalg.norm(one.points, axis=1), 2) and np.allclose(one.points[0], one.points[-1])
    assert (fan.active_sets[one.rows] == fan.router.active_sets(one.points)).all()


def test_one_cell_and_walls() -> None:
    same = RoutingFan(Router([[1.0, 2.0], [1.0, 2.0]], None, 1))
    rows, spans = ring(same, shadow(same), 1.0)
    assert rows.tolist() == [0] and np.isclose(spans[0, 1] - spans[0, 0], 2 * np.pi)
    # at 0 degrees x lies on the wall between experts 1 and 2; expert 0 wins nowhere else
    edge = RoutingFan(Router([[1.0, 0], [1.0, 1], [1.0, -1]], None, 1))
    assert (turn(edge, 1.0).rows >= 0).all()
