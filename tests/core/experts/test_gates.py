"""Output with frozen, softmax and tropical gates: jumps against both sides of a wall, bends against the local map."""

import numpy as np
import pytest

from tropviz import MoELayer, Router
from tropviz.core.experts.gates import GATES, jumps, measured_bends, output, output_grid, wall_jumps
from tropviz.core.experts.point import local_map
from tropviz.core.presets import random_affine, random_experts
from tropviz.home import asset


def layer_of(N: int, k: int, H: int, d: int, seed: int) -> MoELayer:
    V = np.random.default_rng([9, seed]).normal(size=(N, 3, H))
    return MoELayer(Router(*random_affine(N, d, seed=seed), k=k), *random_experts(N, H, d, seed=seed), V=V)


def test_softmax_output_is_the_local_map_at_the_point():
    layer = layer_of(7, 3, 4, 5, seed=1)
    X = np.random.default_rng(0).normal(size=(20, 5))
    for x, y in zip(X, output(layer, X, "softmax"), strict=True):
        here = local_map(layer, x)
        assert np.allclose(here.A @ x + here.a, y)
    active = layer.router.active_sets(X[:1])[0]
    frozen = sum(np.maximum(layer.U[i] @ X[0] + layer.c[i], 0) @ layer.V[i].T for i in active)
    assert np.allclose(output(layer, X[:1])[0], frozen / 3)


@pytest.mark.parametrize("gates", GATES)
def test_jumps_are_the_difference_of_the_two_sides(gates):
    layer = layer_of(9, 3, 4, 2, seed=2)
    walls = wall_jumps(layer, 3, gates)
    w = layer.router.W[walls.enters] - layer.router.W[walls.leaves]
    across = 1e-7 * w / np.linalg.norm(w, axis=1, keepdims=True)
    middle = walls.ends.mean(axis=1)
    near, far = (output(layer, middle + sign * across, gates) for sign in (-1, 1))
    assert np.allclose(far - near, walls.jump, atol=1e-4)
    assert (walls.size > 1e-2).any() if gates != "tropical" else not walls.jump.any()


def test_every_wall_of_the_window_is_there_once():
    layer = layer_of(9, 3, 4, 2, seed=2)
    walls, fan = wall_jumps(layer, 50.0), layer.fan
    sets = {tuple(s) for s in fan.active_sets.tolist()}
    assert len(walls.ends) == len(fan.neighbours) and len(sets) == int(fan.count)
    away = layer.router.scores(walls.ends.reshape(-1, 2)).reshape(len(walls.ends), 2, -1)
    each = np.arange(len(walls.ends))
    for end in (0, 1):
        gap = away[each, end, walls.leaves] - away[each, end, walls.enters]
        assert np.abs(gap).max() < 1e-9 * np.abs(away).max()


def test_jumps_in_many_dimensions():
    layer = layer_of(6, 2, 3, 8, seed=3)
    rng = np.random.default_rng(1)
    for _ in range(5):
        x, u = rng.normal(size=(2, 8))
        t = np.linspace(0, 5, 20_001)
        sets = layer.router.active_sets(x + t[:, None] * u)
        change = np.flatnonzero((sets[1:] != sets[:-1]).any(axis=1))
        if not len(change):
            continue
        low, high = t[change[0]], t[change[0] + 1]
        old, new = set(sets[change[0]].tolist()), set(sets[change[0] + 1].tolist())
        (i,), (j,) = old - new, new - old
        w = layer.router.W[i] - layer.router.W[j]
        at = -(w @ x + layer.router.b[i] - layer.router.b[j]) / (w @ u)
        assert low <= at <= high
        for gates in ("frozen", "softmax"):
            near, far = output(layer, x + np.array([[at - 1e-7], [at + 1e-7]]) * u, gates)
            jump = jumps(layer, (x + at * u)[None], [i], [j], gates)[0]
            assert np.allclose(far - near, jump, atol=1e-4)


def test_frozen_gates_are_affine_in_regions_softmax_gates_bend():
    layer = layer_of(8, 2, 5, 4, seed=4)
    X = np.random.default_rng(2).normal(size=(500, 4))
    frozen, soft = measured_bends(layer, X, "frozen"), measured_bends(layer, X)
    assert frozen.bends.max() < 1e-12 < 1e-3 < soft.bend.value
    assert soft.bend.interval[0] <= soft.bend.value <= soft.bend.interval[1]
    assert frozen.jump.value > 0.05 and soft.jump.value > 0.05


def test_the_digits_layer_bends_little_and_jumps_much():
    data = np.load(asset("digits/digits.npz"))
    layer = MoELayer(Router(data["W"], data["b"], int(data["k"])), data["U"], data["c"], V=data["V"])
    seen = measured_bends(layer, data["X"])
    assert 0.005 < seen.bend.value < 0.02 and 0.2 < seen.jump.value < 0.27
    # from one end of the region to the other: of the output's size it is little, of its change across a region more
    whole = measured_bends(layer, data["X"], reach=np.inf)
    (low, high), (least, most) = whole.turn.interval, whole.jump.interval
    assert low < 0.038 < high and least < 0.22 < most and whole.bend.value < whole.turn.value


def test_a_region_without_an_end_has_no_chord_from_end_to_end():
    layer = MoELayer(Router([[1, 0], [0, 1]], k=1), [[[1, 0]], [[0, 1]]], [[0], [1]], V=[[[1]], [[1]]])
    X = np.random.default_rng(0).normal(size=(40, 2)) + 50  # few directions from here meet a hinge both ways
    seen = measured_bends(layer, X, reach=np.inf)
    assert len(seen.bends) < 40 and np.isfinite(seen.jumps).all()


def test_the_grid_is_the_output_row_by_row():
    layer = layer_of(5, 2, 3, 2, seed=1)
    grid = output_grid(layer, ((0, 1), (5, 7)), "softmax", n=9)
    point = [[grid.x[2], grid.y[7]]]
    assert np.allclose(grid.values[7, 2], output(layer, point, "softmax")[0]) and grid.y.min() > 5


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: output(layer_of(3, 1, 1, 2, 0), np.zeros((1, 2)), "hard"), "choose one of"),
        (lambda: output(MoELayer.dense([[1, 0]], [0]), np.zeros((1, 2))), "give V"),
        (lambda: output_grid(layer_of(3, 1, 1, 3, 0), 1), "d = 3"),
        (lambda: output_grid(layer_of(3, 1, 1, 2, 0), 1, n=2), "n is 2"),
        (lambda: measured_bends(layer_of(3, 1, 1, 2, 0), np.zeros((3, 2))), "at least 10"),
        (lambda: measured_bends(layer_of(3, 1, 1, 2, 0), np.zeros((20, 2)), "tropical"), "bends nowhere"),
    ],
)
def test_refusals(call, says):
    with pytest.raises(ValueError, match=says):
        call()
