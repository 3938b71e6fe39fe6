"""Linear regions of many spatial cells at once, in general position: 1 + L + I2 + I3; the plane: `core.experts.plane`.

L hinges cross the open cell, I2 pairs of them meet inside it in a line, I3 triples in a point. A hinge
crosses when it has corners on both sides. A line crosses when the stretch that the walls leave of it is not empty,
and a further hinge meets it inside when it does so within this stretch. Every comparison has an error bound, and the
crossing points must be pairwise distinct beyond theirs: a cell where any of this fails is reported as not decided,
never guessed.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tropviz.core.experts.cells import Cells, meet
from tropviz.core.tolerance import DETERMINANT_FLOOR, DETERMINANT_ROUNDING, KEY_ROUNDING

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

#: Triples of hinges that are held at a time, about 220 bytes each; more than these are those of a single cell.
TRIPLES_AT_ONCE = 2**20
#: Ratios of two hinges at corners that are held at a time.
RATIOS_AT_ONCE = 2**15
#: A direction no hinge is likely to be perpendicular to: crossing points are sorted along it.
GENERIC = np.array([0.7390851332151607, 0.5671432904097838, 0.3635630319843641])


@dataclass(frozen=True)
class Chords:
    """Hinges (plane) or meets of two hinges (space) that cross a cell, each on its line of points foot + t along.

    Attributes
    ----------
    cell : ndarray of int (n,)
        Position in `Cells`, ascending.
    foot, foot_bound, along, along_bound : ndarrays (n, D)
        Homogeneous point and direction of the line, and their error magnitudes.
    low, high : ndarrays (n, 2)
        Where the line enters and leaves the cell: intervals that hold the true t.
    """

    cell: Ints
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
    if not cells.vertices.shape[1]:  # the whole space
        return (hinges[..., :-1] != 0).any(axis=2), np.zeros(len(hinges), dtype=bool)
    values = hinges @ cells.vertices.transpose(0, 2, 1)
    return _on_both_sides(values, corner_errors(cells)[:, None, :], hinges)


def corner_errors(cells: Cells) -> Floats:
    """Bound (m, V) of the error of hinge . corner, for hinges with entries up to 1."""
    return np.asarray(cells.bound.sum(axis=2) * DETERMINANT_ROUNDING + DETERMINANT_FLOOR)


def _on_both_sides(values: Floats, error: Floats, hinges: Floats) -> tuple[Bools, Bools]:
    """Which hinges have corners on both sides for certain; cells where another hinge is not certain at a corner."""
    lowest, highest = (values + error).min(axis=2), (values - error).max(axis=2)
    crosses = (lowest < 0) & (highest > 0)
    # Certainly not: all values are beyond their errors, on one side.
    apart = ((values - error).min(axis=2) > 0) | ((values + error).max(axis=2) < 0)
    unclear = ~crosses & ~apart & (hinges[..., :-1] != 0).any(axis=2)
    return crosses, unclear.any(axis=1)


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
    top_error, base_error = top_error[:, None], base_error[:, None]
    least, most = quotient(-top, top_error, base, base_error)
    rising, falling = base > base_error, base < -base_error
    low = np.stack([np.where(rising, x, -np.inf).max(axis=1) for x in (least, most)], axis=1)
    high = np.stack([np.where(falling, x, np.inf).min(axis=1) for x in (least, most)], axis=1)
    flat = ~rising & ~falling
    # A wall along the line keeps all of it or nothing; a wall whose slope is not certain decides nothing.
    n, f = np.nonzero(flat)
    parallel = np.zeros_like(flat)
    parallel[n, f] = (np.abs(walls[n, f]) * along_bound[n]).sum(axis=1) == 0
    outside = (parallel & (top < -top_error)).any(axis=1)
    unclear = (flat & ~(parallel & (np.abs(top) > top_error))).any(axis=1)
    misses = outside | (low[:, 0] > high[:, 1])
    crosses = ~misses & ~unclear & (low[:, 1] < high[:, 0])
    return crosses, ~crosses & ~misses, low, high


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
    maybe = pairs_that_meet(cells, cell, lines, first, second)
    pair = np.flatnonzero(maybe)
    owner = cell[first[pair]]
    line = lines_of([lines[first[pair]], lines[second[pair]]])
    sure, unsure, low, high = stretches(cells, owner, line)
    doubtful[owner[unsure]] = True
    counts += np.bincount(owner[sure], minlength=len(counts))
    foot, foot_bound, along, along_bound = (x[sure] for x in line)
    pair, owner = pair[sure], owner[sure]
    chords = Chords(owner, foot, foot_bound, along, along_bound, low[sure], high[sure])
    blocks = _blocks(np.searchsorted(cell, owner, side="right") - second[pair] - 1)
    lows, highs = [], []
    for some in blocks:
        # A third hinge after the second, each triple once; it meets the line of the first two inside or not.
        chord, third = _third(first, second, pair[some], maybe, cell)
        chord += some.start
        inside, unsure, at, error = meets_inside(chords, chord, lines[third])
        doubtful[owner[chord[unsure]]] = True
        chord, at, error = chord[inside], at[inside], error[inside]
        counts += np.bincount(owner[chord], minlength=len(counts))
        low, high = keys_of(chords, chord, at, error)
        if len(blocks) == 1:
            doubtful[shared_points(owner[chord], low, high)] = True
        else:
            order = np.argsort(low)
            lows.append(low[order])
            highs.append(high[order])
    if any_shared(lows, highs):
        doubtful[owner] = True  # so many triples are those of one cell
    return counts, doubtful


def _blocks(triples: Ints) -> list[slice]:
    """Consecutive chords with `TRIPLES_AT_ONCE` triples or fewer together (or one chord); one block for none."""
    total = np.cumsum(triples)
    if not len(total) or total[-1] <= TRIPLES_AT_ONCE:
        return [slice(0, len(triples))]
    cuts = np.unique(np.searchsorted(total, np.arange(TRIPLES_AT_ONCE, total[-1], TRIPLES_AT_ONCE)))
    return [slice(lo, hi) for lo, hi in pairwise([0, *cuts[cuts > 0].tolist(), len(triples)])]


def any_shared(low: list[Floats], high: list[Floats]) -> bool:
    """Whether any two of many intervals overlap; they come in blocks, each in the order of its low ends.

    >>> any_shared([np.array([0.0, 4.0]), np.array([2.0])], [np.array([1.0, 5.0]), np.array([3.0])])
    False
    >>> any_shared([np.array([0.0, 4.0]), np.array([2.0])], [np.array([1.0, 5.0]), np.array([4.5])])
    True
    """
    if not low:
        return False
    sample = np.sort(np.concatenate([x[:: max(1, len(x) // 64)] for x in low]))
    last, starts = -np.inf, [0] * len(low)
    for cut in [*sample[:: max(1, len(sample) // len(low))][1:], np.inf]:  # a stretch holds about one block
        ends = [int(np.searchsorted(x, cut, side="right")) for x in low]
        spans = [slice(a, b) for a, b in zip(starts, ends, strict=True)]
        begin, end = (np.concatenate([x[s] for x, s in zip(xs, spans, strict=True)]) for xs in (low, high))
        starts = ends
        if not len(begin):
            continue
        order = np.argsort(begin)
        if (begin[order] <= np.append(last, end[order[:-1]])).any():
            return True
        last = end[order[-1]]
    return False


def pairs_that_meet(cells: Cells, cell: Ints, lines: Floats, first: Ints, second: Ints) -> Bools:
    """Pairs of crossing hinges that may meet inside their cell: those that certainly do not are False.

    Parameters
    ----------
    cell : ndarray of int (n,)
        Of each hinge.
    lines : ndarray (n, 4)
        Hinges that cross their cell for certain.
    first, second : ndarrays of int (p,)

    Notes
    -----
    What one hinge leaves of the cell is the hull of its meets with the segments from a corner before it to one behind
    it. There, the other hinge has the sign of the difference of the ratios other / one at the two corners; so it is
    positive all over if no ratio behind is above one before, and negative in the opposite case.
    """
    maybe = np.ones(len(first), dtype=bool)
    V = cells.vertices.shape[1]
    if not V:  # the whole space
        return maybe
    values = np.ascontiguousarray((cells.vertices[cell] @ lines[..., None])[..., 0].T)
    error, size = corner_errors(cells).T[:, cell], np.abs(values)
    certain = size > 2 * error
    clear = certain.all(axis=0)
    # Bound of the relative error of a value, twice for what dividing adds: a ratio r is off by (1 + |r|) times this.
    wrong = 2 * (error / np.where(certain, size - error, 1.0)).max(axis=0)
    inverse, before = 1 / np.where(certain, values, 1.0), values > 0
    step = max(1, RATIOS_AT_ONCE // V)
    for lo in range(0, len(first), step):
        one, two = first[lo : lo + step], second[lo : lo + step]
        ratio, ahead = inverse.take(one, axis=1) * values.take(two, axis=1), before.take(one, axis=1)
        front, back = np.where(ahead, ratio, np.inf), np.where(ahead, -np.inf, ratio)
        low_front, high_back = front.min(axis=0), back.max(axis=0)
        np.copyto(front, -np.inf, where=~ahead)
        np.copyto(back, np.inf, where=ahead)
        high_front, low_back = front.max(axis=0), back.min(axis=0)
        off = wrong.take(one)
        above = low_front - high_back >= off * (2 + np.abs(low_front) + np.abs(high_back))
        below = low_back - high_front >= off * (2 + np.abs(low_back) + np.abs(high_front))
        maybe[lo : lo + step] = ~((above | below) & clear.take(one))
    return maybe


def _third(first: Ints, second: Ints, pair: Ints, maybe: Bools, groups: Ints) -> tuple[Ints, Ints]:
    """For given pairs all later positions of the same group that may meet both of the pair."""
    ends = np.searchsorted(groups, groups, side="right")
    start = np.zeros(len(groups), dtype=np.int64)  # where the pairs of each first are
    np.cumsum((ends - np.arange(len(groups)) - 1)[:-1], out=start[1:])
    one, two = first[pair], second[pair]
    length = ends[two] - two - 1
    chord = np.repeat(np.arange(len(pair)), length)
    third = np.arange(len(chord)) - np.repeat(np.cumsum(length) - length - two - 1, length)
    one, two = one[chord], two[chord]
    met = np.flatnonzero(maybe[start[one] + third - one - 1] & maybe[start[two] + third - two - 1])
    return chord[met], third[met]
