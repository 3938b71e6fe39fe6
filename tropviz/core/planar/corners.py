"""Planar cells as rings of their own corners, cut to the window, all cells at once.

Neighbours share their corners, so the rings fit together by construction: a cut is computed from the same two corners
on either side of a wall.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tropviz.core.fan.record import Fan
from tropviz.core.planar.unit_box import UnitBox
from tropviz.core.sorting import starts_of_runs

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Corners farther away than this many windows leave too few digits inside the window.
FAR = 1e5


def rings_of_corners(fan: Fan, unit: UnitBox) -> tuple[Ints, Floats] | None:
    """Cells cut to a window: the cell of each corner, ascending, and the corners (p, 2) counter-clockwise.

    The corners are in the coordinates in which the window is [-1, 1]^2.

    None where the corners do not tell everything: unfinished or flat fans, corners far outside the window.
    """
    if not fan.complete or len(fan.lineality):
        return None
    vertices = unit.points(fan.vertices)
    distance = np.abs(vertices).max(axis=1)
    if not (len(distance) and distance.max() <= FAR):
        return None
    owner, points = _with_far_points(fan, vertices, unit.directions(fan.directions), 4 * (distance + 2))
    for axis in (0, 1):
        owner, points = _cut(owner, points, axis)
    return owner, points


def _with_far_points(fan: Fan, vertices: Floats, directions: Floats, reach: Floats) -> tuple[Ints, Floats]:
    """Rings in which a point on either ray and one between them close an unbounded cell.

    vertices (V, 2), directions (R, 2) : those of the fan, in the window's coordinates.
    reach : (V,) how far from each corner the points on its rays are taken; the same for both cells along a ray.
    """
    (ids, starts), (rays, begins) = fan.cell_vertices, fan.cell_directions
    owner, points = np.repeat(np.arange(len(starts) - 1), np.diff(starts)), vertices[ids]
    open_ = np.flatnonzero(np.diff(begins))
    first, last = ids[starts[open_]], ids[starts[open_ + 1] - 1]
    out, into = directions[rays[begins[open_]]], directions[rays[begins[open_ + 1] - 1]]
    turn = out - into
    middle = out + into + np.stack([-turn[:, 1], turn[:, 0]], axis=1)  # never short: 2 cos + 2 sin of half the angle
    middle /= np.sqrt(np.einsum("nx,nx->n", middle, middle))[:, None]
    far = np.empty((len(open_), 3, 2))
    far[:, 0] = vertices[last] + reach[last, None] * out
    far[:, 1] = vertices[first] + np.maximum(reach[first], reach[last])[:, None] * middle
    far[:, 2] = vertices[first] + reach[first, None] * into
    more = np.zeros(len(starts), dtype=np.int64)
    more[open_ + 1] = 3
    more = np.cumsum(more)  # points put in before each cell
    all_owners, all_points = np.empty(len(owner) + more[-1], dtype=np.int64), np.empty((len(owner) + more[-1], 2))
    kept, new = np.arange(len(owner)) + more[owner], (starts + more)[open_ + 1, None] + np.arange(-3, 0)
    all_owners[kept], all_points[kept] = owner, points
    all_owners[new], all_points[new] = open_[:, None], far
    return all_owners, all_points


def _cut(owner: Ints, points: Floats, axis: int) -> tuple[Ints, Floats]:
    """The part of each convex ring between -1 and 1 on one axis."""
    x = points[:, axis]
    side = (x > 1).view(np.int8) - (x < -1).view(np.int8)
    if not side.any():
        return owner, points
    after = next_in_ring(owner)
    kept = np.flatnonzero(side == 0)
    owners, parts, places = [owner[kept]], [points[kept]], [4 * kept]
    for bound in (-1, 1):
        out = side == bound
        leaves = out[after]
        edge = np.flatnonzero(out != leaves)
        leaves, end = leaves[edge], after[edge]
        one, two = np.where(leaves, edge, end), np.where(leaves, end, edge)  # from the inner corner to the outer
        cut = points[one] + ((bound - x[one]) / (x[two] - x[one]))[:, None] * (points[two] - points[one])
        cut[:, axis] = bound
        owners.append(owner[edge])
        parts.append(cut)
        places.append(4 * edge + 1 + leaves)  # an edge that crosses both bounds comes in before it leaves
    order = np.argsort(np.concatenate(places))
    return np.concatenate(owners)[order], np.concatenate(parts)[order]


def next_in_ring(owner: Ints) -> Ints:
    """The row of the next corner of the same ring, the rings being consecutive rows (p,) of the same number."""
    after = np.arange(1, len(owner) + 1)
    start = np.flatnonzero(starts_of_runs(owner))
    after[start[1:] - 1] = start[:-1]
    after[-1:] = start[-1:]
    return after


def cut_rings(
    owner: Ints, points: Floats, inside: NDArray[np.bool_], between: Callable[[Ints, Ints], Floats]
) -> tuple[Ints, Floats]:
    """What is inside of each convex ring: its inner corners, and a new one on every edge that leaves or comes in.

    Parameters
    ----------
    owner, points : (p,) ascending, (p, c)
        The ring of each corner, and the corners in cyclic order.
    inside : (p,) bool
    between : callable
        The new corners on edges from an inner corner `one` to an outer `two`, given as rows of `points`.
    """
    after = next_in_ring(owner)
    crosses = np.flatnonzero(inside != inside[after])
    one, two = np.where(inside[crosses], crosses, after[crosses]), np.where(inside[crosses], after[crosses], crosses)
    cut = between(one, two)
    kept = np.flatnonzero(inside)
    order = np.argsort(np.concatenate([2 * kept, 2 * crosses + 1]))
    return np.concatenate([owner[kept], owner[crosses]])[order], np.concatenate([points[kept], cut])[order]
