"""Whether corners, rays and walls of a fan are all there, from the sides of the experts at its corners alone.

A fan is a complex: a corner or ray that lies in a closed cell is a corner or ray of that cell. And a wall of a cell is
where one of its active experts ties with one that is not; the corners and rays on which the two tie are those of a
face, and the largest of these faces are the walls. Both are read off integers, so nothing depends on how thin or how
far away a cell is.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tropviz.core.fan import exact
from tropviz.core.fan.local import star
from tropviz.core.fan.record import Fan
from tropviz.core.fan.sides import Signs
from tropviz.core.fan.witness import copies_used, items_of

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

#: Numbers held at once.
BLOCK = 2**22
#: Homogeneous dimension up to which a face with as many corners as a wall must have is one.
SIMPLE = 4


def sides_of(fan: Fan) -> Signs:
    """Side of every distinct expert at each corner and ray, in the order of `items_of`."""
    assert fan.diagram is not None
    if not fan.reduced.half:
        return fan.diagram.sides
    at_infinity = fan.diagram.ray_sides
    if fan.reduced.rank == 1:  # a sweep along a line records none
        at_infinity = np.stack([_sides_along(fan, way) for way in fan.diagram.rays[:, 0].tolist()])
    return np.concatenate([fan.diagram.sides, at_infinity])


def _sides_along(fan: Fan, way: float) -> Signs:
    """Sides of all experts towards one end of a line: by their slopes."""
    e = fan.reduced.experts
    assert e is not None
    slopes = [row[0] if way > 0 else -row[0] for row in e.integers]
    left = e.k
    for i in sorted(range(e.C), key=lambda i: -slopes[i]):
        left -= int(e.copies[i])
        if left <= 0:
            break
    return np.array([exact.sign(slope - slopes[i]) for slope in slopes], dtype=np.int8)


def incidences(fan: Fan) -> Iterator[str]:
    """Cells that list a corner or ray that is not theirs, or do not list one that is."""
    items, e = items_of(fan), fan.reduced.experts
    if items is None or e is None:
        return
    table, sides, used = items[0], sides_of(fan), copies_used(fan.reduced, fan.active_sets)
    above = (sides == 1) @ e.copies
    cell, item = (x.astype(np.int64) for x in table.nonzero())
    step = max(1, BLOCK // e.C)
    for low in range(0, len(cell), step):
        c, v = cell[low : low + step], item[low : low + step]
        for n in np.flatnonzero((sides[v] * used[c]).sum(axis=1) != above[v]).tolist():
            yield f"Cell {c[n]} does not reach its {_name(fan, int(v[n]))}."
    tied = sides == 0
    plain = tied.sum(axis=1) == np.where(np.arange(len(sides)) < _corners(fan), e.D, e.D - fan.reduced.half)
    yield from _plain_stars(fan, np.bincount(item, minlength=len(sides)), tied, plain, e.k - above)
    crowded = np.flatnonzero(~plain)
    step = max(1, BLOCK // len(used))
    for low in range(0, len(crowded), step):
        v = crowded[low : low + step]
        there = used.astype(np.float64) @ sides[v].T == above[v]
        for lacking, n in np.argwhere(there & ~(table[:, v].toarray() > 0)).tolist():
            yield f"Cell {lacking} lacks its {_name(fan, int(v[n]))}."


def _plain_stars(fan: Fan, degree: Ints, tied: Bools, plain: Bools, active: Ints) -> Iterator[str]:
    """Where the tied experts are independent there are as many cells as a hypersimplex has vertices."""
    e = fan.reduced.experts
    assert e is not None
    where = np.flatnonzero(plain)
    if e.single:
        kinds = np.stack([tied[where].sum(axis=1), active[where]], axis=1)
    else:
        kinds = np.concatenate([np.where(tied[where], e.copies, 0), active[where, None]], axis=1)
    each, of = np.unique(kinds, axis=0, return_inverse=True)
    want = np.empty(len(each), dtype=np.int64)
    for n, kind in enumerate(each.tolist()):
        copies = [1] * kind[0] if e.single else [c for c in kind[:-1] if c]
        want[n] = len(star(tuple(copies), int(kind[-1])).cells)
    for n in np.flatnonzero(degree[where] != want[of.ravel()]).tolist():
        name = _name(fan, int(where[n]))
        yield f"{name[0].upper()}{name[1:]} lies on {want[of.ravel()[n]]} cells, but {degree[where[n]]} are listed."


def _corners(fan: Fan) -> int:
    """How many of the items are corners: all the others are rays."""
    return len(fan.diagram.points) if fan.diagram and fan.reduced.half else 0


def _name(fan: Fan, item: int) -> str:
    corners = _corners(fan)
    return f"corner {item}" if item < corners else f"ray {item - corners}"


def walls(fan: Fan) -> Iterator[str]:
    """Cells with more or fewer neighbours than walls."""
    items, e = items_of(fan), fan.reduced.experts
    if items is None or e is None:
        return
    table, sides, used = items[0].tocsr(), sides_of(fan), copies_used(fan.reduced, fan.active_sets)
    finite = _corners(fan) if fan.reduced.half else len(sides)
    degree = np.bincount(fan.neighbours.ravel(), minlength=len(used))
    size = np.diff(table.indptr) * max(1, int((sides == 0).sum(axis=1).max(initial=0)) ** 2)
    ends = np.unique(np.searchsorted(np.cumsum(size), np.arange(0, size.sum() + BLOCK, BLOCK)))
    for low, high in pairwise(np.unique([0, *ends.tolist(), len(used)]).tolist()):
        number = _wall_counts(table[low:high], sides, used[low:high], e.copies, e.D, finite)
        for c in np.flatnonzero(number != degree[low:high]).tolist():
            yield f"Cell {low + c} has {number[c]} walls, but {degree[low + c]} neighbours."


def _wall_counts(table: csr_array, sides: Signs, used: Ints, copies: Ints, D: int, finite: int) -> Ints:
    """Walls of each cell, (m,)."""
    face, item = _faces(table, sides, used, copies)
    m, C = used.shape
    if not len(face):
        return np.zeros(m, dtype=np.int64)
    order = np.lexsort((item, face))
    face, item = face[order], item[order]
    starts = np.flatnonzero(np.concatenate([[True], face[1:] != face[:-1]]))
    size = np.diff(np.append(starts, len(face)))
    names = np.random.default_rng(0).integers(0, 2**64, len(sides), dtype=np.uint64)
    hashed, real = np.add.reduceat(names[item], starts), np.logical_or.reduceat(item < finite, starts)
    keep = real & (size >= D - 1)  # a face with no corner lies at infinity
    cell, hashed, starts, size = face[starts[keep]] // (C * C), hashed[keep], starts[keep], size[keep]
    _, first = np.unique(np.stack([cell.astype(np.uint64), hashed], axis=1), axis=0, return_index=True)
    if D > SIMPLE:
        lists = {int(f): frozenset(item[starts[f] : starts[f] + size[f]].tolist()) for f in first}
        groups: dict[int, list[frozenset[int]]] = {}
        for f, members in lists.items():
            groups.setdefault(int(cell[f]), []).append(members)
        largest = [f for f, members in lists.items() if not any(members < other for other in groups[int(cell[f])])]
        first = np.array(largest, dtype=np.int64)
    return np.bincount(cell[first], minlength=m)


def _faces(table: csr_array, sides: Signs, used: Ints, copies: Ints) -> tuple[Ints, Ints]:
    """For each cell, and each pair of an expert in it and one not, the corners and rays where they tie: (face, item),
    the face named (cell C + active) C + inactive."""
    cell, item = (x.astype(np.int64) for x in table.nonzero())
    C = used.shape[1]
    number = (sides == 0).sum(axis=1)
    faces, items = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for t in np.unique(number[item]).tolist():
        some = np.flatnonzero(number[item] == t)
        c, v = cell[some], item[some]
        present = np.unique(v)
        tied = np.empty((len(sides), t), dtype=np.int64)
        tied[present] = np.nonzero(sides[present] == 0)[1].reshape(-1, t)
        one, two = (x.ravel() for x in np.nonzero(~np.eye(t, dtype=bool)))
        i, j = tied[v][:, one], tied[v][:, two]
        row = np.arange(len(c))[:, None]
        apart = (used[c][row, i] > 0) & (used[c][row, j] < copies[j])
        n, p = np.nonzero(apart)
        faces.append((c[n] * C + i[n, p]) * C + j[n, p])
        items.append(v[n])
    return np.concatenate(faces), np.concatenate(items)
