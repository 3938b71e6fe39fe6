"""The lens: once the picture zooms out after a cloud far away, the cloud and what is around it are drawn magnified."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

Floats = NDArray[np.float64]
#: Radius of the lens, in radii of the cloud, and cells it shows; the smallest of more are left grey.
WIDER, MOST = 1.12, 5
#: Corners of a quarter of its rim.
_QUARTER = 9
Ring = tuple[Floats, int]


def lens_rings(fan: Any, centres: Sequence[Floats], radius: float, magnified: float) -> tuple[Ring, ...]:
    """What a lens over each centre shows of the cells.

    Parameters
    ----------
    fan : RoutingFan
        Of the plane of the picture.
    centres : sequence of (2,) float64
        Of the cloud, or of both clouds.
    radius : float
        Of the cloud; the lens is ``WIDER`` times as wide.
    magnified : float
        How many times larger than the rest of the picture its content is drawn.

    Returns
    -------
    tuple of ((p, 2) float64, int)
        Closed outlines in the picture's coordinates and the fan row of each, the largest first.

    Examples
    --------
    >>> from tropviz import Router, RoutingFan
    >>> fan = RoutingFan(Router([[1, 0], [-1, 0]], None, k=1))
    >>> rings = lens_rings(fan, [np.array([0.5, 90.0])], 1.0, 10.0)
    >>> [(fan.active_sets[row].tolist(), ring[:, 0].min().round(6).item()) for ring, row in rings]
    [([0], -4.5), ([1], -10.7)]
    """
    out: list[Ring] = []
    for centre in centres:
        wide = WIDER * radius
        ids, shapes = fan.polygons(np.stack([centre - wide, centre + wide], axis=1))
        disk = shapely.Point(*centre).buffer(wide, quad_segs=_QUARTER)
        parts = shapely.intersection(np.asarray(shapes, dtype=object), disk)
        area = shapely.area(parts)
        for i in np.argsort(-area, kind="stable")[:MOST]:
            if area[i] > 0 and parts[i].geom_type == "Polygon":
                ring = shapely.get_coordinates(parts[i].exterior)
                out.append((centre + magnified * (ring - centre), int(ids[i])))
    return tuple(out[:MOST])
