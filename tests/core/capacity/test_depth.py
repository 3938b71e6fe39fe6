"""Dense networks with as many regions: integers by brute force, and the two sides of the number of layers."""

import math
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tropviz.core import capacity
from tropviz.core.capacity import dense_width, layers_enough, layers_needed
from tropviz.core.count import Count


def r(m: int, d: int) -> int:
    return sum(math.comb(m, j) for j in range(d + 1))


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 10**9), st.integers(1, 9))
def test_least_width_by_walking_up(regions, d):
    regions = min(regions, r(300, d))
    assert int(dense_width(regions, d)) == next(m for m in range(301) if r(m, d) >= regions)


@pytest.mark.parametrize("d", [65, 100, 301])
def test_least_width_of_long_sums(d):
    for m in (d - 1, d, d + 1, 2 * d, 5 * d):
        assert [int(dense_width(r(m, d) + more, d)) for more in (-1, 0, 1)] == [m, m, m + 1]


@settings(max_examples=80, deadline=None)
@given(st.integers(1, 10**12), st.integers(2, 40), st.integers(1, 5))
def test_layers_by_walking_up(regions, width, d):
    needed = next(L for L in range(1, 99) if r(width, d) ** L >= regions)
    attained = (
        (L, max((width // e) ** (e * (L - 1)) * r(width, e) for e in range(1, min(d, width) + 1))) for L in range(1, 99)
    )
    enough = next(L for L, number in attained if number >= regions or (L == 1 and r(width, d) >= regions))
    assert int(layers_needed(regions, width, d)) == needed <= int(layers_enough(regions, width, d)) == enough


def test_two_layers_that_fold_have_as_many_regions_as_is_said():
    """The folding construction on a line: 2 units fold, 3 units cut, counted by slopes along a dense grid."""
    n, L = 4, 3
    x = [i / 40_000 + 1e-7 for i in range(40_000)]
    slopes = []
    for t in x:
        slope = 1.0
        for _ in range(L - 1):
            s = (t * n) % 2
            slope *= n if s < 1 else -n
            t = min(s, 2 - s)
        slopes.append((slope, sum(t > (i + 0.5) / n for i in range(n))))
    pieces = 1 + sum(a != b for a, b in pairwise(slopes))
    assert pieces == n ** (L - 1) * (n + 1)
    assert int(layers_enough(pieces, n, 1)) == L and int(layers_enough(pieces + 1, n, 1)) == L + 1


def test_rows_of_a_shape_and_of_a_layer_at_hand():
    rows = {row.mark: row for row in capacity.depths(16, 4, 8, 2, this=Count(602, "exact", "counted"))}
    assert list(rows) == ["promised", "designed", "random", "this"]
    assert int(rows["this"].width) == 35 and int(rows["random"].width) == 40
    table = capacity.table(16, 4, 8, 2)
    assert rows["promised"].layers_enough == table["depth"] and rows["promised"].width == table["dense_width"]
    for row in rows.values():
        assert row.layers_needed.kind == "lower" and row.layers_enough.kind == "upper"
    beyond = capacity.depths(4096, 2048, 1, 2500)[2]
    assert math.isnan(beyond.width.value) and "N = 4096" in beyond.width.assumption


@pytest.mark.parametrize(
    "call", [lambda: dense_width(0, 2), lambda: dense_width(math.nan, 2), lambda: dense_width(2, 0)]
)
def test_refusals(call):
    with pytest.raises(ValueError, match=r"regions is .*\.$"):
        call()


def test_a_width_that_folds_nothing():
    assert math.isnan(layers_enough(3, 1, 2).value) and int(layers_needed(3, 1, 2)) == 2
