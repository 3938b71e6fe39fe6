"""Slices, sections, spheres and rectified routers are counted as the exact fan of the exact numbers."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracles.exact_fan import exact_fan
from tropviz import Router, RoutingFan
from tropviz.core.collapse import rectified
from tropviz.core.exact_rows import dot
from tropviz.core.manifold.crossings import cells_crossed
from tropviz.core.manifold.shapes import manifold
from tropviz.core.slices import principal_directions, restrict
from tropviz.core.spatial.section import section

LATTICE = json.loads((Path(__file__).parents[1] / "data" / "lattice_slices.json").read_text())
seeds = st.integers(0, 2**32 - 1)


def exactly_sliced(router: Router, origin: np.ndarray, basis: np.ndarray) -> tuple[list, list]:
    """W basis^T and W origin + b in rational numbers."""

    def times(row: np.ndarray, other: np.ndarray) -> Fraction:
        return sum((Fraction(x) * Fraction(y) for x, y in zip(row, other, strict=True)), Fraction(0))

    W = [[times(row, direction) for direction in basis] for row in router.W]
    return W, [times(row, origin) + Fraction(c) for row, c in zip(router.W, router.b, strict=True)]


def assert_is(fan: RoutingFan, W: list, b: list, k: int) -> None:
    """The cells and walls of the fan are those of the rational router."""
    cells, walls = exact_fan(W, b, k)
    sets = [tuple(row) for row in fan.active_sets.tolist()]
    assert sets == sorted(cells)
    assert {frozenset((sets[i], sets[j])) for i, j in fan.neighbours.tolist()} == walls
    assert fan.count.kind == "exact"
    assert fan.verify().failures == ()


@pytest.mark.parametrize("case", LATTICE, ids=range(len(LATTICE)))
def test_slices_of_lattice_routers_that_were_counted_wrong(case: dict) -> None:
    fan = RoutingFan(restrict(Router(case["W"], None, case["k"]), case["origin"], case["basis"]))
    assert (int(fan.count), fan.count.kind) == (case["cells"], "exact")
    assert fan.verify().failures == ()


def lattice(random: np.random.Generator, N: int, d: int) -> Router:
    """Ternary or 4-bit weights with copies, parallel and collinear rows."""
    top = int(random.choice([1, 7]))
    W = random.integers(-top, top + 1, (N, d)) * float(random.choice([1.0, 0.1, 2.0**-9]))
    b = random.integers(-2, 3, N) * float(random.integers(2))
    if random.integers(2):
        W[-1], b[-1] = W[0], b[0]
    if random.integers(2):
        W[0] = W[2] + random.integers(-1, 2, d) * 2.0**-40 * np.abs(W).max()  # nearly a copy; and one between
    if random.integers(2):
        W[1], b[1] = (W[0] + W[2]) / 2, (b[0] + b[2]) / 2
    order = random.permutation(N)
    return Router(W[order], b[order], int(random.integers(1, N)))


@given(seeds)
@settings(max_examples=40, deadline=None)
def test_random_slices_of_lattice_routers(seed: int) -> None:
    random = np.random.default_rng(seed)
    N, d = int(random.integers(3, 7)), int(random.integers(2, 6))
    router = lattice(random, N, d)
    if random.integers(2):
        origin, basis = principal_directions(router.W, 2)
    else:
        origin, basis = random.normal(size=d), random.normal(size=(2, d))
    if random.integers(2):
        origin = np.zeros(d)
    sliced = restrict(router, origin, basis)
    W, b = exactly_sliced(router, origin, basis)
    assert sliced.W.tolist() == [[float(x) for x in row] for row in W]  # rounded once
    assert sliced.b.tolist() == [float(x) for x in b]
    assert_is(RoutingFan(sliced), W, b, router.k)
    line = restrict(sliced, [0.1, -0.3], [[0.7, 0.2]])  # a slice of a slice
    assert_is(RoutingFan(line), *exactly_sliced_again(W, b), router.k)


def exactly_sliced_again(W: list, b: list) -> tuple[list, list]:
    along, at = (Fraction(0.7), Fraction(0.2)), (Fraction(0.1), Fraction(-0.3))
    rows = [[row[0] * along[0] + row[1] * along[1]] for row in W]
    return rows, [row[0] * at[0] + row[1] * at[1] + c for row, c in zip(W, b, strict=True)]


@pytest.mark.parametrize("seed", range(4))
def test_slices_in_space_keep_the_ties_of_a_lattice(seed: int) -> None:
    """An invertible change of axes, whose entries are no short numbers, changes no cell."""
    random = np.random.default_rng(seed)
    router = lattice(random, 8, 3)
    turned = restrict(router, random.normal(size=3), np.linalg.qr(random.normal(size=(3, 3)))[0])
    assert RoutingFan(turned).active_sets.tolist() == RoutingFan(router).active_sets.tolist()
    assert RoutingFan(turned).verify().ok


@pytest.mark.parametrize(("values", "d", "k", "cells"), [([-1, 1], 4, 2, 32), ([-1, 0, 1], 3, 1, 8)])
def test_spheres_under_lattice_routers(values: list, d: int, k: int, cells: int) -> None:
    router = Router(list(itertools.product(values, repeat=d)), None, k)
    for seed in (0, 1):
        count = cells_crossed(router, manifold("sphere", d - 1, d, seed=seed))
        assert (int(count), count.kind) == (cells, "exact")


@given(seeds)
@settings(max_examples=30, deadline=None)
def test_copies_stay_copies(seed: int) -> None:
    """Every expert twice, a plane off the origin: the cells of the single experts, by the names of both."""
    random = np.random.default_rng(seed)
    N, d, k = int(random.integers(2, 7)), int(random.integers(2, 70)), 1
    W, b = random.normal(size=(N, d)), random.normal(size=N)
    origin, basis = random.normal(size=d), random.normal(size=(2, d))
    mu, strength = random.normal(size=d), float(random.uniform())
    single, double = Router(W, b, k), Router(np.concatenate([W, W]), np.concatenate([b, b]), 2 * k)
    for change in (lambda r: restrict(r, origin, basis), lambda r: restrict(rectified(r, mu, strength), origin, basis)):
        one, two = change(single), change(double)
        assert np.array_equal(two.W[:N], two.W[N:]) and np.array_equal(two.b[:N], two.b[N:])
        sets = RoutingFan(one).active_sets.tolist()
        assert RoutingFan(two).active_sets.tolist() == [[*s, *(i + N for i in s)] for s in sets]


def test_experts_that_a_slice_makes_equal_are_copies() -> None:
    """They differ along an axis that the slice does not see; 0.1 and 0.7 are no short numbers."""
    W, b = np.array([[3, 1, 5], [3, 1, -2], [-1, 2, 0], [0, -1, 1]]) * 0.1, np.zeros(4)
    for k in (1, 2, 3):
        router, plane = Router(W, b, k), (np.array([0.3, 0.7, 0]), np.array([[0.1, 0.7, 0], [0.2, -0.3, 0]]))
        flat = restrict(router, *plane)
        assert flat.exact.classes[1].tolist() == [0, 0, 1, 2]
        assert_is(RoutingFan(flat), *exactly_sliced(router, *plane), k)


@given(seeds)
@settings(max_examples=30, deadline=None)
def test_rectified_routers(seed: int) -> None:
    """Experts at the points of a lattice stay tied where they were: b - lambda W mu is taken exactly."""
    random = np.random.default_rng(seed)
    d = int(random.integers(1, 3))
    router = lattice(random, 6 - d, d)
    mu, strength = random.normal(size=d), float(random.uniform())
    b = [
        Fraction(c) - Fraction(strength) * sum(Fraction(x) * Fraction(m) for x, m in zip(row, mu, strict=True))
        for row, c in zip(router.W, router.b, strict=True)
    ]
    behind = rectified(router, mu, strength)
    assert behind.b.tolist() == [float(x) for x in b] and np.array_equal(behind.W, router.W)
    assert_is(RoutingFan(behind), router.W.tolist(), b, router.k)


def test_sections_are_those_of_the_fan() -> None:
    """Cells of a plane cut through a lattice fan are cells of the fan; planes that just miss a wall too."""
    grid = np.array(list(itertools.product([-1, 0, 1], repeat=3)))
    fan = RoutingFan(Router(2 * grid, -(grid**2).sum(axis=1), k=1))
    for normal, level in (([1, 2, 3], 0.1), ([1, 1, 1], 0.0), ([0, 0, 1], 0.3), ([1, -1, 0], 1e-9)):
        cut = section(fan, normal, level, 3)
        assert (cut.rows >= 0).all()
        W, b = exactly_sliced(fan.router, cut.origin, cut.basis)
        few = cut.fan.active_sets[:, 0]  # the oracle is slow: the experts that are active, all others are below
        cells, _ = exact_fan([W[i] for i in few[:7]], [b[i] for i in few[:7]], 1)
        assert len(cells) == len(few[:7])
        assert cut.fan.verify().failures == ()


def test_sums_of_products_as_if_in_106_bits() -> None:
    random = np.random.default_rng(0)
    for spread in (0, 8, 40):
        x, y = (random.normal(size=(5, 33)) * 10.0 ** random.integers(-spread, spread + 1, (5, 33)) for _ in "xy")
        high, low, bound = dot(x, y)
        for i, j in itertools.product(range(5), range(5)):
            right = sum(Fraction(a) * Fraction(b) for a, b in zip(x[i], y[j], strict=True))
            assert abs(right - Fraction(high[i, j]) - Fraction(low[i, j])) <= Fraction(bound[i, j])
            assert bound[i, j] < 1e-27 * (np.abs(x[i]) @ np.abs(y[j]))


def test_floats_that_suffice_are_all_there_is() -> None:
    """Small whole numbers in, small whole numbers out: nothing is remembered, nothing costs more."""
    cut = restrict(Router([[1, 2, 3], [4, 5, 6]], k=1), [1, 0, -1], [[1, 0, 2], [0, 1, 0.5]])
    assert cut.exact.given and cut.W.tolist() == [[7, 3.5], [16, 8]] and cut.b.tolist() == [-2, -2]
