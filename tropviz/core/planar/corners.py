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
        for sign in (1.0, -1.0):
            owner, points = _cut(owner, points, axis, sign, -sign)
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
    middle /= np.linalg.norm(middle, axis=1, keepdims=True)
    far = np.stack(
        [
            vertices[last] + reach[last, None] * out,
            vertices[first] + np.maximum(reach[first], reach[last])[:, None] * middle,
            vertices[first] + reach[first, None] * into,
        ],
        axis=1,
    )
    place = np.repeat(starts[open_ + 1], 3)
    return np.insert(owner, place, np.repeat(open_, 3)), np.insert(points, place, far.reshape(-1, 2), axis=0)


def _cut(owner: Ints, points: Floats, axis: int, sign: float, bound: float) -> tuple[Ints, Floats]:
    """The part of each convex ring with sign * (coordinate - bound) >= 0."""
    depth = sign * (points[:, axis] - bound)
    inside = depth >= 0
    if inside.all():
        return owner, points

    def between(one: Ints, two: Ints) -> Floats:
        share = depth[one] / (depth[one] - depth[two])
        cut = points[one] + share[:, None] * (points[two] - points[one])
        cut[:, axis] = bound
        return cut

    return cut_rings(owner, points, inside, between)


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
    after = np.arange(1, len(owner) + 1)
    ends = np.flatnonzero(np.diff(owner, append=-1))
    after[ends] = np.concatenate([[0], ends[:-1] + 1])
    crosses = np.flatnonzero(inside != inside[after])
    one, two = np.where(inside[crosses], crosses, after[crosses]), np.where(inside[crosses], after[crosses], crosses)
    cut = between(one, two)
    kept = np.flatnonzero(inside)
    order = np.argsort(np.concatenate([2 * kept, 2 * crosses + 1]), kind="stable")
    return np.concatenate([owner[kept], owner[crosses]])[order], np.concatenate([points[kept], cut])[order]
