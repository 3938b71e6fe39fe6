"""A point inside each cell, and the proof that it is inside: its score gap exceeds every rounding error."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tropviz.core.exact_rows import Dyadic
from tropviz.core.fan import exact
from tropviz.core.fan.order import sums
from tropviz.core.fan.reduce import Reduced
from tropviz.core.fan.skeleton import Skeleton
from tropviz.core.router import Router
from tropviz.core.tolerance import UNIT_ROUNDOFF

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Scores held at once: few enough to stay in the cache.
BLOCK = 2**15


def copies_used(reduced: Reduced, sets: Ints) -> Ints:
    """How many copies of each distinct expert each active set takes: (m, k) -> (m, C)."""
    out = np.zeros((len(sets), len(reduced.copies)), dtype=np.int64)
    if len(reduced.copies) == len(reduced.class_of):
        np.put_along_axis(out, sets, 1, axis=1)
    else:
        np.add.at(out, (np.arange(len(sets))[:, None], reduced.class_of[sets]), 1)
    return out


def clearance(router: Router, reduced: Reduced, used: Ints, points: Floats) -> Floats:
    """Score gap at each point between the active and the other experts, divided by the bound on its rounding error.

    A value above 1 proves that the point lies inside the cell. The gap is the least difference between an expert with
    an active copy and one with an inactive copy, other than itself.
    """
    rows = router.exact
    first = rows.classes[0]
    weights, bias = router.W[first], router.b[first]
    if not rows.given and rows.wide:  # the floats may be far from the numbers
        return np.zeros(len(points))
    steps = 2 * (router.d + (2 if rows.given else 4))
    out = np.empty(len(points))
    step = max(1, BLOCK // len(first))
    with np.errstate(all="ignore"):
        longest, highest_bias = np.linalg.norm(weights, axis=1).max(), np.abs(bias).max()
        for lo in range(0, len(points), step):
            x, y = points[lo : lo + step], used[lo : lo + step]
            scores = x @ weights.T
            scores += bias
            gap = gaps(scores, y, reduced.copies)
            size = np.linalg.norm(x, axis=1) * longest + highest_bias
            bound = steps * UNIT_ROUNDOFF * size + np.finfo(np.float64).tiny
            out[lo : lo + step] = np.where(np.isnan(gap), -np.inf, gap / bound)
    return out


def gaps(scores: Floats, used: Ints, copies: Ints) -> Floats:
    """Least difference between an expert with an active copy and another one with an inactive copy; spoils scores."""
    if (copies == 1).all():
        active = np.nonzero(used > 0)
        lowest = scores[active].reshape(len(scores), -1).min(axis=1)
        scores[active] = -np.inf
        return lowest - scores.max(axis=1)
    some, rest = used > 0, used < copies
    split = some & rest
    lowest = np.where(some, scores, np.inf).min(axis=1)
    highest = np.where(rest, scores, -np.inf).max(axis=1)
    out = lowest - highest
    for row in np.flatnonzero(split.any(axis=1)):  # an expert with copies on both sides is not compared with itself
        own = scores[row, split[row]].item()
        above = scores[row, ~rest[row]].min(initial=np.inf)
        out[row] = min(above - own, own - scores[row, ~some[row]].max(initial=-np.inf))
    return out


def inside_exactly(router: Router, used: Ints, reduced: Reduced, point: Floats) -> bool:
    """True when a float64 point lies strictly inside the cell, by rational arithmetic."""
    if not np.isfinite(point).all():
        return False
    first = router.exact.classes[0].tolist()
    whole = Dyadic(np.append(point, 1.0)[None]).row(0)
    scores = [exact.dot(router.exact.row(i), whole) for i in first]
    inside = [i for i in range(len(first)) if used[i] > 0]
    outside = [j for j in range(len(first)) if used[j] < reduced.copies[j]]
    return all(scores[i] > scores[j] for i in inside for j in outside if i != j)


def witnesses(fan: Skeleton) -> Floats:
    """A point in each cell: the sum of its corners and rays as unit vectors of R^(d+1); where that is not certain, the
    better one of two other interior points."""
    reduced, diagram, router = fan.reduced, fan.diagram, fan.router
    if fan.seen is not None:
        return fan.seen
    used = copies_used(reduced, fan.active_sets)
    ids, starts = fan.cell_vertices
    rays, begins = fan.cell_directions
    directions = sums(fan.directions[rays], begins)
    best = fan.middle.copy()
    if not reduced.half:
        best += max(1.0, float(np.abs(reduced.origin).max(initial=0.0))) * directions
    sure = clearance(router, reduced, used, best)
    if (sure > 1).all() or (diagram is not None and not diagram.complete):
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
    for cell in np.flatnonzero(~(sure > 1)).tolist():
        if not inside_exactly(router, used[cell], reduced, best[cell]):
            vector = exact_sum(fan, cell)
            if vector is not None and any(vector):
                best[cell] = lifted(reduced, vector)
    return best


def owners(starts: Ints) -> Ints:
    """The cell of each entry of a list grouped by cell."""
    return np.repeat(np.arange(len(starts) - 1), np.diff(starts))


def items_of(fan: Skeleton) -> tuple[csr_array, Floats] | None:
    """Which cell has which corner or ray, (m, V + R), and these as homogeneous unit vectors."""
    from scipy.sparse import csr_array

    diagram = fan.diagram
    if diagram is None:
        return None
    m = len(fan.active_sets)
    ids, starts = fan.cell_directions
    points = diagram.points
    if fan.reduced.half:
        corners, begins = fan.cell_vertices
        points = np.concatenate([diagram.points, diagram.rays])
        owner = np.concatenate([owners(begins), owners(starts)])
        ids = np.concatenate([corners, ids + len(diagram.points)])
    else:
        owner = owners(starts)
    return csr_array((np.ones(len(ids)), (owner, ids)), shape=(m, len(points))), points


def exact_sum(fan: Skeleton, first: int, second: int | None = None) -> exact.Row | None:
    """Exact sum of the corners and rays of a cell, or of those common to a pair of cells, made of similar length."""
    diagram, reduced, e = fan.diagram, fan.reduced, fan.reduced.experts
    items = items_of(fan)
    if diagram is None or e is None or items is None:
        return None
    table, points = items
    row = table[[first]] if second is None else table[[first]].multiply(table[[second]])
    vectors = []
    for item in row.nonzero()[1].tolist():
        infinite = reduced.half and item >= len(diagram.points)
        basis = diagram.ray_bases[item - len(diagram.points)] if infinite else diagram.bases[item]
        if infinite and e.D == 2:
            vector = [1, 0]
        else:
            vector = e.exact_null(basis, infinite)
        if exact.to_unit(vector) @ points[item] < 0:
            vector = [-x for x in vector]
        vectors.append(vector)
    bits = [max(abs(x) for x in vector).bit_length() for vector in vectors]
    even = [[x << (max(bits) - size) for x in vector] for vector, size in zip(vectors, bits, strict=True)]
    return [sum(column) for column in zip(*even, strict=True)] if even else None


def lifted(reduced: Reduced, vector: exact.Row) -> Floats:
    """An exact homogeneous point as a float64 point of the input space, (d,)."""
    unit = exact.to_unit(vector)[None]
    with np.errstate(all="ignore"):
        if reduced.half:
            return reduced.lift_points(unit)[0]
        return (reduced.origin + reduced.lift_directions(unit))[0]
