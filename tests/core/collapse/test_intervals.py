"""Intervals cover: simulated with fixed seeds over shapes of routers, offsets, and sizes of samples."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from scipy.stats import binom

from tropviz.core.collapse.clouds import cloud
from tropviz.core.collapse.entropy import entropy_bits, estimated_entropy
from tropviz.core.collapse.fullest import fullest_interval
from tropviz.core.collapse.load import imbalance, sampled_imbalance, sampled_switch_loss, switch_loss
from tropviz.core.collapse.statistics import occupied, softmax
from tropviz.core.presets import random_linear
from tropviz.core.router import Router

#: Points that stand for all data; samples are drawn from them.
ALL = 100_000
#: Samples for each case; 91 of 100 would still happen to an interval of 95 % once in 20 cases, 89 in none of 2,000.
SAMPLES = 100
WORST = 90


@cache
def population(N: int, k: int, d: int, offset: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Sets, points in each, set of every point, softmax of every point."""
    router = Router(random_linear(N, d, seed=N)[0], None, k)
    x = cloud(ALL, d, offset=offset, direction=np.ones(d), spread=1, seed=5)
    members = router.active_sets(x)
    sets, hits = occupied(router, x, members)
    number = {row.tobytes(): i for i, row in enumerate(sets)}
    where = np.array([number[row.tobytes()] for row in members])
    return sets, hits, where, softmax(router.scores(x))


SHAPES = [
    (8, 2, 2, 0.0),
    (16, 4, 2, 3.0),
    (16, 4, 2, 20.0),
    (16, 4, 3, 0.0),
    (64, 8, 3, 3.0),
    (256, 8, 3, 1.0),
    (64, 8, 8, 0.0),
]


@pytest.mark.parametrize("n", [50, 200, 600, 2000])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_statistics_of_a_sample_cover_those_of_all_data(shape: tuple, n: int) -> None:
    N, k = shape[:2]
    sets, hits, where, gates = population(*shape)
    entropy, fullest = entropy_bits(hits), hits.max() / ALL
    load = np.bincount(sets.ravel(), weights=np.repeat(hits, k), minlength=N)
    spread, loss = imbalance(load), switch_loss(load, gates.mean(axis=0))
    held = {"entropy": 0, "fullest": 0, "imbalance": 0, "switch loss": 0}
    random = np.random.default_rng([n, N])
    for _ in range(SAMPLES):
        points = random.integers(ALL, size=n)
        here, times = np.unique(where[points], return_counts=True)
        seen = estimated_entropy(times, math.log2(math.comb(N, k)))
        assert (seen.interval is None) or seen.interval[0] <= seen.estimate <= seen.interval[1]
        ends = (seen.bound, math.inf) if seen.interval is None else seen.interval
        held["entropy"] += ends[0] <= entropy <= ends[1]
        low, high = fullest_interval(times.max(), n)
        held["fullest"] += low <= fullest <= high
        for name, count, truth in (
            ("imbalance", sampled_imbalance(sets[here], times, N), spread),
            ("switch loss", sampled_switch_loss(sets[where[points]], gates[points]), loss),
        ):
            assert count.interval is not None and count.interval[0] <= count.value <= count.interval[1]
            held[name] += count.interval[0] <= truth <= count.interval[1]
    assert all(times >= WORST for times in held.values()), held


@pytest.mark.parametrize("n", [50, 600])
@pytest.mark.parametrize("rare", [0.03, 0.003, 0.0003])
def test_near_collapse_they_cover_too(rare: float, n: int) -> None:
    sets, p = np.array([[0, 1], [2, 3]]), np.array([1 - rare, rare])
    load = p[sets // 2][:, 0].repeat(2)
    random, held = np.random.default_rng(n), np.zeros(3)
    for _ in range(SAMPLES):
        times = random.multinomial(n, p)
        here, times = np.flatnonzero(times), times[times > 0]
        seen, cv = estimated_entropy(times, math.log2(6)), sampled_imbalance(sets[here], times, 4)
        low, high = (seen.bound, 1.0) if seen.interval is None else seen.interval
        held[0] += low <= entropy_bits(p) <= high
        held[1] += cv.interval[0] <= imbalance(load) <= cv.interval[1]
        low, high = fullest_interval(times.max(), n)
        held[2] += low <= p[0] <= high
    assert (held >= WORST).all(), held


FEW = {
    "two even": [0.5, 0.5],
    "four even": [0.25] * 4,
    "nearly two": [0.6, 0.399, 0.001],
    "one and 5 % spread over 2,000": [0.95] + [0.05 / 2000] * 2000,
    "one and 10 % spread over 400": [0.9] + [0.1 / 400] * 400,
    "one, or one of three": [0.97, 0.01, 0.01, 0.01],
}


@pytest.mark.parametrize("n", [3, 10, 50, 100, 200, 600])
@pytest.mark.parametrize("name", FEW)
def test_entropy_covers_where_sets_are_even_and_where_the_rest_is_dust(name: str, n: int) -> None:
    """Leaving a point out of even sets changes nothing, and hardly a set of the dust is hit twice."""
    p, random, held = np.array(FEW[name]), np.random.default_rng(n), 0
    for _ in range(SAMPLES):
        seen = estimated_entropy(random.multinomial(n, p), math.log2(max(28, len(p))))
        low, high = (seen.bound, math.inf) if seen.interval is None else seen.interval
        assert low <= seen.estimate <= high
        held += low <= -(p * np.log2(p)).sum() <= high
    assert held >= WORST, held


def test_an_even_router_is_not_called_uneven() -> None:
    random, held = np.random.default_rng(1), 0
    for _ in range(SAMPLES):
        draws = np.sort(np.argsort(random.random((400, 16)), axis=1)[:, :2], axis=1)
        sets, times = np.unique(draws, axis=0, return_counts=True)
        held += sampled_imbalance(sets, times, 16).interval[0] == 0
    assert held >= WORST


def test_no_probability_below_the_low_end_explains_the_fullest_set() -> None:
    """The end found by iteration against its definition."""
    for n, x in ((600, 2), (600, 9), (600, 300), (50, 50), (2, 2), (5000, 4990)):
        low, high = (float(end) for end in fullest_interval(x, n))
        assert binom.sf(x - 1, n, low) / low == pytest.approx(0.025, rel=1e-2)
        assert low <= x / n <= high and (x == n or binom.cdf(x, n, high) == pytest.approx(0.025))
    assert fullest_interval(1, 600)[0] == 0 and fullest_interval(7, 7)[1] == 1
    both = fullest_interval(np.array([3, 600, 3]), 600)
    assert both[0].shape == (3,) and both[0][0] == both[0][2] == fullest_interval(3, 600)[0]
    for points, n in ((0, 5), (6, 5), (1, 0)):
        with pytest.raises(ValueError, match="points is"):
            fullest_interval(points, n)


def test_entropy_of_few_points() -> None:
    one = estimated_entropy([1])
    assert one.interval is None and one.bound == 0
    collapsed, unknown = estimated_entropy([500], most=4), estimated_entropy([500])
    assert collapsed.interval[0] == 0 < collapsed.interval[1] < 0.1 and unknown.interval is None
    assert collapsed.interval[1] < estimated_entropy([500], most=5000).interval[1] < math.inf
    assert estimated_entropy([1, 0, 1]) == estimated_entropy([1, 1])
    with pytest.raises(ValueError, match="no point"):
        estimated_entropy([0])
