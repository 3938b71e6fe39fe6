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
from tropviz.core.experts.rows import unit_walls
from tropviz.core.tolerance import DETERMINANT_FLOOR, DETERMINANT_ROUNDING, KEY_ROUNDING

if TYPE_CHECKING:
    from tropviz.core.fan.routing_fan import RoutingFan

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

#: Pairs of sides of a box that meet, and triples, by number (three low ones, then three high ones).
_SIDE_PAIRS = np.array([p for p in combinations(range(6), 2) if p[0] % 3 != p[1] % 3])
_SIDE_TRIPLES = np.array([t for t in combinations(range(6), 3) if len({i % 3 for i in t}) == 3])
#: The two corners, places in `_SIDE_TRIPLES`, of the edge that each of these pairs meets in.
_SIDE_ENDS = np.array([[t for t, three in enumerate(_SIDE_TRIPLES) if set(p) <= set(three)] for p in _SIDE_PAIRS])


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


def spatial_cells(fan: RoutingFan, box: Floats | None) -> Cells:
    """All spatial cells that meet the open window (or all), ready for counting; doubtful ones are kept and marked."""
    walls, beyond, degree, lost = cell_walls(fan.router.exact, fan.active_sets, fan.neighbours)
    m = len(walls)
    corners = _merged([_incident(fan, beyond, False), _incident(fan, beyond, True)])
    some = np.bincount(corners.cell, minlength=m) > 0
    doubtful = corners.doubtful | lost | (~some & (len(fan.neighbours) > 0))  # a cell without corners: exact arithmetic
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


def _incident(fan: RoutingFan, beyond: Ints, at_infinity: bool) -> Corners:
    """Corners (or directions) of every cell, each the meet of boundaries between experts that tie there."""
    m = len(beyond)
    ids, starts = fan.cell_directions if at_infinity else fan.cell_vertices
    given = fan.directions if at_infinity else fan.vertices
    doubtful = np.zeros(m, dtype=bool)
    cell = np.repeat(np.arange(m), np.diff(starts))
    if fan.tied is None or not len(cell):
        none = np.zeros((0, 4))
        return Corners(np.empty(0, dtype=np.int64), none, none, np.zeros((0, beyond.shape[1]), dtype=bool), doubtful)
    known = np.sort(cell * len(given) + ids)
    wanted = beyond[cell] * len(given) + ids[:, None]
    place = np.searchsorted(known, wanted).clip(max=len(known) - 1)
    touch = (known[place] == wanted) & (beyond[cell] >= 0)
    points, bound, unsure = _tied_points(fan, fan.tied, at_infinity)
    doubtful[cell[unsure[ids]]] = True
    return Corners(cell, points[ids], bound[ids], touch, doubtful)


def _tied_points(fan: RoutingFan, tied: tuple[Ints, Ints], at_infinity: bool) -> tuple[Floats, Floats, Bools]:
    """Corners (n, 4) as (x, 1), or directions (r, 0), of a fan from the experts that tie there, bounds, and doubts."""
    at, along = tied
    if at_infinity or at.shape[1]:
        names = along if at_infinity else at
        walls, lost = _differences(fan, names)
        last = np.broadcast_to(np.eye(4)[3], (len(names), 4)) if at_infinity else walls[:, 2]
        points, bound = meet([walls[:, 0], walls[:, 1], last])
    else:  # a central fan: three walls of it, each as far from what the others meet in as can be
        walls, lost = _differences(fan, along)
        walls, lost = walls.reshape(-1, 4), np.atleast_1d(lost.any())
        first = walls[0]
        second = walls[np.linalg.norm(np.cross(walls[:, :3], first[:3]), axis=1).argmax()]
        third = walls[np.abs(walls[:, :3] @ np.cross(first[:3], second[:3])).argmax()]
        points, bound = meet([first[None], second[None], third[None]])
    error = bound * DETERMINANT_ROUNDING
    if at_infinity:
        unsure = np.all(np.abs(points[:, :3]) <= error[:, :3], axis=1)
        flip = np.where((points[:, :3] * fan.directions).sum(axis=1) < 0, -1.0, 1.0)
        points, weight = points * flip[:, None], np.abs(points).max(axis=1)
    else:
        unsure = np.abs(points[:, 3]) <= error[:, 3]
        weight = points[:, 3]
    weight = np.where(weight == 0, 1.0, weight)[:, None]
    return points / weight, bound / np.abs(weight), unsure | lost


def _differences(fan: RoutingFan, names: Ints) -> tuple[Floats, Bools]:
    """Walls between the first of some experts (n, t) and the others, (n, t - 1, 4), and which float64 cannot hold."""
    first = np.broadcast_to(names[:, :1], names[:, 1:].shape)
    walls, lost = unit_walls(fan.router.exact, names[:, 1:].ravel(), first.ravel())
    return walls.reshape(*first.shape, 4), np.asarray(lost.reshape(first.shape).any(axis=1))


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
    triples = _candidates(Corners(cell, points, bound, touch, doubtful), walls[cut], degree[cut], sides)
    parts.append(_new_corners(*triples, wide, degree[cut], sides, doubtful))
    return _packed(cut, wide, _merged(parts))


