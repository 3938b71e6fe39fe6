"""The fans of every k at once, in the plane: lines of equal scores, cut by the other scores.

On a line s_i = s_j the set of scores above the tied pair changes where another score crosses it. Between two crossings
it is one set M, and the piece is a wall of the top-k fan for k = |M| + 1 and no other k: there the k-th and the next
score change places. So every wall of every fan is exactly one piece, and the level k = N is empty (nothing is left to
change places with). In general position N experts with biases have C(N,2) (N - 1) pieces: k-levels of an arrangement
of planes, see Edelsbrunner, Algorithms in Combinatorial Geometry (1987), ch. 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import inf, lcm

import numpy as np
from numpy.typing import NDArray

from tropviz.core.count import Count
from tropviz.core.router import Router

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
#: Experts up to which all lines are cut, in rationals: 496 lines, 30 crossings each.
MOST_EXPERTS = 32


@dataclass(frozen=True, eq=False)
class Levels:
    """Pieces of the lines of equal scores of a router in the plane.

    Attributes
    ----------
    N : int
    pairs : ndarray (n, 2)
        The two lowest experts that tie on the piece.
    level : ndarray (n,)
        The k of the fan whose wall it is.
    origin, along : ndarray (n, 2)
        A point of the line, and its direction.
    span : ndarray (n, 2)
        The piece is origin + t along, from t = span[0] to span[1]; infinite where it does not end.
    """

    N: int
    pairs: Ints
    level: Ints
    origin: Floats
    along: Floats
    span: Floats

    @property
    def total(self) -> Count:
        """How many pieces there are: the walls of all fans together."""
        return Count(len(self.level), "exact", "every crossing in rationals; C(N,2) (N - 1) in general position")

    def walls(self, k: int) -> Count:
        """How many are walls of the top-k fan."""
        return Count(int((self.level == k).sum()), "exact", f"pieces with {k - 1} scores above the tied pair")

    def segments(self, window: float) -> tuple[Ints, Floats]:
        """The pieces in the window [-a, a]^2: their numbers (m,), and both ends of each (m, 2, 2)."""
        low, high = self.span[:, 0].copy(), self.span[:, 1].copy()
        with np.errstate(divide="ignore", invalid="ignore"):
            for axis in (0, 1):
                ends = np.stack([(s * window - self.origin[:, axis]) / self.along[:, axis] for s in (-1, 1)])
                flat = self.along[:, axis] == 0
                outside = flat & (np.abs(self.origin[:, axis]) > window)
                low = np.maximum(low, np.where(flat, np.where(outside, inf, -inf), ends.min(axis=0)))
                high = np.minimum(high, np.where(flat, inf, ends.max(axis=0)))
        rows = np.flatnonzero(low < high)
        t = np.stack([low[rows], high[rows]], axis=1)
        return rows, self.origin[rows, None] + t[:, :, None] * self.along[rows, None]


def levels(router: Router) -> Levels:
    """All pieces, exactly: the floats of the router are taken as exact numbers.

    Raises
    ------
    ValueError
        For a router that is not in the plane, or of more than 32 experts.

    Examples
    --------
    >>> from tropviz.core import presets
    >>> every = levels(Router(*presets.random_affine(9, 2, seed=0), k=1))
    >>> every.total.value, [int(every.walls(k)) for k in range(1, 10)][-1]
    (288, 0)
    """
    if router.d != 2:
        raise ValueError(f"the lines of equal scores are cut in the plane; this router has {router.d} inputs.")
    if router.N > MOST_EXPERTS:
        raise ValueError(f"all lines are cut for up to {MOST_EXPERTS} experts; this router has {router.N}.")
    rows = _whole(np.column_stack([router.W, router.b]))
    found: list[tuple[tuple[int, int], int, Floats, Floats, tuple[float, float]]] = []
    for i in range(router.N):
        for j in range(i + 1, router.N):
            found += _line(rows, i, j)
    columns = list(zip(*found, strict=True)) or [()] * 5
    shapes = ((-1, 2), (-1,), (-1, 2), (-1, 2), (-1, 2))
    pairs, level, origin, along, span = (np.array(c).reshape(s) for c, s in zip(columns, shapes, strict=True))
    out = Levels(
        router.N,
        pairs.astype(np.int64),
        level.astype(np.int64),
        *(part.astype(np.float64) for part in (origin, along, span)),
    )
    for array in (out.pairs, out.level, out.origin, out.along, out.span):
        array.setflags(write=False)
    return out


def _whole(table: Floats) -> list[list[int]]:
    """The same numbers times a common factor, as integers."""
    exact = [[Fraction(float(v)) for v in row] for row in table]
    factor = lcm(*(v.denominator for row in exact for v in row))
    return [[int(v * factor) for v in row] for row in exact]


def _line(
    rows: list[list[int]], i: int, j: int
) -> list[tuple[tuple[int, int], int, Floats, Floats, tuple[float, float]]]:
    """The pieces of the line s_i = s_j; none if there is no such line, or a lower pair has the same one."""
    nx, ny, c = (p - q for p, q in zip(rows[i], rows[j], strict=True))
    size = nx * nx + ny * ny
    if size == 0:
        return []
    px, py, ux, uy = -c * nx, -c * ny, -ny, nx  # the point is p / size
    above, tied, crossings = 0, [i, j], list[tuple[Fraction, int]]()
    for other in range(len(rows)):
        if other in (i, j):
            continue
        ax, ay, a = (p - q for p, q in zip(rows[other], rows[i], strict=True))
        start, slope = ax * px + ay * py + a * size, (ax * ux + ay * uy) * size  # times size
        if slope == 0 and start == 0:
            tied.append(other)
        elif slope == 0:
            above += start > 0
        else:
            above += slope < 0
            crossings.append((Fraction(-start, slope), 1 if slope > 0 else -1))
    if sorted(tied)[:2] != [i, j] and not _twins(rows, sorted(tied), i, j):
        return []
    at = sorted({t for t, _ in crossings})
    jump = dict.fromkeys(at, 0)
    for t, sign in crossings:
        jump[t] += sign
    # in floats the direction has length one: t is then a distance
    large = max(abs(ux), abs(uy))
    short = np.array([float(Fraction(ux, large)), float(Fraction(uy, large))])
    norm = float(np.hypot(*short))
    origin = np.array([_float(Fraction(px, size)), _float(Fraction(py, size))])
    along = short / norm
    ends = [-inf, *(_float(t * large) * norm for t in at), inf]
    out = []
    for number, (low, high) in enumerate(pairwise(ends)):
        if number:
            above += jump[at[number - 1]]
        out += [((i, j), above + more, origin, along, (low, high)) for more in range(1, len(tied))]
    return out


def _float(value: Fraction) -> float:
    """The nearest float; infinite beyond the largest."""
    try:
        return float(value)
    except OverflowError:
        return inf if value > 0 else -inf


def _twins(rows: list[list[int]], tied: list[int], i: int, j: int) -> bool:
    """Whether i, j is the first pair of those tied on the line that differ: copies of i tie with it everywhere."""
    return i == tied[0] and j == next(other for other in tied if rows[other] != rows[i])
