"""The share of a disk that each routing cell holds, exactly: circle against convex polygon, in closed form."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.core.fan.routing_fan import RoutingFan
from tropviz.core.planar.cells import polygons
from tropviz.core.planar.clip import clip_ring
from tropviz.core.router import Array, Router, as_float64, as_number
from tropviz.core.tolerance import DISK_DUST

Ints = NDArray[np.int64]
#: Half the side of the square a cell is cut from, in radii: the disk lies well inside it.
BOX = 2.0


def unit_disk_area(corners: Array) -> float:
    """Area that a polygon shares with the disk of radius 1 around the origin.

    Parameters
    ----------
    corners : (m, 2) float64
        In counter-clockwise order, not repeated; any simple polygon.

    Returns
    -------
    float
        By Green's theorem edge by edge: the part of an edge inside the circle adds a triangle with the origin, every
        part outside adds a circular sector. Exact up to rounding.

    Examples
    --------
    >>> unit_disk_area(np.array([[0.0, 0], [9, 0], [0, 9]])) == np.pi / 4
    True
    """
    p, q = corners, np.roll(corners, -1, axis=0)
    step = q - p
    a, b = (step**2).sum(axis=1), (p * step).sum(axis=1)
    cross = p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0]
    # the chord of the edge's line, from its distance to the origin: no cancellation in b^2 - a c
    inside = a - cross**2
    reach = np.sqrt(np.maximum(inside, 0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        enter, leave = np.clip((-b - reach) / a, 0, 1), np.clip((-b + reach) / a, 0, 1)
    hits = (inside > 0) & (a > 0) & (leave > enter)
    enter, leave = np.where(hits, enter, 1.0), np.where(hits, leave, 1.0)
    first, last = p + enter[:, None] * step, p + leave[:, None] * step
    # an end inside the circle has no sector: the angle between two roundings of the centre would be anything
    sectors = np.where(enter > 0, _angle(p, first), 0.0) + np.where(hits & (leave < 1), _angle(last, q), 0.0)
    return float(0.5 * math.fsum(np.where(hits, (leave - enter) * cross, 0.0)) + 0.5 * math.fsum(sectors))


def _angle(p: Array, q: Array) -> Array:
    """Signed angle from p to q seen from the origin, each (m, 2)."""
    return np.asarray(np.arctan2(p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0], (p * q).sum(axis=1)))


def _local_cell(router: Router, fan: RoutingFan, cell: int, others: Ints, centre: Array, radius: float) -> Array:
    """The cell's part of the box, in units of the radius around the centre: small numbers, wherever the disk is."""
    mine = fan.active_sets[cell]
    corners = BOX * np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]])
    for other in others:
        theirs = fan.active_sets[other]
        i, j = np.setdiff1d(mine, theirs)[0], np.setdiff1d(theirs, mine)[0]  # any swapped pair spans the wall
        normal = router.W[i] - router.W[j]
        gap = float(normal @ centre + (router.b[i] - router.b[j]))
        corners = clip_ring(corners, normal * radius, gap)
        if len(corners) < 3:
            break
    return corners


def square(middle: Array, radius: float, place: str) -> Array:
    """The square around a disk, (2, 2); ValueError naming its `place` when float64 cannot tell its edges apart."""
    with np.errstate(over="ignore", invalid="ignore"):
        low, high = middle - radius, middle + radius
        there = np.isfinite(high - low).all() and (low < middle).all() and (middle < high).all()
    if not (there and radius >= sys.float_info.min):
        raise ValueError(f"{place} and radius is {radius}: float64 holds no such disk, give values nearer to 1.")
    return np.stack([low, high], axis=1)


def disk_shares(router: Router, centre: Any, radius: float) -> tuple[Ints, Array]:
    """Share of a disk in the plane that each routing cell holds.

    Parameters
    ----------
    router : Router
        With d = 2.
    centre : array-like (2,)
    radius : float
        Greater than 0.

    Returns
    -------
    active_sets : (m, k) int64
        Of the cells that meet the open disk, largest share first.
    shares : (m,) float64
        They sum to 1. Exact up to rounding, not sampled.

    Raises
    ------
    ValueError
        If the router is not planar, the centre not two finite numbers or the radius not positive.

    Examples
    --------
    >>> sets, shares = disk_shares(Router([[1, 0], [-1, 0]], None, k=1), (0.3, 0), 1)
    >>> sets.tolist(), [f"{s:.12f}" for s in shares]
    ([[0], [1]], ['0.688081167609', '0.311918832391'])
    """
    middle, radius = as_float64(centre, "centre"), as_number(radius, "radius")
    if router.d != 2:
        raise ValueError(f"The router has {router.d} inputs: disk shares need a planar one (d = 2), such as a slice.")
    if middle.shape != (2,):
        raise ValueError(f"centre has shape {middle.shape}: give two numbers.")
    if not (math.isfinite(radius) and radius > 0):
        raise ValueError(f"radius is {radius}: give a positive number.")
    box = square(middle, radius, f"centre is {middle.tolist()}")
    fan = RoutingFan(router)
    near, _ = polygons(fan, box)
    pairs = np.concatenate([fan.neighbours, fan.neighbours[:, ::-1]])
    areas = np.array(
        [
            max(0.0, unit_disk_area(corners)) if len(corners) > 2 else 0.0
            for corners in (
                _local_cell(router, fan, c, pairs[pairs[:, 0] == c, 1], middle, radius) for c in near.tolist()
            )
        ]
    )
    order = [i for i in np.argsort(-areas, kind="stable") if areas[i] > DISK_DUST]
    sets, shares = np.array(fan.active_sets[near[order]]), areas[order] / math.pi
    for a in (sets, shares):
        a.setflags(write=False)
    return sets, shares
