"""The exact section of a fan in space by a plane: the fan of the router restricted to that plane."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from tropviz.core.count import Count
from tropviz.core.fan.routing_fan import RoutingFan
from tropviz.core.planar.cells import find_sets, polygons
from tropviz.core.router import Router
from tropviz.core.slices import plane_through, restrict
from tropviz.core.tolerance import SAME_DIRECTION, SAME_POINT
from tropviz.core.window import as_window

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Corners of the polygon that stands for the circle in which a plane cuts the unit sphere.
CIRCLE = 128


@dataclass(frozen=True)
class Section:
    """Where a plane cuts the cells of a fan in space.

    Points of the plane are origin + y @ basis; the cells are polygons in y.
    """

    normal: Floats  # (3,), unit
    origin: Floats  # (3,), the foot of the world's origin on the plane
    basis: Floats  # (2, 3), orthonormal
    fan: RoutingFan  # of the restricted router
    ids: Ints  # (n,) rows of that fan
    shapes: NDArray[np.object_]  # (n,)
    rows: Ints  # (n,) rows of the fan in space, -1 if the set has no interior there
    outline: Any  # shapely.Polygon: what the body leaves of the plane; empty if the plane misses it
    whole: Router  # in space

    @property
    def inside(self) -> NDArray[np.bool_]:
        """Which pieces run through the inside of their cell, (n,): on the others, walls that the plane holds, two
        experts tie all over, and the piece is a face of several cells."""
        flat, space = self.fan.router.exact.classes[1], self.whole.exact.classes[1]
        sets = self.fan.active_sets[self.ids]
        member = np.zeros((len(sets), self.whole.N), dtype=bool)
        np.put_along_axis(member, sets, True, axis=1)
        one, two = np.nonzero(np.triu(flat[:, None] == flat, 1) & (space[:, None] != space))
        return ~(member[:, one] != member[:, two]).any(axis=1)

    @property
    def count(self) -> Count:
        """Cells the plane runs through: those with a point of the plane inside them, not just on their border."""
        method = "pieces of the plane that lie inside a cell, fan of the restricted router"
        return Count(int(np.count_nonzero(self.inside)), self.fan.count.kind, method, self.fan.count.assumption)

    def lift(self, points: Floats) -> Floats:
        """Points of the plane (n, 2) in space (n, 3)."""
        return self.origin + points @ self.basis

    @property
    def window(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """The smallest square around the outline, a window for the plane's figure."""
        low_x, low_y, high_x, high_y = self.outline.bounds
        half = max(high_x - low_x, high_y - low_y) / 2
        x, y = (low_x + high_x) / 2, (low_y + high_y) / 2
        return (x - half, x + half), (y - half, y + half)


def _frame(normal: Floats, level: float, basis: Floats, box: Floats | None) -> Any:
    """What a box, or (None) the unit ball, leaves of a plane, as a polygon in the plane's coordinates."""
    if box is None:
        if abs(level) >= 1:
            return shapely.Polygon()
        turn = np.arange(CIRCLE) * (2 * np.pi / CIRCLE)
        return shapely.Polygon(np.sqrt(1 - level * level) * np.stack([np.cos(turn), np.sin(turn)], axis=1))
    tips = np.array([[x, y, z] for x in box[0] for y in box[1] for z in box[2]])
    height = tips @ normal - level
    pairs = np.array([(a, a | bit) for a in range(8) for bit in (1, 2, 4) if not a & bit])
    low, high = height[pairs[:, 0]], height[pairs[:, 1]]
    cut = (low < 0) != (high < 0)
    share = low[cut] / (low[cut] - high[cut])
    points = tips[pairs[cut, 0]] + share[:, None] * (tips[pairs[cut, 1]] - tips[pairs[cut, 0]])
    hull = shapely.MultiPoint((points - level * normal) @ basis.T).convex_hull if len(points) else shapely.Polygon()
    return hull if hull.geom_type == "Polygon" else shapely.Polygon()


def _upright(basis: Floats) -> tuple[Floats, Floats]:
    """Unit normal, and axes turned so that the second points up (along z; along y where the plane is level)."""
    unit = np.cross(basis[0], basis[1])
    upward = basis[:, 2] if np.hypot(*basis[:, 2]) > SAME_DIRECTION else basis[:, 1]
    up = upward @ basis / np.hypot(*upward)
    return unit, np.stack([np.cross(up, unit), up])


def section(fan: RoutingFan, normal: Any, level: float, window: Any = None) -> Section:
    """Cut a fan in space with the plane {x : normal . x = level}.

    Parameters
    ----------
    fan : RoutingFan
        Of a router with d = 3.
    normal : array-like (3,)
        Need not be a unit vector; it is made one.
    level : float
        Signed distance of the plane from the origin.
    window : float or three (low, high) pairs, optional
        The box to stay in; None: the unit ball.

    Raises
    ------
    ValueError
        For a zero normal, a window that is none, or a router that is not in space.

    Examples
    --------
    >>> from tropviz.core.router import Router
    >>> cut = section(RoutingFan(Router([[1, 0, 0], [0, 1, 0], [0, 0, 1]], k=1)), [0, 0, 1], 0.5, 1)
    >>> [round(float(s.area), 6) for s in cut.shapes], cut.rows.tolist()
    ([0.875, 0.875, 2.25], [0, 1, 2])
    """
    if fan.router.d != 3:
        raise ValueError(f"A cutting plane needs a router in space, this one has d = {fan.router.d}.")
    unit, basis = _upright(plane_through(normal))
    box = None if window is None else as_window(window, 3)
    outline = _frame(unit, float(level), basis, box)
    flat = RoutingFan(restrict(fan.router, level * unit, basis))
    if outline.is_empty:
        nothing = np.zeros(0, dtype=np.int64)
        return Section(
            unit, level * unit, basis, flat, nothing, np.zeros(0, dtype=object), nothing, outline, fan.router
        )
    low_x, low_y, high_x, high_y = outline.bounds
    ids, shapes = polygons(flat, ((low_x, high_x), (low_y, high_y)))
    shapely.prepare(outline)
    rim = np.flatnonzero(~shapely.contains(outline, shapes))
    shapes[rim] = shapely.intersection(shapes[rim], outline)
    real = (shapely.area(shapes) > SAME_POINT * outline.area) & (shapely.get_type_id(shapes) == 3)
    ids, shapes = ids[real], shapes[real]
    rows = find_sets(fan.active_sets, flat.active_sets[ids], fan.router.N)
    return Section(unit, level * unit, basis, flat, ids, shapes, rows, outline, fan.router)
