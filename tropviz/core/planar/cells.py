"""Cells of a planar fan as polygons in a window; expert domains; what a disk or a data sample touches.

The cells of a finished fan are rings of their own corners, cut by the window's four sides (`planar_corners`). Where
corners are missing or too far away, walls do: each is cut down to the segment its cell and the window leave of it, and
a polygon is the convex hull of its walls' ends and of the window corners in it, sorted by angle.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from tropviz.core.fan.record import Fan
from tropviz.core.fan.walls import Walls, walls_of
from tropviz.core.planar.corners import next_in_ring, rings_of_corners
from tropviz.core.planar.unit_box import UnitBox
from tropviz.core.sorting import starts_of_runs
from tropviz.core.tolerance import FILLED, PARALLEL, SAME_POINT
from tropviz.core.window import as_window

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Geometries = NDArray[np.object_]


def _segments(walls: Walls) -> tuple[Ints, Floats]:
    """The walls that meet the window [-1, 1]^2, and the two ends (n, 2, 2) of what is left of each."""
    gap = walls.offsets
    seen = np.flatnonzero(np.abs(gap) <= np.abs(walls.normals).sum(axis=1) * (1 + SAME_POINT))
    normal = walls.normals[seen]
    foot = -gap[seen, None] * normal
    along = np.stack([-normal[:, 1], normal[:, 0]], axis=1)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        reach = np.stack([(-1 - foot) / along, (1 - foot) / along])
    flat = np.abs(along) <= PARALLEL
    low = np.where(flat, -np.inf, reach.min(axis=0)).max(axis=1)
    high = np.where(flat, np.inf, reach.max(axis=0)).min(axis=1)

    row, entry = walls.others(np.tile(seen, 2), walls.pairs[seen].T.ravel())
    row %= max(len(seen), 1)
    n, o = walls.normals[walls.wall[entry]], walls.offsets[walls.wall[entry]]
    slope = walls.sign[entry] * (n * along[row]).sum(axis=1)
    value = walls.sign[entry] * ((n * foot[row]).sum(axis=1) + o)
    bend = np.abs(slope) > PARALLEL
    with np.errstate(over="ignore"):
        at = -value / np.where(bend, slope, 1.0)
    np.maximum.at(low, row[bend & (slope > 0)], at[bend & (slope > 0)])
    np.minimum.at(high, row[bend & (slope < 0)], at[bend & (slope < 0)])
    outside = ~bend & (value < -SAME_POINT)
    high[row[outside]] = -np.inf

    keep = high - low > SAME_POINT
    ends = foot[keep, None] + np.stack([low[keep], high[keep]], axis=1)[..., None] * along[keep, None]
    return seen[keep], ends.clip(-1, 1)


def cells_holding(walls: Walls, points: Floats, slack: float = 0.0) -> tuple[Ints, Ints]:
    """Every (point, cell) pair with the point in the closed cell, up to `slack` in distance.

    Parameters
    ----------
    points : ndarray (p, d)
        A handful of points: all walls are evaluated at each.

    Returns
    -------
    point, cell : ndarray
        Indices, points in ascending order.
    """
    depth = points @ walls.normals.T + walls.offsets
    inside = np.zeros((len(points), len(walls.start) - 1), dtype=np.int64)
    owner = np.repeat(np.arange(len(walls.start) - 1), walls.degree)
    outside = depth[:, walls.wall] * walls.sign < -slack
    for p, line in enumerate(outside):
        inside[p] = np.bincount(owner[line], minlength=inside.shape[1])
    point, cell = np.nonzero(inside == 0)
    return point, cell


def rings(owner: Ints, points: Floats, size: float) -> tuple[Ints, Floats]:
    """Corners of many convex polygons, each sorted counter-clockwise, repeated corners dropped.

    Parameters
    ----------
    owner : ndarray (p,)
        Polygon of every point.
    points : ndarray (p, 2)
        Corners in any order, repeats allowed.
    size : float
        Length against which two corners count as one.

    Returns
    -------
    owner, points : ndarrays
        Polygons in ascending order; those with fewer than three corners are gone.
    """
    if not len(owner):
        return owner, points
    weight = np.maximum(np.bincount(owner), 1)
    middle = np.stack([np.bincount(owner, points[:, a]) / weight for a in (0, 1)], axis=1)
    arm = points - middle[owner]
    order = np.lexsort((np.arctan2(arm[:, 1], arm[:, 0]), owner))
    return distinct(owner[order], points[order], size)


def distinct(owner: Ints, points: Floats, size: float) -> tuple[Ints, Floats]:
    """Rings without corners closer than `size` to the one before, and without rings of fewer than three corners."""
    if not len(owner):
        return owner, points
    for _ in range(2):  # the first pass may leave a corner that is now next to its twin across the seam
        after = next_in_ring(owner)
        step = np.abs(points[after] - points)
        fresh = np.empty(len(owner), dtype=bool)
        fresh[after] = np.logical_or.reduce(size < step.T) | (after == np.arange(len(owner)))
        if fresh.all():
            break
        owner, points = owner[fresh], points[fresh]
    enough = np.bincount(owner, minlength=1)[owner] >= 3
    return (owner, points) if enough.all() else (owner[enough], points[enough])


def polygons(fan: Fan, window: Any) -> tuple[Ints, Geometries]:
    """Cells of a planar fan as polygons, clipped to a window.

    Parameters
    ----------
    fan : Fan
        Of a router with d = 2.
    window : float or ((low, high), (low, high))
        A number a > 0 means [-a, a]^2.

    Returns
    -------
    ids : ndarray of int (n,)
        Rows of `fan.active_sets`, ascending; only cells whose part of the window has positive area.
    geometries : ndarray of shapely.Polygon (n,)
        Convex, counter-clockwise; together they tile the window.

    Raises
    ------
    ValueError
        For a window that is none, or a router that is not planar.
    """
    if fan.router.d != 2:
        raise ValueError(f"Polygons need a router in the plane, this one has d = {fan.router.d}: take a slice first.")
    unit = UnitBox.of(as_window(window, 2))
    cut = rings_of_corners(fan, unit)
    owner, points = rings_of_walls(fan, unit) if cut is None else distinct(*cut, 2 * SAME_POINT)
    area = _areas(owner, points)
    if cut is not None and not fills(fan, area, 4.0):
        owner, points = rings_of_walls(fan, unit)
        area = _areas(owner, points)
    if not fills(fan, area, 4.0):
        raise ValueError(UNFILLED)
    first = starts_of_runs(owner)
    ids, index = owner[first], np.cumsum(first) - 1
    shapes = shapely.polygons(shapely.linearrings(unit.world(points), indices=index)) if len(ids) else _NOTHING
    return (ids, shapes) if (area > 0).all() else (ids[area > 0], shapes[area > 0])


#: What is said where rounding hides the cells, in any dimension.
UNFILLED = "The cells do not fill this window in float64: take a larger one, or one nearer to the origin."
_NOTHING = np.empty(0, dtype=object)


def fills(fan: Fan, parts: Floats, whole: float) -> bool:
    """Whether the parts of all cells add up to the window; of a fan that is not complete nothing is asked."""
    return not fan.complete or bool(abs(float(parts.sum()) - whole) <= FILLED * whole)


def _areas(owner: Ints, points: Floats) -> Floats:
    """Area of every ring."""
    begins = np.flatnonzero(starts_of_runs(owner))
    if not len(begins):
        return np.zeros(0)
    (x, y), (u, v) = points.T, points[next_in_ring(owner)].T
    return np.asarray(np.add.reduceat(x * v - u * y, begins) / 2)


def rings_of_walls(fan: Fan, unit: UnitBox) -> tuple[Ints, Floats]:
    """Cells cut to a window from their walls alone: the cell of each corner, ascending, and the corners (p, 2).

    The corners are in the coordinates in which the window is [-1, 1]^2.
    """
    walls = unit.walls(walls_of(fan))
    seen, ends = _segments(walls)
    corners = np.array([[x, y] for x in (-1.0, 1.0) for y in (-1.0, 1.0)])
    point, cell = cells_holding(walls, corners, slack=2 * SAME_POINT)
    pairs = walls.pairs[seen]
    owner = np.concatenate([np.repeat(pairs.T.ravel(), 2), cell])
    return rings(owner, np.concatenate([ends.reshape(-1, 2), ends.reshape(-1, 2), corners[point]]), 2 * SAME_POINT)


@dataclass(frozen=True)
class Domain:
    """Where one expert is active, inside a window.

    Attributes
    ----------
    expert : int
    ids : ndarray (n,)
        Its cells, rows of the fan's active sets.
    outline : shapely.Polygon or shapely.MultiPolygon
        Their union; empty if the expert is nowhere active here.
    area, hull_area : float
        Of the union and of its convex hull, in squared units of input space.
    pieces : int
        Number of connected pieces inside the window.
    """

    expert: int
    ids: Ints
    outline: Any
    area: float
    hull_area: float
    pieces: int

    @property
    def non_convexity(self) -> float:
        """1 - area / area of the convex hull: 0 for a convex domain (and for an empty one)."""
        return max(0.0, 1.0 - self.area / self.hull_area) if self.hull_area > 0 else 0.0


def expert_domain(fan: Fan, ids: Ints, shapes: Geometries, expert: int) -> Domain:
    """Union of the cells in which an expert is active.

    Parameters
    ----------
    fan : Fan
        Planar.
    ids, shapes
        What `polygons` returned for the window of interest.
    expert : int
        0 <= expert < N.

    Raises
    ------
    ValueError
        If there is no such expert.
    """
    if not 0 <= expert < fan.router.N:
        raise ValueError(f"There is no expert {expert}: choose one of 0 to {fan.router.N - 1}.")
    mine = np.flatnonzero((fan.active_sets[ids] == expert).any(axis=1))
    parts = shapes[mine]
    if not len(parts):
        return Domain(expert, ids[mine], shapely.Polygon(), 0.0, 0.0, 0)
    low_x, low_y, high_x, high_y = shapely.total_bounds(shapes)
    # Walls shared by two cells agree to rounding only: snapping to a grid of that size closes the seams.
    grid = SAME_POINT * max(high_x - low_x, high_y - low_y)
    outline = shapely.union_all(parts, grid_size=grid)
    hull = shapely.convex_hull(shapely.geometrycollections(parts))
    pieces = int(shapely.get_num_geometries(outline))
    return Domain(expert, ids[mine], outline, float(shapely.area(parts).sum()), float(shapely.area(hull)), pieces)


def disk_cells(fan: Fan, centre: Any, radius: float) -> Ints:
    """Cells whose interior an open disk meets, anywhere in the plane.

    Parameters
    ----------
    centre : array-like (2,)
    radius : float
        Positive, in units of input space.

    Returns
    -------
    ndarray of int
        Rows of `fan.active_sets`, ascending.
    """
    middle = np.asarray(centre, dtype=np.float64)
    if middle.shape != (2,) or not np.isfinite(middle).all() or not (np.isfinite(radius) and radius > 0):
        raise ValueError("The disk needs a centre of two finite numbers and a finite radius > 0.")
    ids, shapes = polygons(fan, np.stack([middle - radius, middle + radius], axis=1))
    return ids[shapely.distance(shapes, shapely.Point(middle)) < radius * (1 - SAME_POINT)]


def locate(fan: Fan, X: Any) -> Ints:
    """Cell of every point, in any dimension.

    Parameters
    ----------
    X : array-like (n, d)

    Returns
    -------
    ndarray of int (n,)
        Rows of `fan.active_sets`; -1 where a point's set has no interior (a point on a wall, by the tie rule).
    """
    return find_sets(fan.active_sets, fan.router.active_sets(X), fan.router.N)


def find_sets(known: Ints, wanted: Ints, n_experts: int) -> Ints:
    """Row of each wanted set among the known ones, -1 if it is not there.

    >>> find_sets(np.array([[0, 1], [0, 2]]), np.array([[0, 2], [1, 2]]), 3).tolist()
    [1, -1]
    """
    key = np.random.default_rng(0).integers(0, 2**63, n_experts, dtype=np.uint64)
    have, want = key[known].sum(axis=1), key[wanted].sum(axis=1)  # modulo 2^64; every hit is checked below
    order = np.argsort(have)
    row = order[np.searchsorted(have, want, sorter=order).clip(max=len(have) - 1)]
    return np.where((known[row] == wanted).all(axis=1), row, -1)


def clusters(fan: Fan, ids: Ints) -> Ints:
    """Groups of cells that hang together through shared walls, in any dimension.

    Parameters
    ----------
    ids : ndarray of int (n,)
        Distinct rows of `fan.active_sets`, such as the cells a data sample touches.

    Returns
    -------
    ndarray of int (n,)
        Group of each cell, numbered from 0 in order of appearance.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    place = np.full(len(fan.active_sets), -1)
    place[ids] = np.arange(len(ids))
    inner = place[fan.neighbours]
    inner = inner[(inner >= 0).all(axis=1)]
    graph = coo_array((np.ones(len(inner)), (inner[:, 0], inner[:, 1])), shape=(len(ids), len(ids)))
    _, label = connected_components(graph, directed=False)
    _, first, group = np.unique(label, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[group]
