"""How many linear regions of a layer a data manifold crosses, routed or dense: like with like.

Exact along curves: the zeros of all score differences and of all hinges cut the curve into pieces on which the active
set and the pattern of its hinges are constant; distinct pairs of both are counted. Exact on flat manifolds up to three
dimensions; otherwise, and where that would cost too much, Chao1's lower bound from a sample.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tropviz.core.budget import COUNT, Cost
from tropviz.core.capacity import table
from tropviz.core.count import Count
from tropviz.core.experts.layer import MoELayer
from tropviz.core.experts.reached import region_names
from tropviz.core.manifold import cost
from tropviz.core.manifold.crossings import SAMPLES, cells_crossed, estimated
from tropviz.core.manifold.curves import Curve
from tropviz.core.manifold.shapes import Manifold
from tropviz.core.slice_law import expected_cells

Floats = NDArray[np.float64]


def regions_crossed(
    layer: MoELayer, shape: Manifold, *, samples: int = SAMPLES, seed: int = 0, most: Cost = COUNT
) -> Count:
    """Number of linear (activation) regions of a layer a manifold passes through.

    Parameters
    ----------
    layer : MoELayer
        With d = shape.d_in; `MoELayer.dense` for a dense one.
    shape : Manifold
    samples, seed : int
        Used where no exact count is possible.
    most : Cost
        What an exact count may cost; what is estimated to cost more is sampled.

    Returns
    -------
    Count
        'exact' along curves and on flat manifolds up to d_eff = 3; 'lower' where pieces of a curve could not be told
        apart in float64, and elsewhere: Chao1's bound from a sample, which holds in expectation.

    Raises
    ------
    ValueError
        If the layer lives in another dimension.

    Examples
    --------
    >>> from tropviz.core.manifold import manifold
    >>> circle = manifold("circle", 1, 2)
    >>> int(regions_crossed(MoELayer.dense([[1.0, 0.0], [0.0, 1.0]], [0.0, 0.0]), circle))
    4
    """
    if layer.d != shape.d_in:
        raise ValueError(f"The layer has d = {layer.d} but the manifold d_in = {shape.d_in}: make them equal.")
    flat = shape.kind == "flat" and shape.basis is not None and shape.d_eff <= 3
    if shape.series is not None:
        hinges = layer.N * layer.H + len(layer.shared[1])
        if cost.along_curve(layer.N * (layer.N - 1) // 2 + hinges, layer.N + hinges, shape).within(most):
            own, always = np.concatenate([layer.U, layer.c[..., None]], axis=2), np.column_stack(layer.shared)
            method = "distinct active sets and patterns between all zeros of score differences and hinges"
            return Curve(layer.router, shape, own, always).count(method)
    elif flat and _flat_cost(layer, shape.d_eff).within(most):
        assert shape.basis is not None
        count = _on_subspace(layer, shape.basis).regions(None)
        method = f"the layer on the {shape.d_eff}-dimensional subspace, {count.method}"
        return Count(int(count), count.kind, method, count.assumption)
    return estimated(region_names(layer, shape.sample(samples, seed)), samples)


def _flat_cost(layer: MoELayer, d: int) -> Cost:
    width = layer.k * layer.H + len(layer.shared[1])
    if layer.N == 1:
        return cost.dense_regions(width, d)
    cells = expected_cells(layer.N, layer.k, d, affine=not layer.router.central).value
    return cost.layer_regions(cells, width, d)


@dataclass(frozen=True)
class Crossed:
    """What a manifold crosses of a layer, beside dense layers and the promise.

    Attributes
    ----------
    cells, regions : Count
        Of the layer.
    wide : Count
        Regions of a dense layer of the same active width kH: the hinges of experts 0 to k - 1, everywhere.
    narrow : tuple of Count
        Regions of dense layers of width H: each of these k experts alone.
    promise : Count
        The paper's effective ratio C(N, k) k^d_eff of layer to dense width H, a ratio of bounds as H grows.
    """

    cells: Count
    regions: Count
    wide: Count
    narrow: tuple[Count, ...]
    promise: Count


def crossed(layer: MoELayer, shape: Manifold, *, samples: int = SAMPLES, seed: int = 0) -> Crossed:
    """`regions_crossed` of a layer and of the dense layers it is to be compared with, on the same points.

    Examples
    --------
    >>> from tropviz.core.manifold import manifold
    >>> from tropviz.core.presets import random_experts, random_linear
    >>> from tropviz.core.router import Router
    >>> layer = MoELayer(Router(*random_linear(8, 6, seed=1), k=2), *random_experts(8, 4, 6, seed=1))
    >>> seen = crossed(layer, manifold("trigonometric", 1, 6, degree=2, seed=1))
    >>> max(int(n) for n in seen.narrow) < int(seen.wide) < int(seen.regions), str(seen.promise)
    (True, '56')
    """

    def dense(experts: slice) -> Count:
        rows = MoELayer.dense(layer.U[experts].reshape(-1, layer.d), layer.c[experts].ravel())
        return regions_crossed(rows, shape, samples=samples, seed=seed)

    return Crossed(
        cells_crossed(layer.router, shape, samples=samples, seed=seed),
        regions_crossed(layer, shape, samples=samples, seed=seed),
        dense(slice(layer.k)),
        tuple(dense(slice(i, i + 1)) for i in range(layer.k)),
        table(layer.N, layer.k, layer.H, layer.d, shape.d_eff)["effective_ratio"],
    )


def _on_subspace(layer: MoELayer, basis: Floats) -> MoELayer:
    return layer.restrict(np.zeros(layer.d), basis)
