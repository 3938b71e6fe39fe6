"""Hinges for drawing: what each cell of a planar fan leaves of the hinges of its active experts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely
from numpy.typing import NDArray

from tropviz.core.planar.clip import clip_ring
from tropviz.core.tolerance import HINGE_ROUNDING, SAME_POINT
from tropviz.core.window import as_window

if TYPE_CHECKING:
    from tropviz.core.experts.layer import MoELayer

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Segments drawn at most: more cannot be told apart on a screen and slow it down.
MOST_SEGMENTS = 5000


@dataclass(frozen=True)
class HingeSegments:
    """Hinges inside the cells of their active experts, in a window.

    Attributes
    ----------
    ends : ndarray (n, 2, 2)
        Both ends of each segment, the longest first.
    expert : ndarray of int (n,)
        Whose hinge it is; -1 for the shared expert.
    cell : ndarray of int (n,)
        Row of the fan's active sets.
    hidden : int
        Segments left out because of the limit, all shorter than those that are there.
    """

    ends: Floats
    expert: Ints
    cell: Ints
    hidden: int


def hinge_segments(
    layer: MoELayer, window: Any, limit: int = MOST_SEGMENTS, polygons: tuple[Ints, Any] | None = None
) -> HingeSegments:
    """Clip every hinge to the cells in which its expert is active.

    Parameters
    ----------
    layer : MoELayer
        With d = 2.
    window : float or ((low, high), (low, high))
    limit : int
        Segments kept, by length.
    polygons : (ids, polygons), optional
        ``layer.fan.polygons(window)``, where it is there already.

    Raises
    ------
    ValueError
        If the layer is not planar, the window is none, or the limit is no whole number >= 0.

    Examples
    --------
    >>> from tropviz import MoELayer
    >>> hinge_segments(MoELayer.dense([[1, 0], [0, 0]], [-1, 1]), 2).ends.tolist()
    [[[1.0, -2.0], [1.0, 2.0]]]
    """
    if layer.d != 2:
        raise ValueError(f"Hinge segments need a layer in the plane, this one has d = {layer.d}: take a slice first.")
    if not isinstance(limit, (int, np.integer)) or limit < 0:
        raise ValueError(f"limit is {limit}: give a whole number of segments, 0 or more.")
    ids, shapes = _cells(layer, as_window(window, 2)) if polygons is None else polygons
    if not len(ids):
        return HingeSegments(np.zeros((0, 2, 2)), np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), 0)
    points, place = shapely.get_coordinates(shapes, return_index=True)
    sets = layer.sets[ids]
    rows = layer.hinges_of(sets)
    value = (rows[place, :, :2] @ points[:, :, None])[..., 0] + rows[place, :, 2]  # (corners, hinges of their cell)
    begins = np.flatnonzero(np.diff(place, prepend=-1))
    low, high = np.minimum.reduceat(value, begins), np.maximum.reduceat(value, begins)
    # Each hinge is measured in each cell by itself: one far away must not hide one that is near.
    rounding = np.abs(rows[:, :, :2]) @ np.abs(points).max(axis=0) + np.abs(rows[:, :, 2])
    slack = np.maximum(SAME_POINT * np.maximum(-low, high), HINGE_ROUNDING * rounding)
    both = (low < -slack) & (high > slack)
    # a line through the inside of a convex ring changes sides on two of its edges
    below = value < 0
    change = (below[:-1] != below[1:]) & (place[:-1] == place[1:])[:, None] & both[place[:-1]]
    q, edge = np.nonzero(change.T)
    here, there = value[edge, q], value[edge + 1, q]
    cross = points[edge] + (here / (here - there))[:, None] * (points[edge + 1] - points[edge])
    ends = cross.reshape(-1, 2, 2)
    ends = np.take_along_axis(ends, np.lexsort((ends[..., 1], ends[..., 0]), axis=1)[..., None], axis=1)
    length = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
    keep = np.argsort(-length, kind="stable")[:limit]
    keep = keep[length[keep] > 0]
    owner = np.concatenate([np.repeat(sets, layer.H, axis=1), np.full((len(sets), len(layer.shared[1])), -1)], axis=1)
    cell, hinge = place[edge[::2]][keep], q[::2][keep]
    return HingeSegments(ends[keep], owner[cell, hinge], ids[cell], max(0, int((length > 0).sum()) - len(keep)))


def _cells(layer: MoELayer, box: Floats) -> tuple[Ints, Any]:
    """Cells of the layer as polygons; a dense layer has one, the window."""
    if layer.N == 1:
        return np.zeros(1, dtype=np.int64), np.array([shapely.box(*box[:, 0], *box[:, 1])])
    return layer.fan.polygons(box)


def region_outline(layer: MoELayer, x: Any, window: Any) -> Floats:
    """Corners (n, 2) of the linear region round a point, clipped to the window, counter-clockwise; for drawing.

    Parameters
    ----------
    layer : MoELayer
        With d = 2.
    x : array-like (2,)
        A point inside the window.
    window : float or ((low, high), (low, high))

    Examples
    --------
    >>> from tropviz import MoELayer
    >>> region_outline(MoELayer.dense([[1, 0]], [0]), [1, 0], 2).tolist()
    [[0.0, -2.0], [2.0, -2.0], [2.0, 2.0], [0.0, 2.0]]
    """
    point, (x0, x1), (y0, y1) = np.asarray(x, dtype=np.float64), *as_window(window, 2)
    active = layer.router.active_sets(point[None])[0]
    rest = np.setdiff1d(np.arange(layer.N), active)
    router = np.column_stack([layer.router.W, layer.router.b])
    walls = (router[active][:, None] - router[rest]).reshape(-1, 3)
    hinges = layer.hinges_of(active[None])[0]
    open_ = hinges @ np.append(point, 1.0) > 0
    ring = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
    for row in np.concatenate([walls, hinges * np.where(open_, 1.0, -1.0)[:, None]]):
        ring = clip_ring(ring, row[:2], float(row[2]))
    first = int(np.lexsort((ring[:, 1], ring[:, 0]))[0]) if len(ring) else 0
    return np.roll(ring, -first, axis=0)
