"""Sheets in space and what a router makes of them: a grid on a curved surface, and the same grid unrolled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tropviz.core.router import Router

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Kinds of sheet.
SHEETS = ("swiss roll", "torus", "sphere")
#: Points of a grid along one side.
GRID = (8, 512)


@dataclass(frozen=True)
class Sheet:
    """A surface in space as a grid of points, and its picture in the plane.

    Attributes
    ----------
    kind : str
    points : ndarray (a, b, 3)
        On the surface; their root mean square distance from the origin is the size asked for.
    unrolled : ndarray (a, b, 2)
        The Swiss roll flat, lengths kept; the sphere as longitude and height times its radius, areas kept; the torus by
        its two angles times its two radii.
    """

    kind: str
    points: Floats
    unrolled: Floats

    def cells(self, router: Router) -> tuple[Ints, Ints]:
        """Active sets on the sheet.

        Parameters
        ----------
        router : Router
            With d = 3.

        Returns
        -------
        cell : ndarray of int (a, b)
            Row of `sets` at every point.
        sets : ndarray of int (m, k)
            The active sets that occur at points of the grid, in lexicographic order.

        Raises
        ------
        ValueError
            If the router does not live in space.
        """
        if router.d != 3:
            raise ValueError(f"The router has d = {router.d}: a sheet lies in space, so take a slice with d = 3.")
        sets, cell = np.unique(router.active_sets(self.points.reshape(-1, 3)), axis=0, return_inverse=True)
        return cell.reshape(self.points.shape[:2]), sets


def sheet(kind: str, n: Any = 96, size: float = 3.0) -> Sheet:
    """A curved sheet in space.

    Parameters
    ----------
    kind : str
        'swiss roll', 'torus' (radii 2 to 1) or 'sphere'.
    n : int
        Points along each side of the grid, 8 to 512.
    size : float
        Root mean square distance of the surface from the origin, by area.

    Raises
    ------
    ValueError
        One sentence that names the entry and the remedy.

    Examples
    --------
    >>> from tropviz.core.presets import random_linear
    >>> roll = sheet("swiss roll", 32)
    >>> cell, sets = roll.cells(Router(*random_linear(16, 3, seed=1), k=4))
    >>> roll.points.shape, cell.shape, len(sets) > 10
    ((32, 32, 3), (32, 32), True)
    """
    if kind not in SHEETS:
        raise ValueError(f"The sheet is {kind!r}: choose one of {', '.join(SHEETS)}.")
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or not GRID[0] <= n <= GRID[1]:
        raise ValueError(f"n is {n!r}: give a whole number of points from {GRID[0]} to {GRID[1]}.")
    if not (np.isfinite(size) and size > 0):
        raise ValueError(f"size is {size}: give a positive number.")
    make = {"swiss roll": _swiss_roll, "torus": _torus, "sphere": _sphere}[kind]
    points, unrolled = make(int(n))
    scale = size / np.sqrt(_mean_square(points))
    points, unrolled = points * scale, unrolled * scale
    for array in (points, unrolled):
        array.setflags(write=False)
    return Sheet(kind, points, unrolled)


def _mean_square(points: Floats) -> float:
    """Mean squared distance from the origin by area: every quadrilateral of the grid counts by its size."""
    along, across = np.diff(points, axis=0)[:, :-1], np.diff(points, axis=1)[:-1]
    area = np.linalg.norm(np.cross(along, across), axis=2)
    middle = (points[:-1, :-1] + points[1:, 1:]) / 2
    return float((area * (middle**2).sum(axis=2)).sum() / area.sum())


def _swiss_roll(n: int) -> tuple[Floats, Floats]:
    t, height = np.linspace(1.5 * np.pi, 4.5 * np.pi, n), np.linspace(-10.5, 10.5, n)
    length = (t * np.hypot(1.0, t) + np.arcsinh(t)) / 2  # of the spiral r = t
    length = length - length[0]
    x, z = t * np.cos(t), t * np.sin(t)
    mean = [np.trapezoid(c * np.hypot(1.0, t), t) / length[-1] for c in (x, z)]
    points = np.stack(np.broadcast_arrays((x - mean[0])[:, None], height[None], (z - mean[1])[:, None]), axis=-1)
    return points, np.stack(np.broadcast_arrays(length[:, None], height[None]), axis=-1)


def _torus(n: int) -> tuple[Floats, Floats]:
    turn = np.linspace(0.0, 2 * np.pi, n)
    u, v = turn[:, None], turn[None]
    ring = 2 + np.cos(v)
    points = np.stack(np.broadcast_arrays(ring * np.cos(u), ring * np.sin(u), np.sin(v) + 0 * u), axis=-1)
    return points, np.stack(np.broadcast_arrays(2 * u, v), axis=-1)


def _sphere(n: int) -> tuple[Floats, Floats]:
    u, height = np.linspace(0.0, 2 * np.pi, n)[:, None], np.linspace(-1.0, 1.0, n)[None]
    ring = np.sqrt(1 - height**2)
    points = np.stack(np.broadcast_arrays(ring * np.cos(u), ring * np.sin(u), height + 0 * u), axis=-1)
    return points, np.stack(np.broadcast_arrays(u, height), axis=-1)
