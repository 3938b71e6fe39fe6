"""Cells in space as convex polyhedra, clipped to a box.

Every wall is cut to the polygon its cell and the box leave of it, all walls at once. What a cell shows on a face of
the box is the convex hull of the wall corners on that face and of the box corners in the cell. No two polyhedra are
ever intersected.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.core.fan.ranges import expand
from tropviz.core.fan.record import Fan
from tropviz.core.fan.walls import Walls, walls_of
from tropviz.core.planar.cells import UNFILLED, cells_holding, distinct, fills, rings
from tropviz.core.planar.unit_box import UnitBox
from tropviz.core.spatial.corners import rings_of_corners
from tropviz.core.tolerance import PARALLEL, SAME_POINT
from tropviz.core.window import as_window

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


#: Corners this near are one, in coordinates in which the box is [-1, 1]^3.
SIZE = 8 * SAME_POINT
#: The six faces of that box: low and high x, y, z.
SIDES = np.array([-1.0, 1.0] * 3)
#: Pairs of half-planes looked at together: 2 million take about 100 MB.
PAIRS_AT_ONCE = 2_000_000


@dataclass(frozen=True)
class Polyhedra:
    """Convex cells as lists of convex faces.

    Attributes
    ----------
    ids : ndarray of int (n,)
        Rows of the fan's active sets, ascending: the cells with positive volume in the box.
    local : ndarray (p, 3)
        Corners of all faces, counter-clockwise seen from outside the cell; every face has its own. In coordinates in
        which the box is [-1, 1]^3.
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
    local: Floats
    start: Ints
    cell: Ints
    beyond: Ints
    normals: Floats
    box: Floats

    @cached_property
    def points(self) -> Floats:
        """Corners of all faces (p, 3) in input space."""
        return UnitBox.of(self.box).world(self.local)

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
        """A point of every cell (n, 3); volume (t,) and centre, seen from there, of its cone over each triangle.

        In the box's coordinates: a thin box would lose the digits of its cells.
        """
        corner = self.local[self.triangles[0]]
        weight = self._per_cell(np.ones(len(corner)))
        total = np.stack([self._per_cell(corner[:, :, a].mean(axis=1)) for a in range(3)], axis=1)
        middle = total / weight[:, None]
        corner = corner - middle[self._place, None]
        volume = np.einsum("tx,tx->t", corner[:, 0], np.cross(corner[:, 1], corner[:, 2])) / 6
        return middle, volume, corner.sum(axis=1) / 4

    @cached_property
    def shares(self) -> Floats:
        """Volume of every cell (n,) as a share of the box."""
        return self._per_cell(self._tetrahedra[1]) / 8

    @cached_property
    def volumes(self) -> Floats:
        """Volume of every cell (n,), in cubed units of input space."""
        return self.shares * float(np.prod(self.box[:, 1] - self.box[:, 0]))

    @cached_property
    def centroids(self) -> Floats:
        """Centre of mass of every cell (n, 3)."""
        middle, volume, centre = self._tetrahedra
        total = np.stack([self._per_cell(volume * centre[:, a]) for a in range(3)], axis=1)
        return UnitBox.of(self.box).world(middle + total / (8 * self.shares[:, None]))

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


def wall_polygons(fan: Fan, walls: Walls, unit: UnitBox, corners: bool) -> tuple[Ints, Ints, Floats]:
    """What the box leaves of every wall: walls (f,), start (f + 1) and corners, counter-clockwise about the normal.

    Walls and corners are in the box's coordinates. `corners`: whether the fan's own corners are used.
    """
    # A wall that lies in a face of the box is not inside it: the face itself will stand there.
    seen = np.flatnonzero(np.abs(walls.offsets) < np.abs(walls.normals).sum(axis=1) - SAME_POINT)
    cut = rings_of_corners(fan, walls.pairs[seen], plane_axes(walls.normals[seen]), unit, SIZE) if corners else None
    owner, points = rings_of_walls(walls, seen) if cut is None else distinct(*cut, SIZE)
    begins = np.flatnonzero(np.diff(owner, prepend=-1))
    return seen[owner[begins]], np.append(begins, len(owner)), points


