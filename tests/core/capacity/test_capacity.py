"""Capacity: known values, slow sums beside fast ones, sizes beyond a float, refusals."""

import math
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tropviz.core import capacity
from tropviz.core.capacity.arrangements import binomials, cell_bounds, central_regions, hyperplane_regions, slice_bound
from tropviz.core.slice_law import expected_cells, expected_regions


def test_the_papers_example_row_by_row():
    rows = {name: str(count) for name, count in capacity.table(16, 4, 8, 2).items()}
    assert rows == {
        "routing_multiplier": "1,820",
        "dense_baseline": "529",
        "dense_total": "8,257",
        "moe_bound": "≤ 962,780",
        "asymptotic_form": "1,863,680",
        "slice_bound": "≤ 26,103",
        "cells_bound": "≤ 695",
        "designed": str(capacity.designed_count(16, 4, 8, 2)),
        "expected_cells": "≈ 17.03",
        "region_law": "≈ 817.5",
        "region_ratio": "≈ 1.545",
        "dense_effective": "529",
        "moe_bound_effective": "≤ 962,780",
        "dense_collapse": "37",
        "effective_ratio": "29,120",
        "ratio_of_bounds": "26,021.08",
        "depth": "≤ 3",
        "dense_width": "1,388",
        "full_product_dimension": "47",
        "top1_equal_active": "16",
        "top1_equal_total": "4",
    }


def test_ambient_and_effective_forms_differ_only_in_the_dimension():
    whole, flat = capacity.table(16, 4, 8, 6), capacity.table(16, 4, 8, 6, d_eff=2)
    assert int(flat["dense_effective"]) == int(capacity.table(16, 4, 8, 2)["dense_baseline"]) == 529
    assert whole["moe_bound"] == flat["moe_bound"]
    assert int(flat["effective_ratio"]) == 1820 * 16
    assert int(whole["dense_effective"]) == int(whole["dense_baseline"])


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 40), st.integers(0, 45))
def test_arrangements_against_their_sums(m, d):
    assert hyperplane_regions(m, d) == sum(math.comb(m, j) for j in range(d + 1))
    expected = 2 * sum(math.comb(m - 1, j) for j in range(d)) if m and d else 1
    assert central_regions(m, d) == expected


def test_arrangements_against_sign_vectors():
    """Random hyperplanes, counted by the sign vectors that a dense sample of points meets: never more, here all."""
    rng = np.random.default_rng(1)
    normals, offsets = rng.normal(size=(5, 2)), rng.normal(size=5)
    corners = [np.linalg.solve(normals[[i, j]], offsets[[i, j]]) for i, j in combinations(range(5), 2)]
    turn = np.linspace(0, 2 * np.pi, 4000)
    circles = [r * np.stack([np.cos(turn), np.sin(turn)], axis=1) for r in (1e-3, 1e3)]
    points = np.concatenate([c + circle for c, circle in product(corners, circles)])
    assert len(np.unique(points @ normals.T > offsets, axis=0)) == hyperplane_regions(5, 2) == 16
    assert len(np.unique(circles[1] @ normals.T > 0, axis=0)) == central_regions(5, 2) == 10


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 40), st.data())
def test_bounds_hold_for_the_laws(N, data):
    k, H, d = data.draw(st.integers(1, N)), data.draw(st.integers(1, 6)), data.draw(st.integers(0, 12))
    kappa = cell_bounds(N, k, d)
    assert kappa[0] == 1 and kappa == sorted(kappa) and kappa[-1] <= math.comb(N, k)
    assert expected_cells(N, k, d, affine=True).value <= kappa[d] * (1 + 1e-9)
    bound = slice_bound(N, k, H, d)
    assert expected_regions(N, k, H, d, affine=True).value <= bound * (1 + 1e-9)
    slow = sum(math.comb(N * H, j) * kappa[d - j] for j in range(d + 1))
    assert bound == slow


def test_every_k_is_bounded_by_the_sum_over_k():
    assert cell_bounds(20, 9, 2)[2] == math.comb(20, 1) + math.comb(20, 2) + math.comb(20, 3) - 1
    assert cell_bounds(1, 1, 3) == [1, 1, 1, 1]


