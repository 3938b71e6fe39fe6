"""Experts that are never active need not be carried along: the fan of the others, and the proof that it is the fan.

Inside a cell of the fan of some experts, the lowest active score is a concave function and the score of another expert
a linear one. So if the other expert is below the threshold at all corners and rays of the cell, it is below it in the
whole cell; and if that holds for all cells, it is active nowhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.core.fan.diagram import Diagram
from tropviz.core.fan.lines import ranked, samples
from tropviz.core.fan.reduce import certainly_full_rank
from tropviz.core.fan.sides import Experts, Ints, Signs

#: Random points at which experts are looked for that come near the threshold, and how many ranks below it count.
POINTS, BELOW = 128, 6
#: Further points at which nobody new may be active.
CHECKS = 64
#: Leaving experts out pays below this share of them.
PAYS = 0.85


def contenders(e: Experts) -> Ints | None:
    """Experts in R^3 that may ever be active, ascending; None where leaving out the others does not pay."""
    high = e.k + BELOW
    if high >= PAYS * e.C:
        return None
    order = ranked(samples(POINTS + CHECKS, e.half) @ e.centred.T)
    seen = np.zeros(e.C, dtype=bool)
    seen[order[:POINTS, :high]] = True  # with copies, ranks go further: only more are kept
    return np.flatnonzero(seen) if seen[order[POINTS:, : e.k]].all() else None  # more would turn up: a walk in vain


def only(e: Experts, chosen: Ints) -> Experts | None:
    """The chosen experts alone, unless too many or in too few dimensions."""
    if len(chosen) > PAYS * e.C or e.copies[chosen].sum() <= e.k or not certainly_full_rank(e.rows[chosen]):
        return None
    return e.some(chosen, e.k, e.half)


def maybe_active(e: Experts, chosen: Ints, found: Diagram) -> Ints:
    """Experts left out that are not certainly below the threshold at every corner and ray of the chosen ones' fan."""
    left = np.delete(np.arange(e.C), chosen)
    sure = e.surely_below(chosen[found.bases], found.points, found.errors, left)
    if len(found.rays):
        sure &= e.surely_below(chosen[found.ray_bases], found.rays, found.ray_errors, left)
    return left[~sure]


def widened(e: Experts, chosen: Ints, found: Diagram) -> Diagram:
    """The diagram with all others as experts that lie below everywhere."""

    def sides(few: Signs) -> Signs:
        out = np.full((e.C, len(few)), -1, dtype=np.int8)  # whole rows are copied faster than pieces of rows
        out[chosen] = few.T
        return out.T

    cells: NDArray[Any] = np.zeros((e.C, len(found.cells)), dtype=found.cells.dtype)
    cells[chosen] = found.cells.T
    return Diagram(
        cells=np.ascontiguousarray(cells.T),
        points=found.points,
        sides=sides(found.sides),
        bases=chosen[found.bases],
        errors=found.errors,
        incidence=found.incidence,
        walls=found.walls,
        rays=found.rays,
        ray_sides=sides(found.ray_sides),
        ray_bases=chosen[found.ray_bases],
        ray_errors=found.ray_errors,
        ray_incidence=found.ray_incidence,
        complete=found.complete,
    )
