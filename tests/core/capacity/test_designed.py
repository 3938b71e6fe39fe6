"""Designed weights: the number is the exact count of the layer returned, whichever construction it is."""

import importlib
import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from tests.oracles import exact_regions as oracle
from tropviz import MoELayer, Router, RoutingFan
from tropviz.core import capacity, presets
from tropviz.core.capacity import constructions, designed, designed_count, hyperplane_regions, slice_bound

SHAPES = [
    *((N, k, H, 1) for N, k, H in [(1, 1, 2), (5, 1, 2), (6, 2, 3), (7, 5, 2), (16, 4, 8)]),
    *((N, k, H, 2) for N, k, H in [(1, 1, 3), (3, 1, 4), (4, 2, 3), (6, 2, 3), (6, 3, 2), (5, 3, 2), (9, 4, 1)]),
    *(
        (N, k, H, 2)
        for N, k, H in [(16, 4, 8), (16, 4, 1), (16, 4, 32), (16, 1, 32), (8, 2, 8), (8, 2, 13), (64, 8, 4)]
    ),
    *((N, k, H, 3) for N, k, H in [(1, 1, 3), (3, 1, 4), (4, 2, 3), (5, 3, 2), (8, 2, 2), (4, 3, 1), (9, 5, 2)]),
]


@pytest.mark.parametrize("shape", SHAPES)
def test_every_construction_has_the_regions_it_says(shape):
    for design in constructions(*shape):
        W, b, U, c = design.weights()
        counted = MoELayer(Router(W, b, shape[1]), U, c).regions(None)
        assert (int(counted), counted.kind) == (design.regions, "exact"), design.name
        assert design.regions <= slice_bound(*shape)


def test_the_best_is_returned_and_named():
    assert int(designed(16, 1, 32, 2).regions()) == int(designed_count(16, 1, 32, 2)) == 8464
    layer = designed(16, 4, 8, 2)
    assert int(layer.regions()) == int(designed_count(16, 4, 8, 2)) == int(capacity.table(16, 4, 8, 2)["designed"])
    assert int(layer.regions()) == 5797 and int(designed_count(8, 2, 8, 2)) == 1144  # found by a search
    polygon = next(d for d in constructions(16, 4, 8, 2) if d.name == "polygon")
    assert polygon.regions == 16 + 16 * 8 * 4 + 16 * math.comb(8, 2) + 16 * 3 * 64 == 4048
    assert int(designed_count(16, 4, 8, 3)) == 44381


def test_top_one_attains_the_product_in_any_dimension():
    for N, H, d in [(3, 2, 1), (16, 32, 2), (5, 4, 3), (7, 9, 6), (256, 2048, 40)]:
        product = N * hyperplane_regions(H, d)
        assert int(designed_count(N, 1, H, d)) >= product
        assert next(x for x in constructions(N, 1, H, d) if x.name == "groups").regions == product


def test_four_dimensions_by_splitting():
    """The moment construction where the library cannot count: polytopes cut in rational arithmetic."""
    N, k, H, d = 4, 2, 1, 4
    for design in constructions(N, k, H, d):
        W, b, U, c = design.weights()
        router = oracle.exact(np.column_stack([W, b]).tolist())
        hinges = {i: oracle.exact(np.column_stack([U[i], c[i]]).tolist()) for i in range(N)}
        box = [(-Fraction(10**6), Fraction(10**6))] * d
        assert sum(oracle.regions(router, hinges, k, box).values()) == design.regions, design.name


def test_moment_curve_routers_keep_every_set():
    for N, k, d in [(8, 2, 4), (5, 2, 4), (6, 4, 4)]:
        assert int(RoutingFan(Router(*presets.moment_curve(N, d), k=k)).count) == math.comb(N, k)
    # (12, 3) in d = 6, without its fan: each set has a point that the router sends there
    W, _ = presets.moment_curve(12, 6)
    t = W[:, 0] / math.sqrt(2)
    for active in list(combinations(range(12), 3))[::11]:
        # -prod (t - t_i)^2 is a polynomial of degree 6, largest on its own roots: its coefficients are the input
        series = -np.polynomial.chebyshev.chebfromroots([t[i] for i in active for _ in range(2)])
        x = series[1:] / math.sqrt(2)
        assert Router(W, k=3).active_sets(x[None])[0].tolist() == list(active)


def test_presets_open_a_designed_layer():
    W, _, U, c = presets.designed(6, 2, 3, 2)
    layer = designed(6, 2, 3, 2)
    assert np.array_equal(layer.router.W, W) and np.array_equal(layer.U, U) and np.array_equal(layer.c, c)
    with pytest.raises(ValueError, match="read-only"):
        U[0, 0, 0] = 1.0


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: designed(4, 2, 2, 0), "d = 0"),
        (lambda: designed(4, 5, 2, 2), "k = 5 with N = 4"),
        (lambda: designed(4096, 2, 16384, 2), "numbers: choose smaller sizes"),
    ],
)
def test_refusals(call, says):
    with pytest.raises(ValueError, match=says):
        call()


@pytest.mark.parametrize(("N", "k", "H", "d"), [(1, 1, 3, 2), (7, 7, 2, 3), (9, 1, 5, 4), (9, 4, 3, 5), (12, 8, 2, 3)])
def test_subsets_that_meet_are_those_found_one_first_expert_at_a_time(N, k, H, d):
    kernel, found = importlib.import_module("tropviz.core.capacity.designed"), 0
    for spread, sums in enumerate(kernel._subsets(k, H, d)):
        for rest, ways in sums.items():
            for first in range(N - spread):
                lowest = min(max(-((2 * d * k - 4 * (first * d + rest) - 1) // (4 * d)), 0), N - k)
                found += ways * (lowest <= first and first + spread < lowest + k)
    assert kernel._meeting(N, k, H, d) == found > 0
