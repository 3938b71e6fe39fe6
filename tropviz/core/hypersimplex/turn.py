"""x goes once round a circle: which set wins on the way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tropviz.core.hypersimplex.shadow import Shadow
from tropviz.core.planar.cells import find_sets

if TYPE_CHECKING:
    from tropviz.core.fan.routing_fan import RoutingFan

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
#: Steps of a turn that is played: five degrees each.
STEPS = 72
#: Steps at which the winners round a circle are looked up where no formula gives them.
FINE = 2880
#: In space the circle is tilted by this angle (degrees) off the planes of symmetry of regular polytopes.
TILT = 24.0


@dataclass(frozen=True)
class Turn:
    """One turn of x.

    Attributes
    ----------
    angles : ndarray (n,)
        Radians, from 0 to 2 pi, both included.
    units : ndarray (n, d)
        Directions.
    points : ndarray (n, d)
        x itself: directions times the radius.
    rows : ndarray (n,)
        Row of the winning set in the fan.
    """

    angles: Floats
    units: Floats
    points: Floats
    rows: Ints


def directions(angles: Floats, d: int) -> Floats:
    """Unit vectors on a great circle: the circle of the plane, or a tilted one in space."""
    flat = np.column_stack([np.cos(angles), np.sin(angles)])
    if d == 2:
        return flat
    tilt = np.radians(TILT)
    return np.column_stack([flat[:, 0] * np.cos(tilt), flat[:, 1], flat[:, 0] * np.sin(tilt)])


def turn(fan: RoutingFan, radius: float, steps: int = STEPS) -> Turn:
    """x on a circle about the origin, d = 2 or 3.

    Examples
    --------
    >>> from tropviz import Router, RoutingFan
    >>> square = RoutingFan(Router([[1, 0], [0, 1], [-1, 0], [0, -1]], k=1))
    >>> turn(square, 1.0, steps=6).rows.tolist()
    [0, 1, 1, 2, 3, 3, 0]
    """
    angles = 2 * np.pi * np.arange(steps + 1) / steps
    units = directions(angles, fan.router.d)
    rows = np.asarray(find_sets(fan.active_sets, fan.router.active_sets(radius * units), fan.router.N), dtype=np.int64)
    for i in np.flatnonzero(rows < 0):  # x on a wall, where the lower index wins without having a cell there
        rows[i] = max(rows[i - 1], 0)
    return Turn(angles, units, radius * units, rows)


def ring(fan: RoutingFan, cast: Shadow, radius: float) -> tuple[Ints, Floats]:
    """Who wins where on a circle of the plane about the origin.

    Parameters
    ----------
    fan : RoutingFan
        d = 2.
    cast : Shadow
        Its shadow.
    radius : float
        For a central router it does not matter.

    Returns
    -------
    rows : ndarray (r,)
        Fan rows, counter-clockwise; a cell may meet the circle more than once.
    spans : ndarray (r, 2)
        Angles in radians, start < end. Exact normals of the shadow's sides for a central router; else found in steps
        of an eighth of a degree.

    Examples
    --------
    >>> from tropviz import Router, RoutingFan
    >>> from tropviz.core.hypersimplex.shadow import shadow
    >>> square = RoutingFan(Router([[1, 0], [0, 1], [-1, 0], [0, -1]], k=1))
    >>> rows, spans = ring(square, shadow(square), 1.0)
    >>> np.degrees(spans[rows.tolist().index(0)]).round().tolist()
    [-45.0, 45.0]
    """
    if fan.router.central:
        return cast.outer, _normal_spans(cast.points[cast.outer])
    angles = 2 * np.pi * (np.arange(FINE) + 0.5) / FINE
    sets = fan.router.active_sets(radius * directions(angles, 2))
    rows = np.asarray(find_sets(fan.active_sets, sets, fan.router.N), dtype=np.int64)
    first = np.flatnonzero(rows != np.roll(rows, 1))
    if not len(first):
        return rows[:1], np.array([[0.0, 2 * np.pi]])
    start = 2 * np.pi * first / FINE
    end = np.r_[start[1:], start[0] + 2 * np.pi]
    known = rows[first] >= 0  # -1: the angle lies on a wall
    return rows[first][known], np.column_stack([start, end])[known]


def _normal_spans(points: Floats) -> Floats:
    """Angles between the outer normals of the two sides at each corner of a convex polygon, counter-clockwise."""
    if len(points) == 1:
        return np.array([[0.0, 2 * np.pi]])
    side = np.roll(points, -1, axis=0) - points
    normal = np.arctan2(-side[:, 0], side[:, 1])
    start = np.roll(normal, 1)
    return np.column_stack([start, start + np.mod(normal - start, 2 * np.pi)])
