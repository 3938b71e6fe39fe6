"""A point inside each cell, and the proof that it is inside: its score gap exceeds every rounding error."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

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
#: Binary exponents of the steps into a cell that are tried where its middle will not do; and where sizes differ widely.
#: Half-sizes of boxes, in sizes of its nearest corners, in which the deepest point of such a cell is looked for.
REACHES = (1.0, 1e3)
#: Powers of two by which one exact corner or ray of such a cell is made to count more than the others.
PULLS = (1, 2, 4, 8, 16, 32, 64)
STEPS, FAR_STEPS = np.arange(-40, 41, 4), np.arange(-1020, 1021, 12)


def copies_used(reduced: Reduced, sets: Ints) -> Ints:
    """How many copies of each distinct expert each active set takes: (m, k) -> (m, C)."""
    most = int(reduced.copies.max())
    out: NDArray[Any] = np.zeros((len(sets), len(reduced.copies)), dtype=np.min_scalar_type(-most - 1))  # signed
    if len(reduced.copies) == len(reduced.class_of):
        out[np.arange(len(sets))[:, None], sets] = 1
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
        active, flat = np.flatnonzero(used > 0), scores.reshape(-1)
        lowest = flat[active].reshape(len(scores), -1).min(axis=1)
        flat[active] = -np.inf
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
    best of many other interior points, the last of them tried exactly."""
    reduced, diagram, router = fan.reduced, fan.diagram, fan.router
    if fan.seen is not None:
        return fan.seen
    used = copies_used(reduced, fan.active_sets)
    rays, begins = fan.cell_directions
    with np.errstate(all="ignore"):
        best = fan.middle.copy()
        if not reduced.half:
            best += max(1.0, float(np.abs(reduced.origin).max(initial=0.0))) * sums(fan.directions[rays], begins)
        sure = clearance(router, reduced, used, best)
    if (sure > 1).all() or (diagram is not None and not diagram.complete):
        return best
    for cell in np.flatnonzero(~(sure > 1)).tolist():
        best[cell] = inner_point(fan, cell, used[cell], best[cell])
    return np.nan_to_num(best)  # a cell beyond the range of float64 has a finite point beside it


def inner_point(fan: Skeleton, cell: int, used: Ints, start: Floats) -> Floats:
    """The candidate whose score gap exceeds its rounding error by most; if none does, one that exact scores prove."""
    with np.errstate(all="ignore"):
        tried = np.concatenate([start[None], candidates(fan, cell)])
    tried = tried[np.isfinite(tried).all(axis=1)]
    sure = clearance(fan.router, fan.reduced, np.repeat(used[None], len(tried), axis=0), tried)
    order = np.argsort(-sure, kind="stable")
    if len(tried) and sure[order[0]] > 1:
        return np.asarray(tried[order[0]])
    vector = exact_sum(fan, cell)
    if vector is not None and any(vector):
        point = lifted(fan.reduced, vector)
        if inside_exactly(fan.router, used, fan.reduced, point):
            return point
        start = point
    for n in order.tolist():
        if inside_exactly(fan.router, used, fan.reduced, tried[n]):
            return np.asarray(tried[n])
    for vector in pulled(fan, cell):
        point = lifted(fan.reduced, vector)
        if inside_exactly(fan.router, used, fan.reduced, point):
            return point
    return start


def pulled(fan: Skeleton, cell: int) -> Iterator[exact.Row]:
    """Exact interior points of a cell, each nearer to one of its corners, or farther out along one of its rays."""
    vectors = even_vectors(fan, cell)
    total = [sum(column) for column in zip(*vectors, strict=True)]
    for power in PULLS:
        for vector in vectors:
            yield [t + (x << power) for t, x in zip(total, vector, strict=True)]


