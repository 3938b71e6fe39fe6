"""A sheet as flat triangles, each inside one routing cell: the cells' borders run across the grid, not along it.

On a flat triangle all scores are affine. Where its corners have two active sets, the line on which their scores are
equal cuts it; where they have three, the lines between each two meet in the point where all three are equal (or, where
that lies outside of the triangle, in the middle of the three points on its sides). Sets that no corner has are passed
over.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tropviz.core.router import Router

if TYPE_CHECKING:
    from tropviz.core.manifold.sheets import Sheet

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Patches:
    """A sheet in pieces.

    Attributes
    ----------
    points : ndarray (p, 3)
        The grid's points, row by row, and after them those on borders.
    unrolled : ndarray (p, 2)
        Where they lie in the plane.
    triangles : ndarray of int (t, 3)
    cell : ndarray of int (t,)
        Row of the active sets of every triangle.
    square : ndarray of int (t,)
        Which square of the grid each is part of, row by row.
    """

    points: Floats
    unrolled: Floats
    triangles: Ints
    cell: Ints
    square: Ints


def patches(sheet: Sheet, router: Router, cell: Ints, sets: Ints) -> Patches:
    """The pieces of a sheet.

    Parameters
    ----------
    sheet : Sheet
    router : Router
    cell, sets
        Of `sheet.cells(router)`.

    Examples
    --------
    >>> from tropviz.core.manifold import sheet
    >>> torus, router = sheet("torus", 8), Router([[1, 0, 0], [-1, 0, 0]], k=1)
    >>> made = patches(torus, router, *torus.cells(router))
    >>> middles = made.points[made.triangles].mean(axis=1)
    >>> bool((router.active_sets(middles)[:, 0] == made.cell).all()), len(made.triangles) > 98
    (True, True)
    """
    a, b = cell.shape
    at = np.arange(a * b).reshape(a, b)
    corner, right, up, far = at[:-1, :-1].ravel(), at[1:, :-1].ravel(), at[:-1, 1:].ravel(), at[1:, 1:].ravel()
    triangles = np.concatenate([np.stack([corner, right, far], 1), np.stack([corner, far, up], 1)])
    square = np.tile(np.arange(len(corner)), 2)
    own = cell.ravel()[triangles]
    kinds = 1 + (own[:, 0] != own[:, 1]) + ((own[:, 2] != own[:, 0]) & (own[:, 2] != own[:, 1]))
    scores = router.scores(sheet.points.reshape(-1, 3))
    points = np.concatenate([sheet.points.reshape(-1, 3), sheet.unrolled.reshape(-1, 2)], axis=1)
    whole = kinds == 1
    found = [(triangles[whole], own[whole, 0], square[whole])]
    for number, cut in ((2, _in_two), (3, _in_three)):
        some = kinds == number
        if some.any():
            new, parts, cells = cut(triangles[some], own[some], points, scores, sets)
            points = np.concatenate([points, new])
            found.append((parts, cells, np.tile(square[some], len(parts) // int(some.sum()))))
    made = [np.concatenate(arrays) for arrays in zip(*found, strict=True)]
    return Patches(points[:, :3], points[:, 3:], *made)


def _lead(at: Ints, first: Ints, second: Ints, scores: Floats, sets: Ints) -> Floats:
    """By how much one set's sum of scores is larger than another's at some points."""
    one, other = (np.take_along_axis(scores[at], sets[rows], axis=1).sum(axis=1) for rows in (first, second))
    return np.asarray(one - other)


def _tie(tri: Ints, own: Ints, i: int, j: int, scores: Floats, sets: Ints) -> Floats:
    """Share of the way from corner i to corner j at which their two sets tie."""
    here = np.maximum(_lead(tri[:, i], own[:, i], own[:, j], scores, sets), 0.0)
    there = np.maximum(_lead(tri[:, j], own[:, j], own[:, i], scores, sets), 0.0)
    total = here + there
    return np.divide(here, total, out=np.full_like(here, 0.5), where=total > 0)[:, None]


def _in_two(tri: Ints, own: Ints, points: Floats, scores: Floats, sets: Ints) -> tuple[Floats, Ints, Ints]:
    """Triangles of two sets, each cut by one line into three."""
    # turned so that the corner that differs from the two others comes first
    lone = np.where(own[:, 1] == own[:, 2], 0, np.where(own[:, 0] == own[:, 2], 1, 2))
    turn = (lone[:, None] + np.arange(3)) % 3
    tri, own = np.take_along_axis(tri, turn, axis=1), np.take_along_axis(own, turn, axis=1)
    first, second, third = points[tri].transpose(1, 0, 2)
    one = first + _tie(tri, own, 0, 1, scores, sets) * (second - first)
    two = first + _tie(tri, own, 0, 2, scores, sets) * (third - first)
    p = len(points) + np.arange(len(tri))
    q = p + len(tri)
    parts = [np.stack(c, 1) for c in ((tri[:, 0], p, q), (p, tri[:, 1], tri[:, 2]), (p, tri[:, 2], q))]
    return np.concatenate([one, two]), np.concatenate(parts), np.concatenate([own[:, 0], own[:, 1], own[:, 1]])


def _in_three(tri: Ints, own: Ints, points: Floats, scores: Floats, sets: Ints) -> tuple[Floats, Ints, Ints]:
    """Triangles of three sets, each cut by three lines that meet into six."""
    corners = points[tri]
    sides = [
        corners[:, i] + _tie(tri, own, i, j, scores, sets) * (corners[:, j] - corners[:, i])
        for i, j in ((0, 1), (1, 2), (2, 0))
    ]
    middle = np.stack(sides).mean(axis=0)
    # barycentric weights of the point where the first set ties with both others: w . lead = 0 twice, sum 1
    rows = [np.stack([_lead(tri[:, c], own[:, 0], own[:, j], scores, sets) for c in range(3)], axis=1) for j in (1, 2)]
    weights = np.cross(rows[0], rows[1])
    total = weights.sum(axis=1, keepdims=True)
    weights = np.divide(weights, total, out=np.full_like(weights, -1.0), where=total != 0)
    inside = (weights >= 0).all(axis=1)
    middle[inside] = (weights[inside, :, None] * corners[inside]).sum(axis=1)
    n = len(tri)
    side = [len(points) + s * n + np.arange(n) for s in range(3)]
    centre = len(points) + 3 * n + np.arange(n)
    parts, cells = [], []
    for c in range(3):  # side c leaves corner c, side c - 1 comes in
        parts += [np.stack([tri[:, c], side[c], centre], 1), np.stack([tri[:, c], centre, side[c - 1]], 1)]
        cells += [own[:, c]] * 2
    return np.concatenate([*sides, middle]), np.concatenate(parts), np.concatenate(cells)
