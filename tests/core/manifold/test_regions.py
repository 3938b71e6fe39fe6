"""Regions of layers on data manifolds: dense sampling, isolated roots in rationals, the layer on a subspace."""

from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracles import curves as oracle
from tropviz.core.experts import MoELayer
from tropviz.core.experts.reached import region_names
from tropviz.core.manifold import cells_crossed, crossed, manifold, regions_crossed
from tropviz.core.presets import random_affine, random_experts, random_linear
from tropviz.core.router import Router


def layer_of(N: int, k: int, H: int, d: int, seed: int, shared: bool = False) -> MoELayer:
    extra = tuple(a[0] for a in random_experts(1, 2, d, seed=seed + 50)) if shared else None
    return MoELayer(Router(*random_affine(N, d, seed=seed), k=k), *random_experts(N, H, d, seed=seed), shared=extra)


@settings(max_examples=12, deadline=None)
@given(
    st.sampled_from(["trigonometric", "moment curve", "circle"]), st.integers(1, 4), st.integers(0, 99), st.booleans()
)
def test_curves_against_dense_sampling(kind, degree, seed, shared):
    layer, shape = layer_of(6, 2, 2, 5, seed, shared), manifold(kind, 1, 5, degree=degree, seed=seed)
    count = regions_crossed(layer, shape)
    names = region_names(layer, shape.points(np.linspace(1e-9, 1 - 2e-9, 20_001)[:, None]))
    least = len(np.unique(names, axis=0))
    assert count.kind == "exact" and least <= int(count) <= least + 4  # what is crossed for 1/20,000 may be missed


@pytest.mark.parametrize("seed", range(3))
def test_curves_against_isolated_roots(seed):
    """Every score difference and hinge along a moment curve as a rational polynomial, its roots isolated by Sturm."""
    layer, shape = layer_of(4, 2, 1, 3, seed), manifold("moment curve", 1, 3, degree=3, seed=seed)
    t = sympy.Symbol("t")
    basis = [sympy.chebyshevt_poly(j, t) for j in range(len(shape.series))]

    def along(row: np.ndarray, offset: float) -> sympy.Poly:
        weights = [sum(Fraction(a) * Fraction(w) for a, w in zip(term, row, strict=True)) for term in shape.series]
        terms = [sympy.Rational(w.numerator, w.denominator) * p for w, p in zip(weights, basis, strict=True)]
        return sympy.Poly(sum(terms) + sympy.Rational(*offset.as_integer_ratio()), t)

    scores = [along(w, float(b)) for w, b in zip(layer.router.W, layer.router.b, strict=True)]
    hinges = [along(u[0], float(c[0])) for u, c in zip(layer.U, layer.c, strict=True)]
    walls = [p - q for i, p in enumerate(scores) for q in scores[:i]]
    product = sympy.prod(walls + hinges)
    ends = [end for (a, b), _ in product.intervals(inf=-1, sup=1) for end in (a, b)]
    known = set()
    for low, high in zip([sympy.Integer(-1), *ends[1::2]], [*ends[::2], sympy.Integer(1)], strict=True):
        x = (low + high) / 2
        values = [p.eval(x) for p in scores]
        active = sorted(sorted(range(4), key=lambda i: -values[i])[:2])
        known.add((tuple(active), tuple(bool(hinges[i].eval(x) > 0) for i in active)))
    count = regions_crossed(layer, shape)
    assert (int(count), count.kind) == (len(known), "exact")


