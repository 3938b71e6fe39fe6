"""Linear regions of many spatial cells at once, in general position: 1 + L + I2 + I3; the plane is `experts_plane`.

L hinges cross the open cell, I2 pairs of them meet inside it in a line, I3 triples in a point. A hinge
crosses when it has corners on both sides. A line crosses when the stretch that the walls leave of it is not empty,
and a further hinge meets it inside when it does so within this stretch. Every comparison has an error bound, and the
crossing points must be pairwise distinct beyond theirs: a cell where any of this fails is reported as not decided,
never guessed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tropviz.core.experts.cells import Cells, meet
from tropviz.core.tolerance import DETERMINANT_FLOOR, DETERMINANT_ROUNDING, KEY_ROUNDING

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

#: A direction no hinge is likely to be perpendicular to: crossing points are sorted along it.
GENERIC = np.array([0.7390851332151607, 0.5671432904097838, 0.3635630319843641])


@dataclass(frozen=True)
class Chords:
    """Hinges (plane) or meets of two hinges (space) that cross a cell, each on its line of points foot + t along.

    Attributes
    ----------
    cell : ndarray of int (n,)
        Position in `Cells`, ascending.
    hinge : ndarray of int (n,) or (n, 2)
        Rows of the cell's hinges.
    foot, foot_bound, along, along_bound : ndarrays (n, D)
        Homogeneous point and direction of the line, and their error magnitudes.
    low, high : ndarrays (n, 2)
        Where the line enters and leaves the cell: intervals that hold the true t.
    """

    cell: Ints
    hinge: Ints
    foot: Floats
    foot_bound: Floats
    along: Floats
    along_bound: Floats
    low: Floats
    high: Floats


def pairs_within(groups: Ints) -> tuple[Ints, Ints]:
    """All pairs i < j of positions whose (ascending) group is the same.

    >>> [x.tolist() for x in pairs_within(np.array([0, 0, 0, 2, 2]))]
    [[0, 0, 1, 3], [1, 2, 2, 4]]
    """
    n = len(groups)
    ends = np.searchsorted(groups, groups, side="right")
    length = ends - np.arange(n) - 1
    first = np.repeat(np.arange(n), length)
    return first, np.arange(len(first)) - np.repeat(np.cumsum(length) - length, length) + first + 1


def crossing_hinges(cells: Cells, hinges: Floats) -> tuple[Bools, Bools]:
    """Which hinges cross which open cell.

    Parameters
    ----------
    hinges : ndarray (m, Q, D)
        Hinges of every cell, zero rows allowed.

    Returns
    -------
    crosses : ndarray of bool (m, Q)
    doubtful : ndarray of bool (m,)
    """
    values = hinges @ cells.vertices.transpose(0, 2, 1)
    size = np.abs(hinges) @ cells.bound.transpose(0, 2, 1)
    if not cells.vertices.shape[1]:  # the whole space
        return (hinges[..., :-1] != 0).any(axis=2), np.zeros(len(hinges), dtype=bool)
    error = size * DETERMINANT_ROUNDING + DETERMINANT_FLOOR
    crosses = np.any(values > error, axis=2) & np.any(values < -error, axis=2)
    unclear = (np.abs(values) <= error) & ((values != 0) | (size != 0)) & ~crosses[..., None]
    return crosses, np.any(unclear, axis=(1, 2))


def quotient(top: Floats, top_error: Floats, base: Floats, base_error: Floats) -> tuple[Floats, Floats]:
    """Interval of top / base where the sign of base is certain.

    >>> low, high = quotient(np.array([1.0]), np.array([0.1]), np.array([-2.0]), np.array([0.0]))
    >>> round(float(low[0]), 3), round(float(high[0]), 3)
    (-0.55, -0.45)
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        value = top / base
        spread = (top_error + np.abs(value) * base_error) / (np.abs(base) - base_error)
        spread = spread * (1 + KEY_ROUNDING) + np.abs(value) * KEY_ROUNDING
        return value - spread, value + spread


def lines_of(rows: list[Floats]) -> tuple[Floats, Floats, Floats, Floats]:
    """Foot and direction of the line on D - 2 rows, with error magnitudes.

    The foot is where the coordinate vanishes in which the direction is largest. Both are homogeneous: the points of the
    line are foot + t along, with the weight of the foot, which is positive.
    """
    D = rows[0].shape[-1]
    unit = np.eye(D)
    along, along_bound = meet([*rows, np.broadcast_to(unit[-1], rows[0].shape)])
    axis = np.abs(along[..., :-1]).argmax(axis=-1)
    foot, foot_bound = meet([*rows, unit[axis]])
    flip = np.where(foot[..., -1:] < 0, -1.0, 1.0)
    return foot * flip, foot_bound, along, along_bound


