"""The slice law and the region law: tables, exact totals, symmetry, and random routers counted one by one."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tropviz.core.slice_law import (
    dimension_for,
    expected_cells,
    expected_gain,
    expected_regions,
    gain_dimension,
    law,
    resilience_dimension,
    resilience_estimate,
    share_kept,
)

#: (N, k), cells kept in d = 2, 3, 8, d*, first d that keeps 50 % and 99 %.
TABLE = [
    ((8, 2), (8.07, 17.11, 28), 2.69, 3, 6),
    ((16, 4), (17.03, 78.44, 1.6e3), 6.00, 6, 11),
    ((16, 1), (6.3, 10.8, 16.0), 2.51, 3, 7),
    ((32, 4), (22, 139, 1.4e4), 8.72, 9, 15),
    ((64, 6), (37, 385, 6.4e5), 15.14, 16, 23),
    ((64, 8), (46, 589, 3.0e6), 18.04, 18, 27),
    ((128, 4), (31, 272, 2.0e5), 14.77, 15, 24),
    ((128, 8), (55, 855, 1.2e7), 23.81, 24, 34),
    ((160, 6), (46, 587, 3.2e6), 21.14, 22, 32),
    ((256, 8), (63, 1.1e3, 3.5e7), 30.04, 30, 43),
]


def cover(N, d):
    """Cells of a central router in general position, summed over k = 1 .. N - 1 (Cover 1965)."""
    return 2 * sum(math.comb(N - 1, i) for i in range(1, d + 1))


def cover_affine(N, d):
    return sum(math.comb(N, i) for i in range(1, d + 2)) - 1


@pytest.mark.parametrize(("shape", "cells", "star", "half", "nearly"), TABLE)
def test_table_of_published_shapes(shape, cells, star, half, nearly):
    for d, known in zip((2, 3, 8), cells, strict=True):
        assert expected_cells(*shape, d).value == pytest.approx(known, rel=0.032)
    assert resilience_dimension(*shape) == pytest.approx(star, abs=0.0051)
    assert (dimension_for(*shape, 0.5), dimension_for(*shape, 0.99)) == (half, nearly)
    at = resilience_dimension(*shape)
    below, above = (share_kept(*shape, d) for d in (math.floor(at), math.floor(at) + 1))
    assert 0.504 < below + (above - below) * (at - math.floor(at)) < 0.5345
    assert resilience_dimension(*shape) == pytest.approx(resilience_estimate(*shape), abs=0.11)


@pytest.mark.parametrize(("shape", "star"), [((512, 1), 7.113), ((1024, 1), 8.156), ((1024, 8), 43.836)])
def test_the_quick_formula_is_good_to_a_third(shape, star):
    assert resilience_dimension(*shape) == pytest.approx(star, abs=0.001)
    assert -0.36 < resilience_estimate(*shape) - star < 0.1


def test_the_estimate_reaches_sizes_the_law_does_not():
    assert resilience_estimate(4096, 2048) == pytest.approx(4096 / 2, abs=2)  # symmetric: c = 0, G(0) = 1/2
    assert resilience_estimate(5, 5) == 0


@pytest.mark.parametrize("d", [1, 2, 3, 4, 5, 6, 7, 8])
def test_summed_over_k_it_is_covers_total(d):
    assert sum(expected_cells(64, k, d).value for k in range(1, 64)) == pytest.approx(cover(64, d), rel=1e-9)
    affine = sum(expected_cells(64, k, d, affine=True).value for k in range(1, 64))
    assert affine == pytest.approx(cover_affine(64, d), rel=1e-9)


def test_top_one_in_the_plane_is_the_renyi_sulanke_integral():
    """Independent: corners of the hull of N Gaussian points, 4 sqrt(pi) C(N,2) int Phi^(N-2) phi^2."""
    t = np.linspace(-9, 9, 20001)
    phi = np.exp(-(t**2) / 2) / math.sqrt(2 * math.pi)
    below = np.array([math.erfc(-x / math.sqrt(2)) / 2 for x in t])
    for N in (3, 16, 500, 4096):
        corners = 4 * math.sqrt(math.pi) * math.comb(N, 2) * (below ** (N - 2) * phi**2).sum() * (t[1] - t[0])
        assert expected_cells(N, 1, 2).value == pytest.approx(corners, rel=1e-9)


def test_edges_of_the_range():
    assert expected_cells(9, 3, 0).value == expected_cells(9, 3, 0, affine=True).value == 1
    assert expected_cells(9, 3, 1).value == pytest.approx(2, rel=1e-12)
    assert expected_cells(9, 3, 8).value == expected_cells(9, 3, 40).value == 84
    assert expected_cells(9, 3, 8, affine=True).value == 84
    assert [expected_cells(N, N, d).value for N in (1, 5) for d in (0, 1, 7)] == [1] * 6
    assert (resilience_dimension(5, 5), dimension_for(5, 5, 1), dimension_for(9, 3, 1)) == (0, 0, 8)
    assert expected_cells(2, 1, 1).value == 2 and resilience_dimension(2, 1) == pytest.approx(0.5)


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 60), st.data())
def test_invariants(N, data):
    k = data.draw(st.integers(1, N - 1))
    d = data.draw(st.integers(1, N))
    cells = expected_cells(N, k, d).value
    assert cells == pytest.approx(expected_cells(N, N - k, d).value, rel=1e-11)
    assert cells <= expected_cells(N, k, d + 1).value * (1 + 1e-12) <= math.comb(N, k) * (1 + 1e-11)
    assert expected_cells(N, k, d, affine=True).value >= cells * (1 - 1e-12)
    assert cells <= cover(N, d) * (1 + 1e-12)


def cells_by_direction(W, k):
    """Cells of a central router in the plane, by sorting every wall's angle: independent of hulls and of the law."""
    i, j = np.triu_indices(len(W), 1)
    wall = np.arctan2(W[i, 0] - W[j, 0], -(W[i, 1] - W[j, 1]))
    turns = np.sort(np.concatenate([wall, wall + np.pi]) % (2 * np.pi))
    middle = (turns + np.append(turns[1:], turns[0] + 2 * np.pi)) / 2
    sets = np.sort(np.argsort(-(np.stack([np.cos(middle), np.sin(middle)], 1) @ W.T), axis=1)[:, :k], axis=1)
    return len(np.unique(sets, axis=0))


