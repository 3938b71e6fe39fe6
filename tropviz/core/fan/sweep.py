"""The fan in homogeneous dimension 2: turn once round the circle (central plane) or along the line (d = 1)."""

from __future__ import annotations

from fractions import Fraction
from math import gcd

import numpy as np

from tropviz.core.fan import exact
from tropviz.core.fan.diagram import Diagram
from tropviz.core.fan.sides import Experts, Floats, Ints, Signs

#: Up to this many experts plain integers are faster than arrays.
FEW = 16


def sweep(experts: Experts) -> Diagram:
    """Cells and boundaries met by a direction turning clockwise from (-1, 0), each decided without rounding.

    Cost: O(k (N - k)) per cell.
    """
    e = experts
    if e.C <= FEW and not e.half:
        return sweep_in_integers(e)
    cell = fill(e, ranked(e, -1), np.zeros(e.C, dtype=np.int64), e.k)
    last = fill(e, ranked(e, 1), np.zeros(e.C, dtype=np.int64), e.k) if e.half else cell
    cells, points, sides, bases = [cell], [], [], []
    point, tied = np.array([-1.0, 0.0]), np.zeros(e.C, dtype=bool)
    while True:
        basis, point, side = next_boundary(e, cell, point, tied)
        tied = side == 0
        points.append(point)
        sides.append(side)
        bases.append(basis)
        cell = cross(e, cell, basis, point, side)
        if (cell == last).all():
            break
        cells.append(cell)
    if e.half:
        cells.append(last)
    count, met = len(cells), np.arange(len(points))
    walls = np.sort(np.stack([met, (met + 1) % count], axis=1), axis=1)
    incidence = np.concatenate([np.stack([met, met], 1), np.stack([(met + 1) % count, met], 1)])
    rays = np.array([[-1.0, 0.0], [1.0, 0.0]]) if e.half else np.zeros((0, 2))
    ray_incidence = np.array([[0, 0], [count - 1, 1]]) if e.half else np.zeros((0, 2), dtype=np.int64)
    return Diagram(
        cells=np.array(cells),
        points=np.array(points),
        sides=np.array(sides),
        bases=np.array(bases),
        errors=e.normals(np.array(bases), infinite=False)[2],
        incidence=incidence,
        walls=walls,
        rays=rays,
        ray_sides=np.zeros((len(rays), e.C), dtype=np.int8),
        ray_bases=np.zeros((len(rays), 1), dtype=np.int64),
        ray_errors=np.zeros(len(rays)),
        ray_incidence=ray_incidence,
        complete=True,
    )


def ranked(e: Experts, sign: int) -> Ints:
    """Experts from the first to the last in the direction (sign, 0), ties by the second coordinate."""
    if e.low is None:
        return np.lexsort((-e.rows[:, 1], -sign * e.rows[:, 0]))
    whole = e.integers
    return np.array(sorted(range(e.C), key=lambda i: (-sign * whole[i][0], -whole[i][1])))


def fill(e: Experts, order: Ints, start: Ints, active: int) -> Ints:
    """Activate `active` more experts in the given order, copies included."""
    cell = start.copy()
    for i in order.tolist():
        cell[i] = min(int(e.copies[i]), active)
        active -= int(cell[i])
        if not active:
            break
    return cell


def next_boundary(e: Experts, cell: Ints, point: Floats, tied: np.ndarray) -> tuple[Ints, Floats, Signs]:
    """The boundary that ends `cell` clockwise from the boundary `point`."""
    inside, outside = np.nonzero(cell > 0)[0], np.nonzero(cell < e.copies)[0]
    towards = np.array([point[1], -point[0]])
    level, slope = e.centred @ point, e.centred @ towards
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        when = -(slope[inside][:, None] - slope[outside]) / (level[inside][:, None] - level[outside])
    when[~np.isfinite(when) | (tied[inside][:, None] & tied[outside]) | (inside[:, None] == outside)] = -np.inf
    i, j = np.unravel_index(when.argmax(), when.shape)
    if np.isfinite(when[i, j]):
        basis = np.sort(np.array([inside[i], outside[j]]))
        found = e.classify(basis[None], (point * when[i, j] + towards)[None])
        if found.ok[0] and ends(e, cell, found.sides[0]):
            return basis, found.points[0], found.sides[0]
    return next_boundary_exactly(e, cell, inside, outside, point, tied)


def ends(e: Experts, cell: Ints, side: Signs) -> bool:
    """True when the boundary touches the cell: nobody inside lies below the threshold, nobody outside above."""
    return not ((side < 0) & (cell > 0)).any() and not ((side > 0) & (cell < e.copies)).any()


