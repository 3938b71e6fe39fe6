"""Curves: regions of a layer against the cells of its router, both exact."""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench.harness import Row, least
from tropviz import MoELayer, Router
from tropviz.core.manifold import cells_crossed, manifold, regions_crossed
from tropviz.core.presets import random_experts, random_linear


def rows() -> Iterator[Row]:
    for N, k, H, d in ((16, 4, 8, 64), (64, 8, 8, 64)):
        layer = MoELayer(Router(*random_linear(N, d, seed=1), k=k), *random_experts(N, H, d, seed=1))
        shape = manifold("trigonometric", 1, d, degree=3, seed=1)
        ratio = least(
            lambda layer=layer, shape=shape: regions_crossed(layer, shape),
            lambda layer=layer, shape=shape: cells_crossed(layer.router, shape),
            repeat=5,
        )
        note = f"{regions_crossed(layer, shape)} regions, {cells_crossed(layer.router, shape)} cells"
        yield Row(f"curve in R^{d}, ({N},{k},{H}): regions / cells", ratio, "<= 3", note)
