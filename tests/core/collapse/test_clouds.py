"""Clouds: the offset translates one fixed sample; sizes, spreads and refusals."""

from __future__ import annotations

import numpy as np
import pytest

from tropviz.core.collapse.clouds import KINDS, MAX_POINTS, centred, cloud, residuals, sides, unit


@pytest.mark.parametrize("kind", KINDS)
def test_the_offset_only_translates(kind: str) -> None:
    u = unit([1, 2, 2], 3)
    make = {"direction": u, "spread": 0.7, "seed": 5, "kind": kind}
    near, far = cloud(50, 3, offset=0, **make), cloud(50, 3, offset=9, **make)
    assert np.allclose(far - near, 9 * sides(50, kind)[:, None] * u, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_growing_the_sample_keeps_its_first_points(kind: str) -> None:
    few, many = (residuals(n, 4, spread=1, seed=2, kind=kind) for n in (10, 300))
    assert np.allclose(few, many[:10])
    assert not np.allclose(few, residuals(10, 4, spread=1, seed=3, kind=kind))


@pytest.mark.parametrize("d", [1, 2, 5, 64])
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "ball"])
def test_spread_is_the_rms_standard_deviation_and_the_mean_is_zero(kind: str, d: int) -> None:
    z = residuals(20_000, d, spread=3, seed=1, kind=kind)
    assert np.sqrt((z**2).sum(axis=1).mean() / d) == pytest.approx(3, rel=0.05)
    assert np.linalg.norm(z.mean(axis=0)) < 0.05 * 3 * np.sqrt(d)


def test_the_ball_is_full_round_and_closed() -> None:
    z = residuals(20_000, 3, spread=2, seed=0, kind="ball")
    radii = np.linalg.norm(z, axis=1)
    assert radii.max() <= 2
    assert (radii <= 1).mean() == pytest.approx(1 / 8, abs=0.01)  # volume, not radius, is uniform
    assert np.allclose(z.T @ z / len(z), np.eye(3) * 4 / 5, atol=0.05)


def test_the_anisotropic_cloud_is_long_and_the_mixture_has_lumps() -> None:
    long = residuals(5000, 2, spread=1, seed=4, kind="anisotropic")
    big, small = np.sqrt(np.linalg.eigvalsh(np.cov(long.T))[::-1])
    assert big / small == pytest.approx(2**1.5, rel=0.1)
    lumps = residuals(5000, 2, spread=1, seed=4, kind="mixture")
    nearest = np.sort(np.linalg.norm(lumps[:200, None] - lumps[None], axis=2), axis=1)[:, 50]
    smooth = residuals(5000, 2, spread=1, seed=4)
    assert np.median(nearest) < np.median(np.sort(np.linalg.norm(smooth[:200, None] - smooth[None], axis=2))[:, 50])


def test_opposed_clouds_have_mean_zero_at_any_offset() -> None:
    x = cloud(2000, 2, offset=50, direction=[0, 1], spread=1, seed=0, kind="opposed")
    assert abs(x[:, 1].mean()) < 0.1 and abs(x[:, 1]).min() > 40


@pytest.mark.parametrize("scale", [1e-300, 1e-12, 1.0, 1e12, 1e300])
def test_a_direction_of_any_length(scale: float) -> None:
    assert np.allclose(unit(np.array([3.0, -4.0]) * scale, 2), [0.6, -0.8], rtol=1e-15)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"direction": [0, 0]}, "zero vector"),
        ({"direction": [1, 0, 0]}, "shape"),
        ({"direction": [1, np.nan]}, "direction"),
        ({"spread": -1}, "spread"),
        ({"spread": np.inf}, "spread"),
        ({"offset": -1}, "offset"),
        ({"offset": np.nan}, "offset"),
        ({"n": 0}, "n is 0"),
        ({"n": 10**9}, "n is 1000000000"),
        ({"n": 2.5}, "n is 2.5"),
        ({"n": MAX_POINTS, "d": 1000, "direction": np.ones(1000)}, "too many"),
        ({"kind": "cube"}, "kind"),
        ({"seed": -1}, "seed"),
    ],
)
def test_refusals_are_one_sentence(change: dict, word: str) -> None:
    make = {"n": 10, "d": 2, "offset": 1, "direction": [1, 0], "spread": 1, "seed": 0} | change
    with pytest.raises(ValueError, match=word) as problem:
        cloud(make.pop("n"), make.pop("d"), **make)
    assert "\n" not in str(problem.value) and str(problem.value).endswith(".")


def test_own_points_are_centred_and_bad_ones_named() -> None:
    mean, z = centred([[1, 2], [3, 4], [5, 9]])
    assert np.allclose(mean, [3, 5]) and np.allclose(z.mean(axis=0), 0)
    with pytest.raises(ValueError, match=r"points\[1, 0\] is nan"):
        centred([[1, 2], [np.nan, 4]])
    with pytest.raises(ValueError, match="at least one row"):
        centred(np.empty((0, 2)))
