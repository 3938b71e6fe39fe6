"""Many convex polygons cut by half-planes at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def clip_convex(points: Floats, count: Ints, rows: Ints, slope: Floats, level: Floats) -> Floats:
    """Cut some polygons by one half-plane each, in place.

    Parameters
    ----------
    points : ndarray (n, P, 2) or (n, P, 3)
        Corners in cyclic order; polygon r uses the first count[r] of its P places.
    count : ndarray (n,)
        Changed in place; 0 for a polygon that is gone.
    rows : ndarray (c,)
        Distinct polygons to be cut.
    slope, level : ndarray (c, 2) or (c, 3), (c,)
        What stays is {p : slope . p + level >= 0}.

    Returns
    -------
    ndarray (n, P', 2) or (n, P', 3)
        `points`, changed, with one more place if that was needed.

    Examples
    --------
    >>> square = np.array([[[0.0, 0], [1, 0], [1, 1], [0, 1]]])
    >>> count = np.array([4])
    >>> out = clip_convex(square, count, np.array([0]), np.array([[-1.0, -1.0]]), np.array([0.5]))
    >>> out[0, : count[0]].tolist()
    [[0.0, 0.0], [0.5, 0.0], [0.0, 0.5]]
    """
    height = np.einsum("cpx,cx->cp", points[rows], slope) + level[:, None]
    place = np.arange(points.shape[1])
    used = place < count[rows, None]
    cut = ((height < 0) & used).any(axis=1)
    if not cut.any():
        return points
    rows, height, used = rows[cut], height[cut], used[cut]
    following = np.where(place + 1 < count[rows, None], place + 1, 0)
    after = np.take_along_axis(height, following, axis=1)
    stays = (height >= 0) & used
    crosses = ((height >= 0) != (after >= 0)) & used
    total = (stays + crosses.astype(np.int64)).sum(axis=1)
    if total.max(initial=0) > points.shape[1]:
        points = np.concatenate([points, np.zeros_like(points[:, : total.max() - points.shape[1]])], axis=1)
    old = points[rows][:, : len(place)]
    where = np.cumsum(stays + crosses.astype(np.int64), axis=1) - stays - crosses
    r, p = np.nonzero(stays)
    points[rows[r], where[r, p]] = old[r, p]
    r, p = np.nonzero(crosses)
    share = height[r, p] / (height[r, p] - after[r, p])
    corner = old[r, p] + share[:, None] * (old[r, following[r, p]] - old[r, p])
    points[rows[r], where[r, p] + stays[r, p]] = corner
    count[rows] = total
    return points
