"""From a router to distinct experts in as few coordinates as the fan really has, and back.

Identical experts become one row with several copies. A direction of input space along which no score difference
changes (flat, rank-deficient or constant W) is split off. A bias that is a linear function of W only shifts a central
fan. All of it is exact: columns are scaled by powers of two, ranks are certified or found in rational arithmetic.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tropviz.core.fan import exact
from tropviz.core.fan.scale import scale
from tropviz.core.fan.sides import Experts, Floats, Ints
from tropviz.core.router import Router
from tropviz.core.tolerance import FULL_RANK

#: Above this many coordinates a float determinant is not trusted to certify full rank.
TRUSTED_RANK = 16
#: Directions of lineality with entries above this are made from their largest ones.
STEEP = 2**30


@dataclass(frozen=True)
class Reduced:
    """A router in reduced homogeneous coordinates.

    Attributes
    ----------
    experts : Experts or None
        None when there is only one cell.
    class_of, place : (N,) int
        The distinct expert each expert is a copy of, and how many copies of it come before.
    copies : (C,) int
        Copies of each distinct expert.
    rank : int
        Dimension of the reduced space; the fan is this times a flat space.
    columns : (rank,) int
        Coordinates of the input that are kept; the others are set to zero.
    exponents : (D,) int
        Column c was divided by 2**exponents[c].
    half : bool
        The bias is a coordinate of its own (an affine fan); else the fan is central about `origin`.
    origin : (d,) float
    lineality : (d - rank, d) float
        Independent directions along which no score difference changes.
    wide : bool
        Entries so unlike in size that float64 vectors do not hold the coordinates.
    """

    experts: Experts | None
    class_of: Ints
    place: Ints
    copies: Ints
    rank: int
    columns: Ints
    exponents: Ints
    half: bool
    origin: Floats
    lineality: Floats
    wide: bool = False

    def lift_points(self, points: Floats) -> Floats:
        """Corners of a half fan, homogeneous (n, D) -> (n, d)."""
        out = np.zeros((len(points), len(self.origin)))
        power = (self.exponents[-1] - self.exponents[:-1]).astype(np.int32)
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            out[:, self.columns] = np.ldexp(points[:, :-1] / points[:, -1:], power)
        return out

    def lift_directions(self, directions: Floats) -> Floats:
        """Unit directions (n, D) or (n, rank) -> (n, d)."""
        out = np.zeros((len(directions), len(self.origin)))
        power = -self.exponents[: self.rank]
        moved = np.ldexp(directions[:, : self.rank], (power - power.max(initial=-(2**20))).astype(np.int32))
        with np.errstate(divide="ignore", invalid="ignore"):  # a wide fan's are worked out in integers
            out[:, self.columns] = moved / np.linalg.norm(moved, axis=1, keepdims=True)
        return out

    def corner(self, vector: exact.Row) -> Floats:
        """Corner of a half fan from an exact homogeneous vector (D,) -> (d,), rounded once."""
        out = np.zeros(len(self.origin))
        for c, x, power in zip(self.columns.tolist(), vector[:-1], self.exponents.tolist(), strict=False):
            out[c] = ratio(x, vector[-1], int(self.exponents[-1]) - power)
        return out

    def heading(self, vector: exact.Row) -> Floats:
        """Unit direction (d,) from an exact vector (D,) or (rank,), rounded once but for its length."""
        out = np.zeros(len(self.origin))
        raised = self.exponents[: self.rank].tolist()
        out[self.columns] = exact.to_unit([x << (max(raised) - e) for x, e in zip(vector, raised, strict=False)])
        return out

    def name(self, cells: Ints) -> Ints:
        """Active sets (m, k) from copies used (m, C): the lowest indices of each class."""
        twins = len(self.copies) < len(self.class_of)
        chosen = self.place[None, :] < cells[:, self.class_of] if twins else cells > 0
        return np.flatnonzero(chosen).reshape(len(cells), -1) % chosen.shape[1]


def reduce(router: Router) -> Reduced:
    """Distinct experts, minimal coordinates, exact scaling."""
    rows = router.exact
    first, class_of, place, copies = rows.classes
    d = router.d
    origin, flat = np.zeros(d), np.eye(d)
    none = np.zeros(0, dtype=np.int64)
    if len(first) == 1 or router.k == router.N:
        return Reduced(None, class_of, place, copies, 0, none, none, False, origin, flat)
    scaled = scale(rows, first)
    central = not scaled.varies[-1]
    width = d if central else d + 1
    if certainly_full_rank(scaled.high[:, :width]):
        experts = scaled.experts(range(width), copies, router.k, not central)
        kept = np.arange(d)
        return Reduced(
            *(experts, class_of, place, copies, d, kept, scaled.exponents[:width], not central, origin, flat[:0]),
            rows.wide,
        )
    exponents, whole = scaled.exponents, scaled.integers()
    pivots, combination = exact.independent_columns([exact.minus(row, whole[0]) for row in whole[1:]])
    half = d in pivots
    columns = [c for c in pivots if c < d]
    if not half:
        for p, c in enumerate(columns):
            origin[c] = -shifted(combination[d][p], int(exponents[d] - exponents[c]))
    lineality = along_nothing(combination, columns, exponents[:d])
    chosen = columns + [d] * half
    experts = scaled.experts(chosen, copies, router.k, half)
    picked = np.array(columns, dtype=np.int64)
    return Reduced(
        *(experts, class_of, place, copies, len(columns), picked, exponents[chosen], half, origin, lineality, rows.wide)
    )


def along_nothing(combination: list[list[exact.Fraction]], columns: list[int], exponents: Ints) -> Floats:
    """Independent directions (l, d) along which no score difference changes.

    Parameters
    ----------
    combination, columns
        Column c is the sum over p of combination[c][p] times column columns[p], once divided by 2**exponents[c].
    """
    d = len(exponents)
    rows = []
    for c in (c for c in range(d) if c not in columns):
        turns = (exact.Fraction(2) ** int(exponents[c] - exponents[q]) for q in columns)
        row = {q: -x * turn for q, x, turn in zip(columns, combination[c], turns, strict=False)}
        rows.append({**row, c: exact.Fraction(1)})
    if any(abs(x) > STEEP for row in rows for x in row.values()):
        rows = _reduced_by_largest(rows)
    out = np.zeros((len(rows), d))
    for n, row in enumerate(rows):
        for c, x in row.items():
            out[n, c] = shifted(x, 0)
    return out


def _reduced_by_largest(rows: list[dict[int, exact.Fraction]]) -> list[dict[int, exact.Fraction]]:
    """The same span, from the largest entry of each row: as unit vectors the rows would be nearly parallel."""
    done: list[dict[int, exact.Fraction]] = []
    left = rows
    while left:
        n, c = max(((n, c) for n, row in enumerate(left) for c in row), key=lambda at: abs(left[at[0]][at[1]]))
        head = {q: x / left[n][c] for q, x in left[n].items()}
        left = [_without(c, row, head) for m, row in enumerate(left) if m != n]
        done = [*(_without(c, row, head) for row in done), head]
    return done


def _without(c: int, row: dict[int, exact.Fraction], head: dict[int, exact.Fraction]) -> dict[int, exact.Fraction]:
    """The row less the multiple of `head` that makes its entry c vanish."""
    factor = row.get(c, exact.Fraction(0))
    return {q: y for q in {*row, *head} if (y := row.get(q, exact.Fraction(0)) - factor * head.get(q, 0))}


def shifted(value: exact.Fraction, power: int) -> float:
    """value * 2**power as a float, infinite when too large.

    >>> shifted(exact.Fraction(3, 2), -1), shifted(exact.Fraction(-1), 2000)
    (0.75, -inf)
    """
    return ratio(value.numerator, value.denominator, power)


def ratio(top: int, bottom: int, power: int) -> float:
    """top / bottom * 2**power rounded once, infinite when too large."""
    top, bottom = (top << power, bottom) if power >= 0 else (top, bottom << -power)
    try:
        return top / bottom
    except OverflowError:
        return exact.sign(top) * exact.sign(bottom) * float("inf")


def certainly_full_rank(rows: Floats) -> bool:
    """True when D differences of rows have a determinant safely away from zero."""
    width = rows.shape[1]
    if len(rows) <= width or width > TRUSTED_RANK:
        return False
    left = rows - rows[0]
    chosen = []
    for _ in range(width):
        size = np.einsum("nd,nd->n", left, left)
        best = int(size.argmax())
        if size[best] <= 0:
            return False
        chosen.append(best)
        unit = left[best] / np.sqrt(size[best])
        left = left - (left @ unit)[:, None] * unit
    picked = rows[chosen] - rows[0]
    lengths = np.sqrt(np.square(picked).sum(axis=1))
    return bool(abs(np.linalg.det(picked)) > FULL_RANK * lengths.prod())
