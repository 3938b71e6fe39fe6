"""RoutingFan: the fan of a router, and what a reader asks of it."""

from __future__ import annotations

from typing import Any

from tropviz.core.display import Drawable
from tropviz.core.fan.find import BUDGET, Floats, Ints, find
from tropviz.core.fan.record import Fan
from tropviz.core.fan.skeleton import frozen
from tropviz.core.fan.verify import Report, verify
from tropviz.core.planar.cells import polygons
from tropviz.core.router import Router, as_number
from tropviz.core.spatial.sizes import solid_angles, volumes


class RoutingFan(Drawable, Fan):
    """Every full-dimensional cell of a top-k router in R^d, d >= 1.

    Parameters
    ----------
    router : Router
    budget : int, optional
        Stop after about this many corners (rays, for a central router); `count` is then a lower bound, and the cells,
        their neighbours, corners, rays and `bounded` are those seen so far. Above rank 9 (10, central) cells are only
        sampled at random points, without neighbours or corners, unless the rows of W are affinely independent: then
        all C(N, k) exist, and up to 10,000 of them are listed, without corners.

    Attributes
    ----------
    router : Router
    count : Count
        Number of cells: exact, or lower when the budget ran out.
    active_sets : (m, k) int64
        One row per cell, rows sorted, in lexicographic order. Cells are numbered by this order.
    neighbours : (e, 2) int64
        Pairs i < j of cells that share a wall of dimension d - 1, in lexicographic order.
    vertices : (V, d) float64
        Corners of all cells. With `lineality`, one point of each of the smallest faces.
    directions : (R, d) float64
        Unit directions of all rays, without lineality.
    lineality : (l, d) float64
        Directions along which nothing changes (rank-deficient W); usually empty.
    cell_vertices, cell_directions : (ids, starts)
        The corners (rays) of cell c are vertices[ids[starts[c]:starts[c + 1]]]. In the plane they are in
        counter-clockwise order; an unbounded cell runs in along its last ray, over its corners and out along its first.
    corners, rays : list of (., d) float64
        The same cell by cell; cell = hull(corners) + cone(rays), lineality included as rays both ways.
    bounded : (m,) bool
    witnesses : (m, d) float64
        A point in the interior of each cell.

    Notes
    -----
    The fan is found by walking from corner to corner (`core.fan.walk`): output-sensitive, C(N, k) sets are never
    listed, and every sign is certified against rounding or decided in integers, the floats given taken as exact
    numbers.

    Examples
    --------
    >>> fan = RoutingFan(Router([[1, 0], [0, 1], [-1, -1]], k=1))
    >>> str(fan.count), fan.active_sets.tolist(), fan.neighbours.tolist()
    ('3', [[0], [1], [2]], [[0, 1], [0, 2], [1, 2]])
    >>> import tropviz
    >>> tropviz.plot(fan, window=2).layout.xaxis.range  # a notebook draws `fan` by itself
    (-2.0, 2.0)
    """

    def __init__(self, router: Router, budget: int = BUDGET) -> None:
        if not isinstance(router, Router):
            raise ValueError(f"router is a {type(router).__name__}: give a Router, such as Router(W, b, k).")
        number = as_number(budget, "budget")
        if not (number.is_integer() and number >= 0):
            raise ValueError(f"budget is {budget}: give a whole number of corners of at least 0.")
        self.__dict__.update(find(router, int(number)).__dict__)

    #: The record is frozen; an attribute of this object may be bound to another array, as in any class.
    __setattr__ = object.__setattr__

    def verify(self) -> Report:
        """Check the whole fan independently of how it was found; see `fan.verify`."""
        return verify(self)

    def polygons(self, window: Any) -> tuple[Ints, Any]:
        """Cells as shapely polygons in a window, d = 2: (ids, geometries)."""
        ids, shapes = polygons(self, window)
        return frozen(ids), frozen(shapes)

    def volumes(self, window: Any) -> tuple[Ints, Floats]:
        """Lengths, areas or volumes of the cells in a window, d <= 3: (ids, values)."""
        ids, values = volumes(self, window)
        return frozen(ids), frozen(values)

    def solid_angles(self) -> Floats:
        """Angle of each cell of a central fan, (m,): radians (d = 2) or steradians (d = 3)."""
        return frozen(solid_angles(self))
