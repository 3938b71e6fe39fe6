"""Whether a set has a cell: the linear programme against the fan, set by set, and the law against both."""

import math
from itertools import combinations

import numpy as np
import pytest

from tropviz import RoutingFan
from tropviz.core import presets
from tropviz.core.manifold.kept import counted_share, has_cell, mean_share, random_sets, sampled_share
from tropviz.core.router import Router
from tropviz.core.slice_law import share_kept


@pytest.mark.parametrize(
    ("make", "N", "k", "d"), [("random_linear", 7, 3, 3), ("random_affine", 7, 2, 2), ("moment_curve", 6, 2, 3)]
)
def test_every_set_is_answered_as_the_fan_does(make, N, k, d):
    args = (N, d) if make == "moment_curve" else (N, d, 4)
    router = Router(*getattr(presets, make)(*args), k=k)
    there = {tuple(row) for row in RoutingFan(router).active_sets}
    asked = {active for active in combinations(range(N), k) if has_cell(router, np.array(active))}
    assert asked == there
    assert counted_share(router).value == len(there) / math.comb(N, k)


@pytest.mark.parametrize(
    "W",
    [
        [[1, 0], [1, 0], [-1, 2], [-1, 2], [0, -1]],
        [[2, 1], [0, 0], [0, 0], [0, 0], [-1, 1]],
        [[1, 1]] * 5,
        1e14 + np.array([[3, 0], [-2, 1], [0, -3], [1, 1], [2, 2]]),
        5e-324 * np.array([[3, 0], [-2, 1], [0, -3], [1, 1], [2, 2]]),
    ],
    ids=["two pairs", "three zero rows", "all alike", "a common 1e14", "subnormal"],
)
@pytest.mark.parametrize("b", [None, [1, 1, 0, 0, 2]])
@pytest.mark.parametrize("k", [1, 2, 3, 4, 5])
def test_copies_and_what_rows_have_in_common_change_no_answer(W, b, k):
    """A set that has one of two copies has a cell, named by the lower; the share sampled is that of the count."""
    W = np.array(W, dtype=float)
    router = Router(W, None if b is None else np.array(b) * np.ptp(W, axis=0).max(), k=k)
    there = {tuple(row) for row in RoutingFan(router).active_sets.tolist()}
    assert {active for active in combinations(range(5), k) if has_cell(router, np.array(active))} == there


def test_a_scaled_router_keeps_the_same_sets():
    W, b = presets.random_affine(6, 2, 3)
    kept = [has_cell(Router(W * s, b * s, k=2), np.array(a)) for s in (1e-9, 1, 1e9) for a in combinations(range(6), 2)]
    assert kept[:15] == kept[15:30] == kept[30:] and any(kept) and not all(kept)


def test_random_routers_keep_the_share_the_law_says():
    """In six dimensions, where counting every cell takes long: one fresh router for every set, at four sigma."""
    expected, n = share_kept(16, 4, 6), 150
    share = sampled_share(lambda i: Router(presets.random_linear(16, 6, 1000 + i)[0], k=4), 16, 4, n)
    assert abs(share.value - expected) <= 4 * math.sqrt(expected * (1 - expected) / n)
    low, high = share.interval
    assert low < share.value < high


def test_mean_of_counted_routers_has_an_interval():
    share = mean_share([Router(presets.random_linear(8, 3, s)[0], k=2) for s in range(8)])
    assert share.kind == "sampled" and share.interval[0] < share_kept(8, 2, 3) < share.interval[1]


def test_sets_are_sets_and_seeded():
    sets = random_sets(9, 4, 50, seed=2)
    assert (np.diff(sets, axis=1) > 0).all() and sets.min() >= 0 and sets.max() <= 8
    assert (sets == random_sets(9, 4, 50, seed=2)).all() and (sets != random_sets(9, 4, 50, seed=3)).any()
