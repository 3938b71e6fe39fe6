"""Spatial cells for counting: corners from the fan's own incidences, and what a window makes of them.

Which walls meet in which corner is the fan's knowledge (certified there); here the corner is computed again from three
of its walls, so that its error is known. A window adds the meets of an edge with a side, of a wall with two sides, and
its own corners; each is kept if no half-space of the cell excludes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tropviz.core.experts.cells import Cells, cell_walls, joined, meet, side_rows, signs, with_sides
from tropviz.core.fan.walls import expand
from tropviz.core.tolerance import DETERMINANT_FLOOR, DETERMINANT_ROUNDING

if TYPE_CHECKING:
    from tropviz.core.fan.routing_fan import RoutingFan

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

#: Pairs of sides of a box that meet, and triples, by number (three low ones, then three high ones).
_SIDE_PAIRS = np.array([p for p in combinations(range(6), 2) if p[0] % 3 != p[1] % 3])
_SIDE_TRIPLES = np.array([t for t in combinations(range(6), 3) if len({i % 3 for i in t}) == 3])


@dataclass(frozen=True)
class Corners:
    """Corners and directions of many cells in one list.

    Attributes
    ----------
    cell : ndarray of int (n,)
    points, bound : ndarrays (n, 4)
    touch : ndarray of bool (n, F)
        Walls of the cell that the corner lies on.
    doubtful : ndarray of bool (m,)
    """

    cell: Ints
    points: Floats
    bound: Floats
    touch: Bools
    doubtful: Bools


def spatial_cells(fan: RoutingFan, rows: Floats, box: Floats | None) -> Cells:
    """All spatial cells that meet the open window (or all), ready for counting; doubtful ones are kept and marked."""
    walls, beyond, degree = cell_walls(rows, fan.active_sets, fan.neighbours)
    m = len(walls)
    corners = _merged([_incident(fan, walls, beyond, False), _incident(fan, walls, beyond, True)])
    some = np.bincount(corners.cell, minlength=m) > 0
    doubtful = corners.doubtful | (~some & (len(fan.neighbours) > 0))  # a cell without corners: exact arithmetic
    corners = Corners(corners.cell, corners.points, corners.bound, corners.touch, doubtful)
    if box is None:
        return _packed(np.arange(m), walls, corners)
    sides = side_rows(box, 3)
    error = corners.bound @ np.abs(sides).T * DETERMINANT_ROUNDING
    depth = corners.points @ sides.T
    finite = corners.points[:, 3] > 0
    within = np.all(depth > error, axis=1) & finite
    inside = (np.bincount(corners.cell[~within], minlength=m) == 0) & some & ~doubtful
    beyond_side = depth < -error
    beside = np.stack([np.bincount(corners.cell[~beyond_side[:, t]], minlength=m) == 0 for t in range(6)])
    outside = beside.any(axis=0) & some & ~doubtful
    cut = np.flatnonzero(~inside & ~outside)
    keep = inside[corners.cell]
    number = np.cumsum(inside) - 1
    whole = Corners(number[corners.cell[keep]], *_rows_of(corners, keep), doubtful[inside])
    starts = range(0, len(cut), 256)  # the widest arrays are (cells, walls, walls)
    parts = [_cut(cut[start : start + 256], walls, degree, corners, sides) for start in starts]
    return joined([_packed(np.flatnonzero(inside), walls[inside], whole), *parts])


def _rows_of(corners: Corners, keep: Bools) -> tuple[Floats, Floats, Bools]:
    return corners.points[keep], corners.bound[keep], corners.touch[keep]


def _merged(parts: list[Corners]) -> Corners:
    return Corners(
        np.concatenate([p.cell for p in parts]),
        np.concatenate([p.points for p in parts]),
        np.concatenate([p.bound for p in parts]),
        np.concatenate([p.touch for p in parts]),
        np.any([p.doubtful for p in parts], axis=0),
    )


def _incident(fan: RoutingFan, walls: Floats, beyond: Ints, at_infinity: bool) -> Corners:
    """Corners (or directions) of every cell, each computed from the first three (two) of its walls."""
    m = len(walls)
    ids, starts = fan.cell_directions if at_infinity else fan.cell_vertices
    given = fan.directions if at_infinity else fan.vertices
    doubtful = np.zeros(m, dtype=bool)
    cell = np.repeat(np.arange(m), np.diff(starts))
    if len(fan.lineality) or not len(cell):
        none = np.zeros((0, 4))
        return Corners(np.empty(0, dtype=np.int64), none, none, np.zeros((0, walls.shape[1]), dtype=bool), doubtful)
    known = np.sort(cell * len(given) + ids)
    wanted = beyond[cell] * len(given) + ids[:, None]
    place = np.searchsorted(known, wanted).clip(max=len(known) - 1)
    touch = (known[place] == wanted) & (beyond[cell] >= 0)
    need = 2 if at_infinity else 3
    first = np.argsort(~touch, axis=1, kind="stable")[:, :need]
    doubtful[cell[touch.sum(axis=1) < need]] = True
    if first.shape[1] < need:
        return Corners(cell[:0], np.zeros((0, 4)), np.zeros((0, 4)), touch[:0], np.ones(m, dtype=bool))
    rows = [walls[cell, first[:, t]] for t in range(need)]
    if at_infinity:
        rows.append(np.broadcast_to(np.eye(4)[3], rows[0].shape))
    points, bound = meet(rows)
    error = bound * DETERMINANT_ROUNDING
    if at_infinity:
        doubtful[cell[np.all(np.abs(points[:, :3]) <= error[:, :3], axis=1)]] = True
        flip = np.where((points[:, :3] * given[ids]).sum(axis=1) < 0, -1.0, 1.0)
        points, weight = points * flip[:, None], np.abs(points).max(axis=1)
    else:
        doubtful[cell[np.abs(points[:, 3]) <= error[:, 3]]] = True
        weight = points[:, 3]
    weight = np.where(weight == 0, 1.0, weight)[:, None]
    return Corners(cell, points / weight, bound / np.abs(weight), touch, doubtful)


def _cut(cut: Ints, walls: Floats, degree: Ints, corners: Corners, sides: Floats) -> Cells:
    """Cells that the border of the window may cross."""
    m, wide = len(cut), with_sides(walls[cut], degree[cut], sides)
    F = wide.shape[1]
    number = np.full(len(walls), -1)
    number[cut] = np.arange(m)
    mine = number[corners.cell] >= 0
    cell = number[corners.cell[mine]]
    points, bound, touch = _rows_of(corners, mine)
    touch = np.pad(touch, ((0, 0), (0, F)))[:, :F]
    doubtful = corners.doubtful[cut].copy()
    # Own corners inside the window stay; those on its border are not decided here.
    side = signs(points @ sides.T, bound @ np.abs(sides).T)
    doubtful[cell[(side == 2).any(axis=1) & ~(side == -1).any(axis=1)]] = True
    stay = (side == 1).all(axis=1) & (points[:, 3] > 0)
    parts = [Corners(cell[stay], points[stay], bound[stay], touch[stay], doubtful)]
    parts.append(_new_corners(cell, touch, wide, degree[cut], sides, doubtful))
    return _packed(cut, wide, _merged(parts))


def _new_corners(cell: Ints, touch: Bools, wide: Floats, degree: Ints, sides: Floats, doubtful: Bools) -> Corners:
    """Corners that the sides of the window make; marks doubtful cells."""
    m, F, _ = wide.shape
    owner, triple = _candidates(cell, touch, degree, m, F)
    points, bound = meet([wide[owner, triple[:, t]] for t in range(3)])
    flip = np.where(points[:, 3:] < 0, -1.0, 1.0)
    points = points * flip
    # Most candidates lie outside the window: a side excludes them before the walls are asked.
    error = (bound.sum(axis=1) * DETERMINANT_ROUNDING + DETERMINANT_FLOOR)[:, None]
    depth = points @ sides.T
    rank = triple - degree[owner][:, None]
    for t in range(3):
        own = np.flatnonzero(rank[:, t] >= 0)
        depth[own, rank[own, t]] = np.inf
    keep = ~(depth < -error).any(axis=1)
    owner, triple, points, bound = owner[keep], triple[keep], points[keep], bound[keep]
    # Entries of walls are at most 1, so the error at a wall is at most the sum of the errors of the point.
    error = (bound.sum(axis=1) * DETERMINANT_ROUNDING + DETERMINANT_FLOOR)[:, None]
    values = (wide[owner] @ points[..., None])[..., 0]
    values[np.arange(len(owner))[:, None], triple] = np.inf
    valid = ~(values < -error).any(axis=1)
    weight = np.abs(points[:, 3]) > bound[:, 3] * DETERMINANT_ROUNDING
    doubtful[owner[valid & ((values <= error).any(axis=1) | ~weight)]] = True
    keep = valid & weight
    owner, triple, points, bound = owner[keep], triple[keep], points[keep], bound[keep]
    on = np.zeros((len(owner), F), dtype=bool)
    on[np.arange(len(owner))[:, None], triple] = True
    return Corners(owner, points / points[:, 3:], bound / points[:, 3:], on, doubtful)


def _candidates(cell: Ints, touch: Bools, degree: Ints, m: int, F: int) -> tuple[Ints, Ints]:
    """Triples of walls with at least one side among them: edges with a side, walls with two sides, three sides."""
    order = np.argsort(cell, kind="stable")
    count = np.bincount(cell, minlength=m)
    slot = np.arange(len(cell)) - (np.cumsum(count) - count)[cell[order]]
    on = np.zeros((m, int(count.max(initial=0)), F), dtype=np.float32)
    on[cell[order], slot] = touch[order]
    shared = on.transpose(0, 2, 1) @ on
    c, i, j = np.nonzero(np.triu(shared, 1) >= 2)  # two walls with two common corners: an edge
    side = np.tile(np.arange(6), len(c))
    c, i, j = np.repeat(c, 6), np.repeat(i, 6), np.repeat(j, 6)
    owners, triples = [c], [np.column_stack([i, j, degree[c] + side])]
    c, i = expand(np.zeros(m, dtype=np.int64), degree)
    pair = np.tile(_SIDE_PAIRS, (len(c), 1))
    c, i = np.repeat(c, len(_SIDE_PAIRS)), np.repeat(i, len(_SIDE_PAIRS))
    owners.append(c)
    triples.append(np.column_stack([i, degree[c][:, None] + pair]))
    c = np.repeat(np.arange(m), len(_SIDE_TRIPLES))
    owners.append(c)
    triples.append(degree[c][:, None] + np.tile(_SIDE_TRIPLES, (m, 1)))
    return np.concatenate(owners), np.concatenate(triples)


def _packed(ids: Ints, walls: Floats, corners: Corners) -> Cells:
    """Cells with corners and walls padded to one length; walls that no corner lies on are left out."""
    m = len(ids)
    count = np.bincount(corners.cell, minlength=m)
    order = np.argsort(corners.cell, kind="stable")
    cell = corners.cell[order]
    slot = np.arange(len(cell)) - (np.cumsum(count) - count)[cell]
    most = max(int(count.max(initial=0)), 1)
    vertices, bound = np.zeros((m, most, 4)), np.zeros((m, most, 4))
    if len(cell):
        vertices[:], bound[:] = corners.points[order[0]], corners.bound[order[0]]
        first = np.minimum(np.cumsum(count) - count, len(cell) - 1)
        vertices[:], bound[:] = corners.points[order[first]][:, None], corners.bound[order[first]][:, None]
        vertices[cell, slot], bound[cell, slot] = corners.points[order], corners.bound[order]
    used = np.zeros(walls.shape[:2], dtype=bool)
    c, f = np.nonzero(corners.touch)
    used[corners.cell[c], f] = True
    front = np.argsort(~used, axis=1, kind="stable")[:, : max(int(used.sum(axis=1).max(initial=1)), 1)]
    chosen = np.take_along_axis(walls, front[..., None], axis=1)
    chosen[~np.take_along_axis(used, front, axis=1)] = np.eye(4)[3]
    keep = (count > 0) | corners.doubtful
    return Cells(ids[keep], chosen[keep], vertices[keep], bound[keep], corners.doubtful[keep])
