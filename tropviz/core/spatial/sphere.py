"""Central routers in space as patches of the unit sphere, with great-circle edges.

A wall of a cell is a plane through the origin; what the cell leaves of it is an arc of a great circle between the two
rays that both its cells have. Where a wall is half a plane or a whole one (lunes, hemispheres), or the rays are not
known, the ends are the extreme angles of the cell's other walls.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tropviz.core.fan.ranges import expand
from tropviz.core.fan.record import Fan
from tropviz.core.fan.walls import Walls, walls_of
from tropviz.core.spatial.box import plane_axes
from tropviz.core.spatial.corners import shared
from tropviz.core.tolerance import ARC_FLOOR, HALF_TURN, PARALLEL

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Arcs:
    """Boundaries between patches: points cos(t) u + sin(t) v for t in [low, high], the left cell to the left."""

    pairs: Ints  # (a, 2) fan rows: left, right
    axes: Floats  # (a, 2, 3): u, v
    low: Floats  # (a,)
    high: Floats  # (a,)

    @property
    def length(self) -> Floats:
        """Length of every arc in radians (a,)."""
        return self.high - self.low

    def at(self, arc: Ints, share: Floats) -> Floats:
        """Points (n, 3) at a share in [0, 1] of the length of some arcs."""
        t = self.low[arc] + share * self.length[arc]
        return np.cos(t)[:, None] * self.axes[arc, 0] + np.sin(t)[:, None] * self.axes[arc, 1]


@dataclass(frozen=True)
class Patches:
    """All cells of a central router as patches of the unit sphere.

    Attributes
    ----------
    arcs : Arcs
    centres : ndarray (m, 3)
        A unit vector inside every patch.
    """

    arcs: Arcs
    centres: Floats

    def solid_angles(self) -> Floats:
        """Solid angle of every patch (m,), in steradians; they sum to 4 pi."""
        if len(self.centres) == 1:
            return np.array([4 * np.pi])
        cell, a, b = self.edges(np.pi / 2 + ARC_FLOOR)
        p = self.centres[cell]
        (px, py, pz), (ax, ay, az), (bx, by, bz) = p.T, a.T, b.T
        volume = px * (ay * bz - az * by) + py * (az * bx - ax * bz) + pz * (ax * by - ay * bx)
        flatness = 1 + np.einsum("tx,tx->t", p, a) + np.einsum("tx,tx->t", a, b) + np.einsum("tx,tx->t", b, p)
        angle = 2 * np.arctan2(volume, flatness)
        return np.asarray(np.bincount(cell, angle, minlength=len(self.centres)), dtype=np.float64)

    def edges(self, longest: float) -> tuple[Ints, Floats, Floats]:
        """Pieces of all boundaries, counter-clockwise about their cell: cell (t,), from (t, 3), to (t, 3)."""
        pieces = np.maximum(np.ceil(self.arcs.length / longest), 1).astype(np.int64)
        arc, node = expand(np.zeros(len(pieces), dtype=np.int64), pieces + 1)
        points, last = self.arcs.at(arc, node / pieces[arc]), node == pieces[arc]
        begins = np.flatnonzero(~last)
        arc, a, b = arc[begins], points[begins], points[begins + 1]
        left, right = self.arcs.pairs[arc].T
        return np.concatenate([left, right]), np.concatenate([a, b]), np.concatenate([b, a])


def _arcs(walls: Walls, fan: Fan) -> Arcs:
    axes = plane_axes(walls.normals)
    ends = _ends_of_rays(fan, walls.pairs, axes)
    begin, end = _ends_of_walls(walls, axes) if ends is None else ends
    real = end - begin > ARC_FLOOR
    return Arcs(walls.pairs[real], axes[real], begin[real], end[real])


def _ends_of_rays(fan: Fan, pairs: Ints, axes: Floats) -> tuple[Floats, Floats] | None:
    """Where arcs begin and end: at the two rays both cells have. None if a wall has not two, less than pi apart."""
    if not fan.complete or len(fan.lineality):
        return None
    wall, ray = shared(*fan.cell_directions, pairs, len(fan.directions))
    if not np.array_equal(wall, np.repeat(np.arange(len(pairs)), 2)):
        return None
    ends = fan.directions[ray].reshape(-1, 2, 3)
    one, two = np.arctan2(*(np.einsum("wsx,wx->sw", ends, axes[:, a]) for a in (1, 0)))
    apart = two - one
    if not (np.abs(np.abs(apart) - np.pi) > HALF_TURN).all():
        return None
    # From the one to the other by the shorter way.
    ahead = (apart > 0) == (np.abs(apart) < np.pi)
    begin, apart = np.where(ahead, one, two), np.minimum(np.abs(apart), 2 * np.pi - np.abs(apart))
    return begin, begin + apart


def _ends_of_walls(walls: Walls, axes: Floats) -> tuple[Floats, Floats]:
    """Where arcs begin and end: at the extreme angles of all other walls of a cell."""
    every = np.arange(len(walls.pairs))
    row, entry = walls.others(every, walls.pairs[:, 0])
    normal = walls.normals[walls.wall[entry]] * walls.sign[entry, None]
    flat = np.einsum("tx,tax->ta", normal, axes[row])
    size = np.linalg.norm(flat, axis=1)
    row, flat, size = row[size > PARALLEL], flat[size > PARALLEL], size[size > PARALLEL]
    flat /= size[:, None]
    # All normals lie within less than a half-turn of their sum, and the arc is what is within a quarter of them all.
    total = np.stack([np.bincount(row, flat[:, a], minlength=len(every)) for a in (0, 1)], axis=1)
    middle = np.arctan2(total[:, 1], total[:, 0])
    base = middle[row]
    turn = np.arctan2(
        flat[:, 1] * np.cos(base) - flat[:, 0] * np.sin(base), flat[:, 0] * np.cos(base) + flat[:, 1] * np.sin(base)
    )
    low, high = np.zeros(len(every)), np.zeros(len(every))
    np.minimum.at(low, row, turn)
    np.maximum.at(high, row, turn)
    free = np.bincount(row, minlength=len(every)) == 0  # the only wall of a half-space: a whole great circle
    begin = np.where(free, -np.pi, middle + high - np.pi / 2)
    end = np.where(free, np.pi, middle + low + np.pi / 2)
    return begin, end


def patches(fan: Fan) -> Patches:
    """Patches of a central router in space.

    Parameters
    ----------
    fan : Fan
        Of a central router with d = 3.

    Raises
    ------
    ValueError
        If the router is not central or not in space.
    """
    router = fan.router
    if router.d != 3 or not router.central:
        raise ValueError("Patches on the sphere need a central router (b = 0) in space (d = 3): use a box instead.")
    arcs = _arcs(walls_of(fan), fan)
    witness = np.asarray(fan.witnesses, dtype=np.float64)
    size = np.linalg.norm(witness, axis=1, keepdims=True)
    inner = np.where(size > 0, witness / np.where(size > 0, size, 1), [0.0, 0.0, 1.0])
    return Patches(arcs, _centres(arcs, inner))


def _centres(arcs: Arcs, inner: Floats) -> Floats:
    """The middle of every patch's boundary, weighted by length; the pole of a hemisphere; else a given inner point."""
    every = np.arange(len(arcs.pairs))
    pole = np.zeros_like(inner)
    # The points at 1/6, 1/2 and 5/6 of an arc add up to a multiple of the one in the middle.
    weight = arcs.length * (1 + 2 * np.cos(arcs.length / 3))
    points = arcs.at(every, np.full(len(every), 0.5)) * weight[:, None]
    cells = arcs.pairs.T.ravel()
    total = np.stack([np.bincount(cells, np.tile(points[:, a], 2), minlength=len(inner)) for a in range(3)], axis=1)
    normal = np.cross(arcs.axes[:, 0], arcs.axes[:, 1])
    pole[arcs.pairs[:, 0]], pole[arcs.pairs[:, 1]] = normal, -normal
    around = np.bincount(cells, np.tile(arcs.length, 2), minlength=len(inner))
    alone = np.bincount(cells, minlength=len(inner)) == 1
    size = np.linalg.norm(total, axis=1)
    good = size > 0.1 * around
    middle = np.where(good[:, None], total / np.where(good, size, 1)[:, None], inner)
    return np.where(alone[:, None], pole, middle)
