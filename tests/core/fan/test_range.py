"""Any finite entries: counts, walls, witnesses, corners and sizes against rational arithmetic."""

from __future__ import annotations

import warnings
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from operator import mul

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.oracles.exact_fan import exact_fan
from tropviz import Router, RoutingFan
from tropviz.core.fan import find, walk
from tropviz.core.fan.exact import Row
from tropviz.core.fan.verify import verify

LOWEST = -np.finfo(np.float64).max
SIZES = {1: 7, 2: 5, 3: 4}


@st.composite
def routers(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, int]:
    """Entries from 1e-300 to 1e300, or whole numbers with a masked expert or a subnormal row."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    d = draw(st.sampled_from([1, 2, 2, 3]))
    N = draw(st.integers(2, SIZES[d]))
    span = draw(st.sampled_from([0, 20, 150, 300]))
    W = random.integers(-3, 4, (N, d)) * 10.0 ** random.integers(-span, span + 1, (N, d))
    b = random.integers(-1, 3, N) * 10.0 ** random.integers(-span, span + 1, N) * float(random.integers(2))
    match draw(st.sampled_from(["as it is", "masked", "subnormal", "lifted"])):
        case "masked":
            b[random.integers(N)] = LOWEST
        case "subnormal":
            W[random.integers(N)] *= 5e-324
        case "lifted":
            b[random.integers(N)] = -LOWEST
    return W, b, draw(st.integers(1, N))


@given(routers())
@settings(max_examples=50, deadline=None)
def test_cells_and_walls_of_any_finite_router(router: tuple[np.ndarray, np.ndarray, int]) -> None:
    W, b, k = router
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fan = RoutingFan(Router(W, b, k))
        report = fan.verify()
    cells, walls = exact_fan(W.tolist(), b.tolist(), k)
    sets = [tuple(row) for row in fan.active_sets.tolist()]
    assert (sets, fan.count.kind) == (sorted(cells), "exact")
    assert {frozenset((sets[i], sets[j])) for i, j in fan.neighbours.tolist()} == walls
    assert report.failures == ()


def test_a_masked_expert_leaves_the_window_to_the_others() -> None:
    fan = RoutingFan(Router([[1, 0], [0, 1], [-1, -1], [2, 2]], [0, 0, 0, LOWEST], k=2))
    assert (int(fan.count), fan.count.kind) == (5, "exact")
    areas = np.zeros(5)
    ids, values = fan.volumes(3)
    areas[ids] = values
    assert areas.tolist() == [13.5, 11.25, 0, 11.25, 0]
    assert fan.verify().failures == ()


def test_lengths_of_cells_whose_weights_differ_by_next_to_nothing() -> None:
    ids, values = RoutingFan(Router([[1e-170], [-1e-170], [1]], [0, 0, -5], k=1)).volumes(2)
    assert (ids.tolist(), values.tolist()) == ([0, 1], [2.0, 2.0])


def test_two_hundred_powers_of_ten_between_two_experts() -> None:
    fan = RoutingFan(Router([[1e-200], [0], [-1e200]], [1e-200, 0, 0], k=2))
    assert (fan.active_sets.tolist(), fan.count.kind) == ([[0, 1], [0, 2], [1, 2]], "exact")


def gap_at(W: np.ndarray, b: np.ndarray, active: list[int], x: np.ndarray) -> Fraction:
    """Least difference of the exact score of an active and of another expert."""
    scores = [sum(map(mul, map(Fraction, row), map(Fraction, x)), Fraction(c)) for row, c in zip(W, b, strict=True)]
    return min(scores[i] for i in active) - max(s for j, s in enumerate(scores) if j not in active)


ULP = np.array(
    [[-0.25, -1, 0.75, 1], [2.25, -0.5, 0.75, 0], [2.5000000000000004, -0.75, 0.5, 0.5], [0.75, 0.25, 1.25, -0.5],
     [2.5, -0.75, 0.5, 0.5]]
)  # fmt: skip


def test_a_witness_lies_deep_where_the_cell_is_deep() -> None:
    """Rows one rounding apart: corners near and very far, whose middle is of no use."""
    fan = RoutingFan(Router(ULP, None, k=4))
    row = fan.active_sets.tolist().index([0, 1, 2, 4])
    assert gap_at(ULP, np.zeros(5), [0, 1, 2, 4], fan.witnesses[row]) > 0.1
    assert (fan.router.active_sets(fan.witnesses) == fan.active_sets).all()


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=25, deadline=None)
def test_witnesses_of_nearly_equal_experts_lie_inside(seed: int) -> None:
    random = np.random.default_rng(seed)
    d = int(random.integers(2, 5))
    W, b = random.integers(-10, 11, (6, d)) / 4, random.integers(-4, 5, 6) / 4 * float(random.integers(2))
    W[1, W[1] == 0] = 0.5
    W[0] = np.nextafter(W[1], random.choice([-9, 9], d))
    fan = RoutingFan(Router(W, b, int(random.integers(1, 6))))
    assert fan.verify().failures == ()
    found = fan.router.active_sets(fan.witnesses)
    for c in np.flatnonzero((found != fan.active_sets).any(axis=1)).tolist():
        thin = fan.active_sets[c].tolist()  # only a cell between the two experts may be thinner than float64
        assert len({0, 1} & set(thin)) == 1


def solved(rows: list[Row]) -> list[Fraction]:
    """The point where exact rows (w, b) tie, by Cramer's rule in the plane."""
    (a, b, c), (d, e, f) = ([x - y for x, y in zip(row, rows[0], strict=True)] for row in rows[1:])
    return [Fraction(b * f - c * e, a * e - b * d), Fraction(c * d - a * f, a * e - b * d)]