def stretches(
    cells: Cells, cell: Ints, line: tuple[Floats, Floats, Floats, Floats]
) -> tuple[Bools, Bools, Floats, Floats]:
    """What the walls of a cell leave of a line.

    Returns
    -------
    crosses, doubtful : ndarrays of bool (n,)
    low, high : ndarrays (n, 2)
        Intervals that hold the true ends.
    """
    foot, foot_bound, along, along_bound = line
    # Entries of walls are at most 1, so an error at a wall is at most the sum of the errors of the point.
    top_error = foot_bound.sum(axis=1) * DETERMINANT_ROUNDING + DETERMINANT_FLOOR
    base_error = along_bound.sum(axis=1) * DETERMINANT_ROUNDING + DETERMINANT_FLOOR
    walls = cells.walls[cell]
    top, base = (walls @ foot[..., None])[..., 0], (walls @ along[..., None])[..., 0]
    low, high = np.full((len(cell), 2), np.nan), np.full((len(cell), 2), np.nan)
    crosses, doubtful = np.zeros(len(cell), dtype=bool), np.zeros(len(cell), dtype=bool)
    some = np.flatnonzero(~_two_walls_exclude(top, base, top_error, base_error))
    top, base, top_error, base_error = top[some], base[some], top_error[some, None], base_error[some, None]
    least, most = quotient(-top, top_error, base, base_error)
    rising, falling = base > base_error, base < -base_error
    low[some] = np.stack([np.where(rising, x, -np.inf).max(axis=1) for x in (least, most)], axis=1)
    high[some] = np.stack([np.where(falling, x, np.inf).min(axis=1) for x in (least, most)], axis=1)
    flat = ~rising & ~falling
    # A wall along the line keeps all of it or nothing; a wall whose slope is not certain decides nothing.
    n, f = np.nonzero(flat)
    parallel = np.zeros_like(flat)
    parallel[n, f] = (np.abs(walls[some[n], f]) * along_bound[some[n]]).sum(axis=1) == 0
    outside = (parallel & (top < -top_error)).any(axis=1)
    unclear = (flat & ~(parallel & (np.abs(top) > top_error))).any(axis=1)
    misses = outside | (low[some, 0] > high[some, 1])
    crosses[some] = ~misses & ~unclear & (low[some, 1] < high[some, 0])
    doubtful[some] = ~crosses[some] & ~misses
    return crosses, doubtful, low, high


def _two_walls_exclude(top: Floats, base: Floats, top_error: Floats, base_error: Floats) -> Bools:
    """Lines (n,) that two walls already exclude for certain: one lets in only what the other has let out before."""
    with np.errstate(divide="ignore", invalid="ignore"):
        at = -top / base
    enter, leave = np.where(base > 0, at, -np.inf), np.where(base < 0, at, np.inf)
    index, first, last = np.arange(len(top)), enter.argmax(axis=1), leave.argmin(axis=1)
    low, _ = quotient(-top[index, first], top_error, base[index, first], base_error)
    _, high = quotient(-top[index, last], top_error, base[index, last], base_error)
    steep = (base[index, first] > base_error) & (base[index, last] < -base_error)
    return steep & (low > high)


def meets_inside(chords: Chords, chord: Ints, hinge: Floats) -> tuple[Bools, Bools, Floats, Floats]:
    """Whether further hinges meet chords inside the cell, and where.

    Parameters
    ----------
    chord : ndarray of int (n,)
    hinge : ndarray (n, D)

    Returns
    -------
    inside, doubtful : ndarrays of bool (n,)
    at : ndarray (n,)
    error : ndarray (n,)
        Parameter on the chord's line, and its error.
    """
    size = np.abs(hinge)
    top = (hinge * chords.foot[chord]).sum(axis=1)
    top_error = (size * chords.foot_bound[chord]).sum(axis=1) * DETERMINANT_ROUNDING + DETERMINANT_FLOOR
    base = (hinge * chords.along[chord]).sum(axis=1)
    base_size = (size * chords.along_bound[chord]).sum(axis=1)
    base_error = base_size * DETERMINANT_ROUNDING + DETERMINANT_FLOOR
    least, most = quotient(-top, top_error, base, base_error)
    low, high = chords.low[chord], chords.high[chord]
    steep = np.abs(base) > base_error
    parallel = (base == 0) & (base_size == 0) & (np.abs(top) > top_error)
    inside = steep & (least > low[:, 1]) & (most < high[:, 0])
    misses = parallel | (steep & ((most < low[:, 0]) | (least > high[:, 1])))
    # A slope of uncertain sign: the meeting point is far away, or the two hinges coincide. Only far away is safe.
    reach = np.maximum(np.abs(low).max(axis=1), np.abs(high).max(axis=1))
    misses |= ~steep & (np.abs(top) - top_error > (np.abs(base) + base_error) * reach)
    return inside, ~inside & ~misses, (least + most) / 2, (most - least) / 2


