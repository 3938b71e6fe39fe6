"""Sizes of cells: volumes in a window, solid angles of central cells."""

from __future__ import annotations

from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from tropviz.core.fan.record import Fan
from tropviz.core.fan.walls import Walls, walls_of
from tropviz.core.planar.cells import polygons
from tropviz.core.spatial.box import polyhedra
from tropviz.core.spatial.sphere import patches
from tropviz.core.tolerance import FILLED, SAME_POINT
from tropviz.core.window import as_window

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Decimal exponent of the largest length, area or volume: float64 ends at 1.8e308.
LARGEST = 308.0


def volumes(fan: Fan, window: Any) -> tuple[Ints, Floats]:
    """Length, area or volume of every cell's part of a window, d = 1, 2 or 3.

    Parameters
    ----------
    fan : Fan
    window : float or d (low, high) pairs

    Returns
    -------
    ids : ndarray of int (n,)
        Rows of `fan.active_sets`, ascending: the cells whose part is not empty.
    values : ndarray (n,)
        They sum to the size of the window.

    Raises
    ------
    ValueError
        For a window that is none or whose size is no float64 number, or d > 3.
    """
    d = fan.router.d
    if d <= 3 and float(np.log10(np.diff(as_window(window, d))).sum()) > LARGEST:
        raise ValueError(f"The size of this window is above 1e{LARGEST:.0f}: give a smaller one.")
    if d == 1:
        return _lengths(fan, as_window(window, 1)[0])
    if d == 2:
        ids, shapes = polygons(fan, window)
        return ids, np.asarray(shapely.area(shapes))
    if d == 3:
        cells = polyhedra(fan, window)
        return cells.ids, cells.volumes
    raise ValueError(f"Volumes are computed for d = 1, 2 and 3, this router has d = {d}: take a slice first.")


def _lengths(fan: Fan, window: Floats) -> tuple[Ints, Floats]:
    walls = walls_of(fan)
    m = len(fan.active_sets)
    low, high = np.full(m, window[0]), np.full(m, window[1])
    at = -walls.offsets / walls.normals[:, 0]
    rising = walls.normals[:, 0] > 0
    np.maximum.at(low, np.where(rising, walls.pairs[:, 0], walls.pairs[:, 1]), at)
    np.minimum.at(high, np.where(rising, walls.pairs[:, 1], walls.pairs[:, 0]), at)
    ids = np.flatnonzero(high - low > SAME_POINT * (window[1] - window[0]))
    return ids, (high - low)[ids]


def solid_angles(fan: Fan) -> Floats:
    """Angle (d = 2, radians) or solid angle (d = 3, steradians) of every cell of a central router.

    Parameters
    ----------
    fan : Fan

    Returns
    -------
    ndarray (m,)
        They sum to 2 pi or 4 pi.

    Raises
    ------
    ValueError
        If the router has a bias, d is neither 2 nor 3, or walls are too near to each other for float64.
    """
    if not fan.router.central:
        raise ValueError("Solid angles belong to central routers (b = 0): ask for volumes in a window instead.")
    if fan.router.d == 2:
        return _whole(fan, _angles(walls_of(fan)), 2 * np.pi)
    if fan.router.d == 3:
        return _whole(fan, patches(fan).solid_angles(), 4 * np.pi)
    raise ValueError(f"Solid angles are computed for d = 2 and 3, this router has d = {fan.router.d}.")


def _whole(fan: Fan, angles: Floats, whole: float) -> Floats:
    """The angles, if they fill the circle or sphere, as those of a complete fan must."""
    if fan.complete and not abs(float(angles.sum()) - whole) <= FILLED * whole:
        raise ValueError(
            "The cells' angles are lost in float64: columns of W so unlike in size need units in which they are alike."
        )
    return angles


def _angles(walls: Walls) -> Floats:
    """A planar cone between two walls opens by pi less the angle between their inward normals."""
    out = np.where(walls.degree == 0, 2 * np.pi, np.pi)
    two = np.flatnonzero(walls.degree == 2)
    first, second = (
        walls.normals[walls.wall[walls.start[two] + s]] * walls.sign[walls.start[two] + s, None] for s in (0, 1)
    )
    cross = first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]
    out[two] -= np.arctan2(np.abs(cross), (first * second).sum(axis=1))
    return out