def candidates(fan: Skeleton, cell: int) -> Floats:
    """Points of a cell (n, d): means of its nearest corners, moved by steps of every size towards the others and along
    the rays. A cell with corners near and very far has its float64 points near."""
    (ids, starts), (rays, begins) = fan.cell_vertices, fan.cell_directions
    corners = fan.vertices[ids[starts[cell] : starts[cell + 1]]]
    along = fan.directions[rays[begins[cell] : begins[cell + 1]]]
    corners = corners[np.argsort(np.abs(corners).max(axis=1))]
    steps = np.concatenate([[0.0], np.ldexp(1.0, FAR_STEPS if fan.reduced.wide else STEPS)])
    out = [np.zeros((0, fan.router.d))]
    for count in range(1, len(corners) + 1):
        middle = corners[:count].mean(axis=0)
        arms = corners[count:] - middle
        arms = np.nan_to_num(arms / np.abs(arms).max(axis=1, keepdims=True))
        reach = 1.0 if fan.reduced.wide else max(1.0, float(np.abs(middle).max()))
        out.append(middle + steps[:, None] * reach * (along.sum(axis=0) + arms.sum(axis=0)))
        if not fan.reduced.wide:
            out += [deepest(fan, cell, middle, size * reach) for size in REACHES]
    return np.concatenate(out)


def deepest(fan: Skeleton, cell: int, middle: Floats, reach: float) -> Floats:
    """The point (1, d) of a box whose least distance to a wall of the cell is largest, but for what a linear programme
    rounds; (0, d) if it finds none."""
    router, active = fan.router, fan.active_sets[cell]
    rest = np.setdiff1d(np.arange(router.N), active)
    i, j = np.repeat(active, len(rest)), np.tile(rest, len(active))
    gap, shift = router.W[i] - router.W[j], router.b[i] - router.b[j]
    size = np.linalg.norm(gap, axis=1)
    real = size > 0
    gap, shift = gap[real] / size[real, None], shift[real] / size[real]
    box = [(-reach, reach)] * router.d
    found = linprog(
        np.append(np.zeros(router.d), -1.0),
        A_ub=np.column_stack([-gap, np.ones(len(gap))]) / reach,
        b_ub=(gap @ middle + shift) / reach,
        bounds=[*box, (None, reach)],
        method="highs",
    )
    return middle + np.asarray(found.x)[None, :-1] if found.success else np.zeros((0, router.d))


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


class ExactVectors(dict[int, exact.Row]):
    """Integer vectors of corners and rays, numbered as by `items_of`, made when they are asked for."""

    def __init__(self, fan: Skeleton) -> None:
        super().__init__()
        self.fan = fan

    def __missing__(self, item: int) -> exact.Row:
        diagram, e = self.fan.diagram, self.fan.reduced.experts
        assert diagram is not None and e is not None
        infinite = self.fan.reduced.half and item >= len(diagram.points)
        near = diagram.rays[item - len(diagram.points)] if infinite else diagram.points[item]
        if infinite and e.D == 2:
            vector = [1, 0]
        else:
            basis = diagram.ray_bases[item - len(diagram.points)] if infinite else diagram.bases[item]
            vector = e.exact_null(basis, infinite)
        if exact.to_unit(vector) @ near < 0:
            vector = [-x for x in vector]
        self[item] = vector
        return vector


def exact_sum(fan: Skeleton, first: int, second: int | None = None) -> exact.Row | None:
    """Exact sum of the corners and rays of a cell, or of those common to a pair of cells, made of similar length."""
    e = fan.reduced.experts
    if e is not None and e.D == 1 and second is None:  # a half-line, or a half-space
        item = fan.cell_directions[0][fan.cell_directions[1][first]]
        return [-1] if item else [1]
    even = even_vectors(fan, first, second)
    return [sum(column) for column in zip(*even, strict=True)] if even else None


def even_vectors(fan: Skeleton, first: int, second: int | None = None) -> list[exact.Row]:
    """Exact corners and rays of a cell, or those common to a pair of cells, made of similar length."""
    items = items_of(fan)
    if items is None or fan.reduced.experts is None:
        return []
    table, _ = items
    row = table[[first]] if second is None else table[[first]].multiply(table[[second]])
    found = ExactVectors(fan)
    vectors = [found[item] for item in row.nonzero()[1].tolist()]
    bits = [max(abs(x) for x in vector).bit_length() for vector in vectors]
    return [[x << (max(bits) - size) for x in vector] for vector, size in zip(vectors, bits, strict=True)]


def lifted(reduced: Reduced, vector: exact.Row) -> Floats:
    """An exact homogeneous point as a float64 point of the input space, (d,)."""
    with np.errstate(all="ignore"):
        return reduced.corner(vector) if reduced.half else reduced.origin + reduced.heading(vector)