def rings_of_walls(walls: Walls, seen: Ints) -> tuple[Ints, Floats]:
    """Some walls cut to [-1, 1]^3 by walls alone: the wall of each corner, ascending, and the corners (p, 3).

    In the plane of a wall every other half-space of its cell, and of the box, is a half-plane. Each of their edges is
    cut by all the others at once; the ends of what is left are the corners.
    """
    gap = walls.offsets[seen]
    axes, foot = plane_axes(walls.normals[seen]), -gap[:, None] * walls.normals[seen]
    radius = np.sqrt(np.maximum(3 - gap**2, 0))  # what of the plane can be in the box
    left, right = walls.pairs[seen].T
    row, entry = walls.others(seen, np.where(walls.degree[left] <= walls.degree[right], left, right))
    normal = walls.normals[walls.wall[entry]] * walls.sign[entry, None]
    level = np.einsum("tx,tx->t", normal, foot[row]) + walls.sign[entry] * walls.offsets[walls.wall[entry]]
    slope = np.einsum("tx,tax->ta", normal, axes[row])
    sides = np.concatenate([axes, -axes], axis=2).transpose(0, 2, 1)  # (n, 6, 2): low and high face of each axis
    floor = np.concatenate([foot + 1, 1 - foot], axis=1)
    row = np.concatenate([row, np.repeat(np.arange(len(seen)), 6)])
    slope, level = np.concatenate([slope, sides.reshape(-1, 2)]), np.concatenate([level, floor.ravel()])

    length = np.sqrt(slope[:, 0] ** 2 + slope[:, 1] ** 2)
    steep = length > PARALLEL
    gone = np.bincount(row[~steep & (level < -SAME_POINT)], minlength=len(seen)) > 0
    with np.errstate(over="ignore"):  # an edge so far out that its level is infinite cuts nothing, or all
        row, slope, level = row[steep], slope[steep] / length[steep, None], level[steep] / length[steep]
    gone |= np.bincount(row[level < -radius[row]], minlength=len(seen)) > 0
    cuts = np.flatnonzero((level < radius[row]) & ~gone[row])
    cuts = cuts[np.argsort(row[cuts], kind="stable")]
    row, slope, level = row[cuts], slope[cuts], level[cuts]
    line, ends = _edges(row, slope, level)
    owner, flat = rings(np.repeat(row[line], 2), ends.reshape(-1, 2), SIZE)
    return owner, foot[owner] + np.einsum("pa,pax->px", flat, axes[owner])


