"""Cells on data manifolds: against dense sampling, against the fan, and the estimator against known richness."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tropviz import RoutingFan
from tropviz.core.budget import Cost
from tropviz.core.experts import MoELayer
from tropviz.core.manifold import KINDS, cells_crossed, curves, evaluate, manifold, regions_crossed, roots
from tropviz.core.manifold.richness import chao1
from tropviz.core.manifold.roots import chebyshev_zeros, trigonometric_zeros
from tropviz.core.presets import random_affine, random_experts, random_linear
from tropviz.core.router import Router


def seen(router: Router, shape, n: int) -> int:
    points = shape.points(np.linspace(1e-9, 1 - 2e-9, n)[:, None])  # no point on a wall by symmetry
    return len(np.unique(router.active_sets(points), axis=0))


@settings(max_examples=20, deadline=None)
@given(
    st.sampled_from(["trigonometric", "moment curve", "circle"]), st.integers(1, 5), st.integers(0, 999), st.booleans()
)
def test_curves_against_dense_sampling(kind, degree, seed, central):
    W, b = (random_linear if central else random_affine)(7, 5, seed=seed)
    router, shape = Router(W, b, k=3), manifold(kind, 1, 5, degree=degree, seed=seed)
    count = cells_crossed(router, shape)
    least = seen(router, shape, 20_001)
    # a line through the origin, where all walls of a central router meet: float64 cannot tell that nothing lies between
    through = central and kind == "moment curve" and degree == 1
    assert count.kind == ("lower" if through else "exact")
    assert least <= int(count) <= least + 3  # a cell crossed for less than 1/20,000 of the curve may be missed


def test_a_circle_in_the_plane_meets_every_cell_of_a_central_fan():
    for seed in range(5):
        router = Router(*random_linear(12, 2, seed=seed), k=3)
        assert int(cells_crossed(router, manifold("circle", 1, 2, seed=seed))) == int(RoutingFan(router).count)


def test_twins_and_flat_experts():
    W = np.array([[1.0, 0, 0], [1, 0, 0], [-1, 0, 0], [0, 0, 0]])
    router = Router(W, k=1)
    assert int(cells_crossed(router, manifold("circle", 1, 3, seed=2))) == 2
    assert int(cells_crossed(Router(W, k=4), manifold("circle", 1, 3, seed=2))) == 1
    assert int(cells_crossed(Router(np.zeros((3, 3)), k=2), manifold("circle", 1, 3))) == 1


def test_flat_and_sphere_are_fans():
    router = Router(*random_linear(8, 6, seed=1), k=2)
    for kind, d_eff, r in (("flat", 2, 2), ("flat", 3, 3), ("sphere", 2, 3)):
        shape = manifold(kind, d_eff, 6, seed=4)
        count = cells_crossed(router, shape)
        assert count.kind == "exact" and f"{r}-dimensional" in count.method
        sets = len(np.unique(router.active_sets(shape.sample(20_000)), axis=0))
        assert 0.9 * int(count) <= sets <= int(count)


def test_curved_data_cross_more_cells_than_flat_data_of_the_same_dimension():
    router = Router(*random_linear(16, 16, seed=1), k=4)
    flat = cells_crossed(router, manifold("flat", 1, 16))
    counts = [int(cells_crossed(router, manifold("trigonometric", 1, 16, degree=m, seed=1))) for m in (1, 3, 8)]
    assert int(flat) == 2 and counts[0] < counts[1] < counts[2]


def test_dense_regions_on_a_curve():
    U, c = random_experts(1, 12, 6, seed=3)
    shape = manifold("trigonometric", 1, 6, degree=3, seed=2)
    count = regions_crossed(MoELayer.dense(U[0], c[0]), shape)
    points = shape.points(np.linspace(0, 1, 50_001)[:, None])
    assert count.kind == "exact" and int(count) == len(np.unique(points @ U[0].T + c[0] > 0, axis=0))
    line = manifold("flat", 1, 6, seed=2)
    assert int(regions_crossed(MoELayer.dense(U[0], c[0]), line)) == 13


def test_zeros_of_known_series():
    assert np.allclose(trigonometric_zeros(np.array([[0, 0, 0, 0, 1.0]])), np.arange(4) * np.pi / 2)
    product = np.polynomial.chebyshev.chebfromroots([-0.9, -0.2, 0.4, 3.0])
    assert np.allclose(chebyshev_zeros(np.array([product, product * 1e-12])), np.repeat([-0.9, -0.2, 0.4], 2))
    assert len(chebyshev_zeros(np.array([[1.0, 0.0], [2.0, 1.0]]))) == 0
    t = np.linspace(0, 6, 50)
    series = np.array([1.0, 2, 3, 4, 5])
    assert np.allclose(
        evaluate(series, True, t), 1 + 2 * np.cos(t) + 3 * np.sin(t) + 4 * np.cos(2 * t) + 5 * np.sin(2 * t)
    )


@pytest.mark.parametrize("kind", KINDS)
def test_every_manifold_has_its_size_and_dimension(kind):
    for d_eff in KINDS[kind]:
        shape = manifold(kind, d_eff, 7, size=2.0, degree=2, seed=3)
        points = shape.sample(4000)
        assert points.shape == (4000, 7)
        assert abs(np.sqrt((points**2).sum(axis=1).mean()) - 2.0) < 0.1
        wider = manifold(kind, d_eff, 8, size=2.0, degree=2, seed=3)
        assert wider.d_in == 8


def test_a_sampled_count_is_a_lower_bound():
    router = Router(*random_linear(16, 6, seed=1), k=4)
    shape = manifold("trigonometric", 2, 6, seed=1)
    few, many = (cells_crossed(router, shape, samples=n) for n in (2000, 40_000))
    assert few.kind == many.kind == "lower" and few.interval is None and "Chao1" in few.method
    assert int(few) < int(many)


def test_chao1_is_a_lower_bound_in_expectation():
    """Equal for kinds that are equally frequent, below for others."""
    even, uneven = [], []
    weights = 1 / np.arange(1, 301)
    for seed in range(200):
        random = np.random.default_rng(seed)
        even.append(chao1(np.unique(random.integers(0, 300, 400), return_counts=True)[1]))
        kinds = random.choice(300, size=400, p=weights / weights.sum())
        uneven.append(chao1(np.unique(kinds, return_counts=True)[1]))
    assert np.mean(even) == pytest.approx(300, rel=0.03)
    assert 150 < np.mean(uneven) < 280


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: manifold("torus", 1, 3), "choose one of"),
        (lambda: manifold("circle", 2, 3), "d_eff"),
        (lambda: manifold("flat", 3, 2), "d_eff = 3 is more than d_in = 2"),
        (lambda: manifold("sphere", 2, 2), "d_in of at least 3"),
        (lambda: manifold("trigonometric", 1, 3, degree=0), "degree"),
        (lambda: manifold("circle", 1, 3, size=0), "size"),
        (lambda: cells_crossed(Router(np.eye(3), k=1), manifold("circle", 1, 2)), "make them equal"),
        (lambda: regions_crossed(MoELayer.dense(np.eye(3), np.zeros(3)), manifold("circle", 1, 2)), "make them equal"),
    ],
)
def test_one_sentence_for_bad_input(make, sentence):
    with pytest.raises(ValueError) as caught:
        make()
    assert sentence in str(caught.value)


def test_a_sample_that_met_every_set_is_not_an_estimate():
    """A curved surface far out in many dimensions crosses all six cells of (4, 2): a count, not "6.00 [6.00, 6.00]"."""
    shape = manifold("trigonometric", 2, 16, degree=3, seed=1)
    count = cells_crossed(Router(*random_linear(4, 16, seed=1), k=2), shape, samples=4000)
    assert (str(count), count.kind, count.interval) == ("6", "exact", None)
    layer = MoELayer.dense(np.eye(1, 16), np.zeros(1))  # one hinge: both sides, seen often
    dense = regions_crossed(layer, shape, samples=4000)
    assert (str(dense), dense.kind) == ("≥ 2", "lower")


def test_what_costs_too_much_is_sampled_and_says_so():
    router = Router(*random_linear(64, 8, seed=1), k=4)
    U, c = random_experts(1, 40, 8, seed=1)
    for kind, d_eff in (("trigonometric", 1), ("flat", 2)):
        shape = manifold(kind, d_eff, 8, seed=1)
        for count in (
            cells_crossed(router, shape, most=Cost(0, 0), samples=3000),
            regions_crossed(MoELayer.dense(U[0], c[0]), shape, most=Cost(0, 0), samples=3000),
        ):
            assert count.kind in ("sampled", "lower") and "3,000 points" in count.method
    wide = random_experts(1, 16_384, 4, seed=1)  # its C(16384, 3) points are not even tried
    flat = regions_crossed(MoELayer.dense(wide[0][0], wide[1][0]), manifold("flat", 3, 4, seed=1), samples=200)
    assert flat.kind in ("sampled", "lower") and "200 points" in flat.method


def test_blocks_change_no_number(monkeypatch):
    router = Router(*random_linear(12, 6, seed=1), k=5)
    shape = manifold("trigonometric", 1, 6, degree=4, seed=1)
    U, c = random_experts(1, 30, 6, seed=1)
    whole = [str(cells_crossed(router, shape)), str(regions_crossed(MoELayer.dense(U[0], c[0]), shape))]
    monkeypatch.setattr(curves, "_BLOCK", 64)
    monkeypatch.setattr(roots, "_BATCH", 1)
    assert [str(cells_crossed(router, shape)), str(regions_crossed(MoELayer.dense(U[0], c[0]), shape))] == whole
