"""Linear regions of many planar cells at once, in general position: 1 + L + I.

L hinges cross the open cell, I pairs of them cross inside it: those whose ends alternate on the border of the cell.
Every comparison has an error bound, and the
crossing points must be pairwise distinct beyond theirs: a cell where any of this fails is reported as not decided.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tropviz.core.experts.count import GENERIC, pairs_within, shared_points
from tropviz.core.experts.rings import Plane
from tropviz.core.tolerance import DETERMINANT_ROUNDING, KEY_ROUNDING

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

#: Values of hinges at corners, and pairs of chords, that are held at a time: what does not fit the cache costs time.
VALUES_AT_ONCE, PAIRS_AT_ONCE = 2**16, 2**14


@dataclass(frozen=True)
class Hinges:
    """Hinges of every cell by name, so that they need not all be listed at once.

    Attributes
    ----------
    rows : ndarray (N, H, 3)
        Hinges of every expert, entries up to 1; zero rows allowed.
    shared : ndarray (H_s, 3)
        Of the expert that is always active.
    sets : ndarray of int (m, k)
        Active experts of every cell.
    """

    rows: Floats
    shared: Floats
    sets: Ints

    @property
    def width(self) -> int:
        """Hinges of each cell."""
        return self.sets.shape[1] * self.rows.shape[1] + len(self.shared)

    def of(self, some: slice | Ints) -> Floats:
        """Hinges (s, Q, 3) of some cells."""
        sets = self.sets[some]
        rows = self.rows.take(sets, axis=0).reshape(len(sets), -1, self.rows.shape[2])
        if not len(self.shared):
            return rows
        return np.concatenate([rows, np.broadcast_to(self.shared, (len(sets), *self.shared.shape))], axis=1)

    def lines(self, cell: Ints, place: Ints) -> Floats:
        """One hinge (n, 3) of each given cell, by its place among the Q."""
        H = self.rows.shape[1]
        own = self.sets.shape[1] * H
        if not len(self.shared):
            expert = place // H
            return self.rows.reshape(-1, 3).take(self.sets[cell, expert] * H + place - expert * H, axis=0)
        out = self.shared.take(np.maximum(place - own, 0), axis=0)
        mine = np.flatnonzero(place < own)
        cell, place = cell[mine], place[mine]
        out[mine] = self.rows[self.sets[cell, place // H], place % H]
        return out


def count_plane(plane: Plane, hinges: Hinges) -> tuple[Ints, Bools]:
    """Regions of planar cells, and which counts are not decided.

    Parameters
    ----------
    plane : Plane
    hinges : Hinges
        Of the same cells.

    Returns
    -------
    counts : ndarray of int (m,)
    doubtful : ndarray of bool (m,)
    """
    doubtful, Q = plane.doubtful.copy(), hinges.width
    if plane.points.shape[1]:
        chord, at, error = _chords(plane, hinges, doubtful)
        cell = chord // Q
        first, second = _interleaved(cell, at, error, doubtful)
    else:  # the whole plane
        chord = np.flatnonzero((hinges.of(slice(None)).reshape(-1, 3)[:, :2] != 0).any(axis=1))
        cell = chord // Q
        first, second = pairs_within(cell)
    counts = 1 + np.bincount(cell, minlength=len(doubtful))
    if len(first):
        counts += _crossings(hinges.lines(cell, chord - cell * Q), cell, first, second, doubtful)
    return counts, doubtful


def _chords(plane: Plane, hinges: Hinges, doubtful: Bools) -> tuple[Ints, Floats, Floats]:
    """Hinges that cross cells, and where they end; marks cells where this is not decided.

    Returns
    -------
    chord : ndarray of int (n,)
        Rows in the flat list of hinges, ascending.
    at : ndarray (n, 2)
        Both ends on one ascending scale for the borders of all cells: number of the edge + share of it.
    error : ndarray (n, 2)
        Of `at`.
    """
    m, V, _ = plane.points.shape
    Q = hinges.width
    step = max(1, VALUES_AT_ONCE // (V * Q))
    if m <= step:
        place, near, far = _ends(plane, hinges.of(slice(None)), doubtful)
    else:
        some = [slice(t, t + step) for t in range(0, m, step)]
        lots = [_ends(plane.part(these), hinges.of(these), doubtful[these]) for these in some]
        place, near, far = (np.concatenate(x) for x in zip(*lots, strict=True))
        place += np.repeat(np.arange(len(lots)) * (step * V * Q), [len(lot[0]) for lot in lots])
    # The border of a convex cell changes sides twice or never: ends follow one another in pairs.
    chord = place[::2] // V
    cell = chord // Q
    total, error = near + far, plane.error.take(cell)
    at = (place.reshape(-1, 2) - ((chord - cell) * V)[:, None]) + (near / total).reshape(-1, 2)
    error = error[:, None] / (total.reshape(-1, 2) - 2 * error[:, None])
    return chord, at, error + (m * V + 1) * KEY_ROUNDING


def _ends(plane: Plane, hinges: Floats, doubtful: Bools) -> tuple[Ints, Floats, Floats]:
    """Edges that hinges cross, as places in (cell, hinge, edge), and the hinge's values at both ends of the edge."""
    values = hinges @ plane.points.transpose(0, 2, 1)
    plus, size = (values > 0).ravel(), np.abs(values, out=values)
    # A hinge through a corner?
    if size.min(initial=np.inf) <= plane.error.max(initial=0.0):
        zero = (size <= plane.error[:, None, None]).any(axis=2)
        doubtful |= (zero & (hinges != 0).any(axis=2)).any(axis=1)
    V, flips = size.shape[2], np.empty_like(plus)
    np.not_equal(plus[1:], plus[:-1], out=flips[:-1])
    flips[V - 1 :: V] = False  # the last corner is the first again, and what follows is another hinge
    if doubtful.any():
        flips.reshape(len(doubtful), -1)[doubtful] = False
    place, flat = flips.nonzero()[0], size.ravel()
    return place, flat.take(place), flat.take(place + 1)