def _edges(row: Ints, slope: Floats, level: Floats) -> tuple[Ints, Floats]:
    """What half-planes of one row leave of each one's edge: edges (f,) that have length, and their ends (f, 2, 2)."""
    count = np.bincount(row)
    first = np.cumsum(count) - count
    sx, sy = np.ascontiguousarray(slope.T)
    low, high, shut = np.full(len(row), -np.inf), np.full(len(row), np.inf), np.zeros(len(row), dtype=bool)
    for lines in np.array_split(np.arange(len(row)), int(count @ count) // PAIRS_AT_ONCE + 1) if len(row) else []:
        each = count[row[lines]]
        mine, other = expand(first[row[lines]], each)
        start = np.cumsum(each) - each
        ax, ay, bx, by = sx[lines][mine], sy[lines][mine], sx[other], sy[other]
        rise = ax * by - ay * bx  # of the other's height along this edge, which runs (-ay, ax)
        height = level[other] - level[lines][mine] * (ax * bx + ay * by)
        bend = np.abs(rise) > PARALLEL
        shut[lines] = np.maximum.reduceat(~bend & (height < -SIZE), start)
        rise[~bend] = np.nan
        at = -height / rise
        low[lines] = np.fmax.reduceat(np.where(rise > 0, at, -np.inf), start)
        high[lines] = np.fmin.reduceat(np.where(rise < 0, at, np.inf), start)
    keep = np.flatnonzero((high - low > SIZE) & ~shut)
    a, t = slope[keep], np.stack([low[keep], high[keep]], axis=1)
    along = np.stack([-a[:, 1], a[:, 0]], axis=1)
    return keep, (-level[keep, None] * a)[:, None] + t[..., None] * along[:, None]


def _box_faces(walls: Walls, owner: Ints, corners: Floats) -> tuple[Ints, Ints, Floats, Floats]:
    """What cells show on the six faces of the box [-1, 1]^3: cell and normal of every polygon, its start and corners.

    `owner` and `corners` are all corners of wall polygons with the cells they bound.
    """
    tips = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
    tip, holder = cells_holding(walls, tips, slack=SIZE)
    owner, corners = np.concatenate([owner, holder]), np.concatenate([corners, tips[tip]])
    row, face = np.nonzero(np.abs(corners[:, [0, 0, 1, 1, 2, 2]] - SIDES) <= SIZE)
    across = np.array([[1, 2], [1, 2], [2, 0], [2, 0], [0, 1], [0, 1]])
    name, flat = rings(6 * owner[row] + face, np.take_along_axis(corners[row], across[face], axis=1), SIZE)
    face = name % 6
    points = np.empty((len(flat), 3))
    np.put_along_axis(points, across[face], flat, axis=1)
    np.put_along_axis(points, face[:, None] // 2, SIDES[face][:, None], axis=1)
    begins = np.flatnonzero(np.diff(name, prepend=-1))
    cell, face = name[begins] // 6, face[begins]
    normal = np.zeros((len(begins), 3))
    normal[np.arange(len(begins)), face // 2] = np.where(face % 2, 1.0, -1.0)
    start = np.append(begins, len(name))
    back = _reversed(start, points)  # seen from outside, the lower faces run the other way
    return cell, start, np.where(np.repeat(face % 2, np.diff(start))[:, None] == 1, points, back), normal


def _reversed(start: Ints, points: Floats) -> Floats:
    """Every polygon the other way round."""
    face, place = expand(start[:-1], np.diff(start))
    return points[start[face] + start[face + 1] - 1 - place]


def polyhedra(fan: Fan, window: Any) -> Polyhedra:
    """Cells of a fan in space, clipped to a box.

    Parameters
    ----------
    fan : Fan
        Of a router with d = 3.
    window : float or three (low, high) pairs

    Returns
    -------
    Polyhedra
        They fill the box; cells that only touch it are left out.

    Raises
    ------
    ValueError
        For a window that is none, one whose cells rounding hides, or a router that is not in space.
    """
    if fan.router.d != 3:
        raise ValueError(f"Polyhedra need a router in space, this one has d = {fan.router.d}: take a slice first.")
    unit = UnitBox.of(as_window(window, 3))
    world = walls_of(fan)
    walls = unit.walls(world)
    out = _cells(fan, world, walls, unit, corners=True)
    if not fills(fan, out.shares, 1.0):
        out = _cells(fan, world, walls, unit, corners=False)
        if not fills(fan, out.shares, 1.0):
            raise ValueError(UNFILLED)
    return out


def _cells(fan: Fan, world: Walls, walls: Walls, unit: UnitBox, corners: bool) -> Polyhedra:
    """The polyhedra from the walls, in input space and in the box's coordinates."""
    seen, start, ring = wall_polygons(fan, walls, unit, corners)
    left, right = walls.pairs[seen].T
    corner_face, _ = expand(start[:-1], np.diff(start))
    owner = np.concatenate([left[corner_face], right[corner_face]])
    shown, begin, outer, outward = _box_faces(walls, owner, np.tile(ring, (2, 1)))

    cell = np.concatenate([left, right, shown])
    beyond = np.concatenate([right, left, np.full(len(shown), -1)])
    lengths = np.concatenate([np.diff(start), np.diff(start), np.diff(begin)])
    points = np.concatenate([_reversed(start, ring), ring, outer])
    normals = np.concatenate([-world.normals[seen], world.normals[seen], outward])
    return _sorted(cell, beyond, lengths, points, normals, unit.box)


def _sorted(cell: Ints, beyond: Ints, lengths: Ints, points: Floats, normals: Floats, box: Floats) -> Polyhedra:
    """Faces brought into the order of their cells; cells without volume dropped."""
    begin = np.cumsum(lengths) - lengths

    def pick(faces: Ints) -> Polyhedra:
        _, corner = expand(begin[faces], lengths[faces])
        start = np.r_[0, np.cumsum(lengths[faces])]
        return Polyhedra(np.unique(cell[faces]), points[corner], start, cell[faces], beyond[faces], normals[faces], box)

    order = np.argsort(cell, kind="stable")
    out = pick(order)
    flat = out.ids[out.shares <= SAME_POINT * SAME_POINT]
    return pick(order[~np.isin(cell[order], flat)]) if len(flat) else out
