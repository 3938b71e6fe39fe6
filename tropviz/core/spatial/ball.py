"""Patches of the unit sphere as triangles."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tropviz.core.fan.ranges import expand
from tropviz.core.spatial.mesh import Surface, cut_open, polygon_surface, shared_corners
from tropviz.core.spatial.section import Section
from tropviz.core.spatial.sphere import Patches

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]

#: Longest side of a triangle on the sphere, in radians: at 7 degrees the ball still looks round.
FINE = np.radians(7.0)
#: Edges on the sphere are drawn this much above it, or the triangles would swallow them.
LIFT = 1.004


def sphere_surface(patches: Patches, drawn: Mask, apart: float = 0.0, cut: Section | None = None) -> Surface:
    """Patches of the unit sphere as small triangles.

    Parameters
    ----------
    patches : Patches
    drawn : ndarray of bool (m,)
        Which rows of the fan to draw.
    apart : float
        Every patch moves outward by this much.
    cut : Section, optional
        What lies beyond this plane is taken away, and the section closes the ball.

    Notes
    -----
    A patch is a fan of strips about its centre, with as many rings as its size asks for: one number for the whole
    patch, or there would be slits between its strips. Corners are shared within a patch, so that light glides over it.
    """
    cell, a, b = patches.edges(FINE)
    keep = drawn[cell]
    cell, a, b = cell[keep], a[keep], b[keep]
    centres, fan = patches.centres, cell
    lines, line_cell = LIFT * np.stack([a, b], axis=1), cell
    line_twin = _twins(patches, drawn, len(keep))[keep] & (apart == 0)
    if len(patches.centres) == 1:
        centres, fan, a, b = _whole_sphere()
        cell = np.zeros_like(fan)
    points, owner, triangles, piece = _strips(centres, fan, a, b)
    tri_cell, owner = cell[piece], owner if len(patches.centres) > 1 else np.zeros_like(owner)

    if cut is not None:
        level = float(cut.normal @ cut.origin)
        below = (points @ cut.normal <= level)[triangles]
        across = np.flatnonzero(below.any(axis=1) & ~below.all(axis=1))
        corner = np.arange(3 * len(across))
        extra, start, kept = cut_open(points[triangles[across]].reshape(-1, 3), np.r_[corner[::3], len(corner)], cut)
        face = tri_cell[across][kept]
        triangles, tri_cell = triangles[below.all(axis=1)], tri_cell[below.all(axis=1)]
        near = (lines @ cut.normal < level).all(axis=1)
        lines, line_cell, line_twin = lines[near], line_cell[near], line_twin[near]
    if cut is not None or not drawn.all():
        used = np.zeros(len(points), dtype=bool)
        used[triangles] = True
        points, owner, triangles = points[used], owner[used], (np.cumsum(used) - 1)[triangles]
    move = apart * patches.centres
    if apart:
        points, lines = points + move[owner], lines + move[line_cell, None]
    lines = lines.reshape(-1, 3)
    ball = Surface(points, triangles, tri_cell, lines, np.arange(0, len(lines) + 1, 2), line_cell, line_twin)
    return ball if cut is None else _joined(ball, polygon_surface(extra, start, face, drawn, cut, move, outlines=False))


def _joined(one: Surface, two: Surface) -> Surface:
    """Two surfaces as one."""
    return Surface(
        np.concatenate([one.points, two.points]),
        np.concatenate([one.triangles, len(one.points) + two.triangles]),
        np.concatenate([one.tri_cell, two.tri_cell]),
        np.concatenate([one.lines, two.lines]),
        np.concatenate([one.line_start[:-1], len(one.lines) + two.line_start]),
        np.concatenate([one.line_cell, two.line_cell]),
        np.concatenate([one.line_twin, two.line_twin]),
    )


def _strips(centres: Floats, fan: Ints, a: Floats, b: Floats) -> tuple[Floats, Ints, Ints, Ints]:
    """Points (centres first), the centre each belongs to, triangles, and the piece of boundary each is under."""
    t, n = len(fan), len(centres)
    number, corners, about = shared_corners(np.concatenate([fan, fan]), np.concatenate([a, b]))
    nearest = np.ones(n)  # cosines
    np.minimum.at(nearest, about, np.einsum("px,px->p", centres[about], corners))
    rings = np.maximum(np.ceil(np.arccos(np.maximum(nearest, -1)) / (1.3 * FINE)), 1).astype(np.int64)
    corner, ring = expand(np.zeros(len(corners), dtype=np.int64), rings[about])
    share = ((ring + 1) / rings[about][corner])[:, None]
    spoke = (1 - share) * centres[about][corner] + share * corners[corner]
    spoke /= np.linalg.norm(spoke, axis=1, keepdims=True)
    first = n + np.cumsum(rings[about]) - rings[about]  # the innermost point of every spoke
    left, right = first[number[:t]], first[number[t:]]
    inner = np.stack([fan, left, right], axis=1)
    piece, step = expand(np.zeros(t, dtype=np.int64), rings[fan] - 1)
    low_a, low_b = left[piece] + step, right[piece] + step
    outer = np.stack([low_a, low_a + 1, low_b + 1, low_a, low_b + 1, low_b], axis=1).reshape(-1, 3)
    under = np.concatenate([np.arange(t), np.repeat(piece, 2)])
    owner = np.concatenate([np.arange(n), about[corner]])
    return np.concatenate([centres, spoke]), owner, np.concatenate([inner, outer]), under


def _twins(patches: Patches, drawn: Mask, pieces: int) -> Mask:
    """Which pieces of `Patches.edges` (FINE) are drawn from their left cell already: those of right cells only."""
    out = np.zeros(pieces, dtype=bool)
    if len(patches.arcs.pairs):
        count = np.maximum(np.ceil(patches.arcs.length / FINE), 1).astype(np.int64)
        out[pieces // 2 :] = np.repeat(drawn[patches.arcs.pairs[:, 0]], count)
    return out


def _whole_sphere() -> tuple[Floats, Ints, Floats, Floats]:
    """The only cell, as two fans over the same equator: centres, fan of every piece, from, to."""
    steps = int(np.ceil(2 * np.pi / FINE))
    turn = np.arange(steps + 1) * (2 * np.pi / steps)
    ring = np.stack([np.cos(turn), np.sin(turn), 0 * turn], axis=1)
    centres = np.array([[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]])
    fan = np.repeat([0, 1], steps)
    return centres, fan, np.concatenate([ring[:-1], ring[1:]]), np.concatenate([ring[1:], ring[:-1]])
