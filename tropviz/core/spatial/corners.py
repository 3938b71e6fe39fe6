"""Walls of a fan in space as rings of their own corners and rays, cut to a box, all walls at once.

Cells that share a wall share its corners and rays and no others. In the plane of the wall these are in the order of
their angles about a point inside; rays are points at infinity, (r, 0) beside (x, 1), until the box cuts them off.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tropviz.core.fan.ranges import expand
from tropviz.core.fan.record import Fan
from tropviz.core.planar.corners import FAR, cut_rings
from tropviz.core.planar.unit_box import UnitBox
from tropviz.core.tolerance import SAME_DIRECTION

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def rings_of_corners(fan: Fan, pairs: Ints, axes: Floats, unit: UnitBox, size: float) -> tuple[Ints, Floats] | None:
    """Walls cut to a box: the wall of each corner, ascending, and the corners (p, 3).

    Axes and corners are in the coordinates in which the box is [-1, 1]^3. Rays have length 1 there, as have the
    corners in the box: whatever its units, a cut between a ray and a corner keeps its digits.

    None where the corners do not tell everything: unfinished or flat fans, corners far outside the box, half-planes.

    Parameters
    ----------
    pairs : ndarray of int (n, 2)
        The cells on either side of each wall.
    axes : ndarray (n, 2, 3)
        Two unit vectors in its plane; the rings turn from the first to the second.
    size : float
        A corner this close to a face of the box is on it: walls that only touch the box must leave nothing.
    """
    if not fan.complete or len(fan.lineality):
        return None
    vertices = unit.points(fan.vertices)
    if not (len(vertices) and np.abs(vertices).max() <= FAR):
        return None
    rings = _rings(fan, pairs, axes, vertices, unit.directions(fan.directions))
    if rings is None:
        return None
    owner, points = rings
    for axis in range(3):
        for sign in (1.0, -1.0):
            owner, points = _cut(owner, points, axis, sign, -sign, size)
    return owner, points[:, :3] / points[:, 3:]


def _rings(fan: Fan, pairs: Ints, axes: Floats, vertices: Floats, directions: Floats) -> tuple[Ints, Floats] | None:
    """Walls as homogeneous points (p, 4) in the order of their angles; None if a wall has no corner or is half a plane.

    vertices (V, 3), directions (R, 3) : those of the fan, in the box's coordinates.
    """
    wall, corner = shared(*fan.cell_vertices, pairs, len(vertices))
    along, ray = shared(*fan.cell_directions, pairs, len(directions))
    n, corners = len(pairs), np.bincount(wall, minlength=len(pairs))
    if not corners.all():
        return None
    flat = np.einsum("nx,nax->na", vertices[corner], axes[wall])
    out = np.einsum("nx,nax->na", directions[ray], axes[along])
    next_ = np.flatnonzero(along[1:] == along[:-1])
    if ((out[next_] * out[next_ + 1]).sum(axis=1) < SAME_DIRECTION - 1).any():
        return None
    # The mean of the corners, moved the way the rays go, is inside.
    middle = np.stack([np.bincount(wall, x, n) / corners for x in flat.T], axis=1)
    middle += np.stack([np.bincount(along, x, n) for x in out.T], axis=1)
    owner, arm = np.concatenate([wall, along]), np.concatenate([flat - middle[wall], out])
    points = np.zeros((len(owner), 4))
    points[: len(wall), :3], points[: len(wall), 3] = vertices[corner], 1.0
    points[len(wall) :, :3] = directions[ray]
    order = np.lexsort((np.arctan2(arm[:, 1], arm[:, 0]), owner))
    return owner[order], points[order]


def shared(ids: Ints, starts: Ints, pairs: Ints, size: int) -> tuple[Ints, Ints]:
    """Items that both cells of a pair have: the pair, ascending, and the item."""
    length = np.diff(starts)
    known = np.repeat(np.arange(len(length)), length) * size + ids  # ascending, as items of a cell are
    one, two = pairs.T
    fewer = length[one] <= length[two]
    one, two = np.where(fewer, one, two), np.where(fewer, two, one)
    pair, entry = expand(starts[one], length[one])
    wanted = two[pair] * size + ids[entry]
    hit = np.append(known, -1)[np.searchsorted(known, wanted)] == wanted
    return pair[hit], ids[entry[hit]]


def _cut(owner: Ints, points: Floats, axis: int, sign: float, bound: float, size: float) -> tuple[Ints, Floats]:
    """The part of each ring of homogeneous points with sign * (coordinate - bound) > 0, and its border."""
    depth = sign * (points[:, axis] - bound * points[:, 3])
    depth[np.abs(depth) <= size * points[:, 3]] = 0.0
    inside = depth > 0
    if inside.all():
        return owner, points

    def between(one: Ints, two: Ints) -> Floats:
        # Either share by itself, not as what the other leaves of 1: beside a far corner that would lose its digits.
        gap = depth[one] - depth[two]
        cut = (-depth[two] / gap)[:, None] * points[one] + (depth[one] / gap)[:, None] * points[two]
        cut[:, axis] = bound * cut[:, 3]
        return cut

    return cut_rings(owner, points, inside, between)