@pytest.mark.parametrize("seed", range(60))
def test_special_position_along_curves_is_right_or_a_lower_bound(seed):
    """Lattice weights, twins, hinges along walls, dead and tiny hinges: 'exact' only where it is."""
    rng = np.random.default_rng([5, seed])
    kind, d = ("moment curve", "trigonometric", "circle")[seed % 3], int(rng.integers(2, 5))
    shape = manifold(kind, 1, d, degree=int(rng.integers(1, 4)), seed=seed)
    N, H = (int(n) for n in rng.integers(2, (5, 3)))
    draw = (lambda *s: rng.integers(-1, 2, s).astype(float), lambda *s: rng.normal(size=s))[seed % 2]
    W, b, U, c = draw(N, d), draw(N), draw(N, H, d), draw(N, H)
    if seed % 5 < 2:
        W[1], b[1] = W[0], b[0]
    if seed % 4 == 1:  # a hinge along a wall, but for rounding
        U[0, 0], c[0, 0] = W[0] - W[-1], b[0] - b[-1]
    if seed % 7 == 0:
        U[-1] = 0
    if seed % 8 == 5:
        U[0, 0], c[0, 0] = 1e-13 * U[0, 0], 1e-13 * c[0, 0]
    layer = MoELayer(Router(W, b, k=int(rng.integers(1, N + 1))), U, c)
    counts, known = (cells_crossed(layer.router, shape), regions_crossed(layer, shape)), oracle.crossed(layer, shape)
    for count, number in zip(counts, known, strict=True):
        assert int(count) == number if count.kind == "exact" else int(count) <= number


def test_what_float64_cannot_tell_apart_is_not_called_exact():
    """A hinge and a wall that differ by rounding: between them may lie a piece that no float shows."""
    rng = np.random.default_rng(1)
    W, b, U, c = rng.normal(size=(3, 3)), rng.normal(size=3), rng.normal(size=(3, 1, 3)), rng.normal(size=(3, 1))
    U[0, 0], c[0, 0] = W[0] - W[2], b[0] - b[2]
    seen = [regions_crossed(MoELayer(Router(W, b, k=1), U, c), manifold("circle", 1, 3, seed=s)) for s in range(20)]
    apart = [
        regions_crossed(MoELayer(Router(W, b, k=1), U, c + 1e-3), manifold("circle", 1, 3, seed=s)) for s in range(20)
    ]
    assert "lower" in {count.kind for count in seen} and {count.kind for count in apart} == {"exact"}


def test_flat_manifolds_are_the_layer_on_a_subspace():
    layer, shape = layer_of(5, 2, 2, 6, 1, shared=True), manifold("flat", 2, 6, seed=3)
    count = regions_crossed(layer, shape)
    names = region_names(layer, shape.sample(40_000) * 20)
    assert count.kind == "exact" and len(np.unique(names, axis=0)) <= int(count)
    dense = MoELayer.dense(layer.U[0], layer.c[0])
    assert int(regions_crossed(dense, shape)) == 4  # two lines in general position


def test_twins_share_cells_but_not_hinges():
    W = np.array([[1.0, 0, 0], [1, 0, 0], [-1, 0, 0]])
    U = np.array([[[0.0, 1, 0]], [[0, 0, 1]], [[0, 1, 0]]])
    layer = MoELayer(Router(W, k=1), U, np.zeros((3, 1)))
    shape = manifold("circle", 1, 3, seed=2)
    names = region_names(layer, shape.points(np.linspace(1e-9, 1 - 2e-9, 4001)[:, None]))
    assert int(regions_crossed(layer, shape)) == len(np.unique(names, axis=0)) == 4


def test_a_curve_crosses_more_than_the_dense_layers_and_less_than_is_promised():
    layer = MoELayer(Router(*random_linear(16, 16, seed=1), k=4), *random_experts(16, 8, 16, seed=1))
    seen = crossed(layer, manifold("trigonometric", 1, 16, degree=3, seed=1))
    assert int(seen.cells) < int(seen.regions) and max(map(int, seen.narrow)) < int(seen.wide) < int(seen.regions)
    assert len(seen.narrow) == 4 and int(seen.promise) == 1820 * 4
    assert {c.kind for c in (seen.cells, seen.regions, seen.wide, *seen.narrow)} == {"exact"}


def test_a_sampled_surface_is_a_lower_bound():
    layer, shape = layer_of(8, 2, 4, 6, 1), manifold("trigonometric", 2, 6, seed=1)
    few, many = (regions_crossed(layer, shape, samples=n) for n in (500, 5000))
    assert few.kind == many.kind == "lower" and int(few) < int(many) and "Chao1" in many.method


def test_another_dimension_is_refused():
    with pytest.raises(ValueError, match="make them equal"):
        regions_crossed(layer_of(3, 1, 1, 3, 0), manifold("circle", 1, 2))