def next_boundary_exactly(
    e: Experts, cell: Ints, inside: Ints, outside: Ints, point: Floats, tied: np.ndarray
) -> tuple[Ints, Floats, Signs]:
    """The same in integers, over all pairs."""
    rows = e.integers
    if tied.any():
        vector = e.exact_null(np.nonzero(tied)[0][:2])
        if exact.to_unit(vector) @ point < 0:
            vector = [-x for x in vector]
    else:
        vector = [-1, 0]
    along = [vector[1], -vector[0]]
    best, pair = None, (-1, -1)
    for i in inside.tolist():
        for j in outside.tolist():
            gap = exact.minus(rows[i], rows[j])
            height = exact.dot(gap, vector)
            if height:
                when = Fraction(-exact.dot(gap, along), height)
                if best is None or when > best:
                    best, pair = when, (i, j)
    if best is None:
        raise ArithmeticError("a cell without an end: the rows do not span the plane")
    target = [best.numerator * v + best.denominator * u for v, u in zip(vector, along, strict=True)]
    basis = np.sort(np.array(pair))
    found = e.classify(basis[None], exact.to_unit(target)[None])
    if not (found.ok[0] and ends(e, cell, found.sides[0])):
        raise ArithmeticError("the sweep lost its cell")
    return basis, found.points[0], found.sides[0]


def cross(e: Experts, cell: Ints, basis: Ints, point: Floats, side: Signs) -> Ints:
    """The cell just clockwise of a boundary: the tied experts again, now in the order of their slopes."""
    tied = np.nonzero(side == 0)[0]
    start = np.where(side > 0, e.copies, 0)
    active = e.k - int(start.sum())
    if len(tied) == 2:
        was_first = cell[tied[0]] * e.copies[tied[1]] > cell[tied[1]] * e.copies[tied[0]]
        return fill(e, tied[::-1] if was_first else tied, start, active)
    vector = e.exact_null(basis)
    if exact.to_unit(vector) @ point < 0:
        vector = [-x for x in vector]
    along = [vector[1], -vector[0]]
    order = sorted(tied.tolist(), key=lambda i: -exact.dot(e.integers[i], along))
    return fill(e, np.array(order), start, active)


def sweep_in_integers(e: Experts) -> Diagram:
    """The whole turn in Python integers: what a corner with a few tied experts looks like."""
    rows, copies, everyone = e.integers, e.copies.tolist(), range(e.C)
    v = [-1, 0]
    order = sorted(everyone, key=lambda i: (rows[i][0], -rows[i][1]))
    cells = [activate(copies, order, [0] * e.C, e.k)]
    points, sides, bases = [], [], []
    while True:
        cell, u = cells[-1], [v[1], -v[0]]
        best = (0, 0, 0, 0)  # -slope, height > 0, and the pair
        for i in everyone:
            if not cell[i]:
                continue
            for j in everyone:
                if cell[j] == copies[j] or i == j:
                    continue
                gap = [rows[i][0] - rows[j][0], rows[i][1] - rows[j][1]]
                height = gap[0] * v[0] + gap[1] * v[1]
                if height > 0:
                    fall = -(gap[0] * u[0] + gap[1] * u[1])
                    if not best[1] or fall * best[1] > best[0] * height:
                        best = (fall, height, i, j)
        num, den, i, j = best
        v = [num * a + den * b for a, b in zip(v, u, strict=True)]
        common = gcd(*v)
        v = [x // common for x in v]
        level = rows[i][0] * v[0] + rows[i][1] * v[1]
        side = [exact.sign(r[0] * v[0] + r[1] * v[1] - level) for r in rows]
        tied = sorted((q for q in everyone if not side[q]), key=lambda q: rows[q][0] * -v[1] + rows[q][1] * v[0])
        start = [c if s > 0 else 0 for c, s in zip(copies, side, strict=True)]
        points.append(v)
        sides.append(side)
        bases.append(sorted((i, j)))
        after = activate(copies, tied, start, e.k - sum(start))
        if after == cells[0]:
            return circle(e, np.array(cells), np.array([exact.to_unit(p) for p in points]), sides, bases)
        cells.append(after)


def activate(copies: list[int], order: list[int], start: list[int], active: int) -> list[int]:
    """`fill` for lists."""
    cell = start.copy()
    for i in order:
        cell[i] = min(copies[i], active)
        active -= cell[i]
    return cell


def circle(e: Experts, cells: Ints, points: Floats, sides: list[list[int]], bases: list[list[int]]) -> Diagram:
    """A closed turn: boundary i lies between the cells i and i + 1."""
    count = len(cells)
    met = np.arange(count)
    after = (met + 1) % count
    none = np.zeros(0, dtype=np.int64)
    return Diagram(
        cells=cells,
        points=points,
        sides=np.array(sides, dtype=np.int8),
        bases=np.array(bases),
        errors=np.zeros(count),
        incidence=np.stack([np.concatenate([met, after]), np.concatenate([met, met])], axis=1),
        walls=np.sort(np.stack([met, after], axis=1), axis=1),
        rays=np.zeros((0, 2)),
        ray_sides=np.zeros((0, e.C), dtype=np.int8),
        ray_bases=none.reshape(0, 1),
        ray_errors=np.zeros(0),
        ray_incidence=none.reshape(0, 2),
        complete=True,
    )
