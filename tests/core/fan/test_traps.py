"""What must change nothing: scales, shifts, order, twins, near twins, more dimensions than needed."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb

import numpy as np
import pytest

from tropviz import Router, RoutingFan

random = np.random.default_rng(0)
WHOLE = random.integers(-3, 4, (9, 2)).astype(float), random.integers(-3, 4, 9).astype(float)
REAL = random.normal(size=(9, 2)), random.normal(size=9)


def summary(W: np.ndarray, b: np.ndarray | None, k: int) -> tuple:
    fan = RoutingFan(Router(W, b, k))
    assert fan.count.kind == "exact"
    assert fan.verify().failures == ()
    return fan.active_sets.tolist(), fan.neighbours.tolist(), fan.bounded.tolist()


CHANGES: dict[str, Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]] = {
    "tiny": lambda W, b: (W * 2.0**-990, b * 2.0**-990),
    "huge": lambda W, b: (W * 2.0**990, b * 2.0**990),
    "one column": lambda W, b: (W * [1e12, 1.0], b),
    "bias": lambda W, b: (W, b * 1e12),
    "weights": lambda W, b: (W * 1e12, b),
    "common bias": lambda W, b: (W, b + 2.0**30),
}


@pytest.mark.parametrize("name", list(CHANGES))
@pytest.mark.parametrize("k", [1, 4, 8])
def test_scales_change_nothing(name: str, k: int) -> None:
    assert summary(*CHANGES[name](*WHOLE), k) == summary(*WHOLE, k)
    assert summary(*CHANGES[name](*REAL), k) == summary(*REAL, k)


@pytest.mark.parametrize("factor", [1e-300, 1e-12, 1e12, 1e300])
def test_any_common_factor_leaves_a_generic_router(factor: float) -> None:
    assert summary(REAL[0] * factor, REAL[1] * factor, 4) == summary(*REAL, 4)


@pytest.mark.parametrize("k", [2, 5])
def test_a_common_shift_of_integer_rows_changes_nothing(k: int) -> None:
    assert summary(WHOLE[0] + 1e14, WHOLE[1], k) == summary(*WHOLE, k)


def test_one_long_row_is_still_exact() -> None:
    W, b = REAL[0].copy(), REAL[1].copy()
    W[3] *= 1e12
    totals = sum(len(summary(W, b, k)[0]) for k in range(1, 9))
    assert totals == sum(comb(9, i) for i in range(1, 4)) - 1


@pytest.mark.parametrize("gap", [1e-6, 1e-10, 1e-13])
def test_near_twins_stay_two_experts(gap: float) -> None:
    W, b = REAL[0].copy(), np.zeros(9)
    W[5] = W[2] * (1 + gap * np.array([1.0, -1.0]))
    assert sum(len(summary(W, None, k)[0]) for k in range(1, 9)) == 2 * (8 + comb(8, 2))
    W[5], b = W[2] + gap * np.array([1.0, -1.0]), REAL[1].copy()
    b[5] = b[2]
    assert sum(len(summary(W, b, k)[0]) for k in range(1, 9)) == sum(comb(9, i) for i in range(1, 4)) - 1


def test_twins_make_no_cell_of_their_own() -> None:
    """Every expert twice, k even: the fan of k / 2 of the single experts, by the names of both twins."""
    W, b = REAL
    single = RoutingFan(Router(W, b, 2))
    double = RoutingFan(Router(np.concatenate([W, W]), np.concatenate([b, b]), 4))
    assert double.active_sets.tolist() == [[*s, *(i + 9 for i in s)] for s in single.active_sets.tolist()]
    assert double.neighbours.tolist() == single.neighbours.tolist()
    assert double.verify().failures == ()


@pytest.mark.parametrize("k", [1, 3, 7])
def test_a_reordering_of_experts_renames_the_cells(k: int) -> None:
    order = np.random.default_rng(1).permutation(9)
    place = np.argsort(order)
    sets, walls, _ = summary(*REAL, k)
    moved, moved_walls, _ = summary(REAL[0][order], REAL[1][order], k)
    assert moved == sorted(sorted(place[s].tolist()) for s in sets)
    assert len(moved_walls) == len(walls)


def test_extra_dimensions_change_nothing() -> None:
    """W = (plane router) times a 2 x 5 integer matrix: the same cells and walls in R^5, all unbounded."""
    frame = np.array([[1, 2, 0, -1, 3], [0, 1, -2, 1, 1]])
    sets, walls, _ = summary(*WHOLE, 3)
    wide = RoutingFan(Router(WHOLE[0] @ frame, WHOLE[1], 3))
    assert wide.active_sets.tolist() == sets
    assert wide.neighbours.tolist() == walls
    assert len(wide.lineality) == 3
    assert not wide.bounded.any()
    assert wide.verify().failures == ()


def test_a_bias_that_is_linear_in_w_only_moves_the_fan() -> None:
    centre = np.array([2.0, -3.0])
    fan, central = RoutingFan(Router(WHOLE[0], -WHOLE[0] @ centre, 3)), RoutingFan(Router(WHOLE[0], None, 3))
    assert fan.active_sets.tolist() == central.active_sets.tolist()
    assert fan.vertices.tolist() == [centre.tolist()]


def test_a_lattice_is_exact_and_a_polygon_has_its_symmetry() -> None:
    grid = np.array([(i, j) for i in range(6) for j in range(6)])
    fan = RoutingFan(Router(2 * grid, -(grid**2).sum(axis=1), 4))
    turn = np.array([6 * j + (5 - i) for i in range(6) for j in range(6)])  # a quarter turn of the lattice
    sets = {tuple(s) for s in fan.active_sets.tolist()}
    assert {tuple(sorted(turn[list(s)].tolist())) for s in sets} == sets
    assert fan.verify().failures == ()
    angle = 2 * np.pi * np.arange(30) / 30
    assert len(summary(np.column_stack([np.cos(angle), np.sin(angle)]), None, 7)[0]) == 30


@pytest.mark.parametrize(
    ("W", "b", "k"),
    [
        (
            [[-0.1, 0.1], [0.2, 0.0], [-0.1, 0.4], [-0.5, 0.30000000000000004], [0.5, -0.4], [-0.1, -0.5]],
            [-0.03, -0.06, -0.21, -0.030000000000000027, 0.09, 0.33],
            1,
        ),
        (
            [[-0.9999999999999999, -0.25], [-1, -0.25], [0.25, 0.25], [0.25, 0.25000000000000006], [-1, 0]],
            [-1, -1, -2, -2, -1],
            3,
        ),
    ],
    ids=["lines that meet but for rounding", "one unit in the last place"],
)
def test_a_cell_of_rounding_has_its_witness_inside(W: list, b: list, k: int) -> None:
    """The middle of such a cell is rounded out of it; nearer to a corner, or farther out, floats lie in it."""
    fan = RoutingFan(Router(W, b, k=k))
    rows = [[Fraction(x) for x in (*row, bias)] for row, bias in zip(W, b, strict=True)]
    for active, point in zip(fan.active_sets.tolist(), fan.witnesses.tolist(), strict=True):
        x = [*map(Fraction, point), Fraction(1)]
        scores = [sum(p * q for p, q in zip(row, x, strict=True)) for row in rows]
        rest = [i for i in range(len(rows)) if i not in active]
        assert all(scores[i] > scores[j] for i in active for j in rest if rows[i] != rows[j])
    assert fan.verify().ok
