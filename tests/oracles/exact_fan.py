"""A slow fan in rational arithmetic, by cutting space into slabs: shares no idea with the walk over corners.

All bisectors s_i = s_j of a generic linear image of R^d are cut by hyperplanes x_1 = const, one between any two
neighbouring vertices of their arrangement, and so on down to lines. Every full-dimensional cell and every wall of
dimension d - 1 is met by one of these lines, the wall in its interior; consecutive intervals of a line with different
active sets share a wall.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise

Row = tuple[Fraction, ...]


def exact_fan(W: list, b: list | None, k: int) -> tuple[set[tuple[int, ...]], set[frozenset[tuple[int, ...]]]]:
    """Active sets of all cells, and the pairs that share a wall.

    W and b are floats or integers, taken as exact. Cost grows like (N^2)^(d (d+1) / 2): N = 8 in the plane, 5 in space.
    """
    rows = [tuple(Fraction(x) for x in row) for row in W]
    bias = [Fraction(x) for x in (b if b is not None else [0] * len(rows))]
    d = len(rows[0])
    # A shear makes every bisector cross the last axis, and every subspace of bisectors generic to all axes.
    for attempt in range(1, 50):
        shear = [
            [Fraction((7 * attempt + 3 * i * i + 5 * i * j + j) % 101 + 1, 97) for j in range(d)] for i in range(d)
        ]
        for i in range(d):
            shear[i][i] += 3
        moved = [tuple(sum(row[i] * shear[i][j] for i in range(d)) for j in range(d)) for row in rows]
        planes = [
            (*(x - y for x, y in zip(moved[i], moved[j], strict=True)), bias[i] - bias[j])
            for i, j in combinations(range(len(rows)), 2)
        ]
        if _rank(shear) == d and all(p[d - 1] != 0 for p in planes if any(p[:d])):
            break
    else:
        raise AssertionError("no generic shear")
    cells: set[tuple[int, ...]] = set()
    walls: set[frozenset[tuple[int, ...]]] = set()
    _slabs(moved, bias, k, cells, walls)
    return cells, walls


def active_set(scores: list[Fraction], k: int) -> tuple[int, ...]:
    """Top-k with ties to the lower index."""
    order = sorted(range(len(scores)), key=lambda i: (-scores[i], i))
    return tuple(sorted(order[:k]))


def _slabs(rows: list[Row], bias: list[Fraction], k: int, cells: set, walls: set) -> None:
    """Fix the first coordinate between any two vertices of the arrangement, then recurse."""
    d = len(rows[0])
    planes = {
        _monic((*(x - y for x, y in zip(rows[i], rows[j], strict=True)), bias[i] - bias[j]))
        for i, j in combinations(range(len(rows)), 2)
    }
    planes = [p for p in planes if any(p[:d])]
    if d == 1:
        at = sorted({-p[1] / p[0] for p in planes})
        previous = None
        for x in _between(at):
            here = active_set([row[0] * x + c for row, c in zip(rows, bias, strict=True)], k)
            cells.add(here)
            if previous is not None and previous != here:
                walls.add(frozenset((previous, here)))
            previous = here
        return
    at = set()
    for some in combinations(planes, d):
        point = _solve(some)
        if point is not None:
            at.add(point[0])
    for x in _between(sorted(at)):
        section = [c + row[0] * x for row, c in zip(rows, bias, strict=True)]
        _slabs([row[1:] for row in rows], section, k, cells, walls)


def _between(values: list[Fraction]) -> list[Fraction]:
    """A number in every open interval that the sorted values leave; not the middle, which could be special."""
    if not values:
        return [Fraction(1, 7)]
    inner = [a + (b - a) * Fraction(389, 1013) for a, b in pairwise(values)]
    return [values[0] - Fraction(13, 11), *inner, values[-1] + Fraction(17, 13)]


def _monic(plane: Row) -> Row:
    lead = next((x for x in plane if x), None)
    return plane if lead is None else tuple(x / lead for x in plane)


def _solve(planes: tuple[Row, ...]) -> list[Fraction] | None:
    """The common point of d hyperplanes in R^d, or None."""
    d = len(planes)
    work = [list(p) for p in planes]
    for c in range(d):
        found = next((r for r in range(c, d) if work[r][c]), None)
        if found is None:
            return None
        work[c], work[found] = work[found], work[c]
        lead = work[c][c]
        work[c] = [x / lead for x in work[c]]
        for r in range(d):
            if r != c and work[r][c]:
                factor = work[r][c]
                work[r] = [x - factor * y for x, y in zip(work[r], work[c], strict=True)]
    return [-work[r][d] for r in range(d)]


def _rank(matrix: list[list[Fraction]]) -> int:
    return len(matrix) if _solve(tuple((*row, Fraction(0)) for row in matrix)) is not None else 0