def test_iso_compute_partners():
    fixed_experts = capacity.iso_compute(16, 4, 8)
    assert [(s.k, s.H) for s in fixed_experts] == [(1, 32), (2, 16), (4, 8), (8, 4), (16, 2)]
    assert {s.active_width for s in fixed_experts} == {32}
    equal_total = capacity.iso_compute(16, 4, 8, equal_total=True)
    assert {(s.active_width, s.total_width) for s in equal_total} == {(32, 128)}
    assert [int(s.multiplier) for s in equal_total][:3] == [4, 28, 1820]
    assert capacity.iso_compute(15, 4, 3, equal_total=True)[0].k == 4  # top-1 would need 15/4 experts
    assert max(s.N for s in capacity.iso_compute(256, 8, 2048, equal_total=True)) <= 4096


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 12), st.data())
def test_granularity_growth_is_the_papers_polynomial(N, data):
    k, m = data.draw(st.integers(1, N - 1)), data.draw(st.integers(1, 4))
    step = capacity.granularity(N, k, 12, m, d_eff=2)
    assert step.shape.active_width == 12 * k and step.shape.total_width == 12 * N
    assert step.growth.value == pytest.approx(math.comb(m * N, m * k) / math.comb(N, k), rel=1e-12)
    big = 10**9 * N  # at large N the polynomial is its leading term
    leading = Fraction(math.comb(m * big, m * k), math.comb(big, k) * big**step.degree)  # big**33 is no float
    share = float(leading) / math.exp(step.log_leading)
    assert share == pytest.approx(1, rel=1e-5)


@pytest.mark.parametrize(("N", "k", "groups", "kept"), [(8, 2, 4, 2), (9, 3, 3, 3), (9, 4, 3, 2), (6, 2, 1, 1)])
def test_group_limits_against_listing(N, k, groups, kept):
    size = N // groups
    listed = sum(len({i // size for i in active}) <= kept for active in combinations(range(N), k))
    assert capacity.grouped_choices(N, k, groups, kept) == listed


def test_granularity_floor_and_best_m():
    assert [step.blind for step in capacity.granularities(16, 4, 8, d_eff=3)] == [0, 0, 1, 2]
    assert capacity.best_granularity(16, 4, 8, 3) == 2
    assert capacity.best_granularity(16, 4, 12, 3) == 4
    assert capacity.best_granularity(16, 4, 2, 3) == 1
    held = capacity.granularity(16, 4, 8, 4, d_eff=3)
    assert (held.held_gain_bits, held.held_penalty_bits) == (8, 6)


def test_integers_stay_exact_at_any_size():
    rows = capacity.table(4096, 2048, 2, 3)
    assert int(rows["routing_multiplier"]) == math.comb(4096, 2048)
    assert int(rows["moe_bound"]) == math.comb(4096, 2048) * hyperplane_regions(4096, 3)
    huge = capacity.table(256, 8, 2048, 7168)["moe_bound"]
    assert huge.log10 > 4300 and isinstance(huge.value, int) and isinstance(huge.to_json()["value"], str)
    assert hyperplane_regions(16384, 7168) == sum(term for term, _ in zip(binomials(16384), range(7169), strict=False))
    beyond = capacity.table(4096, 2048, 1, 2500)
    assert math.isnan(beyond["region_law"].value) and "N = 4096" in beyond["region_law"].assumption


def test_numpy_integers_do_not_overflow():
    plain = capacity.table(256, 8, 200, 40)
    numpy = capacity.table(np.int64(256), np.int32(8), np.int16(200), np.int8(40))
    assert {k: v.value for k, v in plain.items()} == {k: v.value for k, v in numpy.items()}
    assert capacity.granularity(np.int8(100), np.int8(50), np.int8(100), np.int8(4), 2).shape.N == 400


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: capacity.table(16, 4, 0, 2), "H = 0"),
        (lambda: capacity.table(4, 16, 8, 2), "k = 16 with N = 4"),
        (lambda: capacity.table(4.5, 2, 8, 2), "N = 4.5"),
        (lambda: capacity.table(4, float("nan"), 8, 2), "k = nan with N = 4"),
        (lambda: capacity.table(4, 2, "8", 2), "H = 8"),
        (lambda: capacity.table(4, 2, 8, float("inf")), "d = inf"),
        (lambda: capacity.table(16, 4, 8, 2, d_eff=3), "d_eff = 3 with d = 2"),
        (lambda: capacity.table(16, 4, 8, -1), "d = -1"),
        (lambda: capacity.granularity(16, 4, 8, 3, 2), "m = 3 with H = 8: .* 1, 2, 4, 8"),
        (lambda: capacity.granularity(16, 4, 8, 0, 2), "m = 0"),
        (lambda: capacity.iso_compute(16, 4, 0), "H = 0"),
    ],
)
def test_refusals_are_one_sentence_with_a_remedy(call, says):
    with pytest.raises(ValueError, match=says) as caught:
        call()
    assert str(caught.value).count(". ") == 0 and str(caught.value).endswith(".")
