"""All k at once: every wall of every fan is one piece of a line, exactly."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tropviz.core import presets
from tropviz.core.fan.levels import levels
from tropviz.core.fan.routing_fan import RoutingFan
from tropviz.core.router import Router


def walls(W, b, k):
    return len(RoutingFan(Router(W, b, k)).neighbours)


def test_nine_experts_have_288_pieces_and_as_many_walls():
    W, b = presets.random_affine(9, 2, seed=3)
    every = levels(Router(W, b, 2))
    assert every.total.value == 288 and every.total.kind == "exact"
    assert [int(every.walls(k)) for k in range(1, 9)] == [walls(W, b, k) for k in range(1, 9)]
    assert int(every.walls(9)) == 0 and sum(walls(W, b, k) for k in range(1, 9)) == 288


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 6), st.integers(0, 10_000), st.booleans())
def test_special_position_too(N: int, seed: int, central: bool):
    """Integer weights: parallel lines, many lines through a point, copies of an expert."""
    rng = np.random.default_rng(seed)
    W = rng.integers(-2, 3, size=(N, 2)).astype(float)
    b = np.zeros(N) if central else rng.integers(-2, 3, size=N).astype(float)
    every = levels(Router(W, b, 1))
    assert [int(every.walls(k)) for k in range(1, N)] == [walls(W, b, k) for k in range(1, N)]


def test_pieces_lie_on_walls_of_their_fan_and_are_cut_to_the_window():
    W, b = presets.random_affine(7, 2, seed=5)
    every = levels(Router(W, b, 1))
    rows, ends = every.segments(2.0)
    assert len(rows) and np.abs(ends).max() <= 2 + 1e-9
    middles = ends.mean(axis=1)
    scores = -np.sort(-(middles @ W.T + b), axis=1)
    k = every.level[rows]
    at = np.arange(len(rows))
    np.testing.assert_allclose(scores[at, k - 1], scores[at, k], atol=1e-9)


def test_numbers_of_any_size():
    W = np.array([[1e-300, 0], [0, 1e300], [1.0, 1.0]])
    every = levels(Router(W, [0.0, 1e200, -1e-200], 1))
    assert every.total.value == 6 and np.isfinite(every.segments(3.0)[1]).all()


def test_bad_input():
    with pytest.raises(ValueError, match="has 3 inputs"):
        levels(Router(np.eye(3), None, 1))
    with pytest.raises(ValueError, match="up to 32 experts"):
        levels(Router(np.ones((33, 2)), None, 1))
