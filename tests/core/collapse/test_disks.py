"""Disk shares against a closed form, quadrature, sampling and the certificate."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad

from tropviz.core.collapse.certificate import critical_offset
from tropviz.core.collapse.clouds import cloud
from tropviz.core.collapse.disks import disk_shares, unit_disk_area
from tropviz.core.collapse.report import report
from tropviz.core.router import Router

HALVES = Router([[1, 0], [-1, 0]], None, k=1)


def test_two_halves_to_twelve_digits() -> None:
    sets, shares = disk_shares(HALVES, (0.3, 0), 1)
    assert shares.min() == pytest.approx(0.3119188323905365, abs=1e-14)
    assert sets.tolist() == [[0], [1]] and shares.sum() == pytest.approx(1, abs=1e-14)


@pytest.mark.parametrize("distance", [0.0, 1e-9, 0.3, 0.999999, 1.0, 1.5])
@pytest.mark.parametrize("radius", [1e-6, 1.0, 1e6])
def test_circular_segment(distance: float, radius: float) -> None:
    sets, shares = disk_shares(HALVES, (distance * radius, 7.0), radius)
    expected = 0.0 if distance >= 1 else (math.acos(distance) - distance * math.sqrt(1 - distance**2)) / math.pi
    assert (shares.min() if len(sets) == 2 else 0) == pytest.approx(expected, abs=1e-12)


def by_quadrature(router: Router, centre: np.ndarray, radius: float, active: tuple) -> float:
    """Length of {x : set = active} on each vertical chord of the disk, integrated: no polygon anywhere."""
    others = [j for j in range(router.N) if j not in active]

    def chord(s: float) -> float:
        x, h = centre[0] + s, math.sqrt(max(0.0, radius**2 - s**2))
        low, high = centre[1] - h, centre[1] + h
        for i in active:
            for j in others:
                slope = router.W[i, 1] - router.W[j, 1]
                value = (router.W[i, 0] - router.W[j, 0]) * x + router.b[i] - router.b[j]
                if slope > 0:
                    low = max(low, -value / slope)
                elif slope < 0:
                    high = min(high, -value / slope)
                elif value < 0:
                    return 0.0
        return max(0.0, high - low)

    grid = np.linspace(-radius, radius, 41)
    total = sum(quad(chord, a, b, limit=200, epsabs=1e-11)[0] for a, b in pairwise(grid))
    return total / (math.pi * radius**2)


@pytest.mark.parametrize("seed", range(4))
def test_against_independent_quadrature(seed: int) -> None:
    rng = np.random.default_rng(seed)
    router = Router(rng.standard_normal((6, 2)), rng.standard_normal(6) if seed % 2 else None, 2)
    centre = rng.standard_normal(2) * 0.5
    sets, shares = disk_shares(router, centre, 0.9)
    assert len(sets) > 1
    for active, share in zip(sets.tolist(), shares, strict=True):
        assert by_quadrature(router, centre, 0.9, tuple(active)) == pytest.approx(share, abs=1e-7)


@pytest.mark.parametrize(("N", "k", "affine"), [(8, 2, False), (16, 4, True), (40, 3, True)])
def test_against_sampling(N: int, k: int, affine: bool) -> None:
    rng = np.random.default_rng(N)
    router = Router(rng.standard_normal((N, 2)), rng.standard_normal(N) if affine else None, k)
    n = 100_000
    x = cloud(n, 2, offset=0.4, direction=[1, 1], spread=1.5, seed=0, kind="ball")
    found, hits = np.unique(router.active_sets(x), axis=0, return_counts=True)
    sets, shares = disk_shares(router, np.array([1, 1]) * 0.4 / math.sqrt(2), 1.5)
    exact = dict(zip(map(tuple, sets.tolist()), shares, strict=True))
    assert set(map(tuple, found.tolist())) <= set(exact)
    for active, count in zip(map(tuple, found.tolist()), hits, strict=True):
        p = exact[active]
        assert abs(count / n - p) < 5 * math.sqrt(p * (1 - p) / n) + 1e-9


@given(st.integers(0, 10**6), st.integers(2, 12), st.booleans())
@settings(max_examples=60, deadline=None)
def test_shares_are_a_partition(seed: int, N: int, affine: bool) -> None:
    rng = np.random.default_rng(seed)
    W = rng.integers(-3, 4, (N, 2)).astype(float)  # walls through one point, twins, parallels
    router = Router(W, rng.integers(-3, 4, N) if affine else None, int(rng.integers(1, N + 1)))
    centre, radius = rng.integers(-2, 3, 2) / 2, float(rng.integers(1, 5)) / 2
    sets, shares = disk_shares(router, centre, radius)
    assert shares.sum() == pytest.approx(1, abs=1e-12) and (shares > 0).all()
    assert len(np.unique(sets, axis=0)) == len(sets) and (np.diff(shares) <= 0).all()


def test_far_from_the_origin_and_beyond_the_certificate() -> None:
    router = Router([[1, 0], [-1, 0]], [-2e6, 0], 1)  # the wall is x = 1e6
    assert disk_shares(router, (1e6 + 0.3, 5e5), 1)[1].min() == pytest.approx(0.3119188323905365, abs=1e-9)
    random = Router(np.random.default_rng(1).standard_normal((8, 2)), None, 2)
    star = critical_offset(random, [3, 4], 1)
    assert disk_shares(random, np.array([0.6, 0.8]) * star * 1.000001, 1)[1].tolist() == pytest.approx([1])
    assert len(disk_shares(random, np.array([0.6, 0.8]) * star * 0.99, 1)[1]) > 1


def test_whole_disk_in_degenerate_routers() -> None:
    for router in (Router(np.zeros((3, 2)), None, 1), Router([[1, 2], [1, 2]], None, 1), Router([[1, 2]], None, 1)):
        assert disk_shares(router, (0, 0), 2)[1].tolist() == pytest.approx([1], abs=1e-14)


def test_disk_against_polygons() -> None:
    square = np.array([[-3.0, -3], [3, -3], [3, 3], [-3, 3]])
    assert unit_disk_area(square) == pytest.approx(math.pi, abs=1e-15)
    assert unit_disk_area(square / 6) == pytest.approx(1, abs=1e-15)
    assert unit_disk_area(square + 9) == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize(
    ("call", "word"),
    [
        (lambda: disk_shares(HALVES, (0, 0), 0), "radius is 0"),
        (lambda: disk_shares(HALVES, (0, 0), math.nan), "radius is nan"),
        (lambda: disk_shares(HALVES, (0, 0, 0), 1), "centre"),
        (lambda: disk_shares(HALVES, (1e16, 0), 1), r"^centre is \[1e\+16, 0.0\] and radius is 1.0: float64 holds no"),
        (lambda: disk_shares(HALVES, (1e308, 0), 1e308), "^centre is .* and radius is 1e.308: float64 holds no"),
        (lambda: disk_shares(HALVES, (1, 0), 1e-320), "^centre is .* and radius is 1e-320: float64 holds no"),
        (lambda: disk_shares(HALVES, (0, 0), 1e-320), "^centre is .* and radius is 1e-320: float64 holds no"),
        (lambda: report(HALVES, (1, 0), 1, 1e308), r"^offset is 1e\+308 and radius is 1: float64 holds no"),
        (lambda: disk_shares(HALVES, (0, math.inf), 1), "centre"),
        (lambda: disk_shares(Router(np.eye(3), None, 1), (0, 0), 1), "3 inputs"),
    ],
)
def test_refusals(call, word: str) -> None:
    with pytest.raises(ValueError, match=word):
        call()
