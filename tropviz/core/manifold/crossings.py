"""How many cells of a router a data manifold crosses; `regions` does the same for the regions of a layer.

Exact along curves (every zero of every score difference cuts the curve; the active sets of the pieces are counted),
exact on flat manifolds (the fan of the restricted router) and on spheres round the origin of a central router;
otherwise a lower bound from a sample, Chao1's. What would cost too much is sampled, too, and the count says so. Arrays
are made a block at a time.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.core.budget import COUNT, Cost
from tropviz.core.count import Count
from tropviz.core.manifold import cost
from tropviz.core.manifold.curves import Curve
from tropviz.core.manifold.richness import chao1
from tropviz.core.manifold.shapes import Manifold
from tropviz.core.router import Router

#: Points of a sampled count, unless told.
SAMPLES = 20_000


def cells_crossed(
    router: Router, shape: Manifold, *, samples: int = SAMPLES, seed: int = 0, most: Cost = COUNT
) -> Count:
    """Number of routing cells a manifold passes through.

    Parameters
    ----------
    router : Router
        With d = shape.d_in.
    shape : Manifold
    samples, seed : int
        Used where no exact count is possible.
    most : Cost
        What an exact count may cost; what is estimated to cost more is sampled.

    Returns
    -------
    Count
        'exact' for curves, flat manifolds, and spheres under a central router; 'lower' where pieces of a curve could
        not be told apart in float64, and elsewhere: Chao1's bound from a sample, which holds in expectation.

    Raises
    ------
    ValueError
        If the router lives in another dimension.

    Examples
    --------
    >>> from tropviz.core.manifold.shapes import manifold
    >>> from tropviz.core.presets import random_linear
    >>> router = Router(*random_linear(16, 8, seed=1), k=4)
    >>> flat, curved = (manifold(kind, 1, 8, degree=3) for kind in ("flat", "trigonometric"))
    >>> int(cells_crossed(router, flat)), int(cells_crossed(router, curved)) > 20
    (2, True)
    """
    if router.d != shape.d_in:
        raise ValueError(f"The router has d = {router.d} but the manifold d_in = {shape.d_in}: make them equal.")
    flat = shape.basis is not None and (shape.kind == "flat" or (shape.kind == "sphere" and router.central))
    if shape.series is not None:
        if cost.along_curve(math.comb(router.N, 2), router.N, shape).within(most):
            return Curve(router, shape).count("distinct active sets between all zeros of all score differences")
    elif flat and _fan_cost(router, shape).within(most):
        from tropviz.core.fan.routing_fan import RoutingFan
        from tropviz.core.slices import restrict

        assert shape.basis is not None
        count = RoutingFan(restrict(router, np.zeros(router.d), shape.basis)).count
        method = f"fan of the router on the {len(shape.basis)}-dimensional subspace"
        return Count(int(count), count.kind, method, count.assumption)
    sets = router.active_sets(shape.sample(samples, seed))
    return estimated(sets, samples, math.comb(router.N, router.k))


def _fan_cost(router: Router, shape: Manifold) -> Cost:
    """What the fan of a random router of this size costs on a flat."""
    from tropviz.core.slice_law import expected_cells

    assert shape.basis is not None
    d = min(len(shape.basis), max(1, router.N - 1))
    return cost.fan_cells(expected_cells(router.N, router.k, d, affine=not router.central).value, d)


def estimated(keys: NDArray[Any], samples: int, most: int | None = None) -> Count:
    """How many there are at least, from a sample; what can have only `most`, and showed them all, is exact."""
    _, times = np.unique(keys, axis=0, return_counts=True)
    if len(times) == most:
        return Count(most, "exact", f"all {most:,} seen among {samples:,} points")
    bound = chao1(times)
    if bound == len(times):  # hardly any was seen once: nothing to estimate a rest from
        return Count(len(times), "lower", f"seen among {samples:,} points", "rare ones may be missing")
    method = f"Chao1 bound from {samples:,} points, {len(times):,} seen"
    note = "a lower bound in expectation, parameters uniform; what is far rarer than one point leaves no trace"
    return Count(math.floor(bound), "lower", method, note)
