"""Stacks of layers: against splitting in fractions, against known folds, against sampled patterns."""

from fractions import Fraction

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracles import stacked
from tropviz import MoELayer, Router
from tropviz.core.experts import Stack
from tropviz.core.experts.reached import region_names
from tropviz.core.presets import random_affine, random_experts


def layer_of(N: int, k: int, H: int, seed: int) -> MoELayer:
    V = np.random.default_rng([7, seed]).normal(size=(N, 2, H)) / np.sqrt(H)
    return MoELayer(Router(*random_affine(N, 2, seed=seed), k=k), *random_experts(N, H, 2, seed=seed), V=V)


def plain(layer: MoELayer) -> dict:
    router = layer.router
    V = np.zeros((layer.N, 2, layer.H)) if layer.V is None else layer.V
    arrays = {"W": router.W, "b": router.b, "U": layer.U, "c": layer.c, "V": V}
    return {name: a.tolist() for name, a in arrays.items()} | {"k": router.k}


def both(layers: list[MoELayer], window: float) -> tuple[list, list]:
    levels = Stack(layers).levels(window)
    ours = [int(level.regions) for level in levels], [int(level.path_count) for level in levels]
    theirs = stacked.regions([plain(layer) for layer in layers], [(-Fraction(window), Fraction(window))] * 2)
    return list(ours), list(theirs)


@pytest.mark.parametrize(("shapes", "seed"), [([(3, 1, 2), (3, 2, 2)], 0), ([(4, 2, 1), (2, 1, 3)], 1)])
def test_against_splitting(shapes, seed):
    ours, theirs = both([layer_of(*shape, seed=10 * seed + i) for i, shape in enumerate(shapes)], 2.0)
    assert ours == theirs and ours[0][1] > ours[0][0]


def test_three_layers_against_splitting():
    ours, theirs = both([layer_of(2, 1, 1, seed) for seed in range(3)], 2.0)
    assert ours == theirs


small = st.integers(-2, 2)


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_special_position_against_splitting(data):
    """Integer weights: ties everywhere, twins, hinges through corners, maps that flatten the plane."""

    def numbers(*shape: int) -> np.ndarray:
        size = int(np.prod(shape))
        return np.array(data.draw(st.lists(small, min_size=size, max_size=size)), dtype=float).reshape(shape)

    layers = []
    for _ in range(2):
        N, H = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 2))
        k = data.draw(st.integers(1, N))
        layers.append(
            MoELayer(Router(numbers(N, 2), numbers(N), k=k), numbers(N, H, 2), numbers(N, H), numbers(N, 2, H))
        )
    ours, theirs = both(layers, 2.0)
    assert ours == theirs


def test_one_layer_is_the_layer_and_its_polygons_fill_the_window():
    layer = layer_of(16, 4, 8, seed=1)
    (level,) = Stack([layer]).levels(3)
    assert int(level.regions) == int(layer.regions(3)) and int(level.path_count) == len(layer.regions_per_cell(3))
    areas = [shapely.Polygon(ring).area for ring in level.polygons]
    assert min(areas) > 0 and sum(areas) == pytest.approx(36, rel=1e-12)


def test_two_layers_of_the_papers_shape():
    first, second = layer_of(16, 4, 8, seed=1), layer_of(16, 4, 8, seed=2)
    stack = Stack([first, second])
    before, after = stack.levels(3)
    assert int(before.regions) == 617 and 617 < int(after.regions) < 617**2 and int(after.path_count) < 200  # of 1820^2
    # every sampled pair of patterns is a region, and the middle of every region has a pattern of its own
    middles = np.array([ring.mean(axis=0) for ring in after.polygons])

    def names(X: np.ndarray) -> np.ndarray:
        active = first.router.active_sets(X)
        Y = X.copy()
        for i in range(16):
            use = (active == i).any(axis=1)
            Y[use] += np.maximum(X[use] @ first.U[i].T + first.c[i], 0) @ first.V[i].T / 4
        return np.concatenate([region_names(first, X), region_names(second, Y)], axis=1)

    known = {row.tobytes() for row in names(middles)}
    assert len(known) == int(after.regions)
    sampled = {row.tobytes() for row in names(np.random.default_rng(0).uniform(-3, 3, (4000, 2)))}
    assert sampled <= known


def test_a_fold_doubles_what_follows():
    fold = MoELayer.dense([[1, 0]], [0], V=[[-2], [0]])
    lines = MoELayer.dense([[1, 0], [1, 0]], [1, 2])  # at x = -1 and -2, which only the fold brings to both sides
    assert [int(level.regions) for level in Stack([fold, lines]).levels(3)] == [2, 6]
    assert int(Stack([fold, fold, lines]).regions(3)) == 6


@pytest.mark.parametrize(
    ("layers", "says"),
    [
        ([], "0 layers"),
        ([1], r"layers\[0\] is a int"),
        ([MoELayer.dense([[1]], [0])], "d = 1"),
        ([MoELayer.dense([[1, 0]], [0])] * 2, "no V"),
        ([MoELayer.dense([[1, 0]], [0], V=[[1]])] * 2, "V of shape"),
        ([MoELayer(Router(np.ones((1, 2)), k=1), [[[1, 0]]], [[0]], shared=([[1, 0]], [0]))], "shared"),
        ([MoELayer(Router(np.ones((65, 2)), k=1), np.ones((65, 1, 2)), np.ones((65, 1)))], "N = 65"),
    ],
)
def test_refusals(layers, says):
    with pytest.raises(ValueError, match=says):
        Stack(layers)


def test_too_large_maps_are_refused():
    huge = MoELayer.dense([[1e200, 0]], [0], V=[[1e200], [0]])
    with pytest.raises(ValueError, match="divide V"):
        Stack([huge, huge]).regions(1)
