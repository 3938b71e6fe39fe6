"""A window as the cube [-1, 1]^d: cutting is done there, where every axis and every unit of length counts alike."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tropviz.core.fan.walls import Walls

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class UnitBox:
    """Coordinates in which a window is [-1, 1]^d.

    Examples
    --------
    >>> unit = UnitBox.of(np.array([[0.0, 2.0], [0.0, 1e-9]]))
    >>> unit.points(np.array([[2.0, 0.0]])).tolist(), unit.world(np.array([[1.0, 1.0]])).tolist()
    ([[1.0, -1.0]], [[2.0, 1e-09]])
    """

    box: Floats  # (d, 2)
    centre: Floats  # (d,)
    half: Floats  # (d,)

    @classmethod
    def of(cls, box: Floats) -> UnitBox:
        """The coordinates of a window (d, 2)."""
        return cls(box, box[:, 0] / 2 + box[:, 1] / 2, (box[:, 1] - box[:, 0]) / 2)

    def points(self, points: Floats) -> Floats:
        """Points (n, d) of input space in these coordinates."""
        with np.errstate(over="ignore"):  # a corner that far away is not seen
            return np.asarray((points - self.centre) / self.half)

    def directions(self, directions: Floats) -> Floats:
        """Unit directions (n, d) of input space, as unit directions in these coordinates."""
        return _unit(directions * (self.half.min() / self.half))[0]

    def walls(self, walls: Walls) -> Walls:
        """The same half-spaces in these coordinates, with unit normals."""
        longest = self.half.max()
        normals, size = _unit(walls.normals * (self.half / longest))
        level = walls.normals @ self.centre + walls.offsets
        with np.errstate(over="ignore"):  # a wall that far away is not seen
            return replace(walls, normals=normals, offsets=level / longest / size)

    def world(self, points: Floats) -> Floats:
        """Points (n, d) of these coordinates in input space; what is on a face of the window is exactly on it."""
        out = np.asarray(self.centre + self.half * points)
        out = np.where(points <= -1, self.box[:, 0], out)
        return np.where(points >= 1, self.box[:, 1], out)


def _unit(rows: Floats) -> tuple[Floats, Floats]:
    """Rows made unit vectors, and their lengths; rows of zeros stay and count as one long. No square underflows."""
    peak = np.abs(rows).max(axis=1)
    peak[peak == 0] = 1.0
    rows = rows / peak[:, None]
    size = np.maximum(np.sqrt(np.einsum("nx,nx->n", rows, rows)), 1.0)
    return rows / size[:, None], size * peak