def two_sided(samples, expected):
    """A test at four standard errors; the standard error comes from the samples."""
    samples = np.asarray(samples, dtype=float)
    assert abs(samples.mean() - expected) <= 4 * samples.std(ddof=1) / math.sqrt(len(samples))


@pytest.mark.parametrize(("N", "k"), [(8, 2), (16, 4), (16, 1)])
def test_random_routers_in_the_plane_keep_what_the_law_says(N, k):
    rng = np.random.default_rng(3)
    mix, mean = rng.normal(size=(2, 2)), rng.normal(size=2)  # any common covariance and mean
    counts = [cells_by_direction(rng.normal(size=(N, 2)) @ mix + mean, k) for _ in range(300)]
    two_sided(counts, expected_cells(N, k, 2).value)


def regions_by_enumeration(W, b, k, U, c):
    """Linear regions and cells of a layer on the line: sort every wall and hinge, ask in the middle of each gap."""
    i, j = np.triu_indices(len(W), 1)
    cuts = np.unique(np.concatenate([-(b[i] - b[j]) / (W[i] - W[j]), (-c / U).ravel()]))
    x = np.concatenate([[cuts[0] - 1], (cuts[:-1] + cuts[1:]) / 2, [cuts[-1] + 1]])
    active = np.zeros((len(x), len(W)), dtype=bool)
    np.put_along_axis(active, np.argsort(-(np.outer(x, W) + b), axis=1)[:, :k], True, axis=1)
    signs = (x[:, None, None] * U + c > 0) & active[:, :, None]
    code = np.concatenate([active, signs.reshape(len(x), -1)], axis=1)
    return 1 + int((code[1:] != code[:-1]).any(axis=1).sum()), 1 + int((active[1:] != active[:-1]).any(axis=1).sum())


@pytest.mark.parametrize("central", [True, False])
def test_random_layers_on_the_line_keep_what_the_laws_say(central):
    rng = np.random.default_rng(5)
    N, k, H = 10, 3, 4
    counts = []
    for _ in range(400):
        W, b = rng.normal(size=N), rng.normal(size=N) * (0 if central else 0.7)
        counts.append(regions_by_enumeration(W, b, k, rng.normal(size=(N, H)), rng.normal(size=(N, H))))
    regions, cells = np.array(counts).T
    two_sided(regions, expected_regions(N, k, H, 1, affine=not central).value)
    if not central:
        two_sided(cells, expected_cells(N, k, 1, affine=True).value)


def test_region_law():
    assert expected_regions(16, 4, 8, 2).value == pytest.approx(817.5, abs=0.05)
    dense = sum(math.comb(32, j) for j in range(9))
    assert expected_regions(16, 4, 8, 8).value / dense == pytest.approx(9.0, abs=0.05)
    assert expected_regions(16, 16, 8, 2).value == pytest.approx(1 + 128 + math.comb(128, 2), rel=1e-12)
    full = math.comb(5, 2) * 2**6  # all of C(N,k) 2^(kH) from d = kH + N - 1 on
    assert expected_regions(5, 2, 3, 10).value == pytest.approx(full, rel=1e-12)
    assert expected_regions(5, 2, 3, 9).value < full * (1 - 1e-6)
    ratio = expected_regions(16, 4, 10**6, 2).value / (1 + 4 * 10**6 + math.comb(4 * 10**6, 2))
    assert ratio == pytest.approx(1, abs=1e-4)