def _interleaved(cell: Ints, at: Floats, error: Floats, doubtful: Bools) -> tuple[Ints, Ints]:
    """Pairs of chords whose ends alternate on the border of their cell, so that they meet inside it.

    Returns
    -------
    first, second : ndarrays of int
        Positions of the two chords of each pair. Cells where two ends cannot be told apart are marked doubtful.
    """
    n = len(cell)
    if not n:
        return cell, cell
    key = at.ravel()
    order = key.argsort()
    key = key.take(order)
    apart = key[1:] - key[:-1]
    if apart.min(initial=np.inf) <= 2 * error.max(initial=0.0):
        spread, place = error.ravel()[order], cell[order >> 1]
        close = ~(apart > spread[1:] + spread[:-1]) & (place[1:] == place[:-1])
        doubtful[place[1:][close]] = True
    rank = np.empty(2 * n, dtype=np.int64)
    rank[order] = np.arange(2 * n)
    begins = order & 1 == 0
    # In the order of their first ends, the chords that begin between the ends of one follow it; some end there, too.
    chord = order[begins] >> 1
    end = rank[1::2].take(chord)
    number = np.arange(1, n + 1)
    within = begins.cumsum().take(end) - number
    total = within.cumsum()
    ahead = number - total + within
    found = []
    for start, stop in _lots(total):
        some = within[start:stop]
        second = np.arange(total[start] - within[start], total[stop - 1]) + ahead[start:stop].repeat(some)
        cross = (end.take(second) > end[start:stop].repeat(some)).nonzero()[0]
        first = chord[start:stop].repeat(some).take(cross)
        found.append((first, chord.take(second.take(cross))))
    if len(found) == 1:
        return found[0]
    one, two = zip(*found, strict=True)
    return np.concatenate(one), np.concatenate(two)


def _lots(total: Ints) -> list[tuple[int, int]]:
    """Spans of chords with about `PAIRS_AT_ONCE` pairs each, from the running sums of their pairs."""
    if total[-1] <= PAIRS_AT_ONCE:
        return [(0, len(total))]
    ends = np.searchsorted(total, np.arange(PAIRS_AT_ONCE, total[-1], PAIRS_AT_ONCE))
    return [(a, b) for a, b in pairwise([0, *ends.tolist(), len(total)]) if a < b]


def _crossings(lines: Floats, cell: Ints, first: Ints, second: Ints, doubtful: Bools) -> Ints:
    """Crossing points of given pairs of chords in each cell; marks cells not decided."""
    # Entries of hinges are at most 1, so two products stand for the size of each coordinate.
    unit = 2 * DETERMINANT_ROUNDING
    columns = np.ascontiguousarray(lines.T)
    (a, b, c), (p, q, r) = columns.take(first, axis=1), columns.take(second, axis=1)
    weight, owner = a * q - b * p, cell.take(first)
    x, y, size = b * r - c * q, c * p - a * r, np.abs(weight)
    if size.min() <= unit:
        doubtful[owner[size <= unit]] = True
        steep = size > unit
        x, y, weight, size, owner = x[steep], y[steep], weight[steep], size[steep], owner[steep]
    x /= weight
    y /= weight
    key = GENERIC[0] * x + GENERIC[1] * y
    spread = unit / (size - unit) * (2 + np.abs(x) + np.abs(y))
    order = key.copy()
    order.sort()
    if (order[1:] - order[:-1]).min(initial=np.inf) <= 2 * spread.max(initial=0.0):
        doubtful[shared_points(owner, key - spread, key + spread)] = True
    return np.bincount(owner, minlength=len(doubtful))
