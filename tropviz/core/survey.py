"""One random router of a shape, measured: its cells and regions beside the laws, and its data at every offset."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tropviz.core import presets
from tropviz.core.collapse import cloud, critical_offset, routed
from tropviz.core.count import Count, log10_of
from tropviz.core.experts import MoELayer
from tropviz.core.fan.routing_fan import RoutingFan
from tropviz.core.router import Router
from tropviz.core.slice_law import expected_cells, expected_regions

#: Cells, and regions in the plane, up to which they are counted: what the laws expect.
MOST_CELLS, MOST_REGIONS = 20_000, 100_000
#: The stream of random numbers that draws the direction.
_DIRECTION = 4


@dataclass(frozen=True)
class Shape:
    """A random router and its experts.

    Attributes
    ----------
    N, k, d : int
    H : int
        Hidden units of an expert; 0: without experts.
    seed : int
    affine : bool
        With a standard normal bias for each expert.
    """

    N: int
    k: int
    d: int
    H: int = 0
    seed: int = 0
    affine: bool = False


def survey(shape: Shape, offsets: Sequence[float], points: int = 2000, spread: float = 1.0) -> list[dict[str, Any]]:
    """Rows of a tidy table, one an offset.

    Parameters
    ----------
    shape : Shape
        W, b, U and c are those of the presets of this seed.
    offsets : sequence of float
        The data is a normal cloud, moved so far along a random direction of this seed.
    points : int
    spread : float
        Standard deviation of each coordinate of the cloud.

    Returns
    -------
    list of dict
        Plain numbers and texts. ``cells`` is exact where ``cells_kind`` says so and None where it is not counted: above
        d = 3 unless all C(N, k) cells exist, or beyond `MOST_CELLS`; ``regions`` are those of the whole plane, d = 2.
        ``critical_offset`` is t* of a ball that holds 99 % of such clouds.

    Raises
    ------
    ValueError
        For sizes that do not fit together; one sentence.

    Examples
    --------
    >>> here, there = survey(Shape(6, 2, 2), [0.0, 1000.0])
    >>> here["cells"], here["cells_kind"], here["sets_hit"] > there["sets_hit"], there["fullest_set"]
    (7.0, 'exact', True, 1.0)
    """
    W, b = (presets.random_affine if shape.affine else presets.random_linear)(shape.N, shape.d, shape.seed)
    router = Router(W, b, shape.k)
    direction = np.random.default_rng([shape.seed, _DIRECTION]).standard_normal(shape.d)
    radius = spread * (math.sqrt(shape.d) + math.sqrt(2 * math.log(100)))  # Gaussian concentration of |z|
    fixed = {name: getattr(shape, name) for name in ("N", "k", "d", "H", "seed", "affine")}
    fixed |= {"points": points, "spread": float(spread)} | _cells(router, shape) | _regions(router, shape)
    fixed["critical_offset"] = critical_offset(router, direction, radius)
    rows = []
    for offset in offsets:
        X = cloud(points, shape.d, offset=offset, direction=direction, spread=spread, seed=shape.seed)
        seen = routed(router, X)
        row: dict[str, Any] = {"offset": float(offset)}
        for name, count in (("fullest_set", seen.saturation), ("effective_sets", seen.effective_sets)):
            low, high = count.interval or (None, None)
            row |= {name: float(count), f"{name}_low": low, f"{name}_high": high}
        row["effective_sets_kind"] = seen.effective_sets.kind
        rows.append(fixed | row | {"sets_hit": len(seen.hits), "load_cv": float(seen.imbalance)})
    return rows


def _cells(router: Router, shape: Shape) -> dict[str, Any]:
    N, k, d = shape.N, shape.k, shape.d
    law, possible = expected_cells(N, k, d, shape.affine), math.comb(N, k)
    out = {"cells_possible_log10": log10_of(possible), "cells_expected": _float(law)}
    if d >= N - 1 or (d <= 3 and float(law) <= MOST_CELLS):
        found = RoutingFan(router).count
        return out | {"cells": _float(found), "cells_kind": found.kind}
    return out | {"cells": None, "cells_kind": ""}


def _regions(router: Router, shape: Shape) -> dict[str, Any]:
    none = {"regions_expected": None, "regions": None, "regions_kind": ""}
    if not shape.H:
        return none
    law = expected_regions(shape.N, shape.k, shape.H, shape.d, shape.affine)
    out = none | {"regions_expected": _float(law)}
    if shape.d != 2 or not float(law) <= MOST_REGIONS:
        return out
    found = MoELayer(router, *presets.random_experts(shape.N, shape.H, shape.d, shape.seed)).regions(None)
    return out | {"regions": _float(found), "regions_kind": found.kind}


def _float(count: Count) -> float:
    try:
        return float(count.value)
    except OverflowError:
        return math.inf
