"""The certified offset against exact cases, rational arithmetic, bisection on membership, and sampled balls."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tropviz.core.collapse.certificate import certify, collapse_intervals, critical_offset, gaussian_bounds
from tropviz.core.collapse.clouds import cloud
from tropviz.core.router import Router

CASES = json.loads((Path(__file__).parents[2] / "data" / "critical_offsets.json").read_text())
#: Rational unit vectors: every number below is exact.
UNITS = {
    1: [((1,), 1), ((-1,), 1)],
    2: [((3, 4), 5), ((-5, 12), 13), ((8, -15), 17), ((0, 1), 1), ((-1, 0), 1)],
    3: [((1, 2, 2), 3), ((-2, 3, 6), 7), ((4, -4, 7), 9), ((0, 0, -1), 1)],
    4: [((1, -1, 1, -1), 2), ((1, 1, 1, 1), 2), ((0, 3, 0, -4), 5)],
}


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['router']}-k{c['k']}")
@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e12])
def test_exact_cases(case: dict, scale: float) -> None:
    u = np.array(case["u_numerators"]) / case["u_denominator"]
    router = Router(np.array(case["W"]) * scale, None, case["k"])
    found = certify(router, u, case["r"])
    assert found.offset == pytest.approx(float(case["t_star"]), rel=1e-13)
    assert list(found.active_set) == case["S"] and list(found.wall or ()) == case["binding_pair"]
    assert critical_offset(router, u * 7e5, case["r"]) == pytest.approx(found.offset, rel=1e-13)
    assert critical_offset(router, u, 3 * case["r"]) == pytest.approx(3 * found.offset, rel=1e-13)


def exact(W: list, b: list, k: int, top: tuple, below: int, r: Fraction) -> float:
    """t* by the formula, slopes and gaps in rationals, square roots at the very end."""
    u = [Fraction(v, below) for v in top]
    slope = [sum(w * v for w, v in zip(row, u, strict=True)) for row in W]
    order = sorted(range(len(W)), key=lambda i: (-slope[i], -b[i], i))
    best = 0.0
    for i in order[:k]:
        for j in order[k:]:
            square = sum((p - q) ** 2 for p, q in zip(W[i], W[j], strict=True))
            gap = b[i] - b[j]
            if square == 0 and gap == 0:
                continue
            if slope[i] == slope[j]:
                if gap < 0 or gap * gap < r * r * square:
                    return math.inf
                continue
            best = max(best, float((float(r) * math.sqrt(square) - gap) / (slope[i] - slope[j])))
    return best


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_fresh_integer_routers_against_rational_arithmetic(data: st.DataObject) -> None:
    d = data.draw(st.integers(1, 4))
    N = data.draw(st.integers(1, 7))
    whole = st.integers(-4, 4)  # small: ties, twins, walls along u are common
    W = data.draw(st.lists(st.lists(whole, min_size=d, max_size=d), min_size=N, max_size=N))
    b = data.draw(st.one_of(st.just([0] * N), st.lists(whole, min_size=N, max_size=N)))
    k = data.draw(st.integers(1, N))
    top, below = data.draw(st.sampled_from(UNITS[d]))
    r = Fraction(data.draw(st.integers(0, 6)), 2)
    scale = data.draw(st.sampled_from([1e-12, 1.0, 1e12]))
    found = critical_offset(Router(np.array(W) * scale, np.array(b) * scale, k), np.array(top) / below, float(r))
    assert found == pytest.approx(exact(W, b, k, top, below, r), rel=1e-12, abs=1e-12)


def inside_one_cell(router: Router, centre: np.ndarray, r: float) -> bool:
    """Membership, independently: the farthest the ball reaches over each wall of the centre's own cell."""
    W, b = np.asarray(router.W), np.asarray(router.b)
    active = set(router.active_sets(centre[None])[0].tolist())
    for i in active:
        for j in set(range(router.N)) - active:
            normal = W[i] - W[j]
            lowest = normal @ centre + b[i] - b[j] - r * np.linalg.norm(normal)
            if lowest < 0:
                return False
    return True


