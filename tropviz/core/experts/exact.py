"""Linear regions of one cell in exact integer arithmetic: 1 + L + sum over crossing points of (m_p - 1).

Floats are dyadic rationals, so a row times a power of two is a row of integers and every predicate is the sign of an
integer. In the plane float64 is used as a filter only: a crossing point that is certainly outside is dropped, points
that are certainly apart are counted, and whatever is left is decided with integers. In space a hinge adds as many
regions as its section of the cell has faces when cut with the hinges before it: three dimensions become two.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from math import gcd
from operator import mul

import numpy as np
from numpy.typing import NDArray

from tropviz.core.experts.count import GENERIC, quotient
from tropviz.core.experts.rows import scaled
from tropviz.core.fan.ranges import expand
from tropviz.core.sorting import distinct, sizes
from tropviz.core.tolerance import DETERMINANT_FLOOR, DETERMINANT_ROUNDING, KEY_ROUNDING

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Row = tuple[int, ...]

#: Finite keys lie below this.
LARGEST = float(np.finfo(np.float64).max) * (1 - 2 * KEY_ROUNDING)
#: Pairs of hinges looked at together: few enough to stay in the cache.
PAIRS_AT_ONCE = 2**11
#: Hinges of one cell counted exactly at most (two million pairs); of more, the first.
MOST_HINGES = 2000


def integer_rows(rows: Floats, together: bool = False) -> list[Row]:
    """Rows of floats as integers, exactly, each (or all together) times one power of two.

    >>> integer_rows(np.array([[0.5, -0.75], [3.0, 1.0]])), integer_rows(np.array([[0.5, 1], [3, 1]]), together=True)
    ([(2, -3), (3, 1)], [(1, 2), (6, 2)])
    """
    rows = np.asarray(rows, dtype=np.float64)
    share, power = np.frexp(rows)
    whole = (share * 2.0**53).astype(np.int64)
    lowest = np.where(whole == 0, 1, whole & -whole)
    # A value is an odd number times two to this power; rows with a fraction are raised to whole numbers.
    exponent = np.where(whole == 0, 0, power - 54 + np.frexp(lowest.astype(np.float64))[1])
    least = np.minimum(exponent.min(axis=None if together else 1, keepdims=True, initial=0), 0)
    odd, shift = (whole // lowest).tolist(), (exponent - least).tolist()
    return [tuple([x << up for x, up in zip(*row, strict=True)]) for row in zip(odd, shift, strict=True)]


def reduced(row: Sequence[int]) -> Row:
    """A row divided by its greatest common divisor, its first non-zero entry positive: one name for one hinge."""
    divisor = gcd(*row) or 1
    for x in row:
        if x:
            divisor = divisor if x > 0 else -divisor
            break
    return tuple([x // divisor for x in row])


def dot(a: Sequence[int], b: Sequence[int]) -> int:
    """Value of a row at a homogeneous point."""
    return sum(map(mul, a, b))


def cross(a: Row, b: Row) -> Row:
    """The homogeneous point on two planar rows, its weight not negative."""
    point = (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
    return point if point[2] >= 0 else (-point[0], -point[1], -point[2])


def regions_exact(walls: list[Row], hinges: list[Row], d: int) -> int:
    """Regions of the open cell {wall . (x, 1) > 0}, 0 if it is empty.

    Parameters
    ----------
    walls, hinges : list of integer rows (d + 1)
        The cell may be unbounded; rows may repeat or vanish.
    d : int
        1, 2 or 3.
    """
    rows = [*walls, *hinges]
    bits = max(max(map(max, rows), default=1), -min(map(min, rows), default=1)).bit_length()
    # No corner and no crossing of these rows lies as far out as this (Hadamard), so a box of this size loses nothing.
    reach = 1 << (d * (bits + 2) + 4)
    lines = list(dict.fromkeys(reduced(h) for h in hinges if any(h[:-1])))
    return (_line, _plane, _space)[d - 1](walls, lines, reach)


def _line(walls: list[Row], hinges: list[Row], reach: int) -> int:
    low, high = Fraction(-reach), Fraction(reach)
    for a, b in walls:
        if a > 0:
            low = max(low, Fraction(-b, a))
        elif a < 0:
            high = min(high, Fraction(-b, a))
    if low >= high:
        return 0
    return 1 + sum(low < Fraction(-b, a) < high for a, b in hinges)


def polygon(walls: list[Row], reach: int) -> list[Row]:
    """Walls of a planar cell in cyclic order, redundant ones left out; empty if the cell is."""
    ring: list[Row] = [(1, 0, reach), (0, 1, reach), (-1, 0, reach), (0, -1, reach)]
    for wall in walls:
        ring = _clip(ring, wall)
        if not ring:
            break
    return ring


def corners(ring: list[Row]) -> list[Row]:
    """Corner at the end of every edge of a ring."""
    return [cross(edge, after) for edge, after in zip(ring, [*ring[1:], ring[0]], strict=True)]


def _clip(ring: list[Row], wall: Row) -> list[Row]:
    if not any(wall[:-1]):
        return ring if wall[-1] >= 0 else []
    values = [dot(wall, corner) for corner in corners(ring)]
    if min(values) >= 0:
        return ring
    if max(values) <= 0:
        return []
    out: list[Row] = []
    for t, edge in enumerate(ring):
        if values[t - 1] > 0 or values[t] > 0:
            out.append(edge)
            if values[t - 1] > 0 and values[t] <= 0:
                out.append(wall)
    return out


def _plane(walls: list[Row], hinges: list[Row], reach: int) -> int:
    ring = polygon(walls, reach)
    if not ring:
        return 0
    if not hinges:
        return 1
    rows = as_floats(hinges)
    chosen = _crossing(hinges, rows, corners(ring))
    return 1 + len(chosen) + _crossings(ring, [hinges[i] for i in chosen.tolist()], rows[chosen])


def _crossing(hinges: list[Row], rows: Floats, points: list[Row]) -> Ints:
    """Which hinges have corners on both sides; `rows` are they in floats."""
    ends = as_floats(points)
    values = rows @ ends.T
    error = np.abs(rows) @ np.abs(ends).T * DETERMINANT_ROUNDING + DETERMINANT_FLOOR
    over, under = (values > error).any(axis=1), (values < -error).any(axis=1)
    both = np.asarray(over & under)
    for i in np.flatnonzero(~both & (np.abs(values) <= error).any(axis=1)).tolist():
        both[i] = _both_sides(hinges[i], points)
    return np.flatnonzero(both)


def _both_sides(hinge: Row, points: list[Row]) -> bool:
    values = [dot(hinge, p) for p in points]
    return min(values) < 0 < max(values)


def as_floats(rows: list[Row]) -> Floats:
    """Integer rows of any size as floats, each divided by a power of two: every entry is rounded once."""
    try:
        return scaled(np.array(rows, dtype=np.float64).reshape(len(rows), len(rows[0]) if rows else 0))
    except OverflowError:
        out = np.zeros((len(rows), len(rows[0])))
        for r, row in enumerate(rows):
            one = 1 << max(abs(x).bit_length() for x in row)
            out[r] = [x / one for x in row]
        return scaled(out)


def _crossings(ring: list[Row], lines: list[Row], rows: Floats) -> int:
    """Sum over the crossing points inside a ring of (lines through it - 1); the lines are distinct and cross it."""
    if len(lines) < 2:
        return 0
    walls, columns = as_floats(ring), np.ascontiguousarray(rows.T)
    number = np.arange(len(lines))
    later = number[::-1]  # so many lines come after each
    total = np.cumsum(later)
    found: list[tuple[Ints, Ints, Floats, Floats, Bools]] = []
    cuts = distinct(np.searchsorted(total, np.arange(PAIRS_AT_ONCE, total[-1], PAIRS_AT_ONCE))) + 1
    for low, high in pairwise([0, *cuts.tolist(), len(lines)]):
        first, second = expand(number[low:high] + 1, later[low:high])
        found.append(_perhaps_inside(walls, lines, columns, first + low, second))
    first, second, start, end, sure = (np.concatenate(part) for part in zip(*found, strict=True))
    for i in np.flatnonzero(np.isnan(start)).tolist():
        start[i], end[i] = _exact_key(cross(lines[first[i]], lines[second[i]]))
    return _told_apart(ring, lines, first, second, start, end, sure)


def _perhaps_inside(
    walls: Floats, lines: list[Row], columns: Floats, first: Ints, second: Ints
) -> tuple[Ints, Ints, Floats, Floats, Bools]:
    """The pairs of lines that may cross inside the walls; where, as intervals along a generic direction, NaN where
    floats do not know; and whether they certainly do."""
    one, two = columns.take(first, axis=1), columns.take(second, axis=1)
    points, bound = np.empty((3, len(first))), np.empty((3, len(first)))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        p, q = one[j] * two[k], one[k] * two[j]
        np.subtract(p, q, out=points[i])
        np.add(np.abs(p), np.abs(q), out=bound[i])
    error = bound * DETERMINANT_ROUNDING + DETERMINANT_FLOOR
    known = np.abs(points[2]) > error[2]
    points *= np.where(points[2] < 0, -1.0, 1.0)
    values, wrong = walls @ points, np.abs(walls) @ bound * DETERMINANT_ROUNDING + DETERMINANT_FLOOR
    kept = np.flatnonzero(~(known & (values < -wrong).any(axis=0)))
    sure = (known & (values > wrong).all(axis=0))[kept]
    if not known[kept].all():  # maybe parallel
        names: dict[Row, int] = {}
        way = np.array([names.setdefault(reduced(row[:2]), len(names)) for row in lines])
        apart = way[first[kept]] != way[second[kept]]
        kept, sure = kept[apart], sure[apart]
    points, error, pick = points.take(kept, axis=1), error.take(kept, axis=1), GENERIC[:2]
    top_error = pick @ error[:2] + pick @ np.abs(points[:2]) * KEY_ROUNDING
    start, end = quotient(pick @ points[:2], top_error, points[2], error[2])
    start[~known[kept]] = np.nan
    return first[kept], second[kept], start, end, sure


def _told_apart(
    ring: list[Row], lines: list[Row], first: Ints, second: Ints, start: Floats, end: Floats, sure: Bools
) -> int:
    """The sum, points that floats do not tell apart by integers."""
    order = np.argsort(start)
    begins = np.flatnonzero(
        np.concatenate([[True], start[order][1:] > np.maximum.accumulate(end[order])[:-1]])[: len(order)]
    )
    length = sizes(begins, len(order))
    alone = order[begins[length == 1]]
    total = int(sure[alone].sum())
    for i in alone[~sure[alone]]:
        total += _inside(cross(lines[first[i]], lines[second[i]]), ring)
    for begin, n in zip(begins[length > 1], length[length > 1], strict=True):
        members = order[begin : begin + n]
        total += _cluster(ring, lines, first[members], second[members])
    return total


def _inside(point: Row, ring: list[Row]) -> bool:
    return all(dot(wall, point) > 0 for wall in ring)


def _exact_key(point: Row) -> tuple[float, float]:
    pick = [Fraction(float(g)) for g in GENERIC[:2]]
    x, y, w = point
    try:
        value = float((pick[0] * x + pick[1] * y) / w)
    except OverflowError:  # beyond float64: not told apart from others there
        return (LARGEST, np.inf) if (pick[0] * x + pick[1] * y > 0) == (w > 0) else (-np.inf, -LARGEST)
    spread = abs(value) * KEY_ROUNDING + DETERMINANT_FLOOR
    return value - spread, value + spread


def _cluster(ring: list[Row], lines: list[Row], first: Ints, second: Ints) -> int:
    """Crossing points that float64 cannot tell apart: take one, find all lines through it, go on with the rest."""
    total = 0
    while len(first):
        point = cross(lines[first[0]], lines[second[0]])
        present = np.union1d(first, second)
        through = present[[dot(lines[i], point) == 0 for i in present]]
        if _inside(point, ring):
            total += len(through) - 1
        rest = ~(np.isin(first, through) & np.isin(second, through))
        first, second = first[rest], second[rest]
    return total


def _space(walls: list[Row], hinges: list[Row], reach: int) -> int:
    box: list[Row] = [(1, 0, 0, reach), (0, 1, 0, reach), (0, 0, 1, reach)]
    box += [(-x, -y, -z, w) for x, y, z, w in box]
    rows = list(dict.fromkeys([tuple(x // (gcd(*w) or 1) for x in w) for w in walls if any(w)] + box))
    points = _spatial_corners(rows)
    if not _solid(points):
        return 0
    total, before = 1, list[Row]()
    for hinge in hinges:
        if not _both_sides(hinge, points):
            continue
        axis = max(range(3), key=lambda a: abs(hinge[a]))
        cut = [section(row, hinge, axis) for row in rows]
        lines = list(dict.fromkeys(reduced(line) for h in before if any((line := section(h, hinge, axis))[:-1])))
        total += _plane(cut, lines, reach**2)
        before.append(hinge)
    return total


def section(row: Row, hinge: Row, axis: int) -> Row:
    """A row on the plane of a hinge, in the two coordinates that are left when `axis` is eliminated."""
    lead = hinge[axis]
    sign = 1 if lead > 0 else -1
    return tuple(sign * (row[i] * lead - row[axis] * hinge[i]) for i in range(len(row)) if i != axis)


def _spatial_corners(rows: list[Row]) -> list[Row]:
    out: dict[Row, None] = {}
    for a, b, c in combinations(rows, 3):
        point = _meet3(a, b, c)
        if point[3] and all(dot(row, point) >= 0 for row in rows):
            divisor = gcd(*point)
            out[tuple(x // divisor for x in point)] = None
    return list(out)


def _meet3(a: Row, b: Row, c: Row) -> Row:
    minor = {(i, j): b[i] * c[j] - b[j] * c[i] for i, j in combinations(range(4), 2)}
    out = []
    for omit in range(4):
        i, j, k = (x for x in range(4) if x != omit)
        det = a[i] * minor[j, k] - a[j] * minor[i, k] + a[k] * minor[i, j]
        out.append(-det if omit % 2 == 0 else det)
    return tuple(out) if out[3] >= 0 else tuple(-x for x in out)


def _solid(points: list[Row]) -> bool:
    """Whether homogeneous points span space: their matrix has rank 4 (fraction-free elimination)."""
    rows, rank = [list(p) for p in points], 0
    for column in range(4):
        pivot = next((r for r in range(rank, len(rows)) if rows[r][column]), None)
        if pivot is None:
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        lead = rows[rank][column]
        for r in range(rank + 1, len(rows)):
            if factor := rows[r][column]:
                rows[r] = [x * lead - y * factor for x, y in zip(rows[r], rows[rank], strict=True)]
                divisor = gcd(*rows[r]) or 1
                rows[r] = [x // divisor for x in rows[r]]
        rank += 1
    return rank == 4
