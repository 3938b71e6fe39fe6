"""Triangles and edges of cells in space, as they are seen: moved apart, some left out, cut open by a plane.

Every cell has its own vertices, so that a triangle's colour is its cell's and nothing bleeds into a neighbour.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from tropviz.core.clip import clip_convex
from tropviz.core.spatial_box import Polyhedra, fan_triangles
from tropviz.core.spatial_section import Section
from tropviz.core.spatial_sphere import Patches
from tropviz.core.tolerance import ARC_FLOOR
from tropviz.core.walls import expand

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]

#: Longest side of a triangle on the sphere, in radians: at 7 degrees the ball still looks round.
FINE = np.radians(7.0)
#: Edges on the sphere are drawn this much above it, or the triangles would swallow them.
LIFT = 1.004
#: Corners closer than this on the unit sphere are one corner for the light.
ARC_GRID = 1e-6
#: Radius of the hole that is left opposite the centre of a cell which is the whole sphere.
PINHOLE = 1e-3


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
    owner, _, corner = _gather(cells.start, faces)
    points, start, face = cells.points[corner], np.r_[0, np.cumsum(np.diff(cells.start)[faces])], cells.cell[faces]
    if cut is not None:
        points, start, kept = _cut_open(points, start, owner, cut)
        face = face[kept]
    move = np.zeros((len(drawn), 3))
    move[cells.ids] = apart * (cells.centroids - cells.box.mean(axis=1))
    return _polygons(points, start, face, drawn, cut, move)


def sphere_surface(patches: Patches, drawn: Mask, apart: float = 0.0, cut: Section | None = None) -> Surface:
    """Patches of the unit sphere as small triangles; the parameters are those of `box_surface`.

    A patch is a fan of strips from its centre, as many rings as its size asks for.
    """
    cell, a, b = patches.edges(FINE) if len(patches.centres) > 1 else _whole_sphere()
    keep = drawn[cell]
    cell, a, b = cell[keep], a[keep], b[keep]
    p = patches.centres[cell] if len(patches.centres) > 1 else np.tile([0.0, 0.0, 1.0], (len(cell), 1))
    farthest = np.arccos(np.clip(np.minimum((p * a).sum(axis=1), (p * b).sum(axis=1)), -1, 1))
    most = np.zeros(len(patches.centres))
    np.maximum.at(most, cell, farthest)  # one number of rings a cell, or there would be slits between its strips
    rings = np.maximum(np.ceil(most[cell] / (1.3 * FINE)), 1).astype(np.int64)
    piece, ring = expand(np.zeros(len(rings), dtype=np.int64), rings)
    inner, outer = (ring / rings[piece])[:, None], ((ring + 1) / rings[piece])[:, None]
    quad = [_towards(p, a, piece, outer), _towards(p, b, piece, outer)]
    quad += [_towards(p, b, piece, inner), _towards(p, a, piece, inner)]
    points = np.stack(quad, axis=1)
    first = ring == 0  # the innermost strip is a triangle
    count = np.where(first, 3, 4)
    used = np.arange(4) < count[:, None]
    points, start, face = points[used], np.r_[0, np.cumsum(count)], cell[piece]
    lines = LIFT * np.stack([a, b], axis=1).reshape(-1, 3)
    line_start, line_cell = np.arange(0, len(lines) + 1, 2), cell
    line_twin = _twins(patches, drawn, len(keep))[keep] & (apart == 0)
    if cut is not None:
        points, start, kept = _cut_open(points, start, expand(start[:-1], np.diff(start))[0], cut)
        face = face[kept]
        below = (lines @ cut.normal < cut.normal @ cut.origin).reshape(-1, 2).all(axis=1)
        lines, line_cell, line_twin = lines.reshape(-1, 2, 3)[below].reshape(-1, 3), cell[below], line_twin[below]
        line_start = np.arange(0, len(lines) + 1, 2)
    move = apart * patches.centres
    flat = _polygons(points, start, face, drawn, cut, move, outlines=False)
    corners, triangles = _shared(flat.points, flat.triangles, np.repeat(face, np.diff(start)))
    lines = lines + move[np.repeat(line_cell, 2)]
    return Surface(
        corners,
        triangles,
        flat.tri_cell,
        np.concatenate([lines, flat.lines]),
        np.concatenate([line_start, line_start[-1] + flat.line_start[1:]]),
        np.concatenate([line_cell, flat.line_cell]),
        np.concatenate([line_twin, flat.line_twin]),
    )


def _shared(points: Floats, triangles: Ints, owner: Ints) -> tuple[Floats, Ints]:
    """Corners of one cell at one place made one, so that light glides over the ball; those beyond `owner` are left."""
    n = len(owner)
    grid = np.rint(points[:n] / ARC_GRID).astype(np.int64).astype(np.uint64)
    key = np.random.default_rng(0).integers(0, 2**63, 4, dtype=np.uint64)  # a hash modulo 2^64
    hashed = grid[:, 0] * key[0] + grid[:, 1] * key[1] + grid[:, 2] * key[2] + owner.astype(np.uint64) * key[3]
    _, first, number = np.unique(hashed, return_index=True, return_inverse=True)
    renumber = np.concatenate([number, len(first) + np.arange(len(points) - n)])
    return np.concatenate([points[:n][first], points[n:]]), renumber[triangles]


def _twins(patches: Patches, drawn: Mask, pieces: int) -> Mask:
    """Which pieces of `Patches.edges` (FINE) are drawn from their left cell already: those of right cells only."""
    out = np.zeros(pieces, dtype=bool)
    if len(patches.arcs.pairs):
        count = np.maximum(np.ceil(patches.arcs.length / FINE), 1).astype(np.int64)
        out[pieces // 2 :] = np.repeat(drawn[patches.arcs.pairs[:, 0]], count)
    return out


def _whole_sphere() -> tuple[Ints, Floats, Floats]:
    """The only cell: its boundary is one point, opposite its centre, gone round once."""
    steps = int(np.ceil(2 * np.pi / FINE))
    turn = np.arange(steps + 1) * (2 * np.pi / steps)
    small = PINHOLE
    ring = np.stack([small * np.cos(turn), small * np.sin(turn), np.full(steps + 1, -1.0)], axis=1)
    ring /= np.linalg.norm(ring, axis=1, keepdims=True)
    return np.zeros(steps, dtype=np.int64), ring[:-1], ring[1:]


def _towards(centre: Floats, end: Floats, piece: Ints, share: Floats) -> Floats:
    """Points of the sphere at a share of the way from centres to ends, along great circles."""
    c, e = centre[piece], end[piece]
    angle = np.arccos(np.clip((c * e).sum(axis=1, keepdims=True), -1, 1))
    sine = np.sin(angle)
    near = sine < ARC_FLOOR
    sine = np.where(near, 1.0, sine)
    point = np.where(near, c + share * (e - c), (np.sin((1 - share) * angle) * c + np.sin(share * angle) * e) / sine)
    return np.asarray(point)


def _gather(start: Ints, faces: Ints) -> tuple[Ints, Ints, Ints]:
    """Owner (position in `faces`), place and index of every corner of some faces."""
    owner, corner = expand(start[faces], np.diff(start)[faces])
    return owner, corner - start[faces][owner], corner


def _cut_open(points: Floats, start: Ints, owner: Ints, cut: Section) -> tuple[Floats, Ints, Ints]:
    """Polygons cut to the near side of a plane: points, start, and which polygons are left."""
    count = np.diff(start)
    if not len(count):
        return points, start, np.zeros(0, dtype=np.int64)
    padded = np.zeros((len(count), int(count.max()), 3))
    padded[owner, np.arange(len(points)) - start[owner]] = points
    every = np.arange(len(count))
    slope = np.broadcast_to(-cut.normal, (len(count), 3))
    padded = clip_convex(padded, count, every, slope, np.full(len(count), float(cut.normal @ cut.origin)))
    kept = np.flatnonzero(count >= 3)
    used = np.arange(padded.shape[1]) < count[kept, None]
    return padded[kept][used], np.r_[0, np.cumsum(count[kept])], kept


def _polygons(
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
