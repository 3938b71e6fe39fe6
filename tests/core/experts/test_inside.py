"""Cells in a window are counted exactly, slivers that rounding has made included."""

from __future__ import annotations

import numpy as np
import pytest

from tropviz import Router, RoutingFan
from tropviz.core.experts.inside import cells_inside


@pytest.mark.parametrize("d", [1, 2, 3])
@pytest.mark.parametrize("seed", range(8))
def test_slivers_where_walls_meet_but_for_rounding_are_in_the_window(seed: int, d: int) -> None:
    """All walls pass within rounding of one point: every cell reaches up to it, and none is anywhere else only."""
    random = np.random.default_rng([seed, d])
    W, point = random.integers(-5, 6, (6, d)) * 0.1, random.integers(-2, 3, d) * 0.3
    fan = RoutingFan(Router(W, -W @ point, k=int(random.integers(1, 6))))
    assert len(cells_inside(fan, 2)) == int(fan.count)
    aside = [(at + 1e-9, at + 1) for at in point]
    assert len(cells_inside(fan, aside)) == len(fan.volumes(aside)[0])


@pytest.mark.parametrize("d", [2, 3])
def test_where_all_cells_have_room_they_are_those_with_a_size(d: int) -> None:
    random = np.random.default_rng(d)
    fan = RoutingFan(Router(random.normal(size=(12, d)), random.normal(size=12), k=3))
    assert cells_inside(fan, 1.5).tolist() == fan.volumes(1.5)[0].tolist()
    with pytest.raises(ValueError, match="window"):
        cells_inside(fan, -1)
