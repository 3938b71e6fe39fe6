"""Planar cells for counting, straight from the fan's flat arrays: rings of corners with known errors, cut at a window.

Which corners and rays follow one another round a cell is the fan's knowledge; here each is computed again, once for all
its cells, as the meet of two walls that follow one another on a ring, so that its error is known. All rings are in one
flat list; a window cuts them two sides at a time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tropviz.core.experts.cells import Cells, scaled
from tropviz.core.tolerance import DETERMINANT_FLOOR, DETERMINANT_ROUNDING, KEY_ROUNDING, SAME_DIRECTION

if TYPE_CHECKING:
    from tropviz.core.fan.routing_fan import RoutingFan

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


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
        Rings padded by their last point.
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


def rings_of(fan: RoutingFan, rows: Floats) -> Rings | None:
    """Rings of a planar fan; None where its corners do not tell everything (an unfinished or a flat fan).

    Parameters
    ----------
    fan : RoutingFan
    rows : ndarray (N, 3)
        Router rows (w, b).
    """
    if fan.count.kind != "exact" or len(fan.lineality) or not len(fan.neighbours):
        return None
    (ids, starts), (rays, begins) = fan.cell_vertices, fan.cell_directions
    corners, opens = starts[1:] - starts[:-1], begins[1:] - begins[:-1]
    V, begin = len(fan.vertices), starts + begins
    if not corners.all() or (opens * (opens - 2)).any():
        return None
    # Round a cell: its corners, then out along its first ray and in along its last.
    owner = np.repeat(np.arange(len(corners)), corners + opens)
    at_rays = np.arange(len(rays)) + np.repeat(starts[1:], opens)
    finite = np.ones(len(owner), dtype=bool)
    finite[at_rays] = False
    point = np.empty(len(owner), dtype=np.int64)
    point[finite], point[at_rays] = ids, V + rays
    after = _following(begin)
    # Every edge but those at infinity lies on a wall and comes twice, once from either cell.
    edge = np.flatnonzero(finite | finite[after])
    one, two = point[edge], point[after[edge]]
    name = np.minimum(one, two) * (V + len(fan.directions)) + np.maximum(one, two)
    order = np.argsort(name)
    name = name[order]
    if len(name) % 2 or (name[::2] != name[1::2]).any() or (name[1:-1:2] == name[2::2]).any():
        return None
    sides = fan.active_sets[owner[edge[order]]]
    swap = _swaps(sides[::2], sides[1::2])
    if swap is None:
        return None
    wall = np.zeros(len(owner), dtype=np.int64)
    wall[edge[order]] = np.arange(len(order)) // 2
    walls = scaled(rows[swap[0]] - rows[swap[1]])
    points, unsure = _points(fan, walls, wall, finite, point, after)
    doubtful = np.zeros(len(corners), dtype=bool)
    if unsure.any():
        doubtful[owner[unsure[point]]] = True
    # Opposite directions span no angle: such a cell is a half-plane.
    out, back = fan.directions[rays[::2]], fan.directions[rays[1::2]]
    flat = np.einsum("ij,ij->i", out, back) < SAME_DIRECTION - 1
    if flat.any():
        doubtful[np.flatnonzero(opens)[flat]] = True
    # Entries of walls are at most 1: six products make a corner, two a direction.
    return Rings(begin, points[point], np.full(len(point), 6 * DETERMINANT_ROUNDING + DETERMINANT_FLOOR), doubtful)


def _following(starts: Ints) -> Ints:
    """The entry after each, round its ring."""
    after = np.arange(1, starts[-1] + 1)
    some = starts[1:] > starts[:-1]
    after[starts[1:][some] - 1] = starts[:-1][some]
    return after


def _swaps(one: Ints, two: Ints) -> tuple[Ints, Ints] | None:
    """For pairs of sorted sets an element of the first only and one of the second only; None if not found so fast.

    Below the first place where they differ both are the same, so the smaller element there is not in the other set;
    likewise the larger one at the last such place.

    >>> [x.tolist() for x in _swaps(np.array([[0, 1, 5], [1, 2, 3]]), np.array([[0, 1, 2], [2, 3, 4]]))]
    [[5, 1], [2, 4]]
    """
    differ, place = one != two, np.arange(len(one))
    first, last = differ.argmax(axis=1), one.shape[1] - 1 - differ[:, ::-1].argmax(axis=1)
    low, low_two, high, high_two = one[place, first], two[place, first], one[place, last], two[place, last]
    ahead = low < low_two
    if (ahead == (high > high_two)).any():
        return None
    return np.where(ahead, low, high), np.where(ahead, high_two, low_two)


def _points(
    fan: RoutingFan, walls: Floats, wall: Ints, finite: Bools, point: Ints, after: Ints
) -> tuple[Floats, Bools]:
    """Corners as meets of the two edges at them on some ring, directions along their wall; which are not decided."""
    V, total = len(fan.vertices), len(fan.vertices) + len(fan.directions)
    # An entry of every point, and the entry before it: their edges. Those at infinity have no wall.
    entry = np.zeros(total, dtype=np.int64)
    entry[point[after]] = np.arange(len(after))
    into = entry[:V]
    (a, b, c), (p, q, r) = walls[wall[into]].T, walls[wall[after[into]]].T
    weight = a * q - b * p
    unsure = np.zeros(total, dtype=bool)
    unsure[:V] = np.abs(weight) <= 6 * DETERMINANT_ROUNDING
    out = np.empty((total, 3))
    sign = np.sign(weight)
    out[:V, 0], out[:V, 1], out[:V, 2] = (b * r - c * q) * sign, (c * p - a * r) * sign, np.abs(weight)
    into = entry[V:]
    a, b, _ = walls[np.where(finite[into], wall[into], wall[after[into]])].T
    sign = np.where(b * fan.directions[:, 0] < a * fan.directions[:, 1], -1.0, 1.0)
    out[V:, 0], out[V:, 1], out[V:, 2] = b * sign, -a * sign, 0.0
    return out, unsure


def plane_of_rings(rings: Rings, box: Floats | None) -> Plane:
    """Cells of rings, cut with a window or not, without those that do not meet it."""
    if box is not None:
        for axis in (0, 1):
            rings = cut(rings, axis, *box[axis].tolist())
    starts = rings.starts
    size = starts[1:] - starts[:-1]
    ids = np.flatnonzero((size > 0) | rings.doubtful)
    if not len(rings.points):
        none = np.zeros((len(ids), 0, 3))
        return Plane(ids, none, none[:, 0, 0] if none.size else np.zeros(len(ids)), rings.doubtful[ids])
    last = np.maximum(starts[ids + 1], 1) - 1
    table = np.minimum(starts[ids][:, None] + np.arange(int(size.max())), last[:, None])
    return Plane(ids, rings.points[table], rings.error[table].max(axis=1), rings.doubtful[ids])


def cut(rings: Rings, axis: int, low: float, high: float) -> Rings:
    """The part of all rings with low < coordinate < high; one with a point on either side is not decided, and empty."""
    points, starts, doubtful = rings.points, rings.starts, rings.doubtful
    n, weight, place = len(points), points[:, 2], points[:, axis]
    depth = np.empty((2, n))  # over the low side, under the high one
    np.subtract(place, low * weight, out=depth[0])
    np.subtract(high * weight, place, out=depth[1])
    right, left = depth > 0
    depth = np.abs(depth, out=depth)
    reach = max(1.0, abs(low), abs(high))
    unsure = bool(depth.min(initial=np.inf) <= float(rings.error.max(initial=0.0)) * reach)
    take = np.empty((n, 3), dtype=bool)
    inside = np.logical_and(right, left, out=take[:, 0])
    if inside.all() and not unsure:
        return rings
    # An edge comes in over the side it starts beyond and goes out over the side it ends beyond.
    after = _following(starts)
    right_after, left_after = right[after], left[after]
    take[:, 1] = np.where(right, left < left_after, right_after)
    take[:, 2] = np.where(right_after, left > left_after, right)
    if unsure:
        owner, doubtful = np.repeat(np.arange(len(doubtful)), np.diff(starts)), doubtful.copy()
        doubtful[owner[(depth <= rings.error * reach).any(axis=0)]] = True
        take[doubtful[owner]] = False
    chosen = np.flatnonzero(take)
    one = chosen // 3
    kind = chosen - 3 * one
    new, error = points[one], rings.error[one]
    fresh = np.flatnonzero(kind)
    one = one[fresh]
    two = after[one]
    from_high = np.where(kind[fresh] == 1, right[one], right[two]) * n
    flat = depth.ravel()
    near, total = flat[one + from_high], flat[two + from_high]
    total += near
    share, wrong = near / total, np.maximum(error[fresh], rings.error[two])
    first, second = new[fresh], points[two]
    loose = wrong * reach / (total - 2 * reach * wrong) + KEY_ROUNDING
    error[fresh] = wrong + loose * np.abs(np.concatenate([first, second], axis=1)).sum(axis=1)
    new[fresh] = first + share[:, None] * (second - first)
    return Rings(np.searchsorted(chosen, 3 * starts), new, error, doubtful)


def plane_of_cells(cells: Cells) -> Plane:
    """Cells that have been cut already."""
    error = cells.bound.sum(axis=2).max(axis=1, initial=0.0) * DETERMINANT_ROUNDING + DETERMINANT_FLOOR
    return Plane(cells.ids, cells.vertices, error, cells.doubtful)
