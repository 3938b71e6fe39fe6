"""One convex polygon cut by a half-plane. Many at once are cut by `core.spatial.clip` and `core.planar.corners`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def clip_ring(ring: Floats, slope: Floats, level: float) -> Floats:
    """The part of a convex polygon where slope . x + level >= 0.

    Parameters
    ----------
    ring : (m, 2) float64
        Corners in cyclic order, not repeated.
    slope, level : (2,) float64, float

    Returns
    -------
    (m', 2) float64
        In the same order; empty where nothing is left.

    Notes
    -----
    A new corner is computed from the ends of its edge alone, with a few roundings of their coordinates.

    Examples
    --------
    >>> clip_ring(np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]]), np.array([-1.0, -1.0]), 0.5).tolist()
    [[0.0, 0.0], [0.5, 0.0], [0.0, 0.5]]
    """
    height = ring @ slope + level
    if (height >= 0).all():
        return ring
    out = []
    for p, q, a, b in zip(ring, np.roll(ring, -1, axis=0), height, np.roll(height, -1), strict=True):
        if a >= 0:
            out.append(p)
        if (a >= 0) != (b >= 0):
            out.append(p + (a / (a - b)) * (q - p))
    return np.array(out).reshape(-1, 2)