def test_gain_is_the_law_over_the_dense_network():
    for d in (1, 2, 5, 9):
        dense = sum(math.comb(12, j) for j in range(d + 1))
        for affine in (False, True):
            expected = expected_regions(9, 3, 4, d, affine).value / dense
            assert expected_gain(9, 3, 4, d, affine).value == pytest.approx(expected, rel=1e-12)
    assert expected_gain(9, 3, 4, 20).value == pytest.approx(84, rel=1e-12)
    assert expected_gain(9, 3, 4, 0).value == 1
    assert expected_gain(256, 255, 256, 65535).value == pytest.approx(256, rel=1e-9)


def test_numbers_beyond_a_float_stay_numbers():
    cells = expected_cells(4096, 2048, 4095)
    assert cells.value == math.comb(4096, 2048) and isinstance(cells.value, int)
    regions = expected_regions(256, 8, 2048, 7168)
    assert isinstance(regions.value, int) and 4886 < regions.log10 < 4887
    assert "value" in regions.to_json() and share_kept(4096, 2048, 60) == 0.0
    assert share_kept(4096, 1, 12) == pytest.approx(expected_cells(4096, 1, 12).value / 4096, rel=1e-12)
    assert len(str(law.value_of(800.0))) == math.floor(800 / math.log(10)) + 1


@pytest.mark.parametrize(
    ("call", "names"),
    [
        (lambda: expected_cells(4, 5, 2), "k = 5 with N = 4"),
        (lambda: expected_cells(0, 1, 2), "N = 0"),
        (lambda: expected_cells(4, 2, -1), "d = -1"),
        (lambda: expected_regions(4, 2, 0, 2), "H = 0"),
        (lambda: dimension_for(4, 2, 0), "share = 0"),
        (lambda: share_kept(4096, 2048, 3000), "N = 4096"),
        (lambda: resilience_dimension(4096, 2048), "N = 4096"),
    ],
)
def test_refusals_name_the_entry(call, names):
    with pytest.raises(ValueError, match=names):
        call()


def test_the_cache_is_bounded():
    assert law._table.cache_info().maxsize is not None


@pytest.mark.parametrize("shape", [(8, 2), (16, 4), (16, 1), (64, 8)])
def test_a_bias_is_worth_half_a_dimension(shape):
    shares = np.array([share_kept(*shape, d, affine=True) for d in range(shape[0])])  # P(codimension <= d)
    star = resilience_dimension(*shape, affine=True)
    assert star == pytest.approx((1 - shares).sum() - 0.5) == pytest.approx(resilience_dimension(*shape) - 0.5)
    assert 0.45 < np.interp(star, np.arange(len(shares)), shares) < 0.56


def test_gain_dimension_is_where_half_of_the_multiplier_is():
    assert [gain_dimension(16, 4, H) for H in (8, 32, 256)] == [22, 68, 492]
    for N, k, H in [(5, 2, 3), (8, 2, 5), (6, 6, 2), (9, 1, 1)]:
        half = math.comb(N, k) / 2
        gains = [expected_gain(N, k, H, d).value for d in range(k * H + N)]
        assert all(a <= b * (1 + 1e-12) for a, b in pairwise(gains))  # it never falls, so it may be bisected
        assert gain_dimension(N, k, H) == next(d for d, gain in enumerate(gains) if gain >= half)


def test_published_models_keep_little_of_their_multiplier():
    from tropviz.io.architectures import architectures

    gains = {a.name: a.gain for a in architectures()}
    known = {"Mixtral 8x7B": 1.923, "gpt-oss-120b": 291.1, "OLMoE 1B-7B": 4257, "DeepSeek-V3": 4.0939e11}
    for name, value in known.items():
        assert gains[name].value == pytest.approx(value, rel=1e-3)
    assert all(g.kind == "expected" and "random" in g.assumption for g in gains.values())
    full = {a.name for a in architectures() if a.gain.value > 0.99 * math.comb(a.N, a.k)}
    assert full == {"DeepSeek-V2", "Llama 4 Scout", "Llama 4 Maverick"}


def test_the_resilience_dimension_grows_with_the_experts_and_with_k_up_to_half_of_them():
    for N in (4, 7, 8, 13, 16, 24, 40):
        of_k = [resilience_dimension(N, k) for k in range(1, N // 2 + 1)]
        assert (np.diff(of_k) > 0).all()
        assert resilience_dimension(N + 1, 2) > resilience_dimension(N, 2)
