"""Cells as cones of half-spaces in homogeneous coordinates, and signs that come with an error bound.

A point x is (x, 1) up to a positive factor, a direction is (r, 0). A hinge or wall is a row (a, b) and its value at a
point is a determinant of the rows that define the point and this row; so every sign has a forward error bound: the
same determinant with all signs made plus, times a few roundings. What the bound cannot decide is left to exact
arithmetic (`core.experts.exact`).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from tropviz.core.exact_rows import ExactRows
from tropviz.core.experts.rows import scaled, unit_walls
from tropviz.core.tolerance import CLEARLY_OUTSIDE, DETERMINANT_FLOOR, DETERMINANT_ROUNDING

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


def meet(rows: list[Floats]) -> tuple[Floats, Floats]:
    """The point on D - 1 given rows of length D (a generalised cross product), and its entries with all signs plus.

    >>> point, bound = meet([np.array([1.0, 0, -2]), np.array([0.0, 1, -3])])
    >>> (point / point[-1]).tolist()
    [2.0, 3.0, 1.0]
    """
    if len(rows) == 2:
        a, b = rows
        point, size = np.empty((2, *np.broadcast_shapes(a.shape, b.shape)))
        for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
            p, q = a[..., j] * b[..., k], a[..., k] * b[..., j]
            np.subtract(p, q, out=point[..., i])
            np.add(np.abs(p), np.abs(q), out=size[..., i])
        return point, size
    a, b, c = rows
    # The six 2 x 2 minors of the last two rows, then one expansion along the first.
    columns = list(combinations(range(4), 2))
    minor = {(i, j): (b[..., i] * c[..., j], b[..., j] * c[..., i]) for i, j in columns}
    value = {key: p - q for key, (p, q) in minor.items()}
    size = {key: np.abs(p) + np.abs(q) for key, (p, q) in minor.items()}
    entries, sizes = list[Floats](), list[Floats]()
    for omit in range(4):
        i, j, k = (x for x in range(4) if x != omit)
        det = a[..., i] * value[j, k] - a[..., j] * value[i, k] + a[..., k] * value[i, j]
        entries.append(-det if omit % 2 == 0 else det)
        sizes.append(np.abs(a[..., i]) * size[j, k] + np.abs(a[..., j]) * size[i, k] + np.abs(a[..., k]) * size[i, j])
    return np.stack(entries, axis=-1), np.stack(sizes, axis=-1)


def signs(values: Floats, bound: Floats) -> NDArray[np.int8]:
    """Signs of determinants: 1, -1, 0 where zero is certain (no term was left), 2 where float64 cannot decide.

    >>> signs(np.array([1.0, -1.0, 0.0, 1e-17]), np.array([1.0, 1.0, 0.0, 1.0])).tolist()
    [1, -1, 0, 2]
    """
    error = bound * DETERMINANT_ROUNDING + DETERMINANT_FLOOR
    out = np.sign(values).astype(np.int8)
    out[(np.abs(values) <= error) & ((values != 0) | (bound != 0))] = 2
    return out


@dataclass(frozen=True)
class Cells:
    """Some cells of a fan, cut with a window or not.

    Attributes
    ----------
    ids : ndarray of int (m,)
        Rows of the fan's active sets.
    walls : ndarray (m, F, D)
        Half-spaces wall . (x, 1) >= 0, D = d + 1; padded with the half-space 1 >= 0.
    vertices, bound : ndarrays (m, V, D)
        Homogeneous corners (and directions, without a window), in cyclic order in the plane, padded by the first; and
        the magnitudes their error is measured with.
    doubtful : ndarray of bool (m,)
        Cells whose corners float64 cannot decide.
    """

    ids: Ints
    walls: Floats
    vertices: Floats
    bound: Floats
    doubtful: Bools

    def part(self, some: slice | Bools) -> Cells:
        """Some of the cells."""
        return Cells(self.ids[some], self.walls[some], self.vertices[some], self.bound[some], self.doubtful[some])


def swaps(sets: Ints, pairs: Ints, N: int) -> tuple[Ints, Ints]:
    """For each pair of neighbouring cells an expert that leaves and one that enters on the way from first to second."""
    member = np.zeros((len(sets), N), dtype=bool)
    np.put_along_axis(member, sets, True, axis=1)
    first, second = member[pairs[:, 0]], member[pairs[:, 1]]
    return (first & ~second).argmax(axis=1), (second & ~first).argmax(axis=1)


def cell_walls(exact: ExactRows, sets: Ints, neighbours: Ints) -> tuple[Floats, Ints, Ints, Bools]:
    """Half-spaces of every cell, padded to one length by the half-space 1 >= 0; planar ones in cyclic order.

    Parameters
    ----------
    exact : ExactRows
        Router rows (w, b).
    sets : ndarray (m, k)
    neighbours : ndarray (e, 2)

    Returns
    -------
    walls : ndarray (m, F, D)
    beyond : ndarray (m, F)
        The cell on the other side of each wall; -1 for padding.
    degree : ndarray (m,)
        Walls of each cell.
    lost : ndarray of bool (m,)
        Cells with a wall that float64 cannot hold.
    """
    m, (N, D) = len(sets), exact.high.shape
    wall, faint = unit_walls(exact, *swaps(sets, neighbours, N))
    owner = neighbours.T.ravel()
    lost = np.bincount(owner[np.concatenate([faint, faint])], minlength=m) > 0
    wall = np.concatenate([wall, -wall])
    other = neighbours[:, ::-1].T.ravel()
    order = np.lexsort((np.arctan2(wall[:, 1], wall[:, 0]), owner)) if D == 3 else np.argsort(owner, kind="stable")
    owner, wall, other = owner[order], wall[order], other[order]
    degree = np.bincount(owner, minlength=m)
    slot = np.arange(len(owner)) - (np.cumsum(degree) - degree)[owner]
    width = int(degree.max(initial=0))
    walls, beyond = np.zeros((m, width, D)), np.full((m, width), -1)
    walls[:, :, -1] = 1.0
    walls[owner, slot] = wall
    beyond[owner, slot] = other
    return walls, beyond, degree, lost


def with_sides(walls: Floats, degree: Ints, sides: Floats) -> Floats:
    """The same cells (m, F, D) with the sides of the window as further walls, after their own."""
    m, _, D = walls.shape
    wide = np.zeros((m, int(degree.max(initial=0)) + len(sides), D))
    wide[:, :, -1] = 1.0
    width = min(walls.shape[1], wide.shape[1])
    wide[:, :width] = walls[:, :width]
    wide[np.arange(m)[:, None], degree[:, None] + np.arange(len(sides))] = sides
    return wide


def side_rows(box: Floats | None, d: int) -> Floats:
    """The half-spaces x >= low and x <= high of a box; the half-space 1 >= 0 without one."""
    if box is None:
        return np.eye(d + 1)[-1:]
    low, high = np.column_stack([np.eye(d), -box[:, 0]]), np.column_stack([-np.eye(d), box[:, 1]])
    return scaled(np.concatenate([low, high]))


def corner_chain(walls: Floats, degree: Ints) -> tuple[Bools, Bools, Floats, Floats]:
    """Corners of planar cells whose walls are all there is to them, in cyclic order: each wall meets the next.

    Parameters
    ----------
    walls : ndarray (m, F, 3)
        In cyclic order, none redundant (the fan vouches for that).
    degree : ndarray (m,)

    Returns
    -------
    valid : ndarray of bool (m, 2 F)
    doubtful : ndarray of bool (m,)
        Also cells without a corner (strips, half-planes).
    points, bound : ndarrays (m, 2 F, 3)
        A corner is (x, y, 1); where an unbounded cell opens there are two directions instead.
    """
    m, F, _ = walls.shape
    index = np.arange(F)
    real = index < degree[:, None]
    after = np.take_along_axis(walls, np.where(index + 1 < degree[:, None], index + 1, 0)[..., None], axis=1)
    points, bound = meet([walls, after])
    turn = signs(points[..., 2], bound[..., 2])
    opens = real & (turn == -1)
    doubtful = (real & (turn != 1) & (turn != -1)).any(axis=1) | (degree < 2) | (opens.sum(axis=1) > 1)
    out, back = _along(walls), -_along(after)
    first = np.where(opens[..., None], out, points)
    valid = np.stack([real, opens], axis=2).reshape(m, 2 * F)
    both = np.stack([first, back], axis=2).reshape(m, 2 * F, 3)
    sizes = np.stack([np.where(opens[..., None], np.abs(out), bound), np.abs(back)], axis=2).reshape(m, 2 * F, 3)
    return valid, doubtful, *_normalised(both, sizes)


def _along(walls: Floats) -> Floats:
    """Direction of a wall that has its cell to the left, as a point at infinity."""
    return np.stack([walls[..., 1], -walls[..., 0], np.zeros(walls.shape[:-1])], axis=-1)


def _normalised(points: Floats, bound: Floats) -> tuple[Floats, Floats]:
    """Homogeneous points as (x, 1); directions and what is not a point are left alone."""
    weight = np.where(points[..., -1:] > 0, points[..., -1:], 1.0)
    return points / weight, bound / weight


def planar_corners(walls: Floats, real: Bools) -> tuple[Bools, Bools, Floats, Floats]:
    """Corners of planar cells with redundant walls among theirs: the far end of every wall that is not.

    Walking around with the cell to the left, a wall ends where the first other wall cuts it off. Each corner is
    certified against every wall of its cell, and the walls must follow one another in a closed chain.

    Parameters
    ----------
    walls : ndarray (m, F, 3)
        Of bounded cells (a window's sides are among them), in cyclic order.
    real : ndarray of bool (m, F)
        Not padding.

    Returns
    -------
    valid : ndarray of bool (m, F)
    doubtful : ndarray of bool (m,)
    points, bound : ndarrays (m, F, 3)
    """
    m, F, _ = walls.shape
    a, b, c = walls[..., 0], walls[..., 1], walls[..., 2]
    index = np.arange(F)
    flip = walls.transpose(0, 2, 1)
    slope, value = _along(walls) @ flip, np.stack([-a * c, -b * c, a * a + b * b], axis=2) @ flip
    slope[:, index, index] = 0.0  # a wall never ends itself
    with np.errstate(divide="ignore", invalid="ignore"):
        end = np.where((slope < 0) & real[:, None, :], -value / slope, np.inf)
    follower = end.argmin(axis=2)
    used = real & np.isfinite(np.take_along_axis(end, follower[..., None], axis=2)[..., 0])
    points, bound = meet([walls, np.take_along_axis(walls, follower[..., None], axis=1)])
    values, size = points @ flip, bound @ np.abs(flip)
    error = size * DETERMINANT_ROUNDING + DETERMINANT_FLOOR
    values[:, index, index] = np.inf
    np.put_along_axis(values, follower[..., None], np.inf, axis=2)
    outside = (values < -CLEARLY_OUTSIDE * size).any(axis=2) | ~used
    unsure = (values <= error).any(axis=2) & ~outside  # a corner exactly on a third wall too: the cell may be flat
    edge = ~outside
    # The chain must close: whoever follows a wall of the cell is a wall of the cell, and follows one wall only.
    cell, f = np.nonzero(edge)
    followed = np.bincount(cell * F + follower[cell, f], minlength=m * F).reshape(m, F)
    return edge, unsure.any(axis=1) | (followed != edge).any(axis=1), *_normalised(points, bound)


def planar_cells(exact: ExactRows, sets: Ints, neighbours: Ints, box: Floats | None) -> Cells:
    """All planar cells that meet the open window (or all), ready for counting; doubtful ones are kept and marked."""
    walls, _, degree, lost = cell_walls(exact, sets, neighbours)
    valid, doubtful, points, bound = corner_chain(walls, degree)
    chain = _packed(np.arange(len(sets)), walls, valid, doubtful | lost, points, bound)
    return chain if box is None else _in_window(chain, walls, degree, lost, box)


def _in_window(chain: Cells, walls: Floats, degree: Ints, lost: Bools, box: Floats) -> Cells:
    """Planar cells cut with a window: most lie inside or outside for certain, the others get its sides as walls."""
    sides = side_rows(box, 2)
    error = np.abs(sides) @ chain.bound.transpose(0, 2, 1) * DETERMINANT_ROUNDING + DETERMINANT_FLOOR
    depth: Floats = sides @ chain.vertices.transpose(0, 2, 1)
    inside = np.all(depth > error, axis=(1, 2)) & ~chain.doubtful & (chain.vertices[..., 2] > 0).all(axis=1)
    outside = np.all(depth < -error, axis=2).any(axis=1) & ~chain.doubtful
    cut = chain.ids[~inside & ~outside]
    if not len(cut):
        return chain.part(inside)
    wide = with_sides(walls[cut], degree[cut], sides)
    real = np.arange(wide.shape[1]) < (degree[cut] + len(sides))[:, None]
    turn = np.where(real, np.arctan2(wide[..., 1], wide[..., 0]), np.inf).argsort(axis=1)
    wide = np.take_along_axis(wide, turn[..., None], axis=1)
    valid, doubtful, points, bound = planar_corners(wide, real)
    return joined([chain.part(inside), _packed(cut, wide, valid, doubtful | lost[cut], points, bound)])


def joined(parts: list[Cells]) -> Cells:
    """Several lots of cells as one, in the order of the fan."""
    if len(parts) == 1:
        return parts[0]
    F, V = max(p.walls.shape[1] for p in parts), max(p.vertices.shape[1] for p in parts)
    ids = np.concatenate([p.ids for p in parts])
    order = np.argsort(ids)
    return Cells(
        ids[order],
        np.concatenate([_padded(p.walls, F) for p in parts])[order],
        np.concatenate([_padded(p.vertices, V) for p in parts])[order],
        np.concatenate([_padded(p.bound, V) for p in parts])[order],
        np.concatenate([p.doubtful for p in parts])[order],
    )


def _packed(ids: Ints, walls: Floats, valid: Bools, doubtful: Bools, points: Floats, bound: Floats) -> Cells:
    """Cells with their corners moved to the front; cells without any, for certain, are dropped."""
    keep = valid.any(axis=1) | doubtful
    ids, walls, valid, doubtful = ids[keep], walls[keep], valid[keep], doubtful[keep]
    most = max(int(valid.sum(axis=1).max(initial=1)), 1)
    first = np.argsort(~valid, axis=1, kind="stable")[:, :most]
    first = np.where(np.take_along_axis(valid, first, axis=1), first, first[:, :1])[..., None]
    points, bound = (np.take_along_axis(x[keep], first, axis=1) for x in (points, bound))
    return Cells(ids, walls, points, bound, doubtful)


def _padded(array: Floats, length: int) -> Floats:
    """Repeat the first entry along axis 1 up to a length."""
    more = length - array.shape[1]
    if not len(array):
        return np.zeros((0, length, array.shape[2]))
    return array if more == 0 else np.concatenate([array, np.repeat(array[:, :1], more, axis=1)], axis=1)
