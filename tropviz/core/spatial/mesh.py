"""Triangles and edges of cells in space, as they are seen: moved apart, some left out, cut open by a plane.

Every cell has its own vertices, so that a triangle's colour is its cell's and nothing bleeds into a neighbour.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import shapely
from numpy.typing import NDArray

from tropviz.core.fan.ranges import expand
from tropviz.core.spatial.box import Polyhedra, fan_triangles
from tropviz.core.spatial.clip import clip_convex
from tropviz.core.spatial.section import Section

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]

#: Corners of a cell closer than this, in sizes of the picture, are one corner.
SHARED_GRID = 1e-6
#: Odd numbers of 64 bits: a hash of four integers modulo 2^64.
HASH = 2 * np.random.default_rng(0).integers(0, 2**63, 4, dtype=np.uint64) + np.uint64(1)


@dataclass(frozen=True)
class Surface:
    """What is drawn: triangles (t, 3) into points (p, 3), their cells (t,), and polylines with their cells.

    Line l has the points lines[line_start[l] : line_start[l + 1]]; `line_twin` marks a line that lies on another one,
    the same edge seen from the next cell.
    """

    points: Floats
    triangles: Ints
    tri_cell: Ints
    lines: Floats
    line_start: Ints
    line_cell: Ints
    line_twin: Mask


def box_surface(cells: Polyhedra, drawn: Mask, apart: float = 0.0, cut: Section | None = None) -> Surface:
    """Faces of polyhedra that can be seen.

    Parameters
    ----------
    cells : Polyhedra
    drawn : ndarray of bool (m,)
        Which rows of the fan to draw; a wall between two drawn cells is left out unless they are apart.
    apart : float
        Every cell moves away from the middle of the box by this share of its distance from it.
    cut : Section, optional
        What lies beyond this plane is taken away, and the section closes the cells.
    """
    seen = drawn[cells.cell] & ((cells.beyond < 0) | (apart > 0) | ~drawn[np.maximum(cells.beyond, 0)])
    faces = np.flatnonzero(seen)
    _, corner = expand(cells.start[faces], np.diff(cells.start)[faces])
    points, start, face = cells.points[corner], np.r_[0, np.cumsum(np.diff(cells.start)[faces])], cells.cell[faces]
    if cut is not None:
        points, start, kept = cut_open(points, start, cut)
        face = face[kept]
    move = np.zeros((len(drawn), 3))
    move[cells.ids] = apart * (cells.centroids - cells.box.mean(axis=1))
    out = polygon_surface(points, start, face, drawn, cut, move)
    owner = np.zeros(len(out.points), dtype=np.int64)
    owner[out.triangles] = out.tri_cell[:, None]
    size = float(np.abs(cells.box).max())
    number, points, _ = shared_corners(owner, out.points / size)
    return replace(out, points=size * points, triangles=number[out.triangles])


def shared_corners(owner: Ints, points: Floats) -> tuple[Ints, Floats, Ints]:
    """Distinct corners of cells: number of each given one, the corners, and their owners."""
    grid = np.rint(points / SHARED_GRID).astype(np.int64).astype(np.uint64)
    hashed = grid @ HASH[:3] + owner.astype(np.uint64) * HASH[3]
    order = np.argsort(hashed)
    hashed = hashed[order]
    fresh = np.ones(len(order), dtype=bool)
    np.not_equal(hashed[1:], hashed[:-1], out=fresh[1:])
    number, first = np.empty(len(order), dtype=np.int64), order[fresh]
    number[order] = np.cumsum(fresh) - 1
    return number, points[first], owner[first]


def cut_open(points: Floats, start: Ints, cut: Section) -> tuple[Floats, Ints, Ints]:
    """Polygons cut to the near side of a plane: points, start, and which polygons are left."""
    count = np.diff(start)
    if not len(count):
        return points, start, np.zeros(0, dtype=np.int64)
    owner, _ = expand(start[:-1], count)
    padded = np.zeros((len(count), int(count.max()), 3))
    padded[owner, np.arange(len(points)) - start[owner]] = points
    every = np.arange(len(count))
    slope = np.broadcast_to(-cut.normal, (len(count), 3))
    padded = clip_convex(padded, count, every, slope, np.full(len(count), float(cut.normal @ cut.origin)))
    kept = np.flatnonzero(count >= 3)
    used = np.arange(padded.shape[1]) < count[kept, None]
    return padded[kept][used], np.r_[0, np.cumsum(count[kept])], kept


def polygon_surface(
    points: Floats, start: Ints, face: Ints, drawn: Mask, cut: Section | None, move: Floats, outlines: bool = True
) -> Surface:
    """Polygons and those of the section, moved with their cells, as triangles and (all, or the section's) outlines."""
    begin = 0 if outlines else len(face)
    if cut is not None:
        mine = np.flatnonzero((cut.rows >= 0) & drawn[np.maximum(cut.rows, 0)])
        flat, owner = shapely.get_coordinates(shapely.normalize(cut.shapes[mine]), return_index=True)
        last = np.r_[owner[1:] != owner[:-1], True] if len(owner) else np.zeros(0, dtype=bool)
        flat, owner = flat[~last][::-1], owner[~last][::-1]  # normalised rings run clockwise
        points = np.concatenate([points, cut.lift(flat)])
        sizes = np.bincount(owner, minlength=len(mine))[::-1]
        start = np.concatenate([start, start[-1] + np.cumsum(sizes)])
        face = np.concatenate([face, cut.rows[mine][::-1]])
    lengths = np.diff(start)
    points = points + move[np.repeat(face, lengths)]
    triangles, owner = fan_triangles(start)
    outlined = np.arange(begin, len(face))
    closed, place = expand(np.zeros(len(outlined), dtype=np.int64), lengths[outlined] + 1)
    corner = start[outlined][closed] + place % lengths[outlined][closed]
    line_start = np.r_[0, np.cumsum(lengths[outlined] + 1)]
    single = np.zeros(len(outlined), dtype=bool)
    return Surface(points, triangles, face[owner], points[corner], line_start, face[outlined], single)
