"""What the panel of a cell says about its walls."""

from __future__ import annotations

import numpy as np

from tropviz import Router, RoutingFan
from tropviz.core import presets
from tropviz.ui.fan.selection import swap


def test_the_swap_at_a_wall_names_who_leaves_and_then_who_comes() -> None:
    """Along the way from deep inside one cell to deep inside its neighbour, told by top-k alone."""
    fan = RoutingFan(Router(*presets.random_affine(7, 2, 3), 3))
    for row, other in np.concatenate([fan.neighbours, fan.neighbours[:, ::-1]]).tolist():
        here, there = (set(fan.router.active_sets(fan.witnesses[[r]])[0].tolist()) for r in (row, other))
        (gone,), (came,) = here - there, there - here
        assert swap(fan, row, other) == f"{gone} → {came}"


def test_a_wall_of_two_at_once_names_both() -> None:
    fan = RoutingFan(Router([[1, 0], [1, 0], [-1, 0], [-1, 0]], k=2))
    assert len(fan.active_sets) == 2
    row = fan.active_sets.tolist().index([0, 1])
    assert swap(fan, row, 1 - row) == "0, 1 → 2, 3" and swap(fan, 1 - row, row) == "2, 3 → 0, 1"