def shared_points(cell: Ints, low: Floats, high: Floats) -> Ints:
    """Cells in which two crossing points cannot be told apart.

    Parameters
    ----------
    cell : ndarray of int (n,)
    low, high : ndarrays (n,)
        Interval of each point's coordinate along a generic direction.

    Notes
    -----
    If any two intervals overlap, then so do two that follow one another in the order of their low ends.
    """
    order = np.argsort(low)
    if (low[order][1:] > high[order][:-1]).all():  # apart even across cells
        return np.empty(0, dtype=np.int64)
    order = np.lexsort((low, cell))
    cell, low, high = cell[order], low[order], high[order]
    return np.unique(cell[1:][(cell[1:] == cell[:-1]) & ~(low[1:] > high[:-1])])


def keys_of(chords: Chords, chord: Ints, at: Floats, error: Floats) -> tuple[Floats, Floats]:
    """Interval of the coordinate of points on chords along a generic direction."""
    d = chords.foot.shape[1] - 1
    pick = GENERIC[:d]
    foot, along, weight = chords.foot[chord], chords.along[chord], chords.foot[chord][:, -1]
    slope, slope_error = along[:, :-1] @ pick, chords.along_bound[chord][:, :-1] @ pick * DETERMINANT_ROUNDING
    start, start_error = foot[:, :-1] @ pick, chords.foot_bound[chord][:, :-1] @ pick * DETERMINANT_ROUNDING
    base_error = chords.foot_bound[chord][:, -1] * DETERMINANT_ROUNDING
    top = start + at * slope
    top_error = start_error + np.abs(at) * slope_error + error * (np.abs(slope) + slope_error)
    top_error += KEY_ROUNDING * (np.abs(start) + np.abs(at * slope))
    return quotient(top, top_error, weight, base_error)


def count_spatial(cells: Cells, hinges: Floats) -> tuple[Ints, Bools]:
    """Regions of spatial cells, and which counts are not decided, as in `count_plane`; hinges (m, Q, 4)."""
    crosses, unclear = crossing_hinges(cells, hinges)
    doubtful = cells.doubtful | unclear
    counts = 1 + crosses.sum(axis=1)
    cell, row = np.nonzero(crosses & ~doubtful[:, None])
    lines = hinges[cell, row]
    first, second = pairs_within(cell)
    if not len(first):
        return counts, doubtful
    line = lines_of([lines[first], lines[second]])
    owner = cell[first]
    sure, unsure, low, high = stretches(cells, owner, line)
    doubtful[owner[unsure]] = True
    counts += np.bincount(owner[sure], minlength=len(counts))
    foot, foot_bound, along, along_bound = (x[sure] for x in line)
    pair = np.stack([first, second], axis=1)[sure]
    chords = Chords(owner[sure], pair, foot, foot_bound, along, along_bound, low[sure], high[sure])
    # A third hinge after the second, each triple once; it meets the line of the first two inside or not.
    chord, third = _later(chords.hinge[:, 1], cell)
    inside, unsure, at, error = meets_inside(chords, chord, lines[third])
    doubtful[chords.cell[chord[unsure]]] = True
    chord, at, error = chord[inside], at[inside], error[inside]
    counts += np.bincount(chords.cell[chord], minlength=len(counts))
    doubtful[shared_points(chords.cell[chord], *keys_of(chords, chord, at, error))] = True
    return counts, doubtful


def _later(position: Ints, groups: Ints) -> tuple[Ints, Ints]:
    """For each given position all later positions of the same group."""
    length = np.searchsorted(groups, groups[position], side="right") - position - 1
    first = np.repeat(np.arange(len(position)), length)
    return first, np.arange(len(first)) - np.repeat(np.cumsum(length) - length, length) + position[first] + 1
