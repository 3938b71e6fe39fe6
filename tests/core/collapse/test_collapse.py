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
        assert s.certified > 4 and s.curves.offsets.tolist() == offsets


def test_refusals(router: Router) -> None:
    for call, word in (
        (lambda: all_directions(router, 0), "r is 0"),
        (lambda: all_directions(Router(np.eye(3), None, 1), 1), "3 inputs"),
        (lambda: all_directions(router, 1, plane=[[1, 0]]), "plane"),
        (lambda: collapse.rectified(router, [1, 2, 3]), "mu has shape"),
    ):
        with pytest.raises(ValueError, match=word):
            call()
