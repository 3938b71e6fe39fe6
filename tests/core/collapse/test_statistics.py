"""Statistics of routed data against slow definitions and known values."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tropviz.core.collapse.clouds import cloud
from tropviz.core.collapse.entropy import entropy_bits, estimated_entropy
from tropviz.core.collapse.load import imbalance, switch_loss
from tropviz.core.collapse.statistics import routed, softmax
from tropviz.core.router import Router
from tropviz.core.wilson import wilson


@pytest.fixture
def seen() -> tuple:
    rng = np.random.default_rng(0)
    router = Router(rng.standard_normal((7, 3)), rng.standard_normal(7), 3)
    x = cloud(500, 3, offset=1, direction=[1, 1, 0], spread=1, seed=1)
    return router, x, routed(router, x)


def test_counts_against_a_dictionary(seen: tuple) -> None:
    router, x, out = seen
    slow = Counter(tuple(np.sort(np.argsort(-s, kind="stable")[:3]).tolist()) for s in router.scores(x))
    assert dict(zip(map(tuple, out.active_sets.tolist()), out.hits.tolist(), strict=True)) == dict(slow)
    assert list(out.hits) == sorted(out.hits, reverse=True)
    assert out.load.tolist() == [sum(n for s, n in slow.items() if i in s) for i in range(7)]
    assert out.load.sum() == 500 * 3 and out.hits.sum() == 500
    assert float(out.saturation) == max(slow.values()) / 500
    shares = [n / 500 for n in slow.values()]
    assert entropy_bits(out.hits) == pytest.approx(-sum(p * math.log2(p) for p in shares))
    assert float(out.entropy) == estimated_entropy(out.hits).estimate > entropy_bits(out.hits)
    assert float(out.effective_sets) == pytest.approx(2 ** float(out.entropy))
    assert out.effective_sets.interval == pytest.approx([2**end for end in out.entropy.interval])
    assert int(out.sets_hit) == len(slow) and out.sets_hit.kind == "exact"


def test_switch_loss_and_imbalance_against_the_definition(seen: tuple) -> None:
    router, x, out = seen
    gates = [np.exp(s) / np.exp(s).sum() for s in router.scores(x)]
    f = out.load / (500 * 3)
    assert float(out.switch_loss) == pytest.approx(7 * float(f @ np.mean(gates, axis=0)))
    mean = out.load.sum() / 7
    assert float(out.imbalance) == pytest.approx(math.sqrt(sum((v - mean) ** 2 for v in out.load) / 7) / mean)


def test_load_imbalance_and_collapse_are_two_things() -> None:
    even_but_few = routed(Router([[1, 0], [1, 0.1], [-1, 0], [-1, 0.1]], None, 2), [[1, 0], [-1, 0]] * 50)
    assert float(even_but_few.imbalance) == 0 and int(even_but_few.sets_hit) == 2
    one = routed(Router([[1, 0], [1, 0.1], [-1, 0], [-1, 0.1]], None, 2), [[1, 0]] * 50)
    assert float(one.saturation) == 1 and float(one.imbalance) == 1


@pytest.mark.parametrize(
    ("share", "n", "low", "high"),
    # by hand from Wilson's quadratic, z = 1.96
    [(0.5, 100, 0.40383, 0.59617), (0.0, 20, 0.0, 0.16113), (1.0, 20, 0.83887, 1.0), (0.07, 1000, 0.05578, 0.08751)],
)
def test_wilson_known_values(share: float, n: int, low: float, high: float) -> None:
    assert wilson(share, n) == (pytest.approx(low, abs=2e-5), pytest.approx(high, abs=2e-5))


@given(st.integers(1, 5000), st.floats(0, 1))
def test_wilson_solves_its_own_equation(n: int, at: float) -> None:
    share = round(at * n) / n
    for end in wilson(share, n):
        assert 0 <= end <= 1
        assert abs(share - end) <= 1.96 * math.sqrt(end * (1 - end) / n) + 1e-9
    low, high = wilson(share, n)
    assert low <= share <= high


def test_a_sample_that_hits_too_many_sets_once_gives_a_lower_bound() -> None:
    rng = np.random.default_rng(0)
    out = routed(Router(rng.standard_normal((64, 8)), None, 8), rng.standard_normal((300, 8)))
    assert out.entropy.kind == out.effective_sets.kind == "lower" and out.entropy.interval is None
    everyone = routed(Router(rng.standard_normal((3, 2)), None, 3), rng.standard_normal((300, 2)))
    assert everyone.entropy.interval == (0, 0)  # there is one set only


@given(st.lists(st.integers(1, 50), min_size=1, max_size=20))
def test_entropy_lies_between_zero_and_the_log_of_the_sets(counts: list[int]) -> None:
    assert 0 <= entropy_bits(counts) <= math.log2(len(counts)) + 1e-12
    assert entropy_bits([c * 3 for c in counts]) == pytest.approx(entropy_bits(counts), abs=1e-9)


def test_edges() -> None:
    assert switch_loss([1, 1, 1], [1 / 3] * 3) == pytest.approx(1) and imbalance([4, 4]) == 0
    assert np.allclose(softmax([[1e4, -1e4], [0, 0]]), [[1, 0], [0.5, 0.5]])
    with pytest.raises(ValueError, match="at least one point"):
        routed(Router([[1, 0]], None, 1), np.empty((0, 2)))
    with pytest.raises(ValueError, match="n is 0"):
        wilson(0.5, 0)
