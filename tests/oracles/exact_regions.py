"""Slow, obvious, exact: convex polytopes as corner lists in rational arithmetic, split by one half-space after another.

A polytope is kept as its corners, each with the set of constraints that are tight there (the double description
method). Nothing here shares code or ideas with `tropviz.core.experts_*`: no crossing is ever counted, pieces are.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

Point = tuple[Fraction, ...]
Piece = dict[Point, frozenset[int]]


def rank(rows: list[list[Fraction]]) -> int:
    """Rank of a rational matrix."""
    rows = [list(r) for r in rows]
    found = 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((r for r in range(found, len(rows)) if rows[r][column]), None)
        if pivot is None:
            continue
        rows[found], rows[pivot] = rows[pivot], rows[found]
        for r in range(found + 1, len(rows)):
            factor = rows[r][column] / rows[found][column]
            rows[r] = [a - factor * b for a, b in zip(rows[r], rows[found], strict=True)]
        found += 1
    return found


class Splitter:
    """All constraints met so far, and the box everything lives in."""

    def __init__(self, box: list[tuple[Fraction, Fraction]]) -> None:
        self.d = len(box)
        self.rows: list[list[Fraction]] = []
        for axis, (low, high) in enumerate(box):
            for sign, end in ((1, low), (-1, high)):
                self.rows.append([Fraction(sign * (i == axis)) for i in range(self.d)] + [-sign * Fraction(end)])
        self.box: Piece = {}
        for corner in range(2**self.d):
            ends = [(corner >> axis) & 1 for axis in range(self.d)]
            point = tuple(Fraction(box[axis][end]) for axis, end in enumerate(ends))
            self.box[point] = frozenset(2 * axis + end for axis, end in enumerate(ends))

    def value(self, row: list[Fraction], point: Point) -> Fraction:
        return sum((a * x for a, x in zip(row, point, strict=False)), row[-1])

    def adjacent(self, tight: frozenset[int]) -> bool:
        """Whether the constraints shared by two corners leave an edge."""
        if self.d == 1:
            return True
        return len(tight) >= self.d - 1 and rank([self.rows[t][:-1] for t in tight]) == self.d - 1

    def cut(self, piece: Piece, row: list[Fraction]) -> tuple[Piece | None, Piece | None]:
        """The parts of a piece where row . (x, 1) >= 0 and <= 0; None for a part without interior."""
        values = {p: self.value(row, p) for p in piece}
        if min(values.values()) >= 0:
            return (piece, None) if max(values.values()) > 0 else (None, None)
        if max(values.values()) <= 0:
            return None, piece
        name = len(self.rows)
        self.rows.append(list(row))
        new: Piece = {}
        for (p, a), (q, b) in combinations(values.items(), 2):
            shared = piece[p] & piece[q]
            if a * b < 0 and self.adjacent(shared):
                t = a / (a - b)
                new[tuple(x + t * (y - x) for x, y in zip(p, q, strict=True))] = shared | {name}
        on = {p: piece[p] | {name} for p, v in values.items() if v == 0}
        plus = {p: piece[p] for p, v in values.items() if v > 0}
        minus = {p: piece[p] for p, v in values.items() if v < 0}
        return {**plus, **on, **new}, {**minus, **on, **new}

    def keep(self, piece: Piece | None, row: list[Fraction]) -> Piece | None:
        """The part on the positive side."""
        if piece is None:
            return None
        if not any(row[:-1]):
            return piece if row[-1] >= 0 else None
        return self.cut(piece, row)[0]


def exact(rows: object) -> list[list[Fraction]]:
    """Rows of ints or floats as fractions, without rounding."""
    return [[Fraction(x) for x in row] for row in rows]  # type: ignore[attr-defined]


def cell(splitter: Splitter, router: list[list[Fraction]], active: tuple[int, ...]) -> Piece | None:
    """The cell of an active set, from all its k (N - k) half-spaces; twins never compete."""
    piece: Piece | None = splitter.box
    for i in active:
        for j in range(len(router)):
            if j not in active and router[i] != router[j]:
                piece = splitter.keep(piece, [a - b for a, b in zip(router[i], router[j], strict=True)])
    return piece


def lowest(router: list[list[Fraction]], active: tuple[int, ...]) -> bool:
    """Whether the set takes the lowest indices among identical experts."""
    return not any(j < i and router[i] == router[j] and j not in active for i in active for j in range(i))


def regions(
    router: list[list[Fraction]], hinges: dict[int, list[list[Fraction]]], k: int, box: list, shared: list | None = None
) -> dict[tuple[int, ...], int]:
    """Regions of every cell that meets the open box, by splitting."""
    out = {}
    for active in combinations(range(len(router)), k):
        splitter = Splitter(box)
        piece = cell(splitter, router, active) if lowest(router, active) else None
        if piece is None:
            continue
        pieces = [piece]
        for row in [h for i in active for h in hinges[i]] + (shared or []):
            if any(row[:-1]):
                pieces = [part for p in pieces for part in splitter.cut(p, row) if part is not None]
        out[active] = len(pieces)
    return out


def walls(router: list[list[Fraction]], k: int, box: list) -> tuple[list[tuple[int, ...]], list[tuple[int, int]]]:
    """Cells inside a (large) box, and the pairs that share a wall: a stand-in for the fan."""
    sets, corners = [], []
    for active in combinations(range(len(router)), k):
        splitter = Splitter(box)
        piece = cell(splitter, router, active) if lowest(router, active) else None
        if piece is not None:
            sets.append(active)
            corners.append(set(piece))
    d = len(box)
    pairs = []
    for i, j in combinations(range(len(sets)), 2):
        common = corners[i] & corners[j]
        if len(common) >= d and rank([[*p, Fraction(1)] for p in common]) == d:
            pairs.append((i, j))
    return sets, pairs
