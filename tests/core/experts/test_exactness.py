"""Floats are exact numbers in region counts, too: any range, any slice, copies; against slow exact splitting."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from tests.oracles import exact_regions as oracle
from tropviz.core.experts import MoELayer
from tropviz.core.experts import settle as settling
from tropviz.core.presets import random_affine, random_experts
from tropviz.core.router import Router

DATA = Path(__file__).parents[2] / "data"


def fractions(*parts: np.ndarray) -> list[list[Fraction]]:
    return oracle.exact(
        np.column_stack([np.asarray(p, dtype=float).reshape(len(parts[0]), -1) for p in parts]).tolist()
    )


def on_slice(rows: list[list[Fraction]], origin: np.ndarray, basis: np.ndarray) -> list[list[Fraction]]:
    """Rows (w, b) as they are on x = origin + y @ basis."""
    lines = [[Fraction(float(x)) for x in line] for line in basis]
    at = [Fraction(float(x)) for x in origin]

    def dot(a: list[Fraction], b: list[Fraction]) -> Fraction:
        return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))

    return [[*(dot(row[:-1], line) for line in lines), dot(row[:-1], at) + row[-1]] for row in rows]


def counted(layer: MoELayer, window: float) -> dict[tuple[int, ...], int]:
    counts = layer.regions_per_cell(window)
    assert all(n.kind == "exact" for n in counts.values())
    return {key: int(n) for key, n in counts.items()}


def split(layer: MoELayer, window: float, origin: np.ndarray | None = None, basis: np.ndarray | None = None) -> dict:
    router = fractions(layer.router.W, layer.router.b)
    hinges = {i: fractions(layer.U[i], layer.c[i]) for i in range(layer.N)}
    shared = fractions(*layer.shared) if len(layer.shared[1]) else []
    if basis is not None and origin is not None:
        router, shared = on_slice(router, origin, basis), on_slice(shared, origin, basis)
        hinges = {i: on_slice(rows, origin, basis) for i, rows in hinges.items()}
    d = len(router[0]) - 1
    return oracle.regions(router, hinges, layer.k, [(Fraction(-window), Fraction(window))] * d, shared)


def test_hinges_of_all_ranges_in_one_row() -> None:
    case = json.loads((DATA / "M_range_regions.json").read_text())
    for window in (None, 1, 1e5):
        regions = MoELayer.dense(case["U"], case["c"]).regions(window)
        assert (int(regions), regions.kind) == (4, "exact")


@pytest.mark.parametrize("d", [1, 2, 3])
@pytest.mark.parametrize("span", [60, 150, 300, 500])
def test_any_range(d: int, span: int) -> None:
    random = np.random.default_rng([d, span])

    def numbers(*shape: int) -> np.ndarray:
        """Few digits, so that ties are common, at all scales."""
        return (
            random.integers(-3, 4, shape)
            * 2.0 ** random.integers(-span, span + 1, shape)
            * 8.0 ** random.integers(0, 2)
        )

    for _ in range(12 if d < 3 else 4):
        N, H = int(random.integers(1, 5 if d < 3 else 4)), int(random.integers(1, 4 if d < 3 else 3))
        shared = (numbers(1, d), numbers(1)) if random.integers(2) else None
        layer = MoELayer(
            Router(numbers(N, d), numbers(N), int(random.integers(1, N + 1))),
            numbers(N, H, d),
            numbers(N, H),
            shared=shared,
        )
        assert counted(layer, 1.0) == split(layer, 1.0), (layer.router.W, layer.router.b, layer.k, layer.U, layer.c)


@pytest.mark.parametrize("kind", ["lattice", "copies", "random", "dense"])
@pytest.mark.parametrize("r", [1, 2, 3])
def test_slices(r: int, kind: str) -> None:
    """Lattice weights tie on slices; a rounded product would not."""
    random = np.random.default_rng([r, len(kind)])
    for _ in range(8 if r < 3 else 3):
        d, N, H = r + 2, int(random.integers(2, 5 if r < 3 else 4)), int(random.integers(1, 4 if r < 3 else 3))
        W, b = random.integers(-1, 2, (N, d)).astype(float), random.integers(-1, 2, N).astype(float)
        U, c = random.integers(-1, 2, (N, H, d)).astype(float), random.integers(-1, 2, (N, H)).astype(float)
        if kind == "random":
            W, U = random.standard_normal((N, d)), random.standard_normal((N, H, d))
        if kind == "copies":
            W, b, U, c = (np.repeat(a, 2, axis=0)[:5] for a in (W, b, U, c))
        basis, origin = (
            np.linalg.qr(random.standard_normal((d, r)))[0].T,
            random.standard_normal(d) * random.integers(2),
        )
        if kind == "dense":
            layer = MoELayer.dense(U.reshape(-1, d), c.ravel())
        else:
            layer = MoELayer(Router(W, b, int(random.integers(1, len(W)))), U, c, shared=(U[0, :1], c[0, :1]))
        assert counted(layer.restrict(origin, basis), 2.0) == split(layer, 2.0, origin, basis)


def test_a_slice_of_a_slice_and_its_fan() -> None:
    random = np.random.default_rng(0)
    layer = MoELayer(
        Router(random.integers(-1, 2, (5, 4)), None, 2), random.integers(-1, 2, (5, 2, 4)), np.zeros((5, 2))
    )
    bases = [np.linalg.qr(random.standard_normal((n, n - 1)))[0].T for n in (4, 3)]
    space = layer.restrict(np.zeros(4), bases[0])
    plane = space.restrict(np.zeros(3), bases[1], fan=None)
    again = space.restrict(np.zeros(3), bases[1], fan=plane.fan)
    assert again.fan is plane.fan and int(again.regions(2)) == int(plane.regions(2))
    with pytest.raises(ValueError, match="another router"):
        MoELayer(Router(plane.router.W, plane.router.b, 2), plane.U, plane.c, fan=plane.fan)  # the rounded one
    with pytest.raises(ValueError, match="dependent"):
        layer.restrict(np.zeros(4), np.ones((2, 4)))


def test_beyond_the_budget_the_count_is_a_lower_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hinges through one point in every cell: float64 decides none of them."""
    U, c = random_experts(6, 12, 2, seed=1)
    U, c = np.round(U * 16), np.zeros_like(c)
    layer = MoELayer(Router(*random_affine(6, 2, seed=1), k=2), U, c)
    exact = layer.regions(2)
    monkeypatch.setattr(settling, "BUDGET", 1)
    least = layer.regions(2)
    assert (exact.kind, least.kind) == ("exact", "lower") and 0 < int(least) < int(exact)
