"""Cells in space as convex polyhedra, clipped to a box.

Every wall is cut to the polygon its cell and the box leave of it, all walls at once. What a cell shows on a face of
the box is the convex hull of the wall corners on that face and of the box corners in the cell. No two polyhedra are
ever intersected.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tropviz.core.clip import clip_convex
from tropviz.core.planar import cells_holding, rings
from tropviz.core.tolerance import PARALLEL, SAME_POINT
from tropviz.core.walls import Walls, expand, walls_of
from tropviz.core.window import as_window

if TYPE_CHECKING:
    from tropviz.core.fan import RoutingFan

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Polyhedra:
    """Convex cells as lists of convex faces.

    Attributes
    ----------
    ids : ndarray of int (n,)
        Rows of the fan's active sets, ascending: the cells with positive volume in the box.
    points : ndarray (p, 3)
        Corners of all faces, counter-clockwise seen from outside the cell; every face has its own.
    start : ndarray of int (f + 1,)
        Face g has the corners start[g]:start[g+1].
    cell : ndarray of int (f,)
        Fan row of every face, ascending.
    beyond : ndarray of int (f,)
        Fan row on the other side, -1 for a face of the box.
    normals : ndarray (f, 3)
        Unit, outward.
    box : ndarray (3, 2)
    """

    ids: Ints
    points: Floats
    start: Ints
    cell: Ints
    beyond: Ints
    normals: Floats
    box: Floats

    @cached_property
    def triangles(self) -> tuple[Ints, Ints]:
        """Corner triples (t, 3), and the face of each (t,); a face of c corners is a fan of c - 2 triangles."""
        return fan_triangles(self.start)

    @cached_property
    def tri_cell(self) -> Ints:
        """Fan row of every triangle (t,)."""
        return self.cell[self.triangles[1]]

    @cached_property
    def _tetrahedra(self) -> tuple[Floats, Floats, Floats]:
        """A point of every cell (n, 3); volume (t,) and centre, seen from there, of its cone over each triangle."""
        corner = self.points[self.triangles[0]]
        weight = self._per_cell(np.ones(len(corner)))
        total = np.stack([self._per_cell(corner[:, :, a].mean(axis=1)) for a in range(3)], axis=1)
        middle = total / weight[:, None]
        corner = corner - middle[self._place, None]
        volume = np.einsum("tx,tx->t", corner[:, 0], np.cross(corner[:, 1], corner[:, 2])) / 6
        return middle, volume, corner.sum(axis=1) / 4

    @cached_property
    def volumes(self) -> Floats:
        """Volume of every cell (n,), in cubed units of input space."""
        return self._per_cell(self._tetrahedra[1])

    @cached_property
    def centroids(self) -> Floats:
        """Centre of mass of every cell (n, 3)."""
        middle, volume, centre = self._tetrahedra
        total = np.stack([self._per_cell(volume * centre[:, a]) for a in range(3)], axis=1)
        return middle + total / self.volumes[:, None]

    @cached_property
    def _place(self) -> Ints:
        return np.searchsorted(self.ids, self.tri_cell)

    def _per_cell(self, values: Floats) -> Floats:
        return np.asarray(np.bincount(self._place, values, minlength=len(self.ids)), dtype=np.float64)


def fan_triangles(start: Ints) -> tuple[Ints, Ints]:
    """Triangles of many convex polygons stored one after the other.

    >>> fan_triangles(np.array([0, 4, 7]))[0].tolist()
    [[0, 1, 2], [0, 2, 3], [4, 5, 6]]
    """
    face, corner = expand(start[:-1] + 1, np.maximum(np.diff(start) - 2, 0))
    return np.stack([start[face], corner, corner + 1], axis=1), face


def plane_axes(normals: Floats) -> Floats:
    """Two unit vectors (n, 2, 3) of every plane, right-handed with its unit normal (Duff et al. 2017)."""
    x, y, z = normals.T
    turn = np.copysign(1.0, z)
    a = -1.0 / (turn + z)
    c = x * y * a
    first = np.stack([1 + turn * x * x * a, turn * c, -turn * x], axis=1)
    return np.stack([first, np.stack([c, turn + y * y * a, -y], axis=1)], axis=1)


def _wall_polygons(walls: Walls, box: Floats) -> tuple[Ints, Ints, Floats]:
    """What the box leaves of every wall: wall of each polygon, count of corners, corners (n, P, 3) about the normal."""
    centre, half = box.mean(axis=1), (box[:, 1] - box[:, 0]) / 2
    size = float(half.max())
    gap = walls.normals @ centre + walls.offsets
    reach = np.abs(walls.normals) @ half
    # A wall that lies in a face of the box is not inside it: the face itself will stand there.
    seen = np.flatnonzero(np.abs(gap) < reach - SAME_POINT * size)
    axes, foot = plane_axes(walls.normals[seen]), centre - gap[seen, None] * walls.normals[seen]
    radius = 2 * float(np.linalg.norm(half))
    points = np.tile(radius * np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]]), (len(seen), 1, 1))
    count = np.full(len(seen), 4)

    every = np.arange(len(seen))
    for axis in range(3):
        for bound, side in ((box[axis, 0], 1.0), (box[axis, 1], -1.0)):
            points = clip_convex(points, count, every, side * axes[:, :, axis], side * (foot[:, axis] - bound))
    left, right = walls.pairs[seen].T
    leaner = np.where(walls.degree[left] <= walls.degree[right], left, right)
    row, entry = walls.others(seen, leaner)
    n = walls.normals[walls.wall[entry]] * walls.sign[entry, None]
    slope = np.einsum("tx,tax->ta", n, axes[row])
    level = np.einsum("tx,tx->t", n, foot[row]) + walls.sign[entry] * walls.offsets[walls.wall[entry]]
    flat = np.abs(slope).max(axis=1, initial=0) <= PARALLEL
    level = np.where(flat & (np.abs(level) <= SAME_POINT * size), 0.0, level)  # the same plane twice cuts nothing off
    slope = np.where(flat[:, None], 0.0, slope)
    turn = np.arange(len(row)) - np.searchsorted(row, row)
    order = np.argsort(turn, kind="stable")
    for t in np.split(order, np.cumsum(np.bincount(turn))[:-1]) if len(order) else []:
        t = t[count[row[t]] > 0]
        points = clip_convex(points, count, row[t], slope[t], level[t])
    return seen, count, foot[:, None] + np.einsum("npa,nax->npx", points, axes)


def _drop_repeats(count: Ints, points: Floats, size: float) -> tuple[Ints, Ints, Floats]:
    """Polygons (f,) that are left, their start (f + 1) and corners, once corners closer than `size` count as one."""
    place = np.arange(points.shape[1])
    before = np.where(place == 0, np.maximum(count[:, None], 1) - 1, place - 1)
    step = np.abs(points - np.take_along_axis(points, before[:, :, None], axis=1)).max(axis=2)
    keep = (place < count[:, None]) & (step > size)
    left = keep.sum(axis=1)
    keep[left < 3] = False
    polygons = np.flatnonzero(left >= 3)
    return polygons, np.r_[0, np.cumsum(left[polygons])], points[keep]


def _box_faces(
    walls: Walls, box: Floats, owner: Ints, corners: Floats, size: float
) -> list[tuple[Ints, Ints, Floats, Floats]]:
    """What cells show on the faces of the box: (cell, start, corners, normal) for each of the six.

    `owner` and `corners` are all corners of wall polygons with the cells they bound.
    """
    tips = np.array([[x, y, z] for x in box[0] for y in box[1] for z in box[2]])
    tip, holder = cells_holding(walls, tips, slack=size)
    owner, corners = np.concatenate([owner, holder]), np.concatenate([corners, tips[tip]])
    out = []
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        for bound, side in ((box[axis, 0], -1.0), (box[axis, 1], 1.0)):
            on = np.abs(corners[:, axis] - bound) <= size
            cell, flat = rings(owner[on], corners[on][:, [u, v]], size)
            ring = np.empty((len(flat), 3))
            ring[:, axis], ring[:, u], ring[:, v] = bound, flat[:, 0], flat[:, 1]
            cells, begins = np.unique(cell, return_index=True)
            start = np.r_[begins, len(cell)]
            normal = np.zeros((len(cells), 3))
            normal[:, axis] = side
            out.append((cells, start, ring if side > 0 else _reversed(start, ring), normal))
    return out


def _reversed(start: Ints, points: Floats) -> Floats:
    """Every polygon the other way round."""
    face, place = expand(start[:-1], np.diff(start))
    return points[start[face] + start[face + 1] - 1 - place]


def polyhedra(fan: RoutingFan, window: Any) -> Polyhedra:
    """Cells of a fan in space, clipped to a box.

    Parameters
    ----------
    fan : RoutingFan
        Of a router with d = 3.
    window : float or three (low, high) pairs

    Returns
    -------
    Polyhedra
        They fill the box; cells that only touch it are left out.

    Raises
    ------
    ValueError
        For a window that is none, or a router that is not in space.
    """
    if fan.router.d != 3:
        raise ValueError(f"Polyhedra need a router in space, this one has d = {fan.router.d}: take a slice first.")
    box = as_window(window, 3)
    walls = walls_of(fan)
    size = 4 * SAME_POINT * float((box[:, 1] - box[:, 0]).max())
    seen, count, padded = _wall_polygons(walls, box)
    polygon, start, ring = _drop_repeats(count, padded, size)
    left, right = walls.pairs[seen[polygon]].T
    corner_face, _ = expand(start[:-1], np.diff(start))
    owner = np.concatenate([left[corner_face], right[corner_face]])
    normal = walls.normals[seen[polygon]]
    faces = _box_faces(walls, box, owner, np.tile(ring, (2, 1)), size)

    cell = np.concatenate([left, right, *[f[0] for f in faces]])
    beyond = np.concatenate([right, left, *[np.full(len(f[0]), -1) for f in faces]])
    lengths = np.concatenate([np.diff(start), np.diff(start), *[np.diff(f[1]) for f in faces]])
    points = np.concatenate([_reversed(start, ring), ring, *[f[2] for f in faces]])
    normals = np.concatenate([-normal, normal, *[f[3] for f in faces]])
    return _sorted(cell, beyond, lengths, points, normals, box)


def _sorted(cell: Ints, beyond: Ints, lengths: Ints, points: Floats, normals: Floats, box: Floats) -> Polyhedra:
    """Faces brought into the order of their cells; cells without volume dropped."""
    begin = np.cumsum(lengths) - lengths

    def pick(faces: Ints) -> Polyhedra:
        _, corner = expand(begin[faces], lengths[faces])
        start = np.r_[0, np.cumsum(lengths[faces])]
        return Polyhedra(np.unique(cell[faces]), points[corner], start, cell[faces], beyond[faces], normals[faces], box)

    order = np.argsort(cell, kind="stable")
    out = pick(order)
    whole = float(np.prod(box[:, 1] - box[:, 0]))
    flat = out.ids[out.volumes <= SAME_POINT * SAME_POINT * whole]
    return pick(order[~np.isin(cell[order], flat)]) if len(flat) else out
