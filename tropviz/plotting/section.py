"""A fan of any dimension as one that can be drawn in the plane, and the window to draw it in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from tropviz.core.fan.routing_fan import RoutingFan
from tropviz.core.router import Router
from tropviz.core.slices import principal_directions, restrict
from tropviz.core.window import as_window
from tropviz.figures.colour import cell_colours

Floats = NDArray[np.float64]
#: Share of the corners that the window shows by itself; far ones would shrink the rest to a point.
_SHOWN = 0.6
_AIR = 1.6


@dataclass(frozen=True, eq=False)
class Plane:
    """A fan in the plane, cut to a window.

    Attributes
    ----------
    fan : RoutingFan
        With d = 2.
    subspace : (origin (d,), basis (2, d)) or None
        The plane in the space of the router it was cut from; None: the router's own.
    window : (2, 2) float64
    ids : (m,) int64
        Fan rows of the cells in the window, as `shapes` (m,), their polygons.
    colours : list of str
        '#rrggbb' of every cell of the fan.
    note : str
        What the plane is, where it is not the router's own.
    """

    fan: RoutingFan
    subspace: tuple[Floats, Floats] | None
    window: Floats
    ids: NDArray[np.int64]
    shapes: NDArray[np.object_]
    colours: list[str]
    note: str

    @property
    def areas(self) -> Floats:
        """Area of every drawn cell (m,)."""
        return np.asarray(shapely.area(self.shapes), dtype=np.float64)


def plane_of(fan: RoutingFan, window: Any = None, dark: bool = False) -> Plane:
    """What to draw of a fan: itself in d = 2, the line as a strip in d = 1, else a section.

    Examples
    --------
    >>> from tropviz import Router
    >>> plane_of(RoutingFan(Router([[1, 0], [0, 1], [-1, -1]], k=1))).areas.round(2).tolist()
    [1.25, 1.25, 1.5]
    """
    W, b, d, subspace, note = fan.router.W, fan.router.b, fan.router.d, None, ""
    flat = fan
    if d == 1:
        flat = RoutingFan(Router(np.column_stack([W, np.zeros(len(W))]), b, fan.router.k))
        note = "A line: only the horizontal position matters."
    elif d > 2:
        subspace = (np.zeros(d), principal_directions(W, 2)[1])
        flat = RoutingFan(restrict(fan.router, *subspace))
        note = f"Section along the two leading principal directions of W: {flat.count} cells ({flat.count.kind})."
    box = as_window(usual_window(flat) if window is None else window, 2)
    ids, shapes = flat.polygons(box)
    # The colours of the router itself: a cell keeps its colour in every section.
    colours = cell_colours(W, flat.active_sets, dark)
    return Plane(flat, subspace, box, np.asarray(ids), np.asarray(shapes, dtype=object), colours, note)


def usual_window(fan: RoutingFan) -> float:
    """Half the side of a window that shows most corners."""
    if fan.router.central or not len(fan.vertices):
        return 1.0
    far = float(np.quantile(np.abs(fan.vertices).max(axis=1), _SHOWN)) * _AIR
    return far if np.isfinite(far) and far > 0 else 1.0
