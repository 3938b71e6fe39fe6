"""Sweeps against routing every cloud afresh, and what must hold along them."""

from __future__ import annotations

import numpy as np
import pytest

from tropviz.core.collapse.certificate import critical_offset
from tropviz.core.collapse.clouds import cloud, residuals, sides
from tropviz.core.collapse.entropy import entropy_bits
from tropviz.core.collapse.ray import sweep
from tropviz.core.collapse.statistics import routed
from tropviz.core.router import Router


@pytest.mark.parametrize(
    ("N", "d", "k", "affine", "kind"),
    [
        (8, 2, 2, False, "gaussian"),
        (8, 2, 2, True, "opposed"),
        (16, 5, 4, True, "ball"),
        (70, 3, 5, False, "mixture"),  # more experts than bits
        (5, 4, 5, True, "gaussian"),  # k = N
        (6, 1, 1, True, "anisotropic"),
    ],
)
def test_every_offset_against_routing_it_afresh(N: int, d: int, k: int, affine: bool, kind: str) -> None:
    rng = np.random.default_rng(N)
    router = Router(rng.standard_normal((N, d)), rng.standard_normal(N) if affine else None, k)
    u = rng.standard_normal(d)
    offsets = np.sort(np.concatenate([[0.0], rng.uniform(0, 8, 30)]))
    out = sweep(router, residuals(300, d, spread=0.8, seed=4, kind=kind), u, offsets, sides=sides(300, kind))
    for t, offset in enumerate(offsets):
        x = cloud(300, d, offset=offset, direction=u, spread=0.8, seed=4, kind=kind)
        slow = routed(router, x)
        assert np.array_equal(out.sets[out.ids[t]], router.active_sets(x))
        assert out.saturation[t] == float(slow.saturation) and out.sets_hit[t] == len(slow.hits)
        assert out.entropy[t] == pytest.approx(entropy_bits(slow.hits), abs=1e-9)
        assert tuple(out.saturation_interval[t]) == pytest.approx(slow.saturation.interval)
        assert np.array_equal(out.load[t], slow.load)
        assert out.imbalance[t] == pytest.approx(float(slow.imbalance))
        assert np.allclose(out.mean_gate[t], slow.mean_gate)
        assert out.switch_loss[t] == pytest.approx(float(slow.switch_loss))


def test_ties_go_to_the_lowest_index() -> None:
    router = Router([[1, 0], [1, 0], [0, 1], [0, 1], [1, 0]], None, 2)  # twins everywhere
    rng = np.random.default_rng(0)
    z = np.round(rng.standard_normal((200, 2)) * 2) / 2
    out = sweep(router, z, [1, 1], [0, 0.5, 1, 3])
    for t, offset in enumerate(out.offsets):
        assert np.array_equal(out.sets[out.ids[t]], router.active_sets(z + offset * np.array([1, 1]) / np.sqrt(2)))


@pytest.mark.parametrize("affine", [False, True])
def test_saturation_of_a_ball_is_one_beyond_the_certificate(affine: bool) -> None:
    rng = np.random.default_rng(2)
    router = Router(rng.standard_normal((8, 2)), rng.standard_normal(8) if affine else None, 2)
    star = critical_offset(router, [1, 2], 1.0)
    out = sweep(router, residuals(5000, 2, spread=1.0, seed=0, kind="ball"), [1, 2], star * np.linspace(0, 2, 41))
    assert (out.saturation[20:] == 1).all() and (out.sets_hit[20:] == 1).all()
    assert out.saturation[15] < 1 and out.entropy[-1] == 0 and out.effective_sets[-1] == 1


def test_the_rectifier_takes_the_offset_away() -> None:
    rng = np.random.default_rng(5)
    router = Router(rng.standard_normal((8, 2)), None, 2)
    z, t = residuals(800, 2, spread=1, seed=0), np.linspace(0, 20, 25)
    flat = sweep(router, z, [1, 0], t, rectifier=1.0)
    assert np.ptp(flat.saturation) == 0 and np.ptp(flat.entropy) == 0 and np.ptp(flat.load, axis=0).max() == 0
    half, plain = sweep(router, z, [1, 0], 2 * t, rectifier=0.5), sweep(router, z, [1, 0], t)
    assert np.array_equal(half.saturation, plain.saturation)  # effective offset (1 - lambda) t
    assert plain.saturation[-1] > 0.99 > flat.saturation[-1]


def test_two_clusters_end_in_two_sets() -> None:
    router = Router(np.random.default_rng(5).standard_normal((8, 2)), None, 2)
    z = residuals(1000, 2, spread=1, seed=0, kind="opposed")
    far = critical_offset(router, [1, 0], 8.0) + critical_offset(router, [-1, 0], 8.0)
    for rectifier in (0.0, 1.0):  # their mean is 0: there is nothing to rectify
        out = sweep(router, z, [1, 0], [0, far], sides=sides(1000, "opposed"), rectifier=rectifier)
        assert out.sets_hit[-1] == 2 and out.saturation[-1] == 0.5 and out.entropy[-1] == pytest.approx(1)


def test_huge_offsets_keep_the_gates_finite() -> None:
    router = Router([[1, 0], [0, 1], [-1, 0]], None, 1)
    out = sweep(router, residuals(50, 2, spread=1, seed=0), [1, 0], [0, 1e3, 1e6, 1e12])
    assert np.isfinite(out.mean_gate).all() and np.allclose(out.mean_gate.sum(axis=1), 1)
    assert out.mean_gate[-1].tolist() == [1, 0, 0] and out.switch_loss[-1] == 3


def test_one_offset_and_equal_offsets() -> None:
    router, z = Router([[1, 0], [0, 1]], None, 1), residuals(20, 2, spread=1, seed=0)
    assert sweep(router, z, [1, 0], [2]).saturation.shape == (1,)
    assert len(set(sweep(router, z, [1, 0], [2, 2, 2]).saturation)) == 1


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"direction": [0, 0]}, "zero vector"),
        ({"z": np.empty((0, 2))}, "at least one row"),
        ({"z": [[1, np.nan]]}, r"z\[0, 1\] is nan"),
        ({"offsets": [1, 0]}, "increasing"),
        ({"offsets": [-1, 0]}, "at least 0"),
        ({"offsets": []}, "offsets"),
        ({"rectifier": np.inf}, "rectifier"),
        ({"sides": [0.5]}, "sides"),
    ],
)
def test_refusals(change: dict, word: str) -> None:
    call = {"z": [[1.0, 2.0]], "direction": [1, 0], "offsets": [0, 1]} | change
    with pytest.raises(ValueError, match=word) as problem:
        sweep(Router([[1, 0], [0, 1]], None, 1), call.pop("z"), call.pop("direction"), call.pop("offsets"), **call)
    assert "\n" not in str(problem.value)