@pytest.mark.parametrize("affine", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_bisection_on_membership(seed: int, affine: bool) -> None:
    rng = np.random.default_rng(seed)
    N, d = int(rng.integers(3, 12)), int(rng.integers(1, 6))
    bias = rng.standard_normal(N) * 2 if affine else None
    router = Router(rng.standard_normal((N, d)), bias, int(rng.integers(1, N)))
    u = rng.standard_normal(d)
    u /= np.linalg.norm(u)
    star = critical_offset(router, u, 0.7)
    assert math.isfinite(star)
    last = collapse_intervals(router, u, 0.7)[-1]
    assert last[0] == pytest.approx(star) and last[1] == math.inf
    for t in star * np.array([1.0 + 1e-9, 1.5, 10, 1e4]) + 1e-9:
        assert inside_one_cell(router, t * u, 0.7)
    if star > 0:
        low, high = star * 0.999, star * 2  # just below it fails, far above it holds: find the border
        assert not inside_one_cell(router, low * u, 0.7)
        while high - low > 1e-9 * star:
            middle = (low + high) / 2
            low, high = (low, middle) if inside_one_cell(router, middle * u, 0.7) else (middle, high)
        assert high == pytest.approx(star, rel=1e-8)


@pytest.mark.parametrize("seed", range(6))
def test_intervals_are_where_membership_holds(seed: int) -> None:
    rng = np.random.default_rng(100 + seed)
    router = Router(rng.standard_normal((9, 2)), rng.standard_normal(9) * 6, 2)
    u = np.array([0.6, 0.8])
    spans = collapse_intervals(router, u, 0.4)
    for t in rng.uniform(0, 1.2 * spans[-1][0] + 1, 400):
        inside = [s for s in spans if s[0] <= t <= s[1]]
        assert len(inside) == inside_one_cell(router, t * u, 0.4)
        if inside:
            assert inside[0][2] == tuple(router.active_sets((t * u)[None])[0])


def test_an_affine_ray_collapses_more_than_once() -> None:
    spans = collapse_intervals(Router([[0], [1], [2]], [0, -1, -6], 1), [1], 0.5)
    assert spans == [(0.0, 0.5, (0,)), (1.5, 4.5, (1,)), (5.5, math.inf, (2,))]


@pytest.mark.parametrize("affine", [False, True])
def test_a_sampled_ball_has_one_set_beyond_and_more_before(affine: bool) -> None:
    rng = np.random.default_rng(3)
    router = Router(rng.standard_normal((8, 2)), rng.standard_normal(8) if affine else None, 2)
    u = [0.8, -0.6]
    star = critical_offset(router, u, 1.0)
    make = {"direction": u, "spread": 1.0, "seed": 0, "kind": "ball"}
    for t in (star, star * 1.01, star * 50):
        assert len(np.unique(router.active_sets(cloud(20_000, 2, offset=t, **make)), axis=0)) == 1
    assert len(np.unique(router.active_sets(cloud(20_000, 2, offset=0.9 * star, **make)), axis=0)) > 1


def test_special_routers() -> None:
    assert critical_offset(Router([[1, 2], [1, 2], [1, 2]], None, 2), [1, 0], 5) == 0  # all alike: one cell
    assert critical_offset(Router(np.zeros((3, 2)), None, 1), [1, 0], 5) == 0
    assert critical_offset(Router([[1, 2], [3, 4]], None, 2), [1, 0], 5) == 0  # k = N
    assert critical_offset(Router(np.zeros((3, 2)), [3, 1, 2], 1), [1, 0], 5) == 0  # the bias alone decides
    assert critical_offset(Router([[4, -3], [-4, 3]], None, 1), [0.6, 0.8], 1) == math.inf  # along the wall
    assert critical_offset(Router([[4, -3], [-4, 3]], None, 1), [0.6, 0.8], 0) == 0  # a point is never cut
    assert critical_offset(Router([[4, -3], [-4, 3]], [10, 0], 1), [0.6, 0.8], 1) == 0  # parallel, exactly r away
    assert critical_offset(Router([[4, -3], [-4, 3]], [9.99, 0], 1), [0.6, 0.8], 1) == math.inf
    far = 2.0**30  # a common shift of the rows changes nothing
    W = np.array([[1.0, 0], [-1, 0], [0.5, 1]])
    assert critical_offset(Router(W + far, None, 1), [1, 1], 1) == critical_offset(Router(W, None, 1), [1, 1], 1)


@pytest.mark.parametrize("affine", [False, True])
def test_gaussian_bounds_hold_and_close(affine: bool) -> None:
    rng = np.random.default_rng(8)
    router = Router(rng.standard_normal((6, 3)), rng.standard_normal(6) if affine else None, 2)
    u = rng.standard_normal(3)
    u /= np.linalg.norm(u)
    for t in (0.5, 2.0, 8.0, 40.0):
        x = cloud(40_000, 3, offset=t, direction=u, spread=0.5, seed=1)
        home = (router.active_sets(x) == router.active_sets((t * u)[None])).all(axis=1).mean()
        low, high = gaussian_bounds(router, u, 0.5, t)
        assert low - 0.01 <= home <= high + 0.01
    assert gaussian_bounds(router, u, 0.5, 1e4) == (pytest.approx(1), pytest.approx(1))


@pytest.mark.parametrize(
    ("call", "word"),
    [
        (lambda r: critical_offset(r, [0, 0], 1), "zero vector"),
        (lambda r: critical_offset(r, [1, 0, 0], 1), "shape"),
        (lambda r: critical_offset(r, [1, 0], -1), "r is -1"),
        (lambda r: critical_offset(r, [1, 0], math.nan), "r is nan"),
        (lambda r: collapse_intervals(r, [1, 0], 0), "r is 0"),
        (lambda r: gaussian_bounds(r, [1, 0], 0, 1), "sigma"),
        (lambda r: gaussian_bounds(r, [1, 0], 1, -1), "t is -1"),
        (lambda r: gaussian_bounds(r, [1, 0], "1", 1), "sigma is '1': give a number"),
        (lambda r: gaussian_bounds(r, [1, 0], 1, None), "t is None: give a number"),
        (lambda r: critical_offset(r, [1, 0], "1"), "r is '1': give a number"),
    ],
)
def test_refusals(call, word: str) -> None:
    with pytest.raises(ValueError, match=word) as problem:
        call(Router([[1, 0], [0, 1]], None, 1))
    assert "\n" not in str(problem.value)


def test_equal_slopes_are_ordered_by_the_bias() -> None:
    same = Router([[1, 0], [1, 0], [0, 1]], [0, 3, 0], 1)  # far out along x: expert 1, for its bias
    assert certify(same, [1, 0], 1).active_set == (1,)
    assert critical_offset(same, [1, 0], 4) == pytest.approx(4 * math.sqrt(2) - 3)
