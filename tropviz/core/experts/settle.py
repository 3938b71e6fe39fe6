"""Cells that float64 could not decide, counted in integers, within a budget."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tropviz.core.experts.cells import side_rows
from tropviz.core.experts.exact import MOST_HINGES, integer_rows, regions_exact

if TYPE_CHECKING:
    from tropviz.core.experts.layer import MoELayer

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

#: Pairs (in space: triples) of hinges looked at before the cells that are left are counted by a few of their hinges:
#: about a minute in the plane.
BUDGET = 10**8
#: How many those are.
FEW_HINGES = 8


def settle(layer: MoELayer, ids: Ints, counts: Ints, certain: Bools, which: Ints, box: Floats | None) -> None:
    """Count the given cells exactly, in place; of too many hinges the first, for a lower bound.

    Parameters
    ----------
    layer : MoELayer
    ids, counts, certain : ndarrays (n,)
        Cells by their rows in the fan, and what is known of them.
    which : ndarray of int
        Positions to be settled.
    box : ndarray (d, 2) or None
    """
    router, sides = layer.router.exact, integer_rows(side_rows(box, layer.d))
    shared = [tuple(layer.exact_shared.row(n)) for n in range(len(layer.shared[1]))]
    hinges: dict[int, list[tuple[int, ...]]] = {}
    sets = [frozenset(s) for s in layer.sets.tolist()]
    around: dict[int, list[int]] = {}
    for i, j in layer.neighbours.tolist():
        around.setdefault(i, []).append(j)
        around.setdefault(j, []).append(i)
    left = BUDGET
    for position in which.tolist():
        cell = int(ids[position])
        walls = [
            tuple(router.wall(min(sets[cell] - sets[other]), min(sets[other] - sets[cell])))
            for other in around.get(cell, [])
        ]
        for i in sets[cell] - hinges.keys():
            hinges[i] = [tuple(layer.exact_hinges.row(i * layer.H + h)) for h in range(layer.H)]
        lines = [h for i in sorted(sets[cell]) for h in hinges[i]] + shared
        most = MOST_HINGES if left > 0 else FEW_HINGES
        left -= min(len(lines), most) ** max(2, layer.d)
        counts[position] = regions_exact([*walls, *sides], lines[:most], layer.d)
        certain[position] = len(lines) <= most  # hinges left out only ever add regions
