"""Which cells meet a window: decided exactly, also where a cell is too thin for its polygon to have an area."""

from __future__ import annotations

from typing import Any

import numpy as np

from tropviz.core.experts.layer import MoELayer
from tropviz.core.fan.routing_fan import RoutingFan
from tropviz.core.router import Ints


def cells_inside(fan: RoutingFan, window: Any) -> Ints:
    """Cells of a fan that share an area (a length, a volume) with a window, d <= 3.

    Parameters
    ----------
    fan : RoutingFan
    window : float or d (low, high) pairs

    Returns
    -------
    (m,) int64
        Rows of `fan.active_sets`, ascending.

    Raises
    ------
    ValueError
        For a window that is none, or d > 3.

    Notes
    -----
    These are the cells that have a linear region there when no expert has a hinge.

    Examples
    --------
    >>> from tropviz import Router
    >>> W = [[0.5, -0.3], [0.3, 0.1], [0.1, 0.4], [0.4, 0.3]]  # four planes through one point, but for rounding
    >>> fan = RoutingFan(Router(W, [-0.06, -0.06, -0.06, -0.06], k=2))
    >>> len(cells_inside(fan, 2)) == int(fan.count)
    True
    """
    router = fan.router
    layer = MoELayer(router, np.zeros((router.N, 1, router.d)), np.zeros((router.N, 1)), fan=fan)
    return layer.counts(window)[0]