def _new_corners(owner: Ints, triple: Ints, wide: Floats, degree: Ints, sides: Floats, doubtful: Bools) -> Corners:
    """Corners that the sides of the window make, among given triples of walls; marks doubtful cells."""
    F = wide.shape[1]
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


def _candidates(corners: Corners, walls: Floats, degree: Ints, sides: Floats) -> tuple[Ints, Ints]:
    """Triples of walls with a side of the window that may meet in a corner: all but those that certainly do not.

    Of an edge and a side, if the edge enters or leaves the window there; of a wall and an edge of the window, if the
    wall is the first or the last on it that bounds the cell; the corners of the window that may be in the cell.
    """
    owner, i, j, side = _edges_at_sides(corners, len(walls), sides)
    owners, triples = [owner], [np.column_stack([i, j, degree[owner] + side])]
    # Entries of walls are at most 1, so a value at a corner of the window is off by a share of that corner's size.
    tips = _tips(sides)
    error = np.abs(tips).sum(axis=1) * DETERMINANT_ROUNDING + DETERMINANT_FLOOR
    values = walls @ tips.T
    one, two = (values[..., end].transpose(0, 2, 1) for end in _SIDE_ENDS.T)
    owner, edge, wall = np.nonzero(_may_cross(one, two, *error[_SIDE_ENDS.T][..., None]))
    owners.append(owner)
    triples.append(np.column_stack([wall, degree[owner][:, None] + _SIDE_PAIRS[edge]]))
    owner, tip = np.nonzero(~(values < -error).any(axis=1))
    owners.append(owner)
    triples.append(degree[owner][:, None] + _SIDE_TRIPLES[tip])
    return np.concatenate(owners), np.concatenate(triples)


def _tips(sides: Floats) -> Floats:
    """Corners (8, 4) of the window in the order of `_SIDE_TRIPLES`, exact: each side is one coordinate and its end."""
    ends = -sides[:, 3] / sides[np.arange(6), np.arange(6) % 3]
    out = np.ones((8, 4))
    np.put_along_axis(out, _SIDE_TRIPLES % 3, ends[_SIDE_TRIPLES], axis=1)
    return out


def _edges_at_sides(corners: Corners, m: int, sides: Floats) -> tuple[Ints, Ints, Ints, Ints]:
    """Cell, two walls and the side, for edges of cells that may enter or leave the window there."""
    order = np.argsort(corners.cell, kind="stable")
    cell = corners.cell[order]
    count = np.bincount(cell, minlength=m)
    begin = np.cumsum(count) - count
    slot = np.arange(len(cell)) - begin[cell]
    on = np.zeros((m, int(count.max(initial=0)), corners.touch.shape[1]), dtype=np.float32)
    on[cell, slot] = corners.touch[order]
    owner, i, j = np.nonzero(np.triu(on.transpose(0, 2, 1) @ on, 1) >= 2)  # two common corners: an edge
    if not len(owner):
        return owner, i, j, owner
    both = (on[owner, :, i] * on[owner, :, j]) > 0
    ends = order[begin[owner] + np.stack([both.argmax(axis=1), both.shape[1] - 1 - both[:, ::-1].argmax(axis=1)])]
    error = (corners.bound.sum(axis=1) * DETERMINANT_ROUNDING + DETERMINANT_FLOOR)[ends][..., None]
    one, two = (corners.points @ sides.T)[ends]
    edge, side = np.nonzero(_may_cross(one, two, *error))
    return owner[edge], i[edge], j[edge], side


def _may_cross(one: Floats, two: Floats, error: Floats, other: Floats) -> Bools:
    """Which half-spaces (last axis) may end what all of them leave of a segment.

    Parameters
    ----------
    one, two : ndarrays (..., n)
        Values of the half-spaces at the two ends.
    error, other : ndarrays
        Of these values.
    """
    up, down = (one <= error) & (two >= -other), (one >= -error) & (two <= other)
    size, wrong = np.abs(one) + np.abs(two), error + other
    known = size > wrong
    at = np.abs(one) / np.where(known, size, 1.0)
    loose = np.where(known, wrong / np.where(known, size - wrong, 1.0) + KEY_ROUNDING, np.inf)
    low, high = at - loose, at + loose
    # The last of those that let in, the first of those that let out, and nothing if that is out of order.
    enter = np.where(up & ~down, low, -np.inf).max(axis=-1, keepdims=True, initial=-np.inf)
    leave = np.where(down & ~up, high, np.inf).min(axis=-1, keepdims=True, initial=np.inf)
    shut = ((one < -error) & (two < -other)).any(axis=-1, keepdims=True) | (enter > leave)
    return ((up & (high >= enter)) | (down & (low <= leave))) & ~shut


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
