"""The router on screen in any dimension, random ones of its kind, and in which dimensions they are asked."""

from __future__ import annotations

import numpy as np

from tropviz import Router, slice_law
from tropviz.core import presets, slices
from tropviz.ui.scene import Scene, model

#: A router is counted in d dimensions while expected cells times d^2 stay below this (about a second here).
COUNTED = 30_000
#: Beyond the counted dimensions: where the law keeps these shares.
SAMPLED = (0.05, 0.2, 0.4, 0.6, 0.8, 0.95)


def most_dimension(scene: Scene) -> int:
    """Largest dimension in which there is a router like the scene's: N - 1 says all there is to say."""
    top = max(1, scene.n - 1)
    if scene.router == "designed":
        return min(3, top)
    own = model.scene_source(scene).W.shape[1] if model.has_size(scene) else presets.spaces(scene.router)[1]
    return min(own, top)


def own_router(scene: Scene, d: int) -> Router:
    """The scene's router in d dimensions: the same preset, or a d-dimensional slice of weights with their own space."""
    if model.has_size(scene):
        source = model.scene_source(scene)
        rows = source.W if source.X is None else source.X
        mean, basis = slices.principal_directions(rows, d)
        origin = np.zeros(source.W.shape[1]) if source.X is None else mean
        return slices.restrict(Router(source.W, source.b, scene.k), origin, basis)
    if scene.router == "designed":
        W, b, _, _ = model.design(scene, d).weights()
        return Router(W, b, scene.k)
    return Router(*presets.preset(scene.router, scene.n, d, scene.seed), k=scene.k)


def random_router(scene: Scene, d: int, seed: int) -> Router:
    """A random router of the law's kind."""
    kind = "affine" if model.scene_affine(scene) else "linear"
    return Router(*presets.preset(kind, scene.n, d, seed), k=scene.k)


def effort(scene: Scene, d: int) -> float:
    """What counting every cell in d dimensions costs, in the unit of `COUNTED`."""
    return float(slice_law.expected_cells(scene.n, scene.k, d, model.scene_affine(scene))) * d * d


def plan(scene: Scene) -> tuple[list[int], list[int]]:
    """Dimensions that are counted, and those that are sampled."""
    top = most_dimension(scene)
    low = presets.spaces(scene.router)[0]
    counted: list[int] = []
    for d in range(low, top + 1):
        if effort(scene, d) > COUNTED:
            break
        counted.append(d)
    first = counted[-1] + 1 if counted else low
    sampled = {slice_law.dimension_for(scene.n, scene.k, share) for share in SAMPLED}
    return counted, sorted(d for d in sampled if first <= d <= top)
