"""Corners and rays of planar cells in counter-clockwise order, for all cells at once."""

from __future__ import annotations

from functools import cmp_to_key

import numpy as np
from numpy.typing import NDArray

from tropviz.core.fan.exact import Row, sign
from tropviz.core.sorting import by_owner
from tropviz.core.tolerance import NEARLY_PARALLEL

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def sums(values: Floats, starts: Ints) -> Floats:
    """Sums of consecutive rows, values[starts[c]:starts[c + 1]] for each c; zero for empty spans.

    >>> sums(np.array([[1.0], [2.0], [4.0]]), np.array([0, 2, 2, 3])).ravel().tolist()
    [3.0, 0.0, 4.0]
    """
    count = len(starts) - 1
    owner = np.repeat(np.arange(count), np.diff(starts))
    columns = [np.bincount(owner, column, minlength=count) for column in values.T]
    return np.stack(columns, axis=1) if columns else np.zeros((count, 0))


def turned(vectors: Floats, reference: Floats) -> Floats:
    """Angle of each vector counter-clockwise from its reference, in (-pi, pi]."""
    cross = reference[:, 0] * vectors[:, 1] - reference[:, 1] * vectors[:, 0]
    return np.arctan2(cross, np.einsum("nd,nd->n", reference, vectors))


def counter_clockwise(
    inner: Floats,
    vertices: Floats,
    cell_vertices: tuple[Ints, Ints],
    directions: Floats,
    cell_directions: tuple[Ints, Ints],
) -> tuple[Ints, Ints]:
    """Reorder the corner and ray numbers of each cell.

    Seen from an inner point, the corners of an unbounded cell come counter-clockwise after the direction in the middle
    of its rays; the ray on the clockwise side of that direction is the first, along which the boundary leaves.

    Parameters
    ----------
    inner : (m, 2) float
        A point inside each cell.

    Returns
    -------
    vertex_ids, direction_ids : int arrays
        The reordered first entries of `cell_vertices` and `cell_directions`.
    """
    (ids, starts), (rays, begins) = cell_vertices, cell_directions
    away = sums(directions[rays], begins)
    owner = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    with np.errstate(invalid="ignore"):  # corners beyond the range of float64
        arms = vertices[ids] - inner[owner]
        angle = (
            np.arctan2(arms[:, 1], arms[:, 0]) - np.arctan2(away[:, 1], away[:, 0])[owner]
        )  # away is 0: along (1, 0)
    angle += (angle < 0) * (2 * np.pi)
    ray_owner = np.repeat(np.arange(len(begins) - 1), np.diff(begins))
    side = turned(directions[rays], away[ray_owner])
    return ids[_within(owner, angle)], rays[_within(ray_owner, side)]


def nearly_half_planes(directions: Floats, cell_directions: tuple[Ints, Ints]) -> list[int]:
    """Cells whose rays are so nearly opposite that floats do not tell on which side of them the cell lies."""
    rays, begins = cell_directions
    short = np.abs(sums(directions[rays], begins)).max(axis=1) < NEARLY_PARALLEL
    flat: list[int] = np.flatnonzero(short & (np.diff(begins) > 0)).tolist()
    return flat


def _within(owner: Ints, value: Floats) -> Ints:
    """The order by owner, and by value where the owner is the same."""
    order = np.argsort(value)
    return order[by_owner(owner[order])[0]]


def turned_exactly(corners: list[Row], rays: list[Row]) -> tuple[list[int], list[int]]:
    """The same for one cell, from homogeneous integer vectors: places in the two lists in counter-clockwise order.

    Vectors of two entries are those of a central fan, whose one corner is the origin.

    >>> turned_exactly([[0, 0, 1], [0, 2, 1], [2, 0, 1]], [])
    ([1, 0, 2], [])
    """
    inner = [sum(column) for column in zip(*corners, *rays, strict=True)]
    away = [sum(column) for column in zip(*rays, strict=True)][:2] if rays else [1, 0]

    def cross(a: Row, b: Row) -> int:
        return a[0] * b[1] - a[1] * b[0]

    def half(a: Row) -> int:
        turn = cross(away, a)
        return int(turn < 0 or (turn == 0 and a[0] * away[0] + a[1] * away[1] < 0))

    if len(inner) < 3:
        return list(range(len(corners))), sorted(range(len(rays)), key=lambda p: sign(cross(away, rays[p])))
    arms = [[inner[2] * v[0] - v[2] * inner[0], inner[2] * v[1] - v[2] * inner[1]] for v in corners]

    def before(p: int, q: int) -> int:
        return half(arms[p]) - half(arms[q]) or -sign(cross(arms[p], arms[q]))

    def beside(p: int, q: int) -> int:
        return sign(cross(away, rays[p])) - sign(cross(away, rays[q]))

    return sorted(range(len(corners)), key=cmp_to_key(before)), sorted(range(len(rays)), key=cmp_to_key(beside))