@pytest.mark.parametrize("exponent", [3, 6, 11])
def test_far_corners_keep_their_digits(exponent: int) -> None:
    """Experts that are nearly parallel meet far away; and those of a random router."""
    random = np.random.default_rng(exponent)
    W, b = random.normal(size=(12, 2)), random.normal(size=12)
    W[6:] = W[:6] + 10.0**-exponent * random.normal(size=(6, 2))
    router = Router(W, b, 4)
    fan = RoutingFan(router)
    assert fan.tied is not None
    assert np.abs(fan.vertices).max() > 10.0 ** (exponent - 2)
    for corner, tied in zip(fan.vertices, fan.tied[0].tolist(), strict=True):
        right = solved([router.exact.row(i) for i in tied])
        error = max(abs(Fraction(x) - y) for x, y in zip(corner, right, strict=True))
        assert error <= Fraction(1e-11) * max(map(abs, right))


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=30, deadline=None)
def test_rays_of_a_cell_are_not_parallel(seed: int) -> None:
    random = np.random.default_rng(seed)
    d, N = int(random.integers(2, 4)), int(random.integers(3, 8))
    fan = RoutingFan(Router(random.integers(-2, 3, (N, d)), random.integers(-2, 3, N), int(random.integers(1, N))))
    for rays in fan.rays:
        cosines = rays @ rays.T - 2 * np.eye(len(rays))
        assert cosines.max(initial=-2.0) < 1 - 1e-9


def test_what_is_wrong_with_an_extreme_fan_is_noticed() -> None:
    fan = find(Router([[1, 0], [0, 1], [-1, -1], [2, 2]], [0, 0, 0, LOWEST], k=2))
    assert fan.reduced.wide and verify(fan).ok
    ids, starts = fan.cell_vertices
    changes = (
        {"vertices": fan.vertices * (1 + 1e-15)},
        {"directions": -fan.directions},
        {"cell_vertices": (ids[::-1], starts)},
        {"neighbours": fan.neighbours[1:]},
    )
    for change in changes:
        assert not verify(replace(fan, **change)).ok, change


def test_a_search_that_integers_make_too_long_is_a_lower_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(0)
    W, b = random.normal(size=(24, 2)) * 10.0 ** random.integers(-99, 100, (24, 2)), random.normal(size=24)
    whole = RoutingFan(Router(W, b, 3))
    monkeypatch.setattr(walk, "MOST_SETTLED", 100)
    monkeypatch.setattr(walk, "BRUTE", 0)
    monkeypatch.setattr(walk, "swept_corners", lambda e: (np.zeros((0, 3), dtype=np.int64), None))  # from one corner on
    part = RoutingFan(Router(W, b, 3))
    assert (whole.count.kind, part.count.kind) == ("exact", "lower")
    assert 0 < int(part.count) < int(whole.count)
    assert {tuple(s) for s in part.active_sets.tolist()} <= {tuple(s) for s in whole.active_sets.tolist()}
    assert not part.verify().ok


#: In the plane of one wall another one is so far away that its distance is beyond the range of numbers.
FAR_EDGE = (
    np.array([[-3e-15, -2e-11, -2e4], [3e-4, -3e-9, 2e10], [3e-16, 0, 1e6], [2e14, -2e-13, 0]]),
    np.array([1e-3, LOWEST, 0, -100]),
    1,
)


@given(routers())
@example(FAR_EDGE)
@settings(max_examples=40, deadline=None)
def test_sizes_are_whole_or_refused(router: tuple[np.ndarray, np.ndarray, int]) -> None:
    """Lengths, areas, volumes and angles add up to the window's and the sphere's, or one sentence says why not."""
    W, b, k = router
    fan, d = RoutingFan(Router(W, b, k)), W.shape[1]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with suppress(ValueError):
            sizes = fan.volumes(3)[1]
            assert (sizes >= 0).all() and abs(sizes.sum() - 6.0**d) <= 1e-9 * 6.0**d
        with suppress(ValueError):
            assert abs(fan.solid_angles().sum() / (2 * np.pi * (d - 1)) - 1) < 1e-9
