"""Planar cells for counting, straight from the fan's flat arrays: rings of corners with known errors, cut at a window.

Which corners and rays follow one another round a cell, and which experts tie there, is the fan's knowledge; here each
point is computed again from these experts, once for all its cells, so that its error is known. All rings are in one
flat list; a window cuts them two sides at a time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tropviz.core.exact_rows import ExactRows
from tropviz.core.experts.cells import Cells
from tropviz.core.experts.rows import unit_walls
from tropviz.core.tolerance import DETERMINANT_FLOOR, DETERMINANT_ROUNDING, KEY_ROUNDING, SAME_DIRECTION

if TYPE_CHECKING:
    from tropviz.core.fan.routing_fan import RoutingFan

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

ONES = np.ones(3)
#: Entries of walls are at most 1: six products make a corner, two a direction.
CORNER_ERROR = 6 * DETERMINANT_ROUNDING + DETERMINANT_FLOOR


@dataclass(frozen=True)
class Rings:
    """Planar cells as rings of homogeneous points, corners and directions, all in one list.

    Attributes
    ----------
    starts : ndarray of int (m + 1,)
        Cell c has the entries starts[c] to starts[c + 1], counter-clockwise, possibly none.
    points : ndarray (n, 3)
        A corner (x, y) is (x, y, 1) times something positive; a direction is (x, y, 0).
    error : ndarray (n,)
        Bound of the error of row . point, for rows with entries up to 1.
    doubtful : ndarray of bool (m,)
        Cells with a point float64 cannot decide.
    """

    starts: Ints
    points: Floats
    error: Floats
    doubtful: Bools


@dataclass(frozen=True)
class Plane:
    """Cells ready for counting.

    Attributes
    ----------
    ids : ndarray of int (m,)
        Rows of the fan's active sets.
    points : ndarray (m, V, 3)
        Rings padded by their first point, once at least, so that the last edge is between neighbours, too.
    error : ndarray (m,)
        Bound of the error of row . point, for rows with entries up to 1.
    doubtful : ndarray of bool (m,)
    """

    ids: Ints
    points: Floats
    error: Floats
    doubtful: Bools

    def part(self, some: slice) -> Plane:
        """Some of the cells."""
        return Plane(self.ids[some], self.points[some], self.error[some], self.doubtful[some])


def rings_of(fan: RoutingFan) -> Rings | None:
    """Rings of a planar fan; None where its corners do not tell everything (an unfinished or a flat fan).

    Parameters
    ----------
    fan : RoutingFan
    """
    tied = fan.tied
    if fan.count.kind != "exact" or tied is None:
        return None
    (ids, starts), (rays, begins) = fan.cell_vertices, fan.cell_directions
    corners, opens = starts[1:] - starts[:-1], begins[1:] - begins[:-1]
    if not corners.all() or len(rays) != 2 * np.count_nonzero(opens):
        return None
    points, unsure = _points(tied, fan.directions, fan.router.exact)
    # Round a cell: its corners, then out along its first ray and in along its last.
    begin = starts + begins
    at_rays = np.arange(len(rays)) + np.repeat(starts[1:], opens)
    point = np.empty(len(ids) + len(rays), dtype=np.int64)
    finite = np.ones(len(point), dtype=bool)
    finite[at_rays] = False
    point[finite], point[at_rays] = ids, len(fan.vertices) + rays
    doubtful = np.zeros(len(corners), dtype=bool)
    if unsure.any():
        doubtful[np.repeat(np.arange(len(corners)), corners + opens)[unsure[point]]] = True
    # Opposite directions span no angle: such a cell is a half-plane.
    out, back = fan.directions[rays[::2]], fan.directions[rays[1::2]]
    flat = (out * back).sum(axis=1) < SAME_DIRECTION - 1
    if flat.any():
        doubtful[np.flatnonzero(opens)[flat]] = True
    return Rings(begin, points.take(point, axis=0), np.full(len(point), CORNER_ERROR), doubtful)


def _points(tied: tuple[Ints, Ints], directions: Floats, exact: ExactRows) -> tuple[Floats, Bools]:
    """Corners as meets of two walls through them, then directions along their wall; which are not decided."""
    at, along = tied
    V, R = len(at), len(along)
    if at.shape[1]:
        pairs = np.concatenate([at[:, :2], at[:, ::2], along])
        wall = unit_walls(exact, pairs[:, 0], pairs[:, 1])[0].T  # what float64 cannot hold is within the error
        (a, b, c), (p, q, r), wall = wall[:, :V], wall[:, V : 2 * V], wall[:, 2 * V :]
    else:  # a central fan: of all its walls, the one that the first crosses at the widest angle
        wall = unit_walls(exact, along[:, 0], along[:, 1])[0].T
        second = np.abs(wall[0, 0] * wall[1] - wall[1, 0] * wall[0]).argmax()
        (a, b, c), (p, q, r) = wall[:, :1], wall[:, second : second + 1]
    weight = a * q - b * p
    sign, size = np.sign(weight), np.abs(weight)
    out, unsure = np.zeros((3, V + R)), np.zeros(V + R, dtype=bool)
    np.less_equal(size, CORNER_ERROR, out=unsure[:V])
    out[0, :V], out[1, :V], out[2, :V] = (b * r - c * q) * sign, (c * p - a * r) * sign, size
    a, b = wall[0], wall[1]
    sign = np.where(b * directions[:, 0] < a * directions[:, 1], -1.0, 1.0)
    out[0, V:], out[1, V:] = b * sign, -a * sign
    return out.T, unsure


def _following(starts: Ints) -> Ints:
    """The entry after each, round its ring.

    >>> _following(np.array([0, 0, 3, 3, 5])).tolist()
    [1, 2, 0, 4, 3]
    """
    after = np.arange(starts[-1] + 1)
    after[starts[:0:-1]] = starts[-2::-1]  # backwards: of the rings that end in one place, the one with entries is last
    return after[1:]


def plane_of_rings(rings: Rings, box: Floats | None) -> Plane:
    """Cells of rings, cut with a window or not, without those that do not meet it."""
    if box is not None:
        for axis, (low, high) in enumerate(box.tolist()):
            rings = cut(rings, axis, low, high)
    starts = rings.starts
    size = starts[1:] - starts[:-1]
    ids = np.flatnonzero((size > 0) | rings.doubtful)
    if not len(rings.points):
        none = np.zeros((len(ids), 0, 3))
        return Plane(ids, none, none[:, 0, 0] if none.size else np.zeros(len(ids)), rings.doubtful[ids])
    place, begin = np.arange(int(size.max()) + 1), starts.take(ids)[:, None]
    table = begin + place * (place < size.take(ids)[:, None])
    if len(ids) and begin[-1, 0] == len(rings.points):  # the last cells are doubtful ones without a ring
        table = np.minimum(table, len(rings.points) - 1)
    error = np.maximum.reduceat(rings.error, table[:, 0])  # an empty ring gets that of a point that is not its own
    return Plane(ids, rings.points.take(table, axis=0), error, rings.doubtful.take(ids))


def cut(rings: Rings, axis: int, low: float, high: float) -> Rings:
    """The part of all rings with low < coordinate < high; one with a point on either side is not decided, and empty."""
    points, starts, doubtful = rings.points, rings.starts, rings.doubtful
    sides = np.zeros((2, 3))  # over the low side, under the high one
    sides[:, axis], sides[:, 2] = (1.0, -1.0), (-low, high)
    depth = sides @ points.T
    over = (depth > 0).view(np.int8)
    zone = over[0] - over[1]  # 1 beyond the high side, -1 beyond the low one
    depth = np.abs(depth, out=depth)
    reach = max(1.0, abs(low), abs(high))
    unsure = bool(depth.min(initial=np.inf) <= float(rings.error.max(initial=0.0)) * reach)
    outside = zone.astype(bool)
    if not unsure and not outside.any():
        return rings
    # An edge from one zone to another comes in if it starts outside and goes out if it ends outside.
    after = _following(starts)
    zone_after = zone.take(after)
    change = zone != zone_after
    take = np.empty((len(points), 3), dtype=bool)
    np.logical_not(outside, out=take[:, 0])
    np.logical_and(outside, change, out=take[:, 1])
    np.logical_and(zone_after, change, out=take[:, 2])
    if unsure:
        owner, doubtful = np.repeat(np.arange(len(doubtful)), np.diff(starts)), doubtful.copy()
        doubtful[owner[(depth <= rings.error * reach).any(axis=0)]] = True
        take[doubtful[owner]] = False
    chosen = take.ravel().nonzero()[0]
    one = chosen // 3
    kind = chosen - 3 * one
    new, error, fresh = points.take(one, axis=0), rings.error.take(one), kind.nonzero()[0]
    one, kind = one.take(fresh), kind.take(fresh)
    two = after.take(one)
    flat, row = depth.ravel(), np.where(np.where(kind == 1, zone.take(one), zone.take(two)) > 0, len(points), 0)
    near, far = flat.take(row + one), flat.take(row + two)
    total, here, there = near + far, error.take(fresh), rings.error.take(two)
    wrong, first, second = np.maximum(here, there), new.take(fresh, axis=0), points.take(two, axis=0)
    # Either depth is more than its error, so the sum of both is.
    loose = wrong * reach / (total - reach * (here + there)) + KEY_ROUNDING
    error[fresh] = wrong + loose * ((np.abs(first) + np.abs(second)) @ ONES)
    new[fresh] = first + (near / total)[:, None] * (second - first)
    return Rings(chosen.searchsorted(3 * starts), new, error, doubtful)


def plane_of_cells(cells: Cells) -> Plane:
    """Cells that have been cut already."""
    error = cells.bound.sum(axis=2).max(axis=1, initial=0.0) * DETERMINANT_ROUNDING + DETERMINANT_FLOOR
    points = np.concatenate([cells.vertices, cells.vertices[:, :1]], axis=1)
    return Plane(cells.ids, points, error, cells.doubtful)
