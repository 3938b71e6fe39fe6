"""The front door: rectifier, directions, dimension story, and the public names."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tropviz import Router, collapse
from tropviz.core.collapse.directions import all_directions


@pytest.fixture
def router() -> Router:
    return Router(np.random.default_rng(4).standard_normal((8, 2)), None, 2)


def test_public_names() -> None:
    for name in ("critical_offset", "cap_fraction", "log10_cap_fraction", "disk_shares", "sweep", "routed"):
        assert callable(getattr(collapse, name))


@pytest.mark.parametrize("strength", [0.0, 0.4, 1.0])
def test_three_forms_of_the_rectifier_agree(router: Router, strength: float) -> None:
    u, t = collapse.unit([1, 3], 2), 2.5
    x = collapse.cloud(500, 2, offset=t, direction=u, spread=0.8, seed=0)
    as_bias = collapse.rectified(router, t * u, strength)
    assert np.array_equal(as_bias.active_sets(x), router.active_sets(x - strength * t * u))
    assert np.allclose(as_bias.b, -strength * router.W @ (t * u))
    swept = collapse.sweep(router, x - t * u, u, [t], rectifier=strength)
    assert swept.saturation[0] == float(collapse.routed(as_bias, x).saturation)


def test_the_certificate_behind_a_rectifier_moves_out(router: Router) -> None:
    u, r = [1, 3], 0.7
    star = collapse.critical_offset(router, u, r)
    half = collapse.rectified_offset(star, 0.5)
    assert half == pytest.approx(2 * star)
    z = collapse.residuals(4000, 2, spread=r, seed=0, kind="ball")
    out = collapse.sweep(router, z, u, half * np.array([0.95, 1.0001]), rectifier=0.5)
    assert out.saturation[0] < 1 and out.saturation[1] == 1
    assert collapse.rectified_offset(star, 1.0) == math.inf


@pytest.mark.parametrize("affine", [False, True])
def test_directions_against_one_at_a_time(affine: bool) -> None:
    rng = np.random.default_rng(6)
    router = Router(rng.standard_normal((7, 2)), rng.standard_normal(7) if affine else None, 3)
    found = all_directions(router, 0.5, steps=90)
    slow = [collapse.critical_offset(router, [math.cos(a), math.sin(a)], 0.5) for a in found.angles]
    assert np.allclose(found.offsets, slow)
    assert found.best_offset <= min(slow)
    best = collapse.critical_offset(router, [math.cos(found.best_angle), math.sin(found.best_angle)], 0.5)
    assert best == pytest.approx(found.best_offset)
    fine = all_directions(router, 0.5, steps=20_000)
    assert found.best_offset <= fine.offsets.min() * (1 + 1e-6)


@pytest.mark.parametrize("kind", ["integers", "biased integers", "any range", "far from zero"])
def test_every_direction_is_that_of_the_certificate(kind: str) -> None:
    """Ties by W and by b, rows in all proportions: what holds for one direction is what is shown in the chart."""
    rng = np.random.default_rng(len(kind))
    for _ in range(10):
        N = int(rng.integers(2, 7))
        W, b = rng.integers(-2, 3, (N, 2)).astype(float), rng.integers(-2, 3, N).astype(float)
        if kind == "any range":
            W *= 10.0 ** rng.integers(-300, 300, (N, 1))
        if kind == "far from zero":
            W = rng.standard_normal((N, 2)) + 1e13
        router = Router(W, None if kind == "integers" else b, int(rng.integers(1, N + 1)))
        found = all_directions(router, 1.0, steps=12)
        slow = [collapse.critical_offset(router, [math.cos(a), math.sin(a)], 1.0) for a in found.angles]
        assert np.array_equal(np.isinf(found.offsets), np.isinf(slow))
        assert found.offsets == pytest.approx(slow, rel=1e-9), (router.W, router.b, router.k)


def test_equal_weights_are_told_apart_by_their_biases() -> None:
    found = all_directions(Router([[1, -1], [1, -1]], [0, 1], 1), 1.0)
    assert (found.offsets == 0).all() and not len(found.never)


def test_directions_say_what_kind_of_number_they_are() -> None:
    found = all_directions(Router([[1, 0], [-1, 0]], None, 1), 1.0, steps=8)
    assert (found.best.kind, float(found.best)) == ("upper", 1)
    assert (found.count(0).kind, float(found.count(0))) == ("exact", 1)
    never = found.count(2)
    assert math.isinf(float(never)) and "never" in never.assumption
    walled = all_directions(Router([[0, 0], [0, 0]], [0, 0.1], 1), 1.0, steps=8)
    assert walled.best.kind == "upper" and float(walled.best) == 0


@pytest.mark.parametrize("scale", [1e-300, 1e-170, 1.0, 1e300])
def test_a_certificate_knows_no_unit(scale: float) -> None:
    """All weights and biases times one number: the same offset, however small or large they get."""
    W, b = np.array([[3, 1], [-1, 2], [0.5, -2]]), np.array([0.25, -1, 0.5])
    plain = collapse.certify(Router(W, b, 1), [1, 0.5], 1.0)
    assert collapse.certify(Router(W * scale, b * scale, 1), [1, 0.5], 1.0).offset == pytest.approx(plain.offset)
    small = Router(np.array([[1.0], [2.0 * scale], [scale]]), None, 2)  # the wall is between the two small ones
    assert collapse.certify(small, [1], 1.0).offset == pytest.approx(1.0)


def test_the_directions_that_never_collapse_are_the_rays_of_the_fan(router: Router) -> None:
    from tropviz import RoutingFan

    fan = RoutingFan(router)
    rays = np.unique(np.mod(np.arctan2(*fan.directions.T[::-1]), 2 * math.pi).round(9))
    found = all_directions(router, 1.0)
    assert np.allclose(found.never, rays, atol=1e-8)
    for a in found.never:
        for near in (a - 1e-4, a + 1e-4):
            assert collapse.critical_offset(router, [math.cos(near), math.sin(near)], 1.0) > 1e3


def test_a_plane_in_a_larger_space_uses_full_distances() -> None:
    rng = np.random.default_rng(9)
    router = Router(rng.standard_normal((10, 6)), None, 3)
    plane = np.linalg.qr(rng.standard_normal((6, 2)))[0].T
    found = all_directions(router, 1.0, plane=plane, steps=24)
    units = np.stack([np.cos(found.angles), np.sin(found.angles)], axis=1) @ plane
    assert np.allclose(found.offsets, [collapse.critical_offset(router, u, 1.0) for u in units])


def test_twins_and_constants_in_every_direction() -> None:
    twins = all_directions(Router([[1, 0], [1, 0], [1, 0]], None, 2), 1.0, steps=8)
    assert (twins.offsets == 0).all() and not len(twins.never)
    everyone = all_directions(Router([[1, 0], [0, 1]], None, 2), 1.0, steps=8)
    assert (everyone.offsets == 0).all() and everyone.best_offset == 0


def test_the_cap_vanishes_with_dimension_and_the_collapse_does_not() -> None:
    offsets = [0, 1.5, 4]
    story = collapse.dimension_story(64, 8, [2, 16, 256], offsets, n=400)
    caps = [s.log10_cap[2] for s in story]
    assert caps[0] > caps[1] > caps[2] and caps[2] < -100
    assert story[2].curves.saturation[2] < 0.5
    assert [s.log10_cap[0] for s in story] == [0, 0, 0]
    for s in story:
        assert (s.band[0] <= s.curves.saturation).all() and (s.curves.saturation <= s.band[1]).all()
        assert (s.band[0] < s.band[1])[1:].all()  # routers differ
        assert s.certified > 4 and s.curves.offsets.tolist() == offsets


def test_refusals(router: Router) -> None:
    for call, word in (
        (lambda: collapse.dimension_story(4, 1, [2], [0], routers=0), "routers is 0"),
        (lambda: all_directions(router, 0), "r is 0"),
        (lambda: all_directions(Router(np.eye(3), None, 1), 1), "3 inputs"),
        (lambda: all_directions(router, 1, plane=[[1, 0]]), "plane"),
        (lambda: collapse.rectified(router, [1, 2, 3]), "mu has shape"),
    ):
        with pytest.raises(ValueError, match=word):
            call()
