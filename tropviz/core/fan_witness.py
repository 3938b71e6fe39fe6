"""A point inside each cell, and the proof that it is inside: its score gap exceeds every rounding error."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tropviz.core.fan_order import sums
from tropviz.core.tolerance import UNIT_ROUNDOFF

if TYPE_CHECKING:
    from tropviz.core.fan import RoutingFan
    from tropviz.core.fan_reduce import Reduced
    from tropviz.core.router import Router

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Scores held at once.
BLOCK = 2_000_000


def copies_used(reduced: Reduced, sets: Ints) -> Ints:
    """How many copies of each distinct expert each active set takes: (m, k) -> (m, C)."""
    out = np.zeros((len(sets), len(reduced.copies)), dtype=np.int64)
    np.add.at(out, (np.arange(len(sets))[:, None], reduced.class_of[sets]), 1)
    return out


def clearance(router: Router, reduced: Reduced, used: Ints, points: Floats) -> Floats:
    """Score gap at each point between the active and the other experts, divided by the bound on its rounding error.

    A value above 1 proves that the point lies inside the cell. The gap is the least difference between an expert with
    an active copy and one with an inactive copy, other than itself.
    """
    first = np.unique(reduced.class_of, return_index=True)[1]
    weights, bias = router.W[first], router.b[first]
    out = np.empty(len(points))
    step = max(1, BLOCK // len(first))
    for lo in range(0, len(points), step):
        x, y = points[lo : lo + step], used[lo : lo + step]
        with np.errstate(all="ignore"):
            scores = x @ weights.T + bias
            size = np.abs(x) @ np.abs(weights.T) + np.abs(bias)
            some = y > 0
            partial = some & (y < reduced.copies)
            lowest = np.where(some, scores, np.inf).min(axis=1)
            highest = np.where(y < reduced.copies, scores, -np.inf)
            # The one expert with copies on both sides is compared with all others, not with itself.
            split = partial.any(axis=1)
            which = partial.argmax(axis=1)
            row = np.arange(len(x))
            own = scores[row, which]
            above = np.where(y == reduced.copies, scores, np.inf).min(axis=1)
            below = np.where(some, -np.inf, scores).max(axis=1)
            gap = np.where(split, np.minimum(above - own, own - below), lowest - highest.max(axis=1))
            bound = 2 * (router.d + 2) * UNIT_ROUNDOFF * size.max(axis=1) + np.finfo(np.float64).tiny
            out[lo : lo + step] = np.where(np.isfinite(gap), gap / bound, np.where(gap == np.inf, np.inf, -np.inf))
    return out


def inside_exactly(router: Router, used: Ints, reduced: Reduced, point: Floats) -> bool:
    """True when a float64 point lies strictly inside the cell, by rational arithmetic."""
    if not np.isfinite(point).all():
        return False
    first = np.unique(reduced.class_of, return_index=True)[1].tolist()
    x = [Fraction(float(v)) for v in point]
    scores = [
        sum((Fraction(float(w)) * v for w, v in zip(router.W[i], x, strict=True)), Fraction(float(router.b[i])))
        for i in first
    ]
    inside = [i for i in range(len(first)) if used[i] > 0]
    outside = [j for j in range(len(first)) if used[j] < reduced.copies[j]]
    return all(scores[i] > scores[j] for i in inside for j in outside if i != j)


def witnesses(fan: RoutingFan) -> Floats:
    """A point in each cell: the sum of its corners and rays as unit vectors of R^(d+1); where that is not certain, the
    better one of two other interior points."""
    reduced, diagram, router = fan._reduced, fan._diagram, fan.router
    used = copies_used(reduced, fan.active_sets)
    ids, starts = fan.cell_vertices
    rays, begins = fan.cell_directions
    directions = sums(fan.directions[rays], begins)
    best = np.repeat(reduced.origin[None], len(used), axis=0)
    if not (reduced.half and diagram is not None):
        best += max(1.0, float(np.linalg.norm(reduced.origin))) * directions
        return best
    total = sums(diagram.points[ids], starts) + sums(diagram.rays[rays], begins)
    best = reduced.lift_points(total)
    sure = clearance(router, reduced, used, best)
    if (sure > 1).all():
        return best
    with np.errstate(all="ignore"):
        corners = fan.vertices[ids]
        middle = sums(corners, starts) / np.maximum(np.diff(starts), 1)[:, None]
        spread = np.sqrt(np.square(corners - np.repeat(middle, np.diff(starts), axis=0)).sum(axis=1))
        reach = np.maximum(sums(spread[:, None], starts), np.linalg.norm(middle, axis=1, keepdims=True))
    for factor in (1.0, 1e-3, 1e3):
        with np.errstate(all="ignore"):
            other = middle + factor * reach * directions
        value = clearance(router, reduced, used, other)
        better = value > sure
        best[better], sure[better] = other[better], value[better]
    return best
